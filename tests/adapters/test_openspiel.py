"""The game in OpenSpiel: its own checks, and the core's game move by move."""

import json
import pickle
from collections import Counter
from pathlib import Path
from random import Random

import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability
from open_spiel.python.observation import make_observation

from yourtrumps.adapters import openspiel
from yourtrumps.adapters.openspiel import PICK_UP, action_of, game_of, move_of, state_of
from yourtrumps.core import (
    THREEFOLD,
    UP,
    IllegalMove,
    NotationError,
    OptionError,
    Outcome,
    Phase,
    Rank,
    Reason,
    Repetitions,
    Rules,
    Suit,
    YourTrumpsError,
    deal,
    pack,
    parse_position,
)

REFERENCE = Path(__file__).resolve().parents[1] / "reference"
PRESETS = ["duel", "party", "russian", "cambridge"]
TRUMPS = (Suit.SPADES, Suit.HEARTS)
SPECTATOR = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)


def load(**parameters):
    return pyspiel.load_game(openspiel.NAME, parameters)


def deal_out(game, chance):
    state = game.new_initial_state()
    while state.is_chance_node():
        actions, odds = zip(*state.chance_outcomes(), strict=True)
        assert sum(odds) == pytest.approx(1)
        state.apply_action(chance.choices(actions, odds)[0])
    return state


def leaves(state, odds=1.0):
    """Yield every position that may be dealt, with its probability."""
    if not state.is_chance_node():
        yield state.position, odds
        return
    for action, chance in state.chance_outcomes():
        yield from leaves(state.child(action), odds * chance)


@pytest.mark.parametrize(
    "parameters",
    [
        *[{"preset": preset, "cards": cards, "max_moves": 120} for preset in PRESETS for cards in (8, 36, 52)],
        {"preset": "party", "cards": 20, "cards_each": 3, "max_moves": 60},
        {"cards": 8, "cards_each": 1, "leader": 1, "trumps": "CD", "max_moves": 20},
        {"may_decline": "yes", "pick_up": "all", "after_pick_up": "taker", "hands": "open", "max_moves": 60},
    ],
    ids=str,
)
def test_passes_the_checks_of_openspiel(parameters):
    pyspiel.random_sim_test(load(**parameters), num_sims=2, serialize=True, verbose=False, mask_test=True)


@pytest.mark.skipif(
    "specific_initial_state" not in pyspiel.random_sim_test.__doc__, reason="this OpenSpiel starts from the deal only"
)
def test_passes_the_checks_of_openspiel_from_a_given_position():
    state = state_of(parse_position("6 SH 6S7S9C/8HTDAD QCKC 0 beat"))
    pyspiel.random_sim_test(
        state.get_game(), num_sims=3, serialize=True, verbose=False, specific_initial_state=state.clone()
    )


@pytest.mark.parametrize("preset", PRESETS)
def test_passes_the_checks_of_openspiel_in_python(preset):
    sims = pytest.importorskip("open_spiel.python.tests.games_sim_test")
    sims.GamesSimTest().sim_game(load(preset=preset, cards=20, max_moves=100))


def test_is_registered_with_what_it_says_of_itself():
    assert openspiel.NAME in pyspiel.registered_names()
    game = pyspiel.load_game(openspiel.NAME)
    assert game.num_players() == 2
    assert game.num_distinct_actions() == 53
    assert game.utility_sum() == 0
    assert game.max_chance_nodes_in_history() == 36
    assert game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION
    hidden = load(cards_each=6)
    assert hidden.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    assert hidden.max_chance_nodes_in_history() == 12


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("cards", [8, 20, 36, 52])
def test_plays_as_the_core_does(preset, cards):
    chance = Random(f"{preset} {cards}")
    for _ in range(4):
        leader = chance.randrange(2)
        state = deal_out(load(preset=preset, cards=cards, leader=leader), chance)
        position, repetitions, moves = state.position, Repetitions(), 0
        assert position.seat == leader
        assert position.phase is Phase.LEAD
        assert sorted(position.hands[0] + position.hands[1]) == list(position.rules.pack)
        count = repetitions.add(position)
        while not position.is_over and count < THREEFOLD and moves < openspiel.DEFAULT_MAX_MOVES:
            assert not state.is_terminal()
            assert state.current_player() == position.seat
            assert state.legal_actions() == sorted(map(action_of, position.legal_moves()))
            assert state.legal_actions(1 - position.seat) == []
            move = chance.choice(position.legal_moves())
            action = state.string_to_action(str(move))
            assert state.action_to_string(action) == str(move)
            state.apply_action(action)
            position = position.after(move)
            count = repetitions.add(position)
            moves += 1
            assert (state.position, state.occurred) == (position, count)
        assert state.is_terminal()
        outcome = position.outcome or (Outcome.draw(Reason.THREEFOLD) if count == THREEFOLD else None)
        assert state.outcome == outcome
        drawn = outcome is None or outcome.is_draw
        assert state.returns() == [0 if drawn else 1 if seat in outcome.winners else -1 for seat in range(2)]


