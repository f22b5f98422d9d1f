"""Diagrams: the same set as an enumeration, in the same order, and every question about it.

Half of the problems have multiplicities.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import sys
from array import array
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from math import cos, pi, prod
from pathlib import Path
from typing import Any

import known_counts
import pytest
from alarms import Alarm
from bruteforce import Case, all_subsets
from commands import run_python
from example_problems import pigeons
from hypothesis import given, settings
from hypothesis import strategies as st
from internals import columns_of, kernel_problem, variables_of
from strategies import any_cases, any_large_cases, cases, parts_of_solutions
from timeouts import cut_short

import dlx
from dlx import Diagram, models
from dlx.analysis.diagram.build import ORDERS
from dlx.analysis.diagram.nodes import columns_from, walk

orders = st.sampled_from(ORDERS)


def domino_count(rows: int, columns: int) -> int:
    """P. W. Kasteleyn's formula (1961)."""
    return round(
        prod(
            4 * cos(pi * j / (rows + 1)) ** 2 + 4 * cos(pi * k / (columns + 1)) ** 2
            for j in range(1, (rows + 1) // 2 + 1)
            for k in range(1, (columns + 1) // 2 + 1)
        )
    )


def in_item_order(problem: dlx.Problem, **search: Any) -> list[dlx.search.search.Solution]:
    """The solutions as a search has them that takes the items in the order of "narrow"."""
    numbers = kernel_problem(problem).narrow_order()
    place = {problem.primary[number]: at for at, number in enumerate(numbers)}

    def first(headers: Sequence[Any]) -> Any:
        return min(headers, key=lambda header: place[header.name])

    return list(problem.solutions(engine="python", heuristic=first, **search))


# -- the set -------------------------------------------------------------------------------------


@settings(max_examples=200)
@given(any_cases(), orders)
def test_the_set_is_that_of_brute_force(case: Case, order: str) -> None:
    diagram = case.problem().diagram(order=order)
    listed = list(map(frozenset, diagram))
    assert len(set(listed)) == len(listed) == len(diagram) == diagram.count()
    assert set(listed) == all_subsets(case)
    assert bool(diagram) == bool(listed)


@settings(max_examples=200)
@given(any_large_cases(), st.none() | st.integers(0, 9))
def test_the_order_of_search_is_that_of_solutions(case: Case, seed: int | None) -> None:
    problem = case.problem()
    diagram = problem.diagram(seed=seed)
    assert list(islice(diagram, 3000)) == list(problem.solutions(seed=seed, limit=3000))
    assert diagram.count() == problem.count(seed=seed)


@settings(max_examples=200)
@given(any_large_cases())
def test_the_order_of_narrow_is_that_of_a_search_by_that_order(case: Case) -> None:
    problem = case.problem()
    if problem.count(limit=2000) < 2000:
        assert list(problem.diagram(order="narrow")) == in_item_order(problem)


@given(any_cases(), orders, st.data())
def test_givens_come_first_and_leave_what_a_search_with_them_finds(
    case: Case, order: str, data: st.DataObject
) -> None:
    problem = case.problem()
    solutions = list(problem.solutions())
    if not solutions:
        return
    part = data.draw(parts_of_solutions(solutions))
    expected = (
        list(problem.solutions(given=part))
        if order == "search"
        else in_item_order(problem, given=part)
    )
    diagram = problem.diagram(order=order, given=part)
    assert list(diagram) == expected
    restricted = problem.diagram(order=order).restrict(part)
    assert set(map(frozenset, restricted)) == set(map(frozenset, expected))
    assert restricted.count() == len(expected)
    if order == "narrow":
        check_order(diagram)
        check_order(restricted)
    assert list(restricted) == [s for s in problem.diagram(order=order) if set(part) <= set(s)]


@given(any_cases(), orders)
def test_nodes_are_in_order_and_no_two_are_equal(case: Case, order: str) -> None:
    diagram = case.problem().diagram(order=order)
    option, low, high, root = columns_of(diagram)
    assert diagram.nodes == len(option) - 2
    assert len(set(zip(option[2:], low[2:], high[2:], strict=True))) == diagram.nodes
    for node in range(2, len(option)):
        assert 0 < high[node] < node
        assert low[node] < node
    assert root == len(option) - 1 or root < 2
    if order == "narrow":
        check_order(diagram)


def check_order(diagram: Diagram) -> None:
    """Along every way the options come as `variables` has them."""
    option, low, high, _ = columns_of(diagram)
    variables = variables_of(diagram)
    assert variables is not None
    place = {index: at for at, index in enumerate(variables)}
    for node in range(2, len(option)):
        for child in (low[node], high[node]):
            assert child < 2 or place[option[node]] < place[option[child]]


@given(cases(max_primary=9, max_options=20))
def test_the_order_of_items_and_options_does_not_change_the_count(case: Case) -> None:
    problem = case.problem()
    counts = {
        problem.diagram(order=order, seed=seed).count() for order in ORDERS for seed in (0, 1)
    }
    assert counts == {problem.count()}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("rows", range(1, 9))
@pytest.mark.parametrize("columns", range(1, 9))
def test_dominoes_by_kasteleyns_formula(rows: int, columns: int, order: str) -> None:
    assert models.dominoes(rows, columns).diagram(order=order).count() == (
        0 if rows * columns % 2 else domino_count(rows, columns)
    )


@pytest.mark.parametrize(
    ("problem", "count", "source"),
    [
        *((known.build(), known.solutions, known.source) for known in known_counts.LITTLE_MULTIPLE),
        (models.dominoes(12, 12), 53060477521960000, "A099390"),
        (models.langford(8), 2 * 150, "A014552"),
        # a million subproblems: were they told apart by 32 bits of a hash alone, some would not be
        (models.langford(12), 2 * 108144, "A014552"),
        (models.latin_square(4), 576, "A002860"),
        (models.queens(8), 92, "A000170"),
        (models.matchings(8), 2027025, "A001147"),
        (models.pentominoes(3, 20), 8, "TAOCP 7.2.2.1"),
        (models.soma(), 11520, "TAOCP 7.2.2.1"),
        (models.graph_coloring(models.petersen_graph(), 6), 3868080, "chromatic polynomial"),
    ],
)
def test_known_counts(problem: dlx.Problem, count: int, source: str) -> None:
    for order in ORDERS if count < 10**5 else ["search"]:
        assert problem.diagram(order=order).count() == count, source


@pytest.mark.parametrize("bits", [True, False])
def test_large_counts_with_multiplicities(bits: bool) -> None:
    board = models.polyominoes(["I2"], models.box(8, 8), counts={"I2": 32})
    prepared = kernel_problem(board)
    work = prepared.diagram([], array("i", prepared.narrow_order()), 2**30, bits)
    assert work.run() == "finished"
    assert Diagram(columns_from(*work.take()), 112, None, None).count() == 12988816
    assert next(walk(columns_from(*work.take())))


def test_the_narrow_order_of_a_small_board_is_a_sweep() -> None:
    """Its cells share options with more than half of all items; when such items came last, the
    search for this diagram tried 16 times as many options as the other one.
    """
    prepared = kernel_problem(models.soma())
    tried = []
    for order in ([], prepared.narrow_order()):
        work = prepared.diagram([], array("i", order), 1 << 30, True)
        assert work.run() == "finished"
        tried.append(work.stats[0])
    assert tried[1] < 4 * tried[0]


def test_a_long_flat_board_wants_the_narrow_order() -> None:
    counts = [1, 1, 5, 11]  # OEIS A005178
    while len(counts) <= 300:
        counts.append(counts[-1] + 5 * counts[-2] + counts[-3] - counts[-4])
    diagram = models.dominoes(4, 300).diagram(order="narrow")
    assert diagram.count() == counts[300] > 10**100
    assert diagram.nodes < 20 * 300
    with pytest.raises(OverflowError):
        len(diagram)


def test_the_smallest_problems() -> None:
    nothing = dlx.Problem().diagram()
    assert (list(nothing), len(nothing), nothing.nodes, () in nothing) == ([()], 1, 0, True)
    hopeless = dlx.Problem(["a"]).diagram()
    assert (list(hopeless), len(hopeless), hopeless.nodes, () in hopeless) == ([], 0, 0, False)
    assert repr(hopeless) == "<dlx.Diagram: 0 solutions in 0 nodes>"
    assert repr(dlx.Problem.from_options([["a"]]).diagram()) == (
        "<dlx.Diagram: 1 solution in 1 node>"
    )


def test_nothing_is_needed() -> None:
    """The empty solution is the one without an option."""
    problem = dlx.Problem.from_options([["a"], ["b"]], multiplicities={"a": (0, 1), "b": (0, 2)})
    for order in ORDERS:
        diagram = problem.diagram(order=order)
        assert diagram.contains([])
        assert set(map(frozenset, diagram)) == {frozenset(s) for s in ((), (0,), (1,), (0, 1))}
    nothing = dlx.Problem.from_options([], primary=["a"], multiplicities={"a": (0, 3)})
    assert list(nothing.diagram()) == [()]
    assert nothing.sample() == [()]


@settings(max_examples=200)
@given(any_large_cases(), orders)
def test_bits_and_cells_make_the_same_nodes(case: Case, order: str) -> None:
    prepared = kernel_problem(case.problem())
    items = array("i", prepared.narrow_order() if order == "narrow" else [])
    made = []
    for bits in (False, True):
        work = prepared.diagram([], items, 2**30, bits)
        assert work.run() == "finished"
        made.append((work.take(), work.variables(), work.stats[0], work.stats[2:4]))
    assert made[0] == made[1]


@given(any_cases(), st.data())
def test_cells_with_givens(case: Case, data: st.DataObject) -> None:
    problem = case.problem()
    solutions = list(problem.solutions())
    if solutions:
        part = data.draw(parts_of_solutions(solutions))
        work = kernel_problem(problem).diagram(list(part), array("i"), 2**30, False)
        assert work.run() == "finished"
        assert list(walk(columns_from(*work.take()))) == list(problem.solutions(given=part))


# -- questions -----------------------------------------------------------------------------------


@given(any_cases(), orders, st.data())
def test_contains(case: Case, order: str, data: st.DataObject) -> None:
    expected = all_subsets(case)
    diagram = case.problem().diagram(order=order)
    for solution in expected:
        assert tuple(data.draw(st.permutations(sorted(solution)))) in diagram
    indices = st.integers(0, max(len(case.options) - 1, 0))
    for chosen in data.draw(st.lists(st.lists(indices, max_size=4), max_size=5)):
        right = len(set(chosen)) == len(chosen) and frozenset(chosen) in expected
        assert diagram.contains(chosen) == right == (chosen in diagram)


def test_what_is_no_solution_is_not_contained() -> None:
    diagram = dlx.Problem.from_options({"x": ["a"], "y": ["b"]}).diagram()
    assert ("y", "x") in diagram
    assert not any(other in diagram for other in ("xy", 5, None, ["x"], ["x", "y", "y"], [[]]))
    assert ["x", "unknown"] not in diagram


@given(any_cases(), orders)
def test_option_counts(case: Case, order: str) -> None:
    expected = Counter(option for solution in all_subsets(case) for option in solution)
    found = case.problem().diagram(order=order).option_counts()
    assert found == {option: expected[option] for option in range(len(case.options))}


@given(any_cases(), orders, st.data())
def test_the_cheapest_and_dearest_with_ties_in_order(
    case: Case, order: str, data: st.DataObject
) -> None:
    costs = data.draw(
        st.lists(st.integers(-3, 3), min_size=len(case.options), max_size=len(case.options))
    )
    k = data.draw(st.integers(0, 12))
    diagram = case.problem().diagram(order=order)
    priced = [(sum(costs[option] for option in solution), solution) for solution in diagram]
    cheapest = sorted(priced, key=lambda pair: pair[0])
    assert diagram.minimum(costs, k) == cheapest[:k]
    assert diagram.minimum(dict(enumerate(costs)), k) == cheapest[:k]
    assert diagram.maximum(costs, k) == sorted(priced, key=lambda pair: -pair[0])[:k]
    assert diagram.minimum(costs) == cheapest[:1]


def test_huge_costs_are_exact() -> None:
    diagram = dlx.Problem.from_options([["a"], ["a"], ["a"]]).diagram()
    assert diagram.minimum([10**30 + 1, 10**30, 10**30 + 2], k=3) == [
        (10**30, (1,)),
        (10**30 + 1, (0,)),
        (10**30 + 2, (2,)),
    ]


def chi_square_bound(freedom: int) -> float:
    """What a chi-square variable exceeds once in about 30 000 times (E. Wilson, M. Hilferty)."""
    return float(freedom * (1 - 2 / (9 * freedom) + 4 * (2 / (9 * freedom)) ** 0.5) ** 3)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    "problem",
    [
        models.queens(8),
        models.dominoes(4, 5),
        models.latin_square(3),
        # 2 or 3 of five options, two of which exclude each other: 9 + 7 solutions
        dlx.Problem.from_options(
            [["a"], ["a"], ["a"], ["a", "x"], ["a", "x"]],
            secondary=["x"],
            multiplicities={"a": (2, 3)},
        ),
    ],
)
def test_samples_are_uniform(problem: dlx.Problem, order: str) -> None:
    diagram = problem.diagram(order=order)
    drawn = 100 * len(diagram)
    found = Counter(diagram.sample(drawn, seed=1))
    assert set(found) == set(diagram)
    chi_square = sum((number - 100) ** 2 / 100 for number in found.values())
    assert chi_square < chi_square_bound(len(diagram) - 1)


def test_samples_of_a_huge_set_are_uniform() -> None:
    """Where counts exceed 64 bits: each half of the solutions gets half of the samples."""
    diagram = models.dominoes(14, 14).diagram(order="narrow")
    across = diagram.variables[0]  # type: ignore[index]
    assert diagram.count() > 2**70
    assert 2 * diagram.option_counts()[across] == diagram.count()
    hits = sum(across in solution for solution in diagram.sample(2000, seed=3))
    assert abs(hits - 1000) < 4 * (2000 / 4) ** 0.5


def test_a_seed_repeats_and_no_seed_does_not() -> None:
    problem = models.dominoes(8, 8)
    diagram = problem.diagram()
    assert diagram.sample(3, seed=7) == diagram.sample(3, seed=7) == problem.sample(3, seed=7)
    assert diagram.sample(3) != diagram.sample(3)
    assert diagram.sample(2, seed=8) != diagram.sample(2, seed=9)
    for solution in problem.sample(2, seed=0, given=[diagram.sample(1, seed=1)[0][0]]):
        problem.verify(solution)


@given(cases())
def test_names_instead_of_indices(case: Case) -> None:
    named = dlx.Problem.from_options(
        {f"option {index}": option for index, option in enumerate(case.options)},
        primary=case.primary,
        secondary=case.secondary,
    )
    diagram = named.diagram()
    assert list(diagram) == list(named.solutions())
    assert all(solution in diagram for solution in diagram)
    for solution in diagram:
        assert diagram.restrict(solution).count() == 1
        assert diagram.minimum({name: -(name in solution) for name in named.names})[0][0] == -len(
            solution
        )


def test_a_diagram_stays_as_it_is_when_the_problem_changes() -> None:
    problem = dlx.Problem.from_options({"x": ["a"]})
    diagram = problem.diagram()
    problem.add_option(["a"], name="y")
    assert (list(diagram), diagram.option_counts()) == ([("x",)], {"x": 1})
    assert problem.diagram().option_counts() == {"x": 1, "y": 1}


def test_pickles() -> None:
    diagram = models.dominoes(4, 4).diagram(order="narrow")
    other = pickle.loads(pickle.dumps(diagram))
    assert list(other) == list(diagram)
    assert other.variables == diagram.variables


# -- limits --------------------------------------------------------------------------------------


@pytest.mark.parametrize("problem", [pigeons(40), known_counts.biregular(12, 5)], ids=repr)
def test_a_timeout(problem: dlx.Problem) -> None:
    error = cut_short(
        lambda timeout: problem.diagram(timeout=timeout), lambda error: error.stats.nodes > 1
    )
    assert "timeout" in str(error)


def test_ctrl_c(alarm: Alarm) -> None:
    with alarm.expected():
        pigeons(40).diagram(timeout=60)


@pytest.mark.parametrize("ask", ["diagram", "sample"])
def test_a_memory_limit_says_how_far_it_got(ask: str) -> None:
    with pytest.raises(dlx.DiagramTooLarge, match=r"estimate\(\)") as caught:
        getattr(models.dominoes(30, 30), ask)(order="narrow", memory_limit=8 * 2**20)
    error = caught.value
    assert isinstance(error, dlx.DLXError)
    assert error.memory_limit == 8 * 2**20
    assert error.subproblems > 10_000
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.nodes, copy.subproblems) == (str(error), error.nodes, error.subproblems)


