"""Input and output of the `sudoku` commands: reading puzzles, printing grids, exit statuses."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import chain, groupby
from stat import S_ISREG
from typing import IO, Any, NamedTuple

import click

from dlx import SearchInterrupted
from dlx.cli.commands import BAD_INPUT, NO_SOLUTION, SOLVED, STOPPED
from dlx.cli.display import echo_error, echo_json
from dlx.escapes import visible
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.board.parse import read_puzzle
from sudoku.errors import LayoutError, PuzzleError, counted
from sudoku.formats import LINES, detect
from sudoku.formats.read import RecordEntry, pieces
from sudoku.formats.record import Record
from sudoku.text.chunks import Chunk
from sudoku.text.puzzles import Entry, parse

__all__ = [
    "Input",
    "InputPlace",
    "Inputs",
    "MOST_BOXED",
    "ResultCounts",
    "entries",
    "print_error",
    "show_grids",
    "show_json",
    "show_line",
    "show_puzzle",
    "show_rules",
    "show_table",
]

MOST_BOXED = 10  # up to this number of puzzles, a terminal shows boxed grids


def print_error(text: str) -> None:
    """Prints a message on standard error."""
    echo_error(f"sudoku: {text}")


def show_line(text: object) -> None:
    """Prints a text from a file on standard output, with escapes for its control characters.

    Line breaks and TABs are printed.
    """
    click.echo(visible(text, keep="\n\t"))


class ResultCounts:
    """Counts the puzzles by result, and computes the exit status."""

    def __init__(self) -> None:
        self.good = self.failed = self.stopped = self.bad = 0

    @property
    def puzzles(self) -> int:
        """The number of puzzles that were read."""
        return self.good + self.failed + self.stopped

    def refuse(self, what: str) -> None:
        """Reports a bad input and counts it."""
        self.bad += 1
        print_error(what)

    def count(self, answer: object) -> None:
        """Counts the result of a puzzle: a solution, or the reason why there is none."""
        if isinstance(answer, Grid):
            self.good += 1
        elif isinstance(answer, SearchInterrupted):
            self.stopped += 1
        else:
            self.failed += 1

    @property
    def status(self) -> int:
        """The exit status: that of bad input first, then of stopped searches, then of failures."""
        if self.bad:
            return BAD_INPUT
        if self.stopped:
            return STOPPED
        return NO_SOLUTION if self.failed else SOLVED

    def summary(self, good: str, failed: str, seconds: float) -> str:
        """The counts and the speed, on one line."""
        parts = [f"{self.good} {good}"]
        parts += [f"{self.failed} {failed}"] if self.failed else []
        parts += [f"{self.stopped} stopped by a limit"] if self.stopped else []
        parts += [f"{self.bad} unreadable"] if self.bad else []
        rate = f" ({self.puzzles / seconds:,.0f} a second)" if self.puzzles > 1 else ""
        return f"{counted(self.puzzles, 'puzzle')}: {', '.join(parts)} in {seconds:.3f} s{rate}"


class InputPlace(NamedTuple):
    """The file and the line, or the argument, that a puzzle was read from."""

    name: str
    """The path, "standard input", or "argument 2"; empty if the puzzle was the only argument."""
    line: int | None
    """Its line there; None if it was an argument itself."""

    def label(self) -> str:
        """The prefix of messages about it."""
        if not self.name:
            return ""
        name = visible(self.name)
        return f"{name}: " if self.line is None else f"{name}:{self.line}: "


class Input(NamedTuple):
    """A puzzle from the arguments or a file, or the error in its place."""

    name: str
    """As in `InputPlace`."""
    line: int | None
    """As in `InputPlace`."""
    grid: Grid | PuzzleError | LayoutError
    """The puzzle, or the error."""
    rest: str
    """The rest of its line."""
    record: Record | None = None
    """All that its file has about it, if the file is not of plain lines or grids."""

    @property
    def source(self) -> InputPlace:
        """The place that it was read from."""
        return InputPlace(self.name, self.line)

    def in_letters(self, text: str) -> str:
        """Digits as `Record.in_letters` writes them."""
        return self.record.in_letters(text) if self.record else text


class Inputs:
    """The puzzles in the arguments and in the files that they name, with the reading progress."""

    def __init__(self, arguments: Sequence[str], layout: Layout | None) -> None:
        if not arguments and sys.stdin.isatty():
            raise click.UsageError("no input: give a PUZZLE, a FILE or - (standard input)")
        self._arguments = arguments or ["-"]
        self._layout = layout
        self._files: list[tuple[IO[bytes], int]] = []  # opened so far, with their sizes
        self._sizes = [_size(name) for name in self._arguments]

    @property
    def share(self) -> float | None:
        """The fraction of the files that has been read, from 0 to 1; None if it is unknown."""
        total = sum(self._sizes)
        if -1 in self._sizes or total == 0:
            return None
        done = sum(size if file.closed else file.tell() for file, size in self._files)
        return min(1.0, done / total)

    def __iter__(self) -> Iterator[Input]:
        return chain.from_iterable(self.runs())

    def runs(self) -> Iterator[Iterator[Input]]:
        """The same puzzles in runs, each of which must be consumed before the next.

        A run ends where the next read may block, so that the results so far can be printed first.
        """
        pieces = self.pieces()
        ended = False

        def run() -> Iterator[Input]:
            nonlocal ended
            some = False
            for name, piece in pieces:
                if isinstance(piece, Chunk) and not piece.puzzles:
                    if some:
                        return
                    continue
                some = True
                yield from _inputs(name, piece)
            ended = True

        while not ended:
            yield run()

    def pieces(self) -> Iterator[tuple[str, Chunk | Entry | PuzzleError | LayoutError]]:
        """The same puzzles as chunks, entries and errors, each with its name as in `InputPlace`.

        The line of an entry is 0 if it is an argument itself.
        """
        for number, argument in enumerate(self._arguments, 1):
            name = "" if len(self._arguments) == 1 else f"argument {number}"
            if argument != "-" and _is_text(argument):
                for piece in _of_text(argument, self._layout):
                    _warn(name, piece)
                    yield name, piece
            else:
                yield from self._read(argument)

    def _read(self, path: str) -> Iterator[tuple[str, Chunk | Entry | PuzzleError]]:
        """The pieces of a file; an error in place of what cannot be read."""
        name = "standard input" if path == "-" else path or "''"
        empty = True
        try:
            with nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb") as file:
                self._files.append((file, _size(path)))
                for piece in pieces(file, self._layout):
                    empty = empty and isinstance(piece, Chunk) and not piece.puzzles
                    _warn(name, piece)
                    yield name, piece
        except FileNotFoundError as error:
            yield name, PuzzleError(f"{error.strerror}{_no_puzzle_either(path)}")
        except OSError as error:
            yield name, PuzzleError(error.strerror or str(error))
        else:
            if empty:
                yield name, PuzzleError("no puzzles found")


def _of_text(
    argument: str, layout: Layout | None
) -> Iterator[Chunk | Entry | PuzzleError | LayoutError]:
    """The puzzle in an argument of any format, without a line number, or the error."""
    data = argument.encode(errors="replace")
    form, failed = detect(data), None
    if form is LINES:
        try:
            cells, found, letters = read_puzzle(argument, layout)
        except (PuzzleError, LayoutError) as error:
            failed = error
        else:
            record = Record(Grid.from_cells(cells, found), about={"letters": letters})
            yield RecordEntry.of(record) if letters else Entry(0, record.grid, "")
            return
    for piece in pieces(io.BytesIO(data), layout):
        if isinstance(piece, RecordEntry):
            yield RecordEntry.of(replace(piece.record, line=0))
        elif isinstance(piece, PuzzleError):
            is_link = form.name in ("links", "penpa")
            yield failed or PuzzleError(piece.what, text=argument if is_link else piece.text)
            if failed:
                return
        else:
            yield piece._replace(line=0) if isinstance(piece, Entry) else piece


def _warn(name: str, piece: object) -> None:
    """Reports that a puzzle may have rules that were not read."""
    if isinstance(piece, RecordEntry) and piece.record.warning:
        label = InputPlace(name, piece.line or None).label()
        print_error(f"{label}warning: {piece.record.warning}")


def _inputs(name: str, piece: Chunk | Entry | PuzzleError | LayoutError) -> Iterator[Input]:
    """The puzzles of a piece, or its error."""
    if isinstance(piece, Chunk):
        for line, puzzle in enumerate(piece.puzzles, piece.line):
            yield Input(name, line, Grid.from_line(puzzle, piece.layout), "")
    elif isinstance(piece, Entry):
        record = piece.record if isinstance(piece, RecordEntry) else None
        yield Input(name, piece.line or None, piece.grid, piece.rest, record)
    else:
        yield Input(name, None, piece, "")


def _size(argument: str) -> int:
    """The size of a file in bytes; 0 if there is no such file, -1 if the size is unknown."""
    if argument == "-":
        return -1
    try:
        status = os.stat(argument)
    except (OSError, ValueError):
        return 0
    return status.st_size if S_ISREG(status.st_mode) else -1


def entries(
    arguments: Sequence[str], layout: Layout | None, results: ResultCounts
) -> Iterator[tuple[InputPlace, Entry]]:
    """The puzzles in the arguments and in the files they name; errors are counted in `results`.

    Standard error says which digits the letters of a wordoku are.
    """
    told = ""
    for item in Inputs(arguments, layout):
        if item.record is not None:
            letters = item.record.about.get("letters", told)
            if letters != told:
                print_error(f"{item.source.label()}the letters {letters} are the digits from 1 on")
            told = letters
            yield item.source, RecordEntry.of(replace(item.record, line=item.line or 1))
        elif isinstance(item.grid, Grid):
            yield item.source, Entry(item.line or 1, item.grid, item.rest)
        else:
            results.refuse(f"{item.source.label()}{item.grid}")


def _is_text(argument: str) -> bool:
    """Whether an argument is a puzzle, perhaps an invalid one, rather than the name of a file."""
    try:
        parse(argument)
    except (PuzzleError, LayoutError):
        if "\n" in argument:
            return True
        if os.path.lexists(argument):
            return False
        if detect(argument.encode(errors="replace")).name not in ("lines", "csv"):
            return True
        return len(argument) >= 16 and _looks_like_cells(argument)
    return True


def _looks_like_cells(argument: str) -> bool:
    """Whether most characters are digits, blanks or lines between boxes."""
    return 2 * sum(character in "0123456789.-_*| " for character in argument) > len(argument)


def _no_puzzle_either(path: str) -> str:
    """Why the name of a missing file is not a puzzle, if it looks like one."""
    if _looks_like_cells(path):
        try:
            parse(path)
        except (PuzzleError, LayoutError) as error:
            return f", and not a puzzle either: {error}"
    return ""


def show_grids(puzzle: Grid | str, solution: Grid | str) -> None:
    """Prints the solution, a boxed grid; on a terminal, with the digits of the puzzle in bold."""
    if not sys.stdout.isatty():
        click.echo(str(solution))
        return
    from rich.console import Console
    from rich.text import Text

    def style(pair: tuple[str, str]) -> str:
        old, new = pair
        if new in "+-|.":
            return "dim"
        return "cyan" if old != new else "" if new.isspace() else "bold"

    text = Text()
    pairs = zip(str(puzzle), str(solution), strict=True)
    for name, run in groupby(pairs, style):
        text.append("".join(new for _, new in run), name)
    Console(soft_wrap=True).print(text)


def show_rules(layout: Layout) -> None:
    """Prints the rules of a layout, which boxed grids do not show, one on each line."""
    if layout.rules:
        from sudoku.drawing.rule_text import sentences_of

        for rule in layout.rules:
            show_line(str(rule) if rule.cells else "\n".join(sentences_of([rule], layout)))


def show_table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Prints a table, with lines on a terminal; the last column has notes and may be empty."""
    lines = [list(head), *map(list, rows)]
    show_line(title)
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
        last -= 1  # without notes, their column is left out
    for at, name in enumerate(head[: last + 1]):
        left = at == 0 or at == len(head) - 1
        table.add_column(name, justify="left" if left else "right")
    for line in lines[1:]:
        table.add_row(*line[: last + 1])
    Console().print(table)


def show_puzzle(grid: Grid, rest: str) -> None:
    """Prints a puzzle and the rest of its line as a line; one with rules as a line of JSON."""
    if grid.layout.rules:
        from sudoku.formats.json_format.records import json_text, value_of

        click.echo(json_text(value_of(Record(grid, rest=rest))), nl=False)
    else:
        show_line(f"{grid.line} {rest}".rstrip())


def show_json(**values: Any) -> None:
    """Prints one line of JSON."""
    echo_json(values)
