"""Proofs for packs too large to list: one seat wins, or neither can; resumable, in bounded memory.

One question at a time goes to :mod:`.dfpn`: can this seat force a win? Its "yes" is true on every path, and so is a
"no" that rests on wins of the other seat alone. A "no" that rests on draws or repetitions may hold on the searched path
only, so it is not believed: a draw is claimed once for either seat a set of positions has been found that the other
seat can keep play in for ever, with no win in it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from ..core import Move, OptionError, Position
from . import dfpn, room
from .dfpn import ENTRY_BYTES, NODES, STOP
from .kernel import HASH, SEAT, State, end_value, is_over, legal_mask, load, make, move_of, unmake
from .prior import guess, prior_for

Stop = Callable[[], bool]

_GOALS: Final = (0, 0x5DEECE66D1234567)
"""What sets the entries of the two questions apart in the shared memory."""
_CHUNK: Final = 10_000
"""Positions between two looks at the clock."""
_LEAST_ENTRIES: Final = 1 << 10
_MOST_HELD: Final = 300_000
_RETRY_NODES: Final = 200_000


class Answer(StrEnum):
    """What is known about the question whether a seat can force a win."""

    YES = "yes"
    NEVER = "never"
    """The other seat wins."""
    NOT_HERE = "not here"
    """Not on the searched path: to be checked."""
    OPEN = "open"


@dataclass
class Budget:
    """What a search may still use; ``None`` is no limit."""

    seconds: float | None = None
    nodes: int | None = None
    stop: Stop | None = None
    parent: Budget | None = None
    """What this is a part of."""

    def __post_init__(self) -> None:
        if self.seconds is not None and not self.seconds > 0:
            raise OptionError("seconds", self.seconds, "more than nought")
        if self.nodes is not None and not self.nodes > 0:
            raise OptionError("nodes", self.nodes, "more than nought")
        self._started = time.perf_counter()
        self._used = 0

    @property
    def spent(self) -> float:
        """Seconds since it was made."""
        return time.perf_counter() - self._started

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left, or somebody asked to stop."""
        if self.seconds is not None and self.spent >= self.seconds:
            return True
        if self.nodes is not None and self._used >= self.nodes:
            return True
        if self.parent is not None and self.parent.is_spent:
            return True
        return self.stop is not None and self.stop()

    @property
    def seconds_left(self) -> float | None:
        """Seconds until time is up, a moment at least; None without a limit."""
        return None if self.seconds is None else max(self.seconds - self.spent, 1e-3)

    def part(self, nodes: int) -> Budget:
        """Return at most so many positions of this budget; what is used of them is used of this."""
        return Budget(None, self.chunk(nodes), parent=self)

    def use(self, nodes: int) -> None:
        """Note that so many positions have been searched."""
        self._used += nodes
        if self.parent is not None:
            self.parent.use(nodes)

    def chunk(self, most: int) -> int:
        """Return how many positions to search before looking up again."""
        return most if self.nodes is None else max(1, min(most, self.nodes - self._used))


