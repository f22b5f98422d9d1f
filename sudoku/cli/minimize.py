"""`sudoku minimize`: removes redundant givens."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from sudoku.board.layout import Layout
from sudoku.cli.options import PuzzleCommand, about, engine_option, puzzle_options, workers_option
from sudoku.cli.pool import answered
from sudoku.cli.terminal import ResultCounts, show_json, show_line, show_puzzle
from sudoku.generation.minimize import minimize
from sudoku.generation.symmetries import check_symmetry

__all__ = ["minimize_command"]


@click.command("minimize", cls=PuzzleCommand)
@puzzle_options
@engine_option()
@workers_option("processes")
@click.option(
    "--symmetry",
    default="none",
    metavar="NAME",
    help="Keep a symmetry: rotation-2, rotation-4, mirror, diagonal or full. [none]",
)
@click.option("--rules", is_flag=True, help="Remove redundant rules, too.")
@click.option(
    "--seed", type=int, metavar="N", help="Try the givens in random order. [last to first]"
)
def minimize_command(
    puzzles: tuple[str, ...],
    layout: Layout | None,
    timeout: float | None,
    engine: str,
    workers: int,
    as_json: bool,
    symmetry: str,
    rules: bool,
    seed: int | None,
) -> int:
    """Remove givens from each puzzle until every one is needed.

    Prints a line for each puzzle, followed by the rest of its input line. The order in which givens
    are tried decides how many remain. A puzzle without solution, or with several, is reported on
    standard error. With --symmetry, whole orbits of givens are removed, and symmetric puzzles stay
    symmetric. With --rules, puzzles that have rules are printed with the rules that are left, as
    lines of JSON, which all commands read.
    """
    check_symmetry(symmetry)
    results = ResultCounts()
    search: dict[str, Any] = {"seed": seed, "timeout": timeout, "engine": engine}
    ask = partial(minimize, symmetry=symmetry, rules=rules, **search)
    failed: dict[str, Any] | None = (
        {"minimal": None, "clues": None, "removed": []} if as_json else None
    )
    for source, entry, least in answered(puzzles, layout, ask, results, workers, failed):
        if as_json:
            left = least.layout.rules
            removed = [str(rule) for rule in entry.grid.layout.rules if rule not in left]
            values = {"minimal": least.line, "clues": least.filled, "error": None}
            show_json(**about(source, entry), **values, removed=removed)
        elif rules:
            show_puzzle(least, entry.rest)
        else:
            show_line(f"{least.line} {entry.rest}".rstrip())
    return results.status
