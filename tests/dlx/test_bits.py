"""The `bits` engine, in each of its layouts: the same tree as `links`, at and around every size.

test_same_tree.py has problems of every kind; those here are built to stand just at the limits where
the engine does something else.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from bruteforce import Case
from hypothesis import given
from hypothesis import strategies as st
from internals import kernel_problem
from kernel_searches import (
    BITS,
    Told,
    engine_choice,
    kernel_search,
    layout_of,
    tell,
)
from search_strategies import SEEDS
from strategies import large_cases

import dlx
from dlx import models
from dlx.core.budget import Budget
from dlx.core.kernel import Search as KernelSearch
from dlx.engines.registry import HEURISTICS

# How many options an item has, or how many items there are: the limits of lanes, registers, words
# and counters (which count 254 options each), and some beyond.
LENGTHS = [
    *(1, 2, 6, 7, 8, 14, 15, 16, 30, 31, 32, 62, 63, 64, 65, 127, 128),
    *(253, 254, 255, 256, 507, 508, 509, 510, 762, 763, 1000),
]
ITEMS = [1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 254, 255, 256, 1000]
OPTIONS = [511, 512, 513, 4095, 4096, 4097, 8193]


@pytest.fixture(scope="module", params=BITS)
def bits(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def assert_like_links(
    problem: dlx.Problem, engine: str, *, limit: int, given: Sequence[int] = ()
) -> Told:
    expected = tell(kernel_search(problem, "links", given=given), limit)
    assert tell(kernel_search(problem, engine, given=given), limit) == expected
    return expected


# -- passing over --------------------------------------------------------------------------------


@st.composite
def options_of_one_length(draw: st.DrawFn) -> Case:
    """All options have as many primary items, and many solutions end in the same item."""
    rng, length = random.Random(draw(st.integers(0, 2**32))), draw(st.integers(1, 3))
    primary = tuple(range(length * draw(st.integers(1, 4))))
    secondary = tuple("uv"[: draw(st.integers(0, 2))])
    options = [
        tuple(rng.sample(primary, length)) + tuple(v for v in secondary if rng.random() < 0.1)
        for _ in range(draw(st.integers(1, 80)))
    ]
    return Case(primary, secondary, tuple(options))


@given(case=options_of_one_length() | large_cases(), steps=st.lists(st.integers(0, 40), max_size=6))
@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_what_is_passed_over_has_been_visited(
    bits: str, heuristic: str, case: Case, steps: list[int]
) -> None:
    """Counting, too, tells nodes and profile of all that it counts, also between solutions."""
    problem = case.problem()
    search = kernel_search(problem, bits, heuristic=heuristic)
    reference = kernel_search(problem, "links", heuristic=heuristic)
    for number, step in enumerate([*steps, 400]):
        expected = tell(reference, step)
        if number % 3 == 1:
            assert tell(search, step) == expected
            continue
        assert search.skip(Budget(step)) == len(expected.solutions)
        assert tell(search, 0) == expected._replace(solutions=[])


@given(case=large_cases(), seed=SEEDS)
def test_an_option_may_be_given_though_it_leads_nowhere(
    bits: str, case: Case, seed: int | None
) -> None:
    problem = case.problem()
    for option in range(min(5, len(problem))):
        search = {"given": [option], "seed": seed}
        expected = tell(kernel_search(problem, "links", **search), 50)
        assert tell(kernel_search(problem, bits, **search), 50) == expected


# -- layouts -------------------------------------------------------------------------------------


def star(lengths: Sequence[int]) -> dlx.Problem:
    """Items with these numbers of options of their own."""
    return dlx.Problem.from_options(
        [item] for item, many in enumerate(lengths) for _ in range(many)
    )


@pytest.mark.parametrize("longest", [1, 7, 8, 15, 16, 31, 32, 63, 64])
def test_layouts_are_as_wished_if_they_hold_the_longest_item(longest: int) -> None:
    problem = star([longest, 1])
    for layout in ("lanes8", "lanes16", "lanes32", "lanes64"):
        expected = layout if longest < int(layout[5:]) else "set"
        assert layout_of(problem, f"bits/{layout}") == expected
    assert layout_of(problem, "bits/slices") == ("slices" if longest < 64 else "set")
    segments = "segments" if longest >= 64 else "lanes64"  # with a word for each item, the same
    assert layout_of(problem, "bits/segments") == segments
    for layout in ("counters", "scattered"):
        assert layout_of(problem, f"bits/{layout}") == "set"


@pytest.mark.parametrize(
    ("items", "longest", "layouts"),
    [
        (10, 7, {"lanes8"}),
        (10, 8, {"lanes16"}),
        (10, 15, {"lanes16"}),
        (10, 16, {"lanes32", "slices"}),
        (10, 32, {"lanes64", "slices"}),
        (1000, 3, {"lanes8", "slices"}),
        (10_000, 3, {"slices", "set"}),
        (1000, 63, {"set"}),
        (10, 64, {"set"}),
        (10, 500, {"segments"}),
        (10, 5000, {"segments"}),
    ],
)
def test_layouts_go_by_the_shape(items: int, longest: int, layouts: set[str]) -> None:
    """What is best between them is for benchmarks to say."""
    assert layout_of(star([longest] + [1] * (items - 1)), "bits") in layouts


# -- sizes ---------------------------------------------------------------------------------------


def ladder(lengths: Sequence[int], *, longest: int) -> dlx.Problem:
    """Two items with `longest` options; which option of the first item is taken decides how many
    of these are left: as many as `lengths` says, from the front or from the back.

    The options of the first come first: 2n keeps options 0, 1, ..., and 2n + 1 the last ones.
    """
    sides = [(length, back) for length in lengths for back in (False, True)]
    options: list[list[object]] = [["choice", ("gone", place)] for place in range(len(sides))]
    for item in ("a", "b"):
        for number in range(longest):
            option: list[object] = [item]
            for place, (length, back) in enumerate(sides):
                rank = longest - 1 - number if back else number
                if rank >= length:
                    option.append(("gone", place))
            options.append(option)
    secondary = [("gone", place) for place in range(len(sides))]
    # Two of the long items' options must not clash with each other, only with the choice.
    return dlx.Problem.from_options(
        [_colored(option) for option in options], primary=["choice", "a", "b"], secondary=secondary
    )


def _colored(option: Sequence[object]) -> list[object]:
    """A choice has its secondary item to itself; the others share it."""
    if option[0] == "choice":
        return list(option)
    return [option[0], *(dlx.colored(item, "shared") for item in option[1:])]


@pytest.mark.parametrize("longest", LENGTHS)
def test_items_with_so_many_options(longest: int) -> None:
    lengths = sorted({length for length in (0, *LENGTHS) if length <= longest})
    problem = ladder(lengths, longest=longest)
    engines = (
        BITS if longest < 200 else ["bits", "bits/counters", "bits/scattered", "bits/renumbered"]
    )
    for engine in [*engines, "links/1"]:
        result = assert_like_links(problem, engine, limit=3 * longest)
        assert len(result.solutions) == 3 * longest or longest < 3
        for place in range(0, 2 * len(lengths), 1 if longest < 100 else 7):
            assert_like_links(problem, engine, limit=2, given=[place])


@pytest.mark.parametrize("longest", [1, 63, 64, 127, 128, 254, 255, 256])
def test_counting_all_pairs_of_them(bits: str, longest: int) -> None:
    lengths = [longest, longest - 1, longest // 2]
    problem = ladder(lengths, longest=longest)
    search = kernel_search(problem, bits)
    assert search.skip(Budget(10**9)) == 2 * sum(length**2 for length in lengths)
    reference = kernel_search(problem, "links")
    reference.skip(Budget(10**9))
    assert search.stats.profile == reference.stats.profile


def ring(items: int, *, special: int, options: int) -> dlx.Problem:
    """Each item has an option of its own, and shares one with each of its neighbours; `special` has
    `options` options instead.
    """
    rows = [[item] for item in range(items) if item != special]
    rows += [[item, item + 1] for item in range(items - 1) if special not in (item, item + 1)]
    rows += [[special]] * options
    return dlx.Problem.from_options(rows, primary=range(items))


@pytest.mark.parametrize("items", ITEMS)
def test_so_many_items(bits: str, items: int) -> None:
    """Wherever the smallest count stands, it is found, and so is the first of several."""
    places = {0, 1, 14, 15, 16, 17, 31, 32, 33, 63, 64, 65, 254, 255, 256, items // 2, items - 1}
    for special in sorted(places & set(range(items))):
        for options in (0, 1, 2, 5):
            assert_like_links(ring(items, special=special, options=options), bits, limit=8)


@pytest.mark.parametrize("items", [1, 15, 16, 33, 64, 65, 129, 255, 1000])
def test_whole_searches_over_so_many_items(bits: str, items: int) -> None:
    problem = dlx.Problem.from_options(
        [[item] for item in range(items)] + [[item, items - 1] for item in range(0, items - 1, 2)]
    )
    result = assert_like_links(problem, bits, limit=10**6)
    assert result.finished


@given(lengths=st.lists(st.integers(2, 63) | st.integers(2, 400), min_size=1, max_size=150))
def test_the_first_item_of_those_with_the_fewest_options(bits: str, lengths: list[int]) -> None:
    problem = star(lengths)
    assert_like_links(problem, bits, limit=2)
    shortest = min(lengths)
    first = sum(lengths[: lengths.index(shortest)])
    search = kernel_search(problem, bits, heuristic="weighted")
    found = tell(search, 1).solutions
    assert [option for option, *_ in found] == [first]


def noise(options: int, items: int, *, seed: int) -> dlx.Problem:
    """Random options of up to four items and two colors, and one for each item alone."""
    rng = random.Random(seed)
    rows: list[list[object]] = [[item] for item in range(items)]
    while len(rows) < options:
        row: list[object] = list(rng.sample(range(items), rng.randint(1, 4)))
        color = rng.choice([None, "A", "B", "C"])
        if color is not None:
            row.append(dlx.colored(rng.choice("xyz"), color))
        rows.append(row)
    rng.shuffle(rows)
    return dlx.Problem.from_options(rows, primary=range(items), secondary=list("xyz"))


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("items", [5, 40, 200, 500])
def test_so_many_options(options: int, items: int) -> None:
    problem = noise(options, items, seed=options)
    lanes = ("bits", "bits/lanes64", "bits/slices")
    for engine in (*lanes, "bits/counters", "bits/scattered", "bits/renumbered"):
        assert_like_links(problem, engine, limit=100)
        assert_like_links(problem, engine, limit=5, given=[options - 1])
    for depth in (1, 3):
        assert_like_links(problem, f"links/{depth}", limit=5)


MANY = st.sampled_from([253, 254, 255, 256, 300, 507, 508, 509, 510, 763])


@given(
    lengths=st.lists(MANY, min_size=1, max_size=4),
    clashing=st.integers(0, 12),
    seed=st.integers(0, 2**32),
)
@pytest.mark.parametrize(
    "engine", ["bits", "bits/counters", "bits/scattered", "bits/renumbered", "links/1"]
)
@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_all_items_have_more_options_than_a_byte_counts(
    engine: str, heuristic: str, lengths: list[int], clashing: int, seed: int
) -> None:
    """The smallest count saturates; the exact ones must decide. Few of the options clash, so that
    counts cross the limit, some of them only after an option or two.
    """
    rng = random.Random(seed)
    rows: list[list[object]] = [
        [item, *(dlx.colored("s", k) for k in [rng.choice("AB")] if rng.random() < clashing / 100)]
        for item, many in enumerate(lengths)
        for _ in range(many)
    ]
    rng.shuffle(rows)
    problem = dlx.Problem.from_options(rows, primary=range(len(lengths)), secondary=["s"])
    search = kernel_search(problem, engine, heuristic=heuristic)
    expected = tell(kernel_search(problem, "links", heuristic=heuristic), 2000)
    assert tell(search, 2000) == expected


def test_items_of_many_and_of_few_options_side_by_side(bits: str) -> None:
    """Further counters are for some vectors only, and at the same place within them."""
    for items in (17, 33, 65, 130):
        for long_one in (0, 15, 16, items // 2, items - 1):
            lengths = [3] * items
            lengths[long_one] = 600
            assert_like_links(star(lengths), bits, limit=3000)


@pytest.mark.parametrize("engine", ["bits/counters", "bits/renumbered"])
@pytest.mark.parametrize(("items", "size"), [(24, 3), (36, 3), (80, 2)])
@given(
    options=st.integers(250, 900),
    colors=st.integers(0, 3),
    seed=st.integers(0, 2**32),
    pauses=st.lists(st.integers(1, 900), min_size=1, max_size=4),
)
def test_subtrees_with_few_options(
    engine: str,
    items: int,
    size: int,
    options: int,
    colors: int,
    seed: int,
    pauses: list[int],
) -> None:
    """With 512 options or fewer, and 64 items, counters renumber them, at once or if that pays.
    Pauses come above such subtrees and inside, and others continue from there.
    """
    problem = models.random_exact_cover(
        items, options, size, seed=seed, secondary=8 if colors else 0, colors=colors
    )
    prepared, search = kernel_problem(problem), kernel_search(problem, engine)
    found: list[tuple[int, ...]] = []
    for pause in pauses:
        search.run(Budget(nodes=pause), found)
        search.take_waiting(found)
        part = search.position()
        if part is None:
            break
        told = [
            tell(KernelSearch(prepared, [], None, engine_choice(name), "mrv", *part), 9)
            for name in ("links", engine)
        ]
        assert told[0] == told[1]
    rest = tell(search, 9)
    expected = tell(kernel_search(problem, "links"), len(found) + 9)
    assert rest._replace(solutions=[*found, *rest.solutions]) == expected


# -- problems that are hardly any ----------------------------------------------------------------


def test_without_items(bits: str) -> None:
    for problem in (dlx.Problem(), dlx.Problem([], ["x", "y"])):
        assert assert_like_links(problem, bits, limit=5).solutions == [()]


def test_without_options(bits: str) -> None:
    assert assert_like_links(dlx.Problem(["a", "b"]), bits, limit=5) == ([], True, 1, (1,))


def test_one_option_for_a_thousand_items(bits: str) -> None:
    problem = dlx.Problem.from_options([range(1000), range(999), [999]])
    assert assert_like_links(problem, bits, limit=5).solutions == [(0,), (1, 2)]


def test_solutions_longer_than_room_for_them_at_once(bits: str) -> None:
    """Solutions cross in batches of about 8192 numbers; one of these is a quarter of a batch."""
    problem = dlx.Problem.from_options([item] for item in range(2000) for _ in range(2))
    assert_like_links(problem, bits, limit=20)


@pytest.mark.parametrize("size", [6, 8])
def test_a_whole_search_with_dead_ends(bits: str, size: int) -> None:
    result = assert_like_links(models.queens(size), bits, limit=10**6)
    assert len(result.solutions) == {6: 4, 8: 92}[size]


# -- too large -----------------------------------------------------------------------------------


def limit_of_options(items: int) -> int:
    """How many options may be spread over `items` items before the tables get too large."""
    low, high = 0, 2**17
    while high - low > 1:
        middle = (low + high) // 2
        fits, size, limit = plan_of(middle, items)
        assert fits == (size <= limit == 64 * 2**20)
        low, high = (middle, high) if fits else (low, middle)
    return low


def spread(options: int, items: int) -> dlx.Problem:
    return dlx.Problem.from_arrays(
        range(options + 1), [option % items for option in range(options)], items=items
    )


def plan_of(options: int, items: int) -> tuple[bool, int, int]:
    return kernel_problem(spread(options, items)).bits_plan()


@pytest.mark.slow
@pytest.mark.parametrize("items", [2, 50, 3000])
def test_just_below_the_limit_and_just_above(items: int) -> None:
    most = limit_of_options(items)
    below, above = (spread(most + more, items) for more in (0, 1))
    assert_like_links(below, "bits", limit=20, given=[most - 1])
    assert below.solve(given=[most - 1], engine="bits") == below.solve(given=[most - 1])
    _, size, limit = plan_of(most + 1, items)
    assert size > limit
    questions = [above.solutions, above.solve, above.count, lambda **x: above.solve_many([], **x)]
    for question in questions:
        with pytest.raises(dlx.InvalidArgument, match="engine='bits'") as caught:
            question(engine="bits")
        assert f"{size / 1e6:,.0f} MB" in str(caught.value)
        assert f"limit is {limit / 1e6:,.0f} MB" in str(caught.value)
    assert above.solve(given=[0]) == above.solve(given=[0], engine="links")
