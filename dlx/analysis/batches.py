"""The same problem under many sets of givens: `Problem.solve_many` and `count_many`.

`Answers` is the iterator that they return. A `GivensSource` reads the caller's sets and submits
them to a `BatchEngine` in chunks; the engine returns the answers in order.
"""

from __future__ import annotations

import os
import time
from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import islice, zip_longest
from math import inf
from operator import gt, length_hint
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self, TypeVar, cast

from dlx.analysis.count import count_solutions
from dlx.analysis.solutions import find_first
from dlx.core.arguments import UNLIMITED, is_list_like, kernel_limit
from dlx.core.givens import check_forbidden, clash_between, indices_of
from dlx.core.kernel import ChunkIterator, Refusal
from dlx.core.locks import exclusive, new_guard, shared_iterator
from dlx.core.logs import log
from dlx.core.name_types import Name
from dlx.core.numbering import SearchInput
from dlx.engines.protocols import BatchTask
from dlx.engines.registry import open_batch
from dlx.errors import (
    DLXError,
    GivenClash,
    InvalidArgument,
    InvalidEntry,
    SearchInterrupted,
    UnknownOption,
    WorkersLost,
    counted,
    quote,
)
from dlx.plan import make_plan, nodes_alone
from dlx.search.options import SearchOptions
from dlx.search.search import Solution

if TYPE_CHECKING:
    from dlx.core.numbering import NumberedProblem
    from dlx.core.stats import Stats
    from dlx.core.table import Table
    from dlx.engines.protocols import BatchEngine
    from dlx.search.codec import Code

__all__ = ["Answers", "BatchArguments", "Givens", "answer_many"]


MAX_CHUNK_SIZE = 1024  # sets read at a time
MAX_READ_SECONDS = 0.01  # the chunk after one that takes longer is smaller

T_co = TypeVar("T_co", covariant=True)


