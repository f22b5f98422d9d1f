"""Options that cover an item several times, and items without an upper bound: the data of them."""

from __future__ import annotations

import copy
import io
import pickle
import random
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from bruteforce import all_subsets
from example_problems import written
from hypothesis import given
from hypothesis import strategies as st
from internals import kernel_problem, table_of
from known_counts import contingency_tables
from strategies import small_multi_case

import dlx
from dlx.checkpoint.problems import fingerprint, first_difference, pack_problem, unpack_problem
from dlx.checkpoint.values import DamagedJournal
from dlx.cli.info import describe, texts_of
from dlx.core.entries import LARGEST_EXTRA, item_of
from dlx.core.kernel import Problem as KernelProblem

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


@pytest.mark.parametrize("weight", [0, -1, 6, 2**31 - 1])
def test_damaged_weights(weight: int) -> None:
    table = table_of(example())
    table.entry_weight[0] = weight
    with pytest.raises(DamagedJournal, match="its problem cannot be read: option 0"):
        unpack_problem(pack_problem(table).data)
    table.entry_weight.pop()
    with pytest.raises(DamagedJournal, match="its problem has weights of no entries"):
        unpack_problem(pack_problem(table).data)


@pytest.mark.parametrize("weight", [0, -1, 6, 2**31 - 1])
def test_damaged_weights_in_a_pickle(weight: int) -> None:
    """The kernel's problem, which workers get."""
    problem = kernel_problem(example())
    *_, weights = problem.__getstate__()
    state = (*problem.__getstate__()[:-1], weight.to_bytes(4, "little", signed=True) + weights[4:])
    with pytest.raises(ValueError, match="this is no problem"):
        KernelProblem.__new__(KernelProblem).__setstate__(state)


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


# -- searches -------------------------------------------------------------------------------------


def purse() -> dlx.Problem:
    """Ways to pay 60 with notes of 1 to 20: more than a search finds at once."""
    return dlx.Problem.from_options(
        [[dlx.times("sum", n)] for n in range(1, 21)], multiplicities={"sum": (58, 60)}
    )


def test_workers_and_journals(tmp_path: Path) -> None:
    problem = purse()
    expected = list(problem.solutions(engine="links"))
    assert len(expected) > 3000
    assert list(problem.solutions(workers=2)) == expected
    assert problem.count(workers=2) == len(expected)
    journal = tmp_path / "purse.dlx"
    with problem.solutions(checkpoint=journal, node_limit=2000) as search:
        begun = list(search)
    assert 0 < len(begun) < len(expected)
    with problem.solutions(checkpoint=journal) as search:
        assert list(search) == expected
    restored = dlx.Journal(journal).problem
    assert restored.options == problem.options
    lighter = dlx.Problem.from_options(
        [[dlx.times("sum", n)] for n in [*range(1, 20), 21]], multiplicities={"sum": (58, 60)}
    )
    with pytest.raises(dlx.JournalError, match=r"option 19 is .dlx.times..sum., 20.,."):
        lighter.solutions(checkpoint=journal)


@pytest.mark.lengthy
@pytest.mark.parametrize("engine", ["auto", "bits"])
@pytest.mark.parametrize("heuristic", ["mrv", "weighted"])
def test_the_fast_engines_know_weights(engine: str, heuristic: str) -> None:
    """After as much work as leads "auto" to leave a search to `bits`."""
    for problem in (purse(), contingency_tables(4, 3)):
        expected = problem.solutions(engine="links", heuristic=heuristic)
        search = problem.solutions(engine=engine, heuristic=heuristic)
        assert list(search) == list(expected)
        assert search.stats.profile == expected.stats.profile
        assert search.stats.nodes > 5000


def test_parts_are_the_search() -> None:
    problem = purse()
    expected = list(problem.solutions())
    parts = problem.split(12)
    assert len(parts) >= 12
    assert sum(problem.count(part=part) for part in parts) == len(expected)
    for engine in ("links", "bits", "python"):
        found = [found for part in parts for found in problem.solutions(part=part, engine=engine)]
        assert found == expected


