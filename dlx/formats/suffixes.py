"""The file formats of problems, and the suffixes by which they are chosen."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from dlx.errors import InvalidArgument, quote

__all__ = ["FORMATS", "READABLE", "format_of", "readable_format_of"]

FORMATS: Final = ("knuth", "json", "cnf", "mps", "lp", "minizinc", "xcsp3")
"""The formats that can be written."""

READABLE: Final = ("knuth", "json")
"""The formats that can be read."""

SUFFIXES: Final[Mapping[str, str]] = MappingProxyType(
    {
        ".json": "json",
        ".cnf": "cnf",
        ".mps": "mps",
        ".lp": "lp",
        ".mzn": "minizinc",
        ".xml": "xcsp3",
        **dict.fromkeys(("", ".dlx", ".knuth", ".txt", ".xc"), "knuth"),
    }
)


def format_of(path: str) -> str:
    """The format of a path's suffix. Raises `InvalidArgument` for any other suffix.

    >>> format_of("queens.JSON"), format_of("problems.d/queens")
    ('json', 'knuth')
    """
    suffix = os.path.splitext(path)[1]
    form = SUFFIXES.get(suffix.lower())
    if form is None:
        others = ", ".join(suffix for suffix, form in SUFFIXES.items() if form != "knuth")
        knuth = ", ".join(suffix for suffix, form in SUFFIXES.items() if suffix and form == "knuth")
        raise InvalidArgument(
            f"no format has the suffix {quote(suffix)}; supported are {others}, and for Knuth's "
            f"format {knuth} or no suffix. For other suffixes give the format: {', '.join(FORMATS)}"
        )
    return form


def readable_format_of(path: str) -> str:
    """The format of a file to be read, by its suffix. Raises `InvalidArgument`."""
    form = format_of(path)
    if form not in READABLE:
        suffix = os.path.splitext(path)[1]
        raise InvalidArgument(
            f"{path}: files with the suffix {quote(suffix)} are written for other solvers and "
            f"cannot be read; files in the formats {' and '.join(READABLE)} can"
        )
    return form
