import random

import pytest

from yourtrumps.arena import play_game, selfplay, standings
from yourtrumps.core import (
    THREEFOLD,
    UP,
    IllegalMove,
    OptionError,
    Outcome,
    Reason,
    Rules,
    Suit,
    format_text,
    parse_record,
    shown_cards,
)
from yourtrumps.players import make_player
from yourtrumps.players.engine import EnginePlayer
from yourtrumps.players.levels import STRENGTHS

PRESETS = [("duel", 2), ("party", 2), ("party", 3), ("party", 4), ("russian", 2), ("cambridge", 2)]


@pytest.mark.parametrize("players", ["greedy,random", "greedy,greedy", "level:2,greedy"])
@pytest.mark.parametrize(("preset", "count"), PRESETS, ids=str)
def test_games_between_built_in_players_end(preset, count, players):
    specs = (players.split(",") * 2)[:count]
    low = "T" if "level:2" in specs else "6"
    results = list(selfplay(12, specs, Rules.of(preset, players=count, low=low), seed=1))
    assert [result.number for result in results] == list(range(12))
    for result in results:
        assert result.record.outcome is not None
        # The record holds the whole game: what is read back is checked move by move.
        assert parse_record(format_text(result.record)) == result.record


def test_thinking_player_beats_greedy():
    # At the benchmark's budget it wins nine in ten of 200; a few quick games show that it is no accident.
    results = list(selfplay(16, ["thinking", "greedy"], Rules.of("duel"), seed=2, seconds=0.01))
    thinking, greedy = standings(["thinking", "greedy"], results)
    assert thinking.wins > greedy.wins + 4


def test_greedy_player_beats_random():
    greedy, _ = standings(["greedy", "random"], selfplay(40, ["greedy", "random"], Rules.of("duel"), seed=2))
    assert greedy.wins >= 34


def test_each_deal_is_played_from_every_seat():
    specs = ["greedy", "random", "level:1"]
    results = list(selfplay(6, specs, Rules.of("party", players=3, low="Q"), seed=3))
    for round_number in (0, 1):
        three = results[3 * round_number : 3 * round_number + 3]
        assert len({result.record.start for result in three}) == 1
        assert sorted(result.seating for result in three) == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
        for result in three:
            names = [make_player(specs[index]).name for index in result.seating]
            assert list(result.record.names) == names
    assert results[0].record.start != results[3].record.start


@pytest.mark.parametrize("processes", [1, 2])
def test_match_depends_on_the_seed_alone(processes):
    def play(seed):
        return list(selfplay(6, ["greedy", "level:1"], Rules.of("duel"), seed, processes=processes))

    alone = list(selfplay(6, ["greedy", "level:1"], Rules.of("duel"), 5))
    assert play(5) == alone
    if processes == 1:
        assert play(6) != alone


def test_game_takes_trumps_and_leader_that_are_given():
    players = [make_player("greedy", seed=1), make_player("random", seed=1)]
    record = play_game(players, Rules.of("duel"), 1, (Suit.CLUBS, Suit.HEARTS), leader=1)
    assert record.start.trumps == (Suit.CLUBS, Suit.HEARTS)
    assert record.start.seat == 1


def test_game_of_different_seeds_differs_in_deal_trumps_and_leader():
    players = [make_player("greedy", seed=1), make_player("greedy", seed=1)]
    starts = [play_game(players, Rules.of("duel"), seed).start for seed in range(20)]
    assert len(set(starts)) == 20
    assert {start.seat for start in starts} == {0, 1}
    assert len({start.trumps for start in starts}) > 5


class Watcher:
    """Plays at random and keeps what it was shown."""

    name = "Watcher"

    def __init__(self, seed):
        self.views = []
        self._random = random.Random(seed)

    def choose(self, view, control):
        self.views.append(view)
        return self._random.choice(view.legal)


def test_players_see_what_their_seat_may_know_and_no_more():
    players = [Watcher(seed) for seed in range(3)]
    record = play_game(players, Rules.of("party", players=3, low="J"), 4)
    seen = [0, 0, 0]
    positions = list(record.positions())
    for number, position in enumerate(positions[:-1]):
        view = players[position.seat].views[seen[position.seat]]
        seen[position.seat] += 1
        assert view.viewer == view.seat == position.seat
        assert view.hand == position.hand
        assert view.shown == shown_cards(record.start, record.moves[:number])
        assert view.repeats < THREEFOLD


class Follower:
    """Plays the moves of a game that was."""

    name = "Follower"

    def __init__(self, moves):
        self.moves = moves

    def choose(self, view, control):
        return next(self.moves)


def test_third_repetition_ends_the_game():
    rules = Rules.of("duel", low="Q")
    games = (play_game([make_player("random", seed=seed)] * 2, rules, seed) for seed in range(999))
    record = next(game for game in games if game.outcome.reason is Reason.THREEFOLD)
    assert record.outcome == Outcome.draw(Reason.THREEFOLD)
    positions = list(record.positions())
    assert positions.count(positions[-1]) == THREEFOLD
    assert record.check() == record


def test_player_with_an_illegal_move_is_not_let_through():
    with pytest.raises(IllegalMove, match="expected a card from the hand, got up"):
        play_game([Follower(iter([UP])), Follower(iter([UP]))], Rules.of("duel"), 1)


@pytest.mark.parametrize(
    ("options", "option"),
    [
        pytest.param({"games": 0}, "games", id="no-games"),
        pytest.param({"processes": 0}, "processes", id="no-process"),
        pytest.param({"specs": ["greedy"]}, "players", id="too-few"),
        pytest.param({"specs": ["greedy"] * 3}, "players", id="too-many"),
        pytest.param({"specs": ["greedy", "clever"]}, "player", id="unknown"),
        pytest.param({"seconds": -1}, "seconds", id="seconds"),
    ],
)
def test_selfplay_refuses_before_the_first_game(options, option):
    arguments = {"games": 2, "specs": ["greedy", "random"], "rules": Rules.of("duel")} | options
    with pytest.raises(OptionError) as caught:
        selfplay(**arguments)
    assert caught.value.option == option


def test_play_game_refuses_too_few_players():
    with pytest.raises(OptionError, match="players: expected 2 players, got 1"):
        play_game([make_player("greedy")], Rules.of("duel"), 1)


def test_standings_count_every_game_once():
    results = list(selfplay(30, ["random", "random", "random"], Rules.of("party", players=3, low="Q"), seed=1))
    table = standings(["random"] * 3, results)
    assert [one.games for one in table] == [30, 30, 30]
    drawn = sum(result.record.outcome.is_draw for result in results)
    assert [one.draws for one in table] == [drawn] * 3
    # One seat of three loses each game that is not drawn.
    assert sum(one.losses for one in table) == 30 - drawn
    assert sum(one.wins for one in table) == 2 * (30 - drawn)
    for one in table:
        assert one.score == pytest.approx((one.wins + one.draws / 2) / 30)


@pytest.mark.parametrize(("weaker", "stronger"), [(1, 3), (3, 5), (5, 7)])
def test_levels_are_a_ladder(weaker, stronger):
    # With nodes in place of seconds the games are the same everywhere; benchmarks/README.md has each against the next.
    rules = Rules.of("duel", low="9")
    points = 0.0
    for number in range(10):
        seat = number % 2
        players = [EnginePlayer(STRENGTHS[level], seed=number, nodes=30_000) for level in (weaker, stronger)]
        outcome = play_game(players if seat else players[::-1], rules, seed=number // 2).outcome
        points += 0.5 if outcome.is_draw else seat in outcome.winners
    assert points >= 7
