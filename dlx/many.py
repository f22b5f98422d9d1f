"""The questions of a `Problem` about many sets of givens at once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any, Literal, cast, overload

from dlx.engines import open_batch
from dlx.errors import DLXError, SearchInterrupted, UnknownOption
from dlx.givens import clash_between
from dlx.limits import kernel_limit
from dlx.questions import Questions
from dlx.search import Solution, Stats, check_limit, check_seed, check_timeout

if TYPE_CHECKING:
    from dlx.batches import Answers
    from dlx.coding import Code
    from dlx.heuristics import Heuristic
    from dlx.kernel import Refusal
    from dlx.prepared import Prepared
    from dlx.table import Table

__all__ = ["Givens", "ManyQuestions"]

Givens = Iterable[Iterable[Hashable] | str] | tuple[Any, Any]
"""Sets of option names (or lines, with a code), or the arrays indptr and indices."""


class ManyQuestions(Questions):
    """What a `Problem` can be asked about many sets of givens."""

    __slots__ = ()

    # A limit of 1 is another question than other limits, but to mypy they overlap.
    @overload
    def solve_many(  # type: ignore[overload-overlap]
        self,
        givens: Givens,
        *,
        limit: Literal[1] = 1,
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        workers: int | None = 1,
        errors: Literal["raise"] = "raise",
        code: None = None,
    ) -> Answers[Solution | None]: ...
    @overload
    def solve_many(  # type: ignore[overload-overlap]
        self,
        givens: Givens,
        *,
        limit: Literal[1] = 1,
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        workers: int | None = 1,
        errors: Literal["raise"] = "raise",
        code: Code,
    ) -> Answers[str | None]: ...
    @overload
    def solve_many(
        self,
        givens: Givens,
        *,
        limit: int | None,
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        workers: int | None = 1,
        errors: Literal["raise"] = "raise",
        code: Code | None = None,
    ) -> Answers[list[Any]]: ...
    @overload
    def solve_many(
        self,
        givens: Givens,
        *,
        limit: int | None = 1,
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        workers: int | None = 1,
        errors: str,
        code: Code | None = None,
    ) -> Answers[Any]: ...
    def solve_many(
        self,
        givens: Givens,
        *,
        limit: int | None = 1,
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        workers: int | None = 1,
        errors: str = "raise",
        code: Code | None = None,
    ) -> Answers[Any]:
        """The same problem under many sets of givens, solved inside the kernel: see `dlx.Answers`.

        givens
            Sets of option names, from any iterable, which may be endless; or a tuple of two arrays,
            indptr and indices: set s is then the options indices[indptr[s]:indptr[s + 1]].
        limit
            With 1, an answer is the first solution of a set, or None. With any other number it is
            the list of the first so many solutions, with None of all solutions.
        timeout
            Seconds for each set.
        seed, engine, heuristic
            As in `solutions`.
        workers
            At most so many threads; None for one on each processor. The answers do not depend on
            it. The "python" engine has one.
        errors
            What to do about a set without an answer: one that is no set of this problem's options
            (`UnknownOption`), that contradicts itself (`GivenClash`), or took too long
            (`SearchInterrupted`). The exception says which set it is in its `position`. "raise":
            raise it in its turn; the iterator can then go on with the next set. "return": it stands
            among the answers.
        code
            A `dlx.Code`: then givens may also be lines of text, and solutions are.

        Each solution begins with the set's givens. The search works on a snapshot, as `solutions`
        does. Raises `InvalidArgument`, and `InvalidEntry` for arrays that cannot be. O(1) memory.

        >>> import dlx
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> list(problem.solve_many([[], [3], [2], [1, 0]]))
        [(0, 1), (3, 0), (2,), (1, 0)]
        >>> list(problem.solve_many([[], [3]], limit=None))
        [[(0, 1), (0, 3), (2,)], [(3, 0)]]
        >>> [type(answer).__name__ for answer in problem.solve_many([[0, 2], [9]], errors="return")]
        ['GivenClash', 'UnknownOption']
        """
        return self._ask_many(
            givens, limit, timeout, seed, engine, heuristic, workers, errors, code, keep=True
        )

    @overload
    def count_many(
        self,
        givens: Givens,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        workers: int | None = 1,
        errors: Literal["raise"] = "raise",
        code: Code | None = None,
    ) -> Answers[int]: ...
    @overload
    def count_many(
        self,
        givens: Givens,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        workers: int | None = 1,
        errors: str,
        code: Code | None = None,
    ) -> Answers[int | DLXError]: ...
    def count_many(
        self,
        givens: Givens,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        workers: int | None = 1,
        errors: str = "raise",
        code: Code | None = None,
    ) -> Answers[Any]:
        """The number of solutions under each of many sets of givens, but never more than `limit`.

        With `limit=2`, a 1 says that there is exactly one solution. For the rest see `solve_many`.

        >>> import dlx
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> list(problem.count_many([[], [3], [0]], limit=2))
        [2, 1, 2]
        """
        return self._ask_many(
            givens, limit, timeout, seed, engine, heuristic, workers, errors, code, keep=False
        )

    def _ask_many(
        self,
        givens: Givens,
        limit: int | None,
        timeout: float | None,
        seed: int | None,
        engine: str,
        heuristic: str | Heuristic,
        workers: int | None,
        errors: str,
        code: Code | None,
        *,
        keep: bool,
    ) -> Answers[Any]:
        from copy import copy

        from dlx.batches import Answers, check_code, check_errors, check_workers, source_of

        limit = check_limit(limit)
        timeout = check_timeout(timeout)
        threads = check_workers(workers)
        errors = check_errors(errors)
        code = check_code(code, self)
        prepared = self._prepare(check_seed(seed))
        snapshot = copy(self) if engine == "python" else self  # it lays a matrix for each set
        batch = open_batch(
            engine,
            problem=prepared.problem,
            matrix=lambda: snapshot._lay_matrix(prepared),
            names=self._table.names,
            code=None if code is None else code.compiled,
            limit=kernel_limit(limit),
            keep=keep,
            seconds=-1.0 if timeout is None else timeout,
            workers=threads,
            heuristic=heuristic,
        )

        def explain(refusal: Refusal) -> DLXError:
            return _explain(refusal, self._table, prepared)

        source = source_of(givens, self._table, code)
        return Answers(batch, source, explain, errors=errors, workers=threads)


def _explain(refusal: Refusal, table: Table, prepared: Prepared) -> DLXError:
    """What the engine found wrong with a set, as an exception."""
    if refusal.kind == "timeout":
        nodes, updates, solutions, profile, seconds = refusal.stats
        return SearchInterrupted(
            "timeout",
            count=solutions,
            solutions=tuple(cast("list[Solution]", refusal.solutions)),
            stats=Stats(nodes, updates, solutions, tuple(profile), seconds),
        )
    if refusal.kind == "clash":
        return clash_between(table, prepared, refusal.first, refusal.second, refusal.item)
    return UnknownOption(f"there is no option named {refusal.first}")
