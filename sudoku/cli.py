"""The `sudoku` command.

Exit statuses: 0 all is solved (valid, unique), 1 some puzzle has no solution (is not valid, not
unique), 2 bad input, 3 stopped by a limit, 130 interrupted.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Any

import click

import dlx
from dlx.commands import run
from sudoku.checking import check
from sudoku.cli_hint import hint_command
from sudoku.cli_rate import rate_command
from sudoku.comparing import Row, compare
from sudoku.explaining import explained
from sudoku.grid import Grid
from sudoku.layout import Layout
from sudoku.many import solve_many
from sudoku.progress import Bar
from sudoku.solving import solutions
from sudoku.terminal import (
    BoxShape,
    Input,
    Inputs,
    Outcome,
    complain,
    entries,
    show_grids,
    show_json,
    show_table,
)

__all__ = ["main"]

FEW = 10  # so many solutions are shown as grids on a terminal

Command = Callable[..., Any]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    return run(commands, "sudoku", arguments)


class PuzzleCommand(click.Command):
    """A command that takes puzzles, also those that begin with a `-` for a blank."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Write the blanks of such a puzzle as `.`, so that it does not look like an option."""
        cells = set("-._*0123456789")
        args = [
            arg.replace("-", ".") if arg[:1] == "-" and len(arg) > 15 and set(arg) <= cells else arg
            for arg in args
        ]
        return super().parse_args(ctx, args)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="exactcover")
def commands() -> None:
    """Solve, check and count Sudokus of every box shape.

    A PUZZLE is its cells as text, row by row: digits, then letters, and `.` for a blank. Anything
    else is the name of a file with puzzles, one a line or as grids; - is standard input.
    """


commands.add_command(hint_command)
commands.add_command(rate_command)


def _puzzles(command: Command) -> Command:
    """The argument and the options that all commands have."""
    for decorate in (
        click.option("--json", "as_json", is_flag=True, help="A line of JSON for each puzzle."),
        click.option("--box", type=BoxShape(), help="The shape of the boxes, such as 2x3."),
        click.option(
            "--timeout", type=click.FloatRange(min=0), metavar="S", help="Seconds for each puzzle."
        ),
        click.argument("puzzles", nargs=-1, metavar="[PUZZLE|FILE|-]..."),
    ):
        command = decorate(command)
    return command


_engine = click.option("--engine", default="auto", metavar="E", help="auto, links or python.")


@commands.command("solve", cls=PuzzleCommand)
@_puzzles
@_engine
@click.option(
    "--workers", type=click.IntRange(1, 1024), default=1, metavar="N", help="So many threads. [1]"
)
@click.option("--grid", is_flag=True, help="Boxed grids, however many and wherever they go.")
def solve_command(
    puzzles: tuple[str, ...],
    box: Layout | None,
    timeout: float | None,
    engine: str,
    workers: int,
    as_json: bool,
    grid: bool,
) -> int:
    """Print the solution of each puzzle.

    Boxed grids if they are few and go to a terminal, otherwise a line for each, followed by what
    followed the puzzle. What cannot be solved is reported on standard error, which shows a
    progress bar while a long list is solved into a file.
    """
    outcome = Outcome()
    started = time.perf_counter()
    inputs = Inputs(puzzles, box)
    items = iter(inputs)
    if sys.stdout.isatty() and not grid and not as_json:
        items, grid = _are_few(items)
    show = _show_json if as_json else _show_grids if grid else _show_line
    # Each answer is taken with its puzzle, though the puzzles are read ahead.
    ahead, items = itertools.tee(items)
    answers = solve_many(
        map(attrgetter("grid"), ahead),
        timeout=timeout,
        engine=engine,
        workers=workers,
        errors="return",
    )
    with answers, Bar() as bar:
        for answer, item in zip(answers, items, strict=False):
            if not isinstance(answer, Grid) and answer is item.grid:
                outcome.refuse(f"{item.source.label()}{answer}")
                continue
            outcome.count(answer)
            show(item, answer)
            if bar.wanted:
                bar.show(outcome.puzzles, inputs.share)
    sys.stdout.flush()
    seconds = time.perf_counter() - started
    if outcome.puzzles:
        click.echo(outcome.summary("solved", "without solution", seconds), err=True)
    return outcome.status


def _are_few(items: Iterator[Input]) -> tuple[Iterator[Input], bool]:
    """The same again, and whether there are only few puzzles among them."""
    first: list[Input] = []
    puzzles = 0
    for item in items:
        first.append(item)
        puzzles += isinstance(item.grid, Grid)
        if puzzles > FEW:
            break
    return itertools.chain(first, items), puzzles <= FEW


def _show_line(item: Input, answer: Grid | dlx.DLXError) -> None:
    if not isinstance(answer, Grid):
        complain(f"{item.source.label()}{answer}")
    elif item.rest:
        sys.stdout.write(f"{answer.line} {item.rest}\n")
    else:
        sys.stdout.write(f"{answer.line}\n")


def _show_grids(item: Input, answer: Grid | dlx.DLXError) -> None:
    if not isinstance(answer, Grid) or not isinstance(item.grid, Grid):
        complain(f"{item.source.label()}{answer}")
        return
    if item.name:
        sys.stdout.write(f"{item.source.label()}{item.rest}".rstrip() + "\n")
    show_grids(item.grid, answer)


