"""Options that several commands share, and what their texts mean."""

from __future__ import annotations

import json
import random
from typing import Annotated

import typer

from ..core import OptionError, Outcome, Rules, Suit, parse_rules
from ..core.cards import parse_rank, parse_suit

Preset = Annotated[
    str,
    typer.Option(help="duel, party, russian or cambridge; options may follow, as in duel+may_decline=yes."),
]
Low = Annotated[str, typer.Option(help="The lowest rank of the pack, one of 23456789TJQK.")]
Seed = Annotated[int | None, typer.Option(help="The same seed gives the same cards.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Seats = Annotated[int | None, typer.Option(help="How many play, 2 to 4; where the preset allows it.")]
CardsEach = Annotated[int | None, typer.Option(help="Deal only so many cards to each seat.")]


def make_rules(preset: str, low: str, seats: int | None = None, cards_each: int | None = None) -> Rules:
    """Return the rules that the options ask for; raises a :class:`YourTrumpsError` naming the one at fault."""
    text = preset
    if seats is not None:
        text += f"+players={seats}"
    if cards_each is not None:
        text += f"+cards_each={cards_each}"
    return parse_rules(text, parse_rank(low, "low"))


def read_trumps(letters: str) -> tuple[Suit, ...]:
    """Return the suits of a text such as ``SH``, in either case of letters."""
    return tuple(parse_suit(letter, "trumps") for letter in letters.upper())


def draw_trumps(rules: Rules, chance: random.Random, first: Suit | None = None) -> tuple[Suit, ...]:
    """Return different trump suits for all seats, drawn by *chance*; seat 0 gets *first* if there is one."""
    if rules.players > len(Suit):
        raise OptionError("seats", rules.players, "at most one a suit")
    suits = [suit for suit in Suit if suit is not first]
    chance.shuffle(suits)
    if first is not None:
        suits.insert(0, first)
    return tuple(suits[: rules.players])


def new_seed(seed: int | None) -> int:
    """Return *seed*, or a fresh one if there is none."""
    return random.SystemRandom().getrandbits(32) if seed is None else seed


def print_json(value: object) -> None:
    """Print *value* as JSON on one line, at once, so that a program at the other end of a pipe need not wait."""
    typer.echo(json.dumps(value, ensure_ascii=False))


def outcome_json(outcome: Outcome | None) -> dict[str, str] | None:
    """Return the JSON form of *outcome*."""
    return None if outcome is None else {"result": outcome.code, "reason": outcome.reason.value}
