"""`Apart`, a rule that keeps equal digits apart: anti-knight, anti-king, touching corners."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Self

from sudoku.board.cells import MAX_PLACE, Cell, checked_list, integer
from sudoku.board.layout import Layout
from sudoku.board.rule import CoverModel, Rule
from sudoku.errors import LayoutError, counted, shown

__all__ = ["Apart", "CORNERS", "KING", "KNIGHT", "away", "half", "pairs_at"]

KNIGHT = ((1, -2), (1, 2), (2, -1), (2, 1))
KING = ((0, 1), (1, -1), (1, 0), (1, 1))
CORNERS = ((1, -1), (1, 1))


class Apart(Rule):
    """Forbids equal digits in two cells whose distance (rows, columns) is one of the offsets.

    An offset and its opposite are the same.

    >>> Apart([(1, 1), (1, -1), (-1, -1)])
    Apart(((1, -1), (1, 1)))
    """

    __slots__ = ("offsets",)
    fields = ("offsets",)
    kind = "apart"

    offsets: tuple[tuple[int, int], ...]
    """The offsets in ascending order; of an offset and its opposite, the one down or right."""

    def __init__(self, offsets: Iterable[tuple[int, int]]) -> None:
        self._fill(
            offsets=tuple(sorted({half(offset) for offset in checked_list(offsets, "offsets")}))
        )

    @property
    def digits_alike(self) -> bool:
        """True."""
        return True

    def different(self, layout: Layout) -> Iterable[tuple[Cell, ...]]:
        """The pairs of cells at one of the offsets."""
        return pairs_at(layout.index, self.offsets)

    def contribute(self, model: CoverModel) -> None:
        """Adds a secondary item for each pair and digit, covered by two candidates."""
        layout = model.layout
        together = {
            frozenset((layout.positions[a], layout.positions[b]))
            for house in layout.houses
            for a, b in combinations(house.cells, 2)
        }
        for a, b in self.different(layout):
            if frozenset((a, b)) not in together:
                for digit in range(1, layout.side + 1):
                    model.never_together([(a, digit), (b, digit)], a, b, digit)

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The cells with the same digit as a cell at one of the offsets."""
        pairs = pairs_at(values, self.offsets)
        return tuple(sorted({c for a, b in pairs if values[a] == values[b] for c in (a, b)}))

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """For each rule one."""
        known = {
            KNIGHT: "Cells a knight's move apart have different digits.",
            KING: "Cells a king's move apart have different digits.",
            CORNERS: "Equal digits do not touch, not even at a corner.",
        }
        for rule in rules:
            where = away(rule.offsets)
            yield known.get(rule.offsets, f"Two cells have different digits if one is {where}.")

    def __str__(self) -> str:
        names = {KNIGHT: "anti-knight", KING: "anti-king", CORNERS: "non-touching"}
        return names.get(self.offsets, f"{self.kind} by {', '.join(map(str, self.offsets))}")


def pairs_at(
    cells: Mapping[Cell, object], offsets: Iterable[tuple[int, int]]
) -> Iterator[tuple[Cell, Cell]]:
    """Yields the pairs of these cells whose distance is one of the offsets."""
    offsets = tuple(offsets)
    for row, column in cells:
        for down, right in offsets:
            other = (row + down, column + right)
            if other in cells:
                yield (row, column), other


def away(offsets: Iterable[tuple[int, int]]) -> str:
    """The places of the second of two cells, in words.

    >>> away([(1, 0), (1, -2)])
    '1 row below, or 1 row below and 2 columns to the left of the other'
    """
    places = []
    for down, right in offsets:
        side = "right" if right > 0 else "left"
        parts = [counted(down, "row") + " below"] * (down != 0)
        parts += [counted(abs(right), "column") + f" to the {side}"] * (right != 0)
        places.append(" and ".join(parts))
    return f"{', or '.join(places)} of the other" if places else "the other"


def half(offset: object) -> tuple[int, int]:
    """The offset or its opposite, whichever points down or right; `LayoutError` if it is none."""
    if isinstance(offset, tuple | list) and len(offset) == 2:
        down, right = (integer(step, -MAX_PLACE, MAX_PLACE) for step in offset)
        if down is not None and right is not None and (down or right):
            return max((down, right), (-down, -right))
    raise LayoutError(f"{shown(offset)} is not an offset; expected (rows, columns), not both 0")
