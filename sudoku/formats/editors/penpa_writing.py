"""Writes links of penpa+ (the format `penpa`); `penpa.py` describes and reads them.

The text has the nineteen lines that penpa+ writes itself. Cages get the dashed outline that its
editor draws for them.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from sudoku.board.cells import Cell
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.errors import LayoutError, PuzzleError
from sudoku.formats.editors.drawn_rules import drawn_rules
from sudoku.formats.editors.penpa import (
    BORDERS,
    DASHED,
    ESCAPES,
    LARGEST,
    LONGEST_LINK,
    SHORT_NAMES,
    is_penpa,
    parse_penpa,
)
from sudoku.formats.editors.penpa_drawings import Points
from sudoku.formats.record import (
    ABOUT,
    PLACED,
    REMARK,
    Format,
    Lost,
    Record,
    line_format,
    shape,
)
from sudoku.rules import Arrow, Cage, Dot, Drawings, Rule, Shape, Thermometer
from sudoku.rules.drawings import shapes_of

__all__ = ["penpa_format", "penpa_link"]

SITE: Final = "https://swaroopg92.github.io/penpa-edit/#m=edit&p="
SIZE: Final = 38  # the width of a cell on the page, in pixels
CAGE: Final = 10  # the style of a cage's dashed line
DOTS: Final = {"white": 8, "black": 2}
"""The styles of small circles."""
DOT_WORDS: Final = {
    "white": "A white dot joins consecutive digits.",
    "black": "A black dot joins a digit and its double.",
}

Json = dict[str, Any]

_LISTS: Final = (
    "thermo", "arrows", "direction", "squareframe", "polygon", "killercages", "nobulbthermo",
)  # fmt: skip
_LAYER: Final = (
    "command_redo", "command_undo", "command_replay", "surface", "number", "numberS", "symbol",
    "freeline", "freelineE", "thermo", "arrows", "direction", "squareframe", "polygon", "line",
    "lineE", "wall", "cage", "deletelineE", "killercages", "nobulbthermo",
)  # fmt: skip
_MODE: Final = {
    "surface": ["", 1], "line": ["1", 2], "lineE": ["1", 2], "wall": ["", 2], "cage": ["1", 10],
    "number": ["1", 1], "symbol": ["circle_L", 1], "special": ["thermo", ""], "board": ["", ""],
    "move": ["1", ""], "combi": ["battleship", ""], "sudoku": ["1", 1],
}  # fmt: skip
_PLAYER_MODE: Final = {
    "line": ["1", 3], "lineE": ["1", 3], "wall": ["", 3], "number": ["1", 2], "sudoku": ["1", 9],
}  # fmt: skip
_CHECKED: Final = (
    "surface", "number", "loopline", "ignoreloopline", "loopedge", "ignoreborder", "wall",
    "square", "circle", "tri", "arrow", "math", "battleship", "tent", "star", "akari", "mine",
)  # fmt: skip
"""The parts of an answer that the editor can check, none of which is asked for."""


def penpa_link(record: Record) -> str:
    """The link of a puzzle; `PuzzleError` for a layout or a rule that it cannot hold."""
    layout = record.grid.layout
    side = layout.side
    if not layout.is_square:
        raise PuzzleError(f"cannot hold {shape(layout)}")
    board = Points(side + 4, side + 4, 2, 2, side)
    question, player = _empty_layer(), _empty_layer()
    question["number"] = {
        _center(board, cell): [str(digit), 1, "1"] for cell, digit in record.grid.values.items()
    }
    for cell, digit in _player_digits(record):
        player["number"][_center(board, cell)] = [str(digit), 2, "1"]
    question["lineE"] = _borders(layout, board) | _diagonals(layout, board)
    for rule in layout.rules:
        _add(rule, question, board, layout)
    words = _words(record, layout)
    lines = [
        _header(record, words, board, layout),
        "[0,0,0,0]",
        _json(_mode("number")),
        _json(question),
        _json(player),
        _json(_steps(board)),
        "[]",
        _json(dict.fromkeys((f"sol_{name}" for name in _CHECKED), False)),
        '"x"',
        '"x"',
        "[3,0,10]",
        _json(_mode("number")),
        '"x"',
        "0",
        _json(_empty_layer()),
        _json(_empty_layer()),
        _json({f"sol_or_{name}": False for name in _CHECKED if not name.startswith("ignore")}),
        "[]",
        "false",
    ]
    text = "\n".join(lines)
    for name, short in SHORT_NAMES:
        text = text.replace(name, short)
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    data = packer.compress(text.encode(errors="replace")) + packer.flush()
    return SITE + b64encode(data).decode()


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _empty_layer() -> Json:
    made: Json = {name: [] if name in _LISTS else {} for name in _LAYER}
    for name in _LAYER[:3]:
        made[name] = {"__a": []}
    return made


def _mode(tool: str) -> Json:
    """The settings of the editor: the tool for drawing, and those of the player."""
    drawing = {"edit_mode": tool, **_MODE}
    return {
        "qa": "pu_q",
        "grid": ["1", "2", "1"],
        "pu_q": drawing,
        "pu_a": {**drawing, "edit_mode": "surface", **_PLAYER_MODE},
    }


def _header(record: Record, words: str, board: Points, layout: Layout) -> str:
    n, wide = board.side, board.wide
    half = n // 2
    center = half + 2 + (half + 2) * wide  # a cell, or for an even side a corner of four
    if n % 2 == 0:
        center = wide * board.high + half + 1 + (half + 1) * wide
    known = _diagonals_of(layout)
    flags = [int(cells in known) for _, _, cells in board.diagonals()]
    pixels = SIZE * (n + 1)
    parts = ["sudoku" if any(flags) else "square", n, n, SIZE, 0, 1, 1, pixels, pixels]
    parts += [center, center, flags[0], 0, 0, flags[1]]
    title, author = (record.about.get(name, "") for name in ("title", "author"))
    texts = [f"Title: {title}", f"Author: {author}", "", words]
    return ",".join([*map(str, parts), *map(_escaped, texts), "OFF", "false"])


def _escaped(text: str) -> str:
    text = "\n".join(text.splitlines())
    for code, character in ESCAPES:
        text = text.replace(character, code)
    return text


def _words(record: Record, layout: Layout) -> str:
    """The setter's words, with what dots mean if they do not say it."""
    words = record.about.get("description", "")
    colors = dict.fromkeys(rule.color for rule in layout.rules if type(rule) is Dot)
    fills = {"white": "#ffffff", "black": "#000000"}
    for color in colors:
        sample = Shape("circle", ((0.5, 1.0),), 0.26, 0.26, "#000000", fills[color])
        if not drawn_rules([sample], words, layout, only="dot").rules:
            words = f"{words} {DOT_WORDS[color]}".strip()
    return words


