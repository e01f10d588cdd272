"""Counting move sequences, to compare one implementation of the rules with another."""

from __future__ import annotations

from .errors import OptionError
from .position import Position


def perft(position: Position, depth: int) -> list[int]:
    """Return the number of move sequences of length 1, 2, …, *depth* from *position*; repetition is ignored.

    >>> from yourtrumps.core.notation import parse_position
    >>> perft(parse_position("Q CS QDKDADKHAHKS/QCKCACQHQSAS - 0 lead"), 4)
    [6, 11, 55, 62]
    """
    if depth < 1:
        raise OptionError("depth", depth, "a number from 1")
    counts = [0] * depth
    _count(position, 0, counts)
    return counts


def _count(position: Position, level: int, counts: list[int]) -> None:
    moves = position.legal_moves()
    counts[level] += len(moves)
    if level + 1 < len(counts):
        for move in moves:
            _count(position.after(move), level + 1, counts)
