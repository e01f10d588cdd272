"""The one command, ``yourtrumps``: every way to play, ask and count from a terminal."""

from .app import app, main

__all__ = ["app", "main"]
