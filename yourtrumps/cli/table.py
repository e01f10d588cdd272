"""A game at the terminal's table: the moves so far, and everything that follows from them."""

from __future__ import annotations

from ..core import (
    THREEFOLD,
    IllegalMove,
    Move,
    OptionError,
    Outcome,
    Position,
    Reason,
    Record,
    Repetitions,
    SeatView,
    shown_cards,
)


class Table:
    """The one thing that changes while a game is played in the terminal."""

    def __init__(self, start: Position, names: tuple[str, ...]) -> None:
        self.names = names
        self.start = start
        self._positions = [start]
        self._moves: list[Move] = []
        self._repetitions = Repetitions()
        self._repetitions.add(start)

    @property
    def position(self) -> Position:
        return self._positions[-1]

    @property
    def version(self) -> int:
        """How many moves were made."""
        return len(self._moves)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, threefold included."""
        if self.position.outcome is None and self._repetitions.count(self.position) >= THREEFOLD:
            return Outcome.draw(Reason.THREEFOLD)
        return self.position.outcome

    def view(self, seat: int) -> SeatView:
        """Return what *seat* may know now."""
        shown = shown_cards(self.start, self._moves)
        return self.position.view_for(seat, shown, self._repetitions.count(self.position), self.outcome)

    def play(self, move: Move) -> None:
        """Make *move*; raises :class:`IllegalMove` and changes nothing."""
        if self.outcome:
            raise IllegalMove("no move, the game is over", str(move))
        after = self.position.after(move)
        self._positions.append(after)
        self._moves.append(move)
        self._repetitions.add(after)

    def play_turn(self, turn: tuple[Move, ...]) -> None:
        """Make one or two moves of the seat to move, or raise and change nothing."""
        seat, position = self.position.seat, self.position
        for move in turn:
            if position.seat != seat or (position is not self.position and position.is_over):
                raise IllegalMove("one card, as the turn passes after it", "two")
            position = position.after(move)
        for move in turn:
            self.play(move)

    def undo(self, seat: int) -> None:
        """Take moves back to where *seat* last had to choose; raises :class:`OptionError` if there is no such place."""
        places = [number for number, before in enumerate(self._positions[:-1]) if before.seat == seat]
        if not places:
            raise OptionError("undo", "none", "a move of yours to take back")
        while self.version > places[-1]:
            self._repetitions.remove(self._positions.pop())
            self._moves.pop()

    def record(self) -> Record:
        """Return the record of the game so far."""
        return Record(self.start, tuple(self._moves), self.names, outcome=self.outcome)
