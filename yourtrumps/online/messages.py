"""What a browser may ask for: small checked messages. Whatever else it sends is refused."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from .errors import BadMessage
from .events import OfferKind
from .fair import LONGEST_ENTROPY

LONGEST_MESSAGE: Final = 1024
"""Bytes of a message."""

PHRASES: Final = (
    "hello",
    "good-luck",
    "have-fun",
    "well-played",
    "nice-move",
    "oops",
    "one-moment",
    "thanks",
    "good-game",
    "goodbye",
)
"""What players can say to each other; the page translates it."""

_Suit = Literal["C", "D", "H", "S"]
_Entropy = Annotated[str, Meta(max_length=LONGEST_ENTROPY, pattern="^[0-9a-f]*$")]
_Move = Annotated[str, Meta(min_length=2, max_length=2, pattern="^([2-9TJQKA][CDHS]|up)$")]
_Level = Annotated[str, Meta(max_length=20, pattern="^[a-z]+(:[0-9]+)?$")]
_Phrase = Literal[
    "hello",
    "good-luck",
    "have-fun",
    "well-played",
    "nice-move",
    "oops",
    "one-moment",
    "thanks",
    "good-game",
    "goodbye",
]


class Command(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """Something that a seat asks for."""


class ChooseTrump(Command, frozen=True, kw_only=True, tag="choose-trump"):
    """Choose a trump suit, and add the browser's randomness if it has not been."""

    suit: _Suit
    entropy: _Entropy = ""


class GiveEntropy(Command, frozen=True, kw_only=True, tag="give-entropy"):
    """Add the browser's randomness to the deal; counts once a game."""

    entropy: _Entropy


class Play(Command, frozen=True, kw_only=True, tag="play"):
    """Play a card, or ``up``."""

    move: _Move


class Offer(Command, frozen=True, kw_only=True, tag="offer"):
    """Offer a draw, or ask to take back to one's own last decision."""

    kind: OfferKind


class Answer(Command, frozen=True, kw_only=True, tag="answer"):
    """Accept or decline what another seat offers."""

    kind: OfferKind
    accept: bool


class Withdraw(Command, frozen=True, kw_only=True, tag="withdraw"):
    """Withdraw one's own offer."""

    kind: OfferKind


class Resign(Command, frozen=True, kw_only=True, tag="resign"):
    """Give the game up."""


class Claim(Command, frozen=True, kw_only=True, tag="claim"):
    """End the game, as another seat has been away for longer than the grace."""

    result: Literal["win", "draw"] = "win"


class Rematch(Command, frozen=True, kw_only=True, tag="rematch"):
    """Ask for another game, or agree to it."""


class Say(Command, frozen=True, kw_only=True, tag="say"):
    """Say a preset phrase."""

    phrase: _Phrase


class FillSeats(Command, frozen=True, kw_only=True, tag="fill-seats"):
    """Let the computer take all free seats; only the host may."""

    computer: _Level = "level:3"


class Leave(Command, frozen=True, kw_only=True, tag="leave"):
    """Give the seat up before the first game; the host closes the room."""


AnyCommand = (
    ChooseTrump | GiveEntropy | Play | Offer | Answer | Withdraw | Resign | Claim | Rematch | Say | FillSeats | Leave
)


class Message(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command, and the version of the room that the browser saw when it was given."""

    version: Annotated[int, Meta(ge=0, le=10_000_000)]
    command: AnyCommand


_DECODER: Final = msgspec.json.Decoder(Message, strict=True)


def decode_message(raw: bytes | str) -> Message:
    """Return the message of *raw* JSON; raises :class:`BadMessage`.

    >>> decode_message('{"version": 7, "command": {"type": "play", "move": "9C"}}').command
    Play(move='9C')
    """
    if len(raw) > LONGEST_MESSAGE:
        raise BadMessage(f"at most {LONGEST_MESSAGE} bytes", str(len(raw)))
    try:
        return _DECODER.decode(raw)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadMessage("a command of a seat", str(error)) from None
