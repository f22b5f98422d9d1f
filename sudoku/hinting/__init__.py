"""Hints and ratings: solving puzzles with the techniques that people use.

`sudoku.hints` yields the steps a person would take, `sudoku.rate` says how hard a puzzle is. The
modules, from the lowest level up:

* `geometry`: the tables of a layout as bit masks; `position`: digits filled in, candidates left
* `deduction`: the result of a technique, and its conversion to a `sudoku.board.step.Step`
* `techniques`: a module for each family of techniques; `rule_techniques`: those for layouts with
  rules
* `technique`: the decorators that register techniques; `registry`: the order of difficulty
* `candidates`: the candidates that a player has written; `player`: the position of a player, or the
  mistakes in it
* `lessons`: what each technique is, for players that do not know it
* `hints` and `rating`: the functions `hints` and `rate`
"""

from sudoku.board.step import Step
from sudoku.hinting.hints import hints
from sudoku.hinting.rating import Rating, rate

__all__ = ["Rating", "Step", "hints", "rate"]
