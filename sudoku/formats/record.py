"""`Record`, the content of one puzzle in a file, and `Format`, a reader and writer of files."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sudoku.board.cells import cell_name, symbol
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.board.parse import plain_zeros
from sudoku.errors import LayoutError, PuzzleError, UnreadRulesWarning, listed, shorten
from sudoku.rules.check import check
from sudoku.rules.drawings import shapes_in_words, shapes_of
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
    "compared",
    "digits_filled_in",
    "first_field",
    "full_solution",
    "joined",
    "line_format",
    "lines_of",
    "nine_only",
    "one_line",
    "placed_error",
    "shape",
    "slimmed",
    "solution_of",
    "split_solution",
    "warn_of",
    "warning_of",
]

_BREAKS = re.compile("[\x00-\x08\n-\x1f\x7f-\x9f\u2028\u2029]+")  # all control characters but TAB
_SURROGATES = re.compile("[\ud800-\udfff]")
_FIELD_ENDS = re.compile(r"[\s,;]")


@dataclass(frozen=True, slots=True)
class Record:
    """The content of one puzzle in a file."""

    grid: Grid
    """The givens, and the layout with its rules."""
    line: int = 0
    """The number of the line in which it begins, from 1; 0 if it is not from a file."""
    rest: str = ""
    """A remark: the rest of its line."""
    placed: str | None = None
    """The digits that a player has filled in, givens included, as a line; None if unknown."""
    marks: tuple[int, ...] | None = None
    """The notes of a player: for each cell its candidates, bit d for digit d. They do not restrict
    the puzzle; pencil marks that do are a rule of the layout, `sudoku.rules.Allowed`."""
    solution: str | None = None
    """The solution as a line."""
    about: dict[str, str] = field(default_factory=dict)
    """Title, author, level and the like."""
    warning: str = field(default="", compare=False)
    """What its file has that was not read and may be a rule, and which drawings were read as rules,
    in a clause; "" for nothing."""
    drawn: Record | None = field(default=None, compare=False, repr=False)
    """The same record with all drawings kept as drawings; None if none was read as a rule."""

    def in_letters(self, text: str) -> str:
        """Digits of the puzzle as its file writes them, by `about["letters"]`.

        >>> Record(Grid("1... .... .... ...."), about={"letters": "DORW"}).in_letters("12 34")
        'DO RW'
        """
        letters, symbols = self.about.get("letters", ""), self.grid.layout.symbols
        if len(letters) != len(symbols) or not letters.isalnum():
            return text
        return text.translate(str.maketrans(symbols, letters))

    def parts(self) -> list[str]:
        """The names of its parts besides the givens, as in `Format.holds`."""
        found = {
            "remark": self.rest,
            "digits filled in": self.placed is not None and self.placed != self.grid.line,
            "pencil marks": self.marks is not None and any(self.marks),
            "solution": self.solution,
            "title, author and the like": self.about,
        }
        return [name for name, there in found.items() if there]


def warning_of(
    layout: Layout, words: str = "", read: Iterable[str] = (), unknown: Sequence[str] = ()
) -> str:
    """The warning of a record with that layout; `words` are the setter's about unread rules.

    `read` says how many drawings of each kind were read as rules, and `unknown` are the names of
    constraints of the file that no rule means.

    >>> from sudoku import Layout
    >>> warning_of(Layout(2, 2)), warning_of(Layout(2, 2), "No two 4s touch")
    ('', "the setter's words ('No two 4s touch') may mean rules that were not read; without \
them the puzzle may have several solutions")
    """
    doubts = [shapes_in_words(drawn)] if (drawn := shapes_of(layout)) else []
    if unknown:
        names = listed(map(shorten, unknown), "and", most=8)
        doubts.append(f"the constraint{'s' * (len(unknown) > 1)} {names}")
    if words:
        doubts.append(f"the setter's words ({shorten(one_line(words))})")
    clauses = [f"the drawings of {listed(list(read), 'and')} are read as rules"] if read else []
    if doubts:
        clauses.append(f"{listed(doubts, 'and')} may mean rules that were not read")
        clauses.append("without them the puzzle may have several solutions")
    return "; ".join(clauses)


def warn_of(record: Record) -> None:
    """Issues an `UnreadRulesWarning` with the warning of a record."""
    place = f"line {record.line}: " if record.line else ""
    warnings.warn(f"{place}{record.warning}", UnreadRulesWarning, stacklevel=3)


REMARK, PLACED, MARKS, SOLUTION, ABOUT = (
    "remark",
    "digits filled in",
    "pencil marks",
    "solution",
    "title, author and the like",
)
"""The parts that a format may hold besides the givens."""

Lost = Callable[[Record, str], object]
"""Called with a record and the name of a part that the writer leaves out."""


@dataclass(frozen=True)
class Format:
    """A file format of puzzles: how to detect, read and write it."""

    name: str
    """The name, as in `--to`."""
    what: str
    """A description of one line."""
    suffixes: tuple[str, ...]
    """The suffixes of such files, `.sdk`."""
    detect: Callable[[str, list[str]], bool]
    """Whether a file has this format. The arguments are its text from the first line that is not a
    comment, and the comments before. At most one format detects a file."""
    read: Callable[[BufferedInput, Layout | None], Iterator[Record | PuzzleError]]
    """Iterates over the puzzles and the errors of a file."""
    write: Callable[[Iterable[Record], Lost], Iterator[str]]
    """The text of a file with these puzzles, in pieces; none of them is one that it `refuses`."""
    refuses: Callable[[Grid], str | None]
    """Why the format cannot hold a puzzle, mostly its layout; None if it can."""
    holds: frozenset[str] = frozenset()
    """The parts that it can hold: a subset of `Record.parts`."""

    def records(
        self, stream: BufferedInput, layout: Layout | None
    ) -> Iterator[Record | PuzzleError]:
        """Iterates over the puzzles and the errors of a file; a wrong solution is an error."""
        for found in self.read(stream, layout):
            yield compared(found) if isinstance(found, Record) else found


def compared(record: Record) -> Record | PuzzleError:
    """The record, or the error that its solution is wrong: it is no solution of the puzzle.

    If some rules may not have been read, that is added to the record's warning instead.

    >>> print(compared(Record(Grid("1... .... .... ...."), solution="2143341212344321")))
    the solution has 2 in r1c1, which is given as 1: '2143341212344321'
    """
    fault = None if record.solution is None else _fault(record.solution, record.grid)
    if fault is None:
        return record
    if record.warning:
        return replace(record, warning=f"{record.warning}; {fault}")
    return PuzzleError(fault, line=record.line or None, text=record.solution)


def _fault(solution: str, grid: Grid) -> str | None:
    """Why a full grid is not a solution of a puzzle; None if it is."""
    for place, given, digit in zip(grid.layout.positions, grid.line, solution, strict=True):
        if given not in (digit, "."):
            return f"the solution has {digit} in {cell_name(*place)}, which is given as {given}"
    solved = Grid.from_line(solution, grid.layout)
    return None if solved.is_solved else f"the solution is wrong: {check(solved)[0]}"


def lines_of(stream: BufferedInput, *, longest: int = LONGEST) -> Iterator[Line | PuzzleError]:
    """Iterates over the remaining lines of a file; an error for each line that is not text."""
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
    parse: Callable[[str, Layout | None], Record], *, longest: int = LONGEST
) -> Callable[[BufferedInput, Layout | None], Iterator[Record | PuzzleError]]:
    """A reader of files with one puzzle on each line; it skips blank lines and comments.

    A line of more than `longest` characters is an error.
    """

    def read(stream: BufferedInput, layout: Layout | None) -> Iterator[Record | PuzzleError]:
        for line in lines_of(stream, longest=longest):
            if isinstance(line, PuzzleError):
                yield line
            elif not line.is_blank:
                yield _parsed(parse, line.text.strip(), layout, line.number)

    return read


def _parsed(
    parse: Callable[[str, Layout | None], Record], text: str, layout: Layout | None, number: int
) -> Record | PuzzleError:
    """The record of a text, or the error with the number of the line."""
    try:
        return replace(parse(text, layout), line=number)
    except (PuzzleError, LayoutError) as error:
        return placed_error(error, number, text)


def placed_error(
    error: PuzzleError | LayoutError, line: int, text: str | None = None
) -> PuzzleError:
    """The error of a puzzle with its line in the file, and the text that it quotes.

    >>> str(placed_error(LayoutError("r1c1 is there twice"), 7, "12:r1c1"))
    "line 7: r1c1 is there twice: '12:r1c1'"
    """
    if isinstance(error, PuzzleError):
        return PuzzleError(error.what, line=line, text=error.text or text)
    return PuzzleError(str(error), line=line, text=text)


# -- lines of several fields ---------------------------------------------------------------------


def one_line(text: str) -> str:
    r"""A text without line breaks, for a line of any file.

    Line breaks and other control characters become spaces; lone surrogates, which UTF-8 cannot
    encode, become U+FFFD.

    >>> ascii(one_line("easy\r\n53..7 \ud800"))
    "'easy 53..7 \\ufffd'"
    """
    return _SURROGATES.sub("\ufffd", _BREAKS.sub(" ", text)).strip()


def joined(record: Record, lost: Lost, *fields: str, sep: str = " ") -> str:
    """A line of these fields and the remark; without the remark if the line would be too long."""
    line, rest = sep.join(filter(None, fields)), one_line(record.rest)
    whole = f"{line}{sep}{rest}\n" if rest else f"{line}\n"
    if rest and len(whole.encode()) > LONGEST:
        lost(record, REMARK)
        return f"{line}\n"
    return whole


def slimmed(
    record: Record, lost: Lost, text_of: Callable[[Record], str], longest: int = LONGEST
) -> str:
    """The text of a record; without the remark, then without `about`, if it would be too long."""
    text = text_of(record)
    optional: tuple[tuple[str, dict[str, Any]], ...] = (
        (REMARK, {"rest": ""}),
        (ABOUT, {"about": {}}),
    )
    for part, without in optional:
        if len(text.encode()) > longest and part in record.parts():
            lost(record, part)
            record = replace(record, **without)
            text = text_of(record)
    return text


def first_field(text: str) -> tuple[str, str]:
    r"""Splits a text at its first white space.

    >>> first_field("12.4\t hard one")
    ('12.4', 'hard one')
    """
    field, *rest = text.split(None, 1)
    return field, rest[0] if rest else ""


def split_solution(rest: str, layout: Layout) -> tuple[str | None, str]:
    """The solution at the start of a text, and the rest; None and the whole text if there is none.

    A solution may have `#` for gaps. A `?` means that the solution is unknown. White space, a comma
    or a semicolon ends either of them.

    >>> split_solution("1234341221434321, easy", Layout(2, 2)), split_solution("? 1", Layout(2, 2))
    (('1234341221434321', 'easy'), (None, '1'))
    """
    field = _FIELD_ENDS.split(rest, maxsplit=1)[0]
    more = rest[len(field) :].lstrip(" \t,;")
    if field == "?":
        return None, more
    if field and len(field) in (layout.size, layout.height * layout.width):
        try:
            grid = parse(plain_zeros(field, layout.side, full=True), layout)
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
    if isinstance(solution, str):
        solution = plain_zeros(solution, layout.side, full=True)
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
    """The solution as a field of a line; if it is unknown, "" or `?`.

    `?` comes before a remark that a reader would otherwise take for a solution or a second puzzle.
    """
    if record.solution:
        return record.solution
    layout, field = record.grid.layout, _FIELD_ENDS.split(one_line(record.rest), maxsplit=1)[0]
    doubtful = field == "?" or len(field) in (layout.size, layout.height * layout.width)
    return "?" if doubtful else ""


def line_format(
    name: str,
    what: str,
    detect: Callable[[str, list[str]], bool],
    parse: Callable[[str, Layout | None], Record],
    fields: Callable[[Record, Lost], Iterable[str]],
    refuses: Callable[[Grid], str | None],
    holds: Iterable[str] = (REMARK, SOLUTION),
    *,
    suffixes: tuple[str, ...] = (),
    sep: str = " ",
    solution: Callable[[Record], str] | None = solution_of,
) -> Format:
    """A format with a puzzle on each line: its fields, the solution, if it holds one, and a remark.

    `parse` takes what is behind the puzzle as the remark, and `fields` are without both. `solution`
    is the text of a record's; None where it is part of the puzzle's fields.
    """
    held = frozenset(holds)
    text_of_solution = solution if SOLUTION in held else None

    def parse_line(text: str, layout: Layout | None) -> Record:
        record = parse(text, layout)
        if text_of_solution is None:
            return record
        found, rest = split_solution(record.rest, record.grid.layout)
        return replace(record, solution=found, rest=rest)

    def write(records: Iterable[Record], lost: Lost) -> Iterator[str]:
        for record in records:
            after = [text_of_solution(record)] if text_of_solution else []
            yield joined(record, lost, *fields(record, lost), *after, sep=sep)

    return Format(name, what, suffixes, detect, by_line(parse_line), write, refuses, held)


def shape(layout: Layout) -> str:
    """A layout in words, for messages.

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
    return f"cannot hold {shape(grid.layout)}"


def nine_only(grid: Grid) -> str | None:
    """Refuses all but the classic 9x9."""
    return None if grid.layout is Layout(3, 3) else f"cannot hold {shape(grid.layout)}"