@pytest.mark.parametrize("engine", ["links", "bits", "python", "sat"])
def test_the_largest_weights(engine: str) -> None:
    half = LARGEST_EXTRA // 2
    problem = dlx.Problem.from_options(
        [[dlx.times("a", half)], [dlx.times("a", half)], ["a"], ["a"], [dlx.times("b", 2), "a"]],
        multiplicities={"a": (2 * half + 1, None), "b": (0, 10**30)},
    )
    expected = {(0, 1, *rest) for rest in [(2,), (3,), (4,), (2, 3), (2, 4), (3, 4), (2, 3, 4)]}
    found = {frozenset(solution) for solution in problem.solutions(engine=engine)}
    assert found == set(map(frozenset, expected))


def test_a_given_that_is_too_heavy() -> None:
    problem = dlx.Problem.from_options(
        {"x": [dlx.times("a", 2)], "y": [dlx.times("a", 2)], "z": ["a"]}, multiplicities={"a": 3}
    )
    assert list(problem.solutions(given=["x"])) == [("x", "z")]
    with pytest.raises(dlx.GivenClash, match="'y' is one too many: item 'a' may be covered 3 time"):
        problem.solve(given=["x", "y"])


def test_a_trace_page_shows_weights() -> None:
    page = example().trace_page()
    assert '"full":"x: a*3 b s"' in page
    assert '[0,"*3"]' in page


def test_info_counts_weights() -> None:
    low = dlx.Problem.from_options([[dlx.times("a", 2)], ["a"]], multiplicities={"a": (4, None)})
    reported = describe(low)
    assert reported["multiplicities"] == {"items": 1, "low": 4, "high": None}
    assert reported["weights"] == {"entries": 1, "largest": 2}
    texts = dict(texts_of(reported))
    assert texts["multiplicities"] == "1 item, 4 times or more each"
    assert texts["weights"] == "1, the largest 2"
    assert repr(low) == (
        "<dlx.Problem: 1 primary item, 0 secondary items, 2 options, multiplicities of 1, "
        "weights of 1>"
    )
    assert reported["warnings"] == [
        "all options together cover item 'a' 3 times, and it needs 4: there is no solution"
    ]


# -- every question -------------------------------------------------------------------------------


def test_every_question_is_answered() -> None:
    """By brute force, on many small problems: half of them have solutions."""
    rng = random.Random(1)
    for _ in range(400):
        case = small_multi_case(rng)
        costs = [rng.randint(-3, 5) for _ in case.options]
        problem = case.problem(costs)
        found = all_subsets(case)
        totals = sorted(sum(costs[index] for index in chosen) for chosen in found)
        given = next(iter(found), frozenset())
        below = sum(given <= other for other in found)
        reported = {
            "count": problem.count() == len(found),
            "count of givens": not found or problem.count(given=given) == below,
            "is_unique": problem.is_unique() == (len(found) == 1),
            "minimum": [cost for cost, _ in problem.minimum(k=3)] == totals[:3],
            "maximum": [cost for cost, _ in problem.maximum()] == totals[::-1][:1],
            "diagram": problem.diagram().count() == len(found),
            "sample": not found or frozenset(problem.sample(1, seed=1)[0]) in found,
            "explain": (problem.explain() is None) == bool(found),
            "reduced": set(map(frozenset, problem.reduced().problem.solutions())) == found,
            "sat": set(map(frozenset, problem.solutions(engine="sat"))) == found,
        }
        assert all(reported.values()), (case, costs, reported)


# -- covering and packing -------------------------------------------------------------------------

sets = st.lists(st.sets(st.sampled_from("abcd"), min_size=1), max_size=6)