def test_every_end_of_the_rules_occurs():
    chance = Random(5)
    ends = Counter()
    for number in range(60):
        state = deal_out(load(preset=PRESETS[number % 4], cards=8), chance)
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
        ends[state.outcome.reason] += 1
    assert {Reason.EMPTY_HAND, Reason.THREEFOLD} <= set(ends)
    state = state_of(parse_position("6 SH 7C/8C - 0 lead"))
    state.apply_action(state.legal_actions()[0])
    assert state.is_terminal()
    assert state.outcome == Outcome.draw(Reason.LAST_CARD_ANSWERED)
    assert state.returns() == [0, 0]


def test_longest_game_is_a_draw_without_an_outcome():
    state = deal_out(load(max_moves=10), Random(1))
    for _ in range(10):
        assert not state.is_terminal()
        state.apply_action(state.legal_actions()[0])
    assert state.is_terminal()
    assert state.outcome is None
    assert state.returns() == [0, 0]
    assert state.get_game().max_game_length() == 10


@pytest.mark.parametrize(
    ("parameters", "rules"),
    [
        pytest.param({"cards": 8, "cards_each": 2}, Rules.of("duel", low="K", cards_each=2), id="few-cards"),
        pytest.param(
            {"preset": "party", "cards": 8, "cards_each": 2}, Rules.of("party", low="K", cards_each=2), id="low"
        ),
        pytest.param({"preset": "russian", "cards": 12}, Rules.of("russian", low="Q"), id="mirrored"),
    ],
)
@pytest.mark.parametrize("leader", [0, 1])
def test_deals_what_the_core_deals_and_as_often(parameters, rules, leader):
    odds = Counter()
    for position, chance in leaves(load(**parameters, leader=leader).new_initial_state()):
        odds[position] += chance
    assert sum(odds.values()) == pytest.approx(1)
    chance, draws = Random(leader), 4000
    seen = Counter(deal(rules, TRUMPS, leader, chance) for _ in range(draws))
    assert set(seen) <= set(odds)
    # Chi square over its degrees of freedom is 1 in the mean, with a deviation of sqrt(2 / n): n is 27 at least.
    chi = sum((seen[position] - draws * p) ** 2 / (draws * p) for position, p in odds.items())
    assert chi / (len(odds) - 1) < 2.5


@pytest.mark.parametrize("leader", [0, 1])
def test_deal_goes_round_from_the_leader_or_tosses_a_coin_a_rank(leader):
    state = deal_out(load(leader=leader), Random(1))
    hands, dealt = state.position.hands, state.history()
    assert [sorted(dealt[::2]), sorted(dealt[1::2])] == [list(hands[leader]), list(hands[1 - leader])]
    state = deal_out(load(preset="russian", leader=leader), Random(1))
    assert sorted(state.history()) == list(state.position.hands[leader])


def test_copies_go_ways_of_their_own():
    chance = Random(2)
    for _ in range(20):
        state = deal_out(load(preset="cambridge", cards=8), chance)
        copy, before = state.clone(), str(state)
        while not copy.is_terminal():
            copy.apply_action(chance.choice(copy.legal_actions()))
        assert str(state) == before
        # Would the two share their count of repetitions, this one would end sooner.
        for action in copy.history()[len(state.history()) :]:
            assert not state.is_terminal()
            state.apply_action(action)
        assert (str(state), state.returns()) == (str(copy), copy.returns())


@pytest.mark.parametrize("moves", [0, 7, 100])
def test_state_survives_pickling_with_its_repetitions(moves):
    chance = Random(moves)
    state = deal_out(load(preset="cambridge", cards=8), chance)
    for _ in range(moves):
        if not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
    copy = pickle.loads(pickle.dumps(state))
    while not state.is_terminal():
        assert (str(copy), copy.legal_actions()) == (str(state), state.legal_actions())
        action = chance.choice(state.legal_actions())
        state.apply_action(action)
        copy.apply_action(action)
    assert copy.is_terminal()
    assert copy.returns() == state.returns()


