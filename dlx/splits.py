"""Parts of a search, to be made anywhere: the question `Problem.split`."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

from dlx.engines import open_tree
from dlx.errors import InvalidArgument, quote
from dlx.givens import check_given
from dlx.questions import Questions
from dlx.search import check_seed

if TYPE_CHECKING:
    from dlx.heuristics import Heuristic
    from dlx.parallel.part import Part

__all__ = ["SplitQuestion"]

MOST = 10**6


class SplitQuestion(Questions):
    """What a `Problem` can be asked about the parts of its search."""

    __slots__ = ()

    def split(
        self,
        parts: int,
        *,
        given: Iterable[Hashable] = (),
        seed: int | None = None,
        heuristic: str | Heuristic = "mrv",
    ) -> list[Part]:
        """Parts of the search that are, one after another, the whole of it.

        Each is searched by `solutions(part=...)` or `count(part=...)`, with the same `given` and
        `seed`, wherever the same problem has been made in the same way; a `dlx.Part` is small and
        can be pickled. (Unpickle only what you trust: `pickle.loads` runs what its input says.) No
        two parts have a solution in common, and the solutions of the first, the second and so on
        are those of the whole in order.

        parts
            How many there should be at least, up to a million. There are fewer if the search tree
            has not so many nodes, and more, mostly three to eight times as many, so that none is
            larger than half a share, as far as random probes can tell: of trees with thousands of
            levels they tell little, and there are about as many as were asked for.
        given, seed
            As in `solutions`. With the same seed, the same parts come out every time.
        heuristic
            Chooses the items above the parts. In the parts, it begins anew: what "weighted" learns
            in one part it does not know in the next, so that the solutions of the whole come in
            another order.

        The nodes of the parts are those of the whole search less those above the parts. Some ten
        nodes a part are visited, and what is below them is estimated: that takes a tenth of a
        second for a few parts, some seconds where a probe is long. Raises as `solutions` does.

        >>> import dlx.models
        >>> problem = dlx.models.queens(8)
        >>> parts = problem.split(5)
        >>> len(parts) >= 5
        True
        >>> sum(problem.count(part=part) for part in parts)
        92
        """
        from dlx.parallel.splitting import size_by_descents, size_by_probes, split_search

        if type(parts) is not int or not 1 <= parts <= MOST:
            raise InvalidArgument(f"parts is {quote(parts)}; it must be an integer, 1 to {MOST}")
        prepared = self._prepare(check_seed(seed))
        chosen = check_given(self._table, prepared, given)
        engine = open_tree(
            "python" if callable(heuristic) else "links",
            problem=prepared.problem,
            matrix=lambda: self._lay_matrix(prepared),
            given=chosen,
            names=None,
            heuristic=heuristic,
        )
        if self._table.has_multiplicities:
            size_of = size_by_descents(engine, parts)
        else:
            size_of = size_by_probes(prepared.problem.probes(chosen, 0), chosen, parts)
        return split_search(engine, size_of, parts)
