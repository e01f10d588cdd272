import dataclasses
import hashlib
import hmac

import msgspec
import pytest
from hypothesis import given

from tests.core.playing import RULES
from yourtrumps.core import Record, Rules, Suit, format_json, parse_record
from yourtrumps.online.errors import UnfairDeal
from yourtrumps.online.fair import DigestRandom, FairDeal, commit, fair_deal, fair_tags, new_seed, read_fair, verify

ROOM = "abcdefghijklmnopqrstuv"
SEED = "00" * 32


def fair(players=2, lead=None, seed=SEED):
    entropy = tuple(f"{seat:02x}" for seat in range(players))
    return FairDeal(room=ROOM, game=1, commitment=commit(seed, ROOM, 1), seed=seed, entropy=entropy, lead=lead)


def test_commitment_is_the_documented_hash():
    assert commit(SEED, ROOM, 3) == hashlib.sha256(f"your-trumps/commit/{ROOM}/3/{SEED}".encode()).hexdigest()


def test_shuffle_is_the_documented_one():
    key = hmac.new(bytes(32), f"your-trumps/deal/{ROOM}/1/00/01".encode(), hashlib.sha256).digest()
    drawn = b"".join(hashlib.sha256(key + counter.to_bytes(8, "big")).digest() for counter in range(40))
    at = 0
    pack = list(Rules().pack)
    for last in range(len(pack) - 1, 0, -1):
        while True:
            number = drawn[at] >> (8 - last.bit_length())
            at += 1
            if number <= last:
                break
        pack[last], pack[number] = pack[number], pack[last]
    start = fair_deal(fair(lead=0), Rules(), (Suit.SPADES, Suit.HEARTS))
    assert start.hands == (tuple(sorted(pack[::2])), tuple(sorted(pack[1::2])))


def test_chance_is_even():
    chance = DigestRandom(b"key")
    counts = [0] * 6
    for _ in range(6000):
        counts[chance.below(6)] += 1
    assert all(850 < count < 1150 for count in counts)
    assert all(0 <= chance.random() < 1 for _ in range(100))


@given(RULES)
def test_every_kind_of_deal_verifies_through_a_record(rules):
    trumps = tuple(Suit)[: rules.players]
    told = fair(rules.players, seed=new_seed())
    start = fair_deal(told, rules, trumps)
    record = parse_record(format_json(Record(start, tags=fair_tags(told))))
    assert read_fair(record) == told
    verify(record.start, read_fair(record))


@pytest.mark.parametrize(
    "changes",
    [{"seed": "11" * 32}, {"entropy": ("00", "02")}, {"commitment": "00" * 32}, {"game": 2}, {"room": "b" * 22}],
    ids=lambda changes: next(iter(changes)),
)
def test_changed_parts_do_not_verify(changes):
    start = fair_deal(fair(), Rules(), (Suit.SPADES, Suit.HEARTS))
    verify(start, fair())
    with pytest.raises(UnfairDeal):
        verify(start, msgspec.structs.replace(fair(), **changes))


def test_changed_cards_do_not_verify():
    start = fair_deal(fair(), Rules(), (Suit.SPADES, Suit.HEARTS))
    with pytest.raises(UnfairDeal):
        verify(dataclasses.replace(start, hands=start.hands[::-1]), fair())


@pytest.mark.parametrize(
    "tags",
    [{"Seed": "zz"}, {"Entropy": "00"}, {"Entropy": "00/zz"}, {"Lead": "7"}, {"RoomGame": "x"}],
    ids=str,
)
def test_damaged_tags_are_refused(tags):
    start = fair_deal(fair(), Rules(), (Suit.SPADES, Suit.HEARTS))
    with pytest.raises(UnfairDeal):
        read_fair(Record(start, tags=fair_tags(fair()) | tags))


def test_record_of_another_game_is_told_so():
    start = fair_deal(fair(), Rules(), (Suit.SPADES, Suit.HEARTS))
    with pytest.raises(UnfairDeal, match="tag Room"):
        read_fair(Record(start))
