"""A bar on standard error for those who wait: only where it can be seen and disturbs nothing."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

    from rich.progress import Progress, TaskID

__all__ = ["Bar"]

MANY = 1000  # puzzles
LONG = 1.0  # seconds
BEAT = 0.1  # seconds between two looks


class Bar:
    """Shows how many puzzles are done, once there were many or it has taken long.

    Standard error must be a terminal, and standard output another thing: what is printed there
    would tear the bar apart. `share` tells how much of the input has been read, from 0 to 1, or
    None if nobody knows.
    """

    def __init__(self) -> None:
        self.wanted = sys.stderr.isatty() and not sys.stdout.isatty()
        self._began = time.monotonic()
        self._next = self._began + LONG
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def show(self, puzzles: int, share: float | None) -> None:
        """Brings the bar up to date, if it is time; makes it if there is none."""
        now = time.monotonic()
        if now < self._next and not (self._progress is None and puzzles >= MANY):
            return
        self._next = now + BEAT
        if self._progress is None or self._task is None:
            self._progress, self._task = _make()
            self._progress.start()
        rate = puzzles / max(now - self._began, 1e-9)
        text = f"{puzzles:,} puzzles, {rate:,.0f} a second"
        total = None if share is None else 1.0
        self._progress.update(self._task, completed=share or 0.0, total=total, text=text)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._progress is not None:
            self._progress.stop()


def _make() -> tuple[Progress, TaskID]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    progress = Progress(
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[text]}"),
        console=Console(stderr=True),
        transient=True,
    )
    return progress, progress.add_task("", total=None, text="")