def test_a_memory_limit_may_be_a_text() -> None:
    """As that of `count`."""
    with pytest.raises(dlx.DiagramTooLarge) as caught:
        models.dominoes(30, 30).diagram(order="narrow", memory_limit="8 MiB")
    assert caught.value.memory_limit == 8 * 2**20
    with pytest.raises(dlx.InvalidArgument, match="memory_limit is 'much'"):
        models.queens(4).sample(memory_limit="much")


def test_a_memory_limit_with_multiplicities() -> None:
    with pytest.raises(dlx.DiagramTooLarge) as caught:
        known_counts.biregular(12, 5).diagram(memory_limit=2**20)
    assert caught.value.memory_limit == 2**20


def test_a_memory_limit_too_small_to_begin() -> None:
    with pytest.raises(dlx.DiagramTooLarge, match="memory_limit=1000 bytes"):
        models.queens(8).diagram(memory_limit=1000)


@pytest.mark.skipif(sys.platform != "linux", reason="measures the process as Linux does")
@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="ASan needs more")
@pytest.mark.parametrize("megabytes", [16, 64])
def test_the_memory_limit_is_kept(megabytes: int) -> None:
    """The process grows by no more than the limit, and what it can do within it is right."""
    code = f"""
import dlx
from dlx import models
def peak():
    [line] = [line for line in open("/proc/self/status") if line.startswith("VmHWM")]
    return int(line.split()[1]) / 1024
small = models.queens(9).diagram(memory_limit={megabytes} * 2**20)
assert len(small) == 352
problem = models.dominoes(40, 40)
problem.count(limit=0)
before = peak()
try:
    problem.diagram(order="narrow", memory_limit={megabytes} * 2**20)
except dlx.DiagramTooLarge as error:
    print(peak() - before)
"""
    done = run_python(code)
    assert done.stderr == ""
    assert 0.3 * megabytes < float(done.stdout) < megabytes + 2


