"""Matches between players on this machine."""

from __future__ import annotations

import multiprocessing
import random
import signal
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

from .core import THREEFOLD, Move, OptionError, Outcome, Reason, Record, Repetitions, Rules, Suit, deal, shown_after
from .players import Control, Player, make_player


def play_game(
    players: Sequence[Player],
    rules: Rules,
    seed: int | str,
    trumps: tuple[Suit, ...] | None = None,
    leader: int | None = None,
) -> Record:
    """Return the record of one game; *seed* decides the deal, and trumps and leader where they are not given.

    Each player sees only what its seat may know. Raises :class:`IllegalMove` if a player answers with one.
    """
    if len(players) != rules.players:
        raise OptionError("players", len(players), f"{rules.players} players")
    chance = random.Random(seed)
    drawn = tuple(chance.sample(list(Suit), rules.players))
    first = chance.randrange(rules.players)
    start = deal(rules, trumps or drawn, first if leader is None else leader, chance)
    moves: list[Move] = []
    repetitions = Repetitions()
    repeats = repetitions.add(start)
    shown = start.view_for(None).shown
    position = start
    while not position.is_over and repeats < THREEFOLD:
        view = position.view_for(position.seat, shown, repeats)
        move = players[position.seat].choose(view, Control())
        shown = shown_after(shown, position, move)
        position = position.after(move)
        repeats = repetitions.add(position)
        moves.append(move)
    outcome = position.outcome or Outcome.draw(Reason.THREEFOLD)
    return Record(start, tuple(moves), tuple(player.name for player in players), outcome=outcome)


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game of a match: which player of the match sat where, and the record."""

    number: int
    seating: tuple[int, ...]
    """For each seat the index of its player in the match."""
    record: Record

    def points(self, player: int) -> float:
        """Return what the game gave *player*: 1 for a win (with more seats: for not losing), ½ for a draw, else 0."""
        outcome = self.record.outcome
        seat = self.seating.index(player)
        if outcome is None or outcome.is_draw:
            return 0.5
        return 1.0 if seat in outcome.winners else 0.0


def selfplay(
    games: int,
    specs: Sequence[str],
    rules: Rules,
    seed: int = 0,
    seconds: float | None = None,
    processes: int = 1,
) -> Iterator[GameResult]:
    """Yield the results of a match of *games* games between players of *specs*, in order.

    Each deal is played once from every seat by every player, so nobody profits from the luck of the deal; the match
    depends on *seed* alone, however many *processes* play it (unless a player thinks by the clock).
    Raises :class:`OptionError` before the first game.
    """
    if games < 1:
        raise OptionError("games", games, "a number from 1")
    if processes < 1:
        raise OptionError("processes", processes, "a number from 1")
    if len(specs) != rules.players:
        raise OptionError("players", ",".join(specs), f"{rules.players} players for these rules")
    for spec in specs:
        make_player(spec, seconds=seconds)
    play = partial(_play_numbered, specs=tuple(specs), rules=rules, seed=seed, seconds=seconds)
    return _play_all(play, range(games), processes)


def _play_all(play: partial[GameResult], numbers: Iterable[int], processes: int) -> Iterator[GameResult]:
    if processes == 1:
        yield from map(play, numbers)
        return
    # Forking a process that runs threads (a server, a notebook) can lock up; spawning cannot.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_die_of_interrupts)
    try:
        yield from pool.map(play, numbers)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _die_of_interrupts() -> None:
    """Let Ctrl-C end a worker at once and without a traceback; the parent says what there is to say."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _play_numbered(number: int, specs: tuple[str, ...], rules: Rules, seed: int, seconds: float | None) -> GameResult:
    count = len(specs)
    round_number, turn = divmod(number, count)
    seating = tuple((seat + turn) % count for seat in range(count))
    players = [
        make_player(specs[index], random.Random(f"{seed}:{number}:{index}").getrandbits(32), seconds)
        for index in seating
    ]
    return GameResult(number, seating, play_game(players, rules, f"{seed}:{round_number}"))


@dataclass(frozen=True, slots=True)
class Standing:
    """How one player of a match has done so far."""

    spec: str
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """Games played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points a game, from 0 to 1."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.0


def standings(specs: Sequence[str], results: Iterable[GameResult]) -> tuple[Standing, ...]:
    """Return how each player of *specs* has done in *results*."""
    table = [[0, 0, 0] for _ in specs]
    for result in results:
        for player, row in enumerate(table):
            row[{1.0: 0, 0.5: 1, 0.0: 2}[result.points(player)]] += 1
    return tuple(Standing(spec, *row) for spec, row in zip(specs, table, strict=True))
