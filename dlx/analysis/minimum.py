"""The k cheapest or most expensive solutions: see `dlx.Problem.minimum` and `maximum`.

The branch and bound itself is in the kernel (`dlx/cpp/minimum`) and, as a short version to
read, in `dlx.engines.python.minimum`.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

from dlx.analysis.gap import StoppingRule, relative_gap
from dlx.core.arguments import check_limit, check_number, check_timeout, kernel_limit
from dlx.core.costs import ScaledCosts, check_total, scaled_costs
from dlx.core.locks import exclusive, new_guard
from dlx.core.name_types import Cost, Name
from dlx.core.numbering import SearchInput
from dlx.core.stats import NO_STATS, Stats, shares_of_time
from dlx.engines.certificates import CERTIFICATE_INTERVAL, Certificates
from dlx.engines.protocols import BackgroundMinimizer, KeptMinimizer, Minimizer
from dlx.engines.registry import KEPT_RANKINGS
from dlx.errors import InvalidArgument, JournalError, MinimumInterrupted, quote
from dlx.plan import Thresholds, is_installed, ranking_plan
from dlx.search.options import check_flag
from dlx.search.progress import check_progress
from dlx.search.search import Solution

if TYPE_CHECKING:
    from dlx.analysis.integer_program import MinimumWithProgram, ProgramMinimum
    from dlx.analysis.minimum_by_diagram import MinimumWithDiagram
    from dlx.checkpoint.ranking import RankingJournal
    from dlx.core.numbering import NumberedProblem
    from dlx.core.table import Table
    from dlx.plan import Plan
    from dlx.search.options import SearchOptions

__all__ = [
    "ALL_ENGINES",
    "ENGINES",
    "Progress",
    "Ranking",
    "RankingArguments",
    "RankingTask",
    "ResumableRanking",
    "limit_of_time",
    "rank",
]


ENGINES = ("auto", "links", "python")  # which return ties in visiting order
PROGRAMS = ("highs", "cp-sat")
ALL_ENGINES = (*ENGINES, *PROGRAMS)
PROGRESS_INTERVAL = 0.05  # seconds between two calls of `progress`
RECORD_PAUSE = 0.1  # seconds between two checks whether the journal is due
ON_TIMEOUT = ("raise", "best")
FIRST_CHECK = 0.001  # seconds to the first check of a stopping rule; to later ones a tenth of all
LOOK_SHARE = 20  # seconds of search for each second that the cost of the k-th solution takes
SINGLE_THREAD_WORK = 200_000  # steps of about 10 ns by one thread before the others start


class RankingArguments(NamedTuple):
    """The arguments of `minimum` (`sign` 1) or `maximum` (`sign` -1) that other searches lack.

    `costs`: other costs than those of the problem, or None. `any_order`: which of several solutions
    of equal cost are returned does not matter. `gap` to `min_difference`: see
    `dlx.keywords.RankingKeywords`. `hidden`: how many of the last options are not the caller's;
    solutions are returned without these. `price`: the cost to minimize of a solution without them,
    if the engine may have found it with hidden options that cost more than needed.
    """

    k: int
    costs: object
    progress: Callable[[Progress], object] | None
    any_order: bool
    sign: int
    gap: object = 0.0
    target: object = None
    on_timeout: object = "raise"
    penalties: object = None
    bottleneck: object = False
    min_difference: object = 1
    hidden: int = 0
    price: Callable[[Solution], int] | None = None

    @property
    def method(self) -> str:
        """The method that the caller used."""
        return "minimum" if self.sign > 0 else "maximum"

    @property
    def is_total(self) -> bool:
        """Whether the total cost is all that counts; if not, see `dlx.analysis.objectives`."""
        of_any = type(self.min_difference) is int and self.min_difference == 1
        return of_any and self.penalties is None and self.bottleneck is False


class RankingTask(NamedTuple):
    """A problem in search order, its costs, what is wanted, and when to stop before the proof."""

    table: Table
    numbered: NumberedProblem
    given: list[int]
    costs: ScaledCosts
    arguments: RankingArguments
    rule: StoppingRule | None

    def to_minimize(self) -> array[int]:
        """The costs to minimize, for the kernel; options beyond the last cost 0."""
        numbers, sign = self.costs.numbers, self.arguments.sign
        if isinstance(numbers, array) and sign > 0:
            return numbers
        check_total(numbers)
        return array("q", [sign * number for number in numbers])

    def total(self, number: int) -> Any:
        """A total of the costs to minimize, as the caller's method returns it."""
        return self.costs.total(self.arguments.sign * number)

    def gap(self, cost: int | None, bound: int | None) -> float:
        """How far a bound is below a cost; of several costs only whether it is."""
        gap = relative_gap(cost, bound)
        return inf if gap and self.costs.kind is tuple else gap

    def named(self, options: Sequence[int]) -> Solution:
        """A solution by the names of its options, without those that are hidden."""
        names, hidden = self.table.names, self.arguments.hidden
        if hidden:
            own = len(self.table) - hidden
            options = [option for option in options if option < own]
        return tuple(options) if names is None else tuple(map(names.__getitem__, options))


