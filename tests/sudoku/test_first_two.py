"""The first two solutions: in order, or in any order where that takes too long."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sudoku
from sudoku import Grid, Layout, layouts, rules
from sudoku.solving import first_two as module
from sudoku.solving.first_two import first_two

FOUR = Layout(2, 2)
RULED = FOUR.with_rules(rules.Cage(3, "r1c1 r1c2"), rules.Thermometer("r2c3 r3c3 r4c3"))
PUZZLES = st.builds(
    lambda layout, cells: Grid.from_cells(tuple(cells), layout),
    st.sampled_from([FOUR, RULED, layouts.chaos(4)]),
    st.lists(st.sampled_from([0, 0, 0, 1, 2, 3, 4]), min_size=16, max_size=16),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PUZZLES)
def test_in_any_order_there_are_as_many(monkeypatch: pytest.MonkeyPatch, grid: Grid) -> None:
    monkeypatch.setattr(module, "NODES", 10_000)
    in_order = first_two(grid)
    assert in_order.stopped is None
    assert [*in_order.grids] == [*sudoku.solutions(grid, limit=2)]
    monkeypatch.setattr(module, "NODES", 1)
    found = first_two(grid)
    assert found.stopped is None
    assert len(found.grids) == sudoku.count(grid, limit=2) == len(in_order.grids)
    assert all(each.is_solved for each in found.grids)
    if not any(isinstance(rule, rules.ChaosRegions) for rule in grid.layout.rules):
        assert len(set(found.grids)) == len(found.grids)


@pytest.mark.parametrize("search", ["count", "solve"])
def test_a_timeout_in_any_order(monkeypatch: pytest.MonkeyPatch, search: str) -> None:
    import dlx

    def stopped(*arguments: Any, **how: Any) -> Any:
        raise dlx.SearchInterrupted("timeout", count=0, stats=dlx.Stats(0, 0, 0, (), 0.0))

    monkeypatch.setattr(module, "NODES", 1)
    monkeypatch.setattr(module, search, stopped)
    empty = Grid.from_cells((0,) * 16, RULED)
    found = first_two(empty)
    assert found.grids == ()
    assert found.stopped is not None
    verdict = sudoku.judge(empty)
    assert verdict.kind == "unknown"
    with pytest.raises(dlx.SearchInterrupted):
        next(sudoku.hints(empty))


def test_engines_that_are_named_search_in_order() -> None:
    empty = Grid.from_cells((0,) * 16, RULED)
    for engine in ("links", "python"):
        assert first_two(empty, engine=engine).grids == first_two(empty).grids
    full = sudoku.solve("." * 16, layout=layouts.chaos(4))
    with pytest.raises(sudoku.NotUnique, match="the same digits in other regions"):
        next(sudoku.hints(full))
