"""Choices: each solution is in exactly one of several *boxes*.

A box has for some cells the digits that they may have, such as "r1c1 is 2, r1c5 is 7, and the cells
between them are 3 to 6". No grid may be in two boxes of a choice. One primary item is the choice,
and there is an option for each box. The option has the color of the digit in the cells with one
digit, and in the other cells it excludes the digits that are not in the box.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from sudoku.board.cells import Cell
from sudoku.board.rule import Candidates, CoverModel

__all__ = ["Box", "contribute_choice", "restrict_choice", "tied_to"]

Box = Mapping[Cell, int]
"""For some cells the digits that they may have, as bits."""


def _is_open(box: Box, candidates: Candidates) -> bool:
    """Whether every cell of a box has a candidate in it."""
    return all(candidates[cell] & digits for cell, digits in box.items())


def restrict_choice(candidates: Candidates, boxes: Iterable[Box]) -> None:
    """Removes the digits that are in no open box; all boxes have the same cells.

    O(boxes x cells).
    """
    left: dict[Cell, int] = {}
    for box in boxes:
        good = _is_open(box, candidates)
        for cell, digits in box.items():
            left[cell] = left.get(cell, 0) | (digits if good else 0)
    for cell, digits in left.items():
        candidates[cell] &= digits


def contribute_choice(model: CoverModel, boxes: Iterable[Box], *name: Hashable) -> None:
    """Adds an item whose options are the boxes that are open. O(boxes x cells x digits)."""
    item = model.primary(*name)
    number = 0
    for box in boxes:
        if _is_open(box, model.candidates):
            number += 1
            tied = [each for cell, digits in box.items() for each in tied_to(model, cell, digits)]
            model.option([item, *tied], *name, number)


def tied_to(model: CoverModel, cell: Cell, digits: int) -> list[Hashable]:
    """The colored items by which an option requires one of these digits, as bits, in a cell."""
    mask = model.candidates[cell]
    left = mask & digits
    if left & (left - 1) == 0:
        return [model.value(cell, left.bit_length() - 1)]
    return [model.absent(cell, digit) for digit in model.digits(cell) if not left >> digit & 1]
