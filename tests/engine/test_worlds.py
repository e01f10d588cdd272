"""Hidden hands: worlds agree with what was seen, and what was not seen changes nothing."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from yourtrumps.core import (
    UP,
    Card,
    Move,
    OptionError,
    Phase,
    Position,
    Rank,
    Rules,
    SeatView,
    Suit,
    deal,
    parse_card,
    parse_position,
    shown_cards,
)
from yourtrumps.engine.worlds import choose, playout_values, sample_worlds

SUITS = (Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS)
GAMES = {
    "two seats, 8 cards each": Rules.of("duel", cards_each=8),
    "party of three": Rules.of("party", players=3),
    "party of four": Rules.of("party", players=4),
    "party of three, 5 cards each": Rules.of("party", players=3, cards_each=5),
}


def _views(rules: Rules, seed: int, count: int) -> list[tuple[SeatView, Position]]:
    """Some views of a seat to move with a choice, from a random game, and the positions behind them."""
    random = Random(seed)
    start = deal(rules, SUITS[: rules.players], 0, random)
    position, moves = start, []
    found: list[tuple[SeatView, Position]] = []
    while not position.is_over and len(found) < count:
        legal = position.legal_moves()
        if len(legal) > 1 and random.random() < 0.3:
            view = position.view_for(position.seat, shown_cards(start, moves))
            found.append((view, position))
        moves.append(random.choice(legal))
        position = position.after(moves[-1])
    return found


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_worlds_agree_with_the_view(rules: Rules) -> None:
    for view, position in _views(rules, 3, 8):
        worlds = sample_worlds(view, Random(1))
        for _ in range(10):
            world = next(worlds)
            assert world.view_for(view.viewer, view.shown) == view
            for seat, shown in enumerate(view.shown):
                assert set(shown) <= set(world.hands[seat])
            cards = [card for part in (*world.hands, world.pile) for card in part]
            assert len(cards) == len(set(cards))
            assert len(cards) == sum(map(len, position.hands)) + len(position.pile)


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_choice_is_the_same_when_unseen_cards_change_places(rules: Rules) -> None:
    for view, position in _views(rules, 5, 4):
        other = next(sample_worlds(view, Random(99)))
        again = other.view_for(view.viewer, view.shown)
        first = choose(view, Random(7), worlds=4)
        assert choose(again, Random(7), worlds=4) == first
        assert first.move in position.legal_moves()


def test_unseen_cards_are_spread_evenly() -> None:
    view, _ = _views(GAMES["two seats, 8 cards each"], 1, 1)[0]
    worlds = sample_worlds(view, Random(2))
    counts: Counter[Card] = Counter()
    for _ in range(2000):
        counts.update(next(worlds).hands[1 - view.seat])
    hidden = view.counts[1 - view.seat] - len(view.shown[1 - view.seat])
    expected = 2000 * hidden / len(view.unseen())
    for card in view.unseen():
        assert abs(counts[card] - expected) < 6 * expected**0.5


def test_lowest_trump_that_was_dealt_to_its_seat_is_still_there() -> None:
    rules = GAMES["party of three"]
    view = deal(rules, SUITS[:3], 0, Random(4)).view_for(0)
    worlds = sample_worlds(view, Random(2))
    for _ in range(50):
        world = next(worlds)
        assert parse_card("6H") in world.hands[1]
        assert parse_card("6C") in world.hands[2]


def test_a_world_that_follows_from_the_view_is_the_only_one() -> None:
    position = deal(Rules(), SUITS[:2], 0, Random(4))
    worlds = sample_worlds(position.view_for(0), Random(2))
    assert {next(worlds) for _ in range(5)} == {position}


def test_given_evaluator_decides_and_only_sees_consistent_worlds() -> None:
    view, position = _views(GAMES["party of four"], 2, 1)[0]
    seen: list[Position] = []

    def evaluate(world: Position, random: Random) -> dict[Move, float]:
        seen.append(world)
        return {move: float(move == view.legal[-1]) for move in world.legal_moves()}

    choice = choose(view, Random(1), evaluate, worlds=5)
    assert choice.move == position.legal_moves()[-1]
    assert choice.worlds == len(seen) == 5
    assert all(world.view_for(view.viewer, view.shown) == view for world in seen)


def test_playouts_find_a_win_in_one() -> None:
    position = parse_position("6 SH 9S/8DTD7C QC 0 beat")
    assert playout_values(position, Random(1)) == {parse_card("9S"): 1.0}
    position = parse_position("6 SH 9STSQS/7C8C7D - 0 lead duel+cards_each=3")
    values = playout_values(position, Random(1))
    assert all(0 <= value <= 1 for value in values.values())


def test_playouts_win_more_against_a_careless_player_than_they_lose() -> None:
    rules = Rules.of("duel", low=Rank.TEN, cards_each=6)
    score = 0
    for game in range(16):
        random = Random(game)
        start = position = deal(rules, SUITS[:2], game % 2, random)
        moves: list[Move] = []
        while not position.is_over and len(moves) < 200:
            legal = position.legal_moves()
            if position.seat == 0:
                move = choose(position.view_for(0, shown_cards(start, moves)), random, worlds=8).move
            else:
                move = random.choice(legal)
            moves.append(move)
            position = position.after(move)
        outcome = position.outcome
        if outcome and not outcome.is_draw:
            score += 1 if outcome.winners == (0,) else -1
    assert score >= 6


def test_choose_stops_when_asked_but_looks_at_one_world() -> None:
    view, _ = _views(GAMES["party of four"], 2, 1)[0]
    assert choose(view, Random(1), worlds=50, stop=lambda: True).worlds == 1


def test_a_single_legal_move_needs_no_world() -> None:
    position = parse_position("6 SH 6C7C/8HTDAD QDKD 0 beat duel+cards_each=3")
    assert position.legal_moves() == (UP,)
    assert choose(position.view_for(0), Random(1)).worlds == 0


def test_views_without_a_choice_or_a_seat_are_refused() -> None:
    position = parse_position("6 SH 6C7C/8HTDAD QDKD 0 beat duel+cards_each=3")
    assert position.phase is Phase.BEAT
    with pytest.raises(OptionError, match="seat to move"):
        choose(position.view_for(1), Random(1))
    with pytest.raises(OptionError, match="a seat"):
        next(sample_worlds(position.view_for(None), Random(1)))
    with pytest.raises(OptionError, match="worlds"):
        choose(position.view_for(0), Random(1), worlds=0)
