"""An adapter whose library is not installed says how to get it."""

import importlib
import sys

import pytest

from yourtrumps import YourTrumpsError
from yourtrumps.adapters import MissingExtra


def test_missing_openspiel_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "yourtrumps.adapters.openspiel", raising=False)
    with pytest.raises(MissingExtra, match=r"pip install yourtrumps\[openspiel\]") as caught:
        importlib.import_module("yourtrumps.adapters.openspiel")
    assert isinstance(caught.value, YourTrumpsError)
    assert isinstance(caught.value, ImportError)
