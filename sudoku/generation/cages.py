"""Cages of a killer: drawn on a solved grid, and changed until they have one solution.

The cages may have a symmetry: `Images` are its rotations and reflections, each as a mapping of
cells. The image of a cage is then a cage, and every change is made to all images alike.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations

from sudoku.board.cells import Cell, neighbours
from sudoku.board.layout import Layout
from sudoku.generation.random import SeededRandom
from sudoku.generation.shapes import connected, touching
from sudoku.rules.cover import cover_within
from sudoku.rules.layouts import killer
from sudoku.solving.deadline import Deadline, timed_out

__all__ = [
    "Change",
    "MAX_CAGE",
    "cages_of",
    "changed",
    "improved",
    "other_solutions",
    "splits",
    "with_cages",
]

Digits = dict[Cell, int]
Cage = frozenset[Cell]
Cages = list[Cage]
Images = Sequence[Mapping[Cell, Cell]]
Change = tuple[Collection[Cage], Collection[Cage]]  # cages before and after

CAGE_SIZES = (2, 2, 3, 3, 3, 3, 4, 4, 4, 5)  # how often cages have which size, before they grow
MAX_CAGE = 5
MAX_NODES = 300_000  # of a search for other solutions of a killer
MAX_OTHERS = 30  # other solutions that such a search collects
MAX_CHANGES = 60  # searches, after which new cages are drawn
MAX_REPAIRS = 200  # changes after one search: some cages change to and fro for ever


def cages_of(digits: Digits, rng: SeededRandom, images: Images) -> Cages | None:
    """Connected cages of 2 to 5 cells with different digits, which fill the board.

    None if a cell remains that fits into no cage; another call may succeed.
    """
    cages: dict[Cage, None] = {}
    free = set(digits)
    order = rng.shuffled(sorted(digits))
    while free:
        # Cells on an axis, which fit into few cages; then the cell with the fewest free neighbours,
        # which would be the next to remain alone.
        start = min(
            (cell for cell in order if cell in free),
            key=lambda cell: (
                len({image[cell] for image in images}),
                sum(each in free for each in neighbours(cell)),
            ),
        )
        cage = frozenset([start])
        size = CAGE_SIZES[rng.below(len(CAGE_SIZES))]
        while len(cage) < size:
            beside = sorted(cell for cell in touching(cage) if cell in free and cell not in cage)
            grown = [found for cell in beside if (found := _grown(cage, cell, digits, images))]
            more = [found for found in grown if found <= free]
            if not more:
                break
            cage = more[rng.below(len(more))]
        if len(cage) == 1:  # it joins a cage beside it
            near = set(neighbours(start))
            old = new = None
            for old in rng.shuffled(cages):
                if near & old and (new := _grown(old, start, digits, images)):
                    break
            if old is None or new is None:
                return None
            for each in _images(old, images):
                del cages[each]
            cage = new
        every = _images(cage, images)
        cages.update(dict.fromkeys(every))
        free.difference_update(*every)
    return list(cages)


def _grown(cage: Cage, cell: Cell, digits: Digits, images: Images) -> Cage | None:
    """The cage with the cell, and more so that it keeps its own symmetry; None if it cannot be."""
    own = [image for image in images if _image(cage, image) == cage]
    grown = cage.union(image[cell] for image in own)
    every = _images(grown, images)
    apart = sum(map(len, every)) == len(frozenset().union(*every))
    return grown if apart and all(_is_cage(each, digits) for each in every) else None


def _is_cage(cells: Cage, digits: Digits) -> bool:
    return len(cells) <= MAX_CAGE and len({digits[cell] for cell in cells}) == len(cells)


def _image(cage: Cage, image: Mapping[Cell, Cell]) -> Cage:
    return frozenset(image[cell] for cell in cage)


def _images(cage: Cage, images: Images) -> list[Cage]:
    """The different images of a cage, itself first."""
    return list(dict.fromkeys(_image(cage, image) for image in images))


def improved(
    base: Layout,
    digits: Digits,
    cages: Cages,
    images: Images,
    rng: SeededRandom,
    allowed: int,
    deadline: Deadline,
) -> tuple[Cages, bool, int]:
    """The cages after changes, whether they have one solution, and the number of long searches.

    At most `allowed` long searches are made: those that end at `MAX_NODES`.
    """
    known: list[Digits] = []  # other solutions of the cages so far
    long_searches = 0
    for _ in range(MAX_CHANGES):
        deadline.check()
        others = other_solutions(with_cages(cages, digits, base), digits, deadline)
        if others == []:
            return cages, True, long_searches
        if others is None:  # a long search: smaller cages make it shorter
            long_searches += 1
            change = _split_of_largest(cages, digits, images, rng)
            better = None if change is None else changed(cages, change)
        else:
            known += others
            better = _repaired(cages, digits, images, known, rng)
        if better is None or long_searches >= allowed:
            break
        cages = better
    return cages, False, long_searches


def _repaired(
    cages: Cages, digits: Digits, images: Images, known: list[Digits], rng: SeededRandom
) -> Cages | None:
    """The cages after changes that exclude all known other solutions; None if that fails."""
    for _ in range(MAX_REPAIRS):
        other = _unbroken(cages, digits, known)
        if other is None:
            return cages
        better = _breaking(cages, digits, images, other, known, rng)
        if better is None:
            return None
        cages = better
    return None


def with_cages(cages: Iterable[Cage], digits: Digits, base: Layout) -> Layout:
    """The layout with these cages, which have the sums of the digits."""
    return killer([(_sum(cage, digits), cage) for cage in cages], base)


def other_solutions(layout: Layout, digits: Digits, deadline: Deadline) -> list[Digits] | None:
    """Other solutions than these digits, a few at most; None if a long search finds none."""
    others: list[Digits] = []
    with cover_within(layout, deadline.left).solutions(
        limit=MAX_OTHERS, node_limit=MAX_NODES, timeout=deadline.left
    ) as search:
        for solution in search:
            found = {name[:2]: name[2] for name in solution if isinstance(name[0], int)}
            if found != digits:
                others.append(found)
        if search.stopped_by == "timeout":
            raise timed_out()
        return others if others or search.exhausted else None


def _sum(cage: Iterable[Cell], digits: Digits) -> int:
    return sum(digits[cell] for cell in cage)


def _breaks(cage: Cage, digits: Digits, other: Digits) -> bool:
    """Whether the other digits are wrong in the cage with the sum of the first."""
    inside = [other[cell] for cell in cage]
    return sum(inside) != _sum(cage, digits) or len(set(inside)) < len(inside)


def _unbroken(cages: Cages, digits: Digits, known: list[Digits]) -> Digits | None:
    """The first of the known grids that satisfies all cages."""
    for other in known:
        if not any(_breaks(cage, digits, other) for cage in cages):
            return other
    return None


def _breaking(
    cages: Cages,
    digits: Digits,
    images: Images,
    other: Digits,
    known: list[Digits],
    rng: SeededRandom,
) -> Cages | None:
    """The cages after a change that excludes the other solution and the fewest known others.

    None if there is no such change. A cell moves to another cage, or a cage becomes two.
    """
    best: tuple[int, Cages] | None = None
    changes: list[Change] = [*_moves(cages, digits, other), *_splits(cages)]
    for change in rng.shuffled(changes):
        if not any(_breaks(cage, digits, other) for cage in change[1]):
            continue
        whole = _whole(change, digits, images)
        if whole is None:
            continue
        after = changed(cages, whole)
        left = sum(not any(_breaks(c, digits, each) for c in after) for each in known)
        if best is None or left < best[0]:
            best = left, after
        if left == 0:
            break
    return None if best is None else best[1]


def changed(cages: Cages, change: Change) -> Cages:
    """The cages after the change."""
    return [cage for cage in cages if cage not in change[0]] + list(change[1])


def _whole(change: Change, digits: Digits, images: Images) -> Change | None:
    """The change together with its images; None if these exclude each other."""
    old = {each for cage in change[0] for each in _images(cage, images)}
    new = {each: None for cage in change[1] for each in _images(cage, images)}
    cells = frozenset().union(*new)
    if not sum(map(len, old)) == sum(map(len, new)) == len(cells):
        return None
    if not all(_is_cage(cage, digits) for cage in new):
        return None
    return old, list(new)


def _moves(cages: Cages, digits: Digits, other: Digits) -> list[Change]:
    """The moves of one cell to a cage beside it.

    Only cells whose digit differs in the other solution, and cages that stay connected.
    """
    owner = {cell: cage for cage in cages for cell in cage}
    found: list[Change] = []
    for cell in sorted(owner):
        old = owner[cell]
        rest = old - {cell}
        if other[cell] == digits[cell] or len(rest) < 2 or not connected(rest):
            continue
        for new in dict.fromkeys(owner[near] for near in neighbours(cell) if near in owner):
            if new != old and _is_cage(new | {cell}, digits):
                found.append(([old, new], [rest, new | {cell}]))
    return found


def _splits(cages: Cages) -> list[Change]:
    """The ways to make two connected cages of one."""
    found: list[Change] = []
    for cage in cages:
        for pair in combinations(sorted(cage), 2):
            part, rest = frozenset(pair), cage - set(pair)
            if len(rest) >= 2 and connected(part) and connected(rest):
                found.append(([cage], [part, rest]))
    return found


def _split_of_largest(
    cages: Cages, digits: Digits, images: Images, rng: SeededRandom
) -> Change | None:
    """A change after which one of the largest cages is two; None if that cannot be."""
    for size in range(MAX_CAGE, 3, -1):
        for change in rng.shuffled(_splits([cage for cage in cages if len(cage) == size])):
            if (whole := _whole(change, digits, images)) is not None:
                return whole
    return None


def splits(cages: Cages, digits: Digits, images: Images, rng: SeededRandom) -> list[Change]:
    """Changes, one after another, each of which splits one of the largest cages."""
    found: list[Change] = []
    while (change := _split_of_largest(cages, digits, images, rng)) is not None:
        cages = changed(cages, change)
        found.append(change)
    return found
