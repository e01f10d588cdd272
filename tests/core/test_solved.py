import json
from pathlib import Path

import pytest

from yourtrumps.core import format_move, parse_position

CASES = json.loads((Path(__file__).parents[1] / "reference" / "solved.json").read_text(encoding="utf-8"))


def test_solved_positions_have_exactly_the_legal_moves():
    for case in CASES:
        moves = parse_position(case["position"]).legal_moves()
        assert sorted(map(format_move, moves)) == sorted(case["moves"]), case["position"]


@pytest.mark.parametrize("value", ["win", "draw", "loss"])
def test_solved_values_fit_ends_that_follow_at_once(value):
    # After a move that ends the game, the outcome must be the value given to the move.
    checked = 0
    for case in CASES:
        position = parse_position(case["position"])
        for move in position.legal_moves():
            outcome = position.after(move).outcome
            if outcome and case["moves"][format_move(move)] == value:
                won = "draw" if outcome.is_draw else "win" if position.seat in outcome.winners else "loss"
                assert won == value, case["position"]
                checked += 1
    # Nobody loses by their own move: only the others run out of cards.
    assert (checked > 0) == (value != "loss")
