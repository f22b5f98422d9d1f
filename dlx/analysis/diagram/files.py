"""The file format of diagrams, version 1.

::

    dlx diagram 1
    {"nodes": 3, "root": 4, "options": 4, "ordered": false, "names": null}
    ...binary...

A file is

1.  a line with the words `dlx diagram` and the version;
2.  a line of JSON (ASCII): the number of nodes without the two terminals; the number of the root,
    where 0 is the empty diagram, 1 that of the empty set, and the first node is 2; the number of
    options; whether the diagram is ordered; the names of the options, or null where they are 0, 1,
    ... A name is a text, an integer, true, false, null, or a list of these, which means a tuple;
3.  the columns, each of 32-bit numbers, the least significant byte first: for each node its option,
    for each its `low`, for each its `high`; then, if it is ordered, the options from top to bottom;
4.  the SHA-256 of everything before, 32 bytes.

Children come before their parents, and `high` is never 0. The reader checks all of this, and
refuses a file that is truncated or changed.
"""

from __future__ import annotations

import json
import operator
from array import array
from collections.abc import Hashable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from dlx.analysis.diagram.nodes import TOP, Columns
from dlx.core.encoding import (
    from_little_endian,
    little_endian,
    name_as_json,
    name_from_json,
    replace_file,
)
from dlx.errors import FormatError, counted, quote

__all__ = ["Contents", "read", "write"]

MAGIC = b"dlx diagram "
VERSION = 1
DIGEST = 32
TERMINALS = TOP + 1


class Contents(NamedTuple):
    """The contents of a file."""

    columns: Columns
    options: int
    variables: Sequence[int] | None
    names: list[Hashable] | None


def write(path: str, contents: Contents) -> None:
    """Writes a file. An existing one is replaced only when the new one is complete."""
    columns, options, variables, names = contents
    header = {
        "nodes": len(columns.option) - TERMINALS,
        "root": columns.root,
        "options": options,
        "ordered": variables is not None,
        "names": None if names is None else [name_as_json(name) for name in names],
    }
    digest = sha256()
    parts = [MAGIC + b"%d\n" % VERSION, json.dumps(header).encode() + b"\n"]
    for typecode, column in zip("iII", columns[:3], strict=True):
        parts.append(little_endian(array(typecode, column[TERMINALS:])))
    if variables is not None:
        parts.append(little_endian(array("i", variables)))
    for part in parts:
        digest.update(part)
    replace_file(path, [*parts, digest.digest()])


def read(path: str) -> Contents:
    """Reads a file. Raises `FormatError` unless it is complete and has this version."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        return _parse(data)
    except _DamagedDiagram as damage:
        raise FormatError(str(damage), source=path) from None


class _DamagedDiagram(Exception):
    """A file that cannot be read; the message says why."""


def _parse(data: bytes) -> Contents:
    first, newline, rest = data.partition(b"\n")
    if not first.startswith(MAGIC) or not newline:
        cut = MAGIC.startswith(data[: len(MAGIC)]) and len(data) <= len(MAGIC) + 20
        raise _DamagedDiagram(
            "the file is truncated" if data and cut else "this is not a diagram file"
        )
    version = first[len(MAGIC) :].decode("ascii", "replace")
    if version != str(VERSION):
        raise _DamagedDiagram(
            f"the diagram is in version {quote(version)} of the format; only {VERSION} can be read"
        )
    line, newline, _ = rest.partition(b"\n")
    body = len(first) + len(line) + 2
    header = _header(line) if newline else None
    if header is None:
        raise _DamagedDiagram("the file is truncated or damaged in its second line")
    nodes, options, ordered = header["nodes"], header["options"], header["ordered"]
    length = body + 4 * (3 * nodes + (options if ordered else 0)) + DIGEST
    if len(data) != length:
        raise _DamagedDiagram(
            f"the file has {counted(len(data), 'byte')} instead of {length}: "
            "it is truncated or damaged"
        )
    if sha256(memoryview(data)[:-DIGEST]).digest() != data[-DIGEST:]:
        raise _DamagedDiagram("the file is damaged: its checksum is wrong")
    numbers = memoryview(data)[body:-DIGEST]
    columns = Columns(
        _column("i", numbers[: 4 * nodes], (-1, -1)),
        _column("I", numbers[4 * nodes : 8 * nodes], (0, 1)),
        _column("I", numbers[8 * nodes : 12 * nodes], (0, 1)),
        header["root"],
    )
    order = _column("i", numbers[12 * nodes :], ()) if ordered else None
    _check(columns, options, order)
    names = header["names"]
    return Contents(columns, options, order, None if names is None else _names(names))


def _header(line: bytes) -> dict[str, Any] | None:
    """The second line, or None if it is not one."""
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(header, dict):
        return None
    numbers = [header.get(key) for key in ("nodes", "root", "options")]
    if not all(type(number) is int and 0 <= number < 2**32 for number in numbers):
        return None
    names = header.get("names", False)  # null means no names
    if names is not None and not (isinstance(names, list) and len(names) == header["options"]):
        return None
    return header if type(header.get("ordered")) is bool else None


def _check(columns: Columns, options: int, variables: Sequence[int] | None) -> None:
    """Raises unless all numbers are in their bounds, so that later passes cannot fail."""
    option, low, high, root = columns
    inner = range(TERMINALS, len(option))
    sound = (
        root < len(option)
        and all(map(range(options).__contains__, option[TERMINALS:]))
        and all(map(operator.lt, low[TERMINALS:], inner))
        and all(map(operator.lt, high[TERMINALS:], inner))
        and all(high[TERMINALS:])
    )
    if variables is not None:
        sound = sound and sorted(variables) == list(range(options))
    if not sound:
        raise _DamagedDiagram("the file is damaged: it does not hold a diagram")


def _column(typecode: str, data: memoryview, terminals: tuple[int, ...]) -> array[int]:
    column = from_little_endian(typecode, data)
    return array(typecode, terminals) + column if terminals else column


def _names(names: list[Any]) -> list[Hashable]:
    try:
        read = [name_from_json(name) for name in names]
    except (TypeError, RecursionError):
        raise _DamagedDiagram("the file is damaged: it has invalid names") from None
    if len(set(read)) < len(read):
        raise _DamagedDiagram("the file is damaged: two options have the same name")
    return read
