"""The same problem under many sets of givens: the iterator over the answers, and what feeds it.

The questions of a `Problem` about many sets of givens at once.
"""

from __future__ import annotations

import os
import time
from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import islice
from operator import gt, length_hint
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self, TypeVar, cast

from dlx.core.arguments import kernel_limit
from dlx.core.givens import clash_between, indices_of
from dlx.core.kernel import Refusal
from dlx.core.locks import exclusive, new_guard, shared_iterator
from dlx.core.logs import log
from dlx.core.table import ProblemView
from dlx.engines.protocols import BatchTask
from dlx.engines.registry import open_batch
from dlx.errors import (
    DLXError,
    InvalidArgument,
    InvalidEntry,
    SearchInterrupted,
    UnknownOption,
    WorkersLost,
    counted,
    quote,
)
from dlx.search.options import SearchOptions
from dlx.search.search import Solution, Stats

if TYPE_CHECKING:
    from dlx.core.kernel import Refusal
    from dlx.core.numbering import NumberedProblem
    from dlx.core.table import Table
    from dlx.engines.protocols import BatchEngine
    from dlx.search.codec import Code

__all__ = ["Answers", "Givens", "Source", "check_code", "check_errors", "source_of"]


LARGEST_LOT = 1024  # sets read at a time
LONGEST_READ = 0.01  # seconds; a lot that takes longer is followed by a smaller one

T_co = TypeVar("T_co", covariant=True)


