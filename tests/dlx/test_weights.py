"""Options that cover an item several times, and items without an upper bound: the data of them."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence
from typing import Any

import pytest
from internals import table_of

import dlx
from dlx.checkpoint.problems import fingerprint, first_difference, pack_problem, unpack_problem
from dlx.core.color import item_of
from dlx.core.times import LARGEST_EXTRA

BOUNDS: dict[str, Any] = {"a": (3, 5), "b": (0, None)}
OPTIONS: dict[str, list[Any]] = {
    "x": [dlx.times("a", 3), "b", "s"],
    "y": ["a", dlx.times("b", 7)],
    "z": ["a", "c", dlx.colored("s", "red")],
}


def example() -> dlx.Problem:
    return dlx.Problem.from_options(
        OPTIONS, primary=[*"abc"], secondary=["s"], multiplicities=BOUNDS, costs=[1, 2, 3]
    )


def one_by_one() -> dlx.Problem:
    problem = dlx.Problem([*"abc"], ["s"], multiplicities=BOUNDS)
    for cost, (name, items) in enumerate(OPTIONS.items(), start=1):
        problem.add_option(items, name=name, cost=cost)
    return problem


def from_arrays() -> dlx.Problem:
    return dlx.Problem.from_arrays(
        [0, 3, 5, 8],
        [0, 1, 3, 0, 1, 0, 2, 3],
        items=[*"abcs"],
        secondary=1,
        weights=[3, 1, 1, 1, 7, 1, 1, 1],
        colors=[0, 0, 0, 0, 0, 0, 0, 5],
        names="xyz",
        multiplicities=BOUNDS,
        costs=[1, 2, 3],
    )


def test_every_way_to_build() -> None:
    problem = example()
    assert [list(option) for option in problem.options] == list(OPTIONS.values())
    assert problem.multiplicities == {"a": (3, 5), "b": (0, None)}
    assert problem.multiplicity_of("b") == (0, None)
    assert problem == one_by_one()
    assert [*table_of(problem).entry_weight] == [3, 1, 1, 1, 7, 1, 1, 1]
    assert table_of(problem).extra_weights == table_of(one_by_one()).extra_weights == {0: 2, 1: 6}
    table = table_of(from_arrays())
    assert table.entry_weight == table_of(problem).entry_weight
    assert table.extra_weights == {0: 2, 1: 6}


def test_no_weights_no_array() -> None:
    """A weight of 1 is that of a plain entry."""
    problem = dlx.Problem.from_options([[dlx.times("a", 1), "b"]])
    assert problem == dlx.Problem.from_options([["a", "b"]])
    assert not table_of(problem).entry_weight
    arrays = dlx.Problem.from_arrays([0, 2], [0, 1], items=[*"ab"], weights=[1, 1])
    assert arrays == problem
    assert not table_of(arrays).has_weights


def test_plain_options_after_weights() -> None:
    """The kernel's reader adds the plain ones, and fills the array of weights."""
    options: list[list[Any]] = [["a"], ["b"], [dlx.times("a", 2)], ["a", "b"], ["b"]]
    problem = dlx.Problem.from_options(options, multiplicities={"a": (1, 2)})
    assert [*table_of(problem).entry_weight] == [1, 1, 2, 1, 1, 1]
    assert [list(option) for option in problem.options] == options


def test_times_is_a_value() -> None:
    assert dlx.times("a", 2) == dlx.times("a", 2) != dlx.times("a", 3)
    assert dlx.times("a", 2) != dlx.colored("a", 2)
    assert len({dlx.times("a", 2), dlx.times("a", 2), dlx.times("b", 2)}) == 2
    assert repr(dlx.times("a", 2)) == "dlx.times('a', 2)"
    assert isinstance(dlx.times("a", 2), dlx.Times)
    assert item_of(dlx.times("a", 2)) == "a"


