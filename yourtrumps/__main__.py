"""Lets ``python -m yourtrumps`` do what ``yourtrumps`` does."""

from .cli import main

if __name__ == "__main__":
    main()
