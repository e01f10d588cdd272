"""Plain alpha-beta over the core: iterative deepening, a transposition table, late moves looked at less deeply."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final, NamedTuple

from ..core import UP, Move, Phase, Position, next_seat
from ..core.cards import beaters
from .base import Control
from .evaluate import Evaluator

WIN: Final = 1000.0
"""The value of a win at once; a win later is worth one less a move."""
_DRAW: Final = 0.0
_SURE: Final = WIN - 500
_FULL_DEPTH_MOVES: Final = 3
_WIDEST: Final = 8
_CHECK_EVERY: Final = 64
_MOST_PLIES: Final = 200


class _Entry(NamedTuple):
    depth: int
    value: float
    bound: int
    """-1: the value is at most this, 0: it is this, 1: it is at least this."""
    best: Move | None


@dataclass(frozen=True, slots=True)
class Scored:
    """A move at the root and its value to the seat to move."""

    move: Move
    value: float


class _TimeIsUp(Exception):
    """Unwinds the search; never leaves this module."""


class Search:
    """Searches one position for its seat to move; all other seats are taken to play against it.

    Depth counts turns. Repeating a position on the path is a draw.
    """

    def __init__(self, position: Position, control: Control, seconds: float | None = None, nodes: int | None = None):
        self.position = position
        self.me = position.seat
        self.nodes = 0
        self.depth = 0
        """The depth of the last iteration that came to its end."""
        self._control = control
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._most_nodes = nodes
        self._evaluator = Evaluator(position.rules, position.trumps)
        self._table: dict[Position, _Entry] = {}
        self._path: set[Position] = set()
        self._repetitions = 0

    def run(self, most_depth: int) -> list[Scored]:
        """Return the legal moves, best first, as valued by the deepest iteration that time allowed.

        Values below the best are upper bounds.
        """
        order = [Scored(move, _DRAW) for move in self._ordered(self.position, None)]
        for depth in range(1, most_depth + 1):
            done: list[Scored] = []
            try:
                self._root(depth, order, done)
            except _TimeIsUp:
                # What was begun with the best move so far counts as far as it came.
                return _merge(done, order)
            order = _merge(done, order)
            self.depth = depth
            self._control.report(depth / most_depth)
            if len(order) == 1 or _is_settled(order[0].value, depth):
                break
        return order

    def exact(self, depth: int) -> list[Scored]:
        """Return every legal move with its own value at *depth*, best first."""
        done = []
        self._path = {self.position}
        for move in self._ordered(self.position, None):
            done.append(Scored(move, self._child(self.position, self.position.after(move), depth, -WIN, WIN, 0)))
        return _merge(done, [])

    def _root(self, depth: int, order: list[Scored], done: list[Scored]) -> None:
        self._path = {self.position}
        alpha = -WIN
        for scored in order:
            child = self.position.after(scored.move)
            if not done:
                value = self._child(self.position, child, depth, -WIN, WIN, 0)
            else:
                value = self._child(self.position, child, depth, alpha, alpha + 1e-3, 0)
                if value > alpha:
                    value = self._child(self.position, child, depth, alpha, WIN, 0)
            done.append(Scored(scored.move, value))
            alpha = max(alpha, value)

    def _child(self, parent: Position, child: Position, depth: int, alpha: float, beta: float, ply: int) -> float:
        """Value *child* from the side of the seat to move in *parent*; adding belongs to the turn it ends."""
        if child.phase is not Phase.ADD:
            depth -= 1
        if (child.seat == self.me) == (parent.seat == self.me):
            return self._value(child, depth, alpha, beta, ply + 1)
        return -self._value(child, depth, -beta, -alpha, ply + 1)

    def _value(self, position: Position, depth: int, alpha: float, beta: float, ply: int) -> float:
        self.nodes += 1
        if self.nodes % _CHECK_EVERY == 0:
            self._check_time()
        sign = 1 if position.seat == self.me else -1
        if position.is_over or not position.hands[self.me]:
            return sign * self._end(position, ply)
        adding = position.phase is Phase.ADD
        if not adding:
            if position in self._path:
                self._repetitions += 1
                return _DRAW
            if depth <= 0 or ply >= _MOST_PLIES:
                return sign * self._leaf(position, ply)
        entry = self._table.get(position)
        if entry and entry.depth >= depth and _decides(entry, alpha, beta):
            return entry.value
        return self._best(position, depth, alpha, beta, ply, entry.best if entry else None)

    def _best(self, position: Position, depth: int, alpha: float, beta: float, ply: int, first: Move | None) -> float:
        adding = position.phase is Phase.ADD
        repetitions = self._repetitions
        if not adding:
            self._path.add(position)
        best, best_move, floor = -WIN, None, alpha
        for index, move in enumerate(self._ordered(position, first)[:_WIDEST]):
            child = position.after(move)
            if index == 0:
                value = self._child(position, child, depth, alpha, beta, ply)
            else:
                reduced = depth - 1 if index >= _FULL_DEPTH_MOVES and depth > 1 else depth
                value = self._child(position, child, reduced, alpha, alpha + 1e-3, ply)
                if value > alpha and (reduced < depth or value < beta):
                    value = self._child(position, child, depth, alpha, beta, ply)
            if value > best:
                best, best_move = value, move
                alpha = max(alpha, value)
                if alpha >= beta:
                    break
        if not adding:
            self._path.discard(position)
        # A draw by repetition holds on this path only.
        if best != _DRAW or repetitions == self._repetitions:
            bound = 1 if best >= beta else 0 if best > floor else -1
            self._table[position] = _Entry(depth, best, bound, best_move)
        return best

    def _ordered(self, position: Position, first: Move | None) -> list[Move]:
        """The legal moves, likely best first."""
        moves = position.legal_moves()
        if len(moves) < 2:
            return list(moves)
        if position.phase is Phase.BEAT:
            worth = self._evaluator.cards[position.seat]
            order: list[Move] = [*sorted(position.beating(), key=lambda card: worth[card])]
            order += [UP] if moves[-1] is UP else []
        else:
            order = self._ordered_to_lay(position)
        if first is not None and order[0] != first:
            order.remove(first)
            order.insert(0, first)
        return order

    def _ordered_to_lay(self, position: Position) -> list[Move]:
        """The hand, cards that few cards of the next seat beat first."""
        worth = self._evaluator.cards[position.seat]
        seat = next_seat(position.hands, position.seat)
        trump = position.trumps[seat]
        other = frozenset(position.hands[seat])
        keys = {card: len(other & beaters(card, trump)) + 2 * worth[card] for card in position.hand}
        return [*sorted(position.hand, key=lambda card: keys[card])]

    def _end(self, position: Position, ply: int) -> float:
        """The value to ``me`` where play is over, or over for it."""
        outcome = position.outcome
        if outcome and outcome.is_draw:
            return _DRAW
        return ply - WIN if outcome and self.me in outcome.losers else WIN - ply

    def _leaf(self, position: Position, ply: int) -> float:
        """The value to ``me`` of a position not looked into; a mover who must pick up does so first."""
        if position.phase is Phase.BEAT and not position.beating():
            position = position.after(UP)
        return self._evaluator.position(position, self.me)

    def _check_time(self) -> None:
        late = self._deadline is not None and time.monotonic() >= self._deadline
        if late or self._control.is_over or (self._most_nodes is not None and self.nodes >= self._most_nodes):
            raise _TimeIsUp


def _is_settled(value: float, depth: int) -> bool:
    """Whether *value* is an end that the search has looked well past; nearer, moves left out may still change it."""
    return abs(value) > _SURE and WIN - abs(value) <= depth - 2


def _decides(entry: _Entry, alpha: float, beta: float) -> bool:
    return entry.bound == 0 or (entry.bound > 0 and entry.value >= beta) or (entry.bound < 0 and entry.value <= alpha)


def _merge(done: list[Scored], order: list[Scored]) -> list[Scored]:
    """The searched moves, best first, then those not searched in the order they had."""
    searched = {scored.move for scored in done}
    # The sort is stable: among equals, the one that came first stays first.
    return sorted(done, key=lambda scored: -scored.value) + [old for old in order if old.move not in searched]
