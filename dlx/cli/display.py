"""What commands print: lines of text and JSON, and the progress of long commands on stderr.

`echo`, `echo_error` and `echo_json` escape the characters that a terminal obeys. `Screen` draws on
the terminal, for the commands of both packages, and never writes to stdout. `Display` is a
`progress=` function that uses it. A search of less than half a second shows nothing.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import click

from dlx.analysis.estimate import duration_text, number_text
from dlx.errors import counted
from dlx.escapes import visible
from dlx.search.progress import TimeLeft

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

    from dlx.search.progress import SearchProgress

__all__ = ["Display", "Screen", "echo", "echo_error", "echo_json", "json_line", "short_integers"]

DELAY = 0.5  # seconds before anything is shown
REDRAWN = 0.05  # seconds between two drawings of the bar
LOGGED = 10.0  # seconds between two log lines if stderr is not a terminal
ROOM = 3  # columns left free for ^C, which would otherwise wrap to a new line
NEARLY_ALL = 0.999  # the largest fraction shown before the end


class Screen:
    """The last lines of the terminal on stderr, redrawn in place and erased at the end.

    It draws only when called: there is no background thread. It never replaces `sys.stdout` and
    `sys.stderr`, so output to a file or a pipe is the same as without a terminal.
    """

    _shown: ClassVar[list[Screen]] = []  # the screens that have drawn something, the latest last

    def __init__(self) -> None:
        self._live: Live | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        live, self._live = self._live, None
        if live is not None:
            self._shown.remove(self)
            live.stop()

    def show(self, shown: RenderableType) -> None:
        """Draws `shown` in place of the last drawing."""
        from rich.constrain import Constrain

        if self._live is None:
            self._live = _begin_live()
            self._shown.append(self)
        width = self._live.console.width - ROOM
        self._live.update(Constrain(shown, width), refresh=True)

    def show_bar(self, fraction: float | None, texts: Sequence[str]) -> None:
        """Draws a line: the percentage done, a bar, and the texts. None: unknown fraction."""
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        percent = "    ?" if fraction is None else f"{min(fraction, NEARLY_ALL):5.1%}"
        bar = ProgressBar(total=1.0, completed=fraction or 0.0, pulse=fraction is None)
        row = Table.grid(padding=(0, 1), expand=True)
        row.add_column(style="bold", no_wrap=True)
        row.add_column(ratio=1, min_width=8)  # the width that the texts leave
        for _ in texts:
            row.add_column(no_wrap=True)
        row.add_row(percent, bar, *(Text(visible(text)) for text in texts))
        self.show(row)

    def print_above(self, text: str) -> bool:
        """Prints a line above the drawing. Returns False, and prints nothing, if there is none."""
        if self._live is None:
            return False
        console = self._live.console
        console.print(text, markup=False, highlight=False, emoji=False, soft_wrap=True)
        return True

    @classmethod
    def current(cls) -> Screen | None:
        """The screen that is on the terminal now, if any."""
        return cls._shown[-1] if cls._shown else None


def echo(text: object, *, nl: bool = True) -> None:
    """Prints lines of text to stdout, with escapes for all control characters in them."""
    click.echo(visible(text, keep="\n"), nl=nl)


def echo_json(value: Any) -> None:
    """Prints `json_line` to stdout."""
    click.echo(json_line(value))


def json_line(value: Any) -> str:
    """A value as one line of JSON, in ASCII.

    Integers of more digits than Python reads become text such as "1.23e5000".
    """
    try:
        text = json.dumps(value)
    except ValueError:  # an integer of more digits than Python writes
        text = json.dumps(short_integers(value, 10 ** sys.get_int_max_str_digits()))
    return text.replace("\x7f", "\\u007f")


def short_integers(value: Any, most: int) -> Any:
    """A value for JSON in which integers from `most` up are text such as "1.2e+345"."""
    if isinstance(value, dict):
        return {key: short_integers(part, most) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [short_integers(part, most) for part in value]
    return number_text(value) if isinstance(value, int) and abs(value) >= most else value


def echo_error(text: str) -> None:
    """Prints a line to stderr, above the progress bar if one is shown."""
    text = visible(text)
    screen = Screen.current()
    if screen is None or not screen.print_above(text):
        click.echo(text, err=True)


class Display:
    """Shows on stderr the progress that it is called with, from `__enter__` to `__exit__`.

    It shows wall-clock seconds, which include the time of printing solutions.

    >>> from dlx.search.progress import SearchProgress
    >>> display = Display()
    >>> display.line(SearchProgress(0, 0, 0.0, 0.0, None))
    '0 ms, 0.0%, 0 solutions'
    >>> display.line(SearchProgress(3000, 2, 1.5, 0.25, 4.5))
    '1.5 seconds, 25.0%, 2,000 nodes/s, 2 solutions, about 4.5 seconds left'
    """

    def __init__(self) -> None:
        self._first: SearchProgress | None = None
        self._last: SearchProgress | None = None
        self._time_left = TimeLeft()
        self._screen = Screen()
        self._began = self._next = 0.0  # `_next`: when to show something, at the earliest

    def __enter__(self) -> Self:
        self._began = time.monotonic()
        self._next = self._began + (DELAY if sys.stderr.isatty() else LOGGED)
        return self

    def __exit__(self, *error: object) -> None:
        self._screen.__exit__(*error)

    def __call__(self, progress: SearchProgress) -> None:
        """Shows the progress, unless the last time was too recently."""
        self._last = progress
        self._show(progress)

    def _show(self, progress: SearchProgress) -> None:
        now = time.monotonic()
        seconds = now - self._began
        left = self._time_left.seconds_left(seconds, progress.fraction)
        progress = progress._replace(seconds=seconds, seconds_left=left)
        if self._first is None:
            self._first = progress
        if now < self._next:
            return
        if sys.stderr.isatty():
            self._next = now + REDRAWN
            self._show_bar(progress)
        else:
            self._next = now + LOGGED
            echo_error(f"dlx: {self.line(progress)}")

    def echo(self, text: str) -> None:
        """Prints to stdout, above the bar if stdout is the terminal."""
        if not (sys.stdout.isatty() and self._screen.print_above(text)):
            click.echo(text)
        if self._last is not None:
            self._show(self._last)

    def line(self, progress: SearchProgress) -> str:
        """The progress as a line of text."""
        parts = [duration_text(progress.seconds)]
        if progress.fraction is not None:
            parts.append(f"{min(progress.fraction, NEARLY_ALL):.1%}")
        parts += self._counts(progress)
        if progress.seconds_left is not None:
            parts.append(f"about {duration_text(progress.seconds_left)} left")
        return ", ".join(parts)

    def _counts(self, progress: SearchProgress) -> list[str]:
        """Nodes per second in this run, and the number of solutions."""
        if self._first is None:
            self._first = progress
        seconds = progress.seconds - self._first.seconds
        nodes = progress.nodes - self._first.nodes
        solutions = counted(progress.solutions, "solution", ",")
        if seconds <= 0:
            return [solutions]
        return [f"{number_text(nodes / seconds)} nodes/s", solutions]

    def _show_bar(self, progress: SearchProgress) -> None:
        left = progress.seconds_left
        eta = "" if left is None else f"{_clock(left)} left"
        texts = [*self._counts(progress), _clock(progress.seconds), eta]
        self._screen.show_bar(progress.fraction, texts)


def _begin_live() -> Live:
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True)
    live = Live(
        console=console,
        transient=True,
        auto_refresh=False,
        redirect_stdout=False,  # else output for a file or a pipe is printed on the terminal
        redirect_stderr=False,  # else long lines are wrapped
    )
    live.start()
    return live


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours > 99:
        return duration_text(seconds)
    return f"{hours}:{minutes:02}:{rest:02}"
