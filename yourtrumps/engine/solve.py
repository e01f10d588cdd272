"""Exact values of positions: from a table where one is at hand or soon made, else by proof, else unknown."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, Final

from ..core import Move, NotationError, OptionError, Phase, Position, Rank, Rules, format_move, parse_position
from .proof import Budget
from .prover import Prover
from .smallgame import MOST_CARDS, Numbering, Options, Shape, numbering
from .tablebase import Tablebase, cards_in_play, table_path
from .worth import TurnWorth, Worth, best_worth

DEFAULT_SECONDS: Final = 10.0
"""How long to search for a proof where no table can be had and no limit was given."""
QUICK_CARDS: Final = 9
"""So many cards make a table in next to no time."""
_BUILD_SECONDS: Final = {10: 4.0, 11: 25.0, 12: 150.0}
_TABLES_KEPT: Final = 24
_LONGEST_LINE: Final = 200


@dataclass(frozen=True)
class Solution:
    """What a position is worth to the seat to move, as far as it is proved."""

    value: str
    """``win``, ``draw``, ``loss``, or ``unknown``."""
    turns: int | None = None
    """Turns to the end with best play, this one included; None for draws, and where only the value is proved."""
    best: tuple[Move, ...] = ()
    """The moves that keep the value, in the order of ``legal_moves``; to beat, the cards with which some turn does."""
    line: tuple[Move, ...] = ()
    """Moves that show it."""
    nodes: int = 0
    seconds: float = 0.0
    is_complete: bool = True
    """Whether every move that is not in ``best`` is known not to keep the value."""


_UNKNOWN: Final = Solution("unknown", is_complete=False)
_NAMES: Final = {1: "win", 0: "draw", -1: "loss"}


def solve(
    position: Position,
    seconds: float | None = None,
    nodes: int | None = None,
    memory_mb: float = 256,
    stop: Callable[[], bool] | None = None,
) -> Solution:
    """Return the exact value of *position* with perfect play; endless play is a draw.

    A table answers where one is on disk, in memory, or made in a moment (up to nine cards in play). Else two
    searches look for a proof, for ten seconds if not told otherwise; they know no exact number of turns. Where they
    fail with up to twelve cards, and the limits allow, the whole game is solved in memory: a minute, once a process.

    Parameters
    ----------
    seconds, nodes
        Limits; *nodes* counts positions searched for a proof.
    memory_mb
        For the tables of the searches; a table for the whole game may take 1.5 GB while it is made.
    stop
        Asked now and then; the search ends as ``unknown`` once it returns true.
    """
    started = time.perf_counter()
    budget = Budget(seconds, nodes, stop)
    if not memory_mb > 0:
        raise OptionError("memory", memory_mb, "a number of MB above 0")
    solution = _solve(position, budget, memory_mb)
    return replace(solution, seconds=time.perf_counter() - started)


def _solve(position: Position, budget: Budget, memory_mb: float) -> Solution:
    if position.is_over:
        outcome = position.outcome
        return Solution("draw" if outcome and outcome.is_draw else "loss", 0)
    small = _as_two_seats(position)
    if small is None:
        return _UNKNOWN
    count = len(cards_in_play(small))
    is_unlimited = budget.seconds is None and budget.nodes is None
    if count <= MOST_CARDS:
        turns = _TABLES.turns(small, may_build=count <= QUICK_CARDS, stop=budget.stop)
        if turns is not None:
            return _from_turns(small, turns)
    if budget.seconds is None and budget.nodes is None:
        budget.seconds = DEFAULT_SECONDS
    solution = _prove(small, budget, memory_mb)
    if solution.is_complete or count > MOST_CARDS:
        return solution
    if is_unlimited or (budget.seconds is not None and budget.seconds - budget.spent > _BUILD_SECONDS[count]):
        return _from_turns(small, _TABLES.turns(small, may_build=True, stop=budget.stop) or [])
    return solution


def _as_two_seats(position: Position) -> Position | None:
    """Return the same position with two seats, if no more still hold cards: who is out only watches."""
    if len(position.hands) == 2:
        return position
    left = [seat for seat, hand in enumerate(position.hands) if hand]
    if len(left) != 2:
        return None
    return replace(
        position,
        rules=replace(position.rules, players=2, cards_each=None),
        trumps=tuple(position.trumps[seat] for seat in left),
        hands=tuple(position.hands[seat] for seat in left),
        seat=left.index(position.seat),
    )


# Tables


class _Tables:
    """The tables at hand in this process: from disk, or made in memory."""

    def __init__(self) -> None:
        self._kept: OrderedDict[object, Tablebase] = OrderedDict()
        self._missing: set[object] = set()
        self._lock = Lock()

    def turns(
        self, position: Position, may_build: bool, stop: Callable[[], bool] | None = None
    ) -> list[TurnWorth] | None:
        """Return what every turn is worth, or None if no table knows."""
        known = numbering(cards_in_play(position), position.trumps)
        options = Options.of(position.rules)
        with self._lock:
            table = self._whole(position.rules, known.shape, options)
            if table is None and may_build:
                table = Tablebase.build(known.shape, options, stop=stop)
                self._keep((known.shape, options), table)
            if table is None:
                return None
            turns = table.turns(position, known)
            if all(turn.worth for turn in turns) or not may_build:
                return turns if all(turn.worth for turn in turns) else None
            # A pile that no play can make: solve the game from here.
            sources = _sources(position, known)
            key = (known.shape, options, tuple(sources))
            table = self._kept.get(key)
            if table is None:
                table = Tablebase.build(known.shape, options, stop=stop, sources=sources)
                self._keep(key, table)
            return table.turns(position, known)

    def _whole(self, rules: Rules, shape: Shape, options: Options) -> Tablebase | None:
        key = (shape, options)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if shape.size <= QUICK_CARDS or shape != Shape.of_pack(shape.size // 4):
            return None
        path = table_path(replace(rules, low=Rank(15 - shape.size // 4), players=2, cards_each=None))
        if path in self._missing:
            return None
        if not path.exists():
            self._missing.add(path)
            return None
        table = Tablebase.open(path, shape, options)
        self._keep(key, table)
        return table

    def _keep(self, key: object, table: Tablebase) -> None:
        self._kept[key] = table
        if len(self._kept) > _TABLES_KEPT:
            self._kept.popitem(last=False)

    def forget(self) -> None:
        """Drop all tables, so that files are looked for again."""
        with self._lock:
            self._kept.clear()
            self._missing.clear()


_TABLES: Final = _Tables()


def forget_tables() -> None:
    """Drop the tables held in memory, so that files that have come or gone since are noticed."""
    _TABLES.forget()


def _sources(position: Position, known: Numbering) -> list[tuple[int, tuple[int, ...]]]:
    starts = [position]
    if position.phase is Phase.ADD:
        starts = [after for after in map(position.after, position.hand) if not after.is_over]
    return [
        (known.frames[start.seat], tuple(known.places[start.seat][card] for card in start.pile)) for start in starts
    ]


def _from_turns(position: Position, turns: list[TurnWorth]) -> Solution:
    worth = best_worth(turn.worth for turn in turns)
    if worth is None:
        return _UNKNOWN
    keeping = {turn.moves[0] for turn in turns if turn.worth and turn.worth.value == worth.value}
    best = tuple(move for move in position.legal_moves() if move in keeping)
    return Solution(_NAMES[worth.value], worth.turns, best, _first_moves(turns, worth), len(turns))


def _first_moves(turns: list[TurnWorth], worth: Worth) -> tuple[Move, ...]:
    return next(turn.moves for turn in turns if turn.worth == worth)


def table_solution(position: Position) -> Solution | None:
    """Return what a table says that is at hand, or made in a moment; None where there is none."""
    small = _as_two_seats(position)
    if small is None or position.is_over:
        return None
    count = len(cards_in_play(small))
    if count > MOST_CARDS:
        return None
    turns = _TABLES.turns(small, may_build=count <= QUICK_CARDS)
    return None if turns is None else _from_turns(small, turns)


def table_line(position: Position) -> tuple[Move, ...]:
    """Return the moves of best play from a table: the shortest win against the longest defence, or a draw's beginning.

    Empty where no table is at hand.
    """
    line: list[Move] = []
    seen = set()
    here = _as_two_seats(position)
    if here is None or len(cards_in_play(here)) > MOST_CARDS:
        return ()
    position = here
    while not position.is_over and position not in seen and len(line) < _LONGEST_LINE:
        seen.add(position)
        turns = _TABLES.turns(position, may_build=len(cards_in_play(position)) <= QUICK_CARDS)
        worth = best_worth(turn.worth for turn in turns or [])
        if turns is None or worth is None:
            break
        for move in _first_moves(turns, worth):
            line.append(move)
            position = position.after(move)
    return tuple(line)


# Proofs


def _prove(position: Position, budget: Budget, memory_mb: float) -> Solution:
    prover = Prover(position, memory_mb)
    value = prover.value(budget)
    if value is None:
        return replace(_UNKNOWN, nodes=prover.nodes)
    moves = position.legal_moves()
    if value < 0:
        return Solution("loss", None, moves, prover.line(1 - position.seat), prover.nodes)
    keeping, complete = [], True
    for move in moves:
        keeps = prover.keeps(move, value, budget)
        if keeps:
            keeping.append(move)
        complete = complete and keeps is not None
    line = prover.line(position.seat) if value > 0 else ()
    return Solution(_NAMES[value], None, tuple(keeping), line, prover.nodes, is_complete=complete)


# Text


def solution_json(code: str, solution: Solution) -> dict[str, Any]:
    """Return what ``yourtrumps solve`` prints for one position."""
    return {
        "code": code,
        "value": solution.value,
        "turns": solution.turns,
        "best": [format_move(move) for move in solution.best],
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 6),
    }


def solve_many(
    lines: Iterable[str], seconds: float | None = None, nodes: int | None = None, memory_mb: float = 256
) -> Iterator[dict[str, Any]]:
    """Solve one position code a line, in order; empty lines are passed over.

    A line that is no position raises :class:`NotationError` with its number; those before it have been answered.
    """
    for number, line in enumerate(lines, 1):
        code = line.strip()
        if not code:
            continue
        try:
            position = parse_position(code)
        except NotationError as error:
            raise NotationError(f"line {number}: {error.field}", error.text, error.expected) from None
        yield solution_json(code, solve(position, seconds, nodes, memory_mb))
