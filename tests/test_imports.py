"""Each layer imports only what its place in the house allows, and importing the package is cheap."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "yourtrumps"
STANDARD = sys.stdlib_module_names


@dataclass(frozen=True)
class Layer:
    """What a layer may import: of ours, from outside, and, inside functions only, what must not load with it."""

    ours: set[str] = field(default_factory=set)
    outside: set[str] = field(default_factory=set)
    late: set[str] = field(default_factory=set)
    forbidden: set[str] = field(default_factory=set)


BELOW_UI = {
    "core",
    "engine",
    "players",
    "coach",
    "game",
    "referee",
    "online",
    "lessons",
    "i18n",
    "arena",
    "adapters",
    "paths",
}
NO_EFFECTS = {"asyncio", "io", "os", "pathlib", "secrets", "socket", "subprocess", "threading", "time"}

LAYERS = {
    "core": Layer(forbidden=NO_EFFECTS),
    "engine": Layer({"core", "paths"}, {"numpy", "numba", "llvmlite"}),
    "paths": Layer(outside={"platformdirs"}),
    "players": Layer({"core", "engine"}),
    "coach": Layer({"core", "engine"}),
    "game": Layer({"core"}, {"param"}),
    "referee": Layer({"core", "game", "players"}),
    "online": Layer({"core", "paths"}, {"msgspec", "openskill", "redis"}),
    "online.sync": Layer({"core", "game"}),
    "lessons": Layer({"core", "coach"}),
    "i18n": Layer(outside={"babel"}),
    "arena": Layer({"core", "players"}, {"dask", "distributed"}),
    "adapters": Layer({"core"}, {"pettingzoo", "pyspiel", "open_spiel", "gymnasium", "numpy"}),
    "ui": Layer(BELOW_UI, {"panel", "bokeh", "param"}),
    "ui.view": Layer(BELOW_UI),
    "cli": Layer(BELOW_UI, {"typer", "rich"}, late={"ui"}),
    # The package's own front: public names, of which the table loads panel and so comes late.
    "": Layer({"core", "game"}, late={"ui", "i18n", "players", "referee"}),
    "__main__": Layer({"cli"}),
    # The application's entry points and stories are told with public names and panel.
    "apps": Layer({"", "ui"}, {"panel"}),
}


@dataclass(frozen=True)
class Import:
    """A module that is imported (ours by its path below the package), and whether inside a function."""

    module: str
    ours: bool
    late: bool
    line: int


def layer_of(path: Path) -> str:
    """Return the name of the row in LAYERS that *path*, a module below the package, stands in."""
    parts = [part for part in path.with_suffix("").parts if part != "__init__"]
    name = ".".join(parts)
    return name if name in LAYERS else parts[0]


def imports(source: str, package: tuple[str, ...]) -> Iterator[Import]:
    """Yield every import of *source*, a module of *package* (``("yourtrumps", "core")``), wherever it stands."""
    tree = ast.parse(source)
    late = {
        node
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) - node.level + 1]) if node.level else []
            stem = ".".join([*base, *filter(None, [node.module])])
            # "from yourtrumps import ui" names a module, "from yourtrumps.core import Card" does not.
            names = [f"{stem}.{alias.name}" for alias in node.names] if stem == "yourtrumps" else [stem]
        else:
            continue
        for name in names:
            top, _, rest = name.partition(".")
            yield Import(rest if top == "yourtrumps" else top, top == "yourtrumps", node in late, node.lineno)


def complaints(source: str, package: tuple[str, ...], layer: str) -> list[str]:
    """Return a sentence for each import of *source* that *layer* does not allow."""
    rule = LAYERS[layer]
    own = layer.partition(".")[0]
    found = []
    for one in imports(source, package):
        target = one.module.partition(".")[0]
        if one.ours:
            # What is not a layer's name is a public name of the package itself.
            target = target if target in LAYERS else ""
            allowed = target in {own, *rule.ours} or (one.late and target in rule.late) or one.module == "__version__"
        else:
            allowed = target in rule.outside or (target in STANDARD and target not in rule.forbidden)
        if not allowed:
            where = " inside a function" if one.late else ""
            found.append(
                f"line {one.line}: {layer or 'the package'} may not import {one.module or 'yourtrumps'}{where}"
            )
    return found


MODULES = [path.relative_to(PACKAGE) for path in sorted(PACKAGE.rglob("*.py"))]


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_module_imports_only_what_its_layer_may(path):
    layer = layer_of(path) if path != Path("__init__.py") else ""
    assert layer in LAYERS, f"{path} stands in no layer of the design"
    package = ("yourtrumps", *path.parent.parts)
    assert complaints((PACKAGE / path).read_text(encoding="utf-8"), package, layer) == []


@pytest.mark.parametrize("path", sorted((ROOT / "apps").glob("*.py")), ids=lambda path: path.name)
def test_app_is_short_and_imports_only_public_names(path):
    source = path.read_text(encoding="utf-8")
    assert len(source.splitlines()) < 30
    assert complaints(source, (), "apps") == []


@pytest.mark.parametrize(
    ("layer", "package", "source"),
    [
        pytest.param("core", ("yourtrumps", "core"), "import param", id="outside"),
        pytest.param("core", ("yourtrumps", "core"), "import time", id="clock-in-core"),
        pytest.param("core", ("yourtrumps", "core"), "from ..players import base", id="upwards"),
        pytest.param("core", ("yourtrumps", "core"), "from .. import players", id="upwards-by-name"),
        pytest.param("players", ("yourtrumps", "players"), "from yourtrumps.game import Game", id="absolute"),
        pytest.param("players", ("yourtrumps", "players"), "def f():\n    import panel", id="inside-a-function"),
        pytest.param("cli", ("yourtrumps",), "from .ui import pages", id="early"),
        pytest.param("ui.view", ("yourtrumps", "ui"), "import panel", id="pure-view"),
    ],
)
def test_forbidden_import_is_reported(layer, package, source):
    assert len(complaints(source, package, layer)) == 1


@pytest.mark.parametrize(
    ("layer", "package", "source"),
    [
        pytest.param("players", ("yourtrumps", "players"), "from ..core.cards import Card", id="downwards"),
        pytest.param("players", ("yourtrumps", "players"), "from .base import Player", id="sideways"),
        pytest.param("cli", ("yourtrumps",), "def serve():\n    from .ui import pages", id="late"),
        pytest.param("cli", ("yourtrumps",), "from . import __version__", id="version"),
        pytest.param("core", ("yourtrumps", "core"), "import json", id="standard-library"),
    ],
)
def test_allowed_import_is_not_reported(layer, package, source):
    assert complaints(source, package, layer) == []


def test_import_loads_nothing_heavy():
    heavy = ["panel", "bokeh", "numba", "redis", "dask", "msgspec", "openskill"]
    script = f"import sys, yourtrumps; print(*sorted(set({heavy!r}) & set(sys.modules)))"
    loaded = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert loaded.split() == []
