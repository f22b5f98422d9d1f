"""Packing given numbers of bricks of several sizes into a box."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dlx.errors import InvalidArgument, quote
from dlx.models.polyforms import Placement, polyominoes
from dlx.models.regions import Cell, box
from dlx.problem import Problem

if TYPE_CHECKING:
    from dlx.core.multiplicity import Multiplicity

__all__ = ["bricks"]


def bricks(counts: Mapping[tuple[int, ...], Multiplicity], *sides: int) -> Problem[Placement]:
    """Fills a rectangle or a cuboid with bricks, given the number of bricks of each size.

    `counts` maps sizes, such as (1, 2, 2), to n (use all n) or (low, high) (use at least low and at
    most high). Bricks may be rotated. Options are named (brick, cells), with the brick as "1x2x2"
    and the cells as a sorted tuple. Items: each size, with its count as the multiplicity, and each
    cell of the box. Bricks of the same size are interchangeable; solutions that are rotations or
    reflections of each other are all found.

    Source: Knuth wrote his first program for covering with multiplicities for bricks in boxes
    (TAOCP 7.2.2.1; the introduction of his DLX3). The puzzle below, six flat bricks and three small
    cubes, is by J. Slothouber and W. Graatsma. A larger one is by J. H. Conway: thirteen bricks of
    1 x 2 x 4, one of 2 x 2 x 2, one of 1 x 2 x 2 and three of 1 x 1 x 3 in a box of 5 x 5 x 5.

    Raises `InvalidArgument` for invalid sizes, and for two sizes that are rotations of each other;
    `InvalidMultiplicity` for an invalid count.

    >>> import dlx.models
    >>> puzzle = dlx.models.bricks({(1, 2, 2): 6, (1, 1, 1): 3}, 3, 3, 3)
    >>> puzzle.multiplicities
    {'1x2x2': (6, 6), '1x1x1': (3, 3)}
    >>> small = [cells for brick, cells in puzzle.solve() if brick == "1x1x1"]
    >>> sorted(cell for (cell,) in small)
    [(0, 2, 0), (1, 1, 1), (2, 0, 2)]
    """
    region = box(*sides)
    if not isinstance(counts, Mapping):
        raise InvalidArgument(
            f"bricks are {quote(counts)}; give a mapping from sizes such as (1, 2, 2) to numbers"
        )
    names: dict[tuple[int, ...], str] = {}
    boxes: dict[str, list[Cell]] = {}
    for size in counts:
        if not isinstance(size, tuple):
            raise InvalidArgument(f"a size is {quote(size)}; it must be a tuple such as (1, 2, 2)")
        cells = box(*size)  # checks the size
        boxes[_name(size)] = cells
        turned = (*sorted(size),)
        if turned in names:
            raise InvalidArgument(
                f"the brick {_name(size)} is a rotation of the brick {names[turned]}"
            )
        names[turned] = _name(size)
    return polyominoes(
        boxes,
        region,
        counts={_name(size): multiplicity for size, multiplicity in counts.items()},
    )


def _name(size: tuple[int, ...]) -> str:
    return "x".join(map(str, size))
