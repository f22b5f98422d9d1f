"""The format `penpa`: the links of penpa+, an editor of drawings for pencil puzzles.

    https://swaroopg92.github.io/penpa-edit/#m=edit&p=7VRRb5s8FH3nV0R...

After `p=` are lines of text, compressed by raw deflate (RFC 1951) in base64, in which short names
replace the names of JSON. Line 1 has the type and the size of the grid, title, author and rules in
words; line 4 the setter's drawing (line 5 the player's), line 6 the cells of the grid. A drawing is
an object: `number` has texts, `lineE` lines on edges, `killercages` cells, and so on; places are
numbers of points of the grid with two more cells on each side.

What an object of the editor has one usual meaning for is read as a rule:

    numbers in cells, black and of the usual size     givens
    thick black borders between regions of n cells    boxes or jigsaw regions
    `thermo`, unless the words say slow               `Thermometer`
    `arrows`                                          `Arrow`
    `killercages`, with a small number in a corner    `Cage`
    the dashed lines of the option "Diagonal"         diagonals
    small white and black circles on borders          `Dot`, where the words confirm it

Everything else becomes the rule `Drawings`, which restricts nothing, and a warning. A grid whose
borders do not make n regions of n cells is an error, as are grids that are not one square.

Source: swaroopg92/penpa-edit, docs/js/class_square.js (the points), docs/js/general.js and
docs/js/class_p.js (the lines of the text and the short names), docs/js/style.js (the styles).
"""

from __future__ import annotations

import re
import zlib
from base64 import b64decode
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any, Final, NamedTuple

from sudoku.board.cells import MAX_SIDE, SYMBOLS, Cell, neighbours
from sudoku.board.layout import Layout
from sudoku.errors import LayoutError, PuzzleError, counted, foreign_errors, shown
from sudoku.formats.editors.drawn_rules import drawn_rules
from sudoku.formats.editors.penpa_drawings import Points, drawn_shapes
from sudoku.formats.editors.sudokupad_drawings import words_with_rules
from sudoku.formats.json_format.reader import loaded
from sudoku.formats.record import Record, warning_of
from sudoku.rules import Arrow, Cage, Drawings, Rule, Shape, Thermometer
from sudoku.rules.layouts import jigsaw
from sudoku.text.puzzles import parse

__all__ = ["SHORT_NAMES", "is_penpa", "parse_penpa"]

SHORT_NAMES: Final = (
    ("z", "zZ"),
    ('"qa"', "z9"),
    ('"pu_q"', "zQ"),
    ('"pu_a"', "zA"),
    ('"grid"', "zG"),
    ('"edit_mode"', "zM"),
    ('"surface"', "zS"),
    ('"line"', "zL"),
    ('"lineE"', "zE"),
    ('"wall"', "zW"),
    ('"cage"', "zC"),
    ('"number"', "zN"),
    ('"symbol"', "zY"),
    ('"special"', "zP"),
    ('"board"', "zB"),
    ('"command_redo"', "zR"),
    ('"command_undo"', "zU"),
    ('"command_replay"', "z8"),
    ('"numberS"', "z1"),
    ('"freeline"', "zF"),
    ('"freelineE"', "z2"),
    ('"thermo"', "zT"),
    ('"arrows"', "z3"),
    ('"direction"', "zD"),
    ('"squareframe"', "z0"),
    ('"polygon"', "z5"),
    ('"deletelineE"', "z4"),
    ('"killercages"', "z6"),
    ('"nobulbthermo"', "z7"),
    ('"__a"', "z_"),
    ("null", "zO"),
)
"""Texts and what is written for them; the reader replaces them in reverse order."""

ESCAPES: Final = (("%2C", ","), ("%2D", "\n"), ("%2E", "&"), ("%2F", "="))
"""Characters of the title and the rules in the first line."""

LARGEST: Final = 1 << 20  # characters of an unpacked puzzle
LONGEST_LINK: Final = 1 << 16
BORDERS: Final = (2, 21)  # the styles of thick black lines
DASHED: Final = 12  # the style of the diagonals that the editor draws
BLACK: Final = 1  # the style of black texts
NORMAL: Final = ("1", "10")  # the kinds of texts that fill a cell: usual and large

