"""Reasons are only given where they are true, whatever the hidden cards are."""

import random
from itertools import islice

import pytest
from hypothesis import given, settings

from tests.core.playing import RULES, SEEDS, dealt, steps
from yourtrumps.core import UP, OptionError, Phase, parse_move, parse_position, shown_after
from yourtrumps.engine.worlds import sample_worlds
from yourtrumps.players import HintCode, reason


def is_true(hint, view, move, world):
    """Whether *hint* holds for *move* in *world*, found by playing it out rather than as the code finds it."""
    values = hint.values
    cards = [other for other in view.legal if other is not UP]
    trump = view.trumps[view.seat]
    beats = view.phase is Phase.BEAT
    after = world.after(move)
    match hint.code:
        case HintCode.MUST_PICK_UP:
            return not cards and len(after.hands[view.seat]) - len(view.hand) == values["count"]
        case HintCode.RATHER_PICKS_UP:
            return cards and len(after.hands[view.seat]) - len(view.hand) == values["count"]
        case HintCode.EMPTIES_HAND:
            return after.hands[view.seat] == ()
        case HintCode.ONLY_CARD_THAT_BEATS:
            return beats and cards == [move] and values["top"] is world.top
        case HintCode.LOWEST_THAT_BEATS:
            return beats and sorted(cards, key=lambda card: card.rank)[0] is move and values["top"] is world.top
        case HintCode.KEEPS_TRUMPS:
            return move.suit is not trump and any(card.suit is trump for card in cards) and values["trump"] is trump
        case HintCode.BEATS:
            return beats and move.beats(values["top"], trump) and values["top"] is world.top
        case HintCode.CANNOT_BE_BEATEN:
            if after.seat != values["seat"] or after.beating():
                return False
            return len(after.after(UP).hands[after.seat]) - len(after.hand) == values["count"]
        case HintCode.LOWEST_IN_HAND:
            return all(other.rank >= move.rank for other in view.hand)
        case HintCode.HARDEST_TO_BEAT:
            if view.position() is None:
                return after.seat == values["seat"]
            counts = {card: len(world.after(card).beating()) for card in cards}
            return all(counts[move] < counts[card] for card in cards if card is not move) and (
                counts[move] == values["count"]
            )
        case HintCode.LAYS:
            return values["card"] is move and not beats
    raise AssertionError(hint.code)


@settings(max_examples=60, deadline=None)
@given(RULES, SEEDS)
def test_every_reason_is_true_in_every_world_that_fits(rules, seed):
    start = dealt(rules, seed)
    shown = start.view_for(None).shown
    for position, move, _ in steps(start, seed, 40):
        view = position.view_for(position.seat, shown)
        worlds = [position, *islice(sample_worlds(view, random.Random(seed)), 2)]
        for legal in view.legal:
            hint = reason(view, legal)
            for world in worlds:
                assert is_true(hint, view, legal, world), (hint, legal)
        shown = shown_after(shown, position, move)


@pytest.mark.parametrize(
    ("code", "move", "expected"),
    [
        pytest.param("6 SH 9C/8H7C QC 0 beat", "up", "must-pick-up", id="must-pick-up"),
        pytest.param("6 SH 6S/8H7C QC 0 beat party", "up", "rather-picks-up", id="rather-picks-up"),
        pytest.param("6 SH AC/8H7C QC 0 beat", "AC", "empties-hand", id="empties-hand"),
        pytest.param("6 SH AC7D/8H7C QC 0 beat", "AC", "only-card-that-beats", id="only"),
        pytest.param("6 SH KCAC7D/8H7C QC 0 beat", "KC", "lowest-that-beats", id="lowest-that-beats"),
        pytest.param("6 SH KC6S7D/8H7C QC 0 beat", "KC", "keeps-trumps", id="keeps-trumps"),
        pytest.param("6 SH KCAC7D/8H7C QC 0 beat", "AC", "beats", id="beats"),
        pytest.param("6 SH 6D7DAD/8D7C - 0 lead", "AD", "hardest-to-beat", id="hardest-to-beat"),
        pytest.param("K SH KCACKS/KHAHAS KDAD 0 add", "AC", "keeps-trumps", id="keeps-trumps-when-adding"),
        pytest.param("K SH KCKSAD/ACKDAS KHAH 0 add", "AD", "cannot-be-beaten", id="cannot-be-beaten"),
        pytest.param("K SH KCKSAD/ACKDAS KHAH 0 add", "KC", "lowest-in-hand", id="lowest-in-hand"),
        pytest.param("Q SH QCKCKDADKSAS/QDAHKHACQHQS - 0 lead", "KS", "lays", id="lays"),
    ],
)
def test_reason_is_the_most_telling_one(code, move, expected):
    view = parse_position(code)
    view = view.view_for(view.seat)
    assert reason(view, parse_move(move)).code.value == expected


def test_reason_refuses_an_illegal_move():
    view = parse_position("6 SH 9C/8H7C QC 0 beat").view_for(0)
    with pytest.raises(OptionError, match="move: expected a legal move, got '9C'"):
        reason(view, parse_move("9C"))
