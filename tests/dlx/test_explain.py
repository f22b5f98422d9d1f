"""`Problem.explain`: explanations are true, and irreducible, by brute force."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Sequence
from contextlib import suppress
from itertools import combinations
from math import inf
from typing import Any

import pytest
from alarms import Alarm
from bruteforce import Case, colors_by_item, weights_by_item
from example_problems import mutilated_board
from hypothesis import example, given, settings
from hypothesis import strategies as st
from instances import mycielski_graph
from internals import kernel_problem, table_of
from strategies import any_cases, any_large_cases, cases
from timeouts import TIMEOUTS

import dlx
from dlx import Explanation, models
from dlx.analysis import explain as explaining
from dlx.analysis import explain as partial_problem


def is_possible(case: Case, items: Iterable[Hashable], givens: Iterable[int]) -> bool:
    """Is there a solution once all other items and givens are dropped? O(2^options)."""
    kept, forced = set(items), set(givens)
    options = [(colors_by_item(option), weights_by_item(option)) for option in case.options]
    rest = [index for index in range(len(options)) if index not in forced]
    return any(
        fits(case, kept, [options[index] for index in (*forced, *others)])
        for size in range(len(rest) + 1)
        for others in combinations(rest, size)
    )


def fits(case: Case, kept: set[Hashable], chosen: list[tuple[Any, Any]]) -> bool:
    for item, (low, high) in case.bounds_by_item():
        total = sum(weights.get(item, 0) for _, weights in chosen)
        if item in kept and not low <= total <= (math.inf if high is None else high):
            return False
    for item in kept.difference(case.primary):
        colors = [option[item] for option, _ in chosen if item in option]
        if len(colors) > 1 and (None in colors or len(set(colors)) > 1):
            return False
    return True


def check(case: Case, found: Explanation, among: Collection[Hashable] | None = None) -> None:
    """Raises unless the explanation is true, and irreducible if it says so.

    `among` are the items that might be dropped; None: all.
    """
    items: Sequence[Hashable] = found.items
    assert found.fixed == (among is not None)
    if among is not None:
        assert set(among).issuperset(found.items)
        fixed = [item for item in case.primary + case.secondary if item not in among]
        items = [*items, *fixed]
    givens: list[int] = list(found.givens)  # type: ignore[arg-type]
    assert len(set(found.items)) == len(found.items)
    assert not is_possible(case, items, givens)
    if not found.irreducible:
        return
    assert found.stopped_by is None
    for given_ in givens:
        assert is_possible(case, items, [other for other in givens if other != given_])
    for item in found.items:
        assert is_possible(case, [other for other in items if other != item], givens)


@st.composite
def cases_with_givens(draw: st.DrawFn) -> tuple[Case, list[int]]:
    case = draw(any_cases(max_options=8))
    if not case.options:
        return case, []
    numbers = st.integers(0, len(case.options) - 1)
    return case, draw(st.lists(numbers, max_size=4, unique=True))


@given(cases_with_givens())
@settings(max_examples=300)
@pytest.mark.lengthy
def test_explanations_are_true_and_irreducible(drawn: tuple[Case, list[int]]) -> None:
    case, givens = drawn
    found = case.problem().explain(given=givens)
    if found is None:
        assert is_possible(case, case.primary + case.secondary, givens)
    else:
        assert found.irreducible
        check(case, found)


@given(cases_with_givens())
def test_givens_only(drawn: tuple[Case, list[int]]) -> None:
    case, givens = drawn
    problem = case.problem()
    found = problem.explain(given=givens, givens_only=True)
    assert (found is None) == (problem.explain(given=givens) is None)
    if found is not None:
        assert found.irreducible
        assert not found.items
        check(case, found, among=())


@given(cases_with_givens(), st.data())
def test_among_some_items(drawn: tuple[Case, list[int]], data: st.DataObject) -> None:
    case, givens = drawn
    items = case.primary + case.secondary
    among = data.draw(st.lists(st.sampled_from(items), unique=True)) if items else []
    problem = case.problem()
    found = problem.explain(given=givens, among=iter(among))
    assert (found is None) == (problem.explain(given=givens) is None)
    if found is not None:
        assert found.irreducible
        check(case, found, among=among)
    assert problem.explain(given=givens, among=[]) == problem.explain(
        given=givens, givens_only=True
    )


def test_wrong_items_to_explain_among() -> None:
    problem = dlx.Problem.from_options([["a"], ["a"]])
    with pytest.raises(dlx.UnknownItem, match="item 'q' was not declared"):
        problem.explain(among=["q"])
    with pytest.raises(dlx.UnknownItem, match="among is 'ab'; give a list"):
        problem.explain(among="ab")
    with pytest.raises(dlx.InvalidArgument, match="cannot be used with among"):
        problem.explain(among=["a"], givens_only=True)


@given(cases_with_givens(), st.booleans())
def test_engines_and_weights_find_the_same(
    drawn: tuple[Case, list[int]], givens_only: bool
) -> None:
    """With next to no nodes for refutations, all is left to weights and engines."""
    case, givens = drawn
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(explaining, "FIRST_NODES", 256)
        patch.setattr(explaining, "TEST_NODES", 1)
        found = case.problem().explain(given=givens, givens_only=givens_only)
    if found is None:
        assert is_possible(case, case.primary + case.secondary, givens)
    else:
        assert found.irreducible
        check(case, found, among=() if givens_only else None)


def test_a_part_whose_item_takes_both() -> None:
    case = Case(("a", "b"), (), (("a", "b"),) * 2, ((1, 2), (2, 2)))
    found = partial_problem.is_possible(table_of(case.problem()), {0, 1}, [], 10**6, inf)
    assert found == (True, 3)


@given(cases_with_givens(), st.data())
def test_engines_on_a_part(drawn: tuple[Case, list[int]], data: st.DataObject) -> None:
    case, givens = drawn
    items = case.primary + case.secondary
    kept = {number for number in range(len(items)) if data.draw(st.integers(0, 5))}
    problem = case.problem()
    if problem.multiplicities:
        givens = []
    left = [items[number] for number in sorted(kept)]
    if any(
        not is_possible(case, left, pair) and not is_possible(case, [item], pair)
        for pair in combinations(givens, 2)
        for item in left
    ):
        givens = givens[:1]  # those clash
    possible, nodes = partial_problem.is_possible(table_of(problem), kept, givens, 10**6, inf)
    if possible is None:  # a given option that no search would take
        projected = [{*colors_by_item(case.options[index])} & {*left} for index in givens]
        assert any(not option & {*case.primary} for option in projected)
    else:
        assert possible == is_possible(case, left, givens)
    assert nodes >= (possible is not None)


def test_engines_stop_after_so_many_nodes() -> None:
    problem = models.langford(9)
    everything = range(len(problem.items))
    nodes = problem.solutions()
    assert list(nodes) == []
    enough = nodes.stats.nodes
    ask = partial_problem.is_possible
    assert ask(table_of(problem), everything, [], enough, inf) == (False, enough)
    assert ask(table_of(problem), everything, [], enough - 1, inf) == (None, enough - 1)
    assert ask(table_of(problem), everything, [], enough, 0.0)[0] is None


@given(cases_with_givens(), st.integers(1, 12))
def test_a_limit_leaves_it_true(drawn: tuple[Case, list[int]], nodes: int) -> None:
    case, givens = drawn
    problem = case.problem()
    whole = problem.explain(given=givens)
    for limits in ({"timeout": 0}, {"node_limit": nodes}):
        try:
            found = problem.explain(given=givens, **limits)  # type: ignore[arg-type]
        except dlx.SearchInterrupted:  # the limit came before it was clear
            continue
        assert (found is None) == (whole is None)
        if found is not None:
            assert found.irreducible == (found.stopped_by is None)
            check(case, found)


@given(any_large_cases())
@settings(max_examples=120)
def test_larger_ones_agree_with_the_search(case: Case) -> None:
    problem = case.problem()
    found = problem.explain()
    assert (found is None) == (problem.solve() is not None)
    if found is None or problem.multiplicities:
        return
    assert found.irreducible
    assert reduced(case, found.items).solve() is None
    for item in found.items:
        assert reduced(case, [i for i in found.items if i != item]).solve() is not None


def reduced(case: Case, items: Iterable[Hashable]) -> dlx.Problem:
    """The problem without all other items, and without the options nothing would choose then."""
    kept = set(items)
    options = []
    for option in case.options:
        entries = [e for e in option if getattr(e, "item", e) in kept]
        if any(e in case.primary for e in entries):
            options.append(entries)
    return dlx.Problem.from_options(
        options,
        primary=[item for item in case.primary if item in kept],
        secondary=[item for item in case.secondary if item in kept],
    )


def test_it_repeats() -> None:
    problem = models.langford(6)
    assert problem.explain() == problem.explain() == models.langford(6).explain()


class TestKnown:
    """Problems whose explanations have names."""

    def test_a_solution(self) -> None:
        assert models.langford(4).explain() is None
        assert dlx.Problem().explain() is None

    def test_an_item_without_options(self) -> None:
        problem = dlx.Problem.from_options([["a", "b"], ["b"]], primary=["a", "b", "c"])
        assert problem.explain() == Explanation(("c",), (), True, None)

    def test_givens_that_clash(self) -> None:
        problem = dlx.Problem.from_options(
            {"x": ["a", "b"], "y": ["b", "c"], "z": ["a"], "w": ["c"]}
        )
        assert problem.explain(given=["x", "y"]) == Explanation(("b",), ("x", "y"), True, None)
        found = problem.explain(given=["x", "y"], givens_only=True)
        assert found == Explanation((), ("x", "y"), True, None, fixed=True)

    def test_colors_that_clash(self) -> None:
        options = [["p", dlx.colored("x", "A")], ["q", dlx.colored("x", "B")], ["r", "y"]]
        problem = dlx.Problem.from_options(options, primary=["p", "q", "r"], secondary=["x", "y"])
        assert problem.explain() == Explanation(("p", "q", "x"), (), True, None)

    def test_parity_of_langford_pairs(self) -> None:
        """An even k has one number in an even and one in an odd place; so for n = 5 and 6, the even
        numbers and an odd number of odd ones would have to fill an odd number of even places.
        """
        found = models.langford(5).explain()
        assert found is not None
        assert found.items == ("2", "4", "s0", "s2", "s4", "s6", "s8")

    @pytest.mark.parametrize("holes", [4, 20])
    def test_pigeons(self, holes: int) -> None:
        """One too many, be the holes items that may or that must be filled."""
        pigeons = [("pigeon", number) for number in range(holes + 1)]
        places = [("hole", number) for number in range(holes)]
        options = [[pigeon, hole] for pigeon in pigeons for hole in places]
        for secondary in (places, []):
            found = dlx.Problem.from_options(options, secondary=secondary).explain()
            assert found is not None
            assert set(found.items) == {*pigeons, *places}
            assert found.irreducible

    def test_pigeons_in_colors(self) -> None:
        """Holes that take any number of pigeons of one color; there are three colors."""
        options = [
            [("pigeon", number), dlx.colored(("hole", hole), number % 3)]
            for number in range(7)
            for hole in range(2)
        ]
        secondary = [("hole", hole) for hole in range(2)]
        found = dlx.Problem.from_options(options, secondary=secondary).explain()
        assert found is not None
        pigeons = [item for item in found.items if item not in secondary]
        assert len(pigeons) == 3
        assert len({number % 3 for _, number in pigeons}) == 3  # type: ignore[misc]
        assert set(secondary) < set(found.items)

    def test_parity_of_more_langford_pairs(self) -> None:
        """A search would take a million nodes for each part that is left out."""
        found = models.langford(13).explain()
        assert found is not None
        evens = [str(k) for k in range(2, 14, 2)] + [f"s{place}" for place in range(0, 26, 2)]
        assert list(found.items) == evens
        assert found.irreducible

    def test_a_chessboard_without_two_corners(self) -> None:
        """Black and white cells, all but one of the more frequent color."""
        found = mutilated_board(8).explain()
        assert found is not None
        colors = [(row + column) % 2 for row, column in found.items]  # type: ignore[misc]
        assert sorted((colors.count(0), colors.count(1))) == [30, 31]
        assert found.irreducible

    def test_a_needle_in_a_haystack(self) -> None:
        """Three items that contradict each other among ten thousand options that do not."""
        options: list[list[Hashable]] = [[n, n + 1] for n in range(0, 10_000, 2)]
        options += [[n] for n in range(10_000)]
        options += [["a", "b", 1], ["b", "c", 3], ["a", "c", 5]]
        found = dlx.Problem.from_options(options).explain()
        assert found is not None
        assert sorted(map(str, found.items)) == ["a", "b", "c"]
        assert found.irreducible

    def test_smaller_is_nicer(self) -> None:
        """Three items that cannot be satisfied, and, first, seven others."""
        ring = [f"r{number}" for number in range(7)]
        options = [[one, other] for one, other in zip(ring, ring[1:] + ring[:1], strict=True)]
        options += [["x", "y"], ["y", "z"], ["x", "z"]]
        found = dlx.Problem.from_options(options).explain()
        assert found is not None
        assert found.items == ("x", "y", "z")


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (Explanation(("a",), (), True, None), "no option contains item 'a'"),
        (
            Explanation(("a", "b", 3), (), True, None),
            "items 'a', 'b' and 3 cannot be satisfied together (all are needed)",
        ),
        (
            Explanation(("a",), ("x", 7), False, "timeout"),
            "item 'a' and the given options 'x' and 7 cannot be satisfied together "
            "(perhaps not all are needed)",
        ),
        (Explanation((), (7,), True, None), "the given option 7 already leaves no solution"),
        (
            Explanation((), (7, 8), True, None),
            "the given options 7 and 8 already leave no solution (all are needed)",
        ),
        (Explanation((), (), True, None), "there is no solution, whatever is given or dropped"),
    ],
)
def test_sentences(found: Explanation, sentence: str) -> None:
    assert str(found) == sentence


def fractional(case: Case, secondary: Sequence[Hashable]) -> bool:
    """Whether there is a fractional solution, by SciPy's simplex method."""
    from scipy.optimize import linprog

    def row(item: Hashable) -> list[int]:
        return [int(item in option) for option in case.options]

    if not case.options:
        return not case.primary
    if not case.primary:
        return True
    result = linprog(
        [0] * len(case.options),
        A_eq=[row(item) for item in case.primary],
        b_eq=[1] * len(case.primary),
        A_ub=[row(item) for item in secondary] if secondary else None,
        b_ub=[1] * len(secondary) if secondary else None,
    )
    assert result.status in (0, 2)
    return bool(result.status == 0)


