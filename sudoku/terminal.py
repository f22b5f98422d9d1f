"""What the `sudoku` commands share: where puzzles come from, how grids look, exit statuses."""

from __future__ import annotations

import itertools
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import click

from dlx.commands import BAD_INPUT, NO_SOLUTION, SOLVED, STOPPED
from sudoku.errors import LayoutError, PuzzleError, shorten
from sudoku.grid import Grid
from sudoku.layout import Layout
from sudoku.reading import Entry, parse, read

__all__ = ["BoxShape", "Outcome", "Source", "entries", "show_grids", "show_table"]


def complain(text: str) -> None:
    """One line on standard error."""
    click.echo(f"sudoku: {text}", err=True)


class BoxShape(click.ParamType[Layout]):
    """The shape of a box as `2x3`: a `Layout`."""

    name = "RxC"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Layout:
        """The layout, or a usage error."""
        if isinstance(value, Layout):
            return value
        rows, _, columns = str(value).lower().partition("x")
        if not (rows.isdecimal() and columns.isdecimal()):
            self.fail(f"{shorten(str(value))} is no box shape: expected one such as 2x3")
        try:
            return Layout(int(rows[:9]), int(columns[:9]))
        except LayoutError as error:
            self.fail(str(error))


class Outcome:
    """What happened to the puzzles so far, and the exit status that makes."""

    def __init__(self) -> None:
        self.good = self.failed = self.stopped = self.bad = 0

    @property
    def puzzles(self) -> int:
        """The number of puzzles that were read."""
        return self.good + self.failed + self.stopped

    def refuse(self, what: str) -> None:
        """Report some bad input and count it."""
        self.bad += 1
        complain(what)

    @property
    def status(self) -> int:
        """The exit status; bad input matters most, and then what we do not know."""
        if self.bad:
            return BAD_INPUT
        if self.stopped:
            return STOPPED
        return NO_SOLUTION if self.failed else SOLVED

    def summary(self, good: str, failed: str, seconds: float) -> str:
        """What happened, on one line."""
        parts = [f"{self.good} {good}"]
        parts += [f"{self.failed} {failed}"] if self.failed else []
        parts += [f"{self.stopped} stopped by the timeout"] if self.stopped else []
        parts += [f"{self.bad} not understood"] if self.bad else []
        rate = f" ({self.puzzles / seconds:,.0f} a second)" if self.puzzles > 1 else ""
        noun = "puzzle" if self.puzzles == 1 else "puzzles"
        return f"{self.puzzles} {noun}: {', '.join(parts)} in {seconds:.3f} s{rate}"


class Source(NamedTuple):
    """Where a puzzle came from."""

    name: str
    """The path, "standard input", or "argument 2"; empty if the puzzle was the only argument."""
    line: int | None
    """Its line there; None if it was an argument itself."""

    def label(self) -> str:
        """What stands before a message about it."""
        if not self.name:
            return ""
        return f"{self.name}: " if self.line is None else f"{self.name}:{self.line}: "


def entries(
    arguments: Sequence[str], layout: Layout | None, outcome: Outcome
) -> Iterator[tuple[Source, Entry]]:
    """The puzzles that the arguments are or name; what is none is counted in `outcome`."""
    if not arguments:
        if sys.stdin.isatty():
            raise click.UsageError("give a PUZZLE, a FILE or - (standard input)")
        arguments = ["-"]
    for number, argument in enumerate(arguments, 1):
        name = argument
        lines: Any = argument
        if argument == "-":
            name, lines = "standard input", sys.stdin.buffer
        elif _is_text(argument):
            name = "" if len(arguments) == 1 else f"argument {number}"
            try:
                grid = parse(argument, layout)
            except (PuzzleError, LayoutError) as error:
                outcome.refuse(f"{name}: {error}" if name else str(error))
            else:
                yield Source(name, None), Entry(1, grid, "")
            continue
        yield from _entries_of_file(name, lines, layout, outcome)


def _entries_of_file(
    name: str, lines: Any, layout: Layout | None, outcome: Outcome
) -> Iterator[tuple[Source, Entry]]:
    before = outcome.puzzles + outcome.bad

    def refuse(error: PuzzleError) -> None:
        outcome.refuse(f"{name}: {error}")

    empty = True
    try:
        for entry in read(lines, layout, on_error=refuse):
            empty = False
            yield Source(name, entry.line), entry
    except OSError as error:
        outcome.refuse(f"{name}: {error.strerror or error}")
    else:
        if empty and outcome.puzzles + outcome.bad == before:
            outcome.refuse(f"{name}: no puzzle in it")


def _is_text(argument: str) -> bool:
    """Whether an argument is a puzzle (perhaps a wrong one) rather than the name of a file."""
    try:
        parse(argument)
    except (PuzzleError, LayoutError):
        if "\n" in argument:
            return True
        if len(argument) < 16 or os.path.lexists(argument):
            return False
        return 2 * sum(character in "0123456789.-_*| " for character in argument) > len(argument)
    return True


def show_grids(puzzle: Grid, solution: Grid) -> None:
    """The solution as a boxed grid, the digits of the puzzle in bold if this is a terminal."""
    if not sys.stdout.isatty():
        click.echo(str(solution))
        return
    from rich.console import Console
    from rich.text import Text

    def style(pair: tuple[str, str]) -> str:
        old, new = pair
        if new in "+-|":
            return "dim"
        return "cyan" if old != new else "" if new.isspace() else "bold"

    text = Text()
    pairs = zip(str(puzzle), str(solution), strict=True)
    for name, run in itertools.groupby(pairs, style):
        text.append("".join(new for _, new in run), name)
    Console(soft_wrap=True).print(text)


def show_table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table, the last column for notes: ruled on a terminal, else in columns of plain text."""
    lines = [list(head), *map(list, rows)]
    click.echo(title)
    if not sys.stdout.isatty():
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        for line in lines:
            first, *others = zip(line, widths, strict=True)
            cells = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others[:-1])]
            click.echo("  ".join([*cells, line[-1]]).rstrip())
        return
    from rich.console import Console
    from rich.table import Table

    table = Table()
    last = len(head) - 1
    if not any(line[last] for line in lines):
        last -= 1  # no notes, no column for them
    for at, name in enumerate(head[: last + 1]):
        left = at == 0 or at == len(head) - 1
        table.add_column(name, justify="left" if left else "right")
    for line in lines[1:]:
        table.add_row(*line[: last + 1])
    Console().print(table)


def show_json(**values: Any) -> None:
    """One line of JSON."""
    click.echo(json.dumps(values))
