"""Making machine code out of the way: a process of its own compiles, and until it is done plain Python searches.

numba keeps what it made on disk, so that it happens once for each state of the sources; then loading takes a moment.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any, Final

from . import jit

Progress = Callable[[float], None]
"""Called with the share that is done, from 0 to 1."""

_log = logging.getLogger(__name__)

_SMALL: Final = "Q SH QSKC/AHKD - 0 lead"


class _State:
    """Whether this process searches in machine code yet."""

    def __init__(self) -> None:
        self.is_ready = False
        self.lock = threading.Lock()
        self.worker: threading.Thread | None = None
        self.progress = 0.0


_state: Final = _State()


def code(module: ModuleType) -> Any:
    """Return the functions of an engine module: in machine code if that is at hand, else in plain Python."""
    if jit.IS_COMPILED and not _state.is_ready and is_on_disk():
        load()
    return module if _state.is_ready or not jit.IS_COMPILED else plain(module)


@cache
def plain(module: ModuleType) -> Any:
    """Return the functions of an engine module in plain Python: for a few calls, where compiling would not pay."""
    return jit.plain(module) if jit.IS_COMPILED else module


def is_ready() -> bool:
    """Return whether this process searches in machine code."""
    return _state.is_ready


def is_on_disk() -> bool:
    """Return whether the machine code of these sources has been made on this machine."""
    return jit.IS_COMPILED and jit.complete_marker().exists()


def load(progress: Progress | None = None) -> None:
    """Bring the machine code into this process; compile it first where that has not been done (half a minute)."""
    with _state.lock:
        if _state.is_ready or not jit.IS_COMPILED:
            return
        steps = _steps()
        for number, step in enumerate(steps):
            if progress:
                progress(number / len(steps))
            step()
        marker = jit.complete_marker()
        marker.parent.mkdir(parents=True, exist_ok=True)
        marker.touch()
        _state.is_ready = True
        _state.progress = 1.0
        if progress:
            progress(1.0)


def _steps() -> list[Callable[[], object]]:
    """Return calls that between them use every function which a search or a proof calls from Python."""
    import numpy as np

    from ..core import Position, parse_position
    from . import alphabeta, playout, proof, prover, solve
    from .evaluate import evaluate, new_array

    position: Position = parse_position(_SMALL)
    x = new_array(position)
    table = alphabeta.new_table(1 << 10)
    pairs = np.array([[int(card), -1] for card in position.hand], np.int64)
    row = [np.zeros(2, np.int64) for _ in range(4)]
    row[0][:] = 0, 1
    zero, one = 0, 1
    return [
        lambda: evaluate(x),
        lambda: alphabeta.follow(x, table, row[1], zero),
        lambda: alphabeta.search_root(x, table, pairs, row[0], one, -one, one, zero, row[1], row[2], row[3]),
        lambda: playout.loss_share(playout.load(position), zero, row[0] + one, one, one),
        lambda: prover.prove_value(proof.ProofSearch(position, 1), proof.Budget(nodes=1000)),
        lambda: solve.table_solution(position),
    ]


def start(progress: Progress | None = None) -> None:
    """Get the machine code ready in the background; return at once. Doing it twice does no harm."""
    if not jit.IS_COMPILED or _state.is_ready or _state.worker is not None:
        return

    def work() -> None:
        if not is_on_disk():
            # In this process the compiler would hold the global lock, and the table would stand still.
            command = [sys.executable, "-m", __name__]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
                assert process.stdout is not None
                for line in process.stdout:
                    _state.progress = float(line)
                    if progress:
                        progress(_state.progress)
            if process.returncode != 0:
                _log.warning("the engine's machine code could not be made here: it goes on in plain Python, slowly")
                return
        load(progress)

    _state.worker = threading.Thread(target=work, name="yourtrumps-compile", daemon=True)
    _state.worker.start()


def is_being_made() -> bool:
    """Return whether :func:`start` is still at work."""
    return _state.worker is not None and _state.worker.is_alive()


def progress() -> float:
    """Return how far :func:`start` has come, from 0 to 1."""
    return _state.progress


if __name__ == "__main__":
    load(lambda share: print(f"{share:.3f}", flush=True))
