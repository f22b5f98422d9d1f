"""HTML for notebooks: facts about a value as a table, numbers as bars.

Only the bars have a color, which is visible on light and on dark pages; the rest is the page's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from dlx.escapes import markup

__all__ = ["bars", "facts_table"]

MOST_BARS: Final = 40
LEFT: Final = "text-align:left"
BAR: Final = "background:#5b8db8;height:0.8em;min-width:1px"


def facts_table(title: str, facts: Iterable[tuple[str, object]]) -> str:
    """A table with a title and a row for each fact: its name and its value as text, escaped.

    >>> "a &amp; b</th>" in facts_table("<x>", [("a & b", 3)])
    True
    """
    left, name_left = f'style="{LEFT}"', f'style="{LEFT};white-space:nowrap"'
    rows = "".join(
        f"<tr><th {name_left}>{markup(name)}</th><td {left}>{markup(value)}</td></tr>"
        for name, value in facts
    )
    return f"<table><caption {name_left}><b>{markup(title)}</b></caption>{rows}</table>"


def bars(heads: tuple[str, str], numbers: Sequence[float], texts: Sequence[str]) -> str:
    """A table of numbers by their place from 0 on, each as text and as a bar. Not for no numbers.

    More than `MOST_BARS` numbers share rows, of which each has the largest of its numbers.

    >>> bars(("depth", "nodes"), [1, 20], ["1", "20"]).count("<div")
    2
    """
    step = -(-len(numbers) // MOST_BARS)
    most = Fraction(max(numbers)) or 1
    right, wide = 'style="text-align:right;white-space:nowrap"', f'style="{LEFT};width:20em"'
    rows = []
    for first in range(0, len(numbers), step):
        last = min(first + step, len(numbers)) - 1
        largest = max(range(first, last + 1), key=numbers.__getitem__)
        places = f"{first}" if first == last else f"{first} to {last}"
        share = float(100 * Fraction(numbers[largest]) / most)  # of integers of any size
        rows.append(
            f"<tr><td {right}>{places}</td><td {right}>{markup(texts[largest])}</td>"
            f'<td {wide}><div style="{BAR};width:{share:.4g}%"></div></td></tr>'
        )
    names = "".join(f"<th {right}>{markup(head)}</th>" for head in heads)
    note = "" if step == 1 else f"<p>Each row has the largest of {step} numbers.</p>"
    return f"<table><tr>{names}<th></th></tr>{''.join(rows)}</table>{note}"
