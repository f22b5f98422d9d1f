"""Adding, searching, stopping, resuming, in any order, against plain lists and brute force."""

from __future__ import annotations

from typing import Any

import pytest
from bruteforce import Case, all_subsets, search_slowly
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    precondition,
    rule,
)

import dlx
from dlx.engines.registry import IN_ORDER as ENGINES

engines = st.sampled_from([name for name in ENGINES if name != "auto"])


class Watched:
    """A search, and what it has to yield: a whole snapshot of the problem, made at its start."""

    def __init__(self, search: dlx.Search, expected: list[tuple[int, ...]], more: bool) -> None:
        self.search = search
        self.expected = expected
        self.more = more  # did its limit cut anything off?
        self.drawn: list[tuple[int, ...]] = []

    def draw(self, count: int) -> None:
        for _ in range(count):
            solution: Any = next(self.search, None)
            if solution is None:
                assert self.drawn == self.expected
                break
            self.drawn.append(solution)
            assert self.drawn == self.expected[: len(self.drawn)]


class Machine(RuleBasedStateMachine):
    """A problem that grows while searches on it are under way."""

    searches: Bundle[Watched] = Bundle("searches")

    @initialize(open_items=st.booleans(), secondary=st.integers(0, 2))
    def start(self, open_items: bool, secondary: int) -> None:
        self.open_items = open_items
        self.secondary = ["x", "y"][:secondary]
        self.primary: list[str] = []
        self.options: list[tuple[Any, ...]] = []
        self.problem = dlx.Problem(None if open_items else (), self.secondary)

    def case(self) -> Case:
        return Case(tuple(self.primary), tuple(self.secondary), tuple(self.options))

    # -- growing ---------------------------------------------------------------------------------

    @rule(item=st.sampled_from("abcdef"))
    def add_item(self, item: str) -> None:
        if item in self.primary:
            with pytest.raises(dlx.DuplicateItem):
                self.problem.add_item(item)
        else:
            self.problem.add_item(item)
            self.primary.append(item)

    @rule(item=st.sampled_from("xyz"))
    def add_secondary_item(self, item: str) -> None:
        if item in self.secondary:
            with pytest.raises(dlx.DuplicateItem):
                self.problem.add_item(item, secondary=True)
        else:
            self.problem.add_item(item, secondary=True)
            self.secondary.append(item)

    @precondition(lambda self: len(self.options) < 9)
    @rule(
        items=st.lists(st.sampled_from("abcdef"), min_size=1, max_size=3, unique=True),
        extra=st.lists(
            st.sampled_from(["x", "y", dlx.colored("x", 1), dlx.colored("y", 1)]),
            max_size=2,
            unique_by=lambda entry: getattr(entry, "item", entry),
        ),
    )
    def add_option(self, items: list[str], extra: list[Any]) -> None:
        extra = [e for e in extra if getattr(e, "item", e) in self.secondary]
        unknown = [item for item in items if item not in self.primary]
        if unknown and not self.open_items:
            with pytest.raises(dlx.UnknownItem, match=repr(unknown[0])):
                self.problem.add_option(items + extra)
            return
        assert self.problem.add_option(items + extra) == len(self.options)
        self.primary += unknown
        self.options.append((*items, *extra))

    @rule(item=st.sampled_from("abcdef"))
    def add_wrong_option(self, item: str) -> None:
        """Whatever is wrong, even late in the option, nothing of it stays."""
        with pytest.raises(dlx.DLXError):
            self.problem.add_option([item, "new", item, "new"])

    # -- searching -------------------------------------------------------------------------------

    @rule(target=searches, engine=engines, limit=st.none() | st.integers(0, 5))
    def search(self, engine: str, limit: int | None) -> Watched:
        expected = search_slowly(self.case()).solutions
        search = self.problem.solutions(limit=limit, engine=engine)
        cut = limit is not None and limit <= len(expected)
        return Watched(search, expected[:limit], cut)

    @rule(target=searches, engine=engines, data=st.data())
    def search_with_givens(self, engine: str, data: st.DataObject) -> Watched:
        solution = self.problem.solve(engine=engine)
        chosen = data.draw(st.lists(st.sampled_from(solution), unique=True)) if solution else []
        expected = search_slowly(self.case(), chosen).solutions
        return Watched(self.problem.solutions(given=chosen, engine=engine), expected, False)

    @rule(watched=searches, count=st.integers(1, 4))
    def resume(self, watched: Watched, count: int) -> None:
        watched.draw(count)

    @rule(one=searches, other=searches, count=st.integers(1, 4))
    def interleave(self, one: Watched, other: Watched, count: int) -> None:
        for _ in range(count):
            one.draw(1)
            other.draw(1)

    @rule(watched=consumes(searches))
    def finish(self, watched: Watched) -> None:
        watched.draw(1000)
        assert watched.drawn == watched.expected
        if not watched.more:
            assert watched.search.exhausted
            assert watched.search.stopped_by is None

    @rule(watched=consumes(searches))
    def stop(self, watched: Watched) -> None:
        watched.search.close()
        assert next(watched.search, None) is None

    @rule(watched=consumes(searches))
    def drop(self, watched: Watched) -> None:
        del watched.search

    @rule(engine=engines)
    def count(self, engine: str) -> None:
        expected = all_subsets(self.case())
        assert self.problem.count(engine=engine) == len(expected)
        assert self.problem.is_unique(engine=engine) == (len(expected) == 1)

    # -- always ----------------------------------------------------------------------------------

    @invariant()
    def looks_as_it_was_built(self) -> None:
        if not hasattr(self, "problem"):
            return
        assert self.problem.primary == tuple(self.primary)
        assert self.problem.secondary == tuple(self.secondary)
        assert list(self.problem.options) == self.options


TestMachine = Machine.TestCase
TestMachine.settings = settings(stateful_step_count=40)
