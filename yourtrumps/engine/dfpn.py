"""Depth-first proof-number search for one question: whether the attacking seat can force a win.

Proof and disproof numbers are always those of that question, whoever moves. A repetition on the path counts as "not
won" there, which is true for that path only; so a proof (number nought) is always true, while a disproof kept in the
table may owe itself to the path it was found on. Whoever needs a disproof must check it: see :mod:`.proof`.

Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002; the looser thresholds are those of
Pawlewicz and Lew, "Improving depth-first PN-search: 1 + epsilon trick", 2006.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .jit import borrowed, jit, lowest, popcount, prefetch
from .kernel import (
    ADD,
    ADD_KEY,
    BEAT,
    BEATS,
    HAND,
    HAND_KEYS,
    HASH,
    PHASE,
    PILE_KEYS,
    SEAT,
    SEAT_KEY,
    SIZE,
    TRUMP,
    UP,
    State,
    legal_mask,
    make,
    unmake,
)
from .prior import Prior, guess, hand_worth, start_numbers

Ints = NDArray[np.int64]

INFINITE: Final = 1 << 28

MOST_PLIES: Final = 600
_MOST_MOVES: Final = 53
_WAYS: Final = 4
_PATH_SLOTS: Final = 1 << 12

NODES: Final = 0
STOP: Final = 1
"""Places in the counters: positions entered, and a flag that anyone may set."""


Memory = Ints
"""The transposition table: what is known about each position, a row an entry, rows in buckets.

