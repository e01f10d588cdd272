"""RULES.md as tables: what may be played, what is picked up, who moves next, and how it ends."""

import pytest

from yourtrumps.core import (
    UP,
    IllegalMove,
    Outcome,
    Reason,
    format_move,
    format_position,
    parse_move,
    parse_position,
)


def legal(code):
    return " ".join(map(format_move, parse_position(code).legal_moves()))


def played(code, *moves):
    position = parse_position(code)
    for move in moves:
        position = position.after(parse_move(move))
    return position


@pytest.mark.parametrize(
    ("code", "moves"),
    [
        pytest.param("6 SH 6S7C9C/8HTD - 0 lead", "7C 9C 6S", id="lead-any"),
        pytest.param("6 SH 6S7C9C/8HTD 8CKC 1 beat", "8H", id="trump-beats-plain"),
        pytest.param("6 SH 6S7C9C/8HTD 8C 0 beat", "9C 6S", id="higher-of-suit-and-trump"),
        pytest.param("6 SH 6S9S9C/8HTD 8S 0 beat", "9S", id="own-trump-needs-higher-own-trump"),
        pytest.param("6 SH 6S9S9H/8HTD 7H 0 beat", "9H 6S 9S", id="trump-of-the-other-is-plain-to-the-mover"),
        pytest.param("6 SH 7C/8HTD AC 0 beat", "up", id="cannot-beat"),
        pytest.param("6 SH 7C9C/8HTD 8CJC 0 beat", "up", id="only-the-top-card-counts"),
        pytest.param("6 SH 7C6S/8HTD 8CAC 0 beat", "6S", id="must-beat-in-duel"),
        pytest.param("6 SH 7C6S/8HTD 8CAC 0 beat party", "6S up", id="may-decline-in-party"),
        pytest.param("6 SH 7C6S/8HTD 8CAC 0 beat duel+may_decline=yes", "6S up", id="may-decline-by-option"),
        pytest.param("6 SH 7C/8HTD AC 0 beat russian", "up", id="cannot-beat-in-russian"),
        pytest.param("6 SH 7C9D/8HTD 6CKC 0 add", "7C 9D", id="add-any"),
        pytest.param("6 SH -/8HTD 6CKC 1 beat", "", id="over"),
    ],
)
def test_legal_moves_are_those_of_the_rules(code, moves):
    assert legal(code) == moves


PILE = "6C7C8C9CTCJCQC"


@pytest.mark.parametrize(
    ("pile", "rules", "taken"),
    [
        pytest.param(PILE + "KD", "duel", 3, id="plain-top"),
        pytest.param(PILE + "AD", "duel", 3, id="plain-ace"),
        pytest.param("KD", "duel", 1, id="plain-top-of-one"),
        pytest.param("6CKD", "duel", 2, id="plain-top-of-two"),
        pytest.param(PILE + "AH", "duel", 3, id="ace-of-the-other's-trumps"),
        pytest.param(PILE + "KS", "duel", 5, id="own-trump"),
        pytest.param("6C7CKS", "duel", 3, id="own-trump-of-three"),
        pytest.param(PILE + "AS", "duel", 8, id="own-ace-all"),
        pytest.param("AS", "duel", 1, id="own-ace-alone"),
        pytest.param(PILE + "KD", "party", 3, id="plain-top-in-party"),
        pytest.param(PILE + "AS", "party", 8, id="own-ace-in-party"),
        pytest.param(PILE + "KD", "russian", 8, id="all-in-russian"),
        pytest.param(PILE + "KD", "cambridge", 8, id="all-in-cambridge"),
        pytest.param(PILE + "KD", "duel+pick_up=all", 8, id="all-by-option"),
        pytest.param(PILE + "KD", "russian+pick_up=3-5-all", 3, id="three-by-option"),
    ],
)
def test_pick_up_takes_as_many_as_the_top_card_says(pile, rules, taken):
    position = parse_position(f"6 SH 9D/8HTH {pile} 0 beat {rules}")
    after = position.after(UP)
    assert position.pick_up_count() == taken
    assert len(after.pile) == len(position.pile) - taken
    assert set(after.hands[0]) == {*position.hands[0], *position.pile[-taken:]}
    assert after.hands[1] == position.hands[1]


