"""`lint`: finds the faulty, redundant and repeated puzzles of a collection.

Puzzles are read lazily, from files of any length, and checked in batches: the kernel counts the
solutions of a whole batch at once (`sudoku.count_many`), and then those of its puzzles without each
of their givens. For each puzzle, a digest and a digest of its canonical form stay in memory, about
300 bytes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import islice
from typing import IO, Any, NamedTuple

from dlx import SearchInterrupted
from sudoku.analysis.canonical import canonical, has_canonical_form
from sudoku.analysis.redundant_rules import removable_rules, without_rule
from sudoku.analysis.verdict import judge
from sudoku.board.cells import is_iterable
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, cell_name, checked_layout, layout_cache, symbol
from sudoku.errors import LayoutError, PuzzleError, SudokuError, listed, shown
from sudoku.formats.read import read
from sudoku.solving.many import count_many
from sudoku.solving.no_solution import no_solution_text
from sudoku.text.puzzles import parse

__all__ = ["Finding", "KINDS", "LocatedPuzzle", "lint", "lint_located"]

KINDS = (
    "unreadable",
    "no solution",
    "not unique",
    "not minimal",
    "duplicate",
    "equivalent",
    "undecided",
)
"""The kinds of findings."""

BATCH = 256  # puzzles checked together
_NAMED = 10  # givens or rules named in a message, at most

LocatedPuzzle = tuple[str, int, Grid | SudokuError]
"""The place of a puzzle (a source and a line, or an empty name and a number), and the puzzle."""


class Finding(NamedTuple):
    """One problem of one puzzle. Its `str` is a sentence."""

    kind: str
    """One of `KINDS`."""
    line: int
    """The line of the puzzle in the file, or its number in the list, from 1."""
    text: str
    """The details."""
    puzzle: Grid | None
    """The puzzle, None if it is unreadable."""
    other: tuple[str, int] | None = None
    """The source and the line of the first puzzle that is the same, or equivalent."""
    source: str = ""
    """The name of the file, empty for lists."""

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}" if self.text else self.kind


def lint(
    source: str | os.PathLike[str] | IO[str] | IO[bytes] | Iterable[object],
    layout: Layout | None = None,
    *,
    equivalents: bool = True,
    minimal: bool = True,
    rules: bool = False,
    workers: int | None = 1,
    timeout: float | None = None,
    engine: str = "auto",
) -> Iterator[Finding]:
    """Lazy iterator over the problems of a collection of puzzles, puzzle by puzzle.

    `source` is a file (a path, or an open one), or a list of puzzles. A finding is a puzzle that
    is unreadable, has no solution or several, has redundant givens ("not minimal"; not reported for
    full grids), is a duplicate, or becomes another puzzle by renaming digits, exchanging rows and
    so on (`equivalents`; not for layouts without `canonical` form). With `rules`, it is
    "not minimal" as well if the rest implies a rule, as it does any cage of most killers. `timeout`
    is in seconds for each search; a search that it stops makes the puzzle "undecided".

    >>> puzzles = ["1... .2.. ..3. 4...", "2... .1.. ..3. 4...", "12.. .... .... ...1", "12345"]
    >>> for finding in lint(puzzles): print(finding.line, finding.kind)
    2 equivalent
    3 not unique
    4 unreadable

    Raises OSError if the file cannot be read. About a millisecond for each puzzle of 9x9.
    """
    if layout is not None:
        checked_layout(layout)
    found = _from_file(source, layout) if _is_file(source) else _from_list(source, layout)
    return lint_located(
        found,
        equivalents=equivalents,
        minimal=minimal,
        rules=rules,
        workers=workers,
        timeout=timeout,
        engine=engine,
    )


def lint_located(
    found: Iterable[LocatedPuzzle],
    *,
    equivalents: bool = True,
    minimal: bool = True,
    rules: bool = False,
    **search: Any,
) -> Iterator[Finding]:
    """The findings of `lint` for puzzles with their places, from several sources."""
    linter = _Linter(equivalents, minimal, rules, search)
    source = iter(found)
    while batch := list(islice(source, BATCH)):
        yield from linter.findings(batch)


def _is_file(source: object) -> bool:
    return isinstance(source, str | os.PathLike) or hasattr(source, "read")


def _from_file(source: Any, layout: Layout | None) -> Iterator[LocatedPuzzle]:
    """The puzzles and the unreadable lines of a file, in order."""
    name = os.fspath(source) if isinstance(source, str | os.PathLike) else ""
    errors: list[PuzzleError] = []

    def unreadable() -> Iterator[LocatedPuzzle]:
        while errors:
            error = errors.pop(0)
            yield str(name), error.line or 0, error

    for line, grid, _ in read(source, layout, on_error=errors.append):
        yield from unreadable()
        yield str(name), line, grid
    yield from unreadable()


def _from_list(source: Any, layout: Layout | None) -> Iterator[LocatedPuzzle]:
    """The puzzles of a list, or the errors in their place."""
    if not is_iterable(source):
        what = f"{shown(source)} is not a collection of puzzles"
        raise PuzzleError(f"{what}: expected a path, an open file or a list")
    for number, puzzle in enumerate(source, 1):
        try:
            yield "", number, parse(puzzle, layout)
        except (PuzzleError, LayoutError) as error:
            yield "", number, error


class _Linter:
    """Finds the problems of a collection, batch by batch; keeps the digests of earlier puzzles."""

    def __init__(
        self, equivalents: bool, minimal: bool, rules: bool, search: dict[str, Any]
    ) -> None:
        self._equivalents = equivalents
        self._minimal = minimal
        self._rules = rules
        self._search = search
        self._sources: list[str] = []
        # From the digest of a puzzle, and of its canonical form, to the source and the line of the
        # first puzzle that has it.
        self._by_puzzle: dict[bytes, tuple[int, int]] = {}
        self._by_form: dict[bytes, tuple[int, int]] = {}

    def findings(self, batch: list[LocatedPuzzle]) -> Iterator[Finding]:
        """The findings of the next batch of puzzles."""
        grids = [grid for *_, grid in batch if isinstance(grid, Grid)]
        counts = iter(self._count(grids))
        found = []  # for each puzzle, the number of its solutions, or an exception
        unique = []
        for *_, grid in batch:
            found.append(next(counts) if isinstance(grid, Grid) else None)
            if found[-1] == 1 and isinstance(grid, Grid) and 0 in grid.cells:
                unique.append(grid)
        redundant = iter(self._redundant(unique) if self._minimal else [])
        for (source, line, grid), count in zip(batch, found, strict=True):
            if not isinstance(grid, Grid):
                yield Finding("unreadable", line, _message(grid), None, None, source)
                continue
            for kind, text in self._of_solutions(grid, count):
                yield Finding(kind, line, text, grid, None, source)
            if self._minimal and count == 1 and 0 in grid.cells:
                for kind, text in _of_redundant(grid, next(redundant)):
                    yield Finding(kind, line, text, grid, None, source)
            if self._rules and count == 1:
                for kind, text in self._of_rules(grid):
                    yield Finding(kind, line, text, grid, None, source)
            yield from self._of_repetitions(source, line, grid)

    def _count(self, grids: Iterable[Grid]) -> list[Any]:
        """For each grid the number of its solutions, counted up to 2, or an exception."""
        with count_many(grids, limit=2, errors="return", **self._search) as counts:
            return list(counts)

    def _of_solutions(self, grid: Grid, count: object) -> Iterator[tuple[str, str]]:
        """The kind and the text of the finding for a number of solutions, unless it is 1."""
        if isinstance(count, SearchInterrupted):
            yield "undecided", "the timeout stopped the count of solutions"
        elif count == 0:
            yield "no solution", no_solution_text(grid)
        elif count == 2:
            arguments = {key: value for key, value in self._search.items() if key != "workers"}
            difference = judge(grid, **arguments).difference
            yield "not unique", difference.replace("two differ", "two solutions differ")

    def _of_rules(self, grid: Grid) -> Iterator[tuple[str, str]]:
        """The kind and the text of the finding for implied rules, if there are any."""
        found = []
        timeout, engine = self._search["timeout"], self._search["engine"]
        try:
            for rule in removable_rules(grid.layout):
                if without_rule(grid, rule, timeout, engine):
                    found.append(str(rule))
        except SearchInterrupted:
            yield "undecided", "the timeout stopped the check for implied rules"
        if found:
            yield "not minimal", _removable(found, len(grid.layout.rules), "rules")

    def _redundant(self, grids: list[Grid]) -> list[list[int] | None]:
        """For each puzzle, the cells whose givens are redundant; None if undecided."""
        reduced, groups = [], []
        for grid in grids:
            line = grid.line
            cells = [cell for cell, digit in enumerate(grid.cells) if digit]
            groups.append(cells)
            for cell in cells:
                reduced.append(Grid.from_line(f"{line[:cell]}.{line[cell + 1 :]}", grid.layout))
        counts = iter(self._count(reduced))
        found: list[list[int] | None] = []
        for cells in groups:
            answers = [(cell, next(counts)) for cell in cells]
            stopped = any(isinstance(count, SearchInterrupted) for _, count in answers)
            some = [cell for cell, count in answers if count == 1]
            found.append(None if stopped and not some else some)
        return found

    def _of_repetitions(self, source: str, line: int, grid: Grid) -> Iterator[Finding]:
        """A finding if the puzzle, or an equivalent one, occurred before."""
        here = (self._number_of(source), line)
        first = self._by_puzzle.setdefault(_digest(grid), here)
        if first is not here:
            other = self._place(first)
            yield Finding("duplicate", line, f"the same as {_at(other)}", grid, other, source)
            return
        if not self._equivalents or not has_canonical_form(grid.layout):
            return
        try:
            form = canonical(grid)
        except PuzzleError:  # a house has a digit twice
            return
        first = self._by_form.setdefault(_digest(form), here)
        if first is not here:
            other = self._place(first)
            text = f"a transformed copy of {_at(other)}"
            yield Finding("equivalent", line, text, grid, other, source)

    def _number_of(self, source: str) -> int:
        """The index of a source; all puzzles of a source come together."""
        if not self._sources or self._sources[-1] != source:
            self._sources.append(source)
        return len(self._sources) - 1

    def _place(self, first: tuple[int, int]) -> tuple[str, int]:
        return self._sources[first[0]], first[1]


def _of_redundant(grid: Grid, cells: list[int] | None) -> Iterator[tuple[str, str]]:
    """The kind and the text of the finding for the cells of redundant givens, if there are any."""
    if cells is None:
        yield "undecided", "the timeout stopped the check for redundant givens"
    elif cells:
        places = grid.layout.positions
        names = [f"{cell_name(*places[cell])}={symbol(grid.cells[cell])}" for cell in cells]
        yield "not minimal", _removable(names, grid.filled, "givens")


def _removable(names: list[str], number: int, what: str) -> str:
    """The sentence that any one of some givens or rules can be removed."""
    if len(names) == 1:
        return f"1 of the {number} {what} can be removed: {names[0]}"
    which = listed(names, "or", _NAMED)
    return f"any one of {len(names)} of the {number} {what} can be removed: {which}"


def _message(error: SudokuError) -> str:
    """The message of the error, without the number of the line."""
    if isinstance(error, PuzzleError):
        return str(PuzzleError(error.what, text=error.text))
    return str(error)


def _at(place: tuple[str, int]) -> str:
    source, line = place
    return f"{source}:{line}" if source else str(line)


def _digest(grid: Grid) -> bytes:
    return blake2b(_content(grid.layout) + grid.line.encode(), digest_size=16).digest()


@layout_cache
def _content(layout: Layout) -> bytes:
    """A digest of the cells, houses and rules of a layout, without names.

    The name of a layout does not identify it: every killer has the name "killer".
    """
    houses = sorted({house.cells for house in layout.houses})
    rules = sorted(map(repr, layout.rules))
    content = repr((layout.side, layout.positions, houses, rules))
    return blake2b(content.encode(), digest_size=16).digest()
