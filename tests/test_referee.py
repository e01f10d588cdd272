"""The referee asks whoever is to move, and drops answers to positions that are gone."""

import asyncio
import threading

from yourtrumps import Game
from yourtrumps.referee import Referee


async def settle(condition, within=30.0):
    """Wait until *condition* holds."""
    async with asyncio.timeout(within):
        while not condition():
            await asyncio.sleep(0.005)


async def test_two_computers_play_to_the_end():
    game = Game.new(trumps="SH", seats=("greedy", "random"), seed=3, low="Q")
    referee = Referee(game)
    await settle(lambda: game.outcome is not None)
    referee.stop()


async def test_person_is_waited_for():
    game = Game.new(trumps="SH", seats=("human", "greedy"), seed=3, leader=0)
    referee = Referee(game)
    assert not referee.is_thinking
    game.play(game.legal_moves[0])
    await settle(lambda: game.position.seat == 0)
    referee.stop()


async def test_answer_to_a_position_that_is_gone_is_dropped():
    game = Game.new(trumps="SH", seats=("human", "level:3"), seed=3, leader=0)
    referee = Referee(game)
    game.play(game.legal_moves[0])
    asked = referee.is_thinking
    game.undo()
    await settle(lambda: not referee.is_thinking)
    assert asked
    assert game.cursor == 0
    referee.stop()


async def test_stop_ends_the_thinking():
    game = Game.new(trumps="SH", seats=("level:3", "level:3"), seed=3)
    referee = Referee(game)
    assert referee.is_thinking
    referee.stop()
    assert not referee.is_thinking
    assert game.cursor == 0


class Scripted:
    """A player that answers when *ready* is set (or it is stopped, if that is None), with a move of its own choice."""

    def __init__(self, pick, ready=None):
        self.name = "scripted"
        self.pick = pick
        self.ready = ready
        self.asked = threading.Event()
        self.answered = threading.Event()

    def choose(self, view, control):
        self.asked.set()
        if self.ready is None:
            control._stop.wait(30)
        else:
            self.ready.wait(30)
        self.answered.set()
        return view.legal[self.pick]


async def test_level_changed_while_thinking_voids_the_old_answer():
    game = Game.from_position("6 SH 6S7S8S/9CTCJC KC 0 beat party", ("level:3", "human"))
    before = Scripted(0)
    after = Scripted(2, ready=before.answered)
    referee = Referee(game)
    referee._players = {"level:3": before, "level:1": after}
    await settle(before.asked.is_set)
    game.seat_players(("level:1", "human"))
    await settle(lambda: game.cursor > 0)
    referee.stop()
    assert str(game.moves[0]) == "8S"


async def test_thinking_time_reaches_the_players(monkeypatch):
    made = []

    def make(spec, seconds=None):
        made.append((spec, seconds))
        return Scripted(0, ready=ready)

    ready = threading.Event()
    ready.set()
    monkeypatch.setattr("yourtrumps.referee.make_player", make)
    game = Game.from_position("6 SH 6S7S8S/9CTCJC KC 0 beat party", ("level:8", "level:8"))
    referee = Referee(game, pace=0.01, seconds=2.0)
    await settle(lambda: game.cursor > 0)
    referee.seconds = 0.2
    referee.seconds = 0.2
    await settle(lambda: game.outcome is not None)
    referee.stop()
    assert made == [("level:8", 2.0), ("level:8", 0.2)]
