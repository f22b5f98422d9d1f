"""`sudoku complete`: adds givens that make a puzzle unique."""

from __future__ import annotations

import click

from dlx import SearchInterrupted
from sudoku.analysis.complete import complete
from sudoku.board.layout import Layout, cell_name, symbol
from sudoku.cli.options import PuzzleCommand, about, engine_option, puzzle_options
from sudoku.cli.terminal import ResultCounts, entries, print_error, show_json, show_puzzle
from sudoku.errors import SudokuError, counted, listed

__all__ = ["complete_command"]


@click.command("complete", cls=PuzzleCommand)
@puzzle_options
@engine_option()
def complete_command(
    puzzles: tuple[str, ...],
    layout: Layout | None,
    timeout: float | None,
    engine: str,
    as_json: bool,
) -> int:
    """Add givens to each puzzle with several solutions, so that it has exactly one.

    Prints a line for each puzzle, followed by the rest of its input line; puzzles that have rules
    are lines of JSON. Standard error names the new givens. If one given is enough, it is only one.
    """
    results = ResultCounts()
    for source, entry in entries(puzzles, layout, results):
        try:
            grid = complete(entry.grid, timeout=timeout, engine=engine)
        except (SudokuError, SearchInterrupted) as error:
            results.count(error)
            late = isinstance(error, SearchInterrupted)
            why = "stopped by the timeout" if late else str(error)
            print_error(f"{source.label()}{why}")
            if as_json:
                show_json(**about(source, entry), completed=None, added=[], error=why)
            continue
        results.good += 1
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
