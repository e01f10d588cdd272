"""What cannot be guessed: room codes and seat tokens; and names that are safe to show."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import unicodedata
from typing import Final

from .errors import BadName

LONGEST_NAME: Final = 24
"""Characters of a name; of marks above and below letters at most three in a row are kept."""

_LONGEST_INPUT: Final = 200
_MOST_MARKS: Final = 3
_ROOM: Final = re.compile(r"[A-Za-z0-9_-]{22}")
_IDENTITY: Final = re.compile(r"([A-Za-z0-9_-]{22})\.([0-9a-f]{64})")
# These shape letters of several scripts where they stand between two of them, and are otherwise invisible.
_JOINERS: Final = "\u200c\u200d"


def new_room_id() -> str:
    """Return the code of a new room: 128 bits, 22 characters."""
    return secrets.token_urlsafe(16)


def is_room_id(text: str) -> bool:
    """Whether *text* has the form of a room's code."""
    return _ROOM.fullmatch(text) is not None


def new_token() -> str:
    """Return a secret for a seat: 192 bits, 32 characters."""
    return secrets.token_urlsafe(24)


def token_hash(token: str) -> str:
    """Return what may be written down of a token: its SHA-256 in hexadecimal digits."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def holds(token: str, kept_hash: str) -> bool:
    """Whether *kept_hash* is that of *token*; takes the same time whatever the token. An empty hash is nobody's."""
    return hmac.compare_digest(token_hash(token).encode(), kept_hash.encode()) and bool(kept_hash)


def new_identity(key: bytes) -> str:
    """Return a guest's identity, signed with the server's *key*, for the browser to keep."""
    guest = secrets.token_urlsafe(16)
    return f"{guest}.{_sign(guest, key)}"


def check_identity(identity: str, key: bytes) -> str | None:
    """Return the guest that *identity* names, or None if this server did not sign it."""
    match = _IDENTITY.fullmatch(identity)
    if match is None or not hmac.compare_digest(match[2], _sign(match[1], key)):
        return None
    return match[1]


def _sign(guest: str, key: bytes) -> str:
    return hmac.new(key, b"your-trumps/guest/" + guest.encode(), hashlib.sha256).hexdigest()


def clean_name(text: str) -> str:
    r"""Return *text* as a name that is safe to show as text; raises :class:`BadName` if nothing is left of it.

    Control characters, characters that turn the direction of writing, unassigned and private ones are left out;
    spaces are single; stacks of marks and the whole are cut short.

    >>> clean_name("  Ann\u202e\x00   Bo ")
    'Ann Bo'
    """
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text[:_LONGEST_INPUT].encode("utf-8", "ignore").decode("utf-8")):
        kind = unicodedata.category(char)
        if kind[0] == "Z" or char in "\t\n\r":
            char, kind = " ", "Zs"
        elif kind[0] == "C" and char not in _JOINERS:
            continue
        marks = marks + 1 if kind[0] == "M" else 0
        if marks > _MOST_MARKS or (kind[0] == "M" and not kept):
            continue
        kept.append(char)
    name = _drop_stray_joiners(" ".join("".join(kept).split())[:LONGEST_NAME]).strip()
    if not any(unicodedata.category(char)[0] in "LN" for char in name):
        raise BadName
    return name


def _drop_stray_joiners(text: str) -> str:
    def between(at: int) -> bool:
        around = text[at - 1 : at] + text[at + 1 : at + 2]
        return len(around) == 2 and all(unicodedata.category(char)[0] in "LM" for char in around)

    return "".join(char for at, char in enumerate(text) if char not in _JOINERS or between(at))
