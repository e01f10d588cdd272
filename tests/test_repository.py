"""The files around the package agree with it and with each other."""

import json
import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import pytest
import yaml

import yourtrumps

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
README = (ROOT / "README.md").read_text(encoding="utf-8")
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@cache
def commands() -> dict[str, object]:
    from typer.main import get_command

    from yourtrumps.cli import app

    return dict(get_command(app).commands)


@cache
def kept_files() -> list[Path]:
    """Every text file that the repository keeps."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = [ROOT / name for name in listed.split("\0") if name]
    return [path for path in paths if path.is_file() and b"\0" not in path.read_bytes()]


def test_changelog_starts_with_the_version_of_the_package():
    versions = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    released = [version for version in versions if version != "Unreleased"]
    assert released[0] == yourtrumps.__version__


def test_conda_environment_equals_the_dependencies_for_playing_and_notebooks():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    wanted = {*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["notebook"]}
    wanted |= {f"python{PROJECT['requires-python']}", "pip"}
    assert {one.replace(" ", "") for one in environment["dependencies"]} == {one.replace(" ", "") for one in wanted}


def test_dependencies_are_all_imported():
    package = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "yourtrumps").rglob("*.py"))
    names = [re.match(r"[A-Za-z0-9_-]+", one)[0] for one in PROJECT["dependencies"]]
    unused = [name for name in names if not re.search(rf"^\s*(from|import) {name}\b", package, re.MULTILINE)]
    assert unused == []


def test_readme_shows_every_command():
    assert [name for name in commands() if f"`yourtrumps {name}" not in README] == []


def test_readme_names_only_commands_that_exist():
    named = set(re.findall(r"(?:`|^ {4})yourtrumps ([a-z-]+)", README, re.MULTILINE))
    assert named <= set(commands())
    assert named


@pytest.mark.parametrize(
    ("command", "flag"),
    re.findall(r"`yourtrumps ([a-z]+)[^`\n]*?(--[a-z-]+)", README),
    ids=lambda value: value.strip("-"),
)
def test_readme_names_only_options_that_exist(command, flag):
    assert flag in {option for parameter in commands()[command].params for option in parameter.opts}


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_make_targets_in_the_texts_exist(name):
    named = set(re.findall(r"(?:`|^ {4})make ([a-z]+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE))
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert named <= targets
    assert named


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_to_files_lead_somewhere(name):
    text = re.sub(r"<!--.*?-->", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.DOTALL)
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text)]
    files = [link for link in links if link and ":" not in link]
    assert [link for link in files if not (ROOT / link).exists()] == []


async def test_readme_code_runs():
    # On a running loop, as in a notebook: where the computer has drawn the lead, the table asks it at once, and
    # without a loop Panel makes one and leaves it open.
    blocks = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)
    assert blocks


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebook_is_stored_without_outputs(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    ran = [cell for cell in cells if cell["cell_type"] == "code" and (cell["outputs"] or cell["execution_count"])]
    assert ran == []


def test_no_file_names_a_registry_or_a_folder_of_one_machine():
    # Put together here, so that this file does not hold what it looks for.
    hosts = [
        ".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("anaconda", "org"))
    ]
    folders = [f"/{name}/" for name in ("work", "home", "root", "Users")]
    pattern = re.compile("|".join(map(re.escape, hosts)) + r"|(?<![\w.)}])(?:" + "|".join(folders) + ")")
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in kept_files()
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        if pattern.search(line)
    ]
    assert found == []


def test_tests_mirror_the_package():
    beside = {"browser", "notebook", "support", "repository", "imports"}
    tested = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and any(path.glob("*.py"))}
    tested |= {path.stem.removeprefix("test_") for path in (ROOT / "tests").glob("test_*.py")}
    package = (path for path in (ROOT / "yourtrumps").iterdir() if path.suffix == ".py" or any(path.glob("*.py")))
    layers = {path.stem for path in package if not path.name.startswith("_")}
    assert layers - tested == set(), "layers without tests"
    assert tested - layers - beside == set(), "tests of no layer"
