"""Your trumps (Svoi Kozyri): a card duel in which each player has a trump suit of their own."""

__version__ = "0.1.0"
