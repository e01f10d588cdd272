import json
from pathlib import Path

import pytest

from yourtrumps.core import OptionError, format_position, parse_position, perft

CASES = json.loads((Path(__file__).parents[1] / "reference" / "perft.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["position"].split()[0] + case["position"][-20:])
def test_perft_equals_reference(case):
    assert perft(parse_position(case["position"]), len(case["perft"])) == case["perft"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["position"].split()[0] + case["position"][-20:])
def test_reference_code_is_written_as_it_was_read(case):
    assert format_position(parse_position(case["position"])) == case["position"]


def test_perft_of_finished_game_is_nought():
    assert perft(parse_position("6 SH -/7C 6C 1 beat"), 3) == [0, 0, 0]


@pytest.mark.parametrize("depth", [0, -1])
def test_perft_refuses_depth_below_one(depth):
    with pytest.raises(OptionError, match="depth: expected a number from 1"):
        perft(parse_position(CASES[0]["position"]), depth)
