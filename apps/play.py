"""The table page, for ``panel serve apps/*.py``."""

from yourtrumps.ui.pages.play import page
from yourtrumps.ui.server import prepare

prepare()
page().servable(title="Your trumps")
