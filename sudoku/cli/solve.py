"""The command `solve`: the solution of each puzzle."""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any

import click

import dlx
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.cli.options import PuzzleCommand, about, engine_option, puzzle_options, workers_option
from sudoku.cli.progress import Bar
from sudoku.cli.stream import solve_lines
from sudoku.cli.terminal import (
    MOST_BOXED,
    Input,
    Inputs,
    ResultCounts,
    print_error,
    show_grids,
    show_json,
    show_line,
)
from sudoku.errors import NoSolution, counted
from sudoku.solving.deadline import Deadline
from sudoku.solving.many import solve_many
from sudoku.solving.solve import count, solutions, solve

__all__ = ["solve_command"]


@click.command("solve", cls=PuzzleCommand)
@puzzle_options
@engine_option()
@workers_option("threads")
@click.option("--grid", is_flag=True, help="Always print boxed grids.")
@click.option(
    "--limit", type=click.IntRange(min=1), metavar="N", help="Print the first N solutions. [1]"
)
def solve_command(
    puzzles: tuple[str, ...],
    layout: Layout | None,
    timeout: float | None,
    engine: str,
    workers: int,
    as_json: bool,
    grid: bool,
    limit: int | None,
) -> int:
    """Print the solution of each puzzle.

    On a terminal, up to 10 solutions are printed as boxed grids. Otherwise each is a line, followed
    by the rest of the puzzle's line. Errors go to standard error, which also shows a progress bar
    if the output is a file and the list is long.

    With --limit, all solutions are printed, up to N for each puzzle; if there are more, standard
    error says so, and the exit status is 3.
    """
    if limit is not None and workers > 1:
        raise click.UsageError("--workers cannot be used with --limit")
    results = ResultCounts()
    started = time.perf_counter()
    inputs = Inputs(puzzles, layout)
    search = {"timeout": timeout, "engine": engine, "workers": workers}
    with Bar() as bar:

        def tick() -> None:
            if bar.wanted:
                bar.show(results.puzzles, inputs.share)

        if limit is not None:
            boxed = grid or (sys.stdout.isatty() and limit <= MOST_BOXED)
            for run in inputs.runs():
                for item in run:
                    _solve_all(item, limit, boxed, as_json, results, timeout, engine)
                    tick()
                sys.stdout.flush()
        elif as_json or grid:
            show = _show_json if as_json else _show_grids
            for run in inputs.runs():
                _solve_each(run, show, results, tick, search)
        elif sys.stdout.isatty():
            for run in inputs.runs():
                items, few = _are_few(run, MOST_BOXED - results.puzzles)
                _solve_each(items, _show_grids if few else _show_line, results, tick, search)
        else:
            solve_lines(inputs, results, tick, **search)
    sys.stdout.flush()
    seconds = time.perf_counter() - started
    if results.puzzles:
        click.echo(results.summary("solved", "without solution", seconds), err=True)
    return results.status


def _solve_each(
    items: Iterable[Input],
    show: Callable[[Input, Grid | dlx.DLXError], None],
    results: ResultCounts,
    tick: Callable[[], None],
    search: dict[str, Any],
) -> None:
    """Solves the puzzles and calls `show` with each one and its answer."""
    # solve_many reads puzzles ahead, so tee keeps each one until its answer arrives.
    ahead, items = itertools.tee(items)
    with solve_many(map(attrgetter("grid"), ahead), errors="return", **search) as answers:
        for answer, item in zip(answers, items, strict=False):
            if not isinstance(answer, Grid) and answer is item.grid:
                results.refuse(f"{item.source.label()}{answer}")
                continue
            results.count(answer)
            show(item, answer)
            tick()
    sys.stdout.flush()


def _solve_all(
    item: Input,
    limit: int,
    boxed: bool,
    as_json: bool,
    results: ResultCounts,
    timeout: float | None,
    engine: str,
) -> None:
    """Prints the first `limit` solutions of a puzzle, and whether there are more."""
    grid, label = item.grid, item.source.label()
    if not isinstance(grid, Grid):
        results.refuse(f"{label}{grid}")
        return
    found: list[Grid] = []
    stopped_by: str | None = None
    deadline = Deadline(timeout)
    try:
        # A search in order may take far longer to see that there is only one.
        if count(grid, limit=2, timeout=deadline.left, engine=engine) < 2:
            found.append(solve(grid, timeout=deadline.left, engine=engine))
        else:
            with solutions(grid, limit=limit + 1, timeout=deadline.left, engine=engine) as search:
                found += search
                stopped_by = search.stopped_by
    except dlx.SearchInterrupted as error:
        stopped_by = error.reason
    except NoSolution as error:
        results.count(error)
        if not as_json:
            print_error(f"{label}{error}")
    if len(found) > limit:
        found, stopped_by = found[:limit], "limit"
    number = counted(len(found), "solution")
    if stopped_by is not None:
        results.stopped += 1
        why = "more than" if stopped_by == "limit" else "stopped by the timeout after"
        print_error(f"{label}{why} {number}")
    elif found:
        results.good += 1
    if as_json:
        values = {"exhausted": not stopped_by, "stopped_by": stopped_by}
        show_json(**about(item.source, item), solutions=[one.line for one in found], **values)
        return
    for one in found:
        (_show_grids if boxed else _show_line)(item, one)


def _are_few(items: Iterator[Input], few: int) -> tuple[Iterator[Input], bool]:
    """The same items, and whether at most `few` of them are puzzles."""
    first: list[Input] = []
    puzzles = 0
    for item in items:
        first.append(item)
        puzzles += isinstance(item.grid, Grid)
        if puzzles > few:
            break
    return itertools.chain(first, items), puzzles <= few


def _show_line(item: Input, answer: Grid | dlx.DLXError) -> None:
    if not isinstance(answer, Grid):
        print_error(f"{item.source.label()}{answer}")
    elif item.rest:
        show_line(f"{answer.line} {item.rest}")
    else:
        sys.stdout.write(f"{answer.line}\n")


def _show_grids(item: Input, answer: Grid | dlx.DLXError) -> None:
    if not isinstance(answer, Grid) or not isinstance(item.grid, Grid):
        print_error(f"{item.source.label()}{answer}")
        return
    if item.name:
        show_line(f"{item.source.label()}{item.rest}".rstrip())
    show_grids(item.grid, answer)


def _show_json(item: Input, answer: Grid | dlx.DLXError) -> None:
    found, error = (answer.line, None) if isinstance(answer, Grid) else (None, str(answer))
    show_json(**about(item.source, item), solution=found, error=error)
