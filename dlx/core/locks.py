"""What threads share: a lock for what one at a time does, and an iterator for several.

The locks are those of C: `with` takes one and gives it back without a signal in between.
"""

from __future__ import annotations

import sys
from _thread import RLock
from typing import TYPE_CHECKING, Any, TypeVar

from dlx.core.kernel import SharedIterator
from dlx.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

__all__ = ["Turn", "alone", "new_guard", "shared_iterator"]

T = TypeVar("T")

Turn = Any  # an RLock; not all versions of typeshed know all of it


def new_guard() -> Turn:
    """A lock for `alone`."""
    return RLock()


def alone(turn: Turn, what: str) -> AbstractContextManager[object]:
    """The turn, to be taken by `with`. Raises `InvalidArgument` if it is this thread's already.

    That is so in a function of the caller's that is called in the middle of `what`, such as
    `progress`: to wait for the end of that would be to wait for ever.

    >>> turn = new_guard()
    >>> with alone(turn, "a search"), alone(turn, "a search"):
    ...     pass
    Traceback (most recent call last):
    ...
    dlx.errors.InvalidArgument: a search is asked to go on by a function that it has called ...
    """
    if turn._is_owned():
        raise InvalidArgument(
            f"{what} is asked to go on by a function that it has called itself (progress, a "
            "heuristic, or what reads givens) or by a signal's handler; ask when it has returned"
        )
    return turn  # type: ignore[no-any-return]


def shared_iterator(elements: list[T]) -> Iterator[T]:
    """An iterator over a list that threads may share: each element goes to one of them.

    >>> list(shared_iterator([1, 2]))
    [1, 2]
    """
    return SharedIterator(elements) if _WITHOUT_GIL else iter(elements)


# A list's own iterator is as good under the GIL, and faster.
_WITHOUT_GIL = hasattr(sys, "_is_gil_enabled") and not sys._is_gil_enabled()
