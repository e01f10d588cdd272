"""The errors of online play; each has a stable code that a page translates, and tells nothing hidden."""

from __future__ import annotations

from ..core import YourTrumpsError


class BadMessage(YourTrumpsError):
    """A message from a browser that is not what it should be."""

    code = "bad-message"

    def __init__(self, expected: str, got: str) -> None:
        shown = got if len(got) <= 60 else f"{got[:57]}..."
        super().__init__(f"message: expected {expected}, got {shown}", expected=expected, got=shown)


class NotAllowed(YourTrumpsError):
    """A request that this seat may not make now; ``why`` is a stable word for it."""

    code = "not-allowed"

    def __init__(self, why: str, expected: str, got: str) -> None:
        super().__init__(f"expected {expected}, got {got}", why=why, expected=expected, got=got)
        self.why = why


class TooSoon(YourTrumpsError):
    """A request that may be made again after ``seconds``."""

    code = "too-soon"

    def __init__(self, what: str, seconds: float) -> None:
        super().__init__(f"expected {what} in {seconds:.0f} seconds, got it now", what=what, seconds=seconds)
        self.seconds = seconds


class TooManyMessages(YourTrumpsError):
    """A session that sends more messages a second than are taken."""

    code = "too-many-messages"

    def __init__(self, most: int) -> None:
        super().__init__(f"expected at most {most} messages a second, got more", most=most)


class UnknownSeat(YourTrumpsError):
    """A token that holds no seat of this room."""

    code = "unknown-seat"

    def __init__(self) -> None:
        super().__init__("expected the token of a seat of this room, got another")


class RoomNotFound(YourTrumpsError):
    """A room that does not exist, or no longer."""

    code = "room-not-found"

    def __init__(self) -> None:
        super().__init__("expected the code of a room, got one that no room has")


class RoomFull(YourTrumpsError):
    """A room without a free seat."""

    code = "room-full"

    def __init__(self) -> None:
        super().__init__("expected a room with a free seat, got one that is full")


class BadName(YourTrumpsError):
    """A name with nothing in it that can be shown."""

    code = "bad-name"

    def __init__(self) -> None:
        super().__init__("expected a name with a letter or a number in it, got none")


class StoreError(YourTrumpsError):
    """A store that cannot do what it is asked for now, such as on a full disk; nothing has changed."""

    code = "store"

    def __init__(self, what: str) -> None:
        super().__init__(f"store: {what}", what=what)


class UnfairDeal(YourTrumpsError):
    """A deal that is not the one its commitment and randomness lead to."""

    code = "unfair-deal"

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(f"deal: expected {expected}, got {got}", expected=expected, got=got)
