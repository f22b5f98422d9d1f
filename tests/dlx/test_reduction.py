"""Problems reduced: the solutions stay, and what goes is what the definition says."""

from __future__ import annotations

import io
import re
from array import array
from math import inf
from typing import Any

import instances
import pytest
from alarms import Alarm
from bruteforce import Case, all_subsets
from hypothesis import given, settings
from hypothesis import strategies as st
from internals import kernel_problem, numbered, problem_of, search_input
from reduction_oracle import expected_reduction
from strategies import cases, large_cases, multi_cases

import dlx
from dlx import models
from dlx.analysis.reduce import reduce, reducible
from dlx.core.table import Table
from dlx.search.options import SearchOptions


def solution_set(problem: dlx.Problem, **search: Any) -> set[frozenset[Any]]:
    return {frozenset(solution) for solution in problem.solutions(**search)}


def case_of(problem: dlx.Problem) -> Case:
    return Case(problem.primary, problem.secondary, tuple(problem.options))


def assert_as_expected(case: Case, reduction: dlx.Reduction, given: tuple[int, ...] = ()) -> None:
    expected = expected_reduction(case, given)
    assert set(reduction.blocked) == expected.blocked
    assert reduction.merged == expected.merged
    assert set(reduction.dropped) == expected.dropped
    assert reduction.complete
    assert (reduction.rounds > 0) == bool(reduction.blocked) or given


# -- against brute force and the definition ------------------------------------------------------


@given(cases())
def test_solutions_stay_by_brute_force(case: Case) -> None:
    left = case.problem().reduced().problem
    names = left.names
    found = {frozenset(names[index] for index in s) for s in all_subsets(case_of(left))}
    assert found == all_subsets(case)


@given(multi_cases(weights=True))
def test_solutions_stay_with_multiplicities(case: Case) -> None:
    """And so do the items that need not be covered exactly once."""
    problem = case.problem()
    left = problem.reduced().problem
    assert left.multiplicities == problem.multiplicities
    assert solution_set(left) == solution_set(problem, engine="python")


@settings(max_examples=2 * settings().max_examples)
@given(cases() | large_cases())
def test_what_goes_is_what_the_definition_says(case: Case) -> None:
    assert_as_expected(case, case.problem().reduced())


@given(large_cases())
def test_to_reduce_again_removes_nothing(case: Case) -> None:
    again = case.problem().reduced().problem.reduced()
    assert (again.blocked, again.merged, again.dropped) == ({}, {}, ())
    assert again.rounds == 0


@given(large_cases())
def test_without_blocked_options_the_search_is_the_same(case: Case) -> None:
    """To take items away changes neither the order of solutions nor the search tree."""
    first = case.problem().reduced().problem
    kept = set(first.names)
    options = tuple(option for i, option in enumerate(case.options) if i in kept)
    problem = case._replace(options=options).problem()  # nothing is blocked there
    reduction = problem.reduced()
    assert not reduction.blocked
    before, after = problem.solutions(limit=200), reduction.problem.solutions(limit=200)
    assert list(before) == list(after)
    if before.exhausted:
        assert before.stats.profile == after.stats.profile


@given(st.data())
def test_under_givens(data: st.DataObject) -> None:
    case = data.draw(cases())
    problem = case.problem()
    indices = st.integers(0, max(0, len(problem) - 1))
    chosen = tuple(data.draw(st.lists(indices, max_size=2, unique=True))) if len(problem) else ()
    try:
        problem.solutions(given=chosen)
    except dlx.GivenClash as clash:
        with pytest.raises(dlx.GivenClash, match=re.escape(str(clash))):
            problem.reduced(given=chosen)
        return
    reduction = problem.reduced(given=chosen)
    assert solution_set(reduction.problem) == solution_set(problem, given=chosen)
    assert_as_expected(case, reduction, chosen)


@given(cases(), st.integers(0, 200))
def test_an_unfinished_reduction_has_the_same_solutions(case: Case, work: int) -> None:
    left, removed = reduce(search_input(case.problem()), SearchOptions(), work=work)
    reduction = dlx.Reduction(problem_of(left), *removed)
    assert set(reduction.blocked) <= expected_reduction(case).blocked
    assert solution_set(reduction.problem) == all_subsets(case)


@given(cases())
def test_what_blocks_an_option_is_not_in_it(case: Case) -> None:
    problem = case.problem()
    for name, item in problem.reduced().blocked.items():
        assert item in problem.primary
        assert item not in problem.options[problem.index_of(name)]


