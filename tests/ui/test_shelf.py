"""The shelf: one file a browser, whole or not at all, and none of it for ever."""

import os
import time

import pytest

from yourtrumps.ui import shelf


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """A shelf of the test's own."""
    monkeypatch.setenv("YOURTRUMPS_DATA", str(tmp_path))
    return tmp_path / "tables"


def test_tickets_differ_and_are_names_that_can_be_read():
    tickets = {shelf.new_ticket() for _ in range(100)}
    assert len(tickets) == 100
    for ticket in tickets:
        shelf.write(ticket, {"of": ticket})
    assert all(shelf.read(ticket) == {"of": ticket} for ticket in tickets)


def test_write_replaces_and_leaves_no_draft(place):
    ticket = shelf.new_ticket()
    for number in range(3):
        shelf.write(ticket, {"number": number})
    assert shelf.read(ticket) == {"number": 2}
    assert [path.name for path in place.iterdir()] == [f"{ticket}.json"]


def test_write_that_fails_leaves_what_was_there(place):
    ticket = shelf.new_ticket()
    shelf.write(ticket, {"number": 1})
    with pytest.raises(TypeError):
        shelf.write(ticket, {"number": object()})
    assert shelf.read(ticket) == {"number": 1}


@pytest.mark.parametrize("ticket", ["", "../" + "a" * 19, "a" * 21, "a" * 23, "a" * 22 + "\n"])
def test_write_takes_no_other_names(ticket, place):
    with pytest.raises(ValueError, match="ticket"):
        shelf.write(ticket, {})
    assert not place.exists()


@pytest.mark.parametrize("content", [b"", b"[]", b"7", b"{", b"\xff\xfe", b"null"])
def test_file_that_holds_no_table_counts_as_none(place, content):
    ticket = shelf.new_ticket()
    place.mkdir()
    (place / f"{ticket}.json").write_bytes(content)
    assert shelf.read(ticket) is None


def test_prune_removes_what_is_old_and_keeps_the_rest(place):
    old, new = shelf.new_ticket(), shelf.new_ticket()
    for ticket in (old, new):
        shelf.write(ticket, {})
    long_ago = time.time() - 61 * 86400
    os.utime(place / f"{old}.json", (long_ago, long_ago))
    shelf.prune()
    assert (shelf.read(old), shelf.read(new)) == (None, {})


def test_prune_needs_no_folder(place):
    shelf.prune()
    assert not place.exists()
