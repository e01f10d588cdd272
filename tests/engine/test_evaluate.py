"""The evaluation: the same sum everywhere, weights for every game, and a chance that is one."""

from __future__ import annotations

import random

import numpy as np
import pytest

from yourtrumps.core import PRESETS, Phase, Position, Rank, Rules, Suit, deal
from yourtrumps.engine.evaluate import (
    HIGHEST,
    KNOTS,
    SCALE,
    Weights,
    evaluate,
    features,
    first_weights,
    new_array,
    shares,
    size_shares,
    stored_weights,
    weights_for,
    winning_chance,
)


def positions(preset: str, cards: int, seed: int) -> list[Position]:
    chance = random.Random(seed)
    rules = Rules.of(preset, low=Rank(15 - cards // 4), players=2)
    position = deal(rules, tuple(chance.sample(list(Suit), 2)), 0, chance)
    met = []
    for _ in range(60):
        if position.is_over:
            break
        met.append(position)
        position = position.after(chance.choice(position.legal_moves()))
    return met


@pytest.mark.parametrize("cards", range(8, 53, 4))
@pytest.mark.parametrize("preset", PRESETS)
def test_value_is_the_sum_of_features_times_weights(preset: str, cards: int) -> None:
    for position in positions(preset, cards, 1):
        weights = weights_for(position)
        value = int(evaluate(new_array(position)))
        expected = float(features(position) @ weights.vector()) * SCALE
        # Each weight is rounded to a thousandth of a logit for the sum in integers.
        assert abs(value - max(-HIGHEST, min(HIGHEST, expected))) <= 60
        assert sum(shares(position).values()) * SCALE == pytest.approx(expected)


@pytest.mark.parametrize("cards", range(8, 53, 4))
@pytest.mark.parametrize("flags", [0, 1, 3, 7])
def test_every_preset_and_pack_has_learned_weights_and_how_they_were_made(flags: int, cards: int) -> None:
    stored = stored_weights()
    name = f"{flags}-{cards}"
    weights = Weights.of_json(stored["weights"][name])
    assert len(weights.own) == len(weights.other) == len(weights.plain) == cards // 4
    assert "scripts/train.py" in stored["made"][name]
    assert np.isfinite(weights.vector()).all()


def test_features_are_those_of_the_mover_less_those_of_the_other() -> None:
    position = next(one for one in positions("duel", 36, 3) if one.phase is Phase.LEAD)
    turned = Position(position.rules, position.trumps[::-1], position.hands[::-1], (), 1, Phase.LEAD)
    assert np.array_equal(features(position), features(turned))
    given_over = Position(position.rules, position.trumps, position.hands, (), 1 - position.seat, Phase.LEAD)
    assert np.array_equal(features(position)[:-7], -features(given_over)[:-7])


def test_a_hand_size_lies_between_its_knots() -> None:
    for count in range(1, 53):
        assert size_shares(count).sum() == pytest.approx(1)
        assert size_shares(count) @ np.array(KNOTS) == pytest.approx(count)


def test_weights_round_trip_and_stretch() -> None:
    weights = first_weights(9)
    assert Weights.of_vector(weights.vector(), 9).vector() == pytest.approx(weights.vector(), abs=1e-4)
    stretched = weights.stretched(13)
    assert (len(stretched.own), stretched.own[0], stretched.own[-1]) == (13, weights.own[0], weights.own[-1])
    assert weights.stretched(9) == weights


def test_winning_chance_is_a_chance() -> None:
    chances = [winning_chance(value) for value in range(-40_000, 40_001, 500)]
    assert chances == sorted(chances)
    assert winning_chance(700) + winning_chance(-700) == pytest.approx(1)
    assert 0 <= chances[0] < 0.001 < 0.999 < chances[-1] <= 1
