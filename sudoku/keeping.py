"""What is computed from a layout, kept as long as the layout."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from sudoku.layout import Layout

__all__ = ["kept"]

T = TypeVar("T")


def kept(make: Callable[[Layout], T]) -> Callable[[Layout], T]:
    """A function of a layout that is called once for each, its result kept with the layout.

    As `functools.cache`, but it forgets what it made when the layout is forgotten: a list of a
    million killers, each with a layout of its own, does not fill the memory.
    """

    @wraps(make)
    def look_up(layout: Layout) -> T:
        try:
            return layout._kept[make]  # type: ignore[no-any-return]
        except KeyError:
            # The first of several threads that come at once: its result may be what others are of.
            return layout._kept.setdefault(make, make(layout))  # type: ignore[no-any-return]

    return look_up
