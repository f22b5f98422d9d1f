"""How much of a search tree a part is, by the shares of its branches.

The whole is 1. Each node shares what it has evenly among its children; so a position says exactly
how much is done, if not how long it took. Knuth's programs tell their progress in this way::

              .-------- root --------.
            1/3     .--- 1/3 ---.   1/3         done: 1/3 + 1/9; of path (2, 1), floor 0, is left
                  1/9    1/9    1/9                   1/9 + 1/9 + 1/3

Source: D. E. Knuth, the program DLX1 that belongs to TAOCP 7.2.2.1 (`print_progress`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from dlx.parallel.part import NONE_YET, Part

if TYPE_CHECKING:
    from dlx.engines import TreeEngine
    from dlx.parallel.part import Decision
    from dlx.parallel.unit import Open

__all__ = ["Shares"]

MOST_KNOWN: Final = 100_000  # nodes, of which the children are remembered


class Shares:
    """Says of parts how much of the tree they are.

    `open_engine` opens an engine that tells its `untried` options: "links" or "python". An engine
    goes once to each node above the parts, O(depth) of them for each part; what it sees there is
    remembered.
    """

    def __init__(self, open_engine: Open) -> None:
        self._open = open_engine
        self._engine: TreeEngine | None = None
        self._children: dict[tuple[Decision, ...], list[int]] = {}

    def of(self, part: Part) -> float:
        """The share of a part in the whole.

        >>> import dlx
        >>> from dlx.parallel.opening import ask
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> question = ask("links", problem._table, problem._prepare(None), [], "mrv")
        >>> shares = Shares(question.open)
        >>> shares.of(Part()), shares.of(Part(((0, 0), (1, 1)), 0))
        (1.0, 0.75)
        """
        path, floor = part
        share, left = 1.0, 0.0
        for depth, (item, option) in enumerate(path):
            options = self._options_at(path[:depth], item)
            if depth >= floor:
                after = 0 if option == NONE_YET else options.index(option) + 1
                left += share * (len(options) - after) / len(options)
            share /= len(options)
        return share if part.is_subtree else left

    def sum(self, parts: Iterable[Part]) -> float:
        """The share of all these parts together."""
        return sum(map(self.of, parts))

    def _options_at(self, path: tuple[Decision, ...], item: int) -> list[int]:
        """The options of an item at the end of a path."""
        key = (*path, (item, NONE_YET))
        options = self._children.get(key)
        if options is None:
            begin = Part(key, len(path))
            engine, self._engine = self._engine, None  # it may break
            if engine is None:
                engine = self._open(begin)
            else:
                engine.restart(*begin)
            options = engine.untried()
            self._engine = engine
            if len(self._children) > MOST_KNOWN:
                self._children.clear()
            self._children[key] = options
        return options
