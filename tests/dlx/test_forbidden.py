"""`forbid=` beside `given=`, in every method that takes both; and copies of problems.

The solutions under `given` and `forbid` are those of all subsets of the options, filtered; their
order and the nodes are those of the problem built without the forbidden options.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from bruteforce import Case, all_subsets
from commands import Run
from hypothesis import given
from hypothesis import strategies as st
from search_strategies import SEEDS
from strategies import cases, multi_cases

import dlx
import dlx.models
from dlx.cli.main import main

TOWN = {"x": ["a"], "y": ["b"], "xy": ["a", "b"], "z": ["b"]}


def choices(data: st.DataObject, count: int) -> tuple[list[int], list[int]]:
    """Up to two givens and any forbidden options, by index, none in both."""
    if not count:
        return [], []
    indices = st.integers(0, count - 1)
    chosen = data.draw(st.lists(indices, max_size=2, unique=True))
    forbid = data.draw(st.lists(indices.filter(lambda n: n not in chosen), unique=True))
    return chosen, forbid


@given(case=cases(max_options=12), data=st.data())
def test_the_solutions_are_those_of_all_subsets(
    engine: str, case: Case, data: st.DataObject
) -> None:
    chosen, forbid = choices(data, len(case.options))
    wanted = {
        solution
        for solution in all_subsets(case)
        if solution.issuperset(chosen) and solution.isdisjoint(forbid)
    }
    problem = case.problem()
    try:
        found = list(problem.solutions(given=chosen, forbid=forbid, engine=engine))
    except dlx.GivenClash:
        assert not wanted
        return
    assert set(map(frozenset, found)) == wanted
    assert len(found) == len(wanted)
    assert problem.count(given=chosen, forbid=forbid, engine=engine) == len(wanted)
    assert problem.is_unique(given=chosen, forbid=forbid, engine=engine) == (len(wanted) == 1)
    assert problem.solve(given=chosen, forbid=forbid, engine=engine) == next(iter(found), None)


@given(case=cases(max_options=12), data=st.data(), seed=SEEDS, named=st.booleans())
def test_the_search_is_that_of_the_problem_built_without_them(
    engine: str, case: Case, data: st.DataObject, seed: int | None, named: bool
) -> None:
    _, forbid = choices(data, len(case.options))
    names: list[Hashable] = [f"n{index}" for index in range(len(case.options))] if named else []
    names = names or list(range(len(case.options)))
    problem = dlx.Problem(case.primary, case.secondary)
    smaller = dlx.Problem(case.primary, case.secondary)
    for index, (name, option) in enumerate(zip(names, case.options, strict=True)):
        problem.add_option(option, name=name if named else None)
        if index not in forbid:
            smaller.add_option(option, name=name)
    forbidden = [names[index] for index in forbid]
    search = problem.solutions(forbid=forbidden, seed=seed, engine=engine)
    other = smaller.solutions(engine=engine)
    if seed is None:
        assert list(search) == list(other)
        assert search.stats.profile == other.stats.profile
    else:  # the order of the options left is that in which the seed shuffles all
        rest = problem.solutions(forbid=forbidden, seed=seed, engine="python")
        found = list(search)
        assert found == list(rest)
        assert search.stats.profile == rest.stats.profile
        assert set(map(frozenset, found)) == set(map(frozenset, other))
    assert problem.without(forbidden) == smaller


@given(case=multi_cases(weights=True), data=st.data())
def test_every_kind_of_problem_can_forbid(engine: str, case: Case, data: st.DataObject) -> None:
    problem = case.problem()
    _, forbid = choices(data, len(problem))
    forbidden = {problem.names[index] for index in forbid}
    found = list(problem.solutions(forbid=forbidden, engine=engine))
    wanted = [one for one in problem.solutions(engine=engine) if forbidden.isdisjoint(one)]
    assert sorted(map(sorted, found)) == sorted(map(sorted, wanted))
    for solution in found:
        problem.verify(solution)
    diagram = problem.diagram(forbid=forbidden, order="narrow")
    assert sorted(map(sorted, diagram)) == sorted(map(sorted, wanted))
    assert list(problem.diagram(forbid=forbidden)) == found
    for order in ("search", "narrow"):
        whole = problem.diagram(order=order)
        rest = whole.restrict(forbid=iter(forbidden))
        assert list(rest) == [one for one in whole if forbidden.isdisjoint(one)]
        assert rest.nodes <= whole.nodes
        again = rest.restrict(forbid=forbidden)
        assert (list(again), again.nodes) == (list(rest), rest.nodes)
        if found:
            assert list(whole.restrict(found[0], forbid=forbidden)) == list(rest.restrict(found[0]))
    costs = [data.draw(st.integers(-9, 9)) for _ in range(len(problem))]
    by_name = dict(zip(problem.names, costs, strict=True))
    ranking = problem.minimum(k=100, forbid=forbidden, costs=by_name)
    totals = sorted(sum(by_name[name] for name in one) for one in wanted)
    assert [cost for cost, _ in ranking] == totals[:100]
    assert problem.maximum(forbid=forbidden, costs=costs)[:1] == [
        (cost, one) for cost, one in problem.with_costs(costs).maximum(forbid=forbidden)
    ]
    assert diagram.minimum(by_name, k=100) == diagram.minimum(costs, k=100)
    assert [cost for cost, _ in diagram.minimum(costs, k=100)] == totals[:100]


@given(case=st.one_of(cases(max_options=12), multi_cases(weights=True)), data=st.data())
def test_the_residual_problem_is_what_a_search_under_givens_searches(
    engine: str, case: Case, data: st.DataObject
) -> None:
    problem = case.problem()
    chosen, forbid = choices(data, len(problem))
    names = [problem.names[index] for index in chosen]
    forbidden = [problem.names[index] for index in forbid]
    try:
        whole = list(problem.solutions(given=names, forbid=forbidden, engine=engine))
    except dlx.GivenClash as error:
        with pytest.raises(dlx.GivenClash, match=re.escape(str(error))):
            problem.residual(names, forbid=forbidden)
        return
    rest = problem.residual(names, forbid=forbidden)
    assert not set(rest.names) & {*names, *forbidden}
    assert list(rest.solutions(engine=engine)) == [one[len(names) :] for one in whole]


@given(case=cases(max_options=12), data=st.data())
def test_parts_samples_reductions_and_explanations(case: Case, data: st.DataObject) -> None:
    _, forbid = choices(data, len(case.options))
    problem = case.problem()
    found = list(problem.solutions(forbid=forbid))
    parts = problem.split(4, forbid=forbid)
    joined = [one for part in parts for one in problem.solutions(forbid=forbid, part=part)]
    assert joined == found
    assert sum(problem.count(forbid=forbid, part=part) for part in parts) == len(found)
    reduction = problem.reduced(forbid=forbid)
    assert not set(forbid) & {*reduction.problem.names, *reduction.blocked}
    assert set(map(frozenset, reduction.problem.solutions())) == set(map(frozenset, found))
    explanation = problem.explain(forbid=forbid)
    assert (explanation is None) == bool(found)
    if explanation is not None:
        kept = set(explanation.items)
        relaxed = dlx.Problem(
            [item for item in case.primary if item in kept],
            [item for item in case.secondary if item in kept],
        )
        for index, option in enumerate(case.options):
            left = [e for e in option if getattr(e, "item", e) in kept]
            if index not in forbid and any(item in kept for item in case.primary if item in left):
                relaxed.add_option(left)
        assert relaxed.solve() is None
    if found:
        assert set(problem.sample(5, 1, forbid=forbid)) <= set(found)
        estimate = problem.estimate(10, forbid=forbid)
        assert estimate.nodes >= 1


@pytest.mark.parametrize("engine", ["links", "python", "highs"])
def test_other_engines_forbid(engine: str) -> None:
    if engine == "highs":
        pytest.importorskip("highspy")
    problem = dlx.models.queens(6)
    forbid = [(0, 1)]
    costs = {name: name[0] * name[1] % 7 for name in problem.names}
    left = {name: cost for name, cost in costs.items() if name not in forbid}
    found = problem.minimum(3, engine=engine, forbid=forbid, costs=costs)
    wanted = problem.without(forbid).minimum(3, costs=left)
    assert [cost for cost, _ in found] == [cost for cost, _ in wanted]
    assert len(found) == 3


def test_sat_forbids() -> None:
    pytest.importorskip("pysat")
    problem = dlx.models.queens(7)
    forbid = [(0, 1), (3, 4)]
    found = {frozenset(one) for one in problem.solutions(engine="sat", forbid=forbid)}
    assert found == {frozenset(one) for one in problem.without(forbid).solutions()}


@pytest.mark.parametrize("workers", [1, 2])
def test_workers_and_executors_forbid(workers: int) -> None:
    problem = dlx.models.queens(7)
    forbid = [(0, 0), (3, 3), (6, 1)]
    wanted = list(problem.without(forbid).solutions())
    assert list(problem.solutions(forbid=forbid, workers=workers)) == wanted
    with ThreadPoolExecutor(workers) as executor:
        assert problem.count(forbid=forbid, executor=executor) == len(wanted)


def test_a_search_that_forbids_is_pickled_and_continued() -> None:
    import pickle

    problem = dlx.models.queens(6)
    search = problem.solutions(forbid=[(0, 1)])
    first = next(search)
    again = pickle.loads(pickle.dumps(search))
    assert [first, *again] == list(problem.without([(0, 1)]).solutions())


def test_journals_keep_what_is_forbidden(tmp_path: Path) -> None:
    problem = dlx.models.queens(6)
    path = tmp_path / "search.db"
    forbid = [(0, 1)]
    wanted = list(problem.solutions(forbid=forbid))
    assert list(problem.solutions(forbid=forbid, checkpoint=path)) == wanted
    assert list(problem.solutions(forbid=forbid, checkpoint=path)) == wanted
    assert list(dlx.Journal(path).solutions()) == wanted
    for other in ((), [(0, 2)]):
        with pytest.raises(dlx.JournalError, match="of another problem: option 1 is"):
            problem.solutions(forbid=other, checkpoint=path)
    ranking = problem.minimum(forbid=forbid, checkpoint=tmp_path / "best.db")
    assert problem.minimum(forbid=forbid, checkpoint=tmp_path / "best.db") == ranking


def test_symmetries_keep_the_forbidden_set() -> None:
    problem = dlx.models.queens(6)
    corners = [(0, 0), (0, 5), (5, 0), (5, 5)]
    assert problem.symmetries(forbid=corners).order == 8
    assert problem.symmetries(forbid=corners[:1]).order == 2
    assert problem.symmetries(given=corners[:1], forbid=corners[3:]).order == 2
    assert problem.symmetries(given=corners[:1], forbid=corners[1:2]).order == 1
    half_turn = {(r, c): (5 - r, 5 - c) for r in range(6) for c in range(6)}
    group = problem.symmetries(generators=[half_turn], forbid=[(0, 0), (5, 5)])
    assert group.order == 2
    with pytest.raises(dlx.InvalidArgument, match=r"generators\[0\]"):
        problem.symmetries(generators=[half_turn], forbid=[(0, 0)])
    with pytest.raises(dlx.InvalidArgument, match="do not keep the forbidden options"):
        problem.count(distinct=group, forbid=[(0, 1)])


@pytest.mark.parametrize("forbid", [[], [(0, 2), (0, 4)], [(2, 2), (2, 4), (4, 2), (4, 4)]])
def test_distinct_solutions_under_the_symmetries_that_keep_the_forbidden_set(
    forbid: Sequence[tuple[int, int]],
) -> None:
    problem = dlx.models.queens(7)
    group = problem.symmetries(forbid=forbid)
    left = {frozenset(solution) for solution in problem.solutions(forbid=forbid)}
    classes = {frozenset(frozenset(group.apply(one, each)) for one in group) for each in left}
    assert problem.count(distinct=True, forbid=forbid) == len(classes)
    for distinct in (True, group):
        search = problem.solutions(distinct=distinct, forbid=forbid)
        found = {frozenset(solution): search.orbit_size for solution in search}
        assert sum(found.values()) == len(left)
        assert sorted(found.values()) == sorted(map(len, classes))
        assert all(any(one in each for each in classes) for one in found)


ASKED = (
    *("solutions", "solve", "count", "is_unique", "minimum", "maximum", "diagram", "sample"),
    *("estimate", "explain", "reduced", "symmetries", "split", "asolve"),
)


@pytest.mark.parametrize("name", ASKED)
def test_wrong_names_are_refused(name: str) -> None:
    problem = dlx.Problem.from_options(TOWN)

    def ask(**keywords: Any) -> None:
        answer = getattr(problem, name)(*[2] * (name == "split"), **keywords)
        asyncio.run(answer)  # of `asolve`; the others have raised by now

    for keywords, error, message in (
        ({"forbid": ["q"]}, dlx.UnknownOption, "there is no option named 'q'"),
        ({"forbid": "xy"}, dlx.UnknownOption, "forbid is the text 'xy'"),
        ({"forbid": 3}, dlx.UnknownOption, "forbid is 3; give a list"),
        ({"forbid": ["x", "x"]}, dlx.GivenClash, "option 'x' is forbidden twice"),
        ({"given": iter("x"), "forbid": ["x"]}, dlx.GivenClash, "'x' is both given and forbidden"),
        ({"given": ["q"], "forbid": ["x"]}, dlx.UnknownOption, "there is no option named 'q'"),
    ):
        with pytest.raises(error, match=message):
            ask(**keywords)


def test_iterators_of_givens_and_forbidden_options_are_read_once() -> None:
    problem = dlx.Problem.from_options(TOWN)
    assert list(problem.solutions(given=iter(["x"]), forbid=iter(["y"]))) == [("x", "z")]
    assert problem.count(given=iter(["x"]), forbid=iter([])) == 2


# -- many sets -----------------------------------------------------------------------------------


@st.composite
def cases_and_sets(draw: st.DrawFn) -> tuple[Case, list[int], list[tuple[list[int], list[int]]]]:
    """A problem, options that all sets forbid, and for each set its givens and forbidden options.

    Some are impossible, or do not exist.
    """
    case = draw(cases())
    indices = st.integers(0, len(case.options))  # one too many
    forbid = [index for index in draw(st.sets(indices, max_size=2)) if index < len(case.options)]
    rows = st.tuples(st.lists(indices, max_size=3), st.lists(indices, max_size=3, unique=True))
    sets = draw(st.lists(rows, max_size=6))
    return case, forbid, [one for one in sets for _ in range(draw(st.integers(1, 2)))]


def one_by_one(problem: dlx.Problem, calls: list[dict[str, Any]], method: str) -> list[Any]:
    """What each call returns, or "error" if it raises; several flaws have no order."""
    answers: list[Any] = []
    for keywords in calls:
        try:
            answer = getattr(problem, method)(**keywords)
            answers.append(list(answer) if method == "solutions" else answer)
        except dlx.DLXError:
            answers.append("error")
    return answers


def shown(answers: Any) -> list[Any]:
    """Answers, with "error" for exceptions."""
    return ["error" if isinstance(one, dlx.DLXError) else one for one in answers]


@given(drawn=cases_and_sets(), seed=SEEDS, workers=st.sampled_from([1, 2]))
def test_many_sets_are_answered_as_one_by_one(
    engine: str, drawn: Any, seed: int | None, workers: int
) -> None:
    case, forbid, sets = drawn
    if engine == "python":
        workers = 1
    problem = case.problem()
    calls = [
        {"given": chosen, "forbid": [*forbid, *(i for i in more if i not in forbid)], "seed": seed}
        for chosen, more in sets
    ]
    keywords: Any = {"engine": engine, "seed": seed, "workers": workers, "errors": "return"}
    givens = [chosen for chosen, _ in sets]
    forbids = [more for _, more in sets]
    for call in calls:
        call["engine"] = engine
    found = shown(problem.solve_many(givens, forbid=forbid, forbids=forbids, **keywords))
    assert found == one_by_one(problem, calls, "solve")
    found = shown(problem.count_many(givens, forbid=forbid, forbids=iter(forbids), **keywords))
    assert found == one_by_one(problem, calls, "count")
    found = shown(problem.solve_many(givens, forbid=forbid, limit=None, **keywords))
    calls = [{**call, "forbid": forbid} for call in calls]
    assert found == one_by_one(problem, calls, "solutions")


def test_many_sets_as_arrays_and_as_lines() -> None:
    import array

    problem = dlx.Problem.from_options({"a": [1], "b": [1], "c": [2], "d": [2]})
    arrays = array.array("i", [0, 0, 1]), array.array("i", [0])
    assert list(problem.solve_many(arrays, forbid=["c"])) == [("d", "a"), ("a", "d")]
    with pytest.raises(dlx.InvalidArgument, match="givens are arrays, and forbids"):
        problem.solve_many(arrays, forbids=[[], []])
    code = dlx.Code(problem, [{"a": "a", "b": "b"}, {"c": "c", "d": "d"}])
    answers = problem.solve_many(["..", "b.", ".d"], code=code, forbids=[["a"], [], ["a", "b"]])
    assert list(answers) == ["bc", "bc", None]
    assert list(problem.solve_many(["..", "b."], code=code, forbid=["c"])) == ["ad", "bd"]


def test_many_sets_that_are_wrong(engine: str) -> None:
    problem = dlx.Problem.from_options(TOWN)
    for givens, forbids, error, message in (
        ([["x"]], [["x"]], dlx.GivenClash, "option 'x' is both given and forbidden"),
        ([["x"]], [["q"]], dlx.UnknownOption, "forbids: there is no option named 'q'"),
        ([["x"]], [["y", "y"]], dlx.GivenClash, "option 'y' is forbidden twice"),
        ([["x"]], ["xy"], dlx.UnknownOption, "'xy' is not a set of forbidden options"),
        ([["x"]], [], dlx.InvalidArgument, "forbids has 0 sets, and givens has more"),
        ([], [["x"]], dlx.InvalidArgument, "givens has 0 sets, and forbids has more"),
    ):
        with pytest.raises(error, match=message):
            list(problem.solve_many(givens, forbids=forbids, engine=engine))
    with pytest.raises(dlx.InvalidArgument, match="forbids is 'xy'; give a list of sets"):
        problem.count_many([], forbids="xy")  # type: ignore[arg-type]
    with pytest.raises(dlx.UnknownOption, match="no option named 'q'"):
        problem.count_many([], forbid=["q"])


def test_many_sets_are_counted_in_the_kernel_with_and_without_forbidden_options() -> None:
    problem = dlx.models.queens(6)
    sets = [[(0, column)] for column in range(6)] * 20
    forbids = [[(1, number % 7)] if number % 7 < 6 else [] for number in range(len(sets))]
    for workers in (1, 3):
        found = problem.count_many(sets, forbids=forbids, workers=workers)
        wanted = [
            sum(one[0] in each and not set(gone) & set(each) for each in problem.solutions())
            for one, gone in zip(sets, forbids, strict=True)
            if one[0] != gone
        ]
        assert list(found) == wanted


# -- copies --------------------------------------------------------------------------------------


@given(case=cases(max_options=12), data=st.data())
def test_without_items_is_the_problem_built_without_them(case: Case, data: st.DataObject) -> None:
    items = [*case.primary, *case.secondary]
    gone = set(data.draw(st.lists(st.sampled_from(items), unique=True))) if items else set()
    _, forbid = choices(data, len(case.options))
    smaller = dlx.Problem(
        [item for item in case.primary if item not in gone],
        [item for item in case.secondary if item not in gone],
    )
    for index, option in enumerate(case.options):
        if index not in forbid and not any(getattr(e, "item", e) in gone for e in option):
            smaller.add_option(option, name=index)
    copy = case.problem().without(forbid, items=gone)
    assert copy == smaller
    assert list(copy.solutions()) == list(smaller.solutions())


@given(case=multi_cases(weights=True), data=st.data())
def test_without_keeps_bounds_weights_colors_and_costs(case: Case, data: st.DataObject) -> None:
    problem = case.problem()
    _, forbid = choices(data, len(problem))
    costs = dict(zip(problem.names, range(len(problem)), strict=True))
    problem = problem.with_costs(costs)
    items = problem.items
    item = data.draw(st.sampled_from(items)) if items else None
    gone = [] if item is None or data.draw(st.booleans()) else [item]
    copy = problem.without([problem.names[index] for index in forbid], items=gone)
    left = {item: bounds for item, bounds in problem.multiplicities.items() if item not in gone}
    assert copy.multiplicities == left
    assert [i for i in problem.items if i not in gone] == list(copy.items)
    for name in copy.names:
        assert copy.option(name) == problem.option(name)
        assert copy.cost_of([name]) == costs[name]
    assert copy.maximum(k=3) == copy.without().maximum(k=3)
    assert set(copy.solutions()) == set(dlx.Problem.__copy__(copy).solutions())


def test_copies_are_independent() -> None:
    problem = dlx.Problem.from_options(TOWN).freeze()
    copy = problem.without(["x"])
    assert copy.add_option(["a"], name="new") == 3
    assert copy.names == ("y", "xy", "z", "new")
    assert problem.names == ("x", "y", "xy", "z")
    costly = problem.with_costs([1, 2, 3, 4])
    costly.add_option(["a"], cost=9)
    assert (problem.costs, costly.costs) == ((0, 0, 0, 0), (1, 2, 3, 4, 9))
    for call, error, message in (
        (lambda: problem.without(["q"]), dlx.UnknownOption, "named 'q'"),
        (lambda: problem.without("xy"), dlx.UnknownOption, "options is the text 'xy'"),
        (lambda: problem.without(["x", "x"]), dlx.GivenClash, "option 'x' is named twice"),
        (lambda: problem.without(items=["q"]), dlx.UnknownItem, "item 'q' was not declared"),
        (lambda: problem.without(items="ab"), dlx.UnknownItem, "items is 'ab'; give a list"),
        (lambda: problem.option("q"), dlx.UnknownOption, "named 'q'"),
        (lambda: problem.with_costs([1]), dlx.InvalidCost, "1 cost for 4 options"),
    ):
        with pytest.raises(error, match=message):
            call()


def test_costs_of_a_copy_are_for_the_options_left() -> None:
    problem = dlx.Problem.from_options(TOWN)
    assert problem.without(["x"]).minimum(costs=[1, 2, 3]) == [(2, ("xy",))]
    assert problem.minimum(forbid=["x"], costs=[0, 1, 2, 3]) == [(2, ("xy",))]


# -- the command line ----------------------------------------------------------------------------

FILE = "a b\na\nb\na b\nb\n"


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["solve", "--all", "--forbid", "1", "--forbid", "a b"], "\n  3: b\n"),
        (["count", "--forbid", "a"], "1\n"),
        (["count", "--given", "0", "--forbid", "1"], "1\n"),
        (["min", "--forbid", "0", "--json"], '"options": [2]'),
        (["estimate", "--forbid", "0"], "1 +- 0 solutions"),
        (["explain", "--forbid", "0", "--forbid", "a b"], "no option contains item 'a'"),
        (["symmetries", "--forbid", "1"], "1"),
    ],
)
def test_commands_forbid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], printed: str
) -> None:
    file = tmp_path / "problem.dlx"
    file.write_text(FILE)
    main([arguments[0], str(file), *arguments[1:]])
    assert printed in capsys.readouterr().out


def test_the_command_refuses_unknown_forbidden_options(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "problem.dlx"
    file.write_text(FILE)
    assert (
        "--forbid: no option has the name or exactly the items 'a c'"
        in run("count", str(file), "--forbid", "a c", status=2).err
    )