@pytest.mark.parametrize(
    ("code", "after"),
    [
        pytest.param("6 SH 9D/8HTH 6C7C8CKC 0 beat", "6 SH 9D7C8CKC/8HTH 6C 1 beat", id="next-must-beat-the-rest"),
        pytest.param("6 SH 9D/8HTH 6CKC 0 beat", "6 SH 6CKC9D/8HTH - 1 lead", id="next-leads-when-the-pile-is-gone"),
        pytest.param("6 SH 9D/8HTH 6CKC 0 beat russian", "6 SH 6CKC9D/8HTH - 1 lead russian", id="russian-next-leads"),
        pytest.param("6 SH 9D/8HTH 6CKC 0 beat cambridge", "6 SH 6CKC9D/8HTH - 0 lead cambridge", id="taker-leads"),
        pytest.param(
            "6 SH 9D/8HTH 6C7C8CKC 0 beat duel+after_pick_up=taker",
            "6 SH 7C8CKC9D/8HTH 6C 0 beat duel+after_pick_up=taker",
            id="taker-meets-the-rest",
        ),
        pytest.param("6 SHD 9D/-/7D 6CKC 0 beat party", "6 SHD 6CKC9D/-/7D - 2 lead party", id="skips-who-is-out"),
        pytest.param("6 SHD 8C/9C/7D 6CKC 2 beat party", "6 SHD 8C/9C/6C7DKC - 0 lead party", id="round-the-table"),
    ],
)
def test_pick_up_passes_the_turn(code, after):
    # Cards are named in any order in a code: compare positions, not texts.
    assert parse_position(code).after(UP) == parse_position(after)


@pytest.mark.parametrize(
    ("code", "moves", "after"),
    [
        pytest.param("6 SH 9D6S/8HTH - 0 lead", ["9D"], "6 SH 6S/8HTH 9D 1 beat", id="lead"),
        pytest.param("6 SH 9D6S7C/8HTH 6D 0 beat", ["9D"], "6 SH 6S7C/8HTH 6D9D 0 add", id="beat-then-add"),
        pytest.param("6 SH 9D6S7C/8HTH 6D 0 beat", ["9D", "7C"], "6 SH 6S/8HTH 6D9D7C 1 beat", id="add-passes"),
        pytest.param("6 SHD 8C/9C/7D 6C 0 beat party", ["8C"], "6 SHD -/9C/7D 6C8C 1 beat party", id="out-by-beating"),
        pytest.param("6 SHD 8C/-/7D6D 6C 2 beat party", ["6D", "7D"], "6 SHD 8C/-/- 6C6D7D 0 beat party", id="last"),
    ],
)
def test_cards_pass_the_turn(code, moves, after):
    assert played(code, *moves) == parse_position(after)


@pytest.mark.parametrize(
    ("code", "moves", "result", "reason"),
    [
        pytest.param("6 SH 9C/7H8H 8C 0 beat", ["9C"], "seat0", "empty hand", id="beats-with-the-last"),
        pytest.param("6 SH 9C/8H7C 8C 0 beat", ["9C"], "seat0", "empty hand", id="two-cards-left-answer-nothing"),
        pytest.param("6 SH 9C/8H 8C 0 beat", ["9C"], "draw", "last card answered", id="last-is-trumped"),
        pytest.param("6 SH 9C/JC 8C 0 beat", ["9C"], "draw", "last card answered", id="last-is-followed-higher"),
        pytest.param("6 SH 9C/7C 8C 0 beat", ["9C"], "seat0", "empty hand", id="one-card-too-low"),
        pytest.param("6 SH 9C/JD 8C 0 beat", ["9C"], "seat0", "empty hand", id="one-card-of-another-suit"),
        pytest.param("6 SH 9C/6S 8C 0 beat", ["9C"], "seat0", "empty hand", id="winner's-trump-answers-nothing"),
        pytest.param("6 SH 9C/8H - 0 lead", ["9C"], "draw", "last card answered", id="leads-the-last"),
        pytest.param("6 SH 9C/7H8H - 0 lead", ["9C"], "seat0", "empty hand", id="leads-the-last-and-wins"),
        pytest.param("6 SH 9C6D/JD 8C 0 beat", ["9C", "6D"], "draw", "last card answered", id="adds-the-last"),
        pytest.param("6 SH 9C6D/JC 8C 0 beat", ["9C", "6D"], "seat0", "empty hand", id="adds-the-last-and-wins"),
        pytest.param("6 SH 8H/9C 8C 1 beat", ["9C"], "seat1", "empty hand", id="seat-1-wins"),
        pytest.param("6 SH 8S/9C 8C 1 beat", ["9C"], "draw", "last card answered", id="seat-0-answers"),
        pytest.param("6 SH 9C/8H 8C 0 beat russian", ["9C"], "draw", "last card answered", id="russian"),
        pytest.param("6 SHD 9C/-/8C7D 7C 0 beat party", ["9C"], "loser2", "empty hand", id="party-one-left"),
        pytest.param("6 SHD 9C/-/7D 8C 0 beat party", ["9C"], "draw", "last card answered", id="party-answered"),
        pytest.param("6 SHD 9C/-/7H 8C 0 beat party", ["9C"], "loser2", "empty hand", id="party-not-answered"),
        pytest.param("6 SHDC -/9C/-/AD 8C 1 beat party", ["9C"], "loser3", "empty hand", id="party-of-four"),
        pytest.param("6 SHDC -/9D/-/6C 8D 1 beat party", ["9D"], "draw", "last card answered", id="four-answered"),
    ],
)
def test_outcome_follows_from_the_rules(code, moves, result, reason):
    outcome = played(code, *moves).outcome
    assert (outcome.code, outcome.reason.value) == (result, reason)


