"""Your trumps (Svoi Kozyri): a card duel in which each player has a trump suit of their own."""

from __future__ import annotations

from typing import Any

from .core import (
    UP,
    Card,
    Move,
    Outcome,
    Phase,
    Position,
    Rank,
    Record,
    Rules,
    SeatView,
    Suit,
    YourTrumpsError,
    parse_position,
)
from .game import Game, dump, load

__version__ = "0.1.0"

__all__ = [
    "UP",
    "Card",
    "Game",
    "Move",
    "Outcome",
    "Phase",
    "Position",
    "Rank",
    "Record",
    "Rules",
    "SeatView",
    "Suit",
    "YourTrumpsError",
    "dump",
    "load",
    "parse_position",
    "table",
]


def table(game: Game | None = None, **settings: Any) -> Any:
    """Return a live card table of *game* (a new duel by default) to show in a notebook or serve with Panel.

    It is a :class:`yourtrumps.ui.session.TableSession`, named here in words only: importing the package loads no panel.
    """
    from .ui.session import table as show

    return show(game, **settings)
