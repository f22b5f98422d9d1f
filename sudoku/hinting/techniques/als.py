"""Almost locked sets (ALS): n cells of a house with n + 1 digits.

If one of the digits is false everywhere in the set, all others are true in it. A restricted common
digit x of two sets cannot be true in both, because all its places in one set see all its places in
the other. So x is false in one of the sets, and every other digit z that both sets have is true in
that set: the candidates of z that see all places of z in both sets are removed. Wings and death
blossoms apply this to more sets, chains (`chains`) to any number of them. The sets may overlap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import pairwise, product

from sudoku.board.layout import symbol
from sudoku.errors import listed
from sudoku.hinting.deduction import Deduction, Evidence, Removed, names, symbols
from sudoku.hinting.geometry import bits
from sudoku.hinting.position import Position
from sudoku.hinting.technique import technique

__all__ = [
    "AlmostLockedSet",
    "LinkedSets",
    "als_xy_wings",
    "als_xz",
    "death_blossoms",
    "linked_sets",
]


SMALL, MOST = 9, 5  # on a side of more than 9, sets of at most 5 cells

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
        most = MOST if position.tables.side > SMALL else SMALL
        for house in position.tables.houses:
            some = [(0, 0)]  # cells, and their digits
            for cell in bits(house & position.unsolved):
                digits, bit = candidates[cell], 1 << cell
                some += [
                    (mask | bit, both)
                    for mask, union in some
                    if (both := union | digits).bit_count() <= most + 1
                ]
            found.update(
                one for one in some if one[0] and one[1].bit_count() == one[0].bit_count() + 1
            )
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
    position: Position, sets: list[AlmostLockedSet], words: str, links: tuple[SetLink, ...]
) -> Evidence:
    """The sets, and `words` about how they are linked."""
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
    around = [0] * len(links)
    if links[0][2]:  # link by link from the first set to the last
        around[::2] = [als.cells for als in sets]
    return Evidence(f"{described}; {words}", (), marks, links, sets=tuple(around))


def _links(
    sets: list[AlmostLockedSet], removed: Removed, path: tuple[int, ...]
) -> tuple[SetLink, ...]:
    """The links along a chain of sets, for the first digit that is removed.

    `path` has the digits between the sets. A set without one digit holds all its others.
    """
    digit = removed[0][0]
    found: list[SetLink] = []
    for at, (before, after) in enumerate(pairwise((digit, *path, digit))):
        here, places = sets[at].places[after], sets[at].places
        found.append(((before, places[before]), (after, here), True))
        if at + 1 < len(sets):
            found.append(((after, here), (after, sets[at + 1].places[after]), False))
    return tuple(found)


def _loop(one: AlmostLockedSet, two: AlmostLockedSet, x: int, y: int) -> tuple[SetLink, ...]:
    """The links around two sets with two restricted common digits."""
    nodes = [(x, one.places[x]), (y, one.places[y]), (y, two.places[y]), (x, two.places[x])]
    return tuple((node, nodes[(at + 1) % 4], at % 2 == 0) for at, node in enumerate(nodes))


def _petals(
    stem: int, digits: list[int], petals: list[AlmostLockedSet], removed: Removed
) -> tuple[SetLink, ...]:
    """The links from each candidate of a stem to the digit that is removed, through its petal."""
    gone = removed[0][0]
    found: list[SetLink] = []
    for digit, petal in zip(digits, petals, strict=True):
        here = (digit, petal.places[digit])
        found.append(((digit, 1 << stem), here, False))
        found.append((here, (gone, petal.places[gone]), True))
    return tuple(found)


def _deduction(
    position: Position,
    technique: str,
    sets: list[AlmostLockedSet],
    removed: Removed,
    words: str,
    links: tuple[SetLink, ...],
) -> Deduction:
    """The deduction; `links` lead through the sets."""
    cells = 0
    for als in sets:
        cells |= als.cells
    evidence = partial(_evidence, position, sets, words, links)
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


@technique("ALS-XZ", "0901", "extreme", 340, use="proof")
def als_xz(position: Position) -> Iterator[Deduction]:
    """Two sets with a restricted common digit; if they have two, both sets are locked."""
    sets = linked_sets(position)
    for at, one in enumerate(sets.all):
        for other, restricted in sets.links[at].items():
            if other < at:
                continue
            two = sets.all[other]
            both = one.digits & two.digits
            x, *others = bits(restricted)
            if others:
                removed = _doubly_linked(position, one, two, restricted)
            else:
                removed = _common(position, [one, two], both & ~restricted)
            if removed:
                each = [f"only one of them can have {symbol(digit)}" for digit in bits(restricted)]
                words = listed(each, "and")
                members = [one, two]
                links = _loop(one, two, x, others[0]) if others else _links(members, removed, (x,))
                yield _deduction(position, "ALS-XZ", members, removed, words, links)


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


@technique("ALS-XY-wing", "0902", "extreme", 360, use="proof")
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
                        links = _links(members, removed, path)
                        yield _deduction(position, "ALS-XY-wing", members, removed, words, links)


def _pairs(x: int, y: int) -> Iterator[int]:
    """The pairs, as sets, of a digit of `x` and a different digit of `y`."""
    for one in bits(x):
        for two in bits(y):
            if one != two:
                yield 1 << one | 1 << two


@technique("death blossom", "0904", "extreme", 400, use="proof")
def death_blossoms(position: Position) -> Iterator[Deduction]:
    """Death blossoms: a stem cell and, for each of its candidates, an almost locked set (a petal).

    All places of the candidate in its petal see the stem. So if the stem holds the candidate, the
    petal loses it and holds all its other digits. Each digit that all petals have in common, and
    the stem has not, is therefore true in one of them.
    """
    holders: dict[int, list[AlmostLockedSet]] = {}
    for als in linked_sets(position).all:
        for digit in als.places:
            holders.setdefault(digit, []).append(als)
    for stem in bits(position.unsolved):
        digits = position.candidates[stem]
        if digits.bit_count() < 2:
            continue
        petals = [
            [als for als in holders.get(digit, ()) if als.sees[digit] >> stem & 1]
            for digit in bits(digits)
        ]
        if all(petals):
            yield from _blossom(position, stem, digits, petals)


def _blossom(
    position: Position, stem: int, digits: int, petals: list[list[AlmostLockedSet]]
) -> Iterator[Deduction]:
    """The death blossoms with this stem; `petals` has the possible petals of each candidate."""
    every = sum(1 << digit for digit in position.tables.digits) & ~digits
    order = sorted(zip(bits(digits), petals, strict=True), key=lambda one: len(one[1]))
    in_order = [digit for digit, _ in order]

    def grow(chosen: list[AlmostLockedSet], common: int) -> Iterator[Deduction]:
        """Chooses petals for the candidates left; `common` are the digits that all chosen have."""
        if len(chosen) == len(order):
            # One set may serve several candidates of the stem, but not all.
            sets = list({id(als): als for als in chosen}.values())
            if len(sets) > 1 and (removed := _common(position, chosen, common, 1 << stem)):
                words = (
                    f"{position.tables.names[stem]} is {symbols(digits, 'or')}, and one of them "
                    "lacks this digit"
                )
                links = _petals(stem, in_order, chosen, removed)
                found = _deduction(position, "death blossom", sets, removed, words, links)
                evidence = partial(_with_stem, found.evidence, stem, digits)
                yield found._replace(cells=found.cells | 1 << stem, evidence=evidence)
            return
        for als in order[len(chosen)][1]:
            still = common & als.digits
            if not still:
                continue
            # Prune: some candidate must still see a common digit in all sets chosen so far.
            if _common(position, [*chosen, als], still, 1 << stem):
                yield from grow([*chosen, als], still)

    yield from grow([], every)


def _with_stem(evidence: Callable[[], Evidence], stem: int, digits: int) -> Evidence:
    """The evidence of petals, with the candidates of the stem."""
    found = evidence()
    marks = tuple((digit, 1 << stem, "base") for digit in bits(digits))
    return found._replace(marks=(*marks, *found.marks))
