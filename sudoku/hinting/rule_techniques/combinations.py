"""What the rules leave to their cells: combinations, digits that a rule needs, common conflicts.

A rule with cells (a cage, a thermometer, an arrow, a dot, a line ...) can be filled in some ways.
Candidates in none of these combinations are removed. A digit that every combination needs is in one
of the cells of the rule: it is removed from the cells that see all its places there. These
techniques are the same for every rule; only their names differ, which are those that setters use.

A common conflict needs no combinations: all candidates of a cell, or all places for a digit in a
house, have a weak link to the same candidate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial, reduce
from operator import or_

from sudoku.board.layout import Layout, layout_cache, symbol
from sudoku.board.peers import peers
from sudoku.board.rule import Rule
from sudoku.errors import listed
from sudoku.hinting.deduction import (
    Deduction,
    Evidence,
    changes_of,
    names,
    rule_kind,
    rule_words,
)
from sudoku.hinting.geometry import Geometry, bits
from sudoku.hinting.position import Changes, Position
from sudoku.hinting.rule_techniques.fillings import (
    Masks,
    RuleCells,
    by_digit,
    masks_of,
    rule_cells,
)
from sudoku.hinting.rule_techniques.reasons import leaves, ranges, reason
from sudoku.hinting.technique import technique, together
from sudoku.hinting.techniques.singles import all_hidden_singles, all_naked_singles
from sudoku.rules import Allowed
from sudoku.rules.encoding.relation import PairRule

__all__ = [
    "all_combinations",
    "combinations",
    "common_conflicts",
    "interactions",
    "removals",
    "rule_deduction",
    "rule_evidence",
    "single_combinations",
]

PAIRS = ("inequality", "kropki dot", "XV pair")
"""Techniques of rules of two cells: a step may go along several of them."""

MOST_LINKS = 4  # rules of two cells that one step goes along
FEW_CELLS = 6  # that a sentence about a digit which no rule of a kind has names


Fact = tuple[str, str, int, int]
"""A technique, the rules of a kind, and digits that they never have in any of their cells."""


@layout_cache
def facts(layout: Layout) -> list[Fact]:
    """The digits that no black dot, no X, no whisper line of some difference ... has."""
    found: dict[tuple[str, str, int], int] = {}
    for cells in rule_cells(layout):
        rule = cells.rule
        if rule.technique in PAIRS or isinstance(rule, PairRule):
            key = rule.technique, rule_kind(rule), _never(rule, layout)
            found[key] = found.get(key, 0) | cells.mask
    return [(*key, cells) for key, cells in found.items() if key[2]]


def _never(rule: Rule, layout: Layout) -> int:
    """The digits that fit no digit beside them, as bits."""
    seen, index, found = peers(layout), layout.index, -1
    digits = range(1, layout.side + 1)
    for one, two in rule.linked(layout):
        for first, second in ((one, two), (two, one)):
            differ = seen[index[one]] >> index[two] & 1
            found &= sum(
                1 << d
                for d in digits
                if all(rule.broken({first: d, second: e}) for e in digits if e != d or not differ)
            )
    return found


def _facts(position: Position, name: str) -> Iterator[Deduction]:
    for of, noun, digits, cells in facts(position.tables.layout):
        lose = reduce(or_, (position.planes[digit] & cells for digit in bits(digits)))
        if lose and of == name:
            masks = {cell: position.candidates[cell] for cell in bits(lose)}
            count, what = lose.bit_count(), ranges(digits)
            so = f", so none of these {count} cells can be {what}" if count > FEW_CELLS else None
            marks = _marks(position, ((cell, mask & ~digits) for cell, mask in masks.items()))
            evidence = Evidence(f"{noun} has no {what}", (), marks, follows=so)
            gone = by_digit({cell: mask & digits for cell, mask in masks.items()})
            yield Deduction(name, cells, (), gone, partial(Evidence, *evidence))


def all_combinations(position: Position, name: str) -> Changes:
    """The candidates that the rules with this name do not leave, together."""
    return removals(position, _narrowed(position, name))


def removals(position: Position, narrowed: Iterable[tuple[RuleCells, Masks, Masks]]) -> Changes:
    """The candidates that some rules exclude, together."""
    found = Changes(position.tables.side)
    for rule, masks, left in narrowed:
        for digit, cells in rule.removed(masks, left):
            found.removed[digit] |= cells
    return found


def _narrowed(position: Position, name: str) -> Iterator[tuple[RuleCells, Masks, Masks]]:
    """The rules that exclude something, with the candidates before and after."""
    for rule in rule_cells(position.tables.layout):
        if rule.rule.technique == name and rule.mask & position.unsolved:
            masks = rule.masks(position)
            left = rule.left(masks)
            if left != masks:
                yield rule, masks, left


for _name in (*PAIRS, "cage combinations", "thermometer", "arrow", "rule", "line",
              "little killer", "outside clue"):  # fmt: skip
    together(_name, name=_name)(all_combinations)


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

    First those that no rule of a kind has anywhere. Then one deduction for each rule: those that
    place a digit first, then those that leave a single, then those that leave few candidates. Rules
    of two cells with a cell in common are one deduction.
    """
    yield from _facts(position, name)
    found = []
    for rule, masks, left in _narrowed(position, name):
        if name in PAIRS:
            deduction = _along(position, rule, left)
        else:
            evidence = partial(rule_evidence, position, rule, left, rule.words)
            deduction = rule_deduction(name, rule, masks, left, evidence)
        most = max(b.bit_count() for a, b in zip(masks, left, strict=True) if a != b)
        found.append((most, deduction))
    found.sort(key=lambda one: (not one[1].placed, not _opens(position, one[1]), one[0]))
    yield from (deduction for _, deduction in found)


