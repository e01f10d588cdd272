"""Where everything stands in the one array that a thread of a search works in.

A call in machine code hands an array over as seven words; with one array in place of a dozen, calls cost little. The
kernel's state comes first, so that the kernel's functions take the whole array for a state.
"""

from __future__ import annotations

from typing import Final

from .kernel import STATE_LENGTH

LOWEST: Final = STATE_LENGTH
"""The lowest rank of the pack, from 0 for the two."""
RANKS: Final = LOWEST + 1
"""How many ranks the pack has."""
PHASES: Final = RANKS + 1
"""Worth of having to lead, to add, and to beat with no, one, two, three, four or more beating cards."""
SIZES: Final = PHASES + 7
"""Worth of a hand of so many cards, from none."""

KINDS: Final = SIZES + 53
"""For each seat and suit: where the worths of its sets of cards begin, after SUITS."""
CARDS: Final = KINDS + 8
"""Worth of each card in a seat's hand, by seat and card."""

NODES: Final = CARDS + 104
"""Positions entered."""
LIMIT: Final = NODES + 1
"""The most of them."""
STOP: Final = NODES + 2
"""Not nought: come to an end. Anyone may set it."""
STOPPED: Final = NODES + 3
"""Whether the search was cut short."""
BASE: Final = NODES + 4
"""The root's place on the path: how many earlier positions of the game stand before it."""
AGE: Final = NODES + 5
"""A number of the search, to tell old entries of the table."""

MOST_PLIES: Final = 240
"""Half turns below the root that a search goes at most."""
MOST_HISTORY: Final = 260
"""Earlier positions of the game that a repetition is looked for in."""
MOST_MOVES: Final = 54
SLOTS: Final = 1 << 10

PATH: Final = NODES + 8
"""Hashes of the positions from the game's beginning to the one searched now."""
RESTS: Final = PATH + MOST_PLIES + MOST_HISTORY + 4
"""For each ply: the lowest place on the path that the value just returned rests on."""
SEEN: Final = RESTS + MOST_PLIES + 4
"""How many positions of the path fall into each slot by their hash."""
KILLERS: Final = SEEN + SLOTS
"""Two moves a ply that refuted a position there."""
HISTORY: Final = KILLERS + 2 * (MOST_PLIES + 4)
"""How often a move was good, by seat, phase and move."""
REPLIES: Final = HISTORY + 2 * 3 * MOST_MOVES
"""How often a move was good on a top card, by seat, top card (52 for none) and move."""
MOVES: Final = REPLIES + 2 * 53 * MOST_MOVES
"""The moves of a ply, each with its score << 6."""

SUITS: Final = MOVES + (MOST_PLIES + 4) * MOST_MOVES
"""Worth of every set of cards of one suit, by mask of ranks: of own trumps, then the other's, then a plain suit's."""
