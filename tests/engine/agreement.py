"""Kernel and core side by side: the same moves, hashes and ends, along random play."""

from __future__ import annotations

import random

from tests.core.playing import dealt
from yourtrumps.core import THREEFOLD, Position, Repetitions, Rules
from yourtrumps.engine import kernel
from yourtrumps.engine.kernel import (
    HASH,
    State,
    end_value,
    is_over,
    legal_mask,
    load,
    make,
    moves_of,
    number_of,
    unmake,
)


class Agreement:
    """Walks of random moves through kernel and core at once; what differs is an AssertionError.

    Attributes
    ----------
    nodes
        Positions compared so far.
    """

    def __init__(self) -> None:
        self.nodes = 0
        self._by_hash: dict[int, tuple[object, ...]] = {}

    def walk(self, rules: Rules, seed: int, most: int = 500) -> None:
        """Play a game of random moves, at most *most* of them, and compare every position and each one beside it."""
        chance = random.Random(seed)
        position = dealt(rules, seed)
        state = load(position)
        self._by_hash.clear()
        repetitions = Repetitions()
        for _ in range(most):
            self.compare(state, position)
            if position.is_over or repetitions.add(position) >= THREEFOLD:
                return
            legal = position.legal_moves()
            for move in legal:
                before = state.tolist()
                undo = make(state, number_of(move))
                self.compare(state, position.after(move))
                unmake(state, number_of(move), undo)
                assert state.tolist()[: kernel.PILE] == before[: kernel.PILE]
                assert state.tolist()[kernel.PILE :][: len(position.pile)] == [int(card) for card in position.pile]
            move = chance.choice(legal)
            make(state, number_of(move))
            position = position.after(move)

    def compare(self, state: State, position: Position) -> None:
        """Compare one position."""
        self.nodes += 1
        assert tuple(moves_of(int(legal_mask(state)))) == position.legal_moves()
        assert bool(is_over(state)) == position.is_over
        outcome = position.outcome
        if outcome is not None:
            assert int(end_value(state)) == (0 if outcome.is_draw else -1)
            assert outcome.is_draw or position.seat not in outcome.winners
        fresh = load(position)
        assert int(state[HASH]) == int(fresh[HASH])
        assert state[: kernel.HASH].tolist() == fresh[: kernel.HASH].tolist()
        what = (position.hands, position.pile, position.seat, position.phase)
        assert self._by_hash.setdefault(int(fresh[HASH]), what) == what
