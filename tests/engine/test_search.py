"""The search: true where it says proved, the same on every run, honest under repetition, and quick to stop."""

from __future__ import annotations

import json
import logging
import random
import threading

import numpy as np
import pytest

from tests.engine.plain_solver import REFERENCE, whole_preset
from yourtrumps.core import OptionError, Phase, Position, Rank, Rules, Suit, deal, format_move, parse_position
from yourtrumps.engine import alphabeta, machine
from yourtrumps.engine import search as searching
from yourtrumps.engine.search import EXACT, Memory, Search, position_key, turns_of

ENTRIES = json.loads((REFERENCE / "solved.json").read_text())
NAMES = {1: "win", -1: "loss"}
OPENING = deal(Rules.of("duel"), (Suit.SPADES, Suit.HEARTS), 0, random.Random(5))


def test_reference_values_are_kept_and_what_is_proved_is_true() -> None:
    memory = Memory(8)
    proved = 0
    for entry in ENTRIES:
        memory.clear()
        found = Search(parse_position(entry["position"]), memory).run(nodes=60_000)
        assert entry["moves"][format_move(found.best.turn[0])] == entry["value"], entry["position"]
        for scored in found.turns:
            if scored.proved is not None and scored.bound == EXACT:
                assert entry["moves"][format_move(scored.turn[0])] in (NAMES[scored.proved], entry["value"])
        if found.best.proved is not None:
            proved += 1
            assert NAMES[found.best.proved] == entry["value"], entry["position"]
    # Draws cannot be proved by a search of this kind; wins and losses mostly are.
    assert proved > 0.7 * sum(entry["value"] != "draw" for entry in ENTRIES)


@pytest.mark.parametrize("preset", ["duel", "party", "russian", "cambridge"])
def test_proofs_stay_true_when_positions_share_one_table(preset: str) -> None:
    # A draw by repetition holds on its path alone: were it kept, later positions would get false values.
    exact = whole_preset(preset)
    chance = random.Random(1)
    positions = chance.sample([position for position in exact if position.legal_moves()], 250)
    memory = Memory(4)
    proved = 0
    for position in positions:
        path = [position_key(other) for other in chance.sample(positions, 20)]
        Search(position, memory, history=path).run(nodes=3000)
        found = Search(position, memory).run(nodes=20_000)
        if found.best.proved is not None:
            proved += 1
            assert found.best.proved == exact[position][0], position
            assert found.best.turns is not None
            assert found.best.turns >= (exact[position][1] or 0)
    assert proved > 100


def test_coming_back_to_an_earlier_position_counts_as_a_draw() -> None:
    position = parse_position("Q SH KSAS/QDKD AHQC 1 beat")
    free = Search(position).run(depth=1, full=True)
    after = position
    for move in free.best.turn:
        after = after.after(move)
    bound = Search(position, history=[position_key(after)]).run(depth=1, full=True)
    values = {scored.turn: scored.value for scored in bound.turns}
    assert free.best.value != 0
    assert values[free.best.turn] == 0
    assert Search(position).run(depth=1, full=True).turns == free.turns


@pytest.mark.parametrize("low", [13, 12, 10, 6, 2])
@pytest.mark.parametrize("preset", ["duel", "party", "russian", "cambridge"])
def test_plain_python_searches_as_machine_code_does(preset: str, low: int, monkeypatch: pytest.MonkeyPatch) -> None:
    position = deal(Rules.of(preset, low=Rank(low), players=2), (Suit.CLUBS, Suit.HEARTS), 1, random.Random(3))
    fast = Search(position, Memory(1)).run(depth=4, nodes=3000)
    monkeypatch.setattr(machine, "code", machine.plain)
    slow = Search(position, Memory(1)).run(depth=4, nodes=3000)
    assert (slow.turns, slow.depth, slow.nodes) == (fast.turns, fast.depth, fast.nodes)


def test_search_is_the_same_again() -> None:
    one, two = (Search(OPENING, Memory(4)).run(nodes=30_000) for _ in range(2))
    assert (one.turns, one.depth, one.nodes) == (two.turns, two.depth, two.nodes)
    assert 30_000 <= one.nodes < 30_600


def test_full_search_values_every_turn_by_itself() -> None:
    found = Search(OPENING).run(depth=3, full=True)
    assert {scored.turn for scored in found.turns} == set(turns_of(OPENING))
    assert all(scored.bound == EXACT for scored in found.turns)
    assert [scored.value for scored in found.turns] == sorted((scored.value for scored in found.turns), reverse=True)
    assert found.best.value == Search(OPENING).run(depth=3).best.value


def test_search_in_the_middle_of_a_turn_weighs_the_cards_to_add() -> None:
    position = parse_position("6 SH 6S7S9C/8HTDAD QCKCAC 0 add")
    assert turns_of(position) == tuple((card,) for card in position.hand)
    assert Search(position).run(depth=4).best.turn[0] in position.legal_moves()


