"""Measure the exact part of the engine: the 12-card table, and the share of larger deals that are proved.

    python benchmarks/solve.py [--table] [--probe N] [--proofs 16,20,24] [--deals 100] [--seconds 10]

Prints one JSON object a line.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import tempfile
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from yourtrumps.core import Position, Rank, Rules, Suit, deal, parse_rules
from yourtrumps.engine.proof import Budget
from yourtrumps.engine.prover import Prover
from yourtrumps.engine.smallgame import Options, Shape
from yourtrumps.engine.tablebase import Tablebase, build_table, open_table

TRUMPS = (Suit.SPADES, Suit.HEARTS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", action="store_true", help="build, verify and probe the 12-card table")
    parser.add_argument("--rules", default="duel")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--probe", type=int, default=100_000, help="positions to probe")
    parser.add_argument("--proofs", default="", help="pack sizes, such as 16,20,24")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--memory", type=int, default=512, help="MB of a proof search")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.table:
        print(json.dumps(measure_table(parse_rules(given.rules, Rank.QUEEN), given.threads, given.probe)), flush=True)
    for cards in [int(part) for part in given.proofs.split(",") if part]:
        print(json.dumps(measure_proofs(parse_rules(given.rules, Rank(15 - cards // 4)), given)), flush=True)


def measure_table(rules: Rules, threads: int, count: int) -> dict[str, object]:
    """Build the table in a temporary directory and return what it cost and what it says of the deals."""
    Tablebase.build(Shape.of_pack(2), Options.of(rules), threads=threads, count_dealt=True)  # compiles
    with tempfile.TemporaryDirectory() as directory:
        started = time.perf_counter()
        table, path = build_table(rules, Path(directory) / "bench.tablebase", threads=threads)
        built = time.perf_counter() - started
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        table = open_table(rules, path)
        started = time.perf_counter()
        counts = table.verify()
        verified = time.perf_counter() - started
        positions = random_positions(rules, count)
        started = time.perf_counter()
        table.probe_many(positions)
        probed = time.perf_counter() - started
        return {
            "rules": rules.preset,
            "build_seconds": round(built, 1),
            "peak_mb": round(memory),
            "file_bytes": path.stat().st_size,
            "verify_seconds": round(verified, 2),
            "probes_per_second": round(count / probed),
            "positions_from_equal_deals": table.dealt,
            **asdict(counts),
            "deals": deal_values(table, rules),
        }


def deal_values(table: Tablebase, rules: Rules) -> dict[str, dict[str, int]]:
    """Return how all equal deals, and the mirrored ones, end for the first seat, who leads."""
    from itertools import combinations

    from yourtrumps.core import Phase, sort_cards

    pairs = {Suit.SPADES: Suit.HEARTS, Suit.HEARTS: Suit.SPADES, Suit.CLUBS: Suit.DIAMONDS, Suit.DIAMONDS: Suit.CLUBS}
    names = {1: "won", 0: "drawn", -1: "lost"}
    totals: dict[str, Counter[str]] = {"all": Counter(), "mirrored": Counter()}
    for hand in combinations(rules.pack, len(rules.pack) // 2):
        other = sort_cards(set(rules.pack) - set(hand))
        worth = table.probe(Position(rules, TRUMPS, (hand, other), (), 0, Phase.LEAD))
        assert worth is not None
        totals["all"][names[worth.value]] += 1
        held = {(card.suit, card.rank) for card in other}
        if {(pairs[card.suit], card.rank) for card in hand} == held:
            totals["mirrored"][names[worth.value]] += 1
    return {name: dict(total) for name, total in totals.items()}


def random_positions(rules: Rules, count: int) -> list[Position]:
    """Return positions from games of random moves."""
    chance = random.Random(5)
    found: list[Position] = []
    while len(found) < count:
        position = deal(rules, TRUMPS, 0, chance)
        while not position.is_over and len(found) < count:
            if position.phase.value != "add":
                found.append(position)
            position = position.after(chance.choice(position.legal_moves()))
    return found


def measure_proofs(rules: Rules, given: argparse.Namespace) -> dict[str, object]:
    """Return how many of some random deals are proved in the time given."""
    chance = random.Random(given.seed)
    totals: Counter[str] = Counter()
    nodes = 0
    seconds = 0.0
    Prover(deal(rules, TRUMPS, 0, chance), 1).value(Budget(nodes=1000))
    for _ in range(given.deals):
        search = Prover(deal(rules, TRUMPS, 0, chance), given.memory)
        budget = Budget(seconds=given.seconds)
        value = search.value(budget)
        totals["unknown" if value is None else {1: "win", 0: "draw", -1: "loss"}[value]] += 1
        nodes += search.nodes
        seconds += budget.spent
    return {
        "rules": rules.preset,
        "cards": len(rules.pack),
        "deals": given.deals,
        "seconds_each": given.seconds,
        "proved": round(1 - totals["unknown"] / given.deals, 3),
        **totals,
        "nodes_per_second": round(nodes / seconds),
    }


if __name__ == "__main__":
    main()
