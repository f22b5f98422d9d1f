"""Values of options (costs, say) as callers give them: by name, or one after another."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from dlx.errors import DLXError, UnknownOption, quote

__all__ = ["labelled_pairs", "refuse_set", "values_in_order"]


def labelled_pairs(values: Any) -> list[tuple[Hashable, Any]] | None:
    """Names and values of a mapping or a pandas Series; None for what has no names.

    A Series is known by its attributes `index` and `items`, so that pandas need not be imported.

    >>> labelled_pairs({"x": 1}), labelled_pairs([1])
    ([('x', 1)], None)
    """
    if isinstance(values, Mapping):
        return list(values.items())
    if callable(getattr(values, "index", len)):  # a method, as a list and a tuple have it; or none
        return None
    if callable(getattr(values, "items", None)):
        return list(values.items())
    if callable(getattr(values, "to_dict", None)):
        return list(values.to_dict().items())
    return None


def refuse_set(values: object, what: str, error: type[DLXError], instead: str) -> None:
    """Raises that error for a set: its order is arbitrary, and equal values are there once."""
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
    """The values of all options, in order. `what` is the argument's name.

    Raises `error` if the values are no collection, or one of the wrong size, `UnknownOption` for
    names that no option has.
    """
    pairs = labelled_pairs(values)
    if pairs is None:
        instead = "a list of integers, or a mapping from option names to integers"
        refuse_set(values, what, error, instead)
        if isinstance(values, str | bytes) or not isinstance(values, Iterable):
            raise error(f"{what} is {quote(values)}; give {instead}")
        listed = list(values)
        if len(listed) != count:
            given = what if len(listed) != 1 else what.removesuffix("s")
            wanted = f"{count} option{'' if count == 1 else 's'}"
            raise error(f"{len(listed)} {given} for {wanted}: give one for each")
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
        raise UnknownOption(f"{what} has {_listed(unknown)}, but there is no option of that name")
    if len(by_index) < count:
        missing = [names(index) for index in range(count) if index not in by_index]
        raise error(
            f"{what} has nothing for option {_listed(missing)}; give every option a value, "
            "0 where that is meant"
        )
    return [by_index[index] for index in range(count)]


def _listed(names: list[Hashable]) -> str:
    """The first of these names, and how many more there are."""
    more = len(names) - 1
    return quote(names[0]) + (f" and {more} more" if more else "")
