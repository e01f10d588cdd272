import random

import pytest

from yourtrumps.core import (
    Card,
    OptionError,
    Position,
    Rank,
    Rules,
    Suit,
    deal,
    format_rules,
    parse_rules,
)
from yourtrumps.core.errors import NotationError

SH = (Suit.SPADES, Suit.HEARTS)


@pytest.mark.parametrize("low", "23456789TJQK")
@pytest.mark.parametrize("preset", ["russian", "cambridge"])
@pytest.mark.parametrize("leader", [0, 1])
def test_mirrored_deal_is_equal_and_paired(preset, low, leader):
    rules = Rules.of(preset, low=low)
    # Spades and hearts are the trumps, so clubs and diamonds are the other pair.
    pairs = {Suit.SPADES: Suit.HEARTS, Suit.HEARTS: Suit.SPADES, Suit.CLUBS: Suit.DIAMONDS, Suit.DIAMONDS: Suit.CLUBS}
    first, second = deal(rules, SH, leader, random.Random(7)).hands
    assert len(first) == len(second) == len(rules.pack) // 2
    assert set(second) == {Card(pairs[card.suit], card.rank) for card in first}
    assert not set(first) & set(second)


def test_mirrored_deal_gives_each_card_to_either_seat():
    held = set()
    for seed in range(40):
        held |= set(deal(Rules.of("russian"), SH, 0, random.Random(seed)).hands[0])
    assert held == set(Rules.of("russian").pack)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("low", "26TK")
def test_lowest_deal_gives_each_seat_its_lowest_trump(players, low):
    rules = Rules.of("party", low=low, players=players)
    for seed in range(20):
        chance = random.Random(seed)
        trumps = tuple(chance.sample(list(Suit), players))
        position = deal(rules, trumps, 0, chance)
        for trump, hand in zip(trumps, position.hands, strict=True):
            assert Card(trump, rules.low) in hand
        assert sorted(card for hand in position.hands for card in hand) == sorted(rules.pack)


def test_lowest_deal_with_few_cards_leaves_no_seat_without():
    rules = Rules.of("party", low="K", players=2, cards_each=1)
    for seed in range(100):
        assert all(deal(rules, SH, 0, random.Random(seed)).hands)


@pytest.mark.parametrize(("players", "sizes"), [(2, [18, 18]), (3, [12, 12, 12]), (4, [9, 9, 9, 9])])
def test_whole_deal_is_even(players, sizes):
    position = deal(Rules.of("duel", players=players), tuple(Suit)[:players], 0, random.Random(1))
    assert [len(hand) for hand in position.hands] == sizes


def test_uneven_deal_gives_the_leader_the_odd_card():
    position = deal(Rules.of("duel", players=3, low="2"), tuple(Suit)[:3], 1, random.Random(1))
    assert [len(hand) for hand in position.hands] == [17, 18, 17]


def test_cards_each_leaves_the_rest_out_of_play():
    position = deal(Rules.of("duel", cards_each=4), SH, 1, random.Random(1))
    assert [len(hand) for hand in position.hands] == [4, 4]
    assert (position.seat, position.pile) == (1, ())


def test_same_seed_deals_the_same():
    one, two = (deal(Rules.of("duel"), SH, 0, random.Random("x")) for _ in range(2))
    assert one == two
    assert one != deal(Rules.of("duel"), SH, 0, random.Random("y"))


@pytest.mark.parametrize(
    ("trumps", "leader", "option"),
    [
        pytest.param((Suit.SPADES, Suit.SPADES), 0, "trumps", id="equal"),
        pytest.param((Suit.SPADES,), 0, "trumps", id="too-few"),
        pytest.param(tuple(Suit)[:3], 0, "trumps", id="too-many"),
        pytest.param(SH, 2, "leader", id="no-such-leader"),
        pytest.param(SH, -1, "leader", id="leader-below-nought"),
    ],
)
def test_deal_refuses_what_is_out_of_range(trumps, leader, option):
    with pytest.raises(OptionError) as caught:
        deal(Rules.of("duel"), trumps, leader, random.Random(1))
    assert caught.value.option == option


@pytest.mark.parametrize(
    ("preset", "options", "option"),
    [
        pytest.param("whist", {}, "preset", id="preset"),
        pytest.param("duel", {"colour": 1}, "option", id="unknown-option"),
        pytest.param("duel", {"low": "A"}, "low", id="pack-of-aces"),
        pytest.param("duel", {"low": "1"}, "low", id="low"),
        pytest.param("duel", {"low": ""}, "low", id="low-empty"),
        pytest.param("duel", {"players": 1}, "players", id="one-player"),
        pytest.param("duel", {"players": "5"}, "players", id="five-players"),
        pytest.param("duel", {"players": True}, "players", id="bool-players"),
        pytest.param("russian", {"players": 3}, "players", id="mirrored-for-three"),
        pytest.param("russian", {"cards_each": 3}, "cards_each", id="mirrored-cards-each"),
        pytest.param("duel", {"cards_each": 19}, "cards_each", id="more-cards-than-there-are"),
        pytest.param("duel", {"cards_each": 0}, "cards_each", id="no-cards"),
        pytest.param("duel", {"cards_each": "²"}, "cards_each", id="not-a-plain-digit"),
        pytest.param("duel", {"may_decline": "maybe"}, "may_decline", id="yes-no"),
        pytest.param("duel", {"pick_up": "4"}, "pick_up", id="pick-up"),
        pytest.param("duel", {"after_pick_up": "nobody"}, "after_pick_up", id="after-pick-up"),
        pytest.param("duel", {"hands": "glass"}, "hands", id="hands"),
        pytest.param("duel", {"deal": "face-up"}, "deal", id="deal"),
    ],
)
def test_rules_refuse_what_is_out_of_range(preset, options, option):
    with pytest.raises(OptionError) as caught:
        Rules.of(preset, **options)
    assert caught.value.option == option
    assert str(caught.value).startswith(f"{option}: expected ")


@pytest.mark.parametrize(
    "text",
    [
        "duel+may_decline=yes+cards_each=6",
        "party",
        "duel+players=3",
        "russian+hands=closed",
        "cambridge+pick_up=3-5-all",
        "duel+deal=lowest",
    ],
)
def test_rules_text_is_written_as_it_was_read(text):
    assert format_rules(parse_rules(text)) == text


@pytest.mark.parametrize(
    "text",
    ["", "Duel", "duel+", "duel+low=6", "duel+players", "duel+players=2+players=2", "duel+players=9", "duel+x=1"],
)
def test_rules_text_refuses_what_it_does_not_know(text):
    with pytest.raises(NotationError, match=r"^rules: expected "):
        parse_rules(text)


@pytest.mark.parametrize(
    ("preset", "values"),
    [
        ("duel", (2, "whole", False, "3-5-all", "next", "closed")),
        ("party", (2, "lowest", True, "3-5-all", "next", "closed")),
        ("russian", (2, "mirrored", True, "all", "next", "open")),
        ("cambridge", (2, "mirrored", True, "all", "taker", "open")),
    ],
)
def test_presets_are_those_of_the_rules_page(preset, values):
    rules = Rules.of(preset)
    assert (
        rules.players,
        rules.deal,
        rules.may_decline,
        rules.pick_up,
        rules.after_pick_up,
        rules.hands,
    ) == values
    assert rules.low is Rank.SIX
    assert isinstance(deal(rules, SH, 0, random.Random(1)), Position)
