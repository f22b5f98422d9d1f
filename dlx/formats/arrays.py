"""Reads problems from matrices, of zeros and ones or of weights, and from compressed rows (CSR).

NumPy and SciPy are optional: their objects are recognized by their attributes, so they are imported
only if the caller passes such an object.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Sequence
from itertools import accumulate, chain, compress, cycle, repeat
from typing import Any, NamedTuple

from dlx.core.arguments import check_item_count, integer, is_list_like
from dlx.errors import InvalidEntry, counted, quote

__all__ = ["MatrixRows", "read_arrays", "read_matrix", "split_items"]


def split_items(items: Any, secondary: Any) -> tuple[Sequence[Hashable], Sequence[Hashable]]:
    """The primary and the secondary items; `items` is their number, or a list of them.

    The last `secondary` of them are secondary.
    """
    number = integer(items)
    check_item_count(items)
    if number is None and is_list_like(items):
        listed: Sequence[Hashable] = list(items)
    elif number is not None and number >= 0:
        listed = range(number)
    else:
        raise InvalidEntry(f"items is {quote(items)}; it must be a number from 0 up, or a list")
    last = integer(secondary)
    if last is None or not 0 <= last <= len(listed):
        raise InvalidEntry(
            f"secondary is {quote(secondary)}; it must be a number from 0 to {len(listed)}, "
            "the number of items"
        )
    primary = len(listed) - last
    return listed[:primary], listed[primary:]


# -- compressed rows -----------------------------------------------------------------------------


def read_arrays(
    indptr: Any, indices: Any, colors: Any = None, weights: Any = None
) -> tuple[array[int], array[int], array[int], array[int]]:
    """The four arrays of a problem, as 32-bit integers. `Table.adopt` checks their contents."""
    start = _int_array(indptr, "indptr")
    entries = _int_array(indices, "indices")
    palette = array("i") if colors is None else _int_array(colors, "colors")
    heavy = array("i") if weights is None else _int_array(weights, "weights")
    if not start:
        raise InvalidEntry("indptr is empty; it must begin with 0")
    if start[0] != 0 or start[-1] != len(entries):
        raise InvalidEntry(
            f"indptr goes from {start[0]} to {start[-1]}; with {len(entries)} indices it must go "
            f"from 0 to {len(entries)}"
        )
    if colors is not None and len(palette) != len(entries):
        raise InvalidEntry(f"there are {len(palette)} colors for {len(entries)} indices")
    if weights is not None and len(heavy) != len(entries):
        raise InvalidEntry(f"there are {len(heavy)} weights for {len(entries)} indices")
    return start, entries, palette if any(palette) else array("i"), heavy


def _int_array(values: Any, name: str) -> array[int]:
    """The values as a new array of 32-bit integers. O(n), without a Python loop for buffers."""
    try:
        buffer = memoryview(values)
    except (TypeError, ValueError):  # not a buffer, or of a type without a format, such as dates
        return _from_integers(values, name)
    if buffer.ndim != 1:
        raise InvalidEntry(f"{name} has {counted(buffer.ndim, 'dimension')}; it must have one")
    if buffer.format.lstrip("@=<>!") not in tuple("bBhHiIlLqQnN"):
        raise InvalidEntry(
            f"{name} holds elements of type {buffer.format!r}; it must hold integers"
        )
    if buffer.format in ("i", "@i") and buffer.c_contiguous:
        result = array("i")
        result.frombytes(buffer.cast("B"))
        return result
    try:
        return _from_integers(buffer if buffer.c_contiguous else buffer.tolist(), name)
    except NotImplementedError:  # such as another byte order, which iteration converts
        return _from_integers(list(values), name)


def _from_integers(values: Any, name: str) -> array[int]:
    try:
        return array("i", values)
    except (TypeError, ValueError, OverflowError):
        pass
    if not is_list_like(values):
        raise InvalidEntry(f"{name} is {quote(values)}; it must be an array of integers")
    for place, value in enumerate(values):
        try:
            array("i", [value])
        except (TypeError, ValueError, OverflowError):
            raise InvalidEntry(
                f"{name}[{place}] is {quote(value)}; it must be an integer of 32 bits"
            ) from None
    raise InvalidEntry(f"{name} cannot be read twice; give a list or an array")


# -- matrices ------------------------------------------------------------------------------------

FEW_CELLS = 100
"""Up to this size an array of NumPy is read as lists, which is faster."""


class MatrixRows(NamedTuple):
    """A matrix as compressed rows."""

    start: array[int]
    entries: array[int]  # column numbers
    weights: array[int]  # of the entries; empty if all are 1
    columns: int  # the number of columns


def read_matrix(matrix: Any, *, weighted: bool = False) -> MatrixRows:
    """A matrix of zeros and ones, or `weighted` of integers from 0 up, as compressed rows."""
    if hasattr(matrix, "tocsr"):
        return _read_sparse(matrix, weighted)
    if hasattr(matrix, "__array__"):
        return _read_dense(matrix, weighted)
    return _read_bits(matrix) or _read_rows(matrix, weighted)


def _read_bits(matrix: Any) -> MatrixRows | None:
    """A list of lists of zeros and ones; None for any other matrix. Without a Python loop."""
    if type(matrix) is not list or set(map(type, matrix)) != {list} or not matrix[0]:
        return None
    columns = len(matrix[0])
    try:
        cells = bytes(chain.from_iterable(matrix))
    except (TypeError, ValueError, OverflowError):  # no integer, or not in range(256)
        return None
    size = columns * len(matrix)
    if set(map(len, matrix)) != {columns} or cells.count(0) + cells.count(1) != size:
        return None
    # Not with `sum`: the sum of integers of NumPy may exceed their type.
    firsts, ends = range(0, size, columns), range(columns, size + 1, columns)
    start = array("i", accumulate(map(cells.count, repeat(1), firsts, ends), initial=0))
    return MatrixRows(
        start, array("i", compress(cycle(range(columns)), cells)), array("i"), columns
    )


def _read_rows(matrix: Any, weighted: bool) -> MatrixRows:
    if not is_list_like(matrix):
        raise InvalidEntry(
            f"{quote(matrix)} is not a matrix; give a list of rows of zeros and ones"
        )
    start, entries, weights = array("i", [0]), array("i"), array("i")
    columns: int | None = None
    for number, row in enumerate(matrix):
        if not is_list_like(row):
            raise InvalidEntry(f"row {number} of the matrix is {quote(row)}; it must be a list")
        cells = list(row)
        if columns is None:
            columns = len(cells)
        if len(cells) != columns:
            raise InvalidEntry(
                f"row {number} of the matrix has {counted(len(cells), 'number')}; "
                f"the first has {columns}"
            )
        for column, cell in enumerate(cells):
            weight = _weight_in(cell, number, column, weighted)
            if weight:
                entries.append(column)
                weights.append(weight)
        start.append(len(entries))
    return MatrixRows(start, entries, weights, columns or 0)


def _weight_in(cell: Any, row: int, column: int, weighted: bool) -> int:
    """The number in a cell: 0 or 1, or any weight."""
    if not hasattr(cell, "__len__"):
        if cell in (0, 1):
            return int(cell)
        if weighted and _is_weight(cell):
            return int(cell)
    raise InvalidEntry(_not_a_weight(row, column, cell, weighted))


def _is_weight(cell: Any) -> bool:
    try:
        return bool(0 <= cell < 2**31 and int(cell) == cell)
    except (TypeError, ValueError, OverflowError):
        return False


def _not_a_weight(row: int, column: int, value: Any, weighted: bool) -> str:
    shown = value.item() if hasattr(value, "item") and not hasattr(value, "__len__") else value
    wanted = "an integer from 0 up" if weighted else "0 or 1"
    return f"row {row}, column {column} of the matrix is {quote(shown)}; it must be {wanted}"


def _read_dense(matrix: Any, weighted: bool) -> MatrixRows:
    import numpy as np

    dense = np.asarray(matrix)
    if dense.ndim == 2 and dense.dtype == object:
        return _read_rows(dense.tolist(), weighted)
    _check_kind(dense)
    if dense.size <= FEW_CELLS and (few := _read_bits(dense.tolist())) is not None:
        return few
    wrong = np.argwhere(_is_wrong(dense, weighted))
    if len(wrong):
        row, column = map(int, wrong[0])
        raise InvalidEntry(_not_a_weight(row, column, dense[row, column], weighted))
    rows, columns = np.nonzero(dense)
    start = np.searchsorted(rows, np.arange(dense.shape[0] + 1)).astype(np.int32)
    return MatrixRows(
        _int_array(start, "indptr"),
        _int_array(columns.astype(np.int32), "indices"),
        _int_array(dense[rows, columns].astype(np.int32), "weights"),
        dense.shape[1],
    )


def _check_kind(matrix: Any) -> None:
    """Raises `InvalidEntry` for a matrix of NumPy or SciPy of another shape, or without numbers."""
    dimensions = len(matrix.shape)
    if dimensions != 2:
        raise InvalidEntry(f"the matrix has {counted(dimensions, 'dimension')}; it must have two")
    if matrix.dtype.kind not in "biuf":
        raise InvalidEntry(
            f"the matrix holds elements of type {matrix.dtype}; it must hold 0 and 1"
        )


def _is_wrong(values: Any, weighted: bool) -> Any:
    """Where an array of NumPy has a number that no entry of a matrix may be."""
    import numpy as np

    if not weighted:
        return (values != 0) & (values != 1)
    right = (values >= 0) & (values < 2**31)  # NaN is neither
    return ~(right & (values == np.floor(values))) if values.dtype.kind == "f" else ~right


def _read_sparse(matrix: Any, weighted: bool) -> MatrixRows:
    import numpy as np

    _check_kind(matrix)
    if matrix.dtype.kind != "f":
        matrix = matrix.astype(np.int64)  # wide enough for the sums of duplicate entries
    rows = matrix.tocsr().copy()
    rows.sum_duplicates()
    rows.eliminate_zeros()
    wrong = np.flatnonzero(_is_wrong(rows.data, weighted))
    if len(wrong):
        place = int(wrong[0])
        row = int(np.searchsorted(rows.indptr, place, side="right")) - 1
        raise InvalidEntry(_not_a_weight(row, int(rows.indices[place]), rows.data[place], weighted))
    return MatrixRows(
        _int_array(rows.indptr, "indptr"),
        _int_array(rows.indices, "indices"),
        _int_array(rows.data.astype(np.int32), "weights"),
        rows.shape[1],
    )
