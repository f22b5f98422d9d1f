"""Subtrees of a `links` search that are left to `bits`: nothing of it shows but the updates.

"links/DEPTH" leaves every subtree at that depth to tables of its own; "links/DEPTH/WORK" begins
with that after some work, in the middle of a subtree; "auto" decides by itself.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Hashable
from itertools import islice
from typing import Any

import pytest
from example_problems import result_of
from internals import engine_of
from kernel_searches import kernel_search, tell

import dlx
from dlx import models
from dlx.core.budget import Budget
from dlx.engines.registry import HEURISTICS

Build = Callable[[], dlx.Problem]


# -- by depth and by work -----------------------------------------------------------------------


@pytest.mark.parametrize("depth", range(7))
def test_it_does_happen(depth: int) -> None:
    """A step of `bits` is another than one of `links`. At the root nothing is handed over."""
    problem = models.queens(8)
    search, links = (kernel_search(problem, name) for name in (f"links/{depth}", "links/0"))
    assert tell(search, 1000) == tell(links, 1000)
    assert (search.stats.updates < links.stats.updates) == (depth > 0)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.lengthy
def test_from_the_middle_of_every_subtree(depth: int) -> None:
    """The levels below the one that is left are undone, so that links do no more than before."""
    for build in (lambda: models.queens(7), lambda: models.pentominoes(3, 20)):
        reference = kernel_search(build(), "links/0")  # without small subtrees on words of bits
        expected = tell(reference, 1000)
        everything = reference.stats.nodes + reference.stats.updates
        for work in range(0, everything, 1 + everything // 12):
            search = kernel_search(build(), f"links/{depth}/{work}")
            assert tell(search, 1000) == expected
            assert search.stats.updates <= reference.stats.updates
        early = kernel_search(build(), f"links/{depth}/0")
        assert tell(early, 1000) == expected
        assert early.stats.updates < reference.stats.updates


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("build", [lambda: models.queens(7), lambda: models.pentominoes(3, 20)])
@pytest.mark.lengthy
def test_taken_over_at_every_work(build: Build, heuristic: str) -> None:
    reference = kernel_search(build(), "links/0", heuristic=heuristic)
    expected = tell(reference, 1000)
    everything = reference.stats.nodes + reference.stats.updates
    for work in range(0, everything, 1 + everything // 20):
        search = kernel_search(build(), f"auto/{work}", heuristic=heuristic)
        assert tell(search, 1000) == expected
        assert search.stats.updates <= reference.stats.updates


# -- auto ----------------------------------------------------------------------------------------


def among(useless: int, core: dlx.Problem) -> dlx.Problem:
    """A problem with `useless` more options, all gone once the forced option has been taken: too
    large for tables of the whole.
    """
    options: list[list[Hashable]] = [["start", "taken"]]
    options += [[core.primary[k % len(core.primary)], "taken"] for k in range(useless)]
    options += [list(option) for option in core.options]
    return dlx.Problem.from_options(
        options, primary=["start", *core.primary], secondary=["taken", *core.secondary]
    )


WHOLE: dict[str, Build] = {
    "queens": lambda: models.queens(9),
    "langford": lambda: models.langford(8),
    "pentominoes": lambda: models.pentominoes(3, 20),
    "colors": lambda: models.graceful_labeling(models.wheel_graph(5)),
    "sparse": lambda: models.random_exact_cover(40, 220, 4, seed=1),
    "secondary": lambda: models.random_exact_cover(40, 200, 3, seed=1, secondary=20),
}
whole = pytest.mark.parametrize("build", WHOLE.values(), ids=WHOLE)
both_heuristics = pytest.mark.parametrize("heuristic", HEURISTICS)


def on_links(build: Build, **search: Any) -> dlx.Search:
    return build().solutions(engine="links", **search)


@both_heuristics
@whole
def test_auto_goes_over_to_bits(build: Build, heuristic: str) -> None:
    """And begins there the next time, the tables being kept."""
    links = on_links(build, heuristic=heuristic)
    expected = result_of(links)
    problem = build()
    bits = build().solutions(engine="bits", heuristic=heuristic)
    assert result_of(bits) == expected
    first = problem.solutions(heuristic=heuristic)
    assert result_of(first) == expected
    assert links.stats.updates > first.stats.updates > bits.stats.updates
    second = problem.solutions(heuristic=heuristic)
    assert result_of(second) == expected
    assert second.stats.updates == bits.stats.updates


@both_heuristics
def test_auto_begins_with_bits_where_taking_one_option_is_much_work(heuristic: str) -> None:
    """Nothing of it is done by links."""
    problem = models.random_exact_cover(60, 3000, 15, seed=1)
    expected = result_of(on_links(lambda: problem, heuristic=heuristic))
    first, bits = (
        problem.solutions(engine=engine, heuristic=heuristic) for engine in ("auto", "bits")
    )
    assert result_of(first) == result_of(bits) == expected
    assert first.stats.updates == bits.stats.updates


@pytest.mark.slow
@pytest.mark.parametrize(
    "core",
    [
        models.random_exact_cover(60, 250, 3, seed=1, secondary=60),
        models.graceful_labeling(models.wheel_graph(7)),
    ],
    ids=["secondary", "colors"],
)
def test_auto_leaves_subtrees_to_bits(core: dlx.Problem) -> None:
    """Of a problem that is too large as a whole, in the middle of the search; also if paused."""
    problem = among(24_000, core)
    links = kernel_search(problem, "links")
    expected = tell(links, 10**6)
    with pytest.raises(dlx.InvalidArgument, match="limit"):
        problem.solve(engine="bits")
    for pause in (1, 10**6):
        search = kernel_search(problem, "auto")
        assert tell(search, 10**6, pause=pause) == expected
        assert search.stats.updates < links.stats.updates


@pytest.mark.parametrize(
    "problem", [models.matchings(40), models.dominoes(30, 30)], ids=["matchings", "dominoes"]
)
def test_auto_leaves_small_subtrees_to_links(problem: dlx.Problem) -> None:
    """They have no updates in `links`, on words of bits; `bits` would count one a node or two."""
    search = kernel_search(problem, "auto")
    search.skip(Budget(nodes=300_000))
    nodes, updates, *_ = search.stats
    assert nodes == 300_000
    assert updates < nodes / 4


@both_heuristics
@whole
def test_auto_may_be_stopped_by_the_clock(build: Build, heuristic: str) -> None:
    """Wherever that was, it continues from there."""
    problem = build()
    expected = tell(kernel_search(problem, "links", heuristic=heuristic), 10**6)
    search = kernel_search(problem, "auto", heuristic=heuristic)
    found: list[tuple[Any, ...]] = []
    while not search.finished:
        search.run(Budget.of(10**6, 1e-5), found)
    assert tell(search, 1)[1:] == expected[1:]
    assert found == expected.solutions


@both_heuristics
@whole
def test_auto_may_be_closed_half_way(build: Build, heuristic: str) -> None:
    reference = on_links(build, heuristic=heuristic)
    expected = list(reference)
    problem = build()
    for _ in range(3):
        fresh = kernel_search(problem, "auto").image()
        search: Any = problem.solutions(heuristic=heuristic)
        half = list(islice(search, len(expected) - 1))
        assert half == expected[: len(half)]
        search.close()
        assert search.stopped_by == "close"
        assert next(search, None) is None
        assert engine_of(search).image() == fresh
        dropped = problem.solutions(heuristic=heuristic)
        assert list(islice(dropped, 2)) == expected[:2]
        del dropped
        gc.collect(1)  # what is young: all that came from here
    again = problem.solutions(heuristic=heuristic)
    assert list(again) == expected
    assert again.stats.profile == reference.stats.profile


@both_heuristics
def test_work_of_earlier_searches_counts(heuristic: str) -> None:
    """None of these is worth tables by itself."""
    problem = models.pentominoes(3, 20)
    given = [[name] for name in problem.names]
    updates = []
    for _ in range(2):
        searches = [problem.solutions(given=each, heuristic=heuristic) for each in given[:200]]
        assert all(list(search) is not None for search in searches)
        updates.append(sum(search.stats.updates for search in searches))
    assert updates[1] < updates[0]


# -- many sets of givens, one engine -------------------------------------------------------------


@whole
@pytest.mark.parametrize("engine", ["auto", "links", "bits"])
@pytest.mark.parametrize("workers", [1, 2])
def test_restarted_for_each_set(build: Build, engine: str, workers: int) -> None:
    """An engine goes over to bits in the middle of some set; the next ones begin there."""
    problem, reference = build(), build()
    sets = [[], *([name] for name in problem.names[:40]), []]
    searches = [reference.solutions(given=each, engine="links") for each in sets]
    answers = problem.solve_many(sets, limit=10**6, engine=engine, workers=workers)
    assert list(answers) == [list(search) for search in searches]
    assert answers.stats.nodes == sum(search.stats.nodes for search in searches)


def test_restarted_after_a_timeout() -> None:
    """One that stops in the middle of what bits does leaves nothing behind."""
    holes = 12
    hopeless = [[("pigeon", i), ("hole", j)] for i in range(holes + 1) for j in range(holes)]
    problem = dlx.Problem.from_options(
        [["way", *(("pigeon", i) for i in range(holes + 1))], ["way"], *hopeless],
        secondary=[("hole", j) for j in range(holes)],
    )
    sets = [[1], [0], [1], [0], [0]]
    answers = problem.solve_many(sets, limit=5, timeout=0.1, errors="return")
    kinds = [type(answer) for answer in answers]
    assert kinds == [dlx.SearchInterrupted, list, dlx.SearchInterrupted, list, list]
