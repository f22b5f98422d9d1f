"""`sudoku generate`: new puzzles."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack

import click

import dlx
from dlx.cli.commands import Terminated
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, size_meant
from sudoku.cli.options import engine_option, json_option, layout_option, workers_option
from sudoku.cli.progress import Bar
from sudoku.cli.terminal import Outcome, complain, show_grids, show_json
from sudoku.errors import NoPuzzle, counted
from sudoku.generation.generate import ATTEMPTS, Generated, generate_many
from sudoku.solving.solve import solve

__all__ = ["generate_command"]

FEW = 10  # so many puzzles are shown as grids on a terminal


@click.command("generate")
@click.option(
    "-n", "--number", type=click.IntRange(min=0), default=1, metavar="N", help="So many. [1]"
)
@layout_option
@click.option("--clues", type=click.IntRange(min=0), metavar="N", help="Exactly N givens.")
@click.option(
    "--symmetry",
    default="none",
    metavar="NAME",
    help="none, rotation-2, rotation-4, mirror, diagonal or full. [none]",
)
@click.option(
    "--difficulty", metavar="BAND", help="easy, medium, hard, expert or extreme: see rate. [any]"
)
@click.option("--seed", type=int, metavar="N", help="The same seed makes the same puzzles.")
@click.option(
    "--minimal/--not-minimal",
    default=None,
    help="Whether all givens have to be needed. [minimal, unless --difficulty is given]",
)
@click.option(
    "--attempts",
    type=click.IntRange(min=1),
    default=ATTEMPTS,
    metavar="N",
    help=f"To come to the number of givens, for each puzzle. [{ATTEMPTS}]",
)
@click.option("--solutions", is_flag=True, help="The solution, too, after a space.")
@workers_option("processes")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0),
    metavar="S",
    help="Seconds on the clock for all of them.",
)
@click.option("--grid", is_flag=True, help="Boxed grids, however many and wherever they go.")
@json_option
@engine_option
def generate_command(
    number: int,
    layout: Layout | None,
    clues: int | None,
    symmetry: str,
    difficulty: str | None,
    seed: int | None,
    minimal: bool | None,
    attempts: int,
    solutions: bool,
    workers: int,
    timeout: float | None,
    grid: bool,
    as_json: bool,
    engine: str,
) -> int:
    """Make puzzles that have exactly one solution.

    Boxed grids if they are few and go to a terminal, otherwise a line for each. The seed with which
    they can be made again is on standard error.
    """
    if layout is Layout(6, 6):  # which is hardly ever meant, and takes very long
        complain(f"note: boxes of 6x6 make a grid of 36x36{size_meant(6, 6)}")
    outcome = Outcome()
    started = time.perf_counter()
    grid = grid or (number <= FEW and sys.stdout.isatty() and not as_json)
    with ExitStack() as stack:
        executor = None
        if workers > 1:
            if timeout is not None:
                raise click.UsageError("--timeout goes with one worker only")
            from concurrent.futures import ProcessPoolExecutor
            from multiprocessing import get_context

            executor = ProcessPoolExecutor(workers, get_context("spawn"))
            stack.callback(executor.shutdown, wait=True, cancel_futures=True)
        made = generate_many(
            number,
            layout,
            clues,
            symmetry=symmetry,
            difficulty=difficulty,
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
            while outcome.puzzles < number and not outcome.stopped:
                puzzle = _next(made, outcome)
                if puzzle is None:
                    continue
                outcome.good += 1
                _show(puzzle, grid, as_json, solutions)
                if bar.wanted:
                    bar.show(outcome.puzzles, outcome.puzzles / number)
        except (KeyboardInterrupt, Terminated) as stop:
            stop.args = (f"{outcome.good} made with seed {made.seed}",)
            raise
    sys.stdout.flush()
    seconds = time.perf_counter() - started
    rate = f" ({outcome.good / seconds:,.0f} a second)" if outcome.good > 1 else ""
    failed = f", {outcome.failed} not made" if outcome.failed else ""
    text = f"{counted(outcome.good, 'puzzle')}{failed} in {seconds:.3f} s{rate}, seed {made.seed}"
    click.echo(text, err=True)
    return outcome.status


def _next(made: Generated, outcome: Outcome) -> Grid | None:
    """The next puzzle; None if it could not be made, or if the time is up."""
    try:
        return next(made)
    except NoPuzzle as error:
        outcome.failed += 1
        complain(str(error).replace("minimal=False", "--not-minimal"))
    except dlx.SearchInterrupted:
        outcome.stopped += 1
        complain("stopped by the timeout")
    return None


def _show(puzzle: Grid, grid: bool, as_json: bool, solutions: bool) -> None:
    solution = solve(puzzle) if solutions else None
    if as_json:
        layout = puzzle.layout
        show_json(
            layout=str(layout),
            box=[layout.box_rows, layout.box_columns] if layout.box_rows else None,
            puzzle=puzzle.line,
            clues=puzzle.filled,
            solution=None if solution is None else solution.line,
        )
    elif grid:
        show_grids(puzzle, puzzle)
        if solution is not None:
            show_grids(puzzle, solution)
    else:
        click.echo(puzzle.line if solution is None else f"{puzzle.line} {solution.line}")
