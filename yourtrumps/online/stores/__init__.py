"""Where logs of rooms are kept: in memory, in one SQLite file, or in Redis."""

from __future__ import annotations

from pathlib import Path

from ...core import OptionError
from ...paths import data_folder
from .base import DEAD_MS, Pulse, Store, Summary
from .memory import MemoryStore
from .sqlite import SqliteStore

__all__ = ["DEAD_MS", "MemoryStore", "Pulse", "SqliteStore", "Store", "Summary", "open_store"]


def open_store(name: str = "sqlite") -> Store:
    """Return the store that *name* means: ``memory``, ``sqlite``, ``sqlite:PATH``, or ``redis://HOST:PORT/NUMBER``.

    ``redis+cluster://`` names any node of a Redis Cluster. Raises :class:`OptionError` or :class:`StoreError`.
    """
    kind, _, rest = name.partition(":")
    if name == "memory":
        return MemoryStore()
    if kind == "sqlite":
        return SqliteStore(Path(rest) if rest else data_folder() / "rooms.sqlite")
    if kind in ("redis", "rediss", "redis+cluster", "unix"):
        try:
            from .redis import RedisStore
        except ImportError:
            raise OptionError("store", name, 'the extra for it: pip install "yourtrumps[redis]"') from None
        store: Store = RedisStore(name)
        return store
    raise OptionError("store", name, "memory, sqlite, sqlite:PATH or redis://HOST:PORT/0")
