"""MPS files: integer programs, written in free form; CBC 2.10, HiGHS 1.12 and SCIP read them.

What the program of a problem is, and the problem of a program: see `dlx.formats.linear`. Fields are
separated by spaces. The variables of options are x0, x1, ..., with integer markers and bounds.

The reader takes free and fixed form, names with spaces in the latter only. Integer columns without
bounds are binary, as CPLEX and HiGHS have it. Rows of kind N after the first, which is the
objective, are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NoReturn

from dlx.core.encoding import text_lines
from dlx.errors import FormatError, quote
from dlx.formats.linear import Constraint, Number, ProgramBuilder, head, restored, rows

if TYPE_CHECKING:
    from dlx.core.table import Table
    from dlx.core.view import ProblemView

__all__ = ["lines", "read"]


# -- reading -------------------------------------------------------------------------------------


def read(table: Table, file: Iterable[str], where: str | None) -> None:
    """Reads lines of text into an empty table. `where` is the file's name, for messages.

    Raises `FormatError` with the number of the line. O(size of the file), 2 microseconds an entry.
    """
    texts = [line for _, line in text_lines(file, where)]
    if restored(table, texts, "*", lines):
        return
    try:
        program = _Reader(where, str.split).read(texts)
    except FormatError as error:
        try:
            program = _Reader(where, _fixed_fields).read(texts)
        except FormatError:
            raise error from None
    program.fill(table)


_FIELDS: Final = tuple(map(slice, (1, 4, 14, 24, 39, 49), (3, 12, 22, 36, 47, 61)))
_GAPS: Final = tuple(map(slice, (3, 12, 22, 36, 47), (4, 14, 24, 39, 49)))


def _fixed_fields(line: str) -> list[str]:
    """The fields of a line in fixed form, which may have spaces; none if it has another form."""
    if any(line[gap].strip() for gap in _GAPS):
        return []
    return [field for part in _FIELDS if (field := line[part].strip())]


class _Reader:
    """The state of reading a file."""

    def __init__(self, where: str | None, split: Callable[[str], list[str]]) -> None:
        self._program = ProgramBuilder(where)
        self._split = split
        self._line = 0
        self._kinds: dict[str, str] = {}  # of rows: N, E, L, G
        self._objective = ""
        self._column = 0
        self._name = ""
        self._integer = False
        self._sets: dict[str, str] = {}  # by section: the name of its first set
        self._given: dict[str, dict[str, Number]] = {"RHS": {}, "RANGES": {}}  # by row

    def read(self, texts: Sequence[str]) -> ProgramBuilder:
        """The program of the whole file."""
        take = None
        for self._line, line in enumerate(texts, start=1):
            if line[0] == "*" or not line.strip():
                continue
            if line[0].isspace():
                if take is None:
                    self._fail(f"{quote(line.strip())} comes before the first section")
                fields = self._split(line)
                if not fields:
                    self._fail(f"{quote(line.strip())} is not in fixed form")
                take(self, fields)
                continue
            section, *rest = line.split()
            if section == "ENDATA":
                return self._finish()
            take = self._TAKERS.get(section)
            if take is None:
                known = ", ".join(self._TAKERS)
                self._fail(f"{quote(section)} is none of the sections that are read: {known}")
            if section == "OBJSENSE" and rest:
                self._sense(rest)
        return self._fail("the file ends without ENDATA: it is incomplete")

    def _fail(self, message: str) -> NoReturn:
        self._program.fail(message, self._line)

    def _nothing(self, words: list[str]) -> None:
        self._fail(f"{quote(' '.join(words))} is in no section")

    def _sense(self, words: list[str]) -> None:
        if [word.upper() for word in words] not in (["MIN"], ["MINIMIZE"], ["MAX"], ["MAXIMIZE"]):
            self._fail(f"the sense of the objective is {quote(' '.join(words))}; it is MIN or MAX")
        self._program.maximized = words[0].upper().startswith("MAX")

    def _row(self, words: list[str]) -> None:
        kind = words[0].upper()
        if len(words) != 2 or kind not in ("N", "E", "L", "G"):
            self._fail(f"{quote(' '.join(words))} is not a kind, N, E, L or G, and a row's name")
        name = words[1]
        if name in self._kinds:
            self._fail(f"a second row has the name {quote(name)}")
        self._kinds[name] = kind
        if kind == "N":
            self._objective = self._objective or name
        else:
            self._program.add_row(name, None, None, self._line)

    def _entries(self, words: list[str]) -> None:
        program, line = self._program, self._line
        if len(words) == 3 and words[1] == "'MARKER'":
            if words[2] not in ("'INTORG'", "'INTEND'"):
                self._fail(f"the marker {words[2]} is neither 'INTORG' nor 'INTEND'")
            self._integer = words[2] == "'INTORG'"
            return
        if words[0] != self._name:
            self._name = words[0]
            self._column = program.add_column(words[0], 1 if self._integer else None, line)
            if self._integer:
                program.integers.add(self._column)
        for name, value in self._pairs(words[1:]):
            row = program.rows.get(name)
            if row is not None:
                program.add_entry(row, self._column, program.value(value, line), line)
            elif name == self._objective:
                if program.costs[self._column]:
                    self._fail(f"column {quote(words[0])} is in the row {quote(name)} twice")
                program.costs[self._column] = program.value(value, line)
            else:
                self._check_row(name)

    def _pairs(self, words: list[str]) -> Iterable[tuple[str, str]]:
        if len(words) % 2 or not words:
            self._fail("expected pairs of a row and a number")
        return zip(words[::2], words[1::2], strict=True)

    def _check_row(self, name: str) -> None:
        if name not in self._kinds:
            self._fail(f"there is no row {quote(name)}")

    def _side(self, section: str, words: list[str]) -> None:
        """Reads a line of RHS or RANGES, which may begin with the name of a set."""
        if len(words) % 2:
            first = self._sets.setdefault(section, words[0])
            if first != words[0]:
                self._fail(f"{section} has a second set, {quote(words[0])}; only one is read")
            words = words[1:]
        given = self._given[section]
        for name, value in self._pairs(words):
            self._check_row(name)
            if name in given:
                self._fail(f"row {quote(name)} is in the section {section} twice")
            given[name] = self._program.value(value, self._line)

    def _finish(self) -> ProgramBuilder:
        right, ranges = self._given["RHS"], self._given["RANGES"]
        self._program.constant = -right.get(self._objective, 0)
        for name, row in self._program.rows.items():
            kind = self._kinds[name]
            side: Number = right.get(name, 0)
            low, high = (None if kind == "L" else side), (None if kind == "G" else side)
            width = ranges.get(name)
            if width is not None and kind == "L":
                low = side - max(width, -width)
            elif width is not None and kind == "E" and width < 0:
                low = side + width
            elif width is not None:
                high = side + max(width, -width)
            self._program.sides[row] = [low, high]
        return self._program

    def _bound(self, words: list[str]) -> None:
        program, kind = self._program, words[0].upper()
        valued = kind in ("UP", "LO", "FX", "UI", "LI")
        if not valued and kind not in ("BV", "FR", "MI", "PL"):
            self._fail(
                f"{quote(words[0])} is none of the bounds that are read: UP, LO, FX, UI, "
                "LI, BV, FR, MI, PL"
            )
        rest = words[1:]
        if len(rest) not in ((2, 3) if valued else (1, 2, 3)):
            self._fail(
                f"the bound {kind} has {len(rest)} fields; it has a set, a column"
                + (" and a number" if valued else "")
            )
        name = rest[-2] if valued else rest[min(len(rest), 2) - 1]
        column = program.columns.get(name)
        if column is None:
            self._fail(f"there is no column {quote(name)}")
        bounds = program.bounds[column]
        if kind in ("UI", "LI", "BV"):
            program.integers.add(column)
        value = program.value(rest[-1], self._line) if valued else None
        if kind in ("LO", "LI", "FX", "FR", "MI"):
            bounds[0] = value
        if kind in ("UP", "UI", "FX", "FR", "PL"):
            bounds[1] = value
        if kind == "BV":
            bounds[:] = [0, 1]

    _TAKERS: Final = {
        "NAME": _nothing,
        "OBJSENSE": _sense,
        "ROWS": _row,
        "COLUMNS": _entries,
        "RHS": lambda self, words: self._side("RHS", words),
        "RANGES": lambda self, words: self._side("RANGES", words),
        "BOUNDS": _bound,
    }


# -- writing -------------------------------------------------------------------------------------


def lines(problem: ProblemView) -> Iterator[str]:
    """The lines of a file in free MPS, with line ends. O(entries)."""
    relations, names, texts = head(problem, "*")
    found = list(rows(problem._table, relations))
    yield from texts
    yield "NAME dlxkit\nROWS\n N cost\n"
    for row in found:
        yield f" {_kind(row)} {row.name}\n"
    yield "COLUMNS\n    MARKER 'MARKER' 'INTORG'\n"
    yield from _columns(names, found, problem.costs)
    yield "    MARKER 'MARKER' 'INTEND'\nRHS\n"
    for row in found:
        side = row.high if row.low is None else row.low
        if side:
            yield f"    RHS {row.name} {side}\n"
    ranges = [row for row in found if _kind(row) == "G" and row.high is not None]
    if ranges:
        yield "RANGES\n"
        for row in ranges:
            yield f"    RNG {row.name} {(row.high or 0) - (row.low or 0)}\n"
    yield "BOUNDS\n"
    for name in names:
        yield f" UP BND {name} 1\n"
    yield "ENDATA\n"


def _kind(row: Constraint) -> str:
    if row.low is None:
        return "L"
    return "E" if row.low == row.high else "G"


def _columns(
    names: Sequence[str], found: Sequence[Constraint], costs: Sequence[int]
) -> Iterator[str]:
    columns: list[list[str]] = [[] for _ in names]
    for number, cost in enumerate(costs):
        if cost:
            columns[number].append(f"cost {cost}")
    for row in found:
        for factor, variable in row.terms:
            columns[variable - 1].append(f"{row.name} {factor}")
    for name, column in zip(names, columns, strict=True):
        for entry in column or ["cost 0"]:
            yield f"    {name} {entry}\n"
