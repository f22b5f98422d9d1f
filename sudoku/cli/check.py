"""`sudoku check`: validates puzzles, and gives evidence if there is not exactly one solution."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import tee
from operator import attrgetter
from typing import Any

import click

from dlx import SearchInterrupted
from dlx.escapes import visible
from sudoku.analysis.verdict import Kind, Verdict, judge
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, cell_name
from sudoku.cli.options import PuzzleCommand, about, engine_option, puzzle_options, workers_option
from sudoku.cli.terminal import Input, Inputs, ResultCounts, show_json, show_line
from sudoku.errors import PuzzleError
from sudoku.solving.many import count_many

__all__ = ["check_command"]

RESULTS = {"unique": "unique", "not unique": "several", "no solution": "none", "unknown": "unknown"}
"""The results of puzzles by the kinds of verdicts."""


@click.command("check", cls=PuzzleCommand)
@puzzle_options
@engine_option("sat")
@workers_option("threads")
@click.option("--summary", is_flag=True, help="Print how many puzzles have each result.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the result of each puzzle as CSV.")
def check_command(
    puzzles: tuple[str, ...],
    layout: Layout | None,
    timeout: float | None,
    engine: str,
    workers: int,
    summary: bool,
    as_csv: bool,
    as_json: bool,
) -> int:
    """Check whether each puzzle has exactly one solution, and report its flaws.

    For a puzzle with several solutions, prints two of them and the cells in which they differ. For
    a puzzle without solution, names a few givens and rules that contradict each other.

    The results of --summary and --csv are unique, several, none, unknown (stopped by the timeout),
    wrong solution (that in the file is not one) and unreadable. With --csv, the summary goes to
    standard error.
    """
    if as_csv and as_json:
        raise click.UsageError("--csv cannot be used with --json")
    if engine == "sat" and workers > 1:
        raise click.UsageError("--workers cannot be used with --engine sat")
    results = ResultCounts()
    numbers = dict.fromkeys([*RESULTS.values(), "wrong solution", "unreadable"], 0)
    search: dict[str, Any] = {"timeout": timeout, "engine": engine}
    if as_csv:
        click.echo("source,line,puzzle,result")
    for run in Inputs(puzzles, layout).runs():
        for item, kind in _kinds(run, workers, search):
            grid = item.grid
            result = _result(grid) if kind is None else RESULTS[kind]
            numbers[result] += 1
            _count(item, kind, results)
            if as_csv:
                click.echo(_row(item, result))
            elif kind is not None and isinstance(grid, Grid) and not summary:
                # Its solution, or the evidence against one.
                is_needed = kind != "unknown" and (as_json or kind != "unique")
                no_evidence = Verdict(kind, (), (), (), None)
                verdict = judge(grid, **search) if is_needed else no_evidence
                if as_json:
                    show_json(**about(item.source, item), **_as_json(verdict))
                    continue
                for line in (*verdict.flaws, verdict.clash, *_sentences(verdict, timeout)):
                    if line is not None:
                        show_line(f"{item.source.label()}{line}")
    if summary and as_json:
        show_json(**numbers)
    elif summary:
        for result, number in numbers.items():
            click.echo(f"{result}: {number}", err=as_csv)
    return results.status


def _kinds(
    items: Iterable[Input], workers: int, search: dict[str, Any]
) -> Iterator[tuple[Input, Kind | None]]:
    """Each puzzle with the kind of its verdict; None for an error in its place.

    Solutions are counted in batches, which takes less time than `judge` for each.
    """
    if search["engine"] == "sat":
        for item in items:
            yield item, judge(item.grid, **search).kind if isinstance(item.grid, Grid) else None
        return
    of_numbers: tuple[Kind, ...] = ("no solution", "unique", "not unique")
    ahead, items = tee(items)
    puzzles = map(attrgetter("grid"), ahead)
    with count_many(puzzles, limit=2, errors="return", workers=workers, **search) as counts:
        for number, item in zip(counts, items, strict=False):
            if isinstance(number, int):
                yield item, of_numbers[number]
            else:
                yield item, "unknown" if isinstance(number, SearchInterrupted) else None


def _count(item: Input, kind: Kind | None, results: ResultCounts) -> None:
    """Counts a puzzle for the exit status; reports an error in its place."""
    if kind is None:
        results.refuse(f"{item.source.label()}{item.grid}")
    elif kind == "unknown":
        results.stopped += 1
    elif kind == "unique":
        results.good += 1
    else:
        results.failed += 1


def _result(error: object) -> str:
    """The result in place of a puzzle that was refused."""
    is_wrong = isinstance(error, PuzzleError) and error.what.startswith("the solution ")
    return "wrong solution" if is_wrong else "unreadable"


def _row(item: Input, result: str) -> str:
    """A line of CSV."""
    grid = item.grid
    line = item.line if isinstance(grid, Grid) else getattr(grid, "line", None)
    puzzle = grid.line if isinstance(grid, Grid) else ""
    name = item.name.replace('"', '""')
    return f'"{visible(name)}",{line or ""},{puzzle},{result}'


def _sentences(verdict: Verdict, timeout: float | None) -> list[str]:
    """The lines to print, the verdict last."""
    if verdict.kind == "unknown":
        return [f"unknown: stopped after {timeout:g} s, {len(verdict.solutions)} found"]
    if verdict.kind == "not unique":
        lines = [f"solution: {grid.line}" for grid in verdict.solutions]
        return [*lines, verdict.difference, "not unique: more than one solution"]
    if verdict.kind == "no solution" and not verdict.flaws and verdict.clash is None:
        return ["no solution: no flaw is visible, but the search found no solution"]
    return [str(verdict)]


def _as_json(verdict: Verdict) -> dict[str, Any]:
    """The fields of the verdict; flaws and the clash are sentences."""
    return {
        "kind": verdict.kind,
        "flaws": [str(flaw) for flaw in verdict.flaws],
        "clash": None if verdict.clash is None else str(verdict.clash),
        "solutions": [solution.line for solution in verdict.solutions],
        "differences": [cell_name(*place) for place in verdict.differences],
    }
