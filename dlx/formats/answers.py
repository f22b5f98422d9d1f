"""Parsers for the answers of solvers: SAT competition output, and solution files of MIP solvers.

SAT solvers print::

    c a comment
    s SATISFIABLE                       or UNSATISFIABLE, or UNKNOWN
    v 1 -2 3 -4 0                       the true and the false variables; may go on for many lines

Pseudo-Boolean solvers print the same with names, "v x1 -x2 x3 -x4", without a 0, and perhaps "s
OPTIMUM FOUND" and lines that begin with o.

MIP solvers write a line for each variable, with its name and value, some also with a number before
or costs after them, and other lines around these. Supported are:

=========  =========================================================================================
CBC        "Optimal - objective value 3", then "  5 x5  1  0" (number, name, value, reduced cost)
Gurobi     "# Objective value = 3", then "x5 1"
SCIP       "solution status: optimal", "objective value: 3", then "x5  1  (obj:1)"
HiGHS      "Model status", "Optimal", "# Columns 9", then "x5 1"; ignored from "# Rows" on
MiniZinc   "x5 1" for each chosen option, then "----------"; only the last solution is used
=========  =========================================================================================

Solvers of XCSP3 instances print lines as SAT solvers do, with values in XML::

    s SATISFIABLE                       or OPTIMUM FOUND, UNSATISFIABLE, UNKNOWN
    v <instantiation> <list> x[] k[] </list> <values> 0 1 0x5 1 </values> </instantiation>

Here `0x5` is five times 0, and lines that begin with d or o are ignored as well.

For SAT solvers variable o + 1 is option o; for MIP solvers and MiniZinc its name is xo, for XCSP3
x[o]. Variables of colors and counters are ignored. A value within 1e-5 of 0 or 1 is rounded.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import IO, Any

from dlx.core.encoding import numbered_lines, open_text
from dlx.core.table import Table
from dlx.core.verify import verify
from dlx.errors import FormatError, quote, shortened

__all__ = ["read_answer", "read_solution"]

NEAR = 1e-5

LONGEST = 18
"""The most digits of a variable's number. More are an error, and `int` rejects very long ones."""

Numbered = Iterator[tuple[int, str]]

# Lines that are not values: the verdict, ...
_INFEASIBLE = re.compile(
    r"(?i)((problem is|status:|solution status:|integer) +)?infeasible\b(?! or unbounded)"
    r"|=====unsatisfiable====="
)
_SOLVED = re.compile(r"(?i)(solution status: *)?optimal\b|-{10}$")
# ... and reasons why there may be no solution, and other lines.
_OTHER = re.compile(
    r"(?i)(stopped|unknown|unbounded|(primal )?infeasible or unbounded|solution status:|"
    r"(time|iteration|node|memory|solution|objective) limit|no solution available|"
    r"objective( value:)? |model status|feasible$|none$|not set$|empty$|=obj=|"
    r"={10}$|=====(unknown|error|unbounded|unsatorunbounded)=====)"
)
# MiniZinc ends each solution with this line.
_END_OF_SOLUTION = "----------"
# HiGHS writes rows, dual values and the basis after the values.
_AFTER_VALUES = re.compile(r"(?i)# (rows|dual|basis)\b")


def read_solution(table: Table, source: str | os.PathLike[str] | IO[str]) -> tuple[Any, ...] | None:
    """The verified solution in a solver's answer, or None: see `Problem.read_model`."""
    chosen = read_answer(source, len(table))
    if chosen is None:
        return None
    solution = tuple(map(table.name_of, chosen))
    verify(table, solution)
    return solution


def read_answer(source: str | os.PathLike[str] | IO[str], options: int) -> list[int] | None:
    """The chosen options, by index, or None for "no solution". `options` is their number in all.

    Raises `FormatError`, with the line, for anything that is not an answer to such a problem.
    """
    with open_text(source, errors="replace") as (file, where):
        return _AnswerReader(file, where, options).read()


