"""The format `hodoku`: HoDoKu's library lines, with a position and the next step in it.

    :0709-1:56:3....876....9..+3287..3...5...:933 143 543:521 587 662::7
     code   digits  cells, + before each      deleted     removed    placed
            of the  digit that is not given   candidates  by the step
            step

A candidate is three figures: digit, row, column. Source: HoDoKu's manual and its class Sudoku2
(`getSudoku(ClipboardMode.LIBRARY)`), http://hodoku.sourceforge.net/en/libs.php. Only 9x9. The
puzzle has the givens only; the digits filled in and the candidates left become notes.
"""

from __future__ import annotations

import re

from sudoku.board.candidates import basic_marks
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.errors import PuzzleError, counted, shorten
from sudoku.formats.record import (
    ABOUT,
    MARKS,
    PLACED,
    REMARK,
    Lost,
    Record,
    line_format,
    nine_only,
)

__all__ = ["HODOKU"]

_CELL = re.compile(r"(\+?)([1-9.0])")
_STEP = ("code", "digits", "removed", "placed", "variant")
_FIELDS = {"code": "[0-9a-zA-Z-]{0,20}", "digits": "[0-9x]{0,20}"}
_TEXT = "[^:\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]{0,5000}"


def _detect(head: str, comments: list[str]) -> bool:
    return re.match(r":[0-9a-zA-Z-]*:[0-9x]*:[+0-9.]{20,}", head.lstrip()) is not None


def _parse(text: str, layout: Layout | None) -> Record:
    fields = text.split(":", 8)
    if len(fields) < 4 or fields[0]:
        raise PuzzleError(
            "not a line of HoDoKu's library, :code:digits:cells:deleted:removed:placed:"
        )
    _, code, digits, cells, *more = [field.strip() for field in fields]
    found = _CELL.findall(cells)
    if len(found) != 81 or "".join(map("".join, found)) != cells:
        raise PuzzleError(
            f"{counted(len(found), 'cell')}; a 9x9 grid has 81 (digits, + before a digit, or .)"
        )
    placed = "".join(digit for _, digit in found).replace("0", ".")
    givens = "".join("." if sign else digit for sign, digit in found).replace("0", ".")
    deleted, removed, put, variant, rest = (*more, "", "", "", "", "")[:5]
    marks = list(basic_marks(placed, Layout(3, 3)))
    for triple in deleted.split():
        if not re.fullmatch(r"[1-9]{3}", triple):
            raise PuzzleError(
                f"{shorten(triple)} is not a candidate; write digit, row and column, such as 436"
            )
        digit, row, column = map(int, triple)
        marks[9 * row + column - 10] &= ~(1 << digit)
    if (code, digits) == ("0000", "x"):  # no step
        code = digits = ""
    step = dict(zip(_STEP, (code, digits, removed, put, variant), strict=True))
    about = {f"step {name}": value for name, value in step.items() if value}
    return Record(
        Grid.from_line(givens, Layout(3, 3)),
        rest=rest,
        placed=placed,
        marks=tuple(marks) if deleted else None,
        about=about,
    )


def _fields(record: Record, lost: Lost) -> list[str]:
    givens, placed = record.grid.line, record.placed or record.grid.line
    cells = "".join(
        digit if digit in (".", given) else f"+{digit}"
        for given, digit in zip(givens, placed, strict=True)
    )
    deleted = [] if record.marks is None else _deleted(placed, record.marks)
    code, digits, removed, put, variant = _step(record, lost)
    fields = ("", code, digits, cells, " ".join(deleted), removed, put, variant)
    return [":".join(fields)]


def _step(record: Record, lost: Lost) -> list[str]:
    """The fields about the step; `lost` is called for text that cannot be one of them."""
    step = dict.fromkeys(_STEP, "")
    for name, text in record.about.items():
        field = name.removeprefix("step ")
        if name != field and field in _STEP and re.fullmatch(_FIELDS.get(field, _TEXT), text):
            step[field] = text
        else:
            lost(record, f"its {name}")
    if not step["code"]:
        if step["digits"]:
            lost(record, "its step digits")
        step["code"], step["digits"] = "0000", "x"
    return list(step.values())


def _deleted(placed: str, marks: tuple[int, ...]) -> list[str]:
    """The candidates that are possible by the rules but not in the notes."""
    return [
        f"{digit}{cell // 9 + 1}{cell % 9 + 1}"
        for cell, left in enumerate(basic_marks(placed, Layout(3, 3)))
        for digit in range(1, 10)
        if left & ~marks[cell] & 1 << digit
    ]


HODOKU = line_format(
    "hodoku",
    "HoDoKu's library lines: a position and a step",
    _detect,
    _parse,
    _fields,
    nine_only,
    [ABOUT, PLACED, MARKS, REMARK],
    sep=":",
)
