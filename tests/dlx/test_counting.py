"""Counting without listing: the same numbers as by enumeration, brute force and Kasteleyn, in the
memory that is allowed. Half of the problems have multiplicities.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product
from math import comb, factorial, prod
from pathlib import Path
from typing import Any

import known_counts
import pytest
from alarms import Alarm
from bruteforce import Case, all_subsets, side_by_side
from commands import run_python
from example_problems import board_with_hole
from hypothesis import given, settings
from hypothesis import strategies as st
from internals import kernel_problem
from kernel_searches import PLENTY, by_layers
from known_counts import LITTLE, Known
from strategies import any_cases, any_large_cases, cases, parts_of_solutions
from timeouts import cut_short

import dlx
from dlx import _kernel, models
from dlx.analysis.count import MIN_MEMORY, check_memory, count_by_layers
from dlx.core import kernel
from dlx.core.budget import Budget
from dlx.core.kernel import listing_of

# -- known numbers -------------------------------------------------------------------------------


def kasteleyn(rows: int, columns: int) -> int:
    """Domino tilings as a determinant (P. W. Kasteleyn 1961): black cells by white cells, with the
    vertical dominoes of every other column negative.
    """
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    black = [cell for cell in cells if sum(cell) % 2 == 0]
    white = {cell: place for place, cell in enumerate(set(cells).difference(black))}
    if len(black) != len(white):
        return 0
    matrix = [[0] * len(white) for _ in black]
    for row, (r, c) in zip(matrix, black, strict=True):
        for cell, sign in (
            ((r, c + 1), 1),
            ((r, c - 1), 1),
            ((r + 1, c), (-1) ** c),
            ((r - 1, c), (-1) ** c),
        ):
            if cell in white:
                row[white[cell]] = sign
    return abs(determinant(matrix))


def determinant(matrix: list[list[int]]) -> int:
    """Without fractions: E. H. Bareiss 1968. Changes the matrix."""
    sign, before = 1, 1
    while matrix:
        pivot = next((place for place, row in enumerate(matrix) if row[0]), None)
        if pivot is None:
            return 0
        if pivot:
            sign = -sign
            matrix[0], matrix[pivot] = matrix[pivot], matrix[0]
        first, *rest = matrix
        head = first[0]
        if not rest:
            return sign * head
        matrix = [
            [
                (head * entry - row[0] * top) // before
                for entry, top in zip(row[1:], first[1:], strict=True)
            ]
            for row in rest
        ]
        before = head
    return 1


@pytest.mark.parametrize("rows", range(1, 13))
def test_dominoes_on_every_board(rows: int) -> None:
    for columns in range(rows, 13):
        expected = kasteleyn(rows, columns)
        assert models.dominoes(rows, columns).count() == expected
        assert by_layers(models.dominoes(columns, rows)) == expected


@pytest.mark.parametrize(
    ("side", "tilings"),
    [  # OEIS A004003
        (8, 12988816),
        (16, 2444888770250892795802079170816),
        (20, 1269984011256235834242602753102293934298576249856),
    ],
)
@pytest.mark.lengthy
def test_dominoes_on_large_boards(side: int, tilings: int) -> None:
    assert models.dominoes(side, side).count() == tilings


# -- large numbers -------------------------------------------------------------------------------


def test_independent_items_multiply() -> None:
    problem = dlx.Problem.from_options([[i] for i in range(200) for _ in range(2)])
    assert problem.count() == by_layers(problem) == 2**200


@pytest.mark.parametrize("copies", [1, 3, 100])
@pytest.mark.parametrize("columns", [1, 2, 50, 91, 92, 150])
@pytest.mark.lengthy
def test_counts_of_many_limbs(columns: int, copies: int) -> None:
    """A strip two cells wide has Fibonacci many tilings; equal options count as many."""
    strip = models.dominoes(2, columns)
    problem = dlx.Problem.from_options(
        [option for option in strip.options for _ in range(copies)], primary=strip.items
    )
    one, other = 1, 1
    for _ in range(columns):
        one, other = other, one + other
    assert problem.count() == by_layers(problem) == one * copies**columns


# -- against others ------------------------------------------------------------------------------


def symmetric_ways(case: Case) -> list[str]:
    """By isomorphism classes of subproblems, which have no multiplicities."""
    return [] if case.bounds else ["subproblems"]


@pytest.mark.lengthy
@settings(max_examples=250)
@given(case=any_cases(max_options=12), data=st.data())
def test_against_brute_force(case: Case, data: st.DataObject) -> None:
    found = sorted(map(sorted, all_subsets(case)))
    problem = case.problem()
    chosen: tuple[Any, ...] = data.draw(parts_of_solutions(found)) if found else ()
    expected = sum(set(chosen) <= set(solution) for solution in found)
    seed = data.draw(st.none() | st.integers(0, 5))
    assert by_layers(problem, chosen, seed=seed) == expected
    for way in ("auto", "learning", *symmetric_ways(case)):
        assert by_layers(problem, chosen, seed=seed, way=way) == expected
    assert problem.count(given=chosen) == expected
    if not case.bounds:
        assert count_by_layers(case.primary, case.options) == len(found)


@settings(max_examples=200)
@given(case=any_large_cases(), seed=st.none() | st.integers(0, 5), limit=st.integers(3, 2000))
def test_against_enumeration(case: Case, seed: int | None, limit: int) -> None:
    problem = case.problem()
    expected = problem.count(limit=limit, engine="links")
    assert problem.count(limit=limit, seed=seed) == expected
    for way in ("layers", "learning", "without symmetry", *symmetric_ways(case)):
        assert by_layers(problem, limit=limit, seed=seed, way=way) == expected
    if expected < limit and not case.bounds:
        assert count_by_layers(case.primary, case.options) == expected


@given(case=any_large_cases(), data=st.data())
def test_the_order_of_items_changes_nothing(case: Case, data: st.DataObject) -> None:
    items = data.draw(st.permutations(case.bounds_by_item()))
    primary, bounds = zip(*items, strict=True)
    secondary, options = map(st.permutations, (case.secondary, case.options))
    other = Case(primary, tuple(data.draw(secondary)), tuple(data.draw(options)), bounds)
    assert by_layers(other.problem()) == by_layers(case.problem())


@settings(max_examples=50)
@given(one=any_large_cases(), other=any_cases(), third=any_cases(), limit=st.integers(0, 100))
@pytest.mark.lengthy
def test_parts_multiply(one: Case, other: Case, third: Case, limit: int) -> None:
    parts = [one, other, third]
    counts = [part.problem().count(engine="links", limit=2000) for part in parts]
    if max(counts) == 2000:
        return
    union = side_by_side(parts).problem()
    assert by_layers(union) == by_layers(union, way="auto") == prod(counts)
    assert union.count(limit=limit) == min(limit, prod(counts))


@settings(max_examples=40)
@given(case=cases(max_options=12), width=st.sampled_from([50, 70, 150, 300, 600]))
def test_wide_states(case: Case, width: int) -> None:
    """Items that the options of one item carry along: a state has more bits, or too many."""
    if not case.primary:
        return
    load = tuple(("load", number) for number in range(width))
    options = tuple(
        option + load if case.primary[0] in option else option for option in case.options
    )
    for primary in (load + case.primary, case.primary + load):
        wide = Case(primary, case.secondary, options).problem()
        assert by_layers(wide) == len(all_subsets(case))


@pytest.mark.parametrize("pairs", [10, 40, 100, 200, 400])
def test_many_open_items(pairs: int) -> None:
    """All pairs in any of two ways, or all at once; with 800 items a state would be too long."""
    options = [[i, pairs + i] for i in range(pairs) for _ in range(2 if pairs < 100 else 1)]
    options.append(list(range(2 * pairs)))
    expected = 1 + (2**pairs if pairs < 100 else 1)
    problem = dlx.Problem.from_options(options)
    assert by_layers(problem) == expected


@settings(max_examples=30)
@given(case=any_large_cases(), parts=st.integers(2, 6))
def test_parts_of_a_search(case: Case, parts: int) -> None:
    """Their paths exclude options, so that no solution is counted twice."""
    problem = case.problem()
    if problem.count(limit=2000) < 2000:
        split = problem.split(parts)
        assert sum(problem.count(part=part) for part in split) == problem.count(engine="links")


def test_workers() -> None:
    """They enumerate, while the calling thread counts by layers."""
    for problem in (known_counts.biregular(6, 3), models.queen_domination(6, 3)):
        assert problem.count(workers=2) == problem.count(engine="links")


# -- what the choice is made of ------------------------------------------------------------------


def work(problem: dlx.Problem, strategy: str = "auto") -> tuple[Any, ...]:
    counting = kernel_problem(problem).count([], 2**63, PLENTY, "mrv", strategy)
    counting.run()
    assert counting.finished
    return (counting.factors, *counting.stats[:4])


@pytest.mark.parametrize(
    "build",
    [
        lambda: models.dominoes(7, 8),
        lambda: models.langford(11),
        lambda: models.latin_square(5),
        lambda: models.pentominoes(3, 20),
        lambda: models.quasigroup(28, 270, seed=7),
    ],
)
def test_runs_repeat(build: Callable[[], dlx.Problem]) -> None:
    """Also if they are stopped again and again: the clock decides nothing."""
    counting = kernel_problem(build()).count([], 2**63, PLENTY, "mrv", "auto")
    while not counting.finished:
        counting.run(0.0005)
    paused = (counting.factors, *counting.stats[:4])
    assert work(build()) == work(build()) == paused


def test_layers_sweep_a_small_board() -> None:
    """Its cells in the middle touch more than half of the items, and do not come last with them."""
    assert work(models.soma(), "layers")[1] < 500_000  # 286 582 states; 3 191 871 if they do


def test_remembering_saves_work() -> None:
    assert work(models.dominoes(8, 8))[1] < 50102176 / 100


def test_enumeration_goes_on_where_it_is_better() -> None:
    """Two solvers that take turns: the nodes of the one, and few states of the other."""
    problem = board_with_hole()
    assert 293045 < work(problem, "without symmetry")[1] < 293045 * 1.2
    assert 293045 < work(problem)[1] < 293045 * 1.5  # subproblems are tried as well


@pytest.mark.lengthy
def test_the_smaller_of_two_trees_is_searched() -> None:
    """Here the heuristic that learns needs a thirtieth of the nodes, and the other has few left."""
    problem = models.quasigroup(28, 270, seed=7)
    found, nodes, *_ = work(problem)
    learning = work(problem, "learning")
    assert problem.count() == 5901
    assert nodes < 13_094_787 / 3  # those of an enumeration in order
    assert learning[0] == found[-1:]  # the other parts have one solution
    assert learning[1] < nodes


@pytest.mark.lengthy
def test_each_part_is_reduced() -> None:
    """An option with an item of its own is another part, and makes the rest no harder."""
    board = models.pentominoes(6, 10)
    problem = dlx.Problem.from_options([*board.options, ["alone"]], primary=[*board.items, "alone"])
    (_, *whole), (_, *beside) = work(board), work(problem)
    assert problem.count() == board.count() == 9356
    unreduced = board.solutions()
    assert sum(1 for _ in unreduced) == 9356
    assert max(whole[0], beside[0]) < 0.96 * unreduced.stats.nodes


def segments(cells: int) -> dlx.Problem:
    """A line of cells, covered by segments of 3 to 7."""
    return dlx.Problem.from_options(
        [
            range(first, first + length)
            for first in range(cells)
            for length in range(3, 8)
            if first + length <= cells
        ]
    )


def ways_to_add_up(cells: int) -> int:
    ways = [1]
    for last in range(1, cells + 1):
        ways.append(sum(ways[last - length] for length in range(3, 8) if length <= last))
    return ways[cells]


@pytest.mark.parametrize(
    ("cells", "memory"), [(2000, "1 MiB"), (10000, "1 MiB"), (9000, None), (11000, None)]
)
def test_neither_size_nor_little_memory_keeps_layers_away(cells: int, memory: str | None) -> None:
    """A layer has a few states, however many layers there are: above 200 000 entries, too."""
    problem = segments(cells)
    assert problem.count(memory_limit=memory, timeout=300) == ways_to_add_up(cells)


def test_layers_are_given_up_when_their_memory_is_used_up() -> None:
    """Then enumeration counts alone."""
    assert by_layers(models.latin_square(5), memory=2**14) == 161280
    assert by_layers(segments(3000), memory=2**10, limit=10**4) >= 10**4


@pytest.mark.lengthy
def test_others_enumerate_by_turns() -> None:
    """A shared count: what others have enumerated is looked at whenever they have done their turn.

    Then either it is the layers' turn, or the others may go on, twice as far. The work is counted,
    so that the turns are the same each time.
    """
    problem = models.pentominoes(6, 10)
    way = "without symmetry"
    count = kernel_problem(problem).count([], 2**63, PLENTY, "mrv", way, shared=True)
    turns: list[tuple[int, int]] = []  # nodes left to others, nodes that they had done by then
    others: Any = None
    while count.run():  # until it is the turn of others
        if others is None:
            part, given, path, floor = listing_of(count)
            others, own = kernel.Search(part, given, None, "auto", "mrv", path, floor), count.part
        assert count.part == own  # the only one that is left to them
        done = others.stats.nodes
        turns.append((count.nodes_for_others, done))
        assert count.nodes_for_others > done
        others.skip(Budget(nodes=count.nodes_for_others))
        assert others.stats.nodes >= count.nodes_for_others or others.finished
        count.report(*others.stats[:4], others.finished)
    assert count.finished
    assert prod(int.from_bytes(factor, "little") for factor in count.factors) == 9356
    quotas = [quota for quota, _ in turns]
    assert len(quotas) >= 3
    assert all(later >= 1.9 * earlier for earlier, later in pairwise(quotas))


def test_others_that_go_on_do_not_end_the_turn_of_layers() -> None:
    """While layers are at work the others go on, and what they tell changes nothing by itself."""
    problem = models.dominoes(8, 40)
    count = kernel_problem(problem).count([], 2**63, PLENTY, "mrv", "layers", shared=True)
    told = 0
    _kernel.simulate_clock(1_000_000)
    try:
        while not count.run(0.01):  # some ten looks at the clock
            if count.finished:
                break
            told += 1
            count.report(10**12 * told, 10**12 * told, 0, [], False)
    finally:
        _kernel.simulate_clock(0)
    assert count.finished
    assert told >= 3
    assert prod(int.from_bytes(factor, "little") for factor in count.factors) == kasteleyn(8, 40)


@pytest.mark.parametrize("limit", [0, 1, 1000, 12988815, 12988816, 12988817, 2**70])
def test_limits(limit: int) -> None:
    assert models.dominoes(8, 8).count(limit=limit) == min(limit, 12988816)


@pytest.mark.parametrize("engine", ["links", "bits", "python"])
def test_named_engines_enumerate(engine: str) -> None:
    problem = models.dominoes(4, 6)
    assert problem.count(engine=engine, memory_limit="1 MiB") == 281


# -- interruptions -------------------------------------------------------------------------------


def endless() -> dlx.Problem:
    """Too wide to be counted, but with very many solutions."""
    return models.dominoes(60, 60)


@pytest.mark.parametrize("problem", [endless(), known_counts.biregular(24, 12)], ids=repr)
def test_a_timeout_tells_the_count_so_far(problem: dlx.Problem) -> None:
    error = cut_short(
        lambda timeout: problem.count(timeout=timeout), lambda error: error.count > 1000
    )
    assert error.count == error.stats.solutions
    assert error.stats.nodes > 1000


def test_a_timeout_of_a_part() -> None:
    """One part is done, the other is not: its number so far is not more than there is."""
    both = dlx.Problem.from_options(
        [
            [(name, item) for item in option]
            for name, board in (("small", models.dominoes(4, 4)), ("large", endless()))
            for option in board.options
        ]
    )
    cut_short(lambda timeout: both.count(timeout=timeout), lambda error: error.count > 0)
    assert both.count(limit=100) == 100


@pytest.mark.lengthy
def test_ctrl_c_while_remembering(alarm: Alarm) -> None:
    with alarm.expected(0.3):
        by_layers(models.dominoes(28, 28))


# -- memory --------------------------------------------------------------------------------------


@settings(max_examples=100)
@given(case=any_large_cases(), memory=st.integers(0, 2**17))
def test_any_memory_will_do(case: Case, memory: int) -> None:
    problem = case.problem()
    expected = problem.count(limit=2000, engine="links")
    if expected < 2000:
        assert by_layers(problem, memory=memory) == expected


@pytest.mark.parametrize("memory", [2**19, 3 * 2**18, 2**20, 2**21, 2**30])
def test_a_full_table_slows_the_count_only(memory: int) -> None:
    assert by_layers(models.latin_square(5), memory=memory) == 161280


MEASURE = """
import re, sys
from dlx import models
from dlx.core.kernel import listing_of
from dlx.analysis.count import count_with_cache
from dlx.search.options import SearchOptions
def highest():
    return 1024 * int(re.search("VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])
def by_layers(problem, memory):
    options = SearchOptions(memory=memory)
    return count_with_cache(problem._input(options), options, "layers")
problem = models.langford(12)
problem.count(limit=1000)
by_layers(models.langford(4), 2**20)  # the code itself takes memory when it first runs
before = highest()
print(by_layers(problem, int(sys.argv[1])), highest() - before)
"""


def _measured(memory: int) -> Iterator[int]:
    done = run_python(MEASURE, str(memory), check=True)
    return map(int, done.stdout.split())


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux")
@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="ASan needs more")
@pytest.mark.lengthy
def test_the_limit_is_kept() -> None:
    count, unlimited = _measured(2**30)
    assert count == 216288
    assert unlimited > 4 * 2**20
    memory = 2**21
    count, used = _measured(memory)
    assert count == 216288
    assert used < memory + 2**18


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1 MiB", 2**20),
        ("1MiB", 2**20),
        ("2 GB", 2 * 10**9),
        ("1.5 gib", 3 * 2**29),
        ("500m", 5 * 10**8),
        ("1048576", 2**20),
        (" 1048577 bytes ", 2**20 + 1),
        (2**20, 2**20),
        (10**40, 2**62),
        (None, 2**30),
    ],
)
def test_memory_limits(text: object, size: int) -> None:
    assert check_memory(text) == size


@pytest.mark.parametrize(
    "wrong", ["", "much", "1 XB", "-1 GB", "1 GB 2", "ib", "1 iB", -1, 1.5, True, [], b"1 GB"]
)
def test_wrong_memory_limits(wrong: Any) -> None:
    with pytest.raises(dlx.InvalidArgument, match=r"memory_limit is .*must be a number of bytes"):
        models.dominoes(2, 2).count(memory_limit=wrong)


@pytest.mark.parametrize("little", [0, 1, MIN_MEMORY - 1, "1 MB"])
def test_too_little_memory(little: Any) -> None:
    with pytest.raises(dlx.InvalidArgument, match=r"memory_limit is .*too small.*'1 MiB'"):
        models.dominoes(2, 2).count(memory_limit=little)


# -- multiplicities ------------------------------------------------------------------------------


@pytest.mark.parametrize("known", LITTLE + known_counts.MULTIPLE, ids=lambda known: known.name)
def test_known_counts(known: Known) -> None:
    problem = known.build()
    assert problem.count() == known.solutions
    if known.work == "little":
        assert by_layers(problem) == known.solutions


def test_large_binary_matrices() -> None:
    """Too many to enumerate: OEIS A001499 and A001501."""
    assert known_counts.biregular(8, 2).count() == 187530840
    assert known_counts.biregular(7, 3).count() == 68938800


def contingency_tables(rows: Sequence[int], columns: Sequence[int]) -> int:
    """0/1 matrices with these sums, row by row: the columns' sums that are left, and how often."""
    ways = {tuple(columns): 1}
    for row in rows:
        after: dict[tuple[int, ...], int] = {}
        for left, number in ways.items():
            for chosen in product((0, 1), repeat=len(left)):
                rest = tuple(map(int.__sub__, left, chosen))
                if sum(chosen) == row and min(rest) >= 0:
                    after[rest] = after.get(rest, 0) + number
        ways = after
    return ways.get((0,) * len(columns), 0)


@given(data=st.data())
def test_contingency_tables(data: st.DataObject) -> None:
    width = data.draw(st.integers(1, 5))
    rows = data.draw(st.lists(st.integers(1, width), min_size=1, max_size=6))
    columns = [data.draw(st.integers(1, len(rows))) for _ in range(width)]
    problem = dlx.Problem.from_options(
        [[("row", r), ("column", c)] for r in range(len(rows)) for c in range(width)],
        multiplicities={("row", r): number for r, number in enumerate(rows)}
        | {("column", c): number for c, number in enumerate(columns)},
    )
    expected = contingency_tables(rows, columns)
    assert problem.count() == by_layers(problem) == expected


@pytest.mark.parametrize(("low", "high"), [(0, 3), (2, 2), (5, 60), (30, 60), (0, 60), (60, 60)])
def test_subsets_of_a_size(low: int, high: int) -> None:
    problem = dlx.Problem.from_options([["a"]] * 60, multiplicities={"a": (low, high)})
    expected = sum(comb(60, k) for k in range(low, high + 1))
    assert problem.count() == by_layers(problem) == expected


def test_free_options() -> None:
    """They may be in a solution or not: alone, beside each other, and beside a secondary item."""
    free = [["a"]] * 40 + [["b"]] * 60
    many = dlx.Problem.from_options(free, multiplicities={"a": (0, 40), "b": (0, 100)})
    assert many.count() == by_layers(many) == 2**100
    shared = dlx.Problem.from_options(
        [["a", "s"]] * 40, secondary=["s"], multiplicities={"a": (0, 40)}
    )
    assert shared.count() == by_layers(shared) == 41


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_large_numbers(names: tuple[str, str]) -> None:
    """Surjections, as at-least-once items; and matchings with a remainder."""
    options = [[("person", p), names[0], names[1]] for p in range(12)]
    problem = dlx.Problem.from_options(
        options,
        multiplicities={("person", p): (0, 1) for p in range(12)} | {"a": (3, 7)} | {"b": (0, 9)},
    )
    assert problem.count() == sum(comb(12, k) for k in range(3, 8))
    people, jobs = range(9), range(4)
    onto = dlx.Problem.from_options(
        [[("person", p), ("job", j)] for p in people for j in jobs],
        multiplicities={("job", j): (1, 9) for j in jobs},
    )
    expected = sum((-1) ** k * comb(4, k) * (4 - k) ** 9 for k in range(5))
    assert onto.count() == by_layers(onto) == expected
    assert expected == factorial(4) * 7770  # Stirling's number S(9, 4)


# -- counts that other items imply -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"I2": 50}, 258584046368),
        ({"I2": (40, 60)}, 258584046368),
        ({"I2": (0, 50)}, 258584046368),
        ({"I2": 49}, 0),
        ({"I2": (51, 100)}, 0),
    ],
)
def test_dominoes_with_counts(counts: Any, expected: int) -> None:
    """On a board of 100 cells there are 50: OEIS A004003."""
    problem = models.polyominoes(["I2"], models.box(10, 10), counts=counts)
    assert problem.count() == expected


