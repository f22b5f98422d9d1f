"""Algorithm P read off its definition: what the kernel's reductions are compared with.

Every option is taken on trial, against all others, until none leaves some item without options; no
lists, no candidates, nothing remembered. TreeShares nothing with `dlx` but `dlx.Colored`.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import Any, NamedTuple

from bruteforce import Case, colors_by_item

Option = dict[Hashable, Hashable]


class Expected(NamedTuple):
    """What is to be removed."""

    blocked: set[int]
    merged: dict[Any, Any]
    dropped: set[Any]


def expected_reduction(case: Case, given: Sequence[int] = ()) -> Expected:
    """What `dlx.Problem.reduced` should remove."""
    options = [colors_by_item(option) for option in case.options]
    blocked: set[int] = set()
    for index in given:
        item = next(item for item in options[index] if item in case.primary)
        blocked |= {other for other in _having(options, blocked, item) if other != index}
    while True:
        new = {
            index
            for index in range(len(options))
            if index not in blocked and _is_blocked(case, options, blocked, index)
        }
        if not new:
            break
        blocked |= new
    merged, dropped = _items(case, options, blocked)
    return Expected(blocked, merged, dropped)


def conflict(one: Option, other: Option) -> bool:
    """Can the two not be in one solution?"""
    return any(one[item] is None or one[item] != other[item] for item in one.keys() & other.keys())


def _is_blocked(
    case: Case, options: Sequence[Option], blocked: Collection[int], index: int
) -> bool:
    taken = options[index]
    return any(
        all(conflict(taken, options[other]) for other in _having(options, blocked, item))
        for item in case.primary
        if item not in taken
    )


def _having(options: Sequence[Option], blocked: Collection[int], item: Hashable) -> list[int]:
    return [i for i, option in enumerate(options) if item in option and i not in blocked]


def _items(
    case: Case, options: Sequence[Option], blocked: Collection[int]
) -> tuple[dict[Any, Any], set[Any]]:
    uses = {item: _having(options, blocked, item) for item in (*case.primary, *case.secondary)}
    merged: dict[Any, Any] = {}
    for place, item in enumerate(case.primary):
        same = [other for other in case.primary[:place] if uses[other] == uses[item]]
        if same:
            merged[item] = same[0]
    dropped = set()
    for item in reversed(case.secondary):  # of two that do each other's work the first is kept
        colors = {options[index][item] for index in uses[item]}
        if len(uses[item]) <= 1 or (len(colors) == 1 and colors != {None}):
            dropped.add(item)
            continue
        for other in (*case.primary, *case.secondary):
            gone = other == item or other in merged or other in dropped
            if not gone and all(options[index].get(other, 0) is None for index in uses[item]):
                merged[item] = other
                break
    for item in case.secondary:
        while merged.get(item) in merged:
            merged[item] = merged[merged[item]]
    return merged, dropped
