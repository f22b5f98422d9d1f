"""The keywords of the questions to a `dlx.Problem`: what each means, once, and its type.

A keyword means the same in all methods that have it. The methods of `dlx.Problem` spell their
keywords out with the defaults (tests/test_keywords.py compares them with these). Their async forms,
their overloads and the functions of the package take `**keywords: Unpack[CountKeywords[Name]]`.

Keywords of wrong types or values raise `InvalidArgument`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Mapping
from concurrent.futures import Executor
from typing import Any, Generic, Literal, TypedDict

from dlx.analysis.minimum import Progress
from dlx.analysis.symmetry.group import Symmetries
from dlx.core.multiplicity import Multiplicity
from dlx.core.name_types import Name
from dlx.core.part import Part
from dlx.links.heuristics import Heuristic, HeuristicName
from dlx.search.codec import Code
from dlx.search.progress import SearchProgress

__all__ = [
    "CountKeywords",
    "CoveringKeywords",
    "DiagramKeywords",
    "DistinctChoice",
    "EngineName",
    "ExplainKeywords",
    "FromOptionsKeywords",
    "HeuristicChoice",
    "ManyKeywords",
    "PackingKeywords",
    "PlanKeywords",
    "ProblemKeywords",
    "QuestionKeywords",
    "RankingEngine",
    "RankingKeywords",
    "RankingName",
    "SampleKeywords",
    "SearchKeywords",
    "SearchName",
    "SolutionsFunctionKeywords",
    "SolutionsKeywords",
    "SolveFunctionKeywords",
    "SolveKeywords",
    "UniqueKeywords",
]

EngineName = Literal["auto", "links", "bits", "python", "sat"]
"""The engines of a search: see `Problem.solutions`."""

RankingEngine = Literal["auto", "links", "python", "highs", "cp-sat"]
"""The engines of `Problem.minimum` and `maximum`."""

SearchName = Literal["solve", "is_unique", "solutions", "count", "solve_many", "count_many"]
"""The questions that have a plan, by the name of their method, but for the next two."""

RankingName = Literal["minimum", "maximum"]
"""The questions about costs that have a plan."""

HeuristicChoice = HeuristicName | Heuristic
"""A heuristic by name, or a function: see `dlx.links.heuristics`."""

DistinctChoice = bool | Literal["rotations"] | Symmetries
"""Which solutions count as the same: see `SolutionsKeywords`."""


class ProblemKeywords(TypedDict, total=False):
    """Of `Problem`, and of the functions `solve`, `solutions` and `count`."""

    primary: Iterable[Hashable] | None
    secondary: Iterable[Hashable]
    multiplicities: Mapping[Any, Multiplicity] | None


class FromOptionsKeywords(ProblemKeywords, total=False):
    """Of `Problem.from_options`."""

    costs: Iterable[int] | Mapping[Any, int] | None


class CoveringKeywords(TypedDict, total=False):
    """Of `Problem.covering`."""

    at_least: int | Mapping[Any, int]
    secondary: Iterable[Hashable]
    costs: Iterable[int] | Mapping[Any, int] | None


class PackingKeywords(TypedDict, total=False):
    """Of `Problem.packing`."""

    at_most: int | Mapping[Any, int]
    secondary: Iterable[Hashable]
    costs: Iterable[int] | Mapping[Any, int] | None


class QuestionKeywords(TypedDict, Generic[Name], total=False):
    """Of all questions.

    given
        Names of options that every solution must contain; they come first in each. Raises
        `UnknownOption`, and `GivenClash` if no solution can contain two of them.
    forbid
        Names of options that no solution may contain. The question is that to `without(forbid)`,
        which is quicker for many calls: leaving options out takes O(items + entries) each time.
    timeout
        The maximum time, in seconds. An answer that is not a search is then refused with
        `SearchInterrupted`, which has what was found so far.
    """

    given: Iterable[Name]
    forbid: Iterable[Name]
    timeout: float | None


class SearchKeywords(QuestionKeywords[Name], total=False):
    """Of all searches.

    seed
        Break ties between items, and order options, at random, as a function of this integer.
    engine
        "auto", "links" or "bits" (compiled), "python" (`dlx.links.matrix`), or "sat" (a SAT solver,
        which finds solutions in an order of its own: see `dlx.engines.sat`). Where one solution
        will do, "auto" also looks for proofs that there is none, and in longer searches runs other
        methods beside the search in order: it may find another solution than the first (see
        `dlx.plan`). `stats.helpers` tells.
    heuristic
        Which item to branch on: "mrv", the one with the fewest options left; "weighted", which
        learns from dead ends (another order, and often a far smaller tree); or, with the engine
        "python", a function of your own. See `dlx.links.heuristics`.
    workers
        The number of threads; None for one per processor. With an executor, the number of its
        workers: needed only if it is above 1 and the executor does not know it. Workers search
        ahead of the caller until their buffers are full: see docs/parallel.md.
    executor
        Run the search on the workers of a `concurrent.futures.Executor` or a Dask `Client`. Raises
        `WorkersLost` and `PartFailed` if it fails.
    node_limit
        The maximum number of nodes. The engine "bits" may exceed it a little, where it has no
        choice, and several workers by the nodes that each is working on.
    progress
        A function that is called with a `dlx.SearchProgress` every 0.1 seconds, and whenever the
        search stops. An exception in it ends the call. Afterwards a `Search` can be continued;
        other questions start again, or continue from their journal.
    """

    seed: int | None
    engine: EngineName
    heuristic: HeuristicChoice
    workers: int | None
    executor: Executor | None
    node_limit: int | None
    progress: Callable[[SearchProgress], object] | None


class SolveKeywords(SearchKeywords[Name], total=False):
    """Of `Problem.solve`: those of `SearchKeywords`, `ordered` (see `SolutionsKeywords`), and more.

    proof
        Write a proof that there is no solution to this file: "x.drat" in DRAT, with clauses beside
        it in "x.cnf"; or "x.pbp" in the format of VeriPB, with inequalities in "x.opb". ".gz"
        behind it compresses it. See docs/proofs.md.
    """

    ordered: bool
    proof: str | os.PathLike[str] | None


class UniqueKeywords(SearchKeywords[Name], total=False):
    """Of `Problem.is_unique`: those of `SearchKeywords`, and one more.

    checkpoint
        Record the search in this journal file, or continue the one in it (see `dlx.Journal` and
        docs/journals.md): first come the solutions found before, then the others, in the order of
        one worker. Raises `JournalError` for a journal of another problem or of other keywords;
        those that only say how the work is done may differ.
    """

    checkpoint: str | os.PathLike[str] | None


class SolutionsKeywords(UniqueKeywords[Name], total=False):
    """Of `Problem.solutions`: those of `UniqueKeywords`, and more.

    limit
        The maximum number of solutions. The search can be continued: see `Search.resume`.
    part
        Search only a part, from `split` with the same `given`, `forbid` and seed. Any engine except
        "sat". Raises `InvalidPart` for a part of another search.
    ordered
        True: solutions come in the order of a search by one worker. False: they come as they are
        found. (With a heuristic other than "mrv", several workers find the same solutions in
        another order. The engine "sat" has one worker.)
    distinct
        True: of solutions that a symmetry of the problem maps to each other, only the one that the
        default heuristic finds first (see `symmetries`; with `given` and `forbid`, the symmetries
        that keep both sets). Options with equal items are symmetric, whatever their names say.
        "rotations": the same by rotations alone, so that mirror images count apart; items or names
        of options must be cells (see docs/symmetry.md). Or the symmetries to use: a
        `dlx.Symmetries` of this problem that keep these sets. The search then has an `orbit_size`:
        the number of solutions symmetric to the last one, with itself. Raises `SearchInterrupted`
        if the timeout passes before the symmetries are found.
    proof
        Write a proof that the solutions are these and no others to this file: "x.pbp", in the
        format of VeriPB, with inequalities beside it in "x.opb". See docs/proofs.md.
    """

    limit: int | None
    part: Part | None
    ordered: bool
    distinct: DistinctChoice
    proof: str | os.PathLike[str] | None


class CountKeywords(UniqueKeywords[Name], total=False):
    """Of `Problem.count`: those of `UniqueKeywords`, and more.

    limit, part, distinct
        See `SolutionsKeywords`.
    memory_limit
        The size of the cache: bytes, or a text such as "500 MB"; 1 GiB if it is None. At least
        1 MiB.
    symmetry
        False: count isomorphic subproblems each by itself; the number is the same.
    proof
        Write a certificate of the number to this file, "x.count" (or "x.count.gz"), which
        `dlx check-count` and `dlx/check/count.py` check: see docs/proofs.md. All solutions are
        counted then, in one way.
    """

    limit: int | None
    memory_limit: int | str | None
    part: Part | None
    distinct: DistinctChoice
    symmetry: bool
    proof: str | os.PathLike[str] | None


class ManyKeywords(TypedDict, Generic[Name], total=False):
    """Of `Problem.solve_many` and `count_many`, without those that change the type of an answer.

    forbid
        Names of options that no solution of any set may contain.
    forbids
        For each set, the names of options that its solutions may not contain: as many sets as
        `givens` has, from any iterable. A set that forbids other options than the one before (by
        the same worker) costs O(entries) more.
    timeout
        The maximum time for each set, in seconds.
    seed, engine, heuristic
        See `SearchKeywords`.
    workers
        The maximum number of threads; None for one per processor. The answers do not depend on it.
        The engine "python" has one.
    """

    forbid: Iterable[Name]
    forbids: Iterable[Iterable[Name]] | None
    timeout: float | None
    seed: int | None
    engine: EngineName
    heuristic: HeuristicChoice
    workers: int | None


class RankingKeywords(QuestionKeywords[Name], total=False):
    """Of `Problem.minimum` and `maximum`, without `costs`, which change the type of the answer.

    timeout
        The maximum time, in seconds. Then `MinimumInterrupted` is raised, which has the best
        solutions so far and a bound on the cost of all others.
    seed
        See `SearchKeywords`.
    engine
        "links", the compiled branch and bound; "auto", the same, with other methods beside it in
        longer searches (see `dlx.plan`), such as a decision diagram for long and narrow problems;
        "python", a short branch and bound to read and to compare with. Or a solver of integer
        programs: "highs" (HiGHS, which the extra `highs` installs) or "cp-sat" (CP-SAT of OR-Tools,
        extra `cp-sat`). These treat every search as one with `any_order`. HiGHS computes in
        floating point: its solutions are checked and their costs exact, but that there are no
        cheaper ones holds within its tolerances.
    progress
        A function that is called with a `dlx.Progress` every 0.05 seconds, and once at the end.
    workers
        The number of threads; None for one per processor. They share the best costs found. The
        answer is the same as with one thread, including the order of ties.
    checkpoint
        The path of a journal, with the best solutions so far, the bound, and what is left. The same
        call goes on with it after a crash or a limit, also with other values of `timeout`, `gap`,
        `target` and `workers`, and `dlx resume` does. Raises `JournalError`. Not for the engine
        "python".
    any_order
        True if any solutions of the least costs will do: which of several solutions of equal cost
        are returned, and in which order, is unspecified. That saves the search for those that are
        visited first.
    gap
        Stop as soon as the k-th solution is proved to be within this gap, a number from 0 to 1:
        0.01 for 1 % of its cost. The list has `gap`, `bound` and `proved`; see `dlx.Ranking` for
        the definition. 0: search to the end.
    target
        Stop as soon as k solutions are known that cost at most this (in a `maximum`: at least
        this), whatever is proved. Of any type of numbers.
    on_timeout
        "raise": see `timeout`. "best": return the best solutions so far, perhaps none; `stopped_by`
        is then "timeout", and `proved` false if it is not known whether they are the best.
    penalties
        Soft items: a mapping from items to what each time costs that an item is covered too rarely
        or too often. A number for both, or a pair (under, over), where None means that this must
        not happen. A solution may then lack items, or cover them too often: its penalties are in
        its cost (a `maximum` subtracts them), and `Problem.deviations` says which items they are
        for. Penalties are from 0 up, and of the type of the costs; if these are tuples, a number
        counts for the first of them. Items with colors have none. Implies `any_order`. Raises
        `UnknownItem`, `InvalidArgument` and `InvalidCost`.
    bottleneck
        True to minimize the greatest cost of a chosen option (in a `maximum`: to maximize the
        least), not the total. It is the cost in the answer; None for a solution without options,
        which comes first. Of solutions with equal ones, those with the best totals come first.
        Takes a number of searches that grows with the logarithm of the number of different costs,
        and cannot be combined with `penalties`, `min_difference`, `gap`, `target` or a checkpoint.
    min_difference
        Each solution is without at least this number of the options of every solution before it.
        The first is the cheapest, each further one the cheapest of those left; after one that has
        fewer options there is none. Above 1, this implies `any_order`, takes `k` searches, and
        cannot be combined with `gap`, `target` or a checkpoint. 1: any solutions.
    proof
        Write a proof that no solution is cheaper to this file: "x.pbp", in the format of VeriPB,
        with inequalities and costs beside it in "x.opb". The search for the solution comes first,
        by any engine, then the proof by a branch and bound of its own; after a timeout it says
        which bounds are proved, and so does the answer. Only for one solution, and not with
        keywords that change what is minimized or stop a search. See docs/proofs.md.
    """

    seed: int | None
    engine: RankingEngine
    progress: Callable[[Progress], object] | None
    workers: int | None
    checkpoint: str | os.PathLike[str] | None
    any_order: bool
    gap: float
    target: Any
    on_timeout: Literal["raise", "best"]
    penalties: Mapping[Any, Any] | None
    bottleneck: bool
    min_difference: int
    proof: str | os.PathLike[str] | None


class PlanKeywords(SolutionsKeywords[Name], CountKeywords[Name], total=False):
    """Of `Problem.plan` for a question without costs: those of the question.

    forbids, errors, code
        As in `Problem.solve_many`; they change no plan, and neither does `memory_limit`.
    """

    forbids: Iterable[Iterable[Name]] | None
    errors: str
    code: Code | None


class SampleKeywords(QuestionKeywords[Name], total=False):
    """Of `Problem.sample`.

    order
        "search": items are chosen as in a search with the heuristic "mrv", and the diagram lists
        its solutions in the order of `solutions`. "narrow": items are taken in one fixed order,
        chosen so that a sweep over the problem has few partly covered items at a time. Use it for
        boards and other long or flat shapes; the diagram is then ordered (see `Diagram.variables`),
        and lists its solutions as a search that branches on items in that order. The number of
        nodes can differ between the two by any factor.
    memory_limit
        The maximum memory while the diagram is built: bytes, or a text such as "500 MB"; 1 GiB if
        it is None. Then `DiagramTooLarge` is raised, which says how far the work got.
    """

    order: Literal["search", "narrow"]
    memory_limit: int | str | None


class DiagramKeywords(SampleKeywords[Name], total=False):
    """Of `Problem.diagram`: those of `SampleKeywords`, and `seed` (see `SearchKeywords`)."""

    seed: int | None


class ExplainKeywords(QuestionKeywords[Name], total=False):
    """Of `Problem.explain`.

    given
        They may clash: the clash is then the explanation. Raises `GivenClash` for one given twice.
    forbid
        The answer is about the problem without these options, and does not name them.
    timeout
        The maximum time, in seconds. The set found so far is returned, with `irreducible` false if
        that is not proved.
    node_limit
        The maximum number of nodes of all searches together. Unlike a timeout, it gives the same
        answer every time.
    givens_only
        Drop only givens. All items stay, and are not part of the answer: use it for puzzles, whose
        rules are fixed. The answer has no givens if there is no solution without any.
    among
        Drop only these items, and givens. All other items stay, and are not part of the answer: use
        it to ask which wishes conflict, in a problem whose other items are fixed rules.
    proof
        Write a proof that the answer has no solution, as in `SolveKeywords`; the formula beside it
        has only the items and the givens of the answer, and the items that stay. If the time is up
        before, `stopped_by` is "timeout", and the file holds no proof.
    """

    node_limit: int | None
    givens_only: bool
    among: Iterable[Hashable] | None
    proof: str | os.PathLike[str] | None


class SolveFunctionKeywords(ProblemKeywords, SolveKeywords[Name], total=False):
    """Of the function `dlx.solve`."""


class SolutionsFunctionKeywords(ProblemKeywords, SolutionsKeywords[Name], total=False):
    """Of the function `dlx.solutions`."""
