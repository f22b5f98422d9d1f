"""The functions of Sage's dancing links, without Sage."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dlx
from dlx.sage import DLXCPP, AllExactCovers, OneExactCover, dlx_solver

rows = st.lists(st.lists(st.integers(0, 5), unique=True, max_size=4), max_size=8)


def covers(rows: list[list[int]]) -> set[frozenset[int]]:
    """All sets of rows that are not empty and have each column up to the largest exactly once."""
    columns = sorted({column for row in rows for column in row})
    wanted = list(range(columns[-1] + 1)) if columns else [-1]
    useful = [number for number, row in enumerate(rows) if row]
    found = set()
    for bits in range(2 ** len(useful)):
        chosen = [number for place, number in enumerate(useful) if bits >> place & 1]
        if sorted(column for number in chosen for column in rows[number]) == wanted:
            found.add(frozenset(chosen))
    return found


@given(rows=rows)
def test_covers_are_those_of_all_subsets(rows: list[list[int]]) -> None:
    found = list(DLXCPP(rows))
    assert len(found) == len(set(map(frozenset, found)))
    assert set(map(frozenset, found)) == covers(rows)
    solver = dlx_solver(rows)
    assert solver.rows() == rows
    assert solver.number_of_solutions() == solver.number_of_solutions(ncpus=2) == len(found)
    assert solver.all_solutions() == list(solver.solutions_iterator(2)) == found
    assert solver.one_solution() == (found[0] if found else None)
    one_by_one = []
    while solver.search():
        one_by_one.append(solver.get_solution())
    assert one_by_one == found
    assert solver.search() == 0


@given(rows=rows)
def test_matrices(rows: list[list[int]]) -> None:
    width = max((column for row in rows for column in row), default=-1) + 1
    matrix = [[int(column in row) for column in range(width)] for row in rows]
    expected = [[matrix[number] for number in solution] for solution in DLXCPP(rows)]
    assert list(AllExactCovers(matrix)) == expected
    assert list(AllExactCovers(SageMatrix(matrix))) == [list(map(tuple, one)) for one in expected]
    assert OneExactCover(matrix) == (expected[0] if expected else None)


class SageMatrix:
    """What is used of a matrix in Sage."""

    def __init__(self, cells: list[list[int]]) -> None:
        self.cells = cells

    def rows(self) -> list[tuple[int, ...]]:
        return list(map(tuple, self.cells))


class SageInteger:
    """What is used of an integer in Sage, which is no `int`."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


def test_integers_of_sage() -> None:
    assert list(DLXCPP([[SageInteger(0)], [SageInteger(1)]])) == [[0, 1]]


def test_a_column_that_no_row_has() -> None:
    assert list(DLXCPP([[0], [2]])) == []


@pytest.mark.parametrize("column", [-1, "a", 0.5, None])
def test_what_is_no_column(column: Any) -> None:
    with pytest.raises(dlx.InvalidEntry, match=r"row 1 has .*; columns are integers from 0 up"):
        list(DLXCPP([[0], [column]]))


def test_what_are_no_rows() -> None:
    with pytest.raises(dlx.InvalidEntry, match="row 1 is 3; a row is a list of column numbers"):
        dlx_solver([[0], 3])  # type: ignore[list-item]
    with pytest.raises(dlx.InvalidEntry, match="rows is 3; give a list of rows"):
        dlx_solver(3)  # type: ignore[arg-type]


def test_the_solver_says_what_it_is() -> None:
    solver = dlx_solver([[0, 1], [], [2]])
    assert repr(solver) == "Dancing links solver for 3 columns and 3 rows"
    assert solver.problem().names == (0, 2)
    assert [dlx_solver(rows).ncols() for rows in ([], [[]], [[0]])] == [0, 0, 1]
