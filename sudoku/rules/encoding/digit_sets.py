"""Exact cover items for groups of cells without a repeated digit, such as killer cages.

A *group* k is a set of cells whose digits are one of the sets S, S', ..., all of the same size. It
has these primary items:

    (k,)        one of the sets is chosen
    (k, d)      either a cell of the group holds d, or d is not in the chosen set

A candidate d of a cell in the group covers (k, d). An option "k has the set S" covers (k,), and
(k, d) for every d that is not in S. So exactly the digits of S have a place in the group. A 9x9
grid has at most 126 sets for a group, while the number of ways to arrange them is much larger.

In addition, a digit of a group is excluded from the cells that see all its places in the group. If
every cell of the group that may hold d sees a cell outside, at most one of the two has d: the group
or that cell. The same holds for another group, if its cells for d are all seen. A secondary item
for each d expresses this. The sets of the group that contain d cover the item in the color "in".
The candidates outside, and the sets of such groups that contain d, cover it in the color "out".
These items are redundant, but without them a search notices the conflict only when it places d, and
hard killers take five times as many nodes.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations, islice

import dlx
from dlx.named_tuple import NamedTuple
from sudoku.board.peers import cells_of, peers
from sudoku.board.rule import CoverModel
from sudoku.board.time_limit import check_time

__all__ = ["Group", "contribute_groups", "sets_of", "sets_of_size"]

MOST_SETS = 2000  # of one size and sum; every size and sum on 16x16 has fewer


class Group(NamedTuple):
    """A set of cells without a repeated digit, and the sets of digits that it may have."""

    label: tuple[Hashable, ...]
    """The name of its item."""
    cells: int
    """The cells, as bits: the bit of a cell is its number."""
    sets: tuple[int, ...]
    """The sets of digits, each as bits: bit d for digit d."""
    tied: Mapping[int, tuple[Hashable, ...]] = {}
    """Further items of the option of a set."""


@lru_cache(maxsize=1024)
def sets_of(count: int, total: int, side: int) -> tuple[int, ...] | None:
    """The sets of `count` different digits with the sum `total`, as bits, in lexicographic order.

    None if there are more than `MOST_SETS`: for 12 of 25 digits one sum has 110 780 sets.

    >>> [bin(digits) for digits in sets_of(2, 5, 9)]
    ['0b10010', '0b1100']
    >>> sets_of(12, 156, 25)
    """
    found = tuple(islice(_sets(count, total, 1, side), MOST_SETS + 1))
    return found if len(found) <= MOST_SETS else None


@lru_cache(maxsize=64)
def sets_of_size(count: int, side: int) -> tuple[int, ...]:
    """The sets of `count` different digits, as bits."""
    digits = combinations([1 << digit for digit in range(1, side + 1)], count)
    return tuple(map(sum, digits))


def _sets(count: int, total: int, least: int, side: int) -> Iterator[int]:
    """The sets of `count` digits from `least` up with that sum; every recursive call yields one."""
    if count == 0:
        if total == 0:
            yield 0
        return
    others = count - 1
    apart = others * (others - 1) // 2  # the sum 0 + 1 + ... of `others` terms
    for digit in range(least, side + 1):
        rest = total - digit
        if rest < others * (digit + 1) + apart:
            return
        if rest <= others * side - apart:
            for digits in _sets(others, rest, digit + 1, side):
                yield digits | 1 << digit


def contribute_groups(model: CoverModel, groups: list[Group]) -> None:
    """Adds the items and options of all groups."""
    places = [_places(model, group) for group in groups]
    sees = [
        {digit: _seen_by_all(model, cells) for digit, cells in place.items()} for place in places
    ]
    extra: list[dict[int, list[Hashable]]] = [{} for _ in groups]
    for number, group in enumerate(groups):
        check_time()
        model.label = group.label
        for digit, seen in sees[number].items():
            outside = [
                cell
                for cell in cells_of(model.layout, seen & ~group.cells)
                if model.candidates[cell] >> digit & 1
            ]
            others = [
                other
                for other, place in enumerate(places)
                if other != number and digit in place and not place[digit] & ~seen
            ]
            if not outside:
                continue  # then no other group is seen either: its cells would be outside
            item = model.secondary("and others", digit)
            extra[number].setdefault(digit, []).append(dlx.colored(item, "in"))
            out = dlx.colored(item, "out")
            for cell in outside:
                model.attach(cell, digit, out)
            for other in others:
                extra[other].setdefault(digit, []).append(out)
    for group, place, more in zip(groups, places, extra, strict=True):
        _contribute(model, group, place, more)


def _places(model: CoverModel, group: Group) -> dict[int, int]:
    """For each digit that the group may have, the cells that may hold it, as bits."""
    every = 0
    for digits in group.sets:
        every |= digits
    places: dict[int, int] = {}
    for cell in cells_of(model.layout, group.cells):
        bit = 1 << model.layout.index[cell]
        left = model.candidates[cell] & every
        while left:
            low = left & -left
            digit = low.bit_length() - 1
            places[digit] = places.get(digit, 0) | bit
            left ^= low
    return places


def _seen_by_all(model: CoverModel, cells: int) -> int:
    """The cells that see every one of `cells`."""
    seen, around = -1, peers(model.layout)
    while cells:
        low = cells & -cells
        seen &= around[low.bit_length() - 1]
        cells ^= low
    return seen


def _contribute(
    model: CoverModel, group: Group, places: dict[int, int], extra: dict[int, list[Hashable]]
) -> None:
    """Adds the items and options of one group; `extra` are further items of each digit's sets."""
    model.label = group.label
    item = model.primary()
    found: dict[int, Hashable] = {}
    for digit in sorted(places):
        found[digit] = model.primary(digit)
        for cell in cells_of(model.layout, places[digit]):
            model.attach(cell, digit, found[digit])
    for digits in group.sets:
        if all(digit in places for digit in range(digits.bit_length()) if digits >> digit & 1):
            covered = [item, *group.tied.get(digits, ())]
            name = []
            for digit, where in found.items():
                if digits >> digit & 1:
                    name.append(digit)
                    covered += extra.get(digit, ())
                else:
                    covered.append(where)
            model.option(covered, *name)
