r"""A problem as bytes, and back: what a journal holds so that it needs no other file.

::

    {"items": [...], "secondary": ..., "names": null, ...}\n
    ...start, entry_item, entry_color, costs...

One line of JSON, and behind it the columns of `dlx.table.Table`: 32-bit numbers, the costs 64-bit,
the least significant byte first. Nothing here runs what a file says, as `pickle` would; reading
checks it as it checks what users give.

Items, colors and options may be called by names that no file can hold (see `dlx.formats.names`).
Then the names are left out, and the problem can be recognised but not restored.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Hashable, Iterable
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from dlx.formats.columns import from_little_endian, little_endian
from dlx.formats.names import name_as_json, name_from_json

if TYPE_CHECKING:
    from dlx.problem import Problem
    from dlx.table import Table

__all__ = ["PackedProblem", "pack_problem", "unpack_problem"]


class PackedProblem(NamedTuple):
    """A problem as bytes, and the SHA-256 of all its names, which is None if they are left out."""

    data: bytes
    names: str | None


def pack_problem(table: Table) -> PackedProblem:
    """The problem of a table as bytes. O(items + entries)."""
    called: tuple[Any, ...] = (None, None, None)
    digest = None
    try:
        names = None if table.names is None else _as_json(table.names)
        called = (_as_json(table.items), _as_json(table.color_names), names)
        digest = sha256(json.dumps(called).encode()).hexdigest()
    except (ValueError, RecursionError):  # of `name_as_json`; or an integer of too many digits
        called = (None, None, None)
    head = {**dict(zip(("items", "colors", "names"), called, strict=True)), **_shape(table)}
    columns = (table.start, table.entry_item, table.entry_color, table.costs)
    data = b"".join([json.dumps(head).encode(), b"\n", *map(little_endian, columns)])
    return PackedProblem(data, digest)


def unpack_problem(data: bytes) -> Problem | None:
    """The problem that was packed, or None if its names were left out.

    Raises ValueError (`DLXError` is one) if the bytes are none of `pack_problem`.
    """
    from dlx.problem import Problem

    line, _, columns = data.partition(b"\n")
    head = json.loads(line)
    try:
        if head["items"] is None:
            return None
        problem = Problem(primary=())
        _fill(problem._table, head, memoryview(columns))
        if head["names"] is not None:
            problem._table.set_names(map(name_from_json, head["names"]))
    except (TypeError, KeyError, IndexError, RecursionError, OverflowError) as error:
        raise ValueError("the problem is not written as it should be") from error
    return problem


def _fill(table: Table, head: dict[str, Any], columns: memoryview) -> None:
    secondary = bytes.fromhex(head["secondary"])
    bounds = {number: (low, high) for number, low, high in head["multiplicities"]}
    for number, (name, flag) in enumerate(zip(head["items"], secondary, strict=True)):
        table.add_item(
            name_from_json(name), secondary=bool(flag), multiplicity=bounds.get(number, 1)
        )
    read = []
    for typecode, length in zip("iiiq", head["lengths"], strict=True):
        size = array(typecode).itemsize * length
        read.append(from_little_endian(typecode, columns[:size]))
        columns = columns[size:]
    start, entry_item, entry_color, costs = read
    if len(columns) or len(start) != head["options"] + 1 or start[0] < 0:
        raise ValueError("the problem is cut off")
    color_names = list(map(name_from_json, head["colors"]))
    if entry_color and max(entry_color) > len(color_names):
        raise ValueError("the problem has a color without a name")
    table.adopt(start, entry_item, entry_color)
    table.entry_color = entry_color
    table.color_names = color_names
    table.color_numbers = {color: number for number, color in enumerate(color_names, 1)}
    if costs:
        table.set_costs([*costs, *[0] * (len(table) - len(costs))])


def _shape(table: Table) -> dict[str, Any]:
    return {
        "secondary": table.secondary.hex(),
        "multiplicities": [[item, *bounds] for item, bounds in table.multiplicities.items()],
        "options": len(table),
        "lengths": [
            len(table.start),
            len(table.entry_item),
            len(table.entry_color),
            len(table.costs),
        ],
    }


def _as_json(names: Iterable[Hashable]) -> list[Any]:
    return [name_as_json(name) for name in names]
