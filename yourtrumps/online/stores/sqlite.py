"""Logs in one SQLite file: what is acknowledged survives the death of the process, and other processes may join in.

One thread owns the connection. It takes all that waits into one transaction, as the wait for the disk at its end is the
dear part: so many rooms share it.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from ...core import StaleVersion, YourTrumpsError
from ..errors import RoomNotFound, StoreError
from ..events import AnyEvent, Event, decode_events, encode_events
from .base import Pulse, Summary, is_listed, note_beat, pulse
from .notices import Notices

_T = TypeVar("_T")

_SCHEMA_VERSION: Final = 1
_MOST_AT_ONCE: Final = 100
_BUSY_SECONDS: Final = 10
_LOOK_SECONDS: Final = 0.25
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS entries (
    room TEXT NOT NULL, version INTEGER NOT NULL, events BLOB NOT NULL, PRIMARY KEY (room, version)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rooms (room TEXT PRIMARY KEY, at INTEGER NOT NULL, summary BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pulse (one INTEGER PRIMARY KEY CHECK (one = 1), state BLOB NOT NULL);
"""


class _PulseState(msgspec.Struct):
    servers: dict[str, int] = {}
    outages: tuple[tuple[int, int], ...] = ()


class _Job:
    """Something to do in the thread, whose watchers to tell once it is done, and where its result is awaited."""

    def __init__(self, work: Callable[[sqlite3.Connection], Any], room: str) -> None:
        self.work = work
        self.room = room
        self.done: Future[Any] = Future()


