"""The constraints of f-puzzles as rules, and rules as its constraints.

    "renban": [{"lines": [["R1C1", "R2C2"]]}]            lines; `whispers` may have a "value"
    "difference": [{"cells": ["R1C1", "R1C2"], "value": "4"}]   also ratio, and xv with "X" or "V"
    "clone": [{"cells": [...], "cloneCells": [...]}], "quadruple": [{"cells": [...], "values": [1]}]
    "minimum": [{"cell": "R1C1"}], "rowindexer": [{"cells": ["R1C1"]}]
    "sandwichsum": [{"cell": "R0C3", "value": "20"}]     row or column 0, or one after the last
    "littlekillersum": [{"cell": "R0C3", "direction": "DL", "cells": [...], "value": "12"}]
    "negative": ["xv", "ratio"]                          neighbours without such a clue have none

A difference also excepts its cells from the negative constraint of ratios, and a ratio from that of
differences ("nonconsecutive"), since both are dots.

Source: dclamage/SudokuSolver, the reader and writer that f-puzzles' users play with:
SudokuSolver/PuzzleFormats/FPuzzlesBoard.cs (the fields), SudokuSolver/SolverFactory.cs (their
meaning), UserScripts/fpuzzles-newconstraints.js (lines, indexers, X-sums and skyscrapers).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sudoku import rules
from sudoku.board.cells import Cell, cell_name
from sudoku.board.layout import Layout
from sudoku.errors import PuzzleError, shorten, shown
from sudoku.rules.apart import KING, KNIGHT
from sudoku.rules.layouts import indexers
from sudoku.rules.lines.sums import parts_by_box

__all__ = [
    "NEGATIVE",
    "RULE_NAMES",
    "cells_named",
    "more_rules",
    "names_of",
    "parities_of",
    "written_rule",
]

Item = dict[str, Any]
Read = Callable[[Item, Layout], list[rules.Rule]]

LOCKOUT = 4  # the least difference of the ends of lockout lines
DIRECTIONS = {"UR": (-1, 1), "UL": (-1, -1), "DR": (1, 1), "DL": (1, -1)}
XV = {"X": 10, "V": 5}
NEGATIVE = ("ratio", "xv")
"""The negative constraints that are read."""


def cells_named(names: Any) -> list[str]:
    """The cells, as we name them; `PuzzleError` if one is not a name such as R1C1."""
    if not all(isinstance(name, str) and re.fullmatch(r"R\d{1,2}C\d{1,2}", name) for name in names):
        raise PuzzleError(f"{shorten(repr(names))} are not cells; write them as R1C1")
    return [name.lower() for name in names]


def names_of(cells: Iterable[Cell]) -> list[str]:
    """The names of cells in f-puzzles."""
    return [cell_name(*cell).upper() for cell in cells]


def number_of(item: Item, what: str) -> int | None:
    """The number of a clue; None if it is empty."""
    text = str(item.get("value") if item.get("value") is not None else "").strip()
    if text and not re.fullmatch(r"\d{1,4}", text):
        raise PuzzleError(f"{what} of {shorten(text)}, which is not a number")
    return int(text) if text else None


# -- reading -------------------------------------------------------------------------------------


def _lines(
    make: Callable[[list[str], Item, Layout], rules.Rule],
) -> Read:
    return lambda item, layout: [make(cells_named(line), item, layout) for line in item["lines"]]


def _plain_lines(
    kind: Callable[[list[str]], rules.Rule],
) -> Read:
    return _lines(lambda line, item, layout: kind(line))


def _cage(item: Item, layout: Layout) -> list[rules.Rule]:
    total = number_of(item, "a sum") if item.get("value") else None
    return [rules.Cage(total, cells_named(item["cells"]))]


def _arrows(item: Item, layout: Layout) -> list[rules.Rule]:
    """An arrow for each line; the first cell of a line is a cell of the circle."""
    circle = cells_named(item["cells"])
    head = set(circle)
    paths = [[cell for cell in cells_named(line) if cell not in head] for line in item["lines"]]
    return [rules.Arrow(circle, path) for path in paths]


def _renban(line: list[str], item: Item, layout: Layout) -> rules.Rule:
    return rules.Renban(line[:-1] if len(line) > 3 and line[0] == line[-1] else line)


def _whisper(line: list[str], item: Item, layout: Layout) -> rules.Rule:
    least = number_of(item, "a whisper line")
    return rules.Whisper((layout.side + 1) // 2 if least is None else least, line)


def _pair(kind: type[rules.Difference | rules.Ratio], usual: int) -> Read:
    """Clues between two cells; the usual ones are dots."""

    def make(item: Item, layout: Layout) -> list[rules.Rule]:
        first, second = cells_named(item["cells"])
        value = number_of(item, f"a {kind.kind}")
        if value is None or value == usual:
            return [rules.Dot("white" if kind is rules.Difference else "black", first, second)]
        return [kind(value, first, second)]

    return make


def _xv(item: Item, layout: Layout) -> list[rules.Rule]:
    value = str(item.get("value") or "").upper()
    if not value:
        return []
    if value not in XV:
        raise PuzzleError(f"{shorten(value)} between cells is neither X nor V")
    return [rules.PairSum(XV[value], *cells_named(item["cells"]))]


def _outside(
    kind: type[rules.Sandwich | rules.XSum | rules.Skyscraper],
) -> Read:
    def make(item: Item, layout: Layout) -> list[rules.Rule]:
        total = number_of(item, f"{'an' if kind is rules.XSum else 'a'} {kind.kind}")
        if total is None:  # a clue without a number says nothing
            return []
        return [kind(total, _seen_from(_place(item["cell"]), layout))]

    return make


def _place(name: Any) -> tuple[int, int]:
    """The row and column of a place, perhaps outside of the grid."""
    found = re.fullmatch(r"R(\d{1,2})C(\d{1,2})", name) if isinstance(name, str) else None
    if not found:
        raise PuzzleError(f"{shown(name)} is not a place; write it as R0C1")
    return int(found[1]), int(found[2])


def _seen_from(place: tuple[int, int], layout: Layout) -> list[Cell]:
    """The row or column beside a place outside of the grid, from there on."""
    row, column = place
    numbers, end = range(1, layout.side + 1), layout.side + 1
    if row in numbers and column in (0, end):
        cells = [(row, number) for number in numbers]
    elif column in numbers and row in (0, end):
        cells = [(number, column) for number in numbers]
    else:
        raise PuzzleError(f"R{row}C{column} is not beside a row or column of the grid")
    return cells if 0 in place else cells[::-1]


def _little_killer(item: Item, layout: Layout) -> list[rules.Rule]:
    total = number_of(item, "a little killer")
    if total is None:
        raise PuzzleError("a little killer without a sum")
    if item.get("cells"):
        return [rules.LittleKiller(total, cells_named(item["cells"]))]
    (row, column), step = _place(item["cell"]), DIRECTIONS.get(item.get("direction", ""))
    if step is None:
        raise PuzzleError(f"the direction {shown(item.get('direction'))} is none of UR, UL, DR, DL")
    every = ((row + n * step[0], column + n * step[1]) for n in range(1, layout.side + 1))
    return [rules.LittleKiller(total, [cell for cell in every if cell in layout.index])]


def _quadruple(item: Item, layout: Layout) -> list[rules.Rule]:
    digits = [int(digit) for digit in item.get("values") or ()]
    return [rules.Quadruple(digits, cells_named(item["cells"]))] if digits else []


def _clone(item: Item, layout: Layout) -> list[rules.Rule]:
    pairs = zip(cells_named(item["cells"]), cells_named(item["cloneCells"]), strict=True)
    different = [(a, b) for a, b in pairs if a != b]
    if not different:
        return []
    return [rules.Clone([a for a, _ in different], [b for _, b in different])]


def _indexer(name: str) -> Read:
    def make(item: Item, layout: Layout) -> list[rules.Rule]:
        found = indexers(base=layout, **{name: cells_named(item["cells"])})
        return [rule for rule in found.rules if rule not in layout.rules]

    return make


_BY_ITEM: dict[str, Read] = {
    "killercage": _cage,
    "thermometer": _plain_lines(rules.Thermometer),
    "arrow": _arrows,
    "palindrome": _plain_lines(rules.Palindrome),
    "renban": _lines(_renban),
    "whispers": _lines(_whisper),
    "betweenline": _plain_lines(rules.BetweenLine),
    "lockout": _lines(lambda line, item, layout: rules.LockoutLine(LOCKOUT, line)),
    "regionsumline": _lines(lambda line, item, layout: rules.EqualSums(parts_by_box(line, layout))),
    "entropicline": _lines(
        lambda line, item, layout: rules.EntropicLine(max(1, layout.side // 3), line)
    ),
    "modularline": _plain_lines(rules.ModularLine),
    "nabner": _plain_lines(rules.Nabner),
    "zipperline": _plain_lines(rules.Zipper),
    "doublearrow": _plain_lines(rules.DoubleArrow),
    "slowthermometer": _plain_lines(rules.SlowThermometer),
    "difference": _pair(rules.Difference, 1),
    "ratio": _pair(rules.Ratio, 2),
    "xv": _xv,
    "clone": _clone,
    "quadruple": _quadruple,
    "sandwichsum": _outside(rules.Sandwich),
    "xsum": _outside(rules.XSum),
    "skyscraper": _outside(rules.Skyscraper),
    "littlekillersum": _little_killer,
    "rowindexer": _indexer("rows"),
    "columnindexer": _indexer("columns"),
    "boxindexer": _indexer("boxes"),
}

RULE_NAMES = frozenset(
    {*_BY_ITEM, "even", "odd", "minimum", "maximum", "negative", "nonconsecutive"}
)
"""The constraints that `more_rules` reads."""


def more_rules(value: Item, layout: Layout) -> dict[str, list[rules.Rule]]:
    """The rules of a puzzle by the names of its constraints; of those in `RULE_NAMES` only.

    Raises `PuzzleError` and `LayoutError`, and other errors for values of wrong types.
    """
    found: dict[str, list[rules.Rule]] = {}
    for name, make in _BY_ITEM.items():
        if value.get(name):
            found[name] = [rule for item in value[name] for rule in make(item, layout)]
    marks: dict[str, set[int]] = {}
    for name, first in (("even", 2), ("odd", 1)):
        for cell in cells_named([item["cell"] for item in value.get(name) or ()]):
            digits = set(range(first, layout.side + 1, 2))
            marks[cell] = marks.get(cell, digits) & digits
    if marks:
        found["even"] = [rules.Allowed(marks)]
    for name, kind in (("minimum", rules.Minimum), ("maximum", rules.Maximum)):
        if value.get(name):
            found[name] = [kind(cells_named([item["cell"] for item in value[name]]))]
    negative = [name for name in value.get("negative") or () if name in NEGATIVE]
    every = [rule for some in found.values() for rule in some]
    excluded = []
    if value.get("nonconsecutive") and _marked(every, "difference"):
        excluded.append("difference")
    excluded += ["ratio" if name == "ratio" else "sum" for name in dict.fromkeys(negative)]
    found["negative"] = [_negative(every, relation) for relation in excluded]
    return found


def _negative(some: Sequence[rules.Rule], relation: str) -> rules.NoMorePairs:
    """The negative constraint of a relation, given the clues of the puzzle."""
    numbers = _excluded(relation, _pairs_of(some, relation))
    return rules.NoMorePairs(relation, numbers, _marked(some, relation))


def _marked(some: Sequence[rules.Rule], relation: str) -> list[tuple[Cell, ...]]:
    """The pairs that a negative constraint excepts: with a dot of either color, or with X or V."""
    kinds = ("sum",) if relation == "sum" else ("difference", "ratio")
    return [pair for kind in kinds for _, pair in _pairs_of(some, kind)]


Clues = list[tuple[int, tuple[Cell, ...]]]


def _pairs_of(some: Iterable[rules.Rule], relation: str) -> Clues:
    """The numbers and cells of the clues of a relation; dots are differences and ratios."""
    found: Clues = []
    for rule in some:
        if isinstance(rule, rules.Dot) and (rule.color == "white") == (relation == "difference"):
            if relation != "sum":
                found.append((1 if rule.color == "white" else 2, rule.cells))
        elif (
            isinstance(rule, rules.Difference | rules.Ratio | rules.PairSum)
            and rule.kind == relation
        ):
            found.append((rule.value, rule.cells))
    return found


def _excluded(relation: str, clues: Clues) -> tuple[int, ...]:
    """The numbers that a negative constraint excludes, given the clues of the puzzle."""
    if relation == "difference":
        return (1,)
    if relation == "sum":
        return (5, 10)
    return tuple(sorted({number for number, _ in clues})) or (2,)


# -- writing -------------------------------------------------------------------------------------

Written = tuple[str, Any]
Write = Callable[[Any, Layout], Written]


def written_rule(rule: rules.Rule, layout: Layout) -> Written:
    """The name of a constraint in f-puzzles, and its value: a list of items, or True.

    Raises `PuzzleError` for a rule that no constraint means exactly.
    """
    write = _WRITERS.get(type(rule))  # a subclass means something else
    if write is None:
        raise PuzzleError(f"cannot hold the rule {type(rule).__name__}")
    return write(rule, layout)


def _written_line(name: str) -> Write:
    def write(rule: Any, layout: Layout) -> Written:
        _refuse_unusual(rule, layout)
        return name, [{"lines": [names_of(rule.cells)]}]

    return write


def _written_outside(name: str) -> Write:
    return lambda rule, layout: (
        name,
        [{"cell": _beside(rule, layout), "value": str(rule.total)}],
    )


def _written_cage(rule: rules.Cage, layout: Layout) -> Written:
    total = {} if rule.total is None else {"value": str(rule.total)}
    return "killercage", [{"cells": names_of(rule.cells)} | total]


def _written_arrow(rule: rules.Arrow, layout: Layout) -> Written:
    head, tail = names_of(rule.circle), names_of(rule.path)
    return "arrow", [{"cells": head, "lines": [[head[-1], *tail]]}]


def _written_apart(rule: rules.Apart, layout: Layout) -> Written:
    names = {KNIGHT: "antiknight", KING: "antiking"}
    if rule.offsets not in names:
        raise PuzzleError("cannot hold the rule Apart")
    return names[rule.offsets], True


def _number(name: str, rule: Any) -> Written:
    return name, [{"cells": names_of(rule.cells), "value": str(rule.value)}]


def _written_sum(rule: rules.PairSum, layout: Layout) -> Written:
    letter = next((text for text, total in XV.items() if total == rule.value), None)
    if letter is None:
        raise PuzzleError(f"cannot hold the sum {rule.value} of two cells")
    return "xv", [{"cells": names_of(rule.cells), "value": letter}]


def _written_clone(rule: rules.Clone, layout: Layout) -> Written:
    if any(a == b for a, b in zip(rule.first, rule.second, strict=True)):
        raise PuzzleError("cannot hold a clone that has a cell in common with its original")
    return "clone", [{"cells": names_of(rule.first), "cloneCells": names_of(rule.second)}]


def _written_extreme(rule: rules.Minimum | rules.Maximum, layout: Layout) -> Written:
    if sum(type(other) is type(rule) for other in layout.rules) > 1:
        raise PuzzleError(f"cannot hold several rules {type(rule).__name__}")
    return rule.kind, [{"cell": name} for name in names_of(rule.marked)]


def _written_non_consecutive(rule: rules.NonConsecutive, layout: Layout) -> Written:
    if _marked(layout.rules, "difference"):
        raise PuzzleError("cannot hold non-consecutive with differences or ratios")
    return "nonconsecutive", True


def _written_little_killer(rule: rules.LittleKiller, layout: Layout) -> Written:
    """A whole diagonal; `PuzzleError` for other cells."""
    cells = [*rule.cells]
    for direction, (down, right) in DIRECTIONS.items():
        line = cells if down > 0 else cells[::-1]
        start = (line[0][0] - down, line[0][1] - right)
        whole = [(start[0] + n * down, start[1] + n * right) for n in range(1, layout.side + 1)]
        if start not in layout.index and line == [cell for cell in whole if cell in layout.index]:
            place = f"R{start[0]}C{start[1]}"
            clue = {"cell": place, "direction": direction, "cells": names_of(line)}
            return "littlekillersum", [clue | {"value": str(rule.total)}]
    raise PuzzleError("cannot hold a little killer whose cells are not a diagonal")


def _written_marks(rule: rules.Allowed, layout: Layout) -> Written:
    return "givenPencilMarks", [(cell, list(digits)) for cell, digits in rule.marks]


def parities_of(rule: rules.Allowed, layout: Layout) -> list[Written]:
    """The even and the odd cells, if the rule allows such digits only; otherwise none."""
    found: dict[str, list[Cell]] = {"even": [], "odd": []}
    for cell, digits in rule.marks:
        name = "odd" if digits[:1] == (1,) else "even"
        if tuple(digits) != tuple(range(2 - (name == "odd"), layout.side + 1, 2)):
            return []
        found[name].append(cell)
    return [
        (name, [{"cell": cell} for cell in names_of(some)]) for name, some in found.items() if some
    ]


def _refuse_unusual(rule: rules.Rule, layout: Layout) -> None:
    """Raises `PuzzleError` for a number or a division that f-puzzles does not have."""
    if isinstance(rule, rules.Whisper) and rule.least != (layout.side + 1) // 2:
        raise PuzzleError(f"cannot hold a whisper line of difference {rule.least}")
    if isinstance(rule, rules.LockoutLine) and rule.least != LOCKOUT:
        raise PuzzleError(f"cannot hold a lockout line of difference {rule.least}")
    if isinstance(rule, rules.EqualSums):
        cells = [*rule.cells]
        if len(cells) < 2 or [*map(list, rule.parts)] != parts_by_box(cells, layout):
            raise PuzzleError("cannot hold equal sums whose parts are not those in the boxes")


def _beside(rule: rules.Rule, layout: Layout) -> str:
    """The place outside of the grid from which the clue is read."""
    (r1, c1), (r2, c2) = rule.cells[:2]
    place = (2 * r1 - r2, 2 * c1 - c2)
    good = 0 in place or layout.side + 1 in place
    if not good or _seen_from(place, layout) != [*rule.cells]:
        raise PuzzleError(f"cannot hold the rule {rule}, which is not for a row or column")
    return f"R{place[0]}C{place[1]}"


def _written_indexer(rule: rules.Indexer, layout: Layout) -> Written:
    for name, argument in (("column", "columns"), ("row", "rows"), ("box", "boxes")):
        plain = Layout.of_side(layout.side) if layout.box_rows == 0 else layout
        if layout.box_rows or name != "box":
            made = indexers(base=plain, **{argument: [rule.index]})
            if made.rules[-1] == rule:
                return f"{name}indexer", [{"cells": names_of([rule.index])}]
    raise PuzzleError(f"cannot hold the rule {rule}")


def _written_negative(rule: rules.NoMorePairs, layout: Layout) -> Written:
    same = _negative(layout.rules, rule.relation)
    if rule != same or (rule.relation == "difference" and not same.except_pairs):
        raise PuzzleError(f"cannot hold the rule {rule} with these clues")
    if rule.relation == "difference":
        return "nonconsecutive", True
    return "negative", ["xv" if rule.relation == "sum" else "ratio"]


_WRITERS: dict[type[rules.Rule], Write] = {
    rules.Allowed: _written_marks,
    rules.Apart: _written_apart,
    rules.Arrow: _written_arrow,
    rules.BetweenLine: _written_line("betweenline"),
    rules.Cage: _written_cage,
    rules.Clone: _written_clone,
    rules.Difference: lambda rule, layout: _number("difference", rule),
    rules.Dot: lambda rule, layout: (
        "difference" if rule.color == "white" else "ratio",
        [{"cells": names_of(rule.cells)}],
    ),
    rules.DoubleArrow: _written_line("doublearrow"),
    rules.EntropicLine: _written_line("entropicline"),
    rules.EqualSums: _written_line("regionsumline"),
    rules.Greater: _written_line("thermometer"),
    rules.Indexer: _written_indexer,
    rules.LittleKiller: _written_little_killer,
    rules.LockoutLine: _written_line("lockout"),
    rules.Maximum: _written_extreme,
    rules.Minimum: _written_extreme,
    rules.ModularLine: _written_line("modularline"),
    rules.Nabner: _written_line("nabner"),
    rules.NoMorePairs: _written_negative,
    rules.NonConsecutive: _written_non_consecutive,
    rules.PairSum: _written_sum,
    rules.Palindrome: _written_line("palindrome"),
    rules.Quadruple: lambda rule, layout: (
        "quadruple",
        [{"cells": names_of(rule.cells), "values": list(rule.digits)}],
    ),
    rules.Ratio: lambda rule, layout: _number("ratio", rule),
    rules.Renban: _written_line("renban"),
    rules.Sandwich: _written_outside("sandwichsum"),
    rules.Skyscraper: _written_outside("skyscraper"),
    rules.SlowThermometer: _written_line("slowthermometer"),
    rules.Thermometer: _written_line("thermometer"),
    rules.Unique: lambda rule, layout: ("extraregion", [{"cells": names_of(rule.cells)}]),
    rules.Whisper: _written_line("whispers"),
    rules.XSum: _written_outside("xsum"),
    rules.Zipper: _written_line("zipperline"),
}
