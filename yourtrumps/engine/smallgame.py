"""The game on at most twelve cards, as tables of bit masks: what the whole-game solver and its tables speak."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core import AfterPickUp, Card, PickUp, Rank, Rules, Suit

MOST_CARDS: Final = 12
_ALL: Final = 99

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Options:
    """The options that matter once the cards are dealt."""

    may_decline: bool = False
    whole_pile: bool = False
    taker_leads: bool = False

    @classmethod
    def of(cls, rules: Rules) -> Options:
        """Return the options of *rules*."""
        return cls(rules.may_decline, rules.pick_up is PickUp.ALL, rules.after_pick_up is AfterPickUp.TAKER)

    @property
    def bits(self) -> int:
        """The options as one small number."""
        return self.may_decline | self.whole_pile << 1 | self.taker_leads << 2

    @classmethod
    def from_bits(cls, bits: int) -> Options:
        """Return the options that :attr:`bits` gave."""
        return cls(bool(bits & 1), bool(bits & 2), bool(bits & 4))


@dataclass(frozen=True)
class Shape:
    """A set of cards with the names dropped: how many of each suit, and whether the trump aces are among them.

    Suits stand in the order: trump of the first seat, trump of the second, plain, plain. Two sets of one shape are
    the same game.
    """

    counts: tuple[int, int, int, int]
    aces: tuple[bool, bool]

    @classmethod
    def of_pack(cls, ranks: int) -> Shape:
        """Return the shape of a whole pack with so many ranks."""
        return cls((ranks, ranks, ranks, ranks), (True, True))

    @property
    def size(self) -> int:
        """Number of cards."""
        return sum(self.counts)

    @property
    def has_equal_trumps(self) -> bool:
        """Whether exchanging the seats and their trump suits gives the same game."""
        return self.counts[0] == self.counts[1] and self.aces[0] == self.aces[1]

    @property
    def has_equal_plains(self) -> bool:
        """Whether exchanging the two plain suits gives the same game."""
        return self.counts[2] == self.counts[3]

    @property
    def suits(self) -> tuple[int, ...]:
        """The suit (0 to 3) of each card number."""
        return tuple(suit for suit, count in enumerate(self.counts) for _ in range(count))


@dataclass(frozen=True)
class Numbering:
    """How the cards of a position are numbered in the small game, and in which frame each seat moves.

    Where the game is the same for both seats there is one frame, the mover's: whoever moves is taken for the seat
    whose trumps stand first, so ``places`` is by seat.
    """

    shape: Shape
    places: tuple[dict[Card, int], dict[Card, int]]
    frames: tuple[int, int]


@cache
def numbering(cards: frozenset[Card], trumps: tuple[Suit, ...]) -> Numbering:
    """Return the numbering of *cards* for two seats with *trumps*.

    >>> from ..core import pack
    >>> numbering(frozenset(pack(Rank.KING)), (Suit.CLUBS, Suit.DIAMONDS)).shape.counts
    (2, 2, 2, 2)
    """
    by_suit = {suit: sorted(card for card in cards if card.suit is suit) for suit in Suit}
    plains = sorted((suit for suit in Suit if suit not in trumps), key=lambda suit: -len(by_suit[suit]))
    # Of the two ways to name the seats take the larger one, so that mirror images share a table.
    weight = [(len(by_suit[trump]), Rank.ACE in [card.rank for card in by_suit[trump]]) for trump in trumps]
    turned = weight[1] > weight[0]
    first, second = weight[::-1] if turned else weight
    shape = Shape((first[0], second[0], len(by_suit[plains[0]]), len(by_suit[plains[1]])), (first[1], second[1]))

    def place(order: list[Suit]) -> dict[Card, int]:
        return {card: number for number, card in enumerate(card for suit in order for card in by_suit[suit])}

    if shape.has_equal_trumps:
        return Numbering(shape, (place([*trumps, *plains]), place([*trumps[::-1], *plains])), (0, 0))
    places = place([*(trumps[::-1] if turned else trumps), *plains])
    return Numbering(shape, (places, places), (1, 0) if turned else (0, 1))


class Tables(NamedTuple):
    """The rules for one shape and one choice of options, as arrays; row *f* is for the seat that moves in frame *f*."""

    size: int
    """Number of cards."""
    frames: int
    may_decline: int
    taker_leads: int
    beats: Ints
    """Mask of the mover's cards that beat each top card: (frames, size)."""
    answers: Ints
    """The same for the other seat."""
    takes: Ints
    """How many cards the mover picks up from a pile with each top card, if there are so many."""
    turned: Ints
    """Number of each card once the turn has passed, without and with the plain suits exchanged: (2, size)."""
    turned_mask: Ints
    """The same for whole masks: (2, 2 ** size)."""
    mirror: Ints
    """Number of each card with the plain suits exchanged."""
    mirror_mask: Ints
    """The same for whole masks."""
    first_plain: int
    second_plain: int
    """Masks of the plain suits: no card of the second comes before one of the first in a pile that is listed.
    Nought if the two suits differ."""


