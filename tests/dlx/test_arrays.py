"""from_arrays: compressed rows from every kind of array, right and wrong."""

from __future__ import annotations

import tracemalloc
from array import array
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from bruteforce import Case
from hypothesis import given
from strategies import cases, large_cases

import dlx

INDPTR, INDICES = [0, 2, 3, 5], [0, 1, 2, 1, 2]
EXPECTED = [(0, 1), (2,), (1, 2)]

READABLE: dict[str, Callable[[list[int]], Any]] = {
    "list": list,
    "tuple": tuple,
    "range or list": lambda values: range(values[-1] + 1) if values == [0, 1] else values,
    "bytes": bytes,
    "bytearray": bytearray,
    "memoryview": lambda values: memoryview(array("i", values)),
    "non-contiguous": lambda values: np.repeat(np.array(values, dtype=np.int32), 2)[::2],
    "reversed": lambda values: np.array(values[::-1], dtype=np.int32)[::-1],
    "read-only": lambda values: memoryview(np.array(values, dtype=np.int32)).toreadonly(),
    "NumPy integers": lambda values: list(np.array(values)),
    **{f"array {code}": lambda values, code=code: array(code, values) for code in "bBhHiIlLqQ"},
    **{
        f"numpy {dtype}": lambda values, dtype=dtype: np.array(values, dtype=dtype)
        for dtype in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
    },
}


@pytest.mark.parametrize("form", READABLE.values(), ids=READABLE.keys())
def test_arrays_of_every_kind(form: Callable[[list[int]], Any]) -> None:
    for indptr, indices in ((form(INDPTR), INDICES), (INDPTR, form(INDICES))):
        problem = dlx.Problem.from_arrays(indptr, indices, items=3)
        assert problem.options == EXPECTED
        assert problem.items == (0, 1, 2)
        assert problem.solve() == (0, 1)


def test_other_byte_orders() -> None:
    """Refused or read, never misread."""
    big = np.array(INDPTR, dtype=">i4")
    try:
        problem = dlx.Problem.from_arrays(big, INDICES, items=3)
    except dlx.InvalidEntry as error:
        assert "indptr" in str(error)  # noqa: PT017
    else:
        assert problem.options == EXPECTED


def test_the_arrays_are_copied() -> None:
    indptr, indices = np.array(INDPTR, dtype=np.int32), array("i", INDICES)
    problem = dlx.Problem.from_arrays(indptr, indices, items=3)
    indptr[:] = -1
    indices[0] = 99
    indices.append(5)  # a problem that exported the buffer would forbid this
    assert problem.options == EXPECTED
    assert problem.count() == 1
    problem.add_option([0, 1, 2])
    assert len(indices) == 6
    assert problem.count() == 2


@given(case=cases(max_options=12) | large_cases())
def test_arrays_and_options_make_the_same_problem(case: Case) -> None:
    items = case.primary + case.secondary
    indptr, indices, colors = [0], [], []
    palette: dict[Any, int] = {}
    for option in case.options:
        for entry in option:
            color = 0
            if isinstance(entry, dlx.Colored):
                color = palette.setdefault(entry.color, len(palette) + 1)
                entry = entry.item
            indices.append(items.index(entry))
            colors.append(color)
        indptr.append(len(indices))
    problem = dlx.Problem.from_arrays(
        indptr, indices, items=items, secondary=len(case.secondary), colors=colors
    )
    assert problem.items == items
    assert problem.secondary == case.secondary
    original = case.problem()
    assert list(problem.solutions(limit=50)) == list(original.solutions(limit=50))
    names = {number: color for color, number in palette.items()}
    assert list(case.options) == [
        tuple(dlx.colored(e.item, names[e.color]) if isinstance(e, dlx.Colored) else e for e in o)
        for o in problem.options
    ]


# -- items, colors, names ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "items", [["a", "b", "c"], ("a", "b", "c"), iter("abc"), {"a": 1, "b": 2, "c": 3}]
)
def test_items_by_name(items: Any) -> None:
    problem = dlx.Problem.from_arrays(INDPTR, INDICES, items=items)
    assert problem.options == [("a", "b"), ("c",), ("b", "c")]
    assert problem.items == ("a", "b", "c")


def test_secondary_items_are_the_last() -> None:
    problem = dlx.Problem.from_arrays([0, 2, 4], [0, 2, 1, 2], items=["a", "b", "c"], secondary=1)
    assert problem.primary == ("a", "b")
    assert problem.secondary == ("c",)
    assert problem.options == [("a", "c"), ("b", "c")]
    assert problem.count() == 0


def test_the_number_of_items_may_be_a_numpy_integer() -> None:
    """As in `items=indices.max() + 1`."""
    indices = np.array(INDICES)
    problem = dlx.Problem.from_arrays(INDPTR, indices, items=indices.max() + 1)
    assert problem.items == (0, 1, 2)


