"""verify() accepts every solution and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from bruteforce import Case, all_subsets
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import any_cases, large_cases

import dlx


def refused(problem: dlx.Problem, solution: Any) -> bool:
    try:
        problem.verify(solution)
    except dlx.InvalidSolution:
        return True
    return False


@settings(max_examples=150)
@given(case=any_cases(max_options=7))
def test_accepts_exactly_the_solutions(case: Case) -> None:
    problem = case.problem()
    solutions = all_subsets(case)
    count = len(case.options)
    for bits in range(2**count):
        chosen = frozenset(index for index in range(count) if bits >> index & 1)
        assert refused(problem, chosen) == (chosen not in solutions)


@given(case=large_cases(), data=st.data())
def test_a_damaged_solution_is_refused(case: Case, data: st.DataObject) -> None:
    problem = case.problem()
    solution = problem.solve()
    assume(solution)
    assert solution
    problem.verify(solution)
    problem.verify(data.draw(st.permutations(solution)))
    place = data.draw(st.integers(0, len(solution) - 1))
    missing = solution[:place] + solution[place + 1 :]
    assert refused(problem, missing)
    assert refused(problem, (*solution, solution[place]))
    extra = data.draw(st.sampled_from(problem.names))
    assert refused(problem, (*solution, extra))  # every option has a primary item
    assert refused(problem, (*solution, len(problem)))
    swapped = (*missing, extra)
    # Another option in its place is right only if it is an equal in all that is primary.
    if not refused(problem, swapped):
        old, new = set(problem.options[solution[place]]), set(problem.options[extra])
        assert old & set(problem.primary) == new & set(problem.primary)


@pytest.fixture
def problem() -> dlx.Problem:
    red, blue = dlx.colored("x", "red"), dlx.colored("x", "blue")
    return dlx.Problem.from_options(
        {
            "a": ["a", red],
            "b": ["b", red],
            "b2": ["b", blue, "y"],
            "b3": ["b", "x"],
            "ab": ["a", "b"],
            "c": ["c", "y"],
            "c2": ["c"],
        },
        secondary=["x", "y"],
    )


@pytest.mark.parametrize(
    "solution", [["a", "b", "c"], ("c2", "ab"), {"ab", "c"}, iter(["b2", "c2", "ab"][1:])]
)
def test_right(problem: dlx.Problem, solution: Any) -> None:
    problem.verify(solution)


@pytest.mark.parametrize(
    ("solution", "words"),
    [
        ([], ["no option covers item 'a'"]),
        (["ab"], ["no option covers item 'c'"]),
        (["a", "ab", "c"], ["options 'a' and 'ab'", "both cover item 'a'"]),
        (["ab", "b", "c"], ["options 'ab' and 'b'", "both cover item 'b'"]),
        (["a", "b2", "c2"], ["options 'a' and 'b2'", "item 'x'", "'red' and 'blue'"]),
        (["a", "b3", "c2"], ["options 'a' and 'b3'", "both cover item 'x'"]),
        (["b3", "a", "c2"], ["options 'b3' and 'a'", "both cover item 'x'"]),
        (["ab", "ab", "c"], ["'ab' occurs twice"]),
        (["ab", "c", "other"], ["no option named 'other'"]),
        (["ab", "c", 0], ["no option named 0"]),
        (["ab", ["c"]], ["no option named ['c']"]),
        ("ab", ["'ab' is not a list"]),
        (None, ["the solution is None", "the problem has none"]),
        (5, ["5 is not a list"]),
    ],
)
def test_wrong(problem: dlx.Problem, solution: Any, words: list[str]) -> None:
    with pytest.raises(dlx.InvalidSolution) as caught:
        problem.verify(solution)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("drawable", [True, False])
def test_no_solution_is_not_a_solution(drawable: bool) -> None:
    """`None`, as `solve` returns it, is named as what it is, also where the items are no places."""
    cells = ["0,0", "0,1", "0,2"] if drawable else ["a", "b", "c"]
    problem = dlx.Problem.from_options([cells[:2], cells[1:]])
    none: Any = problem.solve()
    assert none is None
    group = problem.symmetries()
    for call in (
        lambda: problem.verify(none),
        lambda: problem.picture(none),
        lambda: problem.cost_of(none),
        lambda: group.apply(group.symmetry({0: 1, 1: 0}), none),
        *([lambda: problem.sheet([none])] if drawable else []),
    ):
        with pytest.raises(dlx.InvalidSolution, match=r"the solution is None, .* see explain"):
            call()
    with pytest.raises(dlx.InvalidArgument, match=r"there is none where solve\(\) returned None"):
        problem.to_frame([none])
    with pytest.raises(dlx.InvalidArgument, match="solutions is None; give a list of solutions"):
        problem.sheet(none)
    assert not problem.diagram().contains(none)


def test_two_options_of_the_secondary_item_y(problem: dlx.Problem) -> None:
    with pytest.raises(dlx.InvalidSolution, match="both cover item 'y'"):
        problem.verify(["c", "b2"])


def test_nothing_solves_a_problem_without_primary_items() -> None:
    dlx.Problem([], ["x"]).verify([])
    dlx.Problem().verify(())
