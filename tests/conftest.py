"""What every test shares: the browser's fixtures, the order of the run, and data of its own."""

import pytest

pytest_plugins = ["tests.support.browsing", "tests.support.terminal"]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run quick tests first and those in a browser last.

    Playwright's synchronous interface leaves an event loop running in the main thread, where no asynchronous test
    could start one.
    """
    items.sort(
        key=lambda item: 2 * bool(item.get_closest_marker("browser")) + bool(item.get_closest_marker("notebook"))
    )


@pytest.fixture(autouse=True)
def own_data(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every test a data folder of its own, so that nobody's saved games are touched."""
    monkeypatch.setenv("YOURTRUMPS_DATA", str(tmp_path_factory.getbasetemp() / "data"))
