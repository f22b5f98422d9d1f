"""Symmetries of problems, canonical forms and isomorphisms, against brute force and nauty."""

from __future__ import annotations

import json
import os
import pickle
import random
from array import array
from importlib.util import find_spec
from itertools import pairwise
from math import factorial, prod
from pathlib import Path
from typing import Any

import pytest
from alarms import Alarm
from bruteforce import Case
from commands import Run
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import cases, large_cases, multi_cases
from symmetry_oracle import (
    nauty_order,
    regular_problem,
    shuffled,
    slow_symmetries,
    symmetric_problem,
)

import dlx
from dlx import models
from dlx.analysis.symmetry.distinct_engine import ClassFilter
from dlx.analysis.symmetry.group import OptionGroup

NAUTY = int(os.environ.get("DLX_FUZZ", "300")) // 2
"""The number of problems for which the order is compared with that of nauty."""

tiny_cases = cases(max_primary=3, max_secondary=2, max_options=5)
seeds = st.integers(0, 2**32).map(random.Random)


def as_pair(symmetry: dlx.Symmetry, problem: dlx.Problem) -> tuple[Any, ...]:
    """The images of all options and of all items."""
    return (
        tuple(symmetry.options.get(name, name) for name in problem.names),
        tuple(symmetry.items.get(item, item) for item in problem.items),
    )


def square() -> dlx.Problem:
    """Four options around a square; option "ab" has the corners a and b."""
    return dlx.Problem.from_options({name: [*name] for name in ("ab", "bc", "cd", "da")})


# -- the group, against oracles ------------------------------------------------------------------


@settings(max_examples=150)
@given(tiny_cases | multi_cases(max_options=5, weights=True))
def test_the_group_by_brute_force(case: Case) -> None:
    problem = case.problem()
    group = problem.symmetries()
    expected = {
        (tuple(options.values()), tuple(items.values()))
        for options, items in slow_symmetries(problem)
    }
    assert {as_pair(symmetry, problem) for symmetry in group} == expected
    assert group.order == len(expected)
    assert group.complete


@pytest.mark.skipif(find_spec("pynauty") is None, reason="needs pynauty")
@given(seeds)
def test_the_order_of_regular_problems_by_nauty(rng: random.Random) -> None:
    problem = regular_problem(rng)
    group = problem.symmetries()
    assert group.complete
    assert abs(group.order - nauty_order(problem)) <= group.order // 10**9


@pytest.mark.skipif(find_spec("pynauty") is None, reason="needs pynauty")
@given(large_cases())
def test_the_order_of_random_problems_by_nauty(case: Case) -> None:
    problem = case.problem()
    order = problem.symmetries().order
    assert abs(order - nauty_order(problem)) <= order // 10**9


@pytest.mark.fuzz
@pytest.mark.skipif(find_spec("pynauty") is None, reason="needs pynauty")
@pytest.mark.parametrize("block", range(10))
def test_many_orders_by_nauty(block: int) -> None:
    """With colors, multiplicities and weights; 10 000 problems by `make fuzz`."""
    for seed in range(block, NAUTY, 10):
        rng = random.Random(f"nauty {seed}")
        problem = rng.choice([regular_problem, symmetric_problem])(rng)
        group = problem.symmetries()
        assert group.complete
        assert abs(group.order - nauty_order(problem)) <= group.order // 10**9
        assert problem.symmetries(generators=group.generators).order == group.order


@given(seeds)
def test_orbits_are_those_of_the_elements(rng: random.Random) -> None:
    problem = regular_problem(rng)
    group = problem.symmetries()
    if group.order > 2000:
        return
    elements = list(group)
    for orbit in group.option_orbits:
        for name in orbit:
            assert {symmetry.options.get(name, name) for symmetry in elements} == {*orbit}
    for orbit in group.item_orbits:
        for item in orbit:
            assert {symmetry.items.get(item, item) for symmetry in elements} == {*orbit}


@given(cases(max_options=8))
def test_symmetries_map_solutions_to_solutions(case: Case) -> None:
    problem = case.problem()
    group = problem.symmetries()
    solutions = {frozenset(solution) for solution in problem.solutions()}
    for symmetry in group.generators:
        images = {frozenset(group.apply(symmetry, solution)) for solution in solutions}
        assert images == solutions
        for solution in images:
            problem.verify(solution)


