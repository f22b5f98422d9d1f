"""The format `sdk`: the files of SadMan Sudoku, with headers and sections.

    #A the author                     (#D description, #C comment, #B date, #S source, #L level,
    [Puzzle]                           #U URL, #T title, #N and #H any text)
    2..1.5..3 ... nine rows
    [State]                            the digits filled in, givens included
    [PencilMarks]                      rows of nine notes with commas between them: 67,,148,...
    [Colours]                          stored as text

Sources: http://www.sadmansoftware.com/sudoku/faq19.htm and SudoCue, whose files have the headers
and the nine rows alone (http://www.sudocue.net/fileformats.php). Only 9x9. A file may have several
puzzles: each begins with its headers or with [Puzzle].
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.board.parse import decode, strip_rules
from sudoku.errors import PuzzleError, counted
from sudoku.formats.record import (
    ABOUT,
    MARKS,
    PLACED,
    Format,
    Lost,
    Record,
    lines_of,
    nine_only,
    one_line,
)
from sudoku.text.chunks import BufferedInput
from sudoku.text.lines import LONGEST, Line

__all__ = ["SDK"]

HEADERS = {
    "A": "author",
    "B": "date",
    "C": "comment",
    "D": "description",
    "H": "H",
    "L": "level",
    "N": "N",
    "S": "source",
    "T": "title",
    "U": "url",
}
_LETTERS = {name: letter for letter, name in HEADERS.items()}
_HEADER = re.compile(r"#([ABCDHLNSTU])[ \t]*(.*)")
_SECTION = re.compile(r"\[(puzzle|state|pencil ?marks|colou?rs)\]", re.IGNORECASE)


def _detect(head: str, comments: list[str]) -> bool:
    content = head.split("\n", 1)[0].strip()
    if _SECTION.fullmatch(content):
        return True
    # A file of SudoCue has nine rows under headers. Comments begin with "# ".
    return len(content) == 9 and bool(comments) and all(map(_HEADER.match, comments))


class _Puzzle:
    """The lines of one puzzle, by section."""

    def __init__(self) -> None:
        self.line = 0
        self.headers: dict[str, list[str]] = {}
        self.rows: dict[str, list[Line]] = {}
        self.starts: dict[str, int] = {}  # the number of each section's first line
        self.section = "puzzle"

    def add(self, line: Line) -> None:
        """Adds a header, the name of a section, or a line of the current section."""
        text = line.text.strip()
        self.line = self.line or line.number
        if header := _HEADER.match(text):
            self.headers.setdefault(HEADERS[header[1]], []).append(header[2])
        elif section := _SECTION.fullmatch(text):
            self.section = section[1].lower().replace(" ", "").replace("colours", "colors")
            if self.section in self.rows:
                raise PuzzleError(f"[{section[1]}] twice", line=line.number, text=text)
            self.rows[self.section] = []
            self.starts[self.section] = line.number
        elif not text.startswith("#"):
            rows = self.rows.setdefault(self.section, [])
            self.starts.setdefault(self.section, line.number)
            if self.section == "pencilmarks" or not _is_rule(text):
                rows.append(line)

    def is_new(self, line: Line) -> bool:
        """Whether another puzzle begins with this line."""
        if not self.rows:
            return False
        text = line.text.strip()
        section = _SECTION.fullmatch(text)
        if _HEADER.match(text) or (section and section[1].lower() == "puzzle"):
            return True
        full = len(self.rows.get(self.section, ())) >= 9
        return full and not section and not text.startswith("#") and not _is_rule(text)

    def record(self) -> Record:
        """The puzzle; `PuzzleError` for a section that is missing or wrong."""
        if "puzzle" not in self.rows:
            raise PuzzleError("no puzzle under these headers", line=self.line)
        cells = self._cells("puzzle")
        placed = self._cells("state") if "state" in self.rows else None
        if placed is not None and any(
            a not in (".", b) for a, b in zip(cells, placed, strict=True)
        ):
            line = self.rows["state"][0]
            raise PuzzleError("[State] must contain all givens", line=line.number, text=line.text)
        about = {name: "\n".join(filter(None, texts)) for name, texts in self.headers.items()}
        if colors := self.rows.get("colors"):
            about["colors"] = "\n".join(line.text.strip() for line in colors)
        grid = Grid.from_line(cells, Layout(3, 3))
        marks = self._marks() if "pencilmarks" in self.rows else None
        return Record(grid, self.line, placed=placed, marks=marks, about=about)

    def _cells(self, section: str) -> str:
        rows = self.rows.get(section, [])
        cells = []
        for line in rows:
            text = strip_rules(line.text)
            found = decode(text, 9)
            if len(text) != 9 or found is None:
                what = "expected a row of nine digits, . for a blank"
                raise PuzzleError(what, line=line.number, text=line.text)
            cells += [str(digit) if digit else "." for digit in found]
        if not rows:
            what = f"[{section.capitalize()}] is empty; it needs 9 rows: is the file truncated?"
            raise PuzzleError(what, line=self.starts[section])
        if len(rows) != 9:
            what = f"{counted(len(rows), 'row')}; a 9x9 grid has 9"
            raise PuzzleError(what, line=rows[0].number, text=rows[0].text)
        return "".join(cells)

    def _marks(self) -> tuple[int, ...]:
        rows, marks = self.rows["pencilmarks"], []
        for line in rows:
            cells = [cell.strip() for cell in re.split(r"[,\t]", line.text)]
            if len(cells) != 9 or any(re.fullmatch(r"[1-9]*", cell) is None for cell in cells):
                what = "expected nine notes with commas between them"
                raise PuzzleError(what, line=line.number, text=line.text)
            marks += [sum(1 << int(digit) for digit in set(cell)) for cell in cells]
        if len(rows) != 9:
            what = f"{counted(len(rows), 'row')} of pencil marks; a 9x9 grid has 9"
            raise PuzzleError(what, line=self.starts["pencilmarks"])
        return tuple(marks)


def _is_rule(text: str) -> bool:
    return not text.strip("-+|* ") and len(text) != 9


def _read(stream: BufferedInput, layout: Layout | None) -> Iterator[Record | PuzzleError]:
    puzzle = _Puzzle()
    good = True

    def finish() -> Iterator[Record | PuzzleError]:
        try:
            if good and (puzzle.rows or puzzle.headers):
                yield puzzle.record()
        except PuzzleError as error:
            yield error

    for line in lines_of(stream):
        if isinstance(line, PuzzleError):
            yield line
            good = False
        elif line.text.strip():
            if puzzle.is_new(line):
                yield from finish()
                puzzle, good = _Puzzle(), True
            try:
                puzzle.add(line)
            except PuzzleError as error:
                yield error
                good = False
    yield from finish()


def _write(records: Iterable[Record], lost: Lost) -> Iterator[str]:
    for record in records:
        lines = _headers(record, lost)
        lines += ["[Puzzle]", *_rows(record.grid.line)]
        if record.placed is not None:
            lines += ["[State]", *_rows(record.placed)]
        if record.marks is not None:
            notes = ["".join(str(d) for d in range(1, 10) if m >> d & 1) for m in record.marks]
            lines.append("[PencilMarks]")
            lines += [",".join(notes[at : at + 9]) for at in range(0, 81, 9)]
        lines += _colors(record, lost)
        yield ("\n".join(lines) + "\n")


def _headers(record: Record, lost: Lost) -> list[str]:
    """The header lines; `lost` is called for data without a header."""
    lines = []
    for name, text in record.about.items():
        parts = list(filter(None, map(one_line, text.splitlines())))
        if name in _LETTERS and max(map(len, parts), default=0) < LONGEST // 4:
            lines += [f"#{_LETTERS[name]} {part}" for part in parts]
        elif name != "colors":
            lost(record, f"its {name}")
    return lines


def _colors(record: Record, lost: Lost) -> list[str]:
    """The section of the colors; lost if a reader would take its rows for another section."""
    rows = list(filter(None, map(one_line, record.about.get("colors", "").splitlines())))
    if len(rows) > 9 or any(row[0] in "[#" or len(row) >= LONGEST // 4 for row in rows):
        lost(record, "its colors")
        return []
    return ["[Colours]", *rows] if rows else []


def _rows(line: str) -> list[str]:
    return [line[at : at + 9] for at in range(0, 81, 9)]


SDK = Format(
    "sdk",
    "SadMan Sudoku's sections",
    (".sdk",),
    _detect,
    _read,
    _write,
    nine_only,
    frozenset({ABOUT, PLACED, MARKS}),
)
