"""A table session: whatever a browser sends or a file holds, the game stays sound and goes on."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yourtrumps import Game, dump
from yourtrumps.ui.session import TableSession, restored

SMALL = "6 SH 6S7S9CTC/8HTDADJD QCKC 0 beat"
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
FIELDS = ["card", "version", "suit", "cursor", "text"]
VALUES = ANYTHING | st.sampled_from(["6S", "up", "9C", "S", 0, 1, -1, 10**30, True])
# Each kind of message that needs values, with values that are wrong or out of place.
FORGED = ANYTHING | st.fixed_dictionaries(
    {"type": st.sampled_from(["move", "trump", "goto", "resign", "open"])}, optional=dict.fromkeys(FIELDS, VALUES)
)


@pytest.fixture
def sitting():
    """A function that seats two at a game: the session, and what it has sent that is not the view."""
    sessions = []

    def sit(game=None):
        session = TableSession(game or Game.from_position(SMALL, ("human", "human")))
        sent = []
        session.component.send = lambda **message: sent.append(message)
        sessions.append(session)
        return session, sent

    yield sit
    for session in sessions:
        session.close()


async def settle(condition, within=30.0):
    """Wait until *condition* holds."""
    async with asyncio.timeout(within):
        while not condition():
            await asyncio.sleep(0.005)


@settings(max_examples=300, deadline=None)
@given(FORGED)
def test_forged_message_is_refused_or_is_a_legal_act(message):
    session = TableSession(Game.from_position(SMALL, ("human", "human")))
    sent = []
    session.component.send = lambda **values: sent.append(values)
    before = (session.game.position, session.game.moves, session.game.outcome)
    legal = {str(move) for move in session.game.legal_moves}
    session.on_message(message)
    after = (session.game.position, session.game.moves, session.game.outcome)
    session.close()
    if after == before:
        harmless = isinstance(message, dict) and message.get("type") == "goto"
        assert harmless or [one["type"] for one in sent] == ["refused"]
        assert all(len(one["text"]) < 500 for one in sent)
    else:
        assert message["version"] == 0
        assert message["type"] == "resign" or message["card"] in legal


def test_late_move_is_told_from_a_wrong_one(sitting):
    session, sent = sitting()
    session.on_message({"type": "move", "card": "6S", "version": 0})
    session.on_message({"type": "move", "card": "9C", "version": 0})
    assert (session.game.cursor, [one["type"] for one in sent]) == (1, ["refused"])
    assert "too late" in sent[0]["text"]


async def test_nobody_moves_for_the_computer(sitting):
    # The referee's question waits for the loop, which the test does not give back before the message.
    game = Game.from_position(SMALL, ("greedy", "human"))
    session, sent = sitting(game)
    session.on_message({"type": "move", "card": "6S", "version": 0})
    assert (game.cursor, [one["type"] for one in sent]) == (0, ["refused"])


def test_nothing_is_played_while_an_ended_game_is_reviewed(sitting):
    session, sent = sitting()
    session.on_message({"type": "move", "card": "6S", "version": 0})
    session.on_message({"type": "resign", "version": 1})
    session.on_message({"type": "goto", "cursor": 0})
    assert sent == []
    assert not any(card["playable"] for card in session.component.view["hand"])
    session.on_message({"type": "move", "card": "6S", "version": 0})
    assert [one["type"] for one in sent] == ["refused"]
    assert session.game.has_ended


async def test_hint_is_a_sentence_about_a_legal_move(sitting):
    session, sent = sitting()
    session.on_message({"type": "hint"})
    await settle(lambda: sent)
    assert sent[0]["type"] == "hint"
    assert sent[0]["card"] in {str(move) for move in session.game.legal_moves}
    assert sent[0]["text"].endswith(".")
    assert "{" not in sent[0]["text"]


async def test_hint_for_a_position_that_is_gone_is_not_shown(sitting):
    session, sent = sitting()
    session.on_message({"type": "hint"})
    control = session._hint_control
    session.on_message({"type": "move", "card": "6S", "version": 0})
    await settle(lambda: control.stopped)
    await asyncio.sleep(0)
    assert sent == []


def test_saved_file_is_opened_again(sitting):
    session, sent = sitting(Game.new(trumps="SH", seats=("human", "human"), seed=1))
    session.game.play(session.game.legal_moves[0])
    session.on_message({"type": "save"})
    other, refused = sitting(Game.new("party", players=3))
    other.on_message({"type": "open", "text": sent[0]["text"]})
    assert refused == []
    assert (other.game.position, other.game.moves) == (session.game.position, session.game.moves)


@pytest.mark.parametrize("word", ["nonsense", "level:99", "random:seed=1"])
def test_unknown_player_in_a_file_gets_a_seat_that_somebody_takes(sitting, word):
    game = Game.from_position(SMALL, ("human", "human"))
    text = dump(game).replace("human human", f"human {word}")
    assert word in text
    session, sent = sitting()
    session.on_message({"type": "open", "text": text})
    assert (session.game.seats, sent) == (("human", "human"), [])
    kept = {"settings": {}, "record": text, "cursor": 0}
    assert restored(kept)[0].seats == ("human", "level:3")


@pytest.mark.parametrize(
    "kept",
    [
        {},
        {"settings": None, "record": None},
        {"settings": {"level": 99, "nothing": 1, "pace": [], "sound": "yes"}, "record": 7},
        {"settings": [], "record": None, "cursor": "x"},
    ],
    ids=str,
)
def test_odd_kept_table_is_a_new_one(kept):
    game, chosen = restored(kept)
    assert (game.position, chosen.level, chosen.sound) == (None, 3, False)


def test_unreadable_kept_record_is_given_up():
    assert restored({"settings": {}, "record": "no game"}) is None


@pytest.mark.parametrize("level", [1, 3])
def test_level_changes_in_the_middle_of_a_game(sitting, level):
    game = Game.from_position(SMALL)
    session, _ = sitting(game)
    session.settings.level = level
    assert (game.seats, game.position is game.start) == (("human", f"level:{level}"), True)
