"""Reading the bytes of a solved game: what positions and turns are worth, how many there are, whether they agree."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .jit import jit
from .piles import Trie, child, splits, spread, squeeze
from .retrograde import (
    ABSENT,
    DRAWN,
    DRAWN_NOW,
    TURNS,
    UP_BASE,
    WON_NOW,
    Bytes,
    Desk,
    family,
    first_position,
    is_playable,
    may_pick_up,
    open_node,
    read_pile,
    turn_target,
    up_target,
)
from .smallgame import Ints, Tables


@jit
def weigh(t: Tables, trie: Trie, values: Bytes, frame: int, depth: int, own: int, desk: Desk, codes: Ints) -> int:
    """Write what every turn from the pile on the desk is worth to a mover with *own*; return the number of turns.

    A code is -1 for a turn that cannot be played and ABSENT for one to a position that is not listed. The last code is
    that of a pick-up. A pile whose first plain card is of the second plain suit must have been exchanged before.
    """
    open_node(t, trie, frame, depth, desk)
    turns = int(desk.facts[TURNS])
    for turn in range(turns):
        codes[turn] = -1
        if is_playable(desk, turn, own):
            target = turn_target(t, desk, turn, own)
            if target == WON_NOW:
                codes[turn] = 3
            elif target == DRAWN_NOW:
                codes[turn] = DRAWN
            elif desk.base[turn] < 0:
                codes[turn] = ABSENT
            else:
                codes[turn] = one_turn_on(np.int64(values[target]), 0)  # type: ignore[arg-type]
    codes[turns] = -1
    if may_pick_up(t, desk, own):
        codes[turns] = ABSENT
        if desk.facts[UP_BASE] >= 0:
            codes[turns] = one_turn_on(np.int64(values[up_target(t, desk, own)]), t.taker_leads)  # type: ignore[arg-type]
    return turns


@jit
def one_turn_on(code: int, same_seat: int) -> int:
    """Return the code of a turn that leads to a position with *code*."""
    if code < 3:
        return code
    return code + 2 if same_seat else (code + 3 if code & 1 == 0 else code + 1)


@jit
def locate(t: Tables, trie: Trie, frame: int, pile: Ints, depth: int, own: int) -> int:
    """Return the number of the position in which *own* is to beat or lead, or -1 if its pile is not listed."""
    mirrored = is_mirrored(t, pile, depth)
    node = frame
    used = 0
    for i in range(depth):
        card = t.mirror[pile[i]] if mirrored else pile[i]
        used |= 1 << card
        node = child(trie, node, card)
    if node < 0:
        return -1
    hand = t.mirror_mask[own] if mirrored else own
    return first_position(trie, node, depth, t.size) + squeeze(hand, ((1 << t.size) - 1) ^ used) - 1


@jit
def is_mirrored(t: Tables, pile: Ints, depth: int) -> bool:
    """Return whether the first plain card of a pile is of the second plain suit."""
    for i in range(depth):
        if 1 << pile[i] & t.first_plain:
            return False
        if 1 << pile[i] & t.second_plain:
            return True
    return False


@jit
def probe_many(
    t: Tables,
    trie: Trie,
    values: Bytes,
    frames: Bytes,
    piles: Bytes,
    depths: Bytes,
    owns: NDArray[np.int16],
    codes: Bytes,
) -> None:
    """Write the code of many positions, a row each: frame, pile from the bottom, its depth, the mover's hand."""
    pile = np.zeros(t.size + 2, np.int64)
    for row in range(len(depths)):
        depth = int(depths[row])
        for i in range(depth):
            pile[i] = piles[row, i]
        place = locate(t, trie, int(frames[row]), pile, depth, int(owns[row]))
        codes[row] = values[place] if place >= 0 else ABSENT


@jit
def count_codes(t: Tables, trie: Trie, values: Bytes, totals: Ints) -> None:
    """Add up the positions of each code. A pile with a plain card stands for its mirror image too."""
    n = t.size
    node = 0
    both = np.ones(len(trie.masks), np.uint8)
    for depth in range(n + 1):
        ways = splits(n - depth)
        for node in range(trie.levels[depth], trie.levels[depth + 1]):
            base = first_position(trie, node, depth, n)
            for place in range(base, base + ways):
                totals[np.int64(values[place])] += np.int64(both[node])
            mask = np.int64(trie.masks[node])
            below = np.int64(trie.first[node])
            while mask:
                both[below] = 2 if both[node] == 2 or mask & -mask & t.first_plain else 1
                below += 1
                mask &= mask - 1


@jit
def check(t: Tables, trie: Trie, values: Bytes, numbers: Ints, desk: Desk, codes: Ints) -> int:
    """Return the first of some positions whose code does not follow from those of its successors, or -1."""
    n = t.size
    parents = np.zeros(len(trie.masks), np.int32)
    cards = np.zeros(len(trie.masks), np.uint8)
    family(trie, parents, cards)
    for number in numbers:
        code = np.int64(values[number])
        if code == ABSENT:
            continue
        depth = 0
        while number >= trie.offsets[depth + 1]:
            depth += 1
        ways = splits(n - depth)
        node = trie.levels[depth] + (number - trie.offsets[depth]) // ways
        frame = read_pile(parents, cards, node, depth, desk)
        rest = (1 << n) - 1
        for i in range(depth):
            rest ^= 1 << desk.pile[i]
        own = spread((number - trie.offsets[depth]) % ways + 1, rest)
        if _follows(codes, weigh(t, trie, values, frame, depth, own, desk, codes)) != max(code, DRAWN):
            return int(number)
    return -1


@jit
def _follows(codes: Ints, turns: int) -> int:
    """Return the code that the best of a position's turns gives it, every draw as DRAWN."""
    best = 0
    found = ABSENT
    for turn in range(turns + 1):
        code = codes[turn]
        if code < 0:
            continue
        if code == ABSENT:
            return ABSENT
        worth = 0
        if code >= 3:
            worth = 1000 - code if code & 1 else code - 1000
        else:
            code = DRAWN
        if found == ABSENT or worth > best:
            best = worth
            found = code
    return found
