"""Labels of options and items in the comments of exported files: text without line breaks."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from dlx.core.color import Colored
from dlx.core.times import Times

if TYPE_CHECKING:
    from dlx.core.table import Table

__all__ = ["entry_label", "label", "option_label"]


def label(value: Hashable) -> str:
    """The text of a name: unchanged if it is one word, otherwise its `repr` in ASCII.

    >>> label("r1c1"), label(3), label(("cell", 1, 2)), label("two words"), label("")
    ('r1c1', '3', "('cell',1,2)", "'two words'", "''")
    """
    text = value if isinstance(value, str) else repr(value)
    if not isinstance(value, str):
        text = text.replace(", ", ",")
    if text and text.isprintable() and not set(text) & set(" |:"):
        return text
    return ascii(value)


def entry_label(entry: Hashable) -> str:
    """The label of an option's entry: "item", "item:color" or "item*weight"."""
    if isinstance(entry, Colored):
        return f"{label(entry.item)}:{label(entry.color)}"
    if isinstance(entry, Times):
        return f"{label(entry.item)}*{entry.weight}"
    return label(entry)


def option_label(table: Table, option: int) -> str:
    """The items of an option, preceded by its name if that is not its index.

    >>> import dlx
    >>> problem = dlx.Problem.from_options({"both": ["a", "b"], 1: ["a"]})
    >>> option_label(problem._table, 0), option_label(problem._table, 1)
    ('both = a b', 'a')
    """
    items = " ".join(map(entry_label, table.entries(option)))
    name = table.name_of(option)
    return items if name == option else f"{label(name)} = {items}"