@given(seeds)
def test_generators_are_symmetries_and_products_are_contained(rng: random.Random) -> None:
    problem = regular_problem(rng)
    group = problem.symmetries()
    for symmetry in group.generators:
        assert group.contains(symmetry)
        assert group.symmetry(symmetry.options, symmetry.items) == symmetry
        assert group.contains(dict(symmetry.options))
    if group.generators:
        one, other = rng.choices(group.generators, k=2)
        product = {name: group.apply(other, group.apply(one, [name]))[0] for name in problem.names}
        assert group.contains(product)
        images = [list(images) for images in group.on_options().generators]
        moving = [symmetry for symmetry in group.generators if symmetry.options]
        names = problem.names
        assert images == [
            [problem.index_of(symmetry.options.get(name, name)) for name in names]
            for symmetry in moving
        ]


# -- known groups --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("problem", "order"),
    [
        (models.pentominoes(6, 10), 4),
        (models.queens(4), 8),
        (models.queens(8), 8),
        (models.queens(11), 8),
        (models.soma(), 48),  # rotations, and reflections, which swap two pieces
        (models.dominoes(6, 6), 8),
        (models.dominoes(6, 7), 4),
        (models.matchings(5), factorial(10)),  # of the complete graph of 10 vertices
        *((models.latin_square(n), 6 * factorial(n) ** 3) for n in (3, 4, 5, 6, 9)),
        (models.latin_square(2), 48),
    ],
    ids=lambda value: str(value) if isinstance(value, int) else "",
)
def test_known_orders(problem: dlx.Problem, order: int) -> None:
    group = problem.symmetries()
    assert group.order == order
    assert group.complete


def test_many_equal_options_and_items() -> None:
    """Their permutations are in the order, but take no search."""
    problem = dlx.Problem.from_options([["a", "b", "c"]] * 1000 + [["d"]])
    group = problem.symmetries(node_limit=0)
    assert group.complete
    assert group.order == factorial(1000) * 6
    assert len(group.generators) == 999 + 2
    assert [len(orbit) for orbit in group.option_orbits] == [1000, 1]
    assert group.contains({0: 999, 999: 0})


def test_equal_parts() -> None:
    """Three parts of two options each: within and among parts."""
    options = [[f"{part}{n}", f"s{part}"] for part in "abc" for n in range(2)]
    assert dlx.Problem.from_options(options).symmetries().order == 2**3 * factorial(3)


def test_colors_can_be_permuted_for_each_item() -> None:
    options = [["p", dlx.colored("x", c), dlx.colored("y", d)] for c in range(3) for d in range(2)]
    problem = dlx.Problem.from_options(options, secondary=["x", "y"])
    assert problem.symmetries().order == factorial(3) * factorial(2)


def test_a_color_is_not_the_same_as_none() -> None:
    plain = dlx.Problem.from_options([["p", "x"], ["p"]], secondary=["x"])
    color = dlx.Problem.from_options([["p", dlx.colored("x", 1)], ["p"]], secondary=["x"])
    assert plain.is_isomorphic(color) is None
    both = dlx.Problem.from_options([["p", dlx.colored("x", 1)], ["p", "x"]], secondary=["x"])
    assert both.symmetries().order == 1


def test_graphs_that_refinement_does_not_tell_apart() -> None:
    """The rook's graph and Shrikhande's, both strongly regular, side by side; options are the
    neighborhoods, or all vertices with the neighbors twice.
    """
    steps = {(0, 0), (0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)}

    def near(one: tuple[bool, int, int], other: tuple[bool, int, int]) -> bool:
        (rook, i, j), (same, k, m) = one, other
        joined = i == k or j == m if rook else ((i - k) % 4, (j - m) % 4) in steps
        return rook == same and joined

    items = [(rook, i, j) for rook in (True, False) for i in range(4) for j in range(4)]
    rows = [[other for other in items if near(one, other)] for one in items]
    dense = [[dlx.times(item, 2) if item in row else item for item in items] for row in rows]
    for options in (rows, dense):
        bounds = dict.fromkeys(items, (0, 99))
        problem = dlx.Problem.from_options(options, primary=items, multiplicities=bounds)
        assert problem.symmetries().order == 1152 * 192
        forms = [shuffled(problem, random.Random(seed)).canonical() for seed in range(8)]
        assert forms == [problem.canonical()] * 8


