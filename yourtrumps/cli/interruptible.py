"""Ctrl-C while machine code runs: Python hears of it only between two calls, so the calls go to another thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

_LOOK: Final = 0.2
_PATIENCE: Final = 10.0


def interruptible(work: Callable[[], T], stop: Callable[[], object] | None = None) -> T:
    """Return what *work* returns, done in another thread, while this one can be interrupted.

    On an interrupt *stop* is called and the work gets a moment to come to its end and tidy up.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    worker = threading.Thread(target=run, name="yourtrumps-work", daemon=True)
    try:
        worker.start()
        while worker.is_alive():
            # Waiting without a limit cannot be interrupted on every system.
            worker.join(_LOOK)
    except KeyboardInterrupt:
        if stop is not None:
            stop()
            worker.join(_PATIENCE)
        raise
    if errors:
        raise errors[0]
    return results[0]
