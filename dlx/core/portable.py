"""Stand-ins in Python for the parts of the compiled kernel that every call uses.

Where `dlx._kernel` is not installed, `dlx.core.kernel` exports these names instead. They store
problems, packs of solutions and line codecs, as the kernel does, so that the engines "python" and
"sat" can work. Whatever searches in the kernel raises `KernelMissing` here.
"""

from __future__ import annotations

import sys
import warnings
from _thread import RLock, _local
from array import array
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import accumulate, chain, islice, pairwise
from math import inf
from operator import length_hint, mul
from time import monotonic
from types import GenericAlias
from typing import Any, NoReturn, Self

from dlx.core.stats import Stats
from dlx.errors import KernelMissing, KernelMissingWarning

__all__ = [
    "Batch",
    "Cancellation",
    "ChunkIterator",
    "Code",
    "Count",
    "LineReader",
    "LinearProgram",
    "Minimum",
    "Pack",
    "PermutationGroup",
    "Probes",
    "Problem",
    "Reader",
    "Reduction",
    "Refusal",
    "Refuter",
    "Search",
    "SharedIterator",
    "SymmetryGroup",
    "TimeUp",
    "check_cancelled",
    "find_flaw",
    "info",
    "keep_sets_with",
    "listing_of",
    "missing",
    "option_totals",
    "usable_engine",
]

REMEDY = (
    "install a wheel of dlxkit for this platform; or a C++20 compiler, and then dlxkit from its "
    "source again"
)
_warned: list[bool] = []


def missing(what: str) -> KernelMissing:
    """The error for a call that needs the kernel.

    >>> print(missing("Problem.diagram"))
    Problem.diagram needs the compiled kernel, and dlx is installed without it; install ...
    """
    return KernelMissing(
        f"{what} needs the compiled kernel, and dlx is installed without it; {REMEDY} "
        "('dlx doctor' says more)"
    )


def usable_engine(engine: str) -> str:
    """The engine to use without the kernel: "python" for "auto", otherwise the same one.

    The first call for "auto" warns by `KernelMissingWarning`.
    """
    if engine != "auto":
        return engine
    if not _warned:
        _warned.append(True)
        warnings.warn(
            "dlx is installed without its compiled kernel: it searches in Python, which is much "
            f"slower, and some methods raise dlx.KernelMissing; {REMEDY}, or give "
            "engine='python' to search without this warning",
            KernelMissingWarning,
            stacklevel=_depth_of_caller(),
        )
    return "python"


def _depth_of_caller() -> int:
    """The `stacklevel`, for a warning in `usable_engine`, of the first frame outside our packages.

    1 if there is none.
    """
    depth, frame = 1, sys._getframe(1).f_back
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if name.partition(".")[0] not in ("dlx", "sudoku"):
            return depth + 1
        depth, frame = depth + 1, frame.f_back
    return 1


# -- problems --------------------------------------------------------------------------------------

_USERS = {  # methods of the kernel's problems, and what needs them
    "batch": "this engine",
    "canonical": "a canonical form (Problem.canonical, Problem.is_isomorphic)",
    "class_test": "the test for symmetric solutions (distinct=)",
    "count": "counting with a cache",
    "count_certificate": "a proof of a count",
    "diagram": "a diagram (Problem.diagram, Problem.sample)",
    "in_search_order": "this engine",
    "minimum": "this engine",
    "narrow_order": "a diagram (Problem.diagram, Problem.sample), or the proof of a count",
    "parts": "this engine",
    "probes": "estimating with this engine",
    "reduce": "Problem.reduced",
    "refuter": "the proof that there is no solution (Problem.explain)",
    "shuffled": "this engine",
    "symmetries": "the search for symmetries (Problem.symmetries, distinct=)",
}


