"""Parses the text or the rows of exactly one puzzle into the numbers in its cells.

A text is one line of side x side characters, or several lines. White space, `|`, `+` and box
drawing characters are ignored everywhere, and so are *rulers*, the lines between the boxes of a
drawn grid. The blanks are `. 0 - _ *`.

But `0` is a digit when the side is 36. It is the largest digit on sides from 10 to 35, too, where
there is another blank and no symbol of that digit: some write the digits of 16x16 as 0-9 and A-F,
others as 1-9, A-F and 0. Where that would be a guess, the text is an error (`zero_doubt`).

And `-` is ambiguous: a line of dashes only (perhaps with `|` and spaces) is a ruler or an empty
row. A dash line with a `+` is always a ruler. For the other dash lines there are three readings:

    1. all are rulers,
    2. those as wide as the other rows are empty rows, the others are rulers,
    3. all are empty rows.

The parser takes the first reading that is a single line, or a grid whose rows all have the right
width. If there is none, it takes the first one with the right number of cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import isqrt
from operator import index

from dlx.named_tuple import NamedTuple
from sudoku.board.cells import BLANKS, MAX_SIDE, SYMBOLS, cell_name, is_iterable
from sudoku.board.layout import Layout, layout_cache, size_meant, usual_layouts
from sudoku.board.notations import (
    TOO_LARGE,
    frame_rows,
    letters_as_digits,
    numbers_as_symbols,
    usual_characters,
)
from sudoku.errors import PuzzleError, counted, shown

__all__ = [
    "ALLOWED",
    "BLANKS",
    "Cells",
    "decode",
    "layout_of",
    "plain_zeros",
    "read_puzzle",
    "read_rows",
    "read_text",
    "strip_rules",
    "zero_doubt",
]

Cells = tuple[int, ...]

IGNORED = " \t\v\f\xa0\ufeff|+" + "".join(map(chr, range(0x2500, 0x2580)))
_DROP = dict.fromkeys(map(ord, IGNORED))

_DIGITS = SYMBOLS[:-1]  # all but the 0


def _value_table(zero: int) -> bytes:
    """The value of each character, as a table for `bytes.translate`; `0` has the value `zero`."""
    table = bytearray(256)
    for value, character in enumerate(_DIGITS, 1):
        table[ord(character)] = table[ord(character.lower())] = value
    table[ord("0")] = zero
    return bytes(table)


ZERO = "\0"  # the number 0 among characters

# With these tables, two calls of `bytes.translate` check and convert a whole puzzle.
_VALUES = {side: _value_table(36 if side == 36 else 0) for side in (9, 36)}
ALLOWED = [
    (BLANKS + SYMBOLS[:side] + SYMBOLS[:side].lower()).encode() for side in range(MAX_SIDE + 1)
]
"""For each side the characters that are valid in a cell."""


def decode(text: str, side: int) -> Cells | None:
    """The values of a text of cells of a grid of that side; None if it has other characters."""
    if not text.isascii():
        return None
    raw = plain_zeros(text, side).encode()
    if raw.translate(None, ALLOWED[side]):
        return None
    return tuple(raw.translate(_VALUES[36 if side == 36 else 9]))


def plain_zeros(text: str, side: int, *, full: bool = False) -> str:
    """The cells of a grid of that side, with the symbol of the largest digit for a `0` that is it.

    `full` is for a text in which a `0` for each row and no other blank are digits, too.

    >>> plain_zeros("10..A.....", 10), plain_zeros("109.......", 10), plain_zeros("1000000000", 10)
    ('10..A.....', '1A9.......', '1000000000')
    """
    if not 9 < side < MAX_SIDE or "0" not in text or SYMBOLS[side - 1] in text.upper():
        return text
    other_blanks = any(blank in text for blank in BLANKS if blank != "0")
    is_digit = other_blanks or (full and text.count("0") * side == len(text))
    return text.replace("0", SYMBOLS[side - 1]) if is_digit else text


def zero_doubt(text: str, layout: Layout) -> str | None:
    """Why it is unknown what `0` is in a text with the cells of a grid; None if it is known."""
    side = layout.side
    if side < 10 or "0" not in text:
        return None
    top, plain = SYMBOLS[side - 1], plain_zeros(text, side)
    if side == MAX_SIDE:
        count = text.count("0")
        if count > side and layout.is_square and not any(b in text for b in BLANKS if b != "0"):
            return f"`0` is the digit 36 in a grid of side 36, no blank; {count} cells have it"
    elif plain != text and not all(rule.digits_alike for rule in layout.rules):
        return (
            f"is `0` the largest or the smallest digit? The rules of {layout} compare digits; "
            f"write them as {_digits_in_words(side)}"
        )
    elif plain != plain_zeros(text, side, full=True):
        return f"is `0` a blank or a digit? Write {top} for the digit, or . for a blank"
    return None


def strip_rules(line: str) -> str:
    """The line without white space, `|`, `+` and box drawing characters."""
    return line.translate(_DROP)


class _GridLine(NamedTuple):
    """A line of a text that may be a row of a grid."""

    number: int  # of the line, from 1
    line: str
    cells: str  # the line without ignored characters
    is_dashes: bool


def layout_of(cells: int, layout: Layout | None = None) -> Layout | None:
    """The layout of a puzzle with that number of cells, or None.

    It is `layout` if that has as many cells; without `layout`, the usual one of that size.
    """
    if layout is None:
        return usual_layouts().get(cells)
    return layout if layout.size == cells else None


def read_text(text: str, layout: Layout | None = None) -> tuple[Cells, Layout]:
    """The cells of the one puzzle in `text`, and its layout; raises `PuzzleError` for other texts.

    The text may have a `#`, or nothing, for each gap of the layout.
    """
    return read_puzzle(text, layout)[:2]


def read_puzzle(text: str, layout: Layout | None = None) -> tuple[Cells, Layout, str]:
    """The same for a text in any of the notations of `sudoku.board.notations`, and its letters.

    The letters are those of the digits 1, 2, ... where the text has letters for all digits, or "".
    """
    text = usual_characters(text)
    failed: PuzzleError | None = None
    if framed := frame_rows(text.splitlines(), layout):
        if len(framed) % len(framed[0]):
            what = f"{counted(len(framed), 'row')}; the grid has {len(framed[0])}"
            failed = PuzzleError(what, text=text)
        else:
            text = "\n".join(framed)
    try:
        return (*_read_usual(text, layout), "")
    except PuzzleError as error:
        cells = "".join(row.cells for row in _rows_of(text) if not row.is_dashes)
        fitting = layout_of(len(cells), layout)
        found = letters_as_digits(cells, fitting.side) if fitting else None
        if fitting is None or found is None:
            raise failed or error from None
        return decode(found[0], fitting.side) or (), fitting, found[1]


def _read_usual(text: str, layout: Layout | None) -> tuple[Cells, Layout]:
    """The cells and the layout of a text of digits and blanks."""
    if layout is not None and "#" in text:
        text = strip_gaps(text, layout)
    text = plain_blanks(text)
    fitting = layout_of(len(text), layout)
    if fitting is not None:
        cells = decode(text, fitting.side)
        if cells is not None:
            _refuse_doubt(text, fitting)
            return cells, fitting
    rows = _rows_of(text)
    if not rows:
        raise PuzzleError(f"no cells; {_right_length(81, layout)}", text=text)
    many = len(rows) > 1
    _check_symbols(rows, many)
    chosen = _choose(rows, layout)
    if chosen is None:
        raise _wrong_shape(rows, text, layout)
    joined = "".join(row.cells for row in chosen)
    fitting = layout_of(len(joined), layout)
    assert fitting is not None
    cells = decode(joined, fitting.side)
    if cells is None:
        _check_sizes(chosen, many, fitting)
    assert cells is not None
    _refuse_doubt(joined, fitting)
    return cells, fitting


def _refuse_doubt(text: str, layout: Layout) -> None:
    if (doubt := zero_doubt(text, layout)) is not None:
        raise PuzzleError(doubt, text=text)


def plain_blanks(text: str) -> str:
    """The text with `.` for `?`, if it has no other blank (dashes may be rulers).

    It is unchanged if it has no digit: a text of `?` only is not a puzzle.

    >>> plain_blanks("12??|????"), plain_blanks("1.??")
    ('12..|....', '1.??')
    """
    if "?" not in text or any(blank in text for blank in BLANKS if blank != "-"):
        return text
    return text.replace("?", ".") if any(map(str.isalnum, text)) else text


def is_frame(line: str) -> bool:
    """Whether the line is the upper or lower edge of a grid of Simple Sudoku, `*-----*`."""
    return len(line) > 10 and line[0] == line[-1] == "*" and not line.strip("*").strip("-+*")


def strip_gaps(text: str, layout: Layout) -> str:
    """The text of a grid without the `#` in the gaps of its layout.

    >>> from sudoku import layouts
    >>> twins = layouts.overlapping(["r1c1", "r3c3"], base=Layout(2, 2))
    >>> strip_gaps("1...## 3...## ...... ...... ##.... ##....", twins)
    '1...3.......................'
    >>> strip_gaps("####", layouts.overlapping(["r1c1", "r1c2"], base=Layout(1, 2)))
    Traceback (most recent call last):
    ...
    sudoku.errors.PuzzleError: 4 characters with the `#`; the layout has 6 (2 rows of 3): '####'
    """
    height, width = layout.height, layout.width
    lines = [strip_rules(line) for line in text.splitlines()]
    lines = [line for line in lines if line.strip("-")]
    joined = "".join(lines)
    if len(joined) != height * width:
        what = f"{counted(len(joined), 'character')} with the `#`; the layout has {height * width} "
        raise PuzzleError(f"{what}({height} rows of {width})", text=text)
    cells = []
    for place, character in enumerate(joined):
        row, column = place // width + 1, place % width + 1
        if (character == "#") is ((row, column) in layout.index):
            is_cell = "is a cell" if character == "#" else "is not a cell"
            what = f"{character!r} at {cell_name(row, column)}, which {is_cell}"
            raise PuzzleError(what, text=text)
        if character != "#":
            cells.append(character)
    return "".join(cells)


def _rows_of(text: str) -> list[_GridLine]:
    """The lines of a text that may be rows: not empty, no rulers with a `+`, no frames."""
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        if is_frame(line.strip()):
            continue
        cells = numbers_as_symbols(line) or line.translate(_DROP)
        is_dashes = not cells.strip("-")
        if cells and not (is_dashes and "+" in line):
            rows.append(_GridLine(number, line, cells, is_dashes))
    return rows


def _choose(rows: list[_GridLine], layout: Layout | None) -> list[_GridLine] | None:
    """The rows of the first reading that fits (see the module), or None."""
    sure = [row for row in rows if not row.is_dashes]
    widths = {len(row.cells) for row in sure}
    wide = [row for row in rows if not row.is_dashes or len(row.cells) in widths]
    readings = (sure, wide, rows)
    for reading in readings:
        fitting = _fitting(reading, layout)
        if fitting and (len(reading) == 1 or _widths(reading) == row_widths(fitting)):
            return reading
    for reading in readings:
        fitting = _fitting(reading, layout)
        # A grid with the right number of lines, but not of cells in each line, is an error.
        if fitting and fitting.height != len(reading):
            return reading
    return None


def _fitting(rows: list[_GridLine], layout: Layout | None) -> Layout | None:
    return layout_of(sum(_widths(rows)), layout)


def _widths(rows: Sequence[_GridLine]) -> list[int]:
    return [len(row.cells) for row in rows]


@layout_cache
def row_widths(layout: Layout) -> list[int]:
    """The number of cells of each row."""
    widths = [0] * layout.height
    for row, _ in layout.positions:
        widths[row - 1] += 1
    return widths


def _check_symbols(rows: list[_GridLine], many: bool) -> None:
    """Raises `PuzzleError` for a character that is neither a digit of any grid nor a blank."""
    for row, wrong in _wrong_characters(rows, MAX_SIDE):
        what = (
            "is neither a digit nor a blank; digits are 1-9, and from 10 on A-Z in larger grids, "
            f"blanks {' '.join(BLANKS)}"
        )
        raise _character_error(row, wrong, what, many)


def _check_sizes(rows: list[_GridLine], many: bool, layout: Layout) -> None:
    """Raises `PuzzleError` for a digit that the grids of that side do not have."""
    side = layout.side
    grid = _named_size(side) if layout.is_square else f"a grid of side {side}"
    for row, wrong in _wrong_characters(rows, side):
        if wrong.isdigit() or side > 9:
            what = f"is too large for {grid}; its digits are {_digits_in_words(side)}"
        else:  # letters are digits of larger grids only, which a player may not know
            what = (
                f"is neither a digit nor a blank of {grid}; "
                f"its digits are {_digits_in_words(side)}, blanks {' '.join(BLANKS)}"
            )
        raise _character_error(row, wrong, what, many)


def _digits_in_words(side: int) -> str:
    """The digits of a grid.

    >>> [_digits_in_words(side) for side in (1, 9, 10, 16)]
    ['1', '1-9', '1-9 and A', '1-9 and A-G']
    """
    plain = f"1-{min(side, 9)}" if side > 1 else "1"
    if side <= 9:
        return plain
    return f"{plain} and A" if side == 10 else f"{plain} and A-{SYMBOLS[side - 1]}"


def _wrong_characters(rows: list[_GridLine], side: int) -> Iterator[tuple[_GridLine, str]]:
    """The first character of each row that is not valid in a grid of that side."""
    allowed = ALLOWED[side].decode()
    for row in rows:
        for character in row.cells.strip(allowed)[:1]:
            yield row, character


def _character_error(row: _GridLine, character: str, what: str, many: bool) -> PuzzleError:
    line = row.number if many else None
    if character not in row.line:
        what = f"number {row.cells.index(character) + 1} of the row {what}"
        what = "a number is larger than the side" if character == TOO_LARGE else what
        return PuzzleError(what, line=line, text=row.line)
    place = row.line.index(character) + 1
    return PuzzleError(f"{character!r} (character {place}) {what}", line=line, text=row.line)


def _wrong_shape(rows: list[_GridLine], text: str, layout: Layout | None) -> PuzzleError:
    """The error for a text that no reading makes a grid."""
    sure = [row for row in rows if not row.is_dashes] or rows
    ragged = _ragged(sure) if layout is None or layout.is_square else None
    if ragged is not None:
        row, width = ragged
        what = f"a row of {counted(len(row.cells), 'cell')} in a grid of {counted(width, 'column')}"
        return PuzzleError(what, line=row.number, text=row.line)
    count = sum(len(row.cells) for row in sure)
    return PuzzleError(
        wrong_length(count, layout, len(sure)), text=" / ".join(r.line for r in sure)
    )


def _ragged(rows: list[_GridLine]) -> tuple[_GridLine, int] | None:
    """The first row with another width than most rows, and the width of most rows.

    None unless there are at least three rows and more than half of them have the same width.
    """
    widths = [len(row.cells) for row in rows]
    width, number = Counter(widths).most_common(1)[0]
    if len(rows) < 3 or 2 * number <= len(rows) or width > MAX_SIDE:
        return None
    return next(((row, width) for row in rows if len(row.cells) != width), None)


def wrong_length(count: int, layout: Layout | None, lines: int = 1) -> str:
    """The message for a number of cells that no puzzle has, with the nearest possible numbers.

    >>> wrong_length(80, None)
    '80 characters; a 9x9 grid has 81'
    >>> wrong_length(254, None), wrong_length(11, Layout(3, 2))
    ('254 characters; a 16x16 grid has 256', '11 characters; a 6x6 grid (boxes 3x2) has 36')
    >>> wrong_length(50, None, lines=7)
    '50 cells in 7 lines; a 9x9 grid has 81, a 6x6 grid 36'
    >>> wrong_length(9, None)
    '9 characters; a 9x9 grid has 81, a 4x4 grid 16'
    >>> wrong_length(25, None)
    '25 characters; a 5x5 grid has no usual boxes: give its layout, such as latin-5 or a jigsaw'
    >>> wrong_length(36, Layout(6, 6))
    '36 characters; a 36x36 grid has 1296; a grid of 6x6 is called 2x3, after its boxes'
    """
    noun = "character" if lines == 1 else "cell"
    what = counted(count, noun) + (f" in {lines} lines" if lines > 1 else "")
    if layout is not None and layout.is_classic and count in (layout.side, layout.box_columns):
        # The user gave a grid of 6x6, or one of its rows, with the layout 6x6 (a side of 36).
        meant = size_meant(layout.box_rows, layout.box_columns)
        return f"{what}; {_right_length(count, layout)}{meant}"
    half = layout_of(count // 2, layout) if count % 2 == 0 else None
    if half is not None and lines in (1, 2, 2 * half.height):
        where = " on one line" if lines == 1 else ""
        return f"{what}: two puzzles{where}? {_right_length(count // 2, layout).capitalize()}"
    side = isqrt(count)
    if layout is None and count == side**2 and 4 < side <= MAX_SIDE:
        return (
            f"{what}; {_named_size(side)} has no usual boxes: give its layout, "
            f"such as latin-{side} or a jigsaw"
        )
    return f"{what}; {_right_length(count, layout)}"


def _right_length(count: int, layout: Layout | None) -> str:
    """The number of cells of a grid of the layout, or of 9x9 and of the size nearest to `count`."""
    if layout is not None:
        if not layout.is_square:
            return f"the grid {layout} has {layout.size}"
        kind = f" (boxes {layout})" if layout.is_classic else f" ({layout})"
        kind = "" if layout == usual_layouts().get(layout.size) else kind
        return f"{_named_size(layout.side)}{kind} has {layout.size}"
    nearest = min(usual_layouts(), key=lambda size: (abs(size - count), size != 81))
    if nearest == 81 or 20 * abs(nearest - count) <= nearest:
        return f"{_named_size(isqrt(nearest))} has {nearest}"
    return f"{_named_size(9)} has 81, {_named_size(isqrt(nearest))} {nearest}"


def _named_size(side: int) -> str:
    return f"{'an' if side in (8, 11, 18) else 'a'} {side}x{side} grid"


def read_rows(rows: Iterable[object], layout: Layout | None = None) -> tuple[Cells, Layout]:
    """The cells and the layout of a puzzle given as rows of cells: numbers, characters or None.

    Rows that are strings are parsed as the lines of a text. The number 0 is a blank, unless there
    are other blanks and it takes the place of the largest digit, as in 0 to 15 for a side of 16.
    """
    lines = list(rows)
    if lines and all(isinstance(line, str) for line in lines):
        return read_text("\n".join(map(str, lines)), layout)
    table: list[list[object]] = []
    for number, line in enumerate(lines, 1):
        if isinstance(line, (bytes, dict)) or not is_iterable(line):
            raise PuzzleError(f"row {number} is {shown(line)}, not a list of cells")
        table.append(list(line))
    height = layout.height if layout else len(table)
    if len(table) != height or not table:
        raise PuzzleError(f"{counted(len(table), 'row')}; the grid has {height or 9}")
    widths = row_widths(layout) if layout else [height] * height
    if layout and not layout.is_square:
        table = [_row_without_gaps(layout, number, row) for number, row in enumerate(table, 1)]
    for number, (row, width) in enumerate(zip(table, widths, strict=True), 1):
        if len(row) != width:
            raise PuzzleError(f"row {number} has {counted(len(row), 'cell')}; it needs {width}")
    layout = layout or Layout.of_side(height)
    side = layout.side
    allowed = ALLOWED[side].decode()
    characters = []
    for r, row in enumerate(table, 1):
        for c, cell in enumerate(row, 1):
            if isinstance(cell, str) and len(cell) == 1 and cell in allowed:
                characters.append(cell)
            elif cell is None or cell == " ":
                characters.append(".")
            else:
                number = _number(cell, side, f"row {r}, column {c}")
                characters.append(SYMBOLS[number - 1] if number else ZERO)
    text = "".join(characters)
    is_digit = side > 9 and any(blank in text for blank in BLANKS if blank != "0")
    is_digit = is_digit and SYMBOLS[side - 1] not in text.upper()
    text = text.replace(ZERO, "0" if is_digit else ".")
    cells = decode(text, side)
    assert cells is not None
    _refuse_doubt(text, layout)
    return cells, layout


def _row_without_gaps(layout: Layout, number: int, row: list[object]) -> list[object]:
    """The row without the values in the gaps of the layout, if it is as wide as the layout."""
    if len(row) != layout.width:
        return row
    cells = []
    for column, cell in enumerate(row, 1):
        if (number, column) in layout.index:
            cells.append(cell)
        elif cell not in (None, "#", " ", 0, "."):
            place = f"row {number}, column {column}"
            raise PuzzleError(f"{place} is {shown(cell)}, but the layout has no cell there")
    return cells


def _number(cell: object, side: int, place: str) -> int:
    """The value of a cell given as an integer; raises `PuzzleError` for other values."""
    try:
        if isinstance(cell, (str, bool)):
            raise TypeError
        value = index(cell)  # type: ignore[arg-type]  # NumPy's integers pass, floats do not
    except TypeError:
        value = -1
    if not 0 <= value <= side:
        raise PuzzleError(
            f"{place} is {shown(cell)}; write a number from 0 to {side}, "
            f"a character {_digits_in_words(side)} or a blank (. 0 None)"
        )
    return value
