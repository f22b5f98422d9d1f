"""The questions of a `Problem` that its diagram answers."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

from dlx.givens import check_given
from dlx.questions import Questions
from dlx.search import check_seed, check_timeout

if TYPE_CHECKING:
    from dlx.diagram import Diagram
    from dlx.search import Solution

__all__ = ["DiagramQuestions"]


class DiagramQuestions(Questions):
    """What a `Problem` can be asked about the set of all its solutions."""

    __slots__ = ()

    def diagram(
        self,
        *,
        order: str = "search",
        given: Iterable[Hashable] = (),
        timeout: float | None = None,
        seed: int | None = None,
        memory_limit: int | str | None = None,
    ) -> Diagram:
        """All solutions, compiled into a decision diagram: see `dlx.Diagram`.

        order
            "search": items are chosen as a search with the heuristic "mrv" does, and the diagram
            lists its solutions exactly as `solutions` does. "narrow": items are taken in one order
            from the first to the last, chosen so that a sweep over the problem has few items half
            done at a time. That is the better way for boards and other long or flat shapes; the
            diagram is then ordered (see `Diagram.variables`), and lists its solutions as a search
            that branches on items in that order.
        given, seed
            As in `solutions`. Given options come first.
        timeout
            Seconds; then `SearchInterrupted` is raised.
        memory_limit
            Bytes the diagram may take while it is built, or a text such as "500 MB"; 1 GiB if it is
            None. Then `DiagramTooLarge` is raised, which
            says how far it got. What was built is given up in either case.

        Every subproblem is searched once and then remembered, so that the time is that of a search
        divided by how often subproblems recur. Between the two orders the number of nodes can
        differ by any factor.

        >>> import dlx
        >>> diagram = dlx.models.queens(8).diagram()
        >>> len(diagram), diagram.nodes
        (92, 473)
        >>> list(diagram) == list(dlx.models.queens(8).solutions())
        True
        """
        from dlx.diagram_building import build, check_memory, check_order

        check_order(order)
        limit = check_memory(memory_limit)
        seconds = check_timeout(timeout)
        prepared = self._prepare(check_seed(seed))
        chosen = check_given(self._table, prepared, given)
        return build(self._table, prepared, chosen, order, seconds, limit)

    def sample(
        self,
        n: int = 1,
        seed: int | None = None,
        *,
        order: str = "search",
        given: Iterable[Hashable] = (),
        timeout: float | None = None,
        memory_limit: int | str | None = None,
    ) -> list[Solution]:
        """`n` solutions drawn at random, each as likely as any other: see `Diagram.sample`.

        They are drawn from the problem's diagram, which has to fit into `memory_limit`:
        otherwise `DiagramTooLarge` is raised. To draw more than once, keep the `diagram`. Raises
        `InvalidArgument` if there is no solution.

        >>> import dlx
        >>> [solution] = dlx.models.dominoes(8, 8).sample(seed=1)
        >>> len(solution)
        32
        """
        diagram = self.diagram(order=order, given=given, timeout=timeout, memory_limit=memory_limit)
        return diagram.sample(n, seed)
