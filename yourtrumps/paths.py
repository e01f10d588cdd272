"""Where this application keeps what outlives a run."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path


def data_folder() -> Path:
    """Return the folder of kept games and tables: the variable ``YOURTRUMPS_DATA``, or where the system keeps such."""
    chosen = os.environ.get("YOURTRUMPS_DATA")
    return Path(chosen) if chosen else user_data_path("yourtrumps", appauthor=False)
