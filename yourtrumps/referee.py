"""Asks the seated computer players for their moves, off the event loop, and plays what they answer."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from .core import Move, SeatView
from .game import HUMAN, Game
from .players import Control, Player, make_player

POOL: Final = ThreadPoolExecutor(max_workers=os.cpu_count() or 2, thread_name_prefix="yourtrumps-think")
"""Every search of this process runs here, so that many tables cannot start more threads than there are cores."""

Spawn = Callable[[Callable[[], Coroutine[Any, Any, None]]], Any]
"""Starts a coroutine function on the event loop of whoever shows the game."""

_tasks: set[asyncio.Future[None]] = set()


def spawn_here(job: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Start *job* on the running event loop."""
    task = asyncio.ensure_future(job())
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


async def think(player: Player, view: SeatView, control: Control) -> Move:
    """Return *player*'s choice, computed in the pool; cancelling the caller stops the search at once."""
    try:
        return await asyncio.wrap_future(POOL.submit(player.choose, view, control))
    finally:
        control.stop()


class Referee:
    """Watches a game; whenever a computer player is to move, asks it and plays its answer.

    ``pace`` is the least number of seconds between two moves, so that people can follow, ``seconds`` the most that a
    player may think, None to leave that to the player. A position that has changed meanwhile (undo, a new deal) makes
    the answer void.
    """

    def __init__(self, game: Game, spawn: Spawn = spawn_here, pace: float = 0.0, seconds: float | None = None) -> None:
        self.game = game
        self.pace = pace
        self._seconds = seconds
        self._spawn = spawn
        self._players: dict[str, Player] = {}
        self._control: Control | None = None
        self._asked: object = None
        self._watcher = game.param.watch(self._on_change, ["position", "seats", "outcome"])
        self._on_change()

    def stop(self) -> None:
        """Stop watching and thinking."""
        self.game.param.unwatch(self._watcher)
        self._asked = None
        if self._control:
            self._control.stop()

    @property
    def seconds(self) -> float | None:
        """The most that a player may think about a move."""
        return self._seconds

    @seconds.setter
    def seconds(self, seconds: float | None) -> None:
        if seconds != self._seconds:
            self._seconds = seconds
            self._players.clear()

    @property
    def progress(self) -> float:
        """How far the player who is asked has come, from 0 to 1."""
        return self._control.progress if self._control and self.is_thinking else 0.0

    @property
    def is_thinking(self) -> bool:
        """Whether a computer player is being asked."""
        return self._control is not None and not self._control.stopped

    def _on_change(self, *_: object) -> None:
        game = self.game
        if self._control:
            self._control.stop()
        self._asked = None
        if game.is_live and game.position is not None and game.seats[game.position.seat] != HUMAN:
            # A fresh token for each question: the position stays the same when only the level changes.
            self._asked = asked = object()
            self._control = control = Control()

            async def job() -> None:
                await self._ask(asked, control)

            self._spawn(job)

    async def _ask(self, asked: object, control: Control) -> None:
        game = self.game
        # The pause comes first: the player's own move is on the way to the screen and should not wait for a search.
        await asyncio.sleep(self.pace)
        if asked is not self._asked or game.position is None:
            return
        seat = game.position.seat
        move = await think(self._player(game.seats[seat]), game.view_for(seat), control)
        if asked is self._asked and game.is_live:
            game.play(move)

    def _player(self, spec: str) -> Player:
        if spec not in self._players:
            self._players[spec] = make_player(spec, seconds=self._seconds)
        return self._players[spec]
