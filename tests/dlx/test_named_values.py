"""Costs and multiplicities by name: from mappings, from Series by label, and never from sets."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dlx


class Series:
    """What is used of a pandas Series: iterating over it gives values, `items` has labels."""

    def __init__(self, pairs: list[tuple[Any, Any]]) -> None:
        self.index = [label for label, _ in pairs]
        self._pairs = pairs

    def __iter__(self) -> Iterator[Any]:
        return (value for _, value in self._pairs)

    def __len__(self) -> int:
        return len(self._pairs)

    def items(self) -> Iterator[tuple[Any, Any]]:
        return iter(self._pairs)


class OnlyToDict:
    """A labelled column that has no `items`."""

    def __init__(self, pairs: list[tuple[Any, Any]]) -> None:
        self.index = [label for label, _ in pairs]
        self.to_dict = lambda: dict(pairs)


def pandas_series(pairs: list[tuple[Any, Any]]) -> Any:
    pandas = pytest.importorskip("pandas")
    return pandas.Series([value for _, value in pairs], index=[label for label, _ in pairs])


KINDS: list[Callable[[list[tuple[Any, Any]]], Any]] = [
    dict,
    OrderedDict,
    lambda pairs: MappingProxyType(dict(pairs)),
    Series,
    OnlyToDict,
    pandas_series,
]

OPTIONS = {"x": ["a"], "y": ["b"], "z": ["a", "b"]}


def of_options(costs: Any) -> list[int]:
    return list(dlx.Problem.from_options(OPTIONS, costs=costs).costs)


def of_arrays(costs: Any) -> list[int]:
    problem = dlx.Problem.from_arrays(
        [0, 1, 2, 4], [0, 1, 0, 1], items=["a", "b"], names="xyz", costs=costs
    )
    return list(problem.costs)


def of_diagram(costs: Any) -> list[int]:
    """What each of three rival options costs, by the cheapest solutions."""
    diagram = dlx.Problem.from_options({name: ["a"] for name in OPTIONS}).diagram()
    cheap = {solution[0]: cost for cost, solution in diagram.minimum(costs, k=3)}
    dear = {solution[0]: cost for cost, solution in diagram.maximum(costs, k=3)}
    assert cheap == dear
    return [cheap[name] for name in OPTIONS]


TAKERS = [of_options, of_arrays, of_diagram]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("take", TAKERS)
@given(costs=st.lists(st.integers(-9, 9), min_size=3, max_size=3), order=st.permutations(range(3)))
def test_costs_are_taken_by_label(
    take: Callable[[Any], list[int]], kind: Callable[..., Any], costs: list[int], order: list[int]
) -> None:
    assert take(kind([("xyz"[place], costs[place]) for place in order])) == costs


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("take", TAKERS)
def test_a_missing_cost_is_named(
    take: Callable[[Any], list[int]], kind: Callable[..., Any]
) -> None:
    with pytest.raises(
        dlx.DLXError, match=r"costs has no value for option 'y'; .* 0 if it costs nothing"
    ):
        take(kind([("z", 3), ("x", 5)]))
    with pytest.raises(dlx.DLXError, match="costs has no value for option 'x' and 1 more;"):
        take(kind([("z", 3)]))
    assert take(kind([("z", 3), ("y", 0), ("x", 5)])) == [5, 0, 3]


def test_a_counter_has_no_zeros_either() -> None:
    with pytest.raises(dlx.InvalidCost, match="costs has no value for option 'z'"):
        of_options(Counter(x=1, y=2))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("take", TAKERS)
def test_a_name_too_many_is_named(
    take: Callable[[Any], list[int]], kind: Callable[..., Any]
) -> None:
    pairs = [("z", 3), ("q", 1), ("y", 0), ("x", 5)]
    with pytest.raises(dlx.UnknownOption, match="costs has 'q', but no option has that"):
        take(kind(pairs))
    with pytest.raises(dlx.UnknownOption, match="costs has 'q' and 1 more, but"):
        take(kind([*pairs, ("r", 1)]))


@pytest.mark.parametrize("kind", [Series, pandas_series])
@pytest.mark.parametrize("take", TAKERS)
def test_a_label_that_is_there_twice(
    take: Callable[[Any], list[int]], kind: Callable[..., Any]
) -> None:
    with pytest.raises(dlx.DLXError, match="costs has the option 'y' twice"):
        take(kind([("z", 3), ("y", 0), ("x", 5), ("y", 7)]))


@pytest.mark.parametrize(
    "wrong", [{3, 5, 7}, frozenset([3, 5, 7]), dict.fromkeys([1, 2, 3]).keys()]
)
@pytest.mark.parametrize("take", TAKERS)
def test_sets_of_costs_are_refused(take: Callable[[Any], list[int]], wrong: Any) -> None:
    with pytest.raises(dlx.DLXError, match=r"costs is the set .*, which has no order; give a list"):
        take(wrong)


def test_a_series_without_labels_goes_by_number() -> None:
    pandas = pytest.importorskip("pandas")
    unnamed = dlx.Problem.from_options([["a"], ["a"]], costs=pandas.Series([7, 3]))
    assert unnamed.costs == (7, 3)
    turned = dlx.Problem.from_options([["a"], ["a"]], costs=pandas.Series([7, 3], index=[1, 0]))
    assert turned.costs == (3, 7)
    with pytest.raises(dlx.UnknownOption, match="costs has 0 and 1 more, but no option"):
        dlx.Problem.from_options({"x": ["a"], "y": ["a"]}, costs=pandas.Series([7, 3]))


# -- multiplicities ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [*KINDS, list, iter])
def test_multiplicities_by_label(kind: Callable[..., Any]) -> None:
    pairs = [("b", 2), ("a", 3)]
    problem = dlx.Problem(["a", "b", "c"], multiplicities=kind(pairs))
    assert problem.multiplicities == {"a": (3, 3), "b": (2, 2)}
    problem = dlx.Problem.from_options([["a", "b"]] * 3, multiplicities=kind(pairs))
    assert problem.multiplicities == {"a": (3, 3), "b": (2, 2)}
    with pytest.raises(dlx.UnknownItem, match="item 'q' was not declared"):
        dlx.Problem(["a", "b"], multiplicities=kind([*pairs, ("q", 2)]))


@pytest.mark.parametrize("wrong", [{("a", 2)}, frozenset([("a", 2)]), {"a2"}, {"a": 2}.items()])
def test_sets_of_multiplicities_are_refused(wrong: Any) -> None:
    with pytest.raises(
        dlx.InvalidMultiplicity, match=r"multiplicities is the set .* give a mapping"
    ):
        dlx.Problem(["a"], multiplicities=wrong)


@pytest.mark.parametrize("kind", [Series, pandas_series, list])
def test_an_item_with_two_multiplicities(kind: Callable[..., Any]) -> None:
    with pytest.raises(dlx.InvalidMultiplicity, match="multiplicities has the item 'a' twice"):
        dlx.Problem(["a", "b"], multiplicities=kind([("a", 2), ("b", 2), ("a", 3)]))


@pytest.mark.parametrize("wrong", [7, [2, 3], "ab", [("a", 2, 3)], [["a"]]])
def test_what_is_no_mapping_of_multiplicities(wrong: Any) -> None:
    with pytest.raises(dlx.InvalidMultiplicity, match=r"multiplicities is .* a mapping from items"):
        dlx.Problem(["a"], multiplicities=wrong)
