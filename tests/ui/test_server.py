"""The server's loop: a visitor who leaves is no error, everything else is."""

import asyncio
import logging

import pytest
from bokeh.server.views.ws import WebSocketClosedError

from yourtrumps.ui.server import on_loop_error


@pytest.mark.parametrize(
    ("exception", "logged"),
    [(WebSocketClosedError(), []), (ValueError("torn"), ["ERROR"]), (None, ["ERROR"])],
    ids=["visitor-left", "other", "no-exception"],
)
async def test_only_a_visitor_who_left_goes_unreported(exception, logged, caplog):
    context = {"message": "Task exception was never retrieved"} | ({"exception": exception} if exception else {})
    with caplog.at_level(logging.INFO):
        on_loop_error(asyncio.get_running_loop(), context)
    assert [record.levelname for record in caplog.records] == logged
