"""How the table feels: from a click to the repainted card, and from the address to the first card."""

import statistics

import pytest

pytest_plugins = ["tests.support.browsing"]

MOVES = 200
LOADS = 10

# Counts from the click to the frame after the one that shows the new version: what the eye sees.
CLICK_TO_PAINT = """
node => new Promise(resolve => {
  const root = node.getRootNode().querySelector("[data-version]")
  const before = root.dataset.version
  const start = performance.now()
  const observer = new MutationObserver(() => {
    if (root.dataset.version === before) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)))
  })
  observer.observe(root, { attributes: true })
  node.click()
})
"""


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def test_click_to_repainted_card(table):
    table.open()
    table.page.get_by_text("Settings", exact=True).first.click()
    table.page.get_by_label("Speed of the computer's moves").select_option("Fast")
    table.page.get_by_label("Computer's level").select_option("Beginner")
    table.page.locator('[data-trump="S"]').first.click()
    table.root.wait_for()
    times: list[float] = []
    while len(times) < MOVES:
        table.wait_for("turn")
        if table.result:
            table.action("new-game").click()
            table.page.locator('[data-trump="S"]').first.click()
            table.root.wait_for()
            continue
        target = table.playable.first if table.playable.count() else table.action("up")
        times.append(target.evaluate(CLICK_TO_PAINT))
    print(
        f"\nclick to repainted card over {len(times)} moves: median {statistics.median(times):.0f} ms, "
        f"p95 {percentile(times, 0.95):.0f} ms, worst {max(times):.0f} ms"
    )


def test_first_card_visible(new_page, server):
    times = []
    code = "6 SH 6S7S9C/8HTDAD QCKC 0 beat".replace(" ", "%20")
    for _ in range(LOADS):
        page = new_page()
        page.goto(f"{server.url}/play?code={code}", wait_until="commit")
        page.locator("button[data-card]").first.wait_for()
        times.append(page.evaluate("performance.now()"))
    print(
        f"\nfirst card visible over {LOADS} loads: median {statistics.median(times):.0f} ms, worst {max(times):.0f} ms"
    )


@pytest.fixture
def reduced_motion() -> str:
    """Animations on, as most people have them."""
    return "no-preference"
