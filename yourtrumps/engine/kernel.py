"""The rules of two seats in integers: one state array, moves made in place and taken back.

A state is an int64 array of :data:`STATE_LENGTH`. Cards are the numbers of :class:`~yourtrumps.core.Card` (0..51), sets
of cards are bit masks, a move is a card or :data:`UP`; a mask of moves has bit :data:`UP` for a pick-up.
Masks and hashes are signed, as numba makes a float of an int64 and a uint64 that meet; 52 bits have room in either.

Everything here but :func:`load` and :func:`unload` is compiled; see :mod:`yourtrumps.engine.jit`.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from ..core import AfterPickUp, Card, OptionError, Phase, PickUp, Position, Rank, Suit
from ..core.position import UP as UP_MOVE
from ..core.position import Move
from .jit import jit, lowest, popcount

State = npt.NDArray[np.int64]

HAND: Final = 0
"""Index of seat 0's hand, a mask; seat 1's follows."""
SEAT: Final = 2
"""Index of the seat to move."""
PHASE: Final = 3
"""Index of the phase: LEAD, BEAT or ADD."""
SIZE: Final = 4
"""Index of the number of cards in the pile."""
HASH: Final = 5
"""Index of the running hash of hands, pile in order, seat, phase, trumps and rules."""
TRUMP: Final = 6
"""Index of seat 0's trump suit times 52 (a row of BEATS); seat 1's follows."""
RULES: Final = 8
"""Index of the rule flags."""
PILE: Final = 9
"""Index of the bottom card; above the top card the array keeps what stood there, so that nothing need be copied."""
STATE_LENGTH: Final = 64

LEAD: Final = 0
BEAT: Final = 1
ADD: Final = 2

MAY_DECLINE: Final = 1
WHOLE_PILE: Final = 2
TAKER_MOVES: Final = 4

UP: Final = 52
UP_BIT: Final = 1 << 52

_PHASES: Final = (Phase.LEAD, Phase.BEAT, Phase.ADD)
_CARDS: Final = tuple(Card(suit, rank) for suit in Suit for rank in Rank)


def _mix(number: int) -> int:
    """The splitmix64 finaliser: a fixed, well spread 64-bit number for each *number*."""
    number = (number + 1) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
    number = (number ^ number >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
    return number ^ number >> 31


def _keys(start: int, count: int) -> State:
    return np.array([_mix(start + i) for i in range(count)], dtype=np.uint64).view(np.int64)


BEATS: Final[State] = np.array(
    [sum(1 << int(card) for card in _CARDS if card.beats(top, trump)) for trump in Suit for top in _CARDS],
    dtype=np.int64,
)
"""For a trump suit times 52 plus a top card: the mask of all cards that beat it."""

HAND_KEYS: Final = _keys(0, 2 * 52)
PILE_KEYS: Final = _keys(1000, 52 * 52)
SEAT_KEY: Final = int(_keys(9000, 1)[0])
ADD_KEY: Final = int(_keys(9001, 1)[0])
BASE_KEYS: Final = _keys(10_000, 8 * 16)


@jit
def beat_mask(s: State) -> int:
    """Return the mover's cards that beat the top card; nought if there is no pile."""
    size = s[SIZE]
    if size == 0:
        return 0
    seat = s[SEAT]
    return s[HAND + seat] & BEATS[s[TRUMP + seat] + s[PILE + size - 1]]  # type: ignore[no-any-return]


@jit
def pick_up_count(s: State) -> int:
    """Return how many cards the mover would pick up."""
    size = s[SIZE]
    if size <= 3 or s[RULES] & WHOLE_PILE:
        return size  # type: ignore[no-any-return]
    above = s[PILE + size - 1] - s[TRUMP + s[SEAT]] // 4
    if above < 0 or above > 12:
        return 3
    if above == 12 or size < 5:
        return size  # type: ignore[no-any-return]
    return 5


@jit
def is_over(s: State) -> bool:
    """Return whether a hand is empty."""
    return s[HAND] == 0 or s[HAND + 1] == 0  # type: ignore[no-any-return]


@jit
def end_value(s: State) -> int:
    """Return the value of an ended game for the seat to move, who is left with cards: -1, or 0 for a draw."""
    hand = s[HAND + s[SEAT]]
    if hand & (hand - 1) == 0 and beat_mask(s):
        return 0
    return -1


@jit
def legal_mask(s: State) -> int:
    """Return the legal moves as a mask, bit UP for a pick-up; nought once the game is over."""
    if is_over(s):
        return 0
    if s[PHASE] != BEAT:
        return s[HAND + s[SEAT]]  # type: ignore[no-any-return]
    able = beat_mask(s)
    if able == 0 or s[RULES] & MAY_DECLINE:
        return able | UP_BIT
    return able


@jit
def make(s: State, move: int) -> int:
    """Make a legal *move* and return what :func:`unmake` needs to take it back."""
    seat = s[SEAT]
    phase = s[PHASE]
    size = s[SIZE]
    if move == UP:
        count = pick_up_count(s)
        rest = size - count
        _exchange(s, seat, rest, size)
        s[SIZE] = rest
        s[PHASE] = BEAT if rest else LEAD
        if s[RULES] & TAKER_MOVES == 0:
            s[SEAT] = 1 - seat
            s[HASH] ^= SEAT_KEY
        return seat | phase << 1 | count << 3  # type: ignore[no-any-return]
    left = s[HAND + seat] ^ (1 << move)
    slot = PILE + size
    under = s[slot]
    s[HAND + seat] = left
    s[slot] = move
    s[SIZE] = size + 1
    key = HAND_KEYS[seat * 52 + move] ^ PILE_KEYS[size * 52 + move]
    if phase == BEAT and left != 0:
        s[PHASE] = ADD
        key ^= ADD_KEY
    else:
        if phase == ADD:
            key ^= ADD_KEY
        s[PHASE] = BEAT
        s[SEAT] = 1 - seat
        key ^= SEAT_KEY
    s[HASH] ^= key
    return seat | phase << 1 | under << 3  # type: ignore[no-any-return]


