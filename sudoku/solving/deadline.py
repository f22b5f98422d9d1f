"""`Deadline`: the end of a call that has a timeout and makes many searches."""

from __future__ import annotations

import time

import dlx
from sudoku.board.cells import number
from sudoku.board.time_limit import timed_out
from sudoku.errors import shown

__all__ = ["Deadline", "timed_out"]


class Deadline:
    """The end of a call, `timeout` seconds after its start; None: no end.

    >>> Deadline(None).left is None, Deadline(0).left
    (True, 0.0)

    Raises `dlx.InvalidArgument` for a timeout that is neither None nor a number from 0 up.
    """

    __slots__ = ("_end",)

    def __init__(self, timeout: object) -> None:
        self._end: float | None = None
        if timeout is None:
            return
        seconds = number(timeout)
        if seconds is None or not seconds >= 0:
            what = f"timeout is {shown(timeout)}"
            raise dlx.InvalidArgument(f"{what}; it must be None or seconds from 0")
        self._end = time.monotonic() + min(seconds, 1e18)

    @property
    def left(self) -> float | None:
        """The seconds left, 0 after the end; None if there is no end."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def check(self) -> None:
        """Raises `dlx.SearchInterrupted` after the end."""
        if self.left == 0:
            raise timed_out()