class Answers(ChunkIterator[T_co]):
    """The answers to many sets of givens, in order; made by `Problem.solve_many` and `count_many`.

    An iterator, and a context manager that closes it. The sets are read in chunks of one set at
    first, which grow to 1024 sets while a chunk takes at most 10 ms to read. One chunk is read
    ahead (with several workers, one for each and another one). The iterator may be abandoned at any
    time. Ctrl-C interrupts it within 50 ms; it can be continued after that and loses no answer.
    Several threads may iterate over it: each answer goes to one of them.

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
        "_batch",
        "_chunk_size",
        "_closed",
        "_closed_early",
        "_drawing",
        "_drawn",
        "_end_logged",
        "_errors",
        "_explain",
        "_failure",
        "_fetching",
        "_handed_over",
        "_process",
        "_search_alone",
        "_source",
        "_workers",
    )

    def __init__(
        self,
        batch: BatchEngine,
        source: GivensSource,
        explain: Callable[[Refusal], DLXError],
        search_alone: Callable[[Refusal], Any],
        *,
        errors: str,
        workers: int,
    ) -> None:
        self._batch = batch
        self._source = source
        self._explain = explain
        self._search_alone = search_alone
        self._errors = errors
        self._drawn: list[Any] = []  # answers that the engine has appended
        self._handed_over = 0  # how many of them are in the chunk or before it
        self._failure: Iterator[Any] = iter(())  # the error after the chunk, if one is to be raised
        self._drawing = new_guard()
        self._fetching = False  # True while the engine is working for `_fetch`
        self._process = os.getpid()
        self._chunk_size = 1
        self._workers = 0 if workers == 1 else workers  # 0: the calling thread does the work
        self._closed = False
        self._closed_early = False  # closed before all answers were drawn
        self._end_logged = False

    def take(self, into: list[Any]) -> None:
        """Appends the answers that are ready to a list: at least one, unless none is left.

        It raises what `next` would. The list is the caller's, so that Ctrl-C loses no answer.

        >>> import dlx
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> found: list[int] = []
        >>> problem.count_many([[], [3], [0]]).take(found)
        >>> found
        [3]
        """
        if not hasattr(into, "extend"):
            raise InvalidArgument(f"into is {quote(into)}; it must be a list")
        into.extend(islice(self, 1))
        into.extend(islice(self, self._left))

    def _refill(self) -> None:
        """Makes the next chunk of answers ready; raises StopIteration at the end."""
        with exclusive(self._drawing, "a batch"):  # by one thread at a time
            if not self._left and not length_hint(self._failure):
                self._draw()
        for failure in self._failure:  # no signal comes between taking and raising it
            raise failure.error

    def _draw(self) -> None:
        """Stores the next chunk, or the error to be raised in place of the next answer."""
        if self._handed_over == len(self._drawn) and not self._closed:
            self._drawn, self._handed_over = [], 0
            self._fetch()
        if self._closed:
            raise StopIteration
        # If a signal interrupts this, the list is still full at the next call.
        drawn, first = self._drawn, self._handed_over
        if first == len(drawn):
            self._source.raise_error()
            self._log_end("exhausted")
            raise StopIteration
        end = self._first_failure(drawn, first)
        if end == first:
            failure = shared_iterator([drawn[first]])
            self._failure, self._handed_over = failure, first + 1
        else:
            self._chunk, self._handed_over = drawn[first:end], end

    def _first_failure(self, answers: list[Any], place: int) -> int:
        """The place of the first error to be raised, from a place on; replaces refusals by errors.

        If there is none, the number of answers.
        """
        for answer in islice(answers, place, None):
            if answer.__class__ is Refusal:
                self._replace_refusal(answers, place)
                answer = answers[place]
            if answer.__class__ is _Failure:
                break
            place += 1
        return place

    def _fetch(self) -> None:
        """Lets the engine append answers; `pending` may become 0 before they are in the list."""
        if self._workers and os.getpid() != self._process:
            raise WorkersLost(
                "the workers of this batch are in the process that began it, and this is a fork of "
                "that process; begin another batch here"
            )
        self._fetching = True
        try:
            self._feed()
            self._batch.collect(self._drawn)
        finally:
            self._fetching = False

    def _replace_refusal(self, answers: list[Any], place: int) -> None:
        """Replaces an engine's refusal by the exception to return or to raise.

        Or by the answer, if the set needs a search of its own.
        """
        refusal, errors = answers[place], self._source.errors
        number = refusal.number
        error: DLXError
        if refusal.kind == "nodes":
            try:
                answers[place] = self._search_alone(refusal)
            except SearchInterrupted as interrupted:
                error = interrupted
            else:
                return
        else:
            error = errors.get(number) or self._explain(refusal)
        error.position = number
        answer: object = error
        args = error.args
        if self._errors == "raise":
            answer, args = _Failure(error), (f"givens[{number}]: {error}",)
        answers[place], error.args = answer, args  # no signal comes between
        errors.pop(number, None)

    def _feed(self) -> None:
        """Submits more sets to the engine, until each worker has a chunk."""
        batch, source, size = self._batch, self._source, self._chunk_size
        while not (self._closed or source.ended) and batch.pending < max(1, self._workers * size):
            started = time.monotonic()
            source.send(batch, size)
            quick = time.monotonic() - started <= MAX_READ_SECONDS
            self._chunk_size = min(2 * size, MAX_CHUNK_SIZE) if quick else max(1, size // 2)

    @property
    def stats(self) -> Stats:
        """The work for the answers drawn so far, and perhaps for a few more.

        `seconds` is the total time of all workers. A set that is asked by itself (see `dlx.plan`)
        counts with the nodes of the batch alone.
        """
        return self._batch.stats

    @property
    def exhausted(self) -> bool:
        """True when all sets have been read and their answers drawn."""
        return (
            not self._closed_early
            and self._source.ended
            and self._batch.pending == 0
            and not self._fetching
            and self._handed_over == len(self._drawn)
            and not self._left
            and not length_hint(self._failure)
        )

    def _log_end(self, why: str) -> None:
        """Logs the work done, once."""
        if not self._end_logged:
            self._end_logged = True
            batch = self._batch
            nodes, _, found, _, seconds, *_ = batch.stats
            message = "sets of givens: %s after %d; %d nodes, %d solutions, %.3g seconds of work"
            log.done(seconds, message, why, batch.submitted - batch.pending, nodes, found, seconds)

    def close(self) -> None:
        """Stops all work and discards the answers that were not drawn."""
        self._closed_early = not self.exhausted
        self._closed = True
        self._log_end("close")
        self._source.close()
        self._batch.close()
        self._drawn, self._handed_over, self._chunk, self._failure = [], 0, [], iter(())

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
    """An answer that is an exception to be raised."""

    __slots__ = ("error",)

    def __init__(self, error: DLXError) -> None:
        self.error = error


# -- sources of sets of givens -------------------------------------------------------------------


class GivensSource(Protocol):
    """Reads sets of givens and submits them to an engine."""

    errors: dict[int, DLXError]
    """The errors of submitted sets, by the number of the set."""

    @property
    def ended(self) -> bool:
        """True if there are no more sets."""

    def send(self, batch: BatchEngine, size: int) -> None:
        """Reads about `size` sets and submits them. After a signal, the next call continues."""

    def raise_error(self) -> None:
        """Raises the error that the caller's iterator raised, once."""

    def close(self) -> None:
        """Discards the sets that were not submitted."""


