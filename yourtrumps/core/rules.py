"""What can be chosen about a game: the presets and every option on its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any, Final

from .cards import Cards, Rank, Suit, pack, parse_rank
from .errors import NotationError, OptionError


class Deal(StrEnum):
    """How the cards are dealt."""

    WHOLE = "whole"
    """The whole pack (or ``cards_each`` to each), one by one."""
    LOWEST = "lowest"
    """The same, then the lowest-rank card of each seat's trump suit goes to that seat."""
    MIRRORED = "mirrored"
    """Two seats: the second hand is the first with the suits of each pair exchanged."""


class PickUp(StrEnum):
    """How many cards a mover who does not beat picks up."""

    THREE_FIVE_ALL = "3-5-all"
    ALL = "all"


class AfterPickUp(StrEnum):
    """Who moves after a pick-up."""

    NEXT = "next"
    TAKER = "taker"


class Hands(StrEnum):
    """Whether hands lie open on the table."""

    CLOSED = "closed"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Rules:
    """One choice of all the options; make it with :meth:`of`, which checks it.

    >>> Rules.of("russian").pick_up
    <PickUp.ALL: 'all'>
    >>> format_rules(Rules.of("duel", may_decline=True, cards_each=6))
    'duel+may_decline=yes+cards_each=6'
    """

    preset: str = "duel"
    low: Rank = Rank.SIX
    players: int = 2
    deal: Deal = Deal.WHOLE
    may_decline: bool = False
    pick_up: PickUp = PickUp.THREE_FIVE_ALL
    after_pick_up: AfterPickUp = AfterPickUp.NEXT
    hands: Hands = Hands.CLOSED
    cards_each: int | None = None

    @classmethod
    def of(cls, preset: str = "duel", **options: Any) -> Rules:
        """Return the rules of *preset* with *options* set on top; raises :class:`OptionError`."""
        if preset not in PRESETS:
            raise OptionError("preset", preset, f"one of {', '.join(PRESETS)}")
        for name in options:
            if name not in _OPTIONS:
                raise OptionError("option", name, f"one of {', '.join(_OPTIONS)}")
        values = {name: _OPTIONS[name](name, value) for name, value in options.items()}
        rules = replace(PRESETS[preset], **values)
        rules._check()
        return rules

    def _check(self) -> None:
        if self.deal is Deal.MIRRORED:
            if self.players != 2:
                raise OptionError("players", self.players, "2 for a mirrored deal")
            if self.cards_each is not None:
                raise OptionError("cards_each", self.cards_each, "no value with a mirrored deal")
        most = len(self.pack) // self.players
        if self.cards_each is not None and not 1 <= self.cards_each <= most:
            raise OptionError("cards_each", self.cards_each, f"a number from 1 to {most}")

    @property
    def pack(self) -> Cards:
        """All cards of the pack, sorted."""
        return pack(self.low)

    @property
    def is_whole_pack(self) -> bool:
        """Whether every card of the pack is dealt."""
        return self.cards_each is None

    def seat_counts(self) -> tuple[int, ...]:
        """Numbers of seats that need no word in a position code: the preset's own, or the one chosen."""
        return (2, 3, 4) if self.preset == "party" else (self.players,)

    def check_trumps(self, trumps: tuple[Suit, ...]) -> None:
        """Raise unless there is one suit a seat, all different."""
        if len(trumps) != self.players or len(set(trumps)) != len(trumps):
            letters = "".join(suit.letter for suit in trumps)
            raise OptionError("trumps", letters, f"{self.players} different suits, one a seat")


PRESETS: Final[Mapping[str, Rules]] = {
    "duel": Rules(),
    "party": Rules(preset="party", deal=Deal.LOWEST, may_decline=True),
    "russian": Rules(
        preset="russian",
        deal=Deal.MIRRORED,
        may_decline=True,
        pick_up=PickUp.ALL,
        hands=Hands.OPEN,
    ),
    "cambridge": Rules(
        preset="cambridge",
        deal=Deal.MIRRORED,
        may_decline=True,
        pick_up=PickUp.ALL,
        after_pick_up=AfterPickUp.TAKER,
        hands=Hands.OPEN,
    ),
}


def _read_number(name: str, value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    # isdecimal also accepts other scripts' digits, so ask for plain ones.
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= 3:
        return int(value)
    raise OptionError(name, value, "a whole number")


def _read_players(name: str, value: object) -> int:
    number = _read_number(name, value)
    if number not in (2, 3, 4):
        raise OptionError(name, value, "2, 3 or 4")
    return number


def _read_cards_each(name: str, value: object) -> int | None:
    return None if value in (None, "all") else _read_number(name, value)


def _read_yes_no(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    if value in ("yes", "no"):
        return value == "yes"
    raise OptionError(name, value, "yes or no")


def _read_low(name: str, value: object) -> Rank:
    if isinstance(value, Rank):
        rank = value
    else:
        try:
            rank = parse_rank(str(value))
        except NotationError:
            raise OptionError(name, value, "one of 23456789TJQK") from None
    if rank is Rank.ACE:
        raise OptionError(name, value, "one of 23456789TJQK")
    return rank


def _read_choice(kind: type[StrEnum]) -> Any:
    def read(name: str, value: object) -> StrEnum:
        try:
            return kind(str(value))
        except ValueError:
            raise OptionError(name, value, f"one of {', '.join(kind)}") from None

    return read


_OPTIONS: Final[Mapping[str, Any]] = {
    "low": _read_low,
    "players": _read_players,
    "deal": _read_choice(Deal),
    "may_decline": _read_yes_no,
    "pick_up": _read_choice(PickUp),
    "after_pick_up": _read_choice(AfterPickUp),
    "hands": _read_choice(Hands),
    "cards_each": _read_cards_each,
}


def parse_rules(text: str, low: Rank = Rank.SIX, players: int | None = None) -> Rules:
    """Return the rules of a text such as ``party`` or ``duel+may_decline=yes``.

    *low* and *players* come from elsewhere in a position code; ``players`` is only taken
    where the preset leaves it open.
    """
    preset, *parts = text.split("+")
    options: dict[str, object] = {"low": low}
    for part in parts:
        name, equals, value = part.partition("=")
        if not equals or name == "low" or name in options:
            raise NotationError("rules", part, "+option=value, each option once")
        options[name] = value
    try:
        if players is not None and "players" not in options and preset == "party":
            options["players"] = players
        return Rules.of(preset, **options)
    except OptionError as error:
        raise NotationError("rules", str(error.got), f"{error.option} to be {error.expected}") from None


def format_rules(rules: Rules) -> str:
    """Write *rules* as :func:`parse_rules` reads them; the lowest rank is not part of it."""
    base = PRESETS[rules.preset]
    text = rules.preset
    for name in (field.name for field in fields(rules)):
        value = getattr(rules, name)
        if name in ("preset", "low") or value == getattr(base, name):
            continue
        if name == "players" and value in rules.seat_counts() and rules.preset == "party":
            continue
        shown = {True: "yes", False: "no", None: "all"}.get(value, value) if not _is_count(value) else value
        text += f"+{name}={shown}"
    return text


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
