"""The life of a search: limits, timeouts, closing, statistics; and questions cut short."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest
from example_problems import pigeons
from timeouts import cut_short

import dlx
from dlx.engines.registry import ENGINES, IN_ORDER


def pairs(count: int) -> dlx.Problem:
    """`count` items with two options each: 2^count solutions, 2^(count+1) - 1 nodes."""
    return dlx.Problem.from_options([i] for i in range(count) for _ in range(2))


ENDLESS = pairs(60).freeze()  # has solutions without end
HOPELESS = pigeons(30).freeze()  # has none, without end


# -- an iterator ---------------------------------------------------------------------------------


def test_nothing_is_searched_before_it_is_asked_for(engine: str) -> None:
    search = HOPELESS.solutions(engine=engine)
    assert search.stats == dlx.Stats(0, 0, 0, (), 0.0, plan="in order")
    assert not search.exhausted
    assert search.stopped_by is None


def test_a_search_is_its_own_iterator(engine: str) -> None:
    search = pairs(2).solutions(engine=engine)
    assert iter(search) is search
    assert [next(search), *search] == [(0, 2), (0, 3), (1, 2), (1, 3)]
    assert list(search) == []
    with pytest.raises(StopIteration):
        next(search)


@pytest.mark.parametrize("solutions", range(1, 9))
def test_the_end_is_known_only_once_it_was_reached(engine: str, solutions: int) -> None:
    """Also if the engine has found the last of them already, for it works in batches."""
    search = dlx.Problem.from_options([["a"]] * solutions).solutions(engine=engine)
    states = [search.exhausted for _solution in search]
    assert len(states) == solutions
    assert not any(states[:-1])
    assert search.exhausted
    assert search.stopped_by is None


def test_solutions_are_found_no_further_than_needed(engine: str) -> None:
    search = ENDLESS.solutions(engine=engine)
    next(search)
    assert search.stats.solutions == 1
    assert search.stats.nodes == 61


def test_dropping_a_search_leaves_the_problem_usable(engine: str) -> None:
    problem = pairs(3)
    search = problem.solutions(engine=engine)
    first = next(search)
    del search
    assert next(problem.solutions(engine=engine)) == first
    assert problem.count(engine=engine) == 8


def test_interleaved_searches_do_not_meet(engine: str) -> None:
    problem = pairs(6)
    whole = list(problem.solutions(engine=engine))
    searches = [problem.solutions(engine=engine) for _ in range(3)]
    found: list[list[Any]] = [[], [], []]
    for step in range(64 * 3):
        which = (step * step + step // 7) % 3
        found[which] += [s for s in [next(searches[which], None)] if s]
    for which, search in enumerate(searches):
        assert found[which] + list(search) == whole


def test_interleaved_engines_do_not_meet() -> None:
    problem = pairs(4)
    both = zip(problem.solutions(engine="links"), problem.solutions(engine="python"), strict=True)
    assert all(one == other for one, other in both)


def test_a_search_outlives_its_problem(engine: str) -> None:
    search = pairs(3).solutions(engine=engine)
    assert len(list(search)) == 8


def test_changing_the_problem_does_not_disturb_a_search(engine: str) -> None:
    problem = pairs(3)
    whole = list(problem.solutions(engine=engine))
    begun, waiting = problem.solutions(engine=engine), problem.solutions(engine=engine)
    seeded = problem.solutions(engine=engine, seed=3)
    first = next(begun)
    problem.add_option([0, 1, 2], name="all")
    problem.add_item("impossible")
    assert [first, *begun] == whole
    assert list(waiting) == whole
    assert set(map(frozenset, seeded)) == set(map(frozenset, whole))
    assert problem.count(engine=engine) == 0


# -- limit ---------------------------------------------------------------------------------------


def test_limit_zero(engine: str) -> None:
    search = HOPELESS.solutions(limit=0, engine=engine)
    assert list(search) == []
    assert not search.exhausted
    assert search.stopped_by == "limit"
    assert search.stats.nodes == 0
    assert HOPELESS.count(limit=0, engine=engine) == 0


@pytest.mark.parametrize("limit", [1, 3, 7])
def test_limit_reached(engine: str, limit: int) -> None:
    search = pairs(3).solutions(limit=limit, engine=engine)
    assert len(list(search)) == limit
    assert not search.exhausted
    assert search.stopped_by == "limit"
    assert search.stats.solutions == limit
    assert next(search, None) is None


def test_limit_reached_exactly(engine: str) -> None:
    """Whether there is more cannot be known without searching on, which a limit forbids."""
    search = pairs(3).solutions(limit=8, engine=engine)
    assert len(list(search)) == 8
    assert not search.exhausted
    assert search.stopped_by == "limit"
    assert pairs(3).count(limit=8, engine=engine) == 8


def test_limit_not_reached(engine: str) -> None:
    search = pairs(3).solutions(limit=9, engine=engine)
    assert len(list(search)) == 8
    assert search.exhausted
    assert search.stopped_by is None
    assert pairs(3).count(limit=9, engine=engine) == 8


@pytest.mark.parametrize("limit", [2**31, 2**63, 2**64, 10**30])
def test_limit_beyond_all_integers_of_the_kernel(engine: str, limit: int) -> None:
    assert pairs(3).count(limit=limit, engine=engine) == 8
    assert len(list(pairs(3).solutions(limit=limit, engine=engine))) == 8


@pytest.mark.parametrize("given", [(), (0,)])
def test_limit_reached_at_the_root(given: tuple[int, ...]) -> None:
    """The givens, or nothing at all, may be the whole solution; engines must agree even here."""
    problem = dlx.Problem.from_options([["a"]]) if given else dlx.Problem()
    limited, begun = set(), set()
    for engine in IN_ORDER:
        search = problem.solutions(given=given, limit=1, engine=engine)
        assert list(search) == [given]
        limited.add((search.exhausted, search.stopped_by))
        search = problem.solutions(given=given, engine=engine)
        assert next(search) == given
        begun.add((search.exhausted, search.stopped_by))
        assert next(search, None) is None
        assert search.exhausted
    assert len(limited) == len(begun) == 1


# -- timeout -------------------------------------------------------------------------------------


@pytest.mark.parametrize("problem", [ENDLESS, HOPELESS], ids=["endless", "hopeless"])
@pytest.mark.parametrize("timeout", [0, 0.0, 0.01])
def test_timeout(engine: str, problem: dlx.Problem, timeout: float) -> None:
    search = problem.solutions(timeout=timeout, engine=engine)
    for solution in search:
        assert len(solution) == 60
    assert search.stopped_by == "timeout"
    assert not search.exhausted
    assert next(search, None) is None


def test_timeout_in_questions(engine: str) -> None:
    questions: list[Callable[..., object]] = [HOPELESS.solve, HOPELESS.count, HOPELESS.is_unique]
    for question in questions:
        error = cut_short(lambda timeout, ask=question: ask(timeout=timeout, engine=engine))
        assert error.count == 0
        assert error.solutions == ()
        assert error.stats.solutions == 0


def test_a_count_cut_short_tells_how_far_it_came(engine: str) -> None:
    error = cut_short(
        lambda timeout: ENDLESS.count(timeout=timeout, engine=engine), lambda error: error.count > 0
    )
    assert error.count == error.stats.solutions < 2**60
    assert f"{error.count} solution" in str(error)
    assert f"{error.stats.nodes} nodes" in str(error)
    assert "timeout" in str(error)
    assert isinstance(error, dlx.DLXError)


def test_a_timeout_that_is_not_needed_changes_nothing(engine: str) -> None:
    for timeout in (1000, 1e300, float("inf"), 10**400):
        search = pairs(3).solutions(timeout=timeout, engine=engine)
        assert len(list(search)) == 8
        assert search.exhausted
        assert pairs(3).count(timeout=timeout, engine=engine) == 8
        assert pairs(3).solve(timeout=timeout, engine=engine) == (0, 2, 4)
        assert not pairs(3).is_unique(timeout=timeout, engine=engine)


def test_a_limit_may_come_before_the_timeout(engine: str) -> None:
    search = ENDLESS.solutions(limit=10, timeout=1000, engine=engine)
    assert len(list(search)) == 10
    assert search.stopped_by == "limit"
    assert ENDLESS.count(limit=10, timeout=1000, engine=engine) == 10


def test_interrupted_travels_between_processes() -> None:
    with pytest.raises(dlx.SearchInterrupted) as caught:
        ENDLESS.count(timeout=0)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert type(copy) is dlx.SearchInterrupted
    resuming = {"_continuation": 0, "_no_continuation": ""}
    assert {**vars(copy), **resuming} == {**vars(caught.value), **resuming}
    assert str(copy) == str(caught.value)
    error = dlx.SearchInterrupted("timeout", count=1, solutions=((0,),), stats=copy.stats)
    assert pickle.loads(pickle.dumps(error)).solutions == ((0,),)
    assert "1 solution " in str(error)


# -- close ---------------------------------------------------------------------------------------


def test_close_before_the_start(engine: str) -> None:
    search = pairs(3).solutions(engine=engine)
    search.close()
    assert list(search) == []
    assert not search.exhausted
    assert search.stopped_by == "close"


def test_close_in_the_middle(engine: str) -> None:
    search = pairs(3).solutions(engine=engine)
    next(search)
    next(search)  # there may be a third in the same batch
    search.close()
    assert list(search) == []
    assert not search.exhausted
    assert search.stopped_by == "close"
    search.close()
    assert search.stopped_by == "close"


def test_close_at_the_end(engine: str) -> None:
    search = pairs(3).solutions(engine=engine)
    list(search)
    search.close()
    assert search.exhausted
    assert search.stopped_by is None


def test_close_keeps_what_stopped_the_search(engine: str) -> None:
    search = pairs(3).solutions(limit=2, engine=engine)
    list(search)
    search.close()
    assert (search.exhausted, search.stopped_by) == (False, "limit")
    search = ENDLESS.solutions(timeout=0, engine=engine)
    list(search)
    search.close()
    assert (search.exhausted, search.stopped_by) == (False, "timeout")


def test_context_manager(engine: str) -> None:
    with pairs(3).solutions(engine=engine) as search:
        assert next(search) == (0, 2, 4)
    assert search.stopped_by == "close"
    with pytest.raises(StopIteration), pairs(1).solutions(engine=engine, limit=0) as search:
        next(search)
    assert search.stopped_by == "limit"


def test_statistics_survive_close(engine: str) -> None:
    search = pairs(3).solutions(engine=engine)
    next(search)
    stats = search.stats
    search.close()
    assert search.stats[:4] == stats[:4]


# -- statistics and repr -------------------------------------------------------------------------


def test_stats(engine: str) -> None:
    search = pairs(3).solutions(engine=engine)
    list(search)
    stats = search.stats
    assert stats.nodes == 15
    assert stats.profile == (1, 2, 4, 8)
    assert stats.solutions == 8
    assert stats.seconds > 0
    assert stats.conflicts is None
    assert stats.helpers == ()
    fields = ("nodes", "updates", "solutions", "profile", "seconds", "conflicts", "helpers", "plan")
    assert stats._fields == fields
    assert hash(stats) == hash(dlx.Stats(*stats))


def test_updates_grow_with_the_matrix(engine: str) -> None:
    assert pairs(3).solutions(engine=engine).stats.updates == 0
    search = pigeons(4).solutions(engine=engine)
    list(search)
    assert search.stats.updates >= search.stats.nodes


def test_repr(engine: str) -> None:
    search = pairs(1).solutions(engine=engine)
    assert repr(search) == "<dlx.Search: 0 solutions found, not started>"
    next(search)
    assert repr(search) == "<dlx.Search: 1 solution found, under way>"
    list(search)
    assert repr(search) == "<dlx.Search: 2 solutions found, exhausted>"
    search = pairs(1).solutions(engine=engine, limit=1)
    list(search)
    assert repr(search).endswith("limit>")
    search.close()
    assert repr(search).endswith("limit>")


# -- arguments that mean nothing -----------------------------------------------------------------


@pytest.mark.parametrize("limit", [-1, 1.0, 1.5, "1", True, [1], float("nan")])
def test_bad_limit(limit: Any) -> None:
    for question in (ENDLESS.solutions, ENDLESS.count):
        with pytest.raises(dlx.InvalidArgument, match="limit is ") as caught:
            question(limit=limit)
        assert repr(limit) in str(caught.value)


@pytest.mark.parametrize("timeout", [-1, -0.5, "1", True, [1], float("nan"), float("-inf")])
def test_bad_timeout(timeout: Any) -> None:
    questions: list[Callable[..., object]] = [
        ENDLESS.solutions, ENDLESS.count, ENDLESS.solve, ENDLESS.is_unique,
    ]  # fmt: skip
    for question in questions:
        with pytest.raises(dlx.InvalidArgument, match="timeout is ") as caught:
            question(timeout=timeout)
        assert repr(timeout) in str(caught.value)


@pytest.mark.parametrize("seed", [1.0, "1", True, (), float("nan")])
def test_bad_seed(seed: Any) -> None:
    with pytest.raises(dlx.InvalidArgument, match="seed is ") as caught:
        ENDLESS.solve(seed=seed)
    assert repr(seed) in str(caught.value)
    with pytest.raises(dlx.InvalidArgument, match="seed is "):
        ENDLESS.matrix(seed=seed)


@pytest.mark.parametrize("wrong", ["", "LINKS", "link", None, 0, ["links"]])
def test_bad_engine(wrong: Any) -> None:
    with pytest.raises(dlx.InvalidArgument, match="no engine") as caught:
        ENDLESS.solve(engine=wrong)
    message = str(caught.value)
    assert repr(wrong) in message
    assert all(f"'{name}'" in message for name in ENGINES)


def test_auto_is_an_engine() -> None:
    assert list(pairs(3).solutions()) == list(pairs(3).solutions(engine="auto"))


# -- given ---------------------------------------------------------------------------------------


@pytest.fixture
def named() -> dlx.Problem:
    x = dlx.colored
    return dlx.Problem.from_options(
        {
            "ab": ["a", "b"],
            "c": ["c", x("s", "red"), "t"],
            "c'": ["c", x("s", "blue")],
            "a": ["a", x("s", "red")],
            "b": ["b", x("s", "red"), "t"],
        },
        secondary=["s", "t"],
    )


def test_given_come_first_in_their_order(named: dlx.Problem, engine: str) -> None:
    assert list(named.solutions(engine=engine)) == [("ab", "c"), ("ab", "c'")]
    assert list(named.solutions(given=["c"], engine=engine)) == [("c", "ab")]
    assert list(named.solutions(given=("c", "ab"), engine=engine)) == [("c", "ab")]
    assert list(named.solutions(given=iter(["ab"]), engine=engine)) == [("ab", "c"), ("ab", "c'")]
    assert named.solve(given={"c'"}, engine=engine) == ("c'", "ab")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["ab", "a"], ["'ab'", "'a'", "item 'a'"]),
        (["b", "c", "ab"], ["'b'", "'c'", "item 't'"]),
        (["c'", "a"], ["'c\\''", "'a'", "item 's'"]),
        (["c", "c"], ["'c'", "twice"]),
        (["c", "ab", "c"], ["'c'", "twice"]),
    ],
)
def test_givens_that_clash(
    named: dlx.Problem, engine: str, given: list[str], words: list[str]
) -> None:
    for seed in (None, 5):
        with pytest.raises(dlx.GivenClash) as caught:
            named.solutions(given=given, engine=engine, seed=seed)
        for word in words:
            assert word.replace("'c\\''", '"c\'"') in str(caught.value)


@pytest.mark.parametrize("given", [["unknown"], [0], [["ab"]], [None], ["ab", ""], [-1], [1.5]])
def test_given_that_does_not_exist(named: dlx.Problem, engine: str, given: Any) -> None:
    with pytest.raises(dlx.UnknownOption) as caught:
        named.solve(given=given, engine=engine)
    assert repr(given[-1]) in str(caught.value)


@pytest.mark.parametrize("given", ["ab", "", b"ab"])
def test_given_as_a_text(named: dlx.Problem, given: Any) -> None:
    """`given="ab"` would otherwise mean the options "a" and "b"."""
    with pytest.raises(dlx.UnknownOption, match="given is the text"):
        named.solve(given=given)


@pytest.mark.parametrize("index", [-1, 6, 2**31, 2**64, -(2**70)])
def test_given_index_out_of_range(engine: str, index: int) -> None:
    with pytest.raises(dlx.UnknownOption, match=str(index)):
        pairs(3).solve(given=[index], engine=engine)
