"""How large a table may be: what was asked for, or what the machine can give."""

from __future__ import annotations

import logging
import os
from typing import Final

from ..core import OptionError

_log = logging.getLogger(__name__)

MEGABYTE: Final = 1 << 20
_MOST: Final = 1 << 20
_SHARE: Final = 0.8
"""Of the memory that is free: the table does not drive everything else out."""


def entries_for(megabytes: float, entry_bytes: int, least: int) -> int:
    """Return how many entries of *entry_bytes* a table of *megabytes* has: a power of two, no fewer than *least*.

    Where the machine has less memory free, the table is smaller, and the log says so.
    """
    if not 0 < megabytes < _MOST:
        raise OptionError("memory", megabytes, "a number of MB above 0")
    free = free_bytes()
    given = megabytes
    if free is not None and megabytes * MEGABYTE > _SHARE * free:
        given = _SHARE * free / MEGABYTE
    entries = max(least, 1 << max(1, int(given * MEGABYTE) // entry_bytes).bit_length() - 1)
    if given < megabytes:
        taken = entries * entry_bytes / MEGABYTE
        _log.warning("memory: %.0f MB are more than this machine has free, so the table has %.0f MB", megabytes, taken)
    return entries


def free_bytes() -> int | None:
    """Return the memory that is free, or None where the system does not tell."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None
