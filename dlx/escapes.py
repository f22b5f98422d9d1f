"""Texts from files and callers as terminals and pictures may show them, for both packages.

A control character in a name can move the cursor of a terminal or make SVG ill-formed; one that
sets the direction of writing reorders what follows it. Files keep such names exactly.
"""

from __future__ import annotations

from typing import Final

from dlx.errors import quote

__all__ = ["markup", "visible"]

HARMLESS: Final = "\xa0\u2009\u200c\u200d\u202f\u3000"
"""Spaces, and the joiners of some scripts, which `str.isprintable` excludes."""

ENTITIES: Final = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"}
)
"""As of `html.escape`; importing `html` takes a millisecond, for the names of all characters."""


def visible(text: object, keep: str = "") -> str:
    r"""The text with an escape, as in Python, for each character that is no visible one.

    Those are control characters, line breaks, marks of direction, parts of surrogate pairs and
    characters without a meaning, except the characters in `keep`.

    >>> visible("a\x1b[2J\n\u202eb"), visible("b\n", keep="\n")
    ('a\\x1b[2J\\n\\u202eb', 'b\n')
    """
    try:
        plain = str(text)
    except (RecursionError, ValueError):  # of deep tuples and of huge integers
        plain = quote(text)
    if plain.isprintable():
        return plain
    shown = HARMLESS + keep
    return "".join(
        c if c.isprintable() or c in shown else c.encode("unicode_escape").decode() for c in plain
    )


def markup(text: object) -> str:
    r"""The visible text for HTML, and for text and attributes of SVG.

    >>> markup('<a & "b">\0')
    '&lt;a &amp; &quot;b&quot;&gt;\\x00'
    """
    return visible(text).translate(ENTITIES)
