"""Tables of whole games: right everywhere, small, and never half a file."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest

from tests.engine.plain_solver import leads, solve_all, turns_of, whole_game
from yourtrumps.core import Phase, Position, Rank, Rules, format_position, parse_position, parse_rules
from yourtrumps.engine import tablebase
from yourtrumps.engine.smallgame import Options, Shape
from yourtrumps.engine.tablebase import Cancelled, Tablebase, TablebaseError, build_table, open_table, table_path

KING_DUEL = Rules.of("duel", low=Rank.KING)


@pytest.fixture(scope="module")
def king_duel() -> Tablebase:
    return Tablebase.build(Shape.of_pack(2), Options(), count_dealt=True)


@pytest.fixture
def table_file(tmp_path: Path, king_duel: Tablebase) -> Path:
    path = tmp_path / "duel-8.tablebase"
    king_duel.save(path)
    return path


@pytest.mark.parametrize(
    ("decline", "pick_up", "after"), list(product([False, True], ["3-5-all", "all"], ["next", "taker"]))
)
def test_table_agrees_with_plain_solver_on_whole_8_card_game(decline: bool, pick_up: str, after: str) -> None:
    known = whole_game(decline, pick_up, after)
    positions = list(known)
    table = Tablebase.build(Shape.of_pack(2), Options.of(positions[0].rules))
    worths = table.probe_many(positions)
    assert [worth and (worth.value, worth.turns) for worth in worths] == list(known.values())
    assert table.counts().positions == len(positions)


def test_turns_agree_with_probing_each_successor(king_duel: Tablebase) -> None:
    known = whole_game(False, "3-5-all", "next")
    for position in random.Random(4).sample(list(known), 400):
        expected = {}
        for moves, after in turns_of(position):
            if after.is_over:
                expected[moves] = (0, None) if after.outcome.is_draw else (1, 1)
            else:
                value, turns = known[after]
                expected[moves] = (-value, None if turns is None or not value else turns + 1)
        got = {turn.moves: (turn.worth.value, turn.worth.turns) for turn in king_duel.turns(position) if turn.worth}
        assert got == expected


def test_dealt_count_of_8_card_duel_is_the_published_one(king_duel: Tablebase) -> None:
    assert king_duel.dealt == 13_182


def test_one_table_serves_every_pair_of_trumps(king_duel: Tablebase) -> None:
    for position in random.Random(5).sample(list(leads(KING_DUEL)), 60):
        renamed = _rename(position, "SHCD")
        assert king_duel.probe(renamed) == king_duel.probe(position)


def _rename(position: Position, suits: str) -> Position:
    parts = format_position(position).split(" ")
    names = str.maketrans("CDHS", suits)
    return parse_position(" ".join([parts[0], *(part.translate(names) for part in parts[1:4]), *parts[4:]]))


def test_a_seat_is_not_taken_for_the_other_when_cards_are_out_of_play() -> None:
    # Seat 0 has three trumps in play, seat 1 one: no mirror image to fold onto.
    code = "6 CD 7C8C9H/7D9C6S - {} lead"
    first, second = parse_position(code.format(0)), parse_position(code.format(1))
    shape = tablebase.numbering(tablebase.cards_in_play(first), first.trumps).shape
    table = Tablebase.build(shape, Options())
    for position in (first, second):
        worth = table.probe(position)
        assert worth is not None
        assert (worth.value, worth.turns) == solve_all([position])[position]


def test_saved_table_answers_as_the_one_in_memory(table_file: Path, king_duel: Tablebase) -> None:
    opened = Tablebase.open(table_file)
    positions = list(leads(KING_DUEL))
    assert opened.probe_many(positions) == king_duel.probe_many(positions)
    assert opened.verify() == king_duel.counts()
    assert table_file.stat().st_size == king_duel.file_size
    assert opened.dealt == king_duel.dealt


@pytest.mark.parametrize(
    ("harm", "complaint"),
    [
        (lambda raw: b"", "another kind of file"),
        (lambda raw: raw[:5], "another kind of file"),
        (lambda raw: raw[:20], "a damaged one"),
        (lambda raw: raw[:-1], "bytes"),
        (lambda raw: raw + b"\0", "bytes"),
        (lambda raw: raw[:8] + b"\2" + raw[9:], "version 1"),
        (lambda raw: raw[:12] + b"\7" + raw[13:], "a damaged one"),
        (lambda raw: b"x" + raw[1:], "another kind of file"),
    ],
    ids=["empty", "stub", "cut in the header", "cut", "longer", "other version", "header bit", "other magic"],
)
def test_open_refuses_a_file_that_is_not_whole(table_file: Path, harm, complaint: str) -> None:  # type: ignore[no-untyped-def]
    table_file.write_bytes(harm(table_file.read_bytes()))
    with pytest.raises(TablebaseError, match=complaint) as caught:
        Tablebase.open(table_file)
    assert "\n" not in str(caught.value)


def test_open_names_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(TablebaseError, match="tablebase build` makes one"):
        Tablebase.open(tmp_path / "none.tablebase")


def test_open_refuses_the_table_of_another_game(table_file: Path) -> None:
    with pytest.raises(TablebaseError, match=r"12 cards, duel.*8 cards, duel"):
        Tablebase.open(table_file, Shape.of_pack(3), Options())
    with pytest.raises(TablebaseError, match="8 cards, russian"):
        Tablebase.open(table_file, options=Options.of(parse_rules("russian")))


def test_verify_finds_one_changed_byte(table_file: Path) -> None:
    raw = bytearray(table_file.read_bytes())
    raw[-1] ^= 4
    table_file.write_bytes(raw)
    with pytest.raises(TablebaseError, match="checksum"):
        Tablebase.open(table_file).verify()


def test_verify_finds_a_wrong_value_that_the_checksum_would_pass(king_duel: Tablebase) -> None:
    values = king_duel._values.copy()
    at = int((values == 5).argmax())
    values[at] = 7
    with pytest.raises(TablebaseError, match="agree with its successors"):
        Tablebase(king_duel.shape, king_duel.options, king_duel._trie, values).verify(sample=200_000)


def test_failed_save_leaves_the_old_file_and_nothing_else(
    table_file: Path, king_duel: Tablebase, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = table_file.read_bytes()

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(tablebase.os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        king_duel.save(table_file)
    assert table_file.read_bytes() == before
    assert list(table_file.parent.iterdir()) == [table_file]


def test_build_tells_its_progress_and_stops_when_asked() -> None:
    seen: list[tuple[int, int]] = []
    Tablebase.build(Shape.of_pack(2), Options(), progress=lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1]
    with pytest.raises(Cancelled):
        Tablebase.build(Shape.of_pack(2), Options(), stop=lambda: len(seen) > 0)


def test_build_with_two_threads_gives_the_same_bytes() -> None:
    one = Tablebase.build(Shape((3, 3, 2, 1), (True, True)), Options())
    two = Tablebase.build(Shape((3, 3, 2, 1), (True, True)), Options(), threads=2)
    assert (one._values == two._values).all()


def test_build_table_puts_it_into_the_users_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YOURTRUMPS_DATA", str(tmp_path))
    _, path = build_table(KING_DUEL, threads=1)
    assert path == table_path(KING_DUEL) == tmp_path / "tablebases" / "duel-8.tablebase"
    assert open_table(KING_DUEL).verify().positions > 13_182


@pytest.mark.parametrize(
    "rules", [Rules(), Rules.of("party", low=Rank.KING, players=3)], ids=["36 cards", "three seats"]
)
def test_build_table_refuses_what_it_cannot_list(rules: Rules) -> None:
    with pytest.raises(TablebaseError, match="a pack of 8 or 12 cards and two players"):
        build_table(rules)


def test_probe_of_an_impossible_pile_is_none(king_duel: Tablebase) -> None:
    position = parse_position("K CD KCAC/KDAD KHKSAHAS 0 beat")
    assert king_duel.probe(position) is None


def test_probe_of_an_add_position_is_what_the_best_card_gives(king_duel: Tablebase) -> None:
    position = parse_position("K CD KDAHKSAS/KC KHACAD 1 add")
    assert position.phase is Phase.ADD
    worth = king_duel.probe(position)
    assert worth is not None
    assert (worth.value, worth.turns) == (1, 1)


def test_positions_of_another_game_are_refused(king_duel: Tablebase) -> None:
    # Twelve cards, fewer than eight, eight of other suits.
    for code in (
        "Q SH QDKDQH/QCKCACADKHAHQSKSAS - 0 lead",
        "K SH KSASKH/KDADKC - 0 lead",
        "Q SH QSKSASKH/KDADKCAC - 0 lead",
    ):
        position = parse_position(code)
        for ask in (king_duel.probe, king_duel.turns, lambda one: king_duel.probe_many([one])):
            with pytest.raises(TablebaseError, match="expected a position with 2 2 2 2 cards"):
                ask(position)
