"""Every pile that can lie on the table in a small game, as a trie: a node a pile, its path the cards from the bottom.

A position is a node and a split of the cards that are not in the pile. Nodes of one depth have equally many splits, so
a position's number follows from its node's number without any stored address.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .jit import jit, lowest, popcount
from .smallgame import Ints, Tables


class Trie(NamedTuple):
    """The piles of a small game, in order of depth; node *f* is the empty pile when frame *f* is to move."""

    masks: NDArray[np.int16]
    """The cards that may come on top of each pile."""
    first: NDArray[np.int32]
    """The node of the lowest of them; the others follow in order."""
    levels: Ints
    """First node of each depth, and one past the last."""
    offsets: Ints
    """First position of each depth, and one past the last."""


@jit
def splits(cards: int) -> int:
    """Return in how many ways *cards* can be two hands of at least one card each."""
    return (1 << cards) - 2 if cards > 1 else 0


@jit
def child(trie: Trie, node: int, card: int) -> int:
    """Return the node of *node*'s pile with *card* on top, or -1."""
    if node < 0:
        return -1
    mask = int(trie.masks[node])
    if not mask >> card & 1:
        return -1
    return int(trie.first[node]) + popcount(mask & ((1 << card) - 1))


def _six_bit_table() -> NDArray[np.int64]:
    table = np.zeros(64 * 64, np.int64)
    for places in range(64):
        bits = [bit for bit in range(6) if places >> bit & 1]
        for mask in range(64):
            table[places << 6 | mask] = sum((mask >> bit & 1) << at for at, bit in enumerate(bits))
    return table


_SQUEEZED: Final = _six_bit_table()


@jit
def squeeze(mask: int, places: int) -> int:
    """Return the bits of *mask* that stand in *places*, moved together; up to twelve bits."""
    low = places & 63
    bits = _SQUEEZED[low << 6 | mask & 63]
    return bits | _SQUEEZED[(places >> 6) << 6 | mask >> 6] << popcount(low)  # type: ignore[no-any-return]


@jit
def spread(bits: int, places: int) -> int:
    """Return *bits* moved apart onto *places*: undoes :func:`squeeze`."""
    out = 0
    while bits:
        low = places & -places
        if bits & 1:
            out |= low
        bits >>= 1
        places ^= low
    return out


@jit
def _more(array: NDArray[np.int32], size: int) -> NDArray[np.int32]:
    grown = np.full((size, array.shape[1]), np.int32(-1), np.int32)
    grown[: array.shape[0]] = array
    return grown


@jit
def grow(t: Tables, sources: NDArray[np.int32]) -> tuple[NDArray[np.int32], int]:
    """Return all piles that play can reach, as rows: child nodes, then parent, card, frame, and whether it is one.

    *sources* are piles to start from besides the empty ones, a row each: frame, number of cards, cards. Hands are
    looked at only so far as somebody must be able to hold what is laid; a pile too many does no harm.
    """
    n = t.size
    parent, card_of, frame_of, real = n, n + 1, n + 2, n + 3
    rows = np.full((1 << 10, n + 4), np.int32(-1), np.int32)
    for frame in range(t.frames):
        rows[frame, frame_of] = frame
        rows[frame, real] = 1
    count = t.frames
    todo = np.empty(1 << 10, np.int32)
    waiting = 0
    for frame in range(t.frames):
        todo[waiting] = frame
        waiting += 1
    pile = np.empty(n + 2, np.int64)
    turned = np.empty(n + 2, np.int64)
    source = 0
    while waiting or source < len(sources):
        if waiting == 0:
            frame = int(sources[source, 0])
            depth = int(sources[source, 1])
            for i in range(depth):
                pile[i] = sources[source, 2 + i]
            source += 1
            rows, count, todo, waiting = _insert(rows, count, todo, waiting, n, frame, pile, depth)
            continue
        waiting -= 1
        node = int(todo[waiting])
        frame = int(rows[node, frame_of])
        depth = 0
        at = node
        used = 0
        while rows[at, parent] >= 0:
            used |= 1 << int(rows[at, card_of])
            depth += 1
            at = int(rows[at, parent])
        at = node
        for i in range(depth):
            pile[depth - 1 - i] = rows[at, card_of]
            at = int(rows[at, parent])
        rest = ((1 << n) - 1) ^ used
        next_frame = (frame + 1) % t.frames
        if depth == 0:
            for card in range(n):
                pile[0] = card
                _turn(t, pile, 1, turned)
                rows, count, todo, waiting = _insert(rows, count, todo, waiting, n, next_frame, turned, 1)
            continue
        top = int(pile[depth - 1])
        able = rest & int(t.beats[frame, top])
        if n - depth >= 4:
            beating = able
            while beating:
                card = lowest(beating)
                beating &= beating - 1
                pile[depth] = card
                adding = rest ^ (1 << card)
                while adding:
                    pile[depth + 1] = lowest(adding)
                    adding &= adding - 1
                    _turn(t, pile, depth + 2, turned)
                    rows, count, todo, waiting = _insert(rows, count, todo, waiting, n, next_frame, turned, depth + 2)
        if t.may_decline or able != rest:
            left = depth - min(depth, int(t.takes[frame, top]))
            if t.taker_leads:
                rows, count, todo, waiting = _insert(rows, count, todo, waiting, n, frame, pile, left)
            else:
                _turn(t, pile, left, turned)
                rows, count, todo, waiting = _insert(rows, count, todo, waiting, n, next_frame, turned, left)
    return rows, count