@settings(max_examples=30)
@given(data=st.data())
def test_counts_of_pieces(data: st.DataObject) -> None:
    """Any bounds of pieces that share the cells of a board: those that follow change nothing."""
    pieces = data.draw(st.sampled_from([("I1", "I2"), ("I2", "I3"), ("I1", "I2", "V3"), ("I2",)]))
    counts = {}
    for piece in pieces:
        low = data.draw(st.integers(0, 6))
        counts[piece] = (low, data.draw(st.integers(max(low, 1), 12)))
    problem = models.polyominoes(list(pieces), models.box(3, 4), counts=counts)
    expected = problem.count(engine="links")
    assert by_layers(problem) == expected
    assert by_layers(problem, way="auto") == expected


@pytest.mark.lengthy
def test_counted_dominoes_are_counted_by_layers() -> None:
    """Too many to enumerate, and the bounds are not implied: 8x8 with 30 to 32 dominoes."""
    board = models.box(8, 8)
    few = models.polyominoes(["I2", "I1"], board, counts={"I2": 31, "I1": (0, 64)})
    all_sizes = models.polyominoes(["I2", "I1"], board, counts={"I2": (0, 32), "I1": (0, 64)})
    total = sum(
        models.polyominoes(
            ["I2", "I1"], board, counts={"I2": (k, k) if k else (0, 1), "I1": (0, 64)}
        ).count()
        for k in range(2, 33)
    )
    none_or_one = models.polyominoes(
        ["I2", "I1"], board, counts={"I2": (0, 1), "I1": (0, 64)}
    ).count()
    assert none_or_one == 1 + 112
    assert all_sizes.count() == total + none_or_one
    assert few.count() == by_layers(few)
