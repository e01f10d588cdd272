"""The table component: draws a TableView and reports what the player wants. It holds no rule."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations
from pathlib import Path
from typing import Any, ClassVar

import param
from panel.custom import JSComponent

_HERE = Path(__file__).parent


class CardTable(JSComponent):
    """A card table. Everything in it reaches the browser, so it is given only what the viewer may know."""

    view = param.Dict(default={}, doc="A TableView.")
    texts = param.Dict(default={}, doc="Labels in the reader's language.")
    look = param.Dict(default={}, doc="Theme, four-colour suits, sound.")
    inline = param.Boolean(default=False, doc="Shown in a notebook: the page says hello before it is told anything.")
    ticket = param.String(default="", doc="Names the saved game of this browser, for its cookie.")

    _esm = _HERE / "table.js"
    _stylesheets: ClassVar[list[str]] = [(_HERE / "table.css").read_text(encoding="utf-8")]

    def __init__(self, on_message: Callable[[Any], None], **params: Any) -> None:
        super().__init__(**params)
        self._on_message = on_message

    def _handle_msg(self, data: Any) -> None:
        self._on_message(data)

    def send(self, **message: Any) -> None:
        """Send a message that is not part of the view: a refusal, a hint, a file to keep."""
        self._send_msg(message)


def labels(t: NullTranslations) -> dict[str, str]:
    """Return the texts of the table's own buttons and accessible names."""
    return {
        "undo": t.gettext("Undo"),
        "redo": t.gettext("Redo"),
        "hint": t.gettext("Hint"),
        "resign": t.gettext("Resign"),
        "newGame": t.gettext("New game"),
        "rematch": t.gettext("Rematch"),
        "review": t.gettext("Review the moves"),
        "save": t.gettext("Save"),
        "open": t.gettext("Open"),
        "link": t.gettext("Copy link"),
        "copied": t.gettext("The link to this position is copied."),
        "saved": t.gettext("The game is saved."),
        "help": t.gettext("Keys"),
        "close": t.gettext("Close"),
        "hand": t.gettext("Your hand"),
        "pile": t.gettext("Pile"),
        "wholePile": t.gettext("Show the whole pile"),
        "lessPile": t.gettext("Fold the pile"),
        "empty": t.gettext("The pile is empty"),
        "moves": t.gettext("Moves"),
        "first": t.gettext("To the start"),
        "back": t.gettext("One move back"),
        "forward": t.gettext("One move on"),
        "last": t.gettext("To the last move"),
        "yourTrumps": t.gettext("your trumps"),
        "sure": t.gettext("Give up this game?"),
        "yes": t.gettext("Yes, resign"),
        "no": t.gettext("No, play on"),
        "keyArrows": t.gettext("Arrow keys: move along your hand"),
        "keyEnter": t.gettext("Enter or space: play the card"),
        "keyUp": t.gettext("U: pick up"),
        "keyUndo": t.gettext("Z: undo"),
        "keyHint": t.gettext("H: hint"),
        "keyPile": t.gettext("P: show or fold the whole pile"),
        "keyHelp": t.gettext("?: these keys"),
        "hidden": t.gettext("Not while cards are hidden from you."),
        "tooBig": t.gettext("This file is too large to be a saved game."),
    }
