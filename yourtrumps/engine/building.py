"""Solving a whole small game in memory: the passes of :mod:`.retrograde`, on one thread or several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..core import YourTrumpsError
from . import piles, probing, retrograde
from .piles import Trie
from .retrograde import ABSENT, DRAWN, MOST_TURNS, OPEN
from .smallgame import Tables
from .worth import Counts

Progress = Callable[[int, int], None]
"""Called with the number of positions that are settled and of all there are."""

Source = tuple[int, Sequence[int]]
"""A frame and a pile, as numbered in the small game."""


class TablebaseError(YourTrumpsError):
    """A tablebase file that is missing, damaged, of another version or for another game."""

    code: ClassVar[str] = "tablebase"


class Cancelled(YourTrumpsError):
    """Somebody asked a long piece of work to stop."""

    code: ClassVar[str] = "cancelled"


def solve_game(
    t: Tables,
    progress: Progress | None,
    threads: int,
    stop: Callable[[], bool] | None,
    sources: Sequence[Source],
    count_dealt: bool,
) -> tuple[Trie, NDArray[np.uint8], int]:
    """Return piles and values of a whole game, and how many positions equal deals lead to (0: not counted)."""
    starts = _source_rows(sources, t)
    rows, count = piles.grow(t, starts)
    trie = piles.order(rows, count, t)
    del rows
    values = np.zeros(int(trie.offsets[-1]), np.uint8)
    build = _Build(t, trie, values, threads, stop)
    dealt = 0
    if count_dealt:
        build.reach(_source_rows((), t), equal=1)
        dealt = count_positions(t, trie, values).positions
    build.reach(starts, equal=0)
    trie, values = piles.prune(t, trie, values)
    _Build(t, trie, values, threads, stop).decide(progress)
    return trie, values, dealt


class _Build:
    """The passes of one build, over one set of arrays."""

    def __init__(
        self, t: Tables, trie: Trie, values: NDArray[np.uint8], threads: int, stop: Callable[[], bool] | None
    ) -> None:
        count = len(trie.masks)
        self.t, self.trie, self.values = t, trie, values
        self.threads, self.stop = threads, stop
        self.parents = np.zeros(count, np.int32)
        self.cards = np.zeros(count, np.uint8)
        self.busy = np.zeros(count, np.uint8)
        retrograde.family(trie, self.parents, self.cards)

    def reach(self, starts: NDArray[np.int32], equal: int) -> None:
        """Mark all that can be reached."""
        desk = retrograde.new_desk(self.t.size)
        retrograde.begin(self.t, self.trie, starts, self.values, self.busy, equal)
        while retrograde.reach(self.t, self.trie, self.parents, self.cards, self.values, self.busy, desk):
            self._look_up()

    def decide(self, progress: Progress | None) -> None:
        """Find all wins and losses in order of distance, then tell the draws apart."""
        self.values[self.values != ABSENT] = OPEN
        self.busy[:] = 1
        total = int(np.count_nonzero(self.values))
        done, distance = 0, 1
        with ThreadPoolExecutor(self.threads) as pool:
            while found := self._pass(distance, pool):
                done += found
                distance += 1
                if distance > MOST_TURNS:
                    raise TablebaseError(f"expected wins within {MOST_TURNS} turns, got longer ones")
                if progress:
                    progress(done, total)
            while found := self._pass(0, pool):
                done += found
        if progress:
            progress(total, total)

    def _pass(self, distance: int, pool: ThreadPoolExecutor) -> int:
        self._look_up()
        count = len(self.trie.masks)
        chunk = count if self.threads == 1 else max(4096, count // 64)

        def work(start: int) -> int:
            desk = retrograde.new_desk(self.t.size)
            arrays = (self.t, self.trie, self.parents, self.cards, self.values, self.busy)
            return int(retrograde.decide(*arrays, distance, start, min(count, start + chunk), desk))

        starts = range(0, count, chunk)
        return sum(map(work, starts) if self.threads == 1 else pool.map(work, starts))

    def _look_up(self) -> None:
        if self.stop and self.stop():
            raise Cancelled("stopped")


def count_positions(t: Tables, trie: Trie, values: NDArray[np.uint8]) -> Counts:
    """Count the positions of a table by value, each mirror image and each seat on its own."""
    totals = np.zeros(256, np.int64)
    probing.count_codes(t, trie, values, totals)
    if t.frames == 1:
        totals *= 2
    codes = np.arange(256)
    won, lost = (codes > DRAWN) & (codes & 1 == 1), (codes > DRAWN) & (codes & 1 == 0)
    drawn = int(totals[OPEN] + totals[DRAWN])
    return Counts(
        positions=int(totals[1:].sum()),
        won=int(totals[won].sum()),
        lost=int(totals[lost].sum()),
        drawn=drawn,
        endless=int(totals[OPEN]),
        longest=int(np.flatnonzero(totals * won).max(initial=0)) >> 1,
    )


def _source_rows(sources: Sequence[tuple[int, Sequence[int]]], t: Tables) -> NDArray[np.int32]:
    rows = np.zeros((len(sources), t.size + 2), np.int32)
    for row, (frame, pile) in zip(rows, sources, strict=True):
        cards = np.array(pile, np.int64)
        if probing.is_mirrored(t, cards, len(cards)):
            cards = t.mirror[cards]
        row[:2] = frame, len(cards)
        row[2 : 2 + len(cards)] = cards
    return rows
