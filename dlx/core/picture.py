"""The SVG picture that notebooks show, and the words of graphs in it.

Pictures have a white ground of their own, so they look the same on light and dark pages.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterable
from importlib import import_module
from typing import Final, NamedTuple
from unicodedata import east_asian_width

from dlx.core.arguments import check_path
from dlx.errors import InvalidArgument, quote
from dlx.escapes import markup, visible

__all__ = ["FONT", "Label", "Picture", "boxed", "svg_picture", "text_width"]

FONT: Final = 'font-family="DejaVu Sans, Helvetica, sans-serif"'
LONGEST: Final = 24  # characters of a label; the rest is in its tooltip
CHARACTER: Final = 7.6  # pixels, the mean width in a font of 12 pixels


class Picture(str):
    """The text of an SVG picture, which notebooks show as a picture.

    >>> picture = Picture('<svg xmlns="http://www.w3.org/2000/svg"/>')
    >>> picture
    <dlx.Picture: SVG, 41 bytes>
    >>> picture.svg[:4]
    '<svg'
    """

    __slots__ = ()

    @property
    def svg(self) -> str:
        """The text itself."""
        return str(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture to a file, whose name ends in .svg, .png or .pdf.

        PNG (with two pixels for each of the SVG) and PDF are made by CairoSVG. Raises
        `InvalidArgument` for other endings, and if CairoSVG is needed and not installed.
        """
        name = check_path("path", path)
        form = os.path.splitext(name)[1].lower()
        if form not in (".svg", ".png", ".pdf"):
            raise InvalidArgument(f"{quote(os.path.basename(name))} must end in .svg, .png or .pdf")
        data = self.encode() if form == ".svg" else _converted(self.encode(), form)
        with open(name, "wb") as file:
            file.write(data)

    def _repr_html_(self) -> str:
        """The picture as an image, apart from the page: the page's names and styles differ."""
        data = b64encode(self.encode()).decode()
        return f'<img src="data:image/svg+xml;base64,{data}" style="max-width:100%"/>'

    def __repr__(self) -> str:
        return f"<dlx.Picture: SVG, {len(self.encode()):,} bytes>"


def _converted(svg: bytes, form: str) -> bytes:
    try:
        cairosvg = import_module("cairosvg")
    except (ImportError, OSError) as error:  # OSError: the library cairo is missing
        raise InvalidArgument(
            "PNG and PDF need the package CairoSVG (pip install CairoSVG) and the library cairo "
            f"(on Debian: apt install libcairo2); a name that ends in .svg needs neither ({error})"
        ) from None
    made: bytes = cairosvg.svg2pdf(svg) if form == ".pdf" else cairosvg.svg2png(svg, scale=2)
    return made


class Label(NamedTuple):
    """A text as a picture shows it, cut if it is long, and in full."""

    shown: str
    full: str

    @classmethod
    def of(cls, value: object) -> Label:
        """The label of a value.

        >>> Label.of("x" * 30).shown
        'xxxxxxxxxxxxxxxxxxxxxxx…'
        """
        full = visible(value)
        return cls(full if len(full) <= LONGEST else full[: LONGEST - 1] + "\u2026", full)


def text_width(text: str) -> float:
    """The width of a text in pixels, in a font of 12 pixels, roughly.

    >>> text_width("ab") < text_width("abc") < text_width("\u4e00\u4e8c")
    True
    """
    wide = sum(east_asian_width(character) in "WF" for character in text)
    return CHARACTER * (len(text) + wide)


def boxed(x: float, y: float, size: tuple[float, float], label: Label, look: str) -> str:
    """A rounded box with a label around the point (x, y); `look` are attributes of the box.

    >>> boxed(50, 20, (60, 20), Label.of("a < b"), 'fill="white"')[:45]
    '<g><title>a &lt; b</title><rect x="20" y="10"'
    """
    width, height = size
    return (
        f'<g><title>{markup(label.full)}</title><rect x="{x - width / 2:g}" y="{y - height / 2:g}" '
        f'width="{width:g}" height="{height:g}" rx="{height / 2:g}" {look}/>'
        f'<text x="{x:g}" y="{y:g}" text-anchor="middle" dominant-baseline="central">'
        f"{markup(label.shown)}</text></g>"
    )


def svg_picture(width: float, height: float, drawn: Iterable[str]) -> Picture:
    """A picture of these elements on a white ground, in a font of 12 pixels."""
    inside = "\n".join(drawn)
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" {FONT} font-size="12" role="img">\n'
        f'<rect width="{width:g}" height="{height:g}" fill="white"/>\n{inside}\n</svg>\n'
    )
