"""The formats `ps` and `sumocue`: the lines of two killer programs, Perfect Sudoku and SumoCue.

    3x3::k:4096:4096:...:        81 fields: 256 x the sum of the cage + its first cell, from 0
    3x3:d:k:...                  with both diagonals
    SumoCueV1=16J0+0J0=8J1...    for the first cell of a cage = and the sum, for others + and the
    SumoCueV1D...                first cell; in jigsaws J and the region. D: with both diagonals

Sum 0 means a cell without a cage. Source: Ruud, the author of SumoCue, in
http://www.sudocue.net/forum/viewtopic.php?f=1&t=519 (where "reversed" means that the sum is the
high byte). Only 9x9, without givens.
"""

from __future__ import annotations

import re

from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.errors import PuzzleError, counted
from sudoku.formats.jigsaw import is_jigsaw, regions_of
from sudoku.formats.killer import killer_base
from sudoku.formats.record import REMARK, Lost, Record, first_field, line_format, shape
from sudoku.rules import Cage
from sudoku.rules.layouts import diagonal, jigsaw, killer

__all__ = ["PS", "SUMOCUE"]

_ENTRY = re.compile(r"([=+])(\d{1,3})(?:J([0-8]))?")


def _parse_ps(text: str, layout: Layout | None) -> Record:
    text, rest = first_field(text)
    fields = text.rstrip(":").split(":")
    if fields[0] != "3x3" or len(fields) < 3 or fields[1] not in ("", "d") or fields[2] != "k":
        raise PuzzleError("the form is 3x3::k: or 3x3:d:k: and 81 numbers with colons between them")
    numbers = fields[3:]
    if len(numbers) != 81 or not all(re.fullmatch(r"\d{1,6}", number) for number in numbers):
        raise PuzzleError(f"{counted(len(numbers), 'field')} after k; there must be 81 numbers")
    cages: dict[int, list[int]] = {}
    for cell, number in enumerate(map(int, numbers)):
        if number >= 256:
            cages.setdefault(number, []).append(cell)
    pairs = [(number >> 8, cells) for number, cells in cages.items()]
    return _record(pairs, diagonal() if fields[1] else Layout(3, 3), rest)


def _parse_sumocue(text: str, layout: Layout | None) -> Record:
    text, rest = first_field(text)
    head = re.match(r"SumoCueV1(D?)(?=[=+])", text)
    entries = _ENTRY.findall(text[head.end() :]) if head else []
    if len(entries) != 81 or "".join(_entry_text(entry) for entry in entries) != text[head.end() :]:  # type: ignore[union-attr]
        raise PuzzleError(f"{len(entries)} entries such as =16 or +0J3; there must be 81")
    cages: dict[int, tuple[int, list[int]]] = {}
    for cell, (sign, number, _) in enumerate(entries):
        if sign == "=":
            cages[cell] = (int(number), [cell])
    for cell, (sign, number, _) in enumerate(entries):
        if sign == "+":
            if int(number) not in cages:
                raise PuzzleError(f"cell {cell} refers to a cage at {number}, where none begins")
            cages[int(number)][1].append(cell)
    regions = "".join(region for _, _, region in entries)
    if regions and len(regions) != 81:
        raise PuzzleError(f"regions for {counted(len(regions), 'cell')}; all 81 need one, or none")
    base = jigsaw(regions) if regions else Layout(3, 3)
    if head and head[1]:
        base = diagonal(base)
    return _record([cage for cage in cages.values() if cage[0]], base, rest)


def _entry_text(entry: tuple[str, str, str]) -> str:
    sign, number, region = entry
    return f"{sign}{number}J{region}" if region else f"{sign}{number}"


def _record(cages: list[tuple[int, list[int]]], base: Layout, rest: str) -> Record:
    places = base.positions
    made = [(total, [places[cell] for cell in cells]) for total, cells in cages]
    layout = killer(made, base=base) if made else base
    return Record(Grid.from_cells((0,) * 81, layout), rest=rest)


def _cages(layout: Layout) -> dict[int, tuple[int, int]]:
    """For each cell in a cage the sum and the first cell of the cage."""
    return {
        layout.index[cell]: (rule.total or 0, min(layout.index[c] for c in rule.cells))
        for rule in layout.rules
        if type(rule) is Cage
        for cell in rule.cells
    }


def _ps_fields(record: Record, lost: Lost) -> list[str]:
    layout = record.grid.layout
    cages = _cages(layout)
    totals = (cages.get(cell, (0, cell)) for cell in range(81))
    numbers = ":".join(str(256 * total + first) for total, first in totals)
    flag = "" if len(layout.houses) == 27 else "d"
    return [f"3x3:{flag}:k:{numbers}:"]


def _sumocue_fields(record: Record, lost: Lost) -> list[str]:
    layout = record.grid.layout
    cages = _cages(layout)
    regions = "" if layout.box_rows else regions_of(layout)
    parts = ["SumoCueV1", "D" if len(layout.houses) > 27 else ""]
    for cell in range(81):
        total, first = cages.get(cell, (0, cell))
        parts.append(f"={total}" if first == cell else f"+{first}")
        parts.append(f"J{int(regions[cell]) - 1}" if regions else "")
    return ["".join(parts)]


def _refuses_ps(grid: Grid) -> str | None:
    layout = grid.layout
    base = killer_base(layout)
    if base is None or layout.box_rows != 3 or layout.side != 9:
        return f"cannot hold {shape(layout)}"
    return _refuses_content(grid)


def _refuses_sumocue(grid: Grid) -> str | None:
    layout = grid.layout
    more = {house.cells for house in layout.houses[27:]}
    good = not more or more == {house.cells for house in diagonal().houses[27:]}
    only_cages = all(type(rule) is Cage for rule in layout.rules)
    if layout.side == 9 and is_jigsaw(layout) and good and only_cages:
        return _refuses_content(grid)
    return _refuses_ps(grid)


def _refuses_content(grid: Grid) -> str | None:
    if grid.filled:
        return "cannot hold givens"
    if any(type(rule) is Cage and not rule.total for rule in grid.layout.rules):
        return "cannot hold cages without a sum"
    return None


PS = line_format(
    "ps",
    "Perfect Sudoku's killers, 3x3::k: and 81 numbers",
    lambda head, comments: re.match(r"3x3:[^:\s]?:", head.lstrip()) is not None,
    _parse_ps,
    _ps_fields,
    _refuses_ps,
    [REMARK],
)
SUMOCUE = line_format(
    "sumocue",
    "SumoCue's killers and jigsaws, SumoCueV1 and 81 entries",
    lambda head, comments: head.lstrip().startswith("SumoCueV1"),
    _parse_sumocue,
    _sumocue_fields,
    _refuses_sumocue,
    [REMARK],
)
