"""A real Redis on a free port of loopback, which a test starts, stops and kills by its process id."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from pathlib import Path

BINARY = shutil.which("redis-server")


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


class RedisServer:
    """One server with its own folder; what it has acknowledged is on disk."""

    def __init__(self, folder: Path, *, cluster: bool = False) -> None:
        # A cluster's second port is the first and 10,000.
        self.port = free_port()
        while cluster and self.port > 55_000:
            self.port = free_port()
        self.folder = folder
        self.cluster = cluster
        self.process: subprocess.Popen[bytes] | None = None
        self.start()
        if cluster:
            self.ask("CLUSTER", "ADDSLOTSRANGE", "0", "16383")
            while b"cluster_state:ok" not in self.ask("CLUSTER", "INFO"):
                time.sleep(0.02)

    @property
    def url(self) -> str:
        return f"redis{'+cluster' if self.cluster else ''}://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        options = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "dir": str(self.folder),
            "appendonly": "yes",
            "appendfsync": "always",
            "save": "",
            "cluster-enabled": "yes" if self.cluster else "no",
        }
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        assert BINARY
        self.process = subprocess.Popen([BINARY, *words], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while True:
            assert self.process.poll() is None, "the server ended by itself"
            try:
                if b"PONG" in self.ask("PING"):
                    return
            except OSError:
                assert time.monotonic() < deadline, "the server does not answer"
            time.sleep(0.02)

    def ask(self, *words: str) -> bytes:
        """Return what the server answers to a command, as it comes over the wire."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
            connection.sendall(
                f"*{len(words)}\r\n".encode() + b"".join(f"${len(word)}\r\n{word}\r\n".encode() for word in words)
            )
            return connection.recv(65536)

    def kill(self) -> None:
        """End the server at once, as ``kill -9`` does."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    stop = kill
