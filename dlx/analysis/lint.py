"""Likely mistakes in a problem: what `Problem.warnings` returns and `dlx info` prints."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from dlx.analysis.sizes import size_conflict
from dlx.core.multiplicity import ONCE
from dlx.errors import counted, quote

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from dlx.core.table import Table

__all__ = ["warnings"]

HOPELESS = ": there is no solution"
MOST_LONELY = 10  # items in one option only; more of them are no slips
SEVERAL = 3  # the options that all other items are in, where one is unlike them all
SHORTEST = 3  # characters of names that are compared letter by letter


def warnings(table: Table) -> tuple[str, ...]:
    """A sentence about each likely mistake, those that rule out solutions first. O(entries)."""
    hopeless = tuple(_uncovered_items(table))
    if not any(sentence.endswith(HOPELESS) for sentence in hopeless):
        conflict = size_conflict(table)
        hopeless = (*([conflict.sentence + HOPELESS] if conflict else []), *hopeless)
    return (*hopeless, *_misspelled_items(table), *_equal_options(table))


def _uncovered_items(table: Table) -> Iterator[str]:
    """Items that the options cover never, or less often than their lower bounds."""
    totals = Counter(table.entry_item)
    for number, extra in table.extra_weights.items():
        totals[number] += extra
    bounds = table.multiplicities
    items = list(enumerate(map(quote, table.items)))
    for number, item in items:
        needed = not table.secondary[number] and bounds.get(number, ONCE)[0]
        if needed and not totals[number]:
            yield f"no option contains the primary item {item}{HOPELESS}"
    for number, (low, _) in bounds.items():
        if 0 < totals[number] < low:
            yield (
                f"all options together cover item {items[number][1]} "
                f"{counted(totals[number], 'time')}, and it needs {low}{HOPELESS}"
            )
    for number, item in items:
        if table.secondary[number] and not totals[number]:
            yield f"no option contains the secondary item {item}"


def _misspelled_items(table: Table) -> Iterator[str]:
    """Items that no caller has declared, in one option only, with names unlike all or like one."""
    if not table.open_items:
        return
    counts = Counter(table.entry_item)
    undeclared = [number for number, flag in enumerate(table.secondary) if not flag]
    lonely = [number for number in undeclared if counts[number] == 1]
    if len(lonely) > MOST_LONELY:
        return
    texts = {
        number: text for number in undeclared if lonely and (text := _text(table.items[number]))
    }
    for number in reversed(lonely):
        text = texts.pop(number, "")
        like = [other for other, known in texts.items() if _is_like(text, known)] if text else []
        name = quote(table.items[number])
        if len(like) == 1:
            yield f"item {name} is in one option only; did you mean {quote(table.items[like[0]])}?"
        elif len(lonely) == 1 and len(undeclared) > 1 and not like:
            least = min(counts[other] for other in undeclared if other != number)
            if least >= SEVERAL and _shape(text) not in map(_shape, texts.values()):
                yield (
                    f"item {name} is in one option only, every other item in at least {least}; "
                    "is it misspelled?"
                )


def _text(item: Hashable) -> str:
    """The item as text, if it is a text, a number, or a tuple of such; else ""."""
    parts = item if isinstance(item, tuple) else (item,)
    return str(item) if all(isinstance(part, str | int | float) for part in parts) else ""


def _shape(text: str) -> str:
    """The text with each run of letters and each number replaced by a sign.

    >>> _shape("r10c2 x"), _shape("(3, 4)")
    ('a0a0 a', '(0, 0)')
    """
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", text))


def _is_like(one: str, other: str) -> bool:
    """Do the texts differ by capitals, spaces or one slip, but not by a scheme of names?

    >>> [_is_like("row 1", other) for other in ("Row 1", "rwo 1", "roww 1", "row l", "row 2")]
    [True, True, True, False, False]
    """
    if one.casefold().strip() == other.casefold().strip():
        return True
    if min(len(one), len(other)) < SHORTEST or abs(len(one) - len(other)) > 1:
        return False
    start = _shared(one, other)
    left, right = one[start:], other[start:]
    end = _shared(left[::-1], right[::-1])
    neighbors = one[start - 1 : start], left[len(left) - end :][:1]
    left, right = left[: len(left) - end], right[: len(right) - end]
    changed = left + right
    slip = max(len(left), len(right)) == 1 or (len(left) == 2 and left == right[::-1])
    in_word = any(map(str.isalnum, neighbors))
    return slip and in_word and not changed.isupper() and any(map(str.isalpha, changed))


def _shared(one: str, other: str) -> int:
    """The number of characters with which both texts begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def _equal_options(table: Table) -> Iterator[str]:
    """Options with the same items, colors and weights as an earlier one."""
    columns = [table.entry_item, *filter(None, (table.entry_color, table.entry_weight))]
    first_with: dict[frozenset[tuple[int, ...]], int] = {}
    for index, (first, end) in enumerate(pairwise(table.start)):
        entries = frozenset(zip(*(column[first:end] for column in columns), strict=True))
        before = first_with.setdefault(entries, index)
        if before != index:
            names = [quote(table.name_of(one)) for one in (before, index)]
            yield f"options {names[0]} and {names[1]} have the same items"