@cache
def tables(shape: Shape, options: Options) -> Tables:
    """Return the tables for *shape* and *options*."""
    size, suits = shape.size, shape.suits
    frames = 1 if shape.has_equal_trumps else 2
    trumps = [0, 1][:frames]
    turn = _exchange(shape, 0) if frames == 1 else list(range(size))
    plain = _exchange(shape, 2) if shape.has_equal_plains else list(range(size))
    turned = [turn, [turn[plain[card]] for card in range(size)]]
    plains = [sum(1 << card for card in range(size) if suits[card] == suit) for suit in (2, 3)]
    return Tables(
        size=size,
        frames=frames,
        may_decline=int(options.may_decline),
        taker_leads=int(options.taker_leads),
        beats=_rows([[_beaters(suits, top, trump) for top in range(size)] for trump in trumps]),
        answers=_rows([[_beaters(suits, top, 1 - trump) for top in range(size)] for trump in trumps]),
        takes=_rows([[_take(shape, options, top, trump) for top in range(size)] for trump in trumps]),
        turned=_rows(turned),
        turned_mask=np.array([_of_masks(row) for row in turned], np.int64),
        mirror=np.array(plain, np.int64),
        mirror_mask=_of_masks(plain),
        first_plain=plains[0] if shape.has_equal_plains else 0,
        second_plain=plains[1] if shape.has_equal_plains else 0,
    )


def _rows(rows: list[list[int]]) -> Ints:
    return np.array(rows, np.int64)


def _beaters(suits: tuple[int, ...], top: int, trump: int) -> int:
    higher = sum(1 << card for card in range(top + 1, len(suits)) if suits[card] == suits[top])
    if suits[top] == trump:
        return higher
    return higher | sum(1 << card for card in range(len(suits)) if suits[card] == trump)


def _take(shape: Shape, options: Options, top: int, trump: int) -> int:
    if options.whole_pile:
        return _ALL
    if shape.suits[top] != trump:
        return 3
    is_highest = top + 1 == shape.size or shape.suits[top + 1] != trump
    return _ALL if is_highest and shape.aces[trump] else 5


def _exchange(shape: Shape, suit: int) -> list[int]:
    """Number of each card after *suit* and the next one, equally long, are exchanged."""
    start, count = sum(shape.counts[:suit]), shape.counts[suit]
    numbers = list(range(shape.size))
    numbers[start : start + 2 * count] = [*range(start + count, start + 2 * count), *range(start, start + count)]
    return numbers


def _of_masks(numbers: list[int]) -> Ints:
    masks = np.arange(1 << len(numbers), dtype=np.int64)
    return sum(((masks >> card & 1) << number for card, number in enumerate(numbers)), np.zeros_like(masks))
