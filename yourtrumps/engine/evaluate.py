"""What a position is worth before anyone looks ahead: a sum of learned weights, in thousandths of a logit.

The sum is the logarithm of the odds that the seat to move wins, times :data:`SCALE`. Its weights are a logistic fit of
the results of the engine's own games, one set for each pack and each choice of options; ``weights.json`` holds them and
how they were made, ``scripts/train.py`` makes them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core import Card, Phase, Position, Rank, Suit
from .jit import jit, popcount
from .kernel import ADD, BEAT, BEATS, HAND, PHASE, PILE, SEAT, SIZE, STATE_LENGTH, TRUMP, load, rule_flags
from .layout import CARDS, KINDS, LOWEST, PHASES, RANKS, SIZES, SUITS

SCALE: Final = 1000
"""What one logit counts."""
HIGHEST: Final = 12_000
"""No guess says more than this: beyond lie the values of proved wins."""

KNOTS: Final = (1, 2, 3, 4, 5, 6, 7, 9, 12, 16, 20, 26, 32, 40, 52)
"""Hand sizes that have a weight of their own; those between lie on the line."""

Ints: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True)
class Weights:
    """Learned weights of one pack and one choice of options, in logits."""

    own: tuple[float, ...]
    """Of the holder's trumps, from the lowest rank to the ace."""
    other: tuple[float, ...]
    """Of the other seat's trumps."""
    plain: tuple[float, ...]
    sizes: tuple[float, ...]
    """At the hand sizes of :data:`KNOTS`."""
    phases: tuple[float, ...]
    """To lead, to add, and to beat with 0, 1, 2, 3, 4 or more beating cards."""

    @classmethod
    def of_vector(cls, vector: NDArray[np.float64], ranks: int) -> Weights:
        """Return the weights of a vector in the order of :func:`features`."""
        cuts = np.cumsum([ranks, ranks, ranks, len(KNOTS)])
        own, other, plain, sizes, phases = (tuple(round(float(x), 4) for x in part) for part in np.split(vector, cuts))
        return cls(own, other, plain, sizes, phases)

    @classmethod
    def of_json(cls, stored: Mapping[str, Sequence[float]]) -> Weights:
        """Return the weights of one set in ``weights.json``."""
        return cls(**{key: tuple(values) for key, values in stored.items()})

    def stretched(self, ranks: int) -> Weights:
        """Return the weights for a pack of another number of *ranks*, a card counting by how high it stands."""
        at, heights = np.linspace(0, 1, ranks), np.linspace(0, 1, len(self.own))
        own, other, plain = (
            tuple(np.interp(at, heights, kind).tolist()) for kind in (self.own, self.other, self.plain)
        )
        return Weights(own, other, plain, self.sizes, self.phases)

    def vector(self) -> NDArray[np.float64]:
        """Return the weights in the order of :func:`features`."""
        return np.concatenate([self.own, self.other, self.plain, self.sizes, self.phases])

    def array(self, trumps: tuple[Suit, ...]) -> Ints:
        """Return the array of a search with the weights in it, for the seats' *trumps*."""
        ranks = len(self.own)
        x = np.zeros(SUITS + (3 << ranks), np.int64)
        masks = np.arange(1 << ranks)
        kinds = [self.own, self.other, self.plain]
        suits = [sum(weight * (masks >> height & 1) for height, weight in enumerate(kind)) for kind in kinds]
        for seat, trump in enumerate(trumps):
            for suit in range(4):
                kind = 0 if suit == trump else 1 if suit in trumps else 2
                x[KINDS + seat * 4 + suit] = kind << ranks
                first = CARDS + seat * 52 + suit * 13 + 13 - ranks
                x[first : first + ranks] = np.round(np.array(kinds[kind]) * SCALE)
        sizes = [size_shares(count) @ np.array(self.sizes) for count in range(53)]
        x[LOWEST], x[RANKS] = 13 - ranks, ranks
        for start, part in ((PHASES, self.phases), (SIZES, sizes), (SUITS, np.concatenate(suits))):
            x[start : start + len(part)] = np.round(np.array(part) * SCALE)
        return x


@cache
def size_shares(count: int) -> NDArray[np.float64]:
    """Return how much of each knot's weight a hand of *count* cards has."""
    shares = np.zeros(len(KNOTS))
    if count < 1:
        return shares
    for at, (low, high) in enumerate(pairwise(KNOTS)):
        if low <= count <= high:
            shares[at], shares[at + 1] = (high - count) / (high - low), (count - low) / (high - low)
            break
    return shares


def features(position: Position) -> NDArray[np.float64]:
    """Return what the weights are multiplied by: the mover's count of everything less the other's."""
    seat = position.seat
    low = position.rules.low
    ranks = Rank.ACE - low + 1
    cards = np.zeros((3, ranks))
    sizes = np.zeros(len(KNOTS))
    for holder, sign in ((seat, 1), (1 - seat, -1)):
        hand = position.hands[holder]
        for card in hand:
            cards[_kind(card, position, holder), card.rank - low] += sign
        sizes += sign * size_shares(len(hand))
    phases = np.zeros(7)
    phases[_phase(position)] = 1
    return np.concatenate([cards.ravel(), sizes, phases])


