"""`reason`: why a rule leaves what it leaves, as the second part of a sentence.

It is the first of these that holds: the equal pairs of a palindrome; the combinations of a sum, or
the fillings of any rule, if they are few; where the 1 and the 9 of a sandwich are; the sum that is
left, or that of the other cells; the sums of the parts of a line; the least and the greatest
filling of a thermometer. Otherwise it is only what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from itertools import combinations
from operator import or_

from sudoku.board.cells import Cell, cell_name, symbol
from sudoku.errors import listed
from sudoku.hinting.deduction import names
from sudoku.hinting.geometry import Geometry, bits
from sudoku.hinting.position import Position
from sudoku.hinting.rule_techniques.fillings import Masks, RuleCells
from sudoku.rules import Arrow, LittleKiller, Sandwich, Skyscraper, Thermometer, XSum
from sudoku.rules.encoding.relation import PairRule
from sudoku.rules.implied import SumDifference
from sudoku.rules.lines.between import BetweenLine
from sudoku.rules.lines.palindrome import EqualPairs
from sudoku.rules.lines.sets import SetRule
from sudoku.rules.lines.sums import EqualSumsRule

__all__ = ["leaves", "ranges", "reason"]

MOST_FILLINGS = 2000  # listed to name the sets of digits of a sum
MOST_SETS = 4  # sets of digits that a sentence names
MOST_WAYS = 2  # fillings that a sentence names


def reason(position: Position, rule: RuleCells, left: Masks) -> str:
    """Why the rule leaves these candidates, or which it leaves; it follows the name of the rule.

    If some cells have one candidate left, only these count.
    """
    tables, masks = position.tables, rule.masks(position)
    cells = list(zip(rule.cells, masks, left, strict=True))
    changed = {cell: after for cell, before, after in cells if before != after}
    if why := _why(position, rule, left, changed):
        return why
    placed = {cell: after for cell, after in changed.items() if not after & (after - 1)}
    others = {cell: after for cell, before, after in cells if cell not in changed}
    if isinstance(rule.rule, PairRule) and len(changed) == 1 and len(cells) > 2:
        (place,) = (tables.layout.positions[cell] for cell in changed)
        near = {cell for pair in rule.rule.related(tables.layout.index) if place in pair
                for cell in map(tables.layout.index.__getitem__, pair)}  # fmt: skip
        others = {cell: after for cell, after in others.items() if cell in near}
    beside = [f"{ranges(after)} in {tables.names[cell]}" for cell, after in others.items()]
    is_pair = len(cells) == 2 or isinstance(rule.rule, PairRule)
    reason = f" with {listed(beside, 'and')}" if is_pair and 0 < len(beside) < 3 else ""
    return leaves(tables, placed or changed) + reason


def _why(position: Position, rule: RuleCells, left: Masks, changed: dict[int, int]) -> str:
    """The reason, where there is a short one; or else nothing."""
    tables, one = position.tables, rule.rule
    first, last = (rule.cells[at] in changed for at in (0, -1))
    if isinstance(one, EqualPairs):
        index = tables.layout.index
        equal = [
            f"{tables.names[index[a]]} = {tables.names[index[b]]}"
            for a, b in one.related(index)
            if index[a] in changed or index[b] in changed
        ]
        return f" makes {listed(equal, 'and')}"
    if few := _few(position, rule, left):
        return few
    if isinstance(one, Sandwich):
        return _crust(rule, left)
    if isinstance(one, XSum):
        says = f"reaches {one.total} only with" if first else "starts with"
        digits = f" digit{'s' * (left[0] > 2)}" if first else ""
        return f" {says} {ranges(left[0])}{digits}"
    if isinstance(one, Skyscraper):
        many = one.total > 1
        return f" needs {one.total} rising digits" if many else " has its greatest digit first"
    if isinstance(one, EqualSumsRule):
        sums = _common_sums(rule, one.groups(), left)
        return f" has a sum of {ranges(sums, str)} in each part"
    if isinstance(one, Arrow) and len(one.circle) == 1:
        return f" has a sum of {ranges(left[0])}"
    least = [symbol((after & -after).bit_length() - 1) for after in left]
    most = [symbol(after.bit_length() - 1) for after in left]
    if isinstance(one, BetweenLine) and not first and not last:
        low, high = min(least[0], least[-1]), max(most[0], most[-1])
        return f" has at least {low} and at most {high} at its ends"
    if not all(map(_is_within, rule.masks(position), left)):
        return ""
    if isinstance(one, Thermometer) and len(left) == 2:
        low, high = (tables.names[cell] for cell in rule.cells)
        parts = [f"at least {least[0]} in {low}"] * last + [f"at most {most[1]} in {high}"] * first
        return f" has {listed(parts, 'and')}"
    if isinstance(one, Thermometer):
        return f" is at least {'-'.join(least)} and at most {'-'.join(most)}"
    total = _total(rule)
    return "" if total is None else _sum_left(position, rule, changed, total)


def leaves(tables: Geometry, left: dict[int, int]) -> str:
    """What is left in some cells, those with the same digits together."""
    together: dict[int, int] = {}
    for cell, mask in left.items():
        together[mask] = together.get(mask, 0) | 1 << cell
    parts = [f"{ranges(mask)} in {names(tables, cells)}" for mask, cells in together.items()]
    return f" leaves {listed(parts, 'and')}"


def ranges(mask: int, shown: Callable[[int], str] = symbol) -> str:
    """The members of a set of digits or sums, three or more in a row as a range.

    >>> ranges(0b1111100), ranges(0b1101110)
    ('2 to 6', '1 to 3, 5 or 6')
    """
    runs: list[list[int]] = []
    for number in bits(mask):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts: list[str] = []
    for run in runs:
        parts += [f"{shown(run[0])} to {shown(run[-1])}"] if len(run) > 2 else map(shown, run)
    return listed(parts, "or")


def _is_within(before: int, after: int) -> bool:
    """Whether all that goes is less than the least that stays, or more than the greatest."""
    return not before & ~after & (1 << after.bit_length()) - (after & -after)


def _total(rule: RuleCells) -> int | None:
    """The sum of the cells of a rule; None if it has none."""
    one = rule.rule
    if isinstance(one, LittleKiller) or (isinstance(one, SumDifference) and not one.minus):
        return one.total
    return None


def _few(position: Position, rule: RuleCells, left: Masks) -> str:
    """The combinations of a sum or a set, or the fillings of any rule; empty if there are many."""
    opened = [at for at, cell in enumerate(rule.cells) if position.unsolved >> cell & 1]
    total, is_set = _total(rule), isinstance(rule.rule, SetRule)
    if len(opened) == 1 and total is not None:
        single = len(left) == 1
        return " is one cell" if single else f" has {total - _filled_sum(position, rule)} left"
    is_sum = is_set or total is not None
    fillings = rule.fillings(left, MOST_FILLINGS if is_sum else MOST_WAYS)
    if not fillings or len(opened) < 2:
        return ""
    digits = [tuple(way[at].bit_length() - 1 for at in opened) for way in fillings]
    sets = sorted({tuple(sorted(way)) for way in digits})
    if is_sum and len(digits) > 1 and len(sets) <= MOST_SETS:
        where = "" if len(opened) == len(left) else " in its empty cells"
        kind = "combination" if len(sets) == 1 else "combinations"
        ways = [("-" if is_set else "+").join(map(symbol, way)) for way in sets]
        return f" has only the {kind} {listed(ways, 'or')}{where}"
    if len(digits) > MOST_WAYS:
        return ""
    ways = ["-".join(map(symbol, way)) for way in digits]
    order = [position.tables.names[rule.cells[at]] for at in opened]
    return f" leaves only {listed(ways, 'or')} for {listed(order, 'and')}"


def _filled_sum(position: Position, rule: RuleCells) -> int:
    return sum(position.values[cell] for cell in rule.cells)


def _sum_left(position: Position, rule: RuleCells, changed: dict[int, int], total: int) -> str:
    """The sum that the empty cells have; or of those besides a changed one, the least or most."""
    rest = total - _filled_sum(position, rule)
    if len(set(changed.values())) > 1:
        cells = names(position.tables, rule.mask & position.unsolved)
        return f" has {rest} left for {cells}" if rest != total else ""
    after = next(iter(changed.values()))
    gone = reduce(or_, (position.candidates[cell] for cell in changed)) & ~after
    parts = []
    if gone.bit_length() > after.bit_length():
        parts.append(f"at least {rest - after.bit_length() + 1}")
    if gone & -gone < after & -after:
        parts.append(f"at most {rest - (after & -after).bit_length() + 1}")
    before = f" has {rest} left, and" if rest != total else " has"
    return f"{before} {listed(parts, 'and')} in the other cells"


def _crust(rule: RuleCells, left: Masks) -> str:
    """Where a sandwich has its 1 and its 9, or how many digits are between them."""
    side = len(left)
    ends = 2, 1 << side
    found = {
        (first, second)
        for first, second in combinations(range(side), 2)
        for one, other in (ends, ends[::-1])
        if left[first] & one and left[second] & other
        if rule.is_possible(_fixed(left, {first: one, second: other}))
    }
    if not found:
        return ""
    crust = f"1 and {symbol(side)}"
    if len(found) <= MOST_WAYS:
        cells = [cell_name(*place) for place in rule.places]
        at = [f"{cells[one]} and {cells[two]}" for one, two in sorted(found)]
        return f" has {crust} in {listed(at, 'or')}"
    between = sum(1 << gap for gap in {second - first - 1 for first, second in found})
    if between == 1:
        return f" has {crust} side by side"
    return f" has {ranges(between, str)} digit{'s' * (between > 2)} between {crust}"


def _fixed(left: Masks, digits: dict[int, int]) -> Masks:
    return tuple(digits.get(at, mask) for at, mask in enumerate(left))


def _common_sums(rule: RuleCells, parts: Iterable[tuple[Cell, ...]], left: Masks) -> int:
    """The sums that all parts can have, as bits; equal digits are allowed."""
    masks = dict(zip(rule.places, left, strict=True))
    common = -1
    for part in parts:
        sums = 1
        for cell in part:
            sums = reduce(or_, (sums << digit for digit in bits(masks[cell])))
        common &= sums
    return common
