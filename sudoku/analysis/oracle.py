"""Four backtracking solvers without exact cover: test oracles for everything else.

They import neither `dlx` nor the rest of this package, on purpose: they are slow, short, and easy
to verify. All four fill the empty cells depth first, smallest digit first, and backtrack at dead
ends. They differ in the order of the cells and in how they find the free digits of a cell.

`plain`
    The classic beginner's solver. It fills the empty cells row by row; each row, column and box has
    a flag for each digit. A cell's free digits are found by checking the flags of its three houses.
`bitmask`
    The same search, node by node, with one integer for each row, column and box instead of flags.
    The free digits of a cell, all at once, are `~(row | column | box) & FULL`; the lowest bit of a
    set `b` is `b & -b`. In a compiled language that is several times as fast as flags. In CPython,
    where a flag costs as much as an integer, it is as fast on 9x9 grids, and faster on larger ones.
    The property tests compare with this solver.
`singles_first`
    Many cells of a puzzle have one free digit from the start. This solver fills them until nothing
    changes, and then searches as `bitmask` does. A cell with *no* free digit is a contradiction,
    which ends the search at once. Easy puzzles become trivial. Hard ones have few such cells at the
    start, so the search takes as long as before.
`fewest_first`
    Each level fills the cell with the fewest free digits. On a tie it takes the cell with the most
    empty peers (cells that share a house with it), which restricts the most other cells, then the
    first cell. So it finds a cell without free digits at once, and fills a cell with one free digit
    as soon as there is one. The heuristic of exact cover does the same, and it also finds digits
    with one place left. Each node takes a pass over all empty cells. On hard puzzles there are
    orders of magnitude fewer nodes; on easy ones it can be slower than `bitmask`.

The worst cases of the first two are puzzles whose first rows are empty and whose solutions begin
with 987654321, because the smallest digits are tried first.

A *node* is the root, or a digit written into a cell, by choice or as a single. `dlx` counts nodes
in the same way. Cells are a sequence of side x side numbers, 0 for an empty cell. The search is not
recursive, since a 36x36 grid has 1296 levels.

    >>> bitmask([1,0,0,0, 0,2,0,0, 0,0,3,0, 4,0,0,0], 2, 2).solutions
    ((1, 4, 2, 3, 3, 2, 4, 1, 2, 1, 3, 4, 4, 3, 1, 2),)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

__all__ = ["METHODS", "Result", "bitmask", "fewest_first", "plain", "singles_first"]

Cells = tuple[int, ...]


class Result(NamedTuple):
    """The result of a backtracker."""

    solutions: tuple[Cells, ...]
    """The solutions, as cells, in the order found."""
    nodes: int
    """The size of the search tree."""
    exhausted: bool
    """Whether the whole tree was searched, so that `solutions` is complete."""
    stopped_by: str | None
    """`"limit"` or `"node_limit"` if that ended the search, else None."""


class _BacktrackState:
    """The state of one run: the grid, the limits, the node count and the solutions."""

    def __init__(
        self,
        cells: Sequence[int],
        box_rows: int,
        box_columns: int,
        limit: int | None,
        node_limit: int | None,
    ) -> None:
        side = self.side = box_rows * box_columns
        if len(cells) != side * side or not all(0 <= value <= side for value in cells):
            raise ValueError(f"expected {side * side} cells with values from 0 to {side}")
        self.cells = list(cells)
        # The houses of each cell, as places in one list: rows, then columns, then boxes.
        self.houses = [
            (row, side + column, 2 * side + row // box_rows * box_rows + column // box_columns)
            for row in range(side)
            for column in range(side)
        ]
        self.limit = limit
        self.nodes = 1
        self.node_limit = node_limit
        self.solutions: list[Cells] = []
        self.stopped_by = "limit" if limit == 0 else None

    def empty_cells(self) -> list[int]:
        return [cell for cell, value in enumerate(self.cells) if not value]

    def keep_solution(self) -> None:
        self.solutions.append(tuple(self.cells))
        if len(self.solutions) == self.limit:
            self.stopped_by = "limit"

    def result(self) -> Result:
        return Result(tuple(self.solutions), self.nodes, self.stopped_by is None, self.stopped_by)


def plain(
    cells: Sequence[int],
    box_rows: int = 3,
    box_columns: int = 3,
    *,
    limit: int | None = None,
    node_limit: int | None = None,
) -> Result:
    """Row by row, with a flag for each digit of each row, column and box."""
    search = _BacktrackState(cells, box_rows, box_columns, limit, node_limit)
    values, side, houses = search.cells, search.side, search.houses
    has = [[False] * (side + 1) for _ in range(3 * side)]
    for cell, digit in enumerate(values):
        if digit:
            flags = [has[house] for house in houses[cell]]
            if any(house[digit] for house in flags):
                return search.result()  # the givens clash
            for house in flags:
                house[digit] = True
    empty, nodes = search.empty_cells(), 1
    depth = 0
    while depth >= 0 and not search.stopped_by:
        if depth == len(empty):
            search.keep_solution()
            depth -= 1
            continue
        cell = empty[depth]
        in_row, in_column, in_box = houses[cell]
        row, column, box = has[in_row], has[in_column], has[in_box]
        digit = values[cell]
        row[digit] = column[digit] = box[digit] = False  # the flag of digit 0 is never read
        digit += 1
        while digit <= side and (row[digit] or column[digit] or box[digit]):
            digit += 1
        if digit > side:
            values[cell] = 0
            depth -= 1
        elif nodes == node_limit:
            search.stopped_by = "node_limit"
        else:
            nodes += 1
            values[cell] = digit
            row[digit] = column[digit] = box[digit] = True
            depth += 1
    search.nodes = nodes
    return search.result()


class _Masks:
    """For each row, column and box the digits it has, as bits: digit d is bit d - 1."""

    def __init__(self, search: _BacktrackState) -> None:
        side = search.side
        self.full = (1 << side) - 1
        self.used = [0] * (3 * side)
        self.houses = search.houses
        self.clash = False
        for cell, digit in enumerate(search.cells):
            if digit:
                bit = 1 << digit - 1
                self.clash |= not self.free(cell) & bit
                self.write(cell, bit)

    def free(self, cell: int) -> int:
        """The digits that the houses of the cell do not have."""
        used = self.used
        row, column, box = self.houses[cell]
        return ~(used[row] | used[column] | used[box]) & self.full

    def write(self, cell: int, bit: int) -> None:
        """Writes a digit into the houses of the cell."""
        for house in self.houses[cell]:
            self.used[house] |= bit


def bitmask(
    cells: Sequence[int],
    box_rows: int = 3,
    box_columns: int = 3,
    *,
    limit: int | None = None,
    node_limit: int | None = None,
) -> Result:
    """Row by row, with the digits of each row, column and box as the bits of an integer."""
    search = _BacktrackState(cells, box_rows, box_columns, limit, node_limit)
    masks = _Masks(search)
    if not masks.clash:
        _depth_first(search, masks, search.empty_cells())
    return search.result()


def _depth_first(
    search: _BacktrackState,
    masks: _Masks,
    order: list[int],
    choose: Callable[[int], None] | None = None,
) -> None:
    """Searches for fillings of the cells in `order`.

    `choose(depth)` is called before the search enters a depth; it may swap the cell of that depth
    with a later one, which makes the order dynamic.
    """
    used, full, houses = masks.used, masks.full, masks.houses
    nodes, node_limit = search.nodes, search.node_limit
    written = [0] * len(order)  # for each depth the digit of its cell, as a bit
    untried = [0] * len(order)  # for each depth the digits that have not been tried, as bits
    depth, bits = 0, 0
    while not search.stopped_by:
        if depth < len(order):
            if choose:
                choose(depth)
            row, column, box = houses[order[depth]]
            bits = ~(used[row] | used[column] | used[box]) & full
        else:
            for cell, bit in zip(order, written, strict=True):
                search.cells[cell] = bit.bit_length()
            search.keep_solution()
            bits = 0
        while not bits and depth:  # backtracks to the last cell with an untried digit
            depth -= 1
            row, column, box = houses[order[depth]]
            bit = written[depth]
            used[row] ^= bit
            used[column] ^= bit
            used[box] ^= bit
            bits = untried[depth]
        if not bits:
            break
        if nodes == node_limit:
            search.stopped_by = "node_limit"
            break
        nodes += 1
        bit = bits & -bits
        written[depth] = bit
        untried[depth] = bits ^ bit
        used[row] |= bit
        used[column] |= bit
        used[box] |= bit
        depth += 1
    search.nodes = nodes


def singles_first(
    cells: Sequence[int],
    box_rows: int = 3,
    box_columns: int = 3,
    *,
    limit: int | None = None,
    node_limit: int | None = None,
) -> Result:
    """All singles, and those that follow from them, before `bitmask`."""
    search = _BacktrackState(cells, box_rows, box_columns, limit, node_limit)
    masks = _Masks(search)
    if not masks.clash and _fill_singles(search, masks):
        _depth_first(search, masks, search.empty_cells())
    return search.result()


def _fill_singles(search: _BacktrackState, masks: _Masks) -> bool:
    """Fills cells with one free digit until there is none; False if a cell has no free digit."""
    changed = True
    while changed:
        changed = False
        for cell in search.empty_cells():
            bits = masks.free(cell)
            if not bits:
                return False
            if not bits & (bits - 1):
                if search.nodes == search.node_limit:
                    search.stopped_by = "node_limit"
                    return False
                search.nodes += 1
                search.cells[cell] = bits.bit_length()
                masks.write(cell, bits)
                changed = True
    return True


def fewest_first(
    cells: Sequence[int],
    box_rows: int = 3,
    box_columns: int = 3,
    *,
    limit: int | None = None,
    node_limit: int | None = None,
) -> Result:
    """Always the cell with the fewest digits; of those, the one with the most empty peers."""
    search = _BacktrackState(cells, box_rows, box_columns, limit, node_limit)
    masks = _Masks(search)
    if masks.clash:
        return search.result()
    order, houses = search.empty_cells(), masks.houses
    peers = {
        cell: {o for o in order if o != cell and not set(houses[o]).isdisjoint(houses[cell])}
        for cell in order
    }

    def choose(depth: int) -> None:
        empty = set(order[depth:])
        digits = {cell: masks.free(cell).bit_count() for cell in empty}
        fewest = min(digits.values())
        ties = [cell for cell in empty if digits[cell] == fewest]
        best = min(ties, key=lambda cell: (-len(peers[cell] & empty), cell))
        at = order.index(best, depth)
        order[depth], order[at] = best, order[depth]

    _depth_first(search, masks, order, choose)
    return search.result()


METHODS: dict[str, Callable[..., Result]] = {
    "plain": plain,
    "bitmask": bitmask,
    "singles_first": singles_first,
    "fewest_first": fewest_first,
}
"""The four backtrackers by name, from the simplest to the most advanced."""
