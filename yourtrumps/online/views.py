"""What one seat, or a spectator, may know of a room: all that leaves the server."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any

from ..core import (
    Cards,
    Hands,
    Move,
    Outcome,
    Record,
    Rules,
    SeatView,
    Suit,
    format_move,
    format_rules,
    format_text,
)
from .events import OfferKind
from .state import Phrase, RoomState, Status


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """What all may know of who holds a seat."""

    name: str
    computer: str
    """The computer player's word, or empty for a person."""
    away: bool
    has_chosen: bool
    """Whether it has chosen a trump suit for this game."""
    has_added: bool
    """Whether its browser has added randomness to the deal."""
    wants_rematch: bool


@dataclass(frozen=True, slots=True)
class ClockView:
    """The clocks, in milliseconds, as they stood at the view's ``at``."""

    base: int
    increment: int
    left: tuple[int, ...]
    running: int | None
    """The seat whose clock runs."""


@dataclass(frozen=True, slots=True)
class OfferView:
    """An offer on the table."""

    kind: OfferKind
    seat: int
    waits_for: tuple[int, ...]
    """The seats that have yet to answer."""


@dataclass(frozen=True, slots=True)
class RoomView:
    """All that the viewer may know."""

    room: str
    version: int
    at: int
    """The server's time of the view, in milliseconds since 1970."""
    status: Status
    game: int
    """The number of the game in the room, from 1."""
    rules: Rules
    public: bool
    rated: bool
    viewer: int | None
    seats: tuple[SeatInfo | None, ...]
    session: str
    """The session that holds the viewer's seat now: another one has been taken over from."""
    trumps: tuple[Suit | None, ...]
    """The suits that are open to all, and the viewer's own sealed choice."""
    must_choose: bool
    taken_suits: tuple[Suit, ...]
    """Suits that the viewer can no longer choose."""
    choose_left: int | None
    """Milliseconds until lot chooses; None if nobody has to choose."""
    commitment: str
    seed: str | None
    """Revealed after the game."""
    entropy: tuple[str, ...]
    """What the browsers added; empty until the deal."""
    table: SeatView | None
    """The table as the viewer sees it; None before the deal."""
    lead: int | None
    """The seat that led; None before the deal."""
    dealt: tuple[Cards | None, ...]
    """The hands at the deal, None where they are not for this viewer to see; empty before the deal."""
    dealt_counts: tuple[int, ...]
    moves: tuple[Move, ...]
    times: tuple[float, ...]
    """Seconds that each move took."""
    move_since: int
    clock: ClockView | None
    offers: tuple[OfferView, ...]
    can_offer: tuple[OfferKind, ...]
    """What the viewer may offer now."""
    absent: int | None
    """The seat that has been away longest, the viewer's excepted."""
    claim_left: int | None
    """Milliseconds until the viewer may claim the game; 0: now; None: no one is away, or no game goes on."""
    outcome: Outcome | None
    score: tuple[float, ...]
    phrases: tuple[Phrase, ...]
    outages: tuple[tuple[int, int], ...]
    """From when to when no server was up, and clocks stood."""
    record: Record | None
    """The whole game, hands and seed included, once it has ended."""


def view_for(state: RoomState, seat: int | None, now: int | None = None) -> RoomView:
    """Return what *seat* (None: a spectator) may know at *now* (by default: at the last event)."""
    now = state.at if now is None else max(now, state.at)
    line, mine = state.line, None if seat is None else state.seats[seat]
    ended = state.status is Status.ENDED
    start = line.positions[0] if line else None
    all_seen = ended or state.rules.hands is Hands.OPEN
    left, absent = claim_left(state, seat, now)
    return RoomView(
        room=state.room,
        version=state.version,
        at=now,
        status=state.status,
        game=state.game,
        rules=state.rules,
        public=state.settings.public,
        rated=state.settings.rated,
        viewer=seat,
        seats=tuple(_seat_info(state, number) for number in range(state.rules.players)),
        session=mine.session if mine else "",
        trumps=_open_trumps(state, seat),
        must_choose=state.status is Status.CHOOSING and mine is not None and mine.trump is None,
        taken_suits=taken_suits(state),
        choose_left=None if state.deadline is None else max(0, state.deadline - now),
        commitment=state.commitment,
        seed=state.seed if state.revealed else None,
        entropy=state.fair.entropy if line else (),
        table=line.position.view_for(seat, line.shown[-1], line.repeats[-1], state.outcome) if line else None,
        lead=start.seat if start else None,
        dealt=tuple(hand if all_seen or number == seat else None for number, hand in enumerate(start.hands))
        if start
        else (),
        dealt_counts=tuple(map(len, start.hands)) if start else (),
        moves=tuple(line.moves) if line else (),
        times=tuple(line.times) if line else (),
        move_since=state.move_since,
        clock=_clock(state, now),
        offers=tuple(
            OfferView(kind, offer.seat, tuple(waits_for(state, kind))) for kind, offer in state.offers.items()
        ),
        can_offer=() if seat is None else tuple(kind for kind in _KINDS if why_no_offer(state, seat, kind) is None),
        absent=absent,
        claim_left=left,
        outcome=state.outcome,
        score=tuple(state.score),
        phrases=tuple(state.phrases),
        outages=tuple(state.outages),
        record=state.record() if ended else None,
    )


