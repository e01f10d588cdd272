import pickle
from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.core.playing import RULES, SEEDS, dealt, random_game, random_record, steps
from yourtrumps.core import (
    THREEFOLD,
    UP,
    Phase,
    Record,
    Repetitions,
    Rules,
    format_json,
    format_move,
    format_position,
    format_rules,
    format_text,
    format_turn,
    parse_move,
    parse_position,
    parse_record,
    parse_rules,
    parse_turn,
    shown_after,
    shown_cards,
)

QUICK = settings(max_examples=60, deadline=None)


def cards_of(position):
    return Counter([card for hand in position.hands for card in hand] + list(position.pile))


@QUICK
@given(RULES, SEEDS)
def test_deal_gives_each_card_once_and_every_seat_some(rules, seed):
    start = dealt(rules, seed)
    cards = cards_of(start)
    assert all(start.hands)
    assert max(cards.values()) == 1
    assert set(cards) <= set(rules.pack)
    assert len(cards) == (len(rules.pack) if rules.cards_each is None else rules.cards_each * rules.players)
    assert start.phase is Phase.LEAD


@QUICK
@given(RULES, SEEDS)
def test_cards_are_conserved(rules, seed):
    start = dealt(rules, seed)
    cards = cards_of(start)
    for _, _, after in steps(start, seed):
        assert cards_of(after) == cards


@QUICK
@given(RULES, SEEDS)
def test_position_codes_round_trip(rules, seed):
    for before, _, _ in steps(dealt(rules, seed), seed, 60):
        assert parse_position(format_position(before)) == before


@QUICK
@given(RULES, SEEDS)
def test_every_step_keeps_to_the_rules(rules, seed):
    for before, move, after in steps(dealt(rules, seed), seed):
        laid = list(after.pile[len(before.pile) :])
        if move is UP:
            assert before.phase is Phase.BEAT
            assert after.pile == before.pile[: len(after.pile)]
            taken = set(before.pile[len(after.pile) :])
            assert set(after.hands[before.seat]) == set(before.hand) | taken
            assert taken
        else:
            assert laid == [move]
            assert move in before.hand
        if before.phase is Phase.BEAT and move is not UP:
            assert move.beats(before.pile[-1], before.trump)
            assert (after.phase is Phase.ADD) == (len(before.hand) > 1)
        assert after.hands[after.seat] != ()
        assert (after.seat == before.seat) <= (
            after.phase is Phase.ADD or rules.after_pick_up.value == "taker" or sum(map(bool, after.hands)) == 1
        )


@QUICK
@given(RULES)
def test_rules_round_trip(rules):
    assert parse_rules(format_rules(rules), rules.low, rules.players) == rules


@QUICK
@given(RULES, SEEDS, st.integers(0, 200), st.booleans())
@example(Rules.of("party", players=4), 0, 0, True)
def test_records_round_trip_in_both_formats(rules, seed, most, timed):
    plain = random_record(rules, seed, most)
    names = tuple(f'P "{seat}" \\ é' for seat in range(rules.players))
    times = tuple(number / 7 for number in range(len(plain.moves))) if timed else ()
    record = Record(
        plain.start, plain.moves, names, times, plain.outcome, {"Event": 'a "quoted" \\ word', "Round": "2"}
    )
    for write in (format_json, format_text):
        again = parse_record(write(record))
        assert again == record
        assert dict(again.tags) == dict(record.tags)
        assert write(again) == write(record)


@QUICK
@given(RULES, SEEDS)
def test_turns_join_to_the_moves_and_round_trip(rules, seed):
    record = random_record(rules, seed, 80)
    turns = record.turns()
    assert tuple(move for turn in turns for move in turn) == record.moves
    for turn in turns:
        assert parse_turn(format_turn(turn)) == turn
    for move in record.moves:
        assert parse_move(format_move(move)) is move


@QUICK
@given(RULES, SEEDS)
def test_values_survive_pickling(rules, seed):
    record = random_record(rules, seed, 30)
    for position in record.positions():
        again = pickle.loads(pickle.dumps(position))
        assert again == position
        assert hash(again) == hash(position)
        assert all(one is other for one, other in zip(again.hand, position.hand, strict=True))
    assert pickle.loads(pickle.dumps(record)) == record
    assert pickle.loads(pickle.dumps(record.moves)) == record.moves