def count_sequences(state, depth):
    if state.is_terminal() or depth == 0:
        return int(depth == 0)
    return sum(count_sequences(state.child(action), depth - 1) for action in state.legal_actions())


REFERENCES = [
    one
    for one in json.loads((REFERENCE / "perft.json").read_text(encoding="utf-8"))
    if len(one["position"].split()[1]) == 2
]


@pytest.mark.parametrize("reference", REFERENCES, ids=lambda one: one["position"])
def test_counts_the_reference_sequences(reference):
    state = state_of(parse_position(reference["position"]))
    for depth, count in enumerate(reference["perft"], 1):
        if count < 1000:
            assert count_sequences(state, depth) == count


def test_position_code_makes_a_state():
    code = "6 SH 6S7S9C/8HTDAD QCKC 0 beat"
    state = load().new_initial_state(code)
    assert state.position == parse_position(code)
    assert state.history() == []
    assert list(map(move_of, state.legal_actions())) == list(state.position.legal_moves())
    with pytest.raises(NotationError, match="code"):
        load(cards=20).new_initial_state(code)


def test_game_of_keeps_every_option():
    rules = Rules.of(
        "cambridge", low="T", may_decline=False, pick_up="3-5-all", after_pick_up="next", hands="closed", deal="whole"
    )
    game = game_of(rules, TRUMPS, leader=1, max_moves=77)
    assert (game.rules, game.trumps, game.leader, game.max_moves) == (rules, TRUMPS, 1, 77)
    assert pyspiel.load_game(str(game)).rules == rules
    with pytest.raises(OptionError, match="players"):
        game_of(Rules.of("party", players=3), (*TRUMPS, Suit.CLUBS))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        pytest.param({"preset": "whist"}, "preset: expected one of duel", id="preset"),
        pytest.param({"cards": 35}, "cards: expected 8, 12", id="odd-pack"),
        pytest.param({"cards": 4}, "cards: expected 8, 12", id="small-pack"),
        pytest.param({"cards": 56}, "cards: expected 8, 12", id="large-pack"),
        pytest.param({"cards_each": 19}, "cards_each: expected a number from 1 to 18", id="too-many-each"),
        pytest.param({"cards_each": -1}, "cards_each: expected a number from 1 to 18", id="too-few-each"),
        pytest.param({"preset": "party", "cards_each": 1}, "cards_each: expected at least 2", id="lowest-of-one"),
        pytest.param({"preset": "russian", "cards_each": 5}, "cards_each: expected no value", id="mirrored-few"),
        pytest.param({"trumps": "SS"}, "trumps: expected 2 different suits", id="same-trumps"),
        pytest.param({"trumps": "SHC"}, "trumps: expected 2 different suits", id="three-trumps"),
        pytest.param({"trumps": "SX"}, "trumps: expected one of C, D, H, S", id="no-suit"),
        pytest.param({"leader": 2}, "leader: expected 0 or 1", id="leader"),
        pytest.param({"max_moves": 0}, "max_moves: expected a number from 1", id="no-moves"),
        pytest.param({"may_decline": "perhaps"}, "may_decline: expected yes or no", id="option"),
    ],
)
def test_parameter_out_of_range_is_said(parameters, message):
    with pytest.raises(YourTrumpsError, match=message):
        load(**parameters)


@pytest.mark.parametrize("action", [53, 0, PICK_UP])
def test_illegal_action_changes_nothing(action):
    state = state_of(parse_position("6 SH 6S7S9C/8HTDAD QCKC 0 beat"))
    with pytest.raises((IllegalMove, OptionError)):
        state.apply_action(action)
    assert state.history() == []
    assert state.occurred == 1
    assert state.position == parse_position("6 SH 6S7S9C/8HTDAD QCKC 0 beat")


def test_observation_of_a_duel_holds_the_whole_position():
    state = state_of(parse_position("6 SH 6S7S9C/8HTDAD QCKC 0 beat"))
    seen = make_observation(state.get_game())
    seen.set_from(state, 1)
    position = state.position
    assert seen.dict["player"].tolist() == [0, 1]
    assert [set(row.nonzero()[0]) for row in seen.dict["hands"]] == [set(position.hands[1]), set(position.hands[0])]
    assert seen.dict["trumps"].argmax(1).tolist() == [Suit.HEARTS, Suit.SPADES]
    assert seen.dict["mover"].tolist() == [0, 1]
    assert seen.dict["phase"].tolist() == [0, 1, 0]
    assert seen.dict["top"].argmax() == position.pile[-1]
    assert [seen.dict["pile"][card] * 52 for card in position.pile] == pytest.approx([2, 1])
    assert seen.dict["occurred"].tolist() == [1, 0]
    assert state.observation_tensor(1) == seen.tensor.tolist()
    assert state.observation_string(1) == "9C6S7S/TDAD8H SH 3/3 QCKC 0 beat occurred=1 moves=0"


