"""A fixed piece of work for the search: how fast it is here, and a checksum of what it does."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from ..core import format_turn, parse_position
from .search import Memory, Search

POSITIONS: Final = (
    "6 SH 6CTCJCKCAC7D9DTDJDQDAD7H9HJHKHAH7SQS/7C8C9CQC6D8DKD6H8HTHQH6S8S9STSJSKSAS - 0 lead",
    "6 SD 7C9CJCQCAC6D7D8DJDQDAD9HTH/6C8CKC9D6H7H8HJHQHKHAH6S8STSJSQSAS 9SKD7SKSTCTD 0 beat",
    "6 DH 6C7D8D9DJDQD6H9HTHQH7S/7C8C9CTCJCQCACTDKDAD7HJHKHAH6S8S9STSJSQSKSAS KC8H6D 1 beat",
    "9 CD TDQDKDADJHQHKH9STSQSKS/9CTCJCQCKCAC9DJD9HTHAHJSAS - 1 lead",
    "T CH TDKDTH/TCJCQCKCACJDQDJHQHKHAHTSJSQSKSAS AD 1 beat",
    "J HD QCKCQDQHKHJSQSAS/JCACJDKDADJHAHKS - 0 lead",
    "2 DC 4CJCKCJDQD5H9HQH4S6STSQSKSAS/3C5C8C9CQC3D4D5D6D7DKDAD2H3H4H6H8HJHKHAH2S3S5S7S8S9S"
    " 8D7CTC9DJS2C2DTD6CAC7HTH 0 beat",
    "6 HD 7C9CTCQC7DTDQDKD6HAH7S8STS/6CAC6D8DAD8HTHQH9SJSQSKSAS 8CKC9D7HJHJDJC9HKH6S 0 beat party",
    "6 HS 6C7CJCAC8D9DTDQDKD6H9HTHJHAH7S8SQSKS/8C9CTCQCKC6D7DJDAD7H8HQHKH6S9STSJSAS - 0 lead russian",
    "6 SH 6CTCJCKCAC7DQD6H9HKSAS/7C8C9CQC6D8D9DTDJDKDAD7H8HTHJHQHKHAH6S7S8S9STSJSQS - 1 lead cambridge",
    "9 DS 9CQCKC9DJDQDKDADTHJHKHAH9STSKSAS/TCJCACTD9HQHJSQS - 1 lead russian",
    "Q SH QDKDQH/QCKCACADKHAHQSKSAS - 0 lead",
)
"""Of every preset, and of packs from 12 to 52 cards: openings, middle games, near ends."""
NODES: Final = 400_000
"""Searched in each."""
_MEGABYTES: Final = 16


@dataclass(frozen=True, slots=True)
class Bench:
    """What the work came to."""

    positions: int
    nodes: int
    seconds: float
    checksum: str
    """Changes if, and only if, the search does anything else than before: turns, values, nodes."""

    @property
    def nodes_per_second(self) -> int:
        """Positions searched a second."""
        return round(self.nodes / self.seconds) if self.seconds else 0


def run(nodes: int = NODES, on_position: Callable[[int], None] | None = None) -> Bench:
    """Search all positions on one thread, each with a table of its own, and return what it came to."""
    digest = hashlib.sha256()
    total, seconds = 0, 0.0
    for number, (text, searched, took) in enumerate(_searches(nodes), 1):
        digest.update(text.encode())
        total += searched
        seconds += took
        if on_position:
            on_position(number)
    return Bench(len(POSITIONS), total, seconds, digest.hexdigest()[:12])


def _searches(nodes: int) -> Iterator[tuple[str, int, float]]:
    memory = Memory(_MEGABYTES)
    for code in POSITIONS:
        memory.clear()
        search = Search(parse_position(code), memory)
        started = time.perf_counter()
        found = search.run(nodes=nodes)
        seconds = time.perf_counter() - started
        best = found.best
        yield f"{code} {format_turn(best.turn)} {best.value} {found.depth} {found.nodes}\n", found.nodes, seconds
