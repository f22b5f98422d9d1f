"""Colored entries of options: a secondary item with the color that the option requires."""

from __future__ import annotations

from collections.abc import Hashable

from dlx.core.times import Times

__all__ = ["Colored", "colored", "entry_text", "item_of"]


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


def entry_text(entry: Hashable) -> str:
    """The text of an option's entry, "item", "item:color" or "item*weight".

    As in files in Knuth's format.

    >>> import dlx
    >>> entry_text("x"), entry_text(colored("x", "A")), entry_text(dlx.times("x", 2))
    ('x', 'x:A', 'x*2')
    """
    if isinstance(entry, Colored):
        return f"{entry.item}:{entry.color}"
    return f"{entry.item}*{entry.weight}" if isinstance(entry, Times) else str(entry)