@QUICK
@given(RULES, SEEDS)
def test_repetitions_forgets_what_is_taken_back(rules, seed):
    repetitions, once = Repetitions(), Repetitions()
    played = [before for before, _, _ in steps(dealt(rules, seed), seed, 60)]
    for position in played:
        repetitions.add(position)
        once.add(position)
    for position in reversed(played):
        repetitions.add(position)
    for position in played:
        repetitions.remove(position)
    assert [repetitions.count(position) for position in played] == [once.count(position) for position in played]


@QUICK
@given(RULES, SEEDS)
def test_views_hold_no_closed_card_of_another_hand(rules, seed):
    start = dealt(rules, seed)
    moves = []
    shown = tuple(() for _ in start.hands)
    for before, move, after in steps(start, seed, 60):
        assert shown == shown_cards(start, moves)
        for seat in (None, *range(rules.players)):
            check_view(before, before.view_for(seat, shown), seat, shown)
        shown = shown_after(shown, before, move)
        moves.append(move)


def check_view(position, view, seat, shown):
    is_open = position.rules.hands.value == "open"
    own = () if seat is None else position.hands[seat]
    assert view.hand == own
    assert view.counts == tuple(map(len, position.hands))
    assert view.legal == (position.legal_moves() if seat == position.seat else ())
    for other, hand in enumerate(position.hands):
        assert view.shown[other] == (hand if is_open else shown[other])
        known = view.known_hand(other)
        assert known in (None, hand)
        # All a view names lies open or is the viewer's own; what it does not name is one heap to it.
        if known is None:
            assert set(hand) - set(shown[other]) <= set(view.unseen())
    whole = view.position()
    assert whole in (None, position)
    two_closed = position.rules.players == 2 and seat is not None
    if position.rules.is_whole_pack and (is_open or two_closed):
        assert whole == position


@QUICK
@given(
    st.integers(3, 4),
    st.sampled_from([("party", {}), ("duel", {"cards_each": 2}), ("duel", {"cards_each": 5, "low": "2"})]),
    SEEDS,
)
def test_views_of_deals_that_differ_only_in_hidden_cards_are_equal(players, kind, seed):
    preset, options = kind
    position = dealt(Rules.of(preset, players=players, **options), seed)
    viewer = position.seat
    first, second = [seat for seat in range(players) if seat != viewer][:2]
    hands = list(position.hands)
    one, other = hands[first][0], hands[second][0]
    hands[first] = tuple(sorted((*hands[first][1:], other)))
    hands[second] = tuple(sorted((*hands[second][1:], one)))
    swapped = type(position)(position.rules, position.trumps, tuple(hands), (), viewer, Phase.LEAD)
    assert swapped != position
    assert swapped.view_for(viewer) == position.view_for(viewer)
    assert position.view_for(viewer).position() is None


@pytest.mark.parametrize("low", "6TQK")
@pytest.mark.parametrize(
    ("preset", "players"),
    [("duel", 2), ("party", 2), ("party", 3), ("party", 4), ("russian", 2), ("cambridge", 2)],
    ids=str,
)
def test_every_random_game_ends(preset, players, low):
    for seed in range(2 if low == "6" else 15):
        outcome, moves = random_game(Rules.of(preset, low=low, players=players), seed)
        assert moves > 0
        assert outcome.is_draw == (outcome.winners == ())
        assert len(outcome.losers) <= 1


def test_random_games_end_by_every_rule():
    reasons = {random_game(Rules.of("duel", low="Q"), seed)[0].reason.value for seed in range(600)}
    assert reasons == {"empty hand", "last card answered", "threefold"}


def test_threefold_is_counted_at_the_third_time():
    repetitions = Repetitions()
    position = dealt(Rules.of("duel"), 1)
    assert [repetitions.add(position) for _ in range(THREEFOLD)] == [1, 2, 3]