@jit
def _turn(t: Tables, pile: Ints, depth: int, turned: Ints) -> None:
    """Write into *turned* the pile as the next mover sees it."""
    kind = 0
    for i in range(depth):
        bit = 1 << pile[i]
        if bit & t.first_plain:
            break
        if bit & t.second_plain:
            kind = 1
            break
    for i in range(depth):
        turned[i] = t.turned[kind, pile[i]]


@jit
def _insert(
    rows: NDArray[np.int32],
    count: int,
    todo: NDArray[np.int32],
    waiting: int,
    n: int,
    frame: int,
    pile: Ints,
    depth: int,
) -> tuple[NDArray[np.int32], int, NDArray[np.int32], int]:
    """Add a pile, and put it on the list of those to look at if it is new."""
    if count + n > len(rows):
        rows = _more(rows, 2 * len(rows))
    node = frame
    for i in range(depth):
        card = int(pile[i])
        below = int(rows[node, card])
        if below < 0:
            below = count
            rows[node, card] = below
            rows[below, n] = node
            rows[below, n + 1] = card
            rows[below, n + 2] = frame
            rows[below, n + 3] = 0
            count += 1
        node = below
    if rows[node, n + 3] == 0:
        rows[node, n + 3] = 1
        if waiting == len(todo):
            longer = np.empty(2 * waiting, np.int32)
            longer[:waiting] = todo
            todo = longer
        todo[waiting] = node
        waiting += 1
    return rows, count, todo, waiting


@jit
def order(rows: NDArray[np.int32], count: int, t: Tables) -> Trie:
    """Return the trie of the rows that :func:`grow` gave, its nodes sorted by depth."""
    n = t.size
    masks = np.zeros(count, np.int16)
    first = np.zeros(count, np.int32)
    old = np.empty(count, np.int32)
    levels = np.zeros(n + 2, np.int64)
    offsets = np.zeros(n + 2, np.int64)
    for frame in range(t.frames):
        old[frame] = frame
    done = 0
    end = t.frames
    for depth in range(n + 1):
        levels[depth] = done
        offsets[depth + 1] = offsets[depth] + (end - done) * splits(n - depth)
        level_end = end
        while done < level_end:
            mask = 0
            first[done] = end
            for card in range(n):
                below = rows[old[done], card]
                if below >= 0:
                    mask |= 1 << card
                    old[end] = below
                    end += 1
            masks[done] = mask
            done += 1
    levels[n + 1] = done
    return Trie(masks, first, levels, offsets)


@jit
def prune(t: Tables, trie: Trie, values: NDArray[np.uint8]) -> tuple[Trie, NDArray[np.uint8]]:
    """Return the trie and the values without the piles in which every value is nought, unless one above needs them."""
    n = t.size
    count = len(trie.masks)
    live = np.zeros(count, np.int64)
    live[: t.frames] = 1
    for depth in range(n, -1, -1):
        ways = splits(n - depth)
        for node in range(trie.levels[depth], trie.levels[depth + 1]):
            base = trie.offsets[depth] + (node - trie.levels[depth]) * ways
            for place in range(ways):
                if values[base + place]:
                    live[node] = 1
                    break
            below = int(trie.first[node])
            for i in range(popcount(int(trie.masks[node]))):
                if live[below + i]:
                    live[node] = 1
    total = 0
    for node in range(count):
        total += live[node]
    masks = np.zeros(total, np.int16)
    first = np.zeros(total, np.int32)
    levels = np.zeros(n + 2, np.int64)
    offsets = np.zeros(n + 2, np.int64)
    at = 0
    for depth in range(n + 1):
        levels[depth] = at
        for node in range(trie.levels[depth], trie.levels[depth + 1]):
            at += live[node]
        offsets[depth + 1] = offsets[depth] + (at - levels[depth]) * splits(n - depth)
    levels[n + 1] = at
    kept = np.zeros(offsets[n + 1], np.uint8)
    at = 0
    end = t.frames
    place = 0
    for depth in range(n + 1):
        ways = splits(n - depth)
        for node in range(trie.levels[depth], trie.levels[depth + 1]):
            if not live[node]:
                continue
            mask = int(trie.masks[node])
            below = int(trie.first[node])
            left = 0
            first[at] = end
            while mask:
                if live[below]:
                    left |= mask & -mask
                    end += 1
                mask &= mask - 1
                below += 1
            masks[at] = left
            at += 1
            base = trie.offsets[depth] + (node - trie.levels[depth]) * ways
            kept[place : place + ways] = values[base : base + ways]
            place += ways
    return Trie(masks, first, levels, offsets), kept


@jit
def index(masks: NDArray[np.int16], n: int, frames: int) -> Trie:
    """Return the trie of some masks: where each node's children begin follows from the masks before it."""
    count = len(masks)
    first = np.zeros(count, np.int32)
    levels = np.zeros(n + 2, np.int64)
    offsets = np.zeros(n + 2, np.int64)
    end = frames
    at = 0
    for depth in range(n + 1):
        levels[depth] = at
        level_end = min(end, count)
        while at < level_end:
            first[at] = end
            end += popcount(int(masks[at]))
            at += 1
        offsets[depth + 1] = offsets[depth] + (at - levels[depth]) * splits(n - depth)
    levels[n + 1] = end
    return Trie(masks, first, levels, offsets)
