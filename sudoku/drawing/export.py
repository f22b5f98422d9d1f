"""SVG pictures as PNG and PDF, by CairoSVG (the extra `pictures`)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, Final, cast

from sudoku.errors import MissingExtra, PuzzleError, shorten

__all__ = ["pdf", "png"]

SMALLEST: Final = 0.1  # below it, small pictures have no pixels left
LARGEST: Final = 20  # the widest pictures then have about as many pixels as cairo can draw


def png(picture: str, *, scale: float = 2) -> bytes:
    """The picture as a PNG, so many times as large.

    Raises `PuzzleError` if the scale is no number from 0.1 to 20, `MissingExtra` without CairoSVG.
    """
    size = _checked(scale)
    made: bytes = _cairosvg().svg2png(bytestring=picture.encode(), scale=size)
    return made


def _checked(scale: object) -> float:
    if isinstance(scale, int | float) and type(scale) is not bool and SMALLEST <= scale <= LARGEST:
        return scale
    what = shorten(str(scale))
    raise PuzzleError(f"scale is {what}; it must be a number from {SMALLEST} to {LARGEST}")


def pdf(pictures: Sequence[str]) -> bytes:
    """A PDF with a page for each picture; `MissingExtra` without CairoSVG and pypdf."""
    cairosvg = _cairosvg()
    pages = [cairosvg.svg2pdf(bytestring=picture.encode()) for picture in pictures]
    if len(pages) == 1:
        return cast("bytes", pages[0])
    try:
        from pypdf import PdfWriter
    except ImportError:
        raise _missing("pypdf") from None
    writer = PdfWriter()
    for page in pages:
        writer.append(io.BytesIO(page))
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
