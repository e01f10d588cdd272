"""Clocks in the server's milliseconds, and what it means that one runs out."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from ..core import Outcome, Position, Reason

_MOST_POSITIONS: Final = 1000


@dataclass
class Clocks:
    """What is left to each seat; at most one clock runs."""

    left: list[int]
    running: int | None = None
    since: int = 0

    def left_at(self, seat: int, now: int) -> int:
        """Return the milliseconds left to *seat* at *now*, at least 0."""
        used = now - self.since if seat == self.running else 0
        return max(0, self.left[seat] - max(0, used))

    def run(self, seat: int | None, now: int) -> None:
        """Stop the clock that runs, and let that of *seat* run from *now*."""
        if self.running is not None:
            self.left[self.running] = self.left_at(self.running, now)
        self.running, self.since = seat, now

    def is_out(self, now: int) -> bool:
        """Whether the clock that runs has run out."""
        return self.running is not None and self.left_at(self.running, now) == 0


@dataclass(order=True)
class _Waiting:
    """A position still to be looked at: those where the seat is furthest from getting out come first."""

    key: tuple[int, int]
    position: Position = field(compare=False)


def can_lose(position: Position, seat: int) -> bool:
    """Whether some sequence of legal moves, good or bad, ends with *seat* losing.

    Looks at up to 1,000 positions, those in which the other seats hold the fewest cards first. If no way is found by
    then there is taken to be one: what is claimed for sure is only that there is none.
    """
    order = count()

    def waiting(position: Position) -> _Waiting:
        others = sum(len(hand) for other, hand in enumerate(position.hands) if other != seat)
        return _Waiting((others - len(position.hands[seat]), next(order)), position)

    heap = [waiting(position)]
    seen = {position}
    for _ in range(_MOST_POSITIONS):
        if not heap:
            return False
        reached = heapq.heappop(heap).position
        if reached.outcome is not None:
            if seat in reached.outcome.losers:
                return True
            continue
        for move in reached.legal_moves():
            after = reached.after(move)
            if after not in seen:
                seen.add(after)
                heapq.heappush(heap, waiting(after))
    return True


def outcome_of_flag(position: Position, seat: int) -> Outcome:
    """Return how the game ends as the time of *seat* runs out: it loses, or nobody does if it cannot lose by play."""
    if can_lose(position, seat):
        return Outcome.lost_by(seat, len(position.hands), Reason.TIME)
    return Outcome.draw(Reason.TIME)
