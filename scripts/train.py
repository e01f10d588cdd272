"""Learn what positions are worth from the engine's own games, and write ``yourtrumps/engine/weights.json``.

    python scripts/train.py [--presets duel,party] [--packs 24,36] [--games 400] [--rounds 3] [--nodes 2000]

Each round plays games with the weights so far, at a fixed number of nodes a turn and some turns at random. Then it fits
a logistic regression on the features of all quiet positions in them: of a mean of the game's result (a draw is a half)
and of the chance that the search gave there, held to the weights so far by a ridge. New weights are taken if they fit
games held back better than the old ones. Begins from the weights stored, else from those of the duel with 36 cards;
``--afresh`` from a guess.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from yourtrumps import engine
from yourtrumps.core import THREEFOLD, Phase, Rank, Repetitions, Rules, Suit, deal
from yourtrumps.engine import machine
from yourtrumps.engine.evaluate import Weights, features, first_weights, stored_weights, weights_name
from yourtrumps.engine.search import Memory, Search, position_key

PLACE = Path(engine.__file__).parent / "weights.json"
PRESETS = ("duel", "party", "russian", "cambridge")
PACKS = range(8, 53, 4)
MOST_TURNS = 400
RANDOM_TURNS = 24
CHANCE_OF_RANDOM = 0.12
RIDGE = 10.0
LEAN = 0.6
MEGABYTES = 2
BEST_KNOWN = "0-36"
"""Where a pack without weights begins from."""


@dataclass(frozen=True)
class Played:
    """One game: what its quiet positions look like to the seat to move, and what that seat got."""

    rows: NDArray[np.float32]
    results: NDArray[np.float32]
    points: float
    """What seat 0 got."""


def play(rules: Rules, weights: tuple[Weights, Weights], nodes: int, seed: str, explore: bool) -> Played:
    """Play one game, seat by seat with its own weights."""
    chance = random.Random(seed)
    trumps = tuple(chance.sample(list(Suit), 2))
    position = deal(rules, trumps, chance.randrange(2), chance)
    memories = (Memory(MEGABYTES), Memory(MEGABYTES))
    repetitions, history = Repetitions(), []
    rows, seats, looks = [], [], []
    for number in range(MOST_TURNS):
        if position.is_over or repetitions.add(position) >= THREEFOLD:
            break
        quiet = position.phase is Phase.LEAD or bool(position.beating())
        if quiet:
            looks.append(np.nan)
            rows.append(features(position).astype(np.float32))
            seats.append(position.seat)
        search = Search(position, memories[position.seat], history=history, weights=weights[position.seat])
        if explore and number < RANDOM_TURNS and chance.random() < CHANCE_OF_RANDOM:
            turn = chance.choice(search.turns)
        elif len(search.turns) == 1:
            turn = search.turns[0]
        else:
            best = search.run(nodes=nodes).best
            turn = best.turn
            if quiet:
                looks[-1] = best.chance
        history.append(position_key(position))
        for move in turn:
            position = position.after(move)
    outcome = position.outcome
    points = 0.5 if outcome is None or outcome.is_draw else 1.0 if 0 in outcome.winners else 0.0
    results = np.array([points if seat == 0 else 1 - points for seat in seats], np.float32)
    # The result of a whole game says little about one position in it; what the search saw from there says more.
    looked = np.array(looks, np.float32)
    results = np.where(np.isnan(looked), results, LEAN * looked + (1 - LEAN) * results).astype(np.float32)
    return Played(np.array(rows, np.float32), results, points)


def fit(rows: NDArray[np.float64], results: NDArray[np.float64], start: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights of a logistic regression with a ridge around *start*, by Newton's method."""

    def cost(weights: NDArray[np.float64]) -> float:
        return loss(rows, results, weights) * len(rows) + RIDGE / 2 * float(np.square(weights - start).sum())

    weights = start.copy()
    for _ in range(30):
        chances = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (results - chances) - RIDGE * (weights - start)
        bend = (rows * (chances * (1 - chances))[:, None]).T @ rows + RIDGE * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        # Newton's step overshoots far from the goal: halve it until it is one down.
        before = cost(weights)
        while cost(weights + step) > before and np.abs(step).max() > 1e-6:
            step /= 2
        weights = weights + step
        if np.abs(step).max() < 1e-4:
            break
    return weights