def test_two_threads_find_the_win_that_one_finds() -> None:
    position = parse_position("Q SH QSKC/AHKD - 0 lead")
    assert Search(position, threads=2).run(depth=20).best.proved == Search(position).run(depth=20).best.proved


def test_stop_ends_a_search_that_has_no_limit() -> None:
    search = Search(OPENING, Memory(8))
    deep = threading.Event()
    found: list[searching.Found] = []
    thread = threading.Thread(target=lambda: found.append(search.run(on_depth=lambda now: deep.set())))
    thread.start()
    assert deep.wait(60)
    search.stop()
    thread.join(60)
    assert not thread.is_alive()
    assert found[0].best.turn in turns_of(OPENING)
    assert found[0].depth < searching.DEEPEST


def test_search_asks_whether_to_stop_and_keeps_to_its_time() -> None:
    asked: list[int] = []
    found = Search(OPENING).run(stop=lambda: len(asked) > 3 or asked.append(0) is not None)
    assert len(asked) == 4
    assert found.best.turn in turns_of(OPENING)
    assert Search(OPENING).run(seconds=0.05).seconds < 10


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ({"seconds": 0}, "seconds: expected more than nought"),
        ({"seconds": -1.0}, "seconds: expected more than nought"),
        ({"seconds": float("nan")}, "seconds: expected more than nought"),
        ({"nodes": 0}, "nodes: expected more than nought"),
        ({"depth": 0}, "depth: expected a number from 1 to"),
        ({"depth": 1000}, "depth: expected a number from 1 to"),
    ],
)
def test_run_refuses_limits_out_of_range(limit: dict[str, float], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Search(OPENING).run(**limit)  # type: ignore[arg-type]


def test_search_refuses_what_it_cannot_search() -> None:
    with pytest.raises(OptionError, match="position: expected one with a move to make"):
        Search(parse_position("6 SH -/8H QC 1 beat"))
    with pytest.raises(OptionError, match="players: expected 2"):
        Search(deal(Rules.of("party", players=3), (Suit.CLUBS, Suit.HEARTS, Suit.SPADES), 0, random.Random(1)))
    with pytest.raises(OptionError, match="threads: expected"):
        Search(OPENING, threads=0)
    with pytest.raises(OptionError, match="memory: expected"):
        Memory(0)


def test_memory_takes_less_where_there_is_not_enough(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def scarce(entries: int) -> np.ndarray:
        if entries > 1 << 16:
            raise MemoryError
        return np.zeros(2 * entries, np.int64)

    monkeypatch.setattr(searching, "new_table", scarce)
    with caplog.at_level(logging.WARNING):
        memory = Memory(64)
    assert memory.megabytes == 1
    assert "so the table has 1 MB" in caplog.text
    assert Search(OPENING, memory).run(depth=3).depth == 3


def test_table_keeps_what_it_is_given() -> None:
    table = alphabeta.new_table(1 << 10)
    chance = random.Random(2)
    kept = {}
    for _ in range(200):
        key = chance.randrange(-(1 << 62), 1 << 62)
        kept[key] = value, depth, bound, move = (
            chance.randrange(-12_000, 12_000), chance.randrange(60), chance.randrange(1, 4), chance.randrange(53)
        )  # fmt: skip
        alphabeta.store(table, key, value, depth, bound, move, 0, 1)
    found = 0
    for key, (value, depth, bound, move) in kept.items():
        data = int(alphabeta.probe(table, key))
        if data:
            found += 1
            assert alphabeta.data_value(data, 0) == value
            assert (alphabeta.data_depth(data), alphabeta.data_bound(data)) == (depth, bound)
            assert alphabeta.data_move(data) == move
    assert found > 190


def test_won_games_are_worth_less_the_longer_they_take() -> None:
    table = alphabeta.new_table(1 << 10)
    alphabeta.store(table, 5, alphabeta.WIN - 9, 3, alphabeta.EXACT, 1, 4, 1)
    # Five turns from here, and so eight from a root three turns before.
    data = int(alphabeta.probe(table, 5))
    assert alphabeta.data_value(data, 0) == alphabeta.WIN - 5
    assert alphabeta.data_value(data, 3) == alphabeta.WIN - 8


def test_whole_games_of_the_search_end(monkeypatch: pytest.MonkeyPatch) -> None:
    position: Position = deal(Rules.of("duel", low=Rank.TEN), (Suit.SPADES, Suit.HEARTS), 0, random.Random(2))
    memory, history = Memory(4), []
    for _ in range(300):
        if position.is_over:
            break
        search = Search(position, memory, history=history)
        history.append(position_key(position))
        for move in search.run(nodes=3000).best.turn:
            position = position.after(move)
        assert position.phase is not Phase.ADD
    assert position.is_over
