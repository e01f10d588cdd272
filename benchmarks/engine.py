"""Measure the engine's search: speed, threads, depth, what a trace costs, and how well it plays.

    python benchmarks/engine.py speed            nodes a second, paired with plain alpha-beta in C++ (needs g++)
    python benchmarks/engine.py threads          time to a depth with one thread and with two
    python benchmarks/engine.py depth            depth reached in ten seconds, by pack
    python benchmarks/engine.py trace            what recording a trace costs
    python benchmarks/engine.py keeping          how often the best move of 12-card positions is chosen, without a table
    python benchmarks/engine.py match A B        games between two players of `yourtrumps selfplay`, at equal time

Each prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from yourtrumps.arena import selfplay
from yourtrumps.core import Phase, Position, Rank, Rules, Suit, deal, parse_position
from yourtrumps.engine import machine
from yourtrumps.engine.bench import POSITIONS
from yourtrumps.engine.evaluate import new_array
from yourtrumps.engine.kernel import rule_flags
from yourtrumps.engine.layout import KINDS, LOWEST, PHASES, RANKS, SIZES, SUITS
from yourtrumps.engine.search import Memory, Search
from yourtrumps.engine.smallgame import Options, Shape
from yourtrumps.engine.tablebase import Tablebase
from yourtrumps.engine.trace import Trace
from yourtrumps.players import Control, make_player

SOURCE = Path(__file__).with_name("reference.cpp")
MEGABYTES = 64


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(dest="part", required=True)
    speed = parts.add_parser("speed")
    speed.add_argument("--nodes", type=int, default=4_000_000, help="for each position")
    speed.add_argument("--rounds", type=int, default=3)
    threads = parts.add_parser("threads")
    threads.add_argument("--deals", type=int, default=20)
    threads.add_argument("--cards", type=int, default=36)
    threads.add_argument("--depth", type=int, default=15)
    depth = parts.add_parser("depth")
    depth.add_argument("--packs", default="16,20,24,36,52")
    depth.add_argument("--deals", type=int, default=20)
    depth.add_argument("--seconds", type=float, default=10)
    trace = parts.add_parser("trace")
    trace.add_argument("--seconds", type=float, default=1.0, help="about so long for each search")
    trace.add_argument("--rounds", type=int, default=5)
    keeping = parts.add_parser("keeping")
    keeping.add_argument("--positions", type=int, default=2000)
    keeping.add_argument("--seconds", type=float, default=0.1)
    match = parts.add_parser("match")
    match.add_argument("players", nargs=2)
    match.add_argument("--games", type=int, default=100)
    match.add_argument("--seconds", type=float, default=0.25)
    match.add_argument("--cards", type=int, default=36)
    match.add_argument("--processes", type=int, default=1)
    for part in parts.choices.values():
        part.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    machine.load()
    measure = {
        "speed": measure_speed,
        "threads": measure_threads,
        "depth": measure_depth,
        "trace": measure_trace,
        "keeping": measure_keeping,
        "match": measure_match,
    }[given.part]
    print(json.dumps(measure(given)))


def deals(cards: int, count: int, seed: int) -> Iterator[Position]:
    """Yield duels just dealt, trumps at random."""
    chance = random.Random(seed)
    rules = Rules.of("duel", low=Rank(15 - cards // 4))
    for _ in range(count):
        yield deal(rules, tuple(chance.sample(list(Suit), 2)), chance.randrange(2), chance)


# Nodes a second


def measure_speed(given: argparse.Namespace) -> dict[str, object]:
    """Search the positions of `yourtrumps bench` with the engine and with the reference in turn, on one thread each."""
    positions = [parse_position(code) for code in POSITIONS]
    memory = Memory(MEGABYTES)
    ours: list[list[float]] = [[] for _ in positions]
    theirs: list[list[float]] = [[] for _ in positions]
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(Path(folder))
        for _ in range(given.rounds):
            for at, position in enumerate(positions):
                memory.clear()
                search = Search(position, memory)
                found = search.run(nodes=given.nodes)
                ours[at].append(found.nodes / found.seconds)
                nodes, seconds, *_ = ask(program, [position], str(given.nodes), str(MEGABYTES))[0]
                theirs[at].append(nodes / seconds)
    rows = [(statistics.median(one), statistics.median(other)) for one, other in zip(ours, theirs, strict=True)]
    ratios = [one / other for one, other in rows]
    return {
        "nodes": given.nodes,
        "engine_nodes_per_second": round(statistics.geometric_mean(one for one, _ in rows)),
        "reference_nodes_per_second": round(statistics.geometric_mean(other for _, other in rows)),
        "ratio": round(statistics.geometric_mean(ratios), 3),
        "ratios": [round(ratio, 2) for ratio in ratios],
    }


def compiled(folder: Path) -> Path:
    """Return the reference program, compiled here and now."""
    program = folder / "reference"
    subprocess.run(["g++", "-O3", "-march=native", "-std=c++17", str(SOURCE), "-o", str(program)], check=True)
    return program


def ask(program: Path, positions: Sequence[Position], *arguments: str) -> list[list[float]]:
    """Return the reference's line of numbers for each of *positions*, which share rules and trumps."""
    first = positions[0]
    x = new_array(first)
    ranks = int(x[RANKS])
    kinds = [x[SUITS + int(at) : SUITS + int(at) + (1 << ranks)] for at in x[KINDS : KINDS + 8]]
    worths = [x[PHASES : PHASES + 7], x[SIZES : SIZES + 53], *kinds]
    words = [rule_flags(first), int(x[LOWEST]), ranks, *(int(worth) for part in worths for worth in part)]
    for position in positions:
        words += [1, *(sum(1 << int(card) for card in hand) for hand in position.hands)]
        words += [*map(int, position.trumps), position.seat, [Phase.LEAD, Phase.BEAT, Phase.ADD].index(position.phase)]
        words += [len(position.pile), *map(int, position.pile)]
    done = subprocess.run(
        [str(program), *arguments], input=" ".join(map(str, [*words, 0])), capture_output=True, text=True, check=True
    )
    return [[float(word) for word in line.split()] for line in done.stdout.splitlines()]


