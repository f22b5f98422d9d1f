"""Writes certificates of numbers of solutions, which `dlx.check.count` describes and checks.

The kernel writes the diagram of states (dlx/cpp/counting/certificate.hpp). How large it becomes
depends on the item that each state branches on: the first in an order with a narrow frontier, or
one with the fewest branches; and on whether isomorphic states are one. These ways are tried by
turns, with growing allowances, and the one that ends first writes the file.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from math import inf, prod
from typing import TYPE_CHECKING, Final

from dlx.core.kernel import COMPILED
from dlx.core.stats import Stats
from dlx.core.view import ProblemView
from dlx.errors import DiagramTooLarge, InvalidArgument, SearchInterrupted, counted
from dlx.formats import knuth
from dlx.named_tuple import NamedTuple
from dlx.proofs.files import ProofFile, check_replaceable, kind_of
from dlx.search.progress import SearchProgress, check_progress

if TYPE_CHECKING:
    from dlx.core.kernel import CountCertificate
    from dlx.core.numbering import SearchInput
    from dlx.search.options import SearchOptions

__all__ = ["Classes", "certified_count", "numbered_lines"]

Classes = Callable[[float | None], Iterator[tuple[int, Sequence[int]]]]
"""Within a number of seconds: each class of symmetric solutions by its size and one of them."""

MOST_LISTED: Final = 5_000_000  # solutions, if there are classes: the checker makes all of them
FIRST_TRY: Final = 1000  # lines
# How many lines are written for one line where isomorphic states are one, which takes as long:
ISOMORPHIC: Final = 150
SYMMETRIC: Final = 30  # where the problem has `MANY` symmetries, so that it is likely to pay
MANY: Final = 1000
LATER: Final = 10_000  # lines, before the symmetries are counted,
SYMMETRY_WORK: Final = 10_000_000  # with this work at most: a tenth of a second
MOST_KEPT: Final = 2**26  # bytes of text
ALL: Final = 2**62  # lines
REPORT_INTERVAL: Final = 0.1  # seconds between two calls of `progress`

HEAD: Final = 'dlx proof: count certificate 1 (it proves nothing without its last line, "end")\n'


def certified_count(
    search_input: SearchInput,
    options: SearchOptions,
    symmetries: Iterable[Sequence[int]] = (),
    classes: Classes | None = None,
) -> int:
    """The number of solutions, with a certificate of it in the file `options.proof`.

    With `classes`, it is their number; `symmetries` generate the group, each by the images of all
    options. Raises `InvalidArgument` for a path or a keyword that does not fit,
    `SearchInterrupted` after the timeout, and `DiagramTooLarge`.
    """
    path, _ = kind_of(options.proof, ("count",), "count")
    _check_keywords(options)
    check_replaceable(path)
    work = _Work(search_input, options)
    way, number, parts = work.best_way()
    if classes is not None and number > MOST_LISTED:
        raise InvalidArgument(
            f"a proof of the number of classes lists one solution of each, and its checker makes "
            f"all {Decimal(number)} solutions of them; there may be {MOST_LISTED} at most"
        )
    with ProofFile(path, _head(search_input, symmetries)) as file:
        for part in work.parts(way) if parts is None else parts:
            file.write(part)
        ending = f"solutions {Decimal(number)}\n"  # Python limits the digits of str(number)
        if classes is not None:
            file.write(ending.encode())
            number = 0
            for size, solution in classes(work.seconds_left()):
                number += 1
                file.write(f"class {size} {' '.join(map(str, solution))}\n".encode())
            ending = f"classes {number}\n"
        file.close(f"{ending}end\n")
    return number


def numbered_lines(problem: ProblemView) -> Iterator[str]:
    """The lines of a problem in Knuth's format, with numbers for names: any problem has them.

    The checker reads them; to what items are called it is the same.
    """
    plain: ProblemView = ProblemView()
    plain._table = table = problem._table.copy()
    table.items = [*range(len(table.items))]
    table.color_names = [*range(len(table.color_names))]
    table.names = None
    return knuth.lines(plain)


def _check_keywords(options: SearchOptions) -> None:
    """Raises `InvalidArgument` for keywords of a count that a certificate cannot have."""
    for keyword, given, usual in (
        ("engine", options.engine, "auto" if COMPILED else "python"),
        ("heuristic", options.heuristic, "mrv"),
        ("seed", options.seed, None),
        ("limit", options.limit, None),
        ("node_limit", options.node_limit, None),
        ("part", options.part, None),
        ("workers or executor", options.workers, None),
        ("checkpoint", options.checkpoint, None),
    ):
        if given != usual:
            raise InvalidArgument(
                f"a count with a proof counts all solutions in its own way; leave out {keyword}"
            )
    check_progress(options.progress)


def _head(search_input: SearchInput, symmetries: Iterable[Sequence[int]]) -> str:
    """The lines before the diagram."""
    table, _, given = search_input
    forbidden = () if table.narrowed_from is None else table.narrowed_from.forbidden
    size = table.secondary.count(0), len(table.items), len(table) + len(forbidden)
    lines = [("problem", *size), ("forbid", *sorted(forbidden)), ("given", *given)]
    lines += [("generator", *images) for images in symmetries]
    return HEAD + "".join(" ".join(map(str, line)) + "\n" for line in lines)


class _Way(NamedTuple):
    """A way to make the diagram; an empty order means the item with the fewest branches."""

    order: list[int]
    isomorphic: bool


class _Text:
    """Text as it is written, while it is no more than some megabytes."""

    def __init__(self) -> None:
        self.parts: list[bytes] | None = []
        self._size = 0

    def add(self, part: bytes) -> None:
        """Appends a part."""
        self._size += len(part)
        if self._size > MOST_KEPT:
            self.parts = None
        elif self.parts is not None:
            self.parts.append(part)


class _Work:
    """The time, the memory and the progress of writing a certificate."""

    def __init__(self, search_input: SearchInput, options: SearchOptions) -> None:
        self._problem = search_input.numbered.problem
        self._given = search_input.given
        self._table = search_input.table
        self._multiple = search_input.table.has_multiplicities
        self._options = options
        self._began = self._reported = time.monotonic()
        self._lines = 0

    def best_way(self) -> tuple[_Way, int, list[bytes] | None]:
        """A way that needs little work, and the number of solutions by it.

        And the whole text, unless it is long.
        """
        narrow = self._problem.narrow_order()
        ways = [_Way(narrow, False), _Way([], False), _Way([], True)]
        ways = ways[:2] if self._multiple or not self._options.symmetry else ways
        tried = [(way, self._writer(way, len(ways)), _Text()) for way in ways]
        lines, share = FIRST_TRY, 0
        while True:
            if share == 0 and lines > LATER:
                share = self._isomorphic_share()
            for way, writer, text in [*tried]:
                most = lines // (share or ISOMORPHIC) if way.isomorphic else lines
                try:
                    while writer.lines < most and not writer.finished:
                        text.add(self._run(writer, most))
                except DiagramTooLarge:
                    tried = [one for one in tried if one[0] is not way]
                    if not tried:
                        raise
                if writer.finished:
                    number = int.from_bytes(writer.solutions, "little")
                    return way, number, text.parts
            lines += lines // 4

    def _isomorphic_share(self) -> int:
        """How many lines are written for one where isomorphic states are one."""
        if self._multiple:
            return ISOMORPHIC
        table = self._table
        kinds, alike = sorted(table.secondary), [0] * len(table)
        group = self._problem.symmetries(kinds, alike, SYMMETRY_WORK, SYMMETRY_WORK)
        return SYMMETRIC if prod(group.orbit_lengths) >= MANY else ISOMORPHIC

    def parts(self, way: _Way) -> Iterator[bytes]:
        """The text of a diagram."""
        writer = self._writer(way, 1)
        while not writer.finished:
            yield self._run(writer, ALL)

    def _writer(self, way: _Way, share: int) -> CountCertificate:
        """Begins a diagram, with a share of the memory."""
        memory = self._options.memory // share
        try:
            return self._problem.count_certificate(self._given, *way, memory)
        except MemoryError:
            raise self._too_large() from None

    def _run(self, writer: CountCertificate, lines: int) -> bytes:
        """Continues a diagram up to a number of lines, or for some time: the text."""
        left = self.seconds_left()
        interval = inf if self._options.progress is None else REPORT_INTERVAL
        before = writer.lines
        try:
            text = writer.run(min(interval, inf if left is None else left), lines)
        except MemoryError:
            raise self._too_large() from None
        self._lines += writer.lines - before
        found = int.from_bytes(writer.solutions, "little")
        now = time.monotonic()
        seconds = now - self._began
        if self._options.progress is not None and now - self._reported >= REPORT_INTERVAL:
            self._reported = now
            self._options.progress(SearchProgress(self._lines, found, seconds, None, None))
        if self.seconds_left() == 0 and not writer.finished:
            stats = Stats(self._lines, 0, found, (), seconds)
            raise SearchInterrupted("timeout", count=found, stats=stats)
        return text

    def seconds_left(self) -> float | None:
        """The seconds until the timeout, at least 0; None if there is none."""
        timeout = self._options.timeout
        if timeout is None:
            return None
        return max(0.0, timeout - (time.monotonic() - self._began))

    def _too_large(self) -> DiagramTooLarge:
        limit = self._options.memory
        return DiagramTooLarge(
            f"the certificate needs more than memory_limit={limit} bytes: stopped at "
            f"{counted(self._lines, 'line')}; allow more, or count without a proof",
            memory_limit=limit,
            nodes=self._lines,
        )
