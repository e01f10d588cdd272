"""How fast the core is: moves a second of random playouts, and perft, in plain Python.

``make bench`` runs it, or ``python benchmarks/bench_core.py``. Fewer than 100,000 moves a second are a failure.
"""

from __future__ import annotations

import random
import sys
import time

import pytest

from yourtrumps.core import Position, Repetitions, Rules, Suit, deal, parse_position, perft

AIM = 100_000
PRESETS = [("duel", 2), ("party", 2), ("party", 4), ("russian", 2), ("cambridge", 2)]
PERFT = ("Q CS QDKDADKHAHKS/QCKCACQHQSAS - 0 lead", 9)


def playout(start: Position, chance: random.Random, most: int) -> int:
    """Play random moves from *start* to the end, or *most* of them; return how many, threefold included."""
    position = start
    repetitions = Repetitions()
    repetitions.add(position)
    for number in range(most):
        moves = position.legal_moves()
        if not moves:
            return number
        position = position.after(moves[int(chance.random() * len(moves))])
        if repetitions.add(position) >= 3:
            return number + 1
    return most


def playout_speed(rules: Rules, seconds: float) -> float:
    """Return the moves a second of playouts that take about *seconds*."""
    chance = random.Random(1)
    moves, spent = 0, 0.0
    while spent < seconds:
        trumps = tuple(chance.sample(list(Suit), rules.players))
        start = deal(rules, trumps, 0, chance)
        began = time.perf_counter()
        moves += playout(start, chance, 20_000)
        spent += time.perf_counter() - began
    return moves / spent


def perft_speed() -> float:
    """Return the move sequences a second that perft counts."""
    code, depth = PERFT
    began = time.perf_counter()
    counts = perft(parse_position(code), depth)
    return sum(counts) / (time.perf_counter() - began)


@pytest.mark.parametrize(("preset", "players"), PRESETS, ids=str)
def test_random_playout_makes_enough_moves_a_second(preset: str, players: int) -> None:
    rules = Rules.of(preset, players=players)
    # The best of three: what else the machine does can only slow it down.
    speed = max(playout_speed(rules, 1.0) for _ in range(3))
    print(f"random playout, {preset} of {players}: {speed:,.0f} moves/s")
    assert speed >= AIM


def test_perft_is_counted() -> None:
    speed = perft_speed()
    print(f"perft: {speed:,.0f} sequences/s")
    assert speed > 0


if __name__ == "__main__":
    sys.exit(pytest.main([__file__, "-q", "-s", "--timeout=0"]))
