"""The candidates in some filling of cells with a known sum: faster than `RuleCells` in general.

A cage has different digits. So a partial filling is the set of its digits. A *family* is a set of
such sets in one integer: bit s >> 1 for the set s, where bit d of s is for digit d. One shift adds
a digit to all sets of a family, so a cage takes two operations for each candidate. Other sums, of
innies and outies, are filled in all ways; that is fast for a few open cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from sudoku.hinting.geometry import bits

__all__ = ["DistinctSum", "distinct_sum", "family_of", "joined", "split", "weighted_sum"]

Masks = tuple[int, ...]

Family = int
"""Sets of digits: bit s >> 1 for the set s, which has bit d for digit d."""


class DistinctSum(NamedTuple):
    """What all fillings of a cage have."""

    left: Masks
    """For each cell the candidates in some filling."""
    common: int
    """The digits that every filling has, as bits."""
    first: Family = 1
    """The sets of digits of the first cells in some filling."""


def distinct_sum(
    masks: Masks, total: int, first: int = 0, allowed: Family | None = None
) -> DistinctSum | None:
    """The fillings with different digits and this sum, together; None if there is none.

    `masks` are the candidates, bit d for digit d. `first` is the number of the cells, at the
    beginning, that are in a house; then `allowed` are the sets of digits that these may have (None:
    all). O(candidates) operations on families, which have 2^side bits.

    >>> distinct_sum((0b11110, 0b110), 4)
    DistinctSum(left=(8, 2), common=10, first=1)
    >>> distinct_sum((0b11110, 0b11110, 0b11110), 8, 2, family_of([0b1010, 0b10010])).left
    (26, 26, 24)
    """
    side = max(masks).bit_length() - 1
    levels = [1]  # the sets of digits of the first cells
    for number, mask in enumerate(masks, start=1):
        here, reached = levels[-1], 0
        for _, shift, without in _moves(mask, side):
            reached |= (here & without) << shift
        if number == first and allowed is not None:
            reached &= allowed
        levels.append(reached)
    good = sets = levels.pop() & _with_sum(side).get(total, 0)
    if not good:
        return None
    every = (2 << side) - 2
    common = sum(bit for bit, _, without in _moves(every, side) if not good & without)
    left = [0] * len(masks)
    for at in range(len(masks) - 1, -1, -1):
        before, kept, found = levels[at], 0, 0
        for bit, shift, without in _moves(masks[at], side):
            if sources := good >> shift & without & before:
                found |= bit
                kept |= sources
        good, left[at] = kept, found
        if at == first:
            sets = kept
    return DistinctSum(tuple(left), common, sets)


def family_of(sets: Sequence[int]) -> Family:
    """The family of these sets of digits.

    >>> bin(family_of([0b10, 0b1100]))
    '0b1000010'
    """
    return sum(1 << (one >> 1) for one in sets)


def joined(one: Family, other: Family, side: int) -> Family:
    """The unions of each set of a family and each of another without a digit in common.

    >>> joined(family_of([0b10, 0b100]), family_of([0b100]), 2) == family_of([0b110])
    True
    """
    if one.bit_count() > other.bit_count():
        one, other = other, one
    without, found = _without(side), 0
    for shift in bits(one):
        found |= (other & without[shift]) << shift
    return found


def split(good: Family, before: Family, family: Family, side: int) -> tuple[Family, Family]:
    """The sets of `before` and those of `family` with which `joined` makes a set of `good`."""
    without, first, kept = _without(side), 0, 0
    for shift in bits(family):
        if sources := good >> shift & without[shift] & before:
            first |= sources
            kept |= 1 << shift
    return first, kept


@cache
def _moves(mask: int, side: int) -> list[tuple[int, int, Family]]:
    """For each digit of a set: its bit, the shift that adds it, and the sets without it."""
    return [_move(digit, side) for digit in bits(mask)]


@cache
def _move(digit: int, side: int) -> tuple[int, int, Family]:
    step = 1 << digit - 1  # the sets come in blocks: `step` of them without the digit, then with it
    blocks = ((1 << (1 << side)) - 1) // ((1 << 2 * step) - 1)
    return 1 << digit, step, ((1 << step) - 1) * blocks


@cache
def _without(side: int) -> list[Family]:
    """For each set of digits s, by s >> 1, the sets that have no digit in common with it."""
    found = [(1 << (1 << side)) - 1]
    for _, _, without in _moves((2 << side) - 2, side):
        found += [family & without for family in found]
    return found


@cache
def _with_sum(side: int) -> dict[int, Family]:
    """For each sum the sets of digits that have it."""
    found = {0: 1}
    for digit in range(1, side + 1):
        step = 1 << digit - 1
        for total, family in list(found.items()):
            found[total + digit] = found.get(total + digit, 0) | family << step
    return found


def weighted_sum(
    masks: Masks, weights: Sequence[int], apart: Sequence[Sequence[int]], total: int
) -> Masks | None:
    """For each cell the candidates in some filling with this sum; None if there is no filling.

    The digits count with a weight of 1 or -1 each; `apart` has for each cell those with another
    digit. O(digits^(open cells - 1)).
    """
    order = sorted(range(len(masks)), key=lambda at: masks[at].bit_count())
    least, most = _rest([masks[at] for at in order], [weights[at] for at in order])
    left = [0] * len(masks)

    def fill(number: int, now: Sequence[int], rest: int) -> bool:
        """Whether there is a filling from that cell of the order on; adds to `left`."""
        at, found = order[number], False
        if number == len(order) - 1:
            digit = rest * weights[at]
            found = digit > 0 and bool(now[at] >> digit & 1)
            left[at] |= found << max(digit, 0)
            return found
        for digit in bits(now[at]):
            after = rest - weights[at] * digit
            if least[number + 1] <= after <= most[number + 1]:
                others = list(now)
                for other in apart[at]:
                    others[other] &= ~(1 << digit)
                if fill(number + 1, others, after):
                    left[at] |= 1 << digit
                    found = True
        return found

    return tuple(left) if fill(0, masks, total) else None


def _rest(masks: Sequence[int], weights: Sequence[int]) -> tuple[list[int], list[int]]:
    """The least and the largest sum of the cells from each place on; equal digits are allowed."""
    least, most = [0], [0]
    for mask, weight in zip(reversed(masks), reversed(weights), strict=True):
        ends = sorted(
            (weight * ((mask & -mask).bit_length() - 1), weight * (mask.bit_length() - 1))
        )
        least.append(least[-1] + ends[0])
        most.append(most[-1] + ends[1])
    return least[::-1], most[::-1]
