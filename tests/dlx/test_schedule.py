"""Who does which part, without threads: every slice, split, failure and stop, in any order.

The double `DrawnTree` makes trees that no problem has; the engines themselves follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from internals import kernel_problem, search_input
from strategies import any_large_cases, large_cases
from tree_engine import DrawnTree, Tree, profile_of, random_tree, solutions_of

import dlx
from dlx import Part
from dlx.core.arguments import UNLIMITED
from dlx.core.budget import Budget
from dlx.core.kernel import Pack
from dlx.core.stats import NO_STATS, Stats
from dlx.engines.protocols import Start
from dlx.engines.spec import EngineSpec, engine_spec
from dlx.errors import PartFailed
from dlx.links.heuristics import HEURISTICS
from dlx.parallel.results import TaskLimits, WorkResult
from dlx.parallel.schedule import QueueNode, Schedule
from dlx.parallel.worker import Open, PartWorker
from dlx.search.progress import TreeShares

MANY = 2**62
MOST_NODES = 400  # of a random problem's tree
RANDOM = st.integers(0, 2**32).map(Random)
Solutions = list[tuple[Any, ...]]


def taken(pack: Pack | None) -> Solutions:
    """What is in a pack, which keeps it."""
    found: Solutions = []
    if pack is not None:
        Pack(pack.options, pack.lengths).take(MANY, None, found)
    return found


def search(open_engine: Open, part: Part) -> Solutions:
    engine, pack = open_engine(part), Pack()
    while not engine.finished:
        engine.run(Budget(MANY), pack)
    return taken(pack)


class Record:
    """A recorder from which the search could go on at any time."""

    def __init__(self) -> None:
        self.listed: list[Part | Solutions] = [Part()]

    def done(self, part: Part, piece: WorkResult) -> None:
        assert len(taken(piece.solutions)) == piece.found == piece.stats.solutions
        where = self.listed.index(part)
        self.listed[where : where + 1] = [taken(piece.solutions), *piece.left]

    def all_solutions(self, open_engine: Open) -> Iterator[tuple[Any, ...]]:
        """Those that were found and, at the places of parts, those that would be."""
        for one in self.listed:
            yield from search(open_engine, one) if isinstance(one, Part) else one


class WorkerPool:
    """Workers who take turns at random, are sent away, or fail."""

    def __init__(self, schedule: Schedule, open_engine: Open, random: Random) -> None:
        self.schedule = schedule
        self.random = random
        self.workers = [PartWorker(open_engine) for _ in range(random.randint(1, 4))]
        self.at_work: dict[int, QueueNode] = {}

    def step(self) -> bool:
        """One step of a worker drawn at random; False if there is no part for it."""
        random, schedule = self.random, self.schedule
        worker = random.randrange(len(self.workers))
        part_worker = self.workers[worker]
        if worker not in self.at_work:
            place = schedule.take(workers=len(self.workers), prefer=part_worker.remaining)
            if place is not None:
                self.at_work[worker] = place
            return place is not None
        place = self.at_work.pop(worker)
        assert place.part is not None
        if random.random() < 0.1:
            schedule.put_back(place)
            return True
        budget = schedule.limits(place, 0.0)._replace(nodes=random.choice([1, 2, 5, 30]))
        piece = part_worker.run(place.part, budget)
        schedule.done(place, piece, wanted=random.choice([0, 0, 1, 5]))
        assert schedule.waiting + schedule.taken == len(schedule.parts)
        return True


@given(RANDOM, st.booleans(), st.integers(10, 2000))
def test_all_solutions_of_a_drawn_tree_come_once_and_in_order(
    random: Random, ordered: bool, buffer: int
) -> None:
    tree = random_tree(random, 5, 4)

    def open_engine(part: Part) -> DrawnTree:
        return DrawnTree(tree, part, random.randint(1, 9))

    record = Record()
    schedule = Schedule(Start((Part(),)), ordered=ordered, recorder=record, buffer=buffer)
    crew = WorkerPool(schedule, open_engine, random)
    drawn: Solutions = []
    while not schedule.over:
        if not crew.step():
            schedule.output.take(random.randint(1, 9), None, drawn)
    assert list(record.all_solutions(open_engine)) == solutions_of(tree)
    schedule.output.take(MANY, None, drawn)
    assert drawn == solutions_of(tree) if ordered else sorted(drawn) == sorted(solutions_of(tree))
    profile = profile_of(tree)
    assert schedule.stats[:4] == (sum(profile), 2 * sum(profile), len(drawn), tuple(profile))
    assert schedule.output.taken == len(drawn)


@given(RANDOM)
def test_what_was_recorded_is_complete_at_any_time(random: Random) -> None:
    tree = random_tree(random, 4, 3)

    def open_engine(part: Part) -> DrawnTree:
        return DrawnTree(tree, part, random.randint(1, 4))

    record = Record()
    schedule = Schedule(Start((Part(),)), ordered=random.random() < 0.5, recorder=record)
    crew = WorkerPool(schedule, open_engine, random)
    for _ in range(random.randrange(30)):
        crew.step()
        assert list(record.all_solutions(open_engine)) == solutions_of(tree)


@given(RANDOM)
def test_a_search_goes_on_from_where_another_one_stands(random: Random) -> None:
    """Again and again, with the solutions that were found and not handed over."""
    tree = random_tree(random, 5, 3)

    def open_engine(part: Part) -> DrawnTree:
        return DrawnTree(tree, part, random.randint(1, 4))

    start, drawn = Start((Part(),)), []  # type: tuple[Start, Solutions]
    for _ in range(4):
        schedule = Schedule(start, ordered=True)
        crew = WorkerPool(schedule, open_engine, random)
        for _ in range(random.randrange(20)):
            crew.step()
        schedule.output.take(random.randrange(4), None, drawn)
        start = Start(schedule.snapshot(), schedule.stats)
    for one in start.parts:
        drawn += search(open_engine, one) if isinstance(one, Part) else taken(one)
    assert drawn == solutions_of(tree)


def question_of(
    problem: dlx.Problem, engine: str, heuristic: Any = "mrv", seed: int | None = None
) -> EngineSpec:
    return engine_spec(search_input(problem, seed), engine, heuristic)


def whole(question: EngineSpec) -> tuple[Solutions, list[int]] | None:
    """The solutions in order and the profile of a small problem, by one engine; else None."""
    engine, found = question.open(Part()), Pack()
    engine.run(Budget(MANY, nodes=MOST_NODES), found)
    while not engine.finished:
        if engine.stats.nodes >= MOST_NODES:
            return None
        engine.run(Budget(MANY, nodes=MOST_NODES), found)
    return taken(found), engine.stats.profile


def worked_off(question: EngineSpec, random: Random) -> Schedule:
    """The schedule of a whole search after workers that take turns at random have ended it."""
    schedule = Schedule(Start((Part(),)), ordered=True)
    crew = WorkerPool(schedule, question.open, random)
    while not schedule.over:
        crew.step()
    return schedule


@given(any_large_cases(), RANDOM, st.none() | st.integers(0, 9))
def test_engines_share_a_search(engine: str, case: Any, random: Random, seed: int | None) -> None:
    question = question_of(case.problem(), engine, seed=seed)
    expected = whole(question)
    if expected is None:
        return
    schedule = worked_off(question, random)
    assert (taken(schedule.output), schedule.stats.profile) == expected
    assert schedule.stats.nodes == sum(expected[1])


@given(large_cases(), RANDOM, st.sampled_from([*HEURISTICS[1:], "last"]))
@pytest.mark.lengthy
def test_other_heuristics_find_the_same_solutions(
    case: Any, random: Random, heuristic: str
) -> None:
    if heuristic == "last":
        question = question_of(case.problem(), "python", lambda headers: headers[-1])
    else:
        question = question_of(case.problem(), random.choice(["auto", "bits", "links"]), heuristic)
    expected = whole(question)
    if expected is None:
        return
    schedule = worked_off(question, random)
    found = taken(schedule.output)
    assert sorted(map(sorted, found)) == sorted(map(sorted, expected[0]))


@given(any_large_cases(), RANDOM)
def test_shares_say_how_much_is_done(case: Any, random: Random) -> None:
    """Of the whole and, with the same steps, of any part of it that is left at some time."""
    problem = case.problem()
    question = question_of(problem, random.choice(["links", "python"]))
    if whole(question) is None:
        return
    prepared = kernel_problem(problem)
    part = Part()
    while True:
        shares = TreeShares(prepared, [], part)
        schedule = Schedule(Start((part,)), ordered=True)
        crew = WorkerPool(schedule, question.open, random)
        done, seen = 0.0, []
        while not schedule.over:
            before, done = done, shares.done(schedule.parts)
            assert before - 1e-9 <= done <= 1
            if done == 1:  # what is left behind a part that was split off may be nothing
                assert not any(search(question.open, part) for part in schedule.parts)
            seen += schedule.parts
            crew.step()
        assert shares.done(schedule.parts) == 1
        seen = [one for one in seen if one != part and len(one.path) > len(part.path)]
        if not seen:
            break
        part = random.choice(seen)


# -- by hand ---------------------------------------------------------------------------------------

COMB: Tree = [True, [True, [True, [True, True]]]]


def test_a_part_that_fails_three_times_is_given_up() -> None:
    schedule = Schedule(Start((Part(((0, 0),), 1), Part(((0, 0),), 0))), ordered=True)
    part_worker = PartWorker(lambda part: DrawnTree(COMB, part))
    error = OSError("no such luck")
    for time in (1, 2, 3):
        place = schedule.take(workers=1)
        assert place is not None
        assert schedule.fail(place, error) == (time < 3)
    while not schedule.over:
        place = schedule.take(workers=1)
        assert place is not None
        assert place.part is not None
        schedule.done(place, part_worker.run(place.part, TaskLimits(0, MANY, keep=True)))
    assert taken(schedule.output) == solutions_of(COMB)[1:]
    assert schedule.failed == [(Part(((0, 0),), 1), error)]
    message = str(PartFailed(schedule.failed))
    assert "((0, 0),), 1" in message
    assert "OSError: no such luck" in message


def test_no_more_solutions_wait_than_there_is_room_for() -> None:
    """The first part continues whatever waits behind it, until the caller stops drawing."""
    tree: Tree = [[True] * 50 for _ in range(40)]
    parts = tuple(Part(((0, n),), 1) for n in range(40))
    schedule = Schedule(Start(parts), ordered=True, buffer=2000)
    part_worker = PartWorker(lambda part: DrawnTree(tree, part, 100))
    places = []
    while (place := schedule.take(workers=4)) is not None:
        places.append(place)
    assert 1 <= len(places) < 40
    for place in reversed(places):  # the first one comes last
        assert place.part is not None
        piece = part_worker.run(place.part, schedule.limits(place, 0.0))
        schedule.done(place, piece)
    while (place := schedule.take(workers=4)) is not None:
        assert place.part is not None
        schedule.done(place, part_worker.run(place.part, schedule.limits(place, 0.0)))
    waiting = sum(len(one) for one in schedule.snapshot() if isinstance(one, Pack))
    assert 10 <= waiting <= 500
    assert not schedule.over


@pytest.mark.parametrize(("keep", "ordered"), [(False, True), (False, False), (True, False)])
def test_of_many_parts_one_is_taken_without_looking_at_all(
    keep: bool, ordered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That which begins nearest to the root; but first of all what a worker has at hand."""
    parts = tuple(Part(((0, number), (1, 0)), number % 3) for number in range(999))
    schedule = Schedule(Start(parts), ordered=ordered)
    schedule.keep = keep
    monkeypatch.delattr(Schedule, "__iter__")
    places = [schedule.take(workers=1, prefer=parts[500])]
    assert places[0] is not None
    assert places[0].part == parts[500]
    schedule.put_back(places[0])
    assert schedule.waiting == 999
    floors = []
    for left in range(998, -1, -1):
        place = schedule.take(workers=1, prefer=parts[500] if left == 400 else parts[0])
        assert place is not None
        assert place.part is not None
        floors.append(place.part.floor)
        schedule.done(place, WorkResult(0, None, NO_STATS, ()))
        assert schedule.waiting == left
    assert schedule.take(workers=1) is None
    assert schedule.over
    assert floors.pop(598) == 2
    assert floors == sorted(floors)


