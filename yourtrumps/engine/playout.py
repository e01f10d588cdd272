"""Playing a game of two to four seats to its end by a plain rule of thumb, in integers; see :mod:`.worlds`."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core import Position
from .jit import jit, lowest, popcount
from .kernel import ADD, BEAT, BEATS, LEAD, MAY_DECLINE, TAKER_MOVES, WHOLE_PILE, rule_flags

Ints = NDArray[np.int64]

SEATS: Final = 4
_HAND: Final = 0
_TRUMP: Final = 4
_SEAT: Final = 8
_PHASE: Final = 9
_SIZE: Final = 10
_COUNT: Final = 11
_RULES: Final = 12
_PILE: Final = 13
STATE_LENGTH: Final = _PILE + 52

NOBODY: Final = -1
UNFINISHED: Final = -2

_SUIT_MASK: Final = 0x1FFF
_PHASES: Final = {"lead": LEAD, "beat": BEAT, "add": ADD}
_RANKS: Final[Ints] = np.array([sum(1 << suit * 13 + rank for suit in range(4)) for rank in range(13)], np.int64)


def load(position: Position) -> Ints:
    """Return the state of a position of two to four seats."""
    s = np.zeros(STATE_LENGTH, np.int64)
    for seat, hand in enumerate(position.hands):
        s[_HAND + seat] = sum(1 << card for card in hand)
        s[_TRUMP + seat] = position.trumps[seat] * 52
    s[_SEAT], s[_PHASE], s[_SIZE] = position.seat, _PHASES[position.phase], len(position.pile)
    s[_COUNT], s[_RULES] = len(position.hands), rule_flags(position)
    s[_PILE : _PILE + len(position.pile)] = position.pile
    return s


@jit
def _next_number(random: Ints) -> int:
    """Step a generator of 31-bit numbers (Park and Miller's) and return the new one."""
    random[0] = random[0] * 48271 % 2147483647
    return random[0]  # type: ignore[no-any-return]


@jit
def _cheapest(cards: int, trump: int) -> int:
    """Return the lowest card that is no trump, else the lowest trump."""
    plain = cards & ~(_SUIT_MASK << trump // 4)
    if plain:
        cards = plain
    for rank in range(13):
        if cards & _RANKS[rank]:
            return lowest(cards & _RANKS[rank])
    return -1


@jit
def _any(cards: int, random: Ints) -> int:
    skip = _next_number(random) % popcount(cards)
    for _ in range(skip):
        cards &= cards - 1
    return lowest(cards)


@jit
def _following(s: Ints) -> int:
    seat = s[_SEAT]
    for step in range(1, s[_COUNT]):
        other = (seat + step) % s[_COUNT]
        if s[_HAND + other]:
            return other  # type: ignore[no-any-return]
    return seat  # type: ignore[no-any-return]


@jit
def _choose(s: Ints, able: int, random: Ints, careless: int) -> int:
    """Return a card to lay, of *able*: mostly the cheapest, to lead or add the cheapest the next seat cannot beat."""
    if _next_number(random) % 100 < careless:
        return _any(able, random)
    trump = s[_TRUMP + s[_SEAT]]
    if s[_PHASE] == BEAT:
        return _cheapest(able, trump)
    other = _following(s)
    safe = 0
    cards = able
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if s[_HAND + other] & BEATS[s[_TRUMP + other] + card] == 0:
            safe |= 1 << card
    return _cheapest(safe if safe else able, trump)


@jit
def play_out(s: Ints, random: Ints, most: int, careless: int) -> int:
    """Play on in *s* for at most so many moves; return the seat that lost, NOBODY or UNFINISHED.

    *careless* is how often in a hundred moves any legal one is taken.
    """
    for _ in range(most):
        seat = s[_SEAT]
        holding = 0
        for other in range(s[_COUNT]):
            if s[_HAND + other]:
                holding += 1
        hand = s[_HAND + seat]
        size = s[_SIZE]
        able = hand
        if s[_PHASE] == BEAT:
            able &= BEATS[s[_TRUMP + seat] + s[_PILE + size - 1]]
        if holding < 2:
            return NOBODY if hand & (hand - 1) == 0 and able else seat
        declines = s[_PHASE] == BEAT and s[_RULES] & MAY_DECLINE and _next_number(random) % 100 < careless
        if able == 0 or declines:
            count = size
            top = s[_PILE + size - 1]
            if s[_RULES] & WHOLE_PILE == 0:
                above = top - s[_TRUMP + seat] // 4
                if above < 0 or above > 12:
                    count = min(3, size)
                elif above < 12:
                    count = min(5, size)
            for i in range(size - count, size):
                s[_HAND + seat] |= 1 << s[_PILE + i]
            s[_SIZE] = size - count
            s[_PHASE] = BEAT if size > count else LEAD
            if s[_RULES] & TAKER_MOVES == 0:
                s[_SEAT] = _following(s)
            continue
        card = _choose(s, able, random, careless)
        s[_HAND + seat] = hand & ~(1 << card)
        s[_PILE + size] = card
        s[_SIZE] = size + 1
        if s[_PHASE] == BEAT and s[_HAND + seat]:
            s[_PHASE] = ADD
        else:
            s[_PHASE] = BEAT
            s[_SEAT] = _following(s)
    return UNFINISHED


@jit
def loss_share(start: Ints, seat: int, seeds: Ints, most: int, careless: int) -> float:
    """Return the share of playouts, one a seed, that *seat* loses; where nobody does, each who holds cards a half."""
    random = np.zeros(1, np.int64)
    lost = 0.0
    for i in range(len(seeds)):
        s = start.copy()
        random[0] = seeds[i]
        loser = play_out(s, random, most, careless)
        if loser == seat:
            lost += 1.0
        elif loser == NOBODY or (loser == UNFINISHED and s[_HAND + seat]):
            lost += 0.5
    return lost / len(seeds)
