"""Players play in machine code, made once a run at most."""

import pytest

from yourtrumps.engine import machine


@pytest.fixture(scope="session", autouse=True)
def machine_code() -> None:
    machine.load()
