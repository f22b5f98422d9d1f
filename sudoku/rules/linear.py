"""Weighted sums of digits, for little killers, arrows, and the implied sums of killers.

`restrict_sum` finds exactly the digits of each cell that can be part of the sum, from the sums that
are possible before and after the cell; it ignores that digits may not repeat. `contribute_sum` adds
the sum to an exact cover problem in one of two ways. If there are few fillings, they are the
options of one item. Otherwise there is an item for each cell, and its options are the steps from
the partial sum before the cell to the one after it. The colors of secondary items between the cells
keep the steps consistent::

    items     step 1        step 2        step 3
    colors          after 1       after 2
    options   d -> d        s + d -> s'   s + d = total
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import dlx
from sudoku.board.cells import Cell
from sudoku.board.rule import Candidates

if TYPE_CHECKING:
    from sudoku.board.model import Model

__all__ = ["Terms", "contribute_sum", "restrict_sum"]

MOST_FILLINGS = 150
"""The most fillings that become options of one item."""

Terms = Sequence[tuple[Cell, int]]
"""Cells and their weights, which are not 0."""


def restrict_sum(candidates: Candidates, terms: Terms, total: int) -> None:
    """Removes the digits that are in no filling with that sum.

    O(cells x digits x sums).
    """
    parts = [_parts(candidates[cell], weight) for cell, weight in terms]
    sums = _sums(parts, total)
    for (cell, _), part, before, after in zip(terms, parts, sums, sums[1:], strict=False):
        candidates[cell] = sum(
            1 << digit
            for digit, value in part.items()
            if any(so_far + value in after for so_far in before)
        )


def contribute_sum(model: Model, terms: Terms, total: int) -> None:
    """Adds items and options to a model so that the cells have that sum."""
    cells = [cell for cell, _ in terms]
    parts = [_parts(model.candidates[cell], weight) for cell, weight in terms]
    sums = _sums(parts, total)
    found = list(islice(_fillings(model, cells, parts, sums), MOST_FILLINGS + 1))
    if len(found) <= MOST_FILLINGS or len(cells) <= 2:
        model.fillings(cells, found)
    else:
        _contribute_chain(model, cells, parts, sums)


def _parts(mask: int, weight: int) -> dict[int, int]:
    """Maps each candidate to the number that it adds to the sum."""
    return {digit: weight * digit for digit in range(mask.bit_length()) if mask >> digit & 1}


def _sums(parts: list[dict[int, int]], total: int) -> list[set[int]]:
    """The possible partial sums before each cell, and at the end.

    The cells before can have such a sum, and the cells after can reach the total from it.
    """
    forward = [{0}]
    for part in parts:
        forward.append({so_far + value for so_far in forward[-1] for value in part.values()})
    sums = [{total} & forward.pop()]
    for part in reversed(parts):
        back = {later - value for later in sums[-1] for value in part.values()}
        sums.append(back & forward.pop())
    return sums[::-1]


def _fillings(
    model: Model, cells: list[Cell], parts: list[dict[int, int]], sums: list[set[int]]
) -> Iterator[tuple[int, ...]]:
    """Yields the fillings with that sum in which cells that see each other differ."""
    numbers = [model.layout.index[cell] for cell in cells]
    seen = [
        [earlier for earlier in range(place) if model.peers[number] >> numbers[earlier] & 1]
        for place, number in enumerate(numbers)
    ]
    filling: list[int] = []

    def extend(place: int, so_far: int) -> Iterator[tuple[int, ...]]:
        if place == len(cells):
            yield tuple(filling)
            return
        taken = [filling[earlier] for earlier in seen[place]]
        for digit, value in parts[place].items():
            if digit not in taken and so_far + value in sums[place + 1]:
                filling.append(digit)
                yield from extend(place + 1, so_far + value)
                filling.pop()

    yield from extend(0, 0)


def _contribute_chain(
    model: Model, cells: list[Cell], parts: list[dict[int, int]], sums: list[set[int]]
) -> None:
    between = [model.secondary("after", place) for place in range(1, len(cells))]
    for place, cell in enumerate(cells):
        item = model.primary("step", place + 1)
        for so_far in sorted(sums[place]):
            for digit, value in parts[place].items():
                now = so_far + value
                if now not in sums[place + 1]:
                    continue
                tied = [item, model.value(cell, digit)]
                if place:
                    tied.append(dlx.colored(between[place - 1], so_far))
                if place < len(between):
                    tied.append(dlx.colored(between[place], now))
                model.option(tied, "step", place + 1, digit, now)
