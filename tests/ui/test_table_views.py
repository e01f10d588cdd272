"""What reaches a browser: nothing that its seat may not know; and what a browser sends, which may be anything."""

import json
import random

import pytest

from yourtrumps import Game
from yourtrumps.core import format_text
from yourtrumps.ui import shelf
from yourtrumps.ui.session import TableSession, restored

SMALL = "6 SH 6S7S9CTC/8HTDADJD QCKC 0 beat"


def seen_by(game):
    session = TableSession(game)
    text = json.dumps(session.component.view)
    session.close()
    return text


@pytest.mark.parametrize(
    ("preset", "options", "players"),
    [("duel", {"cards_each": 6}, 2), ("party", {"players": 3}, 3), ("party", {"players": 4}, 4)],
    ids=["six-each", "three", "four"],
)
def test_view_holds_no_hidden_card(preset, options, players):
    # Every other seat is a person too, so that no computer moves while the test looks.
    for seed in range(5):
        seats = ("human",) * players
        game = Game.new(preset, trumps="SHDC"[:players], seats=seats, seed=seed, **options)
        chance = random.Random(seed)
        for _ in range(60):
            if not game.legal_moves:
                break
            game.play(chance.choice(game.legal_moves))
            viewer = game.position.seat
            known = {*game.position.hands[viewer], *game.position.pile}.union(*game.view_for(viewer).shown)
            text = seen_by(game)
            laid = {move for move in game.moves if move != "up"}
            for seat, hand in enumerate(game.position.hands):
                if seat != viewer and not game.outcome:
                    assert not [card for card in hand if card not in known | laid and f'"{card.code}"' in text]


def test_session_refuses_to_save_what_is_hidden():
    game = Game.new(trumps="SH", seats=("human", "human"), cards_each=6)
    session = TableSession(game)
    sent = []
    session.component.send = lambda **message: sent.append(message)
    session.on_message({"type": "save"})
    session.on_message({"type": "link"})
    assert [message["type"] for message in sent] == ["refused", "refused"]
    session.close()


@pytest.mark.parametrize(
    "message",
    [
        None,
        7,
        [],
        "move",
        {},
        {"type": 3},
        {"type": "nothing"},
        {"type": "move"},
        {"type": "move", "card": "6S"},
        {"type": "move", "card": "6S", "version": True},
        {"type": "move", "card": "6S", "version": 1},
        {"type": "move", "card": "6S" * 1000, "version": 0},
        {"type": "move", "card": "9C", "version": 0},
        {"type": "move", "card": "8H", "version": 0},
        {"type": "move", "card": "up", "version": 0},
        {"type": "move", "card": ["6S"], "version": 0},
        {"type": "trump", "suit": "S"},
        {"type": "goto", "cursor": "1"},
        {"type": "goto", "cursor": 99},
        {"type": "undo"},
        {"type": "redo"},
        {"type": "open", "text": "x"},
        {"type": "open", "text": "y" * 2_000_001},
        {"type": "open", "text": None},
        {"type": "resign", "version": 5},
    ],
    ids=lambda message: str(message)[:50],
)
def test_bad_message_is_refused_and_changes_nothing(message):
    game = Game.from_position(SMALL, ("human", "human"))
    session = TableSession(game)
    sent = []
    session.component.send = lambda **values: sent.append(values)
    before = (game.position, game.moves, game.outcome)
    session.on_message(message)
    assert (game.position, game.moves, game.outcome) == before
    assert [one["type"] for one in sent] == ["refused"]
    session.close()


def test_same_message_twice_plays_one_card():
    game = Game.from_position(SMALL, ("human", "human"))
    session = TableSession(game)
    for _ in range(2):
        session.on_message({"type": "move", "card": "6S", "version": 0})
    assert game.cursor == 1
    session.close()


def test_closed_session_leaves_no_watcher_on_the_game():
    game = Game.from_position(SMALL, ("human", "human"))
    session = TableSession(game)
    session.close()
    assert not any(any(kinds.values()) for kinds in game.param.watchers.values())


@pytest.mark.parametrize("moves", [0, 1, 2])
def test_kept_table_is_restored(moves):
    game = Game.from_position(SMALL, ("human", "human"))
    session = TableSession(game)
    session.settings.param.update(level=3, four_colours=True)
    for _ in range(moves):
        game.play(game.legal_moves[0])
    ticket = shelf.new_ticket()
    shelf.write(ticket, session.state())
    again, settings = restored(shelf.read(ticket))
    assert format_text(again.save()).splitlines()[2:4] == format_text(game.save()).splitlines()[2:4]
    assert (again.position, again.cursor) == (game.position, game.cursor)
    assert (settings.level, settings.four_colours) == (3, True)
    session.close()


@pytest.mark.parametrize("ticket", ["", "../../etc/passwd", "a" * 21, "a" * 23, "a" * 21 + "/"])
def test_shelf_reads_no_other_names(ticket):
    assert shelf.read(ticket) is None


def test_damaged_file_counts_as_none():
    ticket = shelf.new_ticket()
    shelf.write(ticket, {})
    (shelf.folder() / f"{ticket}.json").write_text("{", encoding="utf-8")
    assert shelf.read(ticket) is None


def test_page_that_says_hello_gets_the_view_again():
    session = TableSession(Game.from_position(SMALL, ("human", "human")))
    seen = []
    session.component.param.watch(lambda event: seen.append(event.new["version"]), "view", onlychanged=False)
    session.on_message({"type": "hello"})
    assert set(seen) == {0}
    session.close()


def test_table_in_a_notebook_is_told_nothing_until_it_says_hello():
    game = Game.from_position(SMALL, ("human", "human"))
    session = TableSession(game)
    session._repr_mimebundle_()
    seen = []
    session.component.param.watch(lambda event: seen.append(event.new["version"]), "view")
    game.play("6S")
    assert seen == []
    session.on_message({"type": "hello"})
    assert seen[-1] == 1
    session.close()
