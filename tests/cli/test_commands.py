import json
import re
import signal
import subprocess
import sys
import types
from pathlib import Path

import pytest

from tests.support.terminal import assert_complains, heed_interrupts, objects
from yourtrumps import __version__
from yourtrumps.arena import play_game
from yourtrumps.cli.table import Table
from yourtrumps.core import (
    IllegalMove,
    Reason,
    Rules,
    YourTrumpsError,
    format_json,
    format_move,
    format_position,
    format_text,
    parse_position,
    parse_record,
)
from yourtrumps.players import make_player

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "perft.json").read_text(encoding="utf-8"))
CODE = "6 SH 6S7S9C/8HTDAD QCKC 0 beat"


@pytest.fixture
def game():
    players = [make_player("greedy", seed=1), make_player("random", seed=1)]
    games = (play_game(players, Rules.of("duel", low="T"), seed) for seed in range(99))
    return next(game for game in games if game.outcome.code == "seat0")


def test_version_is_that_of_the_package(command):
    assert command("--version") == (0, f"yourtrumps {__version__}\n", "")


def test_no_command_shows_the_help(command):
    status, output, _ = command()
    assert status == 0
    for name in ("play", "serve", "deal", "moves", "perft", "replay", "selfplay", "analyse", "bench"):
        assert re.search(rf"\b{name}\b", output)


@pytest.mark.parametrize("name", ["play", "serve", "deal", "moves", "perft", "replay", "selfplay"])
def test_every_command_has_a_help(command, name):
    status, output, error = command(name, "--help")
    assert (status, error) == (0, "")
    assert "Usage:" in output


@pytest.mark.parametrize("case", REFERENCE[3:6], ids=lambda case: case["position"][:9])
def test_perft_prints_the_reference_counts(command, case):
    depth = len(case["perft"]) - 1
    lines = [f"{length} {count}\n" for length, count in enumerate(case["perft"][:depth], 1)]
    assert command("perft", case["position"], depth) == (0, "".join(lines), "")
    status, output, _ = command("perft", case["position"], depth, "--json")
    assert (status, json.loads(output)) == (
        0,
        {"code": case["position"], "depth": depth, "counts": case["perft"][:depth]},
    )


def test_moves_prints_a_move_a_line(command):
    assert command("moves", CODE) == (0, "6S\n7S\n", "")


@pytest.mark.parametrize(
    ("code", "moves", "outcome"),
    [
        pytest.param("6 SH 9C6S7S/TDAD8H QCKC 0 beat", ["6S", "7S"], None, id="going-on"),
        pytest.param("6 SH 9C/TDAD8H QCKC 0 beat", ["up"], None, id="up"),
        pytest.param("6 SH -/TDAD8H 9C 1 beat", [], {"result": "seat0", "reason": "empty hand"}, id="over"),
        pytest.param("6 SH -/8H 9C 1 beat", [], {"result": "draw", "reason": "last card answered"}, id="drawn"),
    ],
)
def test_moves_as_json(command, code, moves, outcome):
    status, output, _ = command("moves", code, "--json")
    assert (status, json.loads(output)) == (0, {"code": code, "moves": moves, "outcome": outcome})


def test_moves_of_a_finished_game_says_how_it_ended(command):
    assert command("moves", "6 SH -/TDAD8H 9C 1 beat")[1] == "seat 0 wins: the hand is empty.\n"


def test_deal_prints_a_position_code_that_follows_from_the_seed(command):
    status, output, error = command("deal", "--seed", 5)
    assert (status, error) == (0, "")
    assert parse_position(output.strip()).pile == ()
    assert command("deal", "--seed", 5)[1] == output
    assert command("deal", "--seed", 6)[1] != output
    assert json.loads(command("deal", "--seed", 5, "--json")[1]) == {"code": output.strip()}


def test_deal_without_a_seed_is_a_new_deal_each_time(command):
    assert len({command("deal")[1] for _ in range(3)}) == 3


