"""Sets of digits with a given sum, and cages with more of them than can be listed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from kinds_strategies import CELLS, Kind, killers
from rules_oracle import BOXED, squares

import sudoku
from sudoku import Layout, layouts
from sudoku.rules.encoding import digit_sets
from sudoku.rules.encoding.digit_sets import sets_of


@pytest.mark.parametrize("side", [1, 4, 6, 9, 11])
def test_all_sets_with_a_sum(side: int) -> None:
    for count in range(side + 2):
        expected: dict[int, list[int]] = {}
        for digits in combinations(range(1, side + 1), count):
            expected.setdefault(sum(digits), []).append(sum(1 << digit for digit in digits))
        for total in range(-1, side * (side + 1) // 2 + 2):
            assert sets_of(count, total, side) == tuple(expected.get(total, ()))


def test_too_many_sets_are_not_listed() -> None:
    assert sets_of(18, 333, 36) is None
    assert sets_of(1, 36, 36) == (1 << 36,)
    assert sets_of(35, 665, 36) == ((2 << 36) - 4,)
    for count in range(17):
        for total in range(137):
            assert sets_of(count, total, 16) is not None


@pytest.fixture
def _no_lists(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two sets are too many."""
    monkeypatch.setattr(digit_sets, "MOST_SETS", 1)
    sets_of.cache_clear()
    yield
    sets_of.cache_clear()


@pytest.mark.usefixtures("_no_lists")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(killers(BOXED))
def test_killers_without_lists_of_sets(kind: Kind) -> None:
    layout, specs = kind
    expected = ["".join(str(values[cell]) for cell in CELLS) for values in squares(specs)]
    found = [grid.line for grid in sudoku.solutions("." * 16, layout=layout)]
    assert sorted(found) == sorted(expected)


@pytest.mark.lengthy
def test_a_large_cage_of_a_large_grid() -> None:
    numbers = range(25)
    full = {(r + 1, c + 1): (5 * r + r // 5 + c) % 25 + 1 for r in numbers for c in numbers}
    cells = [(row, column) for row in (1, 2, 3) for column in (8, 9, 10, 11)]
    total = sum(full[cell] for cell in cells)
    assert sets_of(12, total, 25) is None
    layout = layouts.killer([(total, cells)], base=Layout(5, 5))
    puzzle = [[full[r, c] if r > 9 else 0 for c in range(1, 26)] for r in range(1, 26)]
    grid = sudoku.solve(puzzle, layout=layout)
    assert grid.is_solved
    assert sum(grid[cell] for cell in cells) == total