class Problem:
    """A problem in search order, as arrays: see dlx/cpp/core/problem.hpp.

    `rank` maps each item's number to its number in the search, `order` lists the options in the
    order of the search, None as declared. All methods take options by their numbers in the table.
    """

    __slots__ = ("_columns", "_items", "_places", "_primary")

    def __init__(
        self,
        start: Sequence[int],
        item: Sequence[int],
        color: Sequence[int] | None,
        rank: Sequence[int],
        order: Sequence[int] | None,
        primary: int,
        low: Sequence[int] | None = None,
        high: Sequence[int] | None = None,
        weight: Sequence[int] | None = None,
    ) -> None:
        count = len(start) - 1
        rows = [range(start[o], start[o + 1]) for o in (range(count) if order is None else order)]
        places = list(chain.from_iterable(rows))
        self._set(
            primary,
            len(rank),
            array("i", accumulate(map(len, rows), initial=0)),
            array("i", (rank[item[place]] for place in places)),
            array("i", map(color.__getitem__, places) if color else ()),
            array("i", order or ()),
            array("i", low or ()),
            array("i", high or ()),
            array("i", map(weight.__getitem__, places) if weight else ()),
        )

    def _set(self, primary: int, items: int, *columns: array[int]) -> None:
        self._primary = primary
        self._items = items
        self._columns = columns
        label = columns[3]
        self._places = {option: place for place, option in enumerate(label)}

    @property
    def multiple(self) -> bool:
        """Whether it has multiplicities."""
        return bool(self._columns[4])

    @property
    def weighted(self) -> bool:
        """Whether any option covers an item several times."""
        return bool(self._columns[6])

    def __getstate__(self) -> tuple[Any, ...]:
        return self._primary, self._items, *(column.tobytes() for column in self._columns)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        primary, items, *columns = state
        self._set(primary, items, *(array("i", column) for column in columns))

    def clash(self, options: Sequence[int]) -> tuple[int, int, int] | None:
        """Two of these options that clash, by place, and the rank of their item; or None.

        With multiplicities, the second is the one that exceeds the item's upper bound. O(entries).
        """
        start, item, color, _, _, high, weight = self._columns
        uses: dict[int, tuple[int, int, int]] = {}  # of each item: last place, times, color
        known: dict[int, int] = {}
        for place, option in enumerate(options):
            number = self._places[option] if self._places else option
            if not 0 <= number < len(start) - 1:
                raise IndexError("no such option")
            first = start[number]
            if self.multiple and known.setdefault(number, place) != place:
                return known[number], place, item[first]
            for entry in range(first, start[number + 1]):
                one, tint = item[entry], color[entry] if color else 0
                times = weight[entry] if weight else 1
                last, before, held = uses.get(one, (place, 0, tint))
                if one < self._primary:
                    fits = before + times <= (high[one] if high else 1)
                else:
                    fits = not before or (tint != 0 and held == tint)
                if before and not fits:
                    return last, place, one
                uses[one] = (place if self.multiple else last, before + times, tint)
        return None

    def __getattr__(self, name: str) -> Any:
        """Raises `KernelMissing` for the methods that only the kernel's problems have."""
        if name in _USERS:
            raise missing(_USERS[name])
        raise AttributeError(f"a problem without the kernel has no attribute {name!r}")


def find_flaw(
    start: Sequence[int], item: Sequence[int], color: Sequence[int] | None, secondary: bytearray
) -> int | None:
    """The index of the first invalid option, or None. O(entries)."""
    for option, (first, last) in enumerate(pairwise(start)):
        if not 0 <= first < last <= len(item):
            return option
        numbers = item[first:last]
        tints = color[first:last] if color else [0] * len(numbers)
        if min(numbers) < 0 or max(numbers) >= len(secondary) or min(tints) < 0:
            return option
        primary = [not secondary[number] for number in numbers]
        tinted = any(tint for tint, one in zip(tints, primary, strict=True) if one)
        if len(set(numbers)) < len(numbers) or not any(primary) or tinted:
            return option
    return None


def option_totals(
    start: Sequence[int], item: Sequence[int], weight: Sequence[int] | None, value: Sequence[int]
) -> list[int]:
    """The sum of weight times value over the entries of each option. O(entries)."""
    values = map(value.__getitem__, item)
    sums = [0, *accumulate(map(mul, values, weight) if weight else values)]
    return [sums[last] - sums[first] for first, last in pairwise(start)]


class Reader:
    """Hands each option to `Table.add_option`: see `Table.extend`."""

    __slots__ = ("_named", "_options")

    def __init__(
        self, table: object, options: Iterator[Any], colored: type, times: type, named: bool
    ) -> None:
        self._options = options
        self._named = named

    def read(self) -> tuple[Any, Any] | None:
        """The next option and its name, or None at the end."""
        for option in self._options:
            if not self._named:
                return option, None
            name, items = option
            return items, name
        return None


