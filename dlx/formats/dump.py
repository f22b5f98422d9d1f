"""Writes a problem to a file, in a format given by name or by the file's suffix."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import islice
from typing import IO, TYPE_CHECKING

from dlx.core.arguments import check_path
from dlx.core.encoding import replace_file
from dlx.errors import InvalidArgument, quote
from dlx.formats.suffixes import FORMATS, format_of

if TYPE_CHECKING:
    from dlx.core.view import ProblemView

__all__ = ["dump"]


def dump(problem: ProblemView, target: str | os.PathLike[str] | IO[str], form: str | None) -> None:
    """Writes a problem; `form` is one of FORMATS, or None to use the suffix of the path.

    An open file gets Knuth's format by default. Raises `InvalidArgument` for an unknown format or
    suffix.
    """
    if isinstance(target, str | os.PathLike):
        path = check_path("target", target)
        lines = _writer(format_of(path) if form is None else form)(problem)
        replace_file(
            path, (text.encode() for text in iter(lambda: "".join(islice(lines, 1000)), ""))
        )
    elif not hasattr(target, "writelines"):
        raise InvalidArgument(f"target is {quote(target)}; it must be a path or an open text file")
    else:
        lines = _writer("knuth" if form is None else form)(problem)
        # Those of other formats may fail half way, and then nothing is to be written.
        target.writelines(lines if form in ("knuth", None) else list(lines))


def _writer(form: object) -> Callable[[ProblemView], Iterator[str]]:
    if form == "knuth":
        from dlx.formats import knuth

        return knuth.lines
    if form == "json":
        from dlx.formats import json_text

        return json_text.lines
    if form == "cnf":
        from dlx.formats import dimacs as cnf

        return lambda problem: cnf.lines(problem._table)
    if form in ("mps", "lp"):
        from dlx.formats import linear

        lines = linear.mps_lines if form == "mps" else linear.lp_lines
        return lambda problem: lines(problem._table)
    if form in ("minizinc", "dzn"):
        from dlx.formats import minizinc

        write = minizinc.lines if form == "minizinc" else minizinc.data_lines
        return lambda problem: write(problem._table)
    if form == "xcsp3":
        from dlx.formats import xcsp3

        return lambda problem: xcsp3.lines(problem._table)
    raise InvalidArgument(
        f"there is no format {quote(form)}; choose one of {', '.join(map(repr, FORMATS))}"
    )
