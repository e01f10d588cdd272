"""Shared by the engine's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from yourtrumps.engine import machine, solve


@pytest.fixture
def no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty data directory."""
    monkeypatch.setenv("YOURTRUMPS_DATA", str(tmp_path))
    solve.forget_tables()
    yield tmp_path
    solve.forget_tables()


@pytest.fixture(scope="session", autouse=True)
def machine_code() -> None:
    """Machine code, made once a run at most."""
    machine.load()
