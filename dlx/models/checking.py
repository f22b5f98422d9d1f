"""Checks of arguments that several models share; errors quote the argument."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from dlx.errors import InvalidArgument, quote

__all__ = ["check_labels", "check_seed", "list_of"]


def check_seed(seed: object) -> int:
    """The seed, checked to be an integer. Random models require one, to be reproducible."""
    if isinstance(seed, int) and not isinstance(seed, bool):
        return seed
    raise InvalidArgument(f"seed is {quote(seed)}; it must be an integer")


def list_of(name: str, values: Iterable[Any], what: str) -> list[Any]:
    """The values as a list. Raises `InvalidArgument` for strings, and if they are not iterable."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InvalidArgument(f"{name} is {quote(values)}; it must be a list of {what}")
    return list(values)


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
        text = str(value)
        if text in labels:
            same = labels[text] == value
            raise InvalidArgument(
                f"{name} has {quote(value)} twice"
                if same
                else f"{name} has {quote(labels[text])} and {quote(value)} with the same text"
            )
        labels[text] = value
    return labels
