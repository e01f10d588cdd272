"""The game of two seats in OpenSpiel, registered as ``python_yourtrumps`` when this module is imported.

::

    import pyspiel
    import yourtrumps.adapters.openspiel

    game = pyspiel.load_game("python_yourtrumps(preset=duel,cards=36)")

The deal is made by chance nodes. An action is a card's number (0 to 51, clubs, diamonds, hearts, spades, each from two
to ace, whatever the pack) or :data:`PICK_UP`; beating and adding are two actions of the same player. The winner gets 1,
the loser -1; a draw is 0 for both.

Parameters of the game:

``preset``
    ``duel``, ``party`` (of two), ``russian`` or ``cambridge``.
``cards``
    The size of the pack: 8 to 52, four a rank.
``cards_each``
    How many cards each is dealt, 0 for the whole pack. With fewer, hands that are not open make it a game of imperfect
    information.
``trumps``
    The trump suits of players 0 and 1, such as ``SH``.
``leader``
    Who leads, 0 or 1.
``max_moves``
    After so many actions of the players the game is a draw. RULES.md has no such rule: the third occurrence of a
    position ends every game, but no useful bound follows from that, and OpenSpiel wants one.
``deal``, ``may_decline``, ``pick_up``, ``after_pick_up``, ``hands``
    The other options of the rules as position codes write them, or ``preset`` for what the preset says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

import numpy as np

from ..core import (
    PRESETS,
    THREEFOLD,
    UP,
    Card,
    Cards,
    Deal,
    Hands,
    Move,
    NotationError,
    OptionError,
    Outcome,
    Phase,
    Position,
    Rank,
    Reason,
    Repetitions,
    Rules,
    SeatView,
    Suit,
    deal,
    format_move,
    format_position,
    pack,
    parse_position,
    shown_cards,
)
from ..core.cards import format_cards, parse_suit
from . import MissingExtra

try:
    import pyspiel
except ImportError as error:
    raise MissingExtra("OpenSpiel", "openspiel") from error

NAME: Final = "python_yourtrumps"
PICK_UP: Final = 52
"""The action that is not a card."""
DEFAULT_MAX_MOVES: Final = 1000

_CARDS: Final = pack(Rank.TWO)
_CHANCE: Final = int(pyspiel.PlayerId.CHANCE)
_TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)
_PHASES: Final = tuple(Phase)
_OPTIONS: Final = ("deal", "may_decline", "pick_up", "after_pick_up", "hands")
_AS_PRESET: Final = "preset"
_PARAMETERS: Final[Mapping[str, int | str]] = {
    "preset": "duel",
    "cards": 36,
    "cards_each": 0,
    "trumps": "SH",
    "leader": 0,
    "max_moves": DEFAULT_MAX_MOVES,
    **dict.fromkeys(_OPTIONS, _AS_PRESET),
}


def _game_type(is_perfect: bool) -> Any:
    """Return what OpenSpiel knows of the game; *is_perfect*: both hands follow from what a player sees."""
    kinds = pyspiel.GameType
    return kinds(
        short_name=NAME,
        long_name="Your trumps",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.PERFECT_INFORMATION if is_perfect else kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        # It would hold every move of the game. Where an observation says as much, learners had better take that.
        provides_information_state_tensor=not is_perfect,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=dict(_PARAMETERS),
    )


def action_of(move: Move) -> int:
    """Return the action that stands for *move*."""
    return int(move) if isinstance(move, Card) else PICK_UP


def move_of(action: int) -> Move:
    """Return the move that an action stands for; raises :class:`~yourtrumps.core.OptionError`."""
    if action == PICK_UP:
        return UP
    if not 0 <= action < len(_CARDS):
        raise OptionError("action", action, f"a number from 0 to {PICK_UP}")
    return _CARDS[action]


def game_of(
    rules: Rules, trumps: Sequence[Suit], leader: int = 0, max_moves: int = DEFAULT_MAX_MOVES
) -> YourTrumpsGame:
    """Return the OpenSpiel game of *rules*."""
    if rules.players != 2:
        raise OptionError("players", rules.players, "2 for OpenSpiel")
    preset = PRESETS[rules.preset]
    options: dict[str, int | str] = {
        "preset": rules.preset,
        "cards": len(rules.pack),
        "cards_each": rules.cards_each or 0,
        "trumps": "".join(suit.letter for suit in trumps),
        "leader": leader,
        "max_moves": max_moves,
    }
    for name in _OPTIONS:
        value = getattr(rules, name)
        if value != getattr(preset, name):
            options[name] = {True: "yes", False: "no"}.get(value) or str(value)
    game: YourTrumpsGame = pyspiel.load_game(NAME, options)
    return game


def state_of(position: Position, max_moves: int = DEFAULT_MAX_MOVES) -> YourTrumpsState:
    """Return the OpenSpiel state in which *position* is on the table for the first time, of a game of its own.

    Its history is empty: OpenSpiel's ``history`` holds what is played from here on.
    """
    return game_of(position.rules, position.trumps, max_moves=max_moves).state_at(position)


def _read_rules(given: Mapping[str, Any]) -> Rules:
    cards = given["cards"]
    if cards not in range(8, 53, 4):
        raise OptionError("cards", cards, "8, 12, 16, ... or 52")
    options: dict[str, Any] = {name: given[name] for name in _OPTIONS if given[name] != _AS_PRESET}
    if given["cards_each"]:
        options["cards_each"] = given["cards_each"]
    rules = Rules.of(given["preset"], low=Rank(Rank.ACE + 1 - cards // 4), **options)
    if rules.deal is Deal.LOWEST and rules.cards_each == 1:
        # A seat could be left without cards, which is to be dealt again: no bound on the number of chance nodes.
        raise OptionError("cards_each", 1, "at least 2 where the lowest trumps change hands")
    return rules


class YourTrumpsGame(pyspiel.Game):
    """The rules, trump suits and leader of a game; see the module for the parameters."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**_PARAMETERS, **(params or {})}
        self.rules = _read_rules(given)
        self.trumps = tuple(parse_suit(letter, "trumps") for letter in given["trumps"])
        self.rules.check_trumps(self.trumps)
        self.leader: int = given["leader"]
        if self.leader not in (0, 1):
            raise OptionError("leader", self.leader, "0 or 1")
        self.max_moves: int = given["max_moves"]
        if not 1 <= self.max_moves <= 1_000_000:
            raise OptionError("max_moves", self.max_moves, "a number from 1 to 1000000")
        self.is_perfect = self.rules.is_whole_pack or self.rules.hands is Hands.OPEN
        self.pairs = _pairs(self.rules, self.trumps, self.leader)
        self.chance_nodes = len(self.pairs) or 2 * (self.rules.cards_each or len(self.rules.pack) // 2)
        info = pyspiel.GameInfo(
            num_distinct_actions=PICK_UP + 1,
            max_chance_outcomes=len(_CARDS),
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.max_moves,
        )
        super().__init__(_game_type(self.is_perfect), info, params or {})

    def new_initial_state(self, code: str | None = None) -> YourTrumpsState:
        """Return the state before the deal, or with a position code that position."""
        return YourTrumpsState(self) if code is None else self.state_at(parse_position(code))

    def state_at(self, position: Position) -> YourTrumpsState:
        """Return a state in which *position* is on the table for the first time."""
        if (position.rules, position.trumps) != (self.rules, self.trumps):
            raise NotationError("code", format_position(position), f"a position of {self}")
        state = YourTrumpsState(self)
        state.start(position)
        return state

    def max_chance_nodes_in_history(self) -> int:
        return self.chance_nodes

    def make_py_observer(self, kind: Any = None, params: Mapping[str, Any] | None = None) -> Observer:
        """Return an observer; *kind* says what it may see, by default what a player sees now."""
        return Observer(self, kind or pyspiel.IIGObservationType(perfect_recall=False), params)


def _pairs(rules: Rules, trumps: tuple[Suit, ...], leader: int) -> tuple[tuple[Card, Card], ...]:
    """Return for a mirrored deal the two cards of which a coin gives the leader one, in the order they are dealt."""
    if rules.deal is not Deal.MIRRORED:
        return ()
    own, other = trumps[leader], trumps[1 - leader]
    companion, its_pair = (suit for suit in Suit if suit not in trumps)
    ranks = [rank for rank in Rank if rank >= rules.low]
    return tuple((Card(a, rank), Card(b, rank)) for a, b in ((own, other), (companion, its_pair)) for rank in ranks)


class _Stacked(Random):
    """Chance that has chosen already, so that the core's own deal is used: the cards lie in the order *dealt*."""

    def __init__(self, dealt: Cards, pairs: tuple[tuple[Card, Card], ...]) -> None:
        super().__init__(0)
        self._dealt = dealt
        self._coins = iter([0.0 if card is pair[0] else 0.5 for card, pair in zip(dealt, pairs, strict=False)])

    def shuffle(self, x: Any) -> None:
        x[:] = [*self._dealt, *(card for card in x if card not in self._dealt)]

    def random(self) -> float:
        return next(self._coins)


class _Course:
    """How a game has gone so far. A copy costs little: OpenSpiel copies states all the time, attribute by attribute."""

    __slots__ = ("dealt", "max_moves", "moves", "occurred", "outcome", "position", "repetitions", "start")

    def __init__(self, max_moves: int) -> None:
        self.max_moves = max_moves
        self.dealt: Cards = ()
        self.start: Position | None = None
        self.position: Position | None = None
        self.repetitions = Repetitions()
        self.occurred = 0
        self.moves = 0
        self.outcome: Outcome | None = None

    def __deepcopy__(self, memo: object) -> _Course:
        copy = _Course.__new__(_Course)
        copy.max_moves = self.max_moves
        copy.dealt, copy.start, copy.position = self.dealt, self.start, self.position
        copy.repetitions = self.repetitions.copy()
        copy.occurred, copy.moves, copy.outcome = self.occurred, self.moves, self.outcome
        return copy


class YourTrumpsState(pyspiel.State):
    """A state of the game: the deal under way, or a position with what has been before."""

    def __init__(self, game: YourTrumpsGame) -> None:
        super().__init__(game)
        # Only these two differ between states: a copy of a state copies them one by one.
        self._course = _Course(game.max_moves)
        self._player = _CHANCE

    @property
    def position(self) -> Position | None:
        """What is on the table, or None during the deal."""
        return self._course.position

    @property
    def origin(self) -> Position | None:
        """The position dealt, or the one that the state was made with; None during the deal."""
        return self._course.start

    @property
    def occurred(self) -> int:
        """How often the position has been on the table; 0 during the deal."""
        return self._course.occurred

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on, and where ``max_moves`` ended it."""
        return self._course.outcome

    def start(self, position: Position) -> None:
        """Put *position* on the table."""
        self._course.start = position
        self._put(position)

    def _put(self, position: Position) -> None:
        course = self._course
        course.position = position
        course.occurred = course.repetitions.add(position)
        if position.is_over:
            course.outcome = position.outcome
        elif course.occurred >= THREEFOLD:
            course.outcome = Outcome.draw(Reason.THREEFOLD)
        elif course.moves < course.max_moves:
            self._player = position.seat
            return
        self._player = _TERMINAL

    def current_player(self) -> int:
        return self._player

    def is_terminal(self) -> bool:
        return self._player == _TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        position = self._course.position
        # Cards come in the order of their numbers, then what is the highest number.
        return [] if position is None else [action_of(move) for move in position.legal_moves()]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        game, dealt = self.get_game(), self._course.dealt
        if game.pairs:
            return [(int(card), 0.5) for card in sorted(game.pairs[len(dealt)])]
        left = [card for card in game.rules.pack if card not in dealt]
        return [(int(card), 1 / len(left)) for card in left]

    def _apply_action(self, action: int) -> None:
        course = self._course
        if course.position is not None:
            after = course.position.after(move_of(action))
            course.moves += 1
            self._put(after)
            return
        game = self.get_game()
        course.dealt += (_CARDS[action],)
        if len(course.dealt) == game.chance_nodes:
            self.start(deal(game.rules, game.trumps, game.leader, _Stacked(course.dealt, game.pairs)))

    def _action_to_string(self, player: int, action: int) -> str:
        text = format_move(move_of(action))
        return f"deal {text}" if player == _CHANCE else text

    def returns(self) -> list[float]:
        outcome = self._course.outcome
        if outcome is None or outcome.is_draw:
            return [0.0, 0.0]
        return [1.0, -1.0] if outcome.winners == (0,) else [-1.0, 1.0]

    def played(self) -> tuple[Move, ...]:
        """The moves since the deal, or since the position that the state was made with."""
        actions = self.history()
        return tuple(move_of(action) for action in actions[len(actions) - self._course.moves :])

    def view_for(self, player: int | None, start: bool = False) -> SeatView | None:
        """Return what *player* (None: a spectator) may know now, or with *start* at the beginning; None in the deal."""
        course = self._course
        if course.position is None or course.start is None:
            return None
        is_perfect = self.get_game().is_perfect
        if start:
            return course.start.view_for(player, course.start.hands if is_perfect else None)
        # Said outright and not left to be worked out: cards may be out of play in a position that was not dealt here.
        shown = course.position.hands if is_perfect else shown_cards(course.start, self.played())
        return course.position.view_for(player, shown, course.occurred, course.outcome)

    def __str__(self) -> str:
        course = self._course
        if course.position is None:
            return " ".join(["deal", *(card.code for card in course.dealt)])
        return f"{format_position(course.position)} occurred={course.occurred} moves={course.moves}"


class Observer:
    """What a player sees, as text and as numbers; the form is that of ``open_spiel.python.observation``.

    Rows of two are the observing player first, then the other. A game of perfect information counts the hands among
    what all see. Its observers with perfect recall have a text only: the moves since the deal.

    ======== ============ ======================================================================================
    piece    shape        holds
    ======== ============ ======================================================================================
    player   2            1 for the observing player's number
    hands    2, 52        1 for each card known to be in the hand
    trumps   2, 4         1 for the trump suit
    counts   2            cards in the hand, in fifty-seconds
    mover    2            1 for who moves
    phase    3            1 for lead, beat or add
    top      52           1 for the top card of the pile
    pile     52           for each card in the pile its place from the top (1 is the top), in fifty-seconds
    occurred 2            1 for the position's first, for its second occurrence
    moves    1            moves made, in parts of ``max_moves``
    dealt    2, 52        perfect recall: the hands known at the beginning
    history  max_moves,53 perfect recall: 1 for each action that the players have taken
    ======== ============ ======================================================================================
    """

    def __init__(self, game: YourTrumpsGame, kind: Any, params: Mapping[str, Any] | None) -> None:
        if params:
            raise OptionError("params", dict(params), "no parameters of an observation")
        self._kind = kind
        self._is_private = kind.private_info != pyspiel.PrivateInfoType.NONE
        self.tensor: np.ndarray[Any, np.dtype[np.float32]] | None = None
        self.dict: dict[str, np.ndarray[Any, np.dtype[np.float32]]] = {}
        if game.is_perfect and kind.perfect_recall:
            return
        cards = len(_CARDS)
        pieces: list[tuple[str, tuple[int, ...]]] = [("player", (2,)), ("hands", (2, cards))]
        if kind.public_info:
            pieces += [("trumps", (2, 4)), ("counts", (2,)), ("mover", (2,)), ("phase", (3,))]
            pieces += [("top", (cards,)), ("pile", (cards,)), ("occurred", (2,)), ("moves", (1,))]
        if kind.perfect_recall:
            pieces.append(("dealt", (2, cards)))
            if kind.public_info:
                pieces.append(("history", (game.max_moves, PICK_UP + 1)))
        sizes = [int(np.prod(shape)) for _, shape in pieces]
        self.tensor = np.zeros(sum(sizes), np.float32)
        ends = np.cumsum(sizes)
        for (name, shape), size, end in zip(pieces, sizes, ends, strict=True):
            self.dict[name] = self.tensor[end - size : end].reshape(shape)

    def _known(self, state: YourTrumpsState, player: int, start: bool = False) -> tuple[Cards | None, Cards | None]:
        """Return the hands of *player* and of the other as far as they may be seen."""
        if self._kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            position = state.origin if start else state.position
            return (None, None) if position is None else (position.hands[player], position.hands[1 - player])
        view = state.view_for(player if self._is_private else None, start)
        if view is None:
            return None, None
        own = view.known_hand(player) if self._is_private or self._kind.public_info else None
        other = view.known_hand(1 - player) if self._kind.public_info else None
        return own, other

    def set_from(self, state: YourTrumpsState, player: int) -> None:
        """Write what *player* sees of *state* into ``tensor``, and so into ``dict``."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        self._mark_hands("hands", self._known(state, player))
        if self._kind.perfect_recall:
            self._mark_hands("dealt", self._known(state, player, start=True))
        position = state.position
        if not self._kind.public_info or position is None:
            return
        for row, seat in enumerate((player, 1 - player)):
            self.dict["trumps"][row, position.trumps[seat]] = 1
            self.dict["counts"][row] = len(position.hands[seat]) / len(_CARDS)
        self.dict["mover"][(position.seat - player) % 2] = 1
        self.dict["phase"][_PHASES.index(position.phase)] = 1
        if position.top is not None:
            self.dict["top"][position.top] = 1
        for place, card in enumerate(reversed(position.pile), 1):
            self.dict["pile"][card] = place / len(_CARDS)
        if state.occurred < THREEFOLD:
            self.dict["occurred"][state.occurred - 1] = 1
        played = state.played()
        self.dict["moves"][0] = len(played) / state.get_game().max_moves
        if self._kind.perfect_recall:
            for number, move in enumerate(played):
                self.dict["history"][number, action_of(move)] = 1

    def _mark_hands(self, name: str, hands: tuple[Cards | None, Cards | None]) -> None:
        for row, hand in enumerate(hands):
            if hand:
                self.dict[name][row, list(hand)] = 1

    def string_from(self, state: YourTrumpsState, player: int) -> str:
        """Return what *player* sees of *state*."""
        position = state.position
        if position is None:
            return str(len(str(state).split()) - 1) + " cards dealt" if self._kind.public_info else ""
        parts = [self._hands_text(state, player)]
        if self._kind.public_info:
            trumps = "".join(suit.letter for suit in position.trumps)
            counts = "/".join(str(len(hand)) for hand in position.hands)
            parts += [trumps, counts, format_cards(position.pile), str(position.seat), position.phase.value]
            parts += [f"occurred={state.occurred}", f"moves={len(state.played())}"]
        if self._kind.perfect_recall:
            parts += ["dealt", self._hands_text(state, player, start=True)]
            if self._kind.public_info:
                parts += map(format_move, state.played())
        return " ".join(parts)

    def _hands_text(self, state: YourTrumpsState, player: int, start: bool = False) -> str:
        own, other = self._known(state, player, start)
        hands = (own, other) if player == 0 else (other, own)
        return "/".join("?" if hand is None else format_cards(hand) for hand in hands)


pyspiel.register_game(_game_type(is_perfect=True), YourTrumpsGame)
