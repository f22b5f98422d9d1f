"""Parts of searches: wherever a search stands, any engine goes on from there, and nothing is lost.

The reference is the search in one piece: the parts must have its solutions in its order, and its
nodes at each depth.
"""

from __future__ import annotations

import contextlib
import pickle
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple, cast

import pytest
from bruteforce import Case, SearchTree
from hypothesis import example, given, settings
from hypothesis import strategies as st
from internals import kernel_problem, numbered
from kernel_searches import engine_choice
from search_strategies import SEEDS
from strategies import any_large_cases, large_cases, large_multi_cases, possible_givens

import dlx
from dlx import Part, models
from dlx.core.budget import Budget
from dlx.core.kernel import Search as KernelSearch
from dlx.core.part import split_at_floor
from dlx.engines.protocols import TreeEngine
from dlx.engines.python.search import PythonEngine
from dlx.engines.registry import HEURISTICS
from dlx.links.matrix import Matrix
from dlx.parallel import split as splitting

NO_LIMIT = 2**62
MANY = 250  # nodes; larger problems are passed over

PLAIN = (
    *("links", "bits", "auto", "bits/counters", "bits/scattered", "bits/renumbered"),
    *("bits/slices", "bits/lanes64"),
)
HANDING_OVER = (
    *("links/1", "links/2", "links/3", "links/1/30", "links/2/60", "links/3/90"),
    *("auto/0", "auto/5", "auto/40"),
)
RANDOM = st.integers(0, 2**32).map(random.Random)


class Question(NamedTuple):
    """A problem, and what is asked of it."""

    problem: dlx.Problem
    given: tuple[int, ...] = ()
    seed: int | None = None
    heuristic: Any = "mrv"

    def open(self, engine: str, part: Part | None = None) -> TreeEngine:
        """An engine on it; solutions are tuples of indices."""
        prepared = numbered(self.problem, self.seed)
        path, floor = part or Part()
        if engine == "python":
            matrix = self.problem.matrix(self.seed)
            return PythonEngine(matrix, self.given, None, self.heuristic, path, floor)
        given = list(self.given)
        choice = engine_choice(engine)
        return KernelSearch(prepared.problem, given, None, choice, self.heuristic, path, floor)

    def is_small(self, engine: str = "links") -> bool:
        search = self.open(engine)
        search.skip(Budget(nodes=MANY))
        return search.finished


def add(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip_longest(one, other, fillvalue=0))


def in_one_piece(question: Question, engine: str = "links") -> SearchTree:
    search = question.open(engine)
    solutions: list[Any] = []
    while not search.finished:
        search.run(Budget(), solutions)
    return SearchTree(solutions, search.stats.profile)


def children_of_the_root(question: Question) -> list[Part]:
    search = question.open("links")
    search.skip(Budget(nodes=1))
    position = search.position()
    assert position is not None
    item = position[0][0][0]
    return [Part(((item, option),), 1) for option in search.untried()]


def go_on(search: TreeEngine, rng: random.Random, solutions: list[Any]) -> None:
    """Some way: by solutions, by nodes or by the clock."""
    kind = rng.randrange(4)
    if kind == 0:
        search.run(Budget(rng.randint(0, 3)), solutions)
    elif kind == 1:
        search.run(Budget(nodes=rng.randint(0, 30)), solutions)
    elif kind == 2:
        search.run(Budget.of(seconds=rng.choice([0.0, 1e-6, 1e-5])), solutions)
    search.take_waiting(solutions)  # what waits


def split_in(part: Part, search: TreeEngine, rng: random.Random) -> list[Part]:
    """What is left of a search that stands at a part, in one or more parts."""
    path, floor = part
    if len(path) > floor and rng.random() < 0.2:
        try:
            options = search.untried()
        except RuntimeError:
            return [part]
        assert options
        subtrees = [Part((*path[:-1], (path[-1][0], option)), len(path)) for option in options]
        return subtrees if len(path) == floor + 1 else [*subtrees, Part(path[:-1], floor)]
    parts = [part]
    while len(parts[0].path) > parts[0].floor + 1 and rng.random() < 0.5:
        parts[:1] = split_at_floor(parts[0])
    return parts


