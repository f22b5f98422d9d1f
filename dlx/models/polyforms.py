"""Filling regions of the plane or of space with pieces made of squares or cubes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from dlx.core.arguments import check_number
from dlx.core.cells import Cell, Placement, orientations_of, placements
from dlx.errors import InvalidArgument, quote
from dlx.models.checking import check_size, list_of
from dlx.models.pieces import PENTOMINOES, SOMA, STANDARD_PIECES
from dlx.models.regions import box, check_cells
from dlx.problem import Problem

if TYPE_CHECKING:
    from dlx.core.multiplicity import Multiplicity

__all__ = ["Placement", "orientations", "pentominoes", "polyominoes", "soma"]


def polyominoes(
    pieces: Iterable[str] | Mapping[str, Iterable[Sequence[int]]],
    region: Iterable[Sequence[int]],
    *,
    optional: Iterable[Sequence[int]] = (),
    counts: Mapping[str, Multiplicity] | None = None,
) -> Problem[Placement]:
    """Fills a region with pieces, each used exactly once, unless `counts` says otherwise.

    pieces
        Names of standard pieces (see `STANDARD_PIECES`), or a mapping from names to cells.
    region
        The cells to fill, in two or three dimensions; `box` makes simple regions. In the plane,
        pieces may be rotated and reflected; in space they may only be rotated, in 24 ways (which
        includes turning a flat piece over).
    optional
        The cells of the region that may stay empty: `region` itself for a packing.
    counts
        The number of copies of a piece: n (use all n) or (low, high) (use at least low and at most
        high). Copies are interchangeable: swapping two of them does not make another solution.

    Options are named (piece, cells), with the cells as a sorted tuple. Items: pieces and cells, all
    primary but for the `optional` cells, the pieces first; options: about pieces * orientations *
    cells. Solutions that are rotations or reflections of each other are all found, unless the
    search has `distinct`.

    Source: TAOCP 7.2.2.1, "Polyominoes" and "Polycubes".

    Raises `InvalidArgument` for an unknown or repeated piece, a count of another piece, invalid
    cells and optional cells outside the region; `InvalidMultiplicity` for an invalid count.

    >>> import dlx.models
    >>> dlx.models.polyominoes(["L4", "I4", "T4", "V3"], dlx.models.box(3, 5)).count()
    4
    >>> dlx.models.polyominoes({"bar": [(0, 0), (0, 1)]}, [(5, 5), (6, 5)]).solve()
    (('bar', ((5, 5), (6, 5))),)
    >>> dlx.models.polyominoes(["I2"], dlx.models.box(4, 4), counts={"I2": 8}).count()
    36
    >>> square = dlx.models.box(3, 3)
    >>> dlx.models.polyominoes(["L4", "T4"], square, optional=square).count()
    8
    """
    cells = check_cells("region", region)
    if not cells:
        raise InvalidArgument("region is empty; there is nothing to fill")
    free = frozenset(cells)
    empty = check_cells("optional", optional)
    for cell in empty:
        if cell not in free:
            raise InvalidArgument(f"optional has {cell}, which is not in the region")
    shapes = {
        name: _lift(name, shape, len(cells[0])) for name, shape in _read_pieces(pieces).items()
    }
    options = placements(
        {name: dict.fromkeys(shape, 0) for name, shape in shapes.items()},
        cells,
        {0: free},
        lambda entries: check_size(
            entries, "entries of options", **{"the size of the region": len(cells)}
        ),
    )
    for both in free.intersection(shapes):
        raise InvalidArgument(f"piece {quote(both)} is named like a cell of the region")
    if counts is not None and not isinstance(counts, Mapping):
        raise InvalidArgument(f"counts is {quote(counts)}; it must be a mapping from pieces")
    for name in counts or ():
        if name not in shapes:
            raise InvalidArgument(f"counts has {quote(name)}, which is not among the pieces")
    needed = free.difference(empty)
    return Problem.from_options(
        options,
        primary=[*shapes, *(cell for cell in cells if cell in needed)],
        secondary=empty,
        multiplicities=counts,
    )


def pentominoes(
    rows: int,
    columns: int,
    *,
    without: Iterable[Sequence[int]] = (),
    optional: Iterable[Sequence[int]] = (),
) -> Problem[Placement]:
    """Fills a board of rows x columns, except the cells `without`, with the twelve pentominoes.

    Cells in `optional` may stay empty. Options are named (piece, cells), as those of
    `polyominoes`. For the chessboard without its middle:
    `pentominoes(8, 8, without=box(2, 2, at=(3, 3)))`.

    Source: TAOCP 7.2.2.1, "Polyominoes". Solutions, counting all four symmetric ones (eight on the
    chessboard): 4 * 2339 for 6x10, 4 * 1010 for 5x12, 4 * 368 for 4x15, 4 * 2 for 3x20, and
    8 * 65 for the chessboard without its middle.

    Raises `InvalidArgument` for bad sides and for cells that are not on the board.

    >>> import dlx.models
    >>> dlx.models.pentominoes(3, 20)
    <dlx.Problem: 72 primary items, 0 secondary items, 1236 options>
    >>> dlx.models.pentominoes(3, 20).count()
    8
    """
    rows = check_number("rows", rows, 1)
    columns = check_number("columns", columns, 1)
    board = box(rows, columns)
    holes = check_cells("without", without)
    for cell in holes:
        if cell not in board:
            raise InvalidArgument(
                f"without has {cell}, which is not on the board of {rows} x {columns} cells"
            )
    return polyominoes(
        PENTOMINOES, [cell for cell in board if cell not in holes], optional=optional
    )


def soma() -> Problem[Placement]:
    """Builds the 3 x 3 x 3 cube from the seven Soma pieces.

    Options are named (piece, cells). 34 items, 688 options. There are 240 solutions up to rotation
    and reflection, 240 * 48 = 11520 in all.

    Source: Piet Hein 1936; TAOCP 7.2.2.1, "Polycubes"; counted by hand by J. H. Conway and
    M. J. T. Guy in 1961.

    >>> import dlx.models
    >>> dlx.models.soma()
    <dlx.Problem: 34 primary items, 0 secondary items, 688 options>
    """
    return polyominoes(SOMA, box(3, 3, 3))


def orientations(shape: Iterable[Sequence[int]]) -> list[tuple[Cell, ...]]:
    """The different orientations of a shape, each sorted, with its first cell moved to the origin.

    Uses the 8 symmetries of the square in the plane, the 24 rotations of the cube in space. Raises
    `InvalidArgument` for invalid cells or none.

    >>> from dlx.models import orientations
    >>> orientations([(0, 0), (0, 1)])
    [((0, 0), (0, 1)), ((0, 0), (1, 0))]
    >>> len(orientations([(0, 0), (0, 1), (0, 2), (1, 0)]))
    8
    """
    cells = check_cells("shape", shape)
    if not cells:
        raise InvalidArgument("shape has no cells")
    return [tuple(turned) for turned in orientations_of(dict.fromkeys(cells, 0))]


def _read_pieces(
    pieces: Iterable[str] | Mapping[str, Iterable[Sequence[int]]],
) -> dict[str, list[Cell]]:
    if isinstance(pieces, Mapping):
        return {name: check_cells(f"piece {quote(name)}", pieces[name]) for name in pieces}
    known: dict[str, list[Cell]] = {}
    for name in list_of("pieces", pieces, "names of pieces, or a mapping from names to cells"):
        if not isinstance(name, str) or name not in STANDARD_PIECES:
            raise InvalidArgument(
                f"there is no standard piece {quote(name)}; there are {', '.join(STANDARD_PIECES)}"
            )
        if name in known:
            raise InvalidArgument(
                f"piece {quote(name)} is given twice; to use two copies, set its count to 2"
            )
        known[name] = list(STANDARD_PIECES[name])
    return known


def _lift(name: str, shape: list[Cell], dimensions: int) -> list[Cell]:
    """The shape in that number of dimensions; a flat shape gets a third coordinate 0 in space."""
    if not shape:
        raise InvalidArgument(f"piece {quote(name)} has no cells")
    if len(shape[0]) > dimensions:
        raise InvalidArgument(
            f"piece {quote(name)} has {len(shape[0])} dimensions, the region only {dimensions}"
        )
    return [cell + (0,) * (dimensions - len(cell)) for cell in shape]
