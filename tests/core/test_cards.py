import copy
import pickle
import subprocess
import sys

import pytest

from yourtrumps.core import Card, NotationError, Rank, Suit, pack, parse_card, parse_cards, sort_cards
from yourtrumps.core.cards import beaters, format_cards


@pytest.mark.parametrize("low", list(Rank)[:-1], ids=lambda rank: rank.letter)
def test_pack_runs_from_its_lowest_rank_to_the_ace(low):
    cards = pack(low)
    assert len(cards) == len(set(cards)) == 4 * (15 - low)
    assert {card.rank for card in cards} == {rank for rank in Rank if rank >= low}
    assert sort_cards(reversed(cards)) == cards


@pytest.mark.parametrize("card", pack(Rank.TWO), ids=str)
def test_card_is_one_object(card):
    for same in (
        Card(card.suit, card.rank),
        parse_card(card.code),
        pickle.loads(pickle.dumps(card)),
        copy.copy(card),
        copy.deepcopy(card),
    ):
        assert same is card


def test_beats_is_a_higher_card_of_the_suit_or_an_own_trump_on_another_suit():
    for trump in Suit:
        for top in pack(Rank.TWO):
            expected = {
                card
                for card in pack(Rank.TWO)
                if (card.suit == top.suit and card.rank > top.rank) or (card.suit == trump != top.suit)
            }
            assert beaters(top, trump) == expected
            assert {card for card in pack(Rank.TWO) if card.beats(top, trump)} == expected


def test_hands_are_written_by_suit_then_rank():
    assert format_cards(sort_cards(parse_cards("ASTH2D9CTC"))) == "9CTC2DTHAS"


@pytest.mark.parametrize("text", ["", "9", "9CT", "1C", "9X", "9c", "C9", "10C", " 9C", "9C ", "--", "９C"])
def test_parse_cards_refuses_what_is_no_card(text):
    with pytest.raises(NotationError, match=r"^hand: expected "):
        parse_cards(text, "hand")


@pytest.mark.parametrize("text", ["", "9", "9CTC", "1C", "9c", "-", "\x00\x00"])
def test_parse_card_names_the_field_and_the_text(text):
    with pytest.raises(NotationError) as caught:
        parse_card(text, "top")
    assert (caught.value.field, caught.value.text) == ("top", text)


def test_cards_of_a_set_come_in_the_same_order_in_every_process():
    script = (
        "from yourtrumps.core import *; print(*{parse_card(c) for c in ('AS', '9H', '2C', 'KD')}, hash(pack(Rank.SIX)))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
