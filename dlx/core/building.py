"""Fills the table of a new problem from lists, mappings and arrays."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dlx.core.arguments import check_item_count, is_iterable, is_list_like
from dlx.core.givens import check_forbidden
from dlx.core.multiplicity import set_multiplicities
from dlx.errors import InvalidEntry, UnknownItem, quote

if TYPE_CHECKING:
    from array import array

    from dlx.core.multiplicity import Multiplicity
    from dlx.core.table import Table

__all__ = ["add_arrays", "add_options", "declare_items", "finish", "without"]


def declare_items(
    table: Table, primary: Iterable[Hashable] | None, secondary: Iterable[Hashable]
) -> None:
    """Declares items. Raises `InvalidEntry` and `DuplicateItem`."""
    for items, flag in ((() if primary is None else primary, False), (secondary, True)):
        if type(items) is tuple and not items:
            continue  # the most frequent case
        if isinstance(items, str | bytes):
            raise InvalidEntry(f"items come as a list, not as the text {quote(items)}")
        if not is_iterable(items):
            raise InvalidEntry(f"items come as a list, not as {quote(items)}")
        if isinstance(items, Mapping):  # usually its values are options
            meant = "" if flag else "for options by name, call Problem.from_options; "
            raise InvalidEntry(
                f"{'secondary' if flag else 'primary'} is the mapping {quote(items)}; {meant}for "
                "its keys as items, give list(...)"
            )
        check_item_count(items)
        table.add_items(items, secondary=flag)


def add_options(
    table: Table,
    options: Iterable[Iterable[Hashable]] | Mapping[Any, Iterable[Hashable]],
    costs: Iterable[int] | Mapping[Any, int] | None,
    *,
    default_cost: int,
) -> None:
    """Adds options and their costs; call `finish` afterwards. After an error discard the table."""
    if isinstance(options, str | bytes):
        raise InvalidEntry(f"options come as a list of lists, not as the text {quote(options)}")
    if isinstance(options, Mapping):
        plain = type(options) is dict  # the items of other mappings may be of any type
        pairs: Iterable[Any] = options.items()
        table.extend(pairs if plain else ((name, items) for name, items in pairs), named=True)
    else:
        table.extend(options)
    if costs is None and default_cost != 0:
        costs = [default_cost] * len(table)
    if costs is not None:
        table.set_costs(costs)


def add_arrays(
    table: Table,
    declared: tuple[Sequence[Hashable], Sequence[Hashable]],
    arrays: tuple[array[int], array[int], array[int], array[int]],
    names: Iterable[Hashable] | None,
    multiplicities: Mapping[Any, Multiplicity] | None,
    costs: Any,
) -> None:
    """Fills a table with primary and secondary items, and the arrays that `Table.adopt` takes."""
    for items, secondary in zip(declared, (False, True), strict=True):
        table.add_items(items, secondary=secondary)
    table.adopt(*arrays)
    if names is not None:
        table.set_names(names)
    finish(table, multiplicities)
    if costs is not None:
        table.set_costs(costs)


def without(table: Table, options: Iterable[Hashable], items: Iterable[Hashable]) -> Table:
    """A table without the options of these names, and without items and options with them.

    Raises `UnknownOption`, `UnknownItem` and `GivenClash`. O(items + entries).
    """
    left_out = check_forbidden(table, [], options, "options")
    if not is_list_like(items):
        raise UnknownItem(f"items is {quote(items)}; give a list of items")
    numbers = {table.number_of(item) for item in items}
    return table.without_items(numbers, left_out) if numbers else table.without(left_out)


def finish(table: Table, multiplicities: Mapping[Any, Multiplicity] | None) -> None:
    """Sets multiplicities, or checks weights against those that the items have."""
    if multiplicities is None:
        table.check_weights()
    else:
        set_multiplicities(table, multiplicities)
