"""The table inside a real JupyterLab: live, and offline."""

from playwright.sync_api import expect


def test_card_is_played_inline(open_notebook):
    page = open_notebook("01_play.ipynb")
    table = page.locator("[data-version]").first
    expect(table).to_be_visible(timeout=60_000)
    # A later cell of the notebook leads a card; what may be clicked changes until that has been answered.
    page.locator('[data-to-move="0"]:not([data-version="0"])').first.wait_for(timeout=60_000)
    before = table.get_attribute("data-version")
    card = page.locator('button[data-card][aria-disabled="false"]').first
    (card if card.count() else page.locator('[data-action="up"]').first).click()
    expect(table).not_to_have_attribute("data-version", before)
