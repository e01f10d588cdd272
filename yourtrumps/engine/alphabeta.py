"""Alpha-beta in machine code: principal variation search with a shared table, over half turns.

Values are for the seat to move: guesses within :data:`~.evaluate.HIGHEST`, ``WIN - n`` for a proved win in *n* turns,
``n - WIN`` for a loss. Depth counts turns: laying the card that is added belongs to the turn that began with beating.

Repetition. A position that stands on the path already is valued as a draw, and such a value is true for this path only.
So every result carries the lowest ply on the path that it rests on (``rests``): where that lies above the position
itself, the result is not written to the table. Proved wins and losses never rest on a repetition, as nought is neither.
Moves are left out near the leaves, but never where that could make a loss seem proved.

Techniques: Marsland, "A review of game-tree pruning", 1986; the table shared without locks is Hyatt and Mann's, "A
lockless transposition-table implementation for parallel search", 2002.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from .evaluate import Ints, evaluate
from .jit import borrowed, jit, lowest, popcount, prefetch
from .kernel import (
    ADD,
    BEAT,
    BEATS,
    HAND,
    HASH,
    PHASE,
    PILE,
    SEAT,
    SIZE,
    TRUMP,
    UP,
    end_value,
    is_over,
    legal_mask,
    make,
    unmake,
)
from .layout import (
    AGE,
    BASE,
    CARDS,
    HISTORY,
    KILLERS,
    LIMIT,
    MOST_MOVES,
    MOST_PLIES,
    MOVES,
    NODES,
    PATH,
    REPLIES,
    RESTS,
    SEEN,
    SLOTS,
    STOP,
    STOPPED,
)

WIN: Final = 30_000
"""The value of a game that is won already."""
SURE: Final = 20_000
"""Values beyond this are proved."""
INFINITE: Final = 32_000

_NOWHERE: Final = 1 << 30
_NO_MOVE: Final = 63

NONE: Final = 0
EXACT: Final = 1
LOWER: Final = 2
UPPER: Final = 3
"""What a value is: nothing known, this much, at least this much, at most this much."""

WAYS: Final = 4
ENTRY_BYTES: Final = 16

MOST_AT: Final = np.array([0, 5, 8, 14, 24, 40, 60, 60], np.int64)
"""How many moves are looked at with so much depth left; the guess is that the others are no better."""
REDUCTION: Final = np.array(
    [[int(0.4 + np.log(max(1, depth)) * np.log(i + 1) / 2.3) for i in range(32)] for depth in range(32)], np.int64
)
"""By how many turns less a move is searched first, by depth and by its place in the order."""


def new_table(entries: int) -> Ints:
    """Return an empty table of *entries*, a power of two."""
    memory = np.zeros(2 * entries + 8, np.int64)
    start = -memory.ctypes.data // 8 % 8
    return memory[start : start + 2 * entries]


# The table: a row is key ^ data, data. Data: value + 2^15, depth << 16, bound << 24, move << 26, age << 32.


@jit
def probe(table: Ints, key: int) -> int:
    """Return the data kept for a key, or nought."""
    start = key & (len(table) // 2 - 1) & -WAYS
    for row in range(start, start + WAYS):
        data = table[2 * row + 1]
        if table[2 * row] ^ data == key and data != 0:
            return data  # type: ignore[no-any-return]
    return 0


@jit
def data_value(data: int, turn: int) -> int:
    """Return the value in some data, for a position *turn* turns below the root."""
    value = (data & 0xFFFF) - 0x8000
    if value > SURE:
        return value - turn
    if value < -SURE:
        return value + turn
    return value


@jit
def data_depth(data: int) -> int:
    """Return the depth that some data was searched to."""
    return data >> 16 & 0xFF


@jit
def data_bound(data: int) -> int:
    """Return what the value in some data is."""
    return data >> 24 & 3


@jit
def data_move(data: int) -> int:
    """Return the best move in some data; 63 is none."""
    return data >> 26 & 63


@jit
def store(table: Ints, key: int, value: int, depth: int, bound: int, move: int, turn: int, age: int) -> None:
    """Keep what was found, in place of the entry of least use."""
    if value > SURE:
        value += turn
    elif value < -SURE:
        value -= turn
    start = key & (len(table) // 2 - 1) & -WAYS
    least = start
    lowest_use = 1 << 30
    for row in range(start, start + WAYS):
        data = table[2 * row + 1]
        if table[2 * row] ^ data == key:
            least = row
            # A guess does not drive a proof out, nor a look in passing a deep search.
            old = (data & 0xFFFF) - 0x8000
            if abs(old) > SURE and abs(value) <= SURE and data >> 24 & 3 != NONE:
                return
            if bound == NONE and data >> 32 & 0xFF == age:
                return
            break
        use = (data >> 16 & 0xFF) + (0 if data >> 32 & 0xFF == age else -256)
        if data == 0:
            use = -1000
        if use < lowest_use:
            lowest_use = use
            least = row
    data = (value + 0x8000) | min(max(depth, 0), 255) << 16 | bound << 24 | move << 26 | age << 32
    table[2 * least] = key ^ data
    table[2 * least + 1] = data


@jit
def enter(x: Ints, place: int, key: int) -> None:
    """Put a position on the path."""
    x[PATH + place] = key
    x[SEEN + (key & (SLOTS - 1))] += 1


@jit
def leave(x: Ints, place: int) -> None:
    """Take the last position off the path."""
    x[SEEN + (x[PATH + place] & (SLOTS - 1))] -= 1


@jit
def place_on_path(x: Ints, place: int, key: int) -> int:
    """Return the last place before *place* where the position stands already, or -1."""
    if x[SEEN + (key & (SLOTS - 1))] == 0:
        return -1
    for at in range(place - 1, -1, -1):
        if x[PATH + at] == key:
            return at
    return -1


@jit
def top_card(x: Ints) -> int:
    """Return the top card, or 52 for none."""
    size = x[SIZE]
    return x[PILE + size - 1] if size else 52


@jit
def order_moves(x: Ints, moves: int, first: int, ply: int) -> int:
    """List the moves with how good each looks; return how many there are."""
    seat = x[SEAT]
    phase = x[PHASE]
    other = x[HAND + 1 - seat]
    trump = x[TRUMP + 1 - seat]
    history = HISTORY + (seat * 3 + phase) * MOST_MOVES
    replies = REPLIES + (seat * 53 + top_card(x)) * MOST_MOVES
    start = MOVES + ply * MOST_MOVES
    count = 0
    while moves:
        move = lowest(moves)
        moves &= moves - 1
        score = x[history + move] + x[replies + move]
        if move == first:
            score = 1 << 40
        elif move == x[KILLERS + 2 * ply] - 1 or move == x[KILLERS + 2 * ply + 1] - 1:
            score += 3000
        if move == UP:
            score -= 4000
        else:
            score -= x[CARDS + seat * 52 + move] * 2
            if phase != BEAT:
                able = other & BEATS[trump + move]
                score += 2500 if able == 0 else -1200 * popcount(able)
        x[start + count] = score << 6 | move
        count += 1
    return count


@jit
def pick_move(x: Ints, ply: int, at: int, count: int) -> int:
    """Bring the best of the moves from *at* on to the front and return it."""
    start = MOVES + ply * MOST_MOVES
    best = start + at
    for i in range(start + at + 1, start + count):
        if x[i] > x[best]:
            best = i
    entry = x[best]
    x[best] = x[start + at]
    x[start + at] = entry
    return entry & 63  # type: ignore[no-any-return]


@jit
def learn(x: Ints, ply: int, at: int, depth: int) -> None:
    """Remember that the move at *at* refuted its position, and that those before it did not."""
    seat = x[SEAT]
    history = HISTORY + (seat * 3 + x[PHASE]) * MOST_MOVES
    replies = REPLIES + (seat * 53 + top_card(x)) * MOST_MOVES
    start = MOVES + ply * MOST_MOVES
    move = x[start + at] & 63
    if x[KILLERS + 2 * ply] != move + 1:
        x[KILLERS + 2 * ply + 1] = x[KILLERS + 2 * ply]
        x[KILLERS + 2 * ply] = move + 1
    gain = min(depth * depth * 16, 1600)
    x[history + move] += gain - x[history + move] * gain // 8192
    x[replies + move] += gain - x[replies + move] * gain // 8192
    for i in range(start, start + at):
        move = x[i] & 63
        x[history + move] -= gain + x[history + move] * gain // 8192
        x[replies + move] -= gain + x[replies + move] * gain // 8192


@jit
def search(x: Ints, table: Ints, depth: int, alpha: int, beta: int, ply: int, turn: int) -> int:
    """Return the value of a position *ply* half turns and *turn* turns below the root, exact between alpha and beta."""
    x[NODES] += 1
    if x[NODES] >= x[LIMIT] or (x[NODES] & 511 == 0 and x[STOP] != 0):
        x[STOPPED] = 1
    if x[STOPPED]:
        return 0
    x[RESTS + ply] = _NOWHERE
    if is_over(x):
        return (WIN - turn) * end_value(x)
    place = x[BASE] + ply
    key = x[HASH]
    if x[PHASE] != ADD:
        at = place_on_path(x, place, key)
        if at >= 0:
            x[RESTS + ply] = at
            return 0
    seat = x[SEAT]
    moves = legal_mask(x)
    if moves == 1 << UP and ply < MOST_PLIES:
        # Who can only pick up does so near the leaves at no cost of depth: there the guess is least to be trusted.
        enter(x, place, key)
        undo = make(x, UP)
        below = max(depth - 1, 0)
        if x[SEAT] == seat:
            value = search(x, table, below, alpha, beta, ply + 1, turn + 1)
        else:
            value = -search(x, table, below, -beta, -alpha, ply + 1, turn + 1)
        unmake(x, UP, undo)
        leave(x, place)
        rests = x[RESTS + ply + 1]
        x[RESTS + ply] = rests if rests < place else _NOWHERE
        return value
    if depth <= 0 or ply >= MOST_PLIES:
        return evaluate(x)
    # The table's memory is far away, and a look at it costs as much as many positions do: near the leaves none pays.
    data = probe(table, key) if depth > 1 else 0
    first = _NO_MOVE
    if data != 0:
        first = data_move(data)
        value = data_value(data, turn)
        bound = data_bound(data)
        is_proof = (value > SURE and bound != UPPER) or (value < -SURE and bound != LOWER)
        if (data_depth(data) >= depth or is_proof) and (
            bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)
        ):
            return value
    count = order_moves(x, moves, first, ply)
    best = -INFINITE
    best_move = _NO_MOVE
    rests = _NOWHERE
    floor = alpha
    narrow = beta - alpha == 1
    most = MOST_AT[min(depth, 7)]
    enter(x, place, key)
    for i in range(count):
        if i >= most and narrow and best > -SURE:
            break
        move = pick_move(x, ply, i, count)
        undo = make(x, move)
        adds = x[PHASE] == ADD
        below = depth if adds else depth - 1
        after = turn if adds else turn + 1
        if below > 1:
            prefetch(table, 2 * (x[HASH] & (len(table) // 2 - 1) & -WAYS))
        same = x[SEAT] == seat
        value = alpha + 1
        less = 0
        if i > 0:
            if i >= 2 and depth >= 2 and best > -SURE:
                less = REDUCTION[min(depth, 31), min(i, 31)]
                if not narrow:
                    less -= 1
                less = max(0, min(less, below - 1 if adds else below))
            if same:
                value = search(x, table, below - less, alpha, alpha + 1, ply + 1, after)
            else:
                value = -search(x, table, below - less, -alpha - 1, -alpha, ply + 1, after)
        if i == 0 or (value > alpha and (less > 0 or value < beta)):
            if same:
                value = search(x, table, below, alpha, beta, ply + 1, after)
            else:
                value = -search(x, table, below, -beta, -alpha, ply + 1, after)
        unmake(x, move, undo)
        if x[STOPPED]:
            leave(x, place)
            return 0
        rested = x[RESTS + ply + 1]
        if value > best:
            best = value
            best_move = move
            if value > alpha:
                alpha = value
                if value >= beta:
                    # Only what refutes counts: the moves before it do not matter any more.
                    rests = rested
                    learn(x, ply, i, depth)
                    break
        rests = min(rests, rested)
    leave(x, place)
    if rests >= place:
        rests = _NOWHERE
    x[RESTS + ply] = rests
    bound = LOWER if best >= beta else EXACT if best > floor else UPPER
    if rests != _NOWHERE and -SURE <= best <= SURE:
        bound = NONE
    if depth > 1:
        store(table, key, best, depth, bound, best_move, turn, x[AGE])
    return best


@jit
def search_root(
    x: Ints,
    table: Ints,
    turns: Ints,
    order: Ints,
    depth: int,
    alpha: int,
    beta: int,
    full: int,
    values: Ints,
    bounds: Ints,
    nodes: Ints,
) -> int:
    """Search the root's turns in *order*; write each one's value, what kind it is, and its nodes.

    *turns*: the two moves of each, the second -1 where there is none. With *full*, every turn gets its own value, not
    just the best one. Returns the best value; what was not reached before a stop has the bound NONE.
    """
    return _search_root(borrowed(x), borrowed(table), turns, order, depth, alpha, beta, full, values, bounds, nodes)


@jit
def _search_root(
    x: Ints,
    table: Ints,
    turns: Ints,
    order: Ints,
    depth: int,
    alpha: int,
    beta: int,
    full: int,
    values: Ints,
    bounds: Ints,
    nodes: Ints,
) -> int:
    base = x[BASE]
    enter(x, base, x[HASH])
    # The position between beating and adding can be no repetition: its place on the path stays empty.
    x[PATH + base + 1] = 0
    seat = x[SEAT]
    # As variables: machine code for numbers that are constant would be another function, which numba cannot keep.
    ply = x[NODES] * 0 + 2
    turn = ply - 1
    best = -INFINITE
    bounds[:] = NONE
    for k in range(len(order)):
        i = order[k]
        started = x[NODES]
        undo = make(x, turns[i, 0])
        undo_add = 0
        if turns[i, 1] >= 0:
            undo_add = make(x, turns[i, 1])
        sign = 1 if x[SEAT] == seat else -1
        low = -INFINITE if full else alpha
        high = INFINITE if full else beta
        value = low + 1
        less = 0
        if k > 0 and not full:
            if k >= 4 and depth >= 3 and best > -SURE:
                less = max(0, min(REDUCTION[min(depth, 31), min(k // 2, 31)] - 1, depth - 2))
            if sign > 0:
                value = search(x, table, depth - 1 - less, low, low + 1, ply, turn)
            else:
                value = -search(x, table, depth - 1 - less, -low - 1, -low, ply, turn)
        if k == 0 or full or (value > low and (less > 0 or value < high)):
            if sign > 0:
                value = search(x, table, depth - 1, low, high, ply, turn)
            else:
                value = -search(x, table, depth - 1, -high, -low, ply, turn)
        if turns[i, 1] >= 0:
            unmake(x, turns[i, 1], undo_add)
        unmake(x, turns[i, 0], undo)
        nodes[i] = x[NODES] - started
        if x[STOPPED]:
            break
        values[i] = value
        bounds[i] = LOWER if value >= high else UPPER if value <= low else EXACT
        if value > best:
            best = value
            if value > alpha and not full:
                alpha = value
                if value >= beta:
                    break
    leave(x, base)
    return best


@jit
def follow(x: Ints, table: Ints, line: Ints, count: int) -> int:
    """Go on in *line*, of which *count* moves are given, with the best moves that the table knows; return its length.

    Stops where nothing is known, the game is over or *line* is full.
    """
    undo = np.zeros(len(line), np.int64)
    x, table = borrowed(x), borrowed(table)
    length = 0
    while length < len(line) and not is_over(x):
        if length >= count:
            data = probe(table, x[HASH])
            moves = legal_mask(x)
            move = data_move(data) if data != 0 else _NO_MOVE
            if moves == 1 << UP:
                move = UP
            if move == _NO_MOVE or moves >> move & 1 == 0:
                break
            line[length] = move
        undo[length] = make(x, line[length])
        length += 1
    for at in range(length - 1, -1, -1):
        unmake(x, line[at], undo[at])
    return length