# -- bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ask", "error", "message"),
    [
        (lambda p: p.diagram(order="wide"), dlx.InvalidArgument, "no order 'wide'"),
        (lambda p: p.diagram(order=None), dlx.InvalidArgument, "no order None"),
        (lambda p: p.diagram(memory_limit=0), dlx.InvalidArgument, "memory_limit is 0"),
        (lambda p: p.diagram(memory_limit=1e9), dlx.InvalidArgument, "memory_limit is 1000000000"),
        (lambda p: p.diagram(timeout=-1), dlx.InvalidArgument, "timeout is -1"),
        (lambda p: p.diagram(seed="x"), dlx.InvalidArgument, "seed is 'x'"),
        (lambda p: p.diagram(given=["q"]), dlx.UnknownOption, "no option named 'q'"),
        (lambda p: p.diagram(given=["x", "z"]), dlx.GivenClash, "'x' and 'z' clash"),
        (lambda p: p.sample(-1), dlx.InvalidArgument, "n is -1"),
        (lambda p: p.sample(1.0), dlx.InvalidArgument, r"n is 1\.0"),
        (lambda p: p.sample(1, seed=[]), dlx.InvalidArgument, r"seed is \[\]"),
        (lambda p: p.diagram().restrict(["q"]), dlx.UnknownOption, "no option named 'q'"),
        (lambda p: p.diagram().restrict("x"), dlx.UnknownOption, "give a list"),
        (lambda p: p.diagram().restrict(5), dlx.UnknownOption, "give a list"),
        (lambda p: p.diagram().minimum([1, 2]), dlx.InvalidArgument, "2 costs for 3 options"),
        (lambda p: p.diagram().minimum([1, 2.5, 3]), dlx.InvalidArgument, r"'y' has the cost 2\.5"),
        (lambda p: p.diagram().minimum(["1", 0, 0]), dlx.InvalidArgument, "'x' has the cost '1'"),
        (
            lambda p: p.diagram().minimum({"q": 1}),
            dlx.UnknownOption,
            "costs has 'q', but no option",
        ),
        (lambda p: p.diagram().minimum(5), dlx.InvalidArgument, "costs is 5"),
        (lambda p: p.diagram().minimum("abc"), dlx.InvalidArgument, "costs is 'abc'"),
        (lambda p: p.diagram().minimum([0, 0, 0], k=-1), dlx.InvalidArgument, "k is -1"),
        (lambda p: p.diagram().to_graphillion(), dlx.InvalidArgument, "order='narrow'"),
    ],
)
def test_bad_input_is_one_clear_error(ask: Any, error: type[Exception], message: str) -> None:
    problem = dlx.Problem.from_options({"x": ["a"], "y": ["b"], "z": ["a", "b"]})
    with pytest.raises(error, match=message):
        ask(problem)