class _AnswerReader:
    """The parser of one file."""

    def __init__(self, file: Iterable[str], source: str | None, options: int) -> None:
        self._lines: Numbered = (
            (number, line.strip()) for number, line in numbered_lines(file, source) if line.strip()
        )
        self._source = source
        self._options = options
        self._values: dict[int, tuple[bool, int]] = {}  # of each option: chosen?, and the line

    def read(self) -> list[int] | None:
        first = next(self._lines, None)
        if first is None:
            raise self._error("the file is empty; expected a solver's answer")
        if first[1][0] in "csvdo" and (len(first[1]) == 1 or first[1][1].isspace()):
            return self._read_sat(first)
        return self._read_mip(first)

    def _error(self, message: str, line: int | None = None) -> FormatError:
        return FormatError(message, line=line, source=self._source)

    def _set(self, option: int, chosen: bool, line: int) -> None:
        before = self._values.setdefault(option, (chosen, line))
        if before[0] != chosen:
            raise self._error(
                f"option {option} is {'chosen' if chosen else 'not chosen'}, but line {before[1]} "
                "says the opposite",
                line,
            )

    def _chosen(self) -> list[int]:
        return sorted(option for option, (chosen, _) in self._values.items() if chosen)

    # -- SAT -------------------------------------------------------------------------------------

    def _read_sat(self, first: tuple[int, str]) -> list[int] | None:
        verdict: tuple[str, int] | None = None
        ended = False  # has the 0 come?
        named = False  # are these names of variables, of which no 0 is the last?
        instantiation = ""  # the values in XML
        last = 0
        for last, line in _after(first, self._lines):
            kind, *words = line.split()
            if kind in ("c", "d", "o"):
                continue
            if kind == "s":
                if verdict is not None:
                    raise self._error(f"a second verdict, after that of line {verdict[1]}", last)
                verdict = (" ".join(words), last)
                if verdict[0] not in ("SATISFIABLE", "UNSATISFIABLE", "OPTIMUM FOUND"):
                    raise self._undecided(line, last)
            elif kind == "v" and (instantiation or line[1:].lstrip().startswith("<")):
                instantiation += f"{line[1:]} "
                if "</instantiation>" in line:
                    self._read_instantiation(instantiation, last)
                    ended, instantiation = True, ""
            elif kind == "v":
                if ended:
                    raise self._error("values after the 0 that ends them", last)
                ended = self._read_literals(words, last)
                named |= any("x" in word for word in words)
            else:
                raise self._error(
                    f"{quote(line)} is not a line of a SAT solver: these begin with c, s or v",
                    last,
                )
        if verdict is None:
            raise self._error('there is no verdict, a line that begins with "s"')
        if verdict[0] == "UNSATISFIABLE":
            if self._values:
                raise self._error("values, though the verdict is UNSATISFIABLE", verdict[1])
            return None
        if not (ended or named):
            end = "</instantiation>" if instantiation else "0"
            raise self._error(
                f'the values are cut off: no {end} ends the lines that begin with "v"'
            )
        return self._chosen()

    def _undecided(self, line: str, number: int) -> FormatError:
        return self._error(f"{quote(line)}: the solver has neither a solution nor a proof", number)

    def _read_literals(self, words: list[str], number: int) -> bool:
        """Reads literals; returns whether they end with a 0."""
        for place, word in enumerate(words):
            if not re.fullmatch(r"-?(x?[1-9][0-9]*|0)", word):
                raise self._error(f"{quote(word)} is not a literal", number)
            if len(word) > LONGEST:
                raise self._error(f"{quote(word)} is not a literal: it is too large", number)
            literal = int(word.replace("x", ""))
            if literal == 0:
                if place + 1 < len(words):
                    raise self._error("values after the 0 that ends them", number)
                return True
            if abs(literal) <= self._options:
                self._set(abs(literal) - 1, literal > 0, number)
        return False

    def _read_instantiation(self, text: str, number: int) -> None:
        """Reads the values of an XCSP3 solver. A further solution replaces the one before."""
        parts = re.search(r"<list>([^<]*)</list>\s*<values>([^<]*)</values>", text)
        if parts is None:
            raise self._error(f"{quote(text.strip())} has no list of variables and values", number)
        self._values.clear()
        values = self._repeated(parts[2].split(), number)
        for name in parts[1].split():
            place = re.fullmatch(r"(x|k)\[([0-9]*)\]", name)
            if place is None or len(place[2]) > LONGEST:
                raise self._error(f"there is no variable {quote(name)}", number)
            if place[1] == "k":  # colors come last
                return
            for option in range(self._options) if place[2] == "" else [int(place[2])]:
                value = next(values, None)
                if option >= self._options:
                    raise self._error(f"there is no variable {quote(name)}", number)
                if value not in ("0", "1"):
                    shown = "missing" if value is None else quote(value)
                    raise self._error(f"the value of x[{option}] is {shown}, not 0 or 1", number)
                self._set(option, value == "1", number)

    def _repeated(self, words: list[str], number: int) -> Iterator[str]:
        """The values, where `0x5` is five times 0."""
        for word in words:
            value, times, count = word.partition("x")
            if times and not (count.isascii() and count.isdecimal() and len(count) <= LONGEST):
                raise self._error(f"{quote(word)} is neither a value nor a repeated one", number)
            for _ in range(int(count) if times else 1):
                yield value

    # -- MIP -------------------------------------------------------------------------------------

    def _read_mip(self, first: tuple[int, str]) -> list[int] | None:
        solved = complete = False
        reason: tuple[int, str] | None = None  # why there may be no values
        for number, line in _after(first, self._lines):
            if _AFTER_VALUES.match(line):
                break
            if _INFEASIBLE.match(line):
                return None
            if _SOLVED.match(line):
                solved, complete = True, line == _END_OF_SOLUTION
            elif _OTHER.match(line):
                reason = reason or (number, line)
            elif line[0] != "#":
                if complete:  # another solution begins
                    self._values.clear()
                    complete = False
                self._read_value(line, number)
        if not self._values and not solved:
            if reason is not None:
                raise self._undecided(reason[1], reason[0])
            raise self._error("neither values nor a verdict: this is not a solver's answer")
        return self._chosen()

    def _read_value(self, line: str, number: int) -> None:
        words = line.removeprefix("**").split()
        if words and words[0].isdecimal():
            del words[0]  # CBC numbers its columns
        name = words[0] if words else ""
        if len(words) < 2 or not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise self._error(f"{quote(line)} is not a variable's name and value", number)
        try:
            value = float(words[1])
        except ValueError:
            raise self._error(
                f"{quote(words[1])}, of variable {shortened(name)}, is not a number", number
            ) from None
        if re.fullmatch(r"k[0-9]+", name):
            return
        option = name[1:]
        if (
            not re.fullmatch(r"x[0-9]+", name)
            or len(option) > LONGEST
            or int(option) >= self._options
        ):
            raise self._error(
                f"there is no variable {quote(name)}: options are x0 to x{self._options - 1}, "
                "and colors k0, k1, ...",
                number,
            )
        if not min(abs(value), abs(value - 1)) <= NEAR:  # so that NaN is refused
            raise self._error(
                f"{name} is {shortened(words[1])}, neither 0 nor 1: the solver ignored that the "
                "variables are integers, or solved another problem",
                number,
            )
        self._set(int(option), value > 0.5, number)


def _after(first: tuple[int, str], rest: Numbered) -> Numbered:
    yield first
    yield from rest
