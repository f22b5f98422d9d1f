"""The exceptions of this package, and helpers for their messages.

::

    DLXError(ValueError)
     |- ProblemError            an invalid problem
     |   |- DuplicateItem       an item declared twice, or twice in one option
     |   |- UnknownItem         an item that was never declared
     |   |- EmptyOption         an option without items
     |   |- NoPrimaryItem       an option without primary items
     |   |- ColorOnPrimary      a color on a primary item
     |   |- DuplicateName       two options of one name
     |   |- InvalidEntry        an invalid item, name, array or matrix entry
     |   |- InvalidMultiplicity invalid bounds, or bounds of a secondary item
     |   |- InvalidCost         a cost that is not an integer, or too large
     |   `- FrozenProblem       a change to a problem that was frozen
     |- UnknownOption           an option named in a call that the problem does not have
     |- GivenClash              givens that no solution can contain together
     |- InvalidSolution         options that are not a solution
     |- InvalidArgument         an invalid limit, timeout, seed, engine, heuristic, ...
     |- InvalidPart             a part of a search that the problem does not have
     |- FormatError             a file or text that cannot be read or written
     |- PartFailed              a part of a search that failed on every worker
     |- WorkersLost             a search whose workers are no longer available
     |- DiagramTooLarge         a diagram that does not fit into its memory limit
     |- JournalError            a journal that cannot be used or written
     |- KernelMissing           a call that needs the compiled kernel, which is not installed
     `- SearchInterrupted       a call that reached a limit
         `- MinimumInterrupted  a search for the cheapest solutions that reached a limit

Every message says what is wrong and where: the option by index and name, the item; for files the
line number and the text. "No solution" is not an error and has no exception.

There are two warnings: `KernelMissingWarning`, in the first search of a process in an installation
without the compiled kernel, and `ObjectiveWarning`, when an integer program is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Solution = tuple[Any, ...]
    Path = Sequence[tuple[int, int]]

__all__ = [
    "ColorOnPrimary",
    "DLXError",
    "DiagramTooLarge",
    "DuplicateItem",
    "DuplicateName",
    "EmptyOption",
    "FormatError",
    "FrozenProblem",
    "GivenClash",
    "InvalidArgument",
    "InvalidCost",
    "InvalidEntry",
    "InvalidMultiplicity",
    "InvalidPart",
    "InvalidSolution",
    "JournalError",
    "KernelMissing",
    "KernelMissingWarning",
    "MinimumInterrupted",
    "NoPrimaryItem",
    "ObjectiveWarning",
    "PartFailed",
    "ProblemError",
    "SearchInterrupted",
    "UnknownItem",
    "UnknownOption",
    "WorkersLost",
]


class Resumable(Protocol):
    """An interrupted call that can be continued."""

    def resume(self, timeout: float | None, node_limit: int | None) -> Any:
        """What the call returns, or another `SearchInterrupted`. Checks the limits first."""


class WorkDone(Protocol):
    """The work of a search: the fields of `dlx.Stats`."""

    @property
    def nodes(self) -> int:
        """The root and every option tried."""

    @property
    def updates(self) -> int:
        """Elementary steps of the engine."""

    @property
    def solutions(self) -> int:
        """Solutions found."""

    @property
    def profile(self) -> tuple[int, ...]:
        """Nodes by depth."""

    @property
    def seconds(self) -> float:
        """Time spent searching, in seconds."""

    @property
    def conflicts(self) -> int | None:
        """Dead ends from which a SAT solver learned; None if none took part."""

    @property
    def helpers(self) -> tuple[str, ...]:
        """What took part besides the search in order."""


class DLXError(ValueError):
    """Base of all exceptions that this package raises on purpose.

    In `solve_many` and similar functions, `position` is the number of the set of givens, or puzzle,
    that the error is about, from 0; otherwise None.
    """

    position: int | None = None


class ProblemError(DLXError):
    """Base of the errors in a problem's items and options."""


class DuplicateItem(ProblemError):
    """An item was declared twice, or is twice in one option."""


class UnknownItem(ProblemError):
    """An option contains an item that was never declared."""


class EmptyOption(ProblemError):
    """An option has no items."""


class NoPrimaryItem(ProblemError):
    """An option has only secondary items, so that no search would ever choose it."""


class ColorOnPrimary(ProblemError):
    """A primary item has a color; only secondary items can."""


class DuplicateName(ProblemError):
    """Two options have the same name."""


class InvalidEntry(ProblemError):
    """An invalid item, name, or entry of an array or matrix."""


class InvalidMultiplicity(ProblemError):
    """An invalid multiplicity or weight: low above high, negative, zero, of a secondary item."""


class InvalidCost(ProblemError):
    """A cost that is not an integer, or makes the total of all costs too large."""


class FrozenProblem(ProblemError):
    """A change to a problem after `Problem.freeze`."""


class UnknownOption(DLXError):
    """A call names an option that the problem does not have."""


class GivenClash(DLXError):
    """Two of the given options cannot be in one solution."""


