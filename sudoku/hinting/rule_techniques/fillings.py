"""`RuleCells`: the ways to fill the cells of one rule, given their candidates.

A filling has one candidate for each cell, different ones in cells that see each other, and does not
break the rule. `RuleCells.left` has the candidates that are in some filling. It does not list all
fillings, of which a long line has millions: it looks for one filling with each candidate that none
of the fillings found so far has. `Rule.restrict` prunes the search after each choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sudoku.board.layout import Layout, layout_cache
from sudoku.board.peers import peers
from sudoku.board.rule import Candidates, Rule
from sudoku.hinting.deduction import Removed, rule_words
from sudoku.hinting.geometry import bits
from sudoku.hinting.position import Position
from sudoku.hinting.rule_techniques.sums import DistinctSum, distinct_sum, weighted_sum
from sudoku.rules import Allowed, Cage
from sudoku.rules.implied import SumDifference

__all__ = ["RuleCells", "by_digit", "masks_of", "removed_from", "rule_cells"]

MOST_NODES = 20_000  # of all searches for one answer; a rule whose search takes more says nothing
MOST_OPEN_OF_SUM = 4  # open cells of a sum that is filled in all ways
MOST_KNOWN = 2_000  # answers that one rule keeps

Masks = tuple[int, ...]
"""For each cell of a rule its candidates: bit d for digit d; a filled cell has one bit."""


class TooMany(Exception):
    """The search took more than `MOST_NODES` nodes."""


class RuleCells:
    """The cells of one rule, and the ways to fill them. Keeps its answers."""

    def __init__(self, rule: Rule, layout: Layout, words: str = "") -> None:
        self.rule = rule
        self.words = words or rule_words(rule)
        """Its name in sentences."""
        self.layout = layout
        self.places = tuple(dict.fromkeys(rule.cells))  # a line may be a loop: its first cell twice
        self.cells = tuple(layout.index[place] for place in self.places)
        """The numbers of its cells."""
        self.mask = sum(1 << cell for cell in self.cells)
        """Its cells as a set."""
        seen = peers(layout)
        self.apart = [
            [at for at, other in enumerate(self.cells) if seen[cell] >> other & 1]
            for cell in self.cells
        ]
        """For each cell the places, in `cells`, of the cells that it sees."""
        self._restricts = type(rule).restrict is not Rule.restrict
        self._nodes = 0
        self._left: dict[Masks, Masks] = {}
        self._needed: dict[tuple[Masks, int], bool] = {}
        self._is_cage = type(rule) is Cage and rule.total is not None
        self._cages: dict[Masks, DistinctSum | None] = {}
        self._narrow: dict[Masks, Masks | None] = {}

    def masks(self, position: Position) -> Masks:
        """The candidates of its cells in a position."""
        candidates, values = position.candidates, position.values
        return tuple(candidates[c] or (1 << values[c] if values[c] else 0) for c in self.cells)

    def removed(self, before: Masks, after: Masks) -> Removed:
        """The candidates that are in the first only, as (digit, set of cells)."""
        return removed_from(self.cells, before, after)

    def left(self, masks: Masks) -> Masks:
        """The candidates that are in some filling; all of them if the search takes too long."""
        found = self._left.get(masks)
        if found is None:
            if len(self._left) >= MOST_KNOWN:
                self._left.clear()
            try:
                found = self._supported(masks)
            except TooMany:
                found = masks
            self._left[masks] = found
        return found

    def narrowed(self, masks: Masks) -> Masks | None:
        """The candidates that `Rule.restrict` and the peers leave, without a search.

        Of cages and of sums of few open cells those in some filling. None if the rule cannot be
        filled.
        """
        if self._is_cage:
            cage = self._cage(masks)
            return None if cage is None else cage.left
        try:
            return self._narrow[masks]
        except KeyError:
            if len(self._narrow) >= MOST_KNOWN:
                self._narrow.clear()
            self._nodes = 0
            found = None
            if all(masks):
                found = self._sum(masks) if self._is_short_sum(masks) else self._narrowed(masks)
            self._narrow[masks] = found
            return found

    def needs(self, masks: Masks, digit: int) -> bool:
        """Whether every filling has this digit; False if the search takes too long."""
        if self._is_cage:
            found = self._cage(masks)
            return found is None or bool(found.common >> digit & 1)
        key = (masks, digit)
        known = self._needed.get(key)
        if known is None:
            if len(self._needed) >= MOST_KNOWN:
                self._needed.clear()
            known = not self.is_possible(tuple(mask & ~(1 << digit) for mask in masks))
            self._needed[key] = known
        return known

    def fillings(self, masks: Masks, most: int) -> list[Masks] | None:
        """All fillings, each as the masks of its digits; None if there are more than `most`."""
        self._nodes = 0
        found: list[Masks] = []
        try:
            for filling in self._all(masks):
                found.append(filling)
                if len(found) > most:
                    return None
        except TooMany:
            return None
        return found

    def is_possible(self, masks: Masks) -> bool:
        """Whether there is a filling; True if the search takes too long."""
        self._nodes = 0
        try:
            return self._find(masks) is not None
        except TooMany:
            return True

    def _cage(self, masks: Masks) -> DistinctSum | None:
        """The fillings of a cage with a sum, together; None if there is none."""
        if masks not in self._cages:
            if len(self._cages) >= MOST_KNOWN:
                self._cages.clear()
            assert isinstance(self.rule, Cage)
            assert self.rule.total is not None
            self._cages[masks] = distinct_sum(masks, self.rule.total)
        return self._cages[masks]

    def _is_short_sum(self, masks: Masks) -> bool:
        return type(self.rule) is SumDifference and _open(masks) <= MOST_OPEN_OF_SUM

    def _sum(self, masks: Masks) -> Masks | None:
        """The candidates in some filling of a sum of innies and outies; None if there is none."""
        rule = self.rule
        assert isinstance(rule, SumDifference)
        weights = [1] * len(rule.plus) + [-1] * len(rule.minus)
        return weighted_sum(masks, weights, self.apart, rule.total)

    def _supported(self, masks: Masks) -> Masks:
        none = (0,) * len(masks)
        if self._is_cage:
            found = self._cage(masks)
            return none if found is None else found.left
        if self._is_short_sum(masks):
            return self._sum(masks) or none
        self._nodes = 0
        narrow = self._narrowed(masks)
        if narrow is None:
            return none
        left = [0] * len(narrow)
        for at in range(len(narrow)):
            while rest := narrow[at] & ~left[at]:
                low = rest & -rest
                filling = self._find((*narrow[:at], low, *narrow[at + 1 :]))
                if filling is None:
                    narrow = (*narrow[:at], narrow[at] & ~low, *narrow[at + 1 :])
                else:
                    left = [old | new for old, new in zip(left, filling, strict=True)]
        return tuple(left)

    def _find(self, masks: Masks) -> Masks | None:
        return next(self._all(masks), None)

    def _all(self, masks: Masks) -> Iterator[Masks]:
        """Yields all fillings; chooses a digit for the cell with the fewest candidates."""
        narrow = self._narrowed(masks)
        if narrow is None:
            return
        at = min(
            (at for at, mask in enumerate(narrow) if mask & (mask - 1)),
            key=lambda at: narrow[at].bit_count(),
            default=None,
        )
        if at is None:
            yield narrow
            return
        for digit in bits(narrow[at]):
            yield from self._all((*narrow[:at], 1 << digit, *narrow[at + 1 :]))

    def _narrowed(self, masks: Sequence[int]) -> Masks | None:
        """The candidates that peers and `Rule.restrict` leave; None if there is no filling."""
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise TooMany
        now = list(masks)
        while self._keep_apart(now):
            left: Candidates = dict(zip(self.places, now, strict=True))
            self.rule.restrict(left, self.layout)
            before, now = now, [left[place] for place in self.places]
            if not all(now):
                return None
            if now == before:
                return None if self._is_broken(now) else tuple(now)
            if not self._has_new_single(before, now):
                break
        else:
            return None
        return None if self._is_broken(now) else tuple(now)

    def _has_new_single(self, before: list[int], now: list[int]) -> bool:
        """Whether a cell has one candidate now that had more; only then the peers lose some."""
        return any(not b & (b - 1) and a != b for a, b in zip(before, now, strict=True))

    def _is_broken(self, now: list[int]) -> bool:
        """Whether the cells with one candidate break the rule.

        Before all have one, only a rule without a `restrict` of its own is asked.
        """
        values = {
            place: mask.bit_length() - 1
            for place, mask in zip(self.places, now, strict=True)
            if not mask & (mask - 1)
        }
        if len(values) < len(now) and self._restricts:
            return False
        return bool(self.rule.broken(values))

    def _keep_apart(self, now: list[int]) -> bool:
        """Removes the digits of cells with one candidate from the cells they see; False: none."""
        done = 0
        while True:
            single = next(
                (at for at, m in enumerate(now) if not m & (m - 1) and not done >> at & 1), None
            )
            if single is None:
                return True
            done |= 1 << single
            for other in self.apart[single]:
                now[other] &= ~now[single]
            if not all(now):
                return False


def removed_from(cells: Sequence[int], before: Masks, after: Masks) -> Removed:
    """The candidates of some cells that are in the first only, as (digit, set of cells)."""
    gone = (b & ~a for b, a in zip(before, after, strict=True))
    return by_digit(dict(zip(cells, gone, strict=True)))


def by_digit(masks: Mapping[int, int]) -> Removed:
    """The candidates of cells as (digit, set of cells), in order of the digits."""
    found: dict[int, int] = {}
    for cell, mask in masks.items():
        for digit in bits(mask):
            found[digit] = found.get(digit, 0) | 1 << cell
    return tuple(sorted(found.items()))


def masks_of(position: Position) -> list[int]:
    """For each cell its candidates, bit d for digit d; of a solved cell its digit."""
    return [
        1 << value if value else mask
        for value, mask in zip(position.values, position.candidates, strict=True)
    ]


def _open(masks: Masks) -> int:
    """How many cells have several candidates."""
    return sum(mask & (mask - 1) > 0 for mask in masks)


@layout_cache
def rule_cells(layout: Layout) -> list[RuleCells]:
    """The rules of a layout that name their cells, those of few cells first; no marks."""
    rules = [
        part
        for rule in layout.rules
        if not isinstance(rule, Allowed)
        for part in rule.pieces(layout)
    ]
    return [RuleCells(rule, layout) for rule in sorted(rules, key=lambda rule: len(rule.cells))]
