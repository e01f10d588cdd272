"""Values proved by two searches in turn: each proves much that the other does not.

Proof-number search (:mod:`.proof`) follows narrow lines to their far end, but what it remembers of a position may rest
on repetitions on the way to it, and so be no answer here. Alpha-beta (:mod:`.search`) sees less far, and its wins and
losses hold on every path. Both keep what they found, so they take turns, each time for twice as long.
"""

from __future__ import annotations

from typing import Final

from ..core import Move, Position
from .kernel import State, load
from .proof import Answer, Budget, ProofSearch
from .search import Memory, Search

_FIRST_NODES: Final = 20_000
_ALPHA_BETA_SHARE: Final = 4
"""Alpha-beta enters so many positions in the time of one of the other."""
_FRESH_MEGABYTES: Final = 16.0
_LINE_NODES: Final = 1_000_000
_MANY: Final = 1 << 60


class Prover:
    """Proves what one position is worth, and which moves keep that.

    Parameters
    ----------
    memory_mb
        For both searches together.
    """

    def __init__(self, position: Position, memory_mb: float = 256) -> None:
        self.position = position
        self._proofs = ProofSearch(position, memory_mb * 3 / 4)
        self._memory = Memory(memory_mb / 4)
        self._others = 0

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return self._proofs.nodes + self._others

    def value(self, budget: Budget) -> int | None:
        """Return 1, 0 or -1 once it is proved what the position is worth to the seat to move, else None."""
        nodes = _FIRST_NODES
        while not budget.is_spent:
            value = self._by_alpha_beta(self.position, nodes, budget)
            if value is None:
                value = prove_value(self._proofs, budget.part(nodes))
            if value is not None:
                return value
            nodes *= 2
        return None

    def keeps(self, move: Move, value: int, budget: Budget) -> bool | None:
        """Return whether *move* keeps a win (*value* 1) or a draw (0); None if that could not be found out."""
        after = self.position.after(move)
        seat = self.position.seat
        if after.is_over:
            outcome = after.outcome
            return outcome is not None and (seat in outcome.winners or (value == 0 and outcome.is_draw))
        state = load(after)
        proofs = self._proofs
        nodes = _FIRST_NODES
        while not budget.is_spent:
            kept = _keeps(proofs, state, seat, value, budget.part(nodes))
            if kept is not None:
                return kept
            proved = self._by_alpha_beta(after, nodes, budget)
            if proved is not None:
                return (proved if after.seat == seat else -proved) >= value
            if proofs is self._proofs:
                proofs = ProofSearch(after, _FRESH_MEGABYTES)
            nodes *= 2
        return None

    def line(self, winner: int) -> tuple[Move, ...]:
        """Return moves to the end of a won game, the winner's proved to win; shorter where a part was forgotten."""
        line = self._proofs.line(winner)
        position = self.position
        for move in line:
            position = position.after(move)
        if position.is_over:
            return line
        return max(line, self._line_by_alpha_beta(winner), key=len)

    def _line_by_alpha_beta(self, winner: int) -> tuple[Move, ...]:
        line: list[Move] = []
        position = self.position
        seen: set[Position] = set()
        # What is remembered of a win may be a longer way to it; a search that knows nothing yet comes nearer.
        fresh = Memory(_FRESH_MEGABYTES)
        while not position.is_over and position not in seen:
            seen.add(position)
            wanted = 1 if position.seat == winner else -1
            fresh.clear()
            for memory in (fresh, self._memory):
                best = Search(position, memory).run(nodes=_LINE_NODES).best
                if best.proved == wanted:
                    break
            else:
                break
            for move in best.turn:
                line.append(move)
                position = position.after(move)
        return tuple(line)

    def _by_alpha_beta(self, position: Position, nodes: int, budget: Budget) -> int | None:
        # At most half of what is left: the other search has a turn too.
        most = min(_ALPHA_BETA_SHARE * nodes, max(1, budget.chunk(_MANY) // 2))
        found = Search(position, self._memory).run(budget.seconds_left, most, stop=lambda: budget.is_spent)
        self._others += found.nodes
        budget.use(found.nodes)
        return found.best.proved


def prove_value(search: ProofSearch, budget: Budget) -> int | None:
    """Return 1, 0 or -1 once proof-number search has proved its position's worth to the seat to move, else None."""
    seat = search.position.seat
    first = search.likely_winner
    for side in (first, 1 - first):
        answer = search.wins(side, budget)
        if answer is Answer.OPEN:
            return None
        if answer is not Answer.NOT_HERE:
            return 1 if (answer is Answer.YES) == (side == seat) else -1
    return 0 if search.holds(0, budget) and search.holds(1, budget) else None


def _keeps(search: ProofSearch, after: State, seat: int, value: int, budget: Budget) -> bool | None:
    """Return whether *seat* still wins, or with a *value* of nought does not lose; None if the search does not know."""
    if value > 0:
        answer = search.wins(seat, budget, after)
        if answer in (Answer.YES, Answer.NEVER):
            return answer is Answer.YES
        return False if answer is Answer.NOT_HERE and search.holds(1 - seat, budget, after) else None
    answer = search.wins(1 - seat, budget, after)
    if answer in (Answer.YES, Answer.NEVER):
        return answer is not Answer.YES
    return True if answer is Answer.NOT_HERE and search.holds(seat, budget, after) else None
