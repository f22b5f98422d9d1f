"""The questions of a `Problem` that a search answers."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from dlx.asked import Asked, Limits
from dlx.crews import check_crew
from dlx.engines import Engine, check_compiled, open_engine
from dlx.givens import check_given
from dlx.questions import Questions
from dlx.resuming import Continuation, Recipe, answer
from dlx.search import Search, Solution, check_seed
from dlx.telling import log
from dlx.turning import open_learner

if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from concurrent.futures import Executor

    from dlx.heuristics import Heuristic
    from dlx.parallel.part import Part
    from dlx.prepared import Prepared
    from dlx.watching import SearchProgress

__all__ = ["SearchQuestions"]


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
        workers: int | None = 1,
        executor: Executor | None = None,
        ordered: bool = True,
        checkpoint: str | os.PathLike[str] | None = None,
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
        workers
            Threads that search at the same time, or None for one on each processor. With an
            executor: how many workers it has, if that is above 1 and known better than by itself.
        executor
            Whose workers do the search: a `concurrent.futures.Executor`, or a Dask `Client`.
        ordered
            Must the solutions come in the order of a search by one worker? That is the default;
            False lets them come as they are found. (With another heuristic than "mrv", several
            workers find the same solutions in some other order. The engine "sat" has one worker.)
        checkpoint
            Keep a journal of the search in this file (see `dlx.Journal` and docs/journals.md). If
            it is there already, the search goes on with it, whatever ended the run before: first
            come the solutions found before, then the others, in the order of one worker. The
            journal of another problem, or of other keywords than those that say how the work is
            done, is refused: `JournalError`.

        node_limit
            Stop after so many nodes; the engine "bits" may go a little further, where it has no
            choice, and several workers by what each has in hand.
        progress
            A function that is called with a `dlx.SearchProgress` every tenth of a second, and
            whenever the search stops. What it raises ends the call; a search that is drawn from
            again goes on, `count`, `solve` and `is_unique` begin anew, or with their journal.

        After a limit the search can go on: see `Search.resume`.

        With several workers, some go on for a while when nobody draws, as far as there is room for
        what they find: see `docs/parallel.md`.

        The search works on a snapshot: changing the problem does not disturb it. Raises
        `UnknownOption` and `GivenClash` for givens, `InvalidPart` for a part of another
        search, `InvalidArgument` for the rest; and while solutions are drawn, `WorkersLost` and
        `PartFailed` if an executor does not do its work.

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
        crew = check_crew(workers, executor, ordered=ordered)
        asked = Asked("solutions", seed, engine, heuristic, part, crew, checkpoint)
        return self._search(given, asked, limits, progress, any_order=limits.limit == 1)

    def solve(
        self,
        *,
        given: Iterable[Hashable] = (),
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        workers: int | None = 1,
        executor: Executor | None = None,
        ordered: bool = True,
        node_limit: int | None = None,
        progress: Callable[[SearchProgress], object] | None = None,
    ) -> Solution | None:
        """The first solution, or None if there is none.

        After a long search, "auto" may return another than the first: see `solutions`, of which
        this is the one with `limit=1`. The other engines never do.

        Raises `SearchInterrupted` if the timeout came first; for the keywords see `solutions`.
        """
        limits = Limits.checked(None, timeout, node_limit)  # no limit that would be looked at
        crew = check_crew(workers, executor, ordered=ordered)
        asked = Asked("solve", seed, engine, heuristic, None, crew, None)
        search = self._search(given, asked, limits, progress, any_order=True)
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
        workers: int | None = 1,
        executor: Executor | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        node_limit: int | None = None,
        progress: Callable[[SearchProgress], object] | None = None,
    ) -> int:
        """The number of solutions, exact at any size; with a `limit`, the smaller of the two.

        The engine "auto" remembers what it has counted where that is less work than enumeration
        (see `docs/counting.md`), in as much memory as `memory_limit` allows: bytes, or a text such
        as "500 MB"; 1 GiB if it is None. The other engines enumerate, and remember nothing.

        With a `part` (see `solutions`) its solutions are counted: if it is a whole subtree, in the
        same way as all solutions; otherwise by enumeration.

        Several workers, or an executor, are given what is to be enumerated, and only that: the
        engine "auto" first finds out, alone, whether it is less work to remember.

        With a `checkpoint`, which keeps a journal as in `solutions`, all engines enumerate.

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
        crew = check_crew(workers, executor)
        asked = Asked("count", seed, engine, heuristic, part, crew, checkpoint)
        remember = engine == "auto" and not few and not self._table.has_multiplicities
        whole = part is None or getattr(part, "is_subtree", False)
        if not remember or not whole or checkpoint is not None or node_limit is not None:
            search = self._search(given, asked, limits, progress, any_order=few)
            number: int = answer(Continuation(search, "count", limits.limit))
            return number
        prepared = self._prepare(check_seed(seed))
        chosen = check_given(self._table, prepared, given)
        if part is not None:
            alone = asked._replace(crew=None)
            self._open(prepared, chosen, alone, any_order=False)  # is it one of this search?
            chosen = [*chosen, *(option for _, option in part.path)]
        return count_solutions(
            prepared.problem,
            chosen,
            limit=limits.limit,
            seconds=-1.0 if limits.timeout is None else limits.timeout,
            heuristic=check_compiled(engine, prepared.problem, heuristic),
            memory=memory,
            crew=crew,
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
        workers: int | None = 1,
        executor: Executor | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        node_limit: int | None = None,
        progress: Callable[[SearchProgress], object] | None = None,
    ) -> bool:
        """Is there exactly one solution?

        Where that takes long, "auto" asks the SAT solver as well: see `dlx.turning`.

        Raises `SearchInterrupted` if the timeout came first; for the keywords see `solutions`.
        """
        limits = Limits.checked(2, timeout, node_limit)
        crew = check_crew(workers, executor)
        asked = Asked("count", seed, engine, heuristic, None, crew, checkpoint)
        search = self._search(given, asked, limits, progress, any_order=True)
        unique: bool = answer(Continuation(search, "is_unique", 2))
        return unique

    def _open_engine(
        self,
        given: Iterable[Hashable],
        seed: int | None,
        engine: str,
        heuristic: str | Heuristic = "mrv",
        *,
        any_order: bool = False,
    ) -> Engine:
        prepared = self._prepare(check_seed(seed))
        chosen = check_given(self._table, prepared, given)
        asked = Asked("solutions", seed, engine, heuristic, None, None, None)
        return self._open(prepared, chosen, asked, any_order=any_order)

    def _search(
        self,
        given: Iterable[Hashable],
        asked: Asked,
        limits: Limits,
        progress: Callable[[SearchProgress], object] | None,
        *,
        any_order: bool,
    ) -> Search:
        prepared = self._prepare(check_seed(asked.seed))
        chosen = check_given(self._table, prepared, given)
        watch = None
        if progress is not None or log.is_heard():
            from dlx.parallel.shares import Shares
            from dlx.watching import Watch, check_progress

            check_progress(progress)
            what = f"{asked.kind} of {self!r} with engine {asked.engine!r}"
            watch = Watch(progress, Shares(prepared.problem, chosen, asked.part), what)
        recipe = None
        if asked.checkpoint is not None:
            opened = self._open_journaled(prepared, chosen, asked, limits.limit)
        else:
            opened = self._open(prepared, chosen, asked, any_order=any_order)
            if asked.engine != "sat":
                recipe = Recipe.of(self._table, prepared, chosen, asked)
        limit, timeout, node_limit = limits
        if node_limit is not None:
            node_limit += opened.stats[0]  # a journal knows the nodes of earlier runs
        return Search(opened, limit, timeout, node_limit=node_limit, watch=watch, recipe=recipe)

    def _open(
        self, prepared: Prepared, chosen: list[int], asked: Asked, *, any_order: bool
    ) -> Engine:
        part = asked.part
        if part is not None:
            from dlx.parallel.part import check_part

            part = check_part(self._table, prepared, chosen, part)
        if asked.crew is not None:
            from dlx.parallel.opening import ask, open_driver

            question = ask(asked.engine, self._table, prepared, chosen, asked.heuristic)
            return open_driver(question, asked.crew, names=self._table.names, part=part)
        return open_engine(
            asked.engine,
            problem=prepared.problem,
            matrix=lambda: self._lay_matrix(prepared),
            learner=partial(open_learner, self._table, prepared, len(self._table), chosen),
            given=chosen,
            names=self._table.names,
            heuristic=asked.heuristic,
            any_order=any_order,
            entries=len(self._table.entry_item),
            part=part,
        )

    def _open_journaled(
        self, prepared: Prepared, chosen: list[int], asked: Asked, limit: int | None
    ) -> Engine:
        from dlx.journals.opening import open_journaled

        assert asked.checkpoint is not None
        return open_journaled(
            asked.checkpoint,
            asked.kind,
            self._table,
            prepared,
            chosen,
            limit=limit,
            seed=asked.seed,
            engine=asked.engine,
            heuristic=asked.heuristic,
            part=asked.part,
            crew=asked.crew,
        )
