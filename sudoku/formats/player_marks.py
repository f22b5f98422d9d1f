"""`read_marks`, which reads a player's pencil marks for a puzzle from any text that has them.

The marks of a player do not restrict the puzzle, so they are read for a puzzle that is known: as
rows of groups of digits, as one character for each digit of each cell, as a JSON list, in the form
that `sudoku show --candidates` prints, or from any format whose `Record.marks` has notes.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from math import ceil, isqrt
from textwrap import dedent

from sudoku.board.cells import BLANKS, cell_name, symbol
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.board.parse import plain_zeros
from sudoku.errors import PuzzleError, counted, shorten
from sudoku.formats import detect, load
from sudoku.formats.record import MARKS, Record

__all__ = ["read_marks"]

_LINES = r"[-=+|*.:'`,\s\u2500-\u257f]*"
_RULES = re.compile(rf"{_LINES}(?:--|==|[\u2500\u2550]){_LINES}")
_EDGE = re.compile(r"[+=. ]*\+=[+=. ]*")
_BETWEEN = re.compile(r"[|+:*\[\]{}()\u2500-\u257f]")


def read_marks(text: str, puzzle: Grid) -> Record:
    """The puzzle with the marks of a text and, if the text has them, the digits filled in.

    Bit d of a cell's marks is for digit d; 0 if the text has nothing written in the cell.

    >>> grid = Grid("1... .2.. ..3. ...4")
    >>> record = read_marks("1 34 24 23 | 34 . . 13 | 24 14 3 12 | 23 13 12 4", grid)
    >>> [bin(marks) for marks in record.marks[:6]]
    ['0b10', '0b11000', '0b10100', '0b1100', '0b11000', '0b0']

    Raises `PuzzleError` if the text has no marks for this puzzle. O(characters).
    """
    layout = puzzle.layout
    if text.lstrip()[:1] == "[" and (listed := _from_list(text, layout)) is not None:
        return Record(puzzle, marks=listed)
    marks = (
        _from_figures(text, layout) or _from_characters(text, layout) or _from_groups(text, layout)
    )
    if marks is not None:
        return Record(puzzle, marks=marks)
    return _from_format(text, puzzle)


def _from_list(text: str, layout: Layout) -> tuple[int, ...] | None:
    """The marks of a JSON list with a list of digits for each cell; None if it is another text."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    if not isinstance(value, list) or not all(isinstance(digits, list) for digits in value):
        return None
    if len(value) != layout.size:
        raise PuzzleError(f"marks for {counted(len(value), 'cell')}; the grid has {layout.size}")
    for digits in value:
        for digit in digits:
            if type(digit) is not int or not 1 <= digit <= layout.side:
                raise PuzzleError(
                    f"{shorten(repr(digit))} among the marks is not a digit from 1 to {layout.side}"
                )
    return tuple(sum(1 << digit for digit in set(digits)) for digits in value)


def _from_figures(text: str, layout: Layout) -> tuple[int, ...] | None:
    """The marks of a text as `sudoku show --candidates` prints it; None if it is another text.

    A cell is a small grid with a place for each digit; a digit in the middle of an otherwise empty
    cell is filled in.
    """
    wide = isqrt(layout.side - 1) + 1
    tall = ceil(layout.side / wide)
    lines = dedent(text.strip("\n")).rstrip().splitlines()
    if len(lines) != (tall + 1) * layout.height + 1 or not _EDGE.fullmatch(lines[0]):
        return None
    places = {(digit // wide, 2 * (digit % wide)): digit + 1 for digit in range(layout.side)}
    middle = (tall // 2, wide - 1)
    marks = []
    for row, column in layout.positions:
        first = (2 * wide + 2) * (column - 1) + 2
        found = {
            (down, across): layout.symbols.find(character.upper()) + 1
            for down in range(tall)
            for across, character in enumerate(
                lines[(tall + 1) * (row - 1) + 1 + down][first : first + 2 * wide - 1]
            )
            if character != " "
        }
        if all(places.get(place) == digit for place, digit in found.items()):
            marks.append(sum(1 << digit for digit in found.values()))
        elif list(found) == [middle] and found[middle]:
            marks.append(1 << found[middle])
        else:
            return None
    return tuple(marks)


def _from_characters(text: str, layout: Layout) -> tuple[int, ...] | None:
    """The marks of a text with a character for each digit of each cell; None if it has others."""
    side = layout.side
    characters = plain_zeros("".join(text.split()).upper(), side)
    if len(characters) != side * layout.size:
        return None
    marks = []
    for start in range(0, len(characters), side):
        found = 0
        for digit, (read, own) in enumerate(
            zip(characters[start : start + side], layout.symbols, strict=True), start=1
        ):
            if read == own:
                found |= 1 << digit
            elif read not in BLANKS:
                return None
        marks.append(found)
    return tuple(marks)


def _from_groups(text: str, layout: Layout) -> tuple[int, ...] | None:
    """The marks of a text with a group of digits for each cell, in rows; None if it has others.

    Rules and bars between boxes are ignored. A group that is a blank is a cell without marks.
    """
    groups = [group for line in text.splitlines() for group in _groups(line)]
    if len(groups) != layout.size:
        return None
    marks = []
    for group in groups:
        if len(group) == 1 and group in BLANKS and group not in layout.symbols:
            marks.append(0)
            continue
        digits = {layout.symbols.find(character) + 1 for character in group.upper()}
        if 0 in digits or len(digits) != len(group):
            return None
        marks.append(sum(1 << digit for digit in digits))
    return tuple(marks)


def _groups(line: str) -> Iterator[str]:
    """The groups of characters in a line of a grid; none in a rule or a comment."""
    if not (_RULES.fullmatch(line) or line.lstrip().startswith("#")):
        yield from _BETWEEN.sub(" ", line).replace(",", "").split()


def _from_format(text: str, puzzle: Grid) -> Record:
    """The marks of a file in a format that has notes, which may hold several puzzles."""
    data = text.encode(errors="replace")
    if MARKS not in detect(data).holds:
        what = "the text has no pencil marks for the cells of the puzzle"
        raise PuzzleError(what, text=text.strip())
    records = [
        record
        for record in load(io.BytesIO(data), puzzle.layout)
        if record.marks is not None or record.placed is not None
    ]
    for record in records:
        if record.grid.cells == puzzle.cells:
            return record
    if not records:
        raise PuzzleError("the file has puzzles without pencil marks")
    differing = (
        f": {cell_name(*place)} is {symbol(there)} there and {symbol(here)} in the puzzle"
        for place, there, here in zip(
            puzzle.layout.positions, records[0].grid.cells, puzzle.cells, strict=False
        )
        if there != here
    )
    raise PuzzleError(f"the pencil marks are of another puzzle{next(differing, '')}")
