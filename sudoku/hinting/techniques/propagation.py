"""Bit-parallel propagation of singles: what follows if a candidate is true or false.

A state is one set of candidates, numbered as in `Position.flat`; a solved cell keeps the candidate
of its digit. A group is a set of candidates of which exactly one is true: those of a cell, or those
of a digit in a house. All groups of one form (all cells, all rows, all columns, all boxes) are
counted at once: the j-th members of all groups are shifted to the positions of their first members,
`once` collects the groups with a member left, `twice` those with two or more.
"""

from __future__ import annotations

from sudoku.board.layout import Layout, layout_cache
from sudoku.hinting.geometry import Geometry, bits, geometry
from sudoku.hinting.position import Position

__all__ = ["Propagation", "propagation"]


class Propagation:
    """Propagates singles in the positions of one layout."""

    def __init__(self, tables: Geometry) -> None:
        self.tables = tables
        self.keep = [~links for links in tables.weak]
        """For each candidate the candidates that can be true together with it."""
        self.groups = tables.groups
        self.members = [
            sum(1 << anchor + shift for shift in shifts)
            for anchors, shifts in tables.groups
            for anchor in bits(anchors)
        ]
        """Each group as a set of candidates: exactly one of them is true."""

    def start(self, position: Position) -> tuple[int, int]:
        """The state of a position, and the candidates of its solved cells, which are true."""
        return position.flat | position.true, position.true

    def assume(self, state: int, true: int, candidate: int) -> tuple[int, int, bool]:
        """What follows by singles if the candidate is true.

        Returns the new state, the candidates that are true in it, and False if there is a
        contradiction.
        """
        return self._follow(state, true, 1 << candidate)

    def exclude(self, state: int, true: int, candidate: int) -> tuple[int, int, bool]:
        """What follows by singles if the candidate is false; returns the same as `assume`."""
        return self._follow(state & ~(1 << candidate), true, 0)

    def exclude_all(self, state: int, true: int, gone: int) -> tuple[int, int, bool]:
        """What follows by singles if all these candidates are false; returns as `assume`."""
        return self._follow(state & ~gone, true, 0)

    def _follow(self, state: int, true: int, fresh: int) -> tuple[int, int, bool]:
        """Propagates singles, first the candidates `fresh`; returns the same as `assume`."""
        keep, groups = self.keep, self.groups
        while True:
            true |= fresh
            while fresh:
                low = fresh & -fresh
                if not state & low:
                    return state, true, False
                state &= keep[low.bit_length() - 1]
                fresh ^= low
            for anchors, shifts in groups:
                once = twice = 0
                for shift in shifts:
                    here = state >> shift
                    twice |= once & here
                    once |= here
                once &= anchors
                if once != anchors:
                    return state, true, False
                alone = once & ~twice
                spread = 0
                for shift in shifts:
                    spread |= alone << shift
                fresh |= spread & state
            fresh &= ~true
            if not fresh:
                return state, true, True

    def refuted(self, position: Position) -> list[tuple[int, int]]:
        """All candidates that lead to a contradiction, each with the number of digits placed.

        If a candidate leads to no contradiction, neither do the candidates that follow from it:
        their consequences are among its own. They are not tried.
        """
        state, true = self.start(position)
        fine = true
        found: list[tuple[int, int]] = []
        counts = position.counts
        size = self.tables.size
        order = sorted(bits(position.flat), key=lambda node: counts[node % size])
        for candidate in order:
            if fine >> candidate & 1:
                continue
            _, reached, possible = self.assume(state, true, candidate)
            if possible:
                fine |= reached
            else:
                found.append((candidate, (reached & ~true).bit_count()))
        return found


@layout_cache
def propagation(layout: Layout) -> Propagation:
    """The propagation of a layout, cached with it."""
    return Propagation(geometry(layout))
