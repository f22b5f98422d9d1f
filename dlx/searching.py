"""The questions of a `Problem` that a search answers."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from dlx.engines import Engine, check_compiled, open_engine
from dlx.givens import check_given
from dlx.questions import Questions
from dlx.resuming import Continuation, Recipe, answer
from dlx.search import Search, Solution, check_limit, check_seed, check_timeout
from dlx.turning import open_learner

if TYPE_CHECKING:
    from collections.abc import Callable

    from dlx.heuristics import Heuristic
    from dlx.parallel.part import Part
    from dlx.parallel.question import Question
    from dlx.prepared import Prepared
    from dlx.watching import SearchProgress

__all__ = ["SearchQuestions"]


class Limits(NamedTuple):
    """Where a search is to stop; None: nowhere."""

    limit: int | None
    timeout: float | None
    node_limit: int | None

    @classmethod
    def checked(cls, limit: object, timeout: object, node_limit: object) -> Limits:
        """The limits if they mean something, or `InvalidArgument`."""
        return cls(
            check_limit(limit), check_timeout(timeout), check_limit(node_limit, "node_limit")
        )


class Asked(NamedTuple):
    """How a problem is to be searched."""

    engine: str
    heuristic: str | Heuristic
    part: Part | None
    any_order: bool


class SearchQuestions(Questions):
    """What a `Problem` can be asked about its solutions."""

    __slots__ = ()

    def solutions(
        self,
        *,
        given: Iterable[Hashable] = (),
        limit: int | None = None,
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        part: Part | None = None,
        node_limit: int | None = None,
        progress: Callable[[SearchProgress], object] | None = None,
    ) -> Search:
        """All solutions, one after another: a lazy iterator (see `dlx.Search`).

        given
            Names of options that every solution must contain; they come first in each.
        limit
            Stop after so many solutions.
        timeout
            Stop after so many seconds of search.
        seed
            Break ties between items, and order options, at random as this integer has it.
        engine
            "auto", "links" or "bits" (compiled), "python" (`dlx.links`), or "sat" (a SAT solver,
            which has an order of its own: see `dlx.sat_engine`). With a limit of 1, "auto" turns to
            the SAT solver, if that is installed, when it has searched for long; it may then find
            another solution than the first in order. `stats.conflicts` tells.
        heuristic
            Which item to branch on: "mrv", that with the fewest options left; "weighted", which
            learns from dead ends (another order, and often a far smaller tree); or, with the
            engine "python", a function of your own. See `dlx.heuristics`.
        part
            Only a part of the search, from `split` with the same givens and seed. Any engine but
            "sat" will do.

        node_limit
            Stop after so many nodes; the engine "bits" may go a little further, where it has no
            choice.
        progress
            A function that is called with a `dlx.SearchProgress` every tenth of a second, and at
            the end or whenever the search stops.

        After a limit the search can go on: `Search.resume`. It works on a snapshot: changing the problem does not disturb it. Raises
        `UnknownOption` and `GivenClash` for givens, `InvalidPart` for a part of another
        search, `InvalidArgument` for the rest.

        >>> import dlx
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> list(problem.solutions())
        [(0, 1), (0, 3), (2,)]
        >>> list(problem.solutions(given=[3]))
        [(3, 0)]
        >>> list(problem.solutions(limit=1))
        [(0, 1)]
        >>> list(problem.solutions(engine="python", heuristic=lambda headers: headers[-1]))
        [(1, 0), (2,), (3, 0)]
        """
        limits = Limits.checked(limit, timeout, node_limit)
        prepared = self._prepare(check_seed(seed))
        chosen = check_given(self._table, prepared, given)
        asked = Asked(engine, heuristic, part, limits.limit == 1)
        return self._search(prepared, chosen, asked, limits, progress)

    def solve(
        self,
        *,
        given: Iterable[Hashable] = (),
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        node_limit: int | None = None,
        progress: Callable[[SearchProgress], object] | None = None,
    ) -> Solution | None:
        """The first solution, or None if there is none.

        After a long search, "auto" may return another than the first: see `solutions`, of which
        this is the one with `limit=1`. The other engines never do.

        Raises `SearchInterrupted` if the timeout came first; for the keywords see `solutions`.
        """
        limits = Limits.checked(None, timeout, node_limit)  # no limit that would be looked at
        prepared = self._prepare(check_seed(seed))
        chosen = check_given(self._table, prepared, given)
        asked = Asked(engine, heuristic, None, True)
        search = self._search(prepared, chosen, asked, limits, progress)
        found: Solution | None = answer(Continuation(search, "solve"))
        return found

    def count(
        self,
        *,
        given: Iterable[Hashable] = (),
        limit: int | None = None,
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        memory_limit: int | str | None = None,
        part: Part | None = None,
        node_limit: int | None = None,
        progress: Callable[[SearchProgress], object] | None = None,
    ) -> int:
        """The number of solutions, exact at any size; with a `limit`, the smaller of the two.

        The engine "auto" remembers what it has counted where that is less work than enumeration
        (see `docs/counting.md`), in as much memory as `memory_limit` allows: bytes, or a text such
        as "500 MB"; 1 GiB if it is None. The other engines enumerate, and remember nothing.

        With a `part` (see `solutions`) its solutions are counted: if it is a whole subtree, in the
        same way as all solutions; otherwise by enumeration.

        Raises `SearchInterrupted`, with the count so far, if the timeout came first, and
        `InvalidArgument` for a memory limit below 1 MiB; for the keywords see `solutions`.

        >>> import dlx
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> problem.count(), problem.count(limit=2)
        (3, 2)
        >>> import dlx.models
        >>> dlx.models.dominoes(16, 16).count()
        2444888770250892795802079170816
        """
        from dlx.counting import check_memory, count_solutions

        limits = Limits.checked(limit, timeout, node_limit)
        memory = check_memory(memory_limit)
        few = limits.limit is not None and limits.limit <= 2
        prepared = self._prepare(check_seed(seed))
        chosen = check_given(self._table, prepared, given)
        asked = Asked(engine, heuristic, part, few)
        remember = engine == "auto" and not few and not self._table.has_multiplicities
        if node_limit is not None or not remember or not (part is None or part.is_subtree):
            search = self._search(prepared, chosen, asked, limits, progress)
            number: int = answer(Continuation(search, "count", limits.limit))
            return number
        if part is not None:
            part = self._checked(prepared, chosen, part)
            chosen = [*chosen, *(option for _, option in part.path)]
        return count_solutions(
            prepared.problem,
            chosen,
            limit=limits.limit,
            seconds=-1.0 if limits.timeout is None else limits.timeout,
            heuristic=check_compiled(engine, prepared.problem, heuristic),
            memory=memory,
            progress=progress,
        )

    def is_unique(
        self,
        *,
        given: Iterable[Hashable] = (),
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        node_limit: int | None = None,
        progress: Callable[[SearchProgress], object] | None = None,
    ) -> bool:
        """Is there exactly one solution?

        Where that takes long, "auto" asks the SAT solver as well: see `dlx.turning`.

        Raises `SearchInterrupted` if the timeout came first; for the keywords see `solutions`.
        """
        limits = Limits.checked(2, timeout, node_limit)
        prepared = self._prepare(check_seed(seed))
        chosen = check_given(self._table, prepared, given)
        asked = Asked(engine, heuristic, None, True)
        search = self._search(prepared, chosen, asked, limits, progress)
        unique: bool = answer(Continuation(search, "is_unique", 2))
        return unique

    def _search(
        self,
        prepared: Prepared,
        chosen: list[int],
        asked: Asked,
        limits: Limits,
        progress: Callable[[SearchProgress], object] | None,
    ) -> Search:
        watch = None
        if progress is not None:
            from dlx.watching import Meter, Watch, check_progress

            check_progress(progress)
            watch = Watch(progress, Meter(prepared.problem, chosen))
        opened = self._open_prepared(
            prepared,
            chosen,
            asked.engine,
            asked.heuristic,
            any_order=asked.any_order,
            part=asked.part,
        )
        recipe = self._recipe(prepared, chosen, asked)
        return Search(
            opened,
            limits.limit,
            limits.timeout,
            node_limit=limits.node_limit,
            watch=watch,
            recipe=recipe,
        )

    def _recipe(self, prepared: Prepared, chosen: list[int], asked: Asked) -> Recipe | None:
        """How the search is opened again after pickling; a SAT solver's is not."""
        if asked.engine == "sat":
            return None
        table, options = self._table, len(self._table)

        def ask() -> Question:
            from dlx.parallel.opening import ask

            return ask(
                asked.engine,
                problem=prepared.problem,
                matrix=lambda: self._lay_matrix(prepared),
                given=chosen,
                heuristic=asked.heuristic,
            )

        return Recipe(ask, table.names)

    def _open_engine(
        self,
        given: Iterable[Hashable],
        seed: int | None,
        engine: str,
        heuristic: str | Heuristic = "mrv",
        *,
        any_order: bool = False,
        part: Part | None = None,
    ) -> Engine:
        prepared = self._prepare(check_seed(seed))
        chosen = check_given(self._table, prepared, given)
        return self._open_prepared(
            prepared, chosen, engine, heuristic, any_order=any_order, part=part
        )

    def _open_prepared(
        self,
        prepared: Prepared,
        chosen: list[int],
        engine: str,
        heuristic: str | Heuristic,
        *,
        any_order: bool = False,
        part: Part | None = None,
    ) -> Engine:
        if part is not None:
            from dlx.parallel.part import check_part

            part = check_part(self._table, prepared, chosen, part)
        return open_engine(
            engine,
            problem=prepared.problem,
            matrix=lambda: self._lay_matrix(prepared),
            learner=partial(open_learner, self._table, prepared, len(self._table), chosen),
            given=chosen,
            names=self._table.names,
            heuristic=heuristic,
            any_order=any_order,
            entries=len(self._table.entry_item),
            part=part,
        )
