"""Solving as people do: hints and ratings.

`sudoku.hints` gives the steps a person would take, `sudoku.rate` says how hard a puzzle is. The
rooms, from the ground up: `geometry` (what a layout looks like as bit masks), `position` (what is
filled in and left), `finding` and `step` (what a technique says, for us and for people), a module
for each family of techniques, `registry` (all of them in order of difficulty), `stating` (from
input to a position, or what is wrong with it), `stepping` (`hints`) and `rating` (`rate`).
"""

from sudoku.board.step import Step
from sudoku.hinting.hints import hints
from sudoku.hinting.rating import Rating, rate

__all__ = ["Rating", "Step", "hints", "rate"]
