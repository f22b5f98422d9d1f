"""Almost locked sets (ALS): n cells of a house with n + 1 digits.

If one of the digits is false everywhere in the set, all others are true in it. A restricted common
digit x of two sets cannot be true in both, because all its places in one set see all its places in
the other. So x is false in one of the sets, and every other digit z that both sets have is true in
that set: the candidates of z that see all places of z in both sets are removed. Chains, wings and
death blossoms apply this to more sets. The sets may overlap.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import pairwise, product

from sudoku.board.layout import symbol
from sudoku.errors import listed
from sudoku.hinting.deduction import Deduction, Evidence, Removed, names, symbols
from sudoku.hinting.geometry import bits
from sudoku.hinting.position import Position

__all__ = [
    "AlmostLockedSet",
    "LinkedSets",
    "als_chains",
    "als_xy_wings",
    "als_xz",
    "death_blossoms",
    "linked_sets",
]


SetLink = tuple[tuple[int, int], tuple[int, int], bool]
"""(digit, cells), (digit, cells), strong: as in `Evidence.links`."""


class AlmostLockedSet:
    """One almost locked set."""

    __slots__ = ("cells", "digits", "places", "sees")

    def __init__(self, position: Position, cells: int, digits: int) -> None:
        tables = position.tables
        self.cells = cells
        self.digits = digits
        self.places = {digit: position.planes[digit] & cells for digit in bits(digits)}
        """For each digit its places in the set."""
        self.sees = {digit: tables.seen_by_all(where) for digit, where in self.places.items()}
        """For each digit the cells that see all its places in the set."""


class LinkedSets:
    """All almost locked sets of a position, and the restricted common digits that link them."""

    def __init__(self, position: Position) -> None:
        self.position = position
        found: dict[int, int] = {}
        candidates = position.candidates
        for house in position.tables.houses:
            cells = list(bits(house & position.unsolved))
            unions, masks = [0], [0]
            for cell in cells:
                digits, bit = candidates[cell], 1 << cell
                unions += [union | digits for union in unions]
                masks += [mask | bit for mask in masks]
            for mask, union in zip(masks, unions, strict=True):
                if mask and union.bit_count() == mask.bit_count() + 1:
                    found[mask] = union
        self.all = [
            AlmostLockedSet(position, cells, digits)
            for cells, digits in sorted(found.items(), key=lambda item: item[0].bit_count())
        ]
        self.links: list[dict[int, int]] = [{} for _ in self.all]
        """For each set: index of another set -> the restricted common digits of the two."""
        for digit in position.tables.digits:
            self._link(digit)

    def _link(self, digit: int) -> None:
        """Links the sets of which this digit is a restricted common digit."""
        by_places: dict[int, list[int]] = {}
        for at, als in enumerate(self.all):
            if digit in als.places:
                by_places.setdefault(als.places[digit], []).append(at)
        links, sets, bit = self.links, self.all, 1 << digit
        order = list(by_places.items())
        for places, first in order:
            sees = sets[first[0]].sees[digit]
            for others, second in order:
                if others & ~sees or others < places:
                    continue
                for one, two in product(first, second):
                    links[one][two] = links[one].get(two, 0) | bit
                    links[two][one] = links[two].get(one, 0) | bit


@lru_cache(maxsize=4)
def linked_sets(position: Position) -> LinkedSets:
    """The almost locked sets of a position, cached for the last few positions."""
    return LinkedSets(position)


def _evidence(
    position: Position, sets: list[AlmostLockedSet], words: str, path: tuple[int, ...] = ()
) -> Evidence:
    """The sets, and `words` about how they are linked.

    `path` has, for a chain of the sets, the digits at its start, between two sets, and at its end.
    """
    marks = tuple(
        (digit, als.places[digit], "abcdefghijklmnopqrstuvwxyz"[at % 26])
        for at, als in enumerate(sets)
        for digit in bits(als.digits)
    )
    described = "; ".join(
        f"{names(position.tables, als.cells)} hold{'s' if als.cells.bit_count() == 1 else ''} all "
        f"but one of {symbols(als.digits)}"
        for als in sets
    )
    return Evidence(f"{described}; {words}", (), marks, tuple(_links(sets, path)))


def _links(sets: list[AlmostLockedSet], path: tuple[int, ...]) -> Iterator[SetLink]:
    """The links along a chain of sets: a set without one digit holds all its others."""
    for at, (before, after) in enumerate(pairwise(path)):
        here, places = sets[at].places[after], sets[at].places
        yield (before, places[before]), (after, here), True
        if at + 1 < len(sets):
            yield (after, here), (after, sets[at + 1].places[after]), False


def _deduction(
    position: Position,
    technique: str,
    sets: list[AlmostLockedSet],
    removed: Removed,
    words: str,
    path: tuple[int, ...] = (),
) -> Deduction:
    """The deduction; `path` has the digits between the sets of a chain."""
    cells = 0
    for als in sets:
        cells |= als.cells
    if path:
        path = (removed[0][0], *path, removed[0][0])
    evidence = partial(_evidence, position, sets, words, path)
    return Deduction(technique, cells, (), removed, evidence)


def _common(position: Position, ends: list[AlmostLockedSet], digits: int, but: int = 0) -> Removed:
    """The candidates of each digit, outside `but`, that see all its places in all these sets."""
    removed = []
    for digit in bits(digits):
        gone = position.planes[digit] & ~but
        for als in ends:
            gone &= als.sees[digit]
        if gone:
            removed.append((digit, gone))
    return tuple(removed)


def als_xz(position: Position) -> Iterator[Deduction]:
    """Two sets with a restricted common digit; if they have two, both sets are locked."""
    sets = linked_sets(position)
    for at, one in enumerate(sets.all):
        for other, restricted in sets.links[at].items():
            if other < at:
                continue
            two = sets.all[other]
            both = one.digits & two.digits
            if restricted & (restricted - 1):
                removed = _doubly_linked(position, one, two, restricted)
            else:
                removed = _common(position, [one, two], both & ~restricted)
            if removed:
                each = [f"only one of them can have {symbol(digit)}" for digit in bits(restricted)]
                words = listed(each, "and")
                path = () if restricted & (restricted - 1) else (restricted.bit_length() - 1,)
                yield _deduction(position, "ALS-XZ", [one, two], removed, words, path)


def _doubly_linked(
    position: Position, one: AlmostLockedSet, two: AlmostLockedSet, restricted: int
) -> Removed:
    """What two restricted digits remove: each set misses one of them and holds all its others."""
    planes = position.planes
    gone: dict[int, int] = {}
    for als in (one, two):
        for digit in bits(als.digits & ~restricted):
            gone[digit] = gone.get(digit, 0) | planes[digit] & als.sees[digit]
    for digit in bits(one.digits & two.digits):
        gone[digit] = gone.get(digit, 0) | planes[digit] & one.sees[digit] & two.sees[digit]
    return tuple((digit, cells) for digit, cells in sorted(gone.items()) if cells)


def als_xy_wings(position: Position) -> Iterator[Deduction]:
    """Two sets, each with a restricted common digit with a third set; the two digits differ."""
    sets = linked_sets(position)
    for at, pivot in enumerate(sets.all):
        near = list(sets.links[at].items())
        for number, (first, x) in enumerate(near):
            one = sets.all[first]
            for second, y in near[number + 1 :]:
                two = sets.all[second]
                both = one.digits & two.digits
                if not both or (x == y and not x & (x - 1)):
                    continue
                for used in _pairs(x, y):
                    if both & ~used and (removed := _common(position, [one, two], both & ~used)):
                        words = (
                            f"{names(position.tables, pivot.cells)} can lack only one of "
                            f"{symbols(used)}"
                        )
                        a, b = bits(used)
                        path = (a, b) if x >> a & y >> b & 1 else (b, a)
                        members = [one, pivot, two]
                        yield _deduction(position, "ALS-XY-wing", members, removed, words, path)


def _pairs(x: int, y: int) -> Iterator[int]:
    """The pairs, as sets, of a digit of `x` and a different digit of `y`."""
    for one in bits(x):
        for two in bits(y):
            if one != two:
                yield 1 << one | 1 << two


LONGEST = 12  # sets in a chain


def als_chains(position: Position) -> Iterator[Deduction]:
    """Chains of three or more sets; adjacent links have different digits."""
    sets = linked_sets(position)
    for start in range(len(sets.all)):
        firsts = 0
        for restricted in sets.links[start].values():
            firsts |= restricted
        for digit in bits(firsts):
            yield from _chains_from(sets, start, digit)


def _chains_from(sets: LinkedSets, start: int, digit: int) -> Iterator[Deduction]:
    """The chains from the set `start` whose first link is this digit.

    Breadth-first search over (set, digit of the link into it): the shortest path to each.
    """
    position, first = sets.position, sets.all[start]
    seen = {
        (other, digit) for other, restricted in sets.links[start].items() if restricted >> digit & 1
    }
    frontier: list[tuple[tuple[int, ...], tuple[int, ...]]]  # sets, and the digits between them
    frontier = [((start, other), (digit,)) for other, _ in sorted(seen)]
    for _ in range(3, LONGEST + 1):
        ahead: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        for path, entered in frontier:
            for other, restricted in sets.links[path[-1]].items():
                if other in path:
                    continue
                for link in bits(restricted & ~(1 << entered[-1])):
                    if (other, link) in seen:
                        continue
                    seen.add((other, link))
                    extended = (*path, other)
                    ahead.append((extended, (*entered, link)))
                    if other < start:
                        continue  # the reverse of a chain from `other`
                    last = sets.all[other]
                    common = first.digits & last.digits & ~(1 << digit | 1 << link)
                    if removed := _common(position, [first, last], common):
                        what = symbols(sum(1 << gone for gone, _ in removed), "or")
                        words = f"link by link, one of the first and the last holds {what}"
                        members = [sets.all[at] for at in extended]
                        path_digits = (*entered, link)
                        yield _deduction(
                            position, "ALS chain", members, removed, words, path_digits
                        )
        frontier = ahead


def death_blossoms(position: Position) -> Iterator[Deduction]:
    """Death blossoms: a stem cell and, for each of its candidates, an almost locked set (a petal).

    All places of the candidate in its petal see the stem. So if the stem holds the candidate, the
    petal loses it and holds all its other digits. Each digit that all petals have in common, and
    the stem has not, is therefore true in one of them.
    """
    sets = linked_sets(position)
    for stem in bits(position.unsolved):
        digits = position.candidates[stem]
        if digits.bit_count() < 2:
            continue
        petals = [
            [
                als
                for als in sets.all
                if d in als.places and als.sees[d] >> stem & ~als.cells >> stem & 1
            ]
            for d in bits(digits)
        ]
        if all(petals):
            yield from _blossom(position, stem, digits, petals)


def _blossom(
    position: Position, stem: int, digits: int, petals: list[list[AlmostLockedSet]]
) -> Iterator[Deduction]:
    """The death blossoms with this stem; `petals` has the possible petals of each candidate."""
    every = sum(1 << digit for digit in position.tables.digits) & ~digits

    def grow(
        chosen: list[AlmostLockedSet], left: list[list[AlmostLockedSet]], common: int
    ) -> Iterator[Deduction]:
        """Chooses petals for the candidates left; `common` are the digits that all chosen have."""
        if not left:
            # One set may serve several candidates of the stem, but not all.
            if len(set(map(id, chosen))) > 1 and (
                removed := _common(position, chosen, common, 1 << stem)
            ):
                words = (
                    f"{position.tables.names[stem]} is {symbols(digits, 'or')}, and one of them "
                    "lacks this digit"
                )
                found = _deduction(position, "death blossom", chosen, removed, words)
                yield found._replace(cells=found.cells | 1 << stem)
            return
        for als in left[0]:
            still = common & als.digits
            if not still:
                continue
            # Prune: some candidate must still see a common digit in all sets chosen so far.
            if _common(position, [*chosen, als], still, 1 << stem):
                yield from grow([*chosen, als], left[1:], still)

    yield from grow([], sorted(petals, key=len), every)