def chopped(question: Question, engines: Sequence[str], rng: random.Random) -> SearchTree:
    """The same by pauses anywhere and splits of what is left, each part by an engine of its own."""
    todo = [Part()]
    solutions: list[Any] = []
    profile: tuple[int, ...] = ()
    while todo:
        part = pickle.loads(pickle.dumps(todo.pop(0)))
        search = question.open(rng.choice(engines), part)
        if rng.random() < 0.3:  # one that has done something else before
            search.skip(Budget(rng.randint(0, 2)))
            search.restart(part.path, part.floor)
        assert search.stats[:4] == (0, 0, 0, ())
        if part.is_subtree:
            assert search.position() == (list(part.path), part.floor)
        go_on(search, rng, solutions)
        profile = add(profile, search.stats.profile)
        assert search.stats.nodes == sum(search.stats.profile)
        position = search.position()
        if position is not None:
            path, floor = position
            assert part.floor <= floor <= len(path)
            assert path[: part.floor] == list(part.path[: part.floor])
            left = Part(tuple(path), rng.choice([part.floor, floor]))
            todo[:0] = split_in(left, search, rng)
    return SearchTree(solutions, profile)


# -- any engine goes on where any other stands ---------------------------------------------------


def assert_nothing_is_lost(question: Question, engines: Sequence[str], rng: random.Random) -> None:
    if question.is_small():
        assert chopped(question, engines, rng) == in_one_piece(question)


@settings(max_examples=2 * settings().max_examples)
@given(case=any_large_cases(), seed=SEEDS, rng=RANDOM, data=st.data())
@pytest.mark.parametrize(
    "engines", [("links",), ("python",), PLAIN, HANDING_OVER, (*PLAIN, "python")]
)
def test_nothing_is_lost(
    engines: Sequence[str], case: Case, seed: int | None, rng: random.Random, data: st.DataObject
) -> None:
    problem = case.problem()
    given = possible_givens(data, problem, seed)
    assert_nothing_is_lost(Question(problem, given, seed), engines, rng)


@given(case=any_large_cases(), rng=RANDOM)
def test_whatever_chooses_the_items(case: Case, rng: random.Random) -> None:
    """Other heuristics go other ways below a position, but find each solution once."""
    question = Question(case.problem())
    if not question.is_small():
        return
    expected = Counter(frozenset(solution) for solution in in_one_piece(question).solutions)
    engines = ("links", "bits", "auto", "auto/5", "python")
    told = chopped(question._replace(heuristic="weighted"), engines, rng)
    assert Counter(map(frozenset, told.solutions)) == expected
    own = question._replace(heuristic=lambda headers: rng.choice(headers))
    if own.is_small("python"):
        told = chopped(own, ("python",), rng)
        assert Counter(map(frozenset, told.solutions)) == expected


@given(case=any_large_cases(), limit=st.integers(0, 20))
@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_all_engines_stand_in_the_same_place(heuristic: str, case: Case, limit: int) -> None:
    """After `limit` solutions; the parts that are left are the same however they are listed."""
    question = Question(case.problem(), heuristic=heuristic)
    if not question.is_small():
        return
    where = []
    for engine in ("links", "python", "bits", "auto/5", "links/2", "links/2/40"):
        search = question.open(engine)
        found: list[Any] = []
        while len(found) < limit and not search.finished:
            search.run(Budget(limit - len(found)), found)
        where.append(search.position())
    assert where == [where[0]] * len(where)


def test_a_node_that_was_counted_is_visited() -> None:
    """The engine in Python stops at any step but between trying an option and looking at it."""
    question = Question(models.langford(4))
    whole = in_one_piece(question)
    for nodes in range(1, sum(whole.profile) + 1):
        search = question.open("python")
        found: list[Any] = []
        search.run(Budget(nodes=nodes), found)
        assert search.stats.nodes == nodes
        position = search.position()
        rest = SearchTree([], [])
        if position is not None:
            left = question.open("links", Part(tuple(position[0]), position[1]))
            left.run(Budget(), rest.solutions)
            rest = SearchTree(rest.solutions, left.stats.profile)
        assert SearchTree(found + rest.solutions, add(search.stats.profile, rest.profile)) == whole


