"""Room: checks every request against the replayed log, and says which events it leads to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from ..core import (
    IllegalMove,
    OptionError,
    Outcome,
    Reason,
    Rules,
    StaleVersion,
    Suit,
    format_move,
    format_position,
    format_rules,
    parse_move,
)
from ..core.cards import parse_suit
from . import events as e
from . import messages as m
from .clocks import outcome_of_flag
from .errors import NotAllowed, RoomFull, RoomNotFound, StoreError, TooSoon, UnknownSeat
from .fair import commit, fair_deal, new_seed, stream
from .state import HOST, RoomState, Status
from .tokens import clean_name, holds
from .views import claim_left, taken_suits, waits_for, why_no_offer

_MOST_PHRASES: Final = 50
_PHRASES_AT_ONCE: Final = 5
_PHRASE_MS: Final = 10_000
_MOST_ENTRIES: Final = 100_000

_T = TypeVar("_T")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What the host chooses about a room; raises :class:`OptionError` for what cannot be."""

    rules: Rules = Rules()  # noqa: RUF009 - a frozen value
    base: float | None = None
    """Seconds on each clock, or None for no clocks."""
    increment: float = 0
    """Seconds that a clock gains at the end of a turn."""
    lead: int | None = None
    """The seat that leads the first game (the host sits on 0), or None for lot."""
    public: bool = False
    rated: bool = False
    choose: float = 30
    """Seconds to choose a trump suit in."""
    grace: float = 60
    """Seconds for which a seat must be away before another may claim the game."""

    def __post_init__(self) -> None:
        for name, low, high in (("base", 10, 86_400), ("increment", 0, 600), ("choose", 5, 600), ("grace", 10, 86_400)):
            value = getattr(self, name)
            if not (value is None or low <= value <= high):
                raise OptionError(name, value, f"seconds from {low} to {high}")
        if self.lead is not None and not 0 <= self.lead < self.rules.players:
            raise OptionError("lead", self.lead, f"a seat from 0 to {self.rules.players - 1}, or none for lot")


