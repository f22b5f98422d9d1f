"""The graph in which chains are found: candidates, sets of them, and strong and weak links.

A node is a candidate, numbered (digit - 1) * cells + cell as in `Position.flat`, or two or more
places of a digit, one of which holds it: the places where two houses cross (a group), or those in
an almost locked set. Such nodes are numbered after the candidates. A weak link joins two nodes that
cannot both be true; a strong link joins two nodes of which at least one is true. If a node is
false, every node strongly linked to it is true; if a node is true, every node weakly linked to it
is false. A chain alternates the two.

A set of nodes is one integer.
"""

from __future__ import annotations

from functools import cached_property
from itertools import combinations

from sudoku.hinting.geometry import bits
from sudoku.hinting.position import Position
from sudoku.hinting.techniques.als import AlmostLockedSet, linked_sets

__all__ = ["LinkGraph"]


class LinkGraph:
    """The strong and weak links between the candidates of a position.

    `cells`: with the strong links between the two candidates of a bivalue cell. `houses`: with the
    strong links between the only two places of a digit in a house. `grouped`: with groups as nodes.
    `sets`: with the strong links between any two digits of an almost locked set. `only`: with the
    strong links of this digit in houses; None: of all digits.
    """

    def __init__(
        self,
        position: Position,
        *,
        cells: bool = True,
        houses: bool = True,
        grouped: bool = False,
        sets: bool = False,
        only: int | None = None,
    ) -> None:
        tables = position.tables
        self.position = position
        self.first_group = tables.size * tables.side
        """The number of nodes that are single candidates."""
        self.groups: list[tuple[int, int]] = []
        """The digit and the places of all other nodes."""
        self._numbers: dict[tuple[int, int], int] = {}
        self.strong: dict[int, int] = {}
        """For each node with strong links the nodes that are true if it is false."""
        self.sets: dict[tuple[int, int], AlmostLockedSet] = {}
        """For two nodes, in both orders, the almost locked set that alone links them."""
        if houses:
            for digit in tables.digits if only is None else (only,):
                self._link_pairs(digit)
                if grouped:
                    self._link_groups(digit)
        if cells:
            self._link_cells()
        if sets:
            self._link_sets()
        self.linked = sum(1 << node for node in self.strong)
        """The nodes with strong links."""
        self.singles = position.flat
        """The candidates of the position."""
        self.conflict = self._conflicts()
        """For each node the nodes that conflict with it."""

    def _node(self, digit: int, cells: int) -> int:
        """The number of the node with these places of a digit."""
        if not cells & (cells - 1):
            return (digit - 1) * self.position.tables.size + cells.bit_length() - 1
        number = self._numbers.setdefault((digit, cells), self.first_group + len(self.groups))
        if number == self.first_group + len(self.groups):
            self.groups.append((digit, cells))
        return number

    def _conflicts(self) -> list[int]:
        """The weak links of all nodes; the nodes of a group all conflict with a node or none."""
        weak = self.position.tables.weak
        if not self.groups:
            return weak
        size, flat = self.position.tables.size, self.position.flat
        members = [[(digit - 1) * size + c for c in bits(cells)] for digit, cells in self.groups]
        near: dict[int, int] = {}  # for each candidate the groups that conflict with it
        sight = []  # for each group the candidates that conflict with it
        for number, nodes in enumerate(members, self.first_group):
            seen, bit = flat, 1 << number
            for node in nodes:
                seen &= weak[node]
            sight.append(seen)
            for node in bits(seen):
                near[node] = near.get(node, 0) | bit
        found = list(weak)
        for node, more in near.items():
            found[node] |= more
        for seen, nodes in zip(sight, members, strict=True):
            inside = -1
            for node in nodes:
                inside &= near.get(node, 0)
            found.append(seen | inside)
        return found

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
        parts: dict[int, dict[int, None]] = {}
        for crossing in tables.crossings:
            if here := plane & crossing.both:
                parts.setdefault(crossing.box, {})[here] = None
                parts.setdefault(crossing.line, {})[here] = None
        for house, found in parts.items():
            whole = plane & tables.houses[house]
            if whole.bit_count() < 3:
                continue
            for part in found:
                rest = whole & ~part
                if rest in found or (rest and not rest & (rest - 1)):
                    self._link(self._node(digit, part), self._node(digit, rest))

    def _link_sets(self) -> None:
        """Links the digits of each almost locked set: without one of them, it holds all others."""
        planes = self.position.planes
        for als in linked_sets(self.position).all:
            if not als.cells & (als.cells - 1):
                continue  # `_link_cells`
            nodes = [
                self._node(digit, places)
                for digit, places in als.places.items()
                if planes[digit] & als.sees[digit]
            ]
            for one, two in combinations(nodes, 2):
                if not self.strong.get(one, 0) >> two & 1:
                    self._link(one, two)
                    self.sets[one, two] = self.sets[two, one] = als

    def node(self, number: int) -> tuple[int, int]:
        """The digit and the cells of a node."""
        if number >= self.first_group:
            return self.groups[number - self.first_group]
        plane, cell = divmod(number, self.position.tables.size)
        return plane + 1, 1 << cell

    @cached_property
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
