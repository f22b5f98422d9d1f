r"""LP files: integer programs in CPLEX's format; CBC 2.10, HiGHS 1.12 and SCIP read those written.

What the program of a problem is, and the problem of a program: see `dlx.formats.linear`. The
variables of options are x0, x1, ..., in the section Binary.

The reader takes the sections Minimize or Maximize, Subject To, Bounds, Binary, General and End,
each on a line of its own except for the first two; "\\" begins a comment. A row without a name is
c1, c2, ..., by its place. Expressions have numbers and variables on any side; there are no
products, and no brackets but in names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NoReturn

from dlx.core.encoding import text_lines
from dlx.errors import quote
from dlx.formats.linear import Number, ProgramBuilder, head, restored, rows

if TYPE_CHECKING:
    from dlx.core.table import Table
    from dlx.core.view import ProblemView

__all__ = ["lines", "read"]

TERMS = 8  # on a line; some readers limit the length of a line


# -- reading -------------------------------------------------------------------------------------


def read(table: Table, file: Iterable[str], where: str | None) -> None:
    """Reads lines of text into an empty table. `where` is the file's name, for messages.

    Raises `FormatError` with the number of the line. O(size of the file), 2 microseconds an entry.
    """
    texts = [line for _, line in text_lines(file, where)]
    if not restored(table, texts, "\\", lines):
        _Reader(where).read(texts).fill(table)


_OBJECTIVE: Final = re.compile(r"\s*(min|minimi[sz]e|minimum|max|maximi[sz]e|maximum)(?!\S)", re.I)
_SUBJECT: Final = re.compile(r"\s*(subject\s+to|such\s+that|st|s\.t\.|st\.)(?!\S)(?!\s*:)", re.I)
_SECTIONS: Final = {
    **dict.fromkeys(("bound", "bounds"), "bounds"),
    **dict.fromkeys(("binary", "binaries", "bin"), "binary"),
    **dict.fromkeys(("general", "generals", "gen", "integer", "integers", "int"), "general"),
    **dict.fromkeys(("semi-continuous", "semis", "semi", "sos", "sos1", "sos2"), "other"),
    "end": "end",
}
_NUMBER: Final = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_RELATION: Final = "[<>]=?|=[<>]?"
_NAME: Final = r"[^\s<>=:+\-*^\[\]0-9.][^\s<>=:+\-*^]*"
_VALUE: Final = rf"[+-]?\s*(?:inf(?:inity)?|{_NUMBER})"
_BOUND: Final = re.compile(
    rf"(?:(?P<lower>{_VALUE})\s*(?P<before>{_RELATION})\s*)?(?P<name>{_NAME})"
    rf"(?:\s*(?P<after>{_RELATION})\s*(?P<upper>{_VALUE})|\s+(?P<free>free))?",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(rf"(?<![^\s<>=:+\-*^])({_NAME})\s*:")  # begins where a name may
_TERM: Final = re.compile(rf"((?:[+-]\s*)*)({_NUMBER})?\s*({_NAME})?\s*")
_WHOLE: Final = re.compile(rf"(?:{_RELATION})\s*(?:[+-]\s*)*{_NUMBER}\s*$")
_MIRRORED: Final = {"<": ">", ">": "<", "=": "="}


class _Reader:
    """The state of reading a file."""

    def __init__(self, where: str | None) -> None:
        self._program = ProgramBuilder(where)
        self._line = 0
        self._name = ""  # of the objective or the row that is read, if it has one
        self._texts: list[str] = []  # its lines
        self._first = 0  # the number of the first one

    def read(self, texts: Sequence[str]) -> ProgramBuilder:
        """The program of the whole file."""
        section = "start"
        for self._line, text in enumerate(texts, start=1):
            line = text.partition("\\")[0].strip()
            following = _SECTIONS.get(line.lower(), section)
            start = {"start": _OBJECTIVE, "objective": _SUBJECT}.get(section)
            keyword = start.match(line) if start else None
            if keyword:
                following = "objective" if section == "start" else "rows"
                maximized = keyword[1].lower().startswith("max")
                self._program.maximized = self._program.maximized or maximized
            if following != section:
                self._end(section)
                section = following
                if section == "end":
                    return self._program
                line = line[keyword.end() :].strip() if keyword else ""
            if line:
                self._take(section, line)
        return self._fail("the file ends without End: it is incomplete")

    def _fail(self, message: str) -> NoReturn:
        self._program.fail(message, self._line)

    def _take(self, section: str, line: str) -> None:
        if section in ("objective", "rows"):
            self._add_text(section, line)
        elif section == "bounds":
            self._bound(line)
        elif section in ("binary", "general"):
            for name in line.split():
                column = self._column(name)
                self._program.integers.add(column)
                if section == "binary":
                    bounds = self._program.bounds[column]
                    low, high = bounds
                    bounds[:] = max(low or 0, 0), 1 if high is None else min(high, 1)
        else:
            self._fail(
                f"{quote(line)}: expected Minimize or Maximize"
                if section == "start"
                else f"{quote(line)} is semi-continuous or of a special ordered set (SOS), which "
                "no option is"
            )

    def _column(self, name: str) -> int:
        column = self._program.columns.get(name)
        return self._program.add_column(name, None, self._line) if column is None else column

    # -- sums ------------------------------------------------------------------------------------

    def _add_text(self, section: str, line: str) -> None:
        """Takes a line of the objective or of rows; a row ends before a name, or with a line."""
        text, *labelled = _LABEL.split(line)
        if text.strip():
            if section == "rows" and self._is_whole(text):
                self._end(section)
            self._first = self._first or self._line
            self._texts.append(text)
        for name, rest in zip(labelled[::2], labelled[1::2], strict=True):
            if section == "rows":
                self._end(section)
            elif self._name or self._texts:
                self._fail(f"{quote(name)} comes before the section Subject To")
            self._name, self._texts, self._first = name, [rest], self._line

    def _is_whole(self, following: str) -> bool:
        """Does the text so far end as a row does, so that the next line cannot continue it?"""
        last = " ".join(self._texts[-2:])
        word = re.split(r"[\s<>=:+\-*^]", last.rstrip())[-1]
        return _WHOLE.search(last) is not None or (
            following[0] not in "<>=+-" and re.search(f"{_NAME}$", word) is not None
        )

    def _end(self, section: str) -> None:
        """Adds the objective or the row that has been read."""
        text, name, here = " ".join(self._texts), self._name, self._line
        self._line = self._first or here
        self._texts, self._name, self._first = [], "", 0
        if section == "objective":
            terms, self._program.constant = self._sum(text)
            for column, factor in terms.items():
                self._program.costs[column] = factor
        elif section == "rows" and (text.strip() or name):
            self._add_row(name or f"c{len(self._program.rows) + 1}", text)
        self._line = here

    def _add_row(self, name: str, text: str) -> None:
        texts = re.split(f"({_RELATION})", text)
        relations = [relation.strip("=") or "=" for relation in texts[1::2]]
        (terms, constant), *others = map(self._sum, texts[::2])
        if len(others) == 1:
            for column, factor in others[0][0].items():
                terms[column] = terms.get(column, 0) - factor
            limits = [(relations[0], others[0][1] - constant)]
        elif len(others) == 2 and not terms and not others[1][0]:
            terms, middle = others[0]
            limits = [
                (_MIRRORED[relations[0]], constant - middle),
                (relations[1], others[1][1] - middle),
            ]
        else:
            self._fail(f"row {quote(name)} must be a sum, a relation such as <=, and a number")
        sides: dict[str, Number] = {}
        for relation, side in limits:
            for each in "<>" if relation == "=" else relation:
                if each in sides:
                    self._fail(f"row {quote(name)} has two relations of the same direction")
                sides[each] = side
        row = self._program.add_row(name, sides.get(">"), sides.get("<"), self._line)
        for column, factor in terms.items():
            self._program.add_entry(row, column, factor, self._line)

    def _sum(self, text: str) -> tuple[dict[int, Number], Number]:
        """The factors of columns, and the constant."""
        terms: dict[int, Number] = {}
        constant: Number = 0
        text = text.strip()
        place = 0
        while place < len(text):
            found = _TERM.match(text, place)
            signs, number, name = found.groups() if found else ("", None, None)
            if found is None or (number is None and name is None) or (place and not signs):
                self._fail(f"expected + or - and a column before {quote(text[place:], 30)}")
            place = found.end()
            factor = 1 if number is None else self._program.value(number, self._line)
            if signs.count("-") % 2:
                factor = -factor
            if name is None:
                constant += factor
            else:
                column = self._column(name)
                terms[column] = terms.get(column, 0) + factor
        return terms, constant

    # -- bounds ----------------------------------------------------------------------------------

    def _bound(self, line: str) -> None:
        """Takes a line of the section Bounds."""
        found = _BOUND.fullmatch(line)
        if found is None or not any(found.group("lower", "upper", "free")):
            self._fail(f"{quote(line)}: expected bounds, as 0 <= x <= 1 or x free")
        bounds = self._program.bounds[self._column(found["name"])]
        if found["free"]:
            bounds[:] = [None, None]
        for word, relation, at_least in (
            (found["lower"], found["before"], "<"),
            (found["upper"], found["after"], ">"),
        ):
            if word:
                infinite = word.lower().strip("+- ").startswith("inf")
                value = None if infinite else self._program.value(word.replace(" ", ""), self._line)
                if relation == "=":
                    bounds[:] = [value, value]
                else:
                    bounds[0 if at_least in relation else 1] = value


# -- writing -------------------------------------------------------------------------------------


def lines(problem: ProblemView) -> Iterator[str]:
    """The lines of a file in CPLEX's LP format, with line ends. O(entries)."""
    relations, names, texts = head(problem, "\\")
    yield from texts
    yield "Minimize\n"
    costs = [(cost, number) for number, cost in enumerate(problem.costs, start=1) if cost]
    yield from _expression("cost", costs, names)
    yield "Subject To\n"
    for row in rows(problem._table, relations):
        low, high = row.low, row.high
        if low is not None:
            name = row.name if high in (low, None) else f"{row.name}_low"
            yield from _expression(name, row.terms, names, f"{'=' if low == high else '>='} {low}")
        if high not in (low, None):
            yield from _expression(row.name, row.terms, names, f"<= {high}")
    yield "Binary\n"
    for first in range(0, len(names), TERMS):
        yield f" {' '.join(names[first : first + TERMS])}\n"
    yield "End\n"


def _expression(
    name: str, terms: Sequence[tuple[int, int]], names: Sequence[str], end: str = ""
) -> Iterator[str]:
    """The lines of a sum, `TERMS` terms each, and `end`; an empty sum is 0 times a variable."""
    words = [_term(factor, names[variable - 1]) for factor, variable in terms]
    if not words:
        words = [f"+ 0 {names[0]}"]
    words[0] = words[0].removeprefix("+ ")
    lead = f" {name}: "
    for first in range(0, len(words), TERMS):
        last = first + TERMS >= len(words)
        tail = f" {end}" if last and end else ""
        yield f"{lead}{' '.join(words[first : first + TERMS])}{tail}\n"
        lead = "   "


def _term(factor: int, name: str) -> str:
    sign = "-" if factor < 0 else "+"
    return f"{sign} {name}" if abs(factor) == 1 else f"{sign} {abs(factor)} {name}"
