"""Tells those who watch a log in this process of new versions, whatever thread or event loop they are in."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable


class _Watcher:
    """Somebody who waits on an event loop for a newer version."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.news = asyncio.Event()

    def tell(self) -> None:
        try:
            self.loop.call_soon_threadsafe(self.news.set)
        except RuntimeError:
            # Its loop has been closed in the meantime, and nobody waits there any more.
            return


class Notices:
    """Who watches which log."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watchers: dict[str, set[_Watcher]] = {}

    def watched(self) -> list[str]:
        """Return the rooms that are watched."""
        with self._lock:
            return list(self._watchers)

    def tell(self, room: str) -> None:
        """Tell all who watch *room* to look at its version."""
        with self._lock:
            watchers = list(self._watchers.get(room, ()))
        for watcher in watchers:
            watcher.tell()

    async def watch(
        self, room: str, version: Callable[[], Awaitable[int]], every: float | None = None
    ) -> AsyncIterator[int]:
        """Yield what *version* returns now, and again whenever it is told or *every* seconds if it has grown."""
        watcher = _Watcher()
        with self._lock:
            self._watchers.setdefault(room, set()).add(watcher)
        try:
            seen = -1
            while True:
                watcher.news.clear()
                found = await version()
                if found > seen:
                    seen = found
                    yield found
                try:
                    await asyncio.wait_for(watcher.news.wait(), every)
                except TimeoutError:
                    continue
        finally:
            with self._lock:
                self._watchers[room].discard(watcher)
                if not self._watchers[room]:
                    del self._watchers[room]
