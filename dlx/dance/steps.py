"""What a search says that it does, step by step."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

__all__ = ["Step"]


class Step(NamedTuple):
    """One step of the search, as a teacher would write it on the board.

    `kind` is one of "choose" (an item is covered, to be branched on), "try" (one of its options is
    taken, or, if `option` is None, no further one), "dead end" (some open item has no option left,
    or fewer than it needs), "solution", "give up" (all options of the item have been tried; it
    is uncovered), and, of a search that begins with a path, "pause" at the end of it. `level`
    counts from 0; `options` is how many options the item chosen, or at a dead end the one that
    starves, has; `updates` the nodes unlinked so far.

    >>> print(Step("choose", level=1, item="b", option=None, options=2, updates=5))
      level 1: item b (2 options)
    """

    kind: str
    level: int
    item: Hashable
    option: int | None
    options: int
    updates: int

    def __str__(self) -> str:
        indent = "  " * self.level
        if self.kind == "choose":
            plural = "" if self.options == 1 else "s"
            return f"{indent}level {self.level}: item {self.item} ({self.options} option{plural})"
        if self.kind == "try":
            what = "no more of them" if self.option is None else f"option {self.option}"
            return f"{indent}  try {what}"
        if self.kind == "pause":
            return f"{indent}here the path ends"
        if self.kind == "give up":
            return f"{indent}level {self.level}: item {self.item} is done"
        left = f"only {self.options}" if self.options else "no"
        plural = "s" if self.options > 1 else ""
        return f"{indent}{self.kind}" + (
            f": item {self.item} has {left} option{plural} left" if self.kind == "dead end" else "!"
        )
