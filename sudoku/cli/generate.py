"""`sudoku generate`: generates puzzles."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack

import click

import dlx
from dlx.cli.commands import FILE_NAME, Terminated, write_output
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, size_meant
from sudoku.cli.options import (
    LAYOUT_HELP,
    engine_option,
    json_option,
    layout_or_box,
    workers_option,
)
from sudoku.cli.progress import Bar
from sudoku.cli.show import svg_page
from sudoku.cli.terminal import (
    MOST_BOXED,
    ResultCounts,
    print_error,
    show_grids,
    show_json,
    show_rules,
)
from sudoku.errors import NoPuzzle, counted, listed
from sudoku.formats.json_format.records import json_text, value_of
from sudoku.formats.record import Record
from sudoku.generation.generate import ATTEMPTS, Generated, generate_many
from sudoku.generation.kinds import KINDS, layout_and_kind
from sudoku.solving.solve import solve

__all__ = ["generate_command"]


@click.command("generate")
@click.option(
    "-n",
    "--number",
    type=click.IntRange(min=0),
    default=1,
    metavar="N",
    help="Number of puzzles. [1]",
)
@layout_or_box(
    layout_and_kind,
    f"{LAYOUT_HELP}; or rules drawn at random for each puzzle: {listed(KINDS, 'or')}.",
)
@click.option("--clues", type=click.IntRange(min=0), metavar="N", help="Exactly N givens.")
@click.option(
    "--symmetry",
    default="none",
    metavar="NAME",
    help="none, rotation-2, rotation-4, mirror, diagonal or full. [none]",
)
@click.option(
    "--difficulty",
    metavar="BAND",
    help="gentle, easy, medium, hard, expert or extreme: see rate. [any]",
)
@click.option(
    "--technique",
    metavar="NAME",
    help="A technique that the puzzle is solved with, such as X-wing: see rate. [any]",
)
@click.option(
    "--need", is_flag=True, help="It is the hardest that is needed: solved with it, not without."
)
@click.option("--seed", type=int, metavar="N", help="The same seed makes the same puzzles.")
@click.option(
    "--minimal/--not-minimal",
    default=None,
    help="Whether every given must be needed. [minimal, unless a difficulty or technique is given]",
)
@click.option(
    "--attempts",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"Attempts for each puzzle to reach --clues, --difficulty or --technique. [{ATTEMPTS}; "
    "if given, also for difficulties that take long]",
)
@click.option("--solutions", is_flag=True, help="Also print the solution, after a space.")
@workers_option("processes")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0),
    metavar="S",
    help="Time limit for all puzzles together, in seconds.",
)
@click.option("--grid", is_flag=True, help="Always print boxed grids.")
@click.option(
    "--svg", type=FILE_NAME, metavar="FILE", help="Draw all puzzles into an SVG file; - is stdout."
)
@json_option
@engine_option()
def generate_command(
    number: int,
    layout: tuple[Layout | None, str | None] | None,
    clues: int | None,
    symmetry: str,
    difficulty: str | None,
    technique: str | None,
    need: bool,
    seed: int | None,
    minimal: bool | None,
    attempts: int | None,
    solutions: bool,
    workers: int,
    timeout: float | None,
    grid: bool,
    svg: str | None,
    as_json: bool,
    engine: str,
) -> int:
    """Generate puzzles with exactly one solution.

    On a terminal, up to 10 puzzles are printed as boxed grids; otherwise each is a line. Puzzles
    with rules drawn at random are lines of JSON, which `sudoku show`, `solve`, `convert` and all
    other commands read. Standard error shows the seed that generates the same puzzles again.
    """
    base, kind = layout or (None, None)
    if svg is not None and (grid or as_json):
        raise click.UsageError(f"--svg cannot be used with --{'grid' if grid else 'json'}")
    if base is Layout(6, 6):  # the user may mean a grid of 6x6; one of 36x36 takes very long
        print_error(f"note: boxes of 6x6 make a grid of 36x36{size_meant(6, 6)}")
    results = ResultCounts()
    started = time.perf_counter()
    grid = grid or (number <= MOST_BOXED and sys.stdout.isatty() and not as_json)
    pictures: list[str] = []
    with ExitStack() as stack:
        executor = None
        if workers > 1:
            if timeout is not None:
                raise click.UsageError("--timeout cannot be used with more than one worker")
            from concurrent.futures import ProcessPoolExecutor
            from multiprocessing import get_context

            executor = ProcessPoolExecutor(workers, get_context("spawn"))
            stack.callback(executor.shutdown, wait=True, cancel_futures=True)
        made = generate_many(
            number,
            base,
            clues,
            kind=kind,
            symmetry=symmetry,
            difficulty=difficulty,
            technique=technique,
            need=need,
            seed=seed,
            minimal=minimal,
            attempts=attempts,
            executor=executor,
            timeout=timeout,
            engine=engine,
        )
        bar = stack.enter_context(Bar())
        stack.enter_context(made)
        try:
            while results.puzzles < number and not results.stopped:
                puzzle = _next(made, results)
                if puzzle is None:
                    continue
                results.good += 1
                if svg is None:
                    _show(puzzle, kind, grid, as_json, solutions)
                else:
                    pictures += _pictures(puzzle, solutions)
                if bar.wanted:
                    bar.show(results.puzzles, results.puzzles / number)
        except (KeyboardInterrupt, Terminated) as stop:
            stop.args = (f"{results.good} made with seed {made.seed}",)
            raise
    if svg is not None and pictures:
        write_output(svg, svg_page(pictures))
    sys.stdout.flush()
    seconds = time.perf_counter() - started
    rate = f" ({results.good / seconds:,.0f} a second)" if results.good > 1 else ""
    failed = f", {results.failed} failed" if results.failed else ""
    text = f"{counted(results.good, 'puzzle')}{failed} in {seconds:.3f} s{rate}, seed {made.seed}"
    click.echo(text, err=True)
    return results.status


def _next(made: Generated, results: ResultCounts) -> Grid | None:
    """The next puzzle; None if it could not be generated, or after the timeout."""
    try:
        return next(made)
    except NoPuzzle as error:
        results.failed += 1
        text = str(error).replace("minimal=False", "--not-minimal")
        print_error(text.replace("attempts=N", "--attempts N"))
    except dlx.SearchInterrupted:
        results.stopped += 1
        print_error("stopped by the timeout")
    return None


def _pictures(puzzle: Grid, solutions: bool) -> list[str]:
    """The picture of a puzzle as SVG, and perhaps that of its solution."""
    found = [puzzle.to_svg()]
    if solutions:
        found.append(solve(puzzle).to_svg(puzzle=puzzle))
    return found


def _show(puzzle: Grid, kind: str | None, grid: bool, as_json: bool, solutions: bool) -> None:
    """Prints a puzzle as JSON, as a boxed grid or as a line, perhaps with its solution."""
    solution = solve(puzzle) if solutions else None
    if grid:
        show_grids(puzzle, puzzle)
        if kind is not None:
            show_rules(puzzle.layout)
        if solution is not None:
            show_grids(puzzle, solution)
    elif kind is not None:
        solved = None if solution is None else solution.line
        click.echo(json_text(value_of(Record(puzzle, solution=solved))), nl=False)
    elif as_json:
        layout = puzzle.layout
        show_json(
            layout=str(layout),
            box=[layout.box_rows, layout.box_columns] if layout.box_rows else None,
            puzzle=puzzle.line,
            clues=puzzle.filled,
            solution=None if solution is None else solution.line,
        )
    else:
        click.echo(puzzle.line if solution is None else f"{puzzle.line} {solution.line}")
