"""Entries of options that are more than an item: with a color, or with a weight."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final, TypeGuard

from dlx.core.arguments import integer
from dlx.errors import InvalidMultiplicity, quote

__all__ = [
    "Colored",
    "LARGEST_EXTRA",
    "Times",
    "check_weight",
    "colored",
    "entry_text",
    "is_cell",
    "item_of",
    "item_text",
    "times",
]

LARGEST_EXTRA: Final = 2**29
"""The largest sum, over the options of an item, of the weights beyond 1. The kernel adds the
weights of an item's options in 32 bits."""


class Times:
    """A primary item and how often an option covers it; made by `times`.

    Equal if item and weight are equal.
    """

    __slots__ = ("item", "weight")

    item: Hashable
    weight: int

    def __init__(self, item: Hashable, weight: int) -> None:
        self.item = item
        self.weight = weight

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Times):
            return NotImplemented
        return (self.item, self.weight) == (other.item, other.weight)

    def __hash__(self) -> int:
        return hash((Times, self.item, self.weight))

    def __repr__(self) -> str:
        return f"dlx.times({self.item!r}, {self.weight!r})"


def times(item: Hashable, n: int) -> Times:
    """The primary `item`, covered `n` times, for use inside an option.

    `n` is the *weight* of the item in the option: an integer from 1 up, and at most the upper bound
    of the item's multiplicity. The weights of an item in the options of a solution add up to a
    number within its bounds. A plain item in an option has weight 1. The option it is added to
    checks item and weight.

    A shop needs 4 to 5 hours of work; two shifts take 3 hours, two take 2:

    >>> import dlx
    >>> problem = dlx.Problem()
    >>> problem.add_item("hours", multiplicity=(4, 5))
    >>> for n in (3, 3, 2, 2):
    ...     _ = problem.add_option([dlx.times("hours", n)])
    >>> problem.options[0]
    (dlx.times('hours', 3),)
    """
    number = integer(n)
    return Times(item, n if number is None else number)


def check_weight(where: str, item: Hashable, weight: Any) -> int:
    """`weight` as an int, if it is an integer from 1 up. Raises `InvalidMultiplicity`.

    `where` names the option.

    >>> check_weight("option 0", "a", 3)
    3
    >>> check_weight("option 0", "a", 0)
    Traceback (most recent call last):
    ...
    dlx.errors.InvalidMultiplicity: option 0 covers item 'a' 0 times; the weight of an item in an \
option is an integer from 1 up
    """
    number = integer(weight)
    if number is None or number < 1:
        raise InvalidMultiplicity(
            f"{where} covers item {quote(item)} {quote(weight)} times; the weight of an item in an "
            "option is an integer from 1 up"
        )
    return number


class Colored:
    """A secondary item with a color; made by `colored`. Equal if item and color are equal."""

    __slots__ = ("color", "item")

    item: Hashable
    color: Hashable

    def __init__(self, item: Hashable, color: Hashable) -> None:
        self.item = item
        self.color = color

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Colored):
            return NotImplemented
        return (self.item, self.color) == (
            other.item,
            other.color,
        )  # tuples compare by identity first, so NaN equals itself

    def __hash__(self) -> int:
        return hash((Colored, self.item, self.color))

    def __repr__(self) -> str:
        return f"colored({self.item!r}, {self.color!r})"


def colored(item: Hashable, color: Hashable) -> Colored:
    """The secondary `item` with a `color`, for use inside an option.

    Options may share a secondary item as long as all of them give it the same color. A secondary
    item without a color belongs to one option at most. (TAOCP 7.2.2.1, "color-controlled
    covering".) Items and colors are any hashable values.

    >>> import dlx
    >>> problem = dlx.Problem(primary=["p", "q"], secondary=["x"])
    >>> for items in (["p", dlx.colored("x", "A")], ["p", "x"], ["q", dlx.colored("x", "A")]):
    ...     _ = problem.add_option(items)
    >>> list(problem.solutions())
    [(2, 0)]
    """
    return Colored(item, color)


def item_of(entry: Hashable) -> Hashable:
    """The item of an option's entry, without its color or its weight.

    >>> import dlx
    >>> item_of("x"), item_of(colored("x", "A")), item_of(dlx.times("x", 2))
    ('x', 'x', 'x')
    """
    return entry.item if isinstance(entry, Colored | Times) else entry


def item_text(item: Hashable) -> str:
    """The text of an item as in files in Knuth's format, where a tuple of integers has no brackets.

    >>> item_text("x"), item_text((0, 12)), item_text(("row", 3))
    ('x', '0,12', "('row', 3)")
    """
    return ",".join(map(str, item)) if is_cell(item) else str(item)


def is_cell(item: Hashable) -> TypeGuard[tuple[int, ...]]:
    """Whether an item is a tuple of several integers, as the cells of models are."""
    return isinstance(item, tuple) and len(item) > 1 and all(type(part) is int for part in item)


def entry_text(entry: Hashable) -> str:
    """The text of an option's entry, "item", "item:color" or "item*weight".

    As in files in Knuth's format.

    >>> import dlx
    >>> entry_text("x"), entry_text(colored("x", "A")), entry_text(dlx.times("x", 2))
    ('x', 'x:A', 'x*2')
    """
    if isinstance(entry, Colored):
        return f"{item_text(entry.item)}:{item_text(entry.color)}"
    if isinstance(entry, Times):
        return f"{item_text(entry.item)}*{entry.weight}"
    return item_text(entry)
