"""Fast and exact: search, proofs and tables, on integers and bit masks, compiled where numba is there."""
