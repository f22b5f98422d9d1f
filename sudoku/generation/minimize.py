"""Minimal puzzles: removing givens from a puzzle while its solution stays unique.

A given that cannot be removed now cannot be removed later either: with fewer givens there are only
more solutions. So one pass over the givens, in any order, ends with a minimal puzzle. The order
alone decides how many givens remain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sudoku.analysis.redundant_rules import removable_rules, without_rule
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.errors import NoSolution, PuzzleError
from sudoku.generation.other_solutions import OtherChecks, OtherSolutions
from sudoku.generation.random import SeededRandom, check_seed
from sudoku.generation.symmetries import check_symmetry, orbits
from sudoku.generation.uniqueness import CheckOptions, PuzzleCoroutine, run_coroutine
from sudoku.solving.deadline import Deadline
from sudoku.solving.no_solution import NoSolutionText
from sudoku.text.puzzles import parse

__all__ = ["LocalLines", "given_count", "minimize", "remove_givens"]

BLANK = "."
FIRST_CHUNK = 16  # groups removed at once, until a removal fails
FAILED = 8  # removals of single givens that failed, after which `OtherSolutions` pay


def minimize(
    puzzle: str | Iterable[object] | Grid,
    *,
    layout: Layout | None = None,
    symmetry: str = "none",
    rules: bool = False,
    seed: int | None = None,
    timeout: float | None = None,
    engine: str = "auto",
) -> Grid:
    """A minimal puzzle within the puzzle: no given can be removed without adding solutions.

    With `rules`, then rules are removed as well, from the last to the first, until each is needed.

    With a `symmetry` (see `SYMMETRIES`), whole orbits of givens are removed, and in the result no
    orbit can be removed. The result is symmetric if the puzzle is. The seed fixes the order in
    which givens are tried; None tries them from the last to the first.

    >>> import sudoku
    >>> print(minimize("1423 3241 2134 4312").line)
    142.....21......
    >>> minimize(sudoku.generate(seed=1)) == sudoku.generate(seed=1)
    True

    Raises `NoSolution` if the puzzle has no solution, `PuzzleError` if it has more than one, and
    `dlx.SearchInterrupted` after `timeout` seconds. Runs one search for each given, and each rule.
    """
    grid = parse(puzzle, layout)
    shape, line = grid.layout, grid.line
    groups = list(orbits(shape, check_symmetry(symmetry)))[::-1]
    if seed is not None:
        groups = SeededRandom("minimize", check_seed(seed)).shuffled(groups)
    options = CheckOptions(shape, engine, Deadline(timeout))
    found = run_coroutine(_check(line), options)
    if found == 0:
        raise NoSolution(NoSolutionText(grid))
    if found > 1:
        raise PuzzleError("the puzzle has more than one solution: no given can be removed")
    least = Grid.from_line(run_coroutine(remove_givens(line, groups), options), shape)
    for rule in removable_rules(shape)[::-1] if rules else ():
        least = without_rule(least, rule, options.deadline.left, engine) or least
    return least


def _check(line: str) -> PuzzleCoroutine[int]:
    """The number of solutions of one line, counted up to 2."""
    solutions: int = yield line
    return solutions


def given_count(line: str) -> int:
    """The number of givens in a line."""
    return len(line) - line.count(BLANK)


def remove_givens(
    line: str,
    groups: Sequence[Sequence[int]],
    least: int = 0,
    local: LocalLines | None = None,
    others: Callable[[list[int]], OtherSolutions] | None = None,
) -> PuzzleCoroutine[str]:
    """The line without every group of givens that its uniqueness does not need, tried in order.

    The line must have one solution. At least `least` givens stay. The result is the same as when
    groups are removed one by one; removing several at once, while that succeeds, saves a third of
    the searches from a full grid. `local` saves long searches in overlapping grids, and `others`
    in large ones: it makes the `OtherSolutions` for the cells whose givens stay. It is not for
    groups of several cells.
    """
    at, step = 0, FIRST_CHUNK
    kept: list[int] = []
    while at < len(groups):
        if others and len(kept) == FAILED:
            cells = [cell for (cell,) in groups[at:] if line[cell] != BLANK]
            return (yield from _remove_singly(line, cells, least, others(kept)))
        some = groups[at : at + _largest_chunk(line, groups[at : at + step])]
        tried = _without(line, some)
        possible = tried == line or given_count(tried) >= least
        nearby = local.line(tried, some) if possible and local and len(some) == 1 else None
        if nearby is not None and (yield nearby) > 1:
            possible = False
        if possible and (tried == line or (yield tried) == 1):
            line = tried
            at += len(some)
        elif len(some) == 1:
            at += 1  # these givens stay
            kept += some[0]
        else:
            step = len(some) // 2
    return line


def _remove_singly(
    line: str, cells: Sequence[int], least: int, others: OtherSolutions
) -> PuzzleCoroutine[str]:
    """The line without every given of these cells that its uniqueness does not need, in order.

    Most of them are needed already, so all are checked at once first.
    """
    if given_count(line) <= least:
        return line
    counts = yield OtherChecks(others, line, cells)
    checked = True
    for cell in [cell for cell, found in zip(cells, counts, strict=True) if found == 1]:
        if given_count(line) <= least:
            break
        if checked or (yield OtherChecks(others, line, (cell,))) == [1]:
            line = _without(line, [(cell,)])
        checked = False
    return line


class LocalLines:
    """Lines in which only the surroundings of a few cells are open; the rest is filled in.

    A second solution of such a line is one of the puzzle, and is found in far less time where grids
    overlap: the search would otherwise try to fill the whole board.
    """

    def __init__(self, full: str, layout: Layout) -> None:
        self._full = full
        self._peers: dict[int, set[int]] = {}
        self._near: dict[int, set[int]] = {}
        if not layout.is_square and not layout.rules:
            for house in layout.houses:
                for cell in house.cells:
                    self._peers.setdefault(cell, set()).update(house.cells)

    def line(self, tried: str, groups: Iterable[Iterable[int]]) -> str | None:
        """The line with the solution's digits everywhere but near the cells of these groups.

        None if the layout is a single square, or most cells are near.
        """
        near: set[int] = set()
        for group in groups:
            near.update(*map(self._near_cell, group))
        if not near or 2 * len(near) > len(tried):
            return None
        cells = list(self._full)
        for cell in near:
            cells[cell] = tried[cell]
        return "".join(cells)

    def _near_cell(self, cell: int) -> set[int]:
        """The peers of the peers of a cell."""
        if cell not in self._near:
            peers = (self._peers[peer] for peer in self._peers.get(cell, ()))
            self._near[cell] = set().union(*peers)
        return self._near[cell]


def _largest_chunk(line: str, groups: Sequence[Sequence[int]]) -> int:
    """The number of groups, from the first on, with at most a quarter of the givens; 1 at least.

    A check of a line with far too few givens would find a second solution, but only after a search
    that may be a thousand times as long as the others.
    """
    most, cells = given_count(line) // 4, 0
    for number, group in enumerate(groups):
        cells += len(group)
        if cells > most:
            return max(1, number)
    return max(1, len(groups))


def _without(line: str, groups: Iterable[Iterable[int]]) -> str:
    """The line with blanks in these groups of cells."""
    cells = list(line)
    for group in groups:
        for cell in group:
            cells[cell] = BLANK
    return "".join(cells)