def test_costs_are_kept_on_request() -> None:
    problem = dlx.Problem.from_options([["a"], ["a"], ["b"]], costs=[1, 2, 1])
    assert problem.symmetries().order == 2
    assert problem.symmetries(costs=True).order == 1
    cheap = dlx.Problem.from_options([["a"], ["a"], ["b"]])
    assert problem.is_isomorphic(cheap) is not None
    assert problem.is_isomorphic(cheap, costs=True) is None
    assert problem.canonical(costs=True).costs != ()
    dearer = dlx.Problem.from_options(problem.options, costs=[2 * cost for cost in problem.costs])
    assert problem.is_isomorphic(dearer) is not None
    assert problem.is_isomorphic(dearer, costs=True) is None


@given(tiny_cases, st.data())
def test_givens_are_kept_as_a_set(case: Case, data: st.DataObject) -> None:
    problem = case.problem()
    solution = problem.solve()
    if not solution:
        return
    chosen = data.draw(st.sets(st.sampled_from(solution)))
    expected = {
        tuple(options.values())
        for options, _ in slow_symmetries(problem)
        if {options[name] for name in chosen} == chosen
    }
    group = problem.symmetries(given=[*chosen])
    assert {as_pair(symmetry, problem)[0] for symmetry in group} == expected


@given(seeds, st.integers(0, 5))
def test_a_group_found_within_a_limit_is_a_subgroup(rng: random.Random, limit: int) -> None:
    problem = regular_problem(rng)
    whole, part = problem.symmetries(), problem.symmetries(node_limit=limit)
    assert whole.order % part.order == 0
    assert part.complete <= (part.order == whole.order)
    assert all(whole.contains(symmetry) for symmetry in part.generators)
    if part.order <= 500 and whole.order <= 2000:
        inside = set(part)
        assert len(inside) == part.order
        for symmetry in whole:
            assert part.contains(symmetry) == (symmetry in inside)


# -- groups of given generators ------------------------------------------------------------------


def test_the_group_of_many_equal_options_is_made_at_once() -> None:
    """With a base that does not follow the chain of transpositions it takes minutes."""
    options = random.Random(0).sample(range(300), 150)
    generators = []
    for one, other in pairwise(options):
        images = array("i", range(300))
        images[one], images[other] = other, one
        generators.append(images)
    problem = dlx.Problem.from_options([["a"] if n in options else [n] for n in range(300)])
    group = OptionGroup(generators, list(range(2, 151)))
    rest = [option for option in range(300) if option not in options]
    test = ClassFilter(problem._prepare(None).problem, group, []).open()
    first, other = test.stabilizers([[*rest, min(options)], [*rest, max(options)]])
    assert prod(first or ()) == factorial(149)
    assert other is None


@given(seeds)
def test_generators_generate_the_group_again(rng: random.Random) -> None:
    problem = regular_problem(rng)
    whole = problem.symmetries()
    again = problem.symmetries(generators=whole.generators)
    assert again.order == whole.order
    assert again.complete
    assert again.option_orbits == whole.option_orbits
    assert again.item_orbits == whole.item_orbits
    assert all(again.contains(symmetry) for symmetry in whole.generators)
    assert prod(again.on_options().factors) == prod(whole.on_options().factors)


@given(seeds)
def test_a_subgroup_by_its_elements(rng: random.Random) -> None:
    problem = regular_problem(rng)
    whole = problem.symmetries()
    chosen = [one for one in whole.generators if rng.random() < 0.5]
    part = problem.symmetries(generators=chosen)
    assert whole.order % part.order == 0
    if part.order > 500:
        return
    inside = set(part)
    assert len(inside) == part.order
    on_options = {tuple(one.options.get(name, name) for name in problem.names) for one in inside}
    assert prod(part.on_options().factors) == len(on_options)
    if whole.order <= 2000:
        for symmetry in whole:
            assert part.contains(symmetry) == (symmetry in inside)
            images = tuple(symmetry.options.get(name, name) for name in problem.names)
            assert part.contains(dict(symmetry.options)) == (images in on_options)


def test_generators_as_mappings_of_options_or_items() -> None:
    problem = square()
    turn = {"ab": "bc", "bc": "cd", "cd": "da", "da": "ab"}
    rotations = problem.symmetries(generators=[turn])
    assert (rotations.order, rotations.complete) == (4, True)
    assert rotations.contains(turn)
    reflection = problem.symmetries().symmetry(items={"a": "c", "c": "a"})
    assert not rotations.contains(reflection)
    assert not rotations.contains({"ab": "bc", "bc": "ab"})  # no symmetry at all
    assert problem.symmetries(generators=[turn, reflection]).order == 8
    assert problem.symmetries(item_generators=[{"a": "c", "c": "a"}]).order == 2
    both = problem.symmetries(generators=iter([turn]), item_generators=[{"a": "c", "c": "a"}])
    assert both.order == len(list(both)) == 8
    assert problem.symmetries(generators=()).order == 1
    copied = pickle.loads(pickle.dumps(rotations))
    assert (copied.order, copied.generators) == (4, rotations.generators)
    assert str(rotations) == "4 symmetries; 4 options in 1 orbit, 4 items in 1 orbit"


