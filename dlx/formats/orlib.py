"""OR-Library's files of set covering (scp, rail) and set partitioning (spp): numbers, no names.

The files have the numbers of rows and columns, and then, with white space and line ends anywhere,

* scp: the costs of all columns; for each row, how many columns cover it, and their numbers
  (scp41.txt and others of that name, for example);
* rail, spp: for each column its cost, how many rows it covers, and their numbers (rail507 to
  rail4872; sppnw01.txt and other files of airlines).

In scp and rail each row is covered at least once, in spp exactly once. Rows and columns are
numbered from 1; row 1 becomes item 1, column 1 option 0. Each format has a suffix of its own here:
OR-Library's `.txt` is that of Knuth's format, so files of that name need `format="scp"`.

Written are problems whose items have these multiplicities, without secondary items and weights.
Names and comments are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Final, NoReturn

from dlx.core.arguments import LARGEST_ITEMS
from dlx.core.encoding import text_lines
from dlx.core.multiplicity import ONCE, Bounds, bounds_text
from dlx.errors import DLXError, FormatError, quote

if TYPE_CHECKING:
    from dlx.core.table import Table
    from dlx.core.view import ProblemView

__all__ = ["rail_lines", "read_rail", "read_scp", "read_spp", "scp_lines", "spp_lines"]

AT_LEAST_ONCE: Final = (1, None)
WIDTH: Final = 12  # numbers on a line


# -- reading -------------------------------------------------------------------------------------


def read_scp(table: Table, file: Iterable[str], where: str | None) -> None:
    """Reads lines of text into an empty table. `where` is the file's name, for messages.

    Raises `FormatError` with the number of the line. O(size of the file).
    """
    numbers = _Numbers(file, where)
    rows, columns = numbers.read_sizes()
    costs = [numbers.read("the cost", "column", column) for column in range(1, columns + 1)]
    options: list[list[int]] = [[] for _ in costs]
    for row in range(1, rows + 1):
        for column in numbers.read_list("row", row, "column", columns):
            options[column - 1].append(row)
    numbers.fill(table, rows, AT_LEAST_ONCE, options, costs)


def read_rail(table: Table, file: Iterable[str], where: str | None) -> None:
    """As `read_scp`, for rail files."""
    _read_columns(table, _Numbers(file, where), AT_LEAST_ONCE)


def read_spp(table: Table, file: Iterable[str], where: str | None) -> None:
    """As `read_scp`, for files of set partitioning."""
    _read_columns(table, _Numbers(file, where), ONCE)


def _read_columns(table: Table, numbers: _Numbers, bounds: Bounds) -> None:
    rows, columns = numbers.read_sizes()
    costs: list[int] = []
    options: list[list[int]] = []
    for column in range(1, columns + 1):
        costs.append(numbers.read("the cost", "column", column))
        options.append(numbers.read_list("column", column, "row", rows))
    numbers.fill(table, rows, bounds, options, costs)


class _Numbers:
    """The numbers of a file, read one by one."""

    def __init__(self, file: Iterable[str], where: str | None) -> None:
        self._where = where
        self._line = 0
        self._numbers = self._all(file)

    def _all(self, file: Iterable[str]) -> Iterator[int]:
        for number, text in text_lines(file, self._where):
            self._line = number
            for word in text.split():
                if not re.fullmatch(r"[+-]?[0-9]{1,18}(\.0*)?", word):
                    self._fail(f"{quote(word)} is not an integer")
                yield int(word.partition(".")[0])

    def _fail(self, message: str) -> NoReturn:
        raise FormatError(message, line=self._line, source=self._where)

    def read(self, what: str, kind: str = "", of: int = 0) -> int:
        """The next number; `what`, `kind` and `of` say what it is."""
        for number in self._numbers:
            return number
        return self._fail(f"the file ends before {what}" + (f" of {kind} {of}" if kind else ""))

    def read_sizes(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        sizes = self.read("the number of rows"), self.read("the number of columns")
        if not all(0 <= size <= LARGEST_ITEMS for size in sizes):
            self._fail(f"{sizes[0]} rows and {sizes[1]} columns; there are 0 to {LARGEST_ITEMS:,}")
        return sizes

    def read_list(self, kind: str, of: int, member: str, most: int) -> list[int]:
        """The members of a row or column: how many, and their numbers."""
        size = self.read(f"the number of {member}s", kind, of)
        if not 0 <= size <= most:
            self._fail(f"{kind} {of} has {size} {member}s; there are {most}")
        found = list(islice(self._numbers, size))
        if len(found) < size:
            self._fail(f"the file ends in {kind} {of}: {len(found)} of {size} {member}s")
        for number in found:
            if not 1 <= number <= most:
                self._fail(f"{kind} {of} has the {member} {number}; they are 1 to {most}")
        if len(set(found)) < size:
            self._fail(f"{kind} {of} has a {member} twice")
        return found

    def fill(
        self, table: Table, rows: int, bounds: Bounds, options: list[list[int]], costs: list[int]
    ) -> None:
        """Fills an empty table, at the end of the file."""
        for number in self._numbers:
            self._fail(f"{number} comes after the last number")
        for row in range(1, rows + 1):
            table.add_item(row, secondary=False, multiplicity=bounds)
        try:
            table.extend(options)
            table.set_costs(costs)
        except DLXError as error:
            raise FormatError(str(error), source=self._where) from None


# -- writing -------------------------------------------------------------------------------------


def scp_lines(problem: ProblemView) -> Iterator[str]:
    """The lines of a file, with line ends. Raises `FormatError` before the first. O(entries)."""
    options = _options(problem, "scp", AT_LEAST_ONCE)
    columns: list[list[int]] = [[] for _ in problem.items]
    for number, rows in enumerate(options, start=1):
        for row in rows:
            columns[row - 1].append(number)
    yield f"{len(columns)} {len(options)}\n"
    yield from _wrapped(problem.costs)
    for found in columns:
        yield f"{len(found)}\n"
        yield from _wrapped(found)


def rail_lines(problem: ProblemView) -> Iterator[str]:
    """As `scp_lines`, for rail files."""
    return _column_lines(problem, _options(problem, "rail", AT_LEAST_ONCE))


def spp_lines(problem: ProblemView) -> Iterator[str]:
    """As `scp_lines`, for files of set partitioning."""
    return _column_lines(problem, _options(problem, "spp", ONCE))


def _column_lines(problem: ProblemView, options: list[list[int]]) -> Iterator[str]:
    yield f"{len(problem.items)} {len(options)}\n"
    for cost, rows in zip(problem.costs, options, strict=True):
        yield f"{cost} {len(rows)} {' '.join(map(str, rows))}\n"


def _wrapped(numbers: Sequence[int]) -> Iterator[str]:
    for first in range(0, len(numbers), WIDTH):
        yield f"{' '.join(map(str, numbers[first : first + WIDTH]))}\n"


def _options(problem: ProblemView, form: str, bounds: Bounds) -> list[list[int]]:
    """The rows of each column. Raises `FormatError` if the format cannot hold the problem."""
    table = problem._table
    for number, item in enumerate(table.items):
        found = table.multiplicities.get(number, ONCE)
        if table.secondary[number] or found != bounds or number in table.extra_weights:
            how = "in some options several times" if found == bounds else bounds_text(found)
            how = "is secondary" if table.secondary[number] else f"is covered {how}"
            raise FormatError(
                f"item {quote(item)} {how}; in the format {form} options cover each item once, "
                f"and solutions {bounds_text(bounds)} time{'s' * (bounds == AT_LEAST_ONCE)}"
            )
    return [
        [number + 1 for number in table.entry_item[first:end]]
        for first, end in pairwise(table.start)
    ]