@given(cases(), st.data())
def test_items_left_alone(case: Case, data: st.DataObject) -> None:
    """They stay, and nothing is concluded from them: as if no option had them."""
    problem = case.problem()
    prepared = numbered(problem)
    items = list(problem.items)
    alone = data.draw(st.lists(st.sampled_from(items), unique=True)) if items else []
    flags = [0] * len(items)
    for number, item in enumerate(items):
        flags[prepared.rank[number]] = item in alone
    found = prepared.problem.reduce([], flags, -1, inf)
    others = Case(
        tuple(item for item in case.primary if item not in alone),
        tuple(item for item in case.secondary if item not in alone),
        tuple(
            tuple(e for e in option if getattr(e, "item", e) not in alone)
            for option in case.options
        ),
    )
    expected = expected_reduction(others)
    blocker, into = array("i", found.blocker), array("i", found.into)
    assert {index for index, item in enumerate(blocker) if item >= 0} == expected.blocked
    gone = expected.dropped | set(expected.merged)
    for item, rank in zip(items, prepared.rank, strict=True):
        assert (into[rank] == rank) == (item not in gone)


# -- known problems ------------------------------------------------------------------------------


def test_no_solution_leaves_an_item_without_options() -> None:
    problem = dlx.Problem.from_options([["a"], ["b"]], primary=["a", "b", "c"])
    reduction = problem.reduced()
    assert reduction.problem.items == ("a",)
    assert reduction.blocked == {0: "c", 1: "c"}
    assert reduction.merged == {"b": "a", "c": "a"}
    assert reduction.problem.count() == 0


def test_without_primary_items() -> None:
    problem = dlx.Problem(primary=[], secondary=["x"])
    reduction = problem.reduced()
    assert (reduction.dropped, reduction.problem.count(), problem.count()) == (("x",), 1, 1)


def test_forced_options_stay() -> None:
    problem = models.sudoku() if hasattr(models, "sudoku") else models.latin_square(3)
    first = problem.solve()
    assert first is not None
    reduction = problem.reduced(given=first)
    assert sorted(reduction.problem.names) == sorted(first)
    assert len(reduction.problem.items) == len(first)  # one item an option
    assert reduction.problem.solve() is not None


def test_names_and_colors_stay() -> None:
    problem = dlx.Problem(primary=["a", "b"], secondary=["x", "y"])
    problem.add_option(["a", dlx.colored("x", "red"), "y"], name="one")
    problem.add_option(["a", dlx.colored("x", "blue")], name="two")
    problem.add_option(["b", dlx.colored("x", "red")], name="three")
    problem.add_option(["b", dlx.colored("x", "green"), "y"], name="four")
    reduction = problem.reduced()
    assert reduction.blocked == {"two": "b", "four": "a"}
    assert reduction.dropped == ("x", "y")
    assert reduction.problem.names == ("one", "three")
    assert list(reduction.problem.options) == [("a",), ("b",)]
    assert reduction.problem.solve() == ("one", "three")


def test_secondary_items_declared_first() -> None:
    """Then the numbers of items are not those of the search."""
    problem = dlx.Problem()
    problem.add_item("s", secondary=True)
    for option in (["a", "b"], ["a", "s"], ["b", "s"], ["c", "b", "a"]):
        problem.add_option(option)
    reduction = problem.reduced()
    assert reduction.blocked == {0: "c", 1: "c", 2: "c"}
    assert reduction.merged == {"b": "a", "c": "a"}
    assert reduction.dropped == ("s",)


def test_the_original_is_as_it_was() -> None:
    problem = models.pentominoes(3, 20).freeze()
    before = (problem.items, problem.names, tuple(problem.options))
    left = problem.reduced().problem
    assert (problem.items, problem.names, tuple(problem.options)) == before
    left.add_option([left.primary[0]])  # neither frozen nor shared
    assert (problem.items, problem.names, tuple(problem.options)) == before


def test_all_that_a_table_holds_is_carried_over() -> None:
    """A new slot must be handled in `dlx.analysis.reduce`, and then listed here."""
    carried = {"items", "item_numbers", "secondary", "open_items", "multiplicities"}
    carried |= {"start", "entry_item", "entry_color", "color_names", "color_numbers"}
    carried |= {"names", "names_given", "costs", "cost_total", "entry_weight", "extra_weights"}
    assert set(Table.columns) <= carried


def test_a_reduced_problem_is_like_any_other(tmp_path: Any) -> None:
    problem = dlx.Problem.from_options([["a", "b"], ["c"], ["a"], ["b", "c"], ["d", "c"]])
    left = problem.reduced().problem
    left.dump(tmp_path / "left.dlx")
    assert list(dlx.Problem.load(tmp_path / "left.dlx").options) == list(left.options)
    assert left.add_option(["a"], name="more") == len(left) - 1


@pytest.mark.parametrize(
    ("name", "options"),
    [(name, options) for name, options in {"pentominoes-6x10": 144, "soma": 0}.items()],
)
def test_instances(name: str, options: int) -> None:
    """Numbers of blocked options, counted by the definition as well (`reduction_oracle`)."""
    assert len(instances.BY_NAME[name].build().reduced().blocked) == options


