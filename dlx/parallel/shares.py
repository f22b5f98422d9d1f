"""How far a search has come: how much of its tree a part is, by the shares of its branches.

The whole is 1. Each node shares what it has evenly among its children; so a position says exactly
how much is done, if not how long it took. Knuth's programs tell their progress in this way::

              .-------- root --------.
            1/3     .--- 1/3 ---.   1/3         done: 1/3 + 1/9; of path (2, 1), floor 0, is left
                  1/9    1/9    1/9                   1/9 + 1/9 + 1/3

Source: D. E. Knuth, the program DLX1 that belongs to TAOCP 7.2.2.1 (`print_progress`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from dlx.parallel.part import NONE_YET, Part

if TYPE_CHECKING:
    from dlx.kernel import Problem as KernelProblem
    from dlx.kernel import Search as KernelSearch
    from dlx.parallel.part import Decision

__all__ = ["Shares"]

FINEST: Final = 1e-7  # shares below this are not looked at any closer
MOST_KNOWN: Final = 10_000  # nodes, of which the children are remembered


class Shares:
    """Says of parts how much they are of a whole: of all of a search, or of a part of it.

    Nothing is made before it is needed. Then an engine goes once to each node above the parts whose
    share is worth it, O(depth) of them for each part; what it sees there is remembered. For one
    thread at a time.

    >>> import dlx
    >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
    >>> shares = Shares(problem._prepare(None).problem, [])
    >>> search = problem.solutions()
    >>> shares.done(search.parts_left()), next(search), shares.done(search.parts_left())
    (0.0, (0, 1), 0.25)
    """

    def __init__(
        self, problem: KernelProblem, given: Sequence[int], whole: Part | None = None
    ) -> None:
        """`given` are indices of options; the parts must be those of a search with them."""
        self._problem = problem
        self._given = list(given)
        self._engine: KernelSearch | None = None
        self._children: dict[tuple[Decision, ...], list[int]] = {}
        self._whole = Part() if whole is None else whole
        self._root: int | None = None  # the depth below which all of the whole is
        self._size = 1.0  # of the whole, where that node is 1

    def of(self, part: Part) -> float:
        """The share of a part in the whole; it must be in it.

        Raises ValueError for one that no search comes along.

        >>> import dlx
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> kernel_problem = problem._prepare(None).problem
        >>> rest = Part(((0, 0), (1, 1)), 0)
        >>> Shares(kernel_problem, []).of(rest)
        0.75
        >>> within = Shares(kernel_problem, [], rest)
        >>> [within.of(part) for part in (rest, Part(((0, 0), (1, 1)), 1), Part(((0, 0),), 0))]
        [1.0, 0.3333333333333333, 0.6666666666666666]
        """
        if part == self._whole:
            return 1.0
        if self._root is None:
            self._root = self._find_root()
            self._size = self._below(self._whole, self._root)
        return self._below(part, self._root) / self._size if self._size else 0.0

    def done(self, left: Iterable[Part]) -> float:
        """How much of the whole is done if these parts of it are left, from 0 to 1."""
        return min(1.0, max(0.0, 1.0 - sum(map(self.of, left))))

    def _find_root(self) -> int:
        """The depth of the lowest node that has all of the whole below it.

        Shares are counted from there: those of a part deep in the tree are too small for that.
        """
        path, floor = self._whole
        while len(path) > floor + 1 and not self._after(path, floor)[0]:
            floor += 1
        return floor

    def _below(self, part: Part, root: int) -> float:
        """The share of a part in the node that its path leads to at the depth `root`."""
        path, floor = part
        share, left = 1.0, 0.0
        for depth in range(root, len(path)):
            after, options = self._after(path, depth)
            if not options:
                return left
            share /= options
            if depth >= floor:
                left += share * after
            if share < FINEST:
                break
        return share if part.is_subtree else left

    def _after(self, path: tuple[Decision, ...], depth: int) -> tuple[int, int]:
        """How many options of an item on the path come after that taken, and how many there are."""
        item, option = path[depth]
        options = self._options_at(path[:depth], item)
        tried = 0 if option == NONE_YET else options.index(option) + 1
        return len(options) - tried, len(options)

    def _options_at(self, path: tuple[Decision, ...], item: int) -> list[int]:
        """The options of an item at the end of a path, in order."""
        key = (*path, (item, NONE_YET))
        options = self._children.get(key)
        if options is None:
            engine, self._engine = self._engine, None  # it may break
            if engine is None:
                engine = self._open()
            engine.restart(key, len(path))
            options = engine.untried()
            self._engine = engine
            if len(self._children) >= MOST_KNOWN:
                self._children.clear()
            self._children[key] = options
        return options

    def _open(self) -> KernelSearch:
        from dlx.kernel import Search as KernelSearch

        return KernelSearch(self._problem, self._given, None, "links", "mrv")
