"""Retrograde analysis in place: marking what play can reach, then wins and losses by their distance in turns.

One byte a position. A node's moves are found once and used for all its splits; nodes in separate ranges may be worked
on by separate threads, as a byte only ever changes from open to its final code.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .jit import jit, lowest, popcount
from .piles import Trie, child, splits, spread, squeeze
from .smallgame import Ints, Tables

ABSENT: Final = 0
"""No play leads to this position."""
OPEN: Final = 1
"""Neither side can force a win; while building: not known yet. In the end: a draw by endless play."""
DRAWN: Final = 2
"""A draw that comes by an answered last card, whatever is played."""
MOST_TURNS: Final = 127
"""Code of a loss in d turns: 2 d; of a win in d turns: 2 d + 1. Nobody loses in one turn, so 2 is free for DRAWN."""

WON_NOW: Final = -1
DRAWN_NOW: Final = -2

Bytes = NDArray[np.uint8]


class Desk(NamedTuple):
    """Scratch for one node's moves; one a thread."""

    pile: Ints
    path: Ints
    """Node of the turned pile cut to each length, for the next mover."""
    own_path: Ints
    """Node of the pile cut to each length, for the mover."""
    first: Ints
    second: Ints
    """The cards of each turn; -1 for none."""
    node: Ints
    """The node that the turn leads to."""
    base: Ints
    """Number of the first position there."""
    kind: Ints
    """Which relabelling it needs."""
    rest: Ints
    """The cards out of the pile then, as the next mover numbers them."""
    facts: Ints
    """Frame, depth, cards out of the pile, those that beat the top card, number of turns, and of the pick-up: cards
    taken, node, first position, cards out of the pile then; and whether a plain card lies in it."""


FRAME, DEPTH, REST, ABLE, TURNS, TAKEN, UP_NODE, UP_BASE, UP_REST, PLAIN = range(10)


@jit
def new_desk(n: int) -> Desk:
    """Return scratch for a game of *n* cards."""
    turns = n * n
    return Desk(
        np.zeros(n + 2, np.int64),
        np.zeros(n + 2, np.int64),
        np.zeros(n + 2, np.int64),
        np.zeros(turns, np.int64),
        np.zeros(turns, np.int64),
        np.zeros(turns, np.int64),
        np.zeros(turns, np.int64),
        np.zeros(turns, np.int64),
        np.zeros(turns, np.int64),
        np.zeros(10, np.int64),
    )


@jit
def first_position(trie: Trie, node: int, depth: int, n: int) -> int:
    """Return the number of the first position of a node, or -1 for no node."""
    if node < 0:
        return -1
    return int(trie.offsets[depth]) + (node - int(trie.levels[depth])) * splits(n - depth)


@jit
def open_node(t: Tables, trie: Trie, frame: int, depth: int, desk: Desk) -> int:
    """Find the turns from the pile on the desk, write them there and return the number of its first position, or -1."""
    n = t.size
    facts = desk.facts
    next_frame = (frame + 1) % t.frames
    used = 0
    plain = False
    node = frame
    below = next_frame
    desk.own_path[0] = node
    desk.path[0] = below
    for i in range(depth):
        card = desk.pile[i]
        used |= 1 << card
        plain = plain or bool((1 << card) & (t.first_plain | t.second_plain))
        node = child(trie, node, card)
        below = child(trie, below, t.turned[0, card])
        desk.own_path[i + 1] = node
        desk.path[i + 1] = below
    rest = ((1 << n) - 1) ^ used
    facts[FRAME] = frame
    facts[DEPTH] = depth
    facts[REST] = rest
    facts[PLAIN] = plain
    turns = 0
    if depth == 0:
        facts[ABLE] = rest
        for card in range(n):
            kind = 1 if (1 << card) & t.second_plain else 0
            turned = t.turned[kind, card]
            _note(t, trie, desk, turns, card, -1, kind, child(trie, below, turned), 1)
            turns += 1
        facts[TURNS] = turns
        return first_position(trie, node, depth, n)
    top = desk.pile[depth - 1]
    able = rest & t.beats[frame, top]
    facts[ABLE] = able
    while able:
        card = lowest(able)
        able &= able - 1
        _note(t, trie, desk, turns, card, -1, 0, -1, depth + 1)
        turns += 1
        if n - depth < 3:
            continue
        adding = rest ^ (1 << card)
        while adding:
            other = lowest(adding)
            adding &= adding - 1
            kind = 0
            if not plain and (
                (1 << card) & t.second_plain or ((1 << other) & t.second_plain and not (1 << card) & t.first_plain)
            ):
                kind = 1
            after = child(trie, child(trie, below, t.turned[kind, card]), t.turned[kind, other])
            _note(t, trie, desk, turns, card, other, kind, after, depth + 2)
            turns += 1
    facts[TURNS] = turns
    taken = min(depth, int(t.takes[frame, top]))
    left = depth - taken
    cards = 0
    for i in range(left, depth):
        cards |= 1 << desk.pile[i]
    facts[TAKEN] = cards
    if t.taker_leads:
        facts[UP_NODE] = desk.own_path[left]
        facts[UP_REST] = rest | cards
    else:
        facts[UP_NODE] = desk.path[left]
        facts[UP_REST] = t.turned_mask[0, rest | cards]
    facts[UP_BASE] = first_position(trie, facts[UP_NODE], left, n)
    return first_position(trie, node, depth, n)


