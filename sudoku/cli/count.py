"""`sudoku count`: the number of solutions of each puzzle."""

from __future__ import annotations

import click

import dlx
from sudoku.board.layout import Layout
from sudoku.cli.options import PuzzleCommand, about, engine_option, puzzle_options
from sudoku.cli.terminal import ResultCounts, entries, show_json, show_line
from sudoku.solving.solve import count

__all__ = ["count_command"]


@click.command("count", cls=PuzzleCommand)
@puzzle_options
@engine_option("sat")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Stop counting at N.")
def count_command(
    puzzles: tuple[str, ...],
    layout: Layout | None,
    timeout: float | None,
    engine: str,
    as_json: bool,
    limit: int | None,
) -> int:
    """Print the number of solutions of each puzzle.

    A `+` after a number means that there may be more: the limit or the timeout was reached.
    """
    results = ResultCounts()
    for source, entry in entries(puzzles, layout, results):
        # One more than the limit, to distinguish "exactly N" from "N or more".
        most = None if limit is None else limit + 1
        try:
            found = count(entry.grid, limit=most, timeout=timeout, engine=engine)
            stopped_by = None
        except dlx.SearchInterrupted as stopped:
            found, stopped_by = stopped.count, stopped.reason
        if limit is not None and found > limit:
            found, stopped_by = limit, "limit"
        if stopped_by is not None:
            results.stopped += 1
        elif found:
            results.good += 1
        else:
            results.failed += 1
        if as_json:
            values = {"solutions": found, "exhausted": not stopped_by, "stopped_by": stopped_by}
            show_json(**about(source, entry), **values)
        else:
            show_line(f"{source.label()}{found}{'+' if stopped_by else ''}")
    return results.status
