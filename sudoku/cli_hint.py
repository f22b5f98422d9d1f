"""`sudoku hint`: the next step, explained."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from sudoku.cli_options import PuzzleCommand, about, json_option, layout_option
from sudoku.errors import LayoutError, NoSolution, NotUnique, PuzzleError
from sudoku.grid import Grid
from sudoku.layout import Layout
from sudoku.terminal import Outcome, complain, entries, show_json

if TYPE_CHECKING:
    from sudoku.hinting.step import Step

__all__ = ["hint_command"]


@click.command("hint", cls=PuzzleCommand)
@json_option
@layout_option
@click.option("--filled", metavar="GRID", help="The grid as far as it is filled in.")
@click.option("--steps", type=click.IntRange(min=1), metavar="N", help="So many steps. [1]")
@click.option("--all", "whole", is_flag=True, help="All steps, to the solution.")
@click.option("--svg", metavar="FILE", help="Draw the last of the steps into this file, too.")
@click.option("--every", is_flag=True, help="Try rare techniques, too: that may take seconds.")
@click.argument("puzzles", nargs=-1, metavar="[PUZZLE|FILE|-]...")
def hint_command(
    puzzles: tuple[str, ...],
    layout: Layout | None,
    filled: str | None,
    steps: int | None,
    whole: bool,
    svg: str | None,
    every: bool,
    as_json: bool,
) -> int:
    """Explain the next step, or several, for each puzzle.

    With --filled, a grid that has the digits of the puzzle and those filled in so far, the steps
    go on from there; digits that are mistakes are named. Techniques: docs/hints.md.
    """
    from sudoku.hinting import hints

    if whole and steps is not None:
        raise click.UsageError("give --all or --steps, not both")
    outcome = Outcome()
    for source, entry in entries(puzzles, layout, outcome):
        try:
            found = hints(entry.grid, filled=filled, every=every)
            wanted = list(islice(found, None if whole else steps or 1))
        except (NoSolution, NotUnique) as error:
            outcome.failed += 1
            complain(f"{source.label()}{error}")
            if as_json:
                show_json(**about(source, entry), steps=None, error=str(error))
            continue
        except (PuzzleError, LayoutError) as error:
            outcome.refuse(f"{source.label()}{error}")
            continue
        outcome.good += 1
        if as_json:
            lines = [_as_json(step) for step in wanted]
            show_json(**about(source, entry), steps=lines, error=None)
            continue
        for step in wanted:
            click.echo(f"{source.label()}{step.technique}: {step}")
        if svg is not None and wanted:
            _draw(svg, entry.grid, filled, wanted)
        if not wanted:
            click.echo(f"{source.label()}nothing left to do: the grid is full")
    return outcome.status


def _draw(path: str, puzzle: Grid, filled: str | None, steps: Sequence[Step]) -> None:
    """A picture of the last step, in the position that the steps before have led to."""
    from dlx.commands import write_output
    from sudoku.pictures.steps import step_svg
    from sudoku.reading import parse

    layout = puzzle.layout
    cells = list(puzzle.cells if filled is None else parse(filled, layout).cells)
    removed = [candidate for step in steps[:-1] for candidate in step.eliminations]
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
