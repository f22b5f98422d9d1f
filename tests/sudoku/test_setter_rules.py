"""The rules of today's setters: all solutions of small grids against the oracle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kinds_strategies import CELLS, jigsaws
from rules_oracle import BOXED, keeps
from setter_rules import NAMES, some_rule

import sudoku
from sudoku import Grid, Layout
from sudoku.rules.cover import restricted

FOUR = Layout(2, 2)


def line_of(values: dict[tuple[int, int], int]) -> str:
    return "".join(str(values[cell]) for cell in sorted(values))


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"entropic line"}))
@given(data=st.data())
def test_all_solutions_of_side_4(name: str, data: st.DataObject) -> None:
    """One rule, or two together; with digits anywhere."""
    full = data.draw(st.sampled_from(BOXED))
    drawn = [data.draw(some_rule(full, name)) for _ in range(data.draw(st.integers(1, 2)))]
    layout = FOUR.with_rules(*(rule for rule, _ in drawn))
    expected = [v for v in BOXED if all(keeps(v, spec) for _, spec in drawn)]
    check_solutions(layout, expected)
    for values in BOXED[:: data.draw(st.integers(7, 40))]:
        good = all(keeps(values, spec) for _, spec in drawn)
        assert Grid(line_of(values), layout=layout).is_solved == good
    check_left(layout, expected)


def check_solutions(layout: Layout, expected: list[dict[tuple[int, int], int]]) -> None:
    found = [grid.line for grid in sudoku.solutions("." * layout.size, layout=layout)]
    assert sorted(found) == sorted(map(line_of, expected))


def check_left(layout: Layout, expected: list[dict[tuple[int, int], int]]) -> None:
    """No rule removes a candidate of a solution; asked once more, it removes nothing."""
    left = restricted(layout, [*layout.rules])
    for values in expected:
        assert all(left[cell] >> digit & 1 for cell, digit in values.items())
    again = dict(left)
    for rule in layout.rules:
        rule.restrict(again, layout)
    assert again == left or not all(left.values())


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_all_solutions_with_givens_of_side_6(name: str, data: st.DataObject) -> None:
    layout, full, grids, givens = data.draw(jigsaws().filter(lambda kind: kind[0].side == 6))
    drawn = [data.draw(some_rule(full, name)) for _ in range(data.draw(st.integers(1, 3)))]
    layout = layout.with_rules(*(rule for rule, _ in drawn))
    expected = [v for v in grids if all(keeps(v, spec) for _, spec in drawn)]
    puzzle = "".join(str(givens.get(cell, ".")) for cell in layout.positions)
    found = [grid.line for grid in sudoku.solutions(puzzle, layout=layout)]
    assert sorted(found) == sorted(map(line_of, expected))


@given(data=st.data())
def test_several_rules_of_side_6(data: st.DataObject) -> None:
    layout, full, grids, givens = data.draw(jigsaws().filter(lambda kind: kind[0].side == 6))
    names = data.draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=5))
    drawn = [data.draw(some_rule(full, name)) for name in names]
    layout = layout.with_rules(*(rule for rule, _ in drawn))
    expected = [v for v in grids if all(keeps(v, spec) for _, spec in drawn)]
    puzzle = "".join(str(givens.get(cell, ".")) for cell in layout.positions)
    found = [grid.line for grid in sudoku.solutions(puzzle, layout=layout)]
    assert sorted(found) == sorted(map(line_of, expected))


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"entropic line"}))
@given(data=st.data())
def test_broken_rules_of_unfinished_grids(name: str, data: st.DataObject) -> None:
    """What is reported has no solution, and is reported of no part of a good grid."""
    full = data.draw(st.sampled_from(BOXED))
    rule, spec = data.draw(some_rule(full, name))
    layout = FOUR.with_rules(rule)
    values = data.draw(st.sampled_from(BOXED))
    kept = data.draw(st.sets(st.sampled_from(CELLS)))
    part = {cell: values[cell] for cell in CELLS if cell in kept}
    wrong = rule.broken(part)
    assert set(wrong) <= set(part)
    assert layout.index.keys() >= set(wrong)
    completions = [v for v in BOXED if part.items() <= v.items()]
    if any(keeps(v, spec) for v in completions):
        assert wrong == ()
    if len(part) == 16:
        assert bool(wrong) == (not keeps(values, spec))
