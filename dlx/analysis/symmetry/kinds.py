"""What symmetries keep: the kinds of items and of options, as numbers for the kernel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from dlx.core.arguments import check_limit, kernel_limit
from dlx.core.multiplicity import ONCE

if TYPE_CHECKING:
    from dlx.core.numbering import NumberedProblem
    from dlx.core.table import Table

__all__ = ["STRUCTURE", "UNLIMITED_WORK", "item_kinds", "kernel_limits", "option_kinds"]

STRUCTURE: Final = (
    "secondary",
    "multiplicities",
    "start",
    "entry_item",
    "entry_color",
    "entry_weight",
)
"""The columns of a table that symmetries keep: all but names and costs."""
WORK: Final = 1_000_000_000
"""How many edges the kernel reads at most if the caller gives no limit: some seconds of work."""
UNLIMITED_WORK: Final = -1


def item_kinds(table: Table, numbered: NumberedProblem) -> list[int]:
    """The kind of each item, by rank: primary items first, by their bounds; secondary items."""
    keys: list[tuple[int, ...]] = [(flag,) for flag in table.secondary]
    for number, flag in enumerate(table.secondary):
        if not flag and table.has_multiplicities:
            low, high = table.multiplicities.get(number, ONCE)
            keys[number] = (0, low, -1 if high is None else high)
    kinds = [0] * len(keys)
    for rank, kind in zip(numbered.rank, _numbered(keys), strict=True):
        kinds[rank] = kind
    return kinds


def option_kinds(
    table: Table, given: Iterable[int] = (), forbid: Iterable[int] = (), *, costs: bool = False
) -> list[int]:
    """The kind of each option: given, forbidden or neither; and its cost, if `costs`."""
    keys: list[int] = [0] * len(table)
    if costs:
        keys[: len(table.costs)] = table.costs
    flags = bytearray(len(keys))
    for index in given:
        flags[index] = 1
    for index in forbid:
        flags[index] = 2
    return _numbered(list(zip(keys, flags, strict=True)))


def kernel_limits(node_limit: object) -> tuple[int, int]:
    """The limits on nodes and on work for the kernel; -1 is no limit.

    Without a node limit, the work is limited to `WORK`.
    """
    limit = check_limit(node_limit, "node_limit")
    if limit is None:
        return -1, WORK
    return min(kernel_limit(limit), 2**63 - 1), UNLIMITED_WORK


def _numbered(keys: Sequence[tuple[int, ...]]) -> list[int]:
    """The place of each key among the different ones, in ascending order."""
    place = {key: number for number, key in enumerate(sorted(set(keys)))}
    return [place[key] for key in keys]
