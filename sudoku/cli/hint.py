"""`sudoku hint`: explains the next steps of a solution."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from dlx import SearchInterrupted
from dlx.cli.commands import FILE_NAME, write_output
from sudoku.board.cells import SYMBOLS, checked_cell
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.cli.options import PuzzleCommand, about, puzzle_options
from sudoku.cli.terminal import ResultCounts, entries, print_error, show_json
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
    """The technique of a name, ignoring case."""
    if name is None:
        return None
    from sudoku.hinting.registry import TECHNIQUES

    known = {technique.name.lower(): technique for technique in TECHNIQUES}
    if name.lower() in known:
        return known[name.lower()]
    names = {lower: technique.name for lower, technique in known.items()}
    raise click.BadParameter(f"unknown technique {shorten(name)}; {nearest(name, names, 3)}")


@click.command("hint", cls=PuzzleCommand)
@click.option("--filled", metavar="GRID", help="The grid with the digits filled in so far.")
@click.option(
    "--removed",
    metavar="LIST",
    callback=_candidates,
    help="Candidates crossed out, such as r1c3=4,r2c5=7.",
)
@click.option("--steps", type=click.IntRange(min=1), metavar="N", help="Number of steps. [1]")
@click.option("--all", "whole", is_flag=True, help="All steps up to the solution.")
@click.option(
    "--technique",
    metavar="NAME",
    callback=_technique,
    help="Show the first step of this technique, such as X-wing.",
)
@click.option("--svg", type=FILE_NAME, metavar="FILE", help="Also draw the last step; - is stdout.")
@click.option("--every", is_flag=True, help="Also try rare techniques; this may take seconds.")
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

    --filled (the grid with the givens and the digits filled in so far) and --removed (candidates
    crossed out) set the position to start from; mistakes in it are reported. The techniques are
    described in docs/techniques.md.
    """
    from sudoku.hinting import hints

    if whole + (steps is not None) + (technique is not None) > 1:
        raise click.UsageError("--all, --steps and --technique cannot be combined")
    if technique is not None and technique.use == "rare":
        every = True
    if as_json and svg == "-":
        raise click.UsageError("--json and --svg - both write to standard output; give a FILE")
    results = ResultCounts()
    drawn = False
    for source, entry in entries(puzzles, layout, results):
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
            results.count(error)
            print_error(f"{source.label()}{error}")
            if as_json:
                show_json(**about(source, entry), steps=None, error=str(error))
            continue
        except (PuzzleError, LayoutError) as error:
            results.refuse(f"{source.label()}{error}")
            continue
        results.good += 1
        if svg is not None and wanted:
            if drawn:
                results.refuse(f"{source.label()}not drawn: --svg draws only one puzzle")
            else:
                _draw(svg, entry.grid, filled, removed, taken)
                drawn = True
        if as_json:
            lines = [_as_json(step) for step in wanted]
            show_json(**about(source, entry), steps=lines, error=None)
            continue
        for step in () if svg == "-" else wanted:  # the picture includes the sentence
            click.echo(f"{source.label()}{step.technique}: {step}")
        if not wanted:
            click.echo(f"{source.label()}no steps left: the grid is full")
    return results.status


def _before(deadline: Deadline, steps: Iterator[Step]) -> Iterator[Step]:
    """The steps; raises `dlx.SearchInterrupted` once the deadline has passed without the next."""
    for step in steps:
        deadline.check()
        yield step


class NoSuchStep(SudokuError):
    """The steps to the solution include none of the requested technique."""


def _up_to(technique: Technique, steps: Iterable[Step]) -> list[Step]:
    """The steps up to and including the first one of a technique."""
    taken: list[Step] = []
    for step in steps:
        taken.append(step)
        if step.technique == technique.name:
            return taken
    others = ", ".join(dict.fromkeys(step.technique for step in taken)) or "no step"
    raise NoSuchStep(f"no {technique.name} in the steps to the solution, which use {others}")


def _draw(
    path: str,
    puzzle: Grid,
    filled: str | None,
    crossed_out: Sequence[Candidate],
    steps: Sequence[Step],
) -> None:
    """Draws the last step, in the position after the steps before it."""
    from sudoku.drawing.steps import step_svg
    from sudoku.text.puzzles import parse

    layout = puzzle.layout
    cells = list(puzzle.cells if filled is None else parse(filled, layout).cells)
    removed = [*crossed_out, *(each for step in steps[:-1] for each in step.eliminations)]
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
