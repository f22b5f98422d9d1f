"""The format `csv`: a heading and a puzzle in each row, or the cells of grids as fields.

    puzzle,solution,level            a column `puzzle` (or quiz, question, board, ...), optionally
    53..7....6..195...,5346...,easy  `solution` (answer, ...); other columns are stored as text

    5,3,,,7,,,,                      n rows of n numbers; empty or 0 for a blank. Between grids
    6,,,1,9,5,,,                     there may be a blank line. Read only

If the first line has TABs or semicolons instead of commas, they separate the fields of all lines.
Under other headings, the column of the puzzles is the first one that has a puzzle in the first row,
and that of the solutions one that has its digits and no blank.

Source: the collections on Kaggle ("1 million Sudoku games": quizzes,solutions; "3 million Sudoku
puzzles with ratings": id,puzzle,solution,clues,difficulty) have the first form, spreadsheets the
second. Layouts with other boxes have a column `box`, such as 3x2.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from functools import partial
from io import StringIO

from sudoku.board.grid import Grid
from sudoku.board.layout import MAX_SIDE, Layout, usual_layouts
from sudoku.board.parse import Cells, decode
from sudoku.errors import LayoutError, PuzzleError, counted, foreign_errors, shorten
from sudoku.formats.record import (
    ABOUT,
    MARKS,
    PLACED,
    REMARK,
    SOLUTION,
    Format,
    Lost,
    Record,
    digits_filled_in,
    full_solution,
    lines_of,
    one_line,
    placed_error,
    shape,
    slimmed,
)
from sudoku.text.chunks import BufferedInput
from sudoku.text.puzzles import parse

__all__ = ["CSV"]

DELIMITERS = ",\t;"
PUZZLE = (
    "puzzle", "puzzles", "quiz", "quizzes", "sudoku", "grid", "unsolved", "question", "questions",
    "board", "boards", "problem", "problems", "sudokus", "grids", "givens", "task",
)  # fmt: skip
SOLVED = ("solution", "solutions", "solved", "answer", "answers", "solve", "response")
LONGEST_NAME = MOST_NAMES = 100  # of the headings that are written
_COLUMNS = ("puzzle", "box", "solution", "filled in", "marks", "remark")
_OURS = {*PUZZLE, *SOLVED, *_COLUMNS}


def _detect(head: str, comments: list[str]) -> bool:
    lines = [line for line in head.splitlines() if not _is_blank(line)]
    return _delimiter(*(lines or [""])[:2]) is not None


def _delimiter(line: str, after: str = "") -> str | None:
    """The delimiter of a file that begins with these lines; None if it is not a CSV file."""
    for delimiter in DELIMITERS:
        fields = [field.strip() for field in line.split(delimiter)]
        if any(name.strip('"').lower() in PUZZLE for name in fields):
            return delimiter
        if 4 <= len(fields) <= MAX_SIDE and all(re.fullmatch(r"\d{0,2}|\.", c) for c in fields):
            return delimiter
        if len(fields) > 1 and all(re.fullmatch(r'"?[^\W\d][\w .-]*"?|', name) for name in fields):
            cells = [field.strip('" ') for field in after.split(delimiter)]
            if len(cells) == len(fields) and _columns([""] * len(cells), cells)[0] is not None:
                return delimiter
    return None


def _columns(names: list[str], fields: list[str]) -> tuple[int | None, int | None]:
    """The columns of the puzzle and of the solution, by their headings and the first row."""
    puzzle = next((names.index(name) for name in PUZZLE if name in names), None)
    grids = [_cells_of(field) for field in fields]
    if puzzle is None:
        puzzle = next((at for at, cells in enumerate(grids) if 0 in cells), None)
    solved = next((at for at, name in enumerate(names) if name in SOLVED and at != puzzle), None)
    if solved is None and puzzle is not None:
        givens = grids[puzzle]
        for at, cells in enumerate(grids):
            same = givens and len(cells) == len(givens) and 0 not in cells and at != puzzle
            if same and all(a in (0, b) for a, b in zip(givens, cells, strict=True)):
                return puzzle, at
    return puzzle, solved


def _cells_of(field: str) -> Cells:
    """The cells of a puzzle on one line; none for another field."""
    layout = usual_layouts().get(len(field)) if len(field) > MAX_SIDE else None
    return decode(field, layout.side) or () if layout else ()


def _is_blank(line: str) -> bool:
    """Whether a line is a comment, or has no fields, not even empty ones."""
    return not line.strip(" \r\n") or line.startswith("#")


def _read(stream: BufferedInput, layout: Layout | None) -> Iterator[Record | PuzzleError]:
    rows = _rows(stream)
    for row in rows:
        if isinstance(row, PuzzleError):
            yield row
        elif row[1]:
            names = [name.strip().lower() for name in row[1]]
            if any(name in PUZZLE or (len(name) > 1 and name[0].isalpha()) for name in names):
                yield from _headed(rows, _different(names), layout)
            else:
                yield from _grids(row, rows, layout)
            return


def _different(names: list[str]) -> list[str]:
    """The headings, made unique and not empty by the number of the column."""
    seen = {""}
    different = []
    for number, name in enumerate(names, 1):
        different.append(f"{name or 'column'} {number}" if name in seen else name)
        seen.add(name)
    return different


_Row = tuple[int, list[str]]


def _rows(stream: BufferedInput) -> Iterator[_Row | PuzzleError]:
    """Iterates over the rows, each with the number of its line; a blank row has no fields.

    A quoted field cannot span lines.
    """
    delimiter: str | None = None
    for line in lines_of(stream):
        if isinstance(line, PuzzleError):
            yield line
        elif _is_blank(line.text):
            yield line.number, []
        else:
            delimiter = delimiter or _delimiter(line.text) or max(DELIMITERS, key=line.text.count)
            try:
                with foreign_errors("not valid CSV"):
                    fields = next(csv.reader([line.text], strict=True, delimiter=delimiter))
                yield line.number, fields
            except PuzzleError as error:
                yield placed_error(error, line.number, line.text)


def _headed(
    rows: Iterator[_Row | PuzzleError], names: list[str], layout: Layout | None
) -> Iterator[Record | PuzzleError]:
    puzzle: int | None = None
    solved: int | None = None
    for row in rows:
        if isinstance(row, PuzzleError):
            yield row
            continue
        number, fields = row
        if not fields:
            continue
        try:
            if len(fields) != len(names):
                raise PuzzleError(f"{counted(len(fields), 'field')} under {len(names)} headings")
            if puzzle is None:
                puzzle, solved = _columns(names, [field.strip() for field in fields])
                if puzzle is None:
                    raise PuzzleError("no puzzle in the first row; name its column `puzzle`")
                names = [*names]
                names[puzzle] = "puzzle"
                if solved is not None:
                    names[solved] = "solution"
            yield _record(number, dict(zip(names, fields, strict=True)), layout)
        except (PuzzleError, LayoutError) as error:
            yield placed_error(error, number, ",".join(fields))


def _record(number: int, fields: dict[str, str], layout: Layout | None) -> Record:
    puzzle = fields.pop("puzzle")
    if shape_of_box := fields.pop("box", "").strip():
        box = re.fullmatch(r"(\d{1,2})x(\d{1,2})", shape_of_box)
        if box is None:
            raise PuzzleError(
                f"a box of {shorten(shape_of_box)}; write its rows and columns, such as 3x2"
            )
        layout = Layout(int(box[1]), int(box[2]))
    grid = parse(puzzle, layout)
    solution = fields.pop("solution", "").strip()
    placed = fields.pop("filled in", "").strip()
    marks = _read_marks(fields.pop("marks", ""), grid.layout)
    rest = fields.pop("remark", "")
    about = {name: text for name, text in fields.items() if text}
    return Record(
        grid,
        number,
        rest,
        placed=digits_filled_in(placed, grid) if placed else None,
        marks=marks,
        solution=full_solution(solution, grid.layout) if solution else None,
        about=about,
    )


def _read_marks(text: str, layout: Layout) -> tuple[int, ...] | None:
    if not text:
        return None
    cells = text.split(" ")
    symbols = layout.symbols
    if len(cells) != layout.size or not set(text) <= {*symbols, " ", "-"}:
        raise PuzzleError(
            f"marks of {counted(len(cells), 'cell')}; the grid has {layout.size} (12 - 389 ...)"
        )
    return tuple(sum(1 << symbols.index(c) + 1 for c in set(cell) if c != "-") for cell in cells)


def _grids(
    first: _Row, rows: Iterator[_Row | PuzzleError], layout: Layout | None
) -> Iterator[Record | PuzzleError]:
    height = layout.height if layout else len(first[1])
    pending: list[_Row] = [first]
    for row in rows:
        if isinstance(row, PuzzleError):
            yield row
            continue
        if pending and (len(pending) == height or not row[1]):
            yield _grid(pending, height, layout)
            pending = []
        if row[1]:
            pending.append(row)
    if pending:
        yield _grid(pending, height, layout)


def _grid(rows: list[_Row], height: int, layout: Layout | None) -> Record | PuzzleError:
    number, fields = rows[0]
    try:
        if len(rows) != height:
            raise PuzzleError(f"{counted(len(rows), 'row')}; the grid has {height}")
        return Record(parse([list(map(_cell, row)) for _, row in rows], layout), number)
    except (PuzzleError, LayoutError) as error:
        return placed_error(error, number, ",".join(fields))


def _cell(text: str) -> object:
    text = text.strip()
    return int(text) if text.isdecimal() and len(text) < 5 else text or None


def _write(records: Iterable[Record], lost: Lost) -> Iterator[str]:
    names: list[str] | None = None
    for record in records:
        if names is None:
            about = dict.fromkeys(map(_heading, record.about))
            more = [name for name in about if name not in _OURS and len(name) <= LONGEST_NAME]
            names = [*_COLUMNS, *more[:MOST_NAMES]]
            yield _text_of(names)
        yield slimmed(record, lost, partial(_row, names=names, lost=lost))


def _heading(name: str) -> str:
    """The heading of a column, as the reader returns it."""
    return one_line(name).lower()


def _row(record: Record, names: list[str], lost: Lost) -> str:
    layout = record.grid.layout
    row = {
        "puzzle": record.grid.line,
        "box": "" if layout.is_usual else f"{layout.box_rows}x{layout.box_columns}",
        "solution": record.solution or "",
        "filled in": record.placed or "",
        "marks": _marks_text(record),
        "remark": one_line(record.rest),
    }
    for name, text in record.about.items():
        if _heading(name) in row or _heading(name) not in names:
            lost(record, f"its {name}")  # the headings are those of the first record
        else:
            row[_heading(name)] = one_line(text)
    return _text_of([row.get(name, "") for name in names])


def _text_of(fields: list[str]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerow(fields)
    return text.getvalue()


def _marks_text(record: Record) -> str:
    if record.marks is None:
        return ""
    symbols = list(enumerate(record.grid.layout.symbols, 1))
    return " ".join(
        "".join(symbol for digit, symbol in symbols if bits >> digit & 1) or "-"
        for bits in record.marks
    )


def _refuses(grid: Grid) -> str | None:
    layout = grid.layout
    return None if layout.is_classic else f"cannot hold {shape(layout)}"


CSV = Format(
    "csv",
    "a heading, and a row for each puzzle",
    (".csv",),
    _detect,
    _read,
    _write,
    _refuses,
    frozenset({SOLUTION, REMARK, PLACED, MARKS, ABOUT}),
)
