"""Text forms: position codes, moves and turns. The grammar is in RULES.md."""

from __future__ import annotations

from collections.abc import Sequence

from .cards import Card, Cards, Rank, Suit, format_cards, parse_card, parse_cards, parse_rank, parse_suit, sort_cards
from .errors import NotationError
from .position import UP, Move, Phase, Position
from .rules import Rules, format_rules, parse_rules

_FIELDS = ("low", "trumps", "hands", "pile", "seat", "phase", "rules")
_LONGEST_CODE = 1000


def parse_move(text: str) -> Move:
    """Return the move of a card code or ``up``.

    >>> parse_move("9C"), parse_move("up")
    (Card('9C'), <Up.UP: 'up'>)
    """
    if text == "up":
        return UP
    try:
        return parse_card(text)
    except NotationError:
        raise NotationError("move", text, "a card such as 9C, or up") from None


def format_move(move: Move) -> str:
    """Write *move* as :func:`parse_move` reads it."""
    return str(move)


def parse_turn(text: str) -> tuple[Move, ...]:
    """Return the one or two moves of a turn such as ``9C``, ``JC+7D`` or ``up``."""
    moves = tuple(parse_move(part) for part in text.split("+"))
    if len(moves) > 2 or (len(moves) == 2 and UP in moves):
        raise NotationError("turn", text, "9C (lead), JC+7D (beat and add), JC or up")
    return moves


def format_turn(moves: Sequence[Move]) -> str:
    """Write the moves of one turn as :func:`parse_turn` reads them."""
    return "+".join(format_move(move) for move in moves)


def parse_position(code: str) -> Position:
    """Return the position of a position code; raises :class:`NotationError` naming the field at fault.

    >>> position = parse_position("6 SH 6S7S9C/8HTDAD QCKC 0 beat")
    >>> position.top
    Card('KC')
    """
    if len(code) > _LONGEST_CODE:
        raise NotationError("code", code, f"at most {_LONGEST_CODE} characters")
    parts = code.strip().split(" ")
    if not 6 <= len(parts) <= 7:
        fields = "six or seven fields with one space between: low trumps hands pile seat phase [rules]"
        raise NotationError("code", code, fields)
    low = parse_rank(parts[0], "low")
    if low is Rank.ACE:
        raise NotationError("low", parts[0], "one of 23456789TJQK")
    trumps = _parse_trumps(parts[1])
    rules = parse_rules(parts[6] if len(parts) == 7 else "duel", low, len(trumps))
    if len(trumps) != rules.players:
        raise NotationError("trumps", parts[1], f"{rules.players} suits for {format_rules(rules)}")
    hands = tuple(parse_cards(hand, "hands") for hand in parts[2].split("/"))
    if len(hands) != rules.players:
        raise NotationError("hands", parts[2], f"{rules.players} hands separated by /")
    pile = parse_cards(parts[3], "pile")
    _check_cards(rules, hands, pile)
    position = Position(
        rules, trumps, tuple(map(sort_cards, hands)), pile, _parse_seat(parts[4], rules), _parse_phase(parts[5])
    )
    check_position(position)
    return position


def _parse_trumps(text: str) -> tuple[Suit, ...]:
    trumps = tuple(parse_suit(letter, "trumps") for letter in text)
    if len(set(trumps)) != len(trumps) or not 2 <= len(trumps) <= 4:
        raise NotationError("trumps", text, "two to four different suits, one a seat")
    return trumps


def _parse_seat(text: str, rules: Rules) -> int:
    if text not in [str(seat) for seat in range(rules.players)]:
        raise NotationError("seat", text, f"a number from 0 to {rules.players - 1}")
    return int(text)


def _parse_phase(text: str) -> Phase:
    try:
        return Phase(text)
    except ValueError:
        raise NotationError("phase", text, "lead, beat or add") from None


def _check_cards(rules: Rules, hands: tuple[Cards, ...], pile: Cards) -> None:
    seen: set[Card] = set()
    pack = set(rules.pack)
    for field, cards in [*(("hands", hand) for hand in hands), ("pile", pile)]:
        for card in cards:
            if card not in pack:
                raise NotationError(field, card.code, f"cards from {rules.low.letter} to A")
            if card in seen:
                raise NotationError(field, card.code, "each card once")
            seen.add(card)


def check_position(position: Position) -> None:
    """Raise :class:`NotationError` where *position* cannot stand on a table; says which field is wrong."""
    hands, pile, phase = position.hands, position.pile, position.phase
    shown = "/".join(format_cards(hand) for hand in hands)
    if not any(hands):
        raise NotationError("hands", shown, "cards in at least one hand")
    if not position.hand:
        raise NotationError("seat", str(position.seat), "a seat with cards")
    if phase is Phase.LEAD and pile:
        raise NotationError("phase", phase.value, "beat or add, as the pile has cards")
    if phase is Phase.BEAT and not pile:
        raise NotationError("phase", phase.value, "lead, as the pile is empty")
    if phase is Phase.ADD:
        _check_add(position)
    if position.is_over and phase is not Phase.BEAT:
        raise NotationError("phase", phase.value, "beat, as one hand alone has cards")


def _check_add(position: Position) -> None:
    pile = position.pile
    if len(pile) < 2:
        raise NotationError("phase", position.phase.value, "at least two cards in the pile: one beaten and one beating")
    if not pile[-1].beats(pile[-2], position.trump):
        raise NotationError("pile", format_cards(pile[-2:]), "a top card that beats the one below, as the phase is add")


def format_position(position: Position) -> str:
    """Write *position* as :func:`parse_position` reads it, with the rules only where they are not ``duel``."""
    parts = [
        position.rules.low.letter,
        "".join(suit.letter for suit in position.trumps),
        "/".join(format_cards(hand) for hand in position.hands),
        format_cards(position.pile),
        str(position.seat),
        position.phase.value,
    ]
    rules = format_rules(position.rules)
    if rules != "duel":
        parts.append(rules)
    return " ".join(parts)