def test_colors() -> None:
    problem = dlx.Problem.from_arrays(
        [0, 2, 4, 6], [0, 2, 1, 2, 1, 2], items=3, secondary=1, colors=[0, 7, 0, 7, 0, 1]
    )
    x = dlx.colored
    assert problem.options == [(0, x(2, 7)), (1, x(2, 7)), (1, x(2, 1))]
    assert list(problem.solutions()) == [(0, 1)]
    problem.add_option([1, x(2, "other")])
    problem.add_option([1, x(2, 7)])
    problem.add_option([1, x(2, 5)])
    assert problem.options[3:] == ((1, x(2, "other")), (1, x(2, 7)), (1, x(2, 5)))
    assert list(problem.solutions()) == [(0, 1), (0, 4)]


def test_colors_that_are_all_zero_are_none() -> None:
    plain = dlx.Problem.from_arrays(INDPTR, INDICES, items=3)
    assert dlx.Problem.from_arrays(INDPTR, INDICES, items=3, colors=[0] * 5) == plain
    assert dlx.Problem.from_arrays([0], [], items=3, colors=[]).count() == 0


def test_names() -> None:
    problem = dlx.Problem.from_arrays(INDPTR, INDICES, items=3, names=iter(["x", ("y", 1), None]))
    assert problem.names == ("x", ("y", 1), 2)
    assert problem.solve() == ("x", ("y", 1))
    assert problem.solve(given=[("y", 1)]) == (("y", 1), "x")
    assert problem.add_option([0], name="z") == 3


@pytest.mark.parametrize("names", [[2, 1, 0], [1, 2, 3], [0, 1, 2], [1, None, 0], [7, 8, 9]])
def test_names_that_are_integers(names: list[int | None]) -> None:
    if names[1] is None:
        with pytest.raises(dlx.DuplicateName):
            dlx.Problem.from_arrays(INDPTR, INDICES, items=3, names=names)
        return
    problem = dlx.Problem.from_arrays(INDPTR, INDICES, items=3, names=names)
    assert problem.names == tuple(names)
    assert problem.solve() == tuple(names[:2])
    assert [problem.index_of(name) for name in names] == [0, 1, 2]


def test_items_that_are_added_later() -> None:
    """The items of an array problem are declared: options cannot bring new ones."""
    problem = dlx.Problem.from_arrays(INDPTR, INDICES, items=3)
    with pytest.raises(dlx.UnknownItem, match="option 3: item 3"):
        problem.add_option([3])
    problem.add_item(3)
    assert problem.add_option([3]) == 3
    assert problem.count() == 1


def test_no_options() -> None:
    assert dlx.Problem.from_arrays([0], [], items=0).count() == 1
    assert dlx.Problem.from_arrays([0], [], items=2).count() == 0
    assert dlx.Problem.from_arrays(np.zeros(1, np.int32), np.zeros(0, np.int32), items=2) == (
        dlx.Problem(range(2))
    )


# -- wrong arrays --------------------------------------------------------------------------------

FLOATS = [np.array([0.0, 1.0]), array("d", [0, 1]), [0.0, 1.0], [0, 1.0], ["0", 1]]


@pytest.mark.parametrize("floats", FLOATS)
@pytest.mark.parametrize("which", ["indptr", "indices", "colors"])
def test_floats_are_refused_even_if_they_are_whole(which: str, floats: Any) -> None:
    arrays: dict[str, Any] = {"indptr": [0, 2], "indices": [0, 1], "colors": [0, 0]}
    with pytest.raises(dlx.InvalidEntry, match=which):
        dlx.Problem.from_arrays(**(arrays | {which: floats}), items=2)


@pytest.mark.parametrize(
    "value",
    [
        None, 5, "01", 1.5, object, {0: "a"}.items(),
        np.array([[0, 1]]), np.array(0), np.array([True, False]), np.array(["a", "b"]),
        np.array([0, 1], dtype=object), np.array([0j, 1]), np.array(["2020"], dtype="M8[D]"),
        np.array([(0, 1)], dtype="i4,i4"), [0, None], [0, 2**31], [0, -(2**31) - 1],
        np.array([0, 2**40]), array("Q", [0, 2**63]), [[0], [1]],
    ],
    ids=lambda value: repr(value)[:30],
)  # fmt: skip
@pytest.mark.parametrize("which", ["indptr", "indices", "colors"])
def test_what_is_no_array_of_integers(which: str, value: Any) -> None:
    if which == "colors" and value is None:
        return
    arrays: dict[str, Any] = {"indptr": [0, 2], "indices": [0, 1], "colors": [0, 0]}
    with pytest.raises(dlx.InvalidEntry, match=which):
        dlx.Problem.from_arrays(**(arrays | {which: value}), items=2)


def test_an_integer_too_large_is_named() -> None:
    with pytest.raises(dlx.InvalidEntry, match=r"indices\[1\] is 4294967296"):
        dlx.Problem.from_arrays([0, 2], np.array([0, 2**32]), items=2)
    with pytest.raises(dlx.InvalidEntry, match=r"indices\[1\] is None"):
        dlx.Problem.from_arrays([0, 2], [0, None], items=2)


