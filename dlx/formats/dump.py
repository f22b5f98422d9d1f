"""Writes a problem to a file, in a format given by name or by the file's suffix."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING

from dlx.core.encoding import replace_file
from dlx.errors import InvalidArgument, quote

if TYPE_CHECKING:
    from dlx.core.table import ProblemView

__all__ = ["FORMATS", "dump"]

FORMATS = ("knuth", "cnf", "mps", "lp")
KNUTH_SUFFIXES = ("dlx", "knuth", "txt", "xc")


def dump(problem: ProblemView, target: str | os.PathLike[str] | IO[str], form: str | None) -> None:
    """Writes a problem; `form` is one of FORMATS, or None to use the suffix of the path.

    Raises `InvalidArgument` for an unknown format or suffix.
    """
    path = os.fspath(target) if isinstance(target, str | os.PathLike) else None
    lines = _writer(_format_of(path) if form is None else form)
    if path is not None:
        replace_file(path, (line.encode() for line in lines(problem)))
    elif not isinstance(target, str | os.PathLike):
        target.writelines(list(lines(problem)))


def _format_of(path: str | None) -> str:
    suffix = "" if path is None else os.path.splitext(path)[1]
    form = suffix.lower().removeprefix(".")
    if form in FORMATS:
        return form
    if form and form not in KNUTH_SUFFIXES:
        others = ", ".join(f".{name}" for name in FORMATS if name != "knuth")
        raise InvalidArgument(
            f"no format has the suffix {quote(suffix)}; supported are {others}, and for Knuth's "
            f"format {', '.join(f'.{name}' for name in KNUTH_SUFFIXES)} or no suffix. For other "
            f"suffixes give the format: {', '.join(FORMATS)}"
        )
    return "knuth"


def _writer(form: object) -> Callable[[ProblemView], Iterator[str]]:
    if form == "knuth":
        from dlx.formats import knuth

        return knuth.lines
    if form == "cnf":
        from dlx.formats import dimacs as cnf

        return lambda problem: cnf.lines(problem._table)
    if form in ("mps", "lp"):
        from dlx.formats import linear

        lines = linear.mps_lines if form == "mps" else linear.lp_lines
        return lambda problem: lines(problem._table)
    raise InvalidArgument(
        f"there is no format {quote(form)}; choose one of {', '.join(map(repr, FORMATS))}"
    )
