import json
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.core.playing import dealt
from tests.support.terminal import assert_complains, heed_interrupts, objects
from yourtrumps.cli.interruptible import interruptible
from yourtrumps.core import Rules, format_move, format_position, parse_position
from yourtrumps.engine.tablebase import MAGIC, Cancelled, Tablebase, build_table

ROOT = Path(__file__).parents[2]
SOLVED = json.loads((ROOT / "tests" / "reference" / "solved.json").read_text(encoding="utf-8"))
CODE = "6 SH 6S7S9C/8HTDAD QCKC 0 beat"
ADD = "6 SH 6S9C/8HTDAD QCKC7S 0 add"
KINGS = "K SH KSASKHAH/KDADKCAC - 0 lead"
NOTHING = "Q SH KDKSAS/QCKCACQDADQHKHAHQS - 0 lead"


@pytest.fixture(scope="module")
def kings(tmp_path_factory):
    """Return the file of the table of eight cards."""
    path = tmp_path_factory.mktemp("tables") / "kings.tablebase"
    command = [sys.executable, "-m", "yourtrumps", "tablebase", "build", "--low", "K", "--file", str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "15,792 positions" in done.stdout
    return path


def test_solve_tells_value_turns_and_what_keeps_it(command):
    status, output, error = command("solve", CODE)
    assert (status, error) == (0, "")
    assert output.startswith("win in 3 turns\nkeeps it: 6S 7S\n")
    assert "line: 6S" in output


def test_solve_as_json_has_the_fields_that_programs_rely_on(command):
    told = json.loads(command("solve", CODE, "--json")[1])
    assert list(told) == ["code", "value", "turns", "best", "nodes", "seconds"]
    assert (told["code"], told["value"], told["turns"], told["best"]) == (CODE, "win", 3, ["6S", "7S"])


def test_best_of_a_position_to_add_from_names_cards(command):
    position = parse_position(ADD)
    told = json.loads(command("solve", ADD, "--json")[1])
    assert told["best"]
    assert set(told["best"]) <= {format_move(move) for move in position.legal_moves()}


def test_solve_says_unknown_where_nothing_is_proved(command):
    deal = json.loads(command("deal", "--seed", 3, "--json")[1])["code"]
    status, output, _ = command("solve", deal, "--nodes", 20_000)
    assert status == 0
    assert output.startswith("unknown: no proof found")
    assert json.loads(command("solve", deal, "--nodes", 20_000, "--json")[1])["value"] == "unknown"


def test_solve_file_answers_every_line_in_order(command, tmp_path):
    asked = [entry for entry in SOLVED if len(entry["position"]) < 45][::6]
    file = tmp_path / "codes.txt"
    file.write_text("\n\n".join(entry["position"] for entry in asked), encoding="utf-8")
    status, output, error = command("solve", "--file", file)
    assert (status, error) == (0, "")
    told = objects(output)
    assert [one["code"] for one in told] == [entry["position"] for entry in asked]
    assert [one["value"] for one in told] == [entry["value"] for entry in asked]
    assert (
        objects(command("solve", "--file", "-", typed=file.read_text(encoding="utf-8"))[1])[0]["code"] == CODE or told
    )


def test_bad_line_comes_after_the_answers_before_it(command):
    status, output, error = command("solve", "--file", "-", typed=f"{CODE}\n\n{CODE}x\n{CODE}\n")
    assert status == 2
    assert [one["value"] for one in objects(output)] == ["win"]
    assert error.count("\n") == 1
    assert "line 3: " in error


@pytest.mark.parametrize(
    "code",
    [
        "6 SHC 6S7S/8HTD/9C QC 0 beat party",
        "6 SHC 6S7S8C/-/9CTD QC 0 beat party",
        "6 SH 6S/8H - 0 lead",
        "6 SH -/8H 9S 1 beat",
        CODE + " duel+may_decline=yes",
        "2 SH 2S3S/4H - 1 lead",
    ],
)
@pytest.mark.parametrize("words", [(), ("--json",), ("--nodes", "1" + "0" * 30), ("--seconds", "inf")], ids=str)
def test_odd_positions_and_limits_are_answered(command, code, words):
    status, output, error = command("solve", code, *words)
    assert (status, error) == (0, "")
    assert output


def test_limits_beyond_all_bounds_are_no_limits(command):
    huge = "9" * 40
    assert command("analyse", CODE, "--nodes", huge, "--depth", 2)[0] == 0
    assert command("analyse", CODE, "--seconds", "inf", "--depth", 2)[0] == 0


def test_file_from_windows_is_read(command, tmp_path):
    file = tmp_path / "codes.txt"
    file.write_bytes(f"\ufeff{CODE}\r\n{CODE}\r\n".encode())
    assert [one["code"] for one in objects(command("solve", "--file", file)[1])] == [CODE, CODE]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param([], "code: expected one of CODE and --file, got 'neither'", id="nothing"),
        pytest.param([CODE, "--file", "-"], "got 'both'", id="both"),
        pytest.param(["nonsense"], "code: expected six or seven fields", id="code"),
        pytest.param([CODE, "--seconds", "0"], "seconds: expected more than nought", id="seconds"),
        pytest.param([CODE, "--seconds", "nan"], "seconds: expected more than nought", id="nan"),
        pytest.param([CODE, "--nodes", "-3"], "nodes: expected more than nought", id="nodes"),
        pytest.param([CODE, "--memory", "0"], "memory: expected more than nought", id="memory"),
        pytest.param([CODE, "--memory", "soon"], "--memory", id="memory-no-number"),
        pytest.param(["--file", "no/such/file"], "expected a file to read", id="file"),
        pytest.param(["--file", "/"], "expected a file to read", id="folder"),
    ],
)
def test_bad_input_to_solve_is_one_line(command, words, said):
    assert_complains(command("solve", *words), said)