Json = dict[str, Any]


def is_penpa(link: str) -> bool:
    """Whether a text begins as a link of penpa+ does.

    >>> is_penpa("https://swaroopg92.github.io/penpa-edit/#m=edit&p=7VZ"), is_penpa("https://a.b/")
    (True, False)
    """
    return re.match(r"https?://[^/\s]{1,60}/penpa-edit/", link) is not None


def parse_penpa(link: str) -> Record:
    """The record of a link of penpa+.

    Raises `PuzzleError` or `LayoutError` for other links, and for drawings that are no Sudoku.
    """
    lines = _unpacked(link)
    with foreign_errors("not a puzzle of penpa+"):
        return _record(lines)


def _unpacked(link: str) -> list[str]:
    """The lines of the text in a link."""
    if len(link) > LONGEST_LINK:
        raise PuzzleError(f"a link of {len(link):,} characters; at most {LONGEST_LINK:,} are read")
    found = re.search(r"[#?&]p=([^&#\s]*)", link)
    if not found or not found[1]:
        raise PuzzleError("the link contains no puzzle: it has no p=", text=link)
    code = found[1].replace("%2B", "+").replace("%2F", "/").replace("%3D", "=").rstrip("=")
    what = "the link is damaged: it cannot be decompressed; copy the whole link"
    with foreign_errors(what, code[:40], quoted=False):
        unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
        data = b64decode(code + "=" * (-len(code) % 4), validate=True)
        text = unpacker.decompress(data, LARGEST)
        if not unpacker.eof:
            raise ValueError
        return text.decode().split("\n")


def _record(lines: list[str]) -> Record:
    header = lines[0].split(",")
    board = _board(header, lines)
    question = _object(lines, 3)
    title, author, _, words = (_text(header, at) for at in (15, 16, 17, 18))
    layout, edges = _layout(board, header, question)
    givens, numbers = _givens(question, board)
    rules, rest = _rules(question, board, words, layout)
    for name, made in rules.items():
        layout = layout.with_rules(*made, name=name)
    left = {**question, **rest, "number": numbers, "lineE": edges}
    drawn = drawn_rules(drawn_shapes(left, board), words, layout, only="dot")
    shapes = drawn.shapes
    for name, dots in drawn.rules:
        layout = layout.with_rules(*dots, name=name)
    if shapes or _has_image(header):
        every = [*shapes, *[Shape("image")] * _has_image(header)]
        layout = layout.with_rules(Drawings(every), name="drawings")
    grid = parse(_line(givens, board), layout)
    filled = parse(_line({**_player(lines, board), **givens}, board), layout)
    placed = None if filled == grid else filled.line
    about = {
        "title": title.removeprefix("Title:").strip(),
        "author": author.removeprefix("Author:").strip(),
        "description": words.strip(),
    }
    return Record(
        grid,
        placed=None if filled.is_solved else placed,
        solution=placed if filled.is_solved else None,
        about={name: text for name, text in about.items() if text},
        warning=warning_of(layout, words_with_rules(words)),
    )


def _text(header: list[str], at: int) -> str:
    """A text of the first line."""
    text = header[at] if at < len(header) else ""
    for code, character in ESCAPES:
        text = text.replace(code, character)
    return text


def _has_image(header: list[str]) -> bool:
    return len(header) > 21 and len(header[21]) > 4


def _object(lines: list[str], at: int) -> Json:
    """The object in a line; empty for an empty line."""
    value = _json(lines[at]) if at < len(lines) and lines[at].startswith("{") else {}
    if not isinstance(value, dict):
        raise TypeError(f"line {at + 1} is not an object")
    return value


def _json(line: str) -> Any:
    for name, short in reversed(SHORT_NAMES):
        line = line.replace(short, name)
    with foreign_errors("the link is damaged"):
        return loaded(line)