class NameSource:
    """Sets that are sequences of names or, with a `Code`, lines of text."""

    def __init__(
        self, givens: Any, table: Table, code: Code | None, forbidden: ForbiddenSets
    ) -> None:
        if not is_list_like(givens):
            raise UnknownOption(
                f"givens is {quote(givens)}; give a list of sets of option names, or two arrays"
            )
        self._forbidden = forbidden
        self._sets = iter(givens) if forbidden.each is None else _pairs(givens, forbidden.each)
        self._read_sets = getattr(givens, "read_sets", None) if forbidden.each is None else None
        self._read: list[Any] = []  # read, and not yet submitted
        self._table = table
        self._numbered = table.names is None
        self._number_of = table.names_given.__getitem__
        self._code = code
        self._error: Exception | None = None
        self._all_read = False
        self.errors: dict[int, DLXError] = {}

    @property
    def ended(self) -> bool:
        """True if all sets were read and submitted; a signal may come between the two."""
        return self._all_read and not self._read

    def send(self, batch: BatchEngine, size: int) -> None:
        """Reads sets until there are `size`, and submits them."""
        sets = self._read
        self._read_until(size)
        while sets:
            if self._code is None or self._forbidden.any:
                self._submit(batch, len(sets))
            elif not batch.submit_lines(sets):
                self._submit(batch, 1)

    def _read_until(self, size: int) -> None:
        sets = self._read
        if self._all_read:
            return
        wanted = max(0, size - len(sets))
        try:  # both keep the sets read before an error
            if self._read_sets is None:
                sets.extend(islice(self._sets, wanted))
            else:
                self._read_sets(sets, wanted)
            self._all_read = len(sets) < size
        except Exception as error:
            self._error, self._all_read = error, True

    def _submit(self, batch: BatchEngine, count: int) -> None:
        """Submits the first `count` sets that were read."""
        start, options = array("i", [0]), array("i")
        rows = self._forbidden.rows()
        for number, given in enumerate(self._read[:count], batch.submitted):
            try:
                forbid: Any = ()
                if self._forbidden.each is not None:
                    given, forbid = given
                rows.append(forbid)
                self._append(given, options)
            except DLXError as error:
                self.errors[number] = error
                rows.complete(number - batch.submitted)
                options.append(-1)  # an invalid index: the engine will refuse the set
            start.append(len(options))
        batch.submit(start, options, self._read, rows.start, rows.options)

    def _append(self, given: Any, options: array[int]) -> None:
        """Appends the indices of a set's options. Appends nothing if the set is invalid."""
        if isinstance(given, str) and self._code is not None:
            options.extend(indices_of(self._table, self._code.read(given)))
            return
        if not isinstance(given, list | tuple):
            given = _listed(given)
        mark = len(options)
        try:
            options.extend(given if self._numbered else map(self._number_of, given))
        except (KeyError, TypeError, OverflowError):  # again, slowly, to find what is wrong
            del options[mark:]
            options.extend(indices_of(self._table, given))

    def raise_error(self) -> None:
        """Raises the error that the caller's iterator raised, once."""
        error, self._error = self._error, None
        if error is not None:
            raise error

    def close(self) -> None:
        """Discards the sets that were not submitted."""
        self._sets, self._read_sets = iter(()), None
        self._read.clear()
        self._error, self._all_read = None, True


