"""Positions and games for the tests of the core: everything follows from a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hypothesis import strategies as st

from yourtrumps.core import THREEFOLD, Move, Outcome, Position, Reason, Record, Repetitions, Rules, Suit, deal

SMALL_PACKS = "TJQK"

RULES = st.one_of(
    st.builds(Rules.of, st.sampled_from(["duel", "russian", "cambridge"]), low=st.sampled_from("23456789TJQK")),
    st.builds(
        lambda low, players: Rules.of("party", low=low, players=players),
        st.sampled_from("23456789TJQK"),
        st.integers(2, 4),
    ),
    st.builds(
        lambda low, players, each: Rules.of("duel", low=low, players=players, cards_each=each),
        st.sampled_from("23456789T"),
        st.integers(2, 4),
        st.integers(1, 5),
    ),
    st.builds(
        lambda low, decline, pick_up, after: Rules.of(
            "duel", low=low, may_decline=decline, pick_up=pick_up, after_pick_up=after, hands="open"
        ),
        st.sampled_from("6789T"),
        st.booleans(),
        st.sampled_from(["3-5-all", "all"]),
        st.sampled_from(["next", "taker"]),
    ),
)
"""Every preset, number of seats and pack, and options mixed."""

SEEDS = st.integers(0, 2**32 - 1)


def dealt(rules: Rules, seed: int) -> Position:
    chance = random.Random(seed)
    trumps = tuple(chance.sample(list(Suit), rules.players))
    return deal(rules, trumps, chance.randrange(rules.players), chance)


def steps(start: Position, seed: int, most: int = 200) -> Iterator[tuple[Position, Move, Position]]:
    """Yield at most *most* random steps from *start*: position, move, position after it; stops at the end of play."""
    chance = random.Random(seed)
    position = start
    repetitions = Repetitions()
    count = repetitions.add(position)
    for _ in range(most):
        if position.is_over or count >= THREEFOLD:
            return
        move = chance.choice(position.legal_moves())
        after = position.after(move)
        yield position, move, after
        position = after
        count = repetitions.add(position)


def random_record(rules: Rules, seed: int, most: int = 200, **fields: object) -> Record:
    """Return the record of a random game that is broken off after *most* moves."""
    start = dealt(rules, seed)
    played = list(steps(start, seed, most))
    record = Record(start, tuple(move for _, move, _ in played), **fields)
    return record.check()


def random_game(rules: Rules, seed: int) -> tuple[Outcome, int]:
    """Play random moves to the end of the game; return how it ended and after how many moves."""
    position = dealt(rules, seed)
    number = 0
    for number, (_, _, after) in enumerate(steps(position, seed, 1_000_000), 1):
        position = after
    return position.outcome or Outcome.draw(Reason.THREEFOLD), number
