"""Kernel against core on a million random nodes a preset, and how fast the kernel counts.

python -m pytest benchmarks/bench_kernel.py --timeout=0 -s
"""

from __future__ import annotations

import itertools
import os
import time

import pytest

from tests.core.playing import dealt
from tests.engine.agreement import Agreement
from yourtrumps.core import PRESETS, Rank, Rules
from yourtrumps.engine import kernel, machine

NODES = int(os.environ.get("YOURTRUMPS_BENCH_NODES", "1000000"))


@pytest.mark.parametrize("preset", PRESETS)
def test_kernel_agrees_with_core_on_a_million_nodes(preset: str) -> None:
    machine.load()
    agreement = Agreement()
    packs = itertools.cycle(range(8, 53, 4))
    for seed in itertools.count():
        if agreement.nodes >= NODES:
            break
        agreement.walk(Rules.of(preset, low=Rank(15 - next(packs) // 4), players=2), seed)
    print(f"\n{preset}: {agreement.nodes:,} nodes agree")


def test_perft_speed() -> None:
    machine.load()
    state = kernel.load(dealt(Rules.of("duel"), 1))
    kernel.perft(state, 2)
    for depth in itertools.count(4):
        started = time.perf_counter()
        count = int(kernel.perft(state, depth))
        took = time.perf_counter() - started
        if took > 1:
            print(f"\nperft {depth}: {count:,} in {took:.2f} s, {count / took / 1e6:.0f} million sequences/s")
            break
