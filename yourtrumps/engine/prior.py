"""Where proof numbers start: a guess, from what the hands hold, of how hard a win is to prove.

The weights are a logistic fit of won against lost on 36,000 positions of 16- and 20-card ``duel`` whose value a proof
search had found (random walks through its memory). A card counts by its kind and by how high it stands in its suit, so
that one set of weights serves every pack.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core import Position, Rank
from .jit import jit, lowest, popcount
from .kernel import ADD, BEATS, HAND, LEAD, PHASE, PILE, SEAT, SIZE, TRUMP, State


class Prior(NamedTuple):
    """A guess for one pack and one choice of trumps."""

    cards: NDArray[np.float64]
    """Worth of each card in each seat's hand: 104."""
    sizes: NDArray[np.float64]
    """Worth of a hand's size."""
    phases: NDArray[np.float64]
    """Worth of having to lead, to add, and to beat with no, one, two, three or more beating cards."""
    numbers: NDArray[np.int64]
    """Proof number and disproof number << 16 by the logarithm of the odds, in steps of 1/8 from -8."""


_OWN_TRUMP: Final = (1.289, 1.698, 1.058)
_OTHERS_TRUMP: Final = (-0.09, 1.059, 1.848)
_PLAIN: Final = (-1.918, 2.006, 0.948)
"""Worth of a card: constant, factor of its height (0 for the lowest rank, 1 for the ace), of the height squared."""
_CARDS_SQUARED: Final = -0.465
_LAST_CARD: Final = 2.269
_TO_LEAD: Final = 2.002
_TO_ADD: Final = 1.82
_UNABLE: Final = -0.878
_ABLE: Final = 1.093
_BEATERS: Final = 1.861 / 4
_TRAINED_ON: Final = 12
"""The sums over cards count as in a pack of so many."""
_STEPS: Final = 8
_FURTHEST: Final = 8


def prior_for(position: Position, base: float = 20.0, scale: float = 0.7) -> Prior:
    """Return the guess for the pack and the trumps of *position*.

    *base* is where both numbers stand in an even position, *scale* how strongly the odds drive them apart.
    """
    rules = position.rules
    size = len(rules.pack)
    share = _TRAINED_ON / size
    cards = np.zeros(104)
    for seat, trump in enumerate(position.trumps):
        for card in rules.pack:
            if card.suit is trump:
                kind = _OWN_TRUMP
            else:
                kind = _OTHERS_TRUMP if card.suit is position.trumps[1 - seat] else _PLAIN
            height = (card.rank - rules.low) / (Rank.ACE - rules.low)
            cards[seat * 52 + card] = (kind[0] + kind[1] * height + kind[2] * height**2) * share
    counts = np.arange(size + 1)
    sizes = _CARDS_SQUARED * counts**2 * share / size + _LAST_CARD * (counts == 1)
    beating = [_UNABLE, *(_ABLE + _BEATERS * count for count in range(1, 5))]
    steps = np.arange(-_FURTHEST * _STEPS, _FURTHEST * _STEPS + 1) / _STEPS
    numbers = [int(base * math.exp(-scale * x)) + 1 | int(base * math.exp(scale * x)) + 1 << 16 for x in steps]
    return Prior(cards, sizes, np.array([_TO_LEAD, _TO_ADD, *beating]), np.array(numbers, np.int64))


@jit
def hand_worth(s: State, seat: int, prior: Prior) -> float:
    """Return the worth of a seat's cards, leaving out how many there are."""
    worth = 0.0
    cards = s[HAND + seat]
    while cards:
        worth += prior.cards[seat * 52 + lowest(cards)]
        cards &= cards - 1
    return worth


@jit
def guess(s: State, prior: Prior) -> float:
    """Return the guessed logarithm of the odds that the seat to move wins."""
    seat = s[SEAT]
    total = hand_worth(s, seat, prior) + prior.sizes[popcount(s[HAND + seat])]
    total -= hand_worth(s, 1 - seat, prior) + prior.sizes[popcount(s[HAND + 1 - seat])]
    if s[PHASE] == LEAD:
        return total + prior.phases[0]  # type: ignore[no-any-return]
    if s[PHASE] == ADD:
        return total + prior.phases[1]  # type: ignore[no-any-return]
    able = s[HAND + seat] & BEATS[s[TRUMP + seat] + s[PILE + s[SIZE] - 1]]
    return total + prior.phases[2 + min(popcount(able), 4)]  # type: ignore[no-any-return]


@jit
def start_numbers(odds: float, prior: Prior) -> int:
    """Return the numbers of a position in which the attacker's chance has these odds."""
    step = int((min(max(odds, -7.99), 7.99) + 8.0) * 8.0)
    return prior.numbers[step]  # type: ignore[no-any-return]