class ForbiddenSets:
    """The keywords `forbid` and `forbids`: options that all sets forbid, and those of each set.

    `each` is None if there is no `forbids`. Raises `UnknownOption`, `GivenClash` and
    `InvalidArgument`.
    """

    def __init__(self, table: Table, forbid: Iterable[Hashable], forbids: Any) -> None:
        if forbids is not None and not is_list_like(forbids):
            raise InvalidArgument(
                f"forbids is {quote(forbids)}; give a list of sets of option names, one for each "
                "set of givens"
            )
        self.table = table
        self.each: Iterable[Any] | None = forbids
        self.common = array("i", check_forbidden(table, [], forbid))
        self.any = forbids is not None or bool(self.common)

    def rows(self) -> ForbiddenRows:
        """No rows, to be filled."""
        return ForbiddenRows(self)


class ForbiddenRows:
    """Rows of forbidden options, as the engine takes them; no row at all if none is forbidden."""

    def __init__(self, sets: ForbiddenSets) -> None:
        self._sets = sets
        self.start = array("i", [0] if sets.any else ())
        self.options = array("i")

    def append(self, names: Any) -> None:
        """Appends the row of a set that forbids these options as well as those that all forbid."""
        sets = self._sets
        if not sets.any:
            return
        row = sets.common
        if sets.each is not None:
            try:
                more = check_forbidden(sets.table, [], _listed(names, "a set of forbidden options"))
            except UnknownOption as error:
                raise UnknownOption(f"its set in forbids: {error}") from None
            row = row + array("i", [index for index in more if index not in row])
        self.options.extend(row)
        self.start.append(len(self.options))

    def complete(self, number: int) -> None:
        """Appends an empty row for the set of this number, if it has none."""
        if self._sets.any and len(self.start) == number + 1:
            self.start.append(len(self.options))