@pytest.mark.parametrize(
    ("words", "beginning", "end", "sizes"),
    [
        pytest.param(["--trumps", "SH", "--leader", "1"], "6 SH ", " - 1 lead", [18, 18], id="trumps-and-leader"),
        pytest.param(["--trumps", "hc", "--low", "2"], "2 HC ", "lead", [26, 26], id="small-letters"),
        pytest.param(["--preset", "party", "--trumps", "SHD"], "6 SHD ", " lead party", [12, 12, 12], id="three"),
        pytest.param(["--preset", "party", "--seats", "4"], "6 ", " lead party", [9] * 4, id="four"),
        pytest.param(["--cards-each", "3"], "6 ", "duel+cards_each=3", [3, 3], id="cards-each"),
        pytest.param(["--preset", "duel+may_decline=yes"], "6 ", "duel+may_decline=yes", [18, 18], id="option"),
        pytest.param(["--preset", "russian", "--low", "K"], "K ", "russian", [4, 4], id="russian"),
    ],
)
def test_deal_follows_its_options(command, words, beginning, end, sizes):
    status, output, _ = command("deal", *words, "--seed", 1)
    code = output.strip()
    assert status == 0
    assert code.startswith(beginning)
    assert code.endswith(end)
    assert sorted(len(hand) for hand in parse_position(code).hands) == pytest.approx(sizes, abs=2)
    assert sum(len(hand) for hand in parse_position(code).hands) == sum(sizes)


@pytest.mark.parametrize("write", [format_text, format_json])
def test_replay_prints_turns_and_result(command, tmp_path, game, write):
    file = tmp_path / "game"
    file.write_text(write(game), encoding="utf-8")
    status, output, error = command("replay", file)
    assert (status, error) == (0, "")
    lines = output.splitlines()
    assert lines[1] == format_position(game.start)
    assert len(lines) == len(game.turns()) + 3
    assert lines[-1] == "Greedy wins: the hand is empty."
    status, output, _ = command("replay", file, "--json")
    told = json.loads(output)
    assert told["code"] == format_position(game.start)
    assert told["names"] == ["Greedy", "Random"]
    assert told["outcome"] == {"result": "seat0", "reason": "empty hand"}
    assert [turn["number"] for turn in told["turns"]] == list(range(1, len(game.turns()) + 1))
    assert told["turns"][-1]["code"] == format_position(list(game.positions())[-1])
    moves = [move for turn in told["turns"] for move in turn["turn"].split("+")]
    assert moves == list(map(format_move, game.moves))


def test_replay_shows_position_codes_when_asked(command, tmp_path, game):
    file = tmp_path / "game"
    file.write_text(format_text(game), encoding="utf-8")
    assert format_position(list(game.positions())[-1]) in command("replay", file, "--codes")[1].splitlines()[-2]


def test_replay_names_the_illegal_move_in_the_middle(command, tmp_path, game):
    told = json.loads(format_json(game))
    # The card just laid cannot be laid again by the seat that follows.
    told["moves"][4] = told["moves"][3]
    file = tmp_path / "game.json"
    file.write_text(json.dumps(told), encoding="utf-8")
    assert_complains(command("replay", file), "move 5", "expected")


