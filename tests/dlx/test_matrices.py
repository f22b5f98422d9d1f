"""from_matrix: nested lists, NumPy and SciPy in all their forms, right and wrong."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import dlx

ROWS = [[0, 1, 0, 1], [1, 0, 1, 0], [1, 0, 0, 0], [0, 0, 1, 0]]
DTYPES = [
    "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
    "float16", "float32", "float64", ">i4", "longdouble",
]  # fmt: skip
SPARSE_FORMATS = ["coo", "csc", "csr", "bsr", "dia", "dok", "lil"]
SPARSE_TYPES = [
    getattr(sparse, f"{name}_{kind}") for name in SPARSE_FORMATS for kind in ("matrix", "array")
]


def expected(rows: list[list[int]], secondary: int = 0) -> dlx.Problem:
    columns = range(len(rows[0]))
    return dlx.Problem.from_options(
        [[column for column in columns if row[column]] for row in rows],
        primary=columns[: len(columns) - secondary],
        secondary=columns[len(columns) - secondary :],
    )


matrices = st.integers(1, 8).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(0, 1), min_size=width, max_size=width).filter(any), max_size=8
    ).map(lambda rows: np.array(rows, dtype=int).reshape(len(rows), width))
)


@given(matrix=matrices, data=st.data())
def test_every_form_of_a_matrix_is_the_same_problem(
    matrix: np.ndarray[Any, Any], data: st.DataObject
) -> None:
    problem = dlx.Problem.from_matrix(matrix)
    assert problem.items == tuple(range(matrix.shape[1]))
    assert list(problem.options) == [tuple(np.flatnonzero(row).tolist()) for row in matrix]
    tall = dlx.Problem.from_matrix(np.tile(matrix, (101, 1)))  # too large to be read as lists
    assert (tall.items, list(tall.options)) == (problem.items, list(problem.options) * 101)
    typed = matrix.astype(data.draw(st.sampled_from(DTYPES)))
    typed.flags.writeable = False
    assert dlx.Problem.from_matrix(typed) == problem
    assert dlx.Problem.from_matrix(np.asfortranarray(typed)) == problem
    turned = dlx.Problem.from_matrix(typed[::-1, ::-1])
    assert turned == dlx.Problem.from_matrix(matrix[::-1, ::-1].copy())
    if len(matrix):
        assert dlx.Problem.from_matrix(matrix.tolist()) == problem
        assert dlx.Problem.from_matrix(map(tuple, matrix.astype(bool).tolist())) == problem
        assert dlx.Problem.from_matrix(list(matrix)) == problem
    dense = matrix.astype(data.draw(st.sampled_from(["bool", "int8", "uint8", "int32", "float64"])))
    stored = data.draw(st.sampled_from(SPARSE_TYPES))(dense)
    assert dlx.Problem.from_matrix(stored) == problem
    assert (stored.toarray() == dense).all()  # it was only read


@pytest.mark.parametrize("cell", [False, 0, 0.0, -0.0, np.int8(0), np.bool_(False)])
def test_nested_lists_hold_zeros_and_ones_of_any_type(cell: Any) -> None:
    one = type(cell)(1)
    problem = dlx.Problem.from_matrix([[cell, one], (one, cell)])
    assert problem == expected([[0, 1], [1, 0]])


@pytest.mark.parametrize("size", [(1, 256), (200, 2)])
def test_rows_of_small_integers_whose_number_is_not_one(size: tuple[int, int]) -> None:
    matrix = [list(row) for row in np.ones(size, dtype=np.int8)]
    assert dlx.Problem.from_matrix(matrix) == expected(np.ones(size, dtype=int).tolist())


def test_an_object_array_is_a_list_of_lists() -> None:
    assert dlx.Problem.from_matrix(np.array(ROWS, dtype=object)) == expected(ROWS)
    with pytest.raises(dlx.InvalidEntry, match=r"row 0, column 1 .* 'x'"):
        dlx.Problem.from_matrix(np.array([[1, "x"]], dtype=object))


def test_the_old_matrix_class_of_numpy() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        matrix = np.matrix(ROWS)
    assert dlx.Problem.from_matrix(matrix) == expected(ROWS)


@pytest.mark.parametrize("secondary", [0, 1, 3])
@pytest.mark.parametrize("form", [list, np.array, sparse.csr_array])
def test_secondary_columns_are_the_last(form: Callable[..., Any], secondary: int) -> None:
    rows = [[1, 0, 1, 1], [1, 1, 0, 0]]
    problem = dlx.Problem.from_matrix(form(rows), secondary=secondary)
    assert problem == expected(rows, secondary)
    assert problem.primary == tuple(range(4 - secondary))


@pytest.mark.parametrize("form", [list, np.array, sparse.csr_array])
def test_all_columns_secondary(form: Callable[..., Any]) -> None:
    with pytest.raises(dlx.NoPrimaryItem, match="option 0"):
        dlx.Problem.from_matrix(form([[1, 1]]), secondary=2)


# -- what SciPy can do to a matrix ---------------------------------------------------------------


@pytest.mark.parametrize("kind", [sparse.coo_array, sparse.coo_matrix])
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int32", "float64"])
def test_an_entry_there_twice_is_a_two(kind: Callable[..., Any], dtype: str) -> None:
    data = np.ones(3, dtype=dtype)
    matrix = kind((data, ([0, 1, 1], [0, 1, 1])), shape=(2, 2))
    with pytest.raises(dlx.InvalidEntry, match=r"row 1, column 1 of the matrix is 2(\.0)?;"):
        dlx.Problem.from_matrix(matrix)
    assert matrix.nnz == 3


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int32", "float64"])
def test_an_entry_there_twice_in_rows(dtype: str) -> None:
    data = np.ones(3, dtype=dtype)
    matrix = sparse.csr_array((data, np.array([0, 1, 1]), np.array([0, 1, 3])), shape=(2, 2))
    with pytest.raises(dlx.InvalidEntry, match="row 1, column 1 of the matrix is 2"):
        dlx.Problem.from_matrix(matrix)


def test_entries_there_twice_do_not_overflow() -> None:
    """255 + 2 is 1 in eight bits."""
    data = np.array([255, 2], dtype=np.uint8)
    with pytest.raises(dlx.InvalidEntry, match="row 0, column 0"):
        dlx.Problem.from_matrix(sparse.coo_array((data, ([0, 0], [0, 0])), shape=(1, 1)))


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
def test_stored_zeros_are_zeros(kind: Callable[..., Any]) -> None:
    matrix = sparse.coo_array(([1, 0, 1, 0], ([0, 0, 1, 1], [0, 1, 1, 0])), shape=(2, 2))
    stored = kind(matrix)
    assert stored.nnz == 4
    assert dlx.Problem.from_matrix(stored) == expected([[1, 0], [0, 1]])
    assert stored.nnz == 4


def test_columns_in_any_order() -> None:
    matrix = sparse.csr_array((np.ones(3), np.array([2, 0, 1]), np.array([0, 2, 3])), shape=(2, 3))
    assert dlx.Problem.from_matrix(matrix).options == [(0, 2), (1,)]
    assert matrix.indices.tolist() == [2, 0, 1]


def test_indices_of_64_bits() -> None:
    matrix = sparse.csr_array(np.array(ROWS))
    matrix.indptr, matrix.indices = matrix.indptr.astype("int64"), matrix.indices.astype("int64")
    assert dlx.Problem.from_matrix(matrix) == expected(ROWS)


def test_large() -> None:
    size = 100_000
    problem = dlx.Problem.from_matrix(sparse.eye_array(size, format="dia", dtype=bool))
    assert len(problem) == problem.entry_count == size
    assert problem.is_unique()


# -- wrong matrices ------------------------------------------------------------------------------

FORMS: list[Callable[..., Any]] = [
    lambda rows: rows,
    np.array,
    lambda rows: np.array(rows, dtype=object),
    *(lambda rows, kind=kind: kind(np.array(rows, dtype=float)) for kind in SPARSE_TYPES),
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("value", [2, -1, float("nan"), 0.5, float("inf"), 255])
def test_entries_other_than_zero_and_one(form: Callable[..., Any], value: float) -> None:
    matrix = form([[1, 0, 1], [0, 1, value]])
    with pytest.raises(dlx.InvalidEntry) as caught:
        dlx.Problem.from_matrix(matrix)
    message = str(caught.value)
    assert message.startswith("row 1, column 2 of the matrix is ")
    assert str(value) in message
    assert "0 or 1" in message


@pytest.mark.parametrize("dtype", ["int8", "int64", "float32"])
@pytest.mark.parametrize("value", [-1, 2])
def test_negative_and_large_entries_of_small_types(dtype: str, value: int) -> None:
    for form in (np.array, sparse.csr_array):
        with pytest.raises(dlx.InvalidEntry, match=f"row 0, column 0 of the matrix is {value}"):
            dlx.Problem.from_matrix(form(np.array([[value]], dtype=dtype)))


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        ([[1, 0], [1]], ["row 1", "1 number;", "the first has 2"]),
        ([[1], [1, 0]], ["row 1", "2 numbers;"]),
        ([[1, 0], []], ["row 1", "0 numbers;"]),
        ([1, 0], ["row 0", "is 1", "list"]),
        ([[1], 5], ["row 1", "is 5", "list"]),
        (["10"], ["row 0", "'10'"]),
        ([["1", "0"]], ["row 0, column 0", "'1'"]),
        ([[1, None]], ["row 0, column 1", "None"]),
        ([[[1]]], ["row 0, column 0", "[1]"]),
        ("10", ["'10'"]),
        (b"10", ["b'10'"]),
        (5, ["5 is not a matrix"]),
        (None, ["None is not a matrix"]),
        (np.array([1, 0]), ["1 dimension;"]),
        (np.array(1), ["0 dimensions"]),
        (np.zeros((1, 2, 3)), ["3 dimensions"]),
        (np.array([["1", "0"]]), ["<U1"]),
        (np.array([[1j, 0]]), ["complex128"]),
        (np.array([["2020"]], dtype="M8[D]"), ["datetime64"]),
        (sparse.coo_array(np.array([1, 0])), ["1 dimension;"]),
        (sparse.csr_array(np.array([[1j]])), ["complex128"]),
        ([np.array([[1, 0], [0, 1]])], ["row 0"]),
        ([np.array([[1], [0]])], ["row 0"]),
    ],
)
def test_what_is_no_matrix(matrix: Any, words: list[str]) -> None:
    with pytest.raises(dlx.InvalidEntry) as caught:
        dlx.Problem.from_matrix(matrix)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("form", [list, np.array, sparse.csr_array])
def test_a_row_of_zeros_is_an_option_without_items(form: Callable[..., Any]) -> None:
    with pytest.raises(dlx.EmptyOption, match="option 1 has no items"):
        dlx.Problem.from_matrix(form([[1, 0], [0, 0]]))


@pytest.mark.parametrize("form", [list, np.array, sparse.csr_array])
def test_a_column_of_zeros_cannot_be_covered(form: Callable[..., Any]) -> None:
    problem = dlx.Problem.from_matrix(form([[1, 0]]))
    assert problem.items == (0, 1)
    assert problem.count() == 0
    assert dlx.Problem.from_matrix(form([[1, 0]]), secondary=1).count() == 1


def test_empty_matrices() -> None:
    assert dlx.Problem.from_matrix([]) == dlx.Problem([])
    for empty in (np.zeros((0, 3)), sparse.csr_array((0, 3)), sparse.coo_matrix((0, 3))):
        assert dlx.Problem.from_matrix(empty) == dlx.Problem(range(3))
    assert dlx.Problem.from_matrix(np.zeros((0, 0))).count() == 1
    with pytest.raises(dlx.EmptyOption, match="option 0"):
        dlx.Problem.from_matrix([[]])
    with pytest.raises(dlx.EmptyOption, match="option 0"):
        dlx.Problem.from_matrix(np.zeros((2, 0)))


@pytest.mark.parametrize("secondary", [-1, 3, True, 1.0, "1", None])
def test_bad_secondary(secondary: Any) -> None:
    with pytest.raises(dlx.InvalidEntry, match="secondary is ") as caught:
        dlx.Problem.from_matrix([[1, 1]], secondary=secondary)
    assert repr(secondary) in str(caught.value)