def test_a_limit_of_nodes_is_shared() -> None:
    schedule = Schedule(Start((Part(((0, 0),), 1), Part(((0, 0),), 0))), ordered=True)
    schedule.node_limit = 5000
    first = schedule.take(workers=2)
    second = schedule.take(workers=2)
    assert first is not None
    assert second is not None
    nodes = [schedule.limits(place, 1.0).nodes for place in (first, second)]
    assert nodes == [1250, 1000]
    nothing = WorkResult(0, Pack(), Stats(5000, 0, 0, (), 0.0), (Part(((0, 0),), 1),))
    schedule.done(first, nothing)
    assert schedule.take(workers=2) is None
    schedule.node_limit = UNLIMITED
    assert schedule.take(workers=2) is not None


def test_stats_are_added_level_by_level() -> None:
    one = Stats(3, 9, 1, (1, 2), 0.5, None, ("weighted",))
    both = one.plus(Stats(2, 5, 0, (0, 1, 1), 0.25, 7, ("weighted", "sat")))
    assert both == Stats(5, 14, 1, (1, 3, 1), 0.75, 7, ("weighted", "sat"))
    assert both.since(one)[:5] == (2, 5, 0, (0, 1, 1), 0.25)


# -- packs -----------------------------------------------------------------------------------------


