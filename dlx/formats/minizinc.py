r"""MiniZinc: the problem as a model for constraint solvers.

::

    % exact cover: 3 options over 2 items
    % x[0]: first = p x:A
    ...
    % k[0]: x:A
    array[0..2] of var 0..1: x;
    array[0..0] of var 0..1: k;
    constraint x[0] + x[1] = 1;  % p
    constraint k[0] = max([x[0], x[2]]);
    solve minimize 2*x[0] + 3*x[1];
    output ["x\(option) 1\n" | option in index_set(x) where fix(x[option]) = 1];

x[o] is 1 if option o is chosen. A color that more than one option requires has a variable as well,
which is 1 exactly if one of these options is chosen. So solutions of the model are solutions of the
problem, one to one. A problem without costs is `solve satisfy`. `Problem.read_model` reads the
output, of which it takes the last solution.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from dlx.formats.labels import label
from dlx.formats.relations import Sum, color_users, comments, relations_with_options

if TYPE_CHECKING:
    from dlx.core.table import Table

__all__ = ["lines"]

OUTPUT = r'output ["x\(option) 1\n" | option in index_set(x) where fix(x[option]) = 1];'
TERMS = 16
"""Terms on a line."""


def lines(table: Table) -> Iterator[str]:
    """The lines of the model, with line ends. O(entries). Raises `FormatError` without options."""
    relations = relations_with_options(table)
    options = relations.options
    names = [f"x[{option}]" for option in range(options)]
    names += [f"k[{number}]" for number in range(len(relations.colors))]
    yield from (f"% {text}\n" for text in comments(table, relations, names))
    yield f"array[0..{options - 1}] of var 0..1: x;\n"
    if relations.colors:
        yield f"array[0..{len(relations.colors) - 1}] of var 0..1: k;\n"
    for total in relations.sums:
        terms = [(weight, names[variable - 1]) for weight, variable in total.terms()]
        yield f"constraint {_sum(terms)} {_condition(total)};  % {label(table.items[total.item])}\n"
    for color, users in color_users(relations).items():
        listed = ", ".join(names[user - 1] for user in users)
        yield f"constraint {names[color - 1]} = max([{listed}]);\n"
    costs = [(cost, name) for cost, name in zip(table.every_cost(), names, strict=False) if cost]
    yield f"solve minimize {_sum(costs)};\n" if costs else "solve satisfy;\n"
    yield f"{OUTPUT}\n"


def _sum(terms: Iterable[tuple[int, str]]) -> str:
    words = [name if factor == 1 else f"{factor}*{name}" for factor, name in terms]
    rows = [" + ".join(words[first : first + TERMS]) for first in range(0, len(words), TERMS)]
    return "\n    + ".join(rows) or "0"


def _condition(total: Sum) -> str:
    low, high = total.bounds()
    if low == high:
        return f"= {low}"
    if high is None:
        return f">= {low}"
    return f"<= {high}" if low == 0 else f"in {low}..{high}"