THREE_HOLES = Case(
    (*"abcx",), (*"123",), (("x", "3"), *((one, hole) for one in "abc" for hole in "123"))
)
"""There is room for three of four."""
EVEN = Case(("a",), (), ((dlx.times("a", 2),),), ((2, 2),))
"""The item must be covered twice, and has an even weight."""
TWICE = Case((*"abc",), (), ((dlx.times("a", 2), "b"), ("b", "c")), ((2, 2), (1, 1), (1, 1)))
"""Where a weighs 1/2 and b -1, no option weighs anything."""
FULL = Case((*"pqhx",), (), (("p", "h"), ("q", "h"), ("x", "h")), ((1, 1), (1, 1), (0, 2), (0, 1)))
"""There is room in h for two of three."""


class TestRefuter:
    """The kernel's searches and weighings, one by one."""

    @given(cases_with_givens(), st.data())
    @settings(max_examples=200)
    def test_refutations(self, drawn: tuple[Case, list[int]], data: st.DataObject) -> None:
        case, givens = drawn
        items = case.primary + case.secondary
        kept = [data.draw(st.integers(0, 5)) > 0 for _ in items]
        refuter = kernel_problem(case.problem()).refuter()
        for _ in range(2):  # weights of the first search change the second
            verdict, found, places, nodes = refuter.refute(bytes(kept), givens, 10**6, inf)
            left = [item for item, flag in zip(items, kept, strict=True) if flag]
            assert (verdict == "solution") == is_possible(case, left, givens)
            assert nodes >= 1
            if verdict == "refuted":
                self.check(case, left, givens, found, places)
            else:
                taken = [case.options[index] for index in found]
                pairs = [(colors_by_item(option), weights_by_item(option)) for option in taken]
                assert fits(case, set(left), pairs)
                assert set(givens) <= set(found)

    @given(cases_with_givens(), st.sampled_from([0, 2, 3, 2**31 - 1]))
    @settings(max_examples=200)
    @example((THREE_HOLES, [0]), 0)
    @example((EVEN, []), 2)
    @example((TWICE, []), 2**31 - 1)
    @example((FULL, [2]), 0)
    def test_weighings_are_true(self, drawn: tuple[Case, list[int]], prime: int) -> None:
        case, givens = drawn
        items = case.primary + case.secondary
        refuter = kernel_problem(case.problem()).refuter()
        kept = bytes([1]) * len(items)
        verdict, found, places, _ = refuter.weigh(kept, givens, prime, inf)
        if verdict == "refuted":
            self.check(case, items, givens, found, places)

    @given(cases(max_primary=5, max_secondary=1))
    def test_weighings_find_all_parities(self, case: Case) -> None:
        """Against all sets of items: an odd number, of which every option has an even number."""
        refuter = kernel_problem(case.problem()).refuter()
        kept = bytes([1]) * len(case.primary + case.secondary)
        verdict, found, _, _ = refuter.weigh(kept, [], 2, inf)
        odd = [
            chosen
            for size in range(1, len(case.primary) + 1, 2)
            for chosen in combinations(range(len(case.primary)), size)
            if all(
                sum(case.primary[number] in option for number in chosen) % 2 == 0
                for option in case.options
            )
        ]
        assert (verdict == "refuted") == bool(odd)
        assert not odd or tuple(found) in odd

    @given(cases())
    @settings(max_examples=50)
    @pytest.mark.lengthy
    def test_prices_find_what_linear_programming_finds(self, case: Case) -> None:
        """Is there a fractional solution? Without colors, whose items have no prices."""
        colored = {getattr(entry, "item", None) for option in case.options for entry in option}
        plain = [item for item in case.secondary if item not in colored]
        refuter = kernel_problem(case.problem()).refuter()
        items = case.primary + case.secondary
        kept = bytes(item in case.primary or item in plain for item in items)
        verdict, _, _, _ = refuter.weigh(kept, [], 0, inf)
        assert (verdict != "refuted") == fractional(case, plain)

    @staticmethod
    def check(
        case: Case,
        left: Sequence[Hashable],
        givens: list[int],
        found: list[int],
        places: list[int],
    ) -> None:
        items = case.primary + case.secondary
        assert found == sorted(set(found))
        assert {items[number] for number in found} <= set(left)
        needed = [givens[place] for place in places]
        assert not is_possible(case, [items[number] for number in found], needed)


