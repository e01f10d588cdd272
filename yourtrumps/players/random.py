"""The player that plays anything."""

from __future__ import annotations

import random

from ..core import Move, SeatView
from .base import Control, check_asked


class RandomPlayer:
    """Plays each legal move with equal chance."""

    name = "Random"

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, view: SeatView, control: Control) -> Move:
        """Return any legal move."""
        check_asked(view)
        control.report(1.0)
        return self._random.choice(view.legal)
