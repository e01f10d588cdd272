"""The player that asks the engine, at any strength: how deep it looks, and how often it errs, as people do."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from ..core import Move, Position, SeatView
from ..engine.worlds import choose, playout_values
from .base import Control, check_asked
from .thinking import ThinkingPlayer

if TYPE_CHECKING:
    from ..engine.search import Found, Memory, Turn

_MEGABYTES_A_SECOND: Final = 32
_LEAST_MEGABYTES: Final = 4
_MOST_MEGABYTES: Final = 256
_MOST_REMEMBERED: Final = 200
_WORLDS: Final = 40
_PROOF_SHARE: Final = 0.25
_SMALL_HAND: Final = 7
"""With so few cards in a hand, an end may be near enough to be proved."""


@dataclass(frozen=True, slots=True)
class Strength:
    """How strong a player is: nothing in here depends on the speed of the machine but *seconds*."""

    depth: int | None = None
    """How many turns it looks ahead; None: as far as time allows."""
    temperature: float = 0.0
    """A turn that much worse (in logits of the chance to win) than another is chosen 2.7 times less often."""
    seconds: float = 0.5
    """The most it takes a move."""
    proves: bool = False
    """Whether it looks for proofs, in tables and by proof search."""
    worlds: int = _WORLDS
    """Where hands are hidden: how many ways they may lie it considers."""


class EnginePlayer:
    """Searches, and where hands are hidden searches many worlds that fit what it has seen.

    Parameters
    ----------
    seconds
        In place of what the strength gives.
    nodes
        In place of any time: with it the choice is the same on every machine.
    threads
        For one search.
    """

    def __init__(
        self,
        strength: Strength,
        seed: int | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        name: str = "Engine",
        threads: int = 1,
    ) -> None:
        self.name = name
        self.strength = strength if seconds is None else replace(strength, seconds=seconds)
        self._nodes = nodes
        self._threads = threads
        self._random = random.Random(seed)
        self._memory: Memory | None = None
        self._history: list[int] = []
        self._trumps: object = None
        self._plan: tuple[Position, Move] | None = None

    def choose(self, view: SeatView, control: Control) -> Move:
        """Return the move to make."""
        check_asked(view)
        if len(view.legal) == 1:
            control.report(1.0)
            return view.legal[0]
        position = view.position() if len(view.counts) == 2 else None
        if position is None:
            return self._choose_hidden(view, control)
        plan, self._plan = self._plan, None
        if plan is not None and plan[0] == position:
            # The card to add was chosen together with the one that beat.
            return plan[1]
        turn = self._choose_turn(position, control)
        control.report(1.0)
        if len(turn) > 1:
            self._plan = position.after(turn[0]), turn[1]
        return turn[0]

    def _seconds(self, control: Control) -> float:
        return self.strength.seconds if control.seconds is None else min(control.seconds, self.strength.seconds)

    def _choose_turn(self, position: Position, control: Control) -> Turn:
        from ..engine.search import DEEPEST, Memory, Search, turns_of

        strength = self.strength
        turns = turns_of(position)
        if len(turns) == 1:
            return turns[0]
        self._remember(position)
        seconds = None if self._nodes else self._seconds(control)
        if strength.proves:
            share = _PROOF_SHARE * seconds if seconds else None
            proved = self._proved_turn(position, share, control)
            if proved is not None:
                return proved
            if seconds is not None:
                seconds *= 1 - _PROOF_SHARE if min(map(len, position.hands)) <= _SMALL_HAND else 1
        if self._memory is None:
            # Fresh memory costs time, and a short search fills little of it.
            wanted = _MEGABYTES_A_SECOND * (0 if strength.depth else strength.seconds)
            self._memory = Memory(min(_MOST_MEGABYTES, max(_LEAST_MEGABYTES, wanted)))
        search = Search(position, self._memory, self._threads, self._history[:-1])
        most = strength.depth or DEEPEST
        found = search.run(
            seconds,
            self._nodes,
            most,
            stop=lambda: control.is_over,
            on_depth=lambda found: control.report(found.depth / most),
            full=strength.temperature > 0,
        )
        return self._err(found)

    def _err(self, found: Found) -> Turn:
        """Return the best turn, or by chance one that looked nearly as good."""
        if self.strength.temperature <= 0:
            return found.best.turn
        # Ends that are seen do not differ by more than people would see: a win is a win.
        values = [max(-8.0, min(8.0, one.value / 1000)) for one in found.turns]
        weights = [math.exp((value - values[0]) / self.strength.temperature) for value in values]
        return self._random.choices(found.turns, weights)[0].turn

    def _remember(self, position: Position) -> None:
        """Note a position of the game; a fresh deal forgets the game before."""
        from ..engine.search import position_key

        is_deal = not position.pile and len(set(map(len, position.hands))) == 1
        if is_deal or self._trumps != position.trumps:
            self._history.clear()
        self._trumps = position.trumps
        self._history.append(position_key(position))
        del self._history[:-_MOST_REMEMBERED]

    def _proved_turn(self, position: Position, seconds: float | None, control: Control) -> Turn | None:
        """Return a turn that is proved to win, or that keeps what a table says is the best there is."""
        from ..engine import exact, machine

        if not machine.is_ready():
            # To make machine code for proofs takes longer than anybody waits for a move.
            return None
        few = min(map(len, position.hands)) <= _SMALL_HAND
        return exact.best_turn(
            position, seconds if few else None, self._nodes if few else None, lambda: control.is_over
        )

    def _choose_hidden(self, view: SeatView, control: Control) -> Move:
        from ..engine import machine

        strength = self.strength
        seconds = None if self._nodes else self._seconds(control)
        if not machine.is_ready():
            # To play many games to their end in plain Python takes longer than anybody waits.
            plain = ThinkingPlayer(self._random.getrandbits(32), seconds, self._nodes, min(4, strength.depth or 4))
            return plain.choose(view, control)
        evaluate: Any = playout_values
        if len(view.counts) == 2:
            evaluate = partial(_searched_values, depth=min(4, strength.depth or 4))
        choice = choose(view, self._random, evaluate, strength.worlds, seconds, lambda: control.is_over)
        control.report(1.0)
        if strength.temperature <= 0:
            return choice.move
        values = {move: math.log((0.02 + value) / (1.02 - value)) for move, value in choice.values.items()}
        best = max(values.values())
        weights = [math.exp((value - best) / strength.temperature) for value in values.values()]
        return self._random.choices(list(values), weights)[0]


def _searched_values(world: Position, chance: random.Random, depth: int) -> dict[Move, float]:
    """Return the chance that each move of a world keeps, by a search of every turn."""
    from ..engine.search import Memory, Search

    found = Search(world, Memory(1)).run(nodes=20_000, depth=depth, full=True)
    values: dict[Move, float] = {}
    for scored in found.turns:
        values[scored.turn[0]] = max(values.get(scored.turn[0], 0.0), scored.chance)
    return values