class TestLimits:
    def test_a_timeout_before_it_is_irreducible(self) -> None:
        """A quick proof that five times twelve is not 64; that all is needed takes long."""
        problem = models.pentominoes(8, 8)
        for timeout in TIMEOUTS:
            with suppress(dlx.SearchInterrupted):  # not even the proof
                found = problem.explain(timeout=timeout)
                break
        assert found is not None
        assert (found.irreducible, found.stopped_by) == (False, "timeout")
        assert set("FILNPTUVWXYZ") <= set(found.items)
        assert 12 + 61 <= len(found.items) <= 12 + 64

    def test_nodes_before_it_is_irreducible(self) -> None:
        problem = models.pentominoes(8, 8)
        found = problem.explain(node_limit=5_000)
        assert found is not None
        assert (found.irreducible, found.stopped_by) == (False, "node_limit")
        assert found == problem.explain(node_limit=5_000)

    def test_ctrl_c(self, alarm: Alarm) -> None:
        with alarm.expected():
            hard().explain(timeout=60)

    def test_a_timeout_too_short_to_tell(self) -> None:
        with pytest.raises(dlx.SearchInterrupted, match="timeout"):
            hard().explain(timeout=0.05)

    def test_nodes_too_few_to_tell(self) -> None:
        with pytest.raises(dlx.SearchInterrupted, match="node limit after 100 nodes"):
            hard().explain(node_limit=100)


