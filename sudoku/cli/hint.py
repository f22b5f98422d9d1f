"""`sudoku hint`: explains the next steps of a solution."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from dlx import InvalidArgument
from dlx.cli.commands import FILE_NAME, write_output
from sudoku.board.cells import SYMBOLS, checked_cell
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.cli.options import PuzzleCommand, about, puzzle_options, workers_option
from sudoku.cli.pool import answered
from sudoku.cli.terminal import ResultCounts, show_json, show_line
from sudoku.errors import LayoutError, PuzzleError, SudokuError, counted, shorten
from sudoku.formats.read import RecordEntry
from sudoku.solving.deadline import Deadline
from sudoku.text.puzzles import Entry

if TYPE_CHECKING:
    from sudoku.board.pattern import Candidate, Pattern
    from sudoku.board.step import Step
    from sudoku.hinting.candidates import PlayerMarks
    from sudoku.hinting.registry import Technique

__all__ = ["hint_command"]

MARKS = re.compile(r"\s*\[\[.*|[0-9.*_-]{64,}", re.DOTALL)
FILE = re.compile(r"\S{1,80}|.*[^\W\d_]\.[A-Za-z]\w{0,8}|.*[/\\].*")
"""What looks like a file name, unless it looks like marks: a word, or with a suffix or a slash."""
LONGEST = 1 << 24  # characters of a file with marks


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


def _marks(context: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
    """The content of the file with this name; the text itself if it does not look like a name."""
    if text is None:
        return None
    try:
        with open(text, encoding="utf-8-sig", errors="replace") as file:
            return file.read(LONGEST)
    except (OSError, ValueError) as error:
        if MARKS.fullmatch(text) or not FILE.fullmatch(text.strip()):
            return text
        reason = getattr(error, "strerror", None) or str(error)
        raise click.BadParameter(f"{shorten(text)}: {reason}") from None


def _technique(
    context: click.Context, parameter: click.Parameter, name: str | None
) -> Technique | None:
    """The technique of a name, ignoring case."""
    if name is None:
        return None
    one, *others = _chosen(name)
    if others:
        raise click.BadParameter(f"{shorten(name)} is not one technique")
    return one


def _techniques(context: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
    """The names of several techniques."""
    if text is not None:
        _chosen(text)
    return text


def _chosen(names: str) -> tuple[Technique, ...]:
    from sudoku.hinting.registry import chosen

    try:
        return chosen(names)
    except InvalidArgument as error:
        raise click.BadParameter(str(error)) from None


@click.command("hint", cls=PuzzleCommand)
@click.option("--filled", metavar="GRID", help="The grid with the digits filled in so far.")
@click.option(
    "--removed",
    metavar="LIST",
    callback=_candidates,
    help="Candidates crossed out, such as r1c3=4,r2c5=7.",
)
@click.option(
    "--candidates",
    metavar="FILE",
    callback=_marks,
    help="Your own candidates: a file with pencil marks in any format, or the marks themselves.",
)
@click.option("--steps", type=click.IntRange(min=1), metavar="N", help="Number of steps. [1]")
@click.option("--all", "whole", is_flag=True, help="All steps up to the solution.")
@click.option(
    "--technique",
    metavar="NAME",
    callback=_technique,
    help="Show the first step of this technique, such as X-wing.",
)
@click.option("--staged", is_flag=True, help="In stages: where to look, technique, chain, result.")
@click.option("--svg", type=FILE_NAME, metavar="FILE", help="Also draw the last step; - is stdout.")
@click.option("--coordinates", is_flag=True, help="Draw the names of rows and columns, too.")
@click.option(
    "--techniques",
    metavar="LIST",
    callback=_techniques,
    help="Try only these techniques, in this order; -NAME leaves one out. "
    'Such as "easy,X-wing" or "-unique rectangle 1".',
)
@click.option("--every", is_flag=True, help="Also try rare techniques; this may take seconds.")
@puzzle_options
@workers_option("processes")
def hint_command(
    puzzles: tuple[str, ...],
    layout: Layout | None,
    steps: int | None,
    whole: bool,
    technique: Technique | None,
    techniques: str | None,
    every: bool,
    timeout: float | None,
    workers: int,
    **more: Any,
) -> int:
    """Explain the next step, or several, for each puzzle.

    --filled (the grid with the givens and the digits filled in so far), --candidates (the
    candidates that you have written into some or all cells) and --removed (candidates crossed out)
    set the position to start from; mistakes in it are reported. Without --filled and --candidates,
    digits filled in and notes in the puzzle's own file count. The techniques are described in
    docs/techniques.md.
    """
    if whole + (steps is not None) + (technique is not None) > 1:
        raise click.UsageError("--all, --steps and --technique cannot be combined")
    if technique is not None and technique.use == "rare":
        every = True
    output = Output(**{name: more.pop(name) for name in Output._fields})
    output.check()
    results = ResultCounts()
    drawn = False
    name = None if technique is None else technique.name
    limits: dict[str, Any] = {"every": every, "techniques": techniques, "timeout": timeout}
    ask = partial(_steps, count=None if whole else steps or 1, technique=name, **limits)
    failed = {"steps": None} if output.as_json else None
    for source, entry, (player, taken) in answered(
        puzzles,
        layout,
        ask,
        results,
        workers,
        failed,
        partial(Player.asked, **more),
        (LayoutError, PuzzleError),
    ):
        wanted = taken if technique is None else taken[-1:]
        if output.svg is not None and wanted:
            if drawn:
                results.refuse(f"{source.label()}not drawn: --svg draws only one puzzle")
            else:
                _draw(output, entry.grid, player, taken)
                drawn = True
        if output.as_json:
            lines = [_as_json(step, staged=output.staged) for step in wanted]
            show_json(**about(source, entry), steps=lines, error=None)
            continue
        for step in () if output.svg == "-" else wanted:  # the picture includes the sentence
            for line in _stages(step) if output.staged else [f"{step.technique}: {step}"]:
                show_line(f"{source.label()}{line}")
        if not wanted or (whole and wanted[-1].technique != "mistake"):
            left = _after(entry.grid, player, wanted)[0].count(0)
            if left:
                what = "these techniques find no step"
                show_line(f"{source.label()}{what}: {counted(left, 'cell')} left")
            elif not wanted:
                show_line(f"{source.label()}no steps left: the grid is full")
    return results.status


def _steps(
    asked: tuple[Grid, Player], count: int | None, technique: str | None, **limits: Any
) -> tuple[Player, list[Step]]:
    """The first steps for a puzzle and what its player has written, or those up to a technique.

    Raises what `sudoku.hints` raises, and `NoSuchStep`.
    """
    from sudoku.hinting import hints

    grid, player = asked
    deadline = Deadline(limits["timeout"])
    found = _before(deadline, hints(grid, **player._asdict(), **limits))
    return player, list(islice(found, count)) if technique is None else _up_to(technique, found)


class Output(NamedTuple):
    """What the command prints and draws of the steps."""

    as_json: bool
    staged: bool
    svg: str | None
    coordinates: bool

    def check(self) -> None:
        """Raises a usage error for options that contradict each other."""
        if self.as_json and self.svg == "-":
            raise click.UsageError("--json and --svg - both write to standard output; give a FILE")
        if self.coordinates and self.svg is None:
            raise click.UsageError("--coordinates needs --svg")


class Player(NamedTuple):
    """What a player has written: arguments of `sudoku.hints`."""

    filled: str | None
    candidates: str | tuple[int, ...] | None
    removed: Sequence[Candidate]

    @classmethod
    def asked(
        cls,
        entry: Entry,
        filled: str | None,
        candidates: str | None,
        removed: Sequence[Candidate],
    ) -> tuple[Grid, Player]:
        """The puzzle, and what the options say; without --filled and --candidates, its file."""
        if filled is None and candidates is None and isinstance(entry, RecordEntry):
            return entry.grid, cls(entry.record.placed, entry.record.marks, removed)
        return entry.grid, cls(filled, candidates, removed)


def _stages(step: Step) -> list[str]:
    """The lines of a step in stages; the links of a chain and what follows in a net are indented.

    The last stage ends with the conclusion, so the sentence of the whole is left out for chains.
    """
    *before, last = [str(stage) for stage in step.stages()]
    chain = [str(link) for link in step.chain()]
    if not before or not chain:
        return [*before, last]
    written = [f"in Eureka notation: {step.eureka}"] if step.eureka else []
    return [*before, *(f"  {link}" for link in chain[:-1]), chain[-1], *written]


def _before(deadline: Deadline, steps: Iterator[Step]) -> Iterator[Step]:
    """The steps; raises `dlx.SearchInterrupted` once the deadline has passed without the next."""
    for step in steps:
        deadline.check()
        yield step


class NoSuchStep(SudokuError):
    """The steps to the solution include none of the requested technique."""


def _up_to(technique: str, steps: Iterable[Step]) -> list[Step]:
    """The steps up to and including the first one of a technique."""
    taken: list[Step] = []
    for step in steps:
        taken.append(step)
        if step.technique == technique:
            return taken
    others = ", ".join(dict.fromkeys(step.technique for step in taken)) or "no step"
    raise NoSuchStep(f"no {technique} in the steps to the solution, which use {others}")


def _after(
    puzzle: Grid, player: Player, steps: Sequence[Step]
) -> tuple[list[int], PlayerMarks | None]:
    """The digits of all cells after these steps, and what the player has written."""
    from sudoku.hinting.candidates import marks_of
    from sudoku.text.puzzles import parse

    layout = puzzle.layout
    marked = None if player.candidates is None else marks_of(player.candidates, puzzle)
    filled = player.filled if player.filled is not None else marked and marked.filled
    cells = list(puzzle.cells if filled is None else parse(filled, layout).cells)
    for step in steps:
        for row, column, digit in step.placements:
            cells[layout.index[row, column]] = digit
    return cells, marked


def _draw(output: Output, puzzle: Grid, player: Player, steps: Sequence[Step]) -> None:
    """Draws the last step, in the position after the steps before it."""
    from sudoku.drawing.steps import step_svg

    layout = puzzle.layout
    cells, marked = _after(puzzle, player, steps[:-1])
    removed = [*player.removed, *(each for step in steps[:-1] for each in step.eliminations)]
    if marked is not None:
        removed += [
            (*place, digit)
            for place, digits in zip(layout.positions, marked.marks, strict=True)
            for digit in range(1, layout.side + 1)
            if digits and not digits >> digit & 1
        ]
    now = Grid.from_cells(tuple(cells), layout)
    picture = step_svg(puzzle, steps[-1], filled=now, removed=removed, edge=output.coordinates)
    write_output(str(output.svg), picture.encode())


def _as_json(step: Step, *, staged: bool = False) -> dict[str, Any]:
    values: dict[str, Any] = step._asdict()
    pattern: Pattern = values.pop("pattern")
    found = {
        **values,
        "houses": pattern.houses,
        "marks": pattern.marks,
        "links": [link._asdict() for link in pattern.links],
        "eureka": step.eureka,
    }
    if staged:
        found["stages"] = [_as_json(stage) for stage in step.stages()]
        found["chain"] = [_as_json(link) for link in step.chain()]
    return found
