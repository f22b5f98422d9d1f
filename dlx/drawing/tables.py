"""The HTML of a problem in a notebook: its size, and its matrix if that is small."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Final

from dlx.core.entries import Colored, Times, entry_text, item_of, item_text
from dlx.errors import counted
from dlx.escapes import markup

if TYPE_CHECKING:
    from dlx.core.view import ProblemView

__all__ = ["problem_html"]

MOST_ITEMS: Final = 40
MOST_OPTIONS: Final = 60


def problem_html(problem: ProblemView) -> str:
    """The HTML of a problem: its `repr`, and, for few items, a table with a column for each.

    >>> import dlx
    >>> "<td>1</td>" in problem_html(dlx.Problem.from_options([["a"], ["a", "b"]]))
    True
    """
    line = f"<p><code>{markup(repr(problem))}</code></p>"
    if len(problem.items) > MOST_ITEMS or not problem.items or not len(problem):
        return line
    secondary = set(problem.secondary)
    heads = "".join(
        f"<th>{'<i>' if item in secondary else ''}{markup(item_text(item))}"
        f"{'</i>' if item in secondary else ''}</th>"
        for item in problem.items
    )
    rows = []
    for index in range(min(len(problem), MOST_OPTIONS)):
        ones = {item_of(entry): _cell(entry) for entry in problem.options[index]}
        cells = "".join(f"<td>{markup(ones.get(item, ''))}</td>" for item in problem.items)
        words = " ".join(map(entry_text, problem.options[index]))
        name = markup(problem.names[index])
        rows.append(f'<tr><th title="{markup(words)}">{name}</th>{cells}</tr>')
    hidden = len(problem) - len(rows)
    more = f"<p>and {counted(hidden, 'more option')}</p>" if hidden else ""
    table = f"<table><tr><th></th>{heads}</tr>{''.join(rows)}</table>"
    return f"<div>{line}{table}{more}</div>"


def _cell(entry: Hashable) -> str:
    """An entry of the matrix: a color, a weight, or 1."""
    if isinstance(entry, Colored):
        return str(entry.color)
    return str(entry.weight) if isinstance(entry, Times) else "1"
