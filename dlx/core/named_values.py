"""Reads one value for each option, such as its cost, from a mapping by name or from a list."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from dlx.core.arguments import is_list_like
from dlx.errors import DLXError, UnknownOption, counted, quote

__all__ = ["labelled_pairs", "refuse_set", "values_in_order"]


def labelled_pairs(values: Any) -> list[tuple[Hashable, Any]] | None:
    """Names and values of a mapping or a pandas Series; None for an object without names.

    A Series is recognized by its attributes `index` and `items`, without importing pandas.

    >>> labelled_pairs({"x": 1}), labelled_pairs([1])
    ([('x', 1)], None)
    """
    if isinstance(values, Mapping):
        return list(values.items())
    if callable(getattr(values, "index", len)):  # the method of a list or tuple, or no attribute
        return None
    if callable(getattr(values, "items", None)):
        return list(values.items())
    if callable(getattr(values, "to_dict", None)):
        return list(values.to_dict().items())
    return None


def refuse_set(values: object, what: str, error: type[DLXError], instead: str) -> None:
    """Raises `error` if `values` is a set: it has no order, and drops equal values."""
    if isinstance(values, AbstractSet):
        raise error(f"{what} is the set {quote(values)}, which has no order; give {instead}")


def values_in_order(
    values: object,
    what: str,
    names: Callable[[int], Hashable],
    count: int,
    index_of: Callable[[Hashable], int],
    error: type[DLXError],
) -> list[Any]:
    """The values of all options, in order, from a mapping by option name or a list.

    `what` is the argument's name, for messages; `names` and `index_of` convert between the index
    and the name of an option. Raises `error` if `values` is not a collection or has the wrong size,
    `UnknownOption` for names that no option has. O(count).
    """
    pairs = labelled_pairs(values)
    if pairs is None:
        instead = "a list of integers, or a mapping from option names to integers"
        refuse_set(values, what, error, instead)
        if not is_list_like(values):
            raise error(f"{what} is {quote(values)}; give {instead}")
        listed = list(values)
        if len(listed) != count:
            given = counted(len(listed), what.removesuffix("s"))
            raise error(f"{given} for {counted(count, 'option')}: give one for each")
        return listed
    by_index: dict[int, Any] = {}
    unknown: list[Hashable] = []
    for name, value in pairs:
        try:
            index = index_of(name)
        except UnknownOption:
            unknown.append(name)
            continue
        if index in by_index:
            raise error(f"{what} has the option {quote(name)} twice")
        by_index[index] = value
    if unknown:
        raise UnknownOption(f"{what} has {_listed(unknown)}, but no option has that name")
    if len(by_index) < count:
        missing = [names(index) for index in range(count) if index not in by_index]
        raise error(
            f"{what} has no value for option {_listed(missing)}; give every option a value, "
            "0 if it costs nothing"
        )
    return [by_index[index] for index in range(count)]


def _listed(names: list[Hashable]) -> str:
    """The first of these names and the number of the others, as text."""
    more = len(names) - 1
    return quote(names[0]) + (f" and {more} more" if more else "")
