"""Rules that a puzzle with one solution does not need, since the rest implies them."""

from __future__ import annotations

from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, Rule
from sudoku.rules.drawings import Drawings
from sudoku.solving.no_solution import with_only
from sudoku.solving.solve import count

__all__ = ["removable_rules", "without_rule"]


def removable_rules(layout: Layout) -> tuple[Rule, ...]:
    """The rules that may be implied by others: no drawings, and no regions that are to be found."""
    if not layout.rules:
        return ()
    from sudoku.rules import ChaosRegions  # most puzzles need no rules

    return tuple(rule for rule in layout.rules if not isinstance(rule, Drawings | ChaosRegions))


def without_rule(
    grid: Grid, rule: Rule, timeout: float | None = None, engine: str = "auto"
) -> Grid | None:
    """The puzzle without a rule, if it has only one solution then too; else None.

    >>> import sudoku
    >>> cages = [(3, "r1c1 r1c2"), (6, "r3c1 r4c1")]
    >>> layout = sudoku.layouts.killer(cages, base=sudoku.Layout(2, 2))
    >>> puzzle = sudoku.Grid("..3. 3... .1.. ...2", layout=layout)
    >>> without_rule(puzzle, layout.rules[1]).layout.rules
    (Cage(3, ((1, 1), (1, 2))),)

    Raises `dlx.SearchInterrupted` after `timeout` seconds.
    """
    rules = tuple(other for other in grid.layout.rules if other is not rule)
    rest = Grid.from_cells(grid.cells, with_only(grid.layout, rules))
    return rest if count(rest, limit=2, timeout=timeout, engine=engine) == 1 else None
