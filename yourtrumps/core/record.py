"""Records: a whole game as a value, and its two file formats, a text in the spirit of PGN and JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from .errors import IllegalMove, NotationError, RecordError
from .memory import THREEFOLD, Repetitions
from .notation import format_move, format_position, format_turn, parse_move, parse_position, parse_turn
from .position import Move, Outcome, Phase, Position, Reason

VERSION: Final = 1
"""Of both formats; a file of another version is refused."""

_FORMAT: Final = "your-trumps-record"
_LONGEST: Final = 2_000_000
_MOST_MOVES: Final = 50_000
_LONGEST_NAME: Final = 80
_UNFINISHED: Final = "*"


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it was played: the deal, the moves, who sat where, and how it ended.

    ``times`` holds the seconds that each move took, or nothing. ``tags`` are further remarks by name.
    """

    start: Position
    moves: tuple[Move, ...] = ()
    names: tuple[str, ...] = ()
    times: tuple[float, ...] = ()
    outcome: Outcome | None = None
    tags: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), hash=False)

    def __post_init__(self) -> None:
        if not self.names:
            object.__setattr__(self, "names", tuple(f"seat {seat}" for seat in range(len(self.start.hands))))
        object.__setattr__(self, "tags", MappingProxyType(dict(self.tags)))

    def __reduce__(self) -> tuple[type[Record], tuple[object, ...]]:
        # A read-only mapping cannot be pickled; a dict can, and comes out read-only again.
        return Record, (self.start, self.moves, self.names, self.times, self.outcome, dict(self.tags))

    def positions(self) -> Iterator[Position]:
        """Yield the start and the position after every move; raises :class:`RecordError` at an illegal one."""
        position = self.start
        repetitions = Repetitions()
        repetitions.add(position)
        ended: Reason | None = None
        yield position
        for number, move in enumerate(self.moves, 1):
            if ended:
                raise RecordError(f"expected no move after the end ({ended}), got {move}", number)
            try:
                position = position.after(move)
            except IllegalMove as error:
                raise RecordError(str(error), number) from error
            if repetitions.add(position) >= THREEFOLD:
                ended = Reason.THREEFOLD
            yield position

    def final_outcome(self) -> Outcome | None:
        """Return the outcome that the moves themselves lead to, or else the one that was agreed, resigned or timed."""
        repetitions = Repetitions()
        count = 0
        position = self.start
        for position in self.positions():
            count = repetitions.add(position)
        if position.outcome:
            return position.outcome
        return Outcome.draw(Reason.THREEFOLD) if count >= THREEFOLD else self.outcome

    def check(self) -> Record:
        """Return this record with its outcome filled in; raises :class:`RecordError` if it contradicts itself."""
        seats = len(self.start.hands)
        if len(self.names) != seats:
            raise RecordError(f"expected {seats} names, got {len(self.names)}")
        for name in self.names:
            if not name.isprintable() or len(name) > _LONGEST_NAME:
                raise RecordError(f"expected printable names of at most {_LONGEST_NAME} characters, got {name[:20]!r}")
        if self.times and len(self.times) != len(self.moves):
            raise RecordError(f"expected {len(self.moves)} times, got {len(self.times)}")
        outcome = self.final_outcome()
        if self.outcome and outcome != self.outcome:
            raise RecordError(f"expected the result {_describe(outcome)} of its moves, got {_describe(self.outcome)}")
        by_rule = (Reason.EMPTY_HAND, Reason.LAST_CARD_ANSWERED, Reason.THREEFOLD)
        if outcome is self.outcome and outcome and outcome.reason in by_rule:
            raise RecordError(f"expected more moves before the end by {outcome.reason!s}")
        return replace(self, outcome=outcome)

    def turns(self) -> tuple[tuple[Move, ...], ...]:
        """Return the moves grouped into turns; only the last may still lack its added card."""
        turns: list[list[Move]] = []
        adding = False
        for position, move in zip(self.positions(), self.moves, strict=False):
            adding = position.phase is Phase.ADD
            if adding and turns:
                turns[-1].append(move)
            else:
                turns.append([move])
        return tuple(map(tuple, turns))


