"""The referee asks whoever is to move, and drops answers to positions that are gone."""

import asyncio

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


async def test_level_changed_while_thinking_asks_the_new_level_alone():
    game = Game.new(trumps="SH", seats=("human", "level:3"), seed=3, leader=0)
    referee = Referee(game)
    asked = []
    player_of = referee._player
    referee._player = lambda spec: asked.append(spec) or player_of(spec)
    game.play(game.legal_moves[0])
    await settle(lambda: asked == ["level:3"])
    game.seat_players(("human", "level:1"))
    await settle(lambda: game.cursor >= 2)
    assert asked[:2] == ["level:3", "level:1"]
    referee.stop()
