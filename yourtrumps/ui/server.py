"""The server of all pages."""

from __future__ import annotations

import asyncio
import errno
import logging
from collections.abc import Callable
from typing import Any

import panel as pn
from bokeh.server.views.ws import WebSocketClosedError, WSHandler  # type: ignore[attr-defined]

from ..core import OptionError
from ..engine import machine
from . import shelf
from .pages import play

_log = logging.getLogger(__name__)

PAGES: dict[str, Callable[[], pn.viewable.Viewable]] = {"/play": play.page, "/": play.page}


def send_at_once() -> None:
    """Switch Nagle's algorithm off for every websocket: it holds the mover's own echo back by 40 ms.

    The loop that a websocket opens on also learns that a visitor may leave (:func:`on_loop_error`).
    """
    if getattr(WSHandler, "_yourtrumps_at_once", False):
        return
    opened = WSHandler.open

    def open_at_once(self: Any, *args: Any, **values: Any) -> Any:
        self.set_nodelay(True)
        asyncio.get_running_loop().set_exception_handler(on_loop_error)
        return opened(self, *args, **values)

    WSHandler.open = open_at_once  # type: ignore[method-assign]
    WSHandler._yourtrumps_at_once = True  # type: ignore[attr-defined]


def on_loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Note a visitor who left while being written to in one quiet line, and everything else as asyncio does.

    Panel writes a session's messages without waiting for each; when the session ends first, nobody is left to
    take the failure, and asyncio would report it as an error with its traceback.
    """
    if isinstance(context.get("exception"), WebSocketClosedError):
        _log.debug("a visitor left while being written to")
    else:
        loop.default_exception_handler(context)


def prepare() -> None:
    """Set Panel up for our pages; the apps of ``panel serve`` call it too."""
    pn.extension(notifications=False)
    send_at_once()
    machine.start()


def serve(port: int = 5006, address: str = "localhost", show: bool = True) -> None:
    """Serve all pages until stopped; raises :class:`OptionError` if the port cannot be had."""
    send_at_once()
    shelf.prune()
    machine.start()
    try:
        server = pn.serve(
            dict(PAGES),
            port=port,
            address=address,
            title=dict.fromkeys(PAGES, "Your trumps"),
            show=False,
            start=False,
            websocket_origin=_origins(address, port),
        )
    except OSError as error:
        if error.errno in (errno.EADDRINUSE, errno.EACCES, errno.EADDRNOTAVAIL):
            raise OptionError("port", port, f"a port that is free on {address}") from None
        raise OptionError("address", address, "an address of this machine") from None
    url = f"http://{address}:{server.port}/play"
    print(f"Your trumps is served at {url} (Ctrl-C stops it)", flush=True)
    if show:
        server.io_loop.add_callback(server.show, "/play")
    server.start()
    server.io_loop.start()


def _origins(address: str, port: int) -> list[str] | None:
    if address in ("localhost", "127.0.0.1") and port:
        return [f"localhost:{port}", f"127.0.0.1:{port}"]
    return None if address == "localhost" else ["*"]
