"""Whole small games solved: built in memory, kept in a file, mapped and probed.

A file is a header and two arrays: the piles as a trie (:mod:`.piles`) and one byte a position (:mod:`.retrograde`).
"""

from __future__ import annotations

import hashlib
import os
import struct
import tempfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core import PRESETS, UP, Card, Phase, Position, Rank, Rules
from ..paths import data_folder
from . import piles, probing, retrograde
from .building import Cancelled, Progress, Source, TablebaseError, count_positions, solve_game
from .piles import Trie
from .smallgame import MOST_CARDS, Numbering, Options, Shape, Tables, numbering, tables
from .worth import Counts, TurnWorth, Worth, best_worth

__all__ = [
    "Cancelled",
    "Tablebase",
    "TablebaseError",
    "build_table",
    "cards_in_play",
    "check_place",
    "describe",
    "numbering",
    "open_table",
    "options_name",
    "table_for",
    "table_path",
]

MAGIC: Final = b"YTTABLE\n"
VERSION: Final = 1
SUFFIX: Final = ".tablebase"
_HEADER: Final = struct.Struct("<8sHB4B2BBIQQ16s")
_HEADER_SIZE: Final = _HEADER.size + 4


class Tablebase:
    """Value and distance of every position that play can reach in a game with few cards."""

    def __init__(self, shape: Shape, options: Options, trie: Trie, values: NDArray[np.uint8], dealt: int = 0) -> None:
        self.shape = shape
        self.options = options
        self.tables: Tables = tables(shape, options)
        self.dealt = dealt
        """How many of the positions a deal of equal hands can lead to; 0 if not counted."""
        self._trie = trie
        self._values = values
        self._desk = retrograde.new_desk(shape.size)
        self._codes = np.zeros(shape.size**2 + 1, np.int64)
        self._lock = Lock()  # over the two scratch arrays

    # Building

    @classmethod
    def build(
        cls,
        shape: Shape,
        options: Options,
        progress: Progress | None = None,
        threads: int = 1,
        stop: Callable[[], bool] | None = None,
        sources: Sequence[Source] = (),
        count_dealt: bool = False,
    ) -> Tablebase:
        """Solve a whole game by retrograde analysis.

        Parameters
        ----------
        progress, stop
            Asked between passes; :class:`Cancelled` is raised once *stop* returns true.
        sources
            Positions to reach besides those that a lead begins: frame and pile, both as numbered in the small game.
        count_dealt
            Count also the positions that a deal of equal hands leads to.
        """
        if not 2 <= shape.size <= MOST_CARDS:
            raise TablebaseError(f"expected a game of 2 to {MOST_CARDS} cards, got {shape.size}")
        trie, values, dealt = solve_game(tables(shape, options), progress, threads, stop, sources, count_dealt)
        return cls(shape, options, trie, values, dealt)

    # Files

    def save(self, path: Path) -> None:
        """Write the table to *path*: to a temporary file beside it first, so that there is never half a table."""
        payload = [np.ascontiguousarray(self._trie.masks).astype("<i2").tobytes(), self._values.tobytes()]
        header = _HEADER.pack(
            MAGIC,
            VERSION,
            self.options.bits,
            *self.shape.counts,
            *map(int, self.shape.aces),
            self.tables.frames,
            len(self._trie.masks),
            len(self._values),
            self.dealt,
            _digest(payload),
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(header + struct.pack("<I", zlib.crc32(header)))
                for part in payload:
                    file.write(part)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    @classmethod
    def open(cls, path: Path, shape: Shape | None = None, options: Options | None = None) -> Tablebase:
        """Map the table in *path*; raises :class:`TablebaseError` unless it is whole and, if given, for that game."""
        try:
            size = path.stat().st_size
            with path.open("rb") as file:
                raw = file.read(_HEADER_SIZE)
        except FileNotFoundError:
            raise TablebaseError(f"expected a tablebase in {path}: `yourtrumps tablebase build` makes one") from None
        except OSError as error:
            raise TablebaseError(f"expected a tablebase in {path}, got: {error.strerror}") from None
        if raw[: len(MAGIC)] != MAGIC:
            raise TablebaseError(f"expected a tablebase in {path}, got another kind of file")
        version = int.from_bytes(raw[len(MAGIC) : len(MAGIC) + 2], "little")
        if version != VERSION:
            raise TablebaseError(f"expected tablebase version {VERSION} in {path}, got {version}")
        header, check = raw[:-4], raw[-4:]
        if len(raw) < _HEADER_SIZE or struct.pack("<I", zlib.crc32(header)) != check:
            raise TablebaseError(f"expected a whole header in {path}, got a damaged one")
        _, _, bits, *parts, nodes, count, dealt, _ = _HEADER.unpack(header)
        found = Shape((parts[0], parts[1], parts[2], parts[3]), (bool(parts[4]), bool(parts[5])))
        wanted = _HEADER_SIZE + 2 * nodes + count
        if size != wanted:
            raise TablebaseError(f"expected {wanted} bytes in {path}, got {size}")
        rules = Options.from_bits(bits)
        asked, got = describe(shape or found, options or rules), describe(found, rules)
        if asked != got or (shape or found) != found:
            raise TablebaseError(f"expected a table of {asked} in {path}, got {got}")
        masks = np.memmap(path, "<i2", "r", _HEADER_SIZE, (nodes,))
        values = np.memmap(path, np.uint8, "r", _HEADER_SIZE + 2 * nodes, (count,))
        trie = piles.index(np.asarray(masks), found.size, parts[6])
        if int(trie.levels[-1]) != nodes or int(trie.offsets[-1]) != count:
            raise TablebaseError(f"expected {nodes} piles in {path}, got {int(trie.levels[-1])}")
        table = cls(found, rules, trie, np.asarray(values), dealt)
        table._path = path
        return table

    _path: Path | None = None

    def verify(self, sample: int = 20_000, seed: int = 1) -> Counts:
        """Check the file's checksum and that a sample of positions agrees with its successors; return the counts."""
        if self._path is not None:
            with self._path.open("rb") as file:
                header = file.read(_HEADER_SIZE)[:-4]
                digest = hashlib.blake2b(digest_size=16)
                while part := file.read(1 << 20):
                    digest.update(part)
            if digest.digest() != _HEADER.unpack(header)[-1]:
                raise TablebaseError(f"expected the checksum of the header in {self._path}, got another")
        numbers = np.sort(np.random.default_rng(seed).integers(0, len(self._values), sample))
        wrong = probing.check(self.tables, self._trie, self._values, numbers, self._desk, self._codes)
        if wrong >= 0:
            raise TablebaseError(f"expected position {wrong} to agree with its successors, got {self._values[wrong]}")
        return self.counts()

    def counts(self) -> Counts:
        """Count positions by their value."""
        return count_positions(self.tables, self._trie, self._values)

    @property
    def file_size(self) -> int:
        """Bytes that :meth:`save` writes."""
        return _HEADER_SIZE + 2 * len(self._trie.masks) + len(self._values)

    # Probing

    def probe(self, position: Position) -> Worth | None:
        """Return what *position* is worth, or None if it is not in the table."""
        known = numbering(cards_in_play(position), position.trumps)
        if position.phase is Phase.ADD:
            return best_worth(turn.worth for turn in self.turns(position, known))
        pile, own, frame = self._numbers(position, known)
        depth = len(position.pile)
        place = probing.locate(self.tables, self._trie, frame, pile, depth, own)
        return Worth.of_code(int(self._values[place])) if place >= 0 else None

    def turns(self, position: Position, known: Numbering | None = None) -> list[TurnWorth]:
        """Return every turn from *position* and what it is worth; for an ``add`` position what is left of the turn."""
        with self._lock:
            return self._turns(position, known or numbering(cards_in_play(position), position.trumps))

    def _turns(self, position: Position, known: Numbering) -> list[TurnWorth]:
        pile, own, frame = self._numbers(position, known)
        depth = len(position.pile)
        t, codes, desk = self.tables, self._codes, self._desk
        beaten = -1
        if position.phase is Phase.ADD:
            depth -= 1
            own |= 1 << int(pile[depth])
        mirrored = probing.is_mirrored(t, pile, depth)
        numbers = t.mirror if mirrored else None
        if numbers is not None:
            own = int(t.mirror_mask[own])
            pile[: len(position.pile)] = numbers[pile[: len(position.pile)]]
        if position.phase is Phase.ADD:
            beaten = int(pile[depth])
        desk.pile[:depth] = pile[:depth]
        count = probing.weigh(t, self._trie, self._values, frame, depth, own, desk, codes)
        names = {place: card for card, place in known.places[position.seat].items()}
        if numbers is not None:
            names = {int(numbers[place]): card for place, card in names.items()}
        out = []
        for turn, code in enumerate(codes[: count + 1].tolist()):
            if code < 0:
                continue
            worth = Worth.of_code(code)
            if turn == count:
                if beaten < 0:
                    out.append(TurnWorth((UP,), worth))
                continue
            first, second = int(desk.first[turn]), int(desk.second[turn])
            if beaten < 0:
                moves = (names[first],) if second < 0 else (names[first], names[second])
                out.append(TurnWorth(moves, worth))
            elif first == beaten:
                out.append(TurnWorth((names[second],), worth))
        return out

    def _numbers(self, position: Position, known: Numbering) -> tuple[NDArray[np.int64], int, int]:
        """Return the pile, the mover's hand and the frame as the table numbers them."""
        _check_shape(known.shape, self.shape)
        places = known.places[position.seat]
        pile = np.zeros(MOST_CARDS + 2, np.int64)
        for i, card in enumerate(position.pile):
            pile[i] = places[card]
        own = 0
        for card in position.hand:
            own |= 1 << places[card]
        return pile, own, known.frames[position.seat]

    def probe_many(self, positions: Sequence[Position]) -> list[Worth | None]:
        """Return what each of many ``lead`` and ``beat`` positions is worth."""
        return [_WORTHS[code] for code in self.probe_rows(*_rows(positions, self.shape)).tolist()]

    def probe_rows(
        self,
        frames: NDArray[np.uint8],
        stacks: NDArray[np.uint8],
        depths: NDArray[np.uint8],
        owns: NDArray[np.int16],
    ) -> NDArray[np.uint8]:
        """Return the code of each of many positions given as numbers: see :func:`.probing.probe_many`."""
        codes = np.zeros(len(depths), np.uint8)
        probing.probe_many(self.tables, self._trie, self._values, frames, stacks, depths, owns, codes)
        return codes


_WORTHS: Final = [Worth.of_code(code) for code in range(256)]


def cards_in_play(position: Position) -> frozenset[Card]:
    """Return all cards that stand somewhere."""
    return frozenset(position.pile).union(*position.hands)


def _check_shape(found: Shape, wanted: Shape) -> None:
    """Raise :class:`TablebaseError` for a position of another game: machine code would look outside the table."""
    if found != wanted:
        got = " ".join(map(str, found.counts))
        raise TablebaseError(
            f"expected a position with {' '.join(map(str, wanted.counts))} cards of the suits, got {got}"
        )


def _rows(
    positions: Sequence[Position], shape: Shape
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int16]]:
    """Number many positions, of one pack with every card in play."""
    frames, depths, owns = bytearray(), bytearray(), []
    stacks = bytearray()
    empty = bytes(MOST_CARDS)
    bits: dict[tuple[int, tuple[object, ...], Rank], tuple[dict[Card, int], dict[Card, int], int]] = {}
    for position in positions:
        seat = position.seat
        key = (seat, position.trumps, position.rules.low)
        if key not in bits:
            known = numbering(cards_in_play(position), position.trumps)
            _check_shape(known.shape, shape)
            places = known.places[seat]
            bits[key] = places, {card: 1 << place for card, place in places.items()}, known.frames[seat]
        places, masks, frame = bits[key]
        frames.append(frame)
        pile = position.pile
        depths.append(len(pile))
        stacks += (bytes([places[card] for card in pile]) + empty)[:MOST_CARDS]
        owns.append(sum([masks[card] for card in position.hands[seat]]))
    return (
        np.frombuffer(bytes(frames), np.uint8),
        np.frombuffer(bytes(stacks), np.uint8).reshape(-1, MOST_CARDS),
        np.frombuffer(bytes(depths), np.uint8),
        np.array(owns, np.int16),
    )


