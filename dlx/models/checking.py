"""Checks of arguments that several models share; errors quote the argument."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Final

from dlx.core import arguments
from dlx.errors import InvalidArgument, quote

__all__ = ["check_labels", "check_seed", "check_size", "list_of", "text_of"]

MOST_BUILT: Final = 20_000_000
"""The largest number of entries, edges or cells that a model function builds: some gigabytes."""


def check_size(count: int, what: str, **given: object) -> None:
    """Raises `InvalidArgument` if these arguments make more than `MOST_BUILT` of `what`.

    To be called before anything of that size is built.

    >>> check_size(10**10 - 1, "edges", n=10**10)
    Traceback (most recent call last):
    ...
    dlx.errors.InvalidArgument: n is 10000000000: that makes 9999999999 edges; a model has at most \
20,000,000
    """
    if count > MOST_BUILT:
        shown = ", ".join(f"{name} is {quote(value)}" for name, value in given.items())
        raise InvalidArgument(
            f"{shown}: that makes {quote(count)} {what}; a model has at most {MOST_BUILT:,}"
        )


def check_seed(seed: object) -> int:
    """The seed, checked to be an integer. Random models require one, to be reproducible."""
    number = arguments.check_seed(seed)
    if number is None:
        raise InvalidArgument("seed is None; it must be an integer")
    return number


def list_of(name: str, values: Iterable[Any], what: str) -> list[Any]:
    """The values as a list. Raises `InvalidArgument` for strings, and if they are not iterable."""
    if not arguments.is_list_like(values):
        raise InvalidArgument(f"{name} is {quote(values)}; it must be a list of {what}")
    return list(values)


def text_of(name: str, value: object) -> str:
    """`value` as a text, as `str` gives it."""
    try:
        return str(value)
    except (RecursionError, ValueError):  # of deep tuples and of huge integers
        raise InvalidArgument(f"{name} is {quote(value)}, which has no text") from None


def check_labels(name: str, values: Iterable[Hashable]) -> dict[str, Hashable]:
    """Maps the text of each value in items and files, which is its `str`, to the value.

    Raises `InvalidArgument` if two have the same text, or one is not hashable.
    """
    labels: dict[str, Hashable] = {}
    for value in values:
        try:
            hash(value)
        except TypeError:
            raise InvalidArgument(f"{name} has {quote(value)}, which is not hashable") from None
        text = text_of(f"a value of {name}", value)
        if text in labels:
            same = labels[text] == value
            raise InvalidArgument(
                f"{name} has {quote(value)} twice"
                if same
                else f"{name} has {quote(labels[text])} and {quote(value)} with the same text"
            )
        labels[text] = value
    return labels
