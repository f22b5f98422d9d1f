"""The schedule and the driver over trees that are simply there: every slice, split and order."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from tree_engine import DrawnTree, Tree, profile_of, random_tree, solutions_of

from dlx.kernel import Pack
from dlx.parallel.part import Part
from dlx.parallel.recorder import Start
from dlx.parallel.schedule import Place, Schedule
from dlx.parallel.slice import Slice
from dlx.parallel.unit import Runner

WHOLE = Part((), 0)


class Record:
    """A recorder that could go on from what it has."""

    def __init__(self) -> None:
        self.listed: list[Part | list[tuple[int, ...]]] = [WHOLE]

    def done(self, part: Part, piece: Slice) -> None:
        where = self.listed.index(part)
        assert piece.solutions is not None
        pack = Pack(piece.solutions.options, piece.solutions.lengths)
        found: list[tuple[int, ...]] = []
        pack.take(piece.found, None, found)
        assert len(found) == piece.found
        self.listed[where : where + 1] = [found, *piece.left]

    def solutions_in(self, tree: Tree) -> list[tuple[int, ...]]:
        """What was found, and at the places of parts what would be found."""
        result = []
        for one in self.listed:
            result += search(tree, one) if isinstance(one, Part) else one
        return result


def search(tree: Tree, part: Part) -> list[tuple[int, ...]]:
    engine, pack, found = DrawnTree(tree, part), Pack(), []
    while not engine.finished:
        engine.draw_packed(2**62, -1.0, pack)
    pack.take(2**62, None, found)
    return found


@given(st.integers(), st.integers(1, 5), st.booleans(), st.integers(10, 2000))
def test_all_solutions_come_once_and_in_order(
    seed: int, workers: int, ordered: bool, buffer: int
) -> None:
    random = Random(seed)
    tree = random_tree(random, 5, 4)
    record = Record()
    schedule = Schedule(Start((WHOLE,)), ordered=ordered, recorder=record, buffer=buffer)
    runners = [
        Runner(lambda part: DrawnTree(tree, part, random.randint(1, 9))) for _ in range(workers)
    ]
    at_work: dict[int, Place] = {}
    drawn: list[tuple[int, ...]] = []
    while not schedule.over:
        worker = random.randrange(workers)
        if worker not in at_work:
            place = schedule.take(crew=workers, prefer=runners[worker].standing)
            if place is not None:
                at_work[worker] = place
            elif random.random() < 0.5:
                schedule.output.take(random.randint(1, 9), None, drawn)
            continue
        place = at_work.pop(worker)
        assert place.part is not None
        if random.random() < 0.1:
            schedule.put_back(place)
            continue
        slice_ = runners[worker].run(place.part, schedule.budget(place, 0.0))
        schedule.done(place, slice_, hungry=random.random() < 0.5)
        assert schedule.waiting + schedule.taken == len(schedule.parts)
        assert record.solutions_in(tree) == solutions_of(tree)
    schedule.output.take(2**62, None, drawn)
    expected = solutions_of(tree)
    assert drawn == expected if ordered else sorted(drawn) == sorted(expected)
    assert schedule.stats[:4] == (
        sum(profile_of(tree)),
        2 * sum(profile_of(tree)),
        len(expected),
        profile_of(tree),
    )
