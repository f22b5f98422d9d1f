"""The standard pieces: polyominoes of up to five squares, and the pieces of the Soma cube.

Polyominoes are drawn as text and parsed into lists of cells. Pentominoes have Golomb's names.
Smaller pieces have names with their number of squares ("I4"), so that all can be used together. The
Soma pieces are a separate set with their own names.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dlx.core.cells import Cell

__all__ = ["PENTOMINOES", "SOMA", "STANDARD_PIECES", "TETROMINOES", "TROMINOES"]


def _read(drawing: str) -> Mapping[str, tuple[Cell, ...]]:
    """The pieces in a drawing: on each line a name and its rows, separated by "/"."""
    pieces = {}
    for line in drawing.split("\n"):
        if line.strip():
            name, picture = line.split()
            pieces[name] = tuple(
                (row, column)
                for row, squares in enumerate(picture.split("/"))
                for column, square in enumerate(squares)
                if square == "#"
            )
    return MappingProxyType(pieces)


TROMINOES = _read("""
    I3  ###
    V3  ##/#.
""")
"""The two trominoes: name -> cells."""

TETROMINOES = _read("""
    I4  ####
    L4  ###/#..
    O4  ##/##
    S4  .##/##.
    T4  ###/.#.
""")
"""The five tetrominoes: name -> cells."""

PENTOMINOES = _read("""
    F  .##/##./.#.
    I  #####
    L  ####/#...
    N  .###/##..
    P  ##/##/#.
    T  ###/.#./.#.
    U  #.#/###
    V  #../#../###
    W  #../##./.##
    X  .#./###/.#.
    Y  ####/.#..
    Z  ##./.#./.##
""")
"""The twelve pentominoes: name -> cells."""

STANDARD_PIECES: Mapping[str, tuple[Cell, ...]] = MappingProxyType(
    {"I1": ((0, 0),), "I2": ((0, 0), (0, 1)), **TROMINOES, **TETROMINOES, **PENTOMINOES}
)
"""All of these, the monomino I1 and the domino I2: name -> cells; `polyominoes` knows them."""

SOMA: Mapping[str, tuple[Cell, ...]] = MappingProxyType(
    {
        "V": ((0, 0, 0), (0, 1, 0), (1, 0, 0)),
        "L": ((0, 0, 0), (0, 1, 0), (0, 2, 0), (1, 0, 0)),
        "T": ((0, 0, 0), (0, 1, 0), (0, 2, 0), (1, 1, 0)),
        "Z": ((0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 2, 0)),
        "A": ((0, 0, 0), (0, 1, 0), (1, 0, 0), (0, 1, 1)),
        "B": ((0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 0, 1)),
        "P": ((0, 0, 0), (0, 1, 0), (1, 0, 0), (0, 0, 1)),
    }
)
"""Piet Hein's seven pieces: all ways to join up to four cubes that are not a box. A and B ("left
and right screw") are mirror images, and no rotation in space turns one into the other."""
