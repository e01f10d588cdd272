"""The command line as a test runs it: words in, exit status and what was printed out."""

import io
import json
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