@pytest.mark.parametrize("engine", ["links", "bits", "auto/0"])
def test_what_is_found_but_not_handed_over(engine: str) -> None:
    """A search does not tell where it stands before it has handed everything over."""
    question = Question(models.pentominoes(3, 20))
    held = 0
    for nodes in range(1, 4000, 41):
        search = question.open(engine)
        found: list[Any] = []
        search.run(Budget(nodes=nodes), found)
        if search.stats.solutions > len(found):
            held += 1
            with pytest.raises(RuntimeError, match="wait"):
                search.position()
        search.take_waiting(found)
        assert len(found) == search.stats.solutions
        assert search.position() is not None
    assert held or engine == "links"


@pytest.mark.parametrize("engine", ["links", "bits", "auto/300", "links/3", "python"])
def test_restarted_in_the_middle(engine: str) -> None:
    """Whatever an engine was doing, it begins with the part as a new one does."""
    question = Question(models.queens(6))
    whole = in_one_piece(question)
    parts = children_of_the_root(question)
    search = question.open(engine)
    for pause in range(4):
        found: list[Any] = []
        profile: tuple[int, ...] = (1,)  # the root, above the parts
        for part in parts:
            search.restart(part.path, part.floor)
            search.run(Budget(pause), [])
            search.restart(part.path, part.floor)
            while not search.finished:
                search.run(Budget(), found)
            profile = add(profile, search.stats.profile)
        assert SearchTree(found, profile) == whole


@pytest.mark.parametrize("engine", ["links", "bits", "auto/100"])
def test_an_abandoned_part_leaves_no_trace(engine: str) -> None:
    problem = models.queens(6)
    fresh, search = Question(problem).open(engine), Question(problem, (3,)).open(engine)
    assert isinstance(fresh, KernelSearch)
    assert isinstance(search, KernelSearch)
    search.restart(*children_of_the_root(Question(problem, (3,)))[1])
    search.skip(Budget(1))
    search.close()
    assert search.image() == fresh.image()


def test_the_steps_of_a_part() -> None:
    matrix = Matrix("abc", options=["a", "b", "ab", "c"])
    steps = [str(step) for step in matrix.search(path=[(2, 3), (0, 0)], floor=1)]
    assert steps == [
        "    here the path ends",
        "    try option 2",
        "    solution!",
        "  level 1: item a is done",
    ]
    matrix.check()


# -- what parts there are ------------------------------------------------------------------------


def test_split_at_the_floor() -> None:
    part = Part(((0, 1), (3, 4), (5, -1)), 0)
    pieces = split_at_floor(part)
    assert pieces == [Part(part.path, 1), Part(((0, 1),), 0)]
    assert split_at_floor(pieces[0]) == [Part(part.path, 2), Part(((0, 1), (3, 4)), 1)]
    for whole in (Part(), Part(((0, 1),), 0), Part(((0, 1),), 1), Part(part.path, 2)):
        assert split_at_floor(whole) == [whole]


def by_parts(problem: dlx.Problem, parts: Iterable[Part], **search: Any) -> list[Any]:
    return [one for part in parts for one in problem.solutions(part=part, **search)]