def test_generators_keep_givens_and_costs() -> None:
    problem = square()
    swap = {"a": "c", "c": "a"}  # exchanges ab and bc
    assert problem.symmetries(item_generators=[swap]).order == 2
    with pytest.raises(dlx.InvalidArgument, match=r"item_generators\[0\]: this is no symmetry"):
        problem.symmetries(item_generators=[swap], given=["ab"])
    dear = dlx.Problem.from_options([["a"], ["b"]], costs=[1, 2])
    assert dear.symmetries(generators=[{0: 1, 1: 0}]).order == 2
    with pytest.raises(dlx.InvalidArgument, match="option 0 has no image"):
        dear.symmetries(generators=[{0: 1, 1: 0}], costs=True)


def test_wrong_generators() -> None:
    problem = square()
    with pytest.raises(dlx.InvalidArgument, match=r"item_generators\[1\]: .*option 0 \('ab'\) has"):
        problem.symmetries(item_generators=[{}, {"b": "c", "c": "b"}])
    with pytest.raises(dlx.InvalidArgument, match=r"generators\[0\]: .*item 'a' has no image"):
        problem.symmetries(generators=[{"ab": "bc", "bc": "ab"}])
    with pytest.raises(dlx.InvalidArgument, match=r"generators\[0\]: .*both mapped to 'cd'"):
        problem.symmetries(generators=[{"ab": "cd", "bc": "cd"}])
    with pytest.raises(dlx.InvalidArgument, match=r"generators is \{'ab': 'bc'\}; give a list"):
        problem.symmetries(generators={"ab": "bc"})  # type: ignore[arg-type]
    with pytest.raises(dlx.InvalidArgument, match="item_generators is 3; give a list"):
        problem.symmetries(item_generators=3)  # type: ignore[arg-type]
    with pytest.raises(dlx.InvalidArgument, match=r"generators\[0\]: 'ab' is no mapping"):
        problem.symmetries(generators=["ab"])  # type: ignore[list-item]
    with pytest.raises(dlx.UnknownOption, match="'xy'"):
        problem.symmetries(generators=[{"xy": "ab", "ab": "xy"}])
    with pytest.raises(dlx.UnknownItem, match="'z'"):
        problem.symmetries(item_generators=[{"z": "a", "a": "z"}])
    with pytest.raises(dlx.InvalidArgument, match="node_limit cannot be used with generators"):
        problem.symmetries(generators=[], node_limit=5)
    other = models.queens(4).symmetries().generators[0]
    with pytest.raises(dlx.UnknownOption):
        problem.symmetries(generators=[other])


# -- canonical forms -----------------------------------------------------------------------------


@settings(max_examples=150)
@given(multi_cases(weights=True) | st.none(), seeds)
def test_isomorphic_problems_have_the_same_canonical_form(
    case: Case | None, rng: random.Random
) -> None:
    problem = regular_problem(rng) if case is None else case.problem()
    other = shuffled(problem, rng)
    assert problem.canonical() == other.canonical()
    assert problem.canonical().canonical() == problem.canonical()
    found = problem.is_isomorphic(other)
    assert found is not None
    assert_isomorphism(problem, other, found)


def assert_isomorphism(problem: dlx.Problem, other: dlx.Problem, found: dlx.Isomorphism) -> None:
    """Names follow `found`; then the problems differ at most in the names of colors."""
    assert sorted(map(str, found.options)) == sorted(map(str, problem.names))
    assert set(found.items.values()) == set(other.items)
    renamed = dlx.Problem(
        [found.items[item] for item in problem.primary],
        [found.items[item] for item in problem.secondary],
        multiplicities={found.items[item]: b for item, b in problem.multiplicities.items()},
    )
    assert renamed.multiplicities == {
        item: other.multiplicities[item] for item in renamed.multiplicities
    }
    colors = set()
    for name, image in found.options.items():
        row = {getattr(e, "item", e): e for e in problem.options[problem.index_of(name)]}
        target = {getattr(e, "item", e): e for e in other.options[other.index_of(image)]}
        assert {found.items[item] for item in row} == set(target)
        for item, entry in row.items():
            there = target[found.items[item]]
            assert getattr(entry, "weight", 1) == getattr(there, "weight", 1)
            assert isinstance(entry, dlx.Colored) == isinstance(there, dlx.Colored)
            if isinstance(entry, dlx.Colored) and isinstance(there, dlx.Colored):
                colors.add((item, entry.color, there.color))
    assert len({c[:2] for c in colors}) == len(colors) == len({(c[0], c[2]) for c in colors})