_KINDS: tuple[OfferKind, ...] = ("draw", "takeback")


def _seat_info(state: RoomState, number: int) -> SeatInfo | None:
    seat = state.seats[number]
    if seat is None:
        return None
    return SeatInfo(
        name=seat.name,
        computer=seat.computer,
        away=seat.away_since is not None,
        has_chosen=seat.trump is not None,
        has_added=seat.entropy is not None,
        wants_rematch=seat.wants_rematch,
    )


def _open_trumps(state: RoomState, viewer: int | None) -> tuple[Suit | None, ...]:
    # Sealed until all have chosen: then they are dealt, or settled after a clash.
    return tuple(
        seat.trump if seat and (state.line or number == viewer or number in state.settled) else None
        for number, seat in enumerate(state.seats)
    )


def taken_suits(state: RoomState) -> tuple[Suit, ...]:
    """Return the suits that are settled and cannot be chosen again."""
    return tuple(sorted(suit for number in state.settled if (suit := state.seat(number).trump) is not None))


def _clock(state: RoomState, now: int) -> ClockView | None:
    base = state.settings.base
    if base is None:
        return None
    clocks = state.clocks
    return ClockView(
        base=base,
        increment=state.settings.increment,
        left=tuple(clocks.left_at(seat, now) if clocks else base for seat in range(state.rules.players)),
        running=clocks.running if clocks else None,
    )


def waits_for(state: RoomState, kind: OfferKind) -> list[int]:
    """Return the people who have yet to answer the offer of *kind* that is on the table."""
    offer = state.offers[kind]
    return [seat for seat in state.people if seat != offer.seat and seat not in offer.accepted]


def why_no_offer(state: RoomState, seat: int, kind: OfferKind) -> str | None:
    """Return a stable word for why *seat* may not offer *kind* now, or None if it may."""
    if state.status is not Status.PLAYING or state.line is None:
        return "no-game"
    if kind in state.offers:
        return "already-offered"
    if kind == "draw" and len(state.people) < state.rules.players:
        return "computer-declines"
    if kind == "takeback" and state.line.last_decision(seat) is None:
        return "nothing-to-take-back"
    if len(state.line.moves) <= state.offered.get((seat, kind), -1):
        return "offered-before"
    return None


def claim_left(state: RoomState, seat: int | None, now: int) -> tuple[int | None, int | None]:
    """Return the milliseconds until *seat* may claim the game, and the seat that is away longest; None where none."""
    away = [
        (since, number)
        for number, other in enumerate(state.seats)
        if other and number != seat and (since := other.away_since) is not None
    ]
    if not away:
        return None, None
    since, absent = min(away)
    left = max(0, since + state.settings.grace - now)
    return (left if seat is not None and state.status is Status.PLAYING else None), absent


# --- JSON


def view_json(view: RoomView) -> str:
    """Return *view* as JSON, cards and suits as codes."""
    return json.dumps(view_values(view), ensure_ascii=False, separators=(",", ":"))


def view_values(view: RoomView) -> dict[str, Any]:
    """Return *view* in the values of JSON."""
    values: dict[str, Any] = {
        name: getattr(view, name)
        for name in ("room", "version", "at", "game", "public", "rated", "viewer", "session", "must_choose")
    }
    values |= {
        "status": view.status.value,
        "rules": format_rules(view.rules),
        "low": view.rules.low.letter,
        "seats": [_fields(seat) for seat in view.seats],
        "trumps": [None if suit is None else suit.letter for suit in view.trumps],
        "taken_suits": [suit.letter for suit in view.taken_suits],
        "choose_left": view.choose_left,
        "commitment": view.commitment,
        "seed": view.seed,
        "entropy": view.entropy,
        "table": view.table and _table_values(view.table),
        "lead": view.lead,
        "dealt": [None if hand is None else _codes(hand) for hand in view.dealt],
        "dealt_counts": view.dealt_counts,
        "moves": [format_move(move) for move in view.moves],
        "times": view.times,
        "move_since": view.move_since,
        "clock": _fields(view.clock),
        "offers": [_fields(offer) for offer in view.offers],
        "can_offer": view.can_offer,
        "absent": view.absent,
        "claim_left": view.claim_left,
        "outcome": _outcome_values(view.outcome),
        "score": view.score,
        "phrases": [_fields(phrase) for phrase in view.phrases],
        "outages": view.outages,
        "record": view.record and format_text(view.record),
    }
    return values


def _table_values(table: SeatView) -> dict[str, Any]:
    return {
        "viewer": table.viewer,
        "hand": _codes(table.hand),
        "counts": table.counts,
        "shown": [_codes(cards) for cards in table.shown],
        "pile": _codes(table.pile),
        "trumps": [suit.letter for suit in table.trumps],
        "seat": table.seat,
        "phase": table.phase.value,
        "legal": [format_move(move) for move in table.legal],
        "outcome": _outcome_values(table.outcome),
        "repeats": table.repeats,
    }


def _outcome_values(outcome: Outcome | None) -> dict[str, str] | None:
    return None if outcome is None else {"result": outcome.code, "reason": outcome.reason.value}


def _codes(cards: Cards) -> list[str]:
    return [card.code for card in cards]


def _fields(value: Any) -> dict[str, Any] | None:
    return None if value is None else {field.name: getattr(value, field.name) for field in fields(value)}
