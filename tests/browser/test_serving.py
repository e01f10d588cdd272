"""Every page is served, by the command and by Panel's own server, and says what language it is in."""

import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.support.serving import ROOT, Server, free_port, serving

APPS = sorted((ROOT / "apps").glob("*.py"))


@pytest.fixture(scope="module")
def panel_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Panel's own server with every app, as the README shows it."""
    port = free_port()
    command = [sys.executable, "-m", "panel", "serve", *map(str, APPS), "--port", str(port)]
    with serving(
        command, f"http://localhost:{port}", tmp_path_factory.mktemp("panel"), ready=f"/{APPS[0].stem}"
    ) as running:
        yield running


@pytest.mark.smoke
@pytest.mark.parametrize("app", APPS, ids=lambda app: app.stem)
def test_page_is_served_and_names_its_language(page, server, app):
    page.goto(f"{server.url}/{app.stem}")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("html")).to_have_attribute("dir", "ltr")


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.stem)
def test_page_is_served_by_panel_serve(page, panel_server, app):
    page.goto(f"{panel_server.url}/{app.stem}")
    expect(page.locator("html")).to_have_attribute("dir", "ltr")


@pytest.mark.smoke
def test_table_can_be_played_on(table):
    table.open(trump="S")
    table.wait_for("turn")
    assert table.playable.count() > 0 or table.action("up").is_enabled()
