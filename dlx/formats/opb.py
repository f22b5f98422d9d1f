r"""OPB: a problem as pseudo-Boolean constraints, for solvers and for proofs that VeriPB checks.

::

    * #variable= 4 #constraint= 6
    * exact cover: 3 options over 2 items
    * x1: p x:A
    * x2: p q x:B
    * x3: q x:A
    * x4: x:A                           the colors that have a variable of their own
    min: 2 x1 3 x2 1 x3 ;
    1 ~x1 1 x4 >= 1 ;                   an option that requires a color implies it,
    1 ~x3 1 x4 >= 1 ;
    1 x1 1 x3 1 ~x4 >= 1 ;              and a color has such an option
    1 x1 1 x2 = 1 ;                     the sums of the items
    ...

Variable x{o + 1} means that option o is chosen. All variables follow from the options chosen, so
the assignments that satisfy the constraints are the solutions.

Source: O. Roussel and V. Manquinho, "Input/output format and solver requirements for the
competitions of pseudo-Boolean solvers" (2012).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from dlx.formats.relations import Relations, all_relations, color_users, comments

if TYPE_CHECKING:
    from dlx.core.table import Table

__all__ = ["Constraint", "constraints", "lines", "lines_of", "names_of", "objective"]


class Constraint(NamedTuple):
    """A sum of literals that is at least `low`, and at most `high` if that is not None.

    `terms` are pairs of a factor from 1 up and a literal, which is a variable's number from 1 or
    minus that for its negation. `item` is the item whose sum it is; None for colors.
    """

    terms: list[tuple[int, int]]
    low: int | None
    high: int | None
    item: int | None = None

    @property
    def numbers(self) -> int:
        """How many numbers the constraint takes in a proof: an equation is two inequalities."""
        return (self.low is not None) + (self.high is not None)

    def lines(self) -> Iterator[str]:
        """The constraint in the format, without line ends."""
        if self.low is not None and self.low == self.high:
            yield f"{_terms(self.terms)}= {self.low} ;"
            return
        if self.low is not None:
            yield f"{_terms(self.terms)}>= {self.low} ;"
        if self.high is not None:
            yield f"{_terms((-factor, literal) for factor, literal in self.terms)}>= {-self.high} ;"


def _terms(terms: Iterable[tuple[int, int]]) -> str:
    return "".join(
        f"{factor} {'' if literal > 0 else '~'}x{abs(literal)} " for factor, literal in terms
    )


def constraints(relations: Relations) -> Iterator[Constraint]:
    """The constraints of a problem: those of colors, then those of items. O(entries)."""
    for color, users in color_users(relations).items():
        for user in users:
            yield Constraint([(1, -user), (1, color)], 1, None)
        yield Constraint([*((1, user) for user in users), (1, -color)], 1, None)
    for total in relations.sums:
        low, high = total.bounds()
        if low or high is not None:
            yield Constraint(total.terms(), low or None, high, total.item)


def names_of(relations: Relations) -> list[str]:
    """The names of the variables, in order."""
    return [f"x{number}" for number in range(1, relations.variables + 1)]


def lines_of(
    table: Table,
    relations: Relations,
    found: Sequence[Constraint],
    head: Iterable[str] = (),
) -> Iterator[str]:
    """The lines of a file with these constraints, with line ends; `head` comes before them."""
    count = sum(1 for one in found for _ in one.lines())
    yield f"* #variable= {relations.variables} #constraint= {count}\n"
    for text in comments(table, relations, names_of(relations)):
        yield f"* {text}\n"
    yield from head
    for one in found:
        for line in one.lines():
            yield f"{line}\n"


def lines(table: Table) -> Iterator[str]:
    """The lines of the file, with line ends. O(entries)."""
    relations = all_relations(table)
    head = objective(table.costs) if any(table.costs) else ()
    yield from lines_of(table, relations, list(constraints(relations)), head)


def objective(costs: Sequence[int]) -> list[str]:
    """The line that minimizes the cost of the options chosen."""
    terms = ((cost, option) for option, cost in enumerate(costs, start=1) if cost)
    return [f"min: {_terms(terms)};\n"]
