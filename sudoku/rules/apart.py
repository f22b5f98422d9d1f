"""`Apart`, a rule that keeps equal digits apart: anti-knight, anti-king, touching corners."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from sudoku.board.cells import MAX_PLACE, Cell, checked_list, integer
from sudoku.board.layout import Layout
from sudoku.board.rule import CoverModel, Rule
from sudoku.errors import LayoutError, shown

__all__ = ["Apart", "half", "pairs_at"]


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

    def __str__(self) -> str:
        return f"{self.kind} by {', '.join(map(str, self.offsets))}"


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


def half(offset: object) -> tuple[int, int]:
    """The offset or its opposite, whichever points down or right; `LayoutError` if it is none."""
    if isinstance(offset, tuple | list) and len(offset) == 2:
        down, right = (integer(step, -MAX_PLACE, MAX_PLACE) for step in offset)
        if down is not None and right is not None and (down or right):
            return max((down, right), (-down, -right))
    raise LayoutError(f"{shown(offset)} is not an offset; expected (rows, columns), not both 0")