class InvalidSolution(DLXError):
    """An argument that is not a solution, such as the None that `solve` returns without one."""


class InvalidArgument(DLXError):
    """An invalid argument, such as a limit, timeout, seed, engine or heuristic."""


class InvalidPart(DLXError):
    """A `Part` that does not belong to a search of this problem with these keywords."""


class FormatError(DLXError):
    """A text that is not in the expected format, or a problem that the format cannot express.

    `line` is the number of the wrong line, starting at 1, or None if the error is not in a line.
    """

    def __init__(self, message: str, *, line: int | None = None, source: str | None = None) -> None:
        self.line = line
        self.source = source
        where = ", ".join(
            part for part in (source, None if line is None else f"line {line}") if part is not None
        )
        super().__init__(f"{where}: {message}" if where else message)


class DiagramTooLarge(DLXError):
    """A diagram does not fit into its memory limit.

    `memory_limit` is that limit in bytes; `nodes` and `subproblems` count what was built.
    """

    def __init__(
        self, message: str, *, memory_limit: int = 0, nodes: int = 0, subproblems: int = 0
    ) -> None:
        self.memory_limit = memory_limit
        self.nodes = nodes
        self.subproblems = subproblems
        super().__init__(message)


class JournalError(DLXError):
    """A journal cannot be used, or can no longer be written.

    A journal cannot be used if it is that of another problem or call, is damaged, has a newer
    version, is in use by another process, or is not a journal at all. Its file is left unchanged.

    A journal can no longer be written if the disk is full or permission is missing. It keeps what
    was recorded before, and a search can continue from there.
    """


class KernelMissing(DLXError):
    """A call needs the compiled kernel, and dlx is installed without it.

    `dlx.kernel_info` says why; docs/get-started.md has how to install it. The engines "python" and
    "sat" work without it.
    """


class KernelMissingWarning(UserWarning):
    """The engine "auto" searches in Python, because dlx is installed without its compiled kernel.

    Given once, at the first search of a process. Not an exception of the tree.
    """


class ObjectiveWarning(UserWarning):
    """The objective of an integer program, read from a file, is another one than the problem's.

    It is to be maximized, which `minimum` does not do, or has costs with decimal places, which were
    multiplied to be integers. Not an exception of the tree.
    """


class WorkersLost(DLXError):
    """The workers of a search are no longer available: their pool or cluster has failed."""