class _WithCertificates(BackgroundMinimizer):
    """A search for the cheapest solutions, which ends with a proof that there is none.

    While no solution is known, certificates are looked for (`dlx.engines.certificates`), for a part
    of the time.
    """

    def __init__(
        self, search: MinimumWithDiagram | MinimumWithProgram, certificates: Certificates
    ) -> None:
        self._search = search
        self._certificates = certificates
        self._refuted = False

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        least, bound = self._search.bounds
        return least, None if self._refuted else bound

    @property
    def stats(self) -> Stats:
        stats, more = self._search.stats, self._certificates.seconds
        return stats._replace(seconds=stats.seconds + more) if more else stats

    def run(self, seconds: float = inf, left: float = 0.0) -> bool:
        """As `Minimizer.run`, in a call with the seconds that are `left`.

        Each look for a certificate begins anew, so it may take longer than this run.
        """
        began = self.stats.seconds
        until = began + seconds
        end = max(until, began + left)
        while not self._refuted and self._certificates.pending and self._search.bounds[0] is None:
            left = until - self.stats.seconds
            if left <= 0:
                return False
            if self._search.run(min(left, CERTIFICATE_INTERVAL)):
                return True
            spent = self._search.stats.seconds
            found = self._certificates.find_within_share(spent, end - self.stats.seconds)
            self._refuted = found is not None
        if self._refuted:
            return True
        left = until - self.stats.seconds
        return left > 0 and self._search.run(left)

    def best(self) -> list[tuple[int, list[int]]]:
        return self._search.best()

    def seconds_by_method(self) -> dict[str, float]:
        return {**self._search.seconds_by_method(), "certificates": self._certificates.seconds}

    def pause(self) -> None:
        if isinstance(self._search, BackgroundMinimizer):
            self._search.pause()

    def save(self) -> bytes:
        assert isinstance(self._search, KeptMinimizer)  # a plan with a journal has no other
        return self._search.save()

    def restore(self, state: bytes) -> None:
        assert isinstance(self._search, KeptMinimizer)
        self._search.restore(state)


def rank(
    search_input: SearchInput,
    options: SearchOptions,
    arguments: RankingArguments,
    prove: Callable[[RankingTask, ResumableRanking | Ranking | None, Any], Any] | None = None,
) -> Ranking[Any, Any] | ScaledCosts:
    """What `Problem.minimum` and `maximum` return if the total cost is all that counts.

    `prove` is `dlx.analysis.proved_minimum.prove` if there is to be a proof. The costs, if these
    need more than 64 bits: see `dlx.analysis.objectives.rank_by_costs`.
    """
    arguments = arguments._replace(k=kernel_limit(check_number("k", arguments.k, 1)))
    check_progress(arguments.progress)
    check_flag(arguments.any_order, "any_order")
    rule = StoppingRule.checked(arguments.gap, arguments.target)
    if arguments.on_timeout not in ON_TIMEOUT:
        raise InvalidArgument(
            f"on_timeout is {quote(arguments.on_timeout)}; it must be 'raise' or 'best'"
        )
    table = search_input.table
    plan = ranking_plan(
        arguments.method, table, arguments.k, options, any_order=arguments.any_order
    )
    costs = arguments.costs
    threads = 1 if options.workers is None else options.workers.workers
    with table.lock:  # the table must not change between numbering it and copying it
        search_input = search_input.current(options.seed)
        scaled = ScaledCosts(table.costs) if costs is None else scaled_costs(table, costs)
        if rule is not None and scaled.kind is tuple and (rule.gap or rule.target is not None):
            raise InvalidArgument("gap and target are for a single cost; these costs are tuples")
        scaled_rule = None if rule is None else rule.scaled(arguments.sign * scaled.scale)
        task = RankingTask(*search_input, scaled, arguments, scaled_rule)
        search = None if scaled.rest else _begin(task, plan, threads, options)
        proved = None if prove is None else prove(task, search, options.proof)
    if proved is not None:
        with_proof: Ranking[Any, Any] = proved.resume(options.timeout, None)
        return with_proof
    if search is None:
        return scaled
    return search if isinstance(search, Ranking) else search.resume(options.timeout, None)