@given(st.lists(st.lists(st.integers(0, 9), max_size=4).map(tuple)), RANDOM)
def test_a_pack_is_a_queue(solutions: Solutions, random: Random) -> None:
    pack, into = Pack(), []  # type: tuple[Pack, Solutions]
    waiting = list(solutions)
    names = [f"n{k}" for k in range(10)]
    while waiting or len(pack):
        more = Pack()
        for _ in range(min(len(waiting), random.randrange(4))):
            more.append(waiting.pop(0))
        pack.extend(more)
        assert not len(more)
        before = len(pack)
        count = random.randrange(4)
        assert pack.take(count, names, into) == min(count, before)
        assert pack.taken == len(into)
        assert len(pack) == len(solutions) - len(waiting) - len(into)
        again = Pack(pack.options, pack.lengths)
        assert taken(again) == taken(pack)
    assert into == [tuple(names[k] for k in one) for one in solutions]
    assert pack.memory == 0


def test_a_pack_refuses_what_is_none() -> None:
    for options, lengths in ((b"123", b""), (b"", b"\1\0\0\0"), (b"", b"\xff\xff\xff\xff")):
        with pytest.raises(ValueError, match="a pack"):
            Pack(options, lengths)
    pack = Pack()
    pack.append([3])
    with pytest.raises(IndexError):
        pack.take(1, ["a"], [])
    assert len(pack) == 1
    assert pack.drop(5) == 1
