"""What a search thought, step by step: values and lines at each depth, changes of mind, a sample of the tree.

A :class:`Trace` listens to a search between its depths and reads lines out of its table, so a search without one pays
nothing, and a search with one pays for little more than reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ..core import Move, Position, format_move, format_position, format_turn
from . import alphabeta, machine
from .alphabeta import EXACT, LOWER, NONE, UPPER
from .evaluate import new_array, shares
from .kernel import HASH, SEAT, move_of, moves_of, number_of
from .search import Found, Scored, Search, Turn, chance_of
from .solve import Solution, table_solution

LONGEST_LINE: Final = 40
_BOUNDS: Final = {EXACT: "exact", LOWER: "at least", UPPER: "at most", NONE: "not searched"}


@dataclass(frozen=True, slots=True)
class RootTurn:
    """A turn that was weighed at the root, at one depth."""

    scored: Scored
    line: tuple[Move, ...]
    """The moves expected, the turn's own first; for a turn that was rejected they show how it is refuted."""


@dataclass(frozen=True, slots=True)
class Iteration:
    """What one finished depth has found."""

    depth: int
    seconds: float
    """Since the search began."""
    nodes: int
    turns: tuple[RootTurn, ...]
    """All turns, best first."""

    @property
    def best(self) -> RootTurn:
        """The turn to choose at this depth."""
        return self.turns[0]


@dataclass(frozen=True, slots=True)
class Change:
    """A change of mind: at *depth* the best turn became another, as the line shows what is wrong with the former."""

    depth: int
    before: Turn
    after: Turn
    value_before: int
    """What the former best turn was worth one depth earlier."""
    value_now: int
    """What it is worth now, at most."""
    refutation: tuple[Move, ...]
    """The former best turn and the answer to it that was found."""


@dataclass(frozen=True, slots=True)
class Node:
    """A position of the tree as the search's table remembers it."""

    moves: tuple[Move, ...]
    """The moves that lead here from the root."""
    seat: int
    """Who moves here; ``value`` is for this seat."""
    value: int | None
    bound: int
    depth: int
    children: tuple[Node, ...]


class Trace:
    """Records a search: give :meth:`record` to its ``on_depth``.

    Attributes
    ----------
    iterations
        One a finished depth.
    changes
        Where the best turn changed, and why.
    shares
        The evaluation of the position itself, split into its features, in logits for the seat to move.
    """

    def __init__(self, search: Search) -> None:
        self.search = search
        self.position: Position = search.position
        self.iterations: list[Iteration] = []
        self.changes: list[Change] = []
        self.shares: dict[str, float] = shares(search.position)
        self._array = new_array(search.position)
        self._line = np.zeros(LONGEST_LINE, np.int64)
        self._listeners: list[Callable[[Iteration], None]] = []

    def listen(self, listener: Callable[[Iteration], None]) -> None:
        """Call *listener* with each finished depth, in the thread that searches."""
        self._listeners.append(listener)

    def record(self, found: Found) -> None:
        """Note a finished depth."""
        turns = tuple(RootTurn(scored, self._follow(scored.turn)) for scored in found.turns)
        iteration = Iteration(found.depth, found.seconds, found.nodes, turns)
        if self.iterations:
            self._note_change(self.iterations[-1], iteration)
        self.iterations.append(iteration)
        for listener in self._listeners:
            listener(iteration)

    def _note_change(self, last: Iteration, now: Iteration) -> None:
        before = last.best.scored
        if before.turn == now.best.scored.turn:
            return
        then = next(turn for turn in now.turns if turn.scored.turn == before.turn)
        self.changes.append(
            Change(now.depth, before.turn, now.best.scored.turn, before.value, then.scored.value, then.line)
        )

    def _follow(self, turn: Turn) -> tuple[Move, ...]:
        for at, move in enumerate(turn):
            self._line[at] = number_of(move)
        code = machine.code(alphabeta)
        length = int(code.follow(self._array, self.search.memory.table, self._line, len(turn)))
        return tuple(move_of(move) for move in self._line[:length].tolist())

    @property
    def exact(self) -> Solution | None:
        """What a table says of the position for sure, where one is at hand."""
        return table_solution(self.position)

    def tree(self, depth: int = 2, width: int = 4) -> Node:
        """Return the tree that the search's table remembers, *depth* moves deep, the *width* best-known moves of each.

        Moves come in the order of their value for who makes them; what the table has forgotten comes last.
        """
        return self._node((), depth, width)

    def _node(self, moves: tuple[Move, ...], depth: int, width: int) -> Node:
        x, code = self._array, machine.plain(alphabeta)
        value, bound, searched = self._known()
        children: list[tuple[float, Node]] = []
        if depth > 0 and not code.is_over(x):
            seat = int(x[SEAT])
            for move in moves_of(int(code.legal_mask(x))):
                number = number_of(move)
                undo = code.make(x, number)
                worth = self._known()[0]
                sign = 1 if int(x[SEAT]) == seat else -1
                rank = float("-inf") if worth is None else sign * worth
                children.append((rank, self._node((*moves, move), 0, 0)))
                code.unmake(x, number, undo)
            children.sort(key=lambda child: -child[0])
            children = children[:width]
        grown = tuple(self._grown(node, depth - 1, width) for _, node in children)
        return Node(moves, int(x[SEAT]), value, bound, searched, grown)

    def _grown(self, node: Node, depth: int, width: int) -> Node:
        if depth <= 0:
            return node
        number = number_of(node.moves[-1])
        undo = machine.plain(alphabeta).make(self._array, number)
        grown = self._node(node.moves, depth, width)
        machine.plain(alphabeta).unmake(self._array, number, undo)
        return grown

    def _known(self) -> tuple[int | None, int, int]:
        code = machine.plain(alphabeta)
        data = int(code.probe(self.search.memory.table, int(self._array[HASH])))
        if data == 0 or code.data_bound(data) == NONE:
            return None, NONE, 0
        return code.data_value(data, 0), code.data_bound(data), code.data_depth(data)

    def as_json(self) -> dict[str, Any]:
        """Return all of it but the tree in plain values, as ``yourtrumps analyse --json`` prints it."""
        exact = self.exact
        return {
            "code": format_position(self.position),
            "exact": exact and {"value": exact.value, "turns": exact.turns},
            "shares": {name: round(share, 4) for name, share in self.shares.items()},
            "iterations": [
                {
                    "depth": iteration.depth,
                    "seconds": round(iteration.seconds, 4),
                    "nodes": iteration.nodes,
                    "turns": [_turn_json(turn) for turn in iteration.turns],
                }
                for iteration in self.iterations
            ],
            "changes": [
                {
                    "depth": change.depth,
                    "before": format_turn(change.before),
                    "after": format_turn(change.after),
                    "value_before": change.value_before,
                    "value_now": change.value_now,
                    "refutation": _moves_json(change.refutation),
                }
                for change in self.changes
            ],
        }


def _turn_json(turn: RootTurn) -> dict[str, Any]:
    scored = turn.scored
    return {
        "turn": format_turn(scored.turn),
        "value": scored.value,
        "bound": _BOUNDS[scored.bound],
        "chance": round(chance_of(scored.value), 4),
        "proved": {1: "win", -1: "loss", None: None}[scored.proved],
        "turns": scored.turns,
        "nodes": scored.nodes,
        "line": _moves_json(turn.line),
    }


def _moves_json(moves: Iterable[Move]) -> list[str]:
    return [format_move(move) for move in moves]