def parse_outcome(code: str, reason: str, players: int) -> Outcome:
    """Return the outcome of a code such as ``seat0``, ``loser2`` or ``draw`` and its reason."""
    try:
        why = Reason(reason)
    except ValueError:
        raise NotationError("reason", reason, f"one of {', '.join(Reason)}") from None
    if code == "draw":
        return Outcome.draw(why)
    for seat in range(players):
        outcome = Outcome.lost_by(seat, players, why)
        if outcome.code == code:
            return outcome
    raise NotationError("result", code, "draw, or a seat of this game")


def parse_record(text: str) -> Record:
    """Return the checked record of either format; raises :class:`RecordError`."""
    if len(text) > _LONGEST:
        raise RecordError(f"expected at most {_LONGEST} characters, got {len(text)}")
    try:
        record = _parse_json(text) if text.lstrip().startswith("{") else _parse_text(text)
    except NotationError as error:
        raise RecordError(str(error)) from error
    return record.check()


def _describe(outcome: Outcome | None) -> str:
    return f"{outcome.code} ({outcome.reason})" if outcome else _UNFINISHED


def _outcome_codes(record: Record) -> tuple[str, str]:
    return (record.outcome.code, record.outcome.reason.value) if record.outcome else (_UNFINISHED, "")


def _read_outcome(result: str, reason: str, start: Position) -> Outcome | None:
    return None if result == _UNFINISHED else parse_outcome(result, reason, len(start.hands))


def _read_times(times: Sequence[Any]) -> tuple[float, ...]:
    for number, seconds in enumerate(times, 1):
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds < 1e9:
            raise RecordError(f"expected seconds of nought or more, got {seconds!r}", number)
    return tuple(map(float, times))


# --- JSON


def format_json(record: Record) -> str:
    """Write *record* as JSON, version included."""
    result, reason = _outcome_codes(record)
    return json.dumps(
        {
            "format": _FORMAT,
            "version": VERSION,
            "deal": format_position(record.start),
            "names": record.names,
            "moves": [format_move(move) for move in record.moves],
            "times": record.times,
            "result": result,
            "reason": reason,
            "tags": dict(record.tags),
        },
        ensure_ascii=False,
        indent=1,
    )


_JSON_TYPES: Final = {
    "deal": str,
    "names": list,
    "moves": list,
    "times": list,
    "result": str,
    "reason": str,
    "tags": dict,
}


def _parse_json(text: str) -> Record:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"expected whole JSON, got {error}") from None
    if data.get("format") != _FORMAT:
        raise RecordError(f"expected the format {_FORMAT}, got {data.get('format')!r}")
    # True and 1.0 equal 1, and are no version.
    if type(data.get("version")) is not int or data["version"] != VERSION:
        raise RecordError(f"expected version {VERSION}, got {data.get('version')!r}")
    for key, kind in _JSON_TYPES.items():
        if not isinstance(data.get(key), kind):
            raise RecordError(f"expected {key!r} as {kind.__name__}, got {type(data.get(key)).__name__}")
    if not all(isinstance(word, str) for word in [*data["names"], *data["moves"], *data["tags"].values()]):
        raise RecordError("expected text in names, moves and tags")
    start = parse_position(data["deal"])
    return Record(
        start=start,
        moves=_read_moves(data["moves"]),
        names=tuple(data["names"]),
        times=_read_times(data["times"]),
        outcome=_read_outcome(data["result"], data["reason"], start),
        tags=MappingProxyType(data["tags"]),
    )


def _read_moves(codes: Sequence[str]) -> tuple[Move, ...]:
    if len(codes) > _MOST_MOVES:
        raise RecordError(f"expected at most {_MOST_MOVES} moves, got {len(codes)}")
    moves = []
    for number, code in enumerate(codes, 1):
        try:
            moves.append(parse_move(code))
        except NotationError as error:
            raise RecordError(str(error), number) from error
    return tuple(moves)


