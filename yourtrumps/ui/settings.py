"""What a player can set, and the widgets for it."""

from __future__ import annotations

from gettext import NullTranslations
from typing import Any, Final

import panel as pn
import param

from ..core import PRESETS, Rules
from ..core.cards import RANK_LETTERS
from ..game import HUMAN, Game
from ..players import LEVEL_NAMES
from .words import level_name

PACES: Final = {"instant": 0.0, "fast": 0.35, "normal": 0.8, "slow": 1.8}
THINKING: Final = (0.2, 0.5, 1.0, 2.0, 5.0)
"""Seconds that the computer may think about a move."""
LOWS: Final = tuple(RANK_LETTERS[:-1])
"""Every rank that may be the lowest of a pack."""

_STYLE: Final = """
:host { color: var(--yt-text, inherit); font-family: inherit; }
.bk-input, .bk-input-group > * { font-family: inherit; }
select.bk-input {
  background-color: var(--yt-surface, #fff); color: var(--yt-text, #111); border-color: var(--yt-line, #767676);
  /* Bokeh draws a black arrow; the browser's own follows the colours. */
  background-image: none !important; appearance: auto !important;
}
label { color: var(--yt-text, inherit); font-size: 14px; }
"""


class Settings(param.Parameterized):
    """The settings of one player's table."""

    level: Any = param.Selector(default=3, objects=list(LEVEL_NAMES), doc="The computer's level.")
    preset: Any = param.Selector(default="duel", objects=list(PRESETS), doc="The rules of the next new game.")
    low: Any = param.Selector(default="6", objects=list(LOWS), doc="The lowest rank of the next new game's pack.")
    players: Any = param.Selector(default=2, objects=[2, 3, 4], doc="How many sit at the next party.")
    pace: Any = param.Selector(default="normal", objects=list(PACES), doc="How fast the computer's moves follow.")
    seconds: Any = param.Selector(default=0.5, objects=list(THINKING), doc="How long the computer thinks at most.")
    theme: Any = param.Selector(default="auto", objects=["auto", "light", "dark"], doc="Light, dark, or as the system.")
    four_colours = param.Boolean(default=False, doc="A colour of its own for each suit.")
    sound = param.Boolean(default=False, doc="A soft sound with each card.")
    auto_pick_up = param.Boolean(default=False, doc="Pick up by itself where nothing else is legal.")

    def rules(self) -> Rules:
        """Return the rules that the next new game has by these settings."""
        if self.preset == "party":
            return Rules.of("party", low=self.low, players=self.players)
        return Rules.of(self.preset, low=self.low)

    def seats(self) -> tuple[str, ...]:
        """Return who sits at the next new game: a person, and computers of the level that is set."""
        return (HUMAN, *[f"level:{self.level}"] * (self.rules().players - 1))

    def new_game(self) -> Game:
        """Return a game by these settings, with trumps to be chosen."""
        return Game.new(self.rules(), seats=self.seats())

    def values_to_keep(self) -> dict[str, Any]:
        """Return all settings by name."""
        return {name: getattr(self, name) for name in self.param if name != "name"}

    def take(self, values: Any) -> None:
        """Take what is valid of *values*, settings by name as they were kept."""
        for name, value in values.items() if isinstance(values, dict) else ():
            if name in self.param and name != "name":
                try:
                    setattr(self, name, value)
                except ValueError:
                    continue


def settings_panel(settings: Settings, t: NullTranslations) -> pn.viewable.Viewable:
    """Return the widgets, bound to *settings*."""
    levels = {level_name(t, level): level for level in LEVEL_NAMES}
    presets = {
        t.gettext("Duel"): "duel",
        t.gettext("Party"): "party",
        t.gettext("Russian, open hands"): "russian",
        t.gettext("Cambridge, open hands"): "cambridge",
    }
    packs = {
        t.gettext("{count} cards, from {rank}").format(
            count=4 * (13 - LOWS.index(low)), rank=low.replace("T", "10")
        ): low
        for low in LOWS
    }
    paces = {
        t.gettext("Instant"): "instant",
        t.gettext("Fast"): "fast",
        t.gettext("Normal"): "normal",
        t.gettext("Slow"): "slow",
    }
    thinking = {t.gettext("{seconds} s").format(seconds=f"{seconds:g}"): seconds for seconds in THINKING}
    themes = {t.gettext("As the system"): "auto", t.gettext("Light"): "light", t.gettext("Dark"): "dark"}
    common: dict[str, Any] = {
        "stylesheets": [_STYLE],
        "sizing_mode": "stretch_width",
        "min_width": 150,
        "max_width": 260,
    }

    def select(name: str, label: str, options: dict[str, Any]) -> pn.viewable.Viewable:
        # The parameter's own words are for programmers, and in English.
        return pn.widgets.Select.from_param(
            settings.param[name], name=label, options=options, description=None, **common
        )

    switches = {
        t.gettext("Four colours for the suits"): "four_colours",
        t.gettext("Sound"): "sound",
        t.gettext("Pick up by itself when nothing beats"): "auto_pick_up",
    }

    return pn.FlexBox(
        select("level", t.gettext("Computer's level"), levels),
        select("preset", t.gettext("Rules of the next game"), presets),
        select("players", t.gettext("Players of the next party"), {"2": 2, "3": 3, "4": 4}),
        select("low", t.gettext("Pack of the next game"), packs),
        select("pace", t.gettext("Speed of the computer's moves"), paces),
        select("seconds", t.gettext("The computer thinks at most"), thinking),
        select("theme", t.gettext("Colours of the page"), themes),
        _checks(settings, switches, **common),
        gap="8px 20px",
        sizing_mode="stretch_width",
        styles={"padding": "8px 12px"},
    )


def _checks(settings: Settings, switches: dict[str, str], **look: Any) -> pn.viewable.Viewable:
    """Return check boxes for the settings that are on or off, from label to name.

    A group, for its boxes stand inside their labels; a single one has no name for a screen reader.
    """
    names = list(switches.values())
    group = pn.widgets.CheckBoxGroup(
        options=switches, value=[name for name in names if getattr(settings, name)], **look
    )

    def take(event: param.parameterized.Event) -> None:
        settings.param.update({name: name in event.new for name in names})

    def show(*events: param.parameterized.Event) -> None:
        group.value = [name for name in names if getattr(settings, name)]

    group.param.watch(take, "value")
    settings.param.watch(show, names)
    return group
