"""What everyone at the table remembers: repeated positions, and cards seen going into a hand."""

from __future__ import annotations

from collections.abc import Iterable

from .cards import Cards, sort_cards
from .position import Move, Phase, Position, Up

THREEFOLD = 3
"""A position that occurs this often ends the game in a draw."""


class Repetitions:
    """Counts how often each position has occurred; supports taking moves back.

    Positions in which a card is to be added are passed over: each follows from one position only,
    so it can never be the first to occur for the third time.
    """

    def __init__(self) -> None:
        self._counts: dict[Position, int] = {}

    def add(self, position: Position) -> int:
        """Note that *position* is on the table and return how often it has been there."""
        if position.phase is Phase.ADD:
            return 1
        count = self._counts.get(position, 0) + 1
        self._counts[position] = count
        return count

    def copy(self) -> Repetitions:
        """Return a count of its own with the same positions in it."""
        copy = Repetitions()
        copy._counts = self._counts.copy()
        return copy

    def remove(self, position: Position) -> None:
        """Take back the last :meth:`add` of *position*."""
        if position.phase is not Phase.ADD:
            self._counts[position] -= 1
            if not self._counts[position]:
                del self._counts[position]

    def count(self, position: Position) -> int:
        """How often *position* has occurred, at least 1."""
        return self._counts.get(position, 1)


def shown_cards(start: Position, moves: Iterable[Move]) -> tuple[Cards, ...]:
    """Return for each seat the cards that all have seen go into its hand and not come out again.

    What is picked up from the pile was open, so everyone knows who holds it until it is laid again.
    """
    shown: tuple[Cards, ...] = tuple(() for _ in start.hands)
    position = start
    for move in moves:
        shown = shown_after(shown, position, move)
        position = position.after(move)
    return shown


def shown_after(shown: tuple[Cards, ...], position: Position, move: Move) -> tuple[Cards, ...]:
    """Return what is *shown* of each hand once *move* is played in *position*: one step of :func:`shown_cards`."""
    held = shown[position.seat]
    if isinstance(move, Up):
        held = sort_cards(held + position.pile[len(position.pile) - position.pick_up_count() :])
    else:
        held = tuple(card for card in held if card is not move)
    return (*shown[: position.seat], held, *shown[position.seat + 1 :])
