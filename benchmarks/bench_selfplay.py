"""Many games between built-in players: that every one ends without an error, and how strong the thinking player is.

``make bench`` runs it, or ``python benchmarks/bench_selfplay.py``. It takes about twenty minutes on two cores;
``YOURTRUMPS_BENCH_GAMES=100`` plays fewer games.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter

import pytest

from yourtrumps.arena import selfplay, standings
from yourtrumps.core import Rules

GAMES = int(os.environ.get("YOURTRUMPS_BENCH_GAMES", "10000"))
PROCESSES = os.cpu_count() or 1
PRESETS = [("duel", 2), ("party", 2), ("party", 3), ("party", 4), ("russian", 2), ("cambridge", 2)]
PAIRS = ["greedy,random", "greedy,greedy"]
SECONDS = 0.25


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize(("preset", "players"), PRESETS, ids=str)
def test_every_game_ends(preset: str, players: int, pair: str) -> None:
    # The pairs share the games of a preset.
    games = max(1, GAMES // len(PAIRS))
    # Only one seat plays at random: two of them left over play on for thousands of moves.
    first, second = pair.split(",")
    specs = [*[first] * (players - 1), second]
    began = time.perf_counter()
    reasons: Counter[str] = Counter()
    lengths = []
    for result in selfplay(games, specs, Rules.of(preset, players=players), seed=1, processes=PROCESSES):
        outcome = result.record.check().outcome
        assert outcome is not None, result.number
        reasons[outcome.reason.value] += 1
        lengths.append(len(result.record.moves))
    assert reasons.total() == games
    ends = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
    print(
        f"{preset} of {players}, {pair}: {games} games ended ({ends}); {sum(lengths) / games:.0f} moves a game, "
        f"longest {max(lengths)}; {time.perf_counter() - began:.0f} s"
    )


def test_thinking_player_beats_greedy_in_four_of_five() -> None:
    games = min(200, GAMES)
    specs = ["thinking", "greedy"]
    results = list(selfplay(games, specs, Rules.of("duel"), seed=7, seconds=SECONDS, processes=PROCESSES))
    thinking, _ = standings(specs, results)
    print(f"thinking at {SECONDS} s a move: won {thinking.wins}, drawn {thinking.draws}, lost {thinking.losses}")
    assert thinking.wins >= 0.8 * games


if __name__ == "__main__":
    sys.exit(pytest.main([__file__, "-q", "-s", "--timeout=0"]))
