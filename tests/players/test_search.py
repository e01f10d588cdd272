"""The search against exact values, and worlds against what a seat may know."""

import json
import random
from itertools import islice
from pathlib import Path

import pytest

from tests.core.playing import dealt, steps
from yourtrumps.core import Phase, Rules, format_move, parse_position, shown_after
from yourtrumps.engine.worlds import sample_worlds
from yourtrumps.players.base import Control
from yourtrumps.players.evaluate import Evaluator
from yourtrumps.players.search import WIN, Search

SOLVED = json.loads((Path(__file__).parents[1] / "reference" / "solved.json").read_text(encoding="utf-8"))
SMALL = [case for case in SOLVED if case["position"].startswith("K ")]
RANK = {"win": 2, "draw": 1, "loss": 0}


def test_search_keeps_the_value_of_solved_positions():
    # Depth alone bounds this search, so it is the same everywhere.
    kept = 0
    for case in SMALL:
        position = parse_position(case["position"])
        best = Search(position, Control()).run(14)[0]
        kept += RANK[case["moves"][format_move(best.move)]] == RANK[case["value"]]
    assert len(SMALL) > 50
    assert kept / len(SMALL) > 0.97


def test_search_claims_no_win_that_is_none():
    for case in SMALL:
        best = Search(parse_position(case["position"]), Control()).run(14)[0]
        if best.value > WIN / 2:
            assert case["value"] == "win", case["position"]
        if best.value < -WIN / 2:
            assert case["value"] == "loss", case["position"]


@pytest.mark.parametrize(
    "code",
    [
        "K CD AD/KHAHAS KSACKCKD 1 add cambridge",
        "K CD ACKHKS/KCAH ASADKD 0 beat cambridge",
        "K CD KDADAH/KHKSAS KCAC 1 add cambridge",
    ],
)
def test_endless_play_is_worth_a_draw(code):
    # Solved: nobody can force an end here, and only repetition says so.
    assert next(case["value"] for case in SMALL if case["position"] == code) == "draw"
    assert Search(parse_position(code), Control()).run(14)[0].value == 0


@pytest.mark.parametrize(
    ("code", "move"),
    [
        pytest.param("6 SH 6CADAS/8C9CTCJC6D - 0 lead", None, id="some-win"),
        pytest.param("6 SH 9C6S/8D7D 8C 0 beat", None, id="beats-and-adds-the-last"),
        pytest.param("6 SH AC6D/7D 8C 0 beat", None, id="last-answered-or-not"),
    ],
)
def test_search_finds_a_win_near_at_hand(code, move):
    position = parse_position(code)
    best = Search(position, Control()).run(8)[0]
    assert best.move in position.legal_moves()
    if code.startswith("6 SH AC"):
        # Beating is forced, and the six that must be added is answered by the seven: a draw.
        assert best.value == 0
    else:
        assert best.value > WIN / 2


def test_search_names_every_legal_move_once():
    position = dealt(Rules.of("duel"), 3)
    for scored in (Search(position, Control()).run(2), Search(position, Control()).exact(1)):
        assert sorted(one.move for one in scored) == list(position.legal_moves())


def test_search_stops_at_its_node_budget():
    search = Search(dealt(Rules.of("duel"), 3), Control(), nodes=500)
    search.run(30)
    assert 500 <= search.nodes < 600


def test_search_out_of_time_still_names_moves():
    position = dealt(Rules.of("duel"), 3)
    assert Search(position, Control(seconds=0)).run(5)[0].move in position.legal_moves()


@pytest.mark.parametrize("low", "26TK")
def test_evaluation_is_opposite_for_the_two_seats(low):
    position = dealt(Rules.of("duel", low=low), 3)
    evaluator = Evaluator(position.rules, position.trumps)
    assert evaluator.position(position, 0) == pytest.approx(-evaluator.position(position, 1))


@pytest.mark.parametrize("low", "26TK")
def test_evaluation_prefers_higher_cards(low):
    position = dealt(Rules.of("duel", low=low), 3)
    values = Evaluator(position.rules, position.trumps).cards[0]
    for one in position.rules.pack:
        for other in position.rules.pack:
            if one.suit is other.suit and one.rank > other.rank:
                assert values[one] >= values[other]


HIDDEN = [Rules.of("party", players=3), Rules.of("party", players=4), Rules.of("duel", cards_each=5)]


@pytest.mark.parametrize("rules", HIDDEN, ids=["party-3", "party-4", "cards-each"])
def test_worlds_fit_the_view_and_are_not_all_the_true_one(rules):
    start = dealt(rules, 5)
    shown = tuple(() for _ in start.hands)
    different = 0
    for position, move, _ in steps(start, 5, 60):
        view = position.view_for(position.seat, shown)
        for world in islice(sample_worlds(view, random.Random(1)), 3):
            # What a seat sees of the world is what it saw: nothing more went into the sample.
            assert world.view_for(position.seat, shown) == view
            assert all(set(shown[seat]) <= set(hand) for seat, hand in enumerate(world.hands))
            different += world != position
        shown = shown_after(shown, position, move)
    assert different > 20


def test_worlds_of_a_whole_view_are_the_position_itself():
    position = dealt(Rules.of("duel"), 5)
    view = position.view_for(position.seat)
    assert list(islice(sample_worlds(view, random.Random(1)), 2)) == [position, position]


def test_worlds_are_the_same_under_the_same_seed():
    position = dealt(HIDDEN[0], 5)
    view = position.view_for(position.seat)
    one, two = (list(islice(sample_worlds(view, random.Random(4)), 5)) for _ in range(2))
    assert one == two
    assert len(set(one)) == 5
    assert all(world.phase is Phase.LEAD for world in one)
