"""What a player meets at the table beside the cards: keys, review, dialogs, files, bad links, two visitors."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.chromium import VIEWPORTS

SMALL = "6 SH 6S7S9CTC/8HTDADJD QCKC 0 beat"
LAST = "6 SH 9STC/8HTDAD QCKC 0 beat"


def link(code):
    return f"/play?code={code.replace(' ', '%20')}"


def finish(table):
    """Play the last two cards of the position LAST, which wins."""
    table.open(link(LAST))
    table.move(table.card("9S").click)
    table.move(table.card("TC").click)
    table.wait_for("end")


def test_trump_is_chosen_and_a_card_played_by_keyboard_alone(table):
    table.open()
    keys = table.page.keyboard
    suit = table.page.locator('[data-trump="D"]')
    expect(suit).to_be_visible()
    for _ in range(20):
        keys.press("Tab")
        if suit.evaluate("node => node.getRootNode().activeElement === node"):
            break
    keys.press("Enter")
    table.wait_for("turn")
    if table.playable.count():
        keys.press("Home")
        while table.page.locator("button[data-card]:focus").get_attribute("aria-disabled") == "true":
            keys.press("ArrowRight")
        table.move(lambda: keys.press("Enter"))
    else:
        table.move(lambda: keys.press("u"))


def test_focus_stays_in_the_hand_when_its_card_is_played(table):
    table.open(link(SMALL))
    table.card("6S").focus()
    table.move(lambda: table.page.keyboard.press("Enter"))
    focused = table.page.locator("button[data-card]:focus")
    expect(focused).to_have_count(1)
    table.move(lambda: table.page.keyboard.press("Enter"))
    assert table.version >= 2


def test_keys_undo_hint_and_pick_up(table):
    table.open(link(SMALL))
    table.wait_for("turn")
    keys = table.page.keyboard
    keys.press("h")
    expect(table.page.locator(".note.hint")).to_contain_text(re.compile(r"^(Play the|Pick up).+\.$"))
    expect(table.page.locator(".hinted")).to_have_count(1)
    table.move(table.card("6S").click)
    table.move(lambda: keys.press("z"))
    expect(table.root).to_have_attribute("data-version", "0")


def test_key_picks_up_where_nothing_beats(table):
    table.open(link("6 SH 9CTC/8HTDADJD QCKC 0 beat"))
    table.wait_for("turn")
    table.move(lambda: table.page.keyboard.press("u"))
    table.wait_for("turn")
    expect(table.card("KC")).to_be_visible()


def test_keys_are_shown_and_no_card_is_played_behind_them(table):
    table.open(link(SMALL))
    table.wait_for("turn")
    keys = table.page.keyboard
    keys.press("?")
    dialog = table.page.locator("dialog.help")
    expect(dialog).to_be_visible()
    keys.press("u")
    keys.press("Escape")
    expect(dialog).to_be_hidden()
    expect(table.root).to_have_attribute("data-version", "0")


def test_escape_does_not_resign(table):
    table.open(link(SMALL))
    table.action("resign").click()
    expect(table.page.locator("dialog.sure")).to_be_visible()
    table.page.keyboard.press("Escape")
    expect(table.page.locator("dialog.sure")).to_be_hidden()
    expect(table.root).to_have_attribute("data-result", "")
    table.move(table.card("6S").click)


def test_ended_game_is_stepped_through(table):
    finish(table)
    last = table.version
    table.action("back").click()
    expect(table.root).to_have_attribute("data-version", str(last - 1))
    expect(table.page.locator(".ask")).to_contain_text("Looking back")
    assert table.playable.count() == 0
    table.action("first").click()
    expect(table.root).to_have_attribute("data-version", "0")
    expect(table.pile).to_have_count(2)
    table.action("forward").click()
    expect(table.root).to_have_attribute("data-version", "1")
    table.action("last").click()
    expect(table.root).to_have_attribute("data-result", "seat0")
    table.page.locator(".turn-button").first.click()
    expect(table.root).to_have_attribute("data-version", "2")


def test_undo_of_an_ended_game_takes_the_point_back(table):
    finish(table)
    score = table.page.locator(".mine .score")
    expect(score).to_have_text("1")
    table.move(table.action("undo").click)
    expect(table.root).to_have_attribute("data-result", "")
    expect(score).to_have_text("0")
    table.move(table.action("redo").click)
    expect(table.root).to_have_attribute("data-result", "seat0")
    expect(score).to_have_text("1")


def test_rematch_keeps_the_score_and_the_winner_leads(table):
    finish(table)
    table.action("rematch").click()
    table.page.locator('[data-trump="C"]').first.click()
    expect(table.root).to_have_attribute("data-to-move", "0")
    expect(table.root).to_have_attribute("data-phase", "lead")
    expect(table.page.locator(".mine .score")).to_have_text("1")
    table.move(table.playable.first.click)


@pytest.mark.parametrize(
    "code", ["bad", "<img src=x onerror=alert(1)>", "6 SH 6S/7S - 9 lead", "%FF", "x" * 1500], ids=lambda code: code[:6]
)
def test_bad_code_says_so_as_text_and_leaves_a_table(table, code):
    table.open(link(code).replace("<", "%3C").replace(">", "%3E"), trump="S")
    expect(table.page.locator(".alert")).to_contain_text("cannot be read")
    expect(table.page.locator("img")).to_have_count(0)
    table.wait_for("turn")
    table.move((table.playable.first if table.playable.count() else table.action("up")).click)


def test_wrong_file_is_refused_and_the_game_goes_on(table, tmp_path):
    table.open(link(SMALL))
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("no game")
    table.page.locator('input[type="file"]').set_input_files(wrong)
    expect(table.page.locator(".note.refused")).to_contain_text("cannot be opened")
    table.move(table.card("6S").click)


def test_saved_game_is_opened_by_another_visitor(table, new_page, tmp_path):
    table.open(trump="S")
    table.wait_for("turn")
    with table.page.expect_download() as download:
        table.action("save").click()
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    hand = table.root.locator("button[data-card]").all_inner_texts()
    other = new_page()
    other.goto(f"{table.url}/play")
    expect(other.locator("[data-trump]").first).to_be_visible()
    other.locator('input[type="file"]').set_input_files(saved)
    expect(other.locator("button[data-card]").first).to_be_visible()
    assert other.locator("button[data-card]").all_inner_texts() == hand


def test_two_visitors_have_tables_of_their_own(table, new_page):
    table.open(link(SMALL))
    other = new_page()
    other.goto(table.url + link(SMALL))
    expect(other.locator("[data-version]").first).to_have_attribute("data-version", "0")
    table.move(table.card("6S").click)
    expect(other.locator("[data-version]").first).to_have_attribute("data-version", "0")


def test_settings_outlive_a_reload(table):
    table.open(link(SMALL))
    page = table.page
    page.get_by_text("Settings", exact=True).first.click()
    page.get_by_label("Colours of the page").select_option("Dark")
    page.get_by_role("checkbox", name="Four colours for the suits").check()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    table.move(table.card("6S").click)
    # The table is kept soon after the move, not with it, so the first reload may come too early.
    for _ in range(10):
        page.goto(f"{table.url}/play")
        table.wait_for("turn")
        if table.version == 1:
            break
    expect(table.root).to_have_attribute("data-version", "1")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_text("Settings", exact=True).first.click()
    expect(page.get_by_role("checkbox", name="Four colours for the suits")).to_be_checked()
    expect(page.get_by_role("checkbox", name="Sound")).not_to_be_checked()


def test_card_dropped_beside_the_pile_stays_in_the_hand(table):
    table.open(link(SMALL))
    table.card("6S").drag_to(table.page.locator(".mine"))
    expect(table.root).to_have_attribute("data-version", "0")
    expect(table.card("6S")).to_be_visible()
    expect(table.page.locator(".flying")).to_have_count(0)


@pytest.mark.parametrize("reduced_motion", ["no-preference"])
def test_cards_that_fly_can_be_played_on_at_once(table):
    table.open(link(SMALL))
    table.move(table.card("6S").click)
    table.move(table.card("9C").click)
    table.wait_for("turn")
    expect(table.page.locator(".flights > *")).to_have_count(0)
    assert table.version >= 3


@pytest.mark.parametrize("viewport", [VIEWPORTS["phone"]], ids=["phone"])
@pytest.mark.parametrize("path", ["", "SMALL"], ids=["choice", "game"])
def test_phone_never_scrolls_sideways(table, path):
    table.open(link(SMALL) if path else "/play")
    page = table.page
    shown = table.root if path else page.locator("[data-trump]").first
    expect(shown).to_be_visible()
    page.get_by_text("Settings", exact=True).first.tap()
    expect(page.get_by_label("Computer's level")).to_be_visible()
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
