r"""Problems as bytes, so that a journal needs no other file; fingerprints of problems.

::

    {"items": [...], "secondary": ..., "names": null, ...}\n
    ...start, entry_item, entry_color, costs, entry_weight...

One line of JSON, followed by the columns of `dlx.core.table.Table`: 32-bit numbers, the costs
64-bit, the least significant byte first. The last column is there if an option covers an item
several times. Unlike `pickle`, reading runs no code from the file, and
checks a problem as it checks arguments of users.

Items, colors and options may have names that no file can hold (see `dlx.core.encoding`). Then the
names are left out, and the problem can be recognised but not restored.

A fingerprint is a digest of a problem's structure. By it, processes that share no memory check
that they have the same problem.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from hashlib import sha256
from itertools import compress
from typing import Any, NamedTuple

from dlx.checkpoint import values
from dlx.checkpoint.values import DamagedJournal
from dlx.core.encoding import from_little_endian, little_endian, name_as_json, name_from_json
from dlx.core.table import Options, Table
from dlx.errors import quote

__all__ = ["PackedProblem", "fingerprint", "first_difference", "pack_problem", "unpack_problem"]


FIELDS = ("items", "colors", "names", "secondary", "multiplicities", "options", "lengths")
TYPECODES = "iiiqi"


class PackedProblem(NamedTuple):
    """A problem as bytes, and the SHA-256 of all its names; None if the names are left out."""

    data: bytes
    names: str | None


def pack_problem(table: Table) -> PackedProblem:
    """Returns the problem of a table as bytes. O(items + entries)."""
    named: tuple[Any, ...] = (None, None, None)
    digest = None
    try:
        names = None if table.names is None else _as_json(table.names)
        named = (_as_json(table.items), _as_json(table.color_names), names)
        digest = sha256(json.dumps(named).encode()).hexdigest()
    except (ValueError, RecursionError):  # raised by `name_as_json`, or for too many digits
        named = (None, None, None)
    head = {**dict(zip(("items", "colors", "names"), named, strict=True)), **_shape(table)}
    data = b"".join([json.dumps(head).encode(), b"\n", *map(little_endian, _columns(table))])
    return PackedProblem(data, digest)


def unpack_problem(data: bytes) -> Table | None:
    """Returns the table of a packed problem, or None if its names were left out.

    Raises `DamagedJournal` if `pack_problem` cannot have made the bytes.
    """
    what = "its problem"
    line, _, columns = data.partition(b"\n")
    head = values.fields(values.json_value(line, what), FIELDS, what)
    if head["items"] is None:
        return None
    table = Table(open_items=False)
    try:
        _fill(table, head, memoryview(columns))
        if head["names"] is not None:
            names = values.list_of(head["names"], "the names of options")
            table.set_names(map(name_from_json, names))
    except (ValueError, TypeError, OverflowError) as error:  # `DLXError` is a ValueError
        raise DamagedJournal(f"{what} cannot be read: {error}") from None
    return table


def first_difference(there: Table | None, here: Table | None, *, names: bool = True) -> str | None:
    """Says in words the first difference between the problem of a journal and that of a call.

    None if there is no difference, or the names of one of them are not known. Without `names`,
    those of options may be left out on one side. O(items + entries).

    >>> import dlx
    >>> there, here = (dlx.Problem.from_options(map(list, rows)) for rows in ("ab", "ba"))
    >>> first_difference(there._table, here._table)[:85]
    "item 0 is 'a' in the journal and 'b' in this call. Both have the same options in anot"
    """
    if there is None or here is None:
        return None
    pairs: list[tuple[str, str, Any, Any]] = [
        ("items", "item", there.items, here.items),
        ("secondary items", "secondary item", _secondary(there), _secondary(here)),
        ("multiplicities", "multiplicity", _bounds(there), _bounds(here)),
        ("options", "option", list(Options(there)), list(Options(here))),
        ("costs", "the cost of option", there.every_cost(), here.every_cost()),
    ]
    if names or (there.names_given and here.names_given):
        pairs.append(("names of options", "the name of option", _names(there), _names(here)))
    for what, each, one, other in pairs:
        if one != other:
            message = _first_of(what, each, one, other)
            break
    else:
        return None
    sets = [Counter(map(frozenset, Options(table))) for table in (there, here)]
    if each in ("item", "option") and sets[0] == sets[1] and set(there.items) == set(here.items):
        message += (
            ". Both have the same options in another order: were they made by iterating over a "
            "set, which has another order in every run? Then sort it"
        )
    return message


def _secondary(table: Table) -> list[Hashable]:
    return list(compress(table.items, table.secondary))


def _bounds(table: Table) -> list[Any]:
    return sorted(table.bounds_by_item().items(), key=repr)


def _names(table: Table) -> list[Hashable]:
    return [table.name_of(index) for index in range(len(table))]


def _first_of(what: str, each: str, one: Sequence[Any], other: Sequence[Any]) -> str:
    for number, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return (
                f"{each} {number} is {quote(left)} in the journal and {quote(right)} in this call"
            )
    return f"{what}: {len(one)} in the journal and {len(other)} in this call"


def _fill(table: Table, head: dict[str, Any], columns: memoryview) -> None:
    items = values.list_of(head["items"], "its items")
    secondary = bytes.fromhex(values.text(head["secondary"], "secondary"))
    bounds = {}
    for entry in values.list_of(head["multiplicities"], "multiplicities"):
        item, low, high = values.list_of(entry, "a multiplicity", 3)
        values.integer(item, "the item of a multiplicity", 0, len(items) - 1)
        if item in bounds:
            raise DamagedJournal(f"item {item} has two multiplicities")
        bounds[item] = (low, high)
    for number, (name, flag) in enumerate(zip(items, secondary, strict=True)):
        table.add_item(
            name_from_json(name), secondary=bool(flag), multiplicity=bounds.get(number, 1)
        )
    start, entry_item, entry_color, costs, entry_weight = _read_columns(head, columns)
    if not start or start[0] != 0 or start[-1] != len(entry_item):
        raise DamagedJournal("the options of its problem do not begin or end where they should")
    if len(entry_color) not in (0, len(entry_item)) or len(costs) >= len(start):
        raise DamagedJournal("its problem has colors or costs of no options")
    if len(entry_weight) not in (0, len(entry_item)):
        raise DamagedJournal("its problem has weights of no entries")
    color_names = list(map(name_from_json, values.list_of(head["colors"], "its colors")))
    if entry_color and not 0 <= min(entry_color) <= max(entry_color) <= len(color_names):
        raise DamagedJournal("its problem has a color without a name")
    color_numbers = {color: number for number, color in enumerate(color_names, 1)}
    if len(color_numbers) < len(color_names):
        raise DamagedJournal("its problem has two colors of the same name")
    table.adopt(start, entry_item, entry_color, entry_weight)
    table.check_weights()
    table.entry_color = entry_color
    table.color_names = color_names
    table.color_numbers = color_numbers
    if costs:
        table.set_costs([*costs, *[0] * (len(table) - len(costs))])


def _read_columns(head: dict[str, Any], columns: memoryview) -> list[array[int]]:
    """Reads the five columns, whose lengths are in the head; the last may be missing there."""
    options = values.integer(head["options"], "the number of options", 0, 2**31 - 1)
    lengths = values.list_of(head["lengths"], "the lengths of its columns")
    if len(lengths) == len(TYPECODES) - 1:
        lengths = [*lengths, 0]
    values.list_of(lengths, "the lengths of its columns", len(TYPECODES))
    read = []
    for typecode, length in zip(TYPECODES, lengths, strict=True):
        size = array(typecode).itemsize * values.count(length, "the length of a column")
        if size > len(columns):
            raise DamagedJournal("its problem is cut off")
        read.append(from_little_endian(typecode, columns[:size]))
        columns = columns[size:]
    if len(columns) or len(read[0]) != options + 1:
        raise DamagedJournal("its problem is cut off")
    return read


def _shape(table: Table) -> dict[str, Any]:
    return {
        "secondary": table.secondary.hex(),
        "multiplicities": [[item, *bounds] for item, bounds in table.multiplicities.items()],
        "options": len(table),
        "lengths": list(map(len, _columns(table))),
    }


def _columns(table: Table) -> list[array[int]]:
    """The columns; no weights if there are none, as in journals of versions before weights."""
    columns = [table.start, table.entry_item, table.entry_color, table.costs]
    return [*columns, table.entry_weight] if table.has_weights else columns


def _as_json(names: Iterable[Hashable]) -> list[Any]:
    return [name_as_json(name) for name in names]


def fingerprint(table: Table) -> str:
    """The SHA-256 of a problem's structure, as 64 hexadecimal digits. O(items + entries).

    The structure is the items by number, which of them are secondary, their multiplicities, and the
    options with their colors, weights and costs. Names of items, colors and options do not matter.
    Problems with the same fingerprint have the same solutions, as indices of options.

    >>> import dlx
    >>> one = dlx.Problem.from_options([["a"], ["b"], ["a", "b"]])
    >>> other = dlx.Problem.from_options({"x": [1], "y": [2], "z": [1, 2]})
    >>> fingerprint(one._table) == fingerprint(other._table)
    True
    """
    costs = table.costs
    paid = len(costs)
    while paid and not costs[paid - 1]:
        paid -= 1
    shape = [len(table.items), len(table), len(table.entry_item), bool(table.entry_color), paid]
    bounds = sorted((number, *bounds) for number, bounds in table.multiplicities.items())
    digest = sha256(json.dumps([shape, bounds]).encode())
    digest.update(table.secondary)
    if table.has_weights:
        digest.update(b"weights")
    for column in (*_columns(table)[:3], costs[:paid], table.entry_weight):
        digest.update(little_endian(column))
    return digest.hexdigest()
