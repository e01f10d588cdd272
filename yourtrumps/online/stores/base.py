"""What every store promises."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Final, Protocol

import msgspec

from ..events import AnyEvent, Event

DEAD_MS: Final = 6_000
"""A server that has given no sign of life for so long is taken to be down."""

KEPT_OUTAGES: Final = 100
KEPT_SERVERS_MS: Final = 86_400_000


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What lists of rooms tell of one; it is kept beside the log, and nothing depends on it."""

    room: str
    status: str
    public: bool
    rated: bool
    rules: str
    low: str
    base: int | None
    increment: int
    names: tuple[str | None, ...]
    """A name a seat, None where it is free."""
    host_away: bool
    game: int
    at: int
    """Time of the last event in milliseconds since 1970."""


class Pulse(msgspec.Struct, frozen=True, kw_only=True):
    """What a server learns from a sign of life: which servers are up, and when none was."""

    servers: frozenset[str]
    outages: tuple[tuple[int, int], ...]
    """From when to when, in milliseconds since 1970; the latest last."""


class Store(Protocol):
    """Keeps logs. An entry is what was added at once; the version of a log is the number of its entries.

    All raise :class:`~yourtrumps.online.errors.StoreError` when the store cannot do it now; then nothing has changed.
    """

    async def append(
        self, room: str, expected_version: int, events: Sequence[Event], summary: Summary | None = None
    ) -> int:
        """Add *events* as the next entry and return its version; 0 is expected of a new log.

        What has been returned is never lost. Raises :class:`~yourtrumps.core.StaleVersion` if the log has another
        version, and :class:`~yourtrumps.online.errors.RoomNotFound` if it is gone.
        """
        ...

    async def read(self, room: str, after: int = 0) -> list[tuple[AnyEvent, ...]]:
        """Return the entries after the first *after*, in order; none if there is no such log."""
        ...

    def watch(self, room: str) -> AsyncIterator[int]:
        """Yield the version of the log now, and again whenever there is a newer one, by whichever process."""
        ...

    async def rooms(self, *, public: bool = False) -> list[Summary]:
        """Return what is known of all rooms, or of the open public ones, the latest first."""
        ...

    async def prune(self, before: int) -> list[str]:
        """Delete the rooms whose last event was before *before* (milliseconds since 1970); return their codes."""
        ...

    async def delete(self, room: str) -> None:
        """Delete a room's log."""
        ...

    async def beat(self, server: str, now: int) -> Pulse:
        """Note that *server* is up at *now*, and return what is known of all servers.

        Where no server has given a sign of life for :data:`DEAD_MS`, an outage is noted.
        """
        ...

    async def close(self) -> None:
        """Finish what was begun, and let go of files and connections."""
        ...


def is_listed(summary: Summary) -> bool:
    """Whether the list of public tables has this room."""
    return summary.public and summary.status == "waiting" and not summary.host_away


def note_beat(
    servers: dict[str, int], outages: Sequence[tuple[int, int]], server: str, now: int
) -> tuple[dict[str, int], tuple[tuple[int, int], ...]]:
    """Return the times of the last signs of life and the outages, once *server* has given one at *now*."""
    last = max(servers.values(), default=now)
    if now - last > DEAD_MS:
        outages = [*outages, (last, now)]
    kept = {one: at for one, at in servers.items() if now - at < KEPT_SERVERS_MS}
    return kept | {server: max(now, kept.get(server, 0))}, tuple(outages[-KEPT_OUTAGES:])


def pulse(servers: dict[str, int], outages: Sequence[tuple[int, int]], now: int) -> Pulse:
    """Return what *servers* and *outages* mean at *now*."""
    alive = frozenset(one for one, at in servers.items() if now - at <= DEAD_MS)
    return Pulse(servers=alive, outages=tuple(outages))
