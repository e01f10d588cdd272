"""The tests of this folder drive the pages in a real browser; their fixtures are in ``tests.support.browsing``."""

from pathlib import Path

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what lies in this folder, so that a run can leave it out."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")
