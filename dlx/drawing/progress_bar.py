"""A live display of a search in notebooks and terminals: a function for `progress=`.

It draws with what is installed: ipywidgets in a notebook, else tqdm, else a line of text that is
replaced in place. Only the text needs nothing but Python.
"""

from __future__ import annotations

import sys
import time
from importlib import import_module
from math import inf
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, Self

from dlx.analysis.estimate import duration_text
from dlx.errors import InvalidArgument, counted, quote
from dlx.search.progress import SearchProgress

if TYPE_CHECKING:
    from dlx.analysis.minimum import Progress

__all__ = ["ProgressBar", "progress_text"]

Kind = Literal["widgets", "tqdm", "text"]

KINDS: Final = ("widgets", "tqdm", "text")
LOGGED: Final = 10.0  # seconds between two lines of text where they cannot be replaced
BAR: Final = 30  # characters


class _Shown(Protocol):
    """A bar on the screen."""

    def update(self, fraction: float | None, text: str) -> None:
        """Shows a fraction, None if it is unknown, and a text beside the bar."""

    def close(self) -> None:
        """Leaves the bar as it is, and draws no more."""


class ProgressBar:
    """A live display of a search: `progress=dlx.ProgressBar()`.

    Goes with `solutions`, `count`, `is_unique`, `minimum`, `maximum` and their asynchronous forms.
    It shows the fraction that is done, where that is known, and nodes, solutions, seconds and the
    time left; for `minimum`, the best cost, the bound and the gap. One bar may serve several
    searches, one after another. It ends its line when it has shown the whole of a search, at
    `close`, and as a context manager.

    kind
        "widgets" (ipywidgets), "tqdm", or "text"; by default the first of them that is installed
        and fits: widgets are for notebooks only.

    Text replaces itself in a terminal and in a notebook; elsewhere, stderr gets a line every ten
    seconds and one at the end. Raises `InvalidArgument` for another kind, and ImportError if the
    package of that kind is missing.

    >>> import contextlib, sys
    >>> from dlx.models import queens
    >>> with contextlib.redirect_stderr(sys.stdout):
    ...     queens(8).count(engine="links", progress=ProgressBar("text"))
    100.0%, 1,049 nodes, 92 solutions, ...
    92
    """

    _shown: _Shown | None = None  # of the class as well: `__del__` reads it if `__init__` failed

    def __init__(self, kind: Kind | None = None) -> None:
        self._ended: tuple[int, int] | None = None  # nodes and solutions of a search at its end
        if kind is not None and kind not in KINDS:
            raise InvalidArgument(f"kind is {quote(kind)}; it must be one of {', '.join(KINDS)}")
        self._open = _opener(kind or _best_kind())

    def __call__(self, progress: SearchProgress | Progress) -> None:
        """Shows the progress; at the end of a search the bar is left as it is."""
        done = isinstance(progress, SearchProgress) and progress.fraction == 1
        work = progress.nodes, getattr(progress, "solutions", 0)
        if self._shown is None:
            if done and work == self._ended:
                return  # a search reports its end when it is exhausted, and when it returns
            self._shown = self._open()
        self._shown.update(getattr(progress, "fraction", None), progress_text(progress))
        self._ended = work if done else None
        if done:
            self.close()

    def close(self) -> None:
        """Leaves the bar as it is; the next call begins another."""
        shown, self._shown = self._shown, None
        if shown is not None:
            shown.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()  # of a call such as minimum(progress=ProgressBar()), which shows no fraction


def progress_text(progress: SearchProgress | Progress) -> str:
    """The progress in words, without the fraction.

    >>> from dlx.analysis.minimum import Progress
    >>> from dlx.search.progress import SearchProgress
    >>> progress_text(SearchProgress(3000, 2, 1.5, 0.25, 4.5))
    '3,000 nodes, 2 solutions, 1.5 seconds, about 4.5 seconds left'
    >>> progress_text(Progress(best=12, bound=9, nodes=10, seconds=0.5, relative_gap=0.25))
    'best 12, bound 9, gap 25.00%, 10 nodes, 500 ms'
    """
    parts = [counted(progress.nodes, "node", ",")]
    if isinstance(progress, SearchProgress):
        parts.append(counted(progress.solutions, "solution", ","))
    else:
        known = [("best", progress.best), ("bound", progress.bound)]
        if progress.relative_gap < inf:
            known.append(("gap", f"{progress.relative_gap:.2%}"))
        parts = [f"{name} {cost}" for name, cost in known if cost is not None] + parts
    parts.append(duration_text(progress.seconds))
    if isinstance(progress, SearchProgress) and progress.seconds_left:
        parts.append(f"about {duration_text(progress.seconds_left)} left")
    return ", ".join(parts)