class Room:
    """A room as far as this process has read its log.

    Requests return the events to add to the log and change nothing; :meth:`apply` takes in what the log has accepted.
    Every request raises a :class:`~yourtrumps.core.YourTrumpsError` if it may not be.
    """

    def __init__(self, room: str, entries: Iterable[tuple[e.AnyEvent, ...]]) -> None:
        log = iter(entries)
        first = next(log, ())
        if not first:
            raise RoomNotFound
        if not isinstance(first[0], e.Created):
            raise StoreError("expected a room's log to start with its creation")
        self.state = RoomState(room, first[0])
        self.state.apply_more(first[1:])
        for entry in log:
            self.state.apply(entry)

    @property
    def version(self) -> int:
        """How many entries of the log have been taken in."""
        return self.state.version

    def apply(self, entry: tuple[e.AnyEvent, ...]) -> None:
        """Take in the next entry of the log."""
        self.state.apply(entry)

    # Seats

    def seat_of(self, token: str) -> int:
        """Return the seat that *token* holds; raises :class:`UnknownSeat`."""
        # All are compared, so that the time tells nothing.
        held = [number for number in self.state.people if holds(token, self.state.seat(number).token_hash)]
        if not held:
            raise UnknownSeat
        return held[0]

    def join(
        self,
        name: str,
        token_hash: str,
        now: int,
        *,
        seat: int | None = None,
        player: str = "",
        host: str = "",
        session: str = "",
    ) -> list[e.Event]:
        """Return what gives a free seat (or *seat*) to somebody called *name* who holds the token of *token_hash*."""
        if self.state.status is not Status.WAITING:
            raise RoomFull
        free = [number for number, holder in enumerate(self.state.seats) if holder is None]
        if seat is not None and (seat not in range(len(self.state.seats))):
            raise OptionError("seat", seat, f"a seat from 0 to {len(self.state.seats) - 1}")
        if seat is not None and seat not in free:
            raise RoomFull
        rated = self.state.settings.rated
        if rated and player and player in [self.state.seat(number).player for number in self.state.people]:
            raise NotAllowed("same-player", "somebody else to play a rated game with", "the same player")
        number = free[0] if seat is None else seat
        name = self._own_name(clean_name(name))
        return [
            e.Joined(
                at=self._time(now),
                seat=number,
                name=name,
                token_hash=token_hash,
                player=player or name,
                host=host,
                session=session,
            )
        ]

    def _own_name(self, name: str) -> str:
        names = [self.state.seat(number).name for number in self.state.taken]
        # Two of one name would be told apart by nobody.
        return next(one for one in (name, *(f"{name} {number}" for number in range(2, 9))) if one not in names)

    def come_back(self, seat: int, host: str, session: str, now: int) -> list[e.Event]:
        """Return what tells that the browser of *seat* is there; nothing if that is known."""
        holder = self.state.seat(seat)
        if holder.away_since is None and (holder.host, holder.session) == (host, session):
            return []
        return [e.CameBack(at=self._time(now), seat=seat, host=host, session=session)]

    def go_away(self, seat: int, now: int) -> list[e.Event]:
        """Return what tells that the browser of *seat* is gone; nothing if that is known."""
        if self.state.seat(seat).away_since is not None or self.state.status is Status.CLOSED:
            return []
        return [e.WentAway(at=self._time(now), seat=seat)]

    # Time

    def _time(self, now: int) -> int:
        # Servers' clocks differ a little; a log's time never goes back.
        return max(now, self.state.at)

    def note_outage(self, since: int, until: int, now: int) -> list[e.Event]:
        """Return what tells that no server was up from *since* to *until*; nothing where that changes nothing.

        A server notes an outage before it adds anything else to a log.
        """
        state = self.state
        known = any(since == one for one, _ in state.outages)
        if known or until <= state.at or state.status not in (Status.CHOOSING, Status.PLAYING):
            return []
        return [e.Paused(at=self._time(now)), e.Resumed(at=self._time(now), since=since, until=until)]

    def tick(self, now: int) -> list[e.Event]:
        """Return what the time of day leads to: lots for trumps not chosen, a clock that has run out."""
        state = self.state
        now = self._time(now)
        if state.status is Status.CHOOSING and state.deadline is not None and now >= state.deadline:
            return self._choose_by_lot(now)
        if state.status is Status.PLAYING and state.clocks and state.clocks.is_out(now):
            seat = state.clocks.running
            if seat is None or state.position is None:
                raise AssertionError("a clock that runs belongs to a position")
            outcome = outcome_of_flag(state.position, seat)
            return [e.Flagged(at=now, seat=seat), *self._end(outcome, now)]
        return []

    def due(self) -> int | None:
        """Return when :meth:`tick` will have something to do, in milliseconds since 1970, or None."""
        state = self.state
        if state.status is Status.CHOOSING:
            return state.deadline
        if state.status is Status.PLAYING and state.clocks and state.clocks.running is not None:
            return state.clocks.since + state.clocks.left[state.clocks.running]
        return None

    # What seats ask for

    def submit(self, command: m.AnyCommand, token: str, expected_version: int, now: int) -> list[e.Event]:
        """Return what *command* of the holder of *token* leads to, who saw *expected_version* of the room.

        Raises :class:`UnknownSeat`, :class:`StaleVersion`, :class:`IllegalMove`, :class:`NotAllowed` or
        :class:`TooSoon`.
        """
        return self.act(command, self.seat_of(token), expected_version, now)

    def act(self, command: m.AnyCommand, seat: int, expected_version: int, now: int) -> list[e.Event]:
        """Return what *command* of *seat* leads to; whoever calls has made sure that it comes from there."""
        state, now = self.state, self._time(now)
        if self.tick(now):
            raise NotAllowed("time-is-up", "a request in time", "one after the time was up")
        if self.version >= _MOST_ENTRIES:
            raise NotAllowed("log-full", f"at most {_MOST_ENTRIES} entries in a room's log", "more")
        since = self._relies_on(command)
        if not since <= expected_version <= self.version:
            raise StaleVersion(self.version, expected_version)
        match command:
            case m.GiveEntropy():
                return self._give_entropy(seat, command.entropy, now)
            case m.ChooseTrump():
                return self._choose(seat, command, now)
            case m.Play():
                return self._play(seat, command.move, now)
            case m.Offer():
                return self._offer(seat, command.kind, now)
            case m.Answer():
                return self._answer(seat, command.kind, command.accept, now)
            case m.Withdraw():
                if command.kind not in state.offers or state.offers[command.kind].seat != seat:
                    raise NotAllowed("no-offer", "an offer of one's own", "none")
                return [e.Withdrew(at=now, seat=seat, kind=command.kind)]
            case m.Resign():
                self._expect(Status.PLAYING)
                outcome = Outcome.lost_by(seat, state.rules.players, Reason.RESIGNED)
                return [e.Resigned(at=now, seat=seat), *self._end(outcome, now)]
            case m.Claim():
                return self._claim(seat, command, now)
            case m.Rematch():
                return self._rematch(seat, now)
            case m.Say():
                return self._say(seat, command.phrase, now)
            case m.FillSeats():
                return self._fill_seats(seat, command.computer, now)
            case m.Leave():
                self._expect(Status.WAITING)
                return [e.Closed(at=now)] if seat == HOST else [e.Left(at=now, seat=seat)]

    def _relies_on(self, command: m.AnyCommand) -> int:
        """Return the first version that *command* may have been given at."""
        state = self.state
        match command:
            case m.Play() | m.Offer():
                return state.turn_since
            case m.ChooseTrump():
                return state.choice_since
            case m.Answer(kind=kind) if kind in state.offers:
                return state.offers[kind].version
            case m.Say():
                return 0
            case _:
                return state.game_since

    def _expect(self, status: Status) -> None:
        if self.state.status is not status:
            raise NotAllowed(f"not-{status}", f"a room that is {status}", f"one that is {self.state.status}")

    # Before the deal

    def _give_entropy(self, seat: int, entropy: str, now: int) -> list[e.Event]:
        if self.state.status not in (Status.WAITING, Status.CHOOSING):
            raise NotAllowed("too-late", "randomness before the deal", "it later")
        if self.state.seat(seat).entropy is not None:
            raise NotAllowed("added-before", "randomness once a game", "it again")
        return [e.GaveEntropy(at=now, seat=seat, entropy=entropy)]

    def _choose(self, seat: int, command: m.ChooseTrump, now: int) -> list[e.Event]:
        self._expect(Status.CHOOSING)
        suit = parse_suit(command.suit)
        if self.state.seat(seat).trump is not None:
            raise NotAllowed("chosen-before", "one choice of trumps", "another")
        if suit in taken_suits(self.state):
            raise NotAllowed("suit-taken", "a suit that no other seat has", command.suit)
        events: list[e.Event] = []
        entropy = [holder.entropy if holder else None for holder in self.state.seats]
        if command.entropy and entropy[seat] is None:
            events.append(e.GaveEntropy(at=now, seat=seat, entropy=command.entropy))
            entropy[seat] = command.entropy
        events.append(e.ChoseTrump(at=now, seat=seat, suit=command.suit))
        choices = self._choices()
        choices[seat] = suit
        return events + self._settle(choices, entropy, self.state.lots, now)

    def _choices(self) -> list[Suit | None]:
        return [holder.trump if holder else None for holder in self.state.seats]

    def _choose_by_lot(self, now: int) -> list[e.Event]:
        """Give every person who is late a suit that no one has chosen, then settle."""
        choices, lots = self._choices(), self.state.lots
        late = [seat for seat in self.state.people if choices[seat] is None]
        events = self._draw(late, choices, lots, "time", now)
        entropy = [holder.entropy if holder else None for holder in self.state.seats]
        return events + self._settle(choices, entropy, lots + len(late), now)

    def _draw(
        self, seats: Sequence[int], choices: list[Suit | None], lots: int, why: e.LotReason, now: int
    ) -> list[e.Event]:
        events: list[e.Event] = []
        for number, seat in enumerate(seats, lots):
            suit = self._lot([suit for suit in Suit if suit not in choices], number)
            choices[seat] = suit
            events.append(e.DrewLot(at=now, seat=seat, suit=suit.letter, why=why))
        return events

    def _lot(self, among: Sequence[_T], number: int) -> _T:
        chance = stream(self.state.seed, self.state.room, self.state.game, (), f"lot/{number}")
        return among[chance.below(len(among))]

    def _settle(self, choices: list[Suit | None], entropy: Sequence[str | None], lots: int, now: int) -> list[e.Event]:
        """Return what follows once all people have chosen: lots where two want the same, or else the deal."""
        if any(choices[seat] is None for seat in self.state.people):
            return []
        clashes: list[e.Event] = []
        for suit in Suit:
            wanting = [seat for seat, choice in enumerate(choices) if choice is suit]
            if len(wanting) > 1:
                keeps = self._lot(wanting, lots + len(clashes))
                clashes.append(e.DrewLot(at=now, seat=keeps, suit=suit.letter, why="clash"))
        if clashes:
            return clashes
        computers = [seat for seat, choice in enumerate(choices) if choice is None]
        events = self._draw(computers, choices, lots, "computer", now)
        fair = self.state.fair_with([part or "" for part in entropy])
        trumps = tuple(suit for suit in choices if suit is not None)
        code = format_position(fair_deal(fair, self.state.rules, trumps))
        return [*events, e.Dealt(at=now, code=code)]

    def _fill_seats(self, seat: int, computer: str, now: int) -> list[e.Event]:
        self._expect(Status.WAITING)
        if seat != HOST:
            raise NotAllowed("not-host", "the host to fill the seats", f"seat {seat}")
        if self.state.settings.rated:
            raise NotAllowed("rated", "people in a rated game", "the computer")
        free = [number for number, holder in enumerate(self.state.seats) if holder is None]
        return [e.Joined(at=now, seat=number, name=computer, token_hash="", computer=computer) for number in free]

    # In play

    def _play(self, seat: int, code: str, now: int) -> list[e.Event]:
        self._expect(Status.PLAYING)
        state, line = self.state, self.state.line
        if line is None or line.position.seat != seat:
            raise IllegalMove("the seat to move", f"seat {seat}")
        move = parse_move(code)
        outcome = line.outcome_after(move)
        left = None
        if state.clocks:
            left = state.clocks.left_at(seat, now)
            if state.gains_increment(line.position.after(move).phase):
                left += state.settings.increment
        moved = e.Moved(at=now, seat=seat, move=format_move(move), left=left)
        return [moved, *(self._end(outcome, now) if outcome else [])]

    def _offer(self, seat: int, kind: e.OfferKind, now: int) -> list[e.Event]:
        why = why_no_offer(self.state, seat, kind)
        if why is not None:
            raise NotAllowed(why, f"a moment to offer a {kind}", why.replace("-", " "))
        events: list[e.Event] = [e.Offered(at=now, seat=seat, kind=kind)]
        if self.state.people == [seat]:
            # The computer agrees to every takeback.
            events += self._agree(seat, kind, now)
        return events

    def _answer(self, seat: int, kind: e.OfferKind, accept: bool, now: int) -> list[e.Event]:
        if kind not in self.state.offers or seat not in waits_for(self.state, kind):
            raise NotAllowed("no-offer", f"a {kind} that was offered and not answered", "none")
        events: list[e.Event] = [e.Answered(at=now, seat=seat, kind=kind, accept=accept)]
        if accept and waits_for(self.state, kind) == [seat]:
            events += self._agree(self.state.offers[kind].seat, kind, now)
        return events

    def _agree(self, asker: int, kind: e.OfferKind, now: int) -> list[e.Event]:
        if kind == "draw":
            return self._end(Outcome.draw(Reason.AGREED), now)
        moves = self.state.line.last_decision(asker) if self.state.line else None
        if moves is None:
            raise NotAllowed("nothing-to-take-back", "a move to take back", "none")
        return [e.TookBack(at=now, moves=moves)]

    def _claim(self, seat: int, command: m.Claim, now: int) -> list[e.Event]:
        self._expect(Status.PLAYING)
        left, absent = claim_left(self.state, seat, now)
        if left is None or absent is None:
            raise NotAllowed("nobody-away", "another seat to be away", "all at the table")
        if left:
            raise TooSoon("a claim", left / 1000)
        claimed = e.Claimed(at=now, seat=seat, absent=absent)
        if command.result == "draw":
            return [claimed, *self._end(Outcome.draw(Reason.LEFT), now)]
        return [claimed, *self._end(Outcome.lost_by(absent, self.state.rules.players, Reason.LEFT), now)]

    def _end(self, outcome: Outcome, now: int) -> list[e.Event]:
        return [
            e.Ended(at=now, result=outcome.code, reason=outcome.reason.value),
            e.Revealed(at=now, seed=self.state.seed),
        ]

    # Afterwards, and at any time

    def _rematch(self, seat: int, now: int) -> list[e.Event]:
        self._expect(Status.ENDED)
        state = self.state
        if state.seat(seat).wants_rematch:
            raise NotAllowed("asked-before", "one wish for a rematch", "another")
        events: list[e.Event] = [e.WantedRematch(at=now, seat=seat)]
        if all(number == seat or state.seat(number).wants_rematch for number in state.people) and state.line:
            seed = new_seed()
            lead = (state.line.positions[0].seat + 1) % state.rules.players
            commitment = commit(seed, state.room, state.game + 1)
            events.append(e.Rematched(at=now, seed=seed, commitment=commitment, lead=lead))
        return events

    def _say(self, seat: int, phrase: str, now: int) -> list[e.Event]:
        if self.state.status is Status.CLOSED:
            raise NotAllowed("closed", "a room that is open", "one that is closed")
        if self.state.said[seat] >= _MOST_PHRASES:
            raise NotAllowed("said-enough", f"at most {_MOST_PHRASES} phrases a game", "more")
        recent = [one.at for one in self.state.phrases if one.seat == seat and one.at > now - _PHRASE_MS]
        if len(recent) >= _PHRASES_AT_ONCE:
            raise TooSoon("another phrase", (recent[-_PHRASES_AT_ONCE] + _PHRASE_MS - now) / 1000)
        return [e.Said(at=now, seat=seat, phrase=phrase)]


def create(room: str, settings: Settings, now: int) -> e.Created:
    """Return the first event of a room's log, with a fresh seed and its commitment."""
    seed = new_seed()
    return e.Created(
        at=now,
        rules=format_rules(settings.rules) + _players(settings.rules),
        low=settings.rules.low.letter,
        base=None if settings.base is None else round(settings.base * 1000),
        increment=round(settings.increment * 1000),
        lead=settings.lead,
        public=settings.public,
        rated=settings.rated,
        choose=round(settings.choose * 1000),
        grace=round(settings.grace * 1000),
        seed=seed,
        commitment=commit(seed, room, 1),
    )


def _players(rules: Rules) -> str:
    # A position code tells the number of seats by its hands; a room's settings have to say it.
    return f"+players={rules.players}" if "players=" not in format_rules(rules) and rules.preset == "party" else ""