@pytest.mark.parametrize(
    ("indptr", "words"),
    [
        ([], ["indptr is empty"]),
        ([1, 5], ["from 1 to 5", "from 0 to 5"]),
        ([0, 4], ["from 0 to 4", "5 indices"]),
        ([0, 6], ["from 0 to 6", "5 indices"]),
        ([0], ["from 0 to 0", "5 indices"]),
        ([0, 3, 2, 5], ["option 1", "3 and 2"]),
        ([0, 7, 2, 5], ["option 0", "0 and 7"]),
        ([0, -1, 5], ["option 0", "0 and -1"]),
        ([0, 2, -2, 5], ["option 1", "2 and -2"]),
        ([0, 2**31 - 1, 5], ["option 0", str(2**31 - 1)]),
    ],
)
def test_wrong_bounds(indptr: list[int], words: list[str]) -> None:
    with pytest.raises(dlx.InvalidEntry) as caught:
        dlx.Problem.from_arrays(indptr, INDICES, items=3)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("item", [-1, 3, 2**31 - 1, -(2**31)])
def test_items_out_of_range(item: int) -> None:
    with pytest.raises(dlx.UnknownItem) as caught:
        dlx.Problem.from_arrays(INDPTR, [0, 1, 2, item, 2], items=3)
    message = str(caught.value)
    assert f"option 2: there is no item {item} (indices[3])" in message
    assert "3 items" in message


@pytest.mark.parametrize(
    ("error", "indptr", "indices", "colors", "words"),
    [
        (dlx.EmptyOption, [0, 1, 1], [0], None, ["option 1", "no items"]),
        (dlx.DuplicateItem, [0, 1, 3], [0, 1, 1], None, ["option 1", "item 1", "twice"]),
        (dlx.NoPrimaryItem, [0, 1, 2], [0, 2], None, ["option 1", "no primary"]),
        (dlx.ColorOnPrimary, [0, 1, 3], [0, 1, 2], [0, 4, 0], ["option 1", "item 1", "color"]),
        (dlx.InvalidEntry, [0, 1, 3], [0, 1, 2], [0, 0, -1], ["option 1", "-1 (colors[2])"]),
        (dlx.InvalidEntry, [0, 1], [0], [0, 0], ["2 colors", "1 indices"]),
        (dlx.InvalidEntry, [0, 1], [0], [], ["0 colors", "1 indices"]),
    ],
)
def test_wrong_options(
    error: type[dlx.DLXError],
    indptr: list[int],
    indices: list[int],
    colors: list[int] | None,
    words: list[str],
) -> None:
    with pytest.raises(error) as caught:
        dlx.Problem.from_arrays(indptr, indices, items=3, secondary=1, colors=colors)
    assert type(caught.value) is error
    for word in words:
        assert word in str(caught.value)


def test_a_large_color_costs_no_memory() -> None:
    """Colors are names: a large one must not take room for all below it."""
    color = 1_000_000
    tracemalloc.start()
    try:
        problem = dlx.Problem.from_arrays([0, 2], [0, 1], items=2, secondary=1, colors=[0, color])
        assert tracemalloc.get_traced_memory()[1] < color
    finally:
        tracemalloc.stop()
    assert problem.options == [(0, dlx.colored(1, color))]


@pytest.mark.parametrize("items", [-1, True, None, 1.5, "abc", b"abc"])
def test_bad_items(items: Any) -> None:
    with pytest.raises(dlx.InvalidEntry, match="item"):
        dlx.Problem.from_arrays([0, 1], [0], items=items)


def test_items_named_twice() -> None:
    with pytest.raises(dlx.DuplicateItem, match="'a'"):
        dlx.Problem.from_arrays([0, 1], [0], items=["a", "a"])


@pytest.mark.parametrize("secondary", [-1, 2, True, 0.0, "0", None])
def test_bad_secondary(secondary: Any) -> None:
    with pytest.raises(dlx.InvalidEntry, match="secondary is "):
        dlx.Problem.from_arrays([0, 1], [0], items=1, secondary=secondary)


@pytest.mark.parametrize(
    ("names", "error", "words"),
    [
        (["x", "y"], dlx.InvalidEntry, ["2 names for 3 options"]),
        ([], dlx.InvalidEntry, ["0 names"]),
        (["x", "y", "x"], dlx.DuplicateName, ["options 0 and 2", "'x'"]),
        (["x", "y", []], dlx.InvalidEntry, ["option 2", "[]", "not hashable"]),
        (["x", 2, None], dlx.DuplicateName, ["options 1 and 2", "2"]),
    ],
)
def test_bad_names(names: list[Any], error: type[dlx.DLXError], words: list[str]) -> None:
    with pytest.raises(error) as caught:
        dlx.Problem.from_arrays(INDPTR, INDICES, items=3, names=names)
    for word in words:
        assert word in str(caught.value)