@pytest.mark.parametrize("write", [format_text, format_json])
def test_replay_refuses_a_file_that_is_cut_off(command, tmp_path, game, write):
    file = tmp_path / "game"
    text = write(game)
    file.write_text(text[: len(text) // 2], encoding="utf-8")
    assert_complains(command("replay", file), "record: ")


def test_replay_refuses_what_is_no_text_file(command, tmp_path):
    file = tmp_path / "game"
    assert_complains(command("replay", file), "expected a file to read", "No such file")
    assert_complains(command("replay", tmp_path), "expected a file to read")
    file.write_bytes(b"\xff\xfe\x00")
    assert_complains(command("replay", file), "UTF-8")
    file.write_bytes(b"x" * 8_000_001)
    assert_complains(command("replay", file), "at most 8000000 bytes")


def test_selfplay_prints_a_table(command):
    status, output, error = command("selfplay", "--games", 6, "--players", "greedy,random", "--seed", 1)
    assert status == 0
    assert "6 games of duel" in output
    assert "greedy" in output
    assert "random" in output
    assert "Playing" in error


def test_selfplay_as_json_counts_every_game(command):
    words = ["selfplay", "--games", 6, "--players", "greedy,random,greedy", "--preset", "party", "--low", "T", "--json"]
    status, output, error = command(*words)
    told = json.loads(output)
    assert (status, error) == (0, "")
    assert (told["games"], told["rules"], told["low"], told["seed"]) == (6, "party", "T", 0)
    assert [one["player"] for one in told["players"]] == ["greedy", "random", "greedy"]
    assert all(one["wins"] + one["draws"] + one["losses"] == 6 for one in told["players"])
    assert sum(told["reasons"].values()) == 6
    assert json.loads(command(*words)[1]) == told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(["moves", "nonsense"], "code: expected six or seven fields", id="code"),
        pytest.param(["moves", "6 SH 9X/8H - 0 lead"], "hands: expected two characters a card", id="card"),
        pytest.param(["moves", "6 SH 9C/8H\n - 0 lead"], "hands: expected", id="line-break"),
        pytest.param(["perft", CODE, "0"], "depth: expected a number from 1, got 0", id="depth"),
        pytest.param(["perft", CODE, "x"], "DEPTH", id="depth-no-number"),
        pytest.param(["perft", CODE], "DEPTH", id="no-depth"),
        pytest.param(["deal", "--preset", "whist"], "preset to be one of duel, party", id="preset"),
        pytest.param(["deal", "--low", "A"], "one of 23456789TJQK", id="low"),
        pytest.param(["deal", "--low", "10"], "low: expected", id="low-ten"),
        pytest.param(["deal", "--trumps", "SS"], "trumps: expected 2 different suits", id="equal-trumps"),
        pytest.param(["deal", "--trumps", "SX"], "trumps: expected one of C, D, H, S", id="trump"),
        pytest.param(["deal", "--leader", "2"], "leader: expected a seat from 0 to 1, got 2", id="leader"),
        pytest.param(["deal", "--cards-each", "99"], "cards_each to be a number from 1 to 18", id="cards-each"),
        pytest.param(["deal", "--seats", "5", "--preset", "party"], "players to be 2, 3 or 4", id="seats"),
        pytest.param(["deal", "--seed", "x"], "--seed", id="seed"),
        pytest.param(["selfplay", "--games", "0"], "games: expected a number from 1, got 0", id="games"),
        pytest.param(["selfplay", "--players", "greedy,clever"], "player: expected one of random", id="player"),
        pytest.param(["selfplay", "--players", "greedy"], "players: expected 2 players", id="one-player"),
        pytest.param(["selfplay", "--players", "level:9,greedy"], "player: expected one of", id="player-level"),
        pytest.param(["play", "--text", "--level", "9"], "level: expected one of 1, 2, 3, 4, 5, 6", id="level"),
        pytest.param(["play", "--text", "--trump", "X"], "trump: expected one of C, D, H, S", id="play-trump"),
        pytest.param(["play", "--text", "--preset", "whist"], "preset to be one of", id="play-preset"),
        pytest.param(["play", "--level", "1"], "expected --text with these options", id="play-in-the-browser"),
        pytest.param(["serve", "--port", "70000"], "--port", id="port"),
        pytest.param(["analyse", "nonsense"], "code: expected six or seven fields", id="analyse-code"),
        pytest.param(["analyse", CODE, "--seconds", "0"], "seconds: expected more than nought, got 0", id="seconds"),
        pytest.param(["analyse", CODE, "--seconds", "nan"], "seconds: expected more than nought", id="seconds-nan"),
        pytest.param(["analyse", CODE, "--nodes", "-1"], "nodes: expected more than nought, got -1", id="nodes"),
        pytest.param(["analyse", CODE, "--depth", "0"], "depth: expected more than nought, got 0", id="search-depth"),
        pytest.param(["analyse", CODE, "--depth", "61"], "depth: expected a number from 1 to 60", id="too-deep"),
        pytest.param(["analyse", CODE, "--memory", "0"], "memory: expected a number of MB above 0", id="memory"),
        pytest.param(["analyse", CODE, "--threads", "0"], "threads: expected a number from 1 to 256", id="threads"),
        pytest.param(["analyse", "6 SH 6S/8H - 1 over"], "phase: expected lead, beat or add", id="analyse-over"),
        pytest.param(["analyse", "6 SHC 6S/8H/9C - 0 lead party"], "two seats", id="analyse-three"),
        pytest.param(["bench", "--nodes", "0"], "nodes: expected more than nought, got 0", id="bench-nodes"),
        pytest.param(["sing"], "sing", id="no-such-command"),
        pytest.param(["deal", "--colour"], "--colour", id="no-such-option"),
    ],
)
def test_bad_input_is_one_line_and_status_2(command, words, said):
    assert_complains(command(*words), said)