class ProofSearch:
    """A search for proofs from one position and those after it. Keeps what it found: ask again to go on.

    Parameters
    ----------
    position
        With two seats.
    memory_mb
        Size of the transposition table, rounded down to a power of two; less where the machine has less to give.
    """

    def __init__(self, position: Position, memory_mb: float = 256) -> None:
        self.position = position
        self._state = load(position)
        self._prior = prior_for(position)
        self._memory = room.new_table(dfpn.new_memory, memory_mb, ENTRY_BYTES, _LEAST_ENTRIES)
        self._stack = dfpn.new_stack()
        self._counters = np.zeros(2, np.int64)
        self._result = np.zeros(3, np.int64)

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return int(self._counters[NODES])

    @property
    def likely_winner(self) -> int:
        """The seat that seems to stand better."""
        seat = int(self._state[SEAT])
        return seat if guess(self._state, self._prior) > 0 else 1 - seat

    def stop(self) -> None:
        """Make a running search return at once; from any thread."""
        self._counters[STOP] = 1

    def wins(self, seat: int, budget: Budget, state: State | None = None) -> Answer:
        """Search for a forced win of *seat* in *state* (else the position the search was made for)."""
        state = self._state if state is None else state
        self._counters[STOP] = 0
        while not budget.is_spent and not self._counters[STOP]:
            before = self.nodes
            chunk = budget.chunk(_CHUNK)
            dfpn.search(
                state,
                seat,
                _GOALS[seat],
                self._memory,
                self._stack,
                self._counters,
                chunk,
                self._prior,
                self._result,
            )
            budget.use(self.nodes - before)
            proof, disproof, distance = self._result.tolist()
            if proof == 0:
                return Answer.YES
            if disproof == 0:
                return Answer.NEVER if distance else Answer.NOT_HERE
        return Answer.OPEN

    def holds(self, seat: int, budget: Budget, state: State | None = None) -> bool:
        """Return whether *seat* is shown not to lose in *state*: it can keep play inside a set without losses.

        False says only that no such set was found.
        """
        state = (self._state if state is None else state).copy()
        attacker = 1 - seat
        seen: set[int] = set()
        waiting = [state]
        while waiting:
            here = waiting.pop()
            if int(here[HASH]) in seen:
                continue
            if len(seen) >= _MOST_HELD or budget.is_spent:
                return False
            seen.add(int(here[HASH]))
            after = self._held_moves(here, attacker, seen, budget)
            if after is None:
                return False
            waiting += after
        return True

    def _held_moves(self, state: State, attacker: int, seen: set[int], budget: Budget) -> list[State] | None:
        """Return the positions that must be held after *state*; None if it cannot be shown to hold."""
        children, verdicts = self._verdicts(state, attacker)
        if int(state[SEAT]) == attacker:
            for at, child in enumerate(children):
                if verdicts[at] is Answer.OPEN:
                    verdicts[at] = self._retry(child, attacker, budget)
            if Answer.YES in verdicts or Answer.OPEN in verdicts:
                return None
            return [child for child, verdict in zip(children, verdicts, strict=True) if verdict is Answer.NOT_HERE]
        if Answer.NEVER in verdicts:
            return []
        known = [child for child, verdict in zip(children, verdicts, strict=True) if verdict is Answer.NOT_HERE]
        for child in known:
            if int(child[HASH]) in seen:
                return []
        if known:
            return known[:1]
        for child, verdict in zip(children, verdicts, strict=True):
            if verdict is Answer.OPEN:
                again = self._retry(child, attacker, budget)
                if again is not Answer.OPEN and again is not Answer.YES:
                    return [child] if again is Answer.NOT_HERE else []
        return None

    def _retry(self, state: State, attacker: int, budget: Budget) -> Answer:
        left = None if budget.seconds is None else max(budget.seconds - budget.spent, 1e-3)
        return self.wins(attacker, Budget(left, _RETRY_NODES, budget.stop), state)

    def _verdicts(self, state: State, attacker: int) -> tuple[list[State], list[Answer]]:
        """Return all positions after *state* in which play goes on, and what is known of them."""
        children: list[State] = []
        verdicts: list[Answer] = []
        moves = int(legal_mask(state))
        while moves:
            move = (moves & -moves).bit_length() - 1
            moves &= moves - 1
            child = state.copy()
            make(child, move)
            children.append(child)
            verdicts.append(self._verdict(child, attacker))
        return children, verdicts

    def _verdict(self, state: State, attacker: int) -> Answer:
        if is_over(state):
            # A draw is as good for the seat that holds as a win: there is nothing further to hold.
            return Answer.YES if end_value(state) < 0 and int(state[SEAT]) != attacker else Answer.NEVER
        row = dfpn.find(self._memory, int(state[HASH]) ^ _GOALS[attacker])
        if row < 0:
            return Answer.OPEN
        numbers, distance = int(self._memory[row, 1]), int(self._memory[row, 2]) >> 32
        if numbers & 0xFFFFFFFF == 0:
            return Answer.YES
        if numbers >> 32 == 0:
            return Answer.NEVER if distance else Answer.NOT_HERE
        return Answer.OPEN

    def line(self, winner: int) -> tuple[Move, ...]:
        """Return moves to the end from the position, the winner's from the proof and the other's the longest there."""
        state = self._state.copy()
        moves: list[Move] = []
        seen: set[int] = set()
        while not is_over(state):
            best = self._step(state, winner)
            # Entries that were driven out and found again elsewhere may lead round in a circle.
            if best is None or int(state[HASH]) in seen:
                break
            seen.add(int(state[HASH]))
            make(state, best)
            moves.append(move_of(best))
        return tuple(moves)

    def _step(self, state: State, winner: int) -> int | None:
        best, found = None, 0
        mine = int(state[SEAT]) == winner
        moves = int(legal_mask(state))
        while moves:
            move = (moves & -moves).bit_length() - 1
            moves &= moves - 1
            undo = make(state, move)
            far = self._distance(state, winner)
            unmake(state, move, undo)
            if far and (best is None or (far < found if mine else far > found)):
                best, found = move, far
        return best

    def _distance(self, state: State, winner: int) -> int:
        """Moves to the end plus one along a proof that *winner* wins; 0 if there is none."""
        if is_over(state):
            return int(end_value(state) < 0 and int(state[SEAT]) != winner)
        for seat in range(2):
            row = dfpn.find(self._memory, int(state[HASH]) ^ _GOALS[seat])
            if row >= 0:
                numbers, distance = int(self._memory[row, 1]), int(self._memory[row, 2]) >> 32
                # A distance is kept with answers only: yes if the proof number is nought, else no.
                if distance and (numbers & 0xFFFFFFFF == 0) == (seat == winner):
                    return distance
        return 0
