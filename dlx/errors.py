"""Everything that can be wrong, as one small tree of exceptions.

::

    DLXError(ValueError)
     |- ProblemError            a problem that cannot be
     |   |- DuplicateItem       an item declared twice, or twice in one option
     |   |- UnknownItem         an item that was never declared
     |   |- EmptyOption         an option without items
     |   |- NoPrimaryItem       an option with nothing that must be covered
     |   |- ColorOnPrimary      a color on a primary item
     |   |- DuplicateName       two options of one name
     |   |- InvalidEntry        something that is no item, name, array or matrix entry
     |   |- InvalidMultiplicity bounds that mean nothing, or of a secondary item
     |   |- InvalidCost         a cost that is no integer, or too large
     |   `- FrozenProblem       a change to a problem that was frozen
     |- UnknownOption           an option named in a call that the problem does not have
     |- GivenClash              givens that no solution can contain together
     |- InvalidSolution         what Problem.verify found wrong
     |- InvalidArgument         a limit, timeout, seed, engine or heuristic that means nothing
     |- InvalidPart             a part of a search that the problem does not have
     |- FormatError             a file or text that cannot be read or written
     |- PartFailed              a part of a search that no worker could do
     |- WorkersLost             a search whose workers are gone
     |- DiagramTooLarge         a diagram that does not fit into its memory limit
     |- JournalError            a journal that cannot be written, or is not the one it should be
     `- SearchInterrupted       a count or an answer that a limit cut short
         `- MinimumInterrupted  the same of a search for the cheapest solutions

Every message says what was wrong and where: the option by index and name, the item; for files the
line number and the text. "No solution" is not an error and has no exception.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    Solution = tuple[Hashable, ...]
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
    "MinimumInterrupted",
    "NoPrimaryItem",
    "PartFailed",
    "ProblemError",
    "SearchInterrupted",
    "UnknownItem",
    "UnknownOption",
    "WorkersLost",
]


class Resumable(Protocol):
    """What was cut short, and can go on."""

    def resume(self, timeout: float | None, node_limit: int | None) -> Any:
        """The answer, or another `SearchInterrupted`. Checks the limits before all else."""


class WorkDone(Protocol):
    """The work of a search: what a `dlx.Stats` tells."""

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
        """Time spent searching."""

    @property
    def conflicts(self) -> int | None:
        """Dead ends from which a SAT solver learned; None if none took part."""


class DLXError(ValueError):
    """The root of the tree: catch it to catch everything this package raises on purpose.

    `position` is set where one of many questions is concerned, in `solve_many` and its kin: which
    one, from 0.
    """

    position: int | None = None


class ProblemError(DLXError):
    """A problem that cannot be."""


class DuplicateItem(ProblemError):
    """An item was declared twice, or stands twice in one option."""


class UnknownItem(ProblemError):
    """An option contains an item that was never declared."""


class EmptyOption(ProblemError):
    """An option has no items."""


class NoPrimaryItem(ProblemError):
    """An option has only secondary items, so that no search would ever take it."""


class ColorOnPrimary(ProblemError):
    """A primary item has a color; only secondary items can."""


class DuplicateName(ProblemError):
    """Two options have the same name."""


class InvalidEntry(ProblemError):
    """Something that is no item, no name, or no entry of an array or matrix."""


class InvalidMultiplicity(ProblemError):
    """A multiplicity that means nothing: low above high, negative, zero, or of a secondary item."""


class InvalidCost(ProblemError):
    """A cost that is no integer, or with which the costs of a problem become too large."""


class FrozenProblem(ProblemError):
    """A change to a problem after `Problem.freeze`."""


class UnknownOption(DLXError):
    """A call names an option that the problem does not have."""


class GivenClash(DLXError):
    """Two of the given options cannot be in one solution."""


class InvalidSolution(DLXError):
    """What `Problem.verify` found wrong with a supposed solution."""


class InvalidArgument(DLXError):
    """A limit, timeout, seed, engine or heuristic that means nothing."""


class InvalidPart(DLXError):
    """A `Part` of a search that no search of this problem, with these keywords, consists of."""


class FormatError(DLXError):
    """A text that is not in the format it should be in, or a problem the format cannot hold.

    `line` is the number of the offending line, starting at 1, or None if it is not about a line.
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

    `memory_limit` is that limit in bytes; `nodes` and `subproblems` say how far the work got.
    """

    def __init__(
        self, message: str, *, memory_limit: int = 0, nodes: int = 0, subproblems: int = 0
    ) -> None:
        self.memory_limit = memory_limit
        self.nodes = nodes
        self.subproblems = subproblems
        super().__init__(message)


class JournalError(DLXError):
    """A journal cannot be used, or not be written any further.

    It is that of another problem or question, damaged, of a newer version, in use by another
    process, or no journal at all: then it is left as it was. Or there is no room for it, or no
    permission to write it: then it has what was recorded before, and a search can go on from there.
    """


class WorkersLost(DLXError):
    """The workers of a search are gone: their pool is broken, or the scheduler of their cluster."""


class PartFailed(DLXError):
    """Parts of a search failed again and again, while all others were done.

    `failures` are pairs of a part (`dlx.Part`) and the exception it failed with the last time.
    """

    def __init__(self, failures: Sequence[tuple[tuple[Path, int], BaseException]]) -> None:
        self.failures = tuple(failures)
        part, error = self.failures[0]
        more = len(self.failures) - 1
        super().__init__(
            f"the part {quote(tuple(part), 200)} of the search failed three times, at last with "
            f"{type(error).__name__}: {error}"
            + (f"; and so did {more} more part{'s' * (more > 1)}" if more else "")
            + "; all other parts were done"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return PartFailed, (self.failures,)


class SearchInterrupted(DLXError):
    """A search was cut short before its answer was certain.

    `reason` says by what, `count` and `solutions` hold what was found so far, `stats` the work. The
    search can go on: see `resume`.
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
        self._no_continuation = _NOTHING_KEPT  # why it cannot be resumed, where it cannot
        super().__init__(
            f"the search was cut short by its {reason.replace('_', ' ')} after "
            f"{counted(stats.nodes, 'node')}, with {counted(count, 'solution')} found so far"
        )

    def resume(self, *, timeout: float | None = None, node_limit: int | None = None) -> Any:
        """Goes on where the search was cut short, and returns what the call would have returned.

        The limits count from here; without any, it goes on to the end. Works once: at the next
        limit there is another `SearchInterrupted` to resume. An argument that is refused leaves it
        as it was, and so does Ctrl-C. `count`, `solve`, `is_unique`, `minimum` and `maximum` can be
        resumed. After pickling the first three still can, but for a count that remembers what it
        has counted, and for searches in which a SAT solver or a journal takes part. Raises
        `InvalidArgument` for what cannot be resumed, and for arguments that mean nothing. Unpickle
        only what comes from a source you trust.

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
        # It may hold the error before, that one the error before it, and so on.
        self.__traceback__ = None
        try:
            return continuation.resume(timeout, node_limit)
        except (SearchInterrupted, MemoryError):
            raise  # the first can be resumed in its turn; after the second nothing is certain
        except BaseException:
            self._continuation, self._no_continuation = continuation, why
            raise

    def __reduce__(self) -> tuple[Any, ...]:
        state = {**vars(self), "args": self.args, **_pickled(self, _kept(self._continuation))}
        return _revive, (self.reason, self.count, self.solutions, self.stats), state


_NOTHING_KEPT = (
    "only count, solve, is_unique, minimum and maximum keep what is needed to go on, and only "
    "without a SAT solver or a checkpoint (a checkpoint goes on by itself when the call is "
    "repeated); ask again with higher limits"
)
_RESUMED = (
    "it has been resumed already; resume the error that the later call raised, or use what it "
    "returned"
)
_NOT_PICKLED = (
    "it was pickled, and what it had in memory cannot be; resume it in the process where it "
    "began, or ask again with higher limits"
)


def _pickled(error: SearchInterrupted, continuation: Resumable | None) -> dict[str, Any]:
    """What a pickle has of the way to go on: it, or why there is none."""
    lost = error._continuation is not None and continuation is None
    why = _NOT_PICKLED if lost else error._no_continuation
    return {"_continuation": continuation, "_no_continuation": why}


def _kept(continuation: Resumable | None) -> Resumable | None:
    """What of it survives pickling: all or nothing."""
    import pickle

    try:
        pickle.dumps(continuation)
    except (TypeError, AttributeError, pickle.PicklingError, DLXError):
        return None
    return continuation


class MinimumInterrupted(SearchInterrupted):
    """A search for the cheapest solutions (or the most expensive) was cut short.

    `best` has what was found so far, as pairs (cost, solution) in order of cost. Every solution
    that is not among them costs at least `bound` (at most, in a `maximum`), which is None if
    nothing is known yet. `resume` goes on where it stood, with its progress function; it takes no
    `node_limit`.
    """

    def __init__(
        self,
        reason: str,
        *,
        best: tuple[tuple[int, Solution], ...],
        bound: int | None,
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
    reason: str, best: tuple[tuple[int, Solution], ...], bound: int | None, stats: WorkDone
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
    """`repr` of something a user wrote, shortened so that a message stays one readable line."""
    try:
        shown = repr(text)
    except ValueError:  # Python writes no integers of more than 4300 digits
        if isinstance(text, int):
            return f"{'-' * (text < 0)}(an integer of {text.bit_length()} bits)"
        shown = f"<{type(text).__name__} that cannot be written>"
    return shortened(shown, width)


def shortened(text: str, width: int = 60) -> str:
    """A text, cut where it is longer than that."""
    return text if len(text) <= width else f"{text[: width - 3]}..."