@given(tiny_cases, tiny_cases)
def test_other_problems_have_other_canonical_forms(one: Case, other: Case) -> None:
    """Equal canonical forms only if there is an isomorphism, which is then checked."""
    found = one.problem().is_isomorphic(other.problem())
    assert (found is not None) == (one.problem().canonical() == other.problem().canonical())
    if found is not None:
        assert_isomorphism(one.problem(), other.problem(), found)


def test_regular_problems_that_are_not_isomorphic() -> None:
    """A cycle of six and two cycles of three: refinement alone cannot tell them apart."""
    six = dlx.Problem.from_options([[i, (i + 1) % 6] for i in range(6)])
    threes = dlx.Problem.from_options(
        [[3 * c + i, 3 * c + (i + 1) % 3] for c in (0, 1) for i in range(3)]
    )
    assert six.is_isomorphic(threes) is None
    assert six.canonical() != threes.canonical()
    assert six.symmetries().order == 12
    assert threes.symmetries().order == 72


@pytest.mark.parametrize("prime", [3, 5, 7, 11])
def test_projective_planes(prime: int) -> None:
    """The order of PGL(3, q), also if a path of short cells would be hard to compare."""
    field = range(prime)
    points = [(1, a, b) for a in field for b in field] + [(0, 1, a) for a in field] + [(0, 0, 1)]
    lines = [
        [(a, b, c) for a, b, c in points if (a * x + b * y + c * z) % prime == 0]
        for x, y, z in points
    ]
    group = dlx.Problem.from_options(lines).symmetries(node_limit=1000)
    assert group.complete
    assert group.order == prime**3 * (prime**3 - 1) * (prime**2 - 1)


def test_an_exchange_of_equal_parts_takes_one_node() -> None:
    options = [[(part, n), ("s", part)] for part in range(300) for n in range(2)]
    group = dlx.Problem.from_options(options).symmetries(node_limit=2000)
    assert group.complete
    assert group.order == 2**300 * factorial(300)


def test_the_canonical_form_counts_the_same() -> None:
    problem = models.queens(7)
    assert problem.canonical().count() == problem.count()


# -- wrong arguments -----------------------------------------------------------------------------


def test_no_symmetry_names_the_option_without_image() -> None:
    group = square().symmetries()
    assert group.order == 8
    with pytest.raises(dlx.InvalidArgument, match=r"option 0 \('ab'\) has no image.*'a c'"):
        group.symmetry(items={"b": "c", "c": "b"})
    with pytest.raises(dlx.InvalidArgument, match=r"item 'a' has no image"):
        group.symmetry({"ab": "bc", "bc": "ab"})
    with pytest.raises(dlx.InvalidArgument, match=r"option 0 \('ab'\) has no image; its items"):
        group.symmetry({}, {"a": "b", "b": "c", "c": "d", "d": "a"})
    with pytest.raises(dlx.InvalidArgument, match="no symmetry"):
        group.apply({"ab": "bc", "bc": "ab"}, ["ab"])
    assert not group.contains({"ab": "bc", "bc": "ab"})
    swap = {"p": "s", "s": "p"}
    bounds: dict[str, tuple[int, int]]
    for primary, bounds in ((["p"], {}), (["p", "s"], {"p": (0, 1)})):
        problem = dlx.Problem(primary, {"p", "s"} - {*primary}, multiplicities=bounds)
        problem.add_option(["p", "s"])
        with pytest.raises(dlx.InvalidArgument, match="item 'p' to 's', which is not of its kind"):
            problem.symmetries().symmetry(items=swap)