@pytest.mark.parametrize(
    ("code", "moves"),
    [
        pytest.param("6 SHD 9C/7H/8C 8D 0 beat party", ["up"], id="after-a-pick-up"),
        pytest.param("6 SHD 9C/7H/6D 8C 0 beat party", ["9C"], id="two-of-three-left"),
        pytest.param("6 SHDC -/9C/7H/AD 8C 1 beat party", ["9C"], id="two-of-four-left"),
        pytest.param("6 SH 9C6D/JD 8C 0 beat", ["9C"], id="before-adding"),
    ],
)
def test_play_goes_on(code, moves):
    position = played(code, *moves)
    assert position.outcome is None
    assert position.legal_moves()


def test_draw_of_the_last_has_no_winner_and_no_loser():
    assert played("6 SHD 9C/-/7D 8C 0 beat party", "9C").outcome == Outcome((), (), Reason.LAST_CARD_ANSWERED)


def test_party_has_one_loser_and_the_others_win():
    assert played("6 SHDC -/9C/-/AD 8C 1 beat party", "9C").outcome == Outcome((0, 1, 2), (3,), Reason.EMPTY_HAND)


@pytest.mark.parametrize(
    ("code", "move", "message"),
    [
        pytest.param("6 SH 9C/7H8H - 0 lead", "8H", "expected a card in hand, got 8H", id="not-in-hand"),
        pytest.param("6 SH 9CTS/7H8H - 0 lead", "up", "expected a card from the hand, got up", id="up-when-leading"),
        pytest.param("6 SH 9C/7H8H 6CKC 0 add", "up", "expected a card from the hand, got up", id="up-when-adding"),
        pytest.param("6 SH 9C/7H8H KC 0 beat", "9C", "expected a card that beats KC, got 9C", id="too-low"),
        pytest.param("6 SH 9CAC/7H8H KC 0 beat", "up", "expected a card that beats the top card", id="up-in-duel"),
        pytest.param("6 SH -/7H8H KC 1 beat", "8H", "expected no move, the game is over, got 8H", id="over"),
        pytest.param("6 SH -/7H8H KC 1 beat", "up", "expected no move, the game is over, got up", id="over-up"),
    ],
)
def test_after_rejects_what_is_not_legal(code, move, message):
    position = parse_position(code)
    with pytest.raises(IllegalMove, match=message) as caught:
        position.after(parse_move(move))
    assert caught.value.code == "illegal-move"
    assert format_position(position) == code


@pytest.mark.parametrize("value", ["win", 5, None, 7.0, True])
def test_after_rejects_what_is_no_move(value):
    # 5 equals a card of the hand as a number, and is none.
    with pytest.raises(IllegalMove):
        parse_position("2 SH 7C3C/7H8H - 0 lead").after(value)


def test_view_names_the_repetition_and_an_outcome_from_outside():
    position = parse_position("6 SH 9C/7H8H - 0 lead")
    view = position.view_for(0, repeats=2, outcome=Outcome.draw(Reason.AGREED))
    assert (view.repeats, view.legal, view.outcome.reason) == (2, (), Reason.AGREED)