def limit_of_time(method: str, timeout: float | None, node_limit: int | None) -> float | None:
    """The timeout of a continued search. Raises `InvalidArgument`, also for a node limit."""
    if check_limit(node_limit, "node_limit") is not None:
        raise InvalidArgument(
            f"{method} has no node limit; resume it with a timeout, or without a limit"
        )
    return check_timeout(timeout)


def _begin(
    task: RankingTask, plan: Plan, threads: int, options: SearchOptions
) -> ResumableRanking | Ranking[Any, Any]:
    """The search of this task; the answer if it is in a journal."""
    if options.checkpoint is None:
        return ResumableRanking(task, plan, _open(task, plan, threads))
    journal = _open_journal(task, options)
    try:
        if not journal.finished:
            return _open_with_journal(task, plan, threads, journal)
        found = _recorded(task, journal)
        journal.close()
        bound = found[-1][0] if found else None
        return Ranking(found, journal.stats._replace(seconds=0.0), bound)
    except BaseException:
        journal.close()
        raise


def _open_with_journal(
    task: RankingTask, plan: Plan, threads: int, journal: RankingJournal
) -> ResumableRanking:
    minimizer = _open(task, plan, threads)
    assert isinstance(minimizer, KeptMinimizer)
    if journal.saved:
        try:
            minimizer.restore(journal.saved)
        except ValueError as error:
            raise journal.damaged(str(error)) from None
    return ResumableRanking(task, plan, minimizer, journal)


def _open_journal(task: RankingTask, options: SearchOptions) -> RankingJournal:
    from dlx.checkpoint.description import JournalDescription
    from dlx.checkpoint.ranking import open_ranking

    assert options.checkpoint is not None
    if options.engine not in KEPT_RANKINGS:
        _check_engine(task, options.engine)
        raise InvalidArgument(
            f"engine is {quote(options.engine)}, whose state a checkpoint cannot keep; with a "
            f"checkpoint, use one of {', '.join(map(repr, KEPT_RANKINGS))}"
        )
    costs, own = task.costs, None
    if task.arguments.costs is not None:
        import json
        from hashlib import sha256

        kind = [costs.kind.__name__, str(costs.scale), *map(str, costs.levels)]
        kind += [str(costs.offset)] if costs.levels else []
        text = json.dumps([*kind, *map(str, costs.numbers)])
        own = sha256(text.encode()).hexdigest()
    description = JournalDescription(
        task.arguments.method,
        "",
        None,
        tuple(task.given),
        seed=options.seed,
        engine=options.engine,
        k=task.arguments.k,
        any_order=task.arguments.any_order,
        costs=own,
    )
    return open_ranking(options.checkpoint, description, task.table)


def _recorded(task: RankingTask, journal: RankingJournal) -> list[tuple[Any, Solution]]:
    """The best solutions in a journal."""
    numbers = task.costs.numbers
    return [
        (
            task.costs.total(sum(numbers[one] for one in options if one < len(numbers))),
            task.named(options),
        )
        for options in journal.best()
    ]


