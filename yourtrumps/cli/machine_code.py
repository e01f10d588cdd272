"""The engine's machine code, ready before a command begins to count seconds."""

from __future__ import annotations

from rich.console import Console
from rich.progress import Progress


def prepare_machine_code() -> None:
    """Have the engine's machine code ready; the first time on a machine it is made, with a progress bar."""
    from ..engine import machine

    if machine.is_on_disk():
        machine.load()
        return
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("Making machine code, once on this machine", total=1.0)
        machine.load(lambda share: progress.update(task, completed=share))