@pytest.mark.parametrize("typed", ["\xff\xfe\x00", "x" * 20_000, "6 SH " * 500], ids=["bytes", "long", "words"])
def test_line_that_is_no_code_is_one_line_of_error(command, typed):
    assert_complains(command("solve", "--file", "-", typed=typed), "line 1")


def test_more_memory_than_there_is_is_less_and_said_so(command, caplog):
    status, output, _ = command("solve", NOTHING, "--memory", 900_000, "--nodes", 1000)
    assert status == 0
    assert output
    assert "more than this machine has free" in caplog.text


def test_reader_that_goes_away_ends_solving_quietly():
    lines = f"{CODE}\n" * 20_000
    process = subprocess.Popen(
        [sys.executable, "-m", "yourtrumps", "solve", "--file", "-"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.stdin.write(lines[:60])
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["value"] == "win"
    process.stdout.close()
    _, error = process.communicate(lines)
    assert "Traceback" not in error


def test_table_is_built_verified_and_probed(command, kings):
    table = Tablebase.open(kings)
    assert table.counts().positions == 15_792
    status, output, error = command("tablebase", "verify", "--low", "K", "--file", kings)
    assert (status, error) == (0, "")
    assert "agrees with itself" in output
    told = json.loads(command("tablebase", "probe", KINGS, "--file", kings, "--json")[1])
    exact = json.loads(command("solve", KINGS, "--json")[1])
    assert (told["value"], told["turns"]) == (exact["value"], exact["turns"])
    assert {one["turn"] for one in told["moves"] if one["value"] == told["value"]} == set(exact["best"])
    assert command("tablebase", "probe", KINGS, "--file", kings)[1].startswith("KH       win in 5\n")


def test_table_in_its_own_place_is_found(command):
    assert command("tablebase", "build", "--low", "K")[0] == 0
    assert command("tablebase", "verify", "--low", "K")[0] == 0
    assert command("tablebase", "probe", KINGS)[0] == 0


def test_damaged_tables_are_refused(command, kings, tmp_path):
    data = kings.read_bytes()
    file = tmp_path / "table"
    kinds = {
        data[: len(data) // 2]: "bytes in",
        data[:20]: "whole header",
        data + b"x": "bytes in",
        b"": "another kind of file",
        b"\x00" * 500: "another kind of file",
        MAGIC + b"\xff\xff" + data[10:]: "tablebase version 1",
        data[:30] + bytes([data[30] ^ 1]) + data[31:]: "whole header",
        data[:-1] + bytes([data[-1] ^ 1]): "checksum",
    }
    for content, said in kinds.items():
        file.write_bytes(content)
        assert_complains(command("tablebase", "verify", "--file", file), said)


def test_table_of_another_game_is_refused(command, kings, tmp_path):
    assert_complains(
        command("tablebase", "probe", f"{KINGS} party", "--file", kings), "8 cards, party", "8 cards, duel"
    )
    assert_complains(command("tablebase", "probe", NOTHING, "--file", kings), "12 cards")
    deal = format_position(parse_position(json.loads(command("deal", "--json")[1])["code"]))
    assert_complains(command("tablebase", "probe", deal, "--file", kings), "at most 12 cards")
    assert_complains(command("tablebase", "probe", NOTHING), "`yourtrumps tablebase build` makes one")
    assert_complains(command("tablebase", "verify", "--file", tmp_path), "expected a tablebase in")


def test_position_that_play_cannot_reach_is_refused(command, kings):
    # Nobody can have laid these on each other.
    assert_complains(command("tablebase", "probe", "K SH KHKSAC/ADKD AHASKC 0 beat", "--file", kings), "play can reach")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--low", "6"], "expected a pack of 8 or 12 cards"),
        (["--low", "K", "--preset", "whist"], "preset to be one of"),
        (["--low", "K", "--threads", "0"], "threads: expected a number from 1 to 256"),
        (["--low", "K", "--file", "/proc/nowhere/table"], "expected to write"),
        (["--low", "K", "--file", "."], "it is a folder"),
    ],
    ids=["pack", "preset", "threads", "place", "folder"],
)
def test_table_that_cannot_be_built_is_refused_first(command, words, said):
    assert_complains(command("tablebase", "build", *words), said)


def test_build_that_fails_leaves_the_old_table_and_nothing_else(command, kings, tmp_path, monkeypatch):
    file = tmp_path / "kings"
    file.write_bytes(kings.read_bytes())

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("yourtrumps.engine.tablebase.os.fsync", full)
        status, _, error = command("tablebase", "build", "--low", "K", "--file", file)
    assert status == 2
    assert "No space left on device" in error
    assert list(tmp_path.iterdir()) == [file]
    assert file.read_bytes() == kings.read_bytes()


def test_ctrl_c_stops_a_search_at_once():
    deal = format_position(dealt(Rules.of("duel"), 1))
    process = subprocess.Popen(
        [sys.executable, "-m", "yourtrumps", "analyse", deal, "--seconds", "600"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    )
    # At the twelfth depth the machine code runs for seconds before it comes back to Python.
    while not process.stdout.readline().lstrip().startswith("12 "):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert (process.returncode, "Traceback" in error) == (130, False)


def test_build_that_is_stopped_leaves_nothing(tmp_path):
    with pytest.raises(Cancelled):
        build_table(Rules.of("duel", low="K"), tmp_path / "table", stop=lambda: True)
    assert list(tmp_path.iterdir()) == []


def test_interrupt_reaches_the_work_and_its_error_reaches_the_caller():
    stopped = threading.Event()
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0)
    assert interruptible(lambda: 7) == 7
    done = []

    def work():
        # What Ctrl-C does, while the work goes on.
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        stopped.wait(30)
        done.append(stopped.is_set())

    with pytest.raises(KeyboardInterrupt):
        interruptible(work, stopped.set)
    assert done == [True]
