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
from sudoku.hinting.rule_techniques.fillings import masks_of
from sudoku.hinting.rule_techniques.house_combinations import HouseCells, house_cells
from sudoku.hinting.rule_techniques.innies_and_outies import combination_net_rules, net_rules
from sudoku.hinting.rule_techniques.net_proofs import (
    NetRule,
    RuleNetBuilder,
    numbers_by_cell,
)
from sudoku.hinting.technique import technique, together
from sudoku.hinting.techniques.chains import removal
from sudoku.hinting.techniques.forcing import solution_cells
from sudoku.hinting.techniques.nets import Contradiction, net_cells, net_evidence
from sudoku.hinting.techniques.propagation import propagation

__all__ = ["all_rule_nets", "rule_nets"]

RULE_NET, COMBINATION_NET = "rule net", "combination net"

MOST_HOUSES = 12_000  # houses that a search for combination nets looks at, about a second
ENOUGH = 5  # nets of which the shortest is the hint


def _rules(position: Position, houses: bool) -> Sequence[NetRule]:
    """What nets follow: rules and sums of innies and outies, and then houses with their cages."""
    layout = position.tables.layout
    return [*combination_net_rules(layout), *house_cells(layout)] if houses else net_rules(layout)


def _refuted(position: Position, houses: bool) -> Iterator[int]:
    """The candidates that rule nets refute; with `houses`, combination nets.

    Wrong candidates only; those of cells with few candidates first.
    """
    rules = _rules(position, houses)
    if not rules:
        return
    search = Search(position, rules, houses)
    solution, counts = solution_cells(position), position.counts
    size = position.tables.size
    for candidate in sorted(bits(position.flat), key=lambda node: counts[node % size]):
        if solution[candidate % size] != candidate // size + 1 and search.refutes(candidate):
            yield candidate


class Search:
    """The search for candidates that nets refute, in one position.

    What follows from a candidate is kept for the positions after this one, where more follows: the
    candidates that a later step removes are all that the net still has to look at.
    """

    def __init__(self, position: Position, rules: Sequence[NetRule], houses: bool) -> None:
        self.tables = position.tables
        self.rules = rules
        self.by_cell = numbers_by_cell(position, rules)
        self.engine = propagation(self.tables.layout)
        self.start, self.true = self.engine.start(position)
        self.masks = masks_of(position)
        self.known = position.consequences.setdefault(COMBINATION_NET if houses else RULE_NET, {})
        self.more = position.consequences.get(RULE_NET, {}) if houses else {}
        """What the nets found that do not look at houses."""
        self.possible = 0
        """The candidates that follow from others without a contradiction: so they have none."""
        self.houses_left = MOST_HOUSES

    def refutes(self, candidate: int) -> bool:
        """Whether the net of this candidate ends in a contradiction."""
        if self.possible >> candidate & 1:
            return False
        engine, known = self.engine, self.known.get(candidate)
        before, true = known or (self.start, self.true)
        if not before:
            return True
        more, also_true = self.more.get(candidate, (before, true))
        gone = ~(self.start & more)
        true |= self.true | also_true
        if known is None:
            state, true, possible = engine.assume(before & ~gone, true, candidate)
        elif before & gone:
            state, true, possible = engine.exclude_all(before, true, gone)
        else:
            self.possible |= true
            return False
        if possible:
            state, true, possible = self._followed(before, state, true)
        if not possible:
            self.known[candidate] = (0, 0)
        elif self.houses_left:
            self.known[candidate] = (state, true)
            self.possible |= true
        return not possible

    def _followed(self, before: int, state: int, true: int) -> tuple[int, int, bool]:
        """What follows by rules and singles; the rules have been followed in the state `before`.

        Returns the same as `Propagation.assume`.
        """
        engine, size, by_cell = self.engine, self.tables.size, self.by_cell
        masks, changed, known = list(self.masks), 0, self.start
        for node in bits(before & ~(state | known)):
            changed |= by_cell[node % size]  # a step has removed it
        while True:
            for node in bits(known & ~state):
                plane, cell = divmod(node, size)
                masks[cell] &= ~(2 << plane)
                if before >> node & 1:
                    changed |= by_cell[cell]
            known = state
            if not changed or not self.houses_left:
                return state, true, True
            low = changed & -changed  # the rule with the smallest number
            changed ^= low
            rule = self.rules[low.bit_length() - 1]
            self.houses_left -= isinstance(rule, HouseCells)
            now = tuple(masks[cell] for cell in rule.cells)
            left = rule.narrowed(now)
            if left is None:
                return state, true, False
            if left != now:
                gone = _gone(rule, now, left, size)
                state, true, possible = engine.exclude_all(state, true, gone)
                if not possible:
                    return state, true, False


def _gone(rule: NetRule, masks: tuple[int, ...], left: tuple[int, ...], size: int) -> int:
    """The candidates that a rule excludes, as one set."""
    gone = 0
    for cell, before, after in zip(rule.cells, masks, left, strict=True):
        for digit in bits(before & ~after):
            gone |= 1 << (digit - 1) * size + cell
    return gone


@together("rule net")
def all_rule_nets(position: Position) -> Changes:
    """The candidates that all rule nets remove."""
    refuted = _refuted(position, houses=False)
    return removal(position, sum(1 << candidate for candidate in refuted))


@technique("rule net", "", "extreme", 600, rules=True)
@technique("combination net", "", "extreme", 800, use="proof", rules=True, houses=True)
def rule_nets(position: Position, houses: bool = False) -> Iterator[Deduction]:
    """Rule nets, one by one; of the first `ENOUGH` those with the shortest proofs first.

    With `houses`, combination nets.
    """
    rules = _rules(position, houses)
    refuted = _refuted(position, houses)
    while found := [_proof(position, candidate, rules) for candidate in islice(refuted, ENOUGH)]:
        for builder, contradiction in sorted(found, key=lambda one: one[0].length(one[1])):
            net = builder.net(contradiction)
            first = net.steps[0]
            evidence = partial(net_evidence, position.tables, net)
            removed = ((first.digit, 1 << first.cell),)
            technique = COMBINATION_NET if houses else RULE_NET
            yield Deduction(technique, net_cells(net), (), removed, evidence)


def _proof(
    position: Position, candidate: int, rules: Sequence[NetRule]
) -> tuple[RuleNetBuilder, Contradiction]:
    """The proof that a candidate is false, and the contradiction that it ends in."""
    size = position.tables.size
    builder = RuleNetBuilder(position, candidate % size, candidate // size + 1, rules)
    contradiction = builder.run()
    if contradiction is None:
        raise AssertionError("the rule net ends in no contradiction")
    return builder, contradiction
