"""What the rules leave to their cells: combinations, digits that a rule needs, common conflicts.

A rule with cells (a cage, a thermometer, an arrow, a dot, a line ...) can be filled in some ways.
Candidates in none of these combinations are removed. A digit that every combination needs is in one
of the cells of the rule: it is removed from the cells that see all its places there. These
techniques are the same for every rule; only their names differ, which are those that setters use.

A common conflict needs no combinations: all candidates of a cell, or all places for a digit in a
house, have a weak link to the same candidate.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sudoku.board.layout import symbol
from sudoku.board.rule import Rule
from sudoku.errors import listed
from sudoku.hinting.deduction import Deduction, Evidence, names, symbols
from sudoku.hinting.geometry import bits
from sudoku.hinting.position import Position
from sudoku.hinting.rule_techniques.fillings import Masks, RuleCells, rule_cells
from sudoku.hinting.technique import technique
from sudoku.rules import Allowed
from sudoku.rules.implied import SumDifference

__all__ = [
    "MOST_LEFT",
    "combinations",
    "combinations_evidence",
    "common_conflicts",
    "interactions",
    "ranges",
]

MOST_FILLINGS = 2000  # listed to name the sets of digits of a cage
MOST_SETS = 4  # sets of digits that a sentence names
MOST_LEFT = 3  # sets of candidates left that a sentence names


@technique("inequality", "", "medium", 30, rules=True, named=True)
@technique("kropki dot", "", "medium", 30, rules=True, named=True)
@technique("XV pair", "", "medium", 30, rules=True, named=True)
@technique("cage combinations", "", "medium", 40, rules=True, named=True)
@technique("thermometer", "", "medium", 40, rules=True, named=True)
@technique("arrow", "", "medium", 40, rules=True, named=True)
@technique("rule", "", "medium", 50, rules=True, named=True)
@technique("line", "", "medium", 60, rules=True, named=True)
@technique("little killer", "", "medium", 70, rules=True, named=True)
@technique("outside clue", "", "medium", 80, rules=True, named=True)
def combinations(position: Position, name: str) -> Iterator[Deduction]:
    """Candidates that are in no filling of a rule's cells, for the rules of which this is the name.

    One deduction for each rule.
    """
    for rule in rule_cells(position.tables.layout):
        if rule.rule.technique == name and rule.mask & position.unsolved:
            masks = rule.masks(position)
            left = rule.left(masks)
            if left != masks:
                evidence = partial(combinations_evidence, position, rule, left)
                yield Deduction(name, rule.mask, (), rule.removed(masks, left), evidence)


def combinations_evidence(
    position: Position, rule: RuleCells, left: Masks, houses: tuple[int, ...] = (), why: str = ""
) -> Evidence:
    """The sentence: the sets of digits, if they are few, or the candidates left.

    `why` says where the rule comes from, if the puzzle does not have it.
    """
    return Evidence(
        (why or f"the {rule.rule}") + _says(position, rule, left),
        houses,
        tuple((digit, cells & position.unsolved, "base") for digit, cells in rule.by_digit(left)),
    )


def _says(position: Position, rule: RuleCells, left: Masks) -> str:
    """The second part of the sentence: the sets of digits, or the digits left."""
    is_sum = rule.rule.kind == "cage" or (
        isinstance(rule.rule, SumDifference) and not rule.rule.minus
    )
    fillings = rule.fillings(left, MOST_FILLINGS) if is_sum else None
    open_at = [at for at, cell in enumerate(rule.cells) if position.unsolved >> cell & 1]
    if fillings and len(open_at) > 1:
        sets = sorted(
            {tuple(sorted(filling[at].bit_length() - 1 for at in open_at)) for filling in fillings}
        )
        if len(sets) <= MOST_SETS:
            ways = ["+".join(map(symbol, one)) for one in sets]
            where = "" if len(open_at) == len(rule.cells) else " in its empty cells"
            one = "the combination" if len(sets) == 1 else "the combinations"
            return f" has only {one} {listed(ways, 'or')}{where}"
    return _leaves(position, rule, left)


def _leaves(position: Position, rule: RuleCells, left: Masks) -> str:
    """Which digits the rule leaves to the cells that lose some.

    Of two cells, also the digits of the other: the reason.
    """
    tables, masks = position.tables, rule.masks(position)
    changed: dict[int, int] = {}  # cells by the digits left
    others = []
    for cell, before, after in zip(rule.cells, masks, left, strict=True):
        if before != after:
            changed[after] = changed.get(after, 0) | 1 << cell
        else:
            others.append(f"{ranges(after)} in {tables.names[cell]}")
    if len(changed) > MOST_LEFT:
        return " cannot be filled otherwise"
    parts = [f"{ranges(mask)} in {names(tables, cells)}" for mask, cells in changed.items()]
    reason = f" with {others[0]}" if len(others) == 1 and len(masks) == 2 else ""
    return f" leaves {listed(parts, 'and')}{reason}"


def ranges(mask: int) -> str:
    """The symbols of a set of digits, three or more in a row as a range.

    >>> ranges(0b1111100), ranges(0b1101110)
    ('2 to 6', '1 to 3, 5 or 6')
    """
    runs: list[list[int]] = []
    for digit in bits(mask):
        if runs and runs[-1][-1] == digit - 1:
            runs[-1].append(digit)
        else:
            runs.append([digit])
    parts: list[str] = []
    for run in runs:
        if len(run) > 2:
            parts.append(f"{symbol(run[0])} to {symbol(run[-1])}")
        else:
            parts += map(symbol, run)
    return listed(parts, "or")


@technique("cage-house interaction", "", "medium", 60, rules=True, kinds=("cage",), named=True)
@technique("rule-house interaction", "", "medium", 60, rules=True, kinds=(), named=True)
def interactions(position: Position, kinds: tuple[str, ...], name: str) -> Iterator[Deduction]:
    """Digits that every filling of a rule has, and the cells that see all their places in it.

    For the rules of these kinds; for all others if there are none.
    """
    tables = position.tables
    for rule in rule_cells(tables.layout):
        if (rule.rule.kind in kinds) != bool(kinds) or not rule.mask & position.unsolved:
            continue
        masks = None
        for digit in tables.digits:
            places = position.planes[digit] & rule.mask
            if not places & (places - 1):
                continue
            gone = position.planes[digit] & tables.seen_by_all(places) & ~rule.mask
            for house in tables.common_houses(places):
                if gone and not position.planes[digit] & tables.houses[house] & ~places:
                    gone &= ~tables.houses[house]
            if not gone:
                continue
            masks = masks or rule.masks(position)
            if not _filled(position, rule, digit) and rule.needs(masks, digit):
                evidence = partial(_evidence_needed, position, rule, digit, places)
                yield Deduction(name, places, (), ((digit, gone),), evidence)


def _filled(position: Position, rule: RuleCells, digit: int) -> bool:
    """Whether a cell of the rule holds the digit already."""
    return any(position.values[cell] == digit for cell in rule.cells)


def _evidence_needed(position: Position, rule: RuleCells, digit: int, places: int) -> Evidence:
    tables, what = position.tables, symbol(digit)
    return Evidence(
        f"the {rule.rule} has {what} in every combination, in {names(tables, places, 'or')}",
        (),
        ((digit, places, "base"),),
    )


@technique("common conflict", "", "medium", 50, rules=True)
def common_conflicts(position: Position) -> Iterator[Deduction]:
    """Candidates that every candidate of a cell, or every place of a digit in a house, excludes.

    Only where rules add weak links between different digits. Equal digits are found as locked
    candidates.
    """
    tables = position.tables
    if not tables.crossed:
        return
    size, seen, flat = tables.size, tables.seen, position.flat
    for cell in bits(position.unsolved):
        nodes = sum(1 << (digit - 1) * size + cell for digit in position.digits_of[cell])
        if gone := _against(seen, nodes, flat):
            text = f"{tables.names[cell]} can only be {symbols(position.candidates[cell], 'or')}"
            yield _conflict(position, nodes, gone, text, ())
    for digit in tables.digits:
        for house in tables.easiest:
            places = position.planes[digit] & tables.houses[house]
            nodes = places << (digit - 1) * size
            if places & (places - 1) and (gone := _against(seen, nodes, flat)):
                text = f"{symbol(digit)} is in {names(tables, places, 'or')}"
                text += f" in {tables.house_words[house]}"
                yield _conflict(position, nodes, gone, text, (house,))


def _against(seen: list[int], nodes: int, flat: int) -> int:
    """The candidates that conflict with all of these."""
    gone = flat
    for node in bits(nodes):
        gone &= seen[node]
        if not gone:
            break
    return gone


def _conflict(
    position: Position, nodes: int, gone: int, text: str, houses: tuple[int, ...]
) -> Deduction:
    tables = position.tables
    size, whole = tables.size, tables.all_cells
    marks = tuple(
        (digit, cells, "base")
        for digit in tables.digits
        if (cells := nodes >> (digit - 1) * size & whole)
    )
    removed = tuple(
        (digit, cells) for digit in tables.digits if (cells := gone >> (digit - 1) * size & whole)
    )
    cells = 0
    for _, where, _ in marks:
        cells |= where

    def evidence() -> Evidence:
        rules = [
            f"the {rule}" if rule.cells else f"the rule '{rule}'"
            for rule in _between(position, nodes, gone)
        ]
        what = "candidates" if gone & (gone - 1) else "candidate"
        each = f"each choice excludes the same {what}"
        why = f" by {listed(rules, 'and')}" if rules else ""
        return Evidence(f"{text}, and {each}{why}", houses, marks)

    return Deduction("common conflict", cells, (), removed, evidence)


def _between(position: Position, nodes: int, gone: int) -> list[Rule]:
    """The rules that exclude one of some candidates together with one of the others."""
    tables, layout = position.tables, position.tables.layout
    size, places = tables.size, layout.positions
    pairs = [
        {places[node % size]: node // size + 1, places[other % size]: other // size + 1}
        for node in bits(nodes)
        for other in bits(gone & tables.crossed.get(node, 0))
    ]
    return [
        rule
        for rule in layout.rules
        if not isinstance(rule, Allowed) and any(rule.broken(pair) for pair in pairs)
    ]
