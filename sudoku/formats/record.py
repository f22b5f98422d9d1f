"""What a file of any format says about one puzzle, and what a format is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from sudoku.errors import LayoutError, PuzzleError
from sudoku.grid import Grid
from sudoku.layout import Layout
from sudoku.lines import LONGEST, Line, Lines
from sudoku.plain import Feed

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
    "lines_of",
    "nine_only",
    "shape",
]


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
    read: Callable[[Feed, Layout | None], Iterator[Record | PuzzleError]]
    """The puzzles of a file, and what is wrong with others."""
    write: Callable[[Iterable[Record], Lost], Iterator[str]]
    """The text of a file with these puzzles, in pieces; `refuses` has let all of them pass."""
    refuses: Callable[[Grid], str | None]
    """Why it cannot hold a puzzle: its layout, mostly; None if it can."""
    holds: frozenset[str] = frozenset()
    """What else it can hold: some of `Record.parts`."""


def lines_of(feed: Feed, *, longest: int = LONGEST) -> Iterator[Line | PuzzleError]:
    """The lines of a file from the next one on, and what is no text among them."""
    lines = Lines(feed, feed.number, longest=longest)
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
) -> Callable[[Feed, Layout | None], Iterator[Record | PuzzleError]]:
    """A reader for files with one puzzle on each line; blank lines and comments are skipped."""

    def read(feed: Feed, layout: Layout | None) -> Iterator[Record | PuzzleError]:
        for line in lines_of(feed):
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
    except PuzzleError as error:
        return PuzzleError(error.what, line=error.line or number, text=error.text or text)
    except LayoutError as error:
        return PuzzleError(str(error), line=number, text=text)


def shape(layout: Layout) -> str:
    """What a layout is called in messages.

    >>> shape(Layout(3, 3)), shape(Layout(3, 2))
    ('a classic 9x9 grid', 'a grid of 3x2 boxes')
    """
    if layout.is_classic and layout.is_usual:
        return f"a classic {layout.side}x{layout.side} grid"
    return f"a grid of {layout} boxes" if layout.is_classic else f"a {layout} layout"


def classic_only(grid: Grid) -> str | None:
    """Refuses all but classic layouts with the usual boxes."""
    if grid.layout.is_classic and grid.layout.is_usual:
        return None
    return f"has no place for {shape(grid.layout)}"


def nine_only(grid: Grid) -> str | None:
    """Refuses all but the classic 9x9."""
    return None if grid.layout is Layout(3, 3) else f"has no place for {shape(grid.layout)}"
