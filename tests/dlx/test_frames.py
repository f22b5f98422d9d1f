"""Problems from data frames and as such: pandas, polars, and mappings of lists."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bruteforce import Case
from commands import run_python
from hypothesis import given
from hypothesis import strategies as st
from strategies import multi_cases

import dlx
from dlx import models

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

Frame = Callable[[dict[str, list[Any]]], Any]


def polars_frame(data: dict[str, list[Any]]) -> Any:
    """Integers beside floats become floats, as with pandas."""
    return pl.DataFrame(data, strict=False)


KINDS: list[Frame] = [pd.DataFrame, polars_frame, dict]
kinds = pytest.mark.parametrize("kind", KINDS, ids=["pandas", "polars", "dict"])

LONG: dict[str, list[Any]] = {
    "shift": ["early", "late", "early", "late", "night"],
    "who": ["Ann", "Ann", "Bo", "Cy", "Cy"],
    "pay": [9, 5, None, 5, 7],
    "room": [None, "red", None, None, None],
}


# -- long ----------------------------------------------------------------------------------------


@kinds
def test_a_long_frame(kind: Frame) -> None:
    problem = dlx.Problem.from_frame(kind(LONG), option="shift", item="who")
    expected = {"early": ["Ann", "Bo"], "late": ["Ann", "Cy"], "night": ["Cy"]}
    assert problem == dlx.Problem.from_options(expected)
    assert problem.items == ("Ann", "Bo", "Cy")


@kinds
def test_costs_of_a_long_frame_need_stand_once(kind: Frame) -> None:
    problem = dlx.Problem.from_frame(kind(LONG), option="shift", item="who", cost="pay")
    assert problem.costs == (9, 5, 7)
    assert list(map(type, problem.costs)) == [int, int, int]
    missing = kind({**LONG, "pay": [9, None, 9, None, 7]})
    with pytest.raises(dlx.InvalidCost, match="option 'late' has no cost in any of its rows"):
        dlx.Problem.from_frame(missing, option="shift", item="who", cost="pay")
    other = kind({**LONG, "pay": [9, 5, 8, 5, 7]})
    with pytest.raises(dlx.InvalidCost, match="row 2: option 'early' has the cost 8, and 9 in"):
        dlx.Problem.from_frame(other, option="shift", item="who", cost="pay")
    half = kind({**LONG, "pay": [9, 5, 9, 5, 7.5]})
    with pytest.raises(dlx.InvalidCost, match=r"row 4 of the frame has the cost 7\.5; a cost is"):
        dlx.Problem.from_frame(half, option="shift", item="who", cost="pay")


@kinds
def test_items_with_a_color_are_secondary(kind: Frame) -> None:
    frame = kind(
        {
            "o": ["x", "x", "y", "y", "z"],
            "i": ["a", "c", "b", "c", "b"],
            "color": [None, "A", None, "B", None],
        }
    )
    problem = dlx.Problem.from_frame(frame, option="o", item="i", color="color")
    assert (problem.primary, problem.secondary) == (("a", "b"), ("c",))
    assert problem.options[1] == ("b", dlx.colored("c", "B"))
    assert list(problem.solutions()) == [("x", "z")]


@kinds
def test_weights_of_a_long_frame(kind: Frame) -> None:
    frame = kind({"o": ["x", "y", "z"], "i": ["kg"] * 3, "n": [2, 1, None]})
    problem = dlx.Problem.from_frame(
        frame, option="o", item="i", times="n", multiplicities={"kg": (3, 3)}
    )
    assert list(problem.options) == [(dlx.times("kg", 2),), ("kg",), ("kg",)]
    assert problem.count() == 2
    both = kind({"o": ["x"], "i": ["kg"], "n": [2], "c": ["red"]})
    with pytest.raises(dlx.InvalidEntry, match="row 0: item 'kg' has the color 'red' and the num"):
        dlx.Problem.from_frame(both, option="o", item="i", times="n", color="c")


@kinds
def test_names_of_several_columns(kind: Frame) -> None:
    frame = kind({"day": [1, 1, 2], "who": ["Ann", "Bo", "Ann"], "task": ["t", "u", "u"]})
    problem = dlx.Problem.from_frame(frame, option=["day", "who"], item="task")
    assert problem.names == ((1, "Ann"), (1, "Bo"), (2, "Ann"))
    assert all(type(day) is int for day, _ in problem.names)  # type: ignore[misc]


@kinds
def test_what_is_wrong_in_a_long_frame(kind: Frame) -> None:
    frame = kind(LONG)
    with pytest.raises(dlx.InvalidArgument, match="option is missing: where each row has one"):
        dlx.Problem.from_frame(frame, item="who")
    with pytest.raises(dlx.InvalidArgument, match="item is 'whom', and the frame has no such col"):
        dlx.Problem.from_frame(frame, option="shift", item="whom")
    with pytest.raises(dlx.InvalidEntry, match="row 0 of the frame has no value in column 'room'"):
        dlx.Problem.from_frame(frame, option="shift", item="room")
    twice = kind({"o": ["x", "x"], "i": ["a", "a"]})
    with pytest.raises(dlx.DuplicateItem, match=r"option 0 \('x'\) contains item 'a' twice"):
        dlx.Problem.from_frame(twice, option="o", item="i")


def test_columns_of_a_mapping() -> None:
    keywords = {"option": "o", "item": "i"}
    with pytest.raises(dlx.InvalidArgument, match="column 'i' has 1 row, and column 'o' has 2"):
        dlx.Problem.from_frame({"o": ["x", "y"], "i": ["a"]}, **keywords)
    for wrong in ("ab", 3, None):
        with pytest.raises(dlx.InvalidArgument, match=r"item is 'i', and this column .*a list"):
            dlx.Problem.from_frame({"o": ["x", "y"], "i": wrong}, **keywords)
    with pytest.raises(dlx.InvalidEntry, match=r"\{1\} in the frame cannot be an item, a color or"):
        dlx.Problem.from_frame({"o": ["x", "y"], "i": ["a", {1}]}, **keywords)


def test_what_is_not_a_frame() -> None:
    for wrong in (3, None, [[1]], "abc"):
        with pytest.raises(dlx.InvalidArgument, match="is not a data frame: it has no columns"):
            dlx.Problem.from_frame(wrong)
    with pytest.raises(dlx.InvalidArgument, match=r"the frame is lazy.*give frame\.collect\(\)"):
        dlx.Problem.from_frame(pl.DataFrame(LONG, strict=False).lazy(), option="shift", item="who")
    double = pd.DataFrame([[1, 0]], columns=["a", "a"])
    with pytest.raises(dlx.InvalidArgument, match="several such columns"):
        dlx.Problem.from_frame(double)


def test_an_empty_list_of_columns_does_not_make_an_empty_problem() -> None:
    for keywords in ({"item": "i"}, {}):
        with pytest.raises(dlx.InvalidArgument, match="option is an empty list; give a column"):
            dlx.Problem.from_frame({"o": [1], "i": [1]}, option=[], **keywords)


def test_secondary_items_of_a_frame_are_checked() -> None:
    frame = {"o": [1, 1, 1], "i": ["a", "x", "y"]}
    with pytest.raises(dlx.InvalidEntry, match="items come as a list, not as the text 'xy'"):
        dlx.Problem.from_frame(frame, option="o", item="i", secondary="xy")
    problem = dlx.Problem.from_frame(frame, option="o", item="i", secondary=["y", "x"])
    assert (problem.primary, problem.secondary) == (("a",), ("y", "x"))


# -- wide ----------------------------------------------------------------------------------------

WIDE: dict[str, list[Any]] = {
    "shift": ["early", "late", "night"],
    "Ann": [1, 1, 0],
    "Bo": [1, 0, 0],
    "Cy": [0, 1, 1],
    "pay": [9, 5, 7],
    "room": ["red", None, "blue"],
}


@kinds
def test_a_wide_frame(kind: Frame) -> None:
    problem = dlx.Problem.from_frame(kind(WIDE), option="shift", cost="pay", color="room")
    assert (problem.primary, problem.secondary) == (("Ann", "Bo", "Cy"), ("room",))
    assert problem.names == ("early", "late", "night")
    assert problem.costs == (9, 5, 7)
    assert list(problem.options) == [
        ("Ann", "Bo", dlx.colored("room", "red")),
        ("Ann", "Cy"),
        ("Cy", dlx.colored("room", "blue")),
    ]
    columns = ["Cy", "Bo", "Ann"]
    some = dlx.Problem.from_frame(kind(WIDE), item=columns, color="room", secondary=["Bo"])
    assert (some.primary, some.secondary) == (("Cy", "Ann"), ("Bo", "room"))
    assert some.names == (0, 1, 2)


@kinds
def test_rows_without_items_are_refused(kind: Frame) -> None:
    with pytest.raises(dlx.EmptyOption, match="option 2 has no items"):
        dlx.Problem.from_frame(kind(WIDE), item=["Bo", "Ann"])


@kinds
def test_weights_in_cells(kind: Frame) -> None:
    frame = kind({"a": [2, 1, 0], "b": [True, False, True]})
    problem = dlx.Problem.from_frame(frame, multiplicities={"a": 3, "b": (1, 2)})
    assert list(problem.options) == [(dlx.times("a", 2), "b"), ("a",), ("b",)]
    for wrong in (1.5, None, -1):
        bad = kind({"a": [1, 1, 1], "b": [1, wrong, 0]})
        with pytest.raises(dlx.InvalidEntry, match=r"row 1, column 'b' of the frame is .*; it m"):
            dlx.Problem.from_frame(bad)
    with pytest.raises(dlx.InvalidArgument, match="times is for frames with one item in each row"):
        dlx.Problem.from_frame(frame, times="a")


def test_the_labels_of_a_pandas_index_are_names() -> None:
    frame = pd.DataFrame({"a": [1, 0], "b": [0, 1]}, index=pd.Index(["x", "y"]))
    assert dlx.Problem.from_frame(frame).names == ("x", "y")
    assert dlx.Problem.from_frame(frame.reset_index(drop=True)).names == (0, 1)
    pairs = pd.MultiIndex.from_tuples([("x", 1), ("x", 2)])
    assert dlx.Problem.from_frame(frame.set_axis(pairs)).names == (("x", 1), ("x", 2))
    double = frame.set_axis(["x", "x"])
    with pytest.raises(dlx.DuplicateName, match="options 0 and 1 are both named 'x'"):
        dlx.Problem.from_frame(double)


def test_a_missing_number_in_a_cell() -> None:
    for values in (pd.array([1, pd.NA], dtype="Int64"), [1.0, float("nan")], [1, None]):
        with pytest.raises(dlx.InvalidEntry, match="row 1, column 'a' of the frame is "):
            dlx.Problem.from_frame(pd.DataFrame({"a": values}))
    for wrong in ("1", (1,), 2**31):
        with pytest.raises(dlx.InvalidEntry, match="row 0, column 'a' of the frame is "):
            dlx.Problem.from_frame({"a": [wrong]})


def test_numbers_beside_gaps_stay_integers() -> None:
    options = {"x": ["a"], "y": ["a", dlx.colored("c", 1)]}
    frame = dlx.Problem.from_options(options, secondary=["c"]).to_frame()
    assert [type(color) for color in frame["color"]] == [type(None), type(None), int]


def test_missing_values_of_pandas() -> None:
    frame = pd.DataFrame(
        {
            "o": ["x", "x", "y"],
            "i": ["a", "c", "a"],
            "color": pd.array([pd.NA, 2, pd.NA], dtype="Int64"),
            "when": pd.to_datetime([None, "2026-01-01", None]),
        }
    )
    for color in ("color", "when"):
        problem = dlx.Problem.from_frame(frame, option="o", item="i", color=color)
        assert (problem.primary, problem.secondary) == (("a",), ("c",))


# -- matrices with labels ------------------------------------------------------------------------


def test_a_matrix_keeps_the_labels_of_pandas() -> None:
    frame = pd.DataFrame(
        [[1, 0, 1], [0, 1, 0], [1, 1, 1]], index=["x", "y", "z"], columns=["a", "b", ("c", 1)]
    )
    problem = dlx.Problem.from_matrix(frame)
    assert problem.items == ("a", "b", ("c", 1))
    assert list(problem.solutions()) == [("x", "y"), ("z",)]
    assert dlx.Problem.from_matrix(frame, secondary=1).secondary == (("c", 1),)
    costs = pd.Series({"z": 7, "x": 1, "y": 2})
    assert dlx.Problem.from_matrix(frame, costs=costs).minimum(2) == [(3, ("x", "y")), (7, ("z",))]
    assert problem.minimum(costs=costs / 2) == [(1.5, ("x", "y"))]
    with pytest.raises(dlx.UnknownOption, match="costs has 'w', but no option has that name"):
        dlx.Problem.from_matrix(frame, costs=pd.Series({"x": 1, "y": 2, "z": 3, "w": 4}))
    with pytest.raises(dlx.DuplicateItem, match="item 'a' is declared twice"):
        dlx.Problem.from_matrix(frame.set_axis(["a", "b", "a"], axis="columns"))


def test_a_matrix_keeps_the_labels_of_polars() -> None:
    frame = pl.DataFrame({"a": [1, 0], "b": [0, 1]})
    problem = dlx.Problem.from_matrix(frame)
    assert problem.items == ("a", "b")
    assert problem.names == (0, 1)
    heavy = dlx.Problem.from_matrix(frame * 2, multiplicities={"a": 2, "b": 2})
    assert heavy.count() == 1


def test_costs_by_label_of_a_series() -> None:
    options = {"x": ["a"], "y": ["a"]}
    for costs in (pd.Series([3, 2], index=["y", "x"]), {"y": 3, "x": 2}):
        assert dlx.Problem.from_options(options, costs=costs).costs == (2, 3)


# -- there and back ------------------------------------------------------------------------------


@pytest.mark.parametrize("library", ["pandas", "polars"])
@given(case=multi_cases(), data=st.data())
def test_a_problem_survives_a_frame(library: str, case: Case, data: st.DataObject) -> None:
    plain = case.problem()
    if not len(plain):
        return
    names = data.draw(
        st.lists(
            st.text(max_size=3) | st.tuples(st.text(max_size=2), st.integers(-9, 9)),
            min_size=len(plain),
            max_size=len(plain),
            unique=True,
        )
    )
    costs = data.draw(st.lists(st.integers(-9, 9), min_size=len(plain), max_size=len(plain)))
    problem = dlx.Problem.from_options(
        dict(zip(names, plain.options, strict=True)),
        primary=plain.primary,
        secondary=plain.secondary,
        multiplicities=plain.multiplicities,
        costs=costs,
    )
    frame = problem.to_frame(library=library)
    columns = {name: name for name in frame.columns if name not in ("option", "item")}
    again = dlx.Problem.from_frame(
        frame,
        option="option",
        item="item",
        **columns,
        primary=problem.primary,
        secondary=problem.secondary,
        multiplicities=problem.multiplicities,
    )
    assert again == problem


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_solutions_as_frames(library: str) -> None:
    queens = models.queens(5)
    frame = queens.to_frame(queens.solutions(), library=library)
    assert list(frame.columns) == ["solution", "option", "item"]
    assert frame["solution"].n_unique() == 10 if library == "polars" else True
    rows = zip(*(list(frame[name]) for name in frame.columns), strict=True)
    found: dict[int, dict[Any, list[Any]]] = {}
    for number, option, item in rows:
        found.setdefault(number, {}).setdefault(tuple(option), []).append(item)
    assert [tuple(options) for options in found.values()] == list(queens.solutions())
    for options in found.values():
        for name, items in options.items():
            assert tuple(items) == queens.options[queens.index_of(name)]
    assert queens.to_frame(queens.solutions(), library="dict") == {
        name: list(map(tuple, frame[name])) if name == "option" else list(frame[name])
        for name in frame.columns
    }
    empty = queens.to_frame([], library=library)
    assert list(empty.columns) == ["solution", "option", "item"]
    assert len(empty) == 0


def test_what_to_frame_refuses() -> None:
    problem = models.queens(4)
    with pytest.raises(dlx.InvalidArgument, match="library is 'dask'; it must be 'pandas'"):
        problem.to_frame(library="dask")
    with pytest.raises(dlx.UnknownOption):
        problem.to_frame([[(9, 9)]])
    named = dlx.Problem.from_options({"early": ["a"]})
    for one in (named.solve(), [None], [3]):
        with pytest.raises(dlx.InvalidArgument, match=r"solutions has .*; give a list of solutio"):
            named.to_frame(one)
    with pytest.raises(dlx.InvalidArgument, match="solutions is 3; give a list of solutions"):
        named.to_frame(3)  # type: ignore[arg-type]


def test_no_library_is_imported_by_itself() -> None:
    code = (
        "import sys, dlx; dlx.Problem.from_frame({'o': [1], 'i': ['a']}, option='o', item='i'); "
        "print({'pandas', 'polars', 'numpy', 'networkx'} & set(sys.modules))"
    )
    done = run_python(code)
    assert (done.stdout, done.stderr) == ("set()\n", "")


def test_csv_is_the_long_frame(tmp_path: Path) -> None:
    problem = dlx.Problem.from_options(
        {"x, y": ["a b", dlx.colored("s", "red")], "z": ["c"], "w": ["a b", dlx.colored("s", 2)]},
        secondary=["s"],
        costs=[0, -5, 3],
    )
    problem.dump(tmp_path / "x.csv")
    with open(tmp_path / "x.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert rows[0] == {
        "option": "x, y",
        "item": "a b",
        "kind": "primary",
        "color": "",
        "cost": "0",
    }
    frame: dict[str, list[Any]] = {name: [row[name] for row in rows] for name in rows[0]}
    frame["color"] = [color or None for color in frame["color"]]
    frame["cost"] = list(map(int, frame["cost"]))
    again = dlx.Problem.from_frame(frame, option="option", item="item", color="color", cost="cost")
    assert list(map(set, again.solutions())) == list(map(set, problem.solutions()))
    assert again.costs == problem.costs
    assert again.secondary == problem.secondary


def test_csv_refuses_what_it_cannot_hold() -> None:
    several = dlx.Problem.from_options([["a"], ["a"]], multiplicities={"a": (0, 2)})
    with pytest.raises(dlx.FormatError, match="'a' has the multiplicity 0 to 2, which CSV cannot"):
        several.dump(io.StringIO(), format="csv")
    with pytest.raises(dlx.FormatError, match="item 'b' is in no option, so CSV cannot hold it"):
        dlx.Problem.from_options([["a"]], primary=["a", "b"]).dump(io.StringIO(), format="csv")
    with pytest.raises(dlx.FormatError, match="two items have the same text"):
        dlx.Problem.from_options([[1, "1"]]).dump(io.StringIO(), format="csv")
    with pytest.raises(dlx.FormatError, match="two options have the same text"):
        dlx.Problem.from_options({1: ["a"], "1": ["a"]}).dump(io.StringIO(), format="csv")
