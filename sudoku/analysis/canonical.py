"""Which puzzles are the same but for their looks: canonical forms.

Two puzzles are equivalent if one becomes the other by renaming digits, exchanging rows within a
band, bands, columns within a stack and stacks, and, where boxes are square, by turning rows into
columns. On 9x9 that makes 3 359 232 x 9! ways to write a puzzle. The canonical form is the one of
them that is smallest when read as a line, a blank being less than any digit: the minlex form, as
people who catalogue Sudokus call it. (Solved grids of 9x9 have 5 472 730 538 canonical forms:
E. Russell and F. Jarvis, "Mathematics of Sudoku II", 2006.)

It is written row by row, and all ways that lead to the smallest rows so far are kept. A way is

    an order of some rows     those that have been written
    groups of columns         in their places, from left to right; the columns of a group could
                              still be exchanged, since the rows so far look the same either way;
                              while there is one row only, that goes for stacks, too
    names for some digits     the digits that are in the first row are named 1, 2, 3 ... from left
                              to right, but those of a group of columns only when it is split

A row splits groups: those of their columns come first that have a blank, then those with the digits
of the smallest names. Of digits in a group that have no names yet, each may be the first to get the
smallest one there is: only there do ways branch, and at the choice of the next row. Ways whose row
is not the smallest end at the first cell that is too large.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.errors import LayoutError, PuzzleError
from sudoku.rules.check import duplicates
from sudoku.text.puzzles import parse

__all__ = ["canonical", "is_equivalent"]

Puzzle = str | Iterable[object] | Grid
Row = tuple[int, ...]


def canonical(puzzle: Puzzle, *, layout: Layout | None = None) -> Grid:
    """The smallest of all equivalent puzzles (or solved grids), read as a line with blanks as 0.

    >>> canonical("4321 2143 3412 1234").line
    '1234341221434321'
    >>> canonical("...1 .2.. ..3. 4...").line == canonical("4... ..3. .1.. ...2").line
    True

    Milliseconds on 9x9; more for puzzles that can be carried into themselves in many ways. Raises
    `LayoutError` if the layout is not one of boxes in a square and nothing else, and `PuzzleError`
    for a puzzle in which digits clash.
    """
    grid = parse(puzzle, layout)
    shape = grid.layout
    _check(grid)
    tall, wide = shape.box_rows, shape.box_columns
    if wide == 1:
        tall, wide = 1, tall  # boxes of one row or one column say nothing: a Latin square
    return Grid.from_cells(_smallest(grid.cells, tall, wide), shape)


def is_equivalent(one: Puzzle, other: Puzzle, *, layout: Layout | None = None) -> bool:
    """Whether the puzzles have the same canonical form, and the same layout.

    >>> is_equivalent("1234 3412 2143 4321", "4321 2143 3412 1234")
    True
    >>> is_equivalent("1234 3412 2143 4321", "1234 3412 2341 4123")
    False
    """
    first, second = parse(one, layout), parse(other, layout)
    if first.layout is not second.layout:
        return False
    if first.filled != second.filled:
        _check(first)
        _check(second)
        return False
    return canonical(first) == canonical(second)


def has_canonical_form(layout: Layout) -> bool:
    """Whether the symmetries of the layout are those that are known here."""
    return layout.is_classic


def _check(grid: Grid) -> None:
    if not has_canonical_form(grid.layout):
        raise LayoutError(
            f"the layout {grid.layout} has symmetries of its own: canonical forms are there for "
            "boxes in a square without further rules only"
        )
    if flaws := duplicates(grid):
        raise PuzzleError(f"a puzzle whose digits clash has no canonical form: {flaws[0]}")


class _View(NamedTuple):
    """A puzzle as rows, or turned into columns; and the shape of its bands."""

    rows: tuple[Row, ...]
    tall: int
    key: tuple[tuple[Row, ...], ...]  # of each row: the rows of its band, sorted

    @classmethod
    def of(cls, rows: tuple[Row, ...], tall: int) -> _View:
        bands = [tuple(sorted(rows[at : at + tall])) for at in range(0, len(rows), tall)]
        return cls(rows, tall, tuple(bands[row // tall] for row in range(len(rows))))

    def next_rows(self, used: int, last: int) -> Iterator[int]:
        """The rows that may follow, of those that look the same only one."""
        tall = self.tall
        band = last // tall * tall
        whole = (1 << tall) - 1
        seen: set[object] = set()
        if used >> band & whole != whole:
            for row in range(band, band + tall):
                if not used >> row & 1 and self.rows[row] not in seen:
                    seen.add(self.rows[row])
                    yield row
            return
        for row, content in enumerate(self.rows):
            if not used >> row // tall * tall & whole and (content, self.key[row]) not in seen:
                seen.add((content, self.key[row]))
                yield row


class _Way:
    """One way to write the rows so far."""

    __slots__ = ("columns", "first", "free", "last", "names", "stacks", "start", "used", "view")

    view: _View
    used: int
    """The rows that have been written, as bits."""
    last: int
    """The one that was written last."""
    first: Row
    """For each digit its column in the first row, or -1."""
    columns: list[Row]
    """For each place from left to right, the group of columns that it belongs to."""
    start: list[int]
    """For each column, the first place of its group, as far to the left as that may still be."""
    stacks: list[Row]
    """For each stack from left to right, the stacks one of which it may be; none once it is put."""
    names: list[int]
    """For each digit that is not in the first row its name, or 0."""
    free: int
    """The smallest name that none of those digits can have."""

    def after(self, row: int) -> _Way:
        """A copy, to write that row."""
        way = self.copy()
        way.used |= 1 << row
        way.last = row
        return way

    def copy(self) -> _Way:
        """This way, to branch from here."""
        way = _Way()
        way.view, way.used, way.last, way.first = self.view, self.used, self.last, self.first
        way.columns, way.start, way.stacks = self.columns[:], self.start[:], self.stacks[:]
        way.names, way.free = self.names[:], self.free
        return way

    def put_stack(self, stack: int, wide: int) -> None:
        """Puts the stack as far to the left as it may be."""
        columns, start, stacks = self.columns, self.start, self.stacks
        inside = range(stack * wide, stack * wide + wide)
        place = min(start[column] for column in inside) // wide
        others = tuple(other for other in stacks[place] if other != stack)
        stacks[place] = ()
        for later in range(place + 1, place + 1 + len(others)):
            stacks[later] = others
        for other in others:
            for column in range(other * wide, other * wide + wide):
                start[column] += wide
        for at in range(place * wide, place * wide + wide):
            columns[at] = tuple(c for c in inside if start[c] == at) or columns[at - 1]

    def split(self, before: Row, after: Row) -> None:
        """Makes two groups of the one that they are, if there are two."""
        if not before or not after:
            return
        columns, start = self.columns, self.start
        place = start[before[0]]
        middle, end = place + len(before), place + len(before) + len(after)
        columns[place:end] = [before] * len(before) + [after] * len(after)
        for column in after:
            start[column] = middle

    def put_first(self, column: int) -> None:
        """Puts the column first in its group, and by itself."""
        wide = len(self.start) // len(self.stacks)
        if self.stacks[self.start[column] // wide]:
            self.put_stack(column // wide, wide)
        group = self.columns[self.start[column]]
        if len(group) > 1:
            self.split((column,), tuple(other for other in group if other != column))

    def name(self, digit: int) -> None:
        """Gives the digit the smallest name that it can have."""
        if self.first[digit] >= 0:
            self.put_first(self.first[digit])
        elif not self.names[digit]:
            self.names[digit] = self.free
            self.free += 1

    @property
    def key(self) -> tuple[object, ...]:
        """What of it matters for the rows to come."""
        return self.view, self.used, self.first, tuple(self.columns), tuple(self.names)


class _Writer:
    """Writes the smallest next row, in all ways there are."""

    def __init__(self, first: Row) -> None:
        self._first = first  # the first row, as it was written
        self.row: list[int] = []
        """The smallest so far."""
        self.ways: list[_Way] = []
        """Those that lead to it."""

    def write(self, way: _Way, row: Row) -> None:
        """Takes the way into account that writes this row next."""
        todo = [(way, 0)]
        while todo:
            way, place = todo.pop()
            place = self._write_on(way, row, place, todo)
            if place == len(row):
                self.ways.append(way)

    def _write_on(self, way: _Way, row: Row, place: int, todo: list[tuple[_Way, int]]) -> int:
        """Goes on as long as the way does not branch; it is at its end if it is too large."""
        names, first, start, columns = way.names, way.first, way.start, way.columns
        titles, stacks = self._first, way.stacks
        side = len(row)
        wide = side // len(stacks)
        while place < side:
            if place % wide == 0 and (stack := stacks[place // wide]):
                for other in stack[1:]:
                    branch = way.copy()
                    branch.put_stack(other, wide)
                    todo.append((branch, place))
                way.put_stack(stack[0], wide)
            group = columns[place]
            if len(group) == 1:
                digit = row[group[0]]
                if not digit:
                    name = 0
                elif (column := first[digit]) >= 0:
                    name = titles[start[column]]
                else:
                    name = names[digit] or way.free
                if not self._keeps(place, name):
                    return -1
                if digit:
                    way.name(digit)
                place += 1
                continue
            blank = tuple(column for column in group if not row[column])
            if blank:
                for at in range(place, place + len(blank)):
                    if not self._keeps(at, 0):
                        return -1
                way.split(blank, tuple(column for column in group if row[column]))
                place += len(blank)
                continue
            tried = []
            for column in group:
                digit = row[column]
                if (other := first[digit]) >= 0:
                    at = start[other]
                    # In a group with the column that is put here, it comes after it.
                    tried.append(titles[at + (at == place)])
                else:
                    tried.append(names[digit] or way.free)
            name = min(tried)
            if not self._keeps(place, name):
                return -1
            *others, column = (c for c, found in zip(group, tried, strict=True) if found == name)
            for other in others:
                branch = way.copy()
                branch.put_first(other)
                branch.name(row[other])
                todo.append((branch, place + 1))
            way.put_first(column)
            way.name(row[column])
            place += 1
        return place

    def _keeps(self, place: int, name: int) -> bool:
        """Whether a row with that name there, and the smallest ones before, may be the smallest."""
        best = self.row
        if place == len(best):
            best.append(name)
            return True
        if name < best[place]:
            best[place:] = [name]
            self.ways.clear()
            return True
        return name == best[place]


def _smallest(cells: Row, tall: int, wide: int) -> Row:
    side = tall * wide
    rows = tuple(cells[at : at + side] for at in range(0, side * side, side))
    views = [_View.of(rows, tall)]
    if tall == wide or tall == 1:
        views.append(_View.of(tuple(zip(*rows, strict=True)), tall))
    first, ways = _first_row(views, wide)
    written = list(first)
    for _ in range(side - 1):
        writer = _Writer(first)
        for way in ways:
            for row in way.view.next_rows(way.used, way.last):
                writer.write(way.after(row), way.view.rows[row])
        written += writer.row
        ways = writer.ways
        if len(ways) > 1:
            ways = list({way.key: way for way in ways}.values())
    return tuple(written)


def _first_row(views: list[_View], wide: int) -> tuple[Row, list[_Way]]:
    """The smallest first row, and all ways to write it.

    Its digits are named from left to right, so that only its blanks matter: the stacks with the
    most of them come first, and in each the blanks.
    """
    best: list[int] = []
    found: list[tuple[_View, int]] = []
    for view in views:
        for row, content in enumerate(view.rows):
            counts = sorted(
                sum(map(bool, content[at : at + wide])) for at in range(0, len(content), wide)
            )
            if not found or counts < best:
                best, found = counts, []
            if counts == best:
                found.append((view, row))
    flags = [given for count in best for given in [0] * (wide - count) + [1] * count]
    written = tuple(given and sum(flags[: at + 1]) for at, given in enumerate(flags))
    ways = [_way_of(view, row, best, wide) for view, row in found]
    return written, ways


def _way_of(view: _View, row: int, counts: list[int], wide: int) -> _Way:
    """The way to write that first row, whose stacks have those numbers of givens."""
    content = view.rows[row]
    side = len(content)
    way = _Way()
    way.view, way.used, way.last = view, 1 << row, row
    first = [-1] * (side + 1)
    way.columns, way.start = [()] * side, [0] * side
    way.names, way.free = [0] * (side + 1), sum(counts) + 1
    alike: dict[int, Row] = {}  # the stacks by their numbers of givens
    for stack in range(side // wide):
        inside = range(stack * wide, stack * wide + wide)
        given = sum(bool(content[column]) for column in inside)
        alike[given] = (*alike.get(given, ()), stack)
        for column in inside:
            if content[column]:
                first[content[column]] = column
            blanks = wide - given if content[column] else 0
            way.start[column] = counts.index(given) * wide + blanks
    way.first = tuple(first)
    way.stacks = [alike[count] for count in counts]
    return way
