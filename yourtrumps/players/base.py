"""What a player is, and how whoever asks it for a move keeps the upper hand."""

from __future__ import annotations

import threading
import time
from typing import Protocol

from ..core import Move, OptionError, SeatView


class Control:
    """How long a player may think, whether it should stop, and how far it has come; safe to share between threads.

    The clock starts when the control is made. *seconds* of None leaves the time to the player.
    """

    def __init__(self, seconds: float | None = None) -> None:
        if seconds is not None and not 0 <= seconds < 1e6:
            raise OptionError("seconds", seconds, "a number from 0")
        self.seconds = seconds
        self.started = time.monotonic()
        self.deadline = None if seconds is None else self.started + seconds
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._progress = 0.0

    def stop(self) -> None:
        """Ask the player to answer at once with the best move it has."""
        self._stop.set()

    @property
    def stopped(self) -> bool:
        """Whether :meth:`stop` was called."""
        return self._stop.is_set()

    @property
    def is_over(self) -> bool:
        """Whether the player should answer now: stopped, or out of time."""
        return self._stop.is_set() or (self.deadline is not None and time.monotonic() >= self.deadline)

    def report(self, fraction: float) -> None:
        """Note that the player has done *fraction* (0 to 1) of what it means to do; it never goes back."""
        with self._lock:
            self._progress = max(self._progress, min(1.0, fraction))

    @property
    def progress(self) -> float:
        """The largest fraction reported so far, from 0 to 1."""
        return self._progress


class Player(Protocol):
    """Whoever takes a seat: gets what that seat may know, and answers with a move."""

    @property
    def name(self) -> str:
        """What the table calls this player."""

    def choose(self, view: SeatView, control: Control) -> Move:
        """Return one of ``view.legal``; raises :class:`OptionError` if it is not this seat's turn."""


def check_asked(view: SeatView) -> None:
    """Raise :class:`OptionError` unless the viewer has a move to choose."""
    if not view.legal:
        raise OptionError("view", view.viewer, "a seat that has a move to choose")
