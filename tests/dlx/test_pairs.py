"""Incompatible and implied pairs of options, against all subsets of the options."""

from __future__ import annotations

from typing import Any

import pytest
from bruteforce import Case, all_subsets, weights_by_item
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import any_cases

import dlx


@st.composite
def ruled(draw: st.DrawFn) -> tuple[Case, list[tuple[int, ...]], list[tuple[int, int]]]:
    """A problem of at least two options, groups of incompatible options, and implied pairs."""
    case = draw(any_cases(max_options=9).filter(lambda case: len(case.options) > 1))
    names = st.integers(0, len(case.options) - 1)
    groups = st.lists(names, min_size=2, max_size=3, unique=True).map(tuple)
    pairs = st.tuples(names, names).filter(lambda pair: pair[0] != pair[1])
    return case, draw(st.lists(groups, max_size=2)), draw(st.lists(pairs, max_size=3))


def decides(case: Case, option: int) -> bool:
    """Whether an item of the option tells if it is chosen."""
    weights = weights_by_item(case.options[option])
    return any(
        high is not None and low > high - weights[item]
        for item, (low, high) in case.bounds_by_item()
        if item in weights and item in case.primary
    )


@settings(max_examples=400)
@given(problem=ruled(), engine=st.sampled_from(["auto", "links", "python"]))
def test_the_solutions_are_those_that_keep_the_rules(
    problem: tuple[Case, list[tuple[int, ...]], list[tuple[int, int]]], engine: Any
) -> None:
    case, groups, pairs = problem
    plain = case.problem()
    pairs = [(a, b) for a, b in pairs if decides(case, a) or decides(case, b)]
    try:
        ruled = plain.with_pairs(incompatible=groups, implied=pairs)
    except dlx.InvalidArgument:  # of two that clash in the one item that tells about the second
        assert any(not decides(case, a) for a, b in pairs)
        return
    wanted = {
        chosen
        for chosen in all_subsets(case)
        if all(len(chosen & {*group}) <= 1 for group in groups)
        and all(b in chosen or a not in chosen for a, b in pairs)
    }
    found = list(ruled.solutions(engine=engine))
    assert len(found) == len(wanted)
    assert {frozenset(solution) for solution in found} == wanted
    assert ruled.count() == len(wanted)
    assert (ruled.names, ruled.costs) == (plain.names, plain.costs)


def towns() -> dlx.Problem[str]:
    return dlx.Problem.from_options(
        {"x": ["a"], "y": ["a", "b"], "z": ["b"], "far": ["c"]},
        multiplicities={"a": (0, 2), "b": (1, None), "c": (0, 1)},
        costs=[1, 2, 3, 4],
    )


@pytest.mark.parametrize(
    ("rules", "error", "message"),
    [
        ({"incompatible": [("x", "q")]}, dlx.UnknownOption, "no option named 'q'"),
        ({"implied": [("q", "x")]}, dlx.UnknownOption, "no option named 'q'"),
        ({"implied": [("x", [])]}, dlx.UnknownOption, r"no option named \[\]"),
        ({"incompatible": [("x",)]}, dlx.InvalidArgument, r"incompatible has \('x',\); give pairs"),
        ({"incompatible": ["xy"]}, dlx.InvalidArgument, "incompatible has 'xy'; give pairs"),
        ({"implied": [("x", "y", "z")]}, dlx.InvalidArgument, "implied has .*; give pairs"),
        ({"incompatible": [("x", "x")]}, dlx.InvalidArgument, "names an option twice"),
        ({"implied": {"x": "y"}}, dlx.InvalidArgument, "implied is .*; give a list of pairs"),
        ({"incompatible": None}, dlx.InvalidArgument, "incompatible is None; give a list of pairs"),
        ({"implied": [("x", "far")]}, dlx.InvalidArgument, "the pair 'x', 'far', but no item"),
    ],
)
def test_wrong_pairs(rules: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        towns().with_pairs(**rules)


def test_an_item_of_its_own_tells_what_is_chosen() -> None:
    """What the message for such a pair recommends."""
    problem = towns()
    ruled = dlx.Problem.from_options(
        {name: problem.option(name) for name in problem.names[:3]}
        | {"far": ["c", "far?"], "not far": ["far?"]},
        multiplicities=problem.multiplicities,
    ).with_pairs(implied=[("x", "far")])
    assert all("far" in solution for solution in ruled.solutions() if "x" in solution)
    assert ruled.count() < problem.count()


def test_names_of_items_stay_apart() -> None:
    once = dlx.Problem.from_options([["a"], ["b"], ["incompatible-0"]])
    twice = once.with_pairs(incompatible=[(0, 1)]).with_pairs(incompatible=[(1, 2)])
    assert twice.items[-2:] == ("incompatible-0'", "incompatible-0''")
    assert (once.count(), twice.count()) == (1, 0)
