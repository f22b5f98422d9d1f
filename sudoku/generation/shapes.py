"""Random shapes on a solved grid: paths and regions, as lists of cells (row, column).

The paths fit the digits of the grid: those of a thermometer rise, and so on. All randomness comes
from a `SeededRandom`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from sudoku.board.cells import SIDES, Cell, neighbours
from sudoku.generation.random import SeededRandom

__all__ = [
    "arrow_paths",
    "connected",
    "regions_of",
    "renban_paths",
    "rising_paths",
    "touching",
    "whisper_paths",
]

Digits = Mapping[Cell, int]
Path = tuple[Cell, ...]

KING = (*SIDES, (-1, -1), (-1, 1), (1, -1), (1, 1))

THERMOMETER_SIZES = (3, 4, 4, 5, 5, 6, 7, 8, 8)
ARROW_SIZES = (2, 2, 3, 3, 4, 5)  # cells on the path
WHISPER_SIZES = (3, 4, 5, 5, 6, 7)
RENBAN_SIZES = (3, 3, 4, 4, 5, 6)
MAX_STEPS = 3000  # of the search for a path of a length
CELLS_PER_LINE = 9  # one line for each house of a 9x9 grid
SWAPS_PER_CELL = 2  # exchanges of cells between regions


def connected(cells: Iterable[Cell]) -> bool:
    """Whether the cells form one piece by common edges.

    >>> connected([(1, 1), (1, 2), (2, 2)]), connected([(1, 1), (2, 2)])
    (True, False)
    """
    left = set(cells)
    stack = [left.pop()] if left else []
    while stack:
        for cell in neighbours(stack.pop()):
            if cell in left:
                left.remove(cell)
                stack.append(cell)
    return not left


def touching(cells: Iterable[Cell]) -> set[Cell]:
    """The cells with a common edge with some of these cells, these included."""
    return {each for cell in cells for each in (cell, *neighbours(cell))}


def rising_paths(digits: Digits, rng: SeededRandom) -> list[Path]:
    """Paths of 3 to 8 cells, by edges and corners, along which the digits rise."""

    def fits(path: Path, cell: Cell, size: int) -> bool:
        # The digit must leave room for the cells that follow.
        most = max(digits.values()) - (size - len(path) - 1)
        return digits[path[-1]] < digits[cell] <= most

    return _paths(digits, rng, THERMOMETER_SIZES, fits)


def arrow_paths(digits: Digits, rng: SeededRandom) -> list[Path]:
    """A circle and its path of 2 to 5 cells: the digits on the path have the sum in the circle."""

    def fits(path: Path, cell: Cell, size: int) -> bool:
        left = digits[path[0]] - sum(digits[each] for each in path[1:])
        after = size - len(path) - 1  # cells
        return digits[cell] <= left - after if after else digits[cell] == left

    return _paths(digits, rng, [1 + size for size in ARROW_SIZES], fits)


def whisper_paths(digits: Digits, rng: SeededRandom) -> list[Path]:
    """Paths of 3 to 7 cells whose neighbours differ by half of the side or more."""
    least = (max(digits.values()) + 1) // 2
    return _paths(
        digits,
        rng,
        WHISPER_SIZES,
        lambda path, cell, size: abs(digits[path[-1]] - digits[cell]) >= least,
    )


def renban_paths(digits: Digits, rng: SeededRandom) -> list[Path]:
    """Paths of 3 to 6 cells with different consecutive digits in any order."""

    def fits(path: Path, cell: Cell, size: int) -> bool:
        all_digits = {digits[each] for each in (*path, cell)}
        return len(all_digits) > len(path) and max(all_digits) - min(all_digits) < size

    return _paths(digits, rng, RENBAN_SIZES, fits)


def _paths(
    digits: Digits,
    rng: SeededRandom,
    sizes: Sequence[int],
    fits: Callable[[Path, Cell, int], bool],
) -> list[Path]:
    """Paths without a common cell, one for about nine cells of the board.

    `fits` says whether a cell may follow a path that is to have that size.
    """
    count = max(1, len(digits) // CELLS_PER_LINE)
    found: list[Path] = []
    # Long lines come first, since few fit; where none does, a shorter one is drawn.
    for longest in sorted((sizes[rng.below(len(sizes))] for _ in range(count)), reverse=True):
        for size in range(longest, min(sizes) - 1, -1):
            used = {cell for path in found for cell in path}
            stack: list[Path] = [(c,) for c in rng.shuffled(sorted(digits)) if c not in used]
            for _ in range(MAX_STEPS):
                if not stack or len(stack[-1]) == size:
                    break
                path = stack.pop()
                more = [
                    cell
                    for cell in neighbours(path[-1], KING)
                    if cell in digits
                    and cell not in used
                    and fits(path, cell, size)
                    and not set(neighbours(cell, KING)) & set(path[:-1])  # no sharp turn, no loop
                    and not _crosses(path[-1], cell, found)
                ]
                stack += [(*path, cell) for cell in rng.shuffled(more)]
            if stack and len(stack[-1]) == size:
                found.append(stack[-1])
                break
    return found


def _crosses(a: Cell, b: Cell, paths: Iterable[Path]) -> bool:
    """Whether a diagonal step from one cell to the other crosses a step of one of the paths."""
    if a[0] == b[0] or a[1] == b[1]:
        return False
    other = {(a[0], b[1]), (b[0], a[1])}
    return any(other == {*step} for path in paths for step in pairwise(path))


def regions_of(boxes: Sequence[Iterable[Cell]], rng: SeededRandom) -> list[set[Cell]]:
    """Regions of as many cells as the boxes, each connected, the whole with rotational symmetry.

    Starting from the boxes of a square, two neighbouring regions exchange cells, and so do the two
    opposite ones, as long as all stay connected and compact.
    """
    regions = [set(box) for box in boxes]
    owner = {cell: number for number, region in enumerate(regions) for cell in region}
    last = max(owner)[0] + 1
    cells = sorted(owner)
    for _ in range(SWAPS_PER_CELL * len(cells)):
        a = cells[rng.below(len(cells))]
        beside = [cell for cell in neighbours(a) if owner.get(cell, owner[a]) != owner[a]]
        if not beside:
            continue
        other = owner[beside[rng.below(len(beside))]]
        near = sorted(
            cell
            for cell in regions[other]
            if cell != a and any(owner.get(each) == owner[a] for each in neighbours(cell))
        )
        b = near[rng.below(len(near))]
        moved = {a: owner[b], b: owner[a]}
        for cell, number in list(moved.items()):
            opposite = (last - cell[0], last - cell[1])
            # The region opposite to the one that the cell moves to.
            some = next(iter(regions[number] - {a, b}), None)
            if some is None:
                break
            to = owner[last - some[0], last - some[1]]
            if moved.setdefault(opposite, to) != to:
                break
        else:
            _exchange(regions, owner, moved)
    return regions


def _exchange(regions: list[set[Cell]], owner: dict[Cell, int], moved: Mapping[Cell, int]) -> None:
    """Moves cells to other regions, unless a region would get another size, or break, or sprawl."""
    changed = {owner[cell] for cell in moved} | set(moved.values())
    after = {number: regions[number] - moved.keys() for number in changed}
    for cell, number in moved.items():
        after[number].add(cell)
    for number, region in after.items():
        if len(region) != len(regions[number]) or not connected(region) or _sprawls(region):
            return
    for number, region in after.items():
        regions[number] = region
    owner.update(moved)


def _sprawls(region: set[Cell]) -> bool:
    """Whether the region has fewer inner edges than a compact form: 8 of 9 cells make a line."""
    edges = sum((row, column + 1) in region for row, column in region)
    edges += sum((row + 1, column) in region for row, column in region)
    return edges < len(region)
