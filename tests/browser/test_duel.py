"""Whole duels against the computer, as people play them: by mouse, by keyboard, by finger."""

import pytest
from playwright.sync_api import expect

from tests.support.chromium import VIEWPORTS

# The duel ends after at most so many moves of the player; random play of 36 cards may take longer than a test should.
MOST = 400
SMALL = "6 SH 6S7S9CTC/8HTDADJD QCKC 0 beat"
LAST = "6 SH 9STC/8HTDAD QCKC 0 beat"


def link(code):
    return f"/play?code={code.replace(' ', '%20')}"


def set_up(table, level="Beginner", speed="Instant", pack="24 cards, from 9"):
    """Open the table, choose an easy and quick opponent, and start a game by these settings."""
    table.open()
    page = table.page
    page.get_by_text("Settings", exact=True).first.click()
    page.get_by_label("Computer's level").select_option(level)
    page.get_by_label("Speed of the computer's moves").select_option(speed)
    page.get_by_label("Pack of the next game").select_option(pack)
    page.get_by_text("Settings", exact=True).first.click()
    page.locator('[data-trump="S"]').first.click()
    expect(table.root).to_be_visible()


def play_to_the_end(table, act):
    """Let *act* make each of the player's moves until there is a result."""
    for _ in range(MOST):
        table.wait_for("turn")
        if table.result:
            return
        table.move(act)
    pytest.fail(f"no result after {MOST} moves")


def test_whole_duel_by_clicking(table):
    set_up(table)
    play_to_the_end(
        table, lambda: (table.playable.first if table.playable.count() else table.action("up")).click(delay=10)
    )
    titles = {"seat0": "You win", "seat1": "You lose", "draw": "A draw"}
    expect(table.page.locator(".end strong")).to_have_text(titles[table.result])


def tab_to(page, selector):
    """Press Tab until what matches *selector* has the focus."""
    for _ in range(60):
        if page.locator(f"{selector}:focus").count():
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab does not reach {selector}")


def test_whole_duel_by_keyboard_alone(table):
    # From the first page on: the settings, the trump suit, and every card.
    table.open()
    page, keys = table.page, table.page.keyboard
    expect(page.locator("[data-trump]").first).to_be_visible()
    keys.press("Tab")
    expect(page.get_by_role("button", name="Settings")).to_be_focused()
    keys.press("Enter")
    expect(page.get_by_label("Computer's level")).to_be_visible()
    for letters in ("Beg", "", "", "24", "Ins"):
        # The level, the rules, the number of players, the pack, the speed, in this order.
        keys.press("Tab")
        if letters:
            keys.type(letters)
    expect(page.get_by_label("Computer's level").locator("option:checked")).to_have_text("Beginner")
    expect(page.get_by_label("Pack of the next game").locator("option:checked")).to_contain_text("24 cards")
    expect(page.get_by_label("Speed of the computer's moves").locator("option:checked")).to_have_text("Instant")
    tab_to(page, '[data-trump="S"]')
    keys.press("Enter")
    expect(table.root).to_be_visible()

    def act():
        if not table.playable.count():
            keys.press("u")
            return
        keys.press("Home")
        for _ in range(40):
            focused = page.locator("button[data-card]:focus")
            if focused.count() and focused.get_attribute("aria-disabled") == "false":
                keys.press("Enter")
                return
            keys.press("ArrowRight")
        pytest.fail("the arrows do not reach a playable card")

    play_to_the_end(table, act)
    expect(page.locator(".end strong")).not_to_be_empty()


@pytest.mark.parametrize("viewport", [VIEWPORTS["phone"]], ids=["phone"])
def test_whole_duel_by_tapping_on_a_phone(table):
    set_up(table)
    play_to_the_end(table, lambda: (table.playable.first if table.playable.count() else table.action("up")).tap())
    assert table.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("viewport", [VIEWPORTS["phone"]], ids=["phone"])
def test_every_one_of_36_cards_can_be_hit_on_a_phone(table):
    hand = "".join(rank + suit for suit in "CDHS" for rank in "6789TJQKA").replace("AH", "").replace("AS", "")
    table.open(link(f"6 SH {hand}/AH AS 0 beat party"))
    cards = table.root.locator("button[data-card]")
    expect(cards).to_have_count(34)
    for box in [cards.nth(number).bounding_box() for number in range(34)]:
        assert box["width"] >= 24
        assert box["height"] >= 24
        assert box["x"] + box["width"] <= 360


def test_save_reload_and_go_on(table, tmp_path):
    set_up(table, pack="36 cards, from 6")
    table.wait_for("turn")
    table.move(table.playable.first.click)
    table.wait_for("turn")
    with table.page.expect_download() as download:
        table.action("save").click()
    saved = tmp_path / "game.txt"
    download.value.save_as(saved)
    version = table.version
    hand = table.root.locator("button[data-card]").all_inner_texts()
    table.page.reload()
    table.wait_for("turn")
    assert table.version == version
    assert table.root.locator("button[data-card]").all_inner_texts() == hand
    table.move((table.playable.first if table.playable.count() else table.action("up")).click)
    table.page.locator('input[type="file"]').set_input_files(saved)
    expect(table.root).to_have_attribute("data-version", str(version))


