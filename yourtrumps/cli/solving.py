"""Commands that tell exact values: ``solve``, and ``tablebase`` for whole small games."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from ..core import NotationError, OptionError, RecordError, format_move, format_position, format_turn, parse_position
from .interruptible import interruptible
from .machine_code import prepare_machine_code
from .options import Json, Preset, make_rules, print_json
from .rules import Code

if TYPE_CHECKING:
    from ..core import Move
    from ..engine.solve import Solution
    from ..engine.tablebase import Tablebase
    from ..engine.worth import Counts, Worth

_LONGEST_LINE = 10_000
_SHOWN_MOVES = 40
_SMALL = "Q"

Seconds = Annotated[float | None, typer.Option(help="How long to search for a proof at most; 10 if no limit is given.")]
Nodes = Annotated[int | None, typer.Option(help="How many positions to search for a proof at most.")]
Memory = Annotated[float, typer.Option(help="MB for what the search for a proof remembers.")]
SmallLow = Annotated[str, typer.Option(help="The lowest rank of the pack: Q for 12 cards, K for 8.")]
File = Annotated[Path | None, typer.Option("--file", help="The table's file, if not in its own place.")]
Threads = Annotated[int | None, typer.Option(help="How many threads build; as many as there are cores if left out.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands of this module to *app*."""
    app.command()(solve)
    tablebase = typer.Typer(help="Whole games of up to 12 cards, solved once and kept in a file.", no_args_is_help=True)
    for command in (build, verify, probe):
        tablebase.command()(command)
    app.add_typer(tablebase, name="tablebase")


def solve(
    code: Annotated[str | None, typer.Argument(help="A position code, in quotes.", metavar="[CODE]")] = None,
    file: Annotated[
        Path | None, typer.Option("--file", help="A file of position codes, one a line, or - for standard input.")
    ] = None,
    seconds: Seconds = None,
    nodes: Nodes = None,
    memory: Memory = 256,
    as_json: Json = False,
) -> None:
    """Tell what a position is worth to the seat to move with perfect play: win, draw, loss, or unknown.

    With --file: one JSON object a line for each line of the file, in its order.
    """
    if (code is None) == (file is None):
        raise OptionError("code", "neither" if code is None else "both", "one of CODE and --file")
    _check_limits(seconds=seconds, nodes=nodes, memory=memory)
    position = None if code is None else parse_position(code)
    if file is not None and str(file) != "-" and not file.is_file():
        raise RecordError(f"expected a file to read, got {file}")
    prepare_machine_code()
    from ..engine.solve import solution_json, solve_many, table_line
    from ..engine.solve import solve as find

    stopped = Event()
    if position is not None and code is not None:
        solution = interruptible(lambda: find(position, seconds, nodes, memory, stopped.is_set), stopped.set)
        if as_json:
            print_json(solution_json(code.strip(), solution))
        else:
            _show(solution, table_line(position) or solution.line)
        return
    assert file is not None
    with _lines(file) as lines:
        for answer in solve_many(lines, seconds, nodes, memory):
            print_json(answer)


def _check_limits(**limits: float | None) -> None:
    for name, value in limits.items():
        if value is not None and not value > 0:
            raise OptionError(name, value, "more than nought")


@contextmanager
def _lines(file: Path) -> Iterator[Iterator[str]]:
    """Open a file of codes, or standard input; a line of bytes that are no text comes as a line that is no code."""
    if str(file) == "-":
        yield _short(sys.stdin)
        return
    try:
        stream = file.open(encoding="utf-8", errors="replace")
    except OSError as error:
        raise RecordError(f"expected a file to read, got {file}: {error.strerror}") from None
    with stream:
        yield _short(stream)


def _short(stream: Any) -> Iterator[str]:
    number = 0
    while line := stream.readline(_LONGEST_LINE):
        number += 1
        if number == 1:
            # Editors on Windows begin a file with a byte order mark.
            line = line.removeprefix("\ufeff")
        if len(line) == _LONGEST_LINE:
            raise NotationError(f"line {number}", line, "a position code")
        yield line


