"""The format `json`: a JSON object for each puzzle, with everything that a `Record` can hold.

    {"puzzle": "53..7....6..", "layout": "diagonal", "solution": "5346...", "remark": "hard"}

docs/sudoku.schema.json is the schema; `layouts.py` converts layouts. The writer puts an object on
each line (JSON Lines). The reader also takes objects over many lines, and lists of objects;
`reader.py` finds where each object ends. And it takes grids as lists of rows, lists of such grids,
and lists of all cells.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from math import isqrt
from typing import Any

from sudoku.board.cells import MAX_SIDE, integer
from sudoku.board.layout import Layout
from sudoku.errors import LayoutError, PuzzleError, counted, nearest, shorten
from sudoku.formats.json_format.layouts import from_json, to_json, unknown_rule
from sudoku.formats.json_format.reader import LONGEST, Found, is_row, read_values
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
    placed_error,
    slimmed,
    warning_of,
)
from sudoku.text.chunks import BufferedInput
from sudoku.text.puzzles import parse

__all__ = ["JSON", "by_value", "json_text", "record_of", "value_of"]

_FIELDS = ("puzzle", "layout", "solution", "filled", "marks", "remark", "about")


def _detect(head: str, comments: list[str]) -> bool:
    start = head.lstrip()
    if start[:1] == "{":
        return '"puzzle"' in head or ('"grid"' not in head and '"cells"' not in head)
    if re.match(r'\[\s*(?:\[|"|(?:\d{1,2}|null)\s*,)', start):
        return True
    return start[:1] == "[" and start[1:].lstrip()[:1] == "{" and '"puzzle"' in head


def _values_with_rows(stream: BufferedInput) -> Iterator[Found]:
    """The values of a file, with an object for each puzzle in lists."""
    rows: list[list[Any]] = []
    start = 0
    for found in chain(_values_with_lists(stream), [None]):
        number: int = 0
        value: Any = None
        if isinstance(found, tuple):
            number, value = found
        cells: list[Any] = value if is_row(value) and not any(map(_is_line, value)) else []
        if rows and len(cells) != len(rows[0]):
            what = f"{counted(len(rows), 'row')} of {len(rows[0])}; the grid has {len(rows[0])}"
            yield PuzzleError(what, line=start)
            rows = []
        if len(cells) > MAX_SIDE:
            side = isqrt(len(cells))
            whole = [cells[at : at + side] for at in range(0, len(cells), side)]
            yield number, {"puzzle": whole}
        elif cells:
            start = start if rows else number
            rows.append(cells)
            if len(rows) == len(cells):
                yield start, {"puzzle": rows}
                rows = []
        elif is_row(value):  # of lines, or of puzzles
            whole_lines = all(_is_line(line) and len(line) > MAX_SIDE for line in value)
            yield from ((number, {"puzzle": each}) for each in (value if whole_lines else [value]))
        elif found is not None:
            is_grid = isinstance(value, list) and value and all(map(is_row, value))
            yield (number, {"puzzle": value}) if is_grid else found


def _values_with_lists(stream: BufferedInput) -> Iterator[Found]:
    """The values of a file; numbers and texts, the items of lists over many lines, as lists."""
    loose: list[Any] = []
    start = 0
    for found in chain(read_values(stream), [None]):
        item = found[1] if isinstance(found, tuple) else []
        if isinstance(found, tuple) and not isinstance(item, list | dict):
            start = start if loose else found[0]
            loose.append(item)
            is_whole = len(loose) == len(item) if _is_line(item) else len(loose) == MAX_SIDE**2
            if not is_whole and not (_is_line(item) and len(item) > MAX_SIDE):
                continue
        if loose:
            yield start, loose
            loose = []
        if found is not None and isinstance(item, list | dict):
            yield found


def _is_line(value: object) -> bool:
    return isinstance(value, str) and len(value) > 1


def by_value(
    parse: Callable[[Any, Layout | None, int], Record],
    values: Callable[[BufferedInput], Iterator[Found]] = read_values,
) -> Callable[[BufferedInput, Layout | None], Iterator[Record | PuzzleError]]:
    """A reader of JSON files with a puzzle in each value.

    `parse` is called with a value, the layout, and the number of the line where the value begins.
    """

    def read(stream: BufferedInput, layout: Layout | None) -> Iterator[Record | PuzzleError]:
        for found in values(stream):
            if isinstance(found, PuzzleError):
                yield found
                continue
            number, value = found
            try:
                yield parse(value, layout, number)
            except (PuzzleError, LayoutError) as error:
                yield placed_error(error, number)

    return read


def record_of(value: Any, layout: Layout | None, number: int) -> Record:
    """The record of a JSON value, from the line of that number.

    `layout` is for a value that has none. Raises `PuzzleError` or `LayoutError` for other values.
    """
    if not isinstance(value, dict) or "puzzle" not in value:
        raise PuzzleError(f"expected an object with a puzzle, not {shorten(repr(value))}")
    for name in value:
        if name not in _FIELDS:
            raise PuzzleError(f"unknown field {shorten(name)}; {nearest(name, _FIELDS)}")
    if value.get("layout") is not None:
        layout = from_json(value["layout"])
    grid = parse(_cells(value, "puzzle"), layout)
    filled = digits_filled_in(_text(value, "filled"), grid) if value.get("filled") else None
    solved = _cells(value, "solution") if value.get("solution") else ""
    solution = full_solution(solved, grid.layout) if solved else None
    about = value.get("about") or {}
    if not isinstance(about, dict) or not all(isinstance(text, str) for text in about.values()):
        raise PuzzleError("about must be an object of strings")
    rest = _text(value, "remark") if value.get("remark") else ""
    marks = _marks(value.get("marks"), grid.layout)
    return Record(
        grid, number, rest, filled, marks, solution, about, warning=warning_of(grid.layout)
    )


def _cells(value: dict[str, Any], name: str) -> str | list[Any]:
    """A puzzle or a solution: a string, or a list of rows."""
    return value[name] if isinstance(value[name], list) else _text(value, name)


def _text(value: dict[str, Any], name: str) -> str:
    if not isinstance(value[name], str):
        raise PuzzleError(f"{name} must be a string, not {shorten(repr(value[name]))}")
    return str(value[name])


def _marks(value: Any, layout: Layout) -> tuple[int, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != layout.size:
        raise PuzzleError(f"marks must be a list of {layout.size} lists of digits")
    marks = []
    for digits in value:
        good = isinstance(digits, list) and all(
            integer(d, most=layout.side) is not None for d in digits
        )
        if not good:
            raise PuzzleError(
                f"{shorten(repr(digits))} is not a list of digits from 1 to {layout.side}"
            )
        marks.append(sum(1 << digit for digit in set(digits)))
    return tuple(marks)


def _write(records: Iterable[Record], lost: Lost) -> Iterator[str]:
    for record in records:
        text = slimmed(record, lost, lambda made: json_text(value_of(made)), LONGEST)
        yield text if len(text) < LONGEST else json_text(json.loads(text), indent=0)


def value_of(record: Record) -> dict[str, Any]:
    """The JSON value of a record, for `record_of`."""
    layout = record.grid.layout
    made: dict[str, Any] = {"puzzle": record.grid.line}
    if not layout.is_usual:
        made["layout"] = to_json(layout)
    optional = (
        ("solution", record.solution),
        ("filled", record.placed),
        ("remark", record.rest),
        ("about", record.about),
    )
    made |= {name: value for name, value in optional if value}
    if record.marks is not None:
        digits = range(1, layout.side + 1)
        made["marks"] = [[d for d in digits if bits >> d & 1] for bits in record.marks]
    return made


def json_text(value: Any, indent: int | None = None) -> str:
    r"""A value as JSON on one line or, with `indent`, on many; characters beyond ASCII stay.

    Lone surrogates, which UTF-8 cannot encode, are escaped.

    >>> print(json_text({"remark": "\ud800"}), end="")
    {"remark": "\ud800"}
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent) + "\n"
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)


JSON = Format(
    "json",
    "an object on each line, with every layout and all data of a puzzle",
    (".json", ".jsonl"),
    _detect,
    by_value(record_of, _values_with_rows),
    _write,
    unknown_rule,
    frozenset({SOLUTION, REMARK, PLACED, MARKS, ABOUT}),
)
