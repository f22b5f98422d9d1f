"""The `sudoku` command.

Exit statuses: 0 all puzzles are solved (valid, unique), 1 some puzzle has no solution (is not
valid, not unique), 2 bad input, 3 stopped by a limit, 129 the terminal was closed, 130 interrupted,
143 terminated.
"""

from __future__ import annotations

from collections.abc import Sequence

import click

import dlx
from dlx.cli.commands import LazyCommands, run

__all__ = ["main"]

COMMANDS = LazyCommands(
    {
        "candidates": "sudoku.cli.candidates:candidates_command",
        "canonical": "sudoku.cli.canonical:canonical_command",
        "check": "sudoku.cli.check:check_command",
        "compare": "sudoku.cli.compare:compare_command",
        "convert": "sudoku.cli.convert:convert",
        "count": "sudoku.cli.count:count_command",
        "generate": "sudoku.cli.generate:generate_command",
        "hint": "sudoku.cli.hint:hint_command",
        "lint": "sudoku.cli.lint:lint_command",
        "minimize": "sudoku.cli.minimize:minimize_command",
        "rate": "sudoku.cli.rate:rate_command",
        "serve": "sudoku.cli.serve:serve",
        "show": "sudoku.cli.show:show_command",
        "solve": "sudoku.cli.solve:solve_command",
    }
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit status."""
    return run(commands, "sudoku", arguments)


@click.group(commands=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(dlx.__version__, prog_name="sudoku")
def commands() -> None:
    """Solve, generate, explain, rate, draw and play Sudokus of every kind.

    A PUZZLE is a text with its cells row by row (digits, then letters, and `.` for a blank), or a
    link of SudokuPad, f-puzzles, penpa+ or sudokuwiki. Any other argument is a file with puzzles
    in any format, such as one per line; - is standard input.
    """