def test_analyse_shows_each_depth_and_what_the_turns_are_worth(command):
    status, output, _ = command("analyse", CODE, "--nodes", 20_000)
    assert status == 0
    assert re.search(r"^ +1 +\S+ .* s  6S", output, re.MULTILINE)
    assert "The turns weighed" in output
    assert "wins in" in output
    assert "What counts before any search" in output


def test_analyse_as_json_tells_what_it_found_and_how(command):
    told = json.loads(command("analyse", CODE, "--nodes", 20_000, "--json")[1])
    assert parse_position(told["code"]) == parse_position(CODE)
    assert told["exact"] == {"value": "win", "turns": told["exact"]["turns"]}
    assert [one["depth"] for one in told["iterations"]] == list(range(1, len(told["iterations"]) + 1))
    last = told["iterations"][-1]["turns"]
    assert last[0]["turn"] == told["best"]
    assert {one["turn"] for one in last} == {one["turn"] for one in told["iterations"][0]["turns"]}
    assert (last[0]["proved"], last[0]["chance"], told["chance"]) == ("win", 1, 1)
    assert set(told["shares"]) == {"own trumps", "other's trumps", "plain cards", "hand size", "turn"}
    assert command("analyse", CODE, "--depth", 2, "--json")[0] == 0


def test_bench_does_the_same_work_every_time(command):
    first, again, other = (json.loads(command("bench", "--nodes", nodes, "--json")[1]) for nodes in (500, 500, 700))
    assert first["checksum"] == again["checksum"] != other["checksum"]
    assert first["nodes"] == again["nodes"] <= 501 * first["positions"]
    status, output, error = command("bench", "--nodes", 500)
    assert (status, error.count("\n")) == (0, first["positions"])
    assert first["checksum"] in output


@pytest.fixture
def server(monkeypatch):
    """Stand in for the server; return the list of its calls."""
    calls = []
    module = types.ModuleType("yourtrumps.ui.server")
    module.serve = lambda **options: calls.append(options)
    monkeypatch.setitem(sys.modules, "yourtrumps.ui", types.ModuleType("yourtrumps.ui"))
    monkeypatch.setitem(sys.modules, "yourtrumps.ui.server", module)
    return calls, module


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (["play"], {"port": 5006, "address": "localhost", "show": True}),
        (["serve"], {"port": 5006, "address": "localhost", "show": True}),
        (["serve", "--no-browser", "--port", "0"], {"port": 0, "address": "localhost", "show": False}),
        (["serve", "--address", "0.0.0.0"], {"port": 5006, "address": "0.0.0.0", "show": True}),
    ],
    ids=["play", "serve", "no-browser", "address"],
)
def test_serving_asks_the_server(command, server, words, options):
    assert command(*words)[0] == 0
    assert server[0] == [options]


