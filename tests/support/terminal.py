"""The command line as a test runs it: words in, exit status and what was printed out."""

import io
import json
import signal
import sys

import pytest

from yourtrumps.cli.app import run


@pytest.fixture
def command(capsys, monkeypatch):
    """Run the command line on words, with text typed in; return its exit status, output and error output."""

    def run_command(*words, typed=""):
        stream = io.TextIOWrapper(io.BytesIO(typed.encode()), encoding="utf-8")
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", stream)
            status = run([str(word) for word in words])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run_command


def heed_interrupts():
    """Undo, in a new process, that a shell has the jobs in its background ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def objects(output):
    return [json.loads(line) for line in output.splitlines()]


def assert_complains(result, *words):
    status, output, error = result
    assert status == 2
    assert output == ""
    assert error.count("\n") == 1
    assert error.startswith("yourtrumps: ")
    for word in words:
        assert word in error
    assert "Traceback" not in error