def test_copies_are_equal_and_independent() -> None:
    problem = example()
    for other in (copy.copy(problem), copy.deepcopy(problem), pickle.loads(pickle.dumps(problem))):
        assert other == problem
        other.add_option([dlx.times("a", 5)])
        assert other != problem
        assert table_of(other).extra_weights == {0: 6, 1: 6}
    assert table_of(problem).extra_weights == {0: 2, 1: 6}
    lighter = {**OPTIONS, "x": [dlx.times("a", 2), "b", "s"]}
    assert dlx.Problem.from_options(
        lighter, primary=[*"abc"], secondary=["s"], multiplicities=BOUNDS, costs=[1, 2, 3]
    ) not in (problem,)


@pytest.mark.parametrize(
    ("items", "error", "message"),
    [
        ([dlx.times("a", 0)], dlx.InvalidMultiplicity, "covers item 'a' 0 times; the weight"),
        ([dlx.times("a", -2)], dlx.InvalidMultiplicity, "covers item 'a' -2 times"),
        ([dlx.times("a", 1.5)], dlx.InvalidMultiplicity, "covers item 'a' 1.5 times"),  # type: ignore[arg-type]
        ([dlx.times("a", True)], dlx.InvalidMultiplicity, "covers item 'a' True times"),
        (["c", dlx.times("a", 6)], dlx.InvalidMultiplicity, "'a' 6 times, and its upper bound is"),
        ([dlx.times("c", 2)], dlx.InvalidMultiplicity, "'c' 2 times, and its upper bound is 1;"),
        (["a", dlx.times("s", 2)], dlx.InvalidMultiplicity, "the secondary item 's' 2 times"),
        ([dlx.times(dlx.colored("s", 1), 2)], dlx.InvalidEntry, "takes a primary item, without a"),
        ([dlx.times(dlx.times("a", 2), 2)], dlx.InvalidEntry, "takes a primary item, without a"),
        (["a", dlx.times("a", 2)], dlx.DuplicateItem, "'a' twice; to cover it several times, use"),
        ([dlx.times("q", 2)], dlx.UnknownItem, "item 'q' was not declared"),
        ([dlx.times([], 2)], dlx.InvalidEntry, "is not hashable"),  # type: ignore[arg-type]
        (
            [dlx.times("b", LARGEST_EXTRA - 4)],
            dlx.InvalidMultiplicity,
            "option 3 .'new'. and those before it cover item 'b' too often",
        ),
    ],
)
def test_bad_weights(items: Sequence[Any], error: type[dlx.DLXError], message: str) -> None:
    problem = example()
    with pytest.raises(error, match=message) as caught:
        problem.add_option(items, name="new")
    assert "option 3 ('new')" in str(caught.value)
    assert problem == example()
    with pytest.raises(error):
        dlx.Problem.from_options(
            {**OPTIONS, "new": items}, primary=[*"abc"], secondary=["s"], multiplicities=BOUNDS
        )


def test_bounds_that_come_after_the_options() -> None:
    options = [[dlx.times("a", 2)], [dlx.times("a", 4)]]
    assert dlx.Problem.from_options(options, multiplicities={"a": (0, 4)}).multiplicities
    for bounds in ({"a": 3}, {"a": (0, 3)}, {}, None):
        with pytest.raises(dlx.InvalidMultiplicity, match=r"option [01] covers item 'a' [24] time"):
            dlx.Problem.from_options(options, multiplicities=bounds)
    with pytest.raises(dlx.InvalidMultiplicity, match="option 0 covers item 0 2 times"):
        dlx.Problem.from_arrays([0, 1], [0], items=1, weights=[2])
    with pytest.raises(dlx.InvalidMultiplicity, match="option 0 covers item 0 0 times"):
        dlx.Problem.from_arrays([0, 1], [0], items=1, weights=[0], multiplicities={0: 3})
    with pytest.raises(dlx.InvalidEntry, match="there are 2 weights for 1 indices"):
        dlx.Problem.from_arrays([0, 1], [0], items=1, weights=[2, 1])
    heavy = [dlx.times("a", LARGEST_EXTRA)] * 2
    with pytest.raises(dlx.InvalidMultiplicity, match="option 1 and those before it cover item"):
        dlx.Problem.from_options([[heavy[0]], [heavy[1]]], multiplicities={"a": (0, None)})


