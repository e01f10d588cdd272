"""Positions: who holds what, what may be played, and what it leads to. RULES.md in code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from random import Random
from typing import Final

from .cards import Card, Cards, Rank, Suit, beaters, sort_cards
from .errors import IllegalMove, OptionError
from .rules import AfterPickUp, Deal, Hands, PickUp, Rules


class Up(Enum):
    """The type of the one move that is not a card."""

    UP = "up"

    def __str__(self) -> str:
        return "up"


UP: Final = Up.UP
"""Pick up."""

Move = Card | Up
"""A card to lead, beat with or add, or :data:`UP`."""


class Phase(StrEnum):
    """What the seat to move is asked for."""

    LEAD = "lead"
    BEAT = "beat"
    ADD = "add"


class Reason(StrEnum):
    """Why a game ended."""

    EMPTY_HAND = "empty hand"
    LAST_CARD_ANSWERED = "last card answered"
    THREEFOLD = "threefold"
    RESIGNED = "resigned"
    AGREED = "agreed"
    TIME = "time"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: who won, who lost (nobody in a draw), and why."""

    winners: tuple[int, ...]
    losers: tuple[int, ...]
    reason: Reason

    @property
    def is_draw(self) -> bool:
        """Whether nobody lost."""
        return not self.losers

    @property
    def code(self) -> str:
        """``draw``, the winner such as ``seat0``, or with more than two seats the loser such as ``loser2``."""
        if self.is_draw:
            return "draw"
        if len(self.winners) == 1:
            return f"seat{self.winners[0]}"
        return f"loser{self.losers[0]}"

    @classmethod
    def draw(cls, reason: Reason) -> Outcome:
        """A game that nobody lost."""
        return cls((), (), reason)

    @classmethod
    def lost_by(cls, seat: int, players: int, reason: Reason) -> Outcome:
        """A game that *seat* lost and all others won."""
        return cls(tuple(other for other in range(players) if other != seat), (seat,), reason)


@dataclass(frozen=True, slots=True)
class SeatView:
    """All that one seat may know of a position: what a player or a browser gets."""

    rules: Rules
    trumps: tuple[Suit, ...]
    viewer: int | None
    """The seat that looks, or None for a spectator."""
    hand: Cards
    """The viewer's own hand, sorted; empty for a spectator."""
    counts: tuple[int, ...]
    """Cards in each hand."""
    shown: tuple[Cards, ...]
    """For each seat the cards that everyone has seen go into that hand and not come out."""
    pile: Cards
    seat: int
    phase: Phase
    legal: tuple[Move, ...]
    """What the viewer may play now; empty if another seat moves."""
    outcome: Outcome | None
    repeats: int = 1
    """How often this position has now occurred."""

    def known_hand(self, seat: int) -> Cards | None:
        """The whole hand of *seat* if it follows from what the viewer sees, else None.

        In a game of two with the whole pack dealt the other hand is the pack less the own hand and the pile.
        """
        if seat == self.viewer:
            return self.hand
        if len(self.shown[seat]) == self.counts[seat]:
            return self.shown[seat]
        unseen = self.unseen()
        others = [other for other in range(self.rules.players) if other not in (seat, self.viewer)]
        hidden_elsewhere = any(len(self.shown[other]) < self.counts[other] for other in others)
        if not hidden_elsewhere and len(unseen) + len(self.shown[seat]) == self.counts[seat]:
            return sort_cards(unseen + self.shown[seat])
        return None

    def unseen(self) -> Cards:
        """Cards of the pack whose place the viewer has not seen: in another hand, or out of play."""
        placed = {*self.hand, *self.pile}.union(*self.shown)
        return tuple(card for card in self.rules.pack if card not in placed)

    def pick_up_count(self) -> int:
        """How many cards the seat to move would pick up."""
        return pick_up_count(self.rules, self.pile, self.trumps[self.seat])

    def position(self) -> Position | None:
        """The whole position if it follows from what the viewer sees, else None."""
        hands = [self.known_hand(seat) for seat in range(self.rules.players)]
        known = tuple(hand for hand in hands if hand is not None)
        if len(known) != len(hands):
            return None
        return Position(self.rules, self.trumps, known, self.pile, self.seat, self.phase)


