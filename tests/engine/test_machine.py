"""Machine code comes when it is there; until then plain Python plays."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from yourtrumps.core import parse_position
from yourtrumps.engine import alphabeta, machine
from yourtrumps.engine.bench import POSITIONS, run
from yourtrumps.engine.search import Search, turns_of


def test_search_does_not_wait_for_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_state", machine._State())
    monkeypatch.setattr(machine, "is_on_disk", lambda: False)
    assert machine.code(alphabeta) is machine.plain(alphabeta)
    position = parse_position(POSITIONS[-1])
    assert Search(position).run(nodes=500).best.turn in turns_of(position)
    assert not machine.is_ready()


def test_start_brings_machine_code_without_being_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_state", machine._State())
    shares: list[float] = []
    machine.start(shares.append)
    worker = machine._state.worker
    assert worker is not None
    machine.start(shares.append)
    assert machine._state.worker is worker
    worker.join(120)
    assert machine.is_ready()
    assert shares == sorted(shares)
    assert shares[-1] == machine.progress() == 1.0


def test_engine_runs_where_numba_is_absent() -> None:
    program = (
        "from yourtrumps.engine import jit, machine; from yourtrumps.engine.bench import POSITIONS;"
        "from yourtrumps.engine.search import Search; from yourtrumps.core import parse_position;"
        "machine.start(); found = Search(parse_position(POSITIONS[-1])).run(nodes=3000);"
        "print(jit.IS_COMPILED, found.depth, found.best.turn, found.best.value)"
    )
    run_plain = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env=os.environ | {"YOURTRUMPS_PLAIN": "1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    found = Search(parse_position(POSITIONS[-1])).run(nodes=3000)
    assert run_plain.stdout.split(maxsplit=1)[0] == "False"
    assert run_plain.stdout.strip() == f"False {found.depth} {found.best.turn} {found.best.value}"


def test_bench_has_a_checksum_that_a_change_of_behaviour_alters(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = run(nodes=2000), run(nodes=2000)
    assert (one.nodes, one.checksum) == (two.nodes, two.checksum)
    assert one.positions == len(POSITIONS)
    assert run(nodes=2500).checksum != one.checksum
    ordering = alphabeta.MOST_AT.copy()
    monkeypatch.setattr(machine, "code", machine.plain)
    assert run(nodes=600).checksum == run(nodes=600).checksum
    assert (ordering == alphabeta.MOST_AT).all()


@pytest.mark.parametrize("code", POSITIONS)
def test_bench_positions_can_be_played(code: str) -> None:
    assert len(turns_of(parse_position(code))) > 1


def test_machine_code_that_cannot_be_made_is_said_and_plain_python_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(machine, "_state", machine._State())
    monkeypatch.setattr(machine, "is_on_disk", lambda: False)
    monkeypatch.setattr(machine.sys, "executable", str(broken))
    machine.start()
    worker = machine._state.worker
    assert worker is not None
    worker.join(60)
    assert not machine.is_being_made()
    assert "could not be made here" in caplog.text
    assert machine.code(alphabeta) is machine.plain(alphabeta)
