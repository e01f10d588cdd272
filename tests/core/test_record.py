import json

import pytest

from tests.core.playing import random_record
from yourtrumps.core import (
    UP,
    Outcome,
    Reason,
    Record,
    RecordError,
    Rules,
    format_json,
    format_text,
    parse_move,
    parse_position,
    parse_record,
)

GOLDEN = """\
[Game "Your trumps"]
[Version "1"]
[Deal "Q CS QDKDADKHAHKS/QCKCACQHQSAS - 0 lead"]
[Seat0 "Ann \\"A\\""]
[Seat1 "Bob"]
[Result "seat1"]
[Reason "resigned"]
[Event "Kitchen table"]

1. QD {1.5} QS+QC {0.25 2.0}
2. up {0.5}
seat1
"""


def moves(*codes):
    return tuple(map(parse_move, codes))


def golden():
    return Record(
        start=parse_position("Q CS QDKDADKHAHKS/QCKCACQHQSAS - 0 lead"),
        moves=moves("QD", "QS", "QC", "up"),
        names=('Ann "A"', "Bob"),
        times=(1.5, 0.25, 2.0, 0.5),
        outcome=Outcome.lost_by(0, 2, Reason.RESIGNED),
        tags={"Event": "Kitchen table"},
    )


def test_golden_text_is_read_and_written():
    assert parse_record(GOLDEN) == golden()
    assert format_text(golden()) == GOLDEN


def test_golden_record_reads_back_from_json_with_its_version():
    text = format_json(golden())
    assert json.loads(text)["version"] == 1
    assert parse_record(text) == golden()


@pytest.mark.parametrize("write", [format_json, format_text])
@pytest.mark.parametrize("end", ["resigned", "over", "unfinished"])
def test_text_cut_off_anywhere_is_refused_or_equal(write, end):
    if end == "over":
        rules = Rules.of("duel", low="Q")
        record = next(one for one in (random_record(rules, seed, 60) for seed in range(99)) if one.outcome)
    else:
        record = golden() if end == "resigned" else Record(golden().start, golden().moves)
    text = write(record)
    for length in range(len(text)):
        try:
            again = parse_record(text[:length])
        except RecordError:
            continue
        assert again == record
        assert text[length:].strip() == ""


@pytest.mark.parametrize("write", [format_json, format_text])
def test_illegal_move_in_the_middle_is_named_by_its_number(write):
    text = write(golden()).replace("QC", "KH", 2).replace("KHKC", "QCKC")
    with pytest.raises(RecordError, match=r"^record: move 3: expected a card in hand, got KH$") as caught:
        parse_record(text)
    assert caught.value.move_number == 3


def as_json(**changes):
    return json.dumps(json.loads(format_json(golden())) | changes)


