"""The file formats of problems, and the suffixes by which they are chosen."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from dlx.errors import InvalidArgument, quote

__all__ = ["FORMATS", "READABLE", "format_of", "hinted_format_of", "readable_format_of"]

FORMATS: Final = ("knuth", "json", "cnf", "mps", "lp", "minizinc", "dzn", "xcsp3")
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
        ".dzn": "dzn",
        ".xml": "xcsp3",
        **dict.fromkeys(("", ".dlx", ".knuth", ".txt", ".xc"), "knuth"),
    }
)

_KNUTH: Final = ", ".join(each for each, form in SUFFIXES.items() if each and form == "knuth")


def format_of(path: str) -> str:
    """The format of a path's suffix. Raises `InvalidArgument` for any other suffix.

    >>> format_of("queens.JSON"), format_of("problems.d/queens")
    ('json', 'knuth')
    """
    suffix = os.path.splitext(path)[1]
    form = SUFFIXES.get(suffix.lower())
    if form is None:
        others = ", ".join(suffix for suffix, form in SUFFIXES.items() if form != "knuth")
        raise InvalidArgument(
            f"no format has the suffix {quote(suffix)}; supported are {others}, and for Knuth's "
            f"format {_KNUTH} or no suffix. For other suffixes give the format: "
            f"{', '.join(FORMATS)}"
        )
    return form


def readable_format_of(path: str) -> str:
    """The format of a file to be read, by its suffix. Raises `InvalidArgument`."""
    suffix = os.path.splitext(path)[1]
    form = SUFFIXES.get(suffix.lower())
    if form is None:
        raise InvalidArgument(
            f"{path}: files with the suffix {quote(suffix)} have no known format; .json is JSON, "
            f"and {_KNUTH} or no suffix is Knuth's format. For other suffixes give the format: "
            f"{', '.join(READABLE)}"
        )
    if form not in READABLE:
        raise InvalidArgument(
            f"{path}: files with the suffix {quote(suffix)} are written for other solvers and "
            f"cannot be read; files in the formats {' and '.join(READABLE)} can"
        )
    return form


def hinted_format_of(path: str) -> str | None:
    """The format of a file whose suffix need not be one of ours: None if its content decides.

    Raises `InvalidArgument` for a suffix of a format that cannot be read.

    >>> hinted_format_of("queens.json"), hinted_format_of("queens.txt"), hinted_format_of("a.out")
    ('json', None, None)
    """
    form = SUFFIXES.get(os.path.splitext(path)[1].lower(), "knuth")
    return None if form == "knuth" else readable_format_of(path)
