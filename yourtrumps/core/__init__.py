"""The rules of the game: pure values, standard library only."""

from .cards import Card, Cards, Rank, Suit, pack, parse_card, parse_cards, sort_cards
from .errors import IllegalMove, NotationError, OptionError, RecordError, StaleVersion, YourTrumpsError
from .memory import THREEFOLD, Repetitions, shown_after, shown_cards
from .notation import format_move, format_position, format_turn, parse_move, parse_position, parse_turn
from .perft import perft
from .position import UP, Move, Outcome, Phase, Position, Reason, SeatView, Up, deal, next_seat, pick_up_count
from .record import Record, format_json, format_text, parse_record
from .rules import PRESETS, AfterPickUp, Deal, Hands, PickUp, Rules, format_rules, parse_rules

__all__ = [
    "PRESETS",
    "THREEFOLD",
    "UP",
    "AfterPickUp",
    "Card",
    "Cards",
    "Deal",
    "Hands",
    "IllegalMove",
    "Move",
    "NotationError",
    "OptionError",
    "Outcome",
    "Phase",
    "PickUp",
    "Position",
    "Rank",
    "Reason",
    "Record",
    "RecordError",
    "Repetitions",
    "Rules",
    "SeatView",
    "StaleVersion",
    "Suit",
    "Up",
    "YourTrumpsError",
    "deal",
    "format_json",
    "format_move",
    "format_position",
    "format_rules",
    "format_text",
    "format_turn",
    "next_seat",
    "pack",
    "parse_card",
    "parse_cards",
    "parse_move",
    "parse_position",
    "parse_record",
    "parse_rules",
    "parse_turn",
    "perft",
    "pick_up_count",
    "shown_after",
    "shown_cards",
    "sort_cards",
]
