"""One suite for all stores, and what only one of them has to bear."""

import asyncio
import multiprocessing
import os
import sqlite3
import threading

import pytest

from tests.online.conftest import needs_redis
from tests.support.redis_server import RedisServer
from yourtrumps.core import OptionError, StaleVersion
from yourtrumps.online.errors import RoomNotFound, StoreError
from yourtrumps.online.events import Said
from yourtrumps.online.stores import DEAD_MS, Summary, open_store
from yourtrumps.online.tokens import new_room_id

WRITERS = 1000


def said(number, phrase="hello"):
    return Said(at=number, seat=0, phrase=phrase)


def summary(room, at=1, **changes):
    values = {
        "status": "waiting",
        "public": True,
        "rated": False,
        "rules": "duel",
        "low": "6",
        "base": None,
        "increment": 0,
        "names": ("Ann", None),
        "host_away": False,
        "game": 1,
    }
    return Summary(room=room, at=at, **(values | changes))


async def filled(store, entries):
    room = new_room_id()
    for number in range(entries):
        await store.append(room, number, [said(number)])
    return room


async def test_entries_come_back_in_order(store):
    room = new_room_id()
    assert await store.append(room, 0, [said(1), said(2)]) == 1
    assert await store.append(room, 1, [said(3)]) == 2
    assert await store.read(room) == [(said(1), said(2)), (said(3),)]
    assert await store.read(room, 1) == [(said(3),)]
    assert await store.read(room, 2) == []


async def test_unknown_log_is_empty_and_takes_no_second_entry(store):
    room = new_room_id()
    assert await store.read(room) == []
    with pytest.raises(RoomNotFound):
        await store.append(room, 3, [said(1)])
    assert await store.read(room) == []


@pytest.mark.parametrize("version", [0, 1])
async def test_other_versions_are_stale(store, version):
    room = await filled(store, 2)
    with pytest.raises(StaleVersion):
        await store.append(room, version, [said(9)])
    assert len(await store.read(room)) == 2


async def test_watching_yields_now_and_then_what_is_new(store):
    room = await filled(store, 1)
    versions = store.watch(room)
    assert await anext(versions) == 1
    await store.append(room, 1, [said(2)])
    assert await anext(versions) == 2
    await store.append(room, 2, [said(3)])
    await store.append(room, 3, [said(4)])
    latest = 2
    while latest < 4:
        latest = await anext(versions)
    await versions.aclose()


async def test_watching_hears_of_other_processes(store, store_name):
    if store_name == "memory":
        pytest.skip("memory is of one process")
    room = await filled(store, 1)
    other = open_store(store_name)
    versions = store.watch(room)
    assert await anext(versions) == 1
    await other.append(room, 1, [said(2)])
    assert await anext(versions) == 2
    await versions.aclose()
    await other.close()


async def test_public_rooms_are_those_that_wait_for_somebody(store):
    waiting, secret, playing, away = (new_room_id() for _ in range(4))
    await store.append(waiting, 0, [said(1)], summary(waiting, 1))
    await store.append(secret, 0, [said(1)], summary(secret, 2, public=False))
    await store.append(playing, 0, [said(1)], summary(playing, 3, status="waiting"))
    await store.append(playing, 1, [said(1)], summary(playing, 4, status="playing"))
    await store.append(away, 0, [said(1)], summary(away, 5, host_away=True))
    assert [one.room for one in await store.rooms(public=True)] == [waiting]
    assert [one.room for one in await store.rooms()] == [away, playing, secret, waiting]


async def test_pruning_deletes_by_age_and_only_rooms(store):
    old, young = new_room_id(), new_room_id()
    await store.append("ratings", 0, [said(1)])
    await store.append(old, 0, [said(1)], summary(old, 10))
    await store.append(young, 0, [said(1)], summary(young, 20))
    assert await store.prune(20) == [old]
    assert await store.read(old) == []
    assert [len(await store.read(room)) for room in (young, "ratings")] == [1, 1]
    with pytest.raises(RoomNotFound):
        await store.append(old, 1, [said(2)])


