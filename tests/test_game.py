"""Game: one event a move, exact undo, matches, and records that go in and out."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yourtrumps import Game, Suit, YourTrumpsError, dump, load
from yourtrumps.core import IllegalMove, OptionError, Reason, RecordError

BOTH = ("human", "human")
LAST = "6 SH 9STC/8HTDAD QCKC 0 beat"


def state(game):
    return game.position, game.moves, game.cursor, game.outcome, game.score, game.repeats


def play_randomly(game, seed, most=300):
    chance = random.Random(seed)
    while game.legal_moves and len(game.moves) < most:
        game.play(chance.choice(game.legal_moves))


@pytest.mark.parametrize("preset", ["duel", "party", "russian", "cambridge"])
def test_move_is_one_event(preset):
    game = Game.new(preset, trumps="SH", seats=BOTH, seed=1)
    events = []
    game.param.watch(lambda *changes: events.append(changes), ["position", "moves", "cursor", "outcome", "score"])
    play_randomly(game, 2, most=50)
    assert len(events) == len(game.moves) == 50


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 120))
def test_undo_and_redo_are_exact(seed, most):
    game = Game.new(trumps="SH", seats=BOTH, seed=seed, low="J")
    states = [state(game)]
    chance = random.Random(seed)
    while game.legal_moves and len(game.moves) < most:
        game.play(chance.choice(game.legal_moves))
        states.append(state(game))
    for cursor in range(len(game.moves) - 1, -1, -1):
        game.undo()
        assert (game.position, game.repeats) == (states[cursor][0], states[cursor][5])
    for cursor in range(1, len(states)):
        game.redo()
        assert (game.position, game.moves, game.cursor, game.repeats) == (
            *states[cursor][:1],
            states[-1][1],
            cursor,
            states[cursor][5],
        )


def test_play_after_undo_gives_up_what_was_taken_back():
    game = Game.new(trumps="SH", seats=BOTH, seed=1)
    play_randomly(game, 1, most=10)
    for _ in range(4):
        game.undo()
    game.play(game.legal_moves[-1])
    assert len(game.moves) == game.cursor == 7


def test_undo_of_a_seat_goes_back_to_its_last_decision():
    game = Game.new(trumps="SH", seats=BOTH, seed=1, leader=0)
    game.play(game.legal_moves[0])
    while game.position.seat != 0:
        game.play(game.legal_moves[-1])
    game.undo(0)
    assert game.cursor == 0


def test_score_counts_a_win_until_it_is_taken_back():
    game = Game.from_position(LAST, BOTH)
    game.play("9S")
    game.play("TC")
    assert game.outcome.reason is Reason.EMPTY_HAND
    assert game.score == (1, 0)
    game.undo()
    assert (game.score, game.outcome) == ((0, 0), None)


def test_winner_leads_the_next_game_and_trumps_are_chosen_again():
    game = Game.from_position(LAST, BOTH)
    game.play("9S")
    game.play("TC")
    game.new_deal()
    assert (game.leader, game.position, game.score) == (0, None, (1, 0))
    game.choose_trump(0, Suit.CLUBS)
    with pytest.raises(OptionError, match="no other seat"):
        game.choose_trump(1, Suit.CLUBS)
    game.choose_trump(1, Suit.HEARTS)
    assert game.position.seat == 0


def test_lead_alternates_after_a_draw():
    game = Game.new(trumps="SH", seats=BOTH, leader=0)
    game.agree_draw()
    game.new_deal()
    assert (game.leader, game.score) == (1, (0.5, 0.5))


def test_computer_chooses_a_trump_of_its_own():
    game = Game.new()
    game.choose_trump(0, Suit.SPADES)
    assert game.trumps[0] is Suit.SPADES
    assert game.trumps[1] not in (None, Suit.SPADES)


def test_third_occurrence_is_a_draw():
    game = Game.from_position("Q CS ACAD/AS KSQS 0 beat", BOTH)
    play_randomly(game, 1)
    assert game.outcome is not None
    games = (Game.new("cambridge", trumps="SH", seats=BOTH, seed=seed, low="K") for seed in range(200))
    reasons = set()
    for other in games:
        play_randomly(other, 3)
        reasons.add(other.outcome and other.outcome.reason)
    assert Reason.THREEFOLD in reasons


@pytest.mark.parametrize("seed", range(8))
def test_saved_game_loads_as_it_was(seed):
    game = Game.new(trumps="DC", seats=("human", "greedy"), seed=seed)
    play_randomly(game, seed, most=seed * 40)
    again = load(dump(game))
    assert (again.position, again.moves, again.outcome, again.score, again.seats, again.leader) == (
        game.position,
        game.moves,
        game.outcome,
        game.score,
        game.seats,
        game.leader,
    )


@pytest.mark.parametrize(
    "spoil", [lambda text: text[:-20], lambda text: text.replace("1. ", "1. AS AS "), lambda _: "{"]
)
def test_bad_record_leaves_the_game_untouched(spoil):
    game = Game.new(trumps="SH", seats=BOTH, seed=1)
    play_randomly(game, 1, most=20)
    before = state(game)
    with pytest.raises(RecordError):
        game.load(spoil(dump(game)))
    assert state(game) == before


@pytest.mark.parametrize(
    ("act", "error"),
    [
        (lambda game: game.play("up"), IllegalMove),
        (lambda game: game.play("XX"), YourTrumpsError),
        (lambda game: game.goto(5), OptionError),
        (lambda game: game.undo(), IllegalMove),
        (lambda game: game.redo(), IllegalMove),
        (lambda game: game.choose_trump(0, Suit.CLUBS), OptionError),
    ],
    ids=["up", "no-card", "goto", "undo", "redo", "trump"],
)
def test_refused_act_changes_nothing(act, error):
    game = Game.new(trumps="SH", seats=BOTH, seed=1)
    before = state(game)
    with pytest.raises(error):
        act(game)
    assert state(game) == before


@pytest.mark.parametrize(
    "options",
    [{"trumps": "SS"}, {"trumps": "XY"}, {"leader": 2}, {"seats": ("human",)}, {"low": "A"}, {"cards_each": 40}],
    ids=lambda options: next(iter(options)),
)
def test_bad_option_is_refused(options):
    with pytest.raises(OptionError):
        Game.new(**options)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_computers_choose_trumps_all_different(players, seed):
    game = Game.new("party", players=players, seed=seed)
    game.choose_trump(0, Suit.HEARTS)
    assert game.trumps[0] is Suit.HEARTS
    assert len(set(game.trumps)) == len(game.position.hands) == players


def test_resigned_game_is_opened_again_by_undo_and_resigned_anew():
    game = Game.from_position(LAST, BOTH)
    game.play("9S")
    game.resign(1)
    ended = load(dump(game))
    assert (ended.outcome, ended.score) == (game.outcome, (1, 0))
    ended.undo()
    assert (ended.outcome, ended.has_ended, ended.score, ended.cursor) == (None, False, (0, 0), 0)
    ended.play("9S")
    ended.resign(0)
    assert ended.score == (0, 1)


def test_earlier_move_of_an_ended_game_is_looked_at_not_played_from():
    game = Game.from_position(LAST, BOTH)
    game.play("9S")
    game.play("TC")
    game.goto(0)
    assert (game.outcome, game.has_ended, game.score) == (None, True, (1, 0))
    with pytest.raises(IllegalMove):
        game.play("9S")
    with pytest.raises(IllegalMove):
        game.undo()
    game.goto(2)
    assert game.outcome.reason is Reason.EMPTY_HAND


def test_same_seed_deals_the_same_game():
    games = [Game.new(trumps="SH", seed=11) for _ in range(2)]
    assert games[0].position == games[1].position
    assert games[0].position != Game.new(trumps="SH", seed=12).position


def test_restart_begins_a_match_at_nought():
    game = Game.from_position(LAST, BOTH)
    game.resign(0)
    game.restart(Game.new("party", players=3).rules, ("human", "greedy", "random"))
    assert (game.score, game.trumps, game.position, game.moves) == ((0, 0, 0), (None,) * 3, None, ())


def test_redo_of_the_last_move_ends_the_game_again():
    game = Game.from_position(LAST, BOTH)
    game.play("9S")
    game.play("TC")
    ended = state(game)
    events = []
    game.param.watch(lambda *changes: events.append(changes), ["position", "cursor", "outcome", "score"])
    game.undo()
    assert len(events) == 1
    game.redo()
    assert (state(game), len(events)) == (ended, 2)
    assert not game.is_live
    assert game.has_ended
