"""The player that errs as people do: good moves often, near misses sometimes, nonsense hardly ever."""

from __future__ import annotations

import math
import random

from ..core import Move, SeatView
from .base import Control, check_asked
from .search import Search
from .worlds import sample_worlds


class BeginnerPlayer:
    """Looks one turn ahead in one world that fits, and picks among the moves by how good they look.

    A move *temperature* worse (in log-odds of winning) than another is picked 2.7 times less often.
    """

    name = "Beginner"

    def __init__(self, seed: int | None = None, temperature: float = 0.2) -> None:
        self._random = random.Random(seed)
        self._temperature = temperature

    def choose(self, view: SeatView, control: Control) -> Move:
        """Return a move drawn by how good it looks at a glance."""
        check_asked(view)
        control.report(1.0)
        if len(view.legal) == 1:
            return view.legal[0]
        world = next(sample_worlds(view, self._random))
        scored = Search(world, Control()).exact(depth=1)
        best = scored[0].value
        chances = [math.exp(max(-50.0, (one.value - best) / self._temperature)) for one in scored]
        return self._random.choices([one.move for one in scored], chances)[0]