def loss(rows: NDArray[np.float64], results: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """Return the mean log loss in nats."""
    chances = np.clip(1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30))), 1e-9, 1 - 1e-9)
    return float(-np.mean(results * np.log(chances) + (1 - results) * np.log(1 - chances)))


def match(
    pool: ProcessPoolExecutor, rules: Rules, new: Weights, old: Weights, games: int, nodes: int, seed: str
) -> float:
    """Return the share of points of *new*, every deal played from both sides."""
    seeds = [f"{seed}:{number // 2}" for number in range(games)]
    first = pool.map(partial(_play_one, rules, (new, old), nodes, False), seeds[::2], chunksize=4)
    second = pool.map(partial(_play_one, rules, (old, new), nodes, False), seeds[1::2], chunksize=4)
    return (sum(game.points for game in first) + sum(1 - game.points for game in second)) / (2 * len(seeds[::2]))


def _play_one(rules: Rules, weights: tuple[Weights, Weights], nodes: int, explore: bool, seed: str) -> Played:
    return play(rules, weights, nodes, seed, explore)


def learn(pool: ProcessPoolExecutor, rules: Rules, weights: Weights, given: argparse.Namespace) -> Iterator[Weights]:
    """Yield better and better weights."""
    name = f"{rules.preset}-{len(rules.pack)}"
    for number in range(given.rounds):
        seeds = [f"{given.seed}:{name}:{number}:{game}" for game in range(given.games)]
        games = list(pool.map(partial(_play_one, rules, (weights, weights), given.nodes, True), seeds, chunksize=8))
        start = weights.vector()
        rows, results = _joined(games[: -len(games) // 5])
        new = Weights.of_vector(fit(rows, results, start), len(rules.pack) // 4)
        # Positions of one game share its result, so whole games are held back to judge by.
        held_rows, held_results = _joined(games[-len(games) // 5 :])
        before, after = (loss(held_rows, held_results, one) for one in (start, new.vector()))
        text = f"{name}, round {number + 1}: {len(rows)} positions, log loss held back {before:.4f} -> {after:.4f}"
        if given.match:
            share = match(pool, rules, new, weights, given.match, given.nodes, f"{given.seed}:{name}:{number}:match")
            text += f"; the new weights scored {share:.1%}"
        print(text, flush=True)
        if after > before:
            break
        weights = new
        yield weights


def _joined(games: list[Played]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    rows = np.concatenate([game.rows for game in games]).astype(np.float64)
    return rows, np.concatenate([game.results for game in games]).astype(np.float64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--presets", default=",".join(PRESETS))
    parser.add_argument("--packs", default=",".join(map(str, PACKS)))
    parser.add_argument("--games", type=int, default=400, help="a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--nodes", type=int, default=2000, help="a turn")
    parser.add_argument("--match", type=int, default=0, help="games of the new weights against the old, to see")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--afresh", action="store_true", help="begin from a guess")
    given = parser.parse_args()
    machine.load()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(given.processes, mp_context=context, initializer=machine.load) as pool:
        for preset in given.presets.split(","):
            for cards in map(int, given.packs.split(",")):
                rules = Rules.of(preset, low=Rank(15 - cards // 4), players=2)
                name = weights_name(deal(rules, (Suit.CLUBS, Suit.DIAMONDS), 0, random.Random(0)))
                kept = {} if not PLACE.exists() else stored_weights()["weights"]
                weights = first_weights(cards // 4)
                if not given.afresh and name in kept:
                    weights = Weights.of_json(kept[name])
                elif not given.afresh and BEST_KNOWN in kept:
                    weights = Weights.of_json(kept[BEST_KNOWN]).stretched(cards // 4)
                if name not in kept:
                    # So that every game has a set of its own, even where the first round learns nothing new.
                    write(name, weights, given)
                for better in learn(pool, rules, weights, given):
                    write(name, better, given)


def write(name: str, weights: Weights, given: argparse.Namespace) -> None:
    """Keep a set of weights and how it was made."""
    stored = json.loads(PLACE.read_text(encoding="utf-8")) if PLACE.exists() else {"made": {}, "weights": {}}
    if not isinstance(stored["made"], dict):
        stored["made"] = {}
    stored["made"][name] = (
        f"scripts/train.py --games {given.games} --rounds {given.rounds} --nodes {given.nodes} --seed {given.seed}"
    )
    stored["weights"][name] = asdict(weights)
    text = json.dumps(stored, indent=1, sort_keys=True)
    PLACE.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
