"""Real servers in processes of their own, for tests and benchmarks."""

import os
import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

ROOT = Path(__file__).resolve().parents[2]
TROUBLE = ("Traceback (most recent call last)", " ERROR ", "[E ")


def free_port() -> int:
    """Return a TCP port of loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(home: Path) -> dict[str, str]:
    """Return this process's environment with every user folder below *home* and the repository's package first."""
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | {
        "YOURTRUMPS_DATA": str(home / "data"),
        "JUPYTER_CONFIG_DIR": str(home / "jupyter" / "config"),
        "JUPYTER_DATA_DIR": str(home / "jupyter" / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "jupyter" / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "jupyter" / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "jupyter" / "workspaces"),
        "IPYTHONDIR": str(home / "ipython"),
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONUNBUFFERED": "1",
    }


@dataclass(frozen=True)
class Server:
    """A running server: where it is, where its output goes, and its process."""

    url: str
    log: Path
    process: subprocess.Popen[bytes]

    @property
    def log_size(self) -> int:
        """How many characters the server has written so far."""
        return len(self._read())

    def trouble(self, since: int = 0) -> str:
        """Return what the server has written after *since* characters if it speaks of an error, else nothing."""
        text = self._read()[since:]
        return text if any(word in text for word in TROUBLE) else ""

    def _read(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")


@contextmanager
def serving(
    command: Sequence[str],
    url: str,
    home: Path,
    *,
    ready: str = "",
    env: Mapping[str, str] | None = None,
    within: float = 60,
) -> Iterator[Server]:
    """Run *command* while the block lasts, entered when the page *ready* below *url* answers with status 200.

    The log is read once more at the end, so an error that no page noticed fails the test run too.
    """
    home.mkdir(parents=True, exist_ok=True)
    log = home / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=home,
            env=environment(home) | dict(env or {}),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    server = Server(url, log, process)
    try:
        _wait_until_ready(server, url + ready, within)
        yield server
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    assert not server.trouble(), f"{command} wrote an error:\n{server.trouble()}"


def _wait_until_ready(server: Server, address: str, within: float) -> None:
    deadline = monotonic() + within
    while not _answers(address):
        try:
            status = server.process.wait(timeout=0.1)
        except subprocess.TimeoutExpired:
            if monotonic() > deadline:
                raise TimeoutError(f"{address} did not answer within {within} s:\n{server._read()}") from None
        else:
            raise RuntimeError(f"the server ended with status {status}:\n{server._read()}")


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=10) as response:
            return response.status == 200
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False
