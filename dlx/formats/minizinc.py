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

A data file (.dzn) has the same constraints as numbers, for the model `MODEL` and for models of your
own that extend it: `minizinc model.mzn problem.dzn`. Its variables are numbered from 1: options
first, then colors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from dlx.formats.relations import Sum, color_users, comments, label, relations_with_options

if TYPE_CHECKING:
    from dlx.core.table import Table

__all__ = ["MODEL", "data_lines", "lines"]

OUTPUT = r'output ["x\(option) 1\n" | option in index_set(x) where fix(x[option]) = 1];'
TERMS = 16
"""Terms on a line."""


MODEL: Final = r"""
int: options;
int: colors;
array[int] of int: low;  % of each sum
array[int] of int: high;
array[int] of int: first;  % term of each sum; the last number is that of all terms, plus 1
array[int] of int: term;  % the number of its variable
array[int] of int: weight;
array[int] of set of int: users;  % the options that require a color
array[int] of int: cost;
array[1..options + colors] of var 0..1: x;
constraint forall(s in index_set(low))(
    let { var int: total = sum(t in first[s]..first[s + 1] - 1)(weight[t] * x[term[t]]) }
    in low[s] <= total /\ total <= high[s]);
constraint forall(k in 1..colors)(x[options + k] = max([x[o] | o in users[k]]));
solve minimize sum(o in 1..options)(cost[o] * x[o]);
output ["x\(o - 1) 1\n" | o in 1..options where fix(x[o]) = 1];
""".lstrip()
"""The model for data files. Without costs, `solve satisfy` finds all solutions."""


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


def data_lines(table: Table) -> Iterator[str]:
    """The lines of a data file for `MODEL`. O(entries). Raises `FormatError` without options."""
    relations = relations_with_options(table)
    names = [f"option {option + 1}" for option in range(relations.options)]
    names += [f"color {number + 1}" for number in range(len(relations.colors))]
    yield from (f"% {text}\n" for text in comments(table, relations, names))
    yield f"options = {relations.options};\ncolors = {len(relations.colors)};\n"
    terms = [total.terms() for total in relations.sums]
    bounds = [total.bounds() for total in relations.sums]
    most = [sum(weight for weight, _ in one) for one in terms]
    first = [1]
    for one in terms:
        first.append(first[-1] + len(one))
    yield _array("low", (low for low, _ in bounds))
    yield _array(
        "high", (n if high is None else high for (_, high), n in zip(bounds, most, strict=True))
    )
    yield _array("first", first)
    yield _array("term", (variable for one in terms for _, variable in one))
    yield _array("weight", (weight for one in terms for weight, _ in one))
    users = color_users(relations)
    sets = (users[relations.options + number + 1] for number in range(len(relations.colors)))
    yield _array("users", (f"{{{', '.join(map(str, one))}}}" for one in sets))
    yield _array("cost", table.every_cost())


def _array(name: str, values: Iterable[object]) -> str:
    words = list(map(str, values))
    rows = [", ".join(words[first : first + TERMS]) for first in range(0, len(words), TERMS)]
    return f"{name} = [{(',' + chr(10) + '    ').join(rows)}];\n"