def _digest(parts: Iterable[bytes]) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(part)
    return digest.digest()


def describe(shape: Shape, options: Options) -> str:
    """Name a game in words: ``12 cards, duel``."""
    return f"{shape.size} cards, {options_name(options)}"


def options_name(options: Options) -> str:
    """Return the name of the first preset with these options, or what they are."""
    for name, rules in PRESETS.items():
        if Options.of(rules) == options:
            return name
    words = [("may-decline", options.may_decline), ("whole-pile", options.whole_pile), ("taker", options.taker_leads)]
    return "-".join(word for word, holds in words if holds)


def table_path(rules: Rules, home: Path | None = None) -> Path:
    """Return where the table for the whole pack of *rules* is kept."""
    name = f"{options_name(Options.of(rules))}-{len(rules.pack)}{SUFFIX}"
    return (home or data_folder()) / "tablebases" / name


def check_place(rules: Rules, path: Path) -> None:
    """Raise :class:`TablebaseError` before the work if there is no table of *rules*, or *path* cannot be written."""
    ranks = len(rules.pack) // 4
    if rules.players != 2 or not 2 <= ranks <= MOST_CARDS // 4:
        got = f"{len(rules.pack)} cards for {rules.players}"
        raise TablebaseError(f"expected a pack of 8 or {MOST_CARDS} cards and two players, got {got}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise IsADirectoryError(None, "it is a folder")
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise TablebaseError(f"expected to write {path}, got: {error.strerror}") from None


def build_table(
    rules: Rules,
    path: Path | None = None,
    progress: Progress | None = None,
    threads: int = 2,
    stop: Callable[[], bool] | None = None,
) -> tuple[Tablebase, Path]:
    """Build the table for the whole pack of *rules*, write it to *path* or its own place, and return both.

    Raises :class:`Cancelled` once *stop* returns true; nothing is written then.
    """
    path = path or table_path(rules)
    check_place(rules, path)
    shape = Shape.of_pack(len(rules.pack) // 4)
    table = Tablebase.build(shape, Options.of(rules), progress, threads, stop, count_dealt=True)
    try:
        table.save(path)
    except OSError as error:
        raise TablebaseError(f"expected to write {path}, got: {error.strerror}") from None
    return table, path


def open_table(rules: Rules, path: Path | None = None) -> Tablebase:
    """Open the table for the whole pack of *rules*."""
    return Tablebase.open(path or table_path(rules), Shape.of_pack(len(rules.pack) // 4), Options.of(rules))


def table_for(position: Position, path: Path | None = None) -> Tablebase:
    """Open the table that holds *position*: the one in *path*, or that of its pack in its own place."""
    count = len(cards_in_play(position))
    if len(position.hands) != 2 or count > MOST_CARDS:
        got = f"{count} cards of {len(position.hands)} seats"
        raise TablebaseError(f"expected a position of two seats and at most {MOST_CARDS} cards, got {got}")
    shape = numbering(cards_in_play(position), position.trumps).shape
    options = Options.of(position.rules)
    if path is None:
        if shape not in (Shape.of_pack(2), Shape.of_pack(3)):
            raise TablebaseError(f"expected as many cards of each suit, got {' '.join(map(str, shape.counts))}")
        rules = replace(position.rules, low=Rank(15 - shape.size // 4), cards_each=None)
        path = table_path(rules)
    return Tablebase.open(path, shape, options)
