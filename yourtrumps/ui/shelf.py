"""Keeps each browser's game on disk, so that a reload of the page or a restart of the server brings it back."""

from __future__ import annotations

import json
import re
import secrets
import time
from pathlib import Path
from typing import Any, Final

from ..paths import data_folder

_TICKET: Final = re.compile(r"[A-Za-z0-9_-]{22}")
_KEEP_DAYS: Final = 60
COOKIE: Final = "yourtrumps_game"


def new_ticket() -> str:
    """Return a fresh name for a saved game that nobody can guess (128 bits)."""
    return secrets.token_urlsafe(16)


def folder() -> Path:
    """Return where games are kept."""
    return data_folder() / "tables"


def read(ticket: str) -> dict[str, Any] | None:
    """Return what was kept under *ticket*, or None; a damaged file counts as none."""
    if not _TICKET.fullmatch(ticket):
        return None
    try:
        kept = json.loads((folder() / f"{ticket}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return kept if isinstance(kept, dict) else None


def write(ticket: str, state: dict[str, Any]) -> None:
    """Keep *state* under *ticket*, whole or not at all."""
    if not _TICKET.fullmatch(ticket):
        raise ValueError("a ticket made by new_ticket")
    place = folder()
    place.mkdir(parents=True, exist_ok=True)
    draft = place / f"{ticket}.{secrets.token_hex(4)}.part"
    draft.write_text(json.dumps(state), encoding="utf-8")
    draft.replace(place / f"{ticket}.json")


def prune() -> None:
    """Remove what nobody has touched for two months."""
    oldest = time.time() - _KEEP_DAYS * 86400
    for path in folder().glob("*.*"):
        if path.stat().st_mtime < oldest:
            path.unlink(missing_ok=True)