def _kind(card: Card, position: Position, holder: int) -> int:
    if card.suit is position.trumps[holder]:
        return 0
    return 1 if card.suit in position.trumps else 2


def _phase(position: Position) -> int:
    if position.phase is not Phase.BEAT:
        return 0 if position.phase is Phase.LEAD else 1
    return 2 + min(4, len(position.beating()))


def shares(position: Position) -> dict[str, float]:
    """Return the value of *position* for the seat to move split into its features, in logits; their sum is the value.

    The names: ``own trumps``, ``other's trumps``, ``plain cards``, ``hand size``, ``turn``.
    """
    weights = weights_for(position)
    products = features(position) * weights.vector()
    ranks = len(weights.own)
    parts = np.split(products, np.cumsum([ranks, ranks, ranks, len(KNOTS)]))
    names = ("own trumps", "other's trumps", "plain cards", "hand size", "turn")
    return {name: float(part.sum()) for name, part in zip(names, parts, strict=True)}


@jit
def hand_worth(x: Ints, seat: int, hand: int) -> int:
    """Return what a hand is worth to a seat."""
    mask = (1 << x[RANKS]) - 1
    total = x[SIZES + popcount(hand)]
    hand >>= x[LOWEST]
    for kind in range(KINDS + 4 * seat, KINDS + 4 * seat + 4):
        total += x[SUITS + x[kind] + (hand & mask)]
        hand >>= 13
    return total  # type: ignore[no-any-return]


@jit
def evaluate(x: Ints) -> int:
    """Return the guessed value, for the seat to move, of the position in *x*, the weights behind it."""
    seat = x[SEAT]
    total = hand_worth(x, seat, x[HAND + seat]) - hand_worth(x, 1 - seat, x[HAND + 1 - seat])
    if x[PHASE] == BEAT:
        able = x[HAND + seat] & BEATS[x[TRUMP + seat] + x[PILE + x[SIZE] - 1]]
        total += x[PHASES + 2 + min(popcount(able), 4)]
    else:
        total += x[PHASES + (x[PHASE] == ADD)]
    return max(-HIGHEST, min(HIGHEST, total))  # type: ignore[no-any-return]


def winning_chance(value: float) -> float:
    """Return the chance to win that *value*, a guess in thousandths of a logit, stands for.

    >>> winning_chance(0)
    0.5
    """
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, value / SCALE))))


def weights_name(position: Position) -> str:
    """Return the name of the weights that fit *position* best, such as ``0-36``: option bits and cards."""
    return f"{rule_flags(position)}-{len(position.rules.pack)}"


@cache
def stored_weights() -> dict[str, Any]:
    """Return what ``weights.json`` holds: ``made`` says how, ``weights`` has a set for each name."""
    text = files(__package__).joinpath("weights.json").read_text(encoding="utf-8")
    stored: dict[str, Any] = json.loads(text)
    return stored


def weights_for(position: Position) -> Weights:
    """Return the weights for the pack and the options of *position*; every preset and pack of two seats has some."""
    return _weights(rule_flags(position), len(position.rules.pack))


@cache
def _weights(flags: int, cards: int) -> Weights:
    stored = stored_weights()["weights"]

    def distance(name: str) -> tuple[int, int]:
        other_flags, other_cards = map(int, name.split("-"))
        return (flags ^ other_flags).bit_count(), abs(cards - other_cards)

    # Options outside the presets play most like the preset that shares most of them.
    return Weights.of_json(stored[min(stored, key=distance)]).stretched(cards // 4)


def new_array(position: Position, weights: Weights | None = None) -> Ints:
    """Return the array of a search: the state of *position* and the weights that fit it, or *weights*."""
    state = load(position)
    x = _array(weights or weights_for(position), position.trumps).copy()
    x[:STATE_LENGTH] = state
    return x


@lru_cache(256)
def _array(weights: Weights, trumps: tuple[Suit, ...]) -> Ints:
    return weights.array(trumps)


def first_weights(ranks: int) -> Weights:
    """Return weights to begin learning from: high cards and own trumps are good, low plain cards a burden."""
    heights = np.linspace(0, 1, ranks)
    sizes = np.interp(KNOTS, [1, 2, 3, 5, 7, 15, 52], [2.5, 1.5, 0.8, 0.0, 0.0, 0.4, 0.4])
    own, other, plain = 0.1 + 0.8 * heights**2, -0.2 + 0.7 * heights**2, -0.3 + 0.6 * heights
    return Weights(
        tuple(own.tolist()),
        tuple(other.tolist()),
        tuple(plain.tolist()),
        tuple(sizes.tolist()),
        (0.2, 0, 0, 0, 0, 0, 0),
    )
