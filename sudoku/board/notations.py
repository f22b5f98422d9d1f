r"""How people write puzzles besides digits and dots, each as the usual text.

    \uff15\uff13 \xb7\xb7 \uff17        digits, letters and blanks of other scripts and fonts
    12 . 3 16 05 0             numbers with spaces, on sides from 10 up
    |   | 5 |   |              rows in a frame, with a space for a blank
    S.O.W.B.R                  letters for all digits: wordoku, and A to P in 16x16

Only a text that is no puzzle otherwise is read as one of the last two.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from string import ascii_uppercase

from sudoku.board.cells import BLANKS, SYMBOLS
from sudoku.board.layout import Layout, usual_layouts

__all__ = [
    "TOO_LARGE",
    "frame_cells",
    "frame_rows",
    "has_blanks",
    "letters_as_digits",
    "numbers_as_symbols",
    "usual_characters",
]

TOO_LARGE = "\ufffd"
"""The symbol of a number that is too large."""

BARS = "|│┃║┆┇┊┋¦"
_DOTS = dict.fromkeys("·•∙⋅‧・∘◦○◌◯□▢◻☐", ".")
_SEPARATORS = frozenset(" \t,;")
_NUMBER = re.compile(r"\d{1,2}|[.\-_*]{1,2}|")


def usual_characters(text: str) -> str:
    r"""The text with ASCII digits, letters and blanks for those of other scripts and fonts.

    >>> usual_characters("\uff15\uff13\uff0e\xb7\uff17\u25a1 \uff21 \u0663")
    '53..7. A 3'
    """
    return text if text.isascii() else "".join(map(_usual_character, text))


def _usual_character(character: str) -> str:
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    plain = unicodedata.normalize("NFKC", character)
    return plain if plain.isascii() and len(plain) == 1 else _DOTS.get(character, character)


def numbers_as_symbols(line: str) -> str | None:
    """A row, or a whole grid, of numbers with spaces or bars between them, a symbol for each.

    None for another text, and where each field is one character. A grid may have commas.

    >>> numbers_as_symbols("16 0 | 3 . | 11 12 1 2 | 0 0 0 0 | 0 0 0 0")
    'G03.BC1200000000'
    >>> numbers_as_symbols("1,0,,4," * 4)
    '10.410.410.410.4'
    """
    if line.isalnum() or not _SEPARATORS.intersection(line):
        return None
    fields = re.sub(f"[{BARS}+]", " ", line).strip(" \t,;")
    separator = re.compile(r"\s*[,;]\s*" if "," in fields or ";" in fields else r"\s+")
    found = separator.split(fields)
    if not all(map(_NUMBER.fullmatch, found)):
        return None
    sizes = usual_layouts()
    if separator.pattern == r"\s+":
        wide = [field for field in found if len(field) > 1]
        is_row = len(found) ** 2 in sizes and len(found) > 9
        # Fields of two characters each may be groups of cells, unless a 0 fills them up.
        known = len(wide) < len(found) or any(field[0] == "0" for field in wide)
        side = len(found) if is_row else round(len(found) ** 0.5)
        if not (wide and known and (is_row or len(found) in sizes)):
            return None
    elif len(found) in sizes:
        side = round(len(found) ** 0.5)
    else:
        return None
    return "".join(_symbol_of(field, side) for field in found)


def _symbol_of(field: str, side: int) -> str:
    if not field.isdecimal():
        return field[:1] or "."
    if int(field) > side:
        return TOO_LARGE
    return SYMBOLS[int(field) - 1] if int(field) else "0"


# -- frames --------------------------------------------------------------------------------------


def frame_cells(line: str) -> list[str] | None:
    """The parts of a line between the bars of a frame; None for a line without, and for a ruler.

    >>> frame_cells("|   | 5 |12 |"), frame_cells("|---+---|"), frame_cells("1 2 | 3 4")
    (['   ', ' 5 ', '12 '], None, None)
    """
    text = line.strip()
    if len(text) < 5 or text[0] not in BARS or text[-1] not in BARS:
        return None
    return re.split(f"[{BARS}]", text[1:-1]) if text.strip(f"-=+{BARS}") else None


def has_blanks(parts: Sequence[str]) -> bool:
    """Whether some cell between the bars of a frame is a space.

    >>> has_blanks([" 1 . ", " . 2 "]), has_blanks([" 1   ", "   2 "]), has_blanks(["12", " 3"])
    (False, True, True)
    """
    shown = {len(part.replace(" ", "")) for part in parts}
    wide = {len(part) for part in parts}
    if len(shown) > 1 or len(wide) > 1:
        return True
    return wide.isdisjoint(
        width for count in shown for width in (count, 2 * count - 1, 2 * count + 1)
    )


def frame_rows(lines: Sequence[str], layout: Layout | None = None) -> list[str] | None:
    """The rows, perhaps too few, of grids in frames whose blanks are spaces; None for other texts.

    >>> frame_rows(["| 1   |   4 |", "|     | 3   |", "+-----+", "|   2 |     |", "|     |   1 |"])
    ['1..4', '..3.', '.2..', '...1']
    """
    parts = [found for found in map(frame_cells, lines) if found]
    readings = []
    for read in (_cell_each, *(_box_each(*at) for at in ((0, 1), (1, 2), (0, 2)))):
        rows = [row for found in parts if (row := read(found, layout))]
        if rows and len(rows) == len(parts) and len({*map(len, rows)}) == 1:
            readings.append(rows)
    shown = {len("".join(found).replace(" ", "")) for found in parts}
    if not readings or any(shown <= {0, len(rows[0])} for rows in readings):
        return None  # no cell is a space; lines without a digit keep the others at a distance
    # The smallest grid, since all that is visible is in every reading.
    return min(readings, key=lambda rows: (len(rows) % len(rows[0]) != 0, len(rows[0])))


def _cell_each(parts: Sequence[str], layout: Layout | None) -> str | None:
    """A row with a bar between any two cells."""
    cells = [part.strip() or "." for part in parts]
    side = len(cells)
    fits = side == layout.side if layout else side * side in usual_layouts()
    good = all(len(cell) == 1 or (cell.isdecimal() and int(cell) <= side) for cell in cells)
    return "".join(_symbol_of(cell, side) for cell in cells) if fits and good else None


def _box_each(start: int, step: int) -> Callable[[Sequence[str], Layout | None], str | None]:
    """The reader of rows with bars between boxes, whose cells are at `start`, `start + step`..."""

    def read(parts: Sequence[str], layout: Layout | None) -> str | None:
        cells = [part[start::step] for part in parts]
        between = "".join(part[1 - start :: step] for part in parts) if step > 1 else ""
        side = sum(map(len, cells))
        usual = layout or usual_layouts().get(side * side)
        if between.strip() or not usual or usual.side != side:
            return None
        if {len(cell) for cell in cells} != {usual.box_columns}:
            return None
        return "".join(cells).replace(" ", ".")

    return read


# -- letters -------------------------------------------------------------------------------------


def letters_as_digits(cells: str, side: int) -> tuple[str, str] | None:
    """The cells of a grid with letters for all digits as usual symbols, and the letter of each.

    The letters are A, B, C ... if all are among the first of the alphabet; otherwise those of the
    grid in order, of which one may be missing. None for other texts.

    >>> letters_as_digits("W.RD..O. O...R..D".replace(" ", ""), 4)
    ('4.31..2.2...3..1', 'DORW')
    """
    text = cells.upper()
    found = sorted(set(text) - {*BLANKS})
    first = ascii_uppercase[:side]
    if not set(found) <= {*ascii_uppercase} or 2 * len(found) < side:
        return None
    if found[-1] in first:
        letters = first
    elif side - 1 <= len(found) <= side:
        letters = "".join(found) + SYMBOLS[len(found) : side]
    else:
        return None
    if len(letters) < side:
        return None
    return text.translate(str.maketrans(letters, SYMBOLS[:side])), letters
