"""The format `fpuzzles`: the JSON of f-puzzles, which SudokuPad and many solvers read as well.

    {"size": 9, "title": "", "grid": [[{"value": 5, "given": true}, {}, ...], ...],
     "killercage": [{"cells": ["R1C1", "R1C2"], "value": "10"}], "antiknight": true, ...}

Source: https://www.f-puzzles.com, and the readers of others such as SudokuPad/sudokutools
(src/fpuzzlesdecoder.js). `sudoku.formats.editors.links` reads the links that players share, which
contain this JSON.

Supported: regions, diagonals, disjoint groups, extra regions, anti-knight and anti-king,
non-consecutive, killer cages, thermometers, arrows, even and odd cells, the setter's pencil marks,
and other constraints of `sudoku.formats.editors.fpuzzles_rules`. Drawings and any other constraint
become the rule `Drawings`, which restricts nothing, and a warning: the puzzle may have more
solutions without it. Where a record has no words of its setter, the rules are written in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sudoku import rules
from sudoku.board.cells import MAX_SIDE, integer
from sudoku.board.grid import Grid, words_of
from sudoku.board.layout import SYMBOLS, Layout
from sudoku.errors import PuzzleError, foreign_errors, shorten
from sudoku.formats.editors.fpuzzles_drawings import (
    DRAWN,
    drawn_shapes,
    written_drawings,
)
from sudoku.formats.editors.fpuzzles_rules import (
    NEGATIVE,
    RULE_NAMES,
    cells_named,
    more_rules,
    names_of,
    parities_of,
    written_rule,
)
from sudoku.formats.jigsaw import is_jigsaw, regions_of
from sudoku.formats.json_format.layouts import MOST_RULES
from sudoku.formats.json_format.reader import LONGEST
from sudoku.formats.json_format.records import by_value, json_text
from sudoku.formats.record import (
    ABOUT,
    MARKS,
    PLACED,
    SOLUTION,
    Format,
    Lost,
    Record,
    full_solution,
    shape,
    warning_of,
)
from sudoku.rules.drawings import shapes_of
from sudoku.rules.layouts import anti_king, anti_knight, disjoint_groups, jigsaw, non_consecutive
from sudoku.text.puzzles import parse

__all__ = ["FPUZZLES", "parse_fpuzzles"]

PLAIN = {
    "size",
    "grid",
    "title",
    "author",
    "ruleset",
    "solution",
    "successMessage",
    "activeConstraints",  # the tools that the editor showed
    "disabledlogic",  # options of a solver
    "truecandidatesoptions",
}
FLAGS = ("diagonal+", "diagonal-", "disjointgroups", "antiknight", "antiking", "nonconsecutive")

_TEXTS = {"title": "title", "author": "author", "ruleset": "description"}


def _detect(head: str, comments: list[str]) -> bool:
    start = head.lstrip()
    return start[:1] == "{" and '"puzzle"' not in head and '"grid"' in head


def _parse(value: Any, layout: Layout | None, number: int) -> Record:
    return parse_fpuzzles(value, number)


def parse_fpuzzles(value: Any, number: int) -> Record:
    """The record of a puzzle in f-puzzles' JSON, which begins in that line.

    Raises `PuzzleError` or `LayoutError` for anything else, and for unknown constraints.
    """
    with foreign_errors("not the JSON of an f-puzzles puzzle"):
        return _record(value, number)


def _record(value: dict[str, Any], number: int) -> Record:
    side, table = value["size"], value["grid"]
    if integer(side, most=MAX_SIDE) is None or len(table) != side:
        raise PuzzleError("size must be a number up to 36, and grid must have `size` rows")
    if any(len(row) != side for row in table):
        raise PuzzleError(f"each row of the grid must have {side} cells")
    cells = [cell for row in table for cell in row]
    unknown = _unknown(value)
    layout = _layout(value, unknown, side, cells)
    grid, placed = (
        parse([[_digit(cell, given) for cell in row] for row in table], layout)
        for given in (True, False)
    )
    solution = value.get("solution")
    if solution:
        rows = [solution[at : at + side] for at in range(0, side * side, side)]
        solution = full_solution(rows, layout)
    about = {ours: str(value[name]) for name, ours in _TEXTS.items() if value.get(name)}
    if about.get("description", "").startswith("Each ") and about["description"] == words_of(
        layout
    ):
        del about["description"]  # written from the rules
    return Record(
        grid,
        number,
        placed=None if placed == grid else placed.line,
        marks=_notes(cells, side),
        solution=solution or None,
        about=about,
        warning=warning_of(layout, unknown=[*unknown]),
    )


def _digit(cell: dict[str, Any], given: bool) -> int:
    return cell.get("value") or 0 if cell.get("given") or not given else 0


def _notes(cells: list[dict[str, Any]], side: int) -> tuple[int, ...] | None:
    """The candidates of the player: the center marks.

    Corner marks are places of a digit in a box (Snyder notation), not all digits of a cell.
    """
    notes = [set(cell.get("centerPencilMarks") or ()) for cell in cells]
    for digits in notes:
        if any(integer(d, most=side) is None for d in digits):
            raise PuzzleError(
                f"pencil marks {shorten(repr(digits))}; they must be digits from 1 to {side}"
            )
    return tuple(sum(1 << d for d in digits) for digits in notes) if any(notes) else None


# -- reading layouts -----------------------------------------------------------------------------


def _unknown(value: dict[str, Any]) -> dict[str, Any]:
    """The constraints that no rule means, by name."""
    known = PLAIN | RULE_NAMES | {*FLAGS, *DRAWN, "extraregion"}
    unknown = {name: item for name, item in value.items() if item and name not in known}
    negative = [name for name in value.get("negative") or () if name not in NEGATIVE]
    return unknown | {f"negative {name}": True for name in negative}


def _layout(
    value: dict[str, Any], unknown: dict[str, Any], side: int, cells: list[dict[str, Any]]
) -> Layout:
    layout = _regions(side, cells)
    falling = [(n, n) for n in range(1, side + 1)]
    rising = [(side + 1 - n, n) for n in range(1, side + 1)]
    diagonals = [
        line for name, line in (("diagonal-", falling), ("diagonal+", rising)) if value.get(name)
    ]
    if diagonals:
        layout = layout.with_houses("diagonal", *diagonals, name="diagonal")
    if value.get("disjointgroups"):
        layout = disjoint_groups(layout)
    if value.get("antiknight"):
        layout = anti_knight(layout)
    if value.get("antiking"):
        layout = anti_king(layout)
    if regions := value.get("extraregion"):
        extra = [rules.Unique(cells_named(region["cells"])) for region in regions]
        layout = layout.with_rules(*_checked_number(extra), name="extra regions")
    more = more_rules(value, layout)
    for name, some in more.items():
        if some:
            layout = layout.with_rules(*_checked_number(some), name=_NAMES.get(name, name))
    if value.get("nonconsecutive") and not any(
        type(rule) is rules.NoMorePairs and rule.relation == "difference"
        for rule in more["negative"]
    ):
        layout = non_consecutive(layout)
    if shapes := drawn_shapes(value, unknown):
        layout = layout.with_rules(rules.Drawings(shapes), name="drawings")
    marks = {
        place: cell["givenPencilMarks"]
        for place, cell in zip(layout.positions, cells, strict=True)
        if cell.get("givenPencilMarks")
    }
    return layout.with_rules(rules.Allowed(marks), name="sukaku") if marks else layout


def _checked_number(some: Sequence[rules.Rule]) -> Sequence[rules.Rule]:
    """The rules; `PuzzleError` if there are more than `MOST_RULES`."""
    if len(some) > MOST_RULES:
        raise PuzzleError(f"{len(some):,} rules of a kind; at most {MOST_RULES:,} are read")
    return some


def _regions(side: int, cells: list[dict[str, Any]]) -> Layout:
    if not any("region" in cell for cell in cells):
        return Layout.of_side(side)
    classic = Layout.of_side(side) if side not in (1, 2, 3, 5, 7, 11, 13) else None
    usual = [0] * len(cells)
    for number, house in enumerate(classic.houses[2 * side :] if classic is not None else ()):
        for cell in house.cells:
            usual[cell] = number
    regions = [cell.get("region", usual[at]) for at, cell in enumerate(cells)]
    if classic is not None and usual == regions:
        return classic
    if any(integer(region, 0, side - 1) is None for region in regions):
        raise PuzzleError(f"regions must be numbers from 0 to {side - 1}")
    return jigsaw("".join(SYMBOLS[region] for region in regions))


_NAMES = {
    "killercage": "killer",
    "thermometer": "thermometers",
    "arrow": "arrows",
    "littlekillersum": "little killer",
    "betweenline": "between",
    "doublearrow": "double-arrows",
    "entropicline": "entropic",
    "modularline": "modular",
    "palindrome": "palindromes",
    "quadruple": "quadruples",
    "regionsumline": "region-sums",
    "sandwichsum": "sandwich",
    "skyscraper": "skyscrapers",
    "slowthermometer": "slow-thermometers",
    "xsum": "x-sums",
    "zipperline": "zipper",
    "clone": "clones",
    "minimum": "extremes",
    "maximum": "extremes",
    "rowindexer": "indexers",
    "columnindexer": "indexers",
    "boxindexer": "indexers",
    "difference": "kropki",
    "ratio": "kropki",
    "even": "even-odd",
}


# -- writing -------------------------------------------------------------------------------------


def _write(records: Iterable[Record], lost: Lost) -> Iterator[str]:
    for record in records:
        value = _value(record.grid)
        grid = value["grid"]
        layout, side = record.grid.layout, record.grid.layout.side
        for at, (given, placed) in enumerate(
            zip(record.grid.line, record.placed or record.grid.line, strict=True)
        ):
            cell = grid[at // side][at % side]
            if placed != ".":
                cell["value"] = layout.symbols.index(placed) + 1
                if given != ".":
                    cell["given"] = True
            if record.marks and record.marks[at]:
                digits = range(1, side + 1)
                cell["centerPencilMarks"] = [d for d in digits if record.marks[at] >> d & 1]
        if record.solution and "." in record.solution:
            lost(record, SOLUTION)
        elif record.solution:
            value["solution"] = [layout.symbols.index(digit) + 1 for digit in record.solution]
        names = {ours: name for name, ours in _TEXTS.items()}
        for name, text in record.about.items():
            if name in names and len(text) < LONGEST // 8:
                value[names[name]] = text
            else:
                lost(record, f"its {name}")
        if not value["ruleset"]:
            value["ruleset"] = words_of(layout)
        if shapes := shapes_of(layout):
            value = written_drawings(shapes) | value
            if sorted(drawn_shapes(value, _unknown(value))) != sorted(shapes):
                lost(record, "some drawings")
        yield json_text(value)


def _value(grid: Grid) -> dict[str, Any]:
    """The JSON object without digits and notes.

    Raises `PuzzleError` for a layout or a rule that f-puzzles does not have.
    """
    layout = grid.layout
    if not layout.is_square or (layout.is_classic and not layout.is_usual):
        raise PuzzleError(f"cannot hold {shape(layout)}")
    side = layout.side
    cells: list[dict[str, Any]] = [{} for _ in range(layout.size)]
    value: dict[str, Any] = {"size": side, "title": "", "author": "", "ruleset": ""}
    value["grid"] = [cells[at : at + side] for at in range(0, layout.size, side)]
    _add_houses(value, cells, layout)
    for name, item in _written(layout):
        if name == "givenPencilMarks":
            for place, digits in item:
                cell = cells[layout.index[place]]
                cell[name] = [d for d in digits if d in cell.get(name, digits)]
                if not cell[name]:
                    raise PuzzleError("cannot hold a cell whose marks leave no digit")
        elif item is True:
            value[name] = True
        elif name == "negative":
            value[name] = sorted({*value.get(name, []), *item})
        else:
            value.setdefault(name, []).extend(item)
    return value


def _written(layout: Layout) -> Iterator[tuple[str, Any]]:
    """The names and values of the constraints for the rules; even and odd cells are two."""
    for rule in layout.rules:
        if type(rule) is rules.Allowed and (parities := parities_of(rule, layout)):
            yield from parities
        elif type(rule) is not rules.Drawings:
            yield written_rule(rule, layout)


def _add_houses(value: dict[str, Any], cells: list[dict[str, Any]], layout: Layout) -> None:
    side, houses = layout.side, layout.houses
    kinds = [house.kind for house in houses]
    if kinds[: 3 * side] not in (
        ["row"] * side + ["column"] * side + [last] * side for last in ("box", "region")
    ):
        raise PuzzleError(f"cannot hold {shape(layout)}")
    if kinds[2 * side] == "region":
        if not is_jigsaw(layout):
            raise PuzzleError("cannot hold these regions")
        for cell, region in zip(cells, regions_of(layout), strict=True):
            cell["region"] = SYMBOLS.index(region)
    elif Layout.of_side(side).houses != houses[: 3 * side]:
        raise PuzzleError("cannot hold these boxes")
    falling = tuple(range(0, layout.size, side + 1))
    rising = tuple(range(side - 1, layout.size - 1, max(side - 1, 1)))
    for house in houses[3 * side :]:
        if house.cells in (falling, rising):
            value["diagonal-" if house.cells == falling else "diagonal+"] = True
        else:
            names = names_of(layout.positions[cell] for cell in house.cells)
            value.setdefault("extraregion", []).append({"cells": names})


def _refuses(grid: Grid) -> str | None:
    try:
        _value(grid)
    except PuzzleError as error:
        return error.what
    return None


FPUZZLES = Format(
    "fpuzzles",
    "the JSON of f-puzzles and SudokuPad, with most kinds of constraints",
    (".fpuzzles",),
    _detect,
    by_value(_parse),
    _write,
    _refuses,
    frozenset({SOLUTION, PLACED, MARKS, ABOUT}),
)
