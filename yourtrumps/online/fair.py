"""Deals that nobody can steer, and that everybody can check afterwards.

Before trumps are chosen the server publishes a *commitment*: a hash of its secret seed, bound to the room and the game.
Then each browser adds randomness of its own. Cards and lots follow from the seed and what the browsers added, by the
steps below; after the game the seed is revealed and :func:`verify` takes them again. The server cannot choose the
cards, as it had to name its seed before it knew the browsers' part; a browser cannot, as it does not know the seed.
What this does not rule out is a server in league with the player whose randomness comes last.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterator, MutableSequence, Sequence
from random import Random
from typing import Any, Final

import msgspec

from ..core import Position, Record, Rules, Suit, deal, format_position
from .errors import UnfairDeal

SEED_BYTES: Final = 32
LONGEST_ENTROPY: Final = 64
"""Hexadecimal digits that a browser may add."""

_HEX: Final = re.compile(r"[0-9a-f]*")
_TAGS: Final = ("Room", "RoomGame", "Commitment", "Seed", "Entropy", "Lead")


class FairDeal(msgspec.Struct, frozen=True, kw_only=True):
    """All that a deal follows from, and what was promised about it."""

    room: str
    game: int
    """The number of the game in the room, from 1."""
    commitment: str
    seed: str
    entropy: tuple[str, ...]
    """What each seat's browser added, hexadecimal, empty where it added nothing."""
    lead: int | None
    """The seat that leads by rule or choice; None where lot decided."""


def new_seed() -> str:
    """Return a fresh secret seed in hexadecimal digits."""
    return secrets.token_hex(SEED_BYTES)


def commit(seed: str, room: str, game: int) -> str:
    """Return the commitment to *seed* for a game of a room: SHA-256 of ``your-trumps/commit/ROOM/GAME/SEED``."""
    return hashlib.sha256(f"your-trumps/commit/{room}/{game}/{seed}".encode()).hexdigest()


def is_entropy(text: str) -> bool:
    """Whether *text* is what a browser may add: lower-case hexadecimal digits, at most 64."""
    return len(text) <= LONGEST_ENTROPY and _HEX.fullmatch(text) is not None


def stream(seed: str, room: str, game: int, entropy: Sequence[str], label: str) -> DigestRandom:
    """Return the chance of one purpose, named by *label*: ``deal``, ``lead``, or ``lot/N`` for the N-th lot."""
    key = bytes.fromhex(seed)
    message = f"your-trumps/{label}/{room}/{game}/{'/'.join(entropy)}"
    return DigestRandom(hmac.new(key, message.encode(), hashlib.sha256).digest())


class DigestRandom(Random):
    """A source of chance that every language can imitate: the bytes of SHA-256(key + counter), counter from 0.

    A whole number below *n* is read from the fewest bytes that hold *n* - 1, big-endian, cut to its bits, and drawn
    again while it is too large. A shuffle swaps each place from the last with one at or before it; a fraction has 53
    bits.
    """

    def __init__(self, key: bytes) -> None:
        super().__init__(0)
        self._bytes = _digests(key)

    def getrandbits(self, k: int, /) -> int:
        """Return a whole number of *k* bits."""
        size = (k + 7) // 8
        number = int.from_bytes(bytes(next(self._bytes) for _ in range(size)), "big")
        return number >> (8 * size - k)

    def below(self, limit: int) -> int:
        """Return a whole number from 0 to *limit* - 1, each as likely."""
        bits = (limit - 1).bit_length()
        while (number := self.getrandbits(bits)) >= limit:
            pass
        return number

    def random(self) -> float:
        """Return a fraction from 0 to below 1."""
        return self.getrandbits(53) / 2**53

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Put *x* in a random order."""
        for last in range(len(x) - 1, 0, -1):
            other = self.below(last + 1)
            x[last], x[other] = x[other], x[last]


def _digests(key: bytes) -> Iterator[int]:
    counter = 0
    while True:
        yield from hashlib.sha256(key + counter.to_bytes(8, "big")).digest()
        counter += 1


def fair_deal(fair: FairDeal, rules: Rules, trumps: tuple[Suit, ...]) -> Position:
    """Return the first position that *fair* leads to."""
    lead = fair.lead
    if lead is None:
        lead = stream(fair.seed, fair.room, fair.game, fair.entropy, "lead").below(rules.players)
    return deal(rules, trumps, lead, stream(fair.seed, fair.room, fair.game, fair.entropy, "deal"))


def verify(start: Position, fair: FairDeal) -> None:
    """Check that *start* was dealt as committed; raises :class:`UnfairDeal`."""
    commitment = commit(fair.seed, fair.room, fair.game)
    if commitment != fair.commitment:
        raise UnfairDeal(f"the commitment {commitment} to the seed", fair.commitment)
    dealt = fair_deal(fair, start.rules, start.trumps)
    if dealt != start:
        raise UnfairDeal(format_position(dealt), format_position(start))


def fair_tags(fair: FairDeal) -> dict[str, str]:
    """Return the tags that carry *fair* in a record."""
    lead = "lot" if fair.lead is None else str(fair.lead)
    values = (fair.room, str(fair.game), fair.commitment, fair.seed, "/".join(fair.entropy), lead)
    return dict(zip(_TAGS, values, strict=True))


def read_fair(record: Record) -> FairDeal:
    """Return what the tags of *record* say about its deal; raises :class:`UnfairDeal` where they say nothing."""
    missing = [name for name in _TAGS if name not in record.tags]
    if missing:
        raise UnfairDeal(f"a record of an online game with the tag {missing[0]}", "none")
    room, game, commitment, seed, entropy, lead = (record.tags[name] for name in _TAGS)
    players = record.start.rules.players
    parts = tuple(entropy.split("/"))
    if not (len(parts) == players and all(map(is_entropy, parts))):
        raise UnfairDeal(f"entropy of {players} seats in hexadecimal digits", entropy[:60])
    if len(seed) != 2 * SEED_BYTES or not _HEX.fullmatch(seed):
        raise UnfairDeal(f"a seed of {2 * SEED_BYTES} hexadecimal digits", seed[:60])
    seats = [str(seat) for seat in range(players)]
    if lead not in ("lot", *seats) or not (game.isascii() and game.isdecimal() and len(game) < 7):
        raise UnfairDeal("the number of a game, and a seat or lot to lead", f"{game[:20]} and {lead[:20]}")
    return FairDeal(
        room=room,
        game=int(game),
        commitment=commitment,
        seed=seed,
        entropy=parts,
        lead=None if lead == "lot" else int(lead),
    )
