r"""MPS and LP files: the problem as an integer program (set partitioning).

The variables x0, x1, ... are 1 for the chosen options and 0 for the others. The program minimizes
the cost of the chosen options; each primary item is covered once, each secondary item at most
once. With multiplicities the sums have other bounds, with weights (`dlx.times`) coefficients::

    \ exact cover: 3 options over 2 items
    \ x0: p x:A
    Minimize
     cost: 2 x0 + 3 x1 + x2
    Subject To
     i0: x0 + x1 = 1
     ...
    Binary
     x0 x1 x2
    End

A color that more than one option requires is a variable as well: k4 is 1 if its item has its color
(a comment names both). x0 <= k4 for each option x0 that requires the color. The colors of an item,
and the options that contain it without one of these colors, add up to at most 1. Options are
numbered from 0: x0 is option 0.

MPS files are in free form, fields separated by spaces, with integer markers and bounds for each
variable; LP files are in CPLEX's format. CBC 2.10, HiGHS 1.12 and SCIP read both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from dlx.formats.relations import Relations, comments, label, relations_with_options

if TYPE_CHECKING:
    from dlx.core.table import Table

__all__ = ["lp_lines", "mps_lines"]

TERMS = 8  # on a line of LP; some readers limit the length of a line


class _LinearRow(NamedTuple):
    """A linear constraint: its name, its terms (sign and variable), and its bounds."""

    name: str
    terms: list[tuple[int, int]]
    low: int | None
    high: int | None


def _rows(relations: Relations) -> Iterator[_LinearRow]:
    """All constraints; each has at least one bound."""
    for total in relations.sums:
        terms = total.terms()
        bounded = total.low == total.high or total.high < sum(weight for weight, _ in terms)
        high = total.high if bounded else None
        yield _LinearRow(f"i{total.item}", terms, total.low or None, high)
    for place, (option, color) in enumerate(relations.implications):
        yield _LinearRow(f"c{place}", [(1, option), (-1, color)], None, 0)


def _variable(relations: Relations, variable: int) -> str:
    """The name of a variable: x0, x1, ... for options; k0, k1, ... for colors."""
    if variable <= relations.options:
        return f"x{variable - 1}"
    return f"k{variable - relations.options - 1}"


def _comments(table: Table, relations: Relations, mark: str) -> Iterator[str]:
    names = [_variable(relations, number) for number in range(1, relations.variables + 1)]
    for text in comments(table, relations, names):
        yield f"{mark} {text}\n"
    for item, value in enumerate(table.items):
        yield f"{mark} i{item}: {label(value)}\n"


# -- LP ------------------------------------------------------------------------------------------


def lp_lines(table: Table) -> Iterator[str]:
    """The lines of a file in CPLEX's LP format, with line ends. O(entries)."""
    relations = relations_with_options(table)
    names = [_variable(relations, number) for number in range(1, relations.variables + 1)]
    yield from _comments(table, relations, "\\")
    yield "Minimize\n"
    costs = [(cost, number) for number, cost in enumerate(table.every_cost(), start=1) if cost]
    yield from _expression("cost", costs, names)
    yield "Subject To\n"
    for row in _rows(relations):
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


# -- MPS -----------------------------------------------------------------------------------------


def mps_lines(table: Table) -> Iterator[str]:
    """The lines of a file in free MPS, with line ends. O(entries)."""
    relations = relations_with_options(table)
    rows = list(_rows(relations))
    yield from _comments(table, relations, "*")
    yield "NAME dlxkit\nROWS\n N cost\n"
    for row in rows:
        yield f" {_kind(row)} {row.name}\n"
    yield "COLUMNS\n    MARKER 'MARKER' 'INTORG'\n"
    yield from _columns(relations, rows, table.every_cost())
    yield "    MARKER 'MARKER' 'INTEND'\nRHS\n"
    for row in rows:
        side = row.high if row.low is None else row.low
        if side:
            yield f"    RHS {row.name} {side}\n"
    ranges = [row for row in rows if _kind(row) == "G" and row.high is not None]
    if ranges:
        yield "RANGES\n"
        for row in ranges:
            yield f"    RNG {row.name} {(row.high or 0) - (row.low or 0)}\n"
    yield "BOUNDS\n"
    for number in range(1, relations.variables + 1):
        yield f" UP BND {_variable(relations, number)} 1\n"
    yield "ENDATA\n"


def _kind(row: _LinearRow) -> str:
    if row.low is None:
        return "L"
    return "E" if row.low == row.high else "G"


def _columns(
    relations: Relations, rows: Sequence[_LinearRow], costs: Sequence[int]
) -> Iterator[str]:
    columns: list[list[str]] = [[] for _ in range(relations.variables)]
    for number, cost in enumerate(costs):
        if cost:
            columns[number].append(f"cost {cost}")
    for row in rows:
        for factor, variable in row.terms:
            columns[variable - 1].append(f"{row.name} {factor}")
    for number, column in enumerate(columns, start=1):
        name = _variable(relations, number)
        for entry in column or ["cost 0"]:
            yield f"    {name} {entry}\n"
