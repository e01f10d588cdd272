"""Exact values: the reference, the plain solver, proofs that hold under repetition, and honest limits."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.engine.plain_solver import REFERENCE, solve_all, turns_of, whole_game, whole_preset
from yourtrumps.core import (
    NotationError,
    OptionError,
    Phase,
    Position,
    Rank,
    Rules,
    Suit,
    deal,
    format_move,
    format_position,
    parse_position,
    parse_rules,
)
from yourtrumps.engine import solve as solving
from yourtrumps.engine.proof import Answer, Budget, ProofSearch
from yourtrumps.engine.prover import prove_value
from yourtrumps.engine.smallgame import Options, Shape
from yourtrumps.engine.solve import solution_json, solve, solve_many, table_line
from yourtrumps.engine.tablebase import Tablebase, TablebaseError, table_path

ENTRIES = json.loads((REFERENCE / "solved.json").read_text())
KING = [entry for entry in ENTRIES if entry["position"].startswith("K")]
QUEEN = [entry for entry in ENTRIES if entry["position"].startswith("Q")]
NAMES = {1: "win", 0: "draw", -1: "loss"}
pytestmark = pytest.mark.usefixtures("no_tables")


def _keeping(entry: dict[str, Any]) -> set[str]:
    return {move for move, value in entry["moves"].items() if value == entry["value"]}


def test_small_reference_positions_have_their_value_and_moves() -> None:
    answers = list(solve_many(entry["position"] for entry in KING))
    assert [(answer["value"], set(answer["best"])) for answer in answers] == [
        (entry["value"], _keeping(entry)) for entry in KING
    ]


def test_larger_reference_positions_are_proved_without_a_table() -> None:
    # Every fifth, and all draws: they are the hard ones.
    chosen = [entry for at, entry in enumerate(QUEEN) if at % 5 == 0 or entry["value"] == "draw"]
    answers = list(solve_many((entry["position"] for entry in chosen), seconds=20))
    assert [(answer["value"], set(answer["best"])) for answer in answers] == [
        (entry["value"], _keeping(entry)) for entry in chosen
    ]


@pytest.mark.parametrize("preset", ["duel", "party", "russian", "cambridge"])
def test_proof_search_agrees_with_plain_solver(preset: str) -> None:
    known = whole_preset(preset)
    for position in random.Random(8).sample(list(known), 60):
        search = ProofSearch(position, memory_mb=1)
        assert prove_value(search, Budget(nodes=2_000_000)) == known[position][0], format_position(position)


@pytest.mark.parametrize("preset", ["duel", "russian", "cambridge"])
def test_moves_that_keep_the_value_agree_between_proof_and_table(preset: str) -> None:
    rules = parse_rules(preset, Rank.KING)
    known = random.Random(9).sample(list(whole_preset(preset)), 25)
    for position in (Position(rules, p.trumps, p.hands, p.pile, p.seat, p.phase) for p in known):
        table = solve(position)
        proof = solving._prove(position, Budget(nodes=2_000_000), 1)
        assert (proof.value, proof.best) == (table.value, table.best)
        assert proof.is_complete


def test_turns_and_moves_agree_with_plain_solver_in_add_positions() -> None:
    known = whole_game(False, "3-5-all", "next")
    for position in random.Random(3).sample(list(known), 100):
        for move in position.legal_moves():
            adding = position.after(move)
            if adding.phase is not Phase.ADD:
                continue
            values = {}
            for card in adding.legal_moves():
                after = adding.after(card)
                if after.is_over:
                    values[card] = 0 if after.outcome.is_draw else 1
                else:
                    values[card] = -known[after][0]
            solution = solve(adding)
            best = max(values.values())
            assert solution.value == NAMES[best]
            assert solution.best == tuple(card for card in values if values[card] == best)


@pytest.mark.parametrize(
    "code",
    [
        "K CD KCAC/KDAD KHKSAHAS 0 beat",
        "K CD KCAC/KDADKS KHASAH 1 beat",
        "K CD KSAS/KHAHKC ADKDAC 0 add russian",
        "6 CD 7C9S/8D7HAD TS 1 beat",
        "6 CD 7C9SQC/8D7H - 0 lead cambridge",
        "2 HS 2H3D/4C AS 1 beat party+players=2",
        "J CD JC/AS KSQH 0 beat",
    ],
)
def test_unlikely_positions_and_cards_out_of_play(code: str) -> None:
    position = parse_position(code)
    starts = [position] if position.phase is not Phase.ADD else list(map(position.after, position.hand))
    known = solve_all(starts)
    if position.phase is Phase.ADD:
        value = max(known[after][0] * (1 if after.seat == position.seat else -1) for after in starts)
        assert solve(position).value == NAMES[value]
    else:
        solution = solve(position)
        assert (solution.value, solution.turns) == (NAMES[known[position][0]], known[position][1])


def test_a_finished_game_has_its_outcome_and_no_move() -> None:
    lost = solve(parse_position("K CD -/KDKS AC 1 beat"))
    drawn = solve(parse_position("K CD -/KD AC 1 beat"))
    assert (lost.value, lost.turns, lost.best) == ("loss", 0, ())
    assert (drawn.value, drawn.turns, drawn.best) == ("draw", 0, ())


def test_three_seats_of_which_one_is_out_are_two() -> None:
    two = parse_position("K CD KCKS/KHADAH ACKDAS 1 beat party")
    three = parse_position("K CSD KCKS/-/KHADAH ACKDAS 2 beat party")
    assert (solve(three).value, solve(three).best) == (solve(two).value, solve(two).best)


def test_three_seats_that_all_hold_cards_are_unknown() -> None:
    rules = Rules.of("party", low=Rank.KING, players=3)
    position = deal(rules, (Suit.CLUBS, Suit.HEARTS, Suit.SPADES), 0, random.Random(1))
    solution = solve(position)
    assert (solution.value, solution.best, solution.turns) == ("unknown", (), None)


def test_a_large_deal_with_a_small_limit_is_unknown() -> None:
    position = deal(Rules(), (Suit.CLUBS, Suit.HEARTS), 0, random.Random(1))
    solution = solve(position, nodes=3000, memory_mb=1)
    assert (solution.value, solution.best) == ("unknown", ())
    assert 0 < solution.nodes <= 3000


def test_stop_ends_a_search() -> None:
    position = deal(Rules(), (Suit.CLUBS, Suit.HEARTS), 0, random.Random(1))
    asked: list[bool] = []

    def stop() -> bool:
        asked.append(True)
        return len(asked) > 2

    assert solve(position, seconds=60, memory_mb=1, stop=stop).value == "unknown"


@pytest.mark.parametrize("limit", [{"seconds": 0}, {"seconds": -1}, {"nodes": 0}, {"seconds": float("nan")}])
def test_a_budget_of_nought_is_refused(limit: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match="more than nought"):
        solve(parse_position(KING[0]["position"]), **limit)


def test_memory_of_nought_is_refused() -> None:
    with pytest.raises(OptionError, match="memory: expected a number of MB above 0"):
        ProofSearch(parse_position(KING[0]["position"]), memory_mb=0)


def test_a_proof_search_goes_on_where_it_stopped() -> None:
    entry = next(entry for entry in QUEEN if entry.get("turns", 0) > 20)
    position = parse_position(entry["position"])
    winner = position.seat if entry["value"] == "win" else 1 - position.seat
    search = ProofSearch(position, memory_mb=4)
    rounds = 0
    while search.wins(winner, Budget(nodes=500)) is Answer.OPEN:
        rounds += 1
        assert rounds < 5000
    assert rounds > 1
    assert search.wins(winner, Budget(nodes=500)) is Answer.YES


def test_the_line_of_a_proof_is_legal_and_ends_with_the_win() -> None:
    for entry in [entry for entry in QUEEN if entry["value"] != "draw"][:40]:
        position = parse_position(entry["position"])
        winner = position.seat if entry["value"] == "win" else 1 - position.seat
        solution = solve(position, seconds=20)
        for move in solution.line:
            position = position.after(move)
        assert position.outcome is not None
        assert position.outcome.winners == (winner,)


def test_the_line_from_a_table_is_as_long_as_it_says() -> None:
    known = whole_game(False, "3-5-all", "next")
    for position in random.Random(2).sample([p for p, (value, _) in known.items() if value], 40):
        end = position
        line = table_line(position)
        turns = 0
        for move in line:
            turns += end.phase is not Phase.ADD
            end = end.after(move)
        assert end.outcome is not None
        assert turns == known[position][1]


def test_both_seats_are_shown_to_hold_a_draw_by_endless_play() -> None:
    known = whole_preset("russian")
    draws = [position for position, (value, _) in known.items() if value == 0]
    for position in random.Random(6).sample(draws, 20):
        solution = solving._prove(position, Budget(nodes=2_000_000), 1)
        kept = {moves[0] for moves, after in turns_of(position) if _worth(known, position, after) == 0}
        assert solution.value == "draw"
        assert set(solution.best) == kept


def _worth(known: dict[Position, Any], position: Position, after: Position) -> int:
    if after.is_over:
        return 0 if after.outcome.is_draw else 1
    return known[after][0] if after.seat == position.seat else -known[after][0]


def test_a_table_on_disk_is_used(no_tables: Path) -> None:
    # A table of the 12-card game takes a minute: a false one shows as well that it is the file that answers.
    position = parse_position(QUEEN[0]["position"])
    path = table_path(position.rules)
    path.parent.mkdir(parents=True)
    Tablebase.build(Shape.of_pack(2), Options()).save(path)
    with pytest.raises(TablebaseError, match=r"12 cards, duel.*8 cards, duel"):
        solve(position)


def test_json_has_the_fields_of_the_command_line() -> None:
    code = "K CD KDAHKSAS/KC KHACAD 1 add"
    out = solution_json(code, solve(parse_position(code)))
    assert list(out) == ["code", "value", "turns", "best", "nodes", "seconds"]
    assert (out["code"], out["value"], out["turns"], out["best"]) == (code, "win", 1, ["KC"])
    assert json.loads(json.dumps(out)) == out


def test_batch_names_the_line_that_is_no_position() -> None:
    answers = solve_many([KING[0]["position"], "", "K CD nonsense", KING[1]["position"]])
    assert next(answers)["value"] == KING[0]["value"]
    with pytest.raises(NotationError, match=r"^line 3: "):
        next(answers)


AWKWARD = {
    # Proof-number search alone goes round in circles here, or calls a turn no win for repetitions elsewhere.
    "Q HC QCACQDADKHAHQSKS/KCKDAS QH 0 beat": ("loss", {"AH", "KH"}),
    "Q SC ADAHAS/QCKCACQDKDQHKHQSKS - 0 lead": ("win", {"AD", "AH", "AS"}),
    "Q SH QCKCQDKDADQHKHAHKS/QS ACAS 0 add": ("win", {"AD", "KC", "KD", "KH", "KS", "QC", "QD", "QH"}),
    "Q SC QDKDADQSKS/QCQHKHAHAS KCAC 1 add": ("win", {"AH", "QH"}),
}


@pytest.mark.parametrize("code", AWKWARD)
def test_two_searches_prove_what_one_does_not(code: str, no_tables: Path) -> None:
    position = parse_position(code)
    solution = solve(position, nodes=8_000_000, memory_mb=64)
    value, best = AWKWARD[code]
    assert (solution.value, {format_move(move) for move in solution.best}) == (value, best)
    assert solution.is_complete


@pytest.mark.parametrize("code", AWKWARD)
def test_line_of_a_proof_leads_to_its_end(code: str, no_tables: Path) -> None:
    position = parse_position(code)
    solution = solve(position, nodes=8_000_000, memory_mb=64)
    winner = position.seat if solution.value == "win" else 1 - position.seat
    for move in solution.line:
        position = position.after(move)
    assert position.outcome is not None
    assert position.outcome.winners == (winner,)