@jit
def _note(
    t: Tables, trie: Trie, desk: Desk, turn: int, first: int, second: int, kind: int, node: int, depth: int
) -> None:
    desk.first[turn] = first
    desk.second[turn] = second
    desk.kind[turn] = kind
    desk.node[turn] = node
    desk.base[turn] = first_position(trie, node, depth, t.size)
    gone = 1 << first
    if second >= 0:
        gone |= 1 << second
    desk.rest[turn] = t.turned_mask[kind, desk.facts[REST] & ~gone]


@jit
def turn_target(t: Tables, desk: Desk, turn: int, own: int) -> int:
    """Return the position that a turn leads to, or how the game ends with it.

    *own* is the mover's hand before. The hands that stay are those of the seat that moves next.
    """
    first, second = desk.first[turn], desk.second[turn]
    gone = 1 << first
    top = first
    if second >= 0:
        gone |= 1 << second
        top = second
    other = desk.facts[REST] & ~own
    if own == gone:
        # One card left that beats the top card makes it a draw.
        if other & (other - 1) == 0 and other & t.answers[desk.facts[FRAME], top]:
            return DRAWN_NOW
        return WON_NOW
    return desk.base[turn] + squeeze(t.turned_mask[desk.kind[turn], other], desk.rest[turn]) - 1  # type: ignore[no-any-return]


@jit
def up_target(t: Tables, desk: Desk, own: int) -> int:
    """Return the position that a pick-up leads to."""
    facts = desk.facts
    hand = own | facts[TAKEN] if t.taker_leads else t.turned_mask[0, facts[REST] & ~own]
    return facts[UP_BASE] + squeeze(hand, facts[UP_REST]) - 1  # type: ignore[no-any-return]


@jit
def is_playable(desk: Desk, turn: int, own: int) -> bool:
    """Return whether *own* holds the cards of a turn, and has to lay no further one."""
    first, second = desk.first[turn], desk.second[turn]
    if not own >> first & 1:
        return False
    if second < 0:
        return desk.facts[DEPTH] == 0 or own == 1 << first  # type: ignore[no-any-return]
    return bool(own >> second & 1)


@jit
def may_pick_up(t: Tables, desk: Desk, own: int) -> bool:
    """Return whether a seat that holds *own* may pick up."""
    facts = desk.facts
    return bool(facts[DEPTH] > 0 and (t.may_decline or own & facts[ABLE] == 0))


@jit
def read_pile(parents: NDArray[np.int32], cards: Bytes, node: int, depth: int, desk: Desk) -> int:
    """Write a node's pile on the desk and return its frame."""
    for i in range(depth):
        desk.pile[depth - 1 - i] = cards[node]
        node = parents[node]
    return node


@jit
def family(trie: Trie, parents: NDArray[np.int32], cards: Bytes) -> None:
    """Fill in the parent and the top card of every node."""
    for node in range(len(trie.masks)):
        mask = int(trie.masks[node])
        below = int(trie.first[node])
        while mask:
            parents[below] = node
            cards[below] = lowest(mask)
            mask &= mask - 1
            below += 1


@jit
def begin(t: Tables, trie: Trie, sources: NDArray[np.int32], values: Bytes, busy: Bytes, equal: int) -> None:
    """Mark where play begins: an empty pile (with *equal*: and equal hands), and every split of the *sources*."""
    n = t.size
    for frame in range(t.frames):
        busy[frame] = 1
        for bits in range(1, (1 << n) - 1):
            place = first_position(trie, frame, 0, n) + bits - 1
            if values[place] == ABSENT and (not equal or 2 * popcount(bits) == n):
                values[place] = OPEN
    for source in range(len(sources)):
        node = int(sources[source, 0])
        depth = int(sources[source, 1])
        for i in range(depth):
            node = child(trie, node, int(sources[source, 2 + i]))
        busy[node] = 1
        base = first_position(trie, node, depth, n)
        for place in range(splits(n - depth)):
            if values[base + place] == ABSENT:
                values[base + place] = OPEN


