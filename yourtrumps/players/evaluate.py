"""What a position is worth to a seat before anyone has looked ahead."""

from __future__ import annotations

from functools import cache

from ..core import Position, Rank, Rules, Suit, pack
from ..core.cards import Cards

# Log-odds a card adds to its holder's chance of winning, from the lowest rank to the ace of a 36-card pack.
_OWN_TRUMP = (0.10, 0.15, 0.20, 0.25, 0.35, 0.45, 0.55, 0.70, 0.95)
_OTHERS_TRUMP = (-0.20, -0.15, -0.10, -0.05, 0.00, 0.10, 0.20, 0.35, 0.60)
_PLAIN = (-0.30, -0.25, -0.20, -0.15, -0.05, 0.05, 0.15, 0.25, 0.40)
# And what the number of cards in hand adds, at these sizes of hand in a 36-card pack.
_SIZES = (0, 1, 2, 3, 5, 7, 10, 15, 20, 25, 36)
_BY_SIZE = (3.0, 2.0, 1.2, 0.6, 0.0, 0.0, 0.1, 0.3, 0.4, 0.4, 0.0)


class Evaluator:
    """Values hands for one choice of rules and trump suits; the weights of 36 cards are stretched to other packs."""

    def __init__(self, rules: Rules, trumps: tuple[Suit, ...]) -> None:
        self.cards = tuple(_card_values(rules.low, trumps, seat) for seat in range(len(trumps)))
        self.sizes = _size_values(len(pack(rules.low)))

    def hand(self, seat: int, hand: Cards) -> float:
        """Return what *hand* is worth to *seat*."""
        values = self.cards[seat]
        return sum([values[card] for card in hand]) + self.sizes[len(hand)]

    def position(self, position: Position, seat: int) -> float:
        """Return what *position* is worth to *seat*: its hand against the worst of the others still playing.

        With more than two seats only one loses, so it is enough to stand better than one other.
        """
        hands = position.hands
        others = [self.hand(other, hand) for other, hand in enumerate(hands) if hand and other != seat]
        return self.hand(seat, hands[seat]) - min(others)


def _stretch(weights: tuple[float, ...], at: float) -> float:
    """Return the weight at the fraction *at* (0 to 1) of the way along *weights*."""
    place = at * (len(weights) - 1)
    low = min(int(place), len(weights) - 2)
    return weights[low] + (weights[low + 1] - weights[low]) * (place - low)


@cache
def _card_values(low: Rank, trumps: tuple[Suit, ...], seat: int) -> tuple[float, ...]:
    values = []
    for suit in Suit:
        weights = _OWN_TRUMP if suit is trumps[seat] else _OTHERS_TRUMP if suit in trumps else _PLAIN
        for rank in Rank:
            values.append(_stretch(weights, max(0, rank - low) / (Rank.ACE - low)))
    return tuple(values)


@cache
def _size_values(cards: int) -> tuple[float, ...]:
    values = []
    for count in range(cards + 1):
        # Only large hands stretch with the pack: two cards are as near the end in every game.
        size = count if count <= 5 else 5 + (count - 5) * 31 / max(1, cards - 5)
        step = next(step for step in range(1, len(_SIZES)) if size <= _SIZES[step])
        low, high = _SIZES[step - 1], _SIZES[step]
        share = (size - low) / (high - low)
        values.append(_BY_SIZE[step - 1] * (1 - share) + _BY_SIZE[step] * share)
    return tuple(values)