def test_error_of_the_server_is_one_line(command, server):
    def busy(**options):
        raise YourTrumpsError("port: expected\n a free port, got 5006")

    server[1].serve = busy
    assert_complains(command("serve"), "port: expected a free port, got 5006")


def test_table_ends_at_the_third_repetition_and_undo_takes_it_back():
    rules = Rules.of("duel", low="Q")
    games = (play_game([make_player("random", seed=seed)] * 2, rules, seed) for seed in range(999))
    record = next(game for game in games if game.outcome.reason is Reason.THREEFOLD)
    table = Table(record.start, record.names)
    for move in record.moves:
        assert table.outcome is None
        table.play(move)
    assert table.outcome == record.outcome
    assert table.view(0).legal == table.view(1).legal == ()
    assert table.record() == record
    with pytest.raises(IllegalMove, match="the game is over"):
        table.play(table.position.legal_moves()[0])
    table.undo(0)
    assert table.outcome is None
    assert table.view(0).legal != ()


def test_commands_without_pages_load_no_panel():
    script = (
        "import sys; from yourtrumps.cli.app import run; run(['deal', '--seed', '1']);"
        "print(sorted({'panel', 'bokeh', 'numba', 'redis'} & set(sys.modules)))"
    )
    root = Path(__file__).parents[2]
    output = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=True).stdout
    assert output.splitlines()[-1] == "[]"


class Talk:
    """A game with the terminal in JSON, line by line, as a program would have it."""

    def __init__(self, *words):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "yourtrumps", "play", "--text", "--json", *words],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=heed_interrupts,
        )

    def hear(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def say(self, word):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.kill()
        self.process.communicate()


def test_whole_game_is_played_in_json_and_saved(tmp_path):
    file = tmp_path / "saved.txt"
    with Talk("--seed", "5", "--trump", "h", "--level", "1", "--low", "T", "--save", str(file)) as talk:
        events = []
        while event := talk.hear():
            events.append(event)
            if event["event"] == "ask":
                assert event["legal"]
                talk.say(event["legal"][0])
        assert talk.process.wait(timeout=30) == 0
        assert talk.process.stderr.read() == ""
    assert events[0]["event"] == "start"
    assert events[0]["trumps"][0] == "H"
    moves = [event for event in events if event["event"] == "move"]
    assert [event["version"] for event in moves] == list(range(1, len(moves) + 1))
    assert events[-1]["event"] == "end"
    record = parse_record(file.read_text(encoding="utf-8"))
    assert [format_move(move) for move in record.moves] == [event["move"] for event in moves]
    assert events[-1] == {
        "event": "end",
        "version": len(moves),
        "result": record.outcome.code,
        "reason": record.outcome.reason.value,
    }


def test_ctrl_c_ends_with_130_and_no_traceback():
    with Talk("--trump", "S", "--seed", "1", "--level", "1") as talk:
        while talk.hear()["event"] != "ask":
            pass
        talk.process.send_signal(signal.SIGINT)
        assert talk.process.wait(timeout=30) == 130
        assert "Traceback" not in talk.process.stderr.read()


PLAY = ("play", "--text", "--json", "--seed", 3, "--trump", "S", "--level", 2)


def told(command, typed, *words):
    status, output, error = command(*PLAY, *words, typed=typed)
    assert (status, error) == (0, "")
    return objects(output)


def test_end_of_input_ends_the_game_politely(command):
    events = told(command, "")
    assert [event["event"] for event in events][-2:] == ["ask", "quit"]


@pytest.mark.parametrize("word", ["quit", "q", "QUIT"])
def test_quit_ends_the_game(command, word):
    assert told(command, f"{word}\nup\n")[-1]["event"] == "quit"


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        pytest.param("foo", "notation", "expected a card such as 9C, or up", id="no-move"),
        pytest.param("", "notation", "expected a card", id="empty"),
        pytest.param("x" * 100_000, "notation", "expected a card", id="huge"),
        pytest.param("8C", "illegal-move", "expected a card that beats", id="does-not-beat"),
        pytest.param("2C", "illegal-move", "expected a card in hand", id="outside-the-pack"),
        pytest.param("up", "illegal-move", "expected a card that beats the top card", id="must-beat"),
        pytest.param("8S+8S", "illegal-move", "expected a card in hand", id="the-same-card-twice"),
        pytest.param("undo", "option", "a move of yours to take back", id="nothing-to-undo"),
    ],
)
def test_bad_line_gets_an_error_and_the_question_stays(command, line, code, said):
    events = told(command, f"{line}\n")
    before = next(event for event in events if event["event"] == "ask")
    error = events[events.index(before) + 1]
    assert (error["event"], error["code"]) == ("error", code)
    assert said in error["message"]
    # Nothing moved: the next thing is the end of the input, at the same version.
    assert events[-1] == {"event": "quit", "version": before["version"]}


