"""SVG pictures as PNG and PDF, by CairoSVG (the extra `pictures`)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, cast

from sudoku.errors import MissingExtra

__all__ = ["pdf", "png"]


def png(picture: str, *, scale: float = 2) -> bytes:
    """The picture as a PNG, so many times as large; `MissingExtra` without CairoSVG."""
    made: bytes = _cairosvg().svg2png(bytestring=picture.encode(), scale=scale)
    return made


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
        "`pip install 'exactcover[pictures]'`, and on Debian `apt install libcairo2`"
    )
