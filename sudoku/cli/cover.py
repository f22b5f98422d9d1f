"""`sudoku cover`: the exact cover problem of a puzzle, as a file, a trace or a picture."""

from __future__ import annotations

import re
import sys
from collections.abc import Hashable
from pathlib import Path
from typing import Final

import click

import dlx
from dlx.cli.commands import BAD_INPUT, FILE_NAME, NO_SOLUTION, SOLVED, write_output
from sudoku.board.cells import cell_name
from sudoku.board.layout import Layout
from sudoku.cli.options import PuzzleCommand, layout_option
from sudoku.cli.terminal import ResultCounts, entries, print_error
from sudoku.errors import NoSolution
from sudoku.rules.cover import cover

__all__ = ["cover_command"]

LETTERS: Final = {"cell": "rc", "row": "rn", "column": "cn", "box": "bn"}


@click.command("cover", cls=PuzzleCommand)
@click.option("-o", "--output", type=FILE_NAME, default="-", metavar="OUT", help="File to write.")
@click.option("--to", "form", metavar="FORMAT", help="Its format. [by suffix, or knuth]")
@click.option("--html", type=FILE_NAME, metavar="PAGE", help="Write a page that plays Algorithm X.")
@click.option("--svg", type=FILE_NAME, metavar="PICTURE", help="Draw the matrix as SVG.")
@layout_option
@click.argument("puzzle", type=FILE_NAME, required=False, metavar="[PUZZLE|FILE|-]")
def cover_command(
    puzzle: str | None,
    layout: Layout | None,
    output: str,
    form: str | None,
    html: str | None,
    svg: str | None,
) -> int:
    """Write the exact cover problem of a puzzle, for `dlx` and other programs.

    Its items are what the digits of the puzzle leave open: r1c2 (this cell has a digit), r1n5, c2n5
    and b1n5 (row, column or box has its 5); its options are the candidates, such as r1c2=5. In
    JSON, items and names are the tuples of `sudoku.cover()`. Without PUZZLE it is the problem of
    the empty grid. --html and --svg write a page or a picture of the matrix instead: in the
    latter, the options of the puzzle's digits are green, and those that they exclude are gray.
    """
    results = ResultCounts()
    found = [None] if puzzle is None else [one for _, one in entries((puzzle,), layout, results)]
    if len(found) != 1:
        if found:
            print_error(f"{puzzle} has {len(found)} puzzles; give one of them")
        return BAD_INPUT
    grid = None if found[0] is None else found[0].grid
    try:
        problem = cover(layout if grid is None else grid)
    except NoSolution as error:
        print_error(str(error))
        return NO_SOLUTION
    if svg is not None:
        whole = cover(layout if grid is None else grid.layout)
        picture = whole.matrix_picture(() if grid is None else grid.givens)
        write_output(svg, picture.encode())
    if html is not None:
        title = "Algorithm X on a Sudoku"
        write_output(html, _with_texts(problem).trace_page(title=title).encode())
    if svg is None and html is None:
        is_json = form == "json" or (not form and re.search(r"\.json(\.gz)?$", output, re.I))
        written = problem if is_json else _with_texts(problem)
        written.dump(sys.stdout if output == "-" else Path(output), format=form)
    return SOLVED


def _with_texts(problem: dlx.Problem) -> dlx.Problem[str]:
    """The problem with texts for its items, colors and options."""
    texts = {item: _text(item) for item in problem.items}
    options = {
        # An option of a rule has a name that begins with its kind.
        _text(name) if isinstance(name[0], str) else f"{cell_name(*name[:2])}={name[2]}": [
            _entry(entry, texts) for entry in option
        ]
        for name, option in zip(problem.names, problem.options, strict=True)
    }
    return dlx.Problem.from_options(
        options,
        primary=[texts[item] for item in problem.primary],
        secondary=[texts[item] for item in problem.secondary],
        multiplicities={texts[item]: bounds for item, bounds in problem.multiplicities.items()},
    )


def _text(item: Hashable) -> str:
    """The text of an item, a color or a name: r1c2 and r1n5, or its parts, with hyphens."""
    parts = item if isinstance(item, tuple) else (item,)
    letters = LETTERS.get(str(parts[0]), "") if len(parts) == 3 else ""
    if letters:
        return f"{letters[0]}{parts[1]}{letters[1]}{parts[2]}"
    return re.sub(r"[\s:|*]", "_", "-".join(map(str, parts))) or "-"


def _entry(entry: Hashable, texts: dict[Hashable, str]) -> Hashable:
    if isinstance(entry, dlx.Colored):
        return dlx.colored(texts[entry.item], _text(entry.color))
    if isinstance(entry, dlx.Times):
        return dlx.times(texts[entry.item], entry.weight)
    return texts[entry]