class PartFailed(DLXError):
    """Parts of a search failed three times; all other parts were searched.

    `failures` are pairs of a part (`dlx.Part`) and its last exception.
    """

    def __init__(self, failures: Sequence[tuple[tuple[Path, int], BaseException]]) -> None:
        self.failures = tuple(failures)
        part, error = self.failures[0]
        more = len(self.failures) - 1
        super().__init__(
            f"the part {quote(tuple(part), 200)} of the search failed three times, last with "
            f"{type(error).__name__}: {error}"
            + (f"; and so did {counted(more, 'more part')}" if more else "")
            + "; all other parts were done"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return PartFailed, (self.failures,)


class SearchInterrupted(DLXError):
    """A call reached a limit before its result was certain.

    `reason` is the limit, such as "timeout"; `count` and `solutions` have what was found so far,
    `stats` the work. The search can be continued: see `resume`.
    """

    def __init__(
        self,
        reason: str,
        *,
        count: int,
        solutions: tuple[Solution, ...] = (),
        stats: WorkDone,
        continuation: Resumable | None = None,
    ) -> None:
        self.reason = reason
        self.count = count
        self.solutions = solutions
        self.stats = stats
        self._continuation = continuation
        self._no_continuation = _NOT_RESUMABLE  # the reason, if it cannot be resumed
        super().__init__(
            f"the search was cut short by its {reason.replace('_', ' ')} after "
            f"{counted(stats.nodes, 'node')}, with {counted(count, 'solution')} found so far"
        )

    def resume(self, *, timeout: float | None = None, node_limit: int | None = None) -> Any:
        """Continues the search, and returns what the call would have returned.

        The limits count from here; without limits, the search continues to the end. An error can be
        resumed once: the next limit raises another `SearchInterrupted` to resume. After an invalid
        argument or Ctrl-C, it can be resumed again. `count`, `solve`, `is_unique`, `minimum` and
        `maximum` can be resumed. After pickling, only the first three can, except a count with a
        cache and searches with a SAT solver or a journal. Raises `InvalidArgument` for calls that
        cannot be resumed, and for invalid arguments. Unpickle only what comes from a source you
        trust.

        >>> import dlx, dlx.models
        >>> try:
        ...     dlx.models.queens(9).count(node_limit=500)
        ... except dlx.SearchInterrupted as error:
        ...     print(error.reason, error.count < 352, error.resume())
        node_limit True 352
        """
        continuation, self._continuation = self._continuation, None
        if continuation is None:
            raise InvalidArgument(f"this search cannot be resumed: {self._no_continuation}")
        why, self._no_continuation = self._no_continuation, _RESUMED
        # The traceback may refer to the error resumed before, and so on in a long chain.
        self.__traceback__ = None
        try:
            return continuation.resume(timeout, node_limit)
        except (SearchInterrupted, MemoryError):
            raise  # the former can be resumed itself; after the latter the state is unknown
        except BaseException:
            self._continuation, self._no_continuation = continuation, why
            raise

    def __reduce__(self) -> tuple[Any, ...]:
        state = {**vars(self), "args": self.args, **_pickled(self, _picklable(self._continuation))}
        return _revive, (self.reason, self.count, self.solutions, self.stats), state


_NOT_RESUMABLE = (
    "only count, solve, is_unique, minimum and maximum can be resumed, and only without a SAT "
    "solver or a checkpoint (with a checkpoint, repeat the call to continue); call it again with "
    "higher limits"
)
_RESUMED = (
    "it has been resumed already; resume the error that the later call raised, or use what it "
    "returned"
)
_NOT_PICKLED = (
    "its state was lost when it was pickled; resume it in the process where it began, or call it "
    "again with higher limits"
)


def _pickled(error: SearchInterrupted, continuation: Resumable | None) -> dict[str, Any]:
    """The pickled attributes: the continuation, or the reason why there is none."""
    lost = error._continuation is not None and continuation is None
    why = _NOT_PICKLED if lost else error._no_continuation
    return {"_continuation": continuation, "_no_continuation": why}


def _picklable(continuation: Resumable | None) -> Resumable | None:
    """The continuation if it can be pickled, otherwise None."""
    import pickle

    try:
        pickle.dumps(continuation)
    except (TypeError, AttributeError, pickle.PicklingError, DLXError):
        return None
    return continuation


class MinimumInterrupted(SearchInterrupted):
    """A search for the cheapest (or most expensive) solutions reached its timeout.

    `best` has the solutions found so far, as pairs (cost, solution) in order of cost. `bound` is a
    lower bound on the cost of all other solutions (an upper bound in a `maximum`), or None if none
    is known yet. `resume` continues the search, with its progress function; it takes no
    `node_limit`.
    """

    def __init__(
        self,
        reason: str,
        *,
        best: tuple[tuple[Any, Solution], ...],
        bound: Any,
        stats: WorkDone,
        continuation: Resumable | None = None,
    ) -> None:
        solutions = tuple(solution for _, solution in best)
        super().__init__(
            reason,
            count=len(best),
            solutions=solutions,
            stats=stats,
            continuation=continuation,
        )
        self.best = best
        self.bound = bound
        found = f"the best so far costs {best[0][0]}" if best else "none was found so far"
        known = "" if bound is None else f"; the bound for all others is {bound}"
        self.args = (
            f"the search for the best solutions was cut short by its {reason} after "
            f"{counted(stats.nodes, 'node')}: {found}{known}",
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return (
            _revive_minimum,
            (self.reason, self.best, self.bound, self.stats),
            {**vars(self), **_pickled(self, None)},
        )


def _revive_minimum(
    reason: str, best: tuple[tuple[Any, Solution], ...], bound: Any, stats: WorkDone
) -> MinimumInterrupted:
    return MinimumInterrupted(reason, best=best, bound=bound, stats=stats)


def _revive(
    reason: str, count: int, solutions: tuple[Solution, ...], stats: WorkDone
) -> SearchInterrupted:
    return SearchInterrupted(reason, count=count, solutions=solutions, stats=stats)


def counted(number: int, noun: str, spec: str = "") -> str:
    """A number, in the format of `spec`, and a noun: in the plural unless the number is 1.

    >>> counted(0, "node"), counted(1, "node"), counted(1234, "node", ",")
    ('0 nodes', '1 node', '1,234 nodes')
    """
    return f"{number:{spec}} {noun}{'' if number == 1 else 's'}"


def quote(text: object, width: int = 60) -> str:
    """`repr` of a user's value, shortened so that a message stays one readable line."""
    try:
        shown = repr(text)
    except (ValueError, RecursionError):  # of integers of more than 4300 digits, and of deep lists
        if isinstance(text, int):
            return f"{'-' * (text < 0)}(an integer of {text.bit_length()} bits)"
        shown = f"<{type(text).__name__} that cannot be printed>"
    return shortened(shown, width)


def did_you_mean(name: object, known: Iterable[object]) -> str:
    """The question after an unknown name: is the most similar of the known texts meant? Or "".

    >>> did_you_mean("colour", ["color", "times"]), did_you_mean(5, ["color", 5])
    ("; did you mean 'color'?", '')
    """
    from difflib import get_close_matches  # only here: it imports `re`, and only errors need it

    if not isinstance(name, str):
        return ""
    near = get_close_matches(name, [text for text in known if isinstance(text, str)], 1)
    return f"; did you mean {quote(near[0])}?" if near else ""


def shortened(text: str, width: int = 60) -> str:
    """The text, cut to `width` characters."""
    return text if len(text) <= width else f"{text[: width - 3]}..."
