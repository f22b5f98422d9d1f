"""Puzzles with pieces from files of BurrTools, and from drawings."""

from __future__ import annotations

import os
from typing import IO

from dlx.core.cells import Cell, Placement
from dlx.core.encoding import open_text
from dlx.core.table import Table
from dlx.errors import InvalidArgument, quote
from dlx.problem import Problem

__all__ = ["drawing", "read_puzzles"]


def read_puzzles(source: str | os.PathLike[str] | IO[str]) -> dict[str, Problem[Placement]]:
    """All problems of a BurrTools file (.xmpuzzle), by their names, or else as "P1", "P2", ...

    `source` is a path or an open file. `dlx.Problem.load` reads one of them. Options are named
    (shape, cells), as those of `polyominoes`; `dlx.formats.xmpuzzle` says what is read, and how.

    Raises `FormatError` with the line. O(size of the file) and what `polyominoes` takes.

    >>> import dlx.models, io
    >>> text = '''<puzzle version="2"><gridType type="0"/>
    ... <shapes><voxel x="2" y="1" z="1" type="0" name="domino">##</voxel>
    ... <voxel x="4" y="4" z="1" type="0">################</voxel></shapes>
    ... <problems><problem name="board"><shapes><shape id="0" count="8"/></shapes>
    ... <result id="1"/></problem></problems></puzzle>'''
    >>> puzzles = dlx.models.read_puzzles(io.StringIO(text))
    >>> puzzles["board"].count()
    36
    """
    from dlx.formats.xmpuzzle import fill, read_all  # only here: it imports expat

    with open_text(source, errors="surrogateescape") as (file, where):
        puzzles = read_all(file, where)
    problems: dict[str, Problem[Placement]] = {}
    for name, puzzle in puzzles.items():
        table = Table(open_items=False)
        fill(table, puzzle)
        problems[name] = Problem._of_table(table)
    return problems


def drawing(text: str) -> dict[str, list[Cell]]:
    """The cells of each character in a drawing; a space and "." are no cells.

    Lines are rows, and blank lines separate layers. If no character is in several layers, cells
    are (row, column), otherwise (layer, row, column). The first column with a character is 0.

    Raises `InvalidArgument` if `text` is not a string. O(length).

    >>> from dlx import models
    >>> drawn = models.drawing('''
    ...     ####    AA  B
    ...     #++#    A   B
    ...     ####        B
    ...   ''')
    >>> drawn["+"], drawn["B"]
    ([(1, 1), (1, 2)], [(0, 12), (1, 12), (2, 12)])
    >>> board, free = drawn.pop("#"), drawn.pop("+")
    >>> models.polyominoes(drawn, board + free, optional=free, counts={"A": (0, 9), "B": 2}).count()
    16
    """
    if not isinstance(text, str):
        raise InvalidArgument(f"the drawing is {quote(text)}; it must be a text")
    spots: list[tuple[str, Cell]] = []
    layer = row = 0
    for line in text.expandtabs().splitlines():
        if line.strip():
            spots += [(c, (layer, row, at)) for at, c in enumerate(line) if not c.isspace()]
            row += 1
        elif row:
            layer, row = layer + 1, 0
    left = min((cell[-1] for _, cell in spots), default=0)
    found: dict[str, list[Cell]] = {}
    for character, (layer, row, column) in spots:
        if character != ".":
            found.setdefault(character, []).append((layer, row, column - left))
    flat = all(cells[0][0] == cells[-1][0] for cells in found.values())
    return {name: [cell[flat:] for cell in cells] for name, cells in found.items()}
