"""A search of a random tree, in slices of random size and random order: a driver for journals.

The tree is the sorted list of its leaves, each a path of decisions, some of them solutions. So what
belongs to a part is what its definition says, word by word, and no engine is needed to tell.
"""

from __future__ import annotations

import random
import threading
from dataclasses import dataclass, field

from dlx.core.budget import Budget
from dlx.core.kernel import Pack
from dlx.core.part import Decision, Part
from dlx.core.stats import Stats
from dlx.engines.protocols import Start
from dlx.parallel.results import Recorder, WorkResult

OPTIONS = 8
"""The number of options of each decision."""

Path = tuple[Decision, ...]


@dataclass
class Tree:
    """The leaves of a tree, in visiting order, and those among them that are solutions."""

    leaves: list[Path] = field(default_factory=list)
    found: set[Path] = field(default_factory=set)

    @classmethod
    def random(cls, rng: random.Random, depth: int = 4) -> Tree:
        tree = cls()
        tree.grow(rng, (), depth)
        return tree

    def grow(self, rng: random.Random, path: Path, depth: int) -> None:
        options = sorted(rng.sample(range(OPTIONS), rng.randint(0, 3))) if depth else []
        for option in options:
            self.grow(rng, (*path, (len(path), option)), depth - 1)
        if not options:
            self.leaves.append(path)
            if rng.random() < 0.7:
                self.found.add(path)

    @property
    def solutions(self) -> list[tuple[int, ...]]:
        return [options_of(leaf) for leaf in self.leaves if leaf in self.found]

    def within(self, part: Part) -> list[Path]:
        """The leaves of a part, in visiting order."""
        path, floor = part
        shared = [leaf for leaf in self.leaves if leaf[:floor] == path[:floor]]
        if len(path) == floor:
            return shared
        return [leaf for leaf in shared if leaf > path and leaf[: len(path)] != path]


def options_of(leaf: Path) -> tuple[int, ...]:
    return tuple(option for _, option in leaf)


class ToyDriver:
    """Does one slice at each call, of any of the parts that are left (see `BackgroundSearch`)."""

    def __init__(
        self, tree: Tree, start: Start, recorder: Recorder, rng: random.Random, *, keep: bool
    ) -> None:
        self.tree = tree
        self.parts = list(start.parts)
        self.recorder = recorder
        self.rng = rng
        self.keep = keep

    def record(self, budget: Budget, *, keep: bool, prompt: bool) -> None:
        self.do_slice()

    def settle(self) -> None:
        """All that was found is recorded already."""

    def close(self) -> None:
        self.parts = []

    def do_slice(self) -> None:
        if not self.parts:
            return
        place = self.rng.randrange(len(self.parts))
        part = self.parts[place]
        leaves = self.tree.within(part)
        size = self.rng.choice((0, 1, 1, 2, 5, len(leaves)))
        now, later = leaves[:size], leaves[size:]
        left = self.split(Part(now[-1], part.floor) if now else part) if later else ()
        found = [options_of(leaf) for leaf in now if leaf in self.tree.found]
        pack = Pack() if self.keep else None
        for solution in found if pack is not None else ():
            pack.append(solution)
        stats = Stats(len(now), 0, len(found), (len(now),), 0.0)
        self.recorder.done(part, WorkResult(len(found), pack, stats, left))
        self.parts[place : place + 1] = left

    def split(self, part: Part) -> tuple[Part, ...]:
        """Into as many parts as there are levels, or two, or not at all."""
        path, floor = part
        below, after = Part(path, floor + 1), Part(path[: floor + 1], floor)
        if len(path) <= floor + 1 or self.rng.random() < 0.3:
            return (part,)
        return (*self.split(below), after) if self.rng.random() < 0.5 else (below, after)


class ToyCrew(ToyDriver):
    """The same in a thread of its own, which continues while others read the journal."""

    thread: threading.Thread | None = None

    def record(self, budget: Budget, *, keep: bool, prompt: bool) -> None:
        if self.thread is None:
            self.thread = threading.Thread(target=self.work_on)
            self.thread.start()
        self.thread.join(0.0001)

    def work_on(self) -> None:
        while self.parts:
            self.do_slice()

    def close(self) -> None:
        if self.thread is not None:
            self.thread.join()
