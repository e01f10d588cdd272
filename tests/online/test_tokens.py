import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yourtrumps.online.errors import BadName
from yourtrumps.online.tokens import (
    LONGEST_NAME,
    check_identity,
    clean_name,
    holds,
    is_room_id,
    new_identity,
    new_room_id,
    new_token,
    token_hash,
)


def test_codes_and_tokens_are_long_and_differ():
    rooms = {new_room_id() for _ in range(1000)}
    tokens = {new_token() for _ in range(1000)}
    assert len(rooms) == len(tokens) == 1000
    assert all(map(is_room_id, rooms))
    assert {len(token) for token in tokens} == {32}


@pytest.mark.parametrize("text", ["", "a" * 21, "a" * 23, "../" + "a" * 19, "ä" * 22, "a" * 22 + "\n"])
def test_other_texts_are_no_room_code(text):
    assert not is_room_id(text)


def test_token_holds_only_its_own_hash():
    token = new_token()
    assert holds(token, token_hash(token))
    assert not holds(new_token(), token_hash(token))
    assert not holds("\ud800", token_hash(token))
    assert not holds("", "")


def test_identity_is_taken_only_if_signed_with_this_key():
    identity = new_identity(b"key")
    assert check_identity(identity, b"key") == identity.partition(".")[0]
    assert check_identity(identity, b"other") is None
    assert check_identity("a" * 22 + identity[22:], b"key") is None
    assert check_identity("", b"key") is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        pytest.param("  Ann\t Bo\n", "Ann Bo", id="spaces"),
        pytest.param("\u202eevil\u2066x\u200f", "evilx", id="direction"),
        pytest.param("a\x00b\x1b[31m", "ab[31m", id="control"),
        pytest.param("<b>Ann</b>", "<b>Ann</b>", id="markup-stays-text"),
        pytest.param("Z" + "\u0301" * 40, "Ź" + "\u0301" * 3, id="stacked-marks"),
        pytest.param("नेप\u200dाली", "नेप\u200dाली", id="joiner-in-a-word"),
        pytest.param("\u200dAnn\u200c", "Ann", id="joiner-at-an-edge"),
        pytest.param("x" * 500, "x" * LONGEST_NAME, id="long"),
        pytest.param("a\ud800b", "ab", id="half-of-a-pair"),
        pytest.param("Іван 😀", "Іван 😀", id="emoji"),
    ],
)
def test_names_are_cleaned(text, name):
    assert clean_name(text) == name


@pytest.mark.parametrize("text", ["", "   ", "\u200d", "\u0301\u0301", "!?", "\u3164"[:0]])
def test_name_of_nothing_is_refused(text):
    with pytest.raises(BadName):
        clean_name(text)


@given(st.text(max_size=300))
def test_clean_names_stay_clean(text):
    try:
        name = clean_name(text)
    except BadName:
        return
    assert 1 <= len(name) <= LONGEST_NAME
    assert clean_name(name) == name
    assert not [char for char in name if unicodedata.category(char)[0] == "C" and char not in "\u200c\u200d"]
