"""One player's table: binds a game, the computer players, the settings and the table component."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import panel as pn
import param

from ..core import (
    UP,
    OptionError,
    Record,
    StaleVersion,
    YourTrumpsError,
    format_position,
    format_text,
    parse_move,
    parse_record,
)
from ..core.cards import parse_suit
from ..engine import machine
from ..game import HUMAN, Game
from ..i18n import texts
from ..players import LEVEL_NAMES, Control, make_player, player_specs, reason
from ..referee import Referee, think
from . import words
from .settings import PACES, Settings, settings_panel
from .table import CardTable, labels
from .view import Setting, choosing_view, table_view, turns_of

_log = logging.getLogger(__name__)
_LARGEST_FILE: Final = 2_000_000
_HINT_SECONDS: Final = 1.0
_STORE_AFTER: Final = 0.05
_GAME_PARAMS: Final = ["rules", "seats", "trumps", "position", "moves", "cursor", "outcome", "score"]


class TableSession(pn.viewable.Viewer):
    """A live table; show it in a notebook cell or serve it.

    The same ``game`` can be read and moved from elsewhere, and the table follows.
    """

    def __init__(
        self,
        game: Game,
        settings: Settings | None = None,
        *,
        language: str = "en",
        keep: Callable[[dict[str, Any]], None] | None = None,
        ticket: str = "",
    ) -> None:
        super().__init__()
        self.game = game
        self.settings = settings or Settings()
        self._t = texts(language)
        self._keep = keep
        self._storing = False
        self._held_back = False
        self._hint_control: Control | None = None
        self.component = CardTable(self.on_message, texts=labels(self._t), ticket=ticket, sizing_mode="stretch_width")
        self._watchers = [
            (self.game, self.game.param.watch(self._on_game, _GAME_PARAMS)),
            (self.settings, self.settings.param.watch(self._on_settings, list(self.settings.values_to_keep()))),
        ]
        self._look()
        self.referee = Referee(self.game, pn.state.execute, PACES[self.settings.pace], self.settings.seconds)
        self._show()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        # Panel cuts each inline update into several messages. A page that starts to listen between two of them never
        # finds into step again, so nothing is sent until the new page has said hello.
        self._held_back = True
        self.component.inline = True
        return super()._repr_mimebundle_(include, exclude)

    def __panel__(self) -> pn.viewable.Viewable:
        return self.component

    def settings_panel(self) -> pn.viewable.Viewable:
        """Return widgets for the settings."""
        return settings_panel(self.settings, self._t)

    def close(self) -> None:
        """Stop thinking and watching; the game itself goes on."""
        self.referee.stop()
        if self._hint_control:
            self._hint_control.stop()
        for owner, watcher in self._watchers:
            owner.param.unwatch(watcher)
        self._watchers = []

    # What the table shows

    @property
    def viewer(self) -> int:
        """The seat that looks: the person to move where several share the table, else the only person."""
        people = [seat for seat, spec in enumerate(self.game.seats) if spec == HUMAN]
        position = self.game.position
        if position is not None and position.seat in people:
            return position.seat
        return people[0] if people else 0

    def names(self) -> tuple[str, ...]:
        """Return what each seat is called."""
        t = self._t
        people = [seat for seat, spec in enumerate(self.game.seats) if spec == HUMAN]
        names = []
        for seat, spec in enumerate(self.game.seats):
            if spec == HUMAN:
                names.append(
                    t.gettext("You") if len(people) == 1 else t.gettext("Player {number}").format(number=seat + 1)
                )
            elif spec.startswith("level:") and spec[6:].isdecimal() and int(spec[6:]) in LEVEL_NAMES:
                names.append(words.level_name(t, int(spec[6:])))
            else:
                names.append(spec.capitalize())
        return tuple(names)

    def _show(self) -> None:
        if self._held_back:
            return
        game = self.game
        if game.position is None:
            asked = next((seat for seat, suit in enumerate(game.trumps) if suit is None), 0)
            self.component.view = choosing_view(self._t, asked, self.names(), game.trumps)
            return
        view = game.view_for(self.viewer)
        positions = [game.position_after(number) for number in range(game.cursor + 1)]
        setting = Setting(
            names=self.names(),
            score=game.score,
            turns=turns_of(positions, game.moves[: game.cursor]),
            cursor=game.cursor,
            total=len(game.moves),
            can_undo=game.can_undo(self.viewer),
            can_share=view.position() is not None or game.outcome is not None,
        )
        self.component.view = table_view(self._t, view, setting, None if self._may_play() else ())

    def _may_play(self) -> bool:
        game = self.game
        if game.position is None or game.seats[game.position.seat] != HUMAN or game.outcome:
            return False
        return game.cursor == len(game.moves) or not game.has_ended

    def _on_game(self, *_: object) -> None:
        self._show()
        self._store()
        if self.settings.auto_pick_up and self._may_play() and self.game.is_live and self.game.legal_moves == (UP,):
            position = self.game.position

            async def pick_up() -> None:
                if self.game.position is position and self.settings.auto_pick_up:
                    self.game.play(UP)

            pn.state.execute(pick_up)

    def _on_settings(self, *events: param.parameterized.Event) -> None:
        self.referee.pace = PACES[self.settings.pace]
        self.referee.seconds = self.settings.seconds
        self._look()
        if any(event.name == "level" for event in events):
            self.game.seat_players(
                [HUMAN if spec == HUMAN else f"level:{self.settings.level}" for spec in self.game.seats]
            )
        if any(event.name in ("preset", "low", "players") for event in events) and self.game.position is None:
            self.new_game()
        self._store()

    def _look(self) -> None:
        settings = self.settings
        self.component.look = {"theme": settings.theme, "four": settings.four_colours, "sound": settings.sound}

    # What is kept

    def state(self) -> dict[str, Any]:
        """Return all that is needed to bring this table back with :func:`restored`."""
        game = self.game
        kept: dict[str, Any] = {"settings": self.settings.values_to_keep(), "record": None, "cursor": game.cursor}
        if game.position is not None:
            kept["record"] = format_text(game.save())
        return kept

    def _store(self) -> None:
        """Keep the table soon: the move should be on its way to the screen before the disk is asked."""
        if self._keep is None or self._storing:
            return
        self._storing = True

        async def store() -> None:
            await asyncio.sleep(_STORE_AFTER)
            self._storing = False
            self.keep_now()

        pn.state.execute(store)

    def keep_now(self) -> None:
        """Keep the table; a disk that refuses is a line in the log, and the game goes on."""
        if self._keep is None:
            return
        try:
            self._keep(self.state())
        except OSError as error:
            _log.warning("a table could not be kept: %s", error)

    # What the player wants

    def on_message(self, data: Any) -> None:
        """Do what a message from the browser asks for, or refuse it; whatever it holds, the game stays sound."""
        try:
            self._handler(data)(data)
        except YourTrumpsError as error:
            self.component.send(type="refused", text=words.error_words(self._t, error))

    def _handler(self, data: Any) -> Callable[[dict[str, Any]], None]:
        handlers: dict[str, Callable[[dict[str, Any]], None]] = {
            "hello": self._hello,
            "move": self._move,
            "trump": self._choose,
            "undo": self._undo,
            "redo": lambda data: self.game.redo(),
            "goto": self._goto,
            "hint": self._hint,
            "resign": self._resign,
            "new-game": lambda data: self.new_game(),
            "rematch": lambda data: self.game.new_deal(),
            "save": self._save,
            "open": self._open,
            "link": self._link,
        }
        kind = data.get("type") if isinstance(data, dict) else None
        if not isinstance(kind, str) or kind not in handlers:
            raise OptionError("message", str(kind)[:40], f"one of {', '.join(handlers)}")
        return handlers[kind]

    def _check_version(self, data: dict[str, Any]) -> None:
        version = data.get("version")
        if isinstance(version, bool) or not isinstance(version, int):
            raise OptionError("version", str(version)[:20], "a whole number")
        if version != self.game.cursor:
            raise StaleVersion(self.game.cursor, version)

    def _text(self, data: dict[str, Any], name: str, longest: int) -> str:
        text = data.get(name)
        if not isinstance(text, str) or len(text) > longest:
            raise OptionError(name, str(text)[:20], f"text of at most {longest} characters")
        return text

    def _move(self, data: dict[str, Any]) -> None:
        self._check_version(data)
        move = parse_move(self._text(data, "card", 4))
        if not self._may_play():
            raise StaleVersion(self.game.cursor, self.game.cursor)
        self.game.play(move)

    def _hello(self, data: dict[str, Any]) -> None:
        self._held_back = False
        self._show()
        self.component.param.trigger("view")
        self.component.send(type="welcome")

    def _choose(self, data: dict[str, Any]) -> None:
        suit = parse_suit(self._text(data, "suit", 1))
        seat = next((seat for seat, chosen in enumerate(self.game.trumps) if chosen is None), 0)
        self.game.choose_trump(seat, suit)

    def _undo(self, data: dict[str, Any]) -> None:
        self.game.undo(self.viewer)

    def _goto(self, data: dict[str, Any]) -> None:
        cursor = data.get("cursor")
        if isinstance(cursor, bool) or not isinstance(cursor, int):
            raise OptionError("cursor", str(cursor)[:20], "a whole number")
        self.game.goto(cursor)

    def _resign(self, data: dict[str, Any]) -> None:
        self._check_version(data)
        self.game.resign(self.viewer)

    def new_game(self) -> None:
        """Start a fresh match by the settings."""
        self.game.restart(self.settings.rules(), self.settings.seats())

    def _save(self, data: dict[str, Any]) -> None:
        self._check_shared()
        self.component.send(type="file", name="your-trumps.txt", text=format_text(self.game.save(self.names())))

    def _open(self, data: dict[str, Any]) -> None:
        self.game.load(_with_known_players(parse_record(self._text(data, "text", _LARGEST_FILE))))

    def _link(self, data: dict[str, Any]) -> None:
        self._check_shared()
        assert self.game.position is not None
        self.component.send(type="link", code=format_position(self.game.position))

    def _check_shared(self) -> None:
        game = self.game
        if game.position is None or (game.outcome is None and game.view_for(self.viewer).position() is None):
            raise OptionError("position", "hidden", "a game in which no card is hidden from you")

    def _hint(self, data: dict[str, Any]) -> None:
        game = self.game
        if not self._may_play():
            raise StaleVersion(game.cursor, game.cursor)
        asked, view = game.position, game.view_for(self.viewer)
        if self._hint_control:
            self._hint_control.stop()
        control = self._hint_control = Control(_HINT_SECONDS)
        player = make_player(f"level:{max(LEVEL_NAMES)}", seconds=_HINT_SECONDS)

        async def hint() -> None:
            move = await think(player, view, control)
            if game.position is asked:
                text = words.hint_words(self._t, move, reason(view, move), self.names())
                self.component.send(type="hint", text=text, card=str(move))

        pn.state.execute(hint)


def restored(kept: dict[str, Any] | None) -> tuple[Game, Settings] | None:
    """Return the game and settings that :meth:`TableSession.state` kept, or None if they cannot be read."""
    if kept is None:
        return None
    settings = Settings()
    settings.take(kept.get("settings"))
    game = settings.new_game()
    record = kept.get("record")
    if isinstance(record, str):
        try:
            game.load(_with_known_players(parse_record(record)))
            cursor = kept.get("cursor")
            if isinstance(cursor, int) and 0 <= cursor < len(game.moves):
                game.goto(cursor)
        except YourTrumpsError as error:
            _log.warning("a kept table could not be read: %s", error)
            return None
    return game, settings


def _with_known_players(record: Record) -> Record:
    """Return *record* without its seats if it seats a player that we do not have: nobody would ever move there."""
    known = {HUMAN, *player_specs()}
    if known.issuperset(record.tags.get("Seats", "").split()):
        return record
    return replace(record, tags={name: value for name, value in record.tags.items() if name != "Seats"})


def table(game: Game | None = None, **settings: Any) -> TableSession:
    """Return a live table of *game* for a notebook or a served page; *settings* as in :class:`Settings`."""
    _prepare_notebook()
    chosen = Settings(**settings)
    if game is None:
        game = chosen.new_game()
    return TableSession(game, chosen)


def _prepare_notebook() -> None:
    """Bring Panel's scripts into a notebook's page, from this machine and not from a network; ready the engine."""
    machine.start()
    in_kernel = "ipykernel" in sys.modules and pn.state.curdoc is None
    if in_kernel and not getattr(pn.extension, "_loaded", False):
        pn.extension(inline=True)
