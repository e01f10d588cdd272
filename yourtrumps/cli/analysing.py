"""Commands that let the engine think aloud: ``analyse`` and ``bench``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from ..core import OptionError, format_turn, parse_position
from .interruptible import interruptible
from .machine_code import prepare_machine_code
from .options import Json, print_json
from .rules import Code

if TYPE_CHECKING:
    from ..engine.search import Scored
    from ..engine.trace import Iteration

_SHOWN = 10
_LINE = 14


def add_to(app: typer.Typer) -> None:
    """Add the commands of this module to *app*."""
    for command in (analyse, bench):
        app.command()(command)


def analyse(
    code: Code,
    seconds: Annotated[float | None, typer.Option(help="How long to think; 5 if no limit is given.")] = None,
    depth: Annotated[int | None, typer.Option(help="How many turns to look ahead at most.")] = None,
    nodes: Annotated[int | None, typer.Option(help="How many positions to search at most, a thread.")] = None,
    threads: Annotated[int, typer.Option(help="How many threads search.")] = 1,
    memory: Annotated[
        float | None, typer.Option(help="MB for the table; if left out, as many as the time can fill.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Think about a position: each depth with the best turn, its value and the line expected."""
    position = parse_position(code)
    if len(position.hands) != 2:
        raise OptionError("position", f"{len(position.hands)} seats", "two seats")
    for name, value in (("seconds", seconds), ("depth", depth), ("nodes", nodes)):
        if value is not None and not value > 0:
            raise OptionError(name, value, "more than nought")
    if seconds is None and depth is None and nodes is None:
        seconds = 5.0
    from ..engine.search import DEEPEST, Memory, Search
    from ..engine.trace import Trace

    if depth is not None and depth > DEEPEST:
        raise OptionError("depth", depth, f"a number from 1 to {DEEPEST}")
    search = Search(position, Memory(_megabytes(seconds) if memory is None else memory), threads)
    trace = Trace(search)
    if not as_json:
        trace.listen(_show_depth)
    prepare_machine_code()
    found = interruptible(lambda: search.run(seconds, nodes, depth or DEEPEST, on_depth=trace.record), search.stop)
    if not as_json:
        _show_end(trace, found.turns)
        return
    best = found.best
    print_json(
        trace.as_json()
        | {
            "best": format_turn(best.turn),
            "value": best.value,
            "chance": round(best.chance, 4),
            "nodes": found.nodes,
            "seconds": round(found.seconds, 4),
        }
    )


def _megabytes(seconds: float | None) -> float:
    # Fresh memory costs time, and a short search fills little of it.
    return min(256.0, max(16.0, 64 * (seconds or 4.0)))


def _show_depth(iteration: Iteration) -> None:
    best = iteration.best
    line = " ".join(str(move) for move in best.line[:_LINE])
    typer.echo(
        f"{iteration.depth:3d}  {_worth(best.scored):>10}  {iteration.nodes:>12,}  {iteration.seconds:6.2f} s  {line}"
    )


def _worth(scored: Scored) -> str:
    if scored.proved is not None:
        return f"{'wins' if scored.proved > 0 else 'loses'} in {scored.turns}"
    return f"{scored.chance:.1%}"


def _show_end(trace: Any, turns: tuple[Scored, ...]) -> None:
    lines = {turn.scored.turn: turn.line for turn in trace.iterations[-1].turns} if trace.iterations else {}
    table = Table(title="The turns weighed")
    for heading in ("turn", "to win", "line"):
        table.add_column(heading)
    signs = {1: "", 2: "≥ ", 3: "≤ ", 0: "? "}
    for scored in turns[:_SHOWN]:
        line = " ".join(str(move) for move in lines.get(scored.turn, ())[:_LINE])
        table.add_row(format_turn(scored.turn), signs[scored.bound] + _worth(scored), line)
    console = Console()
    console.print(table)
    for change in trace.changes:
        reason = " ".join(str(move) for move in change.refutation[:6])
        console.print(
            f"Depth {change.depth}: {format_turn(change.after)} instead of {format_turn(change.before)}"
            + (f", because of {reason}" if len(change.refutation) > len(change.before) else "")
        )
    counts = ", ".join(f"{name} {share:+.2f}" for name, share in trace.shares.items())
    console.print(f"What counts before any search (logits for the mover): {counts}")


def bench(
    nodes: Annotated[int | None, typer.Option(help="How many positions to search in each.")] = None,
    as_json: Json = False,
) -> None:
    """Search some fixed positions: nodes, nodes a second, and a checksum of what the search does."""
    if nodes is not None and nodes < 1:
        raise OptionError("nodes", nodes, "more than nought")
    prepare_machine_code()
    from ..engine import bench as work

    show: Callable[[int], None] | None = None
    if not as_json:
        show = lambda number: typer.echo(f"{number}/{len(work.POSITIONS)}", err=True)  # noqa: E731
    done = interruptible(lambda: work.run(nodes or work.NODES, show))
    if as_json:
        print_json(
            {
                "positions": done.positions,
                "nodes": done.nodes,
                "seconds": round(done.seconds, 3),
                "nodes_per_second": done.nodes_per_second,
                "checksum": done.checksum,
            }
        )
    else:
        typer.echo(
            f"{done.positions} positions, {done.nodes:,} nodes in {done.seconds:.2f} s: "
            f"{done.nodes_per_second:,} nodes/s; checksum {done.checksum}"
        )
