"""`sudoku canonical`: the canonical (minlex) form of each puzzle."""

from __future__ import annotations

import click

from dlx.cli.commands import FILE_NAME
from sudoku.analysis.canonical import canonical
from sudoku.board.layout import Layout
from sudoku.cli.options import (
    PuzzleCommand,
    about,
    json_option,
    layout_option,
    workers_option,
)
from sudoku.cli.pool import answered
from sudoku.cli.terminal import ResultCounts, show_json, show_line

__all__ = ["canonical_command"]


@click.command("canonical", cls=PuzzleCommand)
@json_option
@layout_option
@workers_option("processes")
@click.option("--unique", is_flag=True, help="Print each canonical form only once.")
@click.argument("puzzles", type=FILE_NAME, nargs=-1, metavar="[PUZZLE|FILE|-]...")
def canonical_command(
    puzzles: tuple[str, ...], layout: Layout | None, as_json: bool, workers: int, unique: bool
) -> int:
    """Print the canonical (minlex) form of each puzzle or solved grid.

    The canonical form is the smallest, as a line of text, of all puzzles that result from renaming
    digits, exchanging rows, columns, bands and stacks, and transposing. A puzzle with a digit twice
    in a house has none, and is reported on standard error. The rest of a puzzle's line follows its
    form.
    """
    results = ResultCounts()
    seen: set[str] = set()
    for source, entry, form in answered(puzzles, layout, canonical, results, workers):
        if unique:
            key = f"{form.layout} {form.line}"
            if key in seen:
                continue
            seen.add(key)
        if as_json:
            show_json(**about(source, entry), canonical=form.line)
        else:
            show_line(f"{form.line} {entry.rest}".rstrip())
    return results.status
