"""A pytest plugin: a real server, a real Chromium, and pages in it.

``page`` is one visitor's page, ``new_page()`` opens one for a further visitor, ``table`` is the card table on ``page``,
``server`` the server behind it. A page that complains fails its test; see :class:`tests.support.chromium.Witness`.
"""

import re
import sys
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.chromium import VIEWPORTS, Witness, chromium
from tests.support.serving import ROOT, Server, free_port, serving
from tests.support.table import TablePage

PATIENCE = 15_000
"""Milliseconds that an expectation waits; a busy machine is slow, a broken page is for ever."""

_reports = pytest.StashKey[dict[str, pytest.TestReport]]()


def pytest_configure() -> None:
    """Be as patient in expectations as in actions."""
    expect.set_options(timeout=PATIENCE)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Keep each phase's report on the test, for fixtures that ask whether it failed."""
    report = yield
    item.stash.setdefault(_reports, {})[report.when] = report
    return report


@pytest.fixture
def has_failed(request: pytest.FixtureRequest) -> Callable[[], bool]:
    """A function that tells, in a fixture's teardown, whether the test has failed."""

    def ask() -> bool:
        report = request.node.stash.get(_reports, {}).get("call")
        return report is not None and report.failed

    return ask


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for the whole run."""
    with chromium() as started:
        yield started


@pytest.fixture
def viewport() -> tuple[int, int]:
    """Width and height; a test parametrises ``viewport`` to see others."""
    return VIEWPORTS["wide"]


@pytest.fixture
def color_scheme() -> str:
    """What the system prefers, ``light`` or ``dark``."""
    return "light"


@pytest.fixture
def reduced_motion() -> str:
    """``reduce`` shows moves at once, ``no-preference`` animates them."""
    return "reduce"


@pytest.fixture
def witness() -> Witness:
    """What the page complained about; a test of errors says there which it allows."""
    return Witness()


@pytest.fixture
def new_page(
    browser: Browser,
    viewport: tuple[int, int],
    color_scheme: str,
    reduced_motion: str,
    witness: Witness,
    has_failed: Callable[[], bool],
    request: pytest.FixtureRequest,
) -> Iterator[Callable[[], Page]]:
    """A function that opens a page for a visitor of its own: no cookies or storage shared."""
    pages: list[Page] = []
    width, height = viewport

    def open_page() -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=color_scheme,
            reduced_motion=reduced_motion,
            has_touch=width < 600,
            permissions=["clipboard-read", "clipboard-write"],
            locale="en-GB",
        )
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        witness.watch(page)
        pages.append(page)
        return page

    yield open_page
    name = re.sub(r"\W+", "-", request.node.nodeid.removeprefix("tests/")).strip("-")
    for number, page in enumerate(pages):
        if has_failed() and not page.is_closed():
            page.screenshot(path=ROOT / "screenshots" / f"{name}-{number}.png")
        page.context.close()
    if witness.unexpected():
        pytest.fail("\n".join(witness.unexpected()), pytrace=False)


@pytest.fixture
def page(new_page: Callable[[], Page]) -> Page:
    """One page of one visitor."""
    return new_page()


@pytest.fixture(scope="session")
def running_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the whole run, with user data of its own."""
    port = free_port()
    command = [sys.executable, "-m", "yourtrumps", "serve", "--port", str(port), "--no-browser"]
    with serving(command, f"http://localhost:{port}", tmp_path_factory.mktemp("server"), ready="/play") as running:
        yield running


@pytest.fixture
def server(running_server: Server) -> Iterator[Server]:
    """The server, whose log must stay free of errors while the test runs."""
    before = running_server.log_size
    yield running_server
    if running_server.trouble(before):
        pytest.fail(f"the server wrote an error:\n{running_server.trouble(before)}", pytrace=False)


@pytest.fixture
def table(page: Page, server: Server) -> TablePage:
    """The table page of one visitor, not yet opened."""
    return TablePage(page, server.url)