# -- ways to draw ----------------------------------------------------------------------------------


class _Widgets:
    """A bar and a label of ipywidgets."""

    def __init__(self) -> None:
        widgets = _imported("ipywidgets")
        self._bar = widgets.FloatProgress(min=0.0, max=1.0)
        self._label = widgets.Label()
        _imported("IPython.display").display(widgets.HBox([self._bar, self._label]))

    def update(self, fraction: float | None, text: str) -> None:
        self._bar.layout.display = "none" if fraction is None else ""
        self._bar.value = fraction or 0.0
        self._label.value = _with_percent(fraction, text)

    def close(self) -> None:
        self._bar.bar_style = "success" if self._bar.value == 1 else ""


class _Tqdm:
    """A bar of tqdm, on stderr."""

    def __init__(self) -> None:
        self._bar = _imported("tqdm").tqdm(total=1.0, bar_format="{desc}")

    def update(self, fraction: float | None, text: str) -> None:
        known = fraction is not None
        self._bar.bar_format = "{percentage:5.1f}%|{bar}| {desc}" if known else "{desc}"
        self._bar.n = fraction or 0.0
        self._bar.set_description_str(text)

    def close(self) -> None:
        self._bar.close()


class _NotebookText:
    """A line in the output of a notebook's cell, replaced in place."""

    def __init__(self) -> None:
        self._display = _imported("IPython.display")
        self._handle = self._display.display(self._display.Pretty(""), display_id=True)

    def update(self, fraction: float | None, text: str) -> None:
        self._handle.update(
            self._display.Pretty(f"{_bar(fraction)}{_with_percent(fraction, text)}")
        )

    def close(self) -> None:
        """The last line stays."""


class _Terminal:
    """A line on stderr, replaced in place."""

    def __init__(self) -> None:
        self._width = 0

    def update(self, fraction: float | None, text: str) -> None:
        from shutil import get_terminal_size

        line = f"{_bar(fraction)}{_with_percent(fraction, text)}"
        line = line[: get_terminal_size().columns - 1]  # a line that wraps cannot be replaced
        print(f"\r{line:{self._width}}", end="", file=sys.stderr, flush=True)
        self._width = len(line)

    def close(self) -> None:
        print(file=sys.stderr)


class _Lines:
    """A line on stderr every ten seconds, and one at the end."""

    def __init__(self) -> None:
        self._next = time.monotonic() + LOGGED
        self._last: str | None = None

    def update(self, fraction: float | None, text: str) -> None:
        self._last = _with_percent(fraction, text)
        now = time.monotonic()
        if now >= self._next:
            self._next = now + LOGGED
            self._write()

    def close(self) -> None:
        self._write()

    def _write(self) -> None:
        if self._last is not None:
            print(self._last, file=sys.stderr, flush=True)
        self._last = None


def _with_percent(fraction: float | None, text: str) -> str:
    return text if fraction is None else f"{fraction:.1%}, {text}"


def _bar(fraction: float | None) -> str:
    """The fraction as a bar of characters; nothing if it is unknown."""
    if fraction is None:
        return ""
    done = int(fraction * BAR)
    return f"[{'#' * done}{'.' * (BAR - done)}] "


def _imported(name: str) -> Any:
    return import_module(name)


def _in_notebook() -> bool:
    """Whether this is the kernel of a notebook, and not a terminal with or without IPython."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return getattr(shell, "kernel", None) is not None


def _is_installed(name: str) -> bool:
    from importlib.util import find_spec

    return find_spec(name) is not None


def _best_kind() -> Kind:
    if _in_notebook() and _is_installed("ipywidgets"):
        return "widgets"
    return "tqdm" if _is_installed("tqdm") else "text"


def _opener(kind: Kind) -> type[_Shown]:
    """The class that draws a bar of this kind here."""
    if kind == "widgets":
        _imported("ipywidgets")
        return _Widgets
    if kind == "tqdm":
        _imported("tqdm")
        return _Tqdm
    if _in_notebook():
        return _NotebookText
    on_terminal = sys.stderr is not None and sys.stderr.isatty()
    return _Terminal if on_terminal else _Lines
