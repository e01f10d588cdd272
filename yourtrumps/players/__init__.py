"""Who can take a seat: simple bots, levels, and the player that thinks."""

from .base import Control, Player
from .explain import Hint, HintCode, reason
from .levels import LEVEL_NAMES, LEVELS, check_level, make_player, player_specs

__all__ = [
    "LEVELS",
    "LEVEL_NAMES",
    "Control",
    "Hint",
    "HintCode",
    "Player",
    "check_level",
    "make_player",
    "player_specs",
    "reason",
]