@given(sets, st.integers(0, 2))
def test_coverings(options: list[set[str]], least: int) -> None:
    problem = dlx.Problem.covering(map(sorted, options), at_least=least)
    assert set(map(frozenset, problem.solutions())) == {
        chosen
        for chosen in subsets(len(options))
        if all(
            sum(item in options[index] for index in chosen) >= least
            for item in set().union(*options)
        )
    }


@given(sets, st.integers(1, 2))
def test_packings(options: list[set[str]], most: int) -> None:
    problem = dlx.Problem.packing(map(sorted, options), at_most=most)
    assert set(map(frozenset, problem.solutions())) == {
        chosen
        for chosen in subsets(len(options))
        if all(sum(item in options[index] for index in chosen) <= most for item in "abcd")
    }


@given(sets)
def test_without_costs_the_fewest_cover_and_the_most_are_packed(options: list[set[str]]) -> None:
    names = range(len(options))
    covering = dlx.Problem.covering(map(sorted, options))
    assert covering.minimum()[0][0] == min(map(len, covering.solutions()))
    packing = dlx.Problem.packing(dict(zip(names, map(sorted, options), strict=True)))
    assert packing.maximum()[0][0] == max(map(len, packing.solutions()))


def subsets(size: int) -> list[frozenset[int]]:
    return [
        frozenset(chosen)
        for length in range(size + 1)
        for chosen in combinations(range(size), length)
    ]


def test_demands_and_capacities_by_item() -> None:
    options = {"x": ["a", "b", "s"], "y": [dlx.times("a", 2)], "z": ["b", "s"]}
    problem = dlx.Problem.covering(options, at_least={"a": 3}, secondary=["s"], costs=[3, 2, 1])
    assert problem.multiplicities == {"a": (3, None), "b": (1, None)}
    assert (problem.secondary, problem.costs) == (("s",), (3, 2, 1))
    assert [{*solution} for solution in problem.solutions()] == [{"x", "y"}]
    packing = dlx.Problem.packing(options, at_most={"a": 2, "b": 1}, secondary=["s"])
    assert packing.multiplicities == {"a": (0, 2), "b": (0, 1)}
    assert packing.costs == (1, 1, 1)
    with pytest.raises(dlx.UnknownItem, match="item 'q' was not declared"):
        dlx.Problem.covering(options, at_least={"q": 3})
    with pytest.raises(dlx.InvalidMultiplicity, match="'s' is secondary"):
        dlx.Problem.covering(options, at_least={"s": 3}, secondary=["s"])
    with pytest.raises(dlx.InvalidMultiplicity, match=r"option 1 .'y'. covers item 'a' 2 times"):
        dlx.Problem.packing(options)
    with pytest.raises(dlx.InvalidMultiplicity, match=r"item 'a': the multiplicity 1.5 is not an"):
        dlx.Problem.covering(options, at_least=1.5)  # type: ignore[arg-type]
    with pytest.raises(dlx.InvalidMultiplicity, match="item 'a': the upper bound is 0"):
        dlx.Problem.packing(options, at_most=0)


