"""The door to numba: a decorator that compiles where it can, and the plain twin of whatever it compiled.

Without numba (or with ``YOURTRUMPS_PLAIN`` set) the same source runs as ordinary Python.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, Final, TypeVar

__all__ = ["IS_COMPILED", "borrowed", "highest", "jit", "lowest", "plain", "popcount", "prefetch"]

F = TypeVar("F", bound=Callable[..., Any])

numba: Any = None
if not os.environ.get("YOURTRUMPS_PLAIN"):
    try:
        import numba
    except ImportError:
        numba = None

IS_COMPILED: Final = numba is not None
"""Whether functions are compiled to machine code in this process."""


@cache
def _digest(path: Path) -> str:
    """Hash of a source file and of the engine modules that it imports."""
    text = path.read_text(encoding="utf-8")
    used = sorted(set(re.findall(r"^from \.(\w+) import", text, re.MULTILINE)))
    if path.stem == "jit":
        text += path.with_name("intrinsics.py").read_text(encoding="utf-8")
    parts = [text, *(_digest(path.with_name(f"{name}.py")) for name in used if path.with_name(f"{name}.py").exists())]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _cache_root() -> Path:
    """Where machine code is kept: beside the sources if they can be written, else the user's cache."""
    if numba.config.CACHE_DIR:
        return Path(numba.config.CACHE_DIR)
    beside = Path(__file__).parent / "__pycache__"
    try:
        beside.mkdir(exist_ok=True)
        with tempfile.TemporaryFile(dir=beside):
            return beside
    except OSError:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "yourtrumps"


@cache
def cache_folder(source: Path) -> Path:
    """Return where the machine code of a source file is kept, in the state that the sources are in now."""
    return _cache_root() / f"jit-{source.stem}-{_digest(source)}"


def complete_marker() -> Path:
    """Return the file that says: all machine code of these sources is on disk, for this Python, numba and processor."""
    from llvmlite import binding  # type: ignore[import-untyped]

    sources = [path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))]
    parts = [source for source in sources if b"numba" in source or b"from .jit import" in source]
    made_by = f"{sys.version} {numba.__version__} {binding.get_host_cpu_name()}"
    digest = hashlib.sha256(b"\0".join([*parts, made_by.encode()])).hexdigest()[:16]
    return _cache_root() / f"complete-{digest}"


def jit(function: F) -> F:
    """Return *function* compiled when first called, without the global lock, and cached on disk.

    numba looks only at the file of a function to see whether a cached version is stale, not at the files of the
    functions inlined into it; so each state of the sources gets a directory of its own.
    """
    if numba is None:
        return function
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder(Path(function.__code__.co_filename)))
    try:
        compiled: F = numba.njit(function, cache=True, nogil=True, error_model="numpy")
    finally:
        numba.config.CACHE_DIR = before
    return compiled


def _plain_popcount(bits: int) -> int:
    return int(bits).bit_count()


def _plain_lowest(bits: int) -> int:
    bits = int(bits)
    return (bits & -bits).bit_length() - 1


def _plain_highest(bits: int) -> int:
    return int(bits).bit_length() - 1


def _plain_prefetch(array: Any, index: int) -> None:
    pass


def _plain_borrowed(array: Any) -> Any:
    return array


_INTRINSICS: Final[dict[str, Callable[..., Any]]] = {
    "popcount": _plain_popcount,
    "lowest": _plain_lowest,
    "highest": _plain_highest,
    "borrowed": _plain_borrowed,
    "prefetch": _plain_prefetch,
}
_AT_HAND: Final = _INTRINSICS if numba is None else vars(import_module(f"{__package__}.intrinsics"))
popcount: Callable[[int], int] = _AT_HAND["popcount"]
lowest: Callable[[int], int] = _AT_HAND["lowest"]
highest: Callable[[int], int] = _AT_HAND["highest"]
borrowed: Any = _AT_HAND["borrowed"]
prefetch: Any = _AT_HAND["prefetch"]


def plain(module: ModuleType) -> SimpleNamespace:
    """Return the functions of *module* as ordinary Python: what runs while the machine code is being made."""
    return SimpleNamespace(
        **{name: _plain_twin(value, {}) for name, value in vars(module).items() if hasattr(value, "py_func")}
    )


def _plain_twin(compiled: Any, done: dict[int, FunctionType]) -> FunctionType:
    """Copy of a compiled function whose globals hold the plain twins of all that it calls."""
    if id(compiled) in done:
        return done[id(compiled)]
    source: FunctionType = compiled.py_func
    names = dict(source.__globals__)
    twin = FunctionType(source.__code__, names, source.__name__, source.__defaults__, source.__closure__)
    done[id(compiled)] = twin
    for name in source.__code__.co_names:
        if name in _INTRINSICS:
            names[name] = _INTRINSICS[name]
        elif hasattr(names.get(name), "py_func"):
            names[name] = _plain_twin(names[name], done)
    return twin
