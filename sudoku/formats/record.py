"""`Record`, the content of one puzzle in a file, and `Format`, a reader and writer of files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from sudoku.board.cells import cell_name, symbol
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.errors import LayoutError, PuzzleError
from sudoku.text.chunks import BufferedInput
from sudoku.text.lines import LONGEST, Line, Lines
from sudoku.text.puzzles import parse

__all__ = [
    "ABOUT",
    "Format",
    "Lost",
    "MARKS",
    "PLACED",
    "REMARK",
    "Record",
    "SOLUTION",
    "by_line",
    "classic_only",
    "digits_filled_in",
    "first_field",
    "full_solution",
    "joined",
    "lines_of",
    "nine_only",
    "one_line",
    "placed_error",
    "shape",
    "slimmed",
    "solution_of",
    "split_solution",
]

_BREAKS = re.compile("[\x00-\x08\n-\x1f\x7f-\x9f\u2028\u2029]+")  # all control characters but TAB
_SURROGATES = re.compile("[\ud800-\udfff]")
_FIELD_ENDS = re.compile(r"[\s,;]")


@dataclass(frozen=True, slots=True)
class Record:
    """A puzzle and all that a file says about it."""

    grid: Grid
    """The givens, and the layout with its rules."""
    line: int = 0
    """The number of the line it begins in, from 1; 0 if it was in no file."""
    rest: str = ""
    """A remark: what followed it on its line."""
    placed: str | None = None
    """The digits that a player has filled in, givens included, as a line; None if it is not
    known which they are."""
    marks: tuple[int, ...] | None = None
    """The notes of a player: for each cell its candidates, bit d for digit d. They are no part of
    the puzzle; pencil marks that are, are a rule of the layout, `sudoku.rules.Allowed`."""
    solution: str | None = None
    """The solution as a line."""
    about: dict[str, str] = field(default_factory=dict)
    """Title, author, level and the like."""

    def parts(self) -> list[str]:
        """What there is besides the givens: names that `Format.holds` knows."""
        found = {
            "remark": self.rest,
            "digits filled in": self.placed is not None and self.placed != self.grid.line,
            "pencil marks": self.marks is not None and any(self.marks),
            "solution": self.solution,
            "title, author and the like": self.about,
        }
        return [name for name, there in found.items() if there]


REMARK, PLACED, MARKS, SOLUTION, ABOUT = (
    "remark",
    "digits filled in",
    "pencil marks",
    "solution",
    "title, author and the like",
)
"""What a format may hold besides the givens."""

Lost = Callable[[Record, str], object]
"""Called with what a writer could not write of a record."""


@dataclass(frozen=True)
class Format:
    """One way to write puzzles as text."""

    name: str
    """As `--to` knows it."""
    what: str
    """A line about it."""
    suffixes: tuple[str, ...]
    """The suffixes of such files, `.sdk`."""
    detect: Callable[[str, list[str]], bool]
    """Whether a file is of this format that begins so: its text from the first line that is no
    comment, and the comments before. Never true of two formats."""
    read: Callable[[BufferedInput, Layout | None], Iterator[Record | PuzzleError]]
    """The puzzles of a file, and what is wrong with others."""
    write: Callable[[Iterable[Record], Lost], Iterator[str]]
    """The text of a file with these puzzles, in pieces; `refuses` has let all of them pass."""
    refuses: Callable[[Grid], str | None]
    """Why it cannot hold a puzzle: its layout, mostly; None if it can."""
    holds: frozenset[str] = frozenset()
    """What else it can hold: some of `Record.parts`."""


def lines_of(stream: BufferedInput, *, longest: int = LONGEST) -> Iterator[Line | PuzzleError]:
    """The lines of a file from the next one on, and what is no text among them."""
    lines = Lines(stream, stream.number, longest=longest)
    while True:
        try:
            line = lines.pop()
        except PuzzleError as error:
            yield error
            continue
        if line is None:
            return
        yield line


def by_line(
    parse: Callable[[str, Layout | None], Record],
) -> Callable[[BufferedInput, Layout | None], Iterator[Record | PuzzleError]]:
    """A reader for files with one puzzle on each line; blank lines and comments are skipped."""

    def read(stream: BufferedInput, layout: Layout | None) -> Iterator[Record | PuzzleError]:
        for line in lines_of(stream):
            if isinstance(line, PuzzleError):
                yield line
            elif not line.is_blank:
                yield _parsed(parse, line.text.strip(), layout, line.number)

    return read


def _parsed(
    parse: Callable[[str, Layout | None], Record], text: str, layout: Layout | None, number: int
) -> Record | PuzzleError:
    """What `parse` makes of a text, or the error with the number of the line."""
    try:
        return replace(parse(text, layout), line=number)
    except (PuzzleError, LayoutError) as error:
        return placed_error(error, number, text)


def placed_error(
    error: PuzzleError | LayoutError, line: int, text: str | None = None
) -> PuzzleError:
    """The error of a puzzle as one of the file: with its line, and the text that it quotes.

    >>> str(placed_error(LayoutError("r1c1 is there twice"), 7, "12:r1c1"))
    "line 7: r1c1 is there twice: '12:r1c1'"
    """
    if isinstance(error, PuzzleError):
        return PuzzleError(error.what, line=line, text=error.text or text)
    return PuzzleError(str(error), line=line, text=text)


# -- lines of several fields ---------------------------------------------------------------------


def one_line(text: str) -> str:
    r"""A text as it can stand in a line of any file.

    Line breaks and other control characters become spaces; halves of surrogate pairs, which no
    file can have, become U+FFFD.

    >>> ascii(one_line("easy\r\n53..7 \ud800"))
    "'easy 53..7 \\ufffd'"
    """
    return _SURROGATES.sub("\ufffd", _BREAKS.sub(" ", text)).strip()


def joined(record: Record, lost: Lost, *fields: str, sep: str = " ") -> str:
    """A line of these fields and the remark, which is lost if no reader would take the line."""
    line, rest = sep.join(filter(None, fields)), one_line(record.rest)
    whole = f"{line}{sep}{rest}\n" if rest else f"{line}\n"
    if rest and len(whole.encode()) > LONGEST:
        lost(record, REMARK)
        return f"{line}\n"
    return whole


def slimmed(
    record: Record, lost: Lost, text_of: Callable[[Record], str], longest: int = LONGEST
) -> str:
    """The text of a record; the remark, and all about it, is lost that no reader would take."""
    text = text_of(record)
    nothing: tuple[tuple[str, dict[str, Any]], ...] = (
        (REMARK, {"rest": ""}),
        (ABOUT, {"about": {}}),
    )
    for part, without in nothing:
        if len(text.encode()) > longest and part in record.parts():
            lost(record, part)
            record = replace(record, **without)
            text = text_of(record)
    return text


def first_field(text: str) -> tuple[str, str]:
    r"""What stands before the first white space, and what after it.

    >>> first_field("12.4\t hard one")
    ('12.4', 'hard one')
    """
    field, *rest = text.split(None, 1)
    return field, rest[0] if rest else ""


def split_solution(rest: str, layout: Layout) -> tuple[str | None, str]:
    """The solution, if that is what comes first, with or without `#` for gaps; and what follows.

    A `?` means that the solution is unknown. White space, a comma or a semicolon follows either.

    >>> split_solution("1234341221434321, easy", Layout(2, 2)), split_solution("? 1", Layout(2, 2))
    (('1234341221434321', 'easy'), (None, '1'))
    """
    field = _FIELD_ENDS.split(rest, maxsplit=1)[0]
    more = rest[len(field) :].lstrip(" \t,;")
    if field == "?":
        return None, more
    if field and len(field) in (layout.size, layout.height * layout.width):
        try:
            grid = parse(field, layout)
        except PuzzleError:
            return None, rest
        if grid.filled == layout.size:
            return grid.line, more
    return None, rest


def full_solution(solution: str | Iterable[object], layout: Layout) -> str:
    """A solution as a line, from a text or rows; `PuzzleError` if a cell is empty.

    >>> full_solution("1234 3412 2143 4321", Layout(2, 2))
    '1234341221434321'
    """
    line = parse(solution, layout).line
    if "." in line:
        empty = line.count(".")
        raise PuzzleError(f"a solution with {empty} empty cell{'s' * (empty > 1)}", text=line)
    return line


def digits_filled_in(text: str, grid: Grid) -> str:
    """The digits that a player has filled in, as a line; `PuzzleError` if a given is missing."""
    filled = parse(text, grid.layout)
    values = filled.values
    for place, digit in grid.values.items():
        if values.get(place) != digit:
            what = f"the digits filled in lack the given {symbol(digit)} in {cell_name(*place)}"
            raise PuzzleError(what, text=filled.line)
    return filled.line


def solution_of(record: Record) -> str:
    """The solution as the field of a line; `?` for one that is not known, where it is needed.

    A remark that looks like a solution, or like a second puzzle, is not taken for one after it.
    """
    if record.solution:
        return record.solution
    layout, field = record.grid.layout, _FIELD_ENDS.split(one_line(record.rest), maxsplit=1)[0]
    doubtful = field == "?" or len(field) in (layout.size, layout.height * layout.width)
    return "?" if doubtful else ""


def shape(layout: Layout) -> str:
    """What a layout is called in messages.

    >>> shape(Layout(3, 3)), shape(Layout(3, 2))
    ('a classic 9x9 grid', 'a grid of 3x2 boxes')
    """
    if layout.is_classic and layout.is_usual:
        return f"a classic {layout.side}x{layout.side} grid"
    if layout.is_classic:
        return f"a grid of {layout} boxes"
    name = one_line(layout.name)
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name} layout"


def classic_only(grid: Grid) -> str | None:
    """Refuses all but classic layouts with the usual boxes."""
    if grid.layout.is_classic and grid.layout.is_usual:
        return None
    return f"has no place for {shape(grid.layout)}"


def nine_only(grid: Grid) -> str | None:
    """Refuses all but the classic 9x9."""
    return None if grid.layout is Layout(3, 3) else f"has no place for {shape(grid.layout)}"