class SqliteStore:
    """A :class:`~yourtrumps.online.stores.base.Store` in the file *path*; any thread may use it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._notices = Notices()
        self._closed = False
        self._connection = self._open()
        self._thread = threading.Thread(target=self._run, name="rooms-sqlite", daemon=True)
        self._thread.start()

    def _open(self) -> sqlite3.Connection:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(
                self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            connection.execute("PRAGMA journal_mode = WAL")
            # FULL waits for the disk at every commit, so that even a power cut loses nothing acknowledged.
            connection.execute("PRAGMA synchronous = FULL")
            found = connection.execute("PRAGMA user_version").fetchone()[0]
            if found not in (0, _SCHEMA_VERSION):
                connection.close()
                raise StoreError(f"expected a file of version {_SCHEMA_VERSION}, got {found}: {self.path}")
            connection.executescript(_TABLES)
            connection.execute(f"PRAGMA user_version = {_SCHEMA_VERSION}")
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"expected a file that can be written, got {self.path} ({error})") from None
        return connection

    # The thread

    def _run(self) -> None:
        changes = self._data_version()
        while True:
            try:
                job = self._jobs.get(timeout=_LOOK_SECONDS)
            except queue.Empty:
                changes = self._look(changes)
                continue
            jobs = [job]
            while len(jobs) < _MOST_AT_ONCE:
                try:
                    jobs.append(self._jobs.get_nowait())
                except queue.Empty:
                    break
            self._do([job for job in jobs if job is not None])
            if None in jobs:
                self._connection.close()
                return
            changes = self._look(changes)

    def _data_version(self) -> int:
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def _look(self, changes: int) -> int:
        """Tell those who watch if another process has changed the file."""
        try:
            found = self._data_version()
        except sqlite3.Error:
            return changes
        if found != changes:
            for room in self._notices.watched():
                self._notices.tell(room)
        return found

    def _do(self, jobs: list[_Job]) -> None:
        """Do *jobs* in one transaction; one that fails leaves nothing, and lets the others be."""
        connection = self._connection
        results: list[tuple[_Job, Any, BaseException | None]] = []
        try:
            self._roll_back()
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            _answer([(job, None, StoreError(_words(error))) for job in jobs])
            return
        try:
            for job in jobs:
                connection.execute("SAVEPOINT job")
                try:
                    results.append((job, job.work(connection), None))
                except YourTrumpsError as error:
                    connection.execute("ROLLBACK TO job")
                    results.append((job, None, error))
                connection.execute("RELEASE job")
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            if len(jobs) > 1:
                # One may be too large for what is left of the disk where the others are not.
                for job in jobs:
                    self._do([job])
                return
            results = [(job, None, StoreError(_words(error))) for job in jobs]
        for job, _, failure in results:
            if job.room and not failure:
                self._notices.tell(job.room)
        _answer(results)

    def _roll_back(self) -> None:
        """Undo what a failed transaction left open; SQLite does so by itself where the disk is full."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    async def _ask(self, work: Callable[[sqlite3.Connection], _T], room: str = "") -> _T:
        if self._closed:
            raise StoreError("expected an open store, got one that is closed")
        job = _Job(work, room)
        self._jobs.put(job)
        result: _T = await asyncio.wrap_future(job.done)
        return result

    # What a store promises

    async def append(
        self, room: str, expected_version: int, events: Sequence[Event], summary: Summary | None = None
    ) -> int:
        """Add an entry."""
        entry = encode_events(events)

        def work(connection: sqlite3.Connection) -> int:
            version = _version(connection, room)
            if expected_version and not version:
                raise RoomNotFound
            if version != expected_version:
                raise StaleVersion(version, expected_version)
            connection.execute("INSERT INTO entries VALUES (?, ?, ?)", (room, version + 1, entry))
            if summary:
                kept = msgspec.json.encode(summary)
                connection.execute("INSERT OR REPLACE INTO rooms VALUES (?, ?, ?)", (room, summary.at, kept))
            return version + 1

        return await self._ask(work, room)

    async def read(self, room: str, after: int = 0) -> list[tuple[AnyEvent, ...]]:
        """Return entries."""
        query = "SELECT events FROM entries WHERE room = ? AND version > ? ORDER BY version"
        rows = await self._ask(lambda connection: connection.execute(query, (room, after)).fetchall())
        return [decode_events(row[0]) for row in rows]

    def watch(self, room: str) -> AsyncIterator[int]:
        """Yield versions."""
        return self._notices.watch(room, lambda: self._ask(lambda connection: _version(connection, room)))

    async def rooms(self, *, public: bool = False) -> list[Summary]:
        """Return summaries."""
        query = "SELECT summary FROM rooms ORDER BY at DESC"
        rows = await self._ask(lambda connection: connection.execute(query).fetchall())
        found = [msgspec.json.decode(row[0], type=Summary) for row in rows]
        return [one for one in found if is_listed(one) or not public]

    async def prune(self, before: int) -> list[str]:
        """Delete old rooms."""

        def work(connection: sqlite3.Connection) -> list[str]:
            old = [row[0] for row in connection.execute("SELECT room FROM rooms WHERE at < ?", (before,))]
            for room in old:
                _delete(connection, room)
            return old

        return await self._ask(work)

    async def delete(self, room: str) -> None:
        """Delete a room."""
        await self._ask(lambda connection: _delete(connection, room))

    async def beat(self, server: str, now: int) -> Pulse:
        """Note a sign of life."""

        def work(connection: sqlite3.Connection) -> Pulse:
            row = connection.execute("SELECT state FROM pulse").fetchone()
            state = msgspec.json.decode(row[0], type=_PulseState) if row else _PulseState()
            servers, outages = note_beat(state.servers, state.outages, server, now)
            kept = msgspec.json.encode(_PulseState(servers, outages))
            connection.execute("INSERT OR REPLACE INTO pulse VALUES (1, ?)", (kept,))
            return pulse(servers, outages, now)

        return await self._ask(work)

    async def close(self) -> None:
        """Finish what waits, and close the file."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)


def _answer(results: list[tuple[_Job, Any, BaseException | None]]) -> None:
    for job, result, failure in results:
        if job.done.set_running_or_notify_cancel():
            if failure:
                job.done.set_exception(failure)
            else:
                job.done.set_result(result)


def _version(connection: sqlite3.Connection, room: str) -> int:
    row = connection.execute("SELECT max(version) FROM entries WHERE room = ?", (room,)).fetchone()
    return row[0] or 0


def _delete(connection: sqlite3.Connection, room: str) -> None:
    connection.execute("DELETE FROM entries WHERE room = ?", (room,))
    connection.execute("DELETE FROM rooms WHERE room = ?", (room,))


def _words(error: sqlite3.Error) -> str:
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
        return "expected room on the disk, got a full one; nothing has changed"
    return f"expected a file that can be read and written, got {error}; nothing has changed"
