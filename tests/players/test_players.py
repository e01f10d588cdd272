"""Every player: legal answers, nothing but the view, the same choice under the same seed, and obedience."""

import random
import threading
from dataclasses import replace
from itertools import islice

import pytest

from tests.core.playing import dealt, steps
from yourtrumps.core import UP, OptionError, Rules, format_move, parse_position
from yourtrumps.core.memory import shown_after
from yourtrumps.engine import search as engine_search
from yourtrumps.engine.worlds import sample_worlds
from yourtrumps.players import LEVEL_NAMES, LEVELS, Control, check_level, make_player, player_specs
from yourtrumps.players.engine import EnginePlayer
from yourtrumps.players.greedy import GreedyPlayer
from yourtrumps.players.levels import STRENGTHS
from yourtrumps.players.thinking import ThinkingPlayer

RULES = [
    Rules.of("duel"),
    Rules.of("russian"),
    Rules.of("cambridge"),
    Rules.of("party", players=2),
    Rules.of("party", players=3),
    Rules.of("party", players=4),
    Rules.of("duel", cards_each=6),
    Rules.of("duel", low="2"),
    Rules.of("duel", low="K"),
]


def views(rules, seed, most=40):
    for position, _, _ in steps(dealt(rules, seed), seed, most):
        yield position.view_for(position.seat)


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{rules.preset}-{rules.players}-{rules.low.letter}")
@pytest.mark.parametrize("spec", player_specs())
def test_player_answers_with_a_legal_move(spec, rules):
    player = make_player(spec, seed=1, seconds=0.01)
    for view in views(rules, seed=3):
        assert player.choose(view, Control()) in view.legal


@pytest.mark.parametrize("spec", ["random", "greedy", "level:1", "level:2"])
@pytest.mark.parametrize("rules", [RULES[0], RULES[4]], ids=["duel", "party"])
def test_player_chooses_the_same_under_the_same_seed(spec, rules):
    one, two = make_player(spec, seed=5), make_player(spec, seed=5)
    for view in views(rules, seed=4, most=15):
        assert one.choose(view, Control()) == two.choose(view, Control())


@pytest.mark.parametrize("rules", [RULES[0], RULES[4], RULES[6]], ids=["duel", "party", "cards-each"])
def test_thinking_player_with_a_node_budget_chooses_the_same_under_the_same_seed(rules):
    one, two = (ThinkingPlayer(seed=5, seconds=None, nodes=600) for _ in range(2))
    for view in views(rules, seed=4, most=15):
        assert one.choose(view, Control()) == two.choose(view, Control())


@pytest.mark.parametrize("spec", player_specs())
def test_player_refuses_to_choose_when_it_is_not_its_turn(spec):
    position = dealt(Rules.of("duel"), 1)
    with pytest.raises(OptionError, match="a seat that has a move to choose"):
        make_player(spec, seed=1).choose(position.view_for(1 - position.seat), Control())


@pytest.mark.parametrize("spec", player_specs())
def test_player_reports_all_done(spec):
    position = parse_position("6 SH 9C/8H7C QC 0 beat")
    control = Control()
    assert make_player(spec, seed=1).choose(position.view_for(0), control) is UP
    assert control.progress == 1.0


def test_stopped_player_answers_at_once_and_legally():
    view = dealt(Rules.of("duel"), 1)
    view = view.view_for(view.seat)
    control = Control()
    control.stop()
    assert ThinkingPlayer(seed=1, seconds=3600.0).choose(view, control) in view.legal


@pytest.mark.parametrize("rules", [RULES[0], RULES[5]], ids=["duel", "party"])
def test_thinking_player_stops_when_told_from_another_thread(rules):
    position = dealt(rules, 2)
    control = Control()
    answers = []
    player = ThinkingPlayer(seed=1, seconds=None)
    view = position.view_for(position.seat)
    thread = threading.Thread(target=lambda: answers.append(player.choose(view, control)))
    thread.start()
    control.stop()
    thread.join(timeout=60)
    assert not thread.is_alive()
    assert answers[0] in view.legal


def test_control_with_no_time_left_is_over_but_not_stopped():
    control = Control(seconds=0)
    assert (control.is_over, control.stopped) == (True, False)
    assert Control(seconds=3600).is_over is False
    assert (Control().is_over, Control().deadline) == (False, None)


def test_control_progress_never_goes_back():
    control = Control()
    control.report(0.5)
    control.report(0.2)
    assert control.progress == 0.5
    control.report(7)
    assert control.progress == 1.0


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf")])
def test_control_refuses_seconds_out_of_range(seconds):
    with pytest.raises(OptionError, match="seconds: expected"):
        Control(seconds)


@pytest.mark.parametrize("spec", ["", "Greedy", "level", "level:0", "level:9", "level:x", "greedy ", "level:1:2"])
def test_make_player_refuses_what_it_does_not_know(spec):
    with pytest.raises(OptionError, match="player: expected one of random, greedy, thinking, engine, level:1"):
        make_player(spec)


@pytest.mark.parametrize("seconds", [0, -1.0, float("nan")])
def test_make_player_refuses_seconds_out_of_range(seconds):
    with pytest.raises(OptionError, match="seconds: expected"):
        make_player("thinking", seconds=seconds)


