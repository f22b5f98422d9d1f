"""How far a long search has come, shown while it goes on: a bar on a terminal, lines elsewhere.

The search is not asked to help: a thread looks at its totals a few times a second. Nothing is shown
of a search that ends at once.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Self

import click

from dlx.estimates import duration_text, number_text

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

__all__ = ["Display", "Seen", "outlook"]

DELAY = 0.5  # seconds before anything is shown
REDRAWN = 0.1  # seconds between two looks on a terminal
LOGGED = 10.0  # and between two lines elsewhere
NEARLY_ALL = 0.999  # whatever the estimate says, it is not all before the end


class Seen(NamedTuple):
    """The totals of a search: nodes and solutions; parts done and known of, if there are parts."""

    nodes: int
    solutions: int
    parts_done: int | None = None
    parts: int | None = None


def outlook(nodes: float, total: float | None, rate: float) -> tuple[float | None, float | None]:
    """Which fraction of a tree was searched, and how many seconds the rest takes; None: unknown.

    >>> outlook(250, 1000.0, 50.0)
    (0.25, 15.0)
    >>> outlook(1001, 1000.0, 50.0)[0]
    0.999
    """
    if not total:
        return None, None
    fraction = min(nodes / total, NEARLY_ALL)
    return fraction, max(total - nodes, total * (1 - NEARLY_ALL)) / rate if rate else None


class Display:
    """Shows what `look` sees, on stderr, from `__enter__` to `__exit__`.

    `estimate` says how many nodes there will be, about; it is asked once, in the thread that shows.
    """

    def __init__(
        self,
        look: Callable[[], Seen | None],
        estimate: Callable[[], float | None],
        *,
        quiet: bool = False,
    ) -> None:
        self._look = look
        self._estimate = estimate
        self._total: float | None = None
        self._over = threading.Event()
        self._live: Live | None = None
        self._began = time.monotonic()
        self._first: Seen | None = None
        self._thread = None if quiet else threading.Thread(target=self._show, daemon=True)

    def __enter__(self) -> Self:
        self._began = time.monotonic()
        self._first = self._look()
        if self._thread is not None:
            self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def echo(self, text: str) -> None:
        """Prints to stdout, above the bar if both are on a terminal."""
        live = self._live
        if live is not None and sys.stdout.isatty():
            live.console.print(text, markup=False, highlight=False, emoji=False, soft_wrap=True)
        else:
            click.echo(text)

    # -- in its thread -----------------------------------------------------------------------------

    def _show(self) -> None:
        if self._over.wait(DELAY):
            return
        self._total = self._estimate()
        if sys.stderr.isatty():
            self._draw()
        else:
            while not self._over.wait(LOGGED):
                if (line := self._line()) is not None:
                    click.echo(f"dlx: {line}", err=True)

    def _draw(self) -> None:
        from rich.console import Console
        from rich.live import Live

        console = Console(stderr=True)
        with Live(
            console=console, transient=True, auto_refresh=False, redirect_stdout=False
        ) as live:
            self._live = live
            while not self._over.wait(REDRAWN):
                if (seen := self._look()) is not None:
                    live.update(self._bar(seen), refresh=True)
            self._live = None

    def _facts(self, seen: Seen) -> tuple[float, float, float | None, float | None]:
        """Seconds since the beginning, nodes a second, the fraction done, seconds left."""
        seconds = time.monotonic() - self._began
        before = 0 if self._first is None else self._first.nodes
        rate = (seen.nodes - before) / seconds
        return seconds, rate, *outlook(seen.nodes, self._total, rate)

    def _line(self) -> str | None:
        seen = self._look()
        if seen is None:
            return None
        seconds, rate, fraction, left = self._facts(seen)
        said = [f"{duration_text(seconds)}"]
        if fraction is not None and self._total is not None:
            said.append(f"{fraction:.1%} of about {number_text(self._total)} nodes")
        said += self._counts(seen, rate)
        if left is not None:
            said.append(f"about {duration_text(left)} left")
        return ", ".join(said)

    def _counts(self, seen: Seen, rate: float) -> list[str]:
        said = [] if seen.parts is None else [f"{seen.parts_done} of {seen.parts} parts"]
        plural = "" if seen.solutions == 1 else "s"
        said.append(f"{number_text(rate)} nodes/s")
        said.append(f"{seen.solutions:,} solution{plural}")
        return said

    def _bar(self, seen: Seen) -> Table:
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        seconds, rate, fraction, left = self._facts(seen)
        percent = " ?" if fraction is None else f"{fraction:4.1%}"
        bar = ProgressBar(total=1.0, completed=fraction or 0.0, pulse=fraction is None)
        ahead = "" if left is None else f"{_clock(left)} left"
        texts = [*self._counts(seen, rate), _clock(seconds), ahead]
        row = Table.grid(padding=(0, 1), expand=True)
        row.add_column(style="bold", no_wrap=True)
        row.add_column(ratio=1, min_width=8)  # what the texts leave to it
        for _ in texts:
            row.add_column(no_wrap=True)
        row.add_row(percent, bar, *texts)
        return row


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours > 99:
        return duration_text(seconds)
    return f"{hours}:{minutes:02}:{rest:02}"
