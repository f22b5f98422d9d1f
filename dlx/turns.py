"""Whose turn it is: a lock for what one thread at a time does, and no thread twice at once.

The locks are those of C: `with` takes one and gives it back without a signal in between.
"""

from __future__ import annotations

from _thread import RLock
from typing import TYPE_CHECKING, Any

from dlx.errors import InvalidArgument

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

__all__ = ["Turn", "alone", "new_turn"]

Turn = Any  # an RLock; not all versions of typeshed know all of it


def new_turn() -> Turn:
    """A lock for `alone`."""
    return RLock()


def alone(turn: Turn, what: str) -> AbstractContextManager[object]:
    """The turn, to be taken by `with`. Raises `InvalidArgument` if it is this thread's already.

    That is so in a function of the caller's that is called in the middle of `what`, such as
    `progress`: to wait for the end of that would be to wait for ever.

    >>> turn = new_turn()
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