@dataclass(frozen=True, slots=True)
class Position:
    """A position of the game; :meth:`after` makes the next one, nothing ever changes.

    Build one with :func:`deal` or :func:`~yourtrumps.core.notation.parse_position`, which check it.
    """

    rules: Rules
    trumps: tuple[Suit, ...]
    hands: tuple[Cards, ...]
    """A sorted hand per seat."""
    pile: Cards
    """Bottom to top."""
    seat: int
    """Who moves."""
    phase: Phase

    # Rules and trumps stay the same in a game; leaving them out makes counting repetitions twice as fast.
    def __hash__(self) -> int:
        return hash((self.hands, self.pile, self.seat))

    @property
    def hand(self) -> Cards:
        """The hand of the seat to move."""
        return self.hands[self.seat]

    @property
    def trump(self) -> Suit:
        """The trump suit of the seat to move."""
        return self.trumps[self.seat]

    @property
    def top(self) -> Card | None:
        """The top card of the pile."""
        return self.pile[-1] if self.pile else None

    def beating(self) -> Cards:
        """The cards of the seat to move that beat the top card, sorted."""
        if not self.pile:
            return ()
        able = beaters(self.pile[-1], self.trumps[self.seat])
        return tuple([card for card in self.hands[self.seat] if card in able])

    def pick_up_count(self) -> int:
        """How many cards the seat to move would pick up."""
        return pick_up_count(self.rules, self.pile, self.trumps[self.seat])

    def legal_moves(self) -> tuple[Move, ...]:
        """Return the moves that may be played, cards in hand order, then ``up``; none once the game is over.

        >>> from yourtrumps.core.notation import parse_position
        >>> parse_position("6 SH 6S7S9C/8HTDAD QCKC 0 beat").legal_moves()
        (Card('6S'), Card('7S'))
        """
        if self.is_over:
            return ()
        if self.phase is not Phase.BEAT:
            return self.hands[self.seat]
        beating = self.beating()
        if not beating or self.rules.may_decline:
            return (*beating, UP)
        return beating

    def after(self, move: Move) -> Position:
        """Return the position after *move*; raises :class:`IllegalMove`.

        >>> from yourtrumps.core.notation import format_position, parse_position
        >>> position = parse_position("6 SH 9C/8HTDAD QCKC 0 beat")
        >>> format_position(position.after(UP))
        '6 SH 9CQCKC/TDAD8H - 1 lead'
        """
        if self.is_over:
            raise IllegalMove("no move, the game is over", str(move))
        if isinstance(move, Up):
            return self._pick_up()
        hand = self.hands[self.seat]
        # A plain number may equal a card, and is none.
        if not isinstance(move, Card) or move not in hand:
            raise IllegalMove("a card in hand", str(move))
        beats = self.phase is Phase.BEAT
        if beats and move not in beaters(self.pile[-1], self.trumps[self.seat]):
            raise IllegalMove(f"a card that beats {self.pile[-1]}", str(move))
        at = hand.index(move)
        hand = hand[:at] + hand[at + 1 :]
        hands = (*self.hands[: self.seat], hand, *self.hands[self.seat + 1 :])
        pile = (*self.pile, move)
        if beats and hand:
            return Position(self.rules, self.trumps, hands, pile, self.seat, Phase.ADD)
        return Position(self.rules, self.trumps, hands, pile, next_seat(hands, self.seat), Phase.BEAT)

    def _pick_up(self) -> Position:
        if self.phase is not Phase.BEAT:
            raise IllegalMove("a card from the hand", "up")
        if not self.rules.may_decline and self.beating():
            raise IllegalMove("a card that beats the top card, as there is one", "up")
        rest = len(self.pile) - self.pick_up_count()
        hand = sort_cards(self.hands[self.seat] + self.pile[rest:])
        hands = (*self.hands[: self.seat], hand, *self.hands[self.seat + 1 :])
        taker_moves = self.rules.after_pick_up is AfterPickUp.TAKER
        seat = self.seat if taker_moves else next_seat(hands, self.seat)
        return Position(self.rules, self.trumps, hands, self.pile[:rest], seat, Phase.BEAT if rest else Phase.LEAD)

    @property
    def is_over(self) -> bool:
        """Whether at most one seat still holds cards."""
        hands = self.hands
        if len(hands) == 2:
            return not (hands[0] and hands[1])
        return sum(1 for hand in hands if hand) < 2

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on; repetition is the game's to count, not the position's."""
        if not self.is_over:
            return None
        # The seat to move is the one that is left with cards.
        if len(self.hand) == 1 and self.beating():
            return Outcome.draw(Reason.LAST_CARD_ANSWERED)
        return Outcome.lost_by(self.seat, len(self.hands), Reason.EMPTY_HAND)

    def view_for(
        self, seat: int | None, shown: tuple[Cards, ...] | None = None, repeats: int = 1, outcome: Outcome | None = None
    ) -> SeatView:
        """Return what *seat* (None: a spectator) may know.

        *shown* is what everyone saw go into each hand (:func:`~yourtrumps.core.memory.shown_cards`), *repeats* and
        *outcome* what only the game knows; open hands are shown to all.
        """
        if self.rules.hands is Hands.OPEN:
            shown = self.hands
        elif shown is None:
            shown = tuple(() for _ in self.hands)
        outcome = outcome or self.outcome
        mine = seat == self.seat and outcome is None
        return SeatView(
            rules=self.rules,
            trumps=self.trumps,
            viewer=seat,
            hand=() if seat is None else self.hands[seat],
            counts=tuple(len(hand) for hand in self.hands),
            shown=shown,
            pile=self.pile,
            seat=self.seat,
            phase=self.phase,
            legal=self.legal_moves() if mine else (),
            outcome=outcome,
            repeats=repeats,
        )


def pick_up_count(rules: Rules, pile: Cards, trump: Suit) -> int:
    """Return how many cards of *pile* a mover whose own trump suit is *trump* would pick up."""
    if not pile or rules.pick_up is PickUp.ALL:
        return len(pile)
    top = pile[-1]
    if top.suit is not trump:
        return min(3, len(pile))
    return len(pile) if top.rank is Rank.ACE else min(5, len(pile))


def next_seat(holdings: Sequence[object], seat: int) -> int:
    """Return the next seat clockwise whose holding (a hand, or its count) is not empty; *seat* if there is none."""
    count = len(holdings)
    for step in range(1, count):
        other = (seat + step) % count
        if holdings[other]:
            return other
    return seat


def deal(rules: Rules, trumps: tuple[Suit, ...], leader: int, random: Random) -> Position:
    """Shuffle with *random* and return the first position, with *leader* to lead.

    The dealer sits right of the leader, so the first card goes to the leader.
    """
    rules.check_trumps(trumps)
    if not 0 <= leader < rules.players:
        raise OptionError("leader", leader, f"a seat from 0 to {rules.players - 1}")
    if rules.deal is Deal.MIRRORED:
        hands = _deal_mirrored(rules, trumps, leader, random)
    else:
        hands = _deal_round(rules, leader, random)
        if rules.deal is Deal.LOWEST:
            hands = _give_lowest(rules, trumps, hands)
            # With few cards each, giving the lowest may leave a seat none: then deal again.
            while not all(hands):
                hands = _give_lowest(rules, trumps, _deal_round(rules, leader, random))
    return Position(rules, trumps, hands, (), leader, Phase.LEAD)


def _deal_round(rules: Rules, leader: int, random: Random) -> tuple[Cards, ...]:
    cards = list(rules.pack)
    random.shuffle(cards)
    count = rules.players
    if rules.cards_each is not None:
        cards = cards[: rules.cards_each * count]
    return tuple(sort_cards(cards[(seat - leader) % count :: count]) for seat in range(count))


def _give_lowest(rules: Rules, trumps: tuple[Suit, ...], hands: tuple[Cards, ...]) -> tuple[Cards, ...]:
    dealt = {card for hand in hands for card in hand}
    lowest = [Card(trump, rules.low) for trump in trumps]
    return tuple(
        sort_cards(
            [card for card in hand if card not in lowest] + [low for low in lowest[seat : seat + 1] if low in dealt]
        )
        for seat, hand in enumerate(hands)
    )


def _deal_mirrored(rules: Rules, trumps: tuple[Suit, ...], leader: int, random: Random) -> tuple[Cards, ...]:
    own, other = trumps[leader], trumps[1 - leader]
    companion, its_pair = (suit for suit in Suit if suit not in trumps)
    leads: list[Card] = []
    follows: list[Card] = []
    for suit, paired in ((own, other), (companion, its_pair)):
        for rank in (rank for rank in Rank if rank >= rules.low):
            held, mirrored = (suit, paired) if random.random() < 0.5 else (paired, suit)
            leads.append(Card(held, rank))
            follows.append(Card(mirrored, rank))
    if len(leads) != len(follows):
        raise AssertionError("a mirrored deal must come out equal")
    hands = [sort_cards(leads), sort_cards(follows)]
    return tuple(hands if leader == 0 else reversed(hands))