@technique("single combination", "", "medium", 30, use="proof", rules=True)
def single_combinations(position: Position) -> Iterator[Deduction]:
    """Cages that have only one combination left, or only one empty cell."""
    for rule, masks, left in _narrowed(position, "cage combinations"):
        opened = [
            mask
            for cell, mask in zip(rule.cells, left, strict=True)
            if position.unsolved >> cell & 1
        ]
        if reduce(or_, opened).bit_count() == len(opened):
            evidence = partial(rule_evidence, position, rule, left, rule.words)
            yield rule_deduction("single combination", rule, masks, left, evidence)


def rule_deduction(
    name: str, rule: RuleCells, masks: Masks, left: Masks, evidence: Callable[[], Evidence]
) -> Deduction:
    """What a rule leaves: the digits it places, or else the candidates it removes."""
    placed = _placed(masks, rule.cells, left)
    removed = () if placed else rule.removed(masks, left)
    return Deduction(name, rule.mask, placed, removed, evidence)


def _placed(
    before: Iterable[int], cells: Iterable[int], left: Iterable[int]
) -> tuple[tuple[int, int], ...]:
    """The cells with one candidate left that had more, with the digit."""
    return tuple(
        (cell, after.bit_length() - 1)
        for cell, mask, after in zip(cells, before, left, strict=True)
        if mask != after and not after & (after - 1)
    )


def rule_evidence(
    position: Position, rule: RuleCells, left: Masks, why: str, houses: tuple[int, ...] = ()
) -> Evidence:
    """The sentence: `why`, which names the rule, the reason, and the digits placed."""
    placed = _placed(rule.masks(position), rule.cells, left)
    because = reason(position, rule, left)
    follows = None
    if placed:
        alone = leaves(position.tables, {cell: 1 << digit for cell, digit in placed})
        follows = "" if because == alone else _so(position.tables, placed)
    marks = _marks(position, zip(rule.cells, left, strict=True))
    return Evidence(why + because, houses, marks, follows=follows)


def _marks(position: Position, left: Iterable[tuple[int, int]]) -> tuple[tuple[int, int, str], ...]:
    """What is left in the empty ones of some cells, as marks."""
    empty = {cell: mask for cell, mask in left if position.unsolved >> cell & 1}
    return tuple((digit, cells, "base") for digit, cells in by_digit(empty))


def _so(tables: Geometry, placed: Iterable[tuple[int, int]]) -> str:
    """The digits placed, as the end of a sentence."""
    parts = [f"{tables.names[cell]} is {symbol(digit)}" for cell, digit in placed]
    return f", so {listed(parts, 'and')}" if parts else ""


def _opens(position: Position, deduction: Deduction) -> bool:
    """Whether there is a single after a deduction."""
    after = position.after(changes_of(position, [deduction]))
    return bool(all_naked_singles(after)) or bool(all_hidden_singles(after))


def _along(position: Position, first: RuleCells, left: Masks) -> Deduction:
    """What a rule of two cells leaves, and the rules of two cells next to it, one after another.

    Until one of them places a digit.
    """
    tables = position.tables
    before, masks = masks_of(position), masks_of(position)
    rules = [r for r in rule_cells(tables.layout) if r.rule.technique in PAIRS]
    steps: list[str] = []
    cells, rule = 0, first
    while len(steps) < MOST_LINKS:
        now = tuple(masks[cell] for cell in rule.cells)
        left = rule.left(now)
        changed = {c: b for c, a, b in zip(rule.cells, now, left, strict=True) if a != b}
        for cell, mask in changed.items():
            masks[cell] = mask
        cells |= rule.mask
        says = leaves(tables, changed) if steps else reason(position, rule, left)
        steps.append(f"{rule.words}{says}")
        near = (r for r in rules if r is not rule and any(c in changed for c in r.cells))
        if any(not mask & (mask - 1) for mask in changed.values()):
            break
        rule = next((r for r in near if _loses(r, masks)), first)
        if not _loses(rule, masks):
            break
    chain = list(bits(cells))
    after = [masks[cell] for cell in chain]
    placed = _placed([before[cell] for cell in chain], chain, after)
    gone = {} if placed else {cell: before[cell] & ~masks[cell] for cell in chain}
    marks = _marks(position, zip(chain, after, strict=True))
    follows = _so(tables, placed) if placed or len(steps) > 1 else None
    evidence = Evidence(", then ".join(steps), (), marks, follows=follows)
    return Deduction(
        first.rule.technique, cells, placed, by_digit(gone), partial(Evidence, *evidence)
    )


def _loses(rule: RuleCells, masks: Sequence[int]) -> bool:
    """Whether a rule excludes any of these candidates, which all cells have."""
    now = tuple(masks[cell] for cell in rule.cells)
    return rule.left(now) != now


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
        f"{rule.words} needs {what}, in {names(tables, places, 'or')}",
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
            text = f"{tables.names[cell]} can only be {ranges(position.candidates[cell])}"
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
        rules = [rule_words(rule) for rule in _between(position, nodes, gone)]
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