# -- matrices and files ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["lists", "numpy", "floats", "objects", "sparse"])
def test_matrices_of_weights(kind: str) -> None:
    rows = [[3, 0, 1], [0, 2, 0], [1, 1, 1]]
    matrix: Any = rows
    if kind != "lists":
        numpy = pytest.importorskip("numpy")
        dtype = {"floats": float, "objects": object}.get(kind, int)
        matrix = numpy.array(rows, dtype=dtype)
    if kind == "sparse":
        matrix = pytest.importorskip("scipy.sparse").csr_array(matrix)
    bounds = {0: (0, 3), 1: (1, None)}
    problem = dlx.Problem.from_matrix(matrix, multiplicities=bounds)
    assert list(map(list, problem.options)) == [
        [dlx.times(0, 3), 2],
        [dlx.times(1, 2)],
        [0, 1, 2],
    ]
    assert problem.multiplicities == bounds
    with pytest.raises(dlx.InvalidEntry, match=r"row 0, column 0 .* is 3(.0)?; it must be 0 or 1"):
        dlx.Problem.from_matrix(matrix)
    with pytest.raises(dlx.InvalidMultiplicity, match="option 0 covers item 0 3 times, and its"):
        dlx.Problem.from_matrix(matrix, multiplicities={})
    for wrong in (-1, 0.5, float("nan"), float("inf"), 2**31):
        if kind == "lists":
            spoilt: Any = [[3, 0, 1], [0, wrong, 0]]
        elif kind == "sparse":
            spoilt = pytest.importorskip("scipy.sparse").csr_array([[3, 0, 1], [0, wrong, 0]])
        else:
            spoilt = numpy.array([[3, 0, 1], [0, wrong, 0]])
        with pytest.raises(dlx.InvalidEntry, match=r"row 1, column 1 .* must be an integer from 0"):
            dlx.Problem.from_matrix(spoilt, multiplicities=bounds)
    with pytest.raises(dlx.InvalidEntry, match=r"row 0, column 0 .* is 'x'; it must be an integer"):
        dlx.Problem.from_matrix([["x"]], multiplicities={})


def test_weights_written() -> None:
    text = "3:5|a 0:*|b c | s\na*3 b s\na b*7\na c s:red |4\n"
    problem = dlx.Problem.load(io.StringIO(text))
    assert written(problem) == text
    assert [list(option) for option in problem.options] == list(OPTIONS.values())


def test_a_declared_item_wins() -> None:
    problem = dlx.Problem.load(io.StringIO("2:*|p p*3 q*\np p*3\np*3 q*\np*2\n"))
    assert [list(option) for option in problem.options] == [
        ["p", "p*3"],
        ["p*3", "q*"],
        [dlx.times("p", 2)],
    ]
    problem.add_option([dlx.times("p", 3)])
    with pytest.raises(dlx.FormatError, match=r"cannot be written as 'p.3': an item has that name"):
        written(problem)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2|p\np*0", "line 2: option 0 covers item 'p' 0 times"),
        ("2|p\np*3", "line 2: option 0 covers item 'p' 3 times, and its upper bound is 2"),
        ("2|p\np*", r"line 2: option 0: item 'p\*' was not declared"),
        ("2|p\np*-1", r"line 2: option 0: item 'p\*-1' was not declared"),
        ("2|p\n*2", r"line 2: option 0: item '\*2' was not declared"),
        ("2|p\nq*2", "line 2: option 0: item 'q' was not declared"),
        ("2|p | s\np s*2", "line 2: option 0 covers the secondary item 's' 2 times"),
        ("*|p", "line 1: .* should be an item, or"),
        ("*:2|p", "line 1: .* should be an item, or"),
        ("1:*2|p", "line 1: .* should be an item, or"),
        ("2|p\np*" + "9" * 30, "line 2: option 0 covers item 'p' 9{30} times"),
    ],
)
def test_bad_weights_written(text: str, message: str) -> None:
    with pytest.raises(dlx.FormatError, match=message):
        dlx.Problem.load(io.StringIO(text))


def test_linear_programs_have_coefficients() -> None:
    problem = dlx.Problem.from_options(
        [[dlx.times("a", 3), "b"], ["a", dlx.times("b", 2)]],
        multiplicities={"a": (2, None), "b": (1, 2)},
    )
    lines = written(problem, "lp").splitlines()
    assert " i0: 3 x0 + x1 >= 2" in lines
    assert " i1_low: x0 + 2 x1 >= 1" in lines
    assert " i1: x0 + 2 x1 <= 2" in lines
    assert '\\ x0: {"items": [{"item": "a", "times": 3}, "b"]},' in lines
    answer = io.StringIO("s SATISFIABLE\nv -1 2 0\n")
    with pytest.raises(dlx.InvalidSolution, match="'a' is covered 1 time instead of at least 2"):
        problem.read_model(answer)
