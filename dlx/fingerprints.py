"""A problem's fingerprint: how processes that do not share memory agree on which one they mean."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING

from dlx.formats.columns import little_endian

if TYPE_CHECKING:
    from dlx.table import Table

__all__ = ["fingerprint"]


def fingerprint(table: Table) -> str:
    """The SHA-256 of all that matters to a search, as 64 hexadecimal digits. O(items + entries).

    That is the items by number, which of them are secondary, their multiplicities, and the options
    with their colors and costs. What items, colors and options are called does not matter: the
    solutions of problems with the same fingerprint are the same, as indices of options.

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
    for column in (table.start, table.entry_item, table.entry_color, costs[:paid]):
        digest.update(little_endian(column))
    return digest.hexdigest()
