"""`ChaosRegions`, the rule of chaos constructions: regions that the solver has to find.

The grid is divided into as many regions of as many cells as there are digits. The cells of a region
are connected by their edges, and have all digits. A solution is a filling with such a division, so
a filling with several divisions is a solution several times: a puzzle with one solution tells the
digits and the regions. `ChaosRegions.divisions` finds those of a filled grid.

The exact cover problem has two more primary items for each cell, its *shape* and its *member*, and
a secondary item, its *owner*, whose color is the first cell of its region::

    a region      the shapes of its cells, and their owners in the color of its first cell
    a membership  the member of a cell, its digit (by color), its owner in a color, and the digit
                  in the region of that color, which no other cell of the region may have

The regions of every form and place are options: 2816 of them on a grid of side 6, 13616 of side 7,
302574 of side 9, but for those that the clues exclude. docs/kinds.md has what that takes.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Annotated, Final, Self

import dlx
from sudoku.board.cells import Cell, cell_name, integer, is_iterable, neighbours
from sudoku.board.layout import Layout
from sudoku.board.rule import CoverModel, Rule, digits_of, line_of_cells
from sudoku.errors import LayoutError, shown

__all__ = ["ChaosRegions", "connected_regions"]

LARGEST: Final = 9
MOST_REGIONS: Final = 50_000
"""The most regions that the clues may leave: their options take a second and 100 MB."""

Region = int
"""Its cells as bits, row by row from bit 0 for r1c1."""


@cache
def connected_regions(side: int) -> tuple[Region, ...]:
    """All sets of `side` connected cells of a square of that side, ascending.

    >>> [len(connected_regions(side)) for side in (1, 2, 3, 4)]
    [1, 4, 22, 113]

    O(side x number of regions), by adding cells one by one.
    """
    cells = list(product(range(side), range(side)))
    near = [[cells.index(other) for other in neighbours(cell) if other in cells] for cell in cells]
    found: list[Region] = []

    def grow(first: int, region: int, left: int, queue: list[int], seen: int) -> None:
        """Adds the regions that go on with cells of the queue (Redelmeier, 1981)."""
        if not left:
            found.append(region)
            return
        while queue:
            cell = queue.pop()
            new = [other for other in near[cell] if other > first and not seen >> other & 1]
            marked = seen
            for other in new:
                marked |= 1 << other
            grow(first, region | 1 << cell, left - 1, [*queue, *new], marked)

    for first in range(side * side):
        start = [other for other in near[first] if other > first]
        grow(first, 1 << first, side - 1, start, sum(1 << cell for cell in [first, *start]))
    return tuple(sorted(found))


class ChaosRegions(Rule):
    """Divides the grid into connected regions, each with every digit; the solver finds them.

    `apart` are pairs of cells in different regions, such as neighbours with a border between them,
    and `joined` pairs of cells in the same region. Without them, the rows are always a division.
    The layout is a square of `side` rows and columns, as `sudoku.layouts.chaos` makes it.

    >>> import sudoku
    >>> chaos = ChaosRegions(3, apart=[("r1c1", "r1c2")], joined=[("r1c2", "r2c3")])
    >>> layout = sudoku.layouts.latin(3).with_rules(chaos, name="chaos")
    >>> sudoku.count("1.. ... ...", layout=layout)
    4
    """

    __slots__ = ("apart", "joined", "side")
    fields = ("side", "apart", "joined")
    kind = "unknown regions"
    picture = "borders"

    side: Annotated[int, range(1, LARGEST + 1)]
    apart: tuple[tuple[Cell, Cell], ...]
    joined: tuple[tuple[Cell, Cell], ...]

    def __init__(
        self,
        side: int,
        apart: Iterable[tuple[Cell | str, Cell | str]] = (),
        joined: Iterable[tuple[Cell | str, Cell | str]] = (),
    ) -> None:
        number = integer(side, most=LARGEST)
        if number is None:
            raise LayoutError(f"{self.kind} of side {shown(side)}; it must be from 1 to {LARGEST}")
        self._fill(side=number, apart=_checked("apart", apart), joined=_checked("joined", joined))

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` for a grid that is not such a square, and for too many regions."""
        side = self.side
        if not layout.is_square or layout.side != side:
            raise LayoutError(f"{self} of side {side} need a square grid of that side")
        for cell in (cell for pair in (*self.apart, *self.joined) for cell in pair):
            if cell not in layout.index:
                raise LayoutError(f"{self} have {cell_name(*cell)}, which is not in the grid")
        if side > 7 and (count := len(self._regions())) > MOST_REGIONS:
            raise LayoutError(
                f"{self} of {count:,} forms and places; at most {MOST_REGIONS:,} are possible: "
                "give more pairs of cells that are apart or joined"
            )

    @property
    def digits_alike(self) -> bool:
        """True."""
        return True

    def different(self, layout: Layout) -> Iterable[tuple[Cell, ...]]:
        """The pairs in the same region."""
        return self.joined

    def contribute(self, model: CoverModel) -> None:
        """Adds the options of all regions, and of the places of cells in regions."""
        side, places = self.side, model.layout.positions
        shapes = [model.primary("shape", *cell) for cell in places]
        members = [model.primary("member", *cell) for cell in places]
        owners = [model.secondary("owner", *cell) for cell in places]
        regions = self._regions()
        labels: list[set[int]] = [set() for _ in places]
        for number, region in enumerate(regions, 1):
            cells = digits_of(region)
            tied: list[Hashable] = [dlx.colored(owners[cell], cells[0]) for cell in cells]
            model.option([*(shapes[cell] for cell in cells), *tied], "region", number)
            for cell in cells:
                labels[cell].add(cells[0])
        digit_of: dict[tuple[int, int], Hashable] = {
            (first, digit): model.secondary("digit", first, digit)
            for first in sorted(set().union(*labels))
            for digit in range(1, side + 1)
        }
        for cell, place in enumerate(places):
            for first in sorted(labels[cell]):
                for digit in model.digits(place):
                    inside = [dlx.colored(owners[cell], first), digit_of[first, digit]]
                    model.option(
                        [members[cell], model.value(place, digit), *inside],
                        "member", *place, first, digit,
                    )  # fmt: skip

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """All cells of a full grid that has no division into regions; none of another grid."""
        if len(values) < self.side * self.side or next(self.divisions(values), None) is not None:
            return ()
        return tuple(sorted(values))

    def divisions(self, values: Mapping[Cell, int]) -> Iterator[str]:
        """Iterates over the divisions of a filled square into regions, as the rule wants them.

        `values` has the digit of each cell, as `Grid.values`. A division is a text for
        `sudoku.layouts.jigsaw`.

        >>> from sudoku import Grid, layouts
        >>> solved = Grid("123 231 312", layout=layouts.latin(3))
        >>> list(ChaosRegions(3).divisions(solved.values))[:2]
        ['111222333', '111233223']
        """
        side = self.side
        digits = [values[place] for place in sorted(values)]
        starts: list[list[Region]] = [[] for _ in digits]
        for region in self._regions():
            cells = digits_of(region)
            if len({digits[cell] for cell in cells}) == side:
                starts[cells[0]].append(region)
        for regions in _covers(starts, 0, []):
            names = {cell: n for n, region in enumerate(regions, 1) for cell in digits_of(region)}
            yield "".join(str(names[cell]) for cell in range(side * side))

    def _regions(self) -> list[Region]:
        """The regions that separate no joined cells, and join none that are apart."""
        apart: dict[int, int] = {}
        for one, two in self.apart:
            a, b = self._number(one), self._number(two)
            apart[a] = apart.get(a, 0) | 1 << b
            apart[b] = apart.get(b, 0) | 1 << a
        groups: list[int] = []  # of joined cells, as bits
        for pair in self.joined:
            whole = sum(1 << self._number(cell) for cell in pair)
            whole |= sum(group for group in groups if group & whole)
            groups = [*(group for group in groups if not group & whole), whole]
        return [
            region
            for region in connected_regions(self.side)
            if all(region & group in (0, group) for group in groups)
            and not any(mask & region for cell, mask in apart.items() if region >> cell & 1)
        ]

    def _number(self, cell: Cell) -> int:
        return (cell[0] - 1) * self.side + cell[1] - 1

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """About regions, and about the pairs of cells that are drawn."""
        n = layout.side
        yield (
            f"The grid has to be divided into {n} regions of {n} connected cells, each with the "
            f"digits 1 to {n}."
        )
        if any(rule.apart for rule in rules):
            yield "A thick line or red dots between two cells say that their regions differ."
        if any(rule.joined for rule in rules):
            yield "Two cells that a grey line joins are in the same region."

    def __str__(self) -> str:
        return self.kind


def _covers(
    starts: list[list[Region]], taken: int, regions: list[Region]
) -> Iterator[list[Region]]:
    """Lists of regions that cover the cells left; `starts` has those that begin at each cell."""
    first = (~taken & (taken + 1)).bit_length() - 1
    if first == len(starts):
        yield regions
        return
    for region in starts[first]:
        if not region & taken:
            yield from _covers(starts, taken | region, [*regions, region])


def _checked(name: str, pairs: object) -> tuple[tuple[Cell, Cell], ...]:
    """The pairs of different cells, ascending, each once."""
    found = set()
    for pair in pairs if is_iterable(pairs) else [pairs]:
        cells = line_of_cells(f"a pair of {name}", pair, 2)
        if len(cells) != 2:
            raise LayoutError(f"{name} has {shown(pair)}, which is not a pair of cells")
        found.add((min(cells), max(cells)))
    return tuple(sorted(found))
