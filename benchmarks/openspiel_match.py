"""Play the engine against OpenSpiel's Monte Carlo tree search, which has ten times the engine's time a turn.

    python benchmarks/openspiel_match.py [--games 100] [--seconds 0.02] [--opponent compiled] [--seed 1] [--processes 1]

Duels with 36 cards; each deal is played twice, the seats exchanged. Opponents:

``compiled``
    OpenSpiel's MCTS in Python, its leaves scored by playouts in machine code: random ones, or with ``--careless`` below
    100 mostly by the rule of thumb of ``yourtrumps.engine.playout``. By far the most simulations.
``plain``
    OpenSpiel's MCTS in C++ with its own random rollouts; needs OpenSpiel 2. Each move of a rollout goes through the
    Python game.

Both stop by the clock, not after a number of simulations: the one in C++ has a limit of that kind; in the one in Python
the step that begins a simulation looks at the clock. A move without a choice takes no time; to beat and to add share
the time of the turn, half each where both are a choice. Games of more than 400 turns are draws.

Progress goes to stderr; prints one JSON object. Needs the extra ``openspiel``.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from multiprocessing import get_context
from random import Random
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from yourtrumps.adapters.openspiel import YourTrumpsState, action_of, state_of
from yourtrumps.core import Phase, Rules, Suit, deal
from yourtrumps.engine import machine, playout
from yourtrumps.engine.search import Memory, Search, position_key

RULES = Rules.of("duel")
TRUMPS = (Suit.SPADES, Suit.HEARTS)
MOST_TURNS = 400
TIMES = 10


class CompiledPlayouts(mcts.Evaluator):  # type: ignore[misc]
    """Scores a state by one playout in machine code; for OpenSpiel's MCTS in Python."""

    def __init__(self, seed: int, careless: int) -> None:
        self._random = np.array([seed % 2147483646 + 1], np.int64)
        self._careless = careless
        self._play_out = machine.code(playout).play_out

    def evaluate(self, state: YourTrumpsState) -> np.ndarray[Any, Any]:
        position = state.position
        assert position is not None
        loser = self._play_out(playout.load(position), self._random, 2 * MOST_TURNS, self._careless)
        return np.array([0.0, 0.0] if loser < 0 else [-1.0, 1.0] if loser == 0 else [1.0, -1.0])

    def prior(self, state: YourTrumpsState) -> list[tuple[int, float]]:
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


class TimeIsUp(Exception):
    """Ends a search between two simulations."""


class CompiledOpponent(mcts.MCTSBot):  # type: ignore[misc]
    """OpenSpiel's MCTS in Python with a clock."""

    def __init__(self, game: Any, given: argparse.Namespace, seed: int) -> None:
        evaluator = CompiledPlayouts(seed, given.careless)
        super().__init__(game, given.uct, sys.maxsize, evaluator, random_state=np.random.RandomState(seed % 2**32))
        self._until = math.inf
        self._tree: Any = None

    def _apply_tree_policy(self, root: Any, state: Any) -> Any:
        self._tree = root
        if root.children and time.perf_counter() >= self._until:
            raise TimeIsUp
        return super()._apply_tree_policy(root, state)

    def choose(self, state: YourTrumpsState, seconds: float) -> tuple[int, int]:
        """Return an action and how many simulations it took."""
        self._until = time.perf_counter() + seconds
        try:
            root = self.mcts_search(state)
        except TimeIsUp:
            root = self._tree
        return root.best_child().action, root.explore_count


class PlainOpponent:
    """OpenSpiel's MCTS in C++."""

    def __init__(self, game: Any, given: argparse.Namespace, seed: int) -> None:
        seed %= 2**31
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
        # No limit but the clock, which each search is given.
        self._make = lambda seconds: pyspiel.MCTSBot(
            game, evaluator, given.uct, 2**31 - 1, 0, True, seed, False, max_wall_clock_time=seconds
        )

    def choose(self, state: YourTrumpsState, seconds: float) -> tuple[int, int]:
        # Not step(): that gives up Python's lock, and a state in Python is copied without it.
        root = self._make(seconds).mcts_search(state)
        return root.best_child().action, root.explore_count


OPPONENTS = {"compiled": CompiledOpponent, "plain": PlainOpponent}


