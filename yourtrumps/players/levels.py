"""Which player stands behind a word such as ``level:2``: the one place where levels and kinds are listed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from ..core import OptionError
from .base import Player
from .engine import EnginePlayer, Strength
from .greedy import GreedyPlayer
from .random import RandomPlayer
from .thinking import ThinkingPlayer

Factory = Callable[[int | None, float | None], Player]
"""Makes a player of a seed and of the most seconds a move (None: its own choice)."""

LEVEL_NAMES: Final[Mapping[int, str]] = {
    1: "Beginner",
    2: "Novice",
    3: "Casual player",
    4: "Club player",
    5: "Strong club player",
    6: "Expert",
    7: "Candidate master",
    8: "Master",
}
"""Plain English names of the levels; translate them where they are shown."""

STRENGTHS: Final[Mapping[int, Strength]] = {
    1: Strength(depth=1, temperature=0.4, worlds=1),
    2: Strength(depth=2, temperature=0.2, worlds=2),
    3: Strength(depth=2, temperature=0.08, worlds=4),
    4: Strength(depth=3, temperature=0.04, worlds=8),
    5: Strength(depth=4, temperature=0.04, worlds=12),
    6: Strength(depth=5, temperature=0.015, worlds=20),
    7: Strength(depth=7, worlds=30),
    8: Strength(proves=True),
}
"""The levels from weakest to strongest; each beats the one before in at least seven games of ten."""


def _level(level: int, seed: int | None, seconds: float | None) -> Player:
    return EnginePlayer(STRENGTHS[level], seed, seconds, name=LEVEL_NAMES[level])


LEVELS: Final[Mapping[int, Factory]] = {level: partial(_level, level) for level in STRENGTHS}

KINDS: Final[Mapping[str, Factory]] = {
    "random": lambda seed, seconds: RandomPlayer(seed),
    "greedy": lambda seed, seconds: GreedyPlayer(seed),
    "thinking": lambda seed, seconds: ThinkingPlayer(seed, 0.5 if seconds is None else seconds),
    "engine": partial(_level, 8),
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
