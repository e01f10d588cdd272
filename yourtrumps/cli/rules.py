"""Commands that ask the core: ``deal``, ``moves``, ``perft`` and ``replay``."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Annotated

import typer

from .. import core
from ..core import (
    Position,
    Record,
    RecordError,
    format_move,
    format_position,
    format_rules,
    format_turn,
    parse_position,
    parse_record,
)
from .options import (
    CardsEach,
    Json,
    Low,
    Preset,
    Seats,
    Seed,
    draw_trumps,
    make_rules,
    new_seed,
    outcome_json,
    print_json,
    read_trumps,
)
from .sentences import outcome_sentence

_LONGEST_FILE = 8_000_000

Code = Annotated[str, typer.Argument(help="A position code, in quotes.", metavar="CODE", show_default=False)]


def add_to(app: typer.Typer) -> None:
    """Add the commands of this module to *app*."""
    for command in (deal, moves, perft, replay):
        app.command()(command)


def deal(
    preset: Preset = "duel",
    low: Low = "6",
    trumps: Annotated[
        str | None, typer.Option(help="A suit letter a seat, as in SH; drawn by lot if left out.", show_default=False)
    ] = None,
    seats: Seats = None,
    leader: Annotated[int | None, typer.Option(help="The seat that leads; drawn by lot if left out.")] = None,
    cards_each: CardsEach = None,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Deal, and print the position code."""
    chance = random.Random(new_seed(seed))
    suits = None if trumps is None else read_trumps(trumps)
    # With party the number of trump suits says how many play.
    count = len(suits) if suits and seats is None and preset.startswith("party") else seats
    rules = make_rules(preset, low, count, cards_each)
    drawn, first = draw_trumps(rules, chance), chance.randrange(rules.players)
    start = core.deal(rules, drawn if suits is None else suits, first if leader is None else leader, chance)
    code = format_position(start)
    if as_json:
        print_json({"code": code})
    else:
        typer.echo(code)


def moves(code: Code, as_json: Json = False) -> None:
    """Print the legal moves of a position, or how it ended."""
    position = parse_position(code)
    legal = [format_move(move) for move in position.legal_moves()]
    if as_json:
        print_json({"code": format_position(position), "moves": legal, "outcome": outcome_json(position.outcome)})
    elif position.outcome:
        typer.echo(outcome_sentence(position.outcome, _seat_names(position)))
    else:
        typer.echo("\n".join(legal))


def perft(
    code: Code,
    depth: Annotated[int, typer.Argument(help="The longest sequences to count.", metavar="DEPTH", show_default=False)],
    as_json: Json = False,
) -> None:
    """Count the move sequences of length 1, 2, …, DEPTH: a line each, length and count."""
    position = parse_position(code)
    counts = core.perft(position, depth)
    if as_json:
        print_json({"code": format_position(position), "depth": depth, "counts": counts})
        return
    for length, count in enumerate(counts, 1):
        typer.echo(f"{length} {count}")


def replay(
    file: Annotated[Path, typer.Argument(help="A record, as text or JSON.", metavar="FILE", show_default=False)],
    codes: Annotated[bool, typer.Option("--codes", help="Print the position code after each turn.")] = False,
    as_json: Json = False,
) -> None:
    """Step through a record: print who played what, and how it ended."""
    record = parse_record(_read(file))
    turns = list(_turns(record))
    if as_json:
        print_json(
            {
                "code": format_position(record.start),
                "names": record.names,
                "turns": [
                    {"number": number, "seat": seat, "turn": turn, "code": format_position(after)}
                    for number, seat, turn, after in turns
                ],
                "outcome": outcome_json(record.outcome),
            }
        )
        return
    start = record.start
    suits = ", ".join(f"{name} ({trump.name.lower()})" for name, trump in zip(record.names, start.trumps, strict=True))
    typer.echo(f"{format_rules(start.rules)}: {suits}")
    typer.echo(format_position(start))
    for number, seat, turn, after in turns:
        typer.echo(f"{number:>4}. {record.names[seat]}: {turn}" + (f"   {format_position(after)}" if codes else ""))
    if record.outcome:
        typer.echo(outcome_sentence(record.outcome, record.names))
    else:
        typer.echo("Not finished.")


def _turns(record: Record) -> list[tuple[int, int, str, Position]]:
    """Return number, seat, turn and the position after it, for each turn."""
    positions = list(record.positions())
    turns = []
    done = 0
    for number, turn in enumerate(record.turns(), 1):
        seat = positions[done].seat
        done += len(turn)
        turns.append((number, seat, format_turn(turn), positions[done]))
    return turns


def _seat_names(position: Position) -> tuple[str, ...]:
    return tuple(f"seat {seat}" for seat in range(len(position.hands)))


def _read(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            data = stream.read(_LONGEST_FILE + 1)
    except OSError as error:
        raise RecordError(f"expected a file to read, got {file}: {error.strerror}") from None
    if len(data) > _LONGEST_FILE:
        raise RecordError(f"expected a file of at most {_LONGEST_FILE} bytes, got a longer one")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise RecordError(f"expected text in UTF-8, got other bytes in {file}") from None
