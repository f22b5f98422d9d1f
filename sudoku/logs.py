"""What is said to the logger `sudoku`: see `dlx.core.logs`."""

from __future__ import annotations

from dlx.core.logs import LazyLogger

__all__ = ["log"]

log = LazyLogger("sudoku")
