"""XCSP3: the problem as an instance in XML, for the solvers of the XCSP3 competitions.

::

    <instance format="XCSP3" type="COP">
    <!-- exact cover: 3 options over 2 items -->
    <!-- x[0]: first = p x:A -->
    <variables>
    <array id="x" size="[3]"> 0 1 </array>
    <array id="k" size="[1]"> 0 1 </array>
    </variables>
    <constraints>
    <sum> <list> x[0] x[1] </list> <coeffs> 1 1 </coeffs> <condition> (eq,1) </condition> </sum>
    <maximum> <list> x[0] x[2] </list> <condition> (eq,k[0]) </condition> </maximum>
    </constraints>
    <objectives> <minimize type="sum"> <list> x[0] </list> <coeffs> 2 </coeffs> </minimize>
    </objectives>
    </instance>

The variables are those of `dlx.formats.minizinc`, and solutions are one to one as well. Only
constraints of XCSP3-core are used. `Problem.read_model` reads what the solvers of the competitions
print.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dlx.formats.relations import Sum, color_users, comments, relations_with_options

if TYPE_CHECKING:
    from dlx.core.table import Table

__all__ = ["lines"]

Term = tuple[int, str]
"""A coefficient and the name of a variable."""


def lines(table: Table) -> Iterator[str]:
    """The lines of the file, with line ends. O(entries). Raises `FormatError` without options."""
    relations = relations_with_options(table)
    names = [f"x[{option}]" for option in range(relations.options)]
    names += [f"k[{number}]" for number in range(len(relations.colors))]
    costs = [(cost, name) for cost, name in zip(table.every_cost(), names, strict=False) if cost]
    yield f'<instance format="XCSP3" type="{"COP" if costs else "CSP"}">\n'
    for text in comments(table, relations, names):
        yield f"<!-- {_comment(text)} -->\n"
    yield f'<variables>\n<array id="x" size="[{relations.options}]"> 0 1 </array>\n'
    if relations.colors:
        yield f'<array id="k" size="[{len(relations.colors)}]"> 0 1 </array>\n'
    yield "</variables>\n<constraints>\n"
    for total in relations.sums:
        terms = [(weight, names[variable - 1]) for weight, variable in total.terms()]
        condition = _condition(total)
        if not terms:  # a list must not be empty, and no solution covers the item
            terms, condition = [(1, names[0])], "(ge,2)"
        yield f"<sum> {_terms(terms)} <condition> {condition} </condition> </sum>\n"
    for color, users in color_users(relations).items():
        listed = " ".join(names[user - 1] for user in users)
        condition = f"<condition> (eq,{names[color - 1]}) </condition>"
        yield f"<maximum> <list> {listed} </list> {condition} </maximum>\n"
    yield "</constraints>\n"
    if costs:
        yield f'<objectives> <minimize type="sum"> {_terms(costs)} </minimize> </objectives>\n'
    yield "</instance>\n"


def _terms(terms: Sequence[Term]) -> str:
    names = " ".join(name for _, name in terms)
    coefficients = " ".join(str(factor) for factor, _ in terms)
    return f"<list> {names} </list> <coeffs> {coefficients} </coeffs>"


def _condition(total: Sum) -> str:
    low, high = total.bounds()
    if low == high:
        return f"(eq,{low})"
    if high is None:
        return f"(ge,{low})"
    return f"(le,{high})" if low == 0 else f"(in,{low}..{high})"


def _comment(text: str) -> str:
    """The text of a comment: XML allows neither two hyphens in one, nor a hyphen at its end."""
    return text.replace("-", "- ") if "--" in text or text.endswith("-") else text