# Threads, depth, trace


def measure_threads(given: argparse.Namespace) -> dict[str, object]:
    """Search deals to a depth with one thread and with two, in turn, each from an empty table."""
    ratios, ones, twos = [], [], []
    memory = Memory(256)
    for number, position in enumerate(deals(given.cards, given.deals, given.seed)):
        took = {}
        for threads in (1, 2) if number % 2 else (2, 1):
            memory.clear()
            took[threads] = Search(position, memory, threads=threads).run(depth=given.depth).seconds
        ones.append(took[1])
        twos.append(took[2])
        ratios.append(took[1] / took[2])
    return {
        "cards": given.cards,
        "depth": given.depth,
        "deals": given.deals,
        "seconds_one": round(sum(ones), 1),
        "seconds_two": round(sum(twos), 1),
        "ratio_of_sums": round(sum(ones) / sum(twos), 2),
        "geometric_mean": round(statistics.geometric_mean(ratios), 2),
        "cores": os.cpu_count(),
    }


def measure_depth(given: argparse.Namespace) -> dict[str, object]:
    """Search deals for some seconds on one thread: how deep, and how many are proved."""
    told: dict[str, object] = {"seconds": given.seconds, "deals": given.deals}
    memory = Memory(256)
    for cards in map(int, given.packs.split(",")):
        depths, proved, speeds = [], 0, []
        for position in deals(cards, given.deals, given.seed):
            memory.clear()
            found = Search(position, memory).run(seconds=given.seconds)
            proved += found.best.proved is not None
            speeds.append(found.nodes / found.seconds)
            if found.best.proved is None:
                depths.append(found.depth)
        told[str(cards)] = {
            "proved": proved,
            "mean_depth_of_the_others": round(statistics.mean(depths), 1) if depths else None,
            "nodes_per_second": round(statistics.median(speeds)),
        }
    return told