@pytest.mark.parametrize(
    ("text", "message", "number"),
    [
        pytest.param("", "expected a tag Game", None, id="empty"),
        pytest.param("hello", "expected a tag Game", None, id="no-record"),
        pytest.param("{", "expected whole JSON", None, id="half-json"),
        pytest.param("{}", "expected the format", None, id="other-json"),
        pytest.param('{"a": NaN}', "expected the format", None, id="nan"),
        pytest.param("{" * 100_000, "expected whole JSON", None, id="deep-json"),
        pytest.param("x" * 3_000_000, "expected at most 2000000 characters", None, id="huge"),
        pytest.param(GOLDEN.replace('Version "1"', 'Version "2"'), "expected version 1, got '2'", None, id="version"),
        pytest.param(as_json(version=2), "expected version 1, got 2", None, id="json-version"),
        pytest.param(as_json(version="1"), "expected version 1, got '1'", None, id="json-version-text"),
        pytest.param(as_json(version=True), "expected version 1, got True", None, id="json-version-bool"),
        pytest.param(as_json(moves="QD"), "expected 'moves' as list", None, id="moves-type"),
        pytest.param(as_json(moves=[1]), "expected text in names, moves and tags", None, id="move-type"),
        pytest.param(as_json(moves=["QD", "XX"]), "expected a card such as 9C, or up", 2, id="move-code"),
        pytest.param(as_json(names=["Ann"]), "expected 2 names, got 1", None, id="too-few-names"),
        pytest.param(as_json(names=["A\n", "B"]), "expected printable names", None, id="name-of-two-lines"),
        pytest.param(as_json(names=["A" * 81, "B"]), "at most 80 characters", None, id="long-name"),
        pytest.param(as_json(times=[1, 2]), "expected 4 times, got 2", None, id="too-few-times"),
        pytest.param(as_json(times=[1, 2, -3, 4]), "expected seconds of nought or more", 3, id="negative-time"),
        pytest.param(as_json(times=[1, 2, 3, float("nan")]), "expected seconds", 4, id="time-nan"),
        pytest.param(as_json(times=[1, 2, 3, True]), "expected seconds", 4, id="time-bool"),
        pytest.param(as_json(result="seat2"), "result: expected draw, or a seat", None, id="no-such-seat"),
        pytest.param(as_json(reason="bored"), "reason: expected one of", None, id="no-such-reason"),
        pytest.param(as_json(reason="empty hand"), "expected more moves before the end", None, id="end-not-reached"),
        pytest.param(as_json(result="draw", reason="threefold"), "expected more moves", None, id="draw-not-reached"),
        pytest.param(as_json(deal="Q CS QDKD/QD - 0 lead"), "hands: expected each card once", None, id="deal"),
        pytest.param(as_json(tags={"a": 1}), "expected text in names", None, id="tag-type"),
        pytest.param(GOLDEN.replace('[Seat1 "Bob"]', '[Seat1 "Bob"'), "expected a tag Result", None, id="open-tag"),
        pytest.param(GOLDEN.replace("Seat1", "Seat0"), "expected the tag Seat0 once", None, id="tag-twice"),
        pytest.param(GOLDEN.replace("up {0.5}", "up {soon}"), "expected seconds, got", 4, id="time-word"),
        pytest.param(GOLDEN + "1. QD\n", "expected turns and then the result seat1", 5, id="more-after-the-end"),
        pytest.param(GOLDEN.replace("2. up", "2. pass"), "turn|move", 4, id="no-such-turn"),
    ],
)
def test_parse_record_refuses_what_is_wrong(text, message, number):
    with pytest.raises(RecordError, match=message) as caught:
        parse_record(text)
    assert caught.value.move_number == number
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def finished():
    start = parse_position("6 SH 9C/8H7H 8C 0 beat")
    return Record(start, moves("9C"))


def test_check_fills_in_the_outcome_of_the_moves():
    assert finished().check().outcome == Outcome.lost_by(1, 2, Reason.EMPTY_HAND)


@pytest.mark.parametrize(
    "outcome",
    [Outcome.lost_by(0, 2, Reason.EMPTY_HAND), Outcome.draw(Reason.AGREED), Outcome.lost_by(1, 2, Reason.TIME)],
)
def test_check_refuses_another_outcome_than_that_of_the_moves(outcome):
    with pytest.raises(RecordError, match=r"expected the result seat0 \(empty hand\) of its moves, got "):
        Record(finished().start, finished().moves, outcome=outcome).check()


def test_move_after_the_end_is_refused_by_number():
    with pytest.raises(RecordError, match=r"^record: move 2: ") as caught:
        Record(finished().start, moves("9C", "8H")).check()
    assert caught.value.move_number == 2


def test_threefold_ends_a_record_and_nothing_follows_it():
    games = (random_record(Rules.of("duel", low="Q"), seed, 10_000) for seed in range(999))
    record = next(game for game in games if game.outcome == Outcome.draw(Reason.THREEFOLD))
    positions = list(record.positions())
    assert positions.count(positions[-1]) == 3
    for write in (format_text, format_json):
        assert parse_record(write(record)) == record
    assert Record(record.start, record.moves[:-1]).check().outcome is None
    more = (*record.moves, positions[-1].legal_moves()[0])
    with pytest.raises(RecordError, match=f"move {len(more)}: expected no move after the end"):
        Record(record.start, more).check()


def test_names_default_to_the_seats():
    assert Record(golden().start).names == ("seat 0", "seat 1")


def test_turns_may_end_with_a_card_not_yet_added():
    record = Record(golden().start, moves("QD", "QS"))
    assert record.turns() == (moves("QD"), moves("QS"))
    assert Record(golden().start, moves("QD", "QS", "QC", "up")).turns()[-1] == (UP,)
    assert parse_record(format_text(record)) == record


def test_tags_cannot_be_changed_from_outside():
    tags = {"Event": "Kitchen table"}
    record = Record(golden().start, tags=tags)
    tags["Event"] = "Park bench"
    assert record.tags == {"Event": "Kitchen table"}
    with pytest.raises(TypeError):
        record.tags["Event"] = "Park bench"
