"""Which player stands behind a word such as ``level:2``: the one place where levels and kinds are listed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ..core import OptionError
from .base import Player
from .beginner import BeginnerPlayer
from .greedy import GreedyPlayer
from .random import RandomPlayer
from .thinking import ThinkingPlayer

Factory = Callable[[int | None, float | None], Player]
"""Makes a player of a seed and of the most seconds a move (None: its own choice)."""

_SECONDS: Final = 0.5


def _level_two(seed: int | None, seconds: float | None) -> Player:
    return ThinkingPlayer(seed, seconds, depth=2, name=LEVEL_NAMES[2])


def _level_three(seed: int | None, seconds: float | None) -> Player:
    return ThinkingPlayer(seed, _SECONDS if seconds is None else seconds, name=LEVEL_NAMES[3])


LEVELS: Final[Mapping[int, Factory]] = {
    1: lambda seed, seconds: BeginnerPlayer(seed),
    2: _level_two,
    3: _level_three,
}
"""The levels from weakest to strongest; a stronger engine adds its own here."""

LEVEL_NAMES: Final[Mapping[int, str]] = {1: "Beginner", 2: "Club player", 3: "Thinker"}
"""Plain English names of the levels; translate them where they are shown."""

KINDS: Final[Mapping[str, Factory]] = {
    "random": lambda seed, seconds: RandomPlayer(seed),
    "greedy": lambda seed, seconds: GreedyPlayer(seed),
    "thinking": _level_three,
}


def player_specs() -> tuple[str, ...]:
    """Return every word that :func:`make_player` knows."""
    return (*KINDS, *(f"level:{level}" for level in LEVELS))


def check_level(level: int) -> int:
    """Return *level*; raises :class:`OptionError` if there is no such level."""
    if level not in LEVELS:
        raise OptionError("level", level, f"one of {', '.join(map(str, LEVELS))}")
    return level


def make_player(spec: str, seed: int | None = None, seconds: float | None = None) -> Player:
    """Return a player of a word such as ``greedy`` or ``level:3``; raises :class:`OptionError`.

    *seconds* bounds the thinking of those that think.

    >>> make_player("level:1", seed=7).name
    'Beginner'
    """
    if seconds is not None and not 0 < seconds < 1e6:
        raise OptionError("seconds", seconds, "a number above 0")
    factories = dict(KINDS) | {f"level:{level}": factory for level, factory in LEVELS.items()}
    if spec not in factories:
        raise OptionError("player", spec, f"one of {', '.join(player_specs())}")
    return factories[spec](seed, seconds)
