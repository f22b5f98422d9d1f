"""Rule nets: forcing nets that also follow what the rules leave.

A rule net assumes a candidate and follows the singles. Then it removes what `Rule.restrict` removes
from the cells of each rule, and of each sum of few innies and outies; it follows the singles again,
and so on. It ends in a contradiction: a cell or a house without a digit, or a rule that cannot be
filled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice

from sudoku.hinting.deduction import Deduction
from sudoku.hinting.geometry import bits
from sudoku.hinting.position import Changes, Position
from sudoku.hinting.rule_techniques.fillings import RuleCells
from sudoku.hinting.rule_techniques.house_combinations import HouseCells, house_cells
from sudoku.hinting.rule_techniques.innies_and_outies import net_rules
from sudoku.hinting.techniques.chains import removal
from sudoku.hinting.techniques.forcing import solution_cells
from sudoku.hinting.techniques.nets import (
    Conclusion,
    Contradiction,
    NetBuilder,
    net_cells,
    net_evidence,
)
from sudoku.hinting.techniques.propagation import propagation

__all__ = ["all_rule_nets", "rule_nets"]

NetRule = RuleCells | HouseCells

MOST_HOUSES = 4000  # houses that the search for combination nets looks at, about a second
ENOUGH = 5  # nets of which the shortest is the hint


class RuleNetBuilder(NetBuilder):
    """Builds the net of one assumption, with the rules."""

    def __init__(self, position: Position, cell: int, digit: int, rules: Sequence[NetRule]) -> None:
        """Starts with the assumption that the cell holds the digit; follows these rules."""
        super().__init__(position, cell, digit)
        self.rules = rules

    def run(self) -> Contradiction | None:
        """Follows singles and rules; returns the contradiction that they end in, or None."""
        while True:
            contradiction = super().run()
            if contradiction is not None:
                return contradiction
            known = len(self.steps)
            for rule in self.rules:
                because = self._because(rule)
                if not because or (len(self.steps) > known and isinstance(rule, HouseCells)):
                    continue  # whole houses take long: first all singles, and the other rules
                masks = self._masks(rule)
                left = rule.narrowed(masks)
                if left is None:
                    return Contradiction(None, None, None, because, rule.words)
                for cell, before, after in zip(rule.cells, masks, left, strict=True):
                    for digit in bits(before & ~after):
                        self._exclude(cell, digit, rule, because)
            if len(self.steps) == known:
                return None

    def _exclude(self, cell: int, digit: int, rule: NetRule, because: tuple[int, ...]) -> None:
        """Concludes that the rule excludes the digit from the cell."""
        self.removed_by[cell, digit] = len(self.steps)
        self.planes[digit] &= ~(1 << cell)
        self.steps.append(Conclusion(cell, digit, None, because, rule=rule.words))

    def _because(self, rule: NetRule) -> tuple[int, ...]:
        """The conclusions that have placed or removed something in the cells of a rule."""
        position = self.position
        found = {
            self.removed_by[cell, digit]
            for cell in rule.cells
            for digit in position.digits_of[cell]
            if (cell, digit) in self.removed_by
        }
        return tuple(sorted(found))

    def _masks(self, rule: NetRule) -> tuple[int, ...]:
        """The candidates left for the cells of a rule."""
        values = self.position.values
        return tuple(
            1 << values[cell]
            if values[cell]
            else sum(
                1 << digit
                for digit in self.position.digits_of[cell]
                if (self.planes[digit] | self.placed[digit]) >> cell & 1
            )
            for cell in rule.cells
        )


def _rules(position: Position, houses: bool) -> list[NetRule]:
    """What nets follow: rules and sums of innies and outies, and then houses with their cages."""
    layout = position.tables.layout
    return [*net_rules(layout), *(house_cells(layout) if houses else ())]


def _refuted(position: Position, houses: bool) -> Iterator[int]:
    """The candidates that rule nets refute; with `houses`, combination nets.

    Wrong candidates only; those of cells with few candidates first.
    """
    tables = position.tables
    rules = _rules(position, houses)
    if not rules:
        return
    by_cell = [0] * tables.size  # for each cell the numbers of its rules, as bits
    for number, rule in enumerate(rules):
        for cell in rule.cells:
            by_cell[cell] |= 1 << number
    engine, size = propagation(tables.layout), tables.size
    solution, counts = solution_cells(position), position.counts
    start, true = engine.start(position)
    first = [
        1 << value if value else mask
        for value, mask in zip(position.values, position.candidates, strict=True)
    ]
    houses_left = MOST_HOUSES
    for candidate in sorted(bits(position.flat), key=lambda node: counts[node % size]):
        if solution[candidate % size] == candidate // size + 1:
            continue
        state, now, possible = engine.assume(start, true, candidate)
        known, masks, changed = start, list(first), 0
        while possible and houses_left:
            gone, known = known & ~state, state
            for node in bits(gone):
                plane, cell = divmod(node, size)
                masks[cell] &= ~(2 << plane)
                changed |= by_cell[cell]
            if not changed:
                break
            low = changed & -changed  # the rule with the smallest number
            changed ^= low
            rule = rules[low.bit_length() - 1]
            houses_left -= isinstance(rule, HouseCells)
            before = tuple(masks[cell] for cell in rule.cells)
            left = rule.narrowed(before)
            if left is None:
                possible = False
            elif left != before:
                state, now, possible = engine.exclude_all(
                    state, now, _gone(rule, before, left, size)
                )
        if not possible:
            yield candidate


def _gone(rule: NetRule, masks: tuple[int, ...], left: tuple[int, ...], size: int) -> int:
    """The candidates that a rule excludes, as one set."""
    gone = 0
    for cell, before, after in zip(rule.cells, masks, left, strict=True):
        for digit in bits(before & ~after):
            gone |= 1 << (digit - 1) * size + cell
    return gone


def all_rule_nets(position: Position) -> Changes:
    """The candidates that all rule nets remove."""
    refuted = _refuted(position, houses=False)
    return removal(position, sum(1 << candidate for candidate in refuted))


def rule_nets(position: Position, houses: bool = False) -> Iterator[Deduction]:
    """Rule nets, one by one; of the first `ENOUGH` those with the shortest proofs first.

    With `houses`, combination nets.
    """
    refuted = _refuted(position, houses)
    while found := [_net(position, candidate, houses) for candidate in islice(refuted, ENOUGH)]:
        for _, deduction in sorted(found, key=lambda one: one[0]):
            yield deduction


def _net(position: Position, candidate: int, houses: bool) -> tuple[int, Deduction]:
    """The length of the proof that a candidate is false, and its removal."""
    tables = position.tables
    cell, digit = candidate % tables.size, candidate // tables.size + 1
    builder = RuleNetBuilder(position, cell, digit, _rules(position, houses))
    contradiction = builder.run()
    if contradiction is None:
        raise AssertionError("the rule net ends in no contradiction")
    net = builder.net(contradiction)
    evidence = partial(net_evidence, tables, net)
    removed = ((digit, 1 << cell),)
    technique = "combination net" if houses else "rule net"
    return len(net.steps), Deduction(technique, net_cells(net), (), removed, evidence)
