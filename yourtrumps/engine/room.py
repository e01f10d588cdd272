"""How large a table may be: what was asked for, or what the machine can give."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core import OptionError

Ints: TypeAlias = NDArray[np.int64]

_log = logging.getLogger(__name__)

MEGABYTE: Final = 1 << 20
_MOST: Final = 1 << 20
_SHARE: Final = 0.8
"""Of the memory that is free: the table does not drive everything else out."""


def new_table(make: Callable[[int], Ints], megabytes: float, entry_bytes: int, least: int) -> Ints:
    """Return what *make* makes of a number of entries: a power of two, as many of *entry_bytes* as *megabytes* hold.

    Where the machine has less memory to give, there are fewer, down to *least*, and the log says so.
    """
    if not 0 < megabytes < _MOST:
        raise OptionError("memory", megabytes, "a number of MB above 0")
    free = free_bytes()
    given = megabytes if free is None else min(megabytes, _SHARE * free / MEGABYTE)
    entries = max(least, 1 << max(1, int(given * MEGABYTE) // entry_bytes).bit_length() - 1)
    is_short = given < megabytes
    while True:
        try:
            table = make(entries)
            break
        except MemoryError:
            if entries <= least:
                raise
            entries //= 2
            is_short = True
    if is_short:
        taken = entries * entry_bytes / MEGABYTE
        _log.warning("memory: %.0f MB are more than this machine has free, so the table has %.0f MB", megabytes, taken)
    return table


def free_bytes() -> int | None:
    """Return the memory that is free, or None where the system does not tell."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None
