"""The `dlx` command: solve, count, inspect and trace exact cover problems in files."""

from __future__ import annotations

from collections.abc import Sequence

import click

from dlx.cli.commands import LazyCommands, run
from dlx.core.version import __version__

__all__ = ["main"]

EPILOG = """FILE is in Knuth's format, JSON, MPS, LP, or a format of OR-Library or
BurrTools; "-" is standard input.

Exit status: 0 solved, 1 no solution, 2 bad input, 3 stopped by a limit,
129 terminal closed, 130 interrupted, 143 terminated."""

COMMANDS = LazyCommands(
    {
        "check-count": "dlx.cli.checks:check_count",
        "convert": "dlx.cli.problems:convert",
        "count": "dlx.cli.solve:count",
        "doctor": "dlx.cli.doctor:doctor",
        "estimate": "dlx.cli.insights:estimate",
        "explain": "dlx.cli.insights:explain",
        "info": "dlx.cli.info:info",
        "make": "dlx.cli.problems:make",
        "min": "dlx.cli.minimum:minimum",
        "reduce": "dlx.cli.problems:reduce",
        "relaxation": "dlx.cli.insights:relaxation",
        "resume": "dlx.cli.journals:resume",
        "solve": "dlx.cli.solve:solve",
        "status": "dlx.cli.journals:status",
        "symmetries": "dlx.cli.insights:symmetries",
        "trace": "dlx.cli.trace:trace",
    }
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit status."""
    return run(dlx, "dlx", arguments)


@click.group(
    commands=COMMANDS, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="dlx")
def dlx() -> None:
    """Solve exact cover problems: choose options so that every item is covered exactly once."""
