"""What is said to the logger `sudoku`: see `dlx.telling`."""

from __future__ import annotations

from dlx.telling import Teller

__all__ = ["log"]

log = Teller("sudoku")