def test_nothing_can_be_drawn_from_no_solution() -> None:
    with pytest.raises(dlx.InvalidArgument, match="there is no solution"):
        dlx.Problem(["a"]).sample(1)
    assert dlx.Problem(["a"]).sample(0) == []
    assert dlx.Problem().sample(2) == [(), ()]


# -- texts ---------------------------------------------------------------------------------------


def read_graphillion(text: str) -> set[frozenset[int]]:
    """The sets in a text of Graphillion's format, by variables from 1: read independently."""
    sets: dict[str, set[frozenset[int]]] = {"B": set(), "T": {frozenset()}}
    lines = text.splitlines()
    assert lines.pop() == "."
    if lines in (["B"], ["T"]):
        return sets[lines[0]]
    level: dict[str, int] = {}
    for line in lines:
        number, variable, low, high = line.split()
        level[number] = int(variable)
        assert all(level[number] < level.get(child, 10**9) for child in (low, high))
        sets[number] = sets[low] | {one | {int(variable)} for one in sets[high]}
    return sets[number]


@given(any_cases())
def test_graphillions_text(case: Case) -> None:
    diagram = case.problem().diagram(order="narrow")
    variables = diagram.variables
    assert variables is not None
    assert sorted(variables) == list(range(len(case.options)))
    read = read_graphillion(diagram.to_graphillion())
    assert {frozenset(variables[v - 1] for v in one) for one in read} == all_subsets(case)


