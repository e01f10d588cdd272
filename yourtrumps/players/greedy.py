"""The player of rules of thumb: it looks at the cards it sees, never ahead."""

from __future__ import annotations

import random

from ..core import UP, Card, Move, Phase, Rank, SeatView, Suit, Up, next_seat
from ..core.cards import Cards
from .base import Control, check_asked

_WHOLE_PILE_IS_CHEAP = 2


class GreedyPlayer:
    """Beats as cheaply as it can, lays what the next seat cannot beat, and else gets rid of low plain cards.

    The seed only decides between cards that are equally good to it.
    """

    name = "Greedy"

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, view: SeatView, control: Control) -> Move:
        """Return the move that the rules of thumb give."""
        check_asked(view)
        control.report(1.0)
        cards = [move for move in view.legal if not isinstance(move, Up)]
        if not cards or declines(view):
            return UP
        worth = beat_cost if view.phase is Phase.BEAT else lay_cost
        return min(cards, key=lambda card: (worth(view, card), self._random.random()))


def declines(view: SeatView) -> bool:
    """Whether to pick up although a card would beat: only a short pile, and only to save a trump that is high."""
    if UP not in view.legal or len(view.pile) > _WHOLE_PILE_IS_CHEAP or view.viewer is None or len(view.hand) < 3:
        return False
    trump = view.trumps[view.viewer]
    return all(isinstance(move, Up) or (move.suit is trump and move.rank >= Rank.QUEEN) for move in view.legal)


def beat_cost(view: SeatView, card: Card) -> int:
    """How dear *card* is to beat with: its rank, own trumps above all plain cards."""
    return card.rank + (20 if view.viewer is not None and card.suit is view.trumps[view.viewer] else 0)


def lay_cost(view: SeatView, card: Card) -> int:
    """How dear it is to lead or add *card*: unbeatable cards first, low plain cards next, own trumps last."""
    if len(view.hand) == 1 or is_unbeatable(view, card):
        return beat_cost(view, card) - 50
    return beat_cost(view, card)


def answers(view: SeatView, card: Card) -> Cards:
    """The cards that may lie in the next seat's hand, for all the viewer knows, and beat *card*."""
    seat = next_seat(view.counts, view.seat)
    known = view.known_hand(seat)
    held = view.shown[seat] + view.unseen() if known is None else known
    trump: Suit = view.trumps[seat]
    return tuple(other for other in held if other.beats(card, trump))


def is_unbeatable(view: SeatView, card: Card) -> bool:
    """Whether the next seat surely cannot beat *card*."""
    return not answers(view, card)