# --- Text

_KNOWN_TAGS: Final = ("Game", "Version", "Deal", "Result", "Reason")
_TAG: Final = re.compile(r'\[(\w+) "((?:[^"\\]|\\["\\])*)"\]\s*')
_TOKEN: Final = re.compile(r"\s*(?:(?P<number>\d+\.)|(?P<times>\{[^{}]*\})|(?P<word>[^\s{}]+))\s*")


def format_text(record: Record) -> str:
    """Write *record* as text: tags, then the turns, a round a line, then the result again."""
    result, reason = _outcome_codes(record)
    tags = {"Game": "Your trumps", "Version": str(VERSION), "Deal": format_position(record.start)}
    tags |= {f"Seat{seat}": name for seat, name in enumerate(record.names)}
    tags |= {"Result": result, "Reason": reason} if record.outcome else {"Result": result}
    tags |= record.tags
    lines = [f'[{name} "{_escape(value)}"]' for name, value in tags.items()]
    lines.append("")
    lines += _format_turns(record)
    lines.append(result)
    return "\n".join(lines) + "\n"


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _format_turns(record: Record) -> Iterator[str]:
    seats = len(record.start.hands)
    line: list[str] = []
    done = 0
    for index, turn in enumerate(record.turns()):
        if index % seats == 0 and line:
            yield " ".join(line)
            line = []
        if not line:
            line.append(f"{index // seats + 1}.")
        line.append(format_turn(turn))
        if record.times:
            seconds = record.times[done : done + len(turn)]
            line.append("{" + " ".join(repr(second) for second in seconds) + "}")
        done += len(turn)
    if line:
        yield " ".join(line)


def _parse_text(text: str) -> Record:
    tags: dict[str, str] = {}
    at = 0
    text = text.strip()
    while match := _TAG.match(text, at):
        if match[1] in tags:
            raise RecordError(f"expected the tag {match[1]} once")
        tags[match[1]] = re.sub(r"\\(.)", r"\1", match[2])
        at = match.end()
    for name in ("Game", "Version", "Deal", "Result"):
        if name not in tags:
            raise RecordError(f"expected a tag {name}")
    if tags["Version"] != str(VERSION):
        raise RecordError(f"expected version {VERSION}, got {tags['Version']!r}")
    start = parse_position(tags["Deal"])
    moves, times = _parse_movetext(text, at, tags["Result"])
    known = {*_KNOWN_TAGS, *(f"Seat{seat}" for seat in range(len(start.hands)))}
    return Record(
        start=start,
        moves=moves,
        names=tuple(tags.get(f"Seat{seat}", f"seat {seat}") for seat in range(len(start.hands))),
        times=times,
        outcome=_read_outcome(tags["Result"], tags.get("Reason", ""), start),
        tags=MappingProxyType({name: value for name, value in tags.items() if name not in known}),
    )


def _parse_movetext(text: str, at: int, result: str) -> tuple[tuple[Move, ...], tuple[float, ...]]:
    moves: list[Move] = []
    times: list[Any] = []
    closed = False
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or closed or len(moves) > _MOST_MOVES:
            raise RecordError(
                f"expected turns and then the result {result}, got {text[at : at + 20]!r}", len(moves) + 1
            )
        at = match.end()
        if match["word"] == result:
            closed = True
        elif match["word"]:
            try:
                moves += parse_turn(match["word"])
            except NotationError as error:
                raise RecordError(str(error), len(moves) + 1) from error
        elif match["times"]:
            times += _parse_seconds(match["times"], len(moves))
    if not closed:
        raise RecordError(f"expected the result {result} at the end; the text is cut off", len(moves) + 1)
    return tuple(moves), _read_times(times)


def _parse_seconds(text: str, number: int) -> list[float]:
    try:
        return [float(word) for word in text[1:-1].split()]
    except ValueError:
        raise RecordError(f"expected seconds, got {text[:20]!r}", number) from None
