"""The table page: play against the computer."""

from __future__ import annotations

from gettext import NullTranslations

import panel as pn

from ...core import NotationError
from ...engine import machine
from ...game import Game
from ...i18n import DEFAULT, direction, languages, texts
from .. import shelf, words
from ..session import TableSession, restored
from ..settings import Settings
from .frame import PageHead, framed


def page() -> pn.viewable.Viewable:
    """Return the table of this visitor: the position of ``?code=``, else the game this browser had, else a new one."""
    language = _argument("lang")
    if language not in languages():
        language = DEFAULT
    t = texts(language)
    ticket = pn.state.cookies.get(shelf.COOKIE, "") if pn.state.curdoc else ""
    kept = shelf.read(ticket)
    if kept is None:
        ticket = shelf.new_ticket()
    game, settings = restored(kept) or (None, Settings())
    refused = ""
    if code := _argument("code"):
        try:
            game = Game.from_position(code)
            # The link's table is a new one: what this browser had is not written over.
            ticket = shelf.new_ticket()
        except NotationError as error:
            refused = words.error_words(t, error)
    if game is None:
        game = settings.new_game()
    session = TableSession(
        game, settings, language=language, ticket=ticket, keep=lambda state: shelf.write(ticket, state)
    )
    if code and not refused:
        session.keep_now()
    pn.state.on_session_destroyed(lambda context: session.close())
    head = PageHead(language=language, direction=direction(language), heading=t.gettext("Your trumps"))
    # Both belong to this session, so they go together and need no unwatching.
    settings.param.watch(lambda event: head.param.update(theme=event.new), "theme")
    head.theme = settings.theme
    content: list[pn.viewable.Viewable] = []
    if refused:
        content.append(pn.pane.Alert(_plain(refused), alert_type="warning", sizing_mode="stretch_width"))
    content += compiling(t)
    return framed(head, session.settings_panel, t.gettext("Settings"), *content, session.component)


def compiling(t: NullTranslations, period: int = 500) -> list[pn.viewable.Viewable]:
    """Return a line that shows how far the engine's machine code is, while it is being made; nothing after that."""
    if not machine.is_being_made():
        return []
    bar = pn.indicators.Progress(value=0, max=100, height=6, sizing_mode="stretch_width", margin=(2, 0, 6, 0))
    text = t.gettext("The computer is getting faster: machine code is being made, once on this machine.")
    words = pn.pane.HTML(
        _plain(text), margin=0, sizing_mode="stretch_width", styles={"color": "var(--yt-text)", "font-size": "14px"}
    )
    line = pn.Column(words, bar, sizing_mode="stretch_width", margin=(0, 12))

    def look() -> None:
        bar.value = int(100 * machine.progress())
        if not machine.is_being_made():
            # Its place stays: a table that jumps up would bring another card under the finger.
            line.styles = {"visibility": "hidden"}
            watch.stop()

    watch = pn.state.add_periodic_callback(look, period=period)
    return [line]


def _argument(name: str) -> str:
    values = pn.state.session_args.get(name) or [b""]
    try:
        return values[0].decode("utf-8")[:2000] if isinstance(values[0], bytes) else str(values[0])[:2000]
    except UnicodeDecodeError:
        return "?"


def _plain(text: str) -> str:
    """Return *text* with nothing in it that Markdown or HTML would read."""
    return "".join(f"&#{ord(letter)};" if not letter.isalnum() and letter != " " else letter for letter in text)