def _player_digits(record: Record) -> Iterator[tuple[Cell, int]]:
    """The digits of the player's layer, without the givens."""
    layout = record.grid.layout
    placed = record.placed or ""
    line = placed if "." in placed else ""  # a full grid would be read as the solution
    for cell, digit in zip(layout.positions, line, strict=False):
        if digit != "." and cell not in record.grid.values:
            yield cell, layout.symbols.index(digit) + 1


def _number(board: Points, cell: Cell) -> int:
    return (cell[0] + 1) * board.wide + cell[1] + 1


def _center(board: Points, cell: Cell) -> str:
    return str(_number(board, cell))


def _steps(board: Points) -> list[int]:
    """The cells of the grid: the first, then the differences."""
    numbers = range(1, board.side + 1)
    cells = [_number(board, (row, column)) for row in numbers for column in numbers]
    return [cells[0], *(b - a for a, b in pairwise(cells))]


# -- houses --------------------------------------------------------------------------------------


def _borders(layout: Layout, board: Points) -> Json:
    """Thick lines between the boxes or regions."""
    side, found = layout.side, {}
    owner = {}
    for number, house in enumerate(layout.houses[2 * side : 3 * side]):
        for cell in house.cells:
            owner[layout.positions[cell]] = number
    corner = board.wide * board.high
    for row, column in layout.positions:
        at = corner + _number(board, (row, column))  # the lower right corner of the cell
        if row < side and owner.get((row, column)) != owner.get((row + 1, column)):
            found[f"{at - 1},{at}"] = BORDERS[0]
        if column < side and owner.get((row, column)) != owner.get((row, column + 1)):
            found[f"{at - board.wide},{at}"] = BORDERS[0]
    return found


def _diagonals_of(layout: Layout) -> list[list[Cell]]:
    houses = [house for house in layout.houses if house.kind == "diagonal"]
    return [[layout.positions[cell] for cell in house.cells] for house in houses]


def _diagonals(layout: Layout, board: Points) -> Json:
    known = _diagonals_of(layout)
    return {
        f"{min(line)},{max(line)}": DASHED
        for _, lines, cells in board.diagonals()
        if cells in known
        for line in lines
    }


