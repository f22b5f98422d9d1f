"""Reads a problem from a file in Knuth's format or in JSON."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import chain
from typing import IO, TYPE_CHECKING

from dlx.core.arguments import check_path, is_iterable
from dlx.core.encoding import text_lines
from dlx.errors import InvalidArgument, quote
from dlx.formats.suffixes import READABLE, readable_format_of

if TYPE_CHECKING:
    from dlx.core.table import Table

__all__ = ["load"]

Source = str | os.PathLike[str]


def load(
    table: Table, source: Source | IO[str], form: str | None = None, *, names: bool = True
) -> None:
    """Reads a file, given by path or open in text mode, into an empty table.

    `form` is one of `READABLE`. By default the suffix of a path decides, and for an open file its
    first line, which is `{"dlx": 1` in JSON and nowhere else. Without `names`, options are known by
    their numbers. Raises `InvalidArgument` for an unknown format or suffix.
    """
    if form is not None and form not in READABLE:
        raise InvalidArgument(
            f"format is {quote(form)}; files can be read in the formats {', '.join(READABLE)}"
        )
    if isinstance(source, str | os.PathLike):
        path = check_path("source", source)
        form = form or readable_format_of(path)
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            _read(table, file, path, form)
    elif not is_iterable(source):
        raise InvalidArgument(f"source is {quote(source)}; it must be a path or an open text file")
    else:
        name = getattr(source, "name", None)
        _read(table, source, name if isinstance(name, str) else None, form)
    if not names:
        table.names, table.names_given = None, {}


def _read(table: Table, file: Iterable[str], where: str | None, form: str | None) -> None:
    if form is None:
        lines = iter(file)
        first = next((line for _, line in text_lines(lines, where)), "")
        # No item of Knuth's format contains a colon.
        words = "".join(first.removeprefix("\ufeff").split())
        form = "json" if words.startswith('{"dlx":') else "knuth"
        file = chain([first], lines)
    if form == "json":
        from dlx.formats import json_text

        json_text.read(table, file, where)
    else:
        from dlx.formats import knuth

        knuth.read(table, file, where)