def test_no_item_has_a_weight_of_its_own() -> None:
    with pytest.raises(dlx.InvalidEntry, match="give weights in options"):
        dlx.Problem([dlx.times("a", 2)])
    with pytest.raises(dlx.InvalidMultiplicity, match="upper bound is 1"):
        dlx.Problem().add_option([dlx.times("a", 2)])


def test_open_bounds() -> None:
    problem = dlx.Problem(["a"], multiplicities={"a": (2, None)})
    problem.add_item("b", multiplicity=[0, None])  # type: ignore[arg-type]
    assert problem.multiplicities == {"a": (2, None), "b": (0, None)}
    with pytest.raises(dlx.InvalidMultiplicity, match="item 'c': low is None; for no lower bound"):
        problem.add_item("c", multiplicity=(None, 2))  # type: ignore[arg-type]
    with pytest.raises(dlx.InvalidMultiplicity, match="item 'c': the multiplicity -1 is negative"):
        problem.add_item("c", multiplicity=(-1, None))
    with pytest.raises(dlx.InvalidMultiplicity, match="item 'c' is secondary"):
        problem.add_item("c", secondary=True, multiplicity=(0, None))
    with pytest.raises(dlx.InvalidMultiplicity, match="more than 1000 digits"):
        problem.add_item("c", multiplicity=(10**1000, None))


def test_verify_adds_weights() -> None:
    problem = example()
    with pytest.raises(dlx.InvalidSolution, match="item 'a' is covered 2 times instead of 3 to 5"):
        problem.verify(["y", "z"])
    with pytest.raises(dlx.InvalidSolution, match="options 'x' and 'z' both cover item 's'"):
        problem.verify(["x", "z"])
    plain = dlx.Problem.from_options(
        [[dlx.times("a", 2)], [dlx.times("a", 3)], ["a"]], multiplicities={"a": (3, None)}
    )
    for chosen in ([0, 2], [1], [0, 1], [0, 1, 2]):
        plain.verify(chosen)
    with pytest.raises(dlx.InvalidSolution, match="is covered 2 times instead of at least 3"):
        plain.verify([0])


def test_journals_hold_weights() -> None:
    problem = example()
    table = unpack_problem(pack_problem(table_of(problem)).data)
    assert table is not None
    for column in ("entry_weight", "extra_weights", "multiplicities"):
        assert getattr(table, column) == getattr(table_of(problem), column)
    lighter = example()
    table_of(lighter).entry_weight[4] = 6
    assert fingerprint(table_of(lighter)) != fingerprint(table_of(problem))
    shown = first_difference(table_of(lighter), table_of(problem))
    assert shown is not None
    assert "times('b', 6)" in shown


def test_a_fingerprint_from_before_weights() -> None:
    """Journals of version 0.1.0 have it, and so no column of weights."""
    plain = dlx.Problem.from_options([["a", "b"], ["b"]], multiplicities={"b": (1, 2)})
    assert fingerprint(table_of(plain)) == (
        "c29380ef245c8aa51abc8cc9ce431e2c16dfa2a01b51a19f245254e68335d18f"
    )
    assert b'"lengths": [3, 3, 0, 0]' in pack_problem(table_of(plain)).data


def test_reduced_keeps_weights() -> None:
    """Item c has the option z only, which excludes x."""
    reduced = example().reduced().problem
    assert [list(option) for option in reduced.options] == [OPTIONS["y"], ["a", "c"]]


def test_what_notebooks_show() -> None:
    shown = example()._repr_html_()
    assert "<td>7</td>" in shown
    assert 'title="a b*7"' in shown