def _pairs(givens: Iterable[Any], forbids: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    """Each set of givens with its set of forbidden options."""
    missing = object()
    for number, (given, forbid) in enumerate(zip_longest(givens, forbids, fillvalue=missing)):
        if given is missing or forbid is missing:
            short, long = ("givens", "forbids")[:: 1 if given is missing else -1]
            raise InvalidArgument(
                f"{short} has {counted(number, 'set')}, and {long} has more: give as many"
            )
        yield given, forbid


def _listed(given: Any, what: str = "a set of givens") -> list[Hashable]:
    if not is_list_like(given):
        raise UnknownOption(f"{quote(given)} is not {what}; give a list of option names")
    return list(given)


class ArraySource:
    """Sets in two arrays: set s has the options of indices[indptr[s]:indptr[s + 1]]."""

    def __init__(self, indptr: Any, indices: Any, forbidden: ForbiddenSets) -> None:
        from dlx.formats.arrays import read_arrays

        if forbidden.each is not None:
            raise InvalidArgument(
                "givens are arrays, and forbids has a set for each: give both as lists of sets of "
                "option names; `forbid` has options that all sets forbid"
            )
        self._forbidden = forbidden

        self._start, self._options, *_ = read_arrays(indptr, indices)
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
        rows = self._forbidden.rows()
        for _ in range(first, last):
            rows.append(())
        options = self._options[start[first] : start[last]]
        batch.submit(start[first : last + 1], options, [], rows.start, rows.options)
        self.ended = last == len(start) - 1

    def raise_error(self) -> None:
        """Does nothing: arrays raise no errors."""

    def close(self) -> None:
        """Discards the sets that were not submitted."""
        self.ended = True


def open_source(
    givens: Any, table: Table, code: Code | None, forbidden: ForbiddenSets
) -> GivensSource:
    """The source for `givens`: arrays if it is a tuple of two buffers, names otherwise."""
    if isinstance(givens, tuple) and len(givens) == 2 and all(map(_is_array, givens)):
        return ArraySource(*givens, forbidden)
    return NameSource(givens, table, code, forbidden)


def _is_array(value: object) -> bool:
    if isinstance(value, bytes | bytearray):
        return False
    try:
        memoryview(value)  # type: ignore[arg-type]
    except TypeError:
        return False
    return True


# -- the methods of a problem --------------------------------------------------------------------


def check_errors(errors: object) -> None:
    """Raises `InvalidArgument` unless `errors` is "raise" or "return"."""
    if errors not in ("raise", "return"):
        raise InvalidArgument(f"errors is {quote(errors)}; it must be 'raise' or 'return'")


def check_code(code: object, table: Table) -> None:
    """Raises `InvalidArgument` unless `code` is None or a `Code` of the problem of this table."""
    if code is None:
        return
    from dlx.search.codec import Code

    if not isinstance(code, Code):
        raise InvalidArgument(f"code is {quote(code)}; it must be a dlx.Code")
    if not code.belongs_to(table):
        raise InvalidArgument(f"{code!r} was made for another problem")


Givens = Iterable[Iterable[Name] | str] | tuple[Any, Any]
"""Sets of option names (or lines, with a `Code`), or the arrays indptr and indices."""


def _refusal_error(refusal: Refusal, table: Table, numbered: NumberedProblem) -> DLXError:
    """The exception for a set that the engine has refused."""
    if refusal.kind == "timeout":
        return SearchInterrupted(
            "timeout",
            count=refusal.stats.solutions,
            solutions=tuple(cast("list[Solution]", refusal.solutions)),
            stats=refusal.stats,
        )
    if refusal.kind == "clash":
        return clash_between(table, numbered, refusal.first, refusal.second, refusal.item)
    if refusal.kind == "forbidden":
        name = quote(table.name_of(refusal.first))
        return GivenClash(f"option {name} is both given and forbidden")
    return UnknownOption(f"there is no option named {refusal.first}")


class BatchArguments(NamedTuple):
    """The arguments of `Problem.solve_many` and `count_many` that other questions lack.

    The options that `forbid` names are options of the problem, so that a set may name them.

    keep
        True if an answer has the solutions; False if it is only their number.
    """

    givens: Givens
    forbid: Iterable[Hashable]
    forbids: Iterable[Iterable[Hashable]] | None
    errors: str
    code: Code | None
    keep: bool


def answer_many(
    search_input: SearchInput, options: SearchOptions, arguments: BatchArguments
) -> Answers[Any]:
    """What `Problem.solve_many` and `count_many` return."""
    table, numbered, _ = search_input
    givens, forbid, forbids, errors, code, keep = arguments
    check_errors(errors)
    check_code(code, table)
    forbidden = ForbiddenSets(table, forbid, forbids)
    workers = 1 if options.workers is None else options.workers.workers
    nodes = UNLIMITED
    plan = make_plan("solve_many" if keep else "count_many", search_input, options)
    if len(plan.steps) > 1:
        # Searches of their own run in the calling thread; the more threads, the fewer of them.
        nodes = workers * nodes_alone(table)
    task = BatchTask(
        names=table.names,
        code=None if code is None else code.compiled,
        limit=kernel_limit(options.limit),
        keep=keep,
        seconds=inf if options.timeout is None else options.timeout,
        workers=workers,
        heuristic=options.heuristic,
        nodes=nodes,
    )
    batch = open_batch(options.engine, table, numbered, task)

    def explain(refusal: Refusal) -> DLXError:
        return _refusal_error(refusal, table, numbered)

    def search_alone(refusal: Refusal) -> Any:
        return _search_alone(SearchInput(table, numbered, refusal.given), options, refusal, task)

    source = open_source(givens, table, code, forbidden)
    return Answers(batch, source, explain, search_alone, errors=errors, workers=task.workers)


def _search_alone(
    search_input: SearchInput, options: SearchOptions, refusal: Refusal, task: BatchTask
) -> Any:
    """The answer to a set that needs a search of its own, with all that `solve` and `count` have.

    Raises `SearchInterrupted` after the time limit of a set.
    """
    alone = SearchOptions(limit=options.limit, heuristic=options.heuristic)
    if options.timeout is not None:
        alone = alone._replace(timeout=max(0.0, options.timeout - refusal.stats.seconds))
    if not task.keep:
        return count_solutions(search_input, alone)
    found = find_first(search_input, alone)
    if found is None or task.code is None:
        return found
    return task.code.write([search_input.table.index_of(name) for name in found])