def test_no_permutation_is_refused() -> None:
    group = square().symmetries()
    with pytest.raises(dlx.InvalidArgument, match="'ab' and 'bc' are both mapped to 'cd'"):
        group.symmetry({"ab": "cd", "bc": "cd"})
    with pytest.raises(dlx.InvalidArgument, match="'cd', which has no image"):
        group.symmetry({"ab": "cd"})
    with pytest.raises(dlx.InvalidArgument, match="give a dictionary"):
        group.symmetry([1])  # type: ignore[arg-type]
    with pytest.raises(dlx.UnknownOption, match="'xy'"):
        group.symmetry({"xy": "ab", "ab": "xy"})
    with pytest.raises(dlx.UnknownItem, match="'z'"):
        group.symmetry(items={"z": "a", "a": "z"})


def test_wrong_arguments() -> None:
    problem = square()
    with pytest.raises(dlx.InvalidArgument, match="node_limit"):
        problem.symmetries(node_limit=-1)
    with pytest.raises(dlx.GivenClash):
        problem.symmetries(given=["ab", "bc"])
    with pytest.raises(dlx.UnknownOption):
        problem.symmetries(given=["xy"])
    with pytest.raises(dlx.InvalidArgument, match=r"not a dlx.Problem"):
        problem.is_isomorphic("square")  # type: ignore[arg-type]
    with pytest.raises(dlx.InvalidArgument, match="iteration returns at most 100,000"):
        iter(models.latin_square(5).symmetries())
    with pytest.raises(dlx.InvalidSolution):
        problem.symmetries().apply({}, "ab")
    with pytest.raises(dlx.SearchInterrupted, match="node limit"):
        problem.canonical(node_limit=0)


def test_ctrl_c(alarm: Alarm) -> None:
    """A random Latin square has no symmetry, and is so regular that this takes long to show."""
    cells = models.random_latin_square(24, seed=1)
    options = [
        [("row", i), ("column", j), ("symbol", symbol)]
        for i, row in enumerate(cells)
        for j, symbol in enumerate(row)
    ]
    problem = dlx.Problem.from_options(options)
    with alarm.expected():
        problem.canonical(node_limit=10**9)
    assert not problem.symmetries(node_limit=10).complete  # nothing is broken


def test_a_group_is_that_of_the_problem_as_it_was() -> None:
    problem = square()
    group = problem.symmetries()
    problem.add_option(["a"], name="a")
    assert group.order == len(list(group)) == 8
    assert problem.symmetries().order == 2
    with pytest.raises(dlx.UnknownOption):
        group.apply({}, ["a"])


def test_groups_and_symmetries_can_be_pickled_and_not_changed() -> None:
    group = square().symmetries(given=["ab"])
    copied = pickle.loads(pickle.dumps(group))
    assert copied.generators == group.generators
    assert (copied.order, str(copied)) == (2, str(group))
    symmetry = group.generators[0]
    assert hash(pickle.loads(pickle.dumps(symmetry))) == hash(symmetry)
    with pytest.raises(AttributeError):
        symmetry.options = {}
    with pytest.raises(AttributeError):
        group.order = 3  # type: ignore[misc]


def test_the_text() -> None:
    group = square().symmetries()
    assert str(group) == "8 symmetries; 4 options in 1 orbit, 4 items in 1 orbit"
    assert repr(group) == f"<dlx symmetries: {group}>"
    assert str(square().symmetries(node_limit=0)).startswith("at least 1 symmetry; ")
    assert "options {'ab': " in repr(group.generators[0])


# -- the commands --------------------------------------------------------------------------------


def test_dlx_symmetries(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "square.dlx"
    square().dump(file)
    lines = run("symmetries", str(file)).out.splitlines()
    assert lines[0] == "8 symmetries; 4 options in 1 orbit, 4 items in 1 orbit"
    assert "  orbit of 4 options: ab bc cd da" in lines
    generators = [line for line in lines if line.startswith("generator ")]
    assert len(generators) == len(square().symmetries().generators)
    facts = json.loads(run("symmetries", "--json", str(file)).out)
    assert (facts["order"], facts["complete"]) == (8, True)
    assert facts["option_orbits"] == [[0, 1, 2, 3]]
    assert {"options", "items"} == set(facts["generators"][0])


def test_dlx_symmetries_with_a_limit(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "square.dlx"
    square().dump(file)
    assert run("symmetries", "--node-limit", "1", str(file), status=3).out.startswith(
        "at least 1 symmetry; "
    )
    assert run("symmetries", "--given", "0", str(file)).out.startswith("2 symmetries; ")


def test_dlx_info_says_the_order(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "latin.dlx"
    models.latin_square(3).dump(file)
    assert "symmetries: 1,296; options in 1 orbit of 27; items in 1 orbit of 27\n" in (
        run("info", str(file)).out
    )
