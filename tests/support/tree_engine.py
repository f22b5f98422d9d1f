"""An engine over a tree that is simply there: a double for those of `dlx`, to test who uses them.

A node is a list of its children; a leaf is True (a solution) or False. A solution is the tuple of
the numbers of the children on the way to it. It works as `dlx/cpp/core/position.hpp` tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from dlx.core.budget import Budget, Reason
from dlx.core.kernel import Pack
from dlx.core.part import Decision, Part
from dlx.core.stats import Stats
from dlx.engines.protocols import why_stopped

WHOLE = Part((), 0)
Tree = Any  # bool | list["Tree"]


def random_tree(random: Random, depth: int, width: int) -> Tree:
    """A tree with every kind of node in it."""
    if depth == 0 or random.random() < 0.15:
        return random.random() < 0.5
    return [random_tree(random, depth - 1, width) for _ in range(random.randint(1, width))]


def solutions_of(tree: Tree) -> list[tuple[int, ...]]:
    """All solutions, in order, by recursion."""
    if isinstance(tree, bool):
        return [()] if tree else []
    return [(n, *rest) for n, child in enumerate(tree) for rest in solutions_of(child)]


def profile_of(tree: Tree) -> tuple[int, ...]:
    """Nodes by depth."""
    profile: tuple[int, ...] = ()
    level = [tree]
    while level:
        profile += (len(level),)
        level = [child for node in level if not isinstance(node, bool) for child in node]
    return profile


class DrawnTree:
    """Goes on by `pace` nodes whenever it is called, whatever the time."""

    def __init__(self, tree: Tree, part: Part = WHOLE, pace: int = 3) -> None:
        self._tree = tree
        self._pace = pace
        self.restart(part.path, part.floor)

    def restart(self, path: Sequence[Decision], floor: int) -> None:
        self._begin = Part(tuple(path), floor)
        self._begun = False
        self._path = [option for _, option in path]
        self._solutions = 0
        self._profile: list[int] = []
        self._steps = self._walk(floor)
        self.finished = False

    @property
    def stats(self) -> Stats:
        nodes = sum(self._profile)
        return Stats(nodes, 2 * nodes, self._solutions, tuple(self._profile), 0.0)

    def _children(self, path: list[int]) -> Tree:
        node = self._tree
        for option in path:
            node = node[option]
        return node

    def _count(self, depth: int) -> None:
        self._profile += [0] * (depth + 1 - len(self._profile))
        self._profile[depth] += 1

    def _walk(self, floor: int) -> Iterator[bool]:
        """Yields at each node whether it is a solution; `_path` leads to it."""
        path = self._path
        if len(path) == floor:
            self._count(len(path))
            yield self._children(path) is True
            below = True
        else:
            below = False  # what is below the path has been visited, or nothing is
        while True:
            node = self._children(path) if below else None
            below = True
            if isinstance(node, list) and node:
                path.append(0)
            else:
                while len(path) > floor and path[-1] + 1 == len(self._children(path[:-1])):
                    path.pop()
                if len(path) == floor:
                    return
                path[-1] += 1
            self._count(len(path))
            yield self._children(path) is True

    def _advance(self, count: int, pack: Pack | None) -> int:
        found = 0
        for _ in range(self._pace):
            if found == count or self.finished:
                break
            self._begun = True
            solved = next(self._steps, None)
            self.finished = solved is None
            if solved:
                found += 1
                self._solutions += 1
                if pack is not None:
                    pack.append(self._path)
        return found

    def run(self, budget: Budget, into: list[tuple[Any, ...]] | Pack) -> Reason:
        pack = Pack()
        found = self._advance(budget.solutions, pack)
        if isinstance(into, list):
            pack.take(found, None, into)
        else:
            into.extend(pack)
        return why_stopped(self, budget, found)

    def take_waiting(self, into: list[tuple[Any, ...]] | Pack) -> None:
        """No solution waits."""

    def skip(self, budget: Budget) -> int:
        return self._advance(budget.solutions, None)

    def position(self) -> tuple[list[Decision], int] | None:
        if not self._begun:
            return list(self._begin.path), self._begin.floor
        if self.finished:
            return None
        path, floor = list(self._path), self._begin.floor
        node = self._children(path)
        if isinstance(node, list) and node:
            return [*enumerate(path), (len(path), -1)], self._raised(path, floor)
        while len(path) > floor and path[-1] + 1 == len(self._children(path[:-1])):
            path.pop()
        if len(path) == floor:
            self.finished = True
            return None
        return list(enumerate(path)), self._raised(path, floor)

    def _raised(self, path: list[int], floor: int) -> int:
        while floor < len(path) and path[floor] + 1 == len(self._children(path[:floor])):
            floor += 1
        return floor

    def untried(self) -> list[int]:
        raise RuntimeError("never asked")

    def close(self) -> None:
        self.finished = True