@given(
    case=large_cases(),
    parts=st.integers(1, 12),
    seed=SEEDS,
    engine=st.sampled_from(["auto", "links", "bits", "python"]),
    data=st.data(),
)
def test_split(case: Case, parts: int, seed: int | None, engine: str, data: st.DataObject) -> None:
    """The parts have all solutions, in order, and only the nodes above them belong to no part."""
    problem = case.problem()
    below = possible_givens(data, problem, seed)
    question = Question(problem, below, seed)
    if not question.is_small():
        return
    whole = in_one_piece(question)
    pieces = problem.split(parts, given=below, seed=seed)
    assert problem.split(parts, given=below, seed=seed) == pieces
    search = {"given": below, "seed": seed, "engine": engine}
    assert by_parts(problem, pieces, **search) == whole.solutions
    profile: tuple[int, ...] = ()
    for piece in pieces:
        one = problem.solutions(part=piece, **search)
        assert problem.count(part=piece, **search) == len(list(one))
        profile = add(profile, one.stats.profile)
    above = {piece.path[:depth] for piece in pieces for depth in range(len(piece.path))}
    nodes = sum(whole.profile) - sum(profile)
    assert 0 <= nodes <= len(above)
    assert len(pieces) >= min(parts, sum(profile)) or len(pieces) >= parts


@given(case=large_multi_cases(weights=True), parts=st.integers(1, 12))
def test_split_with_multiplicities(case: Case, parts: int) -> None:
    question = Question(case.problem())
    if question.is_small():
        pieces = question.problem.split(parts)
        assert by_parts(question.problem, pieces) == in_one_piece(question).solutions
        counts = [question.problem.count(part=piece) for piece in pieces]
        assert sum(counts) == question.problem.count()


@pytest.mark.parametrize("heuristic", ["weighted", lambda headers: headers[-1]])
def test_split_by_other_heuristics(heuristic: Any) -> None:
    problem = models.queens(6)
    pieces = problem.split(7, heuristic=heuristic)
    engine = "python" if callable(heuristic) else "auto"
    found = by_parts(problem, pieces, heuristic=heuristic, engine=engine)
    assert Counter(map(frozenset, found)) == Counter(map(frozenset, problem.solutions()))
    assert len(pieces) >= 7


def test_parts_are_even_and_small() -> None:
    problem = models.queens(10)
    parts = problem.split(8)
    assert 8 <= len(parts) <= 80
    assert max(len(pickle.dumps(part)) for part in parts) < 1000
    sizes = []
    for part in parts:
        search = Question(problem).open("auto", part)
        search.skip(Budget())
        sizes.append(search.stats.nodes)
    assert max(sizes) < sum(sizes) / 8
    assert sum(problem.count(part=part) for part in parts) == 724


class CountingEngine:
    """An engine that counts how many decisions it has been led through by restarts."""

    def __init__(self, engine: TreeEngine) -> None:
        self.engine = engine
        self.steps = 0

    def restart(self, path: Sequence[tuple[int, int]], floor: int) -> None:
        self.steps += len(path) + 1
        self.engine.restart(path, floor)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engine, name)


@pytest.mark.lengthy
def test_splitting_a_deep_tree_has_a_limit() -> None:
    """Estimates are far off there, and hardly any subtree ever seems small enough."""
    size = 8_000
    options = [[*range(item, item + length)] for item in range(size) for length in (1, 2)]
    problem = dlx.Problem.from_options([option for option in options if option[-1] < size])
    engine = CountingEngine(Question(problem).open("links"))
    probes = kernel_problem(problem).probes([], 0)
    size_of = splitting.size_by_probes(probes, [], 8)
    assert len(splitting.split_search(cast(TreeEngine, engine), size_of, 8)) >= 8
    assert probes.work < 1.1 * splitting.WORK
    assert size_of(()) is None
    assert engine.steps < 10_000


def test_splitting_below_a_long_chain() -> None:
    """A chain of nodes with one child each is not come to node by node, each time from the root."""
    size, pairs = 5_000, 10
    options = [[item] for item in range(size)]
    options += [[size + pair] for pair in range(pairs) for _ in range(2)]
    engine = CountingEngine(Question(dlx.Problem.from_options(options)).open("links"))
    parts = splitting.split_search(
        cast(TreeEngine, engine), lambda path: 2 ** (size + pairs - len(path)), 8
    )
    assert len(parts) >= 8
    assert engine.steps < 100 * size
    ends = {part.path[size][1] for part in parts}
    assert ends == {size, size + 1}