class LineReader:
    """Hands each line to Python: see `dlx.formats.knuth.read`."""

    __slots__ = ("_lines", "drawn")

    def __init__(self, table: object, lines: Iterator[Any]) -> None:
        self._lines = lines
        self.drawn = 0

    def read(self, skim: bool) -> tuple[int, Any] | None:
        """The number of the next line and the line, or None at the end."""
        for line in self._lines:
            self.drawn += 1
            return self.drawn, line
        return None


# -- solutions -------------------------------------------------------------------------------------


class Pack:
    """A queue of solutions, each as indices of options. Thread-safe."""

    __slots__ = ("_first", "_lock", "_solutions", "_taken")

    def __init__(self, options: bytes = b"", lengths: bytes = b"") -> None:
        """From the indices of all options one after another, and the length of each solution.

        Raises ValueError if they do not match.
        """
        numbers, sizes = array("i", options), array("i", lengths)
        if min(sizes, default=0) < 0:
            raise ValueError("a pack: no length is negative")
        if sum(sizes) != len(numbers):
            raise ValueError("a pack: as many options as the lengths say")
        rest = iter(numbers)
        self._solutions = [tuple(islice(rest, size)) for size in sizes]
        self._first = 0  # solutions before this one were taken
        self._taken = 0
        self._lock = RLock()

    def append(self, solution: Sequence[int]) -> None:
        """Adds one: indices of options."""
        with self._lock:
            self._solutions.append(tuple(solution))

    def extend(self, other: Pack) -> None:
        """Moves all solutions of another pack to the end of this one."""
        if other is self:
            return
        with other._lock:
            moved = other._solutions[other._first :]
            other._solutions, other._first = [], 0
        with self._lock:
            self._solutions += moved

    def take(self, count: int, names: list[Hashable] | None, into: list[tuple[Any, ...]]) -> int:
        """Moves up to `count` solutions from the front to a list; returns how many."""
        with self._lock:
            found = self._solutions[self._first : self._first + count]
            if names is None:
                into.extend(found)
            else:
                into.extend([tuple(map(names.__getitem__, one)) for one in found])
            return self._pass(len(found))

    def drop(self, count: int) -> int:
        """Discards up to `count` solutions; returns how many."""
        with self._lock:
            return self._pass(min(count, len(self)))

    def _pass(self, count: int) -> int:
        self._first += count
        self._taken += count
        if 2 * self._first >= len(self._solutions):
            del self._solutions[: self._first]
            self._first = 0
        return count

    @property
    def taken(self) -> int:
        """How many solutions were taken or discarded so far."""
        return self._taken

    @property
    def options(self) -> bytes:
        """Indices of options, as bytes of 32-bit integers."""
        with self._lock:
            return array("i", chain.from_iterable(self._solutions[self._first :])).tobytes()

    @property
    def lengths(self) -> bytes:
        """The length of each solution, in the same form."""
        with self._lock:
            return array("i", map(len, self._solutions[self._first :])).tobytes()

    @property
    def memory(self) -> int:
        """About the bytes taken: 40 for each solution and 8 for each of its options."""
        with self._lock:
            return sum(40 + 8 * len(one) for one in self._solutions)

    def __len__(self) -> int:
        return len(self._solutions) - self._first

    def __reduce__(self) -> tuple[Any, ...]:
        with self._lock:
            return type(self), (self.options, self.lengths)


class SharedIterator:
    """An iterator over a list for several threads: each element goes to one of them."""

    __slots__ = ("_elements", "_lock")

    def __init__(self, elements: list[Any]) -> None:
        self._elements = iter(elements)
        self._lock = RLock()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        with self._lock:
            return next(self._elements)

    def __length_hint__(self) -> int:
        return length_hint(self._elements)


class ChunkIterator:
    """A base class of iterators whose elements come in chunks.

    `_refill` of the subclass is called when no element is left. It stores a list in `_chunk`, or
    raises StopIteration at the end. `_left` is the number of elements not taken yet.
    """

    __slots__ = ("_elements", "_shared")

    __class_getitem__: Any = classmethod(GenericAlias)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        while True:
            for element in self._shared_elements():
                return element
            self._refill()

    def _shared_elements(self) -> SharedIterator:
        try:
            return self._shared
        except AttributeError:  # no chunk has come yet
            return SharedIterator([])

    def _refill(self) -> None:
        raise NotImplementedError

    @property
    def _chunk(self) -> list[Any]:
        return self._elements

    @_chunk.setter
    def _chunk(self, elements: list[Any]) -> None:
        self._elements, self._shared = elements, SharedIterator(elements)

    @property
    def _left(self) -> int:
        return length_hint(self._shared_elements())


