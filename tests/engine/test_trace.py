"""The trace of a search: true to it, legal to the last move, and no burden on it."""

from __future__ import annotations

import json
import random

import pytest

from yourtrumps.core import Rules, Suit, deal, format_position, parse_position
from yourtrumps.engine.search import Memory, Search
from yourtrumps.engine.trace import LONGEST_LINE, Node, Trace

OPENING = deal(Rules.of("duel"), (Suit.SPADES, Suit.HEARTS), 0, random.Random(5))
BEATING = "6 DH 6C7D8D9DJDQD6H9HTHQH7S/7C8C9CTCJCQCACTDKDAD7HJHKHAH6S8S9STSJSQSKSAS KC8H6D 1 beat"


def traced(code: str | None = None, nodes: int = 200_000) -> Trace:
    search = Search(parse_position(code) if code else OPENING, Memory(16))
    trace = Trace(search)
    search.run(nodes=nodes, on_depth=trace.record)
    return trace


@pytest.mark.parametrize("code", [None, BEATING, "Q SH QDKDQH/QCKCACADKHAHQSKSAS - 0 lead"])
def test_every_depth_has_all_turns_with_lines_that_can_be_played(code: str | None) -> None:
    trace = traced(code)
    assert [iteration.depth for iteration in trace.iterations] == list(range(1, len(trace.iterations) + 1))
    for iteration in trace.iterations:
        assert {turn.scored.turn for turn in iteration.turns} == set(trace.search.turns)
        assert iteration.best.scored.value == max(
            turn.scored.value for turn in iteration.turns if turn.scored.bound == 1
        )
        for turn in iteration.turns:
            assert turn.line[: len(turn.scored.turn)] == turn.scored.turn
            assert len(turn.line) <= LONGEST_LINE
            position = trace.position
            for move in turn.line:
                position = position.after(move)
    assert [iteration.nodes for iteration in trace.iterations] == sorted(
        iteration.nodes for iteration in trace.iterations
    )


def test_rejected_turns_carry_an_answer() -> None:
    last = traced(BEATING).iterations[-1]
    refuted = [turn for turn in last.turns[1:] if len(turn.line) > len(turn.scored.turn)]
    assert len(refuted) > 0.9 * len(last.turns[1:])


def test_changes_of_mind_tell_what_was_wrong_with_the_former_turn() -> None:
    seen = 0
    for seed in range(8):
        search = Search(deal(Rules.of("duel"), (Suit.CLUBS, Suit.HEARTS), 0, random.Random(seed)), Memory(8))
        trace = Trace(search)
        search.run(nodes=50_000, on_depth=trace.record)
        by_depth = {iteration.depth: iteration for iteration in trace.iterations}
        changed = [
            now.depth
            for last, now in zip(trace.iterations, trace.iterations[1:], strict=False)
            if last.best.scored.turn != now.best.scored.turn
        ]
        assert [change.depth for change in trace.changes] == changed
        for change in trace.changes:
            seen += 1
            assert by_depth[change.depth].best.scored.turn == change.after
            assert by_depth[change.depth - 1].best.scored.turn == change.before
            assert change.value_now <= by_depth[change.depth].best.scored.value
            assert change.refutation[: len(change.before)] == change.before
    assert seen


def test_search_finds_the_same_with_a_trace_and_without() -> None:
    search = Search(OPENING, Memory(16))
    alone = search.run(nodes=100_000)
    trace = traced(nodes=100_000)
    assert trace.iterations[-1].depth == alone.depth
    assert trace.search.nodes == alone.nodes


def test_tree_shows_what_the_search_remembers() -> None:
    trace = traced()
    root = trace.tree(depth=3, width=2)

    def check(node: Node, depth: int) -> int:
        position = trace.position
        for move in node.moves:
            position = position.after(move)
        assert node.seat == position.seat
        assert len(node.children) <= 2
        assert all(child.moves[:-1] == node.moves for child in node.children)
        assert depth or not node.children
        return (node.value is not None) + sum(check(child, depth - 1) for child in node.children)

    assert check(root, 3) > 4
    assert trace.tree(depth=0).children == ()


def test_trace_in_plain_values_is_json() -> None:
    trace = traced(BEATING, nodes=20_000)
    values = json.loads(json.dumps(trace.as_json()))
    assert values["code"] == format_position(trace.position)
    assert values["iterations"][-1]["turns"][0]["bound"] == "exact"
    assert set(values["shares"]) == {"own trumps", "other's trumps", "plain cards", "hand size", "turn"}


def test_trace_tells_listeners_of_each_depth() -> None:
    search = Search(OPENING)
    trace = Trace(search)
    depths: list[int] = []
    trace.listen(lambda iteration: depths.append(iteration.depth))
    search.run(depth=4, on_depth=trace.record)
    assert depths == [1, 2, 3, 4]


def test_small_positions_have_their_exact_value() -> None:
    search = Search(parse_position("K SH KSAC/AHKD - 0 lead"))
    exact = Trace(search).exact
    assert exact is not None
    assert exact.value in ("win", "draw", "loss")
    assert Trace(Search(OPENING)).exact is None