def _board(header: list[str], lines: list[str]) -> Points:
    """The points of the grid; `PuzzleError` unless it is one square, shown as it is stored."""
    if header[0][:1].isdigit():
        raise PuzzleError("a link of the first version of penpa; open and save it with penpa+")
    if header[0] not in ("square", "sudoku"):
        raise PuzzleError(f"a {shown(header[0])} grid of penpa+; only square grids are read")
    columns, rows = int(header[1]), int(header[2])
    if not (1 <= columns <= 100 and 1 <= rows <= 100):
        raise PuzzleError(f"a grid of {rows} rows and {columns} columns; up to 100 are read")
    if [int(part) for part in header[4:7]] != [0, 1, 1]:
        raise PuzzleError("a rotated or reflected view; turn it back in penpa+ and share it again")
    cells, last = set(), 0
    for step in _json(lines[5]):
        last += step
        cells.add(last)
    wide = columns + 4
    found = sorted(divmod(cell, wide) for cell in cells)
    (top, left), side = found[0], round(len(found) ** 0.5)
    square = [(top + down, left + right) for down in range(side) for right in range(side)]
    if found != square or not 1 <= side <= MAX_SIDE:
        raise PuzzleError(f"{counted(len(found), 'cell')} that are not one square of up to 36x36")
    return Points(wide, rows + 4, top, left, side)


# -- what is read as it is meant -------------------------------------------------------------------


def _givens(question: Json, board: Points) -> tuple[dict[Cell, int], Json]:
    """The givens, and the other texts."""
    givens, others = {}, {}
    for key, item in (question.get("number") or {}).items():
        cell, digit = board.cell(key), _digit(item, board.side)
        if cell is not None and digit is not None and item[1] == BLACK:
            givens[cell] = digit
        else:
            others[key] = item
    return givens, others


def _digit(item: Any, side: int) -> int | None:
    """The digit of a text, if it is one that fills a cell."""
    text, kind = str(item[0]).strip(), str(item[2])
    good = kind in NORMAL and re.fullmatch(r"[1-9]\d?", text) and int(text) <= side
    return int(text) if good else None


def _player(lines: list[str], board: Points) -> dict[Cell, int]:
    """The digits that the player, or the setter for the solution, has filled in."""
    found = {}
    for key, item in (_object(lines, 4).get("number") or {}).items():
        cell, digit = board.cell(key), _digit(item, board.side)
        if cell is not None and digit is not None:
            found[cell] = digit
    return found


def _line(digits: Mapping[Cell, int], board: Points) -> str:
    numbers = range(1, board.side + 1)
    values = (digits.get((row, column), 0) for row in numbers for column in numbers)
    return "".join(SYMBOLS[value - 1] if value else "." for value in values)


class _Edge(NamedTuple):
    """A line on the border between two cells, or along the diagonal of a cell."""

    first: int
    second: int


def _layout(board: Points, header: list[str], question: Json) -> tuple[Layout, Json]:
    """The layout of the regions and diagonals, and the lines that are no part of them."""
    edges: dict[str, Any] = dict(question.get("lineE") or {})
    found = {_edge(key): key for key in edges if "," in key}
    thick = {edge for edge, key in found.items() if edges[key] in BORDERS}
    regions = _regions(board, thick)
    if len(regions) != board.side or any(len(region) != board.side for region in regions):
        sizes = ", ".join(map(str, sorted({len(region) for region in regions})))
        raise PuzzleError(
            f"the thick black lines divide the grid into {counted(len(regions), 'region')} of "
            f"{sizes} cells; {board.side} regions of {board.side} cells are needed"
        )
    layout = _boxes_or_regions(regions, board.side)
    region_of = {cell: number for number, region in enumerate(regions) for cell in region}
    for edge in thick:
        beside = [region_of.get(cell) for cell in board.beside(*edge)]
        if len(beside) == 2 and (beside[0] != beside[1] or beside[0] is None):
            del edges[found[edge]]
    for at, line, cells in board.diagonals():
        keys = [found.get(_Edge(*sorted(part))) for part in line]
        if header[at] == "1" and all(key and edges.get(key) == DASHED for key in keys):
            layout = layout.with_houses("diagonal", cells, name="diagonal")
            for key in keys:
                del edges[str(key)]
    return layout, edges


def _edge(key: str) -> _Edge:
    first, second = sorted(map(int, key.split(",")[:2]))
    return _Edge(first, second)


