"""Choosing a move where hands are hidden: by search in many worlds that agree with all that the seat has seen.

Only a :class:`~yourtrumps.core.SeatView` comes in here, so nothing can be seen that the seat may not see. The known
limits of determinisation stay: it values neither keeping nor gaining knowledge (Frank and Basin, "Search in games with
incomplete information", 1998).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from ..core import Card, Deal, Move, OptionError, Position, SeatView, sort_cards
from ..core.cards import Cards

Evaluator = Callable[[Position, Random], Mapping[Move, float]]
"""Gives each legal move of a world a value for the seat to move, from 0 (lost) to 1 (won)."""

_PLAYOUT_MOVES: Final = 1000
_CARELESS: Final = 10
"""In how many of a hundred moves a playout takes any legal one, so that no two are the same."""


@dataclass(frozen=True)
class Choice:
    """A move, and what every legal move was worth on average."""

    move: Move
    values: Mapping[Move, float]
    worlds: int


def sample_worlds(view: SeatView, random: Random) -> Iterator[Position]:
    """Yield, without end, positions that agree with what *view* shows.

    Cards not seen are spread evenly over the hidden places: other hands, and out of play where not all are dealt. In a
    deal that gives each seat the lowest card of its trump suit, that card is still there if it has not been seen.
    """
    if view.viewer is None:
        raise OptionError("viewer", None, "a seat")
    if (known := view.position()) is not None:
        while True:
            yield known
    unseen = sorted(view.unseen())
    room = [count - len(shown) for count, shown in zip(view.counts, view.shown, strict=True)]
    room[view.viewer] = 0
    fixed = _fixed_cards(view, unseen, room)
    for seat, card in fixed.items():
        unseen.remove(card)
        room[seat] -= 1
    while True:
        cards = unseen.copy()
        random.shuffle(cards)
        hands: list[Cards] = []
        for seat, count in enumerate(room):
            drawn, cards = cards[:count], cards[count:]
            own = view.hand if seat == view.viewer else (*view.shown[seat], *drawn)
            hands.append(sort_cards((*own, fixed[seat]) if seat in fixed else own))
        yield Position(view.rules, view.trumps, tuple(hands), view.pile, view.seat, view.phase)


def _fixed_cards(view: SeatView, unseen: list[Card], room: list[int]) -> dict[int, Card]:
    """The unseen cards whose place follows from the deal."""
    if view.rules.deal is not Deal.LOWEST or not view.rules.is_whole_pack:
        return {}
    lowest = {seat: Card(trump, view.rules.low) for seat, trump in enumerate(view.trumps)}
    return {seat: card for seat, card in lowest.items() if card in unseen and room[seat] > 0}


def choose(
    view: SeatView,
    random: Random,
    evaluate: Evaluator | None = None,
    worlds: int = 40,
    seconds: float | None = None,
    stop: Callable[[], bool] | None = None,
) -> Choice:
    """Return the legal move that is best on average over sampled worlds; the first of equals.

    Parameters
    ----------
    random
        The only source of chance: the same view and the same state of it give the same choice if no time runs out.
    evaluate
        Values the moves of one world; :func:`playout_values` if not given.
    worlds
        How many to look at, fewer if *seconds* have passed or *stop* returns true, but at least one.
    """
    if not view.legal:
        raise OptionError("view", "no legal move", "a view of the seat to move")
    if worlds < 1:
        raise OptionError("worlds", worlds, "a number from 1")
    if len(view.legal) == 1:
        return Choice(view.legal[0], {view.legal[0]: 0.5}, 0)
    started = time.perf_counter()
    evaluate = evaluate or playout_values
    totals = dict.fromkeys(view.legal, 0.0)
    done = 0
    for world in sample_worlds(view, random):
        values = evaluate(world, Random(random.getrandbits(64)))
        for move in totals:
            totals[move] += values[move]
        done += 1
        is_late = seconds is not None and time.perf_counter() - started >= seconds
        if done >= worlds or is_late or (stop is not None and stop()):
            break
    averages = {move: total / done for move, total in totals.items()}
    return Choice(max(averages, key=averages.__getitem__), averages, done)


def playout_values(position: Position, random: Random, playouts: int = 30) -> dict[Move, float]:
    """Return the share of playouts after each legal move that the seat to move does not lose; draws count half.

    Every move meets the same dice, so that it is the moves that differ.
    """
    # Only here, as it brings numba along: to draw worlds needs none.
    import numpy as np

    from . import machine, playout

    code = machine.code(playout)
    seeds = np.array([random.randrange(1, 2**31 - 1) for _ in range(playouts)], np.int64)
    seat = position.seat
    return {
        move: 1 - float(code.loss_share(playout.load(position.after(move)), seat, seeds, _PLAYOUT_MOVES, _CARELESS))
        for move in position.legal_moves()
    }
