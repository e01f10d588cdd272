"""Iterative deepening over :mod:`.alphabeta`: limits, threads, and a result that can be read.

>>> from yourtrumps.core import parse_position
>>> found = Search(parse_position("6 SH 9STC/8HTDAD QCKC 0 beat")).run(depth=6)
>>> found.best.proved, found.best.turns
(1, 1)
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from ..core import Move, OptionError, Phase, Position
from . import alphabeta, machine, room
from .alphabeta import (
    ENTRY_BYTES,
    EXACT,
    INFINITE,
    LOWER,
    NONE,
    SURE,
    UPPER,
    WIN,
    new_table,
)
from .evaluate import Ints, Weights, new_array, winning_chance
from .kernel import HASH, load, number_of
from .layout import AGE, BASE, LIMIT, MOST_HISTORY, NODES, PATH, SEEN, SLOTS, STOP, STOPPED

DEEPEST: Final = 60
_LEAST_ENTRIES: Final = 1 << 10
_WINDOW: Final = 350
_WATCH: Final = 0.002
_UNLIMITED: Final = 1 << 60

Turn = tuple[Move, ...]
"""One or two moves that a seat makes in a row."""


def turns_of(position: Position) -> tuple[Turn, ...]:
    """Return every turn that the seat to move may make; in the phase ``add``, what is left of it."""
    turns: list[Turn] = []
    for move in position.legal_moves():
        after = position.after(move)
        if after.phase is Phase.ADD and not after.is_over:
            turns += [(move, card) for card in after.hand]
        else:
            turns.append((move,))
    return tuple(turns)


def position_key(position: Position) -> int:
    """Return the hash of a position, by which a search knows it again."""
    return int(load(position)[HASH])


class Memory:
    """What searches remember of positions; give the same one to the searches of one game.

    Parameters
    ----------
    megabytes
        Rounded down to a power of two of entries; fewer where the machine has less to give: see :attr:`megabytes`.
    """

    def __init__(self, megabytes: float = 64) -> None:
        self.table = room.new_table(new_table, megabytes, ENTRY_BYTES, _LEAST_ENTRIES)
        self._age = 0

    @property
    def megabytes(self) -> float:
        """What the table takes."""
        return self.table.nbytes / (1 << 20)

    def next_age(self) -> int:
        """Return a new number for a search."""
        self._age = self._age % 255 + 1
        return self._age

    def clear(self) -> None:
        """Forget everything."""
        self.table[:] = 0


@dataclass(frozen=True, slots=True)
class Scored:
    """A turn at the root and what it is worth to the seat to move."""

    turn: Turn
    value: int
    """In thousandths of a logit, or ``WIN - n`` for a proved win in *n* turns (``n - WIN`` for a loss)."""
    bound: int
    """``EXACT``, ``LOWER``, ``UPPER``: it is that much, at least, at most; ``NONE``: not searched at this depth."""
    nodes: int = 0

    @property
    def chance(self) -> float:
        """The chance to win, from 0 to 1."""
        return chance_of(self.value)

    @property
    def proved(self) -> int | None:
        """1 for a proved win, -1 for a proved loss, else None."""
        if self.value > SURE and self.bound in (EXACT, LOWER):
            return 1
        return -1 if self.value < -SURE and self.bound in (EXACT, UPPER) else None

    @property
    def turns(self) -> int | None:
        """Turns to the proved end along the line found; it need not be the shortest."""
        return None if self.proved is None else WIN - abs(self.value)


def chance_of(value: int) -> float:
    """Return the chance to win that a value stands for: 1 and 0 where it is proved."""
    return 1.0 if value > SURE else 0.0 if value < -SURE else winning_chance(value)


@dataclass(frozen=True, slots=True)
class Found:
    """What a search has found when it ended, or when a depth was done."""

    turns: tuple[Scored, ...]
    """All turns, best first. Behind the first, values are mostly upper bounds."""
    depth: int
    """The last depth, in turns, that was searched to its end; 0 if none was."""
    nodes: int
    seconds: float

    @property
    def best(self) -> Scored:
        """The turn to choose."""
        return self.turns[0]


class Search:
    """Searches one position of two seats whose hands are all known.

    Parameters
    ----------
    memory
        Kept between searches if given; else 64 MB of its own.
    threads
        All on one table. More than the machine has cores slow it down.
    history
        The :func:`position_key` of earlier positions of the game: to come back to one counts as a draw.
    weights
        Those that fit the position if not given.
    """

    def __init__(
        self,
        position: Position,
        memory: Memory | None = None,
        threads: int = 1,
        history: Sequence[int] = (),
        weights: Weights | None = None,
    ) -> None:
        if not 1 <= threads <= 256:
            raise OptionError("threads", threads, "a number from 1 to 256")
        if position.is_over:
            raise OptionError("position", "a game that is over", "one with a move to make")
        self.position = position
        self.memory = memory or Memory()
        self.turns = turns_of(position)
        self.depth = 0
        """The depth being searched."""
        self._start = new_array(position, weights)
        for place, key in enumerate(history[-MOST_HISTORY:]):
            self._start[PATH + place] = key
            self._start[SEEN + (key & (SLOTS - 1))] += 1
        self._start[BASE] = min(len(history), MOST_HISTORY)
        self._pairs = np.array(
            [[number_of(turn[0]), number_of(turn[1]) if len(turn) > 1 else -1] for turn in self.turns], np.int64
        )
        self._arrays = [self._start, *(self._start.copy() for _ in range(threads - 1))]

    @property
    def nodes(self) -> int:
        """Positions searched so far, by all threads."""
        return sum(int(x[NODES]) for x in self._arrays)

    def stop(self) -> None:
        """Bring :meth:`run` to its end at once, from any thread."""
        for x in self._arrays:
            x[STOP] = 1

    def run(
        self,
        seconds: float | None = None,
        nodes: int | None = None,
        depth: int = DEEPEST,
        stop: Callable[[], bool] | None = None,
        on_depth: Callable[[Found], None] | None = None,
        full: bool = False,
    ) -> Found:
        """Search until a limit is reached, *stop* returns true, or the end is proved; return what was found.

        Parameters
        ----------
        nodes
            At most so many a thread. With this limit and one thread the result is the same on every machine.
        on_depth
            Called after each finished depth, in this thread.
        full
            Give every turn a value of its own, not only the best one: slower by far.
        """
        if seconds is not None and not seconds > 0:
            raise OptionError("seconds", seconds, "more than nought")
        if nodes is not None and nodes < 1:
            raise OptionError("nodes", nodes, "more than nought")
        if not 1 <= depth <= DEEPEST:
            raise OptionError("depth", depth, f"a number from 1 to {DEEPEST}")
        started = time.perf_counter()
        age = self.memory.next_age()
        for x in self._arrays:
            x[NODES] = x[STOP] = x[STOPPED] = 0
            x[LIMIT] = min(nodes or _UNLIMITED, _UNLIMITED)
            x[AGE] = age
        done = threading.Event()
        code = machine.code(alphabeta)
        others = [
            threading.Thread(target=self._help, args=(code, x, depth, number % 2), name="yourtrumps-search")
            for number, x in enumerate(self._arrays[1:])
        ]
        if seconds is not None or stop is not None:
            others.append(threading.Thread(target=self._watch, args=(done, started, seconds, stop)))
        for other in others:
            other.start()
        try:
            found = self._deepen(code, depth, started, on_depth, full)
            return replace(found, nodes=self.nodes, seconds=time.perf_counter() - started)
        finally:
            done.set()
            for x in self._arrays[1:]:
                x[STOP] = 1
            for other in others:
                other.join()

    def _watch(
        self, done: threading.Event, started: float, seconds: float | None, stop: Callable[[], bool] | None
    ) -> None:
        """Stop the search when its time is up: machine code has no clock."""
        while not done.is_set():
            left = _WATCH
            if seconds is not None:
                left = min(left, started + seconds - time.perf_counter())
            if left <= 0 or (stop is not None and stop()):
                self.stop()
                return
            done.wait(left)

    def _help(self, code: Any, x: Ints, depth: int, ahead: int) -> None:
        """Search the same position on another thread: what it finds reaches the others through the table."""
        count = len(self.turns)
        values, bounds, nodes = (np.zeros(count, np.int64) for _ in range(3))
        order = np.arange(count)
        for at in range(1 + ahead, depth + 1):
            best = code.search_root(
                x, self.memory.table, self._pairs, order, at, -INFINITE, INFINITE, 0, values, bounds, nodes
            )
            if x[STOPPED] or abs(best) > SURE:
                return
            order = _reordered(order, values, bounds)

    def _deepen(
        self,
        code: Any,
        most_depth: int,
        started: float,
        on_depth: Callable[[Found], None] | None,
        full: bool,
    ) -> Found:
        x = self._arrays[0]
        count = len(self.turns)
        values, bounds, nodes = (np.zeros(count, np.int64) for _ in range(3))
        order = np.arange(count)
        found = self._found(order, values, bounds, nodes, 0, started)
        for depth in range(1, most_depth + 1):
            self.depth = depth
            low, high = -INFINITE, INFINITE
            if depth > 3 and not full and abs(found.best.value) < SURE:
                low, high = found.best.value - _WINDOW, found.best.value + _WINDOW
            while True:
                best = int(
                    code.search_root(
                        x, self.memory.table, self._pairs, order, depth, low, high, int(full), values, bounds, nodes
                    )
                )
                if x[STOPPED] or low < best < high or full or (low == -INFINITE and high == INFINITE):
                    break
                order = _reordered(order, values, bounds)
                if best <= low:
                    low = -INFINITE
                else:
                    high = INFINITE
            order = _reordered(order, values, bounds)
            if x[STOPPED]:
                # A depth cut short counts as far as it came: it began with the best turn so far.
                if depth == 1 or bounds[order[0]] != NONE:
                    found = self._found(order, values, bounds, nodes, depth - 1, started)
                break
            found = self._found(order, values, bounds, nodes, depth, started)
            if on_depth:
                on_depth(found)
            if abs(found.best.value) > SURE:
                break
        return found

    def _found(self, order: Ints, values: Ints, bounds: Ints, nodes: Ints, depth: int, started: float) -> Found:
        turns = tuple(Scored(self.turns[i], int(values[i]), int(bounds[i]), int(nodes[i])) for i in order.tolist())
        return Found(turns, depth, self.nodes, time.perf_counter() - started)


def _reordered(order: Ints, values: Ints, bounds: Ints) -> Ints:
    """Return *order* with the best turn first, then those that were best before; the rest as it was.

    Upper bounds say little about which is better, so only values that beat the bound are sorted.
    """
    known = bounds[order]
    rank = np.where((known == EXACT) | (known == LOWER), values[order], -INFINITE)
    return order[np.argsort(-rank, kind="stable")]


__all__ = ["DEEPEST", "EXACT", "LOWER", "NONE", "SURE", "UPPER", "WIN", "Found", "Memory", "Scored", "Search", "Turn"]
