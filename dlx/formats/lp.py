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
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NoReturn, TypeAlias

from dlx.core.encoding import text_lines
from dlx.errors import quote
from dlx.formats.linear import LinearProgram, Number, head, restored, rows

if TYPE_CHECKING:
    from dlx.core.table import Table
    from dlx.core.view import ProblemView

__all__ = ["lines", "read"]

TERMS = 8  # on a line; some readers limit the length of a line


# -- reading -------------------------------------------------------------------------------------


def read(table: Table, file: Iterable[str], where: str | None) -> None:
    """Reads lines of text into an empty table. `where` is the file's name, for messages.

    Raises `FormatError` with the number of the line. O(size of the file), a microsecond an entry.
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
_NAME: Final = r"[^\s<>=:+\-*^]+"
_TOKEN: Final = re.compile(
    rf"\s*(?:(?P<number>{_NUMBER})|(?P<relation>{_RELATION})|(?P<sign>[+-])|(?P<colon>:)"
    rf"|(?P<name>{_NAME})|(?P<other>\S))"
)
_VALUE: Final = rf"[+-]?\s*(?:inf(?:inity)?|{_NUMBER})"
_BOUND: Final = re.compile(
    rf"(?:(?P<lower>{_VALUE})\s*(?P<before>{_RELATION})\s*)?(?P<name>{_NAME})"
    rf"(?:\s*(?P<after>{_RELATION})\s*(?P<upper>{_VALUE})|\s+(?P<free>free))?",
    re.IGNORECASE,
)
_MIRRORED: Final = {"<": ">", ">": "<", "=": "="}

Token: TypeAlias = tuple[str, str]
"""The kind, a group of `_TOKEN`, and the text."""

COLON: Final = ("colon", ":")


class _Reader:
    """The state of reading a file."""

    def __init__(self, where: str | None) -> None:
        self._program = LinearProgram(where)
        self._line = 0  # of the file
        self._first = 0  # of the statement
        self._statement: list[Token] = []
        self._has: Counter[str] = Counter()  # kinds of tokens of a row

    def read(self, texts: Sequence[str]) -> LinearProgram:
        """The program of the whole file."""
        section = "start"
        for self._line, text in enumerate(texts, start=1):
            line = text.partition("\\")[0]
            if not line.strip():
                continue
            following = _SECTIONS.get(line.strip().lower(), section)
            start = {"start": _OBJECTIVE, "objective": _SUBJECT}.get(section)
            keyword = start.match(line) if start else None
            if keyword:
                following = "objective" if section == "start" else "rows"
            if following != section:
                self._end_statement(section)
                section = following
                if section == "end":
                    return self._program
                line = line[keyword.end() :] if keyword else ""
            self._take(section, line)
        return self._fail("the file ends without End: it is incomplete")

    def _fail(self, message: str) -> NoReturn:
        self._program.fail(message, self._line)

    def _tokens(self, line: str) -> Iterator[Token]:
        for found in _TOKEN.finditer(line.rstrip()):
            kind = found.lastgroup or ""
            if kind == "other" or found[kind][0] in "[]":
                self._fail(f"{quote(found[kind])} is not read: rows are sums of columns")
            yield kind, found[kind]

    def _take(self, section: str, line: str) -> None:
        if section == "bounds":
            if line.strip():
                self._bound(line)
            return
        tokens = [*self._tokens(line)]
        if not tokens:
            return
        if section == "objective":
            self._first = self._first or self._line
            self._statement += tokens
        elif section == "rows":
            self._rows(tokens)
        elif section in ("binary", "general"):
            for kind, name in tokens:
                column = self._column(kind, name)
                self._program.integers.add(column)
                if section == "binary":
                    bounds = self._program.bounds[column]
                    low, high = bounds
                    bounds[:] = max(low or 0, 0), 1 if high is None else min(high, 1)
        else:
            wanted = "Minimize or Maximize" if section == "start" else "another section"
            self._fail(f"{quote(line.strip())}: expected {wanted}")

    def _column(self, kind: str, name: str) -> int:
        if kind != "name":
            self._fail(f"{quote(name)} is not the name of a column")
        column = self._program.columns.get(name)
        return self._program.add_column(name, None, self._line) if column is None else column

    # -- sums ------------------------------------------------------------------------------------

    def _rows(self, tokens: list[Token]) -> None:
        """Takes a line of rows: a row ends before a name and a colon, or with a line."""
        if self._may_end(tokens[0][0]):
            self._end_statement("rows")
        for place, token in enumerate(tokens):
            if tokens[place + 1 : place + 2] == [COLON]:
                self._end_statement("rows")
            if not self._statement:
                self._first = self._line
            self._statement.append(token)
            self._has[token[0]] += 1

    def _may_end(self, following: str) -> bool:
        """Is the statement a row, if its next token is of this kind?"""
        if not self._statement or not self._has["name"] or not self._has["relation"]:
            return False
        if self._statement[-1][0] != "number":
            return self._statement[-1][0] == "name" and following not in ("relation", "sign")
        before = (kind for kind, _ in reversed(self._statement[-9:-1]) if kind != "sign")
        return next(before, "") == "relation" and following != "relation"

    def _end_statement(self, section: str) -> None:
        """Adds the objective or the row that the statement is."""
        statement, self._statement = self._statement, []
        self._has.clear()
        if section not in ("objective", "rows") or not statement:
            return
        here, self._line = self._line, self._first
        self._add(section, statement)
        self._line = here

    def _add(self, section: str, statement: list[Token]) -> None:
        program = self._program
        name = f"c{len(program.rows) + 1}"
        if statement[1:2] == [COLON]:
            name, statement = statement[0][1], statement[2:]
        sides, relations = _sides(statement)
        (terms, constant), *others = (self._sum(side) for side in sides)
        if section == "objective":
            if relations:
                self._fail("the objective has a relation; Subject To comes before the first row")
            program.constant = constant
            for column, factor in terms.items():
                program.costs[column] = factor
            return
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
        row = program.add_row(name, *self._limits(name, limits), self._line)
        for column, factor in terms.items():
            program.add_entry(row, column, factor, self._line)

    def _sum(self, tokens: Sequence[Token]) -> tuple[dict[int, Number], Number]:
        """The factors of columns, and the constant."""
        terms: dict[int, Number] = {}
        constant: Number = 0
        sign, factor, may_begin = 1, None, True
        for kind, text in [*tokens, ("sign", "+")]:
            if kind == "sign":
                if factor is not None:
                    constant += sign * factor
                    sign, factor = 1, None
                sign = -sign if text == "-" else sign
                may_begin = True
            elif kind == "number" and may_begin:
                factor, may_begin = self._program.value(text, self._line), False
            elif kind == "name" and (may_begin or factor is not None):
                column = self._column(kind, text)
                terms[column] = terms.get(column, 0) + sign * (1 if factor is None else factor)
                sign, factor, may_begin = 1, None, False
            else:
                self._fail(f"expected + or - before {quote(text)}")
        return terms, constant

    def _limits(
        self, name: str, limits: Sequence[tuple[str, Number | None]]
    ) -> tuple[Number | None, Number | None]:
        """The lower and upper bound that relations to numbers say."""
        found: dict[str, Number | None] = {}
        for relation, side in limits:
            for each in "<>" if relation == "=" else relation:
                if each in found:
                    self._fail(f"{quote(name)} has two relations of the same direction")
                found[each] = side
        return found.get(">"), found.get("<")

    def _bound(self, line: str) -> None:
        """Takes a line of the section Bounds."""
        found = _BOUND.fullmatch(line.strip())
        if found is None or not any(found.group("lower", "upper", "free")):
            self._fail(f"{quote(line.strip())}: expected bounds, as 0 <= x <= 1 or x free")
        column = self._column("name", found["name"])
        bounds = self._program.bounds[column]
        if found["free"]:
            bounds[:] = [None, None]
        for word, relation, direct in (
            (found["lower"], found["before"], False),
            (found["upper"], found["after"], True),
        ):
            if word:
                infinite = word.lower().strip("+- ").startswith("inf")
                value = None if infinite else self._program.value(word.replace(" ", ""), self._line)
                if relation == "=":
                    bounds[:] = [value, value]
                else:
                    bounds[("<" in relation) == direct] = value


def _sides(tokens: Sequence[Token]) -> tuple[list[list[Token]], list[str]]:
    """The tokens between relations, and the relations: <, > or =."""
    sides: list[list[Token]] = [[]]
    relations: list[str] = []
    for kind, text in tokens:
        if kind == "relation":
            relations.append(text.strip("=") or "=")
            sides.append([])
        else:
            sides[-1].append((kind, text))
    return sides, relations


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
        if low is not None and high is not None and low != high:
            yield from _expression(f"{row.name}_low", row.terms, names, f">= {low}")
            yield from _expression(row.name, row.terms, names, f"<= {high}")
        elif low is None:
            yield from _expression(row.name, row.terms, names, f"<= {high}")
        else:
            sign = ">=" if high is None else "="
            yield from _expression(row.name, row.terms, names, f"{sign} {low}")
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
