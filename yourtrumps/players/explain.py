"""Why a move may be good, in a code that a sentence can be made of: each is true by the cards the seat sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from ..core import Card, Move, OptionError, Phase, SeatView, Up, next_seat, pick_up_count
from .greedy import answers


class HintCode(StrEnum):
    """What is true of a move; the values that the sentence may name stand behind each."""

    MUST_PICK_UP = "must-pick-up"
    """Nothing in hand beats the top card. ``count``, ``top``."""
    RATHER_PICKS_UP = "rather-picks-up"
    """A card would beat, but picking up is chosen. ``count``, ``top``."""
    EMPTIES_HAND = "empties-hand"
    """The card is the last in hand. ``card``."""
    ONLY_CARD_THAT_BEATS = "only-card-that-beats"
    """No other card in hand beats the top card. ``card``, ``top``."""
    LOWEST_THAT_BEATS = "lowest-that-beats"
    """Every other card in hand that beats the top card has a higher rank. ``card``, ``top``."""
    KEEPS_TRUMPS = "keeps-trumps"
    """The card is plain, and the hand has own trumps that could be played instead. ``card``, ``trump``."""
    BEATS = "beats"
    """The card beats the top card. ``card``, ``top``."""
    CANNOT_BE_BEATEN = "cannot-be-beaten"
    """No card that the next seat may hold beats it, so that seat picks up. ``card``, ``seat``, ``count``."""
    LOWEST_IN_HAND = "lowest-in-hand"
    """No card in hand has a lower rank. ``card``."""
    HARDEST_TO_BEAT = "hardest-to-beat"
    """Of the hand, this is beaten by the fewest cards the next seat may hold. ``card``, ``seat``, ``count``."""
    LAYS = "lays"
    """Nothing above is true. ``card``."""


@dataclass(frozen=True, slots=True)
class Hint:
    """One true thing about a move: its code, and the values for the sentence (cards, suits, numbers)."""

    code: HintCode
    values: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}), hash=False)


def reason(view: SeatView, move: Move) -> Hint:
    """Return the most telling thing that is true of *move*; raises :class:`OptionError` if it is not legal."""
    if move not in view.legal:
        raise OptionError("move", str(move), "a legal move")
    if isinstance(move, Up):
        code = HintCode.RATHER_PICKS_UP if len(view.legal) > 1 else HintCode.MUST_PICK_UP
        return _hint(code, count=view.pick_up_count(), top=view.pile[-1])
    if len(view.hand) == 1:
        return _hint(HintCode.EMPTIES_HAND, card=move)
    if view.phase is Phase.BEAT:
        return _reason_to_beat(view, move)
    return _reason_to_lay(view, move)


def _hint(code: HintCode, **values: object) -> Hint:
    return Hint(code, MappingProxyType(values))


def _reason_to_beat(view: SeatView, card: Card) -> Hint:
    top = view.pile[-1]
    others = [other for other in view.legal if not isinstance(other, Up) and other is not card]
    if not others:
        return _hint(HintCode.ONLY_CARD_THAT_BEATS, card=card, top=top)
    if all(other.rank > card.rank for other in others):
        return _hint(HintCode.LOWEST_THAT_BEATS, card=card, top=top)
    trump = view.trumps[view.seat]
    if card.suit is not trump and any(other.suit is trump for other in others):
        return _hint(HintCode.KEEPS_TRUMPS, card=card, trump=trump)
    return _hint(HintCode.BEATS, card=card, top=top)


def _reason_to_lay(view: SeatView, card: Card) -> Hint:
    seat = next_seat(view.counts, view.seat)
    beaten_by = len(answers(view, card))
    if not beaten_by:
        count = pick_up_count(view.rules, (*view.pile, card), view.trumps[seat])
        return _hint(HintCode.CANNOT_BE_BEATEN, card=card, seat=seat, count=count)
    if card.rank == min(other.rank for other in view.hand):
        return _hint(HintCode.LOWEST_IN_HAND, card=card)
    if beaten_by < min(len(answers(view, other)) for other in view.hand if other is not card):
        return _hint(HintCode.HARDEST_TO_BEAT, card=card, seat=seat, count=beaten_by)
    trump = view.trumps[view.seat]
    if card.suit is not trump and any(other.suit is trump for other in view.hand):
        return _hint(HintCode.KEEPS_TRUMPS, card=card, trump=trump)
    return _hint(HintCode.LAYS, card=card)
