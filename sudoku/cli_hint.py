"""`sudoku hint`: the next step, explained."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from dlx import SearchInterrupted
from sudoku.cells import SYMBOLS, checked_cell
from sudoku.cli_options import PuzzleCommand, about, puzzle_options
from sudoku.errors import LayoutError, NoSolution, NotUnique, PuzzleError, shorten
from sudoku.grid import Grid
from sudoku.layout import Layout
from sudoku.terminal import Outcome, complain, entries, show_json

if TYPE_CHECKING:
    from sudoku.hinting.step import Candidate, Step

__all__ = ["hint_command"]


def _candidates(
    context: click.Context, parameter: click.Parameter, text: str | None
) -> list[Candidate]:
    """The candidates in a list such as `r1c3=4,r2c5=7`."""
    found = []
    for word in (text or "").replace(",", " ").split():
        cell, _, digit = word.partition("=")
        if len(digit) != 1 or digit.upper() not in SYMBOLS:
            raise click.BadParameter(f"{shorten(word)} is no candidate; one is r1c3=4")
        try:
            found.append((*checked_cell(cell), SYMBOLS.index(digit.upper()) + 1))
        except LayoutError as error:
            raise click.BadParameter(str(error)) from None
    return found


@click.command("hint", cls=PuzzleCommand)
@click.option("--filled", metavar="GRID", help="The grid as far as it is filled in.")
@click.option(
    "--removed", metavar="LIST", callback=_candidates, help="Crossed out: r1c3=4,r2c5=7 and so on."
)
@click.option("--steps", type=click.IntRange(min=1), metavar="N", help="So many steps. [1]")
@click.option("--all", "whole", is_flag=True, help="All steps, to the solution.")
@click.option("--svg", metavar="FILE", help="Draw the last of the steps, too; - is stdout.")
@click.option("--every", is_flag=True, help="Try rare techniques, too: that may take seconds.")
@puzzle_options
def hint_command(
    puzzles: tuple[str, ...],
    layout: Layout | None,
    filled: str | None,
    removed: list[Candidate],
    steps: int | None,
    whole: bool,
    svg: str | None,
    every: bool,
    timeout: float | None,
    as_json: bool,
) -> int:
    """Explain the next step, or several, for each puzzle.

    With --filled, a grid that has the digits of the puzzle and those filled in so far, and with
    --removed, candidates crossed out besides those that the digits exclude, the steps go on from
    there; what is a mistake is named. Techniques: docs/hints.md.
    """
    from sudoku.hinting import hints

    if whole and steps is not None:
        raise click.UsageError("give --all or --steps, not both")
    if as_json and svg == "-":
        raise click.UsageError("--json and --svg - both go to standard output; give a FILE")
    outcome = Outcome()
    drawn = False
    for source, entry in entries(puzzles, layout, outcome):
        try:
            found = hints(entry.grid, filled=filled, removed=removed, every=every, timeout=timeout)
            wanted = list(islice(found, None if whole else steps or 1))
        except (NoSolution, NotUnique, SearchInterrupted) as error:
            outcome.count(error)
            complain(f"{source.label()}{error}")
            if as_json:
                show_json(**about(source, entry), steps=None, error=str(error))
            continue
        except (PuzzleError, LayoutError) as error:
            outcome.refuse(f"{source.label()}{error}")
            continue
        outcome.good += 1
        if svg is not None and wanted:
            if drawn:
                outcome.refuse(f"{source.label()}--svg draws one puzzle, and {svg} has it already")
            else:
                _draw(svg, entry.grid, filled, removed, wanted)
                drawn = True
        if as_json:
            lines = [_as_json(step) for step in wanted]
            show_json(**about(source, entry), steps=lines, error=None)
            continue
        for step in () if svg == "-" else wanted:  # the picture has the sentence
            click.echo(f"{source.label()}{step.technique}: {step}")
        if not wanted:
            click.echo(f"{source.label()}nothing left to do: the grid is full")
    return outcome.status


def _draw(
    path: str,
    puzzle: Grid,
    filled: str | None,
    crossed_out: Sequence[Candidate],
    steps: Sequence[Step],
) -> None:
    """A picture of the last step, in the position that the steps before have led to."""
    from dlx.commands import write_output
    from sudoku.pictures.steps import step_svg
    from sudoku.reading import parse

    layout = puzzle.layout
    cells = list(puzzle.cells if filled is None else parse(filled, layout).cells)
    removed = [*crossed_out, *(gone for step in steps[:-1] for gone in step.eliminations)]
    for step in steps[:-1]:
        for row, column, digit in step.placements:
            cells[layout.index[row, column]] = digit
    now = Grid.from_cells(tuple(cells), layout)
    write_output(path, step_svg(puzzle, steps[-1], filled=now, removed=removed).encode())


def _as_json(step: Any) -> dict[str, Any]:
    values: dict[str, Any] = step._asdict()
    pattern = values.pop("pattern")
    return {
        **values,
        "houses": pattern.houses,
        "marks": pattern.marks,
        "links": [link._asdict() for link in pattern.links],
    }