def test_hidden_cards_do_not_reach_the_other_player():
    game = load(cards=20, cards_each=3, max_moves=40)
    states = [
        game.state_at(parse_position(f"T SH TCTSKD/{hand} - 1 lead duel+cards_each=3")) for hand in ("JCJSJD", "JCASQD")
    ]
    for state in states:
        state.apply_action(state.string_to_action("JC"))
        state.apply_action(state.string_to_action("TS"))
        state.apply_action(state.string_to_action("TC"))
    for recall in (False, True):
        seen = make_observation(game, pyspiel.IIGObservationType(perfect_recall=recall))
        tensors = []
        for state in states:
            seen.set_from(state, 0)
            tensors.append(seen.tensor.tolist())
        assert tensors[0] == tensors[1]
        assert len({seen.string_from(state, 0) for state in states}) == 1
        assert len({seen.string_from(state, 1) for state in states}) == 2
    assert states[0].information_state_tensor(0) == states[1].information_state_tensor(0)
    assert states[0].information_state_string(0).endswith("dealt TCKDTS/? JC TS TC")


def test_what_is_picked_up_is_known_to_all():
    state = load(cards=36, cards_each=2).new_initial_state("6 SH 6C7C/8DTD KC 1 beat duel+cards_each=2")
    assert state.observation_string(0).startswith("6C7C/? SH 2/2 KC 1 beat")
    state.apply_action(PICK_UP)
    state.apply_action(action_of(parse_position("6 SH 6C7C/8D - 0 lead").hand[0]))
    assert state.observation_string(0).startswith("7C/? SH 1/3 6C 1 beat")
    state.apply_action(state.string_to_action("KC"))
    seen = make_observation(state.get_game(), SPECTATOR)
    assert seen.string_from(state, 0).startswith("?/? SH")
    state = state_of(parse_position("6 SH 6C7C/TD KC 1 beat duel+cards_each=2"))
    state.apply_action(PICK_UP)
    seen.set_from(state, 0)
    assert seen.string_from(state, 0).startswith("?/? SH 2/2")


@pytest.mark.parametrize("private", ["NONE", "SINGLE_PLAYER", "ALL_PLAYERS"])
@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("recall", [False, True])
@pytest.mark.parametrize("each", [0, 3])
def test_every_kind_of_observation_can_be_made(private, public, recall, each):
    game = load(cards=20, cards_each=each, max_moves=30)
    kind = pyspiel.IIGObservationType(
        perfect_recall=recall, public_info=public, private_info=getattr(pyspiel.PrivateInfoType, private)
    )
    seen, state = make_observation(game, kind), deal_out(game, Random(1))
    hands = seen.string_from(state, 0).split()[0].split("/")
    known = 2 if private == "ALL_PLAYERS" or (public and not each) else 1 if private == "SINGLE_PLAYER" else 0
    assert sum(hand != "?" for hand in hands) == known
    if seen.tensor is not None:
        seen.set_from(state, 0)
        assert seen.dict["hands"].any(1).sum() == known
        assert sum(piece.size for piece in seen.dict.values()) == seen.tensor.size


def test_small_game_is_solved_by_openspiel():
    game = load(cards=8, cards_each=1, max_moves=8)
    solver = pyspiel.CFRSolver(game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(game, solver.tabular_average_policy()) < 0.05
    assert exploitability.nash_conv(game, policy.TabularPolicy(game)) >= 0


def test_tree_search_finds_the_winning_card():
    # The ace of spades, trump of seat 0, cannot be beaten; led with the last but one card it leaves seat 1 to pick up.
    state = state_of(parse_position("Q SH QCAS/KHQDKD - 0 lead"))
    bot = pyspiel.MCTSBot(state.get_game(), pyspiel.RandomRolloutEvaluator(4, 1), 2.0, 400, 0, True, 1, False)
    root = bot.mcts_search(state)
    assert root.outcome[0] == 1 or root.best_child().total_reward > 0


def test_moves_are_actions():
    whole = pack(Rank.TWO)
    assert [move_of(action) for action in range(53)] == [*whole, UP]
    assert [action_of(move) for move in (*whole, UP)] == list(range(53))
