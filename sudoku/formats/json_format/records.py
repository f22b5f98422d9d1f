"""The format `json`: a JSON object for each puzzle, with everything that a `Record` can hold.

    {"puzzle": "53..7....6..", "layout": "diagonal", "solution": "5346...", "remark": "hard"}

docs/sudoku.schema.json is the schema; `layouts.py` converts layouts. The writer puts an object on
each line (JSON Lines). The reader also takes objects over many lines, and lists of objects;
`reader.py` finds where each object ends.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from sudoku.board.cells import integer
from sudoku.board.layout import Layout
from sudoku.errors import LayoutError, PuzzleError, nearest, shorten
from sudoku.formats.json_format.layouts import from_json, to_json, unknown_rule
from sudoku.formats.json_format.reader import LONGEST, read_values
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
    return start[:1] == "[" and start[1:].lstrip()[:1] == "{" and '"puzzle"' in head


def by_value(
    parse: Callable[[Any, Layout | None, int], Record],
) -> Callable[[BufferedInput, Layout | None], Iterator[Record | PuzzleError]]:
    """A reader of JSON files with a puzzle in each value.

    `parse` is called with a value, the layout, and the number of the line where the value begins.
    """

    def read(stream: BufferedInput, layout: Layout | None) -> Iterator[Record | PuzzleError]:
        for found in read_values(stream):
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
    grid = parse(_text(value, "puzzle"), layout)
    filled = digits_filled_in(_text(value, "filled"), grid) if value.get("filled") else None
    solved = _text(value, "solution") if value.get("solution") else ""
    solution = full_solution(solved, grid.layout) if solved else None
    about = value.get("about") or {}
    if not isinstance(about, dict) or not all(isinstance(text, str) for text in about.values()):
        raise PuzzleError("about must be an object of strings")
    rest = _text(value, "remark") if value.get("remark") else ""
    marks = _marks(value.get("marks"), grid.layout)
    return Record(
        grid, number, rest, filled, marks, solution, about, warning=warning_of(grid.layout)
    )


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
    by_value(record_of),
    _write,
    unknown_rule,
    frozenset({SOLUTION, REMARK, PLACED, MARKS, ABOUT}),
)
