"""Sentences about cards, moves and results, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import NullTranslations

from ..core import (
    Card,
    IllegalMove,
    NotationError,
    OptionError,
    Outcome,
    Phase,
    Rank,
    Reason,
    RecordError,
    SeatView,
    StaleVersion,
    Suit,
    Up,
    YourTrumpsError,
)
from ..players import LEVEL_NAMES, Hint, HintCode


def level_name(t: NullTranslations, level: int) -> str:
    """Return what a computer player of *level* is called; a level without a word here keeps its English name."""
    names = {
        1: t.gettext("Beginner"),
        2: t.gettext("Novice"),
        3: t.gettext("Casual player"),
        4: t.gettext("Club player"),
        5: t.gettext("Strong club player"),
        6: t.gettext("Expert"),
        7: t.gettext("Candidate master"),
        8: t.gettext("Master"),
    }
    return names.get(level, LEVEL_NAMES[level])


def short_rank(rank: Rank) -> str:
    """Return what stands in a card's corner: ``10``, ``Q``."""
    return "10" if rank is Rank.TEN else rank.letter


def short_card(card: Card) -> str:
    """Return a card as it stands in a sentence: ``Q♣``."""
    return short_rank(card.rank) + card.suit.symbol


def suit_name(t: NullTranslations, suit: Suit) -> str:
    """Return the name of a suit."""
    return {
        Suit.CLUBS: t.gettext("clubs"),
        Suit.DIAMONDS: t.gettext("diamonds"),
        Suit.HEARTS: t.gettext("hearts"),
        Suit.SPADES: t.gettext("spades"),
    }[suit]


def card_name(t: NullTranslations, card: Card) -> str:
    """Return what a screen reader says of a card: ``9 of clubs``."""
    ranks = {
        Rank.JACK: t.gettext("jack"),
        Rank.QUEEN: t.gettext("queen"),
        Rank.KING: t.gettext("king"),
        Rank.ACE: t.gettext("ace"),
    }
    return t.gettext("{rank} of {suit}").format(
        rank=ranks.get(card.rank, str(int(card.rank))), suit=suit_name(t, card.suit)
    )


def pick_up_words(t: NullTranslations, count: int, pile: int) -> str:
    """Return the label of the pick-up button."""
    if count == pile and count > 1:
        return t.gettext("Pick up all {count}").format(count=count)
    return t.gettext("Pick up {count}").format(count=count)


def asked(t: NullTranslations, view: SeatView, count: int) -> str:
    """Return what the viewer, who has the move, is asked for."""
    if view.phase is Phase.LEAD:
        return t.gettext("Lead any card.")
    if view.phase is Phase.ADD:
        return t.gettext("Now add any card.")
    top = short_card(view.pile[-1])
    cards = t.ngettext("{count} card", "{count} cards", count).format(count=count)
    if view.legal[0] is view.legal[-1] and isinstance(view.legal[0], Up):
        return t.gettext("You cannot beat the {card}: pick up {cards}.").format(card=top, cards=cards)
    if isinstance(view.legal[-1], Up):
        return t.gettext("Beat the {card}, or pick up {cards}.").format(card=top, cards=cards)
    return t.gettext("Beat the {card}.").format(card=top)


def why_not(t: NullTranslations, view: SeatView, card: Card) -> str:
    """Return why the viewer cannot play *card* now."""
    if view.outcome:
        return t.gettext("the game is over")
    if view.viewer != view.seat:
        return t.gettext("it is not your turn")
    return t.gettext("does not beat the {card}").format(card=short_card(view.pile[-1]))


def result(t: NullTranslations, outcome: Outcome, names: Sequence[str], viewer: int | None) -> tuple[str, str]:
    """Return who won, and why."""
    reasons = {
        Reason.EMPTY_HAND: t.gettext("the last card was played and could not be answered"),
        Reason.LAST_CARD_ANSWERED: t.gettext("the last card was answered with a last card"),
        Reason.THREEFOLD: t.gettext("the same position occurred for the third time"),
        Reason.RESIGNED: t.gettext("by resignation"),
        Reason.AGREED: t.gettext("agreed"),
        Reason.TIME: t.gettext("time ran out"),
        Reason.LEFT: t.gettext("left the table"),
    }
    if outcome.is_draw:
        title = t.gettext("A draw")
    elif viewer in outcome.winners:
        title = t.gettext("You win")
    elif viewer in outcome.losers:
        title = t.gettext("You lose")
    else:
        title = t.gettext("{name} loses").format(name=names[outcome.losers[0]])
    return title, reasons[outcome.reason]


def hint_words(t: NullTranslations, move: Card | Up, hint: Hint, names: Sequence[str]) -> str:
    """Return one plain sentence for a hint."""
    reasons = {
        HintCode.MUST_PICK_UP: t.gettext("nothing in your hand beats the {top}."),
        HintCode.RATHER_PICKS_UP: t.gettext("the computer would take {count} rather than beat the {top}."),
        HintCode.EMPTIES_HAND: t.gettext("it is your last card."),
        HintCode.ONLY_CARD_THAT_BEATS: t.gettext("no other card of yours beats the {top}."),
        HintCode.LOWEST_THAT_BEATS: t.gettext("it is the lowest card that beats the {top}."),
        HintCode.KEEPS_TRUMPS: t.gettext("it keeps your {trump} for later."),
        HintCode.BEATS: t.gettext("it beats the {top}."),
        HintCode.CANNOT_BE_BEATEN: t.gettext("{seat} cannot beat it and picks up {count}."),
        HintCode.LOWEST_IN_HAND: t.gettext("no card in your hand is lower."),
        HintCode.HARDEST_TO_BEAT: t.gettext("it is the hardest of your cards to beat."),
        HintCode.LAYS: t.gettext("the computer would play it."),
    }

    def word(name: str, value: object) -> object:
        if isinstance(value, Card):
            return short_card(value)
        if isinstance(value, Suit):
            return suit_name(t, value)
        return names[value] if name == "seat" and isinstance(value, int) else value

    values = {name: word(name, value) for name, value in hint.values.items()}
    sentence = reasons[hint.code].format(**values)
    if isinstance(move, Up):
        return t.gettext("Pick up: {reason}").format(reason=sentence)
    return t.gettext("Play the {card}: {reason}").format(card=short_card(move), reason=sentence)


def error_words(t: NullTranslations, error: YourTrumpsError) -> str:
    """Return what went wrong, for the player."""
    if isinstance(error, StaleVersion):
        return t.gettext("That move came too late: the table had changed.")
    if isinstance(error, IllegalMove):
        return t.gettext("That is not possible now.")
    if isinstance(error, RecordError):
        return t.gettext("This file cannot be opened. {detail}").format(detail=error)
    if isinstance(error, NotationError):
        return t.gettext("This position cannot be read. {detail}").format(detail=error)
    if isinstance(error, OptionError):
        return t.gettext("That choice is not possible. {detail}").format(detail=error)
    return t.gettext("That did not work. {detail}").format(detail=error)
