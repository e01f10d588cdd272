"""What a player may use of proofs within its time: tables that are at hand, else a short proof search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..core import Move, Phase, Position
from .proof import Answer, Budget, ProofSearch
from .solve import table_solution

_MEGABYTES_A_SECOND: Final = 64
_LEAST_MEGABYTES: Final = 4
_MOST_MEGABYTES: Final = 256


def best_turn(
    position: Position, seconds: float | None, nodes: int | None, stop: Callable[[], bool]
) -> tuple[Move, ...] | None:
    """Return a turn that keeps the best value, or None where nothing is known.

    A table says it for sure, and the soonest win at that. Else a proof search looks for a win for at most *seconds* or
    *nodes* (both None: not at all).
    """
    known = table_solution(position)
    if known is not None:
        return _turn(position, known.line) if known.line else None
    if seconds is None and nodes is None:
        return None
    # Fresh memory costs time, and a short search fills little of it.
    wanted = _MEGABYTES_A_SECOND * (seconds or 0)
    search = ProofSearch(position, min(_MOST_MEGABYTES, max(_LEAST_MEGABYTES, wanted)))
    if search.wins(position.seat, Budget(seconds, nodes, stop)) is not Answer.YES:
        return None
    return _turn(position, search.line(position.seat))


def _turn(position: Position, line: tuple[Move, ...]) -> tuple[Move, ...] | None:
    """Return the first turn of a line: one move, or two."""
    if not line:
        return None
    after = position.after(line[0])
    is_split = after.phase is Phase.ADD and not after.is_over
    if is_split and len(line) < 2:
        return None
    return line[:2] if is_split else line[:1]
