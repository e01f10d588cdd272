"""What a room is after the events of its log: a pure replay, the same on every server."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from ..core import (
    Outcome,
    Phase,
    Position,
    Record,
    Rules,
    Suit,
    parse_move,
    parse_position,
    parse_rules,
)
from ..core.cards import parse_rank, parse_suit
from ..core.record import parse_outcome
from . import events as e
from .clocks import Clocks
from .errors import StoreError
from .fair import FairDeal, fair_tags
from .line import Line

HOST: Final = 0
"""The seat of whoever opened the room."""

_KEPT_PHRASES: Final = 20


class Status(StrEnum):
    """What a room is doing."""

    WAITING = "waiting"
    CHOOSING = "choosing"
    PLAYING = "playing"
    ENDED = "ended"
    CLOSED = "closed"


@dataclass
class Seat:
    """Who holds a seat, and what it has done about the game that is beginning."""

    name: str
    token_hash: str
    player: str
    computer: str
    host: str
    session: str
    away_since: int | None = None
    trump: Suit | None = None
    entropy: str | None = None
    wants_rematch: bool = False


@dataclass
class Standing:
    """An offer on the table: who made it, which entry of the log it is, and who has accepted."""

    seat: int
    version: int
    accepted: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class Phrase:
    """What a seat said, and when."""

    seat: int
    phrase: str
    at: int


class RoomState:
    """Everything about a room, hidden things included; :func:`~yourtrumps.online.views.view_for` shows what may be.

    ``version`` counts the entries of the log. ``game_since``, ``choice_since`` and ``turn_since`` are the entries with
    which the game, the last choice of trumps and the present turn began: requests made before them are stale.
    """

    def __init__(self, room: str, created: e.Created) -> None:
        self.room = room
        self.settings = created
        self.rules: Rules = parse_rules(created.rules, parse_rank(created.low, "low"))
        self.status = Status.WAITING
        self.seats: list[Seat | None] = [None] * self.rules.players
        self.version = 1
        self.at = created.at
        self.score = [0.0] * self.rules.players
        self.records: list[Record] = []
        self.phrases: deque[Phrase] = deque(maxlen=_KEPT_PHRASES)
        self.outages: list[tuple[int, int]] = []
        self.game = 0
        self._begin(created.seed, created.commitment, created.lead)

    def _begin(self, seed: str, commitment: str, lead: int | None) -> None:
        self.game += 1
        self.seed, self.commitment, self.lead = seed, commitment, lead
        self.revealed = False
        self.settled: set[int] = set()
        self.lots = 0
        self.deadline: int | None = None
        self.line: Line | None = None
        self.clocks: Clocks | None = None
        self.move_since = self.at
        self.offers: dict[e.OfferKind, Standing] = {}
        self.offered: dict[tuple[int, e.OfferKind], int] = {}
        self.said = [0] * self.rules.players
        self.outcome: Outcome | None = None
        self.game_since = self.choice_since = self.turn_since = self.version
        for seat in filter(None, self.seats):
            seat.trump, seat.entropy, seat.wants_rematch = None, None, False

    # What follows from it

    def seat(self, number: int) -> Seat:
        """Return who holds seat *number*, which is known to be taken."""
        seat = self.seats[number]
        if seat is None:
            raise AssertionError("a seat that is taken")
        return seat

    @property
    def taken(self) -> list[int]:
        """The numbers of the seats that are taken."""
        return [number for number, seat in enumerate(self.seats) if seat]

    @property
    def people(self) -> list[int]:
        """The numbers of the seats that people hold."""
        return [number for number, seat in enumerate(self.seats) if seat and not seat.computer]

    @property
    def position(self) -> Position | None:
        """What lies on the table, or None before the deal."""
        return self.line.position if self.line else None

    @property
    def fair(self) -> FairDeal:
        """What the deal of this game follows from."""
        return self.fair_with([(seat.entropy or "") if seat else "" for seat in self.seats])

    def fair_with(self, entropy: Sequence[str]) -> FairDeal:
        """Return what the deal would follow from with *entropy*."""
        return FairDeal(
            room=self.room,
            game=self.game,
            commitment=self.commitment,
            seed=self.seed,
            entropy=tuple(entropy),
            lead=self.lead,
        )

    def record(self) -> Record | None:
        """Return the record of the game on the table, with all that checking its deal takes; None before the deal."""
        if self.line is None:
            return None
        settings = self.settings
        tags = fair_tags(self.fair) if self.revealed else {"Room": self.room, "RoomGame": str(self.game)}
        tags |= {"Rated": "yes" if settings.rated else "no"}
        if settings.base is not None:
            tags |= {"Clock": f"{settings.base / 1000:g}+{settings.increment / 1000:g}"}
        return Record(
            start=self.line.positions[0],
            moves=tuple(self.line.moves),
            # Joiners are no printable characters for a record.
            names=tuple("".join(filter(str.isprintable, seat.name)) for seat in filter(None, self.seats)),
            times=tuple(self.line.times),
            outcome=self.outcome,
            tags=tags,
        )

    # Replay

    def apply(self, entry: tuple[e.AnyEvent, ...]) -> None:
        """Take in the next entry of the log."""
        self.version += 1
        self.apply_more(entry)

    def apply_more(self, events: Sequence[e.AnyEvent]) -> None:
        """Take in *events* of the entry that the room is at."""
        for event in events:
            self.at = max(self.at, event.at)
            self._apply(event)

    def _apply(self, event: e.AnyEvent) -> None:
        match event:
            case e.Joined():
                self._on_joined(event)
            case e.Left(seat=number):
                self.seats[number] = None
            case e.Closed():
                self.status = Status.CLOSED
            case e.GaveEntropy(seat=number):
                self.seat(number).entropy = event.entropy
            case e.ChoseTrump(seat=number):
                self.seat(number).trump = parse_suit(event.suit)
            case e.DrewLot():
                self._on_lot(event)
            case e.Dealt():
                self._on_dealt(event)
            case e.Moved():
                self._on_moved(event)
            case e.Offered(seat=number, kind=kind):
                self.offers[kind] = Standing(number, self.version)
                self.offered[number, kind] = len(self.line.moves) if self.line else 0
            case e.Answered(kind=kind):
                if event.accept:
                    self.offers[kind].accepted.add(event.seat)
                else:
                    del self.offers[kind]
            case e.Withdrew(kind=kind):
                del self.offers[kind]
            case e.TookBack():
                self._on_took_back(event)
            case e.WentAway(seat=number):
                self.seat(number).away_since = event.at
            case e.CameBack(seat=number):
                seat = self.seat(number)
                seat.away_since, seat.host, seat.session = None, event.host, event.session
            case e.Ended():
                self._on_ended(event)
            case e.Revealed():
                self.revealed = True
                if record := self.record():
                    self.records.append(record)
            case e.WantedRematch(seat=number):
                self.seat(number).wants_rematch = True
            case e.Rematched():
                self._begin(event.seed, event.commitment, event.lead)
                self._choose(event.at)
            case e.Said(seat=number):
                self.phrases.append(Phrase(number, event.phrase, event.at))
                self.said[number] += 1
            case e.Resumed():
                self._on_resumed(event)
            case e.Resigned() | e.Flagged() | e.Claimed() | e.Paused():
                # They say why; what follows from them stands in the event after them.
                pass
            case e.Created() | e.Rated():
                raise StoreError(f"expected no {type(event).__name__} in the middle of a room's log")

    def _on_joined(self, event: e.Joined) -> None:
        self.seats[event.seat] = Seat(
            event.name, event.token_hash, event.player, event.computer, event.host, event.session
        )
        if None not in self.seats:
            self._choose(event.at)

    def _choose(self, at: int) -> None:
        self.status = Status.CHOOSING
        self.deadline = at + self.settings.choose
        self.choice_since = self.version

    def _on_lot(self, event: e.DrewLot) -> None:
        self.lots += 1
        suit = parse_suit(event.suit)
        if event.why != "clash":
            self.seat(event.seat).trump = suit
            return
        for number in self.taken:
            seat = self.seat(number)
            if number != event.seat and seat.trump is suit:
                seat.trump = None
        self.settled = {number for number in self.taken if self.seat(number).trump is not None}
        self._choose(event.at)

    def _on_dealt(self, event: e.Dealt) -> None:
        start = parse_position(event.code)
        self.status = Status.PLAYING
        self.deadline = None
        self.line = Line(start)
        self.move_since = event.at
        self.turn_since = self.version
        if self.settings.base is not None:
            self.clocks = Clocks([self.settings.base] * self.rules.players)
            self.clocks.run(start.seat, event.at)

    def _on_moved(self, event: e.Moved) -> None:
        if self.line is None:
            raise StoreError("expected a deal before the first move")
        self.line.play(parse_move(event.move), max(0, event.at - self.move_since) / 1000)
        self.move_since = event.at
        self.turn_since = self.version
        if self.clocks:
            self.clocks.run(self.line.position.seat, event.at)
            if event.left is not None:
                self.clocks.left[event.seat] = event.left
        self.offers.pop("takeback", None)
        if "draw" in self.offers and self.offers["draw"].seat != event.seat:
            del self.offers["draw"]

    def _on_took_back(self, event: e.TookBack) -> None:
        if self.line is None:
            raise StoreError("expected a deal before taking back")
        self.line.take_back(event.moves)
        self.move_since = event.at
        self.turn_since = self.version
        self.offers.clear()
        self.offered.clear()
        if self.clocks:
            self.clocks.run(self.line.position.seat, event.at)

    def _on_ended(self, event: e.Ended) -> None:
        self.status = Status.ENDED
        self.outcome = parse_outcome(event.result, event.reason, self.rules.players)
        self.turn_since = self.version
        self.offers.clear()
        if self.clocks:
            self.clocks.run(None, event.at)
        for number in range(self.rules.players):
            self.score[number] += 0.5 if self.outcome.is_draw else float(number in self.outcome.winners)

    def _on_resumed(self, event: e.Resumed) -> None:
        self.outages.append((event.since, event.until))

        def later(began: int) -> int:
            """Return *began*, moved on by what of the outage came after it."""
            return began + max(0, event.until - max(event.since, began))

        if self.clocks:
            self.clocks.since = later(self.clocks.since)
        if self.deadline is not None:
            self.deadline = later(self.deadline - self.settings.choose) + self.settings.choose
        self.move_since = later(self.move_since)
        for seat in filter(None, self.seats):
            if seat.away_since is not None:
                seat.away_since = later(seat.away_since)

    def gains_increment(self, phase: Phase) -> bool:
        """Whether a move that leads to *phase* ends a turn, so that its clock gains the increment."""
        return self.clocks is not None and phase is not Phase.ADD
