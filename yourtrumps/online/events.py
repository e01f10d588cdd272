"""The entries of a room's log. What a room is follows from them alone, so they are never changed, only added to.

The log is the server's: seeds, sealed choices of trump and whole deals stand in it. Nobody else is shown it; what
others may know is a :class:`~yourtrumps.online.views.RoomView`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from .errors import StoreError

SCHEMA: Final = 1
"""Of the log; one of another schema is refused."""

OfferKind = Literal["draw", "takeback"]
LotReason = Literal["time", "clash", "computer"]


class Event(msgspec.Struct, frozen=True, kw_only=True, tag=True, forbid_unknown_fields=True):
    """Something that happened in a room; ``at`` is the server's time in milliseconds since 1970."""

    at: int


class Created(Event, frozen=True, kw_only=True):
    """The room was opened with these settings, and its first game committed to."""

    schema: int = SCHEMA
    rules: str
    low: str
    base: int | None
    """Milliseconds on each clock at the start; None without clocks."""
    increment: int
    """Milliseconds that a clock gains at the end of its seat's turn."""
    lead: int | None
    """The seat that leads the first game; None for lot."""
    public: bool
    rated: bool
    choose: int
    """Milliseconds to choose a trump suit in, before lot does."""
    grace: int
    """Milliseconds for which a seat must be away before another may claim the game."""
    seed: str
    commitment: str


class Joined(Event, frozen=True, kw_only=True):
    """Somebody, or the computer, took a seat."""

    seat: int
    name: str
    token_hash: str
    player: str = ""
    """Under which ratings are kept: a signed-in user or a guest's identity; empty for the computer."""
    computer: str = ""
    """The word of the computer player, such as ``level:3``; empty for a person."""
    host: str = ""
    """The server process that the seat's browser is connected to."""
    session: str = ""


class Left(Event, frozen=True, kw_only=True):
    """A seat was given up before the first game."""

    seat: int


class Closed(Event, frozen=True, kw_only=True):
    """The host gave the room up before the first game."""


class GaveEntropy(Event, frozen=True, kw_only=True):
    """A browser added its randomness."""

    seat: int
    entropy: str


class ChoseTrump(Event, frozen=True, kw_only=True):
    """A seat chose its trump suit: sealed until all have chosen."""

    seat: int
    suit: str


class DrewLot(Event, frozen=True, kw_only=True):
    """Lot gave *seat* its suit: as its time was up, as it is the computer's, or as others wanted the same.

    After a clash the others who wanted the suit choose again.
    """

    seat: int
    suit: str
    why: LotReason


class Dealt(Event, frozen=True, kw_only=True):
    """The cards were dealt: the position code."""

    code: str


class Moved(Event, frozen=True, kw_only=True):
    """A move was played; ``left`` are the milliseconds then on the seat's clock."""

    seat: int
    move: str
    left: int | None = None


class Offered(Event, frozen=True, kw_only=True):
    """A seat offered a draw, or asked to take back to its last decision."""

    seat: int
    kind: OfferKind


class Answered(Event, frozen=True, kw_only=True):
    """A seat accepted or declined what was offered."""

    seat: int
    kind: OfferKind
    accept: bool


class Withdrew(Event, frozen=True, kw_only=True):
    """A seat withdrew its offer."""

    seat: int
    kind: OfferKind


class TookBack(Event, frozen=True, kw_only=True):
    """All agreed: only the first ``moves`` moves still stand."""

    moves: int


class Resigned(Event, frozen=True, kw_only=True):
    """A seat gave up."""

    seat: int


class Flagged(Event, frozen=True, kw_only=True):
    """A seat's time ran out."""

    seat: int


class Claimed(Event, frozen=True, kw_only=True):
    """A seat claimed the game, as *absent* has been away for long."""

    seat: int
    absent: int


class WentAway(Event, frozen=True, kw_only=True):
    """A seat's browser is gone."""

    seat: int


class CameBack(Event, frozen=True, kw_only=True):
    """A seat's browser is there, in *session* of the server process *host*; earlier sessions give way."""

    seat: int
    host: str
    session: str


class Ended(Event, frozen=True, kw_only=True):
    """The game ended: ``draw``, ``seat0``, ``loser2`` …, and a reason of the core."""

    result: str
    reason: str


class Revealed(Event, frozen=True, kw_only=True):
    """The seed of the game was revealed."""

    seed: str


class WantedRematch(Event, frozen=True, kw_only=True):
    """A seat would play again."""

    seat: int


class Rematched(Event, frozen=True, kw_only=True):
    """All would: the next game is committed to, and *lead* leads it."""

    seed: str
    commitment: str
    lead: int


class Said(Event, frozen=True, kw_only=True):
    """A seat said one of the preset phrases."""

    seat: int
    phrase: str


class Paused(Event, frozen=True, kw_only=True):
    """The servers went down; clocks stand from here."""


class Resumed(Event, frozen=True, kw_only=True):
    """A server is up again: from ``since`` to ``until`` none was, and clocks stood."""

    since: int
    until: int


class Rated(Event, frozen=True, kw_only=True):
    """A rated game was counted. It stands in the log of ratings, not in that of its room."""

    room: str
    game: int
    players: tuple[str, ...]
    ratings: tuple[tuple[float, float], ...]
    """Mean and deviation of each player afterwards."""


AnyEvent = (
    Created
    | Joined
    | Left
    | Closed
    | GaveEntropy
    | ChoseTrump
    | DrewLot
    | Dealt
    | Moved
    | Offered
    | Answered
    | Withdrew
    | TookBack
    | Resigned
    | Flagged
    | Claimed
    | WentAway
    | CameBack
    | Ended
    | Revealed
    | WantedRematch
    | Rematched
    | Said
    | Paused
    | Resumed
    | Rated
)

_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(tuple[AnyEvent, ...])


def encode_events(events: Sequence[Event]) -> bytes:
    """Return the JSON of one entry of a log: the events that were added together."""
    return _ENCODER.encode(events)


def decode_events(entry: bytes) -> tuple[AnyEvent, ...]:
    """Return the events of one entry of a log; raises :class:`StoreError` if it is damaged or of another schema."""
    try:
        events = _DECODER.decode(entry)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise StoreError(f"expected an entry of a room's log, got a damaged one ({error})") from None
    for event in events:
        if isinstance(event, Created) and event.schema != SCHEMA:
            raise StoreError(f"expected a log of schema {SCHEMA}, got {event.schema}")
    return events