@jit
def unmake(s: State, move: int, undo: int) -> None:
    """Take *move* back; *undo* is what :func:`make` returned."""
    seat = undo & 1
    phase = undo >> 1 & 3
    if s[SEAT] != seat:
        s[HASH] ^= SEAT_KEY
    if move == UP:
        rest = s[SIZE]
        size = rest + (undo >> 3)
        _exchange(s, seat, rest, size)
        s[SIZE] = size
    else:
        size = s[SIZE] - 1
        s[HAND + seat] ^= 1 << move
        s[HASH] ^= HAND_KEYS[seat * 52 + move] ^ PILE_KEYS[size * 52 + move]
        s[PILE + size] = undo >> 3
        s[SIZE] = size
        if (s[PHASE] == ADD) != (phase == ADD):
            s[HASH] ^= ADD_KEY
    s[SEAT] = seat
    s[PHASE] = phase


@jit
def _exchange(s: State, seat: int, rest: int, size: int) -> None:
    """Move the pile's cards from *rest* up to *size* into a hand, or, done again, out of it."""
    cards = 0
    key = 0
    for i in range(rest, size):
        card = s[PILE + i]
        cards |= 1 << card
        key ^= PILE_KEYS[i * 52 + card] ^ HAND_KEYS[seat * 52 + card]
    s[HAND + seat] ^= cards
    s[HASH] ^= key


@jit
def perft(s: State, depth: int) -> int:
    """Return the number of move sequences of length *depth*; repetition is ignored."""
    moves = legal_mask(s)
    if depth <= 1:
        return popcount(moves)
    total = 0
    while moves:
        move = lowest(moves)
        moves &= moves - 1
        undo = make(s, move)
        total += perft(s, depth - 1)
        unmake(s, move, undo)
    return total


@jit
def full_hash(s: State, base: int) -> int:
    """Return the hash counted from the beginning; *base* is :func:`base_key` of the trumps and rules."""
    key = base
    for seat in range(2):
        cards = s[HAND + seat]
        while cards:
            key ^= HAND_KEYS[seat * 52 + lowest(cards)]
            cards &= cards - 1
    for i in range(s[SIZE]):
        key ^= PILE_KEYS[i * 52 + s[PILE + i]]
    if s[SEAT] == 1:
        key ^= SEAT_KEY
    if s[PHASE] == ADD:
        key ^= ADD_KEY
    return key


def base_key(s: State) -> int:
    """Return what trumps and rules add to the hash."""
    return int(BASE_KEYS[int(s[RULES]) * 16 + int(s[TRUMP]) // 52 * 4 + int(s[TRUMP + 1]) // 52])


def rule_flags(position: Position) -> int:
    """Return the options of a position's rules that the kernel knows, as bits."""
    rules = position.rules
    return (
        MAY_DECLINE * rules.may_decline
        | WHOLE_PILE * (rules.pick_up is PickUp.ALL)
        | TAKER_MOVES * (rules.after_pick_up is AfterPickUp.TAKER)
    )


def load(position: Position) -> State:
    """Return the state of *position*; raises :class:`OptionError` unless it has two seats."""
    if len(position.hands) != 2:
        raise OptionError("players", len(position.hands), "2 for the engine's kernel")
    s = np.zeros(STATE_LENGTH, dtype=np.int64)
    for seat, hand in enumerate(position.hands):
        s[HAND + seat] = sum([1 << card for card in hand])
        s[TRUMP + seat] = position.trumps[seat] * 52
    s[SEAT] = position.seat
    s[PHASE] = _PHASES.index(position.phase)
    s[SIZE] = len(position.pile)
    s[PILE : PILE + len(position.pile)] = position.pile
    s[RULES] = rule_flags(position)
    s[HASH] = full_hash(s, base_key(s))
    return s


def unload(s: State, like: Position) -> Position:
    """Return the position of a state; rules and trumps are those of *like*."""
    pile = s[PILE : PILE + int(s[SIZE])]
    return Position(
        like.rules,
        like.trumps,
        (cards_of(int(s[HAND])), cards_of(int(s[HAND + 1]))),
        tuple(_CARDS[card] for card in pile),
        int(s[SEAT]),
        _PHASES[s[PHASE]],
    )


def cards_of(mask: int) -> tuple[Card, ...]:
    """Return the cards of a mask, sorted."""
    return tuple(card for card in _CARDS if mask >> int(card) & 1)


def moves_of(mask: int) -> tuple[Move, ...]:
    """Return the moves of a mask in the order of :meth:`Position.legal_moves`."""
    cards = cards_of(mask)
    return (*cards, UP_MOVE) if mask & UP_BIT else cards


def move_of(number: int) -> Move:
    """Return the core move of a kernel move."""
    return UP_MOVE if number == UP else _CARDS[number]


def number_of(move: Move) -> int:
    """Return the kernel move of a core move."""
    return int(move) if isinstance(move, Card) else UP