def test_graphillion_reads_it() -> None:
    setset = pytest.importorskip("graphillion").setset
    for problem in (
        models.dominoes(6, 6),
        models.langford(7),
        models.queens(6),
        dlx.Problem(["a"]),
    ):
        diagram = problem.diagram(order="narrow")
        setset.set_universe(list(diagram.variables))  # type: ignore[arg-type]
        read = setset(setset.loads(diagram.to_graphillion()))
        assert len(read) == len(diagram)
        assert set(map(frozenset, read)) == set(map(frozenset, diagram))


def test_dot_has_a_line_for_each_node_and_arrow() -> None:
    diagram = models.dominoes(4, 4).diagram()
    lines = diagram.to_dot().splitlines()
    assert sum("->" not in line and "label=" in line for line in lines) == diagram.nodes + 1
    low = columns_of(diagram).low[2:]
    assert sum("->" in line for line in lines) == diagram.nodes + sum(child > 0 for child in low)
    quoted = dlx.Problem.from_options({'say "a\\b"': ["a"]}).diagram().to_dot()
    assert r'2 [label="say \"a\\b\""];' in quoted
    assert "no solution" in dlx.Problem(["a"]).diagram().to_dot()
    assert isinstance(diagram, Diagram)


# -- Diagrams in files: what is read is what was written, or one clear error ---------------------


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("diagrams") / "dominoes"
    models.dominoes(2, 4).diagram(order="narrow").save(path)
    return path.read_bytes()


