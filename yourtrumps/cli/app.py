"""Runs the command line: finds the command, and turns errors into one line and an exit status."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Annotated, Any, Final, NoReturn

import typer

from .. import __version__
from ..core import YourTrumpsError
from . import analysing, play, rules, selfplay, solving

BAD_INPUT: Final = 2
INTERRUPTED: Final = 130
# Typer brings its own copy of click in some versions and imports click in others; this is its base error in both.
_UsageError: Final[Any] = typer.BadParameter.__mro__[2]

app = typer.Typer(
    name="yourtrumps",
    help="Your trumps (Svoi Kozyri), the card duel in which each player has a trump suit: play, ask, count.",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for module in (play, rules, selfplay, analysing, solving):
    module.add_to(app)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"yourtrumps {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Show the help where no command is named."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line on *arguments* (or those of the process) and exit with its status."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status: 0, 2 after bad input, 130 after Ctrl-C."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # What a terminal cannot show, or bytes that are no text, must not end a game.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        status = app(arguments, prog_name="yourtrumps", standalone_mode=False)
    except _UsageError as error:
        return _complain(error.format_message())
    except YourTrumpsError as error:
        return _complain(str(error))
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    return status if isinstance(status, int) else 0


def _complain(message: str) -> int:
    # One line, whatever the message holds.
    line = " ".join(message.split())
    if line:
        typer.echo(f"yourtrumps: {line}", err=True)
    return BAD_INPUT