async def test_outage_is_noted_where_no_server_gave_a_sign_of_life(store):
    assert await store.beat("a", 1000) == await store.beat("a", 1000)
    pulse = await store.beat("b", 1000 + DEAD_MS)
    assert (pulse.servers, pulse.outages) == ({"a", "b"}, ())
    later = 2001 + 2 * DEAD_MS
    pulse = await store.beat("c", later)
    assert (pulse.servers, pulse.outages) == ({"c"}, ((1000 + DEAD_MS, later),))
    assert (await store.beat("c", later + 10)).outages == pulse.outages


def _submit(name, room, start, results, count):
    """Append to one version from *count* threads, each with an event loop of its own; put how often it was taken."""
    store = None if name.startswith("redis") else open_store(name)
    taken = []

    async def submit():
        own = store or open_store(name)
        try:
            await own.append(room, 1, [said(2)])
            taken.append(1)
        except StaleVersion:
            taken.append(0)
        finally:
            if own is not store:
                await own.close()

    start.wait()
    for at in range(0, count, 50):
        threads = [threading.Thread(target=asyncio.run, args=(submit(),)) for _ in range(at, min(at + 50, count))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if store:
        asyncio.run(store.close())
    results.put((sum(taken), len(taken)))


@pytest.mark.slow
async def test_of_a_thousand_writers_one_wins(store, store_name):
    room = await filled(store, 1)
    # A client of a cluster takes long to connect.
    writers = WRITERS // 10 if "cluster" in store_name else WRITERS
    if store_name == "memory":
        outcomes = await asyncio.to_thread(_race_threads, store, room)
    else:
        outcomes = await asyncio.to_thread(_race_processes, store_name, room, writers)
    assert sum(asked for _, asked in outcomes) == writers
    assert sum(won for won, _ in outcomes) == 1
    assert len(await store.read(room)) == 2


def _race_threads(store, room):
    outcomes = []

    async def submit():
        try:
            await store.append(room, 1, [said(2)])
            outcomes.append((1, 1))
        except StaleVersion:
            outcomes.append((0, 1))

    threads = [threading.Thread(target=asyncio.run, args=(submit(),)) for _ in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def _race_processes(name, room, writers, processes=4):
    context = multiprocessing.get_context("spawn")
    start, results = context.Barrier(processes), context.Queue()
    arguments = (name, room, start, results, writers // processes)
    workers = [context.Process(target=_submit, args=arguments) for _ in range(processes)]
    for worker in workers:
        worker.start()
    outcomes = [results.get(timeout=120) for _ in workers]
    for worker in workers:
        worker.join()
    return outcomes


def write_until_killed(name, room, acknowledged):
    """Append without end, and write down what was acknowledged."""

    async def write():
        store = open_store(name)
        version = len(await store.read(room))
        while True:
            version = await store.append(room, version, [said(version)])
            os.write(acknowledged, f"{version}\n".encode())

    asyncio.run(write())


def kill_a_writer(name, room, after):
    """Let a process write, kill it once *after* entries are acknowledged, and return the last that was."""
    reading, writing = os.pipe()
    process = multiprocessing.get_context("fork").Process(target=write_until_killed, args=(name, room, writing))
    process.start()
    os.close(writing)
    with os.fdopen(reading, "rb") as acknowledged:
        for _ in range(after):
            acknowledged.readline()
        process.kill()
        rest = acknowledged.read().split(b"\n")
    process.join()
    return after, max([int(line) for line in rest[:-1]], default=0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a forked process")
async def test_what_was_acknowledged_survives_the_death_of_the_writer(store, store_name):
    if store_name == "memory":
        pytest.skip("memory dies with its process")
    room = await filled(store, 1)
    for after in (1, 5, 17):
        before = len(await store.read(room))
        count, last = await asyncio.to_thread(kill_a_writer, store_name, room, after)
        assert len(await store.read(room)) >= max(last, before + count)


# SQLite alone


async def test_full_disk_is_an_error_and_changes_nothing(tmp_path, monkeypatch):
    store = open_store(f"sqlite:{tmp_path / 'rooms.sqlite'}")
    room = await filled(store, 3)
    pages = await store._ask(lambda connection: connection.execute("PRAGMA page_count").fetchone()[0])
    await store._ask(lambda connection: connection.execute(f"PRAGMA max_page_count = {pages}").fetchall())
    with pytest.raises(StoreError, match="room on the disk"):
        await store.append(room, 3, [said(3, "x" * 100_000)])
    assert len(await store.read(room)) == 3
    await store._ask(lambda connection: connection.execute("PRAGMA max_page_count = 1000000").fetchall())
    assert await store.append(room, 3, [said(3, "x" * 100_000)]) == 4
    await store.close()


async def test_one_that_fails_lets_the_others_of_its_transaction_be(tmp_path):
    store = open_store(f"sqlite:{tmp_path / 'rooms.sqlite'}")
    rooms = [await filled(store, 1) for _ in range(20)]
    asked = [store.append(room, number % 2, [said(2)]) for number, room in enumerate(rooms)]
    results = await asyncio.gather(*asked, return_exceptions=True)
    assert [result == 2 for result in results] == [False, True] * 10
    assert {type(result) for result in results[::2]} == {StaleVersion}
    await store.close()


@pytest.mark.parametrize("damage", ["folder", "text", "version"])
def test_file_that_is_none_is_told_so(tmp_path, damage):
    path = tmp_path / "rooms.sqlite"
    if damage == "folder":
        path.mkdir()
    elif damage == "text":
        path.write_text("hello " * 1000)
    else:
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA user_version = 99")
        connection.close()
    with pytest.raises(StoreError, match=r"rooms\.sqlite"):
        open_store(f"sqlite:{path}")


async def test_closed_store_says_so(tmp_path):
    store = open_store(f"sqlite:{tmp_path / 'rooms.sqlite'}")
    await store.close()
    await store.close()
    with pytest.raises(StoreError, match="closed"):
        await store.read("x")


async def test_file_waits_for_the_disk(tmp_path):
    store = open_store(f"sqlite:{tmp_path / 'rooms.sqlite'}")
    modes = [
        await store._ask(lambda connection, name=name: connection.execute(f"PRAGMA {name}").fetchone()[0])
        for name in ("journal_mode", "synchronous")
    ]
    assert modes == ["wal", 2]
    await store.close()


# Redis alone


@needs_redis
async def test_redis_gone_and_back_loses_nothing(tmp_path, monkeypatch):
    from yourtrumps.online.stores import redis as redis_store

    monkeypatch.setattr(redis_store, "_PATIENCE", 0.3)
    server = RedisServer(tmp_path)
    store = open_store(server.url)
    room = await filled(store, 3)
    versions = store.watch(room)
    assert await anext(versions) == 3
    await asyncio.to_thread(server.kill)
    with pytest.raises(StoreError, match="Redis"):
        await store.append(room, 3, [said(3)])
    await asyncio.to_thread(server.start)
    assert len(await store.read(room)) == 3
    assert await store.append(room, 3, [said(3)]) == 4
    assert await anext(versions) == 4
    await versions.aclose()
    await store.close()
    server.stop()


@needs_redis
async def test_entry_whose_answer_was_lost_is_known_again(redis_server, monkeypatch):
    redis_server.ask("FLUSHALL")
    store = open_store(redis_server.url)
    room = await filled(store, 1)
    xadd, calls = store._client.xadd, []

    async def lose_first_answer(*arguments, **options):
        answer = await xadd(*arguments, **options)
        calls.append(answer)
        if len(calls) == 1:
            raise ConnectionResetError("lost")
        return answer

    monkeypatch.setattr(store._client, "xadd", lose_first_answer)
    assert await store.append(room, 1, [said(2)]) == 2
    assert await store.read(room, 1) == [(said(2),)]
    await store.close()


@needs_redis
async def test_log_with_a_gap_is_refused(redis_server):
    store = open_store(redis_server.url)
    room = await filled(store, 2)
    await store._client.xdel(f"yourtrumps:log:{{{room}}}", "1-0")
    with pytest.raises(StoreError, match="gaps"):
        await store.read(room)
    await store.close()


@pytest.mark.parametrize("name", ["mongodb://x", "", "redis://host:port/x", "sqlit"])
def test_unknown_store_is_refused(name):
    with pytest.raises(OptionError, match="store"):
        open_store(name)


def test_default_store_is_a_file_in_the_data_folder():
    from yourtrumps.paths import data_folder

    store = open_store()
    assert store.path == data_folder() / "rooms.sqlite"
    asyncio.run(store.close())