@pytest.mark.lengthy
def test_descents_have_a_limit() -> None:
    """Where each level is come to from the root, a deep descent is quadratic."""
    size = 4_000
    items = range(size)
    problem = dlx.Problem.from_options(
        [[item] for item in items for _ in range(2)], multiplicities={0: (1, 2)}
    )
    engine = CountingEngine(Question(problem).open("links"))
    size_of = splitting.size_by_descents(cast(TreeEngine, engine), 8)
    assert len(splitting.split_search(cast(TreeEngine, engine), size_of, 8)) >= 8
    assert engine.steps < 1.2 * splitting.STEPS


def test_a_tree_smaller_than_asked_for() -> None:
    problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"]])
    parts = problem.split(100)
    assert len(parts) == 2
    assert by_parts(problem, parts) == [(0, 1), (2,)]
    assert dlx.Problem().split(3) == [Part()]
    assert by_parts(dlx.Problem(), [Part()]) == [()]
    hopeless = dlx.Problem(["a"])
    assert by_parts(hopeless, hopeless.split(3)) == []


def test_limits_hold_for_parts() -> None:
    problem = models.queens(8)
    part = Part(children_of_the_root(Question(problem))[2].path, 0)
    rest = problem.count(part=part)
    assert 0 < rest < 92
    assert len(list(problem.solutions(part=part, limit=3))) == 3
    assert problem.count(part=part, limit=3) == 3
    assert problem.count(part=part, limit=1) == 1
    with pytest.raises(dlx.SearchInterrupted):
        problem.count(part=part, timeout=0, engine="links")


# -- parts that are none -------------------------------------------------------------------------

CORNERS = dlx.Problem.from_options(
    {"ab": ["a", "b"], "a": ["a"], "bc": ["b", "c"], "c": ["c", "x"], "bx": ["b", "x"]},
    secondary=["x"],
)
WRONG: dict[str, Any] = {
    "text": "part",
    "pair": ((), 0),
    "list": Part([], 0),  # type: ignore[arg-type]
    "float": Part((), 0.0),  # type: ignore[arg-type]
    "bool": Part((), False),
    "huge": Part(((0, 2**40),), 0),
    "no pairs": Part((0, 1), 0),  # type: ignore[arg-type]
    "triple": Part(((0, 1, 2),), 0),  # type: ignore[arg-type]
    "floor above": Part(((0, 0),), 2),
    "floor below": Part(((0, 0),), -1),
    "no such item": Part(((9, 0),), 0),
    "negative item": Part(((-1, 0),), 0),
    "secondary item": Part(((3, 3),), 0),
    "no such option": Part(((0, 5),), 0),
    "another item's option": Part(((0, 2),), 0),
    "open in the middle": Part(((0, -1), (1, 2)), 0),
    "open at the floor": Part(((0, -1),), 1),
    "no option at all": Part(((0, -2),), 0),
    "below none": Part(((0, -3),), 0),
    "item covered before": Part(((0, 0), (1, 0)), 0),
    "the same item twice": Part(((0, 0), (0, 1)), 0),
    "clash": Part(((0, 0), (2, 2)), 0),
    "clash of secondary items": Part(((1, 4), (2, 3)), 0),
    "dead end": Part(((1, 4), (0, 1)), 0),
    "dead end at a floor": Part(((1, 4), (0, 1)), 2),
    "beyond a solution": Part(((0, 0), (2, 3), (1, 2)), 0),
}


@pytest.mark.parametrize("engine", ["auto", "links", "bits", "python"])
@pytest.mark.parametrize("part", WRONG.values(), ids=WRONG)
def test_wrong_parts_are_refused(part: Any, engine: str) -> None:
    for ask in (CORNERS.solutions, CORNERS.count):
        question: Callable[..., object] = ask
        with pytest.raises(dlx.InvalidPart) as refusal:
            question(part=part, engine=engine)
        assert "\n" not in str(refusal.value)


