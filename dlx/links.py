"""Algorithm X, and Algorithm C for colors, by dancing links: to be read, and traced.

The problem
-----------
Some *items* must be covered. Each *option* covers a few of them. Choose options so that every item
is covered exactly once. Written as a matrix with an item per column and an option per row, the
question is which rows add up to a row of ones::

              a  b  c  d  e  f  g
    option 0  .  .  1  .  1  .  .
    option 1  1  .  .  1  .  .  1
    option 2  .  1  1  .  .  1  .          options 0, 3 and 4 cover every item once
    option 3  1  .  .  1  .  1  .
    option 4  .  1  .  .  .  .  1
    option 5  .  .  .  1  1  .  1

Algorithm X
-----------
Choose an item. One of its options must be in the solution, so try each in turn: put it into the
partial solution, strike out all of its items together with every other option that contains one of
them, and go on with the smaller matrix. An item without options is a dead end; no items left is a
solution. Then take the option back and try the next.

`Matrix._search`, below, is that loop. It goes down and up over a matrix of links, from which
items and options are struck out, and to which they return; when it ends the matrix is as it was.
How that is done is told in the files of `dlx/dance/`, in this order:

================  ===============================================================================
`torus.py`        the matrix: rings of nodes, across the entries of an option and down an item
`covering.py`     `cover`, `uncover`, `hide`, `unhide`: the dance of its links
`coloring.py`     `take` and `release` an option; colors, with `purify` (Algorithm C)
`choosing.py`     `choose`, and other heuristics in its place
`decisions.py`    the stack: `_push` an item, `_advance` to its next option, `_pop` it
`positions.py`    where a search stands; how one begins there (for parts, and resuming)
================  ===============================================================================

`dlx.multiple` is the search for items that may be covered several times (Algorithm M).

Source: D. E. Knuth, TAOCP 4B, section 7.2.2.1 (`arXiv:cs/0011047` is the first telling); the idea
of unlinking and relinking is Hitotumatu and Noshita's (1979).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dlx.dance.nodes import NO_COLOR, PURIFIED, Header, Node
from dlx.dance.positions import NONE_YET, Decision, Positions
from dlx.dance.steps import Step

if TYPE_CHECKING:
    from dlx.heuristics import Heuristic

__all__ = ["Decision", "Header", "Matrix", "NONE_YET", "NO_COLOR", "Node", "PURIFIED", "Step"]


class Matrix(Positions):
    """The toroidal matrix of a problem, and Algorithm X on it.

    `options` are sequences of items, `dlx.colored` ones among them; they are known by their places,
    or by `labels`. Nothing is checked here: that is what `dlx.Problem` is for. Building takes
    O(entries) time and space.

    >>> matrix = Matrix("abcdefg", options=["ce", "adg", "bcf", "adf", "bg", "deg"])
    >>> list(matrix.solutions())
    [(3, 4, 0)]
    >>> for step in matrix.search():
    ...     print(step)
    level 0: item a (2 options)
      try option 1
      level 1: item b (1 option)
        try option 2
        dead end: item e has no option left
      level 1: item b is done
      try option 3
      level 1: item b (1 option)
        try option 4
        level 2: item c (1 option)
          try option 0
          solution!
        level 2: item c is done
      level 1: item b is done
    level 0: item a is done
    """

    solutions_found = 0

    def _search(
        self, given: Iterable[int], choose: Callable[[], Header]
    ) -> Generator[Step, None, None]:
        """Algorithm X. Each turn of its loop is one step of the search.

        Where the search has just arrived, at a smaller matrix, that is seen to: it is a dead end,
        or a solution, or has an item to branch on. Else the next option of the last item is taken;
        after all of them, the item itself is given up, and the turn is that of the one before.
        """
        with self._prepared(given) as arrived:
            yield from self._set_out(arrived)
            stack, floor = self._stack, self._floor
            while True:
                if arrived:
                    arrived = False
                    if self.starved:
                        yield self._dead_end()
                    elif self.complete():
                        yield self._solution()
                    else:
                        yield self._branch_on(choose())
                elif len(stack) <= floor:
                    return
                elif self._advance():
                    arrived = True
                    yield self._try()
                else:
                    yield self._give_up()

    def _dead_end(self) -> Step:
        self._put_down_failure()
        header = self.first_starved()
        level = len(self._stack)
        return Step("dead end", level, header.name, None, header.length, self.updates)

    def _solution(self) -> Step:
        self.solutions_found += 1
        return Step("solution", len(self._stack), None, None, 0, self.updates)

    def _branch_on(self, header: Header) -> Step:
        level = len(self._stack)
        self._push(header)
        return Step("choose", level, header.name, None, header.length, self.updates)

    def _try(self) -> Step:
        """Counts the option on top of the stack, which has just been taken."""
        node, level = self._stack[-1], len(self._stack) - 1
        self._count_node(level + 1)
        node.head.tries += 1
        option = node.option if node.option >= 0 else None
        return Step("try", level, node.head.name, option, 0, self.updates)

    def _give_up(self) -> Step:
        header = self._pop()
        return Step("give up", len(self._stack), header.name, None, 0, self.updates)

    # -- from outside ----------------------------------------------------------------------------

    def search(
        self,
        given: Iterable[int] = (),
        heuristic: str | Heuristic = "mrv",
        path: Sequence[Decision] = (),
        floor: int = 0,
    ) -> Generator[Step, None, None]:
        """Runs Algorithm X, yielding every step.

        `given` options are part of every solution; they must not clash. With a `path`, that part of
        the search is made which comes after it, or below it: see `position`. `heuristic` is "mrv",
        "weighted", or a function that is given the headers of all open items, in declaration order,
        and returns the one to branch on: see `dlx.heuristics`. The matrix must not be searched
        twice at the same time. When the iterator ends, or is closed early, the matrix is as it was
        before.

        Raises `InvalidArgument` for an unknown heuristic, and, when its turn comes, for one that
        returns anything but a header it was given; and `InvalidPart`, at the first step, for a path
        that no search comes along.

        >>> def fewest_failures(headers):
        ...     return min(headers, key=lambda header: (header.failures, header.length))
        >>> matrix = Matrix("abc", options=["a", "b", "ab", "c"])
        >>> next(matrix.search(heuristic=fewest_failures)).item
        'c'
        """
        self._begun, self._path, self._floor = False, path, floor
        self.updates = self.solutions_found = 0
        self.profile = []
        return self._search(given, self.chooser(heuristic))

    def solutions(
        self, given: Iterable[int] = (), heuristic: str | Heuristic = "mrv"
    ) -> Iterator[tuple[int, ...]]:
        """The solutions, each as the labels of its options in the order chosen, givens first."""
        for step in self.search(given, heuristic):
            if step.kind == "solution":
                yield self.partial_solution()

    @contextmanager
    def _prepared(self, given: Iterable[int]) -> Iterator[bool]:
        """Brings the matrix to where the search begins; undoes all that was done at its end.

        Is the node there still to be visited?
        """
        self._given = forced = [self._primary_node(option) for option in given]
        stack: list[Node] = []
        self._stack = stack
        for node in forced:
            self.force(node)
        try:
            self._replay(self._path)
            self._begin_to_count()
            yield len(self._path) == self._floor
        finally:
            for node in reversed(stack):
                self._put_back(node)
                self.leave(node.head)
            for node in reversed(forced):
                self.unforce(node)
            stack.clear()
            forced.clear()

    def _begin_to_count(self) -> None:
        """What has led to here was preparation, or somebody else's search."""
        for header in self.headers.values():
            header.tries = header.failures = 0
        self.updates = 0
        self.profile = [0] * len(self._stack) if self._stack else [1]

    def _set_out(self, arrived: bool) -> Generator[Step, None, None]:
        """The first steps of a search that begins with a path: a pause, and to try its end."""
        self._begun = not (arrived and self._path)
        if self._path:
            yield Step("pause", len(self._path), None, None, 0, self.updates)
        if not self._begun:
            self._begun = True
            yield self._try()