def _show_json(item: Input, answer: Grid | dlx.DLXError) -> None:
    found, error = (answer.line, None) if isinstance(answer, Grid) else (None, str(answer))
    show_json(**_about(item.source, item), solution=found, error=error)


def _about(source: Any, entry: Any) -> dict[str, Any]:
    layout = entry.grid.layout
    return {
        "source": source.name,
        "line": entry.line or 1,
        "puzzle": entry.grid.line,
        "box": [layout.box_rows, layout.box_columns],
        "rest": entry.rest,
    }


@commands.command("check", cls=PuzzleCommand)
@_puzzles
@_engine
def check_command(
    puzzles: tuple[str, ...],
    box: Layout | None,
    timeout: float | None,
    engine: str,
    as_json: bool,
) -> int:
    """Say all that is wrong with each puzzle, and whether it has exactly one solution."""
    outcome = Outcome()
    for source, entry in entries(puzzles, box, outcome):
        flaws = check(entry.grid)
        givens: str | None = None
        if flaws:
            verdict, found = "no solution", 0
        else:
            with solutions(entry.grid, limit=2, timeout=timeout, engine=engine) as search:
                found = sum(1 for _ in search)
                stopped = search.stopped_by == "timeout"
            if found > 1:
                verdict = "not unique: more than one solution"
            elif stopped:
                verdict = f"unknown: stopped after {timeout:g} s, {found} found"
            elif found:
                verdict = "valid: exactly one solution"
            else:
                verdict = "no solution"
        if verdict == "no solution" and not any(flaw.kind == "duplicate" for flaw in flaws):
            givens = explained(entry.grid)
            if not flaws and givens is None:
                verdict = "no solution: nothing looks wrong, but the search found none"
        if found == 1 and verdict.startswith("valid"):
            outcome.good += 1
        elif verdict.startswith("unknown"):
            outcome.stopped += 1
        else:
            outcome.failed += 1
        if as_json:
            about = {"verdict": verdict, "flaws": [str(f) for f in flaws], "givens": givens}
            show_json(**_about(source, entry), **about)
            continue
        for line in (*flaws, givens, verdict):
            if line is not None:
                click.echo(f"{source.label()}{line}")
    return outcome.status


@commands.command("count", cls=PuzzleCommand)
@_puzzles
@_engine
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Count up to N only.")
def count_command(
    puzzles: tuple[str, ...],
    box: Layout | None,
    timeout: float | None,
    engine: str,
    as_json: bool,
    limit: int | None,
) -> int:
    """Print the number of solutions of each puzzle.

    A `+` after a number means that there may be more: the limit or the timeout was reached.
    """
    outcome = Outcome()
    for source, entry in entries(puzzles, box, outcome):
        # One more than the limit, to tell "exactly N" from "N and more".
        most = None if limit is None else limit + 1
        with solutions(entry.grid, limit=most, timeout=timeout, engine=engine) as search:
            found = sum(1 for _ in search)
            complete = search.exhausted
        if limit is not None and found > limit:
            found, complete = limit, False
        if not complete:
            outcome.stopped += 1
        elif found:
            outcome.good += 1
        else:
            outcome.failed += 1
        if as_json:
            show_json(**_about(source, entry), count=found, complete=complete)
        else:
            click.echo(f"{source.label()}{found}{'' if complete else '+'}")
    return outcome.status


@commands.command("compare", cls=PuzzleCommand)
@_puzzles
@click.option(
    "--limit", type=click.IntRange(min=1), default=2, help="Look for N solutions. [2]", metavar="N"
)
@click.option(
    "--nodes",
    type=click.IntRange(min=1),
    default=1_000_000,
    metavar="N",
    help="Stop a backtracker after N nodes. [1000000]",
)
def compare_command(
    puzzles: tuple[str, ...],
    box: Layout | None,
    timeout: float | None,
    as_json: bool,
    limit: int,
    nodes: int,
) -> int:
    """Solve each puzzle in six ways and print what each took.

    Four backtrackers (sudoku.oracle), and exact cover in plain Python and in the kernel. The
    timeout, for exact cover, is a minute if there is none; the backtrackers count nodes.
    """
    seconds = 60.0 if timeout is None else timeout
    outcome = Outcome()
    for source, entry in entries(puzzles, box, outcome):
        rows = compare(entry.grid, limit=limit, node_limit=nodes, timeout=seconds)
        certain = [row for row in rows if row.stopped_by in (None, "limit")]
        if not certain:
            outcome.stopped += 1
        elif certain[0].solutions:
            outcome.good += 1
        else:
            outcome.failed += 1
        if as_json:
            show_json(**_about(source, entry), methods=[row._asdict() for row in rows])
            continue
        notes = {
            None: "",
            "limit": f"stopped at {limit} solution{'s'[: limit > 1]}",
            "node_limit": f"stopped at {nodes:,} nodes",
            "timeout": f"stopped after {seconds:g} s",
        }
        head = ["method", "solutions", "nodes", "time", "note"]
        show_table(
            f"{source.label()}{entry.grid.line}",
            head if any(row.stopped_by for row in rows) else [*head[:-1], ""],
            [_cells(row, notes[row.stopped_by]) for row in rows],
        )
    return outcome.status


def _cells(row: Row, note: str) -> list[str]:
    unit = f"{row.seconds:.2f} s " if row.seconds >= 1 else f"{row.seconds * 1000:.2f} ms"
    return [row.method, f"{row.solutions:,}", f"{row.nodes:,}", unit, note]
