"""Game: the one reactive model of a table, which every view binds to."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import Any, Final

import param

from .core import (
    THREEFOLD,
    Cards,
    IllegalMove,
    Move,
    OptionError,
    Outcome,
    Phase,
    Position,
    Reason,
    Record,
    Rules,
    SeatView,
    Suit,
    deal,
    format_text,
    parse_move,
    parse_position,
    parse_record,
    parse_rules,
    shown_after,
)

HUMAN: Final = "human"
"""The seat of a person; every other word names a computer player."""

_SEATS: Final = (HUMAN, "level:3")


class Game(param.Parameterized):
    """A table with its seats, the game on it, and the match that it belongs to.

    ``position`` is what lies on the table: None until every seat has chosen its trump suit, then the position after
    ``cursor`` of the ``moves``. All that a move changes is announced in one event.
    """

    rules = param.ClassSelector(class_=Rules, default=Rules(), constant=True, doc="The rules of this game.")
    seats = param.ClassSelector(
        class_=tuple, default=_SEATS, constant=True, doc="`human` or a computer player's word, per seat."
    )
    trumps = param.ClassSelector(
        class_=tuple, default=(None, None), constant=True, doc="Each seat's trump suit, None if not yet."
    )
    leader = param.Integer(default=0, constant=True, doc="The seat that leads this game.")
    start = param.ClassSelector(class_=Position, default=None, allow_None=True, constant=True, doc="The deal.")
    position = param.ClassSelector(
        class_=Position, default=None, allow_None=True, constant=True, doc="On the table now."
    )
    moves = param.ClassSelector(
        class_=tuple, default=(), constant=True, doc="All moves of the game, also those taken back."
    )
    cursor = param.Integer(default=0, constant=True, doc="How many of the moves lie on the table.")
    outcome = param.ClassSelector(class_=Outcome, default=None, allow_None=True, constant=True, doc="How it ended.")
    score = param.ClassSelector(
        class_=tuple, default=(0.0, 0.0), constant=True, doc="Points of the match so far, per seat."
    )

    def __init__(self, **values: Any) -> None:
        self._random = random.Random()
        self._positions: list[Position] = []
        # For each position how often it had occurred by then, and what all had seen go into each hand.
        self._repeats: list[int] = []
        self._shown: list[tuple[Cards, ...]] = []
        self._times: list[float] = []
        self._since = time.monotonic()
        self._score_before: tuple[float, ...] = ()
        self._ended: Outcome | None = None
        super().__init__(**values)

    @classmethod
    def new(
        cls,
        rules: Rules | str = "duel",
        *,
        trumps: str | Sequence[Suit] | None = None,
        seats: Sequence[str] | None = None,
        seed: int | None = None,
        leader: int | None = None,
        **options: Any,
    ) -> Game:
        """Return a new match of *rules* (a preset's name, with *options* on top).

        Without *trumps* (``"SH"``: seat 0 spades, seat 1 hearts) each seat has yet to choose. Without *leader* the lead
        is drawn by lot; *seed* makes lot and deal repeatable. *seats* defaults to a person against the computer.
        """
        if isinstance(rules, str):
            parsed = parse_rules(rules)
            rules = Rules.of(parsed.preset, **_options(parsed) | options)
        elif options:
            raise OptionError("rules", next(iter(options)), "a preset's name where options are given")
        if seats is None:
            seats = (HUMAN, *["level:3"] * (rules.players - 1))
        game = cls()
        game._random = random.Random(seed)
        first = game._random.randrange(rules.players) if leader is None else leader
        game._seat(rules, tuple(seats), first, (0.0,) * rules.players)
        if trumps is not None:
            game.choose_trumps(_read_trumps(trumps, rules))
        return game

    @classmethod
    def from_position(cls, position: Position | str, seats: Sequence[str] | None = None) -> Game:
        """Return a game that goes on from *position* (or its code); by default a person has the move."""
        if isinstance(position, str):
            position = parse_position(position)
        rules = position.rules
        if seats is None:
            seats = [HUMAN if seat == position.seat else "level:3" for seat in range(rules.players)]
        game = cls()
        game._seat(rules, tuple(seats), position.seat, (0.0,) * rules.players)
        game._begin(position, position.trumps)
        return game

    # The seats and the deal

    def _seat(self, rules: Rules, seats: tuple[str, ...], leader: int, score: tuple[float, ...]) -> None:
        _check_seats(rules, seats)
        if not 0 <= leader < rules.players:
            raise OptionError("leader", leader, f"a seat from 0 to {rules.players - 1}")
        self._score_before = score
        self._ended = None
        self._keep_line(None, ())
        self._times = []
        self._update(
            rules=rules,
            seats=seats,
            trumps=(None,) * rules.players,
            leader=leader,
            start=None,
            position=None,
            moves=(),
            cursor=0,
            outcome=None,
            score=score,
        )

    def choose_trump(self, seat: int, suit: Suit) -> None:
        """Let *seat* choose *suit*; computer players choose among the rest, and the last choice deals."""
        if self.position is not None:
            raise OptionError("trump", suit.letter, "no choice of trumps once the cards are dealt")
        if not 0 <= seat < len(self.trumps) or self.trumps[seat] is not None:
            raise OptionError("seat", seat, "a seat that has yet to choose")
        if suit in self.trumps:
            raise OptionError("trump", suit.letter, "a suit that no other seat has chosen")
        trumps = list(self.trumps)
        trumps[seat] = suit
        for other, spec in enumerate(self.seats):
            if trumps[other] is None and spec != HUMAN:
                trumps[other] = self._random.choice([free for free in Suit if free not in trumps])
        if None in trumps:
            self._update(trumps=tuple(trumps))
        else:
            self.choose_trumps(tuple(trumps))

    def choose_trumps(self, trumps: Sequence[Suit]) -> None:
        """Set every seat's trump suit at once and deal."""
        if self.position is not None:
            raise OptionError("trumps", "".join(suit.letter for suit in trumps), "no choice once the cards are dealt")
        self._begin(deal(self.rules, tuple(trumps), self.leader, self._random), tuple(trumps))

    def _begin(self, start: Position, trumps: tuple[Suit, ...]) -> None:
        self._keep_line(start, ())
        self._times = []
        self._since = time.monotonic()
        self._end(start.outcome, trumps=trumps, start=start, position=start, moves=(), cursor=0)

    def new_deal(self) -> None:
        """Start the next game of the match: the loser deals, so the winner leads; after a draw the lead alternates."""
        players = self.rules.players
        leader = (self.leader + 1) % players
        if self._ended and not self._ended.is_draw:
            # The dealer sits right of the leader.
            leader = (self._ended.losers[0] + 1) % players
        self._seat(self.rules, self.seats, leader, self.score)

    def restart(self, rules: Rules, seats: Sequence[str]) -> None:
        """Begin a fresh match of *rules* on this table: score to nought, the lead by lot, trumps to be chosen."""
        self._seat(rules, tuple(seats), self._random.randrange(rules.players), (0.0,) * rules.players)

    # Moves

    @property
    def has_ended(self) -> bool:
        """Whether the game on the table has a result, also while an earlier move is looked at."""
        return self._ended is not None

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """What may be played on the table now; nothing when the game is over or not dealt."""
        return () if self.position is None or self.outcome else self.position.legal_moves()

    @property
    def is_live(self) -> bool:
        """Whether the table shows the last move and the game goes on, so that a computer player may be asked."""
        return self.position is not None and self.outcome is None and self.cursor == len(self.moves)

    @property
    def repeats(self) -> int:
        """How often the position on the table has occurred."""
        return self._repeats[self.cursor] if self._repeats else 1

    def play(self, move: Move | str) -> None:
        """Play *move* (or its code); raises :class:`IllegalMove` and changes nothing if the rules forbid it.

        Moves that had been taken back are given up.
        """
        if isinstance(move, str):
            move = parse_move(move)
        if self.position is None:
            raise IllegalMove("a choice of trump suits first", str(move))
        if self.outcome or (self._ended and self.cursor < len(self.moves)):
            raise IllegalMove("no move, the game is over", str(move))
        position = self.position.after(move)
        now = time.monotonic()
        self._times = [*self._times[: self.cursor], round(now - self._since, 3)]
        self._since = now
        for kept in (self._positions, self._repeats, self._shown):
            del kept[self.cursor + 1 :]
        self._keep_next(position, move)
        moves = (*self.moves[: self.cursor], move)
        self._end(self._end_by_rule(), position=position, moves=moves, cursor=len(moves))

    def _end_by_rule(self) -> Outcome | None:
        """Return how the line's last position ends the game by itself, without anybody's resigning or agreeing."""
        threefold = self._repeats[-1] >= THREEFOLD
        return self._positions[-1].outcome or (Outcome.draw(Reason.THREEFOLD) if threefold else None)

    def _keep_line(self, start: Position | None, moves: tuple[Move, ...]) -> None:
        """Keep the positions of a whole line anew; the moves are known to be legal."""
        self._positions = [start] if start else []
        self._repeats = [1] if start else []
        self._shown = [tuple(() for _ in start.hands)] if start else []
        for move in moves:
            self._keep_next(self._positions[-1].after(move), move)

    def _keep_next(self, position: Position, move: Move) -> None:
        self._shown.append(shown_after(self._shown[-1], self._positions[-1], move))
        self._positions.append(position)
        self._repeats.append(1 if position.phase is Phase.ADD else self._positions.count(position))

    def resign(self, seat: int) -> None:
        """End the game: *seat* gives up."""
        if not self.is_live:
            raise IllegalMove("a game that goes on", "resign")
        self._end(Outcome.lost_by(seat, self.rules.players, Reason.RESIGNED))

    def agree_draw(self) -> None:
        """End the game as a draw by agreement."""
        if not self.is_live:
            raise IllegalMove("a game that goes on", "draw")
        self._end(Outcome.draw(Reason.AGREED))

    def _end(self, outcome: Outcome | None, **changes: Any) -> None:
        self._ended = outcome
        self._update(outcome=outcome, score=self._points(outcome), **changes)

    def _points(self, outcome: Outcome | None) -> tuple[float, ...]:
        if outcome is None:
            return self._score_before
        gained = [0.5 if outcome.is_draw else float(seat in outcome.winners) for seat in range(self.rules.players)]
        return tuple(before + points for before, points in zip(self._score_before, gained, strict=True))

    def goto(self, cursor: int) -> None:
        """Show the table after *cursor* of the moves; raises :class:`OptionError` outside the game."""
        if self.position is None or not 0 <= cursor <= len(self.moves):
            raise OptionError("cursor", cursor, f"a number from 0 to {len(self.moves)}")
        position = self._positions[cursor]
        if cursor == len(self.moves):
            # A last move that was taken back and is played again ends the game again.
            self._end(self._ended or self._end_by_rule(), cursor=cursor, position=position)
        else:
            self._update(cursor=cursor, position=position, outcome=None)

    def undo(self, seat: int | None = None) -> None:
        """Take back one move, or all back to the last decision of *seat*; :meth:`redo` brings them back.

        An ended game is opened again: its result no longer counts.
        """
        target = self.cursor - 1
        if self.has_ended and self.cursor < len(self.moves):
            raise IllegalMove("the last move of an ended game", "undo")
        while seat is not None and target >= 0 and self._positions[target].seat != seat:
            target -= 1
        if target < 0:
            raise IllegalMove("a move to take back", "undo")
        self._end(None, cursor=target, position=self._positions[target])

    def can_undo(self, seat: int | None = None) -> bool:
        """Whether there is a move (a decision of *seat*) to take back."""
        return any(seat is None or position.seat == seat for position in self._positions[: self.cursor])

    def redo(self) -> None:
        """Bring back one move that was taken back."""
        if self.cursor >= len(self.moves):
            raise IllegalMove("a move that was taken back", "redo")
        self.goto(self.cursor + 1)

    # Seeing and keeping

    def view_for(self, seat: int | None) -> SeatView:
        """Return all that *seat* may know of the table; raises :class:`OptionError` before the deal."""
        if self.position is None or self.start is None:
            raise OptionError("position", "none", "a game that has been dealt")
        return self.position.view_for(seat, self._shown[self.cursor], self.repeats, self.outcome)

    def position_after(self, cursor: int) -> Position:
        """Return the position after *cursor* of the moves, whatever is on the table now."""
        return self._positions[cursor]

    def save(self, names: Sequence[str] | None = None) -> Record:
        """Return the whole game as a record that :meth:`load` takes back."""
        if self.start is None:
            raise OptionError("position", "none", "a game that has been dealt")
        return Record(
            start=self.start,
            moves=self.moves,
            names=tuple(names or self.seats),
            times=tuple(self._times) if len(self._times) == len(self.moves) else (),
            outcome=self._ended,
            tags={
                "Seats": " ".join(self.seats),
                "Leader": str(self.leader),
                "Score": " ".join(f"{points:g}" for points in self._score_before),
            },
        )

    def load(self, record: Record | str) -> None:
        """Put a saved game on the table; raises :class:`RecordError` and changes nothing if it cannot be read."""
        record = parse_record(record) if isinstance(record, str) else record.check()
        players = record.start.rules.players
        seats = tuple(record.tags.get("Seats", "").split())
        if len(seats) != players:
            seats = self.seats if len(self.seats) == players else (HUMAN, *["level:3"] * (players - 1))
        score = _read_score(record.tags.get("Score", ""), players)
        self._keep_line(record.start, record.moves)
        self._times = list(record.times)
        self._since = time.monotonic()
        self._score_before, self._ended = score, record.outcome
        self._update(
            rules=record.start.rules,
            seats=seats,
            trumps=record.start.trumps,
            leader=record.start.seat,
            start=record.start,
            position=self._positions[-1],
            moves=record.moves,
            cursor=len(record.moves),
            outcome=record.outcome,
            score=self._points(record.outcome),
        )

    def seat_players(self, seats: Sequence[str]) -> None:
        """Change who sits where, such as the computer's level, in the middle of a game."""
        _check_seats(self.rules, seats)
        self._update(seats=tuple(seats))

    def _update(self, **changes: Any) -> None:
        with param.edit_constant(self):
            self.param.update(**changes)

    def __repr__(self) -> str:
        state = "choosing trumps" if self.position is None else f"{self.cursor} of {len(self.moves)} moves"
        return f"<Game {self.rules.preset}, {state}>"


def dump(game: Game) -> str:
    """Return the text of a game's record."""
    return format_text(game.save())


def load(text: str) -> Game:
    """Return the game of a record's text, in either format; raises :class:`RecordError`."""
    game = Game()
    game.load(text)
    return game


def _check_seats(rules: Rules, seats: Sequence[str]) -> None:
    if len(seats) != rules.players:
        raise OptionError("seats", ",".join(seats), f"{rules.players} seats")


def _options(rules: Rules) -> dict[str, Any]:
    names = ("players", "deal", "may_decline", "pick_up", "after_pick_up", "hands", "cards_each")
    return {name: getattr(rules, name) for name in names}


def _read_trumps(trumps: str | Sequence[Suit], rules: Rules) -> tuple[Suit, ...]:
    if isinstance(trumps, str):
        by_letter = {suit.letter: suit for suit in Suit}
        if any(letter not in by_letter for letter in trumps):
            raise OptionError("trumps", trumps, f"{rules.players} different suits of C, D, H, S")
        return tuple(by_letter[letter] for letter in trumps)
    return tuple(trumps)


def _read_score(text: str, players: int) -> tuple[float, ...]:
    try:
        score = tuple(float(word) for word in text.split())
    except ValueError:
        score = ()
    return score if len(score) == players and all(0 <= points < 1e6 for points in score) else (0.0,) * players
