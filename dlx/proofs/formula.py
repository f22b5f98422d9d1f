"""The formula that a proof is about: a file beside it, with the givens and what is asked.

`x.drat` is about the clauses in `x.cnf`, `x.pbp` about the inequalities in `x.opb`. They are what
`Problem.dump` writes to a file of that name, and a unit for each given option; for a minimum the
costs to minimize, for all solutions the variables of the options as "preserved", which says that
solutions differ in these.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from dlx.core.encoding import replace_file
from dlx.errors import InvalidArgument
from dlx.formats import dimacs, opb
from dlx.formats.relations import Relations, all_relations

if TYPE_CHECKING:
    from dlx.core.table import Table

__all__ = ["Formula", "formula_path", "literals", "preserved", "write_formula"]

MARK = b"exact cover: "
MARKED_WITHIN = 200  # bytes


class Formula(NamedTuple):
    """What a proof says of a formula that was written.

    relations
        The variables: options from 1, then colors.
    constraints
        How many the formula has, counted as a proof does: an equation is two inequalities.
    rows
        For each item with a sum, the numbers of "at least" and "at most"; 0 if there is none.
    """

    relations: Relations
    constraints: int
    rows: dict[int, tuple[int, int]]


def formula_path(proof: str) -> str:
    """The file of the formula beside a proof.

    >>> formula_path("a/x.drat"), formula_path("x.pbp.gz")
    ('a/x.cnf', 'x.opb')
    """
    name = proof[:-3] if proof.lower().endswith(".gz") else proof
    stem, suffix = os.path.splitext(name)
    return stem + (".cnf" if suffix.lower() == ".drat" else ".opb")


def write_formula(
    proof: str,
    table: Table,
    given: Sequence[int],
    head: Iterable[str] = (),
    items: Collection[int] | None = None,
) -> Formula:
    """Writes the formula of a proof, of all items or of these alone. O(entries).

    `head` are lines of OPB before the constraints. Raises `InvalidArgument` if the file exists and
    is no formula that dlx has written.
    """
    path = formula_path(proof)
    _check_replaceable(path)
    relations = all_relations(table)
    if items is not None:
        relations = relations.among(items)
    if path.endswith(".cnf"):
        _write(path, dimacs.lines_of(table, relations, [option + 1 for option in given]))
        return Formula(relations, 0, {})
    found = list(opb.constraints(relations))
    count, rows = 0, {}
    for one in found:
        least = count + 1 if one.low is not None else 0
        count += one.numbers
        if one.item is not None:
            rows[one.item] = (least, count if one.high is not None else 0)
    found += [opb.Constraint([(1, option + 1)], 1, None) for option in given]
    _write(path, opb.lines_of(table, relations, found, head))
    return Formula(relations, count + len(given), rows)


def preserved(table: Table) -> list[str]:
    """The line that says that solutions differ in the options chosen."""
    return [f"preserved:{''.join(f' x{option + 1}' for option in range(len(table)))} ;\n"]


def literals(relations: Relations, chosen: Iterable[int]) -> str:
    """The literals of a solution: of all options and colors. `chosen` are indices of options."""
    true = {option + 1 for option in chosen}
    true |= {color for option, color in relations.implications if option in true}
    variables = range(1, relations.variables + 1)
    return " ".join(f"x{one}" if one in true else f"~x{one}" for one in variables)


def _write(path: str, lines: Iterator[str]) -> None:
    replace_file(path, (text.encode() for text in iter(lambda: "".join(islice(lines, 1000)), "")))


def _check_replaceable(path: str) -> None:
    if not os.path.isfile(path) or not os.path.getsize(path):
        return
    with open(path, "rb") as file:
        if MARK not in file.read(MARKED_WITHIN):
            raise InvalidArgument(
                f"{path} exists, and is not a formula that dlx has written; choose another name "
                "for the proof, whose formula would be written there"
            )