def hard() -> dlx.Problem:
    """No solution, but neither weights nor a short search show it."""
    return models.graph_coloring(mycielski_graph(6), 5)


@pytest.mark.parametrize(
    ("wrong", "kind", "message"),
    [
        ({"timeout": -1}, dlx.InvalidArgument, "timeout is -1"),
        (
            {"node_limit": 0},
            dlx.InvalidArgument,
            "node_limit is 0; it must be None or an integer from 1 up",
        ),
        ({"node_limit": True}, dlx.InvalidArgument, "node_limit is True"),
        ({"given": [7]}, dlx.UnknownOption, "there is no option named 7"),
        ({"given": "0"}, dlx.UnknownOption, "given is the text '0'"),
        ({"given": [0, 0]}, dlx.GivenClash, "option 0 is given twice"),
    ],
)
def test_bad_input(wrong: dict[str, object], kind: type[Exception], message: str) -> None:
    problem = dlx.Problem.from_options([["a"], ["b"]])
    with pytest.raises(kind, match=message):
        problem.explain(**wrong)  # type: ignore[arg-type]


def test_a_roster_with_too_few_shifts() -> None:
    """Seven days need four people each; six people work four days at most: 28 against 24.

    Five of the people are enough for an explanation: the sixth cannot work more than seven days.
    """
    days, people = range(7), "abcdef"
    problem = dlx.Problem.from_options(
        {(day, who): [f"day {day}", who] for day in days for who in people},
        multiplicities={**{f"day {day}": 4 for day in days}, **dict.fromkeys(people, (0, 4))},
    )
    found = problem.explain()
    assert found is not None
    assert found.irreducible
    assert set(found.items) == {*"abcde", *(f"day {day}" for day in days)}
    assert found.reason == (
        "'day 0', 'day 1', 'day 2', ... (7 items) need 28 in all; through 'a', 'b', 'c', ... "
        "(5 items) the options left can give 20, and 7 otherwise"
    )


@pytest.mark.parametrize(
    ("options", "bounds", "said"),
    [
        (
            [["a", "b"], ["a"], ["b"]],
            {"a": 3},
            "item 'a' cannot be covered often enough: 'a' needs 3; the options left can give 2",
        ),
        ([["a"]], {"b": 2}, "no option contains item 'b'"),
        (
            [["a", "x"], ["b", "x"], ["c", "x"], ["c"]],
            {"x": (0, 1)},
            "items 'a', 'b' and 'x' cannot be satisfied together (all are needed): 'a' and 'b' "
            "need 2 in all; every option for that uses 'x', which allows 1",
        ),
    ],
)
def test_what_is_said(options: list[list[str]], bounds: dict[str, Any], said: str) -> None:
    items = sorted({item for option in options for item in option} | bounds.keys())
    problem = dlx.Problem.from_options(options, primary=items, multiplicities=bounds)
    assert str(problem.explain()) == said
