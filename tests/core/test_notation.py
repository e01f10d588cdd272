import pytest

from yourtrumps.core import NotationError, format_position, parse_move, parse_position, parse_turn

GOOD = "6 SH 9C6S7S/TDAD8H QCKC 0 beat"


@pytest.mark.parametrize(
    "code",
    [
        GOOD,
        "6 SH 9C/TDAD8H QCKC 1 beat russian",
        "6 SH 9C/TDAD8H QCKC 1 beat cambridge+may_decline=no",
        "6 SHD 9C/TDAD8H/7D QCKC 2 beat party",
        "6 SHD 9C/TDAD8H/7D QCKC 2 beat duel+players=3",
        "2 CD 2C/AS - 1 lead",
        "K SH KC/AC - 0 lead duel+cards_each=1",
        "6 SH 9C/8H QCKC 0 add",
        "6 SH -/8H QCKC 1 beat",
    ],
)
def test_code_is_written_as_it_was_read(code):
    assert format_position(parse_position(code)) == code


def test_hands_are_read_in_any_order_and_the_pile_is_not():
    position = parse_position("6 SH 9C7S6S/ADTD8H KCQC 0 beat")
    assert format_position(position) == "6 SH 9C6S7S/TDAD8H KCQC 0 beat"


@pytest.mark.parametrize(
    ("code", "field", "text", "expected"),
    [
        pytest.param("", "code", "", "six or seven fields", id="empty"),
        pytest.param("6 SH 9C/8H - 0", "code", "6 SH 9C/8H - 0", "six or seven fields", id="five-fields"),
        pytest.param("6  SH 9C/8H - 0 lead", "trumps", "", "two to four different suits", id="two-spaces"),
        pytest.param("6 SH 9C/8H - 0 lead duel x", "code", None, "six or seven fields", id="eight-fields"),
        pytest.param("6 SH " + "9C" * 600 + "/8H - 0 lead", "code", None, "at most 1000 characters", id="huge"),
        pytest.param("1 SH 9C/8H - 0 lead", "low", "1", "one of 23456789TJQK", id="low"),
        pytest.param("A SH AC/AH - 0 lead", "low", "A", "one of 23456789TJQK", id="low-ace"),
        pytest.param("10 SH AC/AH - 0 lead", "low", "10", "one of", id="low-two-letters"),
        pytest.param("6 SX 9C/8H - 0 lead", "trumps", "X", "one of C, D, H, S", id="trump-letter"),
        pytest.param("6 SS 9C/8H - 0 lead", "trumps", "SS", "different suits", id="equal-trumps"),
        pytest.param("6 S 9C/8H - 0 lead", "trumps", "S", "two to four", id="one-trump"),
        pytest.param("6 SHD 9C/8H/7C - 0 lead", "trumps", "SHD", "2 suits for duel", id="three-trumps-in-duel"),
        pytest.param("6 SH 9C - 0 lead", "hands", "9C", "2 hands separated by /", id="one-hand"),
        pytest.param("6 SH 9C/8H/7C - 0 lead", "hands", "9C/8H/7C", "2 hands", id="three-hands"),
        pytest.param("6 SH 9/8H - 0 lead", "hands", "9", "two characters a card", id="half-a-card"),
        pytest.param("6 SH 9Z/8H - 0 lead", "hands", "9Z", "two characters a card", id="no-card"),
        pytest.param("6 SH /8H - 0 lead", "hands", "", "cards, or - for none", id="nothing-for-a-hand"),
        pytest.param("6 SH 5C/8H - 0 lead", "hands", "5C", "cards from 6 to A", id="outside-the-pack"),
        pytest.param("6 SH 9C9C/8H - 0 lead", "hands", "9C", "each card once", id="twice-in-a-hand"),
        pytest.param("6 SH 9C/9C - 0 lead", "hands", "9C", "each card once", id="in-both-hands"),
        pytest.param("6 SH 9C/8H 9C 0 beat", "pile", "9C", "each card once", id="in-hand-and-pile"),
        pytest.param("6 SH 9C/8H 5C 0 beat", "pile", "5C", "cards from 6 to A", id="pile-outside-the-pack"),
        pytest.param("6 SH 9C/8H ? 0 beat", "pile", "?", "two characters a card", id="pile"),
        pytest.param("6 SH -/- 9C 0 beat", "hands", "-/-", "cards in at least one hand", id="no-cards"),
        pytest.param("6 SH 9C/8H - 2 lead", "seat", "2", "a number from 0 to 1", id="seat-2"),
        pytest.param("6 SH 9C/8H - x lead", "seat", "x", "a number from 0 to 1", id="seat-letter"),
        pytest.param("6 SH 9C/8H - ٠ lead", "seat", "٠", "a number from 0 to 1", id="seat-other-digit"),
        pytest.param("6 SH -/8H 9C 0 beat", "seat", "0", "a seat with cards", id="seat-without-cards"),
        pytest.param("6 SH 9C/8H - 0 play", "phase", "play", "lead, beat or add", id="phase"),
        pytest.param("6 SH 9C/8H 7C 0 lead", "phase", "lead", "beat or add, as the pile has cards", id="lead-on-pile"),
        pytest.param("6 SH 9C/8H - 0 beat", "phase", "beat", "lead, as the pile is empty", id="beat-nothing"),
        pytest.param("6 SH 9C/8H 7C 0 add", "phase", "add", "at least two cards", id="add-on-one"),
        pytest.param("6 SH 9C/8H KC7C 0 add", "pile", "KC7C", "a top card that beats the one below", id="add-unbeaten"),
        pytest.param("6 SH 9C/- - 0 lead", "phase", "lead", "one hand alone has cards", id="lead-when-over"),
        pytest.param("6 SH 9C/8H - 0 lead whist", "rules", "whist", "one of duel", id="rules"),
        pytest.param("6 SH 9C/8H - 0 lead duel+x=1", "rules", "x", "one of low", id="rules-option"),
        pytest.param("6 SH 9C/8H - 0 lead duel+players=3", "trumps", "SH", "3 suits", id="players-and-trumps"),
        pytest.param("6 SHD 9C/8H/7C - 0 lead russian", "trumps", "SHD", "2 suits for russian", id="russian-of-three"),
    ],
)
def test_parse_position_names_field_text_and_what_was_expected(code, field, text, expected):
    with pytest.raises(NotationError) as caught:
        parse_position(code)
    error = caught.value
    assert error.code == "notation"
    assert error.field == field
    assert text is None or error.text == text
    assert expected in error.expected
    assert str(error) == f"{error.field}: expected {error.expected}, got {error.text!r}"
    assert len(str(error)) < 300


@pytest.mark.parametrize("text", ["", "UP", "Up", "pick up", "9", "9C7D", "9C+7D", "9c", "up ", "\n"])
def test_parse_move_refuses_what_is_no_move(text):
    with pytest.raises(NotationError, match=r"^move: expected a card such as 9C, or up, got "):
        parse_move(text)


@pytest.mark.parametrize("text", ["", "+", "9C+", "9C+7D+8D", "up+7D", "7D+up", "up+up", "9C 7D"])
def test_parse_turn_refuses_what_is_no_turn(text):
    with pytest.raises(NotationError):
        parse_turn(text)


def test_no_code_with_one_character_changed_crashes():
    # Either it is refused by name or it is a position that writes back.
    fields = set()
    for at in range(len(GOOD)):
        for letter in "6SAH/- 01x9\n":
            code = GOOD[:at] + letter + GOOD[at + 1 :]
            try:
                position = parse_position(code)
            except NotationError as error:
                fields.add(error.field)
            else:
                assert parse_position(format_position(position)) == position
    assert fields == {"code", "low", "trumps", "hands", "pile", "seat", "phase", "rules"}
