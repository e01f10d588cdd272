"""The view model: from what a seat may know to what its table shows. Pure, and the only source of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from gettext import NullTranslations
from typing import Any

from ..core import Card, Cards, Move, Phase, Position, SeatView, Suit, Up
from . import words

TableView = dict[str, Any]
"""What the table component draws: plain data, ready for JSON, with nothing in it that the viewer may not know."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the game: who played which moves, from which move number on, and what was picked up."""

    seat: int
    first: int
    moves: tuple[Move, ...]
    picked: Cards = ()


@dataclass(frozen=True, slots=True)
class Setting:
    """What is around the position: who plays, the score, and the way through the game."""

    names: tuple[str, ...]
    score: tuple[float, ...]
    turns: tuple[Turn, ...]
    cursor: int
    total: int
    can_undo: bool
    can_share: bool
    """Whether the whole position may be shown: nothing is hidden from the viewer."""


def turns_of(positions: Sequence[Position], moves: Sequence[Move]) -> tuple[Turn, ...]:
    """Return the turns of a game from its positions (one more than the moves)."""
    turns: list[Turn] = []
    for number, (position, move) in enumerate(zip(positions, moves, strict=False)):
        if position.phase is Phase.ADD and turns:
            last = turns.pop()
            turns.append(Turn(last.seat, last.first, (*last.moves, move)))
            continue
        picked = position.pile[len(position.pile) - position.pick_up_count() :] if isinstance(move, Up) else ()
        turns.append(Turn(position.seat, number, (move,), picked))
    return tuple(turns)


def choosing_view(t: NullTranslations, seat: int, names: Sequence[str], trumps: Sequence[Suit | None]) -> TableView:
    """Return the table before the deal: *seat* is asked for its trump suit."""
    return {
        "choosing": [
            {"suit": suit.letter, "name": words.suit_name(t, suit), "free": suit not in trumps}
            for suit in reversed(Suit)
        ],
        "title": t.gettext("Choose your trump suit"),
        "text": t.gettext(
            "Your trumps beat any card of another suit, on your turns. The other side has a suit of its own."
        ),
        "seat": seat,
    }


def table_view(
    t: NullTranslations, view: SeatView, setting: Setting, legal: tuple[Move, ...] | None = None
) -> TableView:
    """Return what the table shows to ``view.viewer``; *legal* narrows what may be played (none while reviewing)."""
    may_play = view.legal if legal is None else legal
    turn = view.viewer == view.seat and bool(may_play)
    count = view.pick_up_count()
    last = setting.turns[-1] if setting.turns else None
    result: dict[str, Any] = {
        "version": setting.cursor,
        "total": setting.total,
        "toMove": view.seat,
        "phase": view.phase.value,
        "result": view.outcome.code if view.outcome else "",
        "me": view.viewer,
        "hand": [_hand_card(t, view, card, may_play) for card in view.hand],
        "others": [_other(t, view, setting, seat) for seat in _around(view)],
        "mine": _seat(t, view, setting, view.viewer or 0),
        "pile": [_face(t, card) for card in view.pile],
        "last": last and _last(last),
        "turns": [_turn(t, setting, turn_, view) for turn_ in setting.turns],
        "ask": _ask(t, view, setting, may_play, count),
        "up": {
            "label": words.pick_up_words(t, count, len(view.pile)),
            "enabled": turn and any(isinstance(move, Up) for move in may_play),
        },
        "canUndo": setting.can_undo,
        "canRedo": setting.cursor < setting.total,
        "canShare": setting.can_share,
        "live": bool(may_play) or (view.outcome is None and setting.cursor == setting.total),
        "end": None,
        "repeats": t.gettext("This position has occurred twice; the third time is a draw.")
        if view.repeats == 2
        else "",
    }
    if view.repeats > 1 and not view.outcome:
        result["repeats"] = t.gettext("This position has occurred twice; the third time is a draw.")
    if view.outcome:
        title, reason = words.result(t, view.outcome, setting.names, view.viewer)
        kind = "draw" if view.outcome.is_draw else "won" if view.viewer in view.outcome.winners else "lost"
        result["end"] = {"title": title, "reason": reason, "kind": kind}
    return result


def _around(view: SeatView) -> list[int]:
    seats = view.rules.players
    first = view.viewer or 0
    return [(first + step) % seats for step in range(1, seats)]


def _face(t: NullTranslations, card: Card) -> dict[str, Any]:
    return {
        "code": card.code,
        "rank": words.short_rank(card.rank),
        "suit": card.suit.letter,
        "order": int(card.rank),
        "name": words.card_name(t, card),
    }


def _hand_card(t: NullTranslations, view: SeatView, card: Card, legal: tuple[Move, ...]) -> dict[str, Any]:
    face = _face(t, card) | {"playable": card in legal, "trump": card.suit is view.trumps[view.viewer or 0]}
    if not face["playable"]:
        face["why"] = words.why_not(t, view, card)
    return face


def _seat(t: NullTranslations, view: SeatView, setting: Setting, seat: int) -> dict[str, Any]:
    trump = view.trumps[seat]
    count = view.counts[seat]
    return {
        "seat": seat,
        "name": setting.names[seat],
        "trump": trump.letter,
        "trumpName": t.gettext("Trumps: {suit}").format(suit=words.suit_name(t, trump)),
        "count": count,
        "countName": t.ngettext("{count} card", "{count} cards", count).format(count=count),
        "score": _points(setting.score[seat]),
        "scoreName": t.gettext("Match: {points}").format(points=f"{setting.score[seat]:g}"),
        "moves": view.seat == seat and view.outcome is None,
    }


def _points(points: float) -> str:
    whole, half = divmod(points, 1)
    return f"{whole:g}" * bool(whole or not half) + "½" * bool(half)


def _other(t: NullTranslations, view: SeatView, setting: Setting, seat: int) -> dict[str, Any]:
    shown = view.shown[seat] if view.rules.hands == "open" else ()
    return _seat(t, view, setting, seat) | {"cards": [_face(t, card) for card in shown]}


def _last(turn: Turn) -> dict[str, Any]:
    return {
        "seat": turn.seat,
        "cards": [move.code for move in turn.moves if isinstance(move, Card)],
        "picked": [card.code for card in turn.picked],
    }


def _turn(t: NullTranslations, setting: Setting, turn: Turn, view: SeatView) -> dict[str, Any]:
    own = turn.seat == view.viewer
    name = t.gettext("You") if own else setting.names[turn.seat]
    cards = [move for move in turn.moves if isinstance(move, Card)]
    picked = ""
    if turn.picked:
        sentence = t.gettext("pick up {count}") if own else t.gettext("picks up {count}")
        picked = sentence.format(count=len(turn.picked))
    return {
        "seat": turn.seat,
        "name": name,
        "cards": [_short(card) for card in cards],
        "picked": picked,
        "after": turn.first + len(turn.moves),
        "text": f"{name}: {picked or ' + '.join(map(words.short_card, cards))}",
    }


def _short(card: Card) -> dict[str, str]:
    return {"rank": words.short_rank(card.rank), "suit": card.suit.letter}


def _ask(t: NullTranslations, view: SeatView, setting: Setting, legal: tuple[Move, ...], count: int) -> str:
    if view.outcome:
        return " – ".join(words.result(t, view.outcome, setting.names, view.viewer))
    if view.viewer == view.seat and legal:
        return words.asked(t, view, count)
    if setting.cursor < setting.total:
        return t.gettext("Looking back: move {cursor} of {total}.").format(cursor=setting.cursor, total=setting.total)
    return t.gettext("{name} is thinking …").format(name=setting.names[view.seat])
