import pytest

from tests.support.redis_server import BINARY, RedisServer
from yourtrumps.online.stores import open_store

needs_redis = pytest.mark.skipif(BINARY is None, reason="no redis-server on this machine")


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory):
    server = RedisServer(tmp_path_factory.mktemp("redis"))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def redis_cluster(tmp_path_factory):
    server = RedisServer(tmp_path_factory.mktemp("cluster"), cluster=True)
    yield server
    server.stop()


@pytest.fixture(
    params=[
        "memory",
        "sqlite",
        pytest.param("redis", marks=needs_redis),
        pytest.param("cluster", marks=needs_redis),
    ]
)
def store_name(request, tmp_path):
    """The name of an empty store, as ``--store`` takes it."""
    if request.param == "memory":
        return "memory"
    if request.param == "sqlite":
        return f"sqlite:{tmp_path / 'rooms.sqlite'}"
    server = request.getfixturevalue("redis_server" if request.param == "redis" else "redis_cluster")
    server.ask("FLUSHALL")
    return server.url


@pytest.fixture
async def store(store_name):
    store = open_store(store_name)
    yield store
    await store.close()
