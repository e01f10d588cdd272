"""Suits, ranks, cards and packs."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from functools import cache
from typing import Final, final

from .errors import NotationError

RANK_LETTERS: Final = "23456789TJQKA"
SUIT_LETTERS: Final = "CDHS"


class Suit(IntEnum):
    """The four suits, in the order in which hands are written."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        """``C``, ``D``, ``H`` or ``S``."""
        return SUIT_LETTERS[self]

    @property
    def symbol(self) -> str:
        """``♣``, ``♦``, ``♥`` or ``♠``."""
        return "♣♦♥♠"[self]


class Rank(IntEnum):
    """The thirteen ranks; a higher number is a higher rank."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        """One of ``23456789TJQKA``."""
        return RANK_LETTERS[self - 2]


@final
class Card(int):
    """A playing card: there is exactly one object a card.

    Its number is its place in the 52-card pack (clubs, diamonds, hearts, spades, each from two to ace): that is how
    cards sort, and makes sets of cards come out in the same order in every process.

    >>> Card(Suit.HEARTS, Rank.NINE)
    Card('9H')
    >>> parse_card("9H") is Card(Suit.HEARTS, Rank.NINE)
    True
    """

    suit: Suit
    rank: Rank
    code: str

    def __new__(cls, suit: Suit, rank: Rank) -> Card:
        return _CARDS[suit * 13 + rank - 2]

    def __reduce__(self) -> tuple[type[Card], tuple[Suit, Rank]]:
        return Card, (self.suit, self.rank)

    def __copy__(self) -> Card:
        return self

    def __deepcopy__(self, memo: object) -> Card:
        return self

    def __repr__(self) -> str:
        return f"Card({self.code!r})"

    def __str__(self) -> str:
        return self.code

    def beats(self, top: Card, trump: Suit) -> bool:
        """Whether this card beats *top* for a mover whose own trump suit is *trump*.

        >>> parse_card("6S").beats(parse_card("AH"), Suit.SPADES)
        True
        """
        if self.suit is top.suit:
            return self.rank > top.rank
        return self.suit is trump


def _make_card(suit: Suit, rank: Rank) -> Card:
    card = int.__new__(Card, suit * 13 + rank - 2)
    card.suit, card.rank, card.code = suit, rank, rank.letter + suit.letter
    return card


_CARDS: Final = tuple(_make_card(suit, rank) for suit in Suit for rank in Rank)
_BY_CODE: Final = {card.code: card for card in _CARDS}

Cards = tuple[Card, ...]
"""Cards in a tuple: a hand is sorted (clubs, diamonds, hearts, spades, low to high), a pile is bottom to top."""


def sort_cards(cards: Iterable[Card]) -> Cards:
    """Return *cards* in the order in which hands are kept and written."""
    return tuple(sorted(cards))


@cache
def pack(low: Rank) -> Cards:
    """Return the sorted pack whose lowest rank is *low*.

    >>> len(pack(Rank.SIX))
    36
    """
    return tuple(card for card in _CARDS if card.rank >= low)


@cache
def beaters(top: Card, trump: Suit) -> frozenset[Card]:
    """Return every card that beats *top* for a mover whose own trump suit is *trump*."""
    return frozenset(card for card in _CARDS if card.beats(top, trump))


def parse_suit(text: str, field: str = "suit") -> Suit:
    """Return the suit that a letter names; *field* is what an error calls it."""
    if len(text) != 1 or text not in SUIT_LETTERS:
        raise NotationError(field, text, "one of C, D, H, S")
    return Suit(SUIT_LETTERS.index(text))


def parse_rank(text: str, field: str = "rank") -> Rank:
    """Return the rank that a letter names."""
    if len(text) != 1 or text not in RANK_LETTERS:
        raise NotationError(field, text, f"one of {RANK_LETTERS}")
    return Rank(RANK_LETTERS.index(text) + 2)


def parse_card(text: str, field: str = "card") -> Card:
    """Return the card that a code such as ``9H`` names."""
    try:
        return _BY_CODE[text]
    except KeyError:
        raise NotationError(field, text, "two characters a card, rank then suit, such as 9C or TH") from None


def parse_cards(text: str, field: str = "cards") -> Cards:
    """Return the cards of a text such as ``9HTC``, in the order written; ``-`` is none.

    >>> parse_cards("9HTC")
    (Card('9H'), Card('TC'))
    """
    if text == "-":
        return ()
    if not text:
        raise NotationError(field, text, "cards, or - for none")
    if len(text) % 2:
        raise NotationError(field, text, "two characters a card, rank then suit")
    return tuple(parse_card(text[i : i + 2], field) for i in range(0, len(text), 2))


def format_cards(cards: Cards) -> str:
    """Write *cards* as :func:`parse_cards` reads them."""
    return "".join(card.code for card in cards) or "-"
