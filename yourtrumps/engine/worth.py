"""What positions and turns are worth, and counts of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ..core import Move
from .retrograde import ABSENT, DRAWN


@dataclass(frozen=True)
class Worth:
    """What a position or a turn is worth to the seat to move: 1 win, 0 draw, -1 loss, and in how many turns."""

    value: int
    turns: int | None

    @classmethod
    def of_code(cls, code: int) -> Worth | None:
        """Return what a table's byte says; None if the position is not in the table."""
        if code <= ABSENT:
            return None
        if code <= DRAWN:
            return DRAW
        return cls(1 if code & 1 else -1, code >> 1)


DRAW: Final = Worth(0, None)


@dataclass(frozen=True)
class Counts:
    """How many positions a table holds, both seats to move counted, and how they end."""

    positions: int
    won: int
    lost: int
    drawn: int
    endless: int
    """Those of the drawn from which play can go on for ever while both seats keep the draw."""
    longest: int
    """Turns of the longest win."""


@dataclass(frozen=True)
class TurnWorth:
    """A turn and what it is worth; None if the table does not reach that far."""

    moves: tuple[Move, ...]
    worth: Worth | None


def best_worth(worths: Iterable[Worth | None]) -> Worth | None:
    """Return the best of what some turns are worth: a soon win, else a draw, else a late loss; None if that is open."""
    best: Worth | None = None
    is_open = False
    for worth in worths:
        if worth is None:
            is_open = True
        elif best is None or rank_worth(worth) > rank_worth(best):
            best = worth
    return None if is_open and (best is None or best.value < 1) else best


def rank_worth(worth: Worth) -> int:
    """Return a number that is higher for what is better."""
    if worth.turns is None:
        return 0
    return worth.value * (1000 - worth.turns)
