"""Peers: for each cell, the cells that cannot have the same digit; sets of cells as bits."""

from __future__ import annotations

from collections.abc import Iterable

from sudoku.board.cells import Cell
from sudoku.board.layout import Layout, layout_cache

__all__ = ["all_differ", "cells_of", "mask_of", "peers"]


@layout_cache
def peers(layout: Layout) -> list[int]:
    """For each cell the set of its peers, as bits: the bit of a cell is its number.

    Two cells are peers if they share a house, or if a rule excludes that they are equal
    (`Rule.different`). O(houses x side).

    >>> bin(peers(Layout(1, 2))[0])
    '0b110'
    """
    seen = [0] * layout.size
    for house in layout.houses:
        whole = sum(1 << cell for cell in house.cells)
        for cell in house.cells:
            seen[cell] |= whole
    for rule in layout.rules:
        for group in rule.different(layout):
            whole = mask_of(layout, group)
            for place in group:
                seen[layout.index[place]] |= whole
    return [mask & ~(1 << cell) for cell, mask in enumerate(seen)]


def mask_of(layout: Layout, cells: Iterable[Cell]) -> int:
    """A set of cells as bits: the bit of a cell is its number."""
    index, mask = layout.index, 0
    for cell in cells:
        mask |= 1 << index[cell]
    return mask


def cells_of(layout: Layout, mask: int) -> list[Cell]:
    """The cells of a set of bits, ascending."""
    places, found = layout.positions, []
    while mask:
        low = mask & -mask
        found.append(places[low.bit_length() - 1])
        mask ^= low
    return found


def all_differ(layout: Layout, cells: int) -> bool:
    """Whether any two of these cells, as bits, are peers."""
    seen, left = peers(layout), cells
    while left:
        low = left & -left
        if cells & ~low & ~seen[low.bit_length() - 1]:
            return False
        left ^= low
    return True
