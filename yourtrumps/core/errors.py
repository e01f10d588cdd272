"""The errors of the package: one base class, a stable code for each, and values a translation can use."""

from __future__ import annotations

from typing import ClassVar


class YourTrumpsError(Exception):
    """Base of every error that a caller may want to catch.

    ``code`` names the kind of error for good, so that a user interface can translate it;
    ``values`` are what a translated sentence fills in.
    """

    code: ClassVar[str] = "error"

    def __init__(self, message: str, **values: object) -> None:
        super().__init__(message)
        self.message = message
        self.values = values


class IllegalMove(YourTrumpsError):
    """A move that the rules do not allow in this position."""

    code = "illegal-move"

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(f"expected {expected}, got {got}", expected=expected, got=got)


class NotationError(YourTrumpsError):
    """A text that is not what it should be; names the field, the offending text and what was expected."""

    code = "notation"

    def __init__(self, field: str, text: str, expected: str) -> None:
        shown = text if len(text) <= 60 else f"{text[:57]}..."
        super().__init__(f"{field}: expected {expected}, got {shown!r}", field=field, text=shown, expected=expected)
        self.field = field
        self.text = shown
        self.expected = expected


class OptionError(YourTrumpsError):
    """A rule option, level or setting that does not exist or is out of range."""

    code = "option"

    def __init__(self, option: str, got: object, expected: str) -> None:
        super().__init__(f"{option}: expected {expected}, got {got!r}", option=option, got=str(got), expected=expected)
        self.option = option
        self.got = got
        self.expected = expected


class RecordError(YourTrumpsError):
    """A saved game that cannot be read; ``move_number`` counts single moves from 1 where one is at fault."""

    code = "record"

    def __init__(self, message: str, move_number: int | None = None) -> None:
        where = "" if move_number is None else f"move {move_number}: "
        super().__init__(f"record: {where}{message}", detail=message, move_number=move_number)
        self.move_number = move_number


class StaleVersion(YourTrumpsError):
    """A move that was meant for an earlier position than the one on the table."""

    code = "stale-version"

    def __init__(self, expected: int, got: int) -> None:
        super().__init__(f"expected version {expected}, got {got}", expected=expected, got=got)