class ResumableRanking:
    """A search for the best solutions that can go on after a timeout: see `MinimumInterrupted`.

    With a journal, another call goes on instead, perhaps in another process.
    """

    def __init__(
        self,
        task: RankingTask,
        plan: Plan,
        minimizer: Minimizer,
        journal: RankingJournal | None = None,
    ) -> None:
        self._task = task
        self._plan = plan
        self._minimizer = minimizer
        self._journal = journal
        self._before = NO_STATS if journal is None else journal.stats  # the work of earlier runs
        self._progress = task.arguments.progress
        self._kth: int | None = None  # the cost of the k-th solution, for k > 1, as of
        self._next_look = 0.0  # some time before this one
        self._turn = new_guard()

    def resume(self, timeout: float | None, node_limit: int | None) -> Ranking:
        """The best solutions; after `timeout` seconds more, `MinimumInterrupted` or the best."""
        method = self._task.arguments.method
        timeout = limit_of_time(method, timeout, node_limit)
        with exclusive(self._turn, f"a {method}"):
            try:
                stopped_by = self._run(timeout)
                self._end(finished=stopped_by is None)
            except BaseException:
                with suppress(JournalError, MemoryError):
                    self._end(finished=False)
                raise
            finally:
                if self._journal is not None:
                    self._journal.close()
            best, bound, stats = self._known()
        found = [(self._task.total(cost), solution) for cost, solution in best]
        if stopped_by == "timeout" and self._task.arguments.on_timeout == "raise":
            others = None if bound is None else self._task.total(bound)
            continuation = self if self._journal is None else None
            raise MinimumInterrupted(
                "timeout", best=tuple(found), bound=others, stats=stats, continuation=continuation
            )
        gap = 0.0 if stopped_by is None else self._gap(best, bound)
        if gap == 0:
            bound = best[-1][0] if best else None
        return Ranking(
            found, stats, None if bound is None else self._task.total(bound), gap, stopped_by
        )

    def _end(self, *, finished: bool) -> None:
        """Pauses the search, and records its state."""
        if isinstance(self._minimizer, BackgroundMinimizer):
            self._minimizer.pause()
        self._record(finished=finished)

    def _record(self, *, finished: bool) -> None:
        journal, minimizer = self._journal, self._minimizer
        if journal is None:
            return
        from dlx.checkpoint.contents import RankingState

        assert isinstance(minimizer, KeptMinimizer)
        began = time.monotonic()
        least, bound = minimizer.bounds
        total, found = self._task.total, minimizer.best()
        gap = 0.0 if finished else self._gap(found, bound)
        known = RankingState(
            None if least is None else str(total(least)),
            None if bound is None else str(total(bound)),
            None if gap == inf else gap,
            b"" if finished else minimizer.save(),
        )
        best = [options for _, options in found]
        journal.record(best, known, self._before.plus(minimizer.stats), began, finished=finished)

    def _gap(self, best: Sequence[tuple[int, object]], bound: int | None) -> float:
        """The gap of the k-th solution, in a search that has not finished."""
        last = best[-1][0] if len(best) == self._task.arguments.k else None
        return self._task.gap(last, bound)

    def _run(self, timeout: float | None) -> str | None:
        """Searches for `timeout` seconds of work. None when it has finished, or why it stopped."""
        minimizer = self._minimizer
        reported = spent = minimizer.stats.seconds
        until = inf if timeout is None else spent + timeout
        while (reason := self._stops()) is None:
            left = until - spent
            if left <= 0:
                reason = "timeout"
                break
            seconds = left if self._progress is None else min(PROGRESS_INTERVAL, left)
            if self._task.rule is not None:
                seconds = min(max(FIRST_CHECK, spent / 10), PROGRESS_INTERVAL, left)
            if self._journal is not None:
                seconds = min(RECORD_PAUSE, seconds)
            if isinstance(minimizer, _WithCertificates):
                finished = minimizer.run(seconds, left)
            else:
                finished = minimizer.run(seconds)
            if finished:
                break
            if self._journal is not None and self._journal.due:
                self._record(finished=False)
            spent = minimizer.stats.seconds
            if self._progress is not None and spent >= reported + 0.9 * PROGRESS_INTERVAL:
                reported = spent
                self._progress(self._report())
        if self._progress is not None and (reason is None or spent > reported):
            self._next_look = 0.0
            report = self._report()
            self._progress(report if reason else report._replace(relative_gap=0.0))
        return reason

    def _stops(self) -> str | None:
        """Why the search stops before its proof: "gap", "target", or None."""
        rule = self._task.rule
        if rule is None or (cost := self._last_cost()) is None:
            return None
        return rule.reason(cost, self._minimizer.bounds[1])

    def _last_cost(self) -> int | None:
        """The cost of the k-th solution so far; for k > 1 perhaps that of a moment ago."""
        k = self._task.arguments.k
        if k == 1:
            return self._minimizer.bounds[0]
        began = time.monotonic()
        if began >= self._next_look:
            found = self._minimizer.best()
            self._kth = found[k - 1][0] if len(found) >= k else None
            ended = time.monotonic()
            self._next_look = ended + LOOK_SHARE * (ended - began)
        return self._kth

    def _known(self) -> tuple[list[tuple[int, Solution]], int | None, Stats]:
        """The best solutions so far, the bound of all others, and the work."""
        named, price = self._task.named, self._task.arguments.price
        bound, stats = self._minimizer.bounds[1], self._minimizer.stats
        best = [(cost, named(options)) for cost, options in self._minimizer.best()]
        if price is not None:
            best = [(price(solution), solution) for _, solution in best]
        search = self._minimizer
        shares = search.seconds_by_method() if isinstance(search, _WithCertificates) else {}
        said = shares_of_time(shares) or self._plan.steps[0].method
        all_runs = stats if self._journal is None else self._before.plus(stats)
        work = all_runs._replace(seconds=stats.seconds, plan=said)
        return best, bound, work

    def _report(self) -> Progress:
        total = self._task.total
        (best, bound), stats = self._minimizer.bounds, self._minimizer.stats
        return Progress(
            None if best is None else total(best),
            None if bound is None else total(bound),
            self._before.nodes + stats.nodes,
            stats.seconds,
            self._task.gap(self._last_cost(), bound),
        )


