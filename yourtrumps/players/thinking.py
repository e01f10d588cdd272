"""The player that looks ahead."""

from __future__ import annotations

import random
from itertools import islice

from ..core import Move, SeatView
from ..engine.worlds import sample_worlds
from .base import Control, check_asked
from .search import Search

_MOST_DEPTH = 30
_WORLDS = 6


class ThinkingPlayer:
    """Searches by alpha-beta; where hands are hidden it searches a few worlds that fit, and adds up their values.

    *seconds* is what it takes a move at most; *nodes* instead of it makes the choice the same on every machine.
    *depth* bounds how many turns it looks ahead.
    """

    name = "Thinker"

    def __init__(
        self,
        seed: int | None = None,
        seconds: float | None = 0.5,
        nodes: int | None = None,
        depth: int = _MOST_DEPTH,
        name: str = "Thinker",
    ) -> None:
        self.name = name
        self._random = random.Random(seed)
        self._seconds = seconds
        self._nodes = nodes
        self._depth = depth

    def choose(self, view: SeatView, control: Control) -> Move:
        """Return the move with the best value that time allowed to find."""
        check_asked(view)
        if len(view.legal) == 1:
            control.report(1.0)
            return view.legal[0]
        count = 1 if view.position() else _WORLDS
        totals = dict.fromkeys(view.legal, 0.0)
        for number, world in enumerate(islice(sample_worlds(view, self._random), count)):
            search = Search(
                world,
                control,
                seconds=None if self._seconds is None else self._seconds / count,
                nodes=None if self._nodes is None else self._nodes // count,
            )
            for rank, scored in enumerate(search.run(self._depth)):
                # In one world, the order decides: values behind the best are only upper bounds.
                totals[scored.move] += -rank if count == 1 else scored.value
            control.report((number + 1) / count)
            if control.is_over and number:
                break
        return max(totals, key=totals.__getitem__)
