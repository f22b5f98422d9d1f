"""Progress of commands that read or make many puzzles: a bar on standard error."""

from __future__ import annotations

import sys
import time
from typing import Self

from dlx.cli.display import Screen
from sudoku.errors import counted

__all__ = ["Bar"]

MANY = 1000  # puzzles
LONG = 1.0  # seconds
BEAT = 0.1  # seconds between two looks


class Bar:
    """Shows how many puzzles are done, once there are many or it has taken long.

    Only where standard error is a terminal and standard output is not: answers printed on a
    terminal show by themselves how far the command is. `share` is the fraction of the input that
    has been read, from 0 to 1, or None if that is not known.
    """

    def __init__(self) -> None:
        self.wanted = sys.stderr.isatty() and not sys.stdout.isatty()
        self._screen = Screen()
        self._began = time.monotonic()
        self._next = self._began + LONG
        self._shown = False

    def show(self, puzzles: int, share: float | None) -> None:
        """Updates the bar if it is time; creates it if there is none."""
        now = time.monotonic()
        if now < self._next and (self._shown or puzzles < MANY):
            return
        self._next = now + BEAT
        self._shown = True
        rate = puzzles / max(now - self._began, 1e-9)
        self._screen.show_bar(share, [f"{counted(puzzles, 'puzzle', ',')}, {rate:,.0f} a second"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._screen.__exit__(*error)
