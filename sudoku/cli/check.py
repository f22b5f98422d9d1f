"""`sudoku check`: validates puzzles, and gives evidence if there is not exactly one solution."""

from __future__ import annotations

from typing import Any

import click

from sudoku.analysis.verdict import Verdict, judge
from sudoku.board.layout import Layout, cell_name
from sudoku.cli.options import PuzzleCommand, about, engine_option, puzzle_options
from sudoku.cli.terminal import ResultCounts, entries, show_json, show_line

__all__ = ["check_command"]


@click.command("check", cls=PuzzleCommand)
@puzzle_options
@engine_option("sat")
def check_command(
    puzzles: tuple[str, ...],
    layout: Layout | None,
    timeout: float | None,
    engine: str,
    as_json: bool,
) -> int:
    """Check whether each puzzle has exactly one solution, and report its flaws.

    For a puzzle with several solutions, prints two of them and the cells in which they differ. For
    a puzzle without solution, names a few givens that contradict each other.
    """
    results = ResultCounts()
    for source, entry in entries(puzzles, layout, results):
        verdict = judge(entry.grid, timeout=timeout, engine=engine)
        if verdict.kind == "unique":
            results.good += 1
        elif verdict.kind == "unknown":
            results.stopped += 1
        else:
            results.failed += 1
        if as_json:
            show_json(**about(source, entry), **_as_json(verdict))
            continue
        for line in (*verdict.flaws, verdict.clash, *_sentences(verdict, timeout)):
            if line is not None:
                show_line(f"{source.label()}{line}")
    return results.status


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