def _show(solution: Solution, line: tuple[Move, ...]) -> None:
    if solution.value == "unknown":
        typer.echo(f"unknown: no proof found in {solution.seconds:.1f} s, {solution.nodes:,} positions")
        return
    turns = "" if not solution.turns else f" in {solution.turns} turn{'s' if solution.turns > 1 else ''}"
    typer.echo(solution.value + turns)
    if solution.best:
        more = "" if solution.is_complete else " (and maybe others)"
        typer.echo(f"keeps it: {' '.join(map(format_move, solution.best))}{more}")
    if len(line) > 1:
        dots = " ..." if len(line) > _SHOWN_MOVES else ""
        typer.echo(f"line: {' '.join(map(format_move, line[:_SHOWN_MOVES]))}{dots}")
    typer.echo(f"{solution.nodes:,} positions, {solution.seconds:.2f} s")


# Tablebases


def build(preset: Preset = "duel", low: SmallLow = _SMALL, file: File = None, threads: Threads = None) -> None:
    """Solve every position of a small game and write its table; up to two minutes and 1 GB for 12 cards."""
    rules = make_rules(preset, low)
    if threads is not None and not 1 <= threads <= 256:
        raise OptionError("threads", threads, "a number from 1 to 256")
    from ..engine.tablebase import build_table, check_place, table_path

    path = file or table_path(rules)
    check_place(rules, path)
    prepare_machine_code()
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("Listing positions", total=None)

        def show(done: int, total: int) -> None:
            progress.update(task, description="Solving them", completed=done, total=total)

        stopped = Event()
        table, path = interruptible(
            lambda: build_table(rules, path, show, threads or os.cpu_count() or 1, stopped.is_set), stopped.set
        )
    typer.echo(f"{path}: {table.file_size / 1e6:.1f} MB")
    _show_counts(table.counts(), table.dealt)


def verify(preset: Preset = "duel", low: SmallLow = _SMALL, file: File = None) -> None:
    """Check a table: its checksum, and that its positions agree with those that follow them."""
    table = _open(preset, low, file)
    prepare_machine_code()
    _show_counts(interruptible(table.verify), table.dealt)
    typer.echo("The table is whole and agrees with itself.")


def probe(code: Code, file: File = None, as_json: Json = False) -> None:
    """Look a position up: its value, and what each turn is worth."""
    from ..engine.tablebase import TablebaseError, table_for
    from ..engine.worth import rank_worth

    position = parse_position(code)
    table = table_for(position, file)
    prepare_machine_code()
    known = [(format_turn(turn.moves), turn.worth) for turn in table.turns(position) if turn.worth]
    if not known:
        raise TablebaseError(f"expected a position that play can reach, got {code!r}")
    known.sort(key=lambda one: -rank_worth(one[1]))
    value, turns = _words(known[0][1])
    if as_json:
        moves = [dict(zip(("turn", "value", "turns"), (turn, *_words(worth)), strict=True)) for turn, worth in known]
        print_json({"code": format_position(position), "value": value, "turns": turns, "moves": moves})
        return
    for turn, worth in known:
        value, turns = _words(worth)
        typer.echo(f"{turn:8} {value}" + (f" in {turns}" if turns else ""))


def _words(worth: Worth) -> tuple[str, int | None]:
    return {1: "win", 0: "draw", -1: "loss"}[worth.value], worth.turns


def _open(preset: str, low: str, file: Path | None) -> Tablebase:
    from ..engine.tablebase import Tablebase, open_table

    return Tablebase.open(file) if file is not None else open_table(make_rules(preset, low))


def _show_counts(counts: Counts, dealt: int) -> None:
    share = 100 / counts.positions
    typer.echo(
        f"{counts.positions:,} positions to beat or lead from: {counts.won * share:.1f} % won, "
        f"{counts.lost * share:.1f} % lost, {counts.drawn * share:.1f} % drawn for the seat to move; "
        f"longest win {counts.longest} turns"
    )
    if dealt and dealt != counts.positions:
        typer.echo(f"{dealt:,} of them can come up after equal hands are dealt")
