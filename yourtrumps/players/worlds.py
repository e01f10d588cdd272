"""Whole positions that fit what a seat sees: how a player thinks where hands are hidden."""

from __future__ import annotations

import random
from collections.abc import Iterator

from ..core import Card, Position, SeatView, sort_cards


def sample_worlds(view: SeatView, chance: random.Random) -> Iterator[Position]:
    """Yield positions that *view* allows, without end, the unseen cards dealt out by *chance*; the same if it is whole.

    A hand holds what was seen going into it; the unseen cards fill the rest of each hand and what is out of play.
    """
    whole = view.position()
    unseen = list(view.unseen())
    while True:
        yield whole or _sample(view, unseen, chance)


def _sample(view: SeatView, unseen: list[Card], chance: random.Random) -> Position:
    cards = unseen.copy()
    chance.shuffle(cards)
    hands = []
    for seat, count in enumerate(view.counts):
        if seat == view.viewer:
            hands.append(view.hand)
            continue
        hidden = count - len(view.shown[seat])
        hands.append(sort_cards([*view.shown[seat], *cards[:hidden]]))
        del cards[:hidden]
    return Position(view.rules, view.trumps, tuple(hands), view.pile, view.seat, view.phase)
