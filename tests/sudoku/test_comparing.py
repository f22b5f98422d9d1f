"""`sudoku.analysis.compare`: six solvers give the same answer."""

from __future__ import annotations

import sudoku_strategies as some
from example_puzzles import INKALA
from hypothesis import given, settings

from sudoku import Grid, Layout
from sudoku.analysis.compare import compare


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