def _regions(board: Points, thick: set[_Edge]) -> list[list[Cell]]:
    """The cells in groups that no thick line divides."""
    closed = {frozenset(board.beside(*edge)) for edge in thick}
    left = {
        (row, column) for row in range(1, board.side + 1) for column in range(1, board.side + 1)
    }
    regions = []
    for start in sorted(left):
        if start not in left:
            continue
        left.discard(start)
        region, queue = [start], [start]
        while queue:
            cell = queue.pop()
            for near in neighbours(cell):
                if near in left and frozenset([cell, near]) not in closed:
                    left.discard(near)
                    region.append(near)
                    queue.append(near)
        regions.append(sorted(region))
    return regions


def _boxes_or_regions(regions: list[list[Cell]], side: int) -> Layout:
    """The layout of these regions: a classic one if they are boxes."""
    first = regions[0]
    rows, columns = len({row for row, _ in first}), len({column for _, column in first})
    if rows * columns == side:
        classic = Layout(rows, columns)
        boxes = {house.cells for house in classic.houses[2 * side :]}
        if {tuple(classic.index[cell] for cell in region) for region in regions} == boxes:
            return classic
    return jigsaw(regions)


def _rules(
    question: Json, board: Points, words: str, layout: Layout
) -> tuple[dict[str, list[Rule]], Json]:
    """The rules by their kinds, and the drawings of these kinds that are none."""
    found: dict[str, list[Rule]] = {}
    rest: Json = {}

    def take(name: str, kind: str, items: Iterable[Any]) -> None:
        """Moves the items that make a rule to `found`."""
        rest[name] = []
        for item in items:
            rule = _rule(name, [board.cell(point) for point in item], words)
            try:
                if rule is not None:
                    rule.check(layout)
            except LayoutError:
                rule = None
            if rule is None:
                rest[name].append(item)
            else:
                found.setdefault(kind, []).append(rule)

    take("thermo", "thermometers", filter(None, question.get("thermo") or ()))
    take("arrows", "arrows", filter(None, question.get("arrows") or ()))
    cages, left = _cages(question, board)
    if cages:
        found["killer"] = list(cages)
    return found, {**rest, **left}


def _rule(name: str, cells: list[Cell | None], words: str) -> Rule | None:
    """The rule of a thermometer or an arrow; None for one that is not usual."""
    known = [cell for cell in cells if cell is not None]
    near = all(max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1 for a, b in pairwise(known))
    if len(known) != len(cells) or len(known) < 2 or not near:
        return None
    try:
        if name == "arrows":
            return Arrow([known[0]], known[1:])
        if re.search(r"\bslow\b|\bfast\b|\bnot? strictly|\bdecreas", words, re.IGNORECASE):
            return None
        return Thermometer(known)
    except LayoutError:
        return None


def _cages(question: Json, board: Points) -> tuple[list[Cage], Json]:
    """The killer cages with their sums; the small texts and the dashed lines that are no part."""
    texts: Json = dict(question.get("numberS") or {})
    cages, drawn, inside = [], [], []
    for item in filter(None, question.get("killercages") or ()):
        cells = [board.cell(point) for point in item]
        known = sorted({cell for cell in cells if cell is not None})
        corners = {key: cell for cell in known if (key := board.corner_key(cell)) in texts}
        numbers = [str(texts[key][0]).strip() for key in corners]
        total = None
        if len(known) != len(cells) or len(known) > board.side or len(numbers) > 1:
            drawn.append(item)
            continue
        if numbers:
            if not re.fullmatch(r"\d{1,3}", numbers[0]) or int(numbers[0]) == 0:
                drawn.append(item)
                continue
            total = int(numbers[0])
            del texts[next(iter(corners))]
        cages.append(Cage(total, known))
        inside.append(set(known))
    outlines = question.get("cage") or {}
    loose = {
        key: style
        for key, style in outlines.items()
        if not any(_within(key, cells, board) for cells in inside)
    }
    return cages, {"numberS": texts, "killercages": drawn, "cage": loose}


def _within(key: str, cells: set[Cell], board: Points) -> bool:
    """Whether a dashed line lies in some cells of a cage."""
    return all(board.cell_around(point) in cells for point in key.split(",")[:2])