A row is a key; proof number and disproof number << 32; work and distance << 32; room to fill half a cache line. Work is
how many positions have been entered for an entry, the least gives way; distance is in moves, see :func:`_distance`.
"""


class Stack(NamedTuple):
    """The path of a search and what is known of the moves along it."""

    moves: Ints
    proofs: Ints
    disproofs: Ints
    distance: Ints
    below: Ints
    """The keys of the positions that the moves lead to; nought where the table is not asked."""
    facts: Ints
    """For each ply: key, number of moves, the two thresholds, move chosen, undo, nodes at entry."""
    seen: NDArray[np.int16]
    """How many positions of the path fall into each slot by their key."""


_KEY, _COUNT, _MOST_PROOF, _MOST_DISPROOF, _CHOSEN, _UNDO, _ENTERED = range(7)

ENTRY_BYTES: Final = 32
_LOW: Final = 0xFFFFFFFF


def new_memory(entries: int) -> Memory:
    """Return an empty table of *entries*, a power of two."""
    words = ENTRY_BYTES // 8
    memory = np.zeros(entries * words + 2 * words, np.int64)
    # A bucket begins with a cache line.
    start = -memory.ctypes.data // 8 % (2 * words)
    return memory[start : start + entries * words].reshape(entries, words)


def new_stack() -> Stack:
    """Return room for one search."""
    shape = (MOST_PLIES + 1, _MOST_MOVES)
    return Stack(
        np.zeros(shape, np.int64),
        np.zeros(shape, np.int64),
        np.zeros(shape, np.int64),
        np.zeros(shape, np.int64),
        np.zeros(shape, np.int64),
        np.zeros((MOST_PLIES + 1, 7), np.int64),
        np.zeros(_PATH_SLOTS, np.int16),
    )


@jit
def find(memory: Memory, key: int) -> int:
    """Return the row of an entry, or -1."""
    start = (key & (len(memory) - 1)) & ~(_WAYS - 1)
    for row in range(start, start + _WAYS):
        if memory[row, 0] == key and memory[row, 2]:
            return row
    return -1


@jit
def _keep(memory: Memory, key: int, proof: int, disproof: int, work: int, distance: int) -> None:
    start = (key & (len(memory) - 1)) & ~(_WAYS - 1)
    least = start
    for row in range(start, start + _WAYS):
        if memory[row, 0] == key:
            least = row
            break
        if memory[row, 2] & _LOW < memory[least, 2] & _LOW:
            least = row
    if memory[least, 0] == key:
        work += memory[least, 2] & _LOW
        if memory[least, 2] >> 32 and distance == 0:
            return
    memory[least, 0] = key
    memory[least, 1] = proof | disproof << 32
    memory[least, 2] = min(max(work, 1), _LOW) | distance << 32


@jit
def _on_path(stack: Stack, key: int, ply: int) -> bool:
    if stack.seen[key & (_PATH_SLOTS - 1)] == 0:
        return False
    for at in range(ply + 1):  # noqa: SIM110 - numba compiles no generators
        if stack.facts[at, _KEY] == key:
            return True
    return False


@jit
def _enter(s: State, attacker: int, goal: int, memory: Memory, stack: Stack, ply: int, prior: Prior) -> None:
    """Look at every move of the position and write down what is known of it."""
    key = s[HASH] ^ goal
    stack.facts[ply, _KEY] = key
    stack.seen[key & (_PATH_SLOTS - 1)] += 1
    seat = s[SEAT]
    phase = s[PHASE]
    size = s[SIZE]
    hand = s[HAND + seat]
    other = s[HAND + 1 - seat]
    # Cards are laid here without making the moves: most of the time of a search goes into this loop.
    worth = hand_worth(s, seat, prior) - hand_worth(s, 1 - seat, prior)
    worth += prior.sizes[popcount(hand) - 1] - prior.sizes[popcount(other)]
    moves = legal_mask(s)
    count = 0
    while moves:
        move = lowest(moves)
        moves &= moves - 1
        proof = INFINITE
        disproof = 0
        distance = 0
        if move == UP:
            undo = make(s, move)
            below = s[HASH] ^ goal
            odds = guess(s, prior)
            if s[SEAT] != attacker:
                odds = -odds
            unmake(s, move, undo)
        else:
            below = key ^ HAND_KEYS[seat * 52 + move] ^ PILE_KEYS[size * 52 + move]
            odds = worth - prior.cards[seat * 52 + move]
            if phase == BEAT and hand & (hand - 1):
                below ^= ADD_KEY
                odds += prior.phases[1]
            else:
                below ^= SEAT_KEY
                if phase == ADD:
                    below ^= ADD_KEY
                able = popcount(other & BEATS[s[TRUMP + 1 - seat] + move])
                odds -= prior.phases[2 + min(able, 4)]
                if hand & (hand - 1) == 0:
                    below = 0
                    if able == 0 or other & (other - 1):
                        distance = 1
                        if seat == attacker:
                            proof = 0
                            disproof = INFINITE
            if seat != attacker:
                odds = -odds
        if below != 0 and not _on_path(stack, below, ply) and ply < MOST_PLIES - 2:
            # The table is far away: all its rows are sent for before any of them is looked at.
            prefetch(memory, (below & (len(memory) - 1) & ~(_WAYS - 1)) * (ENTRY_BYTES // 8))
            both = start_numbers(odds, prior)
            proof = both & 0xFFFF
            disproof = both >> 16
        else:
            below = 0
        stack.below[ply, count] = below
        stack.moves[ply, count] = move
        stack.proofs[ply, count] = proof
        stack.disproofs[ply, count] = disproof
        stack.distance[ply, count] = distance
        count += 1
    stack.facts[ply, _COUNT] = count
    for i in range(count):
        below = stack.below[ply, i]
        row = find(memory, below) if below != 0 else -1
        if row >= 0:
            stack.proofs[ply, i] = memory[row, 1] & _LOW
            stack.disproofs[ply, i] = memory[row, 1] >> 32
            stack.distance[ply, i] = memory[row, 2] >> 32


@jit
def _distance(stack: Stack, ply: int, count: int, chooses: bool, numbers: Ints) -> int:
    """Return how far the end of a proof is, one more than in the best or worst child; 0 if it rests on a draw.

    *chooses*: whether the seat whose proof it is has the move; *numbers* those that are nought where it has one.
    """
    best = 0
    worst = 0
    for i in range(count):
        far = stack.distance[ply, i]
        if numbers[ply, i] != 0:
            continue
        if far == 0:
            if not chooses:
                return 0
            continue
        worst = max(worst, far)
        if best == 0 or far < best:
            best = far
    if chooses:
        return best + 1 if best else 0
    return worst + 1


@jit
def search(
    state: State,
    attacker: int,
    goal: int,
    memory: Memory,
    stack: Stack,
    tally: Ints,
    budget: int,
    prior: Prior,
    result: Ints,
) -> None:
    """Search until the question is answered, *budget* positions have been entered or the stop flag is set.

    Writes proof number, disproof number and distance of the position into *result*; the state is as before. Call
    again to go on: what has been found is in the memory.
    """
    s, counters, facts = borrowed(state), borrowed(tally), stack.facts
    last = counters[NODES] + budget
    stack.seen[:] = 0
    ply = 0
    facts[0, _MOST_PROOF] = INFINITE
    facts[0, _MOST_DISPROOF] = INFINITE
    facts[0, _ENTERED] = counters[NODES]
    counters[NODES] += 1
    _enter(s, attacker, goal, memory, stack, 0, prior)
    while True:
        count = facts[ply, _COUNT]
        mine = s[SEAT] == attacker
        # In an attacker's node the easiest proof counts, and disproofs add up; the other way round in a defender's.
        ones = stack.proofs if mine else stack.disproofs
        twos = stack.disproofs if mine else stack.proofs
        best = 0
        least = 2 * INFINITE
        second = 2 * INFINITE
        total = 0
        distance = 0
        for i in range(count):
            one = ones[ply, i]
            two = twos[ply, i]
            total += two
            if one < least or (one == least and two < twos[ply, best]):
                second = least
                least = one
                best = i
            elif one < second:
                second = one
        total = min(total, INFINITE)
        proof = least if mine else total
        disproof = total if mine else least
        if proof == 0 or disproof == 0:
            proved = stack.proofs if proof == 0 else stack.disproofs
            distance = _distance(stack, ply, count, mine == (proof == 0), proved)
        spent = counters[NODES] >= last or counters[STOP] != 0
        if proof >= facts[ply, _MOST_PROOF] or disproof >= facts[ply, _MOST_DISPROOF] or spent:
            key = facts[ply, _KEY]
            _keep(memory, key, proof, disproof, counters[NODES] - facts[ply, _ENTERED] + 1, distance)
            stack.seen[key & (_PATH_SLOTS - 1)] -= 1
            if ply == 0:
                result[0] = proof
                result[1] = disproof
                result[2] = distance
                return
            ply -= 1
            chosen = facts[ply, _CHOSEN]
            unmake(s, stack.moves[ply, chosen], facts[ply, _UNDO])
            stack.proofs[ply, chosen] = proof
            stack.disproofs[ply, chosen] = disproof
            stack.distance[ply, chosen] = distance
            continue
        facts[ply, _CHOSEN] = best
        room = second + (second >> 1) + 1
        if mine:
            facts[ply + 1, _MOST_PROOF] = min(facts[ply, _MOST_PROOF], room)
            facts[ply + 1, _MOST_DISPROOF] = facts[ply, _MOST_DISPROOF] - total + twos[ply, best]
        else:
            facts[ply + 1, _MOST_DISPROOF] = min(facts[ply, _MOST_DISPROOF], room)
            facts[ply + 1, _MOST_PROOF] = facts[ply, _MOST_PROOF] - total + twos[ply, best]
        facts[ply, _UNDO] = make(s, stack.moves[ply, best])
        ply += 1
        facts[ply, _ENTERED] = counters[NODES]
        counters[NODES] += 1
        _enter(s, attacker, goal, memory, stack, ply, prior)