def reading(path: Path, data: bytes) -> str:
    """What the error says about a file with these bytes."""
    path.write_bytes(data)
    with pytest.raises(dlx.FormatError) as caught:
        Diagram.load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    return message


def sealed(data: bytes) -> bytes:
    """With a right checksum."""
    return data + hashlib.sha256(data).digest()


@given(case=any_cases(), order=st.sampled_from(ORDERS))
def test_a_round_trip(case: Case, order: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "round-trip"
    diagram = case.problem().diagram(order=order)
    diagram.save(path)
    other = Diagram.load(path)
    assert list(other) == list(diagram)
    assert other.variables == diagram.variables
    assert other.option_counts() == diagram.option_counts()
    assert other.nodes == diagram.nodes
    part = next(iter(diagram), ())[:1]
    assert list(other.restrict(part)) == list(diagram.restrict(part))
    other.save(path)
    assert list(Diagram.load(path)) == list(diagram)


NAMES = st.recursive(
    st.integers(10) | st.text(max_size=5) | st.just(True),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=5,
)


@given(names=st.lists(NAMES, min_size=1, max_size=5, unique=True))
@pytest.mark.lengthy
def test_names_come_back(names: list[object], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "names"
    problem = dlx.Problem(["a"])
    for name in names:
        problem.add_option(["a"], name=name)
    problem.diagram().save(path)
    read = list(Diagram.load(path))
    assert read == [(name,) for name in names]
    assert [type(name) for (name,) in read] == [type(name) for name in names]


def test_the_format_is_as_documented(data: bytes) -> None:
    first, second, rest = data.split(b"\n", 2)
    assert first == b"dlx diagram 1"
    header = json.loads(second)
    diagram = models.dominoes(2, 4).diagram(order="narrow")
    assert header["nodes"] == diagram.nodes
    assert header["options"] == 10
    assert header["ordered"] is True
    assert len(rest) == 4 * (3 * diagram.nodes + 10) + 32
    assert sealed(data[:-32]) == data
    numbers = [int.from_bytes(rest[at : at + 4], "little") for at in range(0, len(rest) - 32, 4)]
    assert numbers[: diagram.nodes] == list(columns_of(diagram).option[2:])
    assert numbers[diagram.nodes : 2 * diagram.nodes] == list(columns_of(diagram).low[2:])


@pytest.mark.lengthy
def test_every_truncated_file_is_refused(data: bytes, tmp_path: Path) -> None:
    for length in range(len(data)):
        message = reading(tmp_path / "cut", data[:length])
        if length:
            assert "truncated" in message, length
        else:
            assert "not a diagram file" in message
    assert "instead of" in reading(tmp_path / "longer", data + b"\0")


@pytest.mark.lengthy
def test_every_changed_byte_is_noticed(data: bytes, tmp_path: Path) -> None:
    for place in range(len(data)):
        changed = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        reading(tmp_path / "changed", changed)


def test_another_version_is_named(data: bytes, tmp_path: Path) -> None:
    message = reading(tmp_path / "later", data.replace(b"diagram 1", b"diagram 2", 1))
    assert "version '2' of the format; only 1 can be read" in message
    assert "not a diagram file" in reading(tmp_path / "text", b"a b\na\nb\n")
    assert "not a diagram file" in reading(tmp_path / "noise", bytes(range(256)))


@pytest.mark.parametrize(
    ("header", "numbers"),
    [
        ({"nodes": 1, "root": 2, "options": 1, "ordered": False}, (1, 0, 1)),  # no such option
        ({"nodes": 1, "root": 2, "options": 1, "ordered": False}, (0, 2, 1)),  # its own child
        ({"nodes": 1, "root": 2, "options": 1, "ordered": False}, (0, 0, 9)),  # no such node
        ({"nodes": 1, "root": 2, "options": 1, "ordered": False}, (0, 0, 0)),  # high is empty
        ({"nodes": 1, "root": 3, "options": 1, "ordered": False}, (0, 0, 1)),  # no such root
        ({"nodes": 1, "root": 2, "options": 1, "ordered": True}, (0, 0, 1, 5)),  # no such option
        ({"nodes": 1, "root": 2, "options": 1, "ordered": False, "names": [{}]}, (0, 0, 1)),
        ({"nodes": 1, "root": 2, "options": 1, "ordered": False, "names": []}, (0, 0, 1)),
        ({"nodes": 1, "root": 2, "options": 2, "ordered": True}, (0, 0, 1, 0, 0)),
        ({"nodes": -1, "root": 0, "options": 1, "ordered": False}, ()),
        ({"nodes": 1.0, "root": 2, "options": 1, "ordered": False}, (0, 0, 1)),
        ({"nodes": 1}, (0, 0, 1)),
        ([], (0, 0, 1)),
    ],
)
def test_nonsense_with_a_right_checksum(
    header: object, numbers: tuple[int, ...], tmp_path: Path
) -> None:
    body = b"".join(number.to_bytes(4, "little") for number in numbers)
    data = sealed(b"dlx diagram 1\n" + json.dumps(header).encode() + b"\n" + body)
    assert "damaged" in reading(tmp_path / "nonsense", data)


def test_a_file_is_replaced_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    dlx.Problem.from_options({"x": ["a"]}).diagram().save(path)
    before = path.read_bytes()
    strange = dlx.Problem.from_options({frozenset("x"): ["a"]}).diagram()
    with pytest.raises(dlx.FormatError, match="cannot be saved"):
        strange.save(path)
    assert path.read_bytes() == before
    models.dominoes(2, 2).diagram().save(path)
    assert Diagram.load(path).count() == 2
    assert os.listdir(tmp_path) == ["kept"]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Diagram.load(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError):
        models.dominoes(2, 2).diagram().save(tmp_path / "no" / "folder")
