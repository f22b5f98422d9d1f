"""Exact cover items for cells without a repeated digit: their digit set, and each digit's place.

For a group of cells k that has one of the digit sets S, S', ..., all of one size, there are, all
primary,

    (k,)        the group has a set
    (k, d)      d stands in the group or is not in its set

A candidate d of a cell in the group covers (k, d); and an option "k has the set S" covers (k,) and
all (k, d) for which d is not in S. So the digits of S, and no others, have a place in the group.
There are few sets (126 at most on a 9x9 grid), however many ways to arrange them.

A digit of a group is excluded from the cells that see all its places in the group. If every cell of
the group that may hold d sees a cell outside, or sees all such cells of another group, then d is in
at most one of them. A secondary item for each d expresses that: the sets of the group that have d
cover it in the color "in"; the candidates outside and the sets of other groups that they exclude
cover it in the color "out". These items are redundant, but without them a search notices the
conflict only when d is placed: hard killers then take five times as many nodes.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import dlx
from sudoku.board.peers import cells_of

if TYPE_CHECKING:
    from sudoku.board.model import Model

__all__ = ["Group", "contribute_groups", "sets_of"]

MOST_SETS = 2000  # of one size and sum: more than there are for any on 16x16


class Group(NamedTuple):
    """Cells without a repeated digit, and the sets of digits they may have."""

    label: tuple[Hashable, ...]
    """The name of its item."""
    cells: int
    """As bits by number."""
    sets: tuple[int, ...]
    """Sets of digits, as bits."""


@lru_cache(maxsize=1024)
def sets_of(count: int, total: int, side: int) -> tuple[int, ...] | None:
    """The sets of `count` different digits with the sum `total`, as bits, ascending as lists.

    None if there are more than `MOST_SETS`: 12 of 25 digits can have one sum in 110780 ways.

    >>> [bin(digits) for digits in sets_of(2, 5, 9)]
    ['0b10010', '0b1100']
    >>> sets_of(12, 156, 25)
    """
    found = tuple(islice(_sets(count, total, 1, side), MOST_SETS + 1))
    return found if len(found) <= MOST_SETS else None


def _sets(count: int, total: int, least: int, side: int) -> Iterator[int]:
    """Sets of that many digits from `least` up. Nothing is begun that leads to none."""
    if count == 0:
        if total == 0:
            yield 0
        return
    others = count - 1
    apart = others * (others - 1) // 2  # what `others` digits in a row are more than the least
    for digit in range(least, side + 1):
        rest = total - digit
        if rest < others * (digit + 1) + apart:
            return
        if rest <= others * side - apart:
            for digits in _sets(others, rest, digit + 1, side):
                yield digits | 1 << digit


def contribute_groups(model: Model, groups: list[Group]) -> None:
    """Adds the items and options of all groups."""
    places = [_places(model, group) for group in groups]
    sees = [
        {digit: _seen_by_all(model, cells) for digit, cells in place.items()} for place in places
    ]
    extra: list[dict[int, list[Hashable]]] = [{} for _ in groups]
    for number, group in enumerate(groups):
        for digit, zone in sees[number].items():
            outside = [
                cell
                for cell in cells_of(model.layout, zone & ~group.cells)
                if model.candidates[cell] >> digit & 1
            ]
            others = [
                other
                for other, place in enumerate(places)
                if other != number and digit in place and not place[digit] & ~zone
            ]
            if not outside:
                continue  # then there are no others either
            item = model.add_secondary((*group.label, "and others", digit))
            extra[number].setdefault(digit, []).append(dlx.colored(item, "in"))
            out = dlx.colored(item, "out")
            for cell in outside:
                model.attach(cell, digit, out)
            for other in others:
                extra[other].setdefault(digit, []).append(out)
    for group, place, more in zip(groups, places, extra, strict=True):
        _contribute(model, group, place, more)


def _places(model: Model, group: Group) -> dict[int, int]:
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


def _seen_by_all(model: Model, cells: int) -> int:
    """The cells that see each of these."""
    zone = -1
    while cells:
        low = cells & -cells
        zone &= model.peers[low.bit_length() - 1]
        cells ^= low
    return zone


def _contribute(
    model: Model, group: Group, places: dict[int, int], extra: dict[int, list[Hashable]]
) -> None:
    item = model.add_primary(group.label)
    found: dict[int, Hashable] = {}
    for digit in sorted(places):
        found[digit] = model.add_primary((*group.label, digit))
        for cell in cells_of(model.layout, places[digit]):
            model.attach(cell, digit, found[digit])
    for digits in group.sets:
        if all(digit in places for digit in range(digits.bit_length()) if digits >> digit & 1):
            covered = [item]
            name = []
            for digit, where in found.items():
                if digits >> digit & 1:
                    name.append(digit)
                    covered += extra.get(digit, ())
                else:
                    covered.append(where)
            model.add_option(covered, (*group.label, *name))
