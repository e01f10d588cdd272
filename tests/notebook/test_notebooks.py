"""Every notebook runs from its first cell to its last without an error, with no browser to show it."""

import nbformat
import pytest
from nbclient import NotebookClient

from tests.support.serving import ROOT, environment

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
async def test_notebook_runs(path, tmp_path, monkeypatch):
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    notebook = nbformat.read(path, as_version=4)
    # Not execute(): it makes an event loop of its own and leaves it open, which fails the run at its very end.
    await NotebookClient(notebook, timeout=120, resources={"metadata": {"path": tmp_path}}).async_execute()
    complaints = [
        output.get("text", "")
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if output.output_type == "stream" and output.name == "stderr"
    ]
    assert complaints == []
