"""The rules of today's setters: all solutions of small grids against the oracle."""

from __future__ import annotations

from functools import cache
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kinds_strategies import CELLS
from rules_oracle import BOXED, fillings, keeps
from setter_rules import NAMES, ruled, some_rule

import sudoku
from sudoku import Grid, Layout
from sudoku.rules.cover import restricted

FOUR, SIX = Layout(2, 2), Layout(2, 3)


def line_of(values: dict[tuple[int, int], int]) -> str:
    return "".join(str(values[cell]) for cell in sorted(values))


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"entropic line"}))
@given(data=st.data())
def test_all_solutions_of_side_4(name: str, data: st.DataObject) -> None:
    """One rule, or two together; with digits anywhere."""
    full = data.draw(st.sampled_from(BOXED))
    drawn = [data.draw(some_rule(full, name)) for _ in range(data.draw(st.integers(1, 2)))]
    layout = ruled(FOUR, drawn)
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


@cache
def pool(number: int) -> tuple[dict[tuple[int, int], int], list[dict[tuple[int, int], int]]]:
    """Givens of side 6, others for each number, and all grids that have them: some hundreds."""
    random = Random(number)
    boxes = "111222 111222 333444 333444 555666 555666"
    row = dict(zip([(1, column) for column in range(1, 7)], random.sample(range(1, 7), 6),
                   strict=True))  # fmt: skip
    full = next(islice(fillings(boxes, row), random.randrange(50), None))
    cells = random.sample(sorted(full), 36)
    for count in range(11, 36):
        givens = {cell: full[cell] for cell in cells[:count]}
        grids = list(islice(fillings(boxes, givens), 1000))
        if len(grids) < 1000:
            break
    return givens, grids


def check_side_6(data: st.DataObject, names: list[str]) -> None:
    givens, grids = pool(data.draw(st.integers(0, 2)))
    full = data.draw(st.sampled_from(grids))
    drawn = [data.draw(some_rule(full, name)) for name in names]
    layout = ruled(SIX, drawn)
    expected = [v for v in grids if all(keeps(v, spec) for _, spec in drawn)]
    puzzle = "".join(str(givens.get(cell, ".")) for cell in layout.positions)
    found = [grid.line for grid in sudoku.solutions(puzzle, layout=layout)]
    assert sorted(found) == sorted(map(line_of, expected))
    assert sudoku.count(puzzle, layout=layout, engine="links") == len(expected)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_all_solutions_with_givens_of_side_6(name: str, data: st.DataObject) -> None:
    check_side_6(data, [name] * data.draw(st.integers(1, 3)))


@given(data=st.data())
def test_several_rules_of_side_6(data: st.DataObject) -> None:
    check_side_6(data, data.draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=5)))


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"entropic line"}))
@given(data=st.data())
def test_broken_rules_of_unfinished_grids(name: str, data: st.DataObject) -> None:
    """What is reported has no solution, and is reported of no part of a good grid."""
    full = data.draw(st.sampled_from(BOXED))
    rule, spec = data.draw(some_rule(full, name))
    layout = ruled(FOUR, [(rule, spec)])
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