class Answers(Iterator[T_co]):
    """The answers to many sets of givens, in order; made by `Problem.solve_many` and `count_many`.

    An iterator, and a context manager that closes it. The sets are read in lots that begin with
    one and grow to 1024, as long as reading a lot takes no more than 10 ms; one lot is read ahead
    (with several workers, one for each and another one). Dropping it half-way is fine. Ctrl-C
    interrupts it within a few hundredths of a second; it can go on afterwards and has lost nothing.
    Several threads may draw from it: each answer goes to one of them.

    >>> import dlx
    >>> problem = dlx.Problem.from_options({"x": ["a"], "y": ["b"], "xy": ["a", "b"]})
    >>> answers = problem.solve_many([["x"], ["x", "xy"], ["xy"]])
    >>> next(answers)
    ('x', 'y')
    >>> next(answers)
    Traceback (most recent call last):
    ...
    dlx.errors.GivenClash: givens[1]: the given options 'x' and 'xy' clash: both contain item 'a'
    >>> list(answers), answers.exhausted
    ([('xy',)], True)
    """

    __slots__ = (
        "_awaited",
        "_batch",
        "_closed",
        "_closed_early",
        "_drawing",
        "_drawn",
        "_errors",
        "_explain",
        "_lots",
        "_process",
        "_ready",
        "_size",
        "_source",
        "_told",
    )

    def __init__(
        self,
        batch: BatchEngine,
        source: Source,
        explain: Callable[[Refusal], DLXError],
        *,
        errors: str,
        workers: int,
    ) -> None:
        self._batch = batch
        self._source = source
        self._explain = explain
        self._errors = errors
        self._drawn: list[Any] = []  # the last answers
        self._ready = shared_iterator(self._drawn)  # those that are being handed out
        self._drawing = new_guard()
        self._awaited = False  # is the engine asked for more at this moment?
        self._process = os.getpid()
        self._size = 1
        self._lots = 0 if workers == 1 else workers  # to keep the workers busy with
        self._closed = False
        self._closed_early = False  # before all answers were drawn
        self._told = False  # has the logger been told the end?

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> T_co:
        while not self._closed:
            ready = self._ready
            for answer in ready:  # no signal comes between taking and returning or raising it
                if answer.__class__ is _Failure:
                    raise answer.error
                return answer  # type: ignore[no-any-return]
            with exclusive(self._drawing, "a batch"):  # by one thread at a time
                if self._ready is ready:
                    self._draw()
        raise StopIteration

    def _draw(self) -> None:
        """Fetches the answers that come next, or raises StopIteration."""
        if not self._drawn:
            self._ask()
        # A signal may have come since the engine filled the list, and then it is still here.
        answers = self._drawn
        if not answers:
            self._source.raise_error()
            self._tell("exhausted")
            raise StopIteration
        for place, answer in enumerate(answers):
            if answer.__class__ is Refusal:
                self._refuse(answers, place)
        self._drawn, self._ready = [], shared_iterator(answers)

    def _ask(self) -> None:
        """Has the engine add answers. Nothing may be pending any more before they are here."""
        if self._lots and os.getpid() != self._process:
            raise WorkersLost(
                "the workers of this batch are in the process that began it, and this is one "
                "forked from it; begin a batch of its own here"
            )
        self._awaited = True
        try:
            self._feed()
            self._batch.collect(self._drawn)
        finally:
            self._awaited = False

    def _refuse(self, answers: list[Any], place: int) -> None:
        """Replaces a refusal by what is handed out in its place."""
        refusal, errors = answers[place], self._source.errors
        number = refusal.number
        error = errors.get(number) or self._explain(refusal)
        error.position = number
        stands: object = error
        args = error.args
        if self._errors == "raise":
            stands, args = _Failure(error), (f"givens[{number}]: {error}",)
        answers[place], error.args = stands, args  # no signal comes between
        errors.pop(number, None)

    def _feed(self) -> None:
        """Sends the engine more sets, if it could do with some."""
        batch, source, size = self._batch, self._source, self._size
        while not (self._closed or source.ended) and batch.pending < max(1, self._lots * size):
            started = time.monotonic()
            source.send(batch, size)
            quick = time.monotonic() - started <= LONGEST_READ
            self._size = min(2 * size, LARGEST_LOT) if quick else max(1, size // 2)

    @property
    def stats(self) -> Stats:
        """The work done so far for the answers drawn, and for a few more perhaps.

        `seconds` is the time of all workers together.
        """
        nodes, updates, solutions, profile, seconds = self._batch.stats
        return Stats(nodes, updates, solutions, tuple(profile), seconds)

    @property
    def exhausted(self) -> bool:
        """True once the answers to all sets have been drawn, and it is known that these are all."""
        return (
            not self._closed_early
            and self._source.ended
            and self._batch.pending == 0
            and not self._awaited
            and not self._drawn
            and not length_hint(self._ready)
        )

    def _tell(self, why: str) -> None:
        """Tells the logger how far it came, once."""
        if not self._told:
            self._told = True
            batch = self._batch
            nodes, _, found, _, seconds = batch.stats
            said = "sets of givens: %s after %d; %d nodes, %d solutions, %.3g seconds of work"
            log.done(seconds, said, why, batch.submitted - batch.pending, nodes, found, seconds)

    def close(self) -> None:
        """Stops all work. There are no answers any more."""
        self._closed_early = not self.exhausted
        self._closed = True
        self._tell("close")
        self._source.close()
        self._batch.close()
        self._drawn, self._ready = [], iter(())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        read = self._batch.submitted
        going = "under way" if read else "not started"
        open_state = "closed" if self._closed_early else going
        state = "exhausted" if self.exhausted else open_state
        return f"<dlx.Answers: {counted(read, 'set')} of givens read, {state}>"


class _Failure:
    """Stands among the answers for an error that is to be raised."""

    __slots__ = ("error",)

    def __init__(self, error: DLXError) -> None:
        self.error = error


# -- where the sets come from --------------------------------------------------------------------


class Source(Protocol):
    """Sets of givens, to be sent to an engine as it needs them."""

    errors: dict[int, DLXError]
    """What is wrong with sets that were sent, by their number."""

    @property
    def ended(self) -> bool:
        """Whether there are no more."""

    def send(self, batch: BatchEngine, size: int) -> None:
        """Reads about `size` sets and submits them. What a signal interrupts goes on next time."""

    def raise_error(self) -> None:
        """Raises what the caller's iterator raised, once."""

    def close(self) -> None:
        """Forgets all sets there may be."""


class SetsOfNames:
    """Sets that are sequences of names or, with a code, lines of text."""

    def __init__(self, givens: Any, table: Table, code: Code | None) -> None:
        if isinstance(givens, str | bytes) or not isinstance(givens, Iterable):
            raise UnknownOption(
                f"givens is {quote(givens)}; give a list of sets of option names, or two arrays"
            )
        self._sets = iter(givens)
        self._read: list[Any] = []  # and not yet submitted
        self._table = table
        self._numbered = table.names is None
        self._number_of = table.names_given.__getitem__
        self._code = code
        self._error: Exception | None = None
        self._all_read = False
        self.errors: dict[int, DLXError] = {}

    @property
    def ended(self) -> bool:
        """Whether all sets were read, and sent: a signal may come between."""
        return self._all_read and not self._read

    def send(self, batch: BatchEngine, size: int) -> None:
        """Reads sets until there are `size`, and submits them."""
        sets = self._read
        self._read_until(size)
        while sets:
            if self._code is None:
                self._submit(batch, len(sets))
            elif not batch.submit_lines(sets):
                self._submit(batch, 1)

    def _read_until(self, size: int) -> None:
        sets = self._read
        if self._all_read:
            return
        try:
            sets.extend(islice(self._sets, max(0, size - len(sets))))  # keeps what came so far
            self._all_read = len(sets) < size
        except Exception as error:
            self._error, self._all_read = error, True

    def _submit(self, batch: BatchEngine, count: int) -> None:
        """Submits the first `count` sets that were read."""
        start, options = array("i", [0]), array("i")
        for number, given in enumerate(self._read[:count], batch.submitted):
            try:
                self._append(given, options)
            except DLXError as error:
                self.errors[number] = error
                options.append(-1)  # no option has that index: the engine will refuse the set
            start.append(len(options))
        batch.submit(start, options, self._read)

    def _append(self, given: Any, options: array[int]) -> None:
        """Adds the indices of a set's options; nothing, if anything is wrong with it."""
        if isinstance(given, str) and self._code is not None:
            options.extend(indices_of(self._table, self._code.read(given)))
            return
        if not isinstance(given, list | tuple):
            given = _listed(given)
        mark = len(options)
        try:
            options.extend(given if self._numbered else map(self._number_of, given))
        except (KeyError, TypeError, OverflowError):  # to be looked at more closely
            del options[mark:]
            options.extend(indices_of(self._table, given))

    def raise_error(self) -> None:
        """Raises what the caller's iterator raised, once."""
        error, self._error = self._error, None
        if error is not None:
            raise error

    def close(self) -> None:
        """Forgets all sets there may be."""
        self._sets = iter(())
        self._read.clear()
        self._error, self._all_read = None, True


def _listed(given: Any) -> list[Hashable]:
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise UnknownOption(f"{quote(given)} is no set of givens; give a list of option names")
    return list(given)


class SetsOfIndices:
    """Sets that are compressed rows of indices: set s is indices[indptr[s]:indptr[s + 1]]."""

    def __init__(self, indptr: Any, indices: Any) -> None:
        from dlx.formats.arrays import read_arrays

        self._start, self._options, _ = read_arrays(indptr, indices, None)
        self._refuse_descent()
        self.ended = len(self._start) == 1
        self.errors: dict[int, DLXError] = {}

    def _refuse_descent(self) -> None:
        start = self._start
        if not any(map(gt, start, islice(start, 1, None))):
            return
        place = next(n for n in range(len(start) - 1) if start[n] > start[n + 1])
        raise InvalidEntry(
            f"indptr descends from {start[place]} to {start[place + 1]} at {place + 1}; "
            "its bounds must ascend"
        )

    def send(self, batch: BatchEngine, size: int) -> None:
        """Submits the next `size` sets."""
        start = self._start
        first = batch.submitted
        last = min(first + size, len(start) - 1)
        batch.submit(start[first : last + 1], self._options[start[first] : start[last]], [])
        self.ended = last == len(start) - 1

    def raise_error(self) -> None:
        """Nothing can have been raised."""

    def close(self) -> None:
        """Forgets all sets there may be."""
        self.ended = True


def source_of(givens: Any, table: Table, code: Code | None) -> Source:
    """Sets of givens in any of their forms: a pair of arrays is a tuple of two buffers."""
    if isinstance(givens, tuple) and len(givens) == 2 and all(map(_is_array, givens)):
        return SetsOfIndices(*givens)
    return SetsOfNames(givens, table, code)


def _is_array(value: object) -> bool:
    if isinstance(value, bytes | bytearray):
        return False
    try:
        memoryview(value)  # type: ignore[arg-type]
    except TypeError:
        return False
    return True


# -- what the caller may wish --------------------------------------------------------------------


def check_errors(errors: object) -> str:
    """`errors` if it is one of the two words."""
    if errors in ("raise", "return"):
        return str(errors)
    raise InvalidArgument(f"errors is {quote(errors)}; it must be 'raise' or 'return'")


def check_code(code: object, problem: Any) -> Code | None:
    """`code` if it is one for the problem, or None."""
    if code is None:
        return None
    from dlx.search.codec import Code

    if not isinstance(code, Code):
        raise InvalidArgument(f"code is {quote(code)}, which is no dlx.Code")
    if not code.belongs_to(problem):
        raise InvalidArgument(f"{code!r} was made for another problem")
    return code


Givens = Iterable[Iterable[Hashable] | str] | tuple[Any, Any]
"""Sets of option names (or lines, with a code), or the arrays indptr and indices."""


def refusal_error(refusal: Refusal, table: Table, prepared: NumberedProblem) -> DLXError:
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


class BatchOutput(NamedTuple):
    """How the answers to many sets of givens come: the keywords `errors` and `code`.

    keep
        Whether solutions are wanted, or only their number.
    """

    errors: str
    code: Code | None
    keep: bool


def answer_many(
    problem: ProblemView,
    numbered: NumberedProblem,
    givens: Givens,
    options: SearchOptions,
    output: BatchOutput,
) -> Answers[Any]:
    """What `Problem.solve_many` and `count_many` return."""
    errors = check_errors(output.errors)
    code = check_code(output.code, problem)
    table = problem._table
    task = BatchTask(
        names=table.names,
        code=None if code is None else code.compiled,
        limit=kernel_limit(options.limit),
        keep=output.keep,
        seconds=-1.0 if options.timeout is None else options.timeout,
        workers=1 if options.workers is None else options.workers.workers,
        heuristic=options.heuristic,
    )
    batch = open_batch(options.engine, table, numbered, task)

    def explain(refusal: Refusal) -> DLXError:
        return refusal_error(refusal, table, numbered)

    source = source_of(givens, table, code)
    return Answers(batch, source, explain, errors=errors, workers=task.workers)
