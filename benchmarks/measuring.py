"""The work behind a time, and problems in plain numbers for programs that know no `dlx`."""

from __future__ import annotations

from collections import deque
from typing import Any

from dlx import Colored, Problem, Stats

__all__ = ["plain", "stats_of"]


def stats_of(problem: Problem, **search: Any) -> Stats:
    """The work of a whole search, done once for its statistics."""
    solutions = problem.solutions(**search)
    deque(solutions, maxlen=0)
    return solutions.stats


def plain(problem: Problem) -> dict[str, Any]:
    """Numbers of primary and secondary items, and options and colors as lists of numbers.

    Items and colors are numbered, these from 1; `colors` is None where there are none.
    """
    items = [*problem.primary, *problem.secondary]
    number_of = {item: number for number, item in enumerate(items)}
    tints: dict[Any, int] = {}
    options, colors = [], []
    for option in problem.options:
        bare = [entry.item if isinstance(entry, Colored) else entry for entry in option]
        options.append([number_of[item] for item in bare])
        colors.append(
            [
                tints.setdefault(entry.color, len(tints) + 1) if isinstance(entry, Colored) else 0
                for entry in option
            ]
        )
    return {
        "primary": len(problem.primary),
        "secondary": len(problem.secondary),
        "options": options,
        "colors": colors if tints else None,
    }
