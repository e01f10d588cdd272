"""Logs in Redis Streams, for servers on several machines: a room is one stream, and its version the entry's id.

Redis refuses an entry whose id is not beyond the last, so that of two who add the same version one fails. Nothing spans
two keys, so rooms spread over the nodes of a Redis Cluster. Let Redis run with ``appendonly yes`` and ``appendfsync
always``: then what it has acknowledged survives its death.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, Final, TypeVar

import msgspec
import redis.asyncio as aioredis
from redis import exceptions
from redis.asyncio.cluster import RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from ...core import OptionError, StaleVersion
from ..errors import RoomNotFound, StoreError
from ..events import AnyEvent, Event, decode_events, encode_events
from .base import Pulse, Summary, is_listed, note_beat, pulse
from .notices import Notices

_T = TypeVar("_T")

_PREFIX: Final = "yourtrumps"
_INDEX: Final = f"{_PREFIX}:rooms"
_PULSE: Final = f"{_PREFIX}:pulse"
_NEWS: Final = f"{_PREFIX}:news"
_PATIENCE: Final = 3.0
_PAUSE: Final = 0.1
_LOOK_SECONDS: Final = 10.0
_CLUSTER_LOOK_SECONDS: Final = 0.25
_GONE: Final = (exceptions.ConnectionError, exceptions.TimeoutError, OSError)
_SET_IF_SAME: Final = """
if (redis.call('GET', KEYS[1]) or '') == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2]) return 1 end
return 0
"""


class _PulseState(msgspec.Struct):
    servers: dict[str, int] = {}
    outages: tuple[tuple[int, int], ...] = ()


class RedisStore:
    """A :class:`~yourtrumps.online.stores.base.Store` at *url*, to be used on one event loop.

    While Redis is gone every request waits three seconds for it and then raises
    :class:`~yourtrumps.online.errors.StoreError`; once it is back, all goes on by itself.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._notices = Notices()
        self._client = self._connect()
        self._listener: asyncio.Task[None] | None = None

    def _connect(self) -> Any:
        # Requests are repeated here, where it is known whether that is safe.
        options: dict[str, Any] = {
            "socket_timeout": _PATIENCE,
            "socket_connect_timeout": _PATIENCE,
            "retry": Retry(NoBackoff(), 0),
        }
        try:
            if self._is_cluster:
                return RedisCluster.from_url(self._url.replace("redis+cluster:", "redis:", 1), **options)
            return aioredis.from_url(self._url, **options)
        except ValueError as error:
            raise OptionError("store", self._url, f"redis://HOST:PORT/NUMBER ({error})") from None

    @property
    def _is_cluster(self) -> bool:
        return self._url.startswith("redis+cluster:")

    async def _try(self, ask: Callable[[], Awaitable[_T]]) -> _T:
        """Return what *ask* does, asking again for a while where Redis is gone; *ask* may thus run more than once."""
        deadline = asyncio.get_running_loop().time() + _PATIENCE
        while True:
            try:
                return await ask()
            except _GONE:
                if asyncio.get_running_loop().time() > deadline:
                    raise StoreError("expected Redis to answer, got nothing") from None
                await asyncio.sleep(_PAUSE)
            except exceptions.RedisError as error:
                raise StoreError(f"expected Redis to do its work, got {error}") from None

    # What a store promises

    async def append(
        self, room: str, expected_version: int, events: Sequence[Event], summary: Summary | None = None
    ) -> int:
        """Add an entry."""
        version = expected_version + 1
        # By this mark an entry is known again if the connection is lost before the answer comes.
        entry = {"events": encode_events(events), "mark": secrets.token_bytes(8)}
        if summary and not expected_version:
            # Listed first and then made: so no log is ever without a place in the index.
            await self._list(summary)

        async def add() -> bool:
            try:
                return bool(
                    await self._client.xadd(_key(room), entry, id=f"{version}-0", nomkstream=bool(expected_version))
                )
            except exceptions.ResponseError as error:
                if "equal or smaller" not in str(error):
                    raise
            found = await self._client.xrange(_key(room), f"{version}-0", f"{version}-0")
            if found and found[0][1][b"mark"] == entry["mark"]:
                return True
            raise StaleVersion(await self._last(room), expected_version)

        if not await self._try(add):
            raise RoomNotFound
        self._notices.tell(room)
        await self._announce(room, summary)
        return version

    async def _list(self, summary: Summary) -> None:
        await self._try(lambda: self._client.hset(_INDEX, summary.room, msgspec.json.encode(summary)))

    async def _announce(self, room: str, summary: Summary | None) -> None:
        """Tell other servers. The entry stands whether or not this succeeds: they also look by themselves."""
        news = [self._client.publish(_NEWS, room)]
        if summary:
            news.append(self._client.hset(_INDEX, room, msgspec.json.encode(summary)))
        for failure in await asyncio.gather(*news, return_exceptions=True):
            if isinstance(failure, BaseException) and not isinstance(failure, (exceptions.RedisError, OSError)):
                raise failure

    async def read(self, room: str, after: int = 0) -> list[tuple[AnyEvent, ...]]:
        """Return entries."""
        found = await self._try(lambda: self._client.xrange(_key(room), f"{after + 1}-0", "+"))
        versions = [int(entry.partition(b"-")[0]) for entry, _ in found]
        if versions != list(range(after + 1, after + 1 + len(found))):
            raise StoreError("expected a log without gaps, got one that has lost entries")
        return [decode_events(fields[b"events"]) for _, fields in found]

    async def _last(self, room: str) -> int:
        found = await self._client.xrevrange(_key(room), "+", "-", 1)
        return int(found[0][0].partition(b"-")[0]) if found else 0

    def watch(self, room: str) -> AsyncIterator[int]:
        """Yield versions."""

        async def version() -> int:
            self._listen()
            try:
                return await self._try(lambda: self._last(room))
            except StoreError:
                # As long as Redis is gone there is no newer version.
                return -1

        return self._notices.watch(room, version, _CLUSTER_LOOK_SECONDS if self._is_cluster else _LOOK_SECONDS)

    def _listen(self) -> None:
        # redis-py cannot subscribe on a cluster from asyncio; there, watching looks often instead.
        if self._listener is None and not self._is_cluster:
            self._listener = asyncio.create_task(self._hear(), name="rooms-redis")

    async def _hear(self) -> None:
        while True:
            try:
                async with self._client.pubsub() as news:
                    await news.subscribe(_NEWS)
                    # What was published before is not heard any more.
                    for room in self._notices.watched():
                        self._notices.tell(room)
                    while True:
                        message = await news.get_message(ignore_subscribe_messages=True, timeout=_LOOK_SECONDS)
                        if message:
                            self._notices.tell(message["data"].decode())
            except (exceptions.RedisError, OSError):
                await asyncio.sleep(_PAUSE)

    async def rooms(self, *, public: bool = False) -> list[Summary]:
        """Return summaries."""
        kept = await self._try(lambda: self._client.hvals(_INDEX))
        found = [msgspec.json.decode(one, type=Summary) for one in kept]
        return sorted((one for one in found if is_listed(one) or not public), key=lambda one: -one.at)

    async def prune(self, before: int) -> list[str]:
        """Delete old rooms."""
        old = [summary.room for summary in await self.rooms() if summary.at < before]
        for room in old:
            await self.delete(room)
        return old

    async def delete(self, room: str) -> None:
        """Delete a room."""
        await self._try(lambda: self._client.delete(_key(room)))
        await self._try(lambda: self._client.hdel(_INDEX, room))

    async def beat(self, server: str, now: int) -> Pulse:
        """Note a sign of life."""
        while True:
            kept = await self._try(lambda: self._client.get(_PULSE)) or b""
            state = msgspec.json.decode(kept, type=_PulseState) if kept else _PulseState()
            servers, outages = note_beat(state.servers, state.outages, server, now)
            fresh = msgspec.json.encode(_PulseState(servers, outages))
            if await self._try(lambda: self._client.eval(_SET_IF_SAME, 1, _PULSE, kept, fresh)):  # noqa: B023
                return pulse(servers, outages, now)

    async def close(self) -> None:
        """Let go of the connections."""
        if self._listener:
            self._listener.cancel()
            await asyncio.gather(self._listener, return_exceptions=True)
            self._listener = None
        await self._client.aclose()


def _key(room: str) -> str:
    return f"{_PREFIX}:log:{{{room}}}"
