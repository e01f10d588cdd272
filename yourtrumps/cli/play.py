"""The commands that play: ``play`` in the browser or the terminal, and ``serve``."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from ..core import IllegalMove, NotationError, OptionError, RecordError, Suit, deal, format_text, parse_turn
from ..core.cards import parse_suit
from ..players import LEVEL_NAMES, Control, Player, check_level, make_player, reason
from .options import CardsEach, Json, Low, Preset, Seats, Seed, draw_trumps, make_rules, new_seed
from .sentences import YOU
from .table import Table
from .tellers import JsonTeller, Teller, TextTeller, read_lines

_YOU = 0
_LONGEST_LINE = 40
_HINT_SECONDS = 1.0

Port = Annotated[int, typer.Option(min=0, max=65535, help="The port to serve on; 0 takes a free one.")]
Address = Annotated[str, typer.Option(help="The address to serve on.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands of this module to *app*."""
    app.command()(play)
    app.command()(serve)


def serve(
    port: Port = 5006,
    address: Address = "localhost",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the browser.")] = False,
) -> None:
    """Serve all pages, and open the browser."""
    from ..ui.server import serve as run_server

    run_server(port=port, address=address, show=not no_browser)


def play(
    text: Annotated[bool, typer.Option("--text", help="Play here in the terminal.")] = False,
    level: Annotated[int, typer.Option(help="How strong the computer is, from 1 to 8.")] = 3,
    trump: Annotated[
        str | None, typer.Option(help="Your trump suit: C, D, H or S; asked for if left out.", show_default=False)
    ] = None,
    preset: Preset = "duel",
    low: Low = "6",
    seats: Seats = None,
    cards_each: CardsEach = None,
    seed: Seed = None,
    save: Annotated[
        Path | None, typer.Option(help="Write the record of the game to this file.", show_default=False)
    ] = None,
    port: Port = 5006,
    address: Address = "localhost",
    as_json: Json = False,
) -> None:
    """Play against the computer: in the browser, or with --text in the terminal."""
    check_level(level)
    rules = make_rules(preset, low, seats, cards_each)
    suit = None if trump is None else parse_suit(trump.upper(), "trump")
    if not text:
        # The page has its own choices; do not let someone believe that these reached it.
        asked = (level, trump, preset, low, seats, cards_each, seed, save, as_json)
        if asked != (3, None, "duel", "6", None, None, None, None, False):
            raise OptionError("play", "no --text", "--text with these options; the page has its own")
        serve(port, address)
        return
    teller: Teller = JsonTeller() if as_json else TextTeller()
    lines = read_lines(teller.prompt)
    suit = suit if suit is not None else _choose_trump(teller, lines, as_json)
    if suit is None:
        teller.quit(0)
        return
    number = new_seed(seed)
    chance = random.Random(number)
    start = deal(rules, draw_trumps(rules, chance, suit), chance.randrange(rules.players), chance)
    players = [make_player(f"level:{level}", chance.getrandbits(32)) for _ in range(1, rules.players)]
    table = Table(start, (YOU, *_names(level, len(players))))
    teller.start(table.view(_YOU), table.names, number)
    _play_on(table, players, teller, lines)
    if save is not None:
        try:
            save.write_text(format_text(table.record()), encoding="utf-8")
        except OSError as error:
            raise RecordError(f"expected a file to write, got {save}: {error.strerror}") from None


def _names(level: int, count: int) -> tuple[str, ...]:
    name = LEVEL_NAMES[level]
    return (name,) if count == 1 else tuple(f"{name} {number}" for number in range(1, count + 1))


def _choose_trump(teller: Teller, lines: Iterator[str], as_json: bool) -> Suit | None:
    """Ask until a suit is named; None at the end of the input."""
    if not as_json:
        typer.echo("Choose your trump suit: C, D, H or S.")
    for line in lines:
        if line.lower() in ("quit", "q"):
            return None
        try:
            return parse_suit(line[:_LONGEST_LINE].upper(), "trump")
        except NotationError as error:
            teller.error(error)
    return None


def _play_on(table: Table, players: list[Player], teller: Teller, lines: Iterator[str]) -> None:
    """Let everyone move until the game ends or the player leaves."""
    while table.outcome is None:
        seat = table.position.seat
        if seat == _YOU:
            if not _move_of_yours(table, teller, lines):
                teller.quit(table.version)
                return
            continue
        view = table.view(seat)
        move = players[seat - 1].choose(view, Control())
        table.play(move)
        teller.move(view, table.version, move)
    teller.end(table.outcome, table.version)


def _move_of_yours(table: Table, teller: Teller, lines: Iterator[str]) -> bool:
    """Ask for a move, and obey; return False once the player leaves."""
    view = table.view(_YOU)
    teller.ask(view, table.version, table.position.pick_up_count())
    for line in lines:
        word = line[:_LONGEST_LINE].lower()
        if word in ("quit", "q"):
            return False
        if word in ("?", "help"):
            teller.help()
            continue
        try:
            if word == "undo":
                table.undo(_YOU)
                teller.undo(table.version)
            elif word == "hint":
                move = make_player("thinking", seed=0, seconds=_HINT_SECONDS).choose(view, Control())
                teller.hint(move, reason(view, move))
                continue
            else:
                _play_line(table, teller, line[:_LONGEST_LINE])
        except (NotationError, OptionError, IllegalMove) as error:
            teller.error(error)
            continue
        return True
    return False


def _play_line(table: Table, teller: Teller, line: str) -> None:
    """Play the turn that *line* names, in either case of letters."""
    turn = parse_turn("up" if line.lower() == "up" else line.upper())
    before = table.version
    view = table.view(_YOU)
    table.play_turn(turn)
    for number, move in enumerate(turn, before + 1):
        teller.move(view, number, move)
