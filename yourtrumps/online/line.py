"""The line of a game: every position so far, and what goes with it, so that moves can be taken back exactly."""

from __future__ import annotations

from ..core import THREEFOLD, Cards, Move, Outcome, Position, Reason, Repetitions, shown_after


class Line:
    """The positions from the deal to now. ``times`` are the seconds that each move took."""

    def __init__(self, start: Position) -> None:
        self.positions = [start]
        self.moves: list[Move] = []
        self.times: list[float] = []
        self.repeats = [1]
        self.shown: list[tuple[Cards, ...]] = [tuple(() for _ in start.hands)]
        self._repetitions = Repetitions()
        self._repetitions.add(start)

    @property
    def position(self) -> Position:
        """What lies on the table."""
        return self.positions[-1]

    def outcome_after(self, move: Move) -> Outcome | None:
        """Return how *move* would end the game by rule; raises :class:`IllegalMove` and changes nothing."""
        position = self.position.after(move)
        again = self._repetitions.add(position)
        self._repetitions.remove(position)
        return position.outcome or (Outcome.draw(Reason.THREEFOLD) if again >= THREEFOLD else None)

    def play(self, move: Move, seconds: float) -> None:
        """Add *move*, which is known to be legal."""
        position = self.position.after(move)
        self.shown.append(shown_after(self.shown[-1], self.position, move))
        self.repeats.append(self._repetitions.add(position))
        self.positions.append(position)
        self.moves.append(move)
        self.times.append(seconds)

    def last_decision(self, seat: int) -> int | None:
        """Return how many moves stood when *seat* last moved, or None if it has not moved."""
        return next((at for at in range(len(self.moves) - 1, -1, -1) if self.positions[at].seat == seat), None)

    def take_back(self, moves: int) -> None:
        """Let only the first *moves* moves stand."""
        for position in self.positions[moves + 1 :]:
            self._repetitions.remove(position)
        for kept in (self.positions, self.repeats, self.shown):
            del kept[moves + 1 :]
        del self.moves[moves:]
        del self.times[moves:]