def _open(task: RankingTask, plan: Plan, workers: int) -> Minimizer:
    """The search of the plan of the question."""
    engine, arguments = plan.engine, task.arguments
    _check_engine(task, engine)
    if engine in PROGRAMS:
        return _open_program(task, engine, workers)
    if engine == "python":
        if workers != 1:
            raise InvalidArgument(f"workers is {workers}; the engine 'python' has one thread only")
        from dlx.engines.python.minimum import PythonMinimum
        from dlx.links.build import matrix_in_steps

        matrix, filling = matrix_in_steps(task.table, task.numbered.rank, task.numbered.order)
        sign = arguments.sign
        numbers = [sign * number for number in task.costs.numbers]
        return PythonMinimum(matrix, numbers, task.given, arguments.k, filling)
    return _open_kernel(task, plan, workers)


def _open_program(
    task: RankingTask, engine: str, workers: int, size: tuple[int, int] | None = None
) -> ProgramMinimum:
    """A solver of integer programs; the table may have grown since it had this size."""
    from dlx.analysis.integer_program import ProgramMinimum

    costs, k = task.to_minimize(), task.arguments.k
    return ProgramMinimum(engine, task.table, task.given, costs, k, size).use_workers(workers)


def _check_engine(task: RankingTask, engine: object) -> None:
    if engine not in ALL_ENGINES:
        raise InvalidArgument(
            f"engine is {quote(engine)}; {task.arguments.method} takes one of "
            f"{', '.join(map(repr, ALL_ENGINES))}"
        )


def _open_kernel(task: RankingTask, plan: Plan, workers: int) -> Minimizer:
    """The kernel's branch and bound, and what the plan has beside it."""
    costs, problem = task.to_minimize(), task.numbered.problem
    k, any_order = kernel_limit(task.arguments.k), task.arguments.any_order
    search = problem.minimum(costs, task.given, k, any_order, workers, SINGLE_THREAD_WORK)
    diagram = plan.step("diagram")
    if diagram is None:
        return search
    from dlx.analysis.minimum_by_diagram import MinimumWithDiagram
    from dlx.analysis.minimum_by_relaxation import MinimumWithRelaxation

    own = costs[:]  # those of the table may be more when the relaxation is begun
    opener = partial(problem.minimum, own, task.given, k, any_order, relaxation=True)
    relaxation = plan.step("relaxation")
    with_relaxation = MinimumWithRelaxation(search, opener, relaxation.after if relaxation else inf)
    found: MinimumWithDiagram | MinimumWithProgram
    found = both = MinimumWithDiagram(
        with_relaxation, problem, task.given, costs, k, any_order=any_order, after=diagram.after
    )
    highs = plan.step("highs")
    if highs is not None and is_installed("highs"):
        from dlx.analysis.integer_program import LARGEST_TRUSTED, MinimumWithProgram

        if sum(map(abs, costs)) <= LARGEST_TRUSTED:
            size = len(task.table), len(task.table.items)
            program = partial(_open_program, task, "highs", workers, size)
            near = highs.after if relaxation is None else Thresholds.highs_near
            found = MinimumWithProgram(both, program, highs.after, near)
    search_input = SearchInput(task.table, task.numbered, task.given)
    return _WithCertificates(found, Certificates(search_input))


