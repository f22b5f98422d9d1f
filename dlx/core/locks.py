"""Locks that refuse re-entry, and an iterator that threads may share.

The locks are the RLocks of C, `_thread.RLock`: a signal handler cannot run between the acquisition
by `with` and the body.
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

__all__ = ["Guard", "exclusive", "new_guard", "shared_iterator"]

T = TypeVar("T")

Guard = Any  # an RLock; not every version of typeshed declares its `_is_owned`


def new_guard() -> Guard:
    """A lock for `exclusive`."""
    return RLock()


def exclusive(guard: Guard, what: str) -> AbstractContextManager[object]:
    """The guard, to be acquired by `with`; raises `InvalidArgument` if this thread holds it.

    A thread holds it already in a callback that `what` calls, such as `progress`. There it would
    enter the same operation twice; waiting for the first call to end would be a deadlock.

    >>> guard = new_guard()
    >>> with exclusive(guard, "a search"), exclusive(guard, "a search"):
    ...     pass
    Traceback (most recent call last):
    ...
    dlx.errors.InvalidArgument: a search was used again inside a function that it calls ...
    """
    if guard._is_owned():
        raise InvalidArgument(
            f"{what} was used again inside a function that it calls (progress, a heuristic, or an "
            "iterator of givens) or inside a signal handler; use it after that function has "
            "returned"
        )
    return guard  # type: ignore[no-any-return]


def shared_iterator(elements: list[T]) -> Iterator[T]:
    """An iterator over a list that threads may share: each element goes to one of them.

    >>> list(shared_iterator([1, 2]))
    [1, 2]
    """
    return SharedIterator(elements) if _WITHOUT_GIL else iter(elements)


# Under the GIL a list's own iterator is thread-safe, and faster.
_WITHOUT_GIL = hasattr(sys, "_is_gil_enabled") and not sys._is_gil_enabled()
