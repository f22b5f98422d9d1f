"""Rule nets: forcing nets that also follow what the rules leave.

A rule net assumes a candidate and follows the singles. Then it removes what `Rule.restrict` removes
from the cells of each rule, and of each sum of few innies and outies; it follows the singles again,
and so on. It ends in a contradiction: a cell or a house without a digit, or a rule that cannot be
filled.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice

from sudoku.hinting.deduction import Deduction
from sudoku.hinting.geometry import bits
from sudoku.hinting.position import Changes, Position
from sudoku.hinting.rule_techniques.fillings import RuleCells
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

ENOUGH = 5  # nets of which the shortest is the hint


class RuleNetBuilder(NetBuilder):
    """Builds the net of one assumption, with the rules."""

    def run(self) -> Contradiction | None:
        """Follows singles and rules; returns the contradiction that they end in, or None."""
        while True:
            contradiction = super().run()
            if contradiction is not None:
                return contradiction
            known = len(self.steps)
            for rule in net_rules(self.position.tables.layout):
                because = self._because(rule)
                if not because:
                    continue
                masks = self._masks(rule)
                left = rule.narrowed(masks)
                if left is None:
                    return Contradiction(None, None, None, because, rule.words)
                for cell, before, after in zip(rule.cells, masks, left, strict=True):
                    for digit in bits(before & ~after):
                        self._exclude(cell, digit, rule, because)
            if len(self.steps) == known:
                return None

    def _exclude(self, cell: int, digit: int, rule: RuleCells, because: tuple[int, ...]) -> None:
        """Concludes that the rule excludes the digit from the cell."""
        self.removed_by[cell, digit] = len(self.steps)
        self.planes[digit] &= ~(1 << cell)
        self.steps.append(Conclusion(cell, digit, None, because, rule=rule.words))

    def _because(self, rule: RuleCells) -> tuple[int, ...]:
        """The conclusions that have placed or removed something in the cells of a rule."""
        position = self.position
        found = {
            self.removed_by[cell, digit]
            for cell in rule.cells
            for digit in position.digits_of[cell]
            if (cell, digit) in self.removed_by
        }
        return tuple(sorted(found))

    def _masks(self, rule: RuleCells) -> tuple[int, ...]:
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


def _refuted(position: Position) -> Iterator[int]:
    """The candidates that rule nets refute.

    Wrong candidates only; those of cells with few candidates first.
    """
    rules = net_rules(position.tables.layout)
    if not rules:
        return
    engine, size = propagation(position.tables.layout), position.tables.size
    solution, counts = solution_cells(position), position.counts
    start, true = engine.start(position)
    for candidate in sorted(bits(position.flat), key=lambda node: counts[node % size]):
        if solution[candidate % size] == candidate // size + 1:
            continue
        before, (state, now, possible) = start, engine.assume(start, true, candidate)
        while possible and state != before:
            changed, before = _cells(before & ~state, size), state
            for rule in rules:
                if not rule.mask & changed:
                    continue
                masks = _masks(rule, state, size)
                left = rule.narrowed(masks)
                if left is None:
                    possible = False
                    break
                gone = _gone(rule, masks, left, size)
                if gone:
                    state, now, possible = engine.exclude_all(state, now, gone)
                    if not possible:
                        break
                    changed |= _cells(before & ~state, size)
        if not possible:
            yield candidate


def _cells(nodes: int, size: int) -> int:
    """The cells of a set of candidates."""
    cells, whole = 0, (1 << size) - 1
    while nodes:
        cells |= nodes & whole
        nodes >>= size
    return cells


def _masks(rule: RuleCells, state: int, size: int) -> tuple[int, ...]:
    """The candidates of the cells of a rule in a state of the propagation."""
    digits = range(rule.layout.side)
    return tuple(
        sum(2 << plane for plane in digits if state >> plane * size + cell & 1)
        for cell in rule.cells
    )


def _gone(rule: RuleCells, masks: tuple[int, ...], left: tuple[int, ...], size: int) -> int:
    """The candidates that a rule excludes, as one set."""
    gone = 0
    for cell, before, after in zip(rule.cells, masks, left, strict=True):
        for digit in bits(before & ~after):
            gone |= 1 << (digit - 1) * size + cell
    return gone


def all_rule_nets(position: Position) -> Changes:
    """The candidates that all rule nets remove."""
    return removal(position, sum(1 << candidate for candidate in _refuted(position)))


def rule_nets(position: Position) -> Iterator[Deduction]:
    """Rule nets, one by one; of the first `ENOUGH` those with the shortest proofs first."""
    refuted = _refuted(position)
    while found := [_net(position, candidate) for candidate in islice(refuted, ENOUGH)]:
        for _, deduction in sorted(found, key=lambda one: one[0]):
            yield deduction


def _net(position: Position, candidate: int) -> tuple[int, Deduction]:
    """The length of the proof that a candidate is false, and its removal."""
    tables = position.tables
    cell, digit = candidate % tables.size, candidate // tables.size + 1
    builder = RuleNetBuilder(position, cell, digit)
    contradiction = builder.run()
    if contradiction is None:
        raise AssertionError("the rule net ends in no contradiction")
    net = builder.net(contradiction)
    evidence = partial(net_evidence, tables, net)
    removed = ((digit, 1 << cell),)
    return len(net.steps), Deduction("rule net", net_cells(net), (), removed, evidence)