class Progress(NamedTuple):
    """The progress of a search for the cheapest (or most expensive) solutions.

    best
        The cost of the cheapest solution so far, or None.
    bound
        A lower bound on the cost of every solution not found yet; None while none is known. When
        the search ends, no solution is cheaper than `best`.
    nodes
        The number of options tried so far.
    seconds
        The time of the search so far.
    relative_gap
        The gap of the last of the k solutions that are wanted, as `Ranking.gap`; infinite while it
        is unknown.
    """

    best: Any
    bound: Any
    nodes: int
    seconds: float
    relative_gap: float = inf

    @property
    def gap(self) -> Any:
        """The difference of `best` and `bound`, 0 or more; None while one of them is unknown.

        None also if costs are tuples. This is a cost. The gap in parts of a cost, as of a
        `Ranking`, is `relative_gap`.

        >>> Progress(best=12, bound=9, nodes=100, seconds=0.5).gap
        3
        """
        if self.best is None or self.bound is None or isinstance(self.best, tuple):
            return None
        return abs(self.best - self.bound)


class Ranking(list[tuple[Cost, tuple[Name, ...]]], Generic[Name, Cost]):
    """A list of pairs (cost, solution), the best first, with the work of the search as `stats`.

    The result of `Problem.minimum` and `maximum`. To type checkers the costs are integers, as those
    of a problem are, and Any in a call with other costs, whose type a mapping, a list or a Series
    does not always tell.

    bound
        No solution outside the list costs less (in a `maximum`: more), of those that differ enough
        (`min_difference`). If k solutions are proved to be the best, the cost of the last. None if
        nothing is known, or if there is no solution.
    gap
        How far the last of the k solutions may be from the k-th best cost: the difference of its
        cost and `bound`, divided by its absolute cost, as the nearest float. So for costs above 0
        the k-th least is at least 1 - gap times that of the last, and the k-th greatest at most
        1 + gap times. 0 if and only if it is proved. Infinite if fewer than k solutions or no bound
        are known, or if the cost is 0 and the bound another one.
    proved
        Whether the costs are proved to be the best. A ranking that is not proved says so in its
        `repr`, and if it is shorter than k, there may be more solutions.
    stopped_by
        "gap", "target" or "timeout" if the search stopped before its end. Then solutions of equal
        cost may be others than those visited first, even if `proved` is true. Otherwise None.

    >>> import dlx
    >>> problem = dlx.Problem.from_options([["a"], ["a"]], costs=[7, 3])
    >>> ranking = problem.minimum()
    >>> ranking
    [(3, (1,))]
    >>> ranking.bound, ranking.gap, ranking.proved
    (3, 0.0, True)
    >>> ranking.stats.solutions  # found on the way
    2
    >>> problem.minimum(timeout=0, on_timeout="best")
    <dlx.Ranking [], stopped by the timeout: nothing is proved>
    """

    __slots__ = ("bound", "gap", "stats", "stopped_by")

    stats: Stats
    bound: Cost | None
    gap: float
    stopped_by: str | None

    def __init__(
        self,
        pairs: Iterable[tuple[Cost, Solution[Name]]],
        stats: Stats,
        bound: Cost | None = None,
        gap: float = 0.0,
        stopped_by: str | None = None,
    ) -> None:
        super().__init__(pairs)
        self.stats = stats
        self.bound = bound
        self.gap = gap
        self.stopped_by = stopped_by

    @property
    def proved(self) -> bool:
        """Whether the costs are proved to be the best."""
        return self.gap == 0

    def __repr__(self) -> str:
        if self.proved:
            return super().__repr__()
        return f"<dlx.Ranking {super().__repr__()}, {self.proof_state()}>"

    def proof_state(self) -> str:
        """What is proved about the costs, in words."""
        if self.stopped_by is None:
            return "proved"
        if self.bound is None:
            known = "nothing is proved"
        elif self.proved:
            known = "the costs are proved optimal, but not the order of solutions with equal costs"
        else:
            gap = "" if self.gap == inf else f", gap {self.gap:.2%}"
            known = f"not proved; the bound for all others is {self.bound}{gap}"
        return f"stopped by the {self.stopped_by}: {known}"

    def __reduce__(self) -> tuple[Any, ...]:
        return Ranking, (list(self), self.stats, self.bound, self.gap, self.stopped_by)
