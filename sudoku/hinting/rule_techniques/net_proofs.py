"""`RuleNetBuilder`: the proofs of rule nets, with as few conclusions as they need."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sudoku.hinting.geometry import bits
from sudoku.hinting.position import Position
from sudoku.hinting.rule_techniques.fillings import RuleCells, masks_of
from sudoku.hinting.rule_techniques.house_combinations import HouseCells
from sudoku.hinting.rule_techniques.reasons import leaves
from sudoku.hinting.techniques.nets import (
    Conclusion,
    Contradiction,
    Net,
    NetBuilder,
    needed_steps,
)

__all__ = ["NetRule", "RuleNetBuilder", "numbers_by_cell"]

NetRule = RuleCells | HouseCells

MOST_CELLS = 4  # of a rule that cannot be filled whose candidates a sentence names


class RuleNetBuilder(NetBuilder):
    """Builds the net of one assumption, with the rules."""

    def __init__(self, position: Position, cell: int, digit: int, rules: Sequence[NetRule]) -> None:
        """Starts with the assumption that the cell holds the digit; follows these rules."""
        super().__init__(position, cell, digit)
        self.rules = rules
        self.by_cell = numbers_by_cell(position, rules)
        self.masks = masks_of(position)
        """For each cell the candidates left when the rules were followed last."""
        self.changed = 0
        """The numbers of the rules, as bits, that have lost candidates since."""
        self.excluding: dict[int, NetRule] = {}
        """For each conclusion of a rule, by its number, the rule."""
        self.failing: NetRule | None = None
        """The rule that cannot be filled."""

    def run(self) -> Contradiction | None:
        """Follows singles and rules; returns the contradiction that they end in, or None."""
        while True:
            contradiction = super().run()
            if contradiction is not None:
                return contradiction
            known, number = len(self.steps), 0
            self._see()
            while later := self.changed >> number:
                number += (later & -later).bit_length() - 1
                rule = self.rules[number]
                if len(self.steps) > known and isinstance(rule, HouseCells):
                    break  # whole houses take long: first all singles, and the other rules
                self.changed ^= 1 << number
                number += 1
                masks = tuple(self.masks[cell] for cell in rule.cells)
                left = rule.narrowed(masks)
                if left is None:
                    self.failing = rule
                    return Contradiction(None, None, None, self._because(rule), rule.words)
                if left != masks:
                    self._exclude(rule, masks, left)
            if len(self.steps) == known:
                return None

    def _see(self) -> None:
        """Takes the singles since the last look into account in `masks` and `changed`."""
        planes = self.planes
        for cell, mask in enumerate(self.masks):
            if not mask & (mask - 1):
                continue  # solved, or its last candidate
            left = mask
            for digit in self.position.digits_of[cell]:
                if not (planes[digit] | self.placed[digit]) >> cell & 1:
                    left &= ~(1 << digit)
            if left != mask:
                self.masks[cell] = left
                self.changed |= self.by_cell[cell]

    def _exclude(self, rule: NetRule, masks: tuple[int, ...], left: tuple[int, ...]) -> None:
        """Concludes that the rule leaves only these candidates."""
        because = self._because(rule)
        for cell, before, after in zip(rule.cells, masks, left, strict=True):
            for digit in bits(before & ~after):
                self.removed_by[cell, digit] = len(self.steps)
                self.planes[digit] &= ~(1 << cell)
                self.excluding[len(self.steps)] = rule
                self.steps.append(Conclusion(cell, digit, None, because, rule=rule.words))
            if before != after:
                self.masks[cell] = after
                self.changed |= self.by_cell[cell]

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

    def length(self, contradiction: Contradiction) -> int:
        """The number of conclusions that the contradiction depends on."""
        return len(needed_steps(self.steps, contradiction))

    def net(self, contradiction: Contradiction) -> Net:
        """The net, without the conclusions that the contradiction does not depend on.

        A rule may exclude a candidate because of fewer conclusions than those about its cells. So
        the net omits as many as it can, the last ones first.
        """
        if self.failing is not None:
            because = self._fewest(self.failing, contradiction.because, [])
            words = self._unfilled(self.failing, because)
            contradiction = contradiction._replace(because=because, rule=words)
        needed = set(contradiction.because)
        done: set[int] = set()
        for number in range(len(self.steps) - 1, 0, -1):
            step = self.steps[number]
            if number not in needed:
                continue
            if step.rule and number not in done:
                together = self._together(number) & needed
                gone = [(self.steps[one].cell, self.steps[one].digit) for one in together]
                because = self._fewest(self.excluding[number], step.because, gone)
                for one in together:
                    self.steps[one] = self.steps[one]._replace(because=because)
                done |= together
            needed.update(self.steps[number].because)
        return super().net(contradiction)

    def _together(self, number: int) -> set[int]:
        """All conclusions that a rule made at once, of which this is the last."""
        step, first = self.steps[number], number
        while first and self.steps[first - 1][3:] == step[3:]:
            first -= 1
        return set(range(first, number + 1))

    def _fewest(
        self, rule: NetRule, because: tuple[int, ...], gone: list[tuple[int, int]]
    ) -> tuple[int, ...]:
        """As few of these conclusions as let the rule exclude some candidates, (cell, digit).

        Without such candidates, as few as let the rule not be filled.
        """
        kept = set(because)
        for number in reversed(because):
            fewer = kept - {number}
            left = rule.narrowed(self._masks_after(rule, fewer))
            if left is None or _excludes(dict(zip(rule.cells, left, strict=True)), gone):
                kept = fewer
        return tuple(sorted(kept))

    def _masks_after(self, rule: NetRule, because: Collection[int]) -> tuple[int, ...]:
        """The candidates of the cells of a rule after these conclusions."""
        masks = dict(zip(rule.cells, rule.masks(self.position), strict=True))
        for cell in rule.cells:
            for digit in self.position.digits_of[cell]:
                if self.removed_by.get((cell, digit), -1) in because:
                    masks[cell] &= ~(1 << digit)
        return tuple(masks[cell] for cell in rule.cells)

    def _unfilled(self, rule: NetRule, because: Collection[int]) -> str:
        """The name of a rule that cannot be filled, with what these conclusions leave to it."""
        masks = zip(rule.cells, rule.masks(self.position), strict=True)
        after = zip(masks, self._masks_after(rule, because), strict=True)
        left = {cell: mask for (cell, before), mask in after if mask and mask != before}
        if not 0 < len(left) <= MOST_CELLS:
            return rule.words
        return f"{rule.words}, with{leaves(self.position.tables, left).removeprefix(' leaves')},"


def _excludes(left: dict[int, int], gone: list[tuple[int, int]]) -> bool:
    """Whether none of these candidates, one or more, is left."""
    return bool(gone) and not any(left[cell] >> digit & 1 for cell, digit in gone)


def numbers_by_cell(position: Position, rules: Sequence[NetRule]) -> list[int]:
    """For each cell the numbers of its rules, as bits."""
    found = [0] * position.tables.size
    for number, rule in enumerate(rules):
        for cell in rule.cells:
            found[cell] |= 1 << number
    return found