def test_double_click_plays_one_card(table):
    table.open(link(SMALL))
    table.playable.first.dblclick()
    expect(table.root).to_have_attribute("data-phase", "add")
    expect(table.root).to_have_attribute("data-version", "1")


def test_card_is_dragged_onto_the_pile(table):
    table.open(link(SMALL))
    table.move(lambda: table.card("6S").drag_to(table.page.locator(".felt")))
    assert table.pile.last.get_attribute("data-card") == "6S"


def test_card_that_does_not_beat_says_why_and_stays(table):
    table.open(link(SMALL))
    card = table.card("9C")
    card.hover()
    expect(table.page.locator(".why")).to_have_text("does not beat the K♣")
    card.click(force=True)
    expect(table.root).to_have_attribute("data-version", "0")


def test_undo_hint_end_review_and_rematch(table):
    table.open(link(LAST))
    table.move(table.card("9S").click)
    table.move(table.action("undo").click)
    assert table.version == 0
    table.action("hint").click()
    expect(table.page.locator(".note.hint")).to_contain_text("Play the 9♠")
    table.move(table.card("9S").click)
    table.move(table.card("TC").click)
    expect(table.root).to_have_attribute("data-result", "seat0")
    table.action("review").click()
    expect(table.root).to_have_attribute("data-version", "0")
    table.page.locator('[data-action="last"]').click()
    expect(table.root).to_have_attribute("data-result", "seat0")
    table.action("rematch").click()
    expect(table.page.locator("[data-trump]").first).to_be_visible()


def test_resigning_asks_first(table):
    table.open(link(SMALL))
    table.action("resign").click()
    table.action("resign-no").click()
    expect(table.root).to_have_attribute("data-result", "")
    table.action("resign").click()
    table.action("resign-yes").click()
    expect(table.root).to_have_attribute("data-result", "seat1")


def test_link_opens_the_same_position(table, new_page):
    set_up(table, pack="36 cards, from 6")
    table.wait_for("turn")
    table.action("link").click()
    expect(table.page.locator(".note")).to_contain_text("copied")
    address = table.page.locator("[data-link]").first.get_attribute("data-link")
    hand = table.root.locator("button[data-card]").all_inner_texts()
    other = new_page()
    other.goto(address)
    expect(other.locator("button[data-card]").first).to_be_visible()
    assert other.locator("button[data-card]").all_inner_texts() == hand


def test_bad_code_says_so_and_leaves_a_table(table):
    table.open(link("6 SH 6S/6S - 0 lead"), trump="S")
    expect(table.page.get_by_text("each card once")).to_be_visible()


@pytest.mark.parametrize(
    "card",
    ['"AH"', '"9C"', '"up"', "null", "7", "[]", '"' + "x" * 100_000 + '"'],
    ids=["of-the-other", "no-answer", "up", "nothing", "number", "list", "huge"],
)
def test_message_that_is_not_allowed_leaves_the_game_as_it_was(table, card):
    # Changes what the page sends on its way to the socket, as somebody with the browser's tools could.
    table.page.add_init_script(
        """
        const send = WebSocket.prototype.send
        WebSocket.prototype.send = function (data) {
          const forged = typeof data === "string" && window.forged ? data.replaceAll('"6S"', window.forged) : data
          if (forged !== data) window.sent = true
          return send.call(this, forged)
        }
        """
    )
    table.open(link(SMALL))
    table.page.evaluate("card => { window.forged = card }", card)
    table.card("6S").click()
    expect(table.page.locator(".note.refused")).not_to_be_empty()
    assert table.page.evaluate("window.sent")
    assert table.version == 0
    table.page.evaluate("window.forged = ''")
    table.move(table.card("6S").click)
    assert table.pile.last.get_attribute("data-card") == "6S"


def test_three_play_a_party(table):
    table.open()
    page = table.page
    page.get_by_text("Settings", exact=True).first.click()
    page.get_by_label("Rules of the next game").select_option("Party")
    page.get_by_label("Players of the next party").select_option("3")
    page.get_by_label("Speed of the computer's moves").select_option("Instant")
    page.locator('[data-trump="S"]').first.click()
    table.action("new-game").click()
    page.locator('[data-trump="S"]').first.click()
    expect(table.root.locator("[data-hidden-count]")).to_have_count(2)
    table.wait_for("turn")
    table.move((table.playable.first if table.playable.count() else table.action("up")).click)


def test_reload_of_a_linked_position_goes_on(table):
    table.open(link(SMALL))
    hand = table.root.locator("button[data-card]")
    expect(hand).to_have_count(4)
    table.page.reload()
    expect(hand).to_have_count(4)
    table.move(table.card("6S").click)
    expect(table.root).to_have_attribute("data-phase", "add")
    table.page.wait_for_function("!location.search.includes('code')")
    # The table is kept a moment after the move, so ask until the reloaded page shows it.
    for _ in range(20):
        table.page.reload()
        expect(hand.first).to_be_visible()
        if table.version:
            break
    assert (table.version, hand.count()) == (1, 3)
