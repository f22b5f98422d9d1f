"""`sudoku hint`: the next step, explained."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from dlx import SearchInterrupted
from sudoku.board.cells import SYMBOLS, checked_cell
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.cli.options import PuzzleCommand, about, puzzle_options
from sudoku.cli.terminal import Outcome, complain, entries, show_json
from sudoku.errors import (
    LayoutError,
    NoSolution,
    NotUnique,
    PuzzleError,
    SudokuError,
    nearest,
    shorten,
)
from sudoku.solving.deadline import Deadline

if TYPE_CHECKING:
    from sudoku.board.step import Candidate, Step
    from sudoku.hinting.registry import Technique

__all__ = ["hint_command"]


def _candidates(
    context: click.Context, parameter: click.Parameter, text: str | None
) -> list[Candidate]:
    """The candidates in a list such as `r1c3=4,r2c5=7`."""
    found = []
    for word in (text or "").replace(",", " ").split():
        cell, _, digit = word.partition("=")
        if len(digit) != 1 or digit.upper() not in SYMBOLS:
            raise click.BadParameter(f"{shorten(word)} is not a candidate; one is r1c3=4")
        try:
            found.append((*checked_cell(cell), SYMBOLS.index(digit.upper()) + 1))
        except LayoutError as error:
            raise click.BadParameter(str(error)) from None
    return found


def _technique(
    context: click.Context, parameter: click.Parameter, name: str | None
) -> Technique | None:
    """The technique of a name, in capitals or not."""
    if name is None:
        return None
    from sudoku.hinting.registry import TECHNIQUES

    known = {technique.name.lower(): technique for technique in TECHNIQUES}
    if name.lower() in known:
        return known[name.lower()]
    names = {lower: technique.name for lower, technique in known.items()}
    raise click.BadParameter(f"no technique is called {shorten(name)}; {nearest(name, names, 3)}")


@click.command("hint", cls=PuzzleCommand)
@click.option("--filled", metavar="GRID", help="The grid as far as it is filled in.")
@click.option(
    "--removed", metavar="LIST", callback=_candidates, help="Crossed out: r1c3=4,r2c5=7 and so on."
)
@click.option("--steps", type=click.IntRange(min=1), metavar="N", help="So many steps. [1]")
@click.option("--all", "whole", is_flag=True, help="All steps, to the solution.")
@click.option(
    "--technique",
    metavar="NAME",
    callback=_technique,
    help="Go on to the first step of this technique, such as X-wing.",
)
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
    technique: Technique | None,
    svg: str | None,
    every: bool,
    timeout: float | None,
    as_json: bool,
) -> int:
    """Explain the next step, or several, for each puzzle.

    With --filled, a grid that has the digits of the puzzle and those filled in so far, and with
    --removed, candidates crossed out besides those that the digits exclude, the steps go on from
    there; what is a mistake is named. Techniques: docs/techniques.md.
    """
    from sudoku.hinting import hints

    if whole + (steps is not None) + (technique is not None) > 1:
        raise click.UsageError("give --all, --steps or --technique, not two of them")
    if technique is not None and technique.use == "rare":
        every = True
    if as_json and svg == "-":
        raise click.UsageError("--json and --svg - both go to standard output; give a FILE")
    outcome = Outcome()
    drawn = False
    for source, entry in entries(puzzles, layout, outcome):
        try:
            deadline = Deadline(timeout)
            steps_found = hints(
                entry.grid, filled=filled, removed=removed, every=every, timeout=timeout
            )
            found = _before(deadline, steps_found)
            if technique is None:
                taken = list(islice(found, None if whole else steps or 1))
                wanted = taken
            else:
                taken = _up_to(technique, found)
                wanted = taken[-1:]
        except (NoSolution, NotUnique, NoSuchStep, SearchInterrupted) as error:
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
                _draw(svg, entry.grid, filled, removed, taken)
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


def _before(deadline: Deadline, steps: Iterator[Step]) -> Iterator[Step]:
    """The steps; raises `dlx.SearchInterrupted` once the deadline has passed without the next."""
    for step in steps:
        deadline.check()
        yield step


class NoSuchStep(SudokuError):
    """The way to the solution has no step of a technique."""


def _up_to(technique: Technique, steps: Iterable[Step]) -> list[Step]:
    """The steps to the first of a technique, which is the last of them."""
    taken: list[Step] = []
    for step in steps:
        taken.append(step)
        if step.technique == technique.name:
            return taken
    others = ", ".join(dict.fromkeys(step.technique for step in taken)) or "no step"
    raise NoSuchStep(f"no {technique.name} on the way to the solution, which takes {others}")


def _draw(
    path: str,
    puzzle: Grid,
    filled: str | None,
    crossed_out: Sequence[Candidate],
    steps: Sequence[Step],
) -> None:
    """A picture of the last step, in the position that the steps before have led to."""
    from dlx.cli.commands import write_output
    from sudoku.drawing.steps import step_svg
    from sudoku.text.puzzles import parse

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
