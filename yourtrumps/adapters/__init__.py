"""The game as other libraries know games; each module needs the library that it is named for."""

from ..core import YourTrumpsError


class MissingExtra(YourTrumpsError, ImportError):
    """A library that an adapter needs is not installed; ``extra`` is what brings it."""

    code = "missing-extra"

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(f"{library} is not installed: pip install yourtrumps[{extra}]", library=library, extra=extra)
        self.extra = extra


__all__ = ["MissingExtra"]
