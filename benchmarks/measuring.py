"""The work behind a time."""

from __future__ import annotations

from collections import deque
from typing import Any

from dlx import Problem, Stats

__all__ = ["stats_of"]


def stats_of(problem: Problem, **search: Any) -> Stats:
    """The work of a whole search, done once for its statistics."""
    solutions = problem.solutions(**search)
    deque(solutions, maxlen=0)
    return solutions.stats