def test_parts_of_another_search() -> None:
    problem = models.queens(6)
    part = problem.split(6)[2]
    with pytest.raises(dlx.InvalidPart):
        models.queens(3).solutions(part=part)
    with pytest.raises(dlx.InvalidPart, match="given"):
        problem.solutions(part=part, given=[problem.names[part.path[0][1]]])
    with pytest.raises(dlx.InvalidArgument, match="order"):
        problem.solutions(part=part, engine="sat")


MULTIPLE = dlx.Problem.from_options(
    [["a"], ["a", "b"], ["b"], ["a"]], multiplicities={"a": (1, 2), "b": (0, 1)}
)


@pytest.mark.parametrize("engine", ["auto", "links", "bits", "python"])
@pytest.mark.parametrize(
    "path",
    [
        [(0, -2)],
        [(0, 1), (0, 0)],
        [(0, 0), (0, 0)],
        [(1, 1), (0, 1)],
        [(1, 0)],
        [(0, 3), (0, 3)],
        [(1, -2), (1, -2)],
        [(1, -2), (1, -1)],
        [(2, 0)],
    ],
)
def test_wrong_parts_with_multiplicities(path: list[tuple[int, int]], engine: str) -> None:
    with pytest.raises(dlx.InvalidPart):
        MULTIPLE.solutions(part=Part(tuple(path), 0), engine=engine)


@given(path=st.lists(st.tuples(st.integers(-1, 4), st.integers(-3, 6)), max_size=4))
@example(path=[(0, 1), (1, 1)])
@example(path=[(0, 0), (0, 0)])
def test_a_refused_path_leaves_no_trace(path: list[tuple[int, int]]) -> None:
    """The torus is as it was, wherever on the path the mistake was found."""
    for problem in (CORNERS, MULTIPLE):
        fresh = Question(problem).open("links").image()  # type: ignore[attr-defined]
        search: Any = Question(problem).open("links")
        with contextlib.suppress(ValueError):
            search.restart(path, 0)
            search.close()
        assert search.image() == fresh


@pytest.mark.parametrize("engine", ["links", "bits", "auto", "python"])
def test_a_part_of_nothing(engine: str) -> None:
    """An item without options ends every path at the root."""
    problem = dlx.Problem.from_options([["a"]], primary=["a", "b"])
    with pytest.raises(dlx.InvalidPart):
        problem.solutions(part=Part(((0, 0),), 0), engine=engine)  # type: ignore[arg-type]


@given(
    path=st.lists(st.tuples(st.integers(-1, 4), st.integers(-3, 6)), max_size=4),
    floor=st.integers(0, 4),
    other=st.sampled_from([CORNERS, MULTIPLE]),
)
def test_engines_agree_on_what_is_a_part(
    path: list[tuple[int, int]], floor: int, other: dlx.Problem
) -> None:
    """They refuse the same parts, or find the same solutions: the kernel never crashes."""
    part = Part(tuple(path), floor)
    answers = []
    for engine in ("links", "auto", "python", "bits"):
        try:
            answers.append(list(other.solutions(part=part, engine=engine)))
        except dlx.InvalidPart:
            answers.append([("refused",)])
    assert answers == [answers[0]] * len(answers)


@pytest.mark.parametrize("engine", ["links", "bits", "auto", "python"])
def test_an_engine_that_refused_may_be_restarted(engine: str) -> None:
    search = Question(CORNERS).open(engine)
    for path in ([(1, 4), (0, 1)], [(0, 0), (2, 2)]):
        with pytest.raises(ValueError, match="path"):
            search.restart(path, 0)
        assert search.finished
        assert search.position() is None
    search.restart([], 0)
    found: list[Any] = []
    while not search.finished:
        search.run(Budget(10), found)
    assert found == in_one_piece(Question(CORNERS)).solutions


@pytest.mark.parametrize("parts", [0, -1, 2.0, True, "8", None, 10**7])
def test_how_many_parts_there_cannot_be(parts: Any) -> None:
    with pytest.raises(dlx.InvalidArgument, match="parts is"):
        CORNERS.split(parts)
