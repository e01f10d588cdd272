"""Logs in memory: for one process, and for as long as it runs."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Sequence

from ...core import StaleVersion
from ..errors import RoomNotFound
from ..events import AnyEvent, Event, decode_events, encode_events
from .base import Pulse, Summary, is_listed, note_beat, pulse
from .notices import Notices


class MemoryStore:
    """A :class:`~yourtrumps.online.stores.base.Store` that any thread may use."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._logs: dict[str, list[bytes]] = {}
        self._summaries: dict[str, Summary] = {}
        self._servers: dict[str, int] = {}
        self._outages: tuple[tuple[int, int], ...] = ()
        self._notices = Notices()

    async def append(
        self, room: str, expected_version: int, events: Sequence[Event], summary: Summary | None = None
    ) -> int:
        """Add an entry."""
        entry = encode_events(events)
        with self._lock:
            log = self._logs.get(room, [])
            if expected_version and not log:
                raise RoomNotFound
            if len(log) != expected_version:
                raise StaleVersion(len(log), expected_version)
            log.append(entry)
            self._logs[room] = log
            if summary:
                self._summaries[room] = summary
        self._notices.tell(room)
        return expected_version + 1

    async def read(self, room: str, after: int = 0) -> list[tuple[AnyEvent, ...]]:
        """Return entries."""
        with self._lock:
            entries = self._logs.get(room, [])[after:]
        return [decode_events(entry) for entry in entries]

    def watch(self, room: str) -> AsyncIterator[int]:
        """Yield versions."""
        return self._notices.watch(room, lambda: self._version(room))

    async def _version(self, room: str) -> int:
        with self._lock:
            return len(self._logs.get(room, ()))

    async def rooms(self, *, public: bool = False) -> list[Summary]:
        """Return summaries."""
        with self._lock:
            found = [one for one in self._summaries.values() if is_listed(one) or not public]
        return sorted(found, key=lambda one: -one.at)

    async def prune(self, before: int) -> list[str]:
        """Delete old rooms."""
        with self._lock:
            old = [room for room, summary in self._summaries.items() if summary.at < before]
        for room in old:
            await self.delete(room)
        return old

    async def delete(self, room: str) -> None:
        """Delete a room."""
        with self._lock:
            self._logs.pop(room, None)
            self._summaries.pop(room, None)

    async def beat(self, server: str, now: int) -> Pulse:
        """Note a sign of life."""
        with self._lock:
            self._servers, self._outages = note_beat(self._servers, self._outages, server, now)
            return pulse(self._servers, self._outages, now)

    async def close(self) -> None:
        """Do nothing: there is nothing to let go of."""