@jit
def reach(
    t: Tables, trie: Trie, parents: NDArray[np.int32], cards: Bytes, values: Bytes, busy: Bytes, desk: Desk
) -> int:
    """Go once over all busy nodes, mark what their newly marked positions lead to, and return how many were busy.

    While this goes on a position is OPEN when it is new and DRAWN when its successors have been marked.
    """
    n = t.size
    done = 0
    for depth in range(n - 1):
        count = splits(n - depth)
        for node in range(trie.levels[depth], trie.levels[depth + 1]):
            if not busy[node]:
                continue
            busy[node] = 0
            done += 1
            frame = read_pile(parents, cards, node, depth, desk)
            base = open_node(t, trie, frame, depth, desk)
            turns = desk.facts[TURNS]
            for place in range(count):
                if values[base + place] != OPEN:
                    continue
                values[base + place] = DRAWN
                own = spread(place + 1, desk.facts[REST])
                if not desk.facts[PLAIN] and t.second_plain:
                    # The mirror image is as reachable, and in a pile without plain cards it has a place of its own.
                    again = base + squeeze(t.mirror_mask[own], desk.facts[REST]) - 1
                    if values[again] == ABSENT:
                        values[again] = OPEN
                        busy[node] = 1
                for turn in range(turns):
                    if is_playable(desk, turn, own):
                        target = turn_target(t, desk, turn, own)
                        if target >= 0 and values[target] == ABSENT:
                            values[target] = OPEN
                            busy[desk.node[turn]] = 1
                if may_pick_up(t, desk, own):
                    target = up_target(t, desk, own)
                    if values[target] == ABSENT:
                        values[target] = OPEN
                        busy[desk.facts[UP_NODE]] = 1
    return done


@jit
def decide(
    t: Tables,
    trie: Trie,
    parents: NDArray[np.int32],
    cards: Bytes,
    values: Bytes,
    busy: Bytes,
    distance: int,
    begin_node: int,
    end_node: int,
    desk: Desk,
) -> int:
    """Give all open positions that are won or lost in *distance* turns their code; return how many there were.

    With distance 0 mark instead the draws that come by an answered last card whatever is played.
    """
    n = t.size
    found = 0
    for depth in range(n - 1):
        count = splits(n - depth)
        low = max(begin_node, int(trie.levels[depth]))
        high = min(end_node, int(trie.levels[depth + 1]))
        for node in range(low, high):
            if not busy[node]:
                continue
            frame = read_pile(parents, cards, node, depth, desk)
            base = open_node(t, trie, frame, depth, desk)
            left = 0
            for place in range(count):
                if values[base + place] != OPEN:
                    continue
                own = spread(place + 1, desk.facts[REST])
                if distance:
                    code = judge(t, values, desk, own, distance)
                else:
                    code = DRAWN if is_settled(t, values, desk, own) else OPEN
                if code == OPEN:
                    left += 1
                else:
                    values[base + place] = code
                    found += 1
            if left == 0:
                busy[node] = 0
    return found


@jit
def judge(t: Tables, values: Bytes, desk: Desk, own: int, distance: int) -> int:
    """Return the code of the desk's position for a mover with *own*, if it is won or lost in just *distance* turns.

    Nearer ones must have their code already.
    """
    # Turns alternate unless a taker leads: then a win takes an odd number of them and a loss an even one.
    may_win = t.taker_leads or distance & 1
    may_lose = t.taker_leads or distance & 1 == 0
    for turn in range(desk.facts[TURNS]):
        if not is_playable(desk, turn, own):
            continue
        target = turn_target(t, desk, turn, own)
        if target == WON_NOW:
            return 3
        code = DRAWN if target < 0 else np.int64(values[target])
        if code < 3 or code >= 2 * distance or code & 1 == 0:
            if may_win and code >= 3 and code < 2 * distance:
                return 2 * distance + 1
            may_lose = False
            if not may_win:
                return OPEN
    if may_pick_up(t, desk, own):
        code = np.int64(values[up_target(t, desk, own)])
        if code < 3 or code >= 2 * distance or (code & 1) == t.taker_leads:
            if may_win and code >= 3 and code < 2 * distance:
                return 2 * distance + 1
            may_lose = False
    return 2 * distance if may_lose else OPEN


@jit
def is_settled(t: Tables, values: Bytes, desk: Desk, own: int) -> bool:
    """Return whether no turn of a mover with *own* leads to an open position."""
    for turn in range(desk.facts[TURNS]):
        if is_playable(desk, turn, own):
            target = turn_target(t, desk, turn, own)
            if target >= 0 and values[target] == OPEN:
                return False
    return not (may_pick_up(t, desk, own) and values[up_target(t, desk, own)] == OPEN)
