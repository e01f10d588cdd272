"""English sentences of the terminal: what is asked, what was played, how it ended, and hints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..core import Card, Move, Outcome, Phase, Reason, SeatView, Suit, Up
from ..players import Hint, HintCode

YOU: Final = "You"
"""The name of whoever sits at the terminal; verbs agree with it."""

_REASONS: Final = {
    Reason.EMPTY_HAND: "the hand is empty",
    Reason.LAST_CARD_ANSWERED: "the last card was answered",
    Reason.THREEFOLD: "the same position came for the third time",
    Reason.RESIGNED: "resigned",
    Reason.AGREED: "agreed",
    Reason.TIME: "time ran out",
    Reason.LEFT: "left the table",
}

_HINTS: Final = {
    HintCode.MUST_PICK_UP: "nothing in hand beats {top}",
    HintCode.RATHER_PICKS_UP: "takes {count} from the pile rather than beat {top}",
    HintCode.EMPTIES_HAND: "it is the last card in hand",
    HintCode.ONLY_CARD_THAT_BEATS: "no other card in hand beats {top}",
    HintCode.LOWEST_THAT_BEATS: "it is the lowest card that beats {top}",
    HintCode.KEEPS_TRUMPS: "it keeps the {trump} for later",
    HintCode.BEATS: "it beats {top}",
    HintCode.CANNOT_BE_BEATEN: "{seat} cannot beat it and must pick up {count}",
    HintCode.LOWEST_IN_HAND: "no card in hand is lower",
    HintCode.HARDEST_TO_BEAT: "fewer cards of {seat} may beat it than any other in hand",
    HintCode.LAYS: "nothing more is plain to see about it",
}


def outcome_sentence(outcome: Outcome, names: Sequence[str]) -> str:
    """Return who won or lost, and why."""
    why = _REASONS[outcome.reason]
    if outcome.is_draw:
        return f"A draw: {why}."
    if len(outcome.winners) == 1:
        return f"{_does(names[outcome.winners[0]], 'win')}: {why}."
    return f"{_does(names[outcome.losers[0]], 'lose')}: {why}."


def move_sentence(view: SeatView, name: str, move: Move) -> str:
    """Return what *name* plays in the position of *view*."""
    if isinstance(move, Up):
        return f"{_does(name, 'pick')} up."
    if view.phase is Phase.BEAT:
        return f"{_does(name, 'beat')} with {move}."
    return f"{_does(name, view.phase.value)} {move}."


def _does(name: str, verb: str) -> str:
    return f"{name} {verb}" if name == YOU else f"{name} {verb}s"


def ask_sentence(view: SeatView, count: int) -> str:
    """Return what the seat to move is asked for; *count* is what it would pick up."""
    if view.phase is Phase.LEAD:
        return "Lead any card."
    if view.phase is Phase.ADD:
        return "Add any card."
    if all(isinstance(move, Up) for move in view.legal):
        return f"Nothing beats {view.pile[-1]}: type up to pick up {count}."
    instead = f", or pick up {count} (up)" if any(isinstance(move, Up) for move in view.legal) else ""
    return f"Beat {view.pile[-1]}{instead}."


def hint_sentence(move: Move, hint: Hint, names: Sequence[str]) -> str:
    """Return the hint for *move* as one sentence."""
    values = {name: _word(name, value, names) for name, value in hint.values.items()}
    return f"Hint: {move}: {_HINTS[hint.code].format(**values)}."


def _word(name: str, value: object, names: Sequence[str]) -> object:
    if isinstance(value, Suit):
        return value.name.lower()
    if isinstance(value, Card):
        return value.code
    return names[value] if name == "seat" and isinstance(value, int) else value
