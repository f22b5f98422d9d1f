"""The `sudoku` command.

Exit statuses: 0 all is solved (valid, unique), 1 some puzzle has no solution (is not valid, not
unique), 2 bad input, 3 stopped by a limit, 130 interrupted.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import click

import dlx
from dlx.commands import run
from sudoku.checking import check
from sudoku.comparing import Row, compare
from sudoku.errors import NoSolution
from sudoku.layout import Layout
from sudoku.solving import solutions, solve
from sudoku.terminal import (
    BoxShape,
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
@click.option("--grid", is_flag=True, help="Boxed grids, however many and wherever they go.")
def solve_command(
    puzzles: tuple[str, ...],
    box: Layout | None,
    timeout: float | None,
    engine: str,
    as_json: bool,
    grid: bool,
) -> int:
    """Print the solution of each puzzle.

    Boxed grids if they are few and go to a terminal, otherwise a line for each, followed by what
    followed the puzzle. What cannot be solved is reported on standard error.
    """
    outcome = Outcome()
    started = time.perf_counter()
    stream = entries(puzzles, box, outcome)
    if sys.stdout.isatty() and not grid and not as_json:
        first = list(itertools.islice(stream, FEW + 1))
        grid = len(first) <= FEW
        stream = itertools.chain(first, stream)
    write = sys.stdout.write
    for source, entry in stream:
        found, error = None, ""
        try:
            found = solve(entry.grid, timeout=timeout, engine=engine)
            outcome.good += 1
        except NoSolution as reason:
            outcome.failed += 1
            error = str(reason)
        except dlx.SearchInterrupted as reason:
            outcome.stopped += 1
            error = str(reason)
        if as_json:
            line = found.line if found else None
            show_json(**_about(source, entry), solution=line, error=error or None)
        elif found is None:
            complain(f"{source.label()}{error}")
        elif grid:
            if source.name:
                write(f"{source.label()}{entry.rest}".rstrip() + "\n")
            show_grids(entry.grid, found)
        else:
            write(f"{found.line} {entry.rest}\n" if entry.rest else f"{found.line}\n")
    sys.stdout.flush()
    seconds = time.perf_counter() - started
    if outcome.puzzles:
        click.echo(outcome.summary("solved", "without solution", seconds), err=True)
    return outcome.status


def _about(source: Any, entry: Any) -> dict[str, Any]:
    layout = entry.grid.layout
    return {
        "source": source.name,
        "line": entry.line,
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
                verdict = "no solution: nothing looks wrong, but the search found none"
        if found == 1 and verdict.startswith("valid"):
            outcome.good += 1
        elif verdict.startswith("unknown"):
            outcome.stopped += 1
        else:
            outcome.failed += 1
        if as_json:
            show_json(**_about(source, entry), verdict=verdict, flaws=[str(f) for f in flaws])
            continue
        for line in (*flaws, verdict):
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
