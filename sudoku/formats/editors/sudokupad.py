"""The format `sudokupad`: the JSON of SudokuPad, and its shortened form in links (SCL).

    {"cells": [[{"value": 5}, {}, ...], ...], "regions": [[[0, 0], [0, 1], ...], ...],
     "cages": [{"cells": [[0, 0], [0, 1]], "value": "10", "unique": true},
               {"value": "title: Nr. 1"}, {"value": "solution: 534..."}]}

Source: SudokuPad/sudokutools, src/format/ctcpuzzle.js and src/fpuzzlesdecoder.js (the fields), and
src/puzzlezipper_lib.js (the shortened form: names of one or two letters, no quotes around names,
`t` and `f` for true and false, six hexadecimal digits for a color, nothing for an empty object).

The format stores cells, regions, cages and drawings; what lines, dots and texts mean is only in the
setter's words. Drawings become the rule `Drawings`, which restricts nothing, but for those whose
meaning words or the solution confirm (`sudoku.formats.editors.drawn_rules`). Where drawings or
words may mean rules that were not read, or drawings were read as rules, the record has a warning.
f-puzzles' JSON, which SudokuPad reads as well, stores rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from sudoku.board.cells import MAX_SIDE
from sudoku.board.grid import Grid
from sudoku.board.layout import SYMBOLS, Layout
from sudoku.errors import PuzzleError, foreign_errors, shorten
from sudoku.formats.editors.drawn_rules import Drawn, drawn_rules
from sudoku.formats.editors.sudokupad_drawings import (
    LISTS,
    read_shapes,
    text_of,
    words_with_rules,
    written_shapes,
)
from sudoku.formats.jigsaw import is_jigsaw, regions_of
from sudoku.formats.json_format.layouts import MOST_RULES
from sudoku.formats.json_format.reader import LONGEST
from sudoku.formats.json_format.records import by_value, json_text
from sudoku.formats.record import (
    ABOUT,
    MARKS,
    SOLUTION,
    Format,
    Lost,
    Record,
    full_solution,
    one_line,
    shape,
    warning_of,
)
from sudoku.rules import Cage, Drawings, Shape
from sudoku.rules.drawings import shapes_of
from sudoku.rules.layouts import jigsaw
from sudoku.text.puzzles import parse

__all__ = ["SUDOKUPAD", "expanded", "parse_sudokupad"]

KNOWN = {
    "author",
    "bgimage",
    "cages",
    "cellSize",
    "cells",
    "id",
    "metadata",
    "regions",
    "rules",
    "settings",
    "solution",
    "title",
    "videos",
}
_TEXTS = {"title": "title", "author": "author", "rules": "description"}
_META = re.compile(r"([A-Za-z]+): *(.*)", re.DOTALL)


def _detect(head: str, comments: list[str]) -> bool:
    start = head.lstrip()
    other = '"puzzle"' in head or '"grid"' in head
    return start[:1] == "{" and '"cells"' in head and not other


# -- reading -------------------------------------------------------------------------------------


def _parse(value: Any, layout: Layout | None, number: int) -> Record:
    return parse_sudokupad(value, number)


def parse_sudokupad(value: Any, number: int) -> Record:
    """The record of a puzzle in SudokuPad's JSON, which begins in that line.

    Raises `PuzzleError` or `LayoutError` for anything else.
    """
    with foreign_errors("not the JSON of a SudokuPad puzzle"):
        return _record(value, number)


def _record(value: dict[str, Any], number: int) -> Record:
    rows = value["cells"]
    side = len(rows)
    if not 1 <= side <= MAX_SIDE or any(len(row) != side for row in rows):
        raise PuzzleError("cells must be a square of up to 36 rows and columns")
    unknown = [name for name in value if value[name] and name not in (*KNOWN, *LISTS)]
    cages, loose, texts = _cages(value)
    layout = _layout(value.get("regions") or [], side)
    rules = [Cage(total, cells) for total, cells in cages]
    if len(rules) > MOST_RULES:
        raise PuzzleError(f"{len(rules):,} cages; at most {MOST_RULES:,} are read")
    if rules:
        layout = layout.with_rules(*rules, name="killer")
    words = texts.get("rules", "")
    digits = [[_digit(cell) for cell in row] for row in rows]
    solution = texts.pop("solution", "")
    record = Record(
        parse(digits, layout),
        number,
        marks=_notes([cell for row in rows for cell in row], side),
        solution=full_solution(solution, layout) if solution.strip("0.?") else None,
        about={_TEXTS[name]: text for name, text in texts.items() if name in _TEXTS and text},
    )
    effects = [Shape("effect", text=text_of(name)) for name in unknown]
    shapes = [*read_shapes(value), *loose, *effects]
    solved = record.solution is not None and "." not in record.solution
    values = parse(record.solution, layout).values if solved and record.solution else None
    drawn = drawn_rules(shapes, words, layout, values)
    kept = _with_drawings(record, Drawn([], shapes, []), digits, unknown)
    if not drawn.rules:
        return kept
    return replace(_with_drawings(record, drawn, digits, unknown), drawn=kept)


def _with_drawings(
    record: Record, drawn: Drawn, digits: list[list[int]], unknown: list[str]
) -> Record:
    """The record with these rules and drawings."""
    layout = record.grid.layout
    for name, rules in drawn.rules:
        layout = layout.with_rules(*rules, name=name)
    if drawn.shapes:
        layout = layout.with_rules(Drawings(drawn.shapes), name="drawings")
    words = words_with_rules(record.about.get("description", ""))
    warning = warning_of(layout, words, drawn.said, unknown)
    return replace(record, grid=parse(digits, layout), warning=warning)


def _digit(cell: dict[str, Any]) -> int:
    value = cell.get("value")
    if value in (None, ""):
        return 0
    text = str(value)
    if not re.fullmatch(r"\d{1,2}", text):
        raise PuzzleError(f"the given {shorten(text)} is not a digit")
    return int(text)


def _notes(cells: list[dict[str, Any]], side: int) -> tuple[int, ...] | None:
    """The candidates of the player: the center marks. `pencilMarks` are the corner marks."""
    notes = [{int(digit) for digit in cell.get("centremarks") or ()} for cell in cells]
    if any(not 1 <= digit <= side for digits in notes for digit in digits):
        raise PuzzleError(f"pencil marks must be digits from 1 to {side}")
    return tuple(sum(1 << d for d in digits) for digits in notes) if any(notes) else None


Cages = list[tuple[int | None, list[tuple[int, int]]]]


def _cages(value: dict[str, Any]) -> tuple[Cages, list[Shape], dict[str, str]]:
    """The cages with their sums, those without a rule, and the texts of the puzzle.

    Texts are stored in `metadata`, or as cages without cells.
    """
    cages: Cages = []
    loose: list[Shape] = []
    texts = {name: str(value[name]) for name in ("solution", *_TEXTS) if value.get(name)}
    texts |= {name: str(text) for name, text in (value.get("metadata") or {}).items()}
    for item in value.get("cages") or []:
        text = str(item.get("value") if item.get("value") is not None else "")
        found = _META.fullmatch(text)
        if found:
            texts[found[1]] = found[2]
        elif item.get("cells"):
            cells = [(row + 1, column + 1) for row, column in item["cells"]]
            total = item.get("sum")
            if total is None and re.fullmatch(r"\d{1,4}", text):
                total = int(text)
            no_rule = item.get("unique") is False or (total is None and item.get("hidden"))
            if no_rule or (total is None and text):
                points = tuple((row - 0.5, column - 0.5) for row, column in cells)
                loose.append(Shape("cage", points, text=text_of(text)))
            else:
                cages.append((total, cells))
    return cages, loose, texts


def _layout(regions: list[list[list[int]]], side: int) -> Layout:
    named = [[(row + 1, column + 1) for row, column in region] for region in regions]
    if not named:
        raise PuzzleError("no regions: a grid without boxes is not supported")
    if sorted(cell for region in named for cell in region) != [
        (row, column) for row in range(1, side + 1) for column in range(1, side + 1)
    ]:
        raise PuzzleError("regions must have every cell once")
    made = jigsaw(named)
    if side not in (1, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31):
        classic = Layout.of_side(side)
        boxes = {house.cells for house in classic.houses}
        if {house.cells for house in made.houses} == boxes:
            return classic
    return made


# -- the shortened form --------------------------------------------------------------------------

_NAMES = {
    "c": "color",
    "ca": "cages",
    "ct": "center",
    "c1": "borderColor",
    "c2": "backgroundColor",
    "ce": "cells",
    "cs": "cellSize",
    "a": "arrows",
    "o": "overlays",
    "u": "underlays",
    "w": "width",
    "h": "height",
    "v": "value",
    "vd": "videos",
    "l": "lines",
    "r": "rounded",
    "re": "regions",
    "fs": "fontSize",
    "th": "thickness",
    "hl": "headLength",
    "wp": "wayPoints",
    "t": "title",
    "te": "text",
    "d": "duration",
}
_TOKEN = re.compile(
    r"(?P<punctuation>[][{},:])|'(?P<single>(?:[^'\\]|\\.)*+)'|\"(?P<double>(?:[^\"\\]|\\.)*+)\""
    r"|(?P<bare>[^][{},:'\"]++)"
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
DEEPEST = 12


def expanded(text: str) -> Any:
    """The value of a text in the shortened form.

    >>> expanded("{ce:[[{v:5},,],[,]],t:'A',x:t}")
    {'cells': [[{'value': 5}, {}, {}], [{}, {}]], 'title': 'A', 'x': True}

    Raises `PuzzleError` if it is not one.
    """
    tokens = [*_tokens(text), ("end", ""), ("end", "")]
    value, at = _value(tokens, 0, 0)
    if tokens[at][0] != "end":
        raise PuzzleError(f"not SudokuPad's shortened JSON: {shorten(tokens[at][1])} at its end")
    return value


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if not found:
            raise PuzzleError("not SudokuPad's shortened JSON", text=text[at : at + 20])
        yield found.lastgroup or "", found[found.lastgroup or 0]
        at = found.end()


def _value(tokens: list[tuple[str, str]], at: int, depth: int) -> tuple[Any, int]:
    """The value that begins at a token, and the place of the token after it."""
    kind, text = tokens[at]
    if depth > DEEPEST:
        raise PuzzleError("SudokuPad's JSON with too many nested brackets")
    if kind in ("single", "double"):
        return _ESCAPE.sub(_unescaped, text), at + 1
    if kind == "bare":
        return _bare(text), at + 1
    if text not in ("[", "{"):
        return {}, at  # an empty object is left out
    close = "]" if text == "[" else "}"
    items: list[Any] = []
    names: list[str] = []
    at += 1
    if tokens[at][1] == close and tokens[at][0] == "punctuation":
        return ([] if close == "]" else {}), at + 1
    while True:
        if close == "}":
            if tokens[at][0] == "punctuation" or tokens[at + 1][1] != ":":
                raise PuzzleError("not SudokuPad's shortened JSON: expected a name and a colon")
            names.append(_NAMES.get(tokens[at][1], tokens[at][1]))
            at += 2
        item, at = _value(tokens, at, depth + 1)
        items.append(item)
        kind, text = tokens[at]
        if kind != "punctuation" or text not in (",", close):
            raise PuzzleError(f"not SudokuPad's shortened JSON: expected a comma or {close}")
        at += 1
        if text == close:
            return (items if close == "]" else dict(zip(names, items, strict=True))), at


def _bare(text: str) -> Any:
    """The value of a text without quotes."""
    known = {"t": True, "f": False, "true": True, "false": False, "null": None}
    if text in known:
        return known[text]
    if re.fullmatch(r"-?\d{1,5}", text):
        return int(text)
    if re.fullmatch(r"-?\d{1,9}\.\d{1,17}", text):
        return float(text)
    return {"#0": "#000000", "#F": "#FFFFFF"}.get(text, f"#{text}")


def _unescaped(found: re.Match[str]) -> str:
    code = found[1]
    return chr(int(code[1:], 16)) if code[0] == "u" and len(code) == 5 else _PLAIN.get(code, code)


# -- writing -------------------------------------------------------------------------------------


def _write(records: Iterable[Record], lost: Lost) -> Iterator[str]:
    for record in records:
        layout = record.grid.layout
        side, values = layout.side, record.grid.values
        cells: list[dict[str, Any]] = [
            {"value": values[cell]} if cell in values else {} for cell in layout.positions
        ]
        if record.marks:
            for cell, bits in zip(cells, record.marks, strict=True):
                if bits:
                    cell["centremarks"] = [d for d in range(1, side + 1) if bits >> d & 1]
        cages: list[dict[str, Any]] = []
        for rule in layout.rules:
            if type(rule) is Cage:
                total = {} if rule.total is None else {"value": str(rule.total), "sum": rule.total}
                places = [[row - 1, column - 1] for row, column in rule.cells]
                cages.append({"cells": places, "unique": True} | total)
            elif type(rule) is Drawings:
                cages += [_loose_cage(shape) for shape in rule.shapes if shape.kind == "cage"]
                cosmetic = sum(map(len, written_shapes(rule.shapes).values()))
                if cosmetic + sum(shape.kind == "cage" for shape in rule.shapes) < len(rule.shapes):
                    lost(record, "drawings")
        cages += _texts(record, lost)
        houses = layout.houses[2 * side : 3 * side]
        regions = [[list(divmod(cell, side)) for cell in house.cells] for house in houses]
        rows = [cells[at : at + side] for at in range(0, layout.size, side)]
        value = {"cellSize": 64, "cells": rows, "regions": regions, "cages": cages}
        yield json_text(value | written_shapes(shapes_of(layout)))


def _loose_cage(shape: Shape) -> dict[str, Any]:
    cells = [[int(row), int(column)] for row, column in shape.points]
    return {"cells": cells, "unique": False} | ({"value": shape.text} if shape.text else {})


def _texts(record: Record, lost: Lost) -> Iterator[dict[str, str]]:
    """The texts of a record as cages; `lost` is called for those that the format cannot hold."""
    names = {ours: name for name, ours in _TEXTS.items()}
    for name, text in record.about.items():
        if name in names and text == one_line(text) and len(text) < LONGEST // 8:
            yield {"value": f"{names[name]}: {text}"}
        else:
            lost(record, f"its {name}")
    if record.solution and "." in record.solution:
        lost(record, SOLUTION)
    elif record.solution:
        yield {"value": f"solution: {record.solution}"}


def _refuses(grid: Grid) -> str | None:
    layout = grid.layout
    if any(type(rule) not in (Cage, Drawings) for rule in layout.rules):
        return "cannot hold rules besides cages, only drawings"
    usual = layout.box_rows > 0 and layout.is_square and Layout.of_side(layout.side)
    plain = usual and layout.houses == usual.houses
    jigsaw_only = is_jigsaw(layout) and len(layout.houses) == 3 * layout.side
    if not plain and not (jigsaw_only and len(set(regions_of(layout))) <= len(SYMBOLS)):
        return f"cannot hold {shape(layout)}"
    return None


SUDOKUPAD = Format(
    "sudokupad",
    "the JSON of SudokuPad: givens, regions, killer cages and drawings",
    (".scl",),
    _detect,
    by_value(_parse),
    _write,
    _refuses,
    frozenset({SOLUTION, MARKS, ABOUT}),
)
