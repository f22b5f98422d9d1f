"""The graph in which chains are found: candidates (and groups of them), strong and weak links.

A node is a candidate, numbered (digit - 1) * cells + cell as in `Position.flat`, or a group: two or
more places of a digit, all of them where two houses cross, such as a box and a line. Groups are
numbered after the candidates. A weak link joins two nodes that cannot both be true; a strong link
joins two nodes of which at least one is true. If a node is false, every node strongly linked to it
is true; if a node is true, every node weakly linked to it is false. A chain alternates the two.

A set of nodes is one integer. The weak links (conflicts) depend on the layout only and are computed
once for each layout; the strong links are computed for each position.
"""

from __future__ import annotations

from functools import cached_property

from sudoku.board.layout import Layout, layout_cache
from sudoku.hinting.geometry import Geometry, bits, geometry
from sudoku.hinting.position import Position

__all__ = ["Conflicts", "LinkGraph", "conflicts"]


class Conflicts:
    """The weak links of a layout: for every possible node the nodes that conflict with it.

    The tables are made when they are first needed.
    """

    def __init__(self, tables: Geometry) -> None:
        self.tables = tables
        self.singles = tables.size * tables.side
        """The number of nodes that are single candidates."""

    @property
    def plain(self) -> list[int]:
        """For each candidate the candidates that conflict with it."""
        return self.tables.weak

    @cached_property
    def sight(self) -> list[int]:
        """For each group, numbered as the nodes, the candidates that conflict with all of it."""
        size, weak, found = self.tables.size, self.plain, []
        for digit in self.tables.digits:
            for crossing in self.tables.crossings:
                seen = -1
                for cell in bits(crossing.both):
                    seen &= weak[(digit - 1) * size + cell]
                found.append(seen)
        return found

    @cached_property
    def grouped(self) -> list[int]:
        """For each node the candidates and the groups that conflict with it."""
        first, near = self.singles, [0] * self.singles
        for number, seen in enumerate(self.sight):
            bit = 1 << first + number
            for node in bits(seen):
                near[node] |= bit
        found = [plain | more for plain, more in zip(self.plain, near, strict=True)]
        for number, seen in enumerate(self.sight):
            inside = -1  # the groups that conflict with each candidate of this one
            for node in bits(self._members(first + number)):
                inside &= near[node]
            found.append(seen | inside)
        return found

    def _members(self, node: int) -> int:
        """The candidates of a node, as a set."""
        return self.cells(node) << (self.digit(node) - 1) * self.tables.size

    def cells(self, node: int) -> int:
        """The cells of a node; of a group, all cells that may belong to it."""
        if node < self.singles:
            return 1 << node % self.tables.size
        crossings = self.tables.crossings
        return crossings[(node - self.singles) % len(crossings)].both

    def digit(self, node: int) -> int:
        """The digit of a node."""
        if node < self.singles:
            return node // self.tables.size + 1
        return (node - self.singles) // len(self.tables.crossings) + 1


@layout_cache
def conflicts(layout: Layout) -> Conflicts:
    """The conflicts of a layout, cached with it."""
    return Conflicts(geometry(layout))


class LinkGraph:
    """The strong and weak links between the candidates of a position.

    `cells`: with the strong links between the two candidates of a bivalue cell. `houses`: with the
    strong links between the only two places of a digit in a house. `grouped`: with groups as nodes.
    `only`: with the strong links of this digit in houses; None: of all digits.
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
        """For each node with strong links the nodes linked to it."""
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
        """Links the two nodes of houses whose places are two nodes, one or both of them groups."""
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
        return digit, self.table.cells(number) & self.position.planes[digit]

    @property
    def next_true(self) -> dict[int, int]:
        """For each node with strong links the nodes that are true, two links on, if it is true."""
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
        """The candidates that some chain refutes: if true, then false. O(nodes^2) time."""
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
        # For each node what is true if it is false: its strong links and what follows from them.
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
