"""The four backtracking solvers: they agree with each other and with known counts."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import sudoku_strategies as some
from example_puzzles import INKALA, WIKIPEDIA
from hypothesis import given, settings

from sudoku import Grid, Layout, parse
from sudoku.analysis.compare import compare
from sudoku.analysis.oracle import METHODS, Result, bitmask, fewest_first, plain, singles_first

every_method = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
Method = Callable[..., Result]


def run(method: Method, grid: Grid, **limits: int) -> Result:
    layout = grid.layout
    return method(grid.cells, layout.box_rows, layout.box_columns, **limits)


@given(some.any_puzzles([*some.SMALL, Layout(3, 3)]))
def test_the_four_agree(grid: Grid) -> None:
    found = [run(method, grid, node_limit=20_000) for method in METHODS.values()]
    finished = [result for result in found if result.exhausted]
    for result in finished:
        assert sorted(result.solutions) == sorted(finished[0].solutions)
    # The same search, node by node; then the same order without the singles.
    assert found[0] == found[1]
    if found[1].exhausted and found[2].exhausted:
        assert found[1].solutions == found[2].solutions


@given(some.any_puzzles(some.SMALL))
def test_solutions_are_solutions(grid: Grid) -> None:
    for cells in run(bitmask, grid).solutions:
        solution = Grid.from_cells(cells, grid.layout)
        assert solution.is_solved
        assert all(new == old for new, old in zip(cells, grid.cells, strict=True) if old)


@every_method
def test_known_counts(method: Method) -> None:
    # 4x4: 288 grids (OEIS A107739).
    assert len(method([0] * 16, 2, 2).solutions) == 288
    # Latin squares of side 4 (A002860): 576, boxes are rows; side 1.
    assert len(method([0] * 16, 1, 4).solutions) == 576
    assert method([0], 1, 1) == Result(((1,),), 2, True, None)


def test_all_grids_of_side_six() -> None:
    # 28 200 960 grids with boxes of 2x3 (Wikipedia, "Mathematics of Sudoku"); the first row has 6!
    # orders, and each begins as many of them.
    assert len(bitmask([*range(1, 7)] + [0] * 30, 2, 3).solutions) == 28_200_960 // 720


@every_method
def test_limits(method: Method) -> None:
    all_of_them = method([0] * 16, 2, 2)
    assert all_of_them.exhausted
    some_of_them = method([0] * 16, 2, 2, limit=10)
    assert some_of_them.solutions == all_of_them.solutions[:10]
    assert (some_of_them.exhausted, some_of_them.stopped_by) == (False, "limit")
    assert method([0] * 16, 2, 2, limit=0) == Result((), 1, False, "limit")
    stopped = method([0] * 16, 2, 2, node_limit=100)
    assert (stopped.nodes, stopped.stopped_by, stopped.exhausted) == (100, "node_limit", False)
    assert stopped.solutions == all_of_them.solutions[: len(stopped.solutions)]
    exact = method([0] * 16, 2, 2, node_limit=all_of_them.nodes)
    assert exact == all_of_them


@every_method
@pytest.mark.parametrize("text", ["11" + "." * 14, "1...1" + "." * 11, "1....1" + "." * 10])
def test_clashing_givens(method: Method, text: str) -> None:
    assert run(method, parse(text)) == Result((), 1, True, None)


@every_method
def test_a_cell_without_a_digit_is_a_contradiction(method: Method) -> None:
    result = run(method, parse("12.3" + "..4." + "." * 8))
    assert (result.solutions, result.exhausted) == ((), True)
    if method in (singles_first, fewest_first):
        assert result.nodes <= 2


@every_method
def test_a_full_grid(method: Method) -> None:
    cells = parse("1234341221434321").cells
    assert method(cells, 2, 2) == Result((cells,), 1, True, None)


def test_singles_and_fewest_need_no_search_on_an_easy_puzzle() -> None:
    grid = parse(WIKIPEDIA)
    assert run(plain, grid).nodes == run(bitmask, grid).nodes > 4000
    assert run(singles_first, grid).nodes == run(fewest_first, grid).nodes == 52


@every_method
def test_bad_cells(method: Method) -> None:
    for cells in ([], [0] * 80, [0] * 80 + [10], [0] * 80 + [-1]):
        with pytest.raises(ValueError, match="expected 81"):
            method(cells)


@every_method
def test_depth_is_no_recursion(method: Method) -> None:
    pattern = [
        (6 * (row % 6) + row // 6 + column) % 36 + 1 for row in range(36) for column in range(36)
    ]
    cells = [0 if row % 2 else value for row, value in enumerate(pattern)]
    assert len(cells) > sys.getrecursionlimit()
    result = method(cells, 6, 6, limit=1, node_limit=1500)
    assert result.nodes > 600


def test_independent_of_everything_else() -> None:
    import sudoku.analysis.oracle as oracle

    assert oracle.__file__ is not None
    lines = Path(oracle.__file__).read_text().splitlines()
    imports = [line for line in lines if line.lstrip().startswith(("import ", "from "))]
    assert imports == [
        "from __future__ import annotations",
        "from collections.abc import Callable, Sequence",
        "from typing import NamedTuple",
    ]


# -- `sudoku.analysis.compare`: six solvers give the same answer ---------------------------------


@settings(max_examples=20)
@given(some.any_puzzles([Layout(2, 2), Layout(2, 3)]))
def test_all_ways_find_the_same(grid: Grid) -> None:
    rows = compare(grid, limit=20)
    assert len(rows) == 6
    assert len({(row.solutions, row.stopped_by) for row in rows}) == 1
    assert rows[4].nodes == rows[5].nodes  # links.py and the kernel: the same tree


def test_a_stop_is_said() -> None:
    rows = {row.method: row for row in compare(INKALA, node_limit=1000)}
    assert rows["plain"].stopped_by == rows["fewest_first"].stopped_by == "node_limit"
    assert rows["plain"].nodes == 1000
    assert rows["dlx, kernel"].stopped_by is None
    rows = {row.method: row for row in compare("." * 16, limit=3)}
    assert {(row.solutions, row.stopped_by) for row in rows.values()} == {(3, "limit")}
    rows = {row.method: row for row in compare(INKALA, node_limit=10, timeout=0)}
    assert rows["dlx, kernel"].stopped_by == rows["dlx, links.py"].stopped_by == "timeout"


def test_contradictions() -> None:
    rows = compare("11" + "." * 14)
    assert {(row.solutions, row.stopped_by) for row in rows} == {(0, None)}