def test_a_forced_problem_reduces_to_its_solution() -> None:
    reduction = instances.forced_cover(200, 1000, 4, seed=1).reduced()
    solution = reduction.problem.solve()
    assert solution is not None
    assert sorted(solution) == sorted(reduction.problem.names)


# -- limits and bad input ------------------------------------------------------------------------


def slow() -> dlx.Problem:
    """Takes time in proportion to the square of its size: no option of "i" acquits a candidate.

    The candidates contain x and y; every option of i has one of them, but they share none.
    """
    few, many = 60_000, 80_000
    start, entries = array("i", [0]), array("i")
    for number in range(few):
        entries.extend((0, 1 + number % 2))
        start.append(len(entries))
    for _ in range(many):
        entries.extend((1, 2, 3))
        start.append(len(entries))
    return dlx.Problem.from_arrays(start, entries, items=4)


def test_a_timeout() -> None:
    problem = slow()
    reduction = problem.reduced(timeout=0.05)
    assert not reduction.complete
    assert repr(reduction).endswith(", incomplete>")
    assert len(reduction.problem) + len(reduction.blocked) == len(problem)


def test_a_timeout_of_nothing_removes_nothing_or_little() -> None:
    problem = models.pentominoes(6, 10)
    assert not problem.reduced(timeout=0).complete


def test_ctrl_c(alarm: Alarm) -> None:
    problem = slow()
    with alarm.expected():
        problem.reduced(timeout=60)
    assert not problem.reduced(timeout=0.01).complete  # nothing is broken


def test_bad_arguments() -> None:
    problem = dlx.Problem.from_options([["a"], ["a"]])
    with pytest.raises(dlx.UnknownOption):
        problem.reduced(given=[7])
    with pytest.raises(dlx.GivenClash):
        problem.reduced(given=[0, 1])
    with pytest.raises(dlx.InvalidArgument):
        problem.reduced(timeout=-1)


def test_words() -> None:
    problem = dlx.Problem.from_options([["a", "b"], ["c"], ["a"], ["b", "c"], ["d", "c"]])
    text = "3 of 5 options and 2 of 4 items removed in 1 round"
    assert repr(problem.reduced()) == f"<dlx reduction: {text}>"
    found = {"options": 3, "items": 2, "rounds": 1, "complete": True}
    assert reducible(search_input(problem), -1) == found
    assert not reducible(search_input(problem), 0)["complete"]


@pytest.mark.slow
@given(large_cases())
def test_count_stays(case: Case) -> None:
    problem = case.problem()
    assert problem.reduced().problem.count(limit=50_000) == problem.count(limit=50_000)


@pytest.mark.slow
def test_300_000_options() -> None:
    reduction = instances.forced_cover(20_000, 300_000, 4, seed=1).reduced()
    assert reduction.complete
    assert len(reduction.problem) == len(reduction.problem.items) == 5_000


@pytest.mark.lengthy
def test_count_leaves_out_what_can_go() -> None:
    """With the engine "auto", and where that is much: then it has fewer nodes to visit."""
    problem = models.pentominoes(4, 15)
    search = problem.solutions(engine="links")
    assert sum(1 for _ in search) == 4 * 368  # TAOCP 7.2.2.1
    counting = kernel_problem(problem).count([], 2**63, 2**30, "mrv", "without symmetry")
    counting.run()
    assert int.from_bytes(counting.factors[0], "little") == 4 * 368
    assert counting.stats.nodes < 0.9 * search.stats.nodes


@given(multi_cases(weights=True), st.data())
def test_givens_with_multiplicities(case: Case, data: st.DataObject) -> None:
    """A given is forced through an item that is covered exactly once, if need be one of its own."""
    problem = case.problem()
    names = st.sampled_from(problem.names or (0,))
    chosen = data.draw(st.lists(names, max_size=2, unique=True)) if len(problem) else []
    try:
        expected = solution_set(problem, given=chosen)
    except dlx.GivenClash:
        with pytest.raises(dlx.GivenClash):
            problem.reduced(given=chosen)
        return
    assert solution_set(problem.reduced(given=chosen).problem) == expected


def test_a_given_that_only_has_items_with_multiplicities() -> None:
    options = {"x": ["a", "m"], "y": ["a", "c"], "z": ["m", "c"], "w": ["m"]}
    problem = dlx.Problem.from_options(options, multiplicities={"m": (1, 3)}, secondary=["c"])
    reduction = problem.reduced(given=["z", "w"])
    assert reduction.problem.items == ("a", "m", "given-2", "given-3")
    assert reduction.problem.option("z") == ("m", "given-2")
    assert reduction.blocked == {"y": "given-2"}
    written = io.StringIO()
    reduction.problem.dump(written)
    written.seek(0)
    assert dlx.Problem.load(written).count() == problem.count(given=["z", "w"]) == 1
