"""The graph of chains: candidates (and groups of them), strong and weak links.

A node is a candidate, numbered (digit - 1) * cells + cell as in `Position.flat`, or a group: all
places of a digit where two houses cross, such as a box and a line, if there are two or more. Groups
have the numbers after the candidates. A weak link joins two nodes that cannot both be true; a
strong link two of which one must be. From "a is false" follows that what is strongly linked to it
is true; from "b is true" that what is weakly linked to it is false; and so on in turn.

Every set of nodes is one integer. What conflicts with what never changes and is a table of the
layout; the strong links are those of the position.
"""

from __future__ import annotations

from sudoku.board.layout import Layout, layout_cache
from sudoku.hinting.geometry import Geometry, bits, geometry
from sudoku.hinting.position import Position

__all__ = ["Conflicts", "Graph", "conflicts"]


class Conflicts:
    """For every node that can be, the nodes that cannot be true with it."""

    def __init__(self, tables: Geometry) -> None:
        size, side = tables.size, tables.side
        self.tables = tables
        self.singles = size * side
        """The number of nodes that are single candidates."""
        crossings = tables.crossings
        self.plain: list[int] = []
        """Candidates that conflict with the node."""
        self.grouped: list[int] = []
        """Candidates and groups that do."""
        self.cells: list[int] = []
        """The cells of each node; of groups, all that may be in it."""
        first = self.singles
        sight = [tables.seen_by_all(crossing.both) for crossing in crossings]
        in_cell = [
            sum(1 << (digit - 1) * size + cell for digit in tables.digits) for cell in range(size)
        ]
        for digit in tables.digits:
            shift, ahead = (digit - 1) * size, first + (digit - 1) * len(crossings)
            for cell in range(size):
                mask = tables.peers[cell] << shift | in_cell[cell] & ~(1 << shift + cell)
                self.plain.append(mask)
                groups = sum(1 << ahead + at for at, seen in enumerate(sight) if seen >> cell & 1)
                self.grouped.append(mask | groups)
                self.cells.append(1 << cell)
        for digit in tables.digits:
            shift, ahead = (digit - 1) * size, first + (digit - 1) * len(crossings)
            for one, seen in zip(crossings, sight, strict=True):
                self.plain.append(seen << shift)
                groups = sum(
                    1 << ahead + at for at, two in enumerate(crossings) if not two.both & ~seen
                )
                self.grouped.append(seen << shift | groups)
                self.cells.append(one.both)

    def digit(self, node: int) -> int:
        """The digit of a node."""
        if node < self.singles:
            return node // self.tables.size + 1
        return (node - self.singles) // len(self.tables.crossings) + 1


@layout_cache
def conflicts(layout: Layout) -> Conflicts:
    """The table of a layout, made once."""
    return Conflicts(geometry(layout))


class Graph:
    """The links of a position.

    `cells`: with the strong links in bivalue cells. `houses`: with those of two places in a
    house. `grouped`: with groups.
    """

    def __init__(
        self,
        position: Position,
        *,
        cells: bool = True,
        houses: bool = True,
        grouped: bool = False,
        only: int | None = None,
    ) -> None:
        self.position = position
        self.table = conflicts(position.tables.layout)
        self.conflict = self.table.grouped if grouped else self.table.plain
        self.strong: dict[int, int] = {}
        """For each node that has any its strongly linked nodes."""
        digits = position.tables.digits if only is None else (only,)
        if houses:
            for digit in digits:
                self._link_pairs(digit)
                if grouped:
                    self._link_groups(digit)
        if cells:
            self._link_cells()
        self.linked = sum(1 << node for node in self.strong)
        """The nodes with strong links."""
        self.singles = position.flat
        """The candidates of the position."""

    def _link(self, one: int, two: int) -> None:
        self.strong[one] = self.strong.get(one, 0) | 1 << two
        self.strong[two] = self.strong.get(two, 0) | 1 << one

    def _link_pairs(self, digit: int) -> None:
        shift = (digit - 1) * self.position.tables.size
        for pair in self.position.pairs[digit]:
            self._link(shift + pair.first, shift + pair.second)

    def _link_cells(self) -> None:
        size = self.position.tables.size
        for cell in bits(self.position.bivalue):
            one, two = self.position.digits_of[cell]
            self._link((one - 1) * size + cell, (two - 1) * size + cell)

    def _link_groups(self, digit: int) -> None:
        """Houses whose places are two nodes, at least one of them a group."""
        tables, plane = self.position.tables, self.position.planes[digit]
        shift = (digit - 1) * tables.size
        ahead = self.table.singles + (digit - 1) * len(tables.crossings)
        parts: dict[int, list[tuple[int, int]]] = {}
        for at, crossing in enumerate(tables.crossings):
            here = plane & crossing.both
            if not here:
                continue
            node = ahead + at if here & (here - 1) else shift + here.bit_length() - 1
            parts.setdefault(crossing.box, []).append((node, here))
            parts.setdefault(crossing.line, []).append((node, here))
        for house, found in parts.items():
            whole = plane & tables.houses[house]
            if whole.bit_count() < 3:
                continue
            by_cells: dict[int, list[tuple[int, int]]] = {}
            for at, (two, second) in enumerate(found):
                by_cells.setdefault(second, []).append((at, two))
            for at, (one, first) in enumerate(found):
                rest = whole & ~first
                if rest in by_cells:
                    for later, two in by_cells[rest]:
                        if later > at:
                            self._link(one, two)
                elif rest and not rest & (rest - 1):
                    self._link(one, shift + rest.bit_length() - 1)

    def node(self, number: int) -> tuple[int, int]:
        """The digit and the cells of a node."""
        digit = self.table.digit(number)
        return digit, self.table.cells[number] & self.position.planes[digit]

    @property
    def next_true(self) -> dict[int, int]:
        """For each strongly linked node the nodes that are true two links after it is true."""
        found: dict[int, int] = {}
        strong, linked, conflict = self.strong, self.linked, self.conflict
        for node in strong:
            reached = 0
            near = conflict[node] & linked
            while near:
                low = near & -near
                reached |= strong[low.bit_length() - 1]
                near ^= low
            found[node] = reached & ~(1 << node)
        return found

    def refuted(self) -> int:
        """All candidates from whose truth their falsehood follows, by any chain: O(nodes^2)."""
        reach = self.next_true
        nodes = list(reach)
        for node in nodes:
            bit, more = 1 << node, reach[node]
            if not more:
                continue
            for other in nodes:
                if reach[other] & bit:
                    reach[other] |= more
        for node in nodes:
            reach[node] |= 1 << node
        # What is true once a node is false: its strong links and all that follows from them.
        after: dict[int, int] = {}
        for node, direct in self.strong.items():
            whole = 0
            while direct:
                low = direct & -direct
                whole |= reach[low.bit_length() - 1]
                direct ^= low
            after[node] = whole
        found = 0
        conflict, linked = self.conflict, self.linked
        for candidate in bits(self.singles):
            against = conflict[candidate]
            near = against & linked
            while near:
                low = near & -near
                if after[low.bit_length() - 1] & against:
                    found |= 1 << candidate
                    break
                near ^= low
        return found
