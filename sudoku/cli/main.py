"""The `sudoku` command.

Exit statuses: 0 all puzzles are solved (valid, unique), 1 some puzzle has no solution (is not
valid, not unique), 2 bad input, 3 stopped by a limit, 129 the terminal was closed, 130 interrupted,
143 terminated.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any

import click

import dlx
from dlx.cli.commands import run
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.cli.canonical import canonical_command
from sudoku.cli.check import check_command
from sudoku.cli.compare import compare_command
from sudoku.cli.convert import convert
from sudoku.cli.count import count_command
from sudoku.cli.generate import generate_command
from sudoku.cli.hint import hint_command
from sudoku.cli.lint import lint_command
from sudoku.cli.minimize import minimize_command
from sudoku.cli.options import PuzzleCommand, about, engine_option, puzzle_options, workers_option
from sudoku.cli.progress import Bar
from sudoku.cli.rate import rate_command
from sudoku.cli.serve import serve
from sudoku.cli.show import show_command
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
from sudoku.solving.many import solve_many

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit status."""
    return run(commands, "sudoku", arguments)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(dlx.__version__, prog_name="sudoku")
def commands() -> None:
    """Solve, generate, explain, rate, draw and play Sudokus of every kind.

    A PUZZLE is a text with its cells row by row (digits, then letters, and `.` for a blank), or a
    link of SudokuPad, f-puzzles, penpa+ or sudokuwiki. Any other argument is a file with puzzles
    in any format, such as one per line; - is standard input.
    """


@commands.command("solve", cls=PuzzleCommand)
@puzzle_options
@engine_option()
@workers_option("threads")
@click.option("--grid", is_flag=True, help="Always print boxed grids.")
def solve_command(
    puzzles: tuple[str, ...],
    layout: Layout | None,
    timeout: float | None,
    engine: str,
    workers: int,
    as_json: bool,
    grid: bool,
) -> int:
    """Print the solution of each puzzle.

    On a terminal, up to 10 solutions are printed as boxed grids. Otherwise each is a line, followed
    by the rest of the puzzle's line. Errors go to standard error, which also shows a progress bar
    if the output is a file and the list is long.
    """
    results = ResultCounts()
    started = time.perf_counter()
    inputs = Inputs(puzzles, layout)
    search = {"timeout": timeout, "engine": engine, "workers": workers}
    with Bar() as bar:

        def tick() -> None:
            if bar.wanted:
                bar.show(results.puzzles, inputs.share)

        if as_json or grid:
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


for command in (
    canonical_command,
    check_command,
    compare_command,
    convert,
    count_command,
    generate_command,
    hint_command,
    lint_command,
    minimize_command,
    rate_command,
    serve,
    show_command,
):
    commands.add_command(command)
