"""Shared by the engine's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from yourtrumps.engine import solve


@pytest.fixture
def no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty data directory."""
    monkeypatch.setenv("YOURTRUMPS_DATA", str(tmp_path))
    solve.forget_tables()
    yield tmp_path
    solve.forget_tables()
