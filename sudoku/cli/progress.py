"""Progress bar on standard error for commands that read or generate many puzzles."""

from __future__ import annotations

import sys
import time
from typing import Self

from dlx.cli.display import Screen
from sudoku.errors import counted

__all__ = ["Bar"]

MOST_WITHOUT_BAR = 1000  # puzzles
DELAY = 1.0  # seconds without a bar
UPDATE_INTERVAL = 0.1  # seconds


class Bar:
    """Shows the number of finished puzzles, after 1000 puzzles or a second.

    It is shown only if standard error is a terminal and standard output is not, because results
    printed on a terminal show the progress themselves. `share` is the fraction of the input that
    has been read, from 0 to 1, or None if it is unknown.
    """

    def __init__(self) -> None:
        self.wanted = sys.stderr.isatty() and not sys.stdout.isatty()
        self._screen = Screen()
        self._began = time.monotonic()
        self._next = self._began + DELAY
        self._shown = False

    def show(self, puzzles: int, share: float | None) -> None:
        """Draws the bar, or updates it, if its time has come."""
        now = time.monotonic()
        if now < self._next and (self._shown or puzzles < MOST_WITHOUT_BAR):
            return
        self._next = now + UPDATE_INTERVAL
        self._shown = True
        rate = puzzles / max(now - self._began, 1e-9)
        self._screen.show_bar(share, [f"{counted(puzzles, 'puzzle', ',')}, {rate:,.0f} a second"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._screen.__exit__(*error)
