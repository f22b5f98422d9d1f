"""The format `solo`: the game IDs of Solo, in Simon Tatham's Portable Puzzle Collection.

    3x3:5_3b7d6b1_9_5c...        a letter for 1 to 26 blanks, `_` between two digits
    9jx:a5...,f_a_c...           a jigsaw with diagonals; after the comma the borders of regions
    3x3k:zzc...,a_d...,7b12...   a killer: the borders of its cages, and the sums in them

The borders are those between columns, row by row, and then those between rows, column by column.
`_` is a border, `a` to `y` are 1 to 25 places without a border and then one, `z` is 25 places
without; at the end there is one more. What players call `#` and a number is a random seed.

Source: https://www.chiark.greenend.org.uk/~sgtatham/puzzles/, solo.c (`encode_puzzle_desc`). Its
pages have such an ID after the `#` of their address.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from sudoku.board.grid import Grid
from sudoku.board.layout import MAX_SIDE, Layout
from sudoku.errors import LayoutError, PuzzleError, counted, shorten
from sudoku.formats.jigsaw import is_jigsaw
from sudoku.formats.record import REMARK, Record, first_field, line_format, shape
from sudoku.rules import Cage
from sudoku.rules.layouts import diagonal, jigsaw, killer

__all__ = ["SOLO", "is_solo", "parse_solo"]

_ID = re.compile(
    r"(\d{1,2})(?:x(\d{1,2}))?((?:j|x|k|a|r\d|md?\d|d[tbiaeu])*)(?:(#)\S+|:([0-9a-z_,]+))"
)
_TOKEN = re.compile(r"[1-9]\d{0,3}|[a-z_]")


def is_solo(text: str) -> bool:
    """Whether a text has the form of an ID."""
    return _ID.fullmatch(text) is not None


def _detect(head: str, comments: list[str]) -> bool:
    return is_solo((head.split(None, 1) or [""])[0])


def parse_solo(text: str, layout: Layout | None = None) -> Record:
    """The record of an ID, which a remark may follow; `PuzzleError` for others."""
    field, rest = first_field(text)
    found = _ID.fullmatch(field)
    if not found:
        raise PuzzleError("the form is 3x3: and the cells, as in Solo's Specific Game")
    tall, wide, options = int(found[1]), int(found[2] or found[1]), found[3]
    if found[4]:
        raise PuzzleError("a random seed, not a puzzle: copy the ID with a colon (Game, Specific)")
    is_jigsaw = "j" in options
    side = tall if is_jigsaw and not found[2] else tall * wide
    if not 1 <= side <= MAX_SIDE:
        raise PuzzleError(f"a grid of side {side}; at most {MAX_SIDE} is read")
    is_killer = "k" in options

    def places(block: list[int]) -> list[tuple[int, int]]:
        return [(cell // side + 1, cell % side + 1) for cell in block]

    parts = found[5].split(",")
    if len(parts) != 1 + is_jigsaw + 2 * is_killer:
        what = "cells" + ", borders of regions" * is_jigsaw + ", borders of cages, sums" * is_killer
        raise PuzzleError(f"{counted(len(parts), 'field')} with commas between; expected {what}")
    cells = _numbers(parts[0], side, side)
    base = jigsaw(map(places, _blocks(parts[1], side))) if is_jigsaw else Layout(tall, wide)
    base = diagonal(base) if "x" in re.sub(r"md?\d|d[a-z]", "", options) else base
    if is_killer:
        sums = _numbers(parts[-1], side, side * (side + 1) // 2)
        cages = [(sums[block[0]] or None, places(block)) for block in _blocks(parts[-2], side)]
        base = killer(cages, base=base)
    return Record(Grid.from_cells(tuple(cells), base), rest=rest)


def _numbers(text: str, side: int, most: int) -> list[int]:
    """The number of each cell, 0 for none."""
    cells: list[int] = []
    for token in _TOKEN.findall(text):
        if token.isdecimal():
            cells.append(int(token))
        elif token != "_":
            cells += [0] * (ord(token) - 96)
    if "".join(_TOKEN.findall(text)) != text or max(cells, default=0) > most:
        raise PuzzleError(f"numbers must be from 1 to {most}, with letters or _ between", text=text)
    if len(cells) != side * side:
        raise PuzzleError(f"{counted(len(cells), 'cell')}; the grid has {side * side}", text=text)
    return cells


def _blocks(text: str, side: int) -> list[list[int]]:
    """The cells of each region or cage, from borders."""
    wrong = re.search(r"[^a-z_]", text)
    if wrong:
        raise PuzzleError(f"{wrong[0]!r} among borders; they are letters and _", text=text)
    sizes = (0 if c == "_" else min(ord(c) - 96, 25) for c in text)
    open_ = "".join("-" * size + "|" * (c != "z") for size, c in zip(sizes, text, strict=True))
    pairs = _neighbours(side)
    if len(open_) != len(pairs) + 1:
        raise PuzzleError(f"{len(open_)} borders; the grid has {len(pairs) + 1}", text=text)
    block = list(range(side * side))

    def first(cell: int) -> int:
        while block[cell] != cell:
            cell = block[cell]
        return cell

    for (a, b), border in zip(pairs, open_, strict=False):
        if border == "-":
            low, high = sorted((first(a), first(b)))
            block[high] = low
    blocks: dict[int, list[int]] = {}
    for cell in range(side * side):
        blocks.setdefault(first(cell), []).append(cell)
    return list(blocks.values())


def _neighbours(side: int) -> list[tuple[int, int]]:
    """The pairs of neighbouring cells, in the order of the borders."""
    numbers, lower = range(side), range(side - 1)
    beside = [(row * side + column, row * side + column + 1) for row in numbers for column in lower]
    below = [
        (row * side + column, (row + 1) * side + column) for column in numbers for row in lower
    ]
    return beside + below


# -- writing -------------------------------------------------------------------------------------


def _text(grid: Grid) -> str:
    """The ID of a grid; where Solo has no such puzzle, that of another."""
    layout = grid.layout
    side, places = layout.side, layout.index
    parts = [_written_numbers(grid.cells)]
    name = f"{layout.box_rows}x{layout.box_columns}" if layout.box_rows else f"{side}j"
    name += "x" * (len(layout.houses) > 3 * side) + "k" * bool(layout.rules)
    if not layout.box_rows:
        regions = layout.houses[2 * side : 3 * side]
        parts.append(_written_blocks([house.cells for house in regions], side))
    if layout.rules:
        cages = [sorted(places[cell] for cell in rule.cells) for rule in layout.rules]
        totals = [0] * (side * side)
        for cage, rule in zip(cages, layout.rules, strict=True):
            totals[cage[0]] = getattr(rule, "total", 0)
        parts += [_written_blocks(cages, side), _written_numbers(totals)]
    return f"{name}:{','.join(parts)}"


def _written_numbers(numbers: Sequence[int]) -> str:
    parts = []
    for is_number, run in groupby(numbers, bool):
        some = list(run)
        if is_number:
            parts.append("_".join(map(str, some)))
        else:
            parts.append("z" * ((len(some) - 1) // 26) + chr(97 + (len(some) - 1) % 26))
    return "".join(parts)


def _written_blocks(blocks: Iterable[Sequence[int]], side: int) -> str:
    owner = {cell: number for number, block in enumerate(blocks) for cell in block}
    made, run = [], 0
    for a, b in [*_neighbours(side), (-1, -2)]:
        if owner.get(a, -1 - a) == owner.get(b, -1 - b):
            run += 1
            continue
        made.append("z" * ((run - 1) // 25) + chr(97 + (run - 1) % 25) if run else "_")
        run = 0
    return "".join(made)


def _refuses(grid: Grid) -> str | None:
    """Refuses what is not read again as it was: cages without a sum, or that lie apart."""
    layout = grid.layout
    plain = layout.is_square and (layout.box_rows or is_jigsaw(layout))
    if plain and all(type(rule) is Cage and rule.total for rule in layout.rules):
        try:
            again = parse_solo(_text(grid)).grid.layout
        except (PuzzleError, LayoutError):
            return f"cannot hold {shape(layout)}"
        same = {house.cells for house in again.houses} == {house.cells for house in layout.houses}
        if same and {*map(_cage, again.rules)} == {*map(_cage, layout.rules)}:
            return None
    return f"cannot hold {shorten(shape(layout))}"


def _cage(rule: object) -> tuple[object, frozenset[object]]:
    assert isinstance(rule, Cage)
    return rule.total, frozenset(rule.cells)


SOLO = line_format(
    "solo",
    "the game IDs of Simon Tatham's Solo",
    _detect,
    parse_solo,
    lambda record, lost: [_text(record.grid)],
    _refuses,
    [REMARK],
)
