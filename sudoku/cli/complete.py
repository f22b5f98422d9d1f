"""`sudoku complete`: adds givens that make a puzzle unique."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from sudoku.analysis.complete import complete
from sudoku.board.layout import Layout, cell_name, symbol
from sudoku.cli.options import PuzzleCommand, about, engine_option, puzzle_options, workers_option
from sudoku.cli.pool import answered
from sudoku.cli.terminal import ResultCounts, show_json, show_puzzle
from sudoku.errors import counted, listed

__all__ = ["complete_command"]


@click.command("complete", cls=PuzzleCommand)
@puzzle_options
@engine_option()
@workers_option("processes")
def complete_command(
    puzzles: tuple[str, ...],
    layout: Layout | None,
    timeout: float | None,
    engine: str,
    workers: int,
    as_json: bool,
) -> int:
    """Add givens to each puzzle with several solutions, so that it has exactly one.

    Prints a line for each puzzle, followed by the rest of its input line; puzzles that have rules
    are lines of JSON. Standard error names the new givens. If one given is enough, it is only one.
    """
    results = ResultCounts()
    ask = partial(complete, timeout=timeout, engine=engine)
    failed: dict[str, Any] | None = {"completed": None, "added": []} if as_json else None
    for source, entry, grid in answered(puzzles, layout, ask, results, workers, failed):
        added = [
            f"{cell_name(row, column)}={symbol(digit)}"
            for row, column, digit in grid.givens
            if not entry.grid[row, column]
        ]
        if as_json:
            show_json(**about(source, entry), completed=grid.line, added=added, error=None)
            continue
        show_puzzle(grid, entry.rest)
        names = f": {listed(added, 'and')}" if added else ""
        click.echo(f"{source.label()}{counted(len(added), 'given')} added{names}", err=True)
    return results.status
