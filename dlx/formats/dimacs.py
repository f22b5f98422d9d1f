"""DIMACS CNF: a problem for SAT solvers.

::

    c exact cover: 3 options over 2 items
    c option variables: 1 to 3
    c 1: p x:A
    c 2: p q x:B
    c 3: q x:A
    c 4: x:A                            the colors that have a variable of their own
    c p show 1 2 3 0
    p cnf 4 8
    1 2 0
    ...

Variable o + 1 means that option o is chosen, so `Problem.read_model` can read a solver's answer.
Variables beyond those in the comments belong to counters of long sums (`dlx.formats.clauses`). The
line "c p show", which SAT solvers skip, makes model counters (as in the Model Counting Competition)
count assignments of the options only, which are the solutions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dlx.errors import counted
from dlx.formats.clauses import clauses_of, size_of
from dlx.formats.relations import Relations, all_relations, label, option_label

if TYPE_CHECKING:
    from dlx.core.table import Table

__all__ = ["lines", "lines_of"]


def lines(table: Table) -> Iterator[str]:
    """The lines of the file, with line ends. O(entries) and the clauses of long sums."""
    yield from lines_of(table, all_relations(table))


def lines_of(table: Table, relations: Relations, units: Sequence[int] = ()) -> Iterator[str]:
    """The lines of a file with these relations, and clauses of one literal each at the end."""
    options = relations.options
    yield f"c exact cover: {counted(options, 'option')} over {counted(len(table.items), 'item')}\n"
    yield f"c option variables: 1 to {options}\n" if options else "c option variables: none\n"
    for option in range(options):
        yield f"c {option + 1}: {option_label(table, option)}\n"
    for variable, (item, color) in enumerate(relations.colors, start=options + 1):
        name = label(table.color_names[color - 1])
        yield f"c {variable}: {label(table.items[item])}:{name}\n"
    yield f"c p show {''.join(f'{option + 1} ' for option in range(options))}0\n"
    variables, clauses = size_of(relations)
    yield f"p cnf {variables} {clauses + len(units)}\n"
    for clause in clauses_of(relations):
        yield f"{' '.join(map(str, [*clause, 0]))}\n"
    for literal in units:
        yield f"{literal} 0\n"
