"""The command that lets players play each other."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from ..arena import GameResult, Standing, standings
from ..arena import selfplay as play_match
from ..core import format_rules
from .options import CardsEach, Json, Low, Preset, make_rules, print_json


def add_to(app: typer.Typer) -> None:
    """Add the command of this module to *app*."""
    app.command()(selfplay)


def selfplay(
    games: Annotated[int, typer.Option(help="How many games.")] = 100,
    players: Annotated[
        str, typer.Option(help="One a seat, with commas: random, greedy, thinking, engine, level:1 to level:8.")
    ] = "greedy,random",
    preset: Preset = "duel",
    low: Low = "6",
    cards_each: CardsEach = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same match.")] = 0,
    seconds: Annotated[float | None, typer.Option(help="The most a player may think about a move.")] = None,
    processes: Annotated[int, typer.Option(help="How many processes share the games.")] = 1,
    as_json: Json = False,
) -> None:
    """Let players play each other; each deal is played from every seat."""
    specs = players.split(",")
    rules = make_rules(preset, low, len(specs) if preset.startswith("party") else None, cards_each)
    match = play_match(games, specs, rules, seed, seconds, processes)
    results: list[GameResult] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), disable=as_json) as progress:
        for result in progress.track(match, total=games, description="Playing"):
            results.append(result)
    table = standings(specs, results)
    reasons = Counter(result.record.outcome.reason.value for result in results if result.record.outcome)
    moves = sum(len(result.record.moves) for result in results)
    if as_json:
        print_json(
            {
                "games": games,
                "rules": format_rules(rules),
                "low": rules.low.letter,
                "seed": seed,
                "players": [
                    {"player": one.spec, "wins": one.wins, "draws": one.draws, "losses": one.losses, "score": one.score}
                    for one in table
                ],
                "reasons": dict(sorted(reasons.items())),
                "moves": moves,
            }
        )
        return
    _print_table(table, f"{games} games of {format_rules(rules)}, {moves / games:.0f} moves a game")
    Console().print("Ended by: " + ", ".join(f"{reason} {count}" for reason, count in reasons.most_common()))


def _print_table(table: tuple[Standing, ...], title: str) -> None:
    shown = Table(title=title)
    shown.add_column("player")
    for name in ("won", "drawn", "lost", "score"):
        shown.add_column(name, justify="right")
    for one in table:
        shown.add_row(one.spec, str(one.wins), str(one.draws), str(one.losses), f"{one.score:.1%}")
    Console().print(shown)