class Code:
    """A line codec: see `dlx.Code`, and dlx/cpp/batch/line_codec.hpp."""

    __slots__ = ("_meaning", "_open", "_symbols")

    ALPHABET = 128
    FOREIGN = -2

    def __init__(self, meaning: array[int], letter: bytearray, open_place: int) -> None:
        size = self.ALPHABET
        self._meaning = [meaning[at : at + size] for at in range(0, len(meaning), size)]
        self._open = open_place
        self._symbols = {
            option: (place, character)
            for place, row in enumerate(self._meaning)
            for character, option in enumerate(row)
            if option >= 0 and letter[option] == character
        }

    def read(self, line: str) -> list[int] | None:
        """The options in a line; None if it is not a line of this codec."""
        if len(line) != len(self._meaning) or not line.isascii():
            return None
        options = [row[ord(one)] for row, one in zip(self._meaning, line, strict=True)]
        if self.FOREIGN in options:
            return None
        return [option for option in options if option >= 0]

    def write(self, options: Sequence[int]) -> str:
        """The line of these options, with the character for an empty place elsewhere."""
        line = bytearray([self._open]) * len(self._meaning)
        for option in options:
            if option in self._symbols:
                place, character = self._symbols[option]
                line[place] = character
        return line.decode("ascii")


class Refusal:
    """The reason why a set of givens has no answer, in its place: see `dlx.analysis.batches`."""

    __slots__ = ("first", "given", "item", "kind", "number", "second", "solutions", "stats")

    def __init__(
        self,
        kind: str,
        number: int,
        first: int,
        second: int,
        item: int,
        stats: Stats,
        solutions: list[Any],
        given: Sequence[int] = (),
    ) -> None:
        self.kind = kind
        self.number = number
        self.first = first
        self.second = second
        self.item = item
        self.stats = stats
        self.solutions = solutions
        self.given = list(given)


# -- what only the kernel has ----------------------------------------------------------------------


class _Missing:
    """In place of the kernel's classes that have no stand-in."""

    user = "this engine"

    def __init__(self, *arguments: object, **keywords: object) -> None:
        raise missing(self.user)


Batch = Count = LinearProgram = Minimum = Probes = Reduction = Refuter = Search = SymmetryGroup = (
    _Missing
)


class PermutationGroup(_Missing):
    """A group of permutations."""

    user = "a group of symmetries"


def listing_of(count: object) -> NoReturn:
    """Raises `KernelMissing`: the search of a count that has begun to list solutions."""
    raise missing("counting with a cache")


def keep_sets_with(*columns: Iterable[int] | int) -> NoReturn:
    """Raises `KernelMissing`: the sets of a diagram that contain an option."""
    raise missing("the restriction of a diagram")


_in_call = _local()  # its attribute `cancellation`: that of the call of this thread


class TimeUp(Exception):
    """The deadline of a `Cancellation` has passed."""


class Cancellation:
    """A flag or a deadline that ends the calls of the thread that is in its context."""

    def __init__(self, seconds: float = inf) -> None:
        self._until = monotonic() + seconds
        self._cancelled = False
        self._outer: Cancellation | None = None

    def __enter__(self) -> Self:
        self._outer = getattr(_in_call, "cancellation", None)
        _in_call.cancellation = self
        return self

    def __exit__(self, *args: object) -> None:
        _in_call.cancellation = self._outer

    def cancel(self) -> None:
        """Ends that call by KeyboardInterrupt, at its next `check_cancelled`."""
        self._cancelled = True

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` has been called."""
        return self._cancelled


def check_cancelled() -> None:
    """Raises KeyboardInterrupt if the call of this thread is cancelled, `TimeUp` if it is over."""
    cancellation: Cancellation | None = getattr(_in_call, "cancellation", None)
    while cancellation is not None:
        if cancellation.cancelled:
            raise KeyboardInterrupt
        if monotonic() >= cancellation._until:
            raise TimeUp
        cancellation = cancellation._outer


def info() -> tuple[str, str, list[str]]:
    """No compiler, "none" for the instruction set, and no other ones."""
    return "", "none", []
