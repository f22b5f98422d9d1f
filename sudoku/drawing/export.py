"""Grids as SVG, PNG and PDF files: the renderer behind `Grid.to_svg`, `to_png` and `to_pdf`.

PNG and PDF are made by CairoSVG (the extra `pictures`).
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from sudoku.board.cells import number
from sudoku.board.grid import Grid
from sudoku.drawing.rule_text import rule_sentences
from sudoku.errors import MissingExtra, PuzzleError, shown

if TYPE_CHECKING:
    from sudoku.board.grid import CellDigits
    from sudoku.board.step import Step

__all__ = ["pdf", "png", "rule_sentences", "svg"]

SMALLEST: Final = 0.1  # with a smaller scale, small pictures have no pixels
LARGEST: Final = 20  # with it, the widest pictures have about as many pixels as cairo can draw


def svg(
    grid: Grid,
    *,
    puzzle: Grid | None = None,
    candidates: CellDigits | bool = False,
    caption: str = "",
    hint: Step | None = None,
    coordinates: bool = False,
) -> str:
    """The grid, or a hint in it, as an SVG picture: see `Grid.to_svg`."""
    _refuse("puzzle", puzzle, "a Grid", puzzle is None or isinstance(puzzle, Grid))
    _refuse("caption", caption, "a text", isinstance(caption, str))
    _refuse("coordinates", coordinates, "True or False", isinstance(coordinates, bool))
    if hint is not None:
        from sudoku.drawing.steps import step_svg

        return step_svg(
            grid if puzzle is None else puzzle,
            hint,
            filled=grid,
            candidates=candidates if isinstance(candidates, Mapping) else None,
            edge=coordinates,
        )
    from sudoku.drawing.board import board_svg

    return board_svg(grid, puzzle=puzzle, candidates=candidates, caption=caption, edge=coordinates)


def _refuse(name: str, value: object, wanted: str, is_good: bool) -> None:
    if not is_good:
        raise PuzzleError(f"{name} is {shown(value)}; it must be {wanted}")


def png(svg: str, *, scale: float = 2) -> bytes:
    """The picture as a PNG file, enlarged by `scale`.

    Raises `PuzzleError` if the scale is not from 0.1 to 20, `MissingExtra` without CairoSVG.
    """
    size = _checked(scale)
    made: bytes = _cairosvg().svg2png(bytestring=svg.encode(), scale=size)
    return made


def _checked(scale: object) -> float:
    size = number(scale)
    if size is not None and SMALLEST <= size <= LARGEST:
        return size
    what = shown(scale)
    raise PuzzleError(f"scale is {what}; it must be a number from {SMALLEST} to {LARGEST}")


def pdf(pages: Iterable[str]) -> bytes:
    """A PDF file with a page for each picture.

    Raises `MissingExtra` without CairoSVG, and for several pages without pypdf.
    """
    cairosvg = _cairosvg()
    made = [cairosvg.svg2pdf(bytestring=page.encode()) for page in pages]
    if len(made) == 1:
        return cast("bytes", made[0])
    try:
        from pypdf import PdfWriter
    except ImportError:
        raise _missing("pypdf") from None
    writer = PdfWriter()
    for one in made:
        writer.append(io.BytesIO(one))
    into = io.BytesIO()
    writer.write(into)
    return into.getvalue()


def _cairosvg() -> Any:
    try:
        import cairosvg
    except (ImportError, OSError):  # the library it needs (cairo) is missing
        raise _missing("CairoSVG") from None
    return cairosvg


def _missing(what: str) -> MissingExtra:
    return MissingExtra(
        f"{what} is not installed (or the cairo library it needs): for PNG and PDF, "
        "`pip install CairoSVG pypdf`, and on Debian `apt install libcairo2`"
    )
