"""A real Chromium through Playwright, kept on loopback, and a witness of what its pages complain about."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Page, Request, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Nothing but loopback has an address, so that a page which needs the internet fails the same way everywhere.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1",
)
VIEWPORTS = {"wide": (1280, 800), "tablet": (768, 1024), "phone": (360, 740)}


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the system's Chromium, or Playwright's own where the system has none."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    sandbox = hasattr(os, "geteuid") and os.geteuid() != 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS), chromium_sandbox=sandbox)
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Witness:
    """Gathers what must not happen while a page is open: script errors, console errors, requests past loopback.

    A test that provokes an error on purpose adds the words it expects to ``allowed``.
    """

    complaints: list[str] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        """Listen to *page* from now on."""
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.complaints.append(f"script error: {error}"))
        page.on("request", self._on_request)

    def unexpected(self) -> list[str]:
        """Return the complaints that no test has allowed."""
        return [one for one in self.complaints if not any(words in one for words in self.allowed)]

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(f"console error: {message.text} ({message.location.get('url', '')})")

    def _on_request(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme in {"http", "https", "ws", "wss"} and address.hostname not in LOOPBACK:
            self.complaints.append(f"request past loopback: {request.url}")
