"""A slow, plain solver on the core alone: what the engine's exact part is held against."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations
from pathlib import Path

from yourtrumps.core import PRESETS, Move, Phase, Position, Rank, Rules, Suit, pack, sort_cards

REFERENCE = Path(__file__).parent.parent / "reference"
TRUMPS = (Suit.CLUBS, Suit.DIAMONDS)

Key = tuple[int, int | None]
"""Value for the seat to move (1, 0, -1) and turns to the end."""


def turns_of(position: Position) -> Iterator[tuple[tuple[Move, ...], Position]]:
    """Yield every turn and what it leads to."""
    for move in position.legal_moves():
        after = position.after(move)
        if after.phase is not Phase.ADD:
            yield (move,), after
            continue
        for added in after.legal_moves():
            yield (move, added), after.after(added)


def solve_all(starts: Iterable[Position]) -> dict[Position, Key]:
    """Return value and distance of every ``lead`` and ``beat`` position that *starts* lead to."""
    after: dict[Position, list[Position]] = {}
    known: dict[Position, Key] = {}
    waiting = list(starts)
    while waiting:
        position = waiting.pop()
        if position in after or position in known:
            continue
        if position.is_over:
            outcome = position.outcome
            known[position] = (0, 0) if outcome.is_draw else (-1, 0)
            continue
        after[position] = [end for _, end in turns_of(position)]
        waiting += after[position]
    distance = 0
    left = dict(after)
    idle = 0
    while left and idle < 2:
        distance += 1
        found: dict[Position, Key] = {}
        for position, ends in left.items():
            values = [_mine(position, end, known) for end in ends]
            if (1, distance - 1) in values:
                found[position] = (1, distance)
            elif all(value is not None and value[0] == -1 for value in values):
                found[position] = (-1, distance)
        idle = 0 if found else idle + 1
        known |= found
        for position in found:
            del left[position]
    known |= dict.fromkeys(left, (0, None))
    return {position: known[position] for position in after}


def _mine(position: Position, end: Position, known: dict[Position, Key]) -> Key | None:
    """What *end* is worth to the seat that moves in *position*."""
    if end not in known:
        return None
    value, turns = known[end]
    return (value if end.seat == position.seat else -value), turns


def leads(rules: Rules, trumps: tuple[Suit, ...] = TRUMPS) -> Iterator[Position]:
    """Yield every position with an empty pile."""
    cards = pack(rules.low)
    for count in range(1, len(cards)):
        for hand in combinations(cards, count):
            other = sort_cards(set(cards) - set(hand))
            for seat in range(2):
                yield Position(rules, trumps, (hand, other), (), seat, Phase.LEAD)


@cache
def whole_game(may_decline: bool, pick_up: str, after_pick_up: str) -> dict[Position, Key]:
    """Solve the 8-card game with some options by the plain solver."""
    rules = Rules.of("duel", low=Rank.KING, may_decline=may_decline, pick_up=pick_up, after_pick_up=after_pick_up)
    return solve_all(leads(rules))


@cache
def whole_preset(name: str) -> dict[Position, Key]:
    """Solve the 8-card game of a preset by the plain solver."""
    rules = PRESETS[name]
    return whole_game(rules.may_decline, rules.pick_up.value, rules.after_pick_up.value)