# -- rules ---------------------------------------------------------------------------------------


def _add(rule: Rule, question: Json, board: Points, layout: Layout) -> None:
    """Adds the drawing of a rule."""
    if type(rule) is Thermometer:
        question["thermo"].append([_number(board, cell) for cell in rule.cells])
    elif type(rule) is Arrow and len(rule.circle) == 1:
        question["arrows"].append([_number(board, cell) for cell in rule.cells])
    elif type(rule) is Cage:
        cells = sorted(rule.cells)
        question["killercages"].append([_number(board, cell) for cell in cells])
        question["cage"].update(_outline(cells, board))
        if rule.total is not None:
            question["numberS"][board.corner_key(cells[0])] = [f" {rule.total}", 1]
    elif type(rule) is Dot:
        first, second = sorted((rule.first, rule.second))
        kind = 2 if first[0] < second[0] else 3  # the lower or the right edge of the first
        point = kind * board.wide * board.high + _number(board, first)
        question["symbol"][str(point)] = [DOTS[rule.color], "circle_SS", 2]
    elif type(rule) is not Drawings:
        raise PuzzleError(f"cannot hold the rule {type(rule).__name__}")


def _outline(cells: Sequence[Cell], board: Points) -> Json:
    """The dashed line around a cage, between the points in the corners of its cells."""
    inside, found = set(cells), {}

    def corner(cell: Cell, part: int) -> int:
        return int(board.corner_key(cell)) + part

    for cell in cells:
        row, column = cell
        right, below = (row, column + 1), (row + 1, column)
        # Points 0 to 3: upper left, upper right, lower left, lower right.
        for down, across, one, two in ((-1, 0, 0, 1), (1, 0, 2, 3), (0, -1, 0, 2), (0, 1, 1, 3)):
            if (row + down, column + across) not in inside:
                found[f"{corner(cell, one)},{corner(cell, two)}"] = CAGE
            if (
                right in inside
                and down
                and not {(row + down, column), (row + down, column + 1)} <= inside
            ):
                found[f"{corner(cell, two)},{corner(right, one)}"] = CAGE
            if (
                below in inside
                and across
                and not {(row, column + across), (row + 1, column + across)} <= inside
            ):
                found[f"{corner(cell, two)},{corner(below, one)}"] = CAGE
    return found


# -- the format ----------------------------------------------------------------------------------


def _detect(head: str, comments: list[str]) -> bool:
    return is_penpa(head.lstrip())


def _fields(record: Record, lost: Lost) -> list[str]:
    if shapes_of(record.grid.layout):
        lost(record, "drawings")
    if record.placed and "." not in record.placed and record.placed != record.grid.line:
        lost(record, PLACED)
    about = {}
    for name, text in record.about.items():
        if name in ("title", "author", "description") and len(text) < LARGEST // 8:
            about[name] = text
        else:
            lost(record, f"its {name}")
    return [penpa_link(replace(record, about=about))]


def _refuses(grid: Grid) -> str | None:
    """Why a link cannot hold a puzzle: what is read from it has other houses or rules."""
    layout = grid.layout
    plain = [rule for rule in layout.rules if type(rule) is not Drawings]
    try:
        link = penpa_link(Record(grid))
        again = parse_penpa(link).grid
    except PuzzleError as error:
        return error.what if error.what.startswith("cannot") else f"cannot hold {shape(layout)}"
    except LayoutError:
        return f"cannot hold {shape(layout)}"
    if len(link) > LONGEST_LINK // 2:  # the rest is for other parts
        return f"cannot hold a layout with {len(layout.rules):,} rules"
    houses = [{house.cells for house in each.layout.houses} for each in (grid, again)]
    if houses[0] != houses[1] or again.cells != grid.cells:
        return f"cannot hold {shape(layout)}"
    missing = next((rule for rule in plain if rule not in again.layout.rules), None)
    if missing is not None or len(plain) != len(again.layout.rules):
        return f"cannot hold the rule {missing or plain[0]}"
    return None


def penpa_format(read: Any) -> Format:
    """The format, with a function that reads the record of a line with a link."""
    return line_format(
        "penpa",
        "links of penpa+: givens, regions, diagonals, cages, thermometers, arrows, dots",
        _detect,
        read,
        _fields,
        _refuses,
        [PLACED, ABOUT, REMARK],
    )
