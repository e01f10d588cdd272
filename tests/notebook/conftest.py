"""The tests of this folder run notebooks: in a bare kernel, or in a real JupyterLab."""

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.serving import ROOT, Server, free_port, serving


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what lies in this folder, and what of it opens pages, so that a run can leave it out."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("notebook")
            if "page" in getattr(item, "fixturenames", ()):
                item.add_marker("browser")


@pytest.fixture(scope="session")
def jupyter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A JupyterLab of its own: no token, no settings of the user's, the notebooks copied."""
    home = tmp_path_factory.mktemp("jupyter")
    shutil.copytree(ROOT / "notebooks", home / "notebooks")
    lab = home / "jupyter" / "config" / "labconfig"
    lab.mkdir(parents=True)
    # The announcements ask the internet for news, and then the user whether they may.
    disabled = {"@jupyterlab/apputils-extension:announcements": True}
    (lab / "page_config.json").write_text(json.dumps({"disabledExtensions": disabled}))
    port = free_port()
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"]
    command += ["--ServerApp.port_retries=0", "--IdentityProvider.token=", "--ServerApp.password="]
    command += [f"--ServerApp.root_dir={home / 'notebooks'}"]
    with serving(command, f"http://127.0.0.1:{port}", home, ready="/api/status", within=120) as server:
        yield server


@pytest.fixture
def open_notebook(page: Page, jupyter: Server) -> Callable[[str], Page]:
    """A function that opens a notebook in JupyterLab and runs all its cells."""

    def open_and_run(name: str) -> Page:
        page.goto(f"{jupyter.url}/lab/workspaces/{Path(name).stem}/tree/{name}?reset")
        notebook = page.locator(".jp-Notebook")
        expect(notebook).to_be_visible(timeout=60_000)
        # Run before the kernel has been started, the menu would ask which one to start.
        expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle", timeout=60_000)
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        return page

    return open_and_run