@dataclass
class Played:
    """What a game, or several, came to, as the engine sees it."""

    results: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    turns: int = 0
    engine_turns: int = 0
    engine_seconds: float = 0
    engine_nodes: int = 0
    depths: int = 0
    searched_turns: int = 0
    searches: int = 0
    simulations: int = 0
    seconds: float = 0

    def add(self, other: Played) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def play(number: int, given: argparse.Namespace) -> Played:
    """Play game *number*: an even one and the next have the same deal."""
    engine_seat = number % 2
    chance = Random(f"{given.seed}-{number // 2}")
    state = state_of(deal(RULES, TRUMPS, 0, chance), max_moves=2 * MOST_TURNS)
    opponent = OPPONENTS[given.opponent](state.get_game(), given, Random(f"{given.seed}-{number}-bot").getrandbits(30))
    memory = Memory(given.memory)
    history: list[int] = []
    played = Played()
    while not state.is_terminal() and played.turns < MOST_TURNS:
        position = state.position
        assert position is not None
        if position.seat == engine_seat:
            found = Search(position, memory, history=history).run(seconds=given.seconds)
            for move in found.best.turn:
                state.apply_action(action_of(move))
            played.engine_turns += 1
            played.engine_seconds += found.seconds
            played.engine_nodes += found.nodes
            played.depths += found.depth
        else:
            play_turn(state, opponent, TIMES * given.seconds, played)
        history.append(position_key(position))
        played.turns += 1
    won = state.returns()[engine_seat]
    played.results["won" if won > 0 else "lost" if won < 0 else "drawn"] += 1
    played.reasons["too long" if state.outcome is None else state.outcome.reason.value] += 1
    return played


def play_turn(state: YourTrumpsState, opponent: Any, seconds: float, played: Played) -> None:
    """Let *opponent* play one turn."""
    searched = False
    while True:
        position = state.position
        assert position is not None
        actions = state.legal_actions()
        if len(actions) == 1:
            action = actions[0]
        else:
            # Who beats and then has two cards or more left has to choose again.
            again = position.phase is Phase.BEAT and len(position.hand) > 2
            started = time.perf_counter()
            action, simulations = opponent.choose(state, seconds / 2 if again or searched else seconds)
            played.seconds += time.perf_counter() - started
            played.searches += 1
            played.simulations += simulations
            searched = True
        state.apply_action(action)
        if state.is_terminal() or state.position.phase is not Phase.ADD:
            break
    played.searched_turns += searched


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0.02, help="of the engine, a turn")
    parser.add_argument("--opponent", choices=list(OPPONENTS), default="compiled")
    parser.add_argument("--careless", type=int, default=100, help="random moves in a hundred of compiled playouts")
    parser.add_argument("--uct", type=float, default=2.0, help="how much MCTS explores")
    parser.add_argument("--memory", type=float, default=64, help="MB of the engine")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    machine.load()
    started = time.perf_counter()
    total = Played()
    with ProcessPoolExecutor(given.processes, get_context("spawn"), initializer=machine.load) as pool:
        games = [pool.submit(play, number, given) for number in range(given.games)]
        for count, game in enumerate(as_completed(games), 1):
            if game.exception():
                pool.shutdown(cancel_futures=True)
            total.add(game.result())
            line = ", ".join(f"{name} {total.results[name]}" for name in ("won", "drawn", "lost"))
            print(f"\r{count} of {given.games} games: {line}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(json.dumps(report(total, given, time.perf_counter() - started)))


def report(total: Played, given: argparse.Namespace, seconds: float) -> dict[str, Any]:
    engine_turns, searched, searches = (max(1, n) for n in (total.engine_turns, total.searched_turns, total.searches))
    return {
        **vars(given),
        **{name: total.results[name] for name in ("won", "drawn", "lost")},
        "reasons": dict(total.reasons),
        "turns_per_game": round(total.turns / given.games, 1),
        "engine_seconds_per_turn": round(total.engine_seconds / engine_turns, 4),
        "engine_nodes_per_turn": round(total.engine_nodes / engine_turns),
        "engine_depth": round(total.depths / engine_turns, 1),
        "mcts_seconds_per_turn_with_a_choice": round(total.seconds / searched, 4),
        "mcts_simulations_per_move": round(total.simulations / searches),
        "mcts_simulations_per_second": round(total.simulations / max(total.seconds, 1e-9)),
        "seconds_taken": round(seconds),
    }


if __name__ == "__main__":
    main()
