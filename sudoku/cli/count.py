"""`sudoku count`: the number of solutions of each puzzle."""

from __future__ import annotations

from functools import partial

import click

import dlx
from sudoku.board.layout import Layout
from sudoku.cli.options import PuzzleCommand, about, engine_option, puzzle_options, workers_option
from sudoku.cli.pool import answers_of
from sudoku.cli.terminal import ResultCounts, entries, show_json, show_line
from sudoku.solving.solve import count

__all__ = ["count_command"]


@click.command("count", cls=PuzzleCommand)
@puzzle_options
@engine_option("sat")
@workers_option("processes")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Stop counting at N.")
def count_command(
    puzzles: tuple[str, ...],
    layout: Layout | None,
    timeout: float | None,
    engine: str,
    workers: int,
    as_json: bool,
    limit: int | None,
) -> int:
    """Print the number of solutions of each puzzle.

    A `+` after a number means that there may be more: the limit or the timeout was reached.
    """
    results = ResultCounts()
    # One more than the limit, to distinguish "exactly N" from "N or more".
    most = None if limit is None else limit + 1
    ask = partial(count, limit=most, timeout=timeout, engine=engine)
    for source, entry, answer in answers_of(entries(puzzles, layout, results), ask, workers):
        found, stopped_by = answer, None
        if isinstance(answer, dlx.SearchInterrupted):
            found, stopped_by = answer.count, answer.reason
        elif isinstance(answer, dlx.DLXError):
            raise answer
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
