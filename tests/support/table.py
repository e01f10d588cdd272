"""The card table as a browser test sees it, through the attributes that DESIGN promises."""

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect


class TablePage:
    """A page with a card table on it: what it shows, and what a player can do there."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url

    def open(self, path: str = "/play", trump: str | None = None) -> "TablePage":
        """Go to *path* and, if *trump* is given, choose it, which deals the cards."""
        self.page.goto(self.url + path)
        if trump:
            self.page.locator(f'[data-trump="{trump}"]').first.click()
            expect(self.root).to_be_visible()
        return self

    @property
    def root(self) -> Locator:
        """The table's root, once there is a game on it."""
        return self.page.locator("[data-version]").first

    @property
    def playable(self) -> Locator:
        """The cards of the viewer's hand that may be laid now."""
        return self.root.locator('button[data-card]:not([aria-disabled="true"])')

    @property
    def pile(self) -> Locator:
        """The pile's cards, bottom to top."""
        return self.root.locator("[data-pile]")

    def card(self, code: str) -> Locator:
        """Return the button of a card in the viewer's hand."""
        return self.root.locator(f'button[data-card="{code}"]')

    def action(self, name: str) -> Locator:
        """Return the button of an action, such as ``up`` or ``undo``."""
        return self.page.locator(f'[data-action="{name}"]').first

    @property
    def version(self) -> int:
        """How many moves the table shows."""
        return int(self.root.get_attribute("data-version") or 0)

    @property
    def result(self) -> str:
        """The result, empty while play goes on."""
        return self.root.get_attribute("data-result") or ""

    def wait_for(self, ready: str, seat: int = 0) -> None:
        """Wait until ``turn`` (*seat* is to move or the game is over) or ``end`` is so."""
        condition = {
            "turn": f'[data-to-move="{seat}"], [data-result]:not([data-result=""])',
            "end": '[data-result]:not([data-result=""])',
        }[ready]
        self.page.locator(condition).first.wait_for()

    def move(self, act: Callable[[], None]) -> None:
        """Do *act*, which makes a move, and wait until the table shows a later version."""
        before = self.version
        act()
        expect(self.root).not_to_have_attribute("data-version", str(before))
