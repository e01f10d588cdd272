"""The table page while the engine's machine code is being made."""

import asyncio

import panel as pn

from yourtrumps.engine import machine
from yourtrumps.i18n import texts
from yourtrumps.ui.pages import play


async def test_progress_of_the_machine_code_is_shown_until_it_is_done(monkeypatch):
    share = 0.25
    monkeypatch.setattr(machine, "is_being_made", lambda: share < 1)
    monkeypatch.setattr(machine, "progress", lambda: share)
    [line] = play.compiling(texts("en"), period=5)
    bar = next(iter(line.select(pn.indicators.Progress)))
    async with asyncio.timeout(10):
        while bar.value != 25:
            await asyncio.sleep(0)
    share = 1.0
    async with asyncio.timeout(10):
        while line.styles.get("visibility") != "hidden":
            await asyncio.sleep(0)


def test_nothing_is_shown_where_the_machine_code_is_there(monkeypatch):
    monkeypatch.setattr(machine, "is_being_made", lambda: False)
    assert play.compiling(texts("en")) == []