def measure_trace(given: argparse.Namespace) -> dict[str, object]:
    """Search to the same number of nodes without and with a trace, in turn."""
    ratios = []
    memory = Memory(MEGABYTES)
    for number in range(given.rounds):
        for position in map(parse_position, POSITIONS):
            took = {}
            for is_on in (False, True) if number % 2 else (True, False):
                memory.clear()
                search = Search(position, memory)
                started = time.perf_counter()
                on_depth = Trace(search).record if is_on else None
                search.run(nodes=int(given.seconds * 4e6), on_depth=on_depth)
                took[is_on] = time.perf_counter() - started
            ratios.append(took[True] / took[False])
    return {
        "searches": len(ratios),
        "cost": round(statistics.median(ratios) - 1, 4),
        "geometric_mean_cost": round(statistics.geometric_mean(ratios) - 1, 4),
    }


# How well it plays


def measure_keeping(given: argparse.Namespace) -> dict[str, object]:
    """Ask the strongest level for moves in 12-card duels, no table at hand, and look them up in one."""
    rules = Rules.of("duel", low=Rank.QUEEN)
    table = Tablebase.build(Shape.of_pack(3), Options.of(rules), threads=os.cpu_count() or 1)
    chance = random.Random(given.seed)
    kept = total = 0
    failed = []
    with tempfile.TemporaryDirectory() as empty:
        os.environ["YOURTRUMPS_DATA"] = empty
        for position, best in positions_with_a_choice(rules, table, chance):
            player = make_player("level:8", seed=1, seconds=given.seconds)
            move = player.choose(position.view_for(position.seat), Control())
            total += 1
            if move in best:
                kept += 1
            else:
                failed.append(str(position))
            if total == given.positions:
                break
    return {
        "positions": total,
        "seconds": given.seconds,
        "kept": kept,
        "share": round(kept / total, 5),
        "failed": failed[:10],
    }


def positions_with_a_choice(
    rules: Rules, table: Tablebase, chance: random.Random
) -> Iterator[tuple[Position, set[object]]]:
    """Yield positions met in games, in which some turn keeps the value and another does not, with the moves that do.

    Half of the games' moves are at random, the others keep the value, so that games do not drift into one-sided ends.
    """
    while True:
        position = deal(rules, tuple(chance.sample(list(Suit), 2)), chance.randrange(2), chance)
        for _ in range(60):
            if position.is_over:
                break
            turns = table.turns(position)
            known = [turn for turn in turns if turn.worth]
            value = max(turn.worth.value for turn in known)
            best = {turn.moves[0] for turn in known if turn.worth.value == value}
            if any(move not in best for move in position.legal_moves()):
                yield position, best
            moves = sorted(best, key=str) if chance.random() < 0.5 else position.legal_moves()
            position = position.after(chance.choice(moves))


def measure_match(given: argparse.Namespace) -> dict[str, object]:
    """Play games, the deals each from both sides, and count."""
    rules = Rules.of("duel", low=Rank(15 - given.cards // 4))
    results = list(
        selfplay(given.games, given.players, rules, given.seed, seconds=given.seconds, processes=given.processes)
    )
    points = [result.points(0) for result in results]
    wins, draws = points.count(1.0), points.count(0.5)
    score = (wins + draws / 2) / len(results)
    return {
        "players": given.players,
        "seconds": given.seconds,
        "games": len(results),
        "wins": wins,
        "draws": draws,
        "losses": len(results) - wins - draws,
        "score": round(score, 3),
        "error": round(math.sqrt(score * (1 - score) / len(results)), 3),
    }


if __name__ == "__main__":
    main()