def test_levels_have_names_that_their_players_bear():
    assert LEVELS.keys() == LEVEL_NAMES.keys() == set(range(1, 9))
    for level, name in LEVEL_NAMES.items():
        assert check_level(level) == level
        assert make_player(f"level:{level}").name == name


@pytest.mark.parametrize("level", [0, 9, -1])
def test_check_level_refuses_a_level_there_is_not(level):
    with pytest.raises(OptionError, match="level: expected one of 1, 2, 3, 4, 5, 6, 7, 8"):
        check_level(level)


@pytest.mark.parametrize(
    ("code", "move"),
    [
        pytest.param("6 SH 6S9CTCAC/8HTD8D 8C 0 beat", "9C", id="lowest-that-beats"),
        pytest.param("6 SH 6S9C/8HTD7D 8D 0 beat", "6S", id="trump-where-nothing-else-beats"),
        pytest.param("6 SH 6S7CADKC/8HTD7H 8CTC 0 add duel+hands=open", "7C", id="low-plain-card-when-all-are-beaten"),
        pytest.param("6 SH 7CADKS/8CTD9D - 0 lead duel+hands=open", "AD", id="what-the-other-cannot-beat"),
        pytest.param("6 SH QSKSAS/8CTD9D7D 6C 0 beat duel+may_decline=yes", "up", id="saves-high-trumps"),
    ],
)
def test_greedy_plays_its_rules_of_thumb(code, move):
    position = parse_position(code)
    assert format_move(GreedyPlayer(seed=1).choose(position.view_for(position.seat), Control())) == move


def test_random_player_plays_every_move_in_time():
    position = dealt(Rules.of("duel"), 1)
    view = position.view_for(position.seat)
    player = make_player("random", seed=1)
    assert {player.choose(view, Control()) for _ in range(600)} == set(view.legal)


def test_beginner_errs_but_the_better_moves_come_more_often():
    position = dealt(Rules.of("duel"), 1)
    view = position.view_for(position.seat)
    order = [scored.turn[0] for scored in engine_search.Search(position).run(depth=1, full=True).turns]
    chosen = [make_player("level:1", seed=seed).choose(view, Control()) for seed in range(200)]
    assert len(set(chosen)) > 2
    assert sum(move in order[: len(order) // 3] for move in chosen) > 90
    assert sum(move in order[-len(order) // 3 :] for move in chosen) < 50


def test_beginner_takes_a_win_at_once():
    view = parse_position("6 SH KC/7D8H QC 0 beat party").view_for(0)
    assert {format_move(make_player("level:1", seed=seed).choose(view, Control())) for seed in range(50)} == {"KC"}


def test_players_of_different_seeds_differ():
    position = dealt(Rules.of("duel"), 1)
    view = position.view_for(position.seat)
    assert len({make_player("random", seed=seed).choose(view, Control()) for seed in range(30)}) > 5


def another_world(position, viewer, chance):
    """Return a position that *viewer* cannot tell from *position*, the cards it has not seen dealt out anew."""
    view = position.view_for(viewer)
    unseen = list(view.unseen())
    chance.shuffle(unseen)
    hands = list(position.hands)
    for seat, shown in enumerate(view.shown):
        if seat != viewer:
            hidden = view.counts[seat] - len(shown)
            hands[seat] = tuple(sorted([*shown, *unseen[:hidden]]))
            del unseen[:hidden]
    return replace(position, hands=tuple(hands))


HIDDEN = [Rules.of("party", players=3), Rules.of("party", players=4), Rules.of("duel", cards_each=6)]


@pytest.mark.parametrize("rules", HIDDEN, ids=["three", "four", "cards-each"])
@pytest.mark.parametrize(
    "make",
    [
        lambda: ThinkingPlayer(seed=2, seconds=None, nodes=600),
        lambda: make_player("level:1", seed=2),
        lambda: EnginePlayer(replace(STRENGTHS[8], worlds=4), seed=2, nodes=2000),
    ],
    ids=["thinking", "beginner", "master"],
)
def test_choice_does_not_depend_on_hidden_cards(make, rules):
    chance = random.Random(3)
    position = dealt(rules, 11)
    viewer = position.seat
    swapped = another_world(position, viewer, chance)
    assert swapped.hands != position.hands
    assert make().choose(position.view_for(viewer), Control()) == make().choose(swapped.view_for(viewer), Control())


@pytest.mark.parametrize("rules", HIDDEN, ids=["three", "four", "cards-each"])
def test_master_plays_the_same_game_whatever_it_cannot_see(rules):
    # At each of its turns the true cards are swapped for others that fit all it has seen: it must not notice.
    chance = random.Random(5)
    one, two = (EnginePlayer(replace(STRENGTHS[8], worlds=3), seed=7, nodes=2000) for _ in range(2))
    greedy = GreedyPlayer(seed=1)
    position = dealt(rules, 4)
    shown = position.view_for(None).shown
    asked = swaps = 0
    for _ in range(150):
        if position.is_over:
            break
        view = position.view_for(position.seat, shown)
        if position.seat == 0:
            twin = next(islice(sample_worlds(view, chance), 3, None))
            swaps += twin.hands != position.hands
            move = one.choose(view, Control())
            assert two.choose(twin.view_for(0, shown), Control()) == move
            asked += 1
        else:
            move = greedy.choose(view, Control())
        shown = shown_after(shown, position, move)
        position = position.after(move)
    # The game may end before many turns, but not before some of which the hidden cards could have told.
    assert min(asked, swaps) > 3
