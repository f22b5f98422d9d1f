"""The candidates in some filling of cells with a known sum: faster than `RuleCells` in general.

A cage has different digits. So a partial filling is the set of its digits, and a cage of four cells
has at most 130 of them, instead of 3024 orders. Other sums, of innies and outies, are filled in all
ways; that is fast for a few open cells.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import reduce
from operator import and_
from typing import NamedTuple

from sudoku.hinting.geometry import bits

__all__ = ["DistinctSum", "distinct_sum", "weighted_sum"]

Masks = tuple[int, ...]


class DistinctSum(NamedTuple):
    """What all fillings of a cage have."""

    left: Masks
    """For each cell the candidates in some filling."""
    common: int
    """The digits that every filling has, as bits."""
    first: frozenset[int] = frozenset()
    """The sets of digits, as bits, of the first cells in some filling."""


def distinct_sum(
    masks: Masks, total: int, first: int = 0, allowed: Container[int] | None = None
) -> DistinctSum | None:
    """The fillings with different digits and this sum, together; None if there is none.

    `masks` are the candidates, bit d for digit d. `first` is the number of the cells, at the
    beginning, that are in a house; then `allowed` are the sets of digits that these may have (None:
    all). O(cells x digits x sets of digits).

    >>> distinct_sum((0b11110, 0b110), 4)
    DistinctSum(left=(8, 2), common=10, first=frozenset({0}))
    >>> distinct_sum((0b11110, 0b11110, 0b11110), 8, 2, {0b1010, 0b10010}).left
    (26, 26, 24)
    """
    order = sorted(range(len(masks)), key=lambda at: (at >= first, masks[at].bit_count()))
    least, most = _rest([masks[at] for at in order], [1] * len(order))
    levels: list[dict[int, int]] = [{0: 0}]  # the sets of digits of the first cells, and their sums
    for number, at in enumerate(order, start=1):
        reached: dict[int, int] = {}
        low, high, mask = total - most[number], total - least[number], masks[at]
        for used, so_far in levels[-1].items():
            rest = mask & ~used
            while rest:
                bit = rest & -rest
                rest ^= bit
                if low <= (now := so_far + bit.bit_length() - 1) <= high:
                    reached[used | bit] = now
        if number == first and allowed is not None:
            reached = {used: so_far for used, so_far in reached.items() if used in allowed}
        levels.append(reached)
    good = set(levels.pop())
    common, sets = reduce(and_, good, -1), good
    left = [0] * len(masks)
    for at in reversed(order):
        kept, mask, found = set(), masks[at], 0
        for used in levels.pop():
            rest = mask & ~used
            while rest:
                bit = rest & -rest
                rest ^= bit
                if used | bit in good:
                    found |= bit
                    kept.add(used)
        good, left[at] = kept, found
        if len(levels) == first:
            sets = kept
    return DistinctSum(tuple(left), common, frozenset(sets)) if good else None


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
