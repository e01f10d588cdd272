"""The kernel has the rules of the core: on every count of the reference, and along random play."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.playing import SEEDS, dealt
from tests.engine.agreement import Agreement
from yourtrumps.core import PRESETS, OptionError, Rank, Rules, Suit, parse_position
from yourtrumps.engine import kernel, machine
from yourtrumps.engine.kernel import load, make, number_of, unload

CASES = json.loads((Path(__file__).parents[1] / "reference" / "perft.json").read_text(encoding="utf-8"))
DUELS = [case for case in CASES if len(parse_position(case["position"]).hands) == 2]
OPTIONS = st.builds(
    lambda low, decline, pick_up, after: Rules.of(
        "duel", low=low, may_decline=decline, pick_up=pick_up, after_pick_up=after, hands="open"
    ),
    st.sampled_from("23456789TJQK"),
    st.booleans(),
    st.sampled_from(["3-5-all", "all"]),
    st.sampled_from(["next", "taker"]),
)


@pytest.mark.parametrize("case", DUELS, ids=lambda case: case["position"][-20:])
def test_perft_equals_reference(case: dict[str, object]) -> None:
    counts = case["perft"]
    assert isinstance(counts, list)
    state = load(parse_position(str(case["position"])))
    before = state.tolist()
    assert [int(kernel.perft(state, depth)) for depth in range(1, len(counts) + 1)] == counts
    assert state.tolist()[: kernel.PILE] == before[: kernel.PILE]


@pytest.mark.parametrize("case", DUELS[::3], ids=lambda case: case["position"][-20:])
def test_plain_python_counts_the_same(case: dict[str, object]) -> None:
    counts = case["perft"]
    assert isinstance(counts, list)
    state = load(parse_position(str(case["position"])))
    plain = machine.plain(kernel)
    assert [plain.perft(state, depth) for depth in range(1, 4)] == counts[:3]


@pytest.mark.parametrize("cards", range(8, 53, 4))
@pytest.mark.parametrize("preset", PRESETS)
def test_kernel_agrees_with_core_in_every_preset_and_pack(preset: str, cards: int) -> None:
    agreement = Agreement()
    rules = Rules.of(preset, low=Rank(15 - cards // 4), players=2)
    for seed in range(99):
        agreement.walk(rules, seed, most=60)
        if agreement.nodes > 400:
            return


@given(OPTIONS, SEEDS)
def test_kernel_agrees_with_core_whatever_the_options(rules: Rules, seed: int) -> None:
    Agreement().walk(rules, seed, most=15)


def test_positions_of_different_rules_or_trumps_have_different_hashes() -> None:
    position = dealt(Rules.of("duel"), 1)
    hashes = {
        int(load(replace(position, rules=Rules.of(preset, players=2), trumps=trumps))[kernel.HASH])
        for preset in PRESETS
        for trumps in permutations(Suit, 2)
    }
    assert len(hashes) == 4 * 12


def test_state_goes_back_into_the_position_it_came_from() -> None:
    position = dealt(Rules.of("duel"), 5)
    state = load(position)
    chance = random.Random(2)
    for _ in range(80):
        assert unload(state, position) == position
        if position.is_over:
            return
        move = chance.choice(position.legal_moves())
        make(state, number_of(move))
        position = position.after(move)


def test_three_seats_are_refused() -> None:
    with pytest.raises(OptionError, match="players: expected 2 for the engine's kernel, got 3"):
        load(dealt(Rules.of("party", players=3), 1))
