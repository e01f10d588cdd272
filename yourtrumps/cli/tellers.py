"""How a game in the terminal is told: in lines for people, or in JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Protocol

import typer
from rich.console import Console
from rich.text import Text

from ..core import Card, Move, Outcome, SeatView, Suit, YourTrumpsError, format_move, format_rules
from ..core.cards import Cards
from ..players import Hint
from .options import outcome_json, print_json
from .sentences import ask_sentence, hint_sentence, move_sentence, outcome_sentence

HELP = """\
Type a card as rank and suit letter: 9C, TH, AS. Beat and add in one go: JC+7D.
up    pick up            hint  ask the strongest player
undo  take back          quit  stop
?     this help"""


class Teller(Protocol):
    """Tells what happens at the table."""

    prompt: str

    def start(self, view: SeatView, names: tuple[str, ...], seed: int) -> None: ...
    def ask(self, view: SeatView, version: int, pick_up: int) -> None: ...
    def move(self, view: SeatView, version: int, move: Move) -> None: ...
    def undo(self, version: int) -> None: ...
    def hint(self, move: Move, hint: Hint) -> None: ...
    def error(self, error: YourTrumpsError) -> None: ...
    def help(self) -> None: ...
    def end(self, outcome: Outcome, version: int) -> None: ...
    def quit(self, version: int) -> None: ...


class JsonTeller:
    """Prints one JSON object a line, each with its ``event``."""

    prompt = ""

    def start(self, view: SeatView, names: tuple[str, ...], seed: int) -> None:
        print_json(
            {
                "event": "start",
                "rules": format_rules(view.rules),
                "low": view.rules.low.letter,
                "trumps": "".join(suit.letter for suit in view.trumps),
                "names": names,
                "you": view.viewer,
                "seed": seed,
            }
        )

    def ask(self, view: SeatView, version: int, pick_up: int) -> None:
        print_json(
            {
                "event": "ask",
                "version": version,
                "seat": view.seat,
                "phase": view.phase.value,
                "hand": _codes(view.hand),
                "counts": view.counts,
                "pile": _codes(view.pile),
                "legal": [format_move(move) for move in view.legal],
                "pick_up": pick_up,
                "repeats": view.repeats,
            }
        )

    def move(self, view: SeatView, version: int, move: Move) -> None:
        print_json({"event": "move", "version": version, "seat": view.seat, "move": format_move(move)})

    def undo(self, version: int) -> None:
        print_json({"event": "undo", "version": version})

    def hint(self, move: Move, hint: Hint) -> None:
        values = {name: _plain(value) for name, value in hint.values.items()}
        print_json({"event": "hint", "move": format_move(move), "reason": hint.code.value, "values": values})

    def error(self, error: YourTrumpsError) -> None:
        print_json({"event": "error", "code": error.code, "message": str(error)})

    def help(self) -> None:
        print_json({"event": "help", "commands": ["CARD", "CARD+CARD", "up", "hint", "undo", "quit", "?"]})

    def end(self, outcome: Outcome, version: int) -> None:
        print_json({"event": "end", "version": version} | (outcome_json(outcome) or {}))

    def quit(self, version: int) -> None:
        print_json({"event": "quit", "version": version})


class TextTeller:
    """Prints lines for people, in colour where the terminal has it."""

    prompt = "> "

    def __init__(self) -> None:
        self._console = Console(highlight=False)
        self._names: tuple[str, ...] = ()

    def start(self, view: SeatView, names: tuple[str, ...], seed: int) -> None:
        self._names = names
        for name, trump in zip(names, view.trumps, strict=True):
            self._console.print(f"{name}: trumps are {trump.name.lower()} {trump.symbol}", markup=False)
        self._console.print(f"Game {seed} of {format_rules(view.rules)}. Type ? for help.", markup=False)

    def ask(self, view: SeatView, version: int, pick_up: int) -> None:
        self._console.print()
        counts = [f"{self._names[seat]} {count}" for seat, count in enumerate(view.counts) if seat != view.viewer]
        self._console.print("In hand: " + ", ".join(counts), markup=False)
        own = view.trumps[view.seat]
        if view.pile:
            self._console.print(Text(f"Pile ({len(view.pile)}, top last): ").append_text(_coloured(view.pile, None)))
        hand = Text("Your hand: ")
        for number, (_, cards) in enumerate(groupby(view.hand, key=lambda card: card.suit)):
            hand.append(" | " if number else "").append_text(_coloured(tuple(cards), own))
        self._console.print(hand)
        if view.repeats > 1:
            self._console.print("This position is here for the second time; the third makes a draw.")
        self._console.print(ask_sentence(view, pick_up), markup=False)

    def move(self, view: SeatView, version: int, move: Move) -> None:
        self._console.print(move_sentence(view, self._names[view.seat], move), markup=False)

    def undo(self, version: int) -> None:
        self._console.print("Taken back.")

    def hint(self, move: Move, hint: Hint) -> None:
        self._console.print(hint_sentence(move, hint, self._names), markup=False)

    def error(self, error: YourTrumpsError) -> None:
        self._console.print(f"Not so: {error}", markup=False, style="red")

    def help(self) -> None:
        self._console.print(HELP, markup=False)

    def end(self, outcome: Outcome, version: int) -> None:
        self._console.print()
        self._console.print(outcome_sentence(outcome, self._names), markup=False, style="bold")

    def quit(self, version: int) -> None:
        self._console.print("Goodbye.")


def read_lines(prompt: str) -> Iterator[str]:
    """Yield what is typed, without the spaces around it, until the input ends."""
    while True:
        try:
            line = input(prompt)
        except EOFError:
            if prompt:
                typer.echo()
            return
        yield line.strip()


def _codes(cards: Cards) -> list[str]:
    return [card.code for card in cards]


def _plain(value: object) -> object:
    if isinstance(value, Suit):
        return value.letter
    return value.code if isinstance(value, Card) else value


def _coloured(cards: Cards, own: Suit | None) -> Text:
    text = Text()
    for number, card in enumerate(cards):
        red = card.suit in (Suit.DIAMONDS, Suit.HEARTS)
        style = " ".join(["red" if red else "", "bold" if card.suit is own else ""]).strip()
        text.append(" " if number else "").append(card.code + ("*" if card.suit is own else ""), style)
    return text