def test_beat_and_add_can_be_typed_in_one_go(command):
    events = told(command, "9s+6c\n")
    moves = [event["move"] for event in events if event["event"] == "move" and event["seat"] == 0]
    assert moves[:2] == ["9S", "6C"]


def test_undo_brings_the_question_back(command):
    events = told(command, "9S\n6C\nundo\nundo\nquit\n")
    asks = [event for event in events if event["event"] == "ask"]
    assert [event["event"] for event in events].count("undo") == 2
    assert asks[-1] == asks[0]
    assert asks[-2]["phase"] == "add"


def test_hint_names_a_legal_move_and_why(command):
    events = told(command, "hint\nquit\n")
    ask = next(event for event in events if event["event"] == "ask")
    hint = next(event for event in events if event["event"] == "hint")
    assert hint["move"] in ask["legal"]
    assert hint["reason"]
    assert events[-1]["version"] == ask["version"]


def test_help_lists_the_commands(command):
    assert [event for event in told(command, "?\n") if event["event"] == "help"]


def test_questions_show_no_card_of_another_hand(command):
    events = told(command, "", "--preset", "party", "--seats", "4")
    ask = next(event for event in events if event["event"] == "ask")
    assert len(ask["hand"]) == ask["counts"][0]
    named = set(re.findall(r'"([2-9TJQKA][CDHS])"', json.dumps(events)))
    laid = {event["move"] for event in events if event["event"] == "move"}
    assert named == set(ask["hand"]) | laid - {"up"}


def test_terminal_game_reads_well(command):
    status, output, error = command("play", "--text", "--seed", 3, typed="x\ns\nfoo\n?\nhint\n9S\n6C\nundo\n")
    assert (status, error) == (0, "")
    for words in (
        "Choose your trump suit: C, D, H or S.",
        "Not so: trump: expected one of C, D, H, S, got 'X'",
        "You: trumps are spades ♠",
        "Your hand: ",
        "8S*",
        "Not so: move: expected a card such as 9C, or up, got 'FOO'",
        "Type a card as rank and suit letter",
        "Hint: ",
        "You beat with 9S.",
        "Add any card.",
        "Taken back.",
        "Goodbye.",
    ):
        assert words in output
    assert re.search(r"Beat \w\w\.", output)


def test_trump_is_asked_until_the_input_ends(command):
    status, output, _ = command("play", "--text", "--json", typed="nonsense\n")
    assert status == 0
    assert [event["event"] for event in objects(output)] == ["error", "quit"]


def test_record_that_cannot_be_saved_is_an_error(command, tmp_path):
    status, _, error = command(*PLAY, "--save", tmp_path / "no" / "such" / "folder", typed="quit\n")
    assert status == 2
    assert "expected a file to write" in error
