"""`Model`: a builder for the exact cover problem of a layout with rules.

A `Model` starts with the candidates that are left for each cell. Each rule adds items, attaches
items to candidates, and adds options. `Model.problem` then makes a `dlx.Problem`. Its items are
those of the cells and the houses, as `sudoku.cover` describes, then those of the rules. Its options
are the candidates (row, column, digit), then the options of the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

import dlx
from sudoku.board.cells import Cell
from sudoku.board.layout import Layout
from sudoku.board.peers import mask_of
from sudoku.board.rule import Candidates, CoverModel, Rule, digits_of
from sudoku.board.time_limit import check_time
from sudoku.rules.encoding.digit_sets import Group, contribute_groups, sets_of_size

__all__ = ["Model"]


class Model(CoverModel):
    """Builds an exact cover problem from the candidates of a layout and its rules."""

    def __init__(self, layout: Layout, candidates: Candidates) -> None:
        self.layout = layout
        self.candidates = candidates
        self.label: tuple[Hashable, ...] = ()
        self._primary: list[Hashable] = []
        self._times: dict[Hashable, tuple[int, int]] = {}
        self._secondary: list[Hashable] = []
        self._attached: dict[tuple[int, int, int], list[Hashable]] = {}
        self._options: list[tuple[list[Hashable], Hashable]] = []
        self._values: dict[Cell, Hashable] = {}
        self._absent: dict[tuple[int, int, int], Hashable] = {}
        self._groups: dict[int, Group] = {}
        self._sums: dict[int, dict[int, Hashable]] = {}

    def add_rules(self, rules: Iterable[Rule], *more: Hashable) -> None:
        """Adds what the rules contribute; the label of each is `more`, its kind and its number."""
        for number, rule in enumerate(rules, 1):
            self.label = (*more, rule.kind, number)
            rule.contribute(self)

    @property
    def has_options(self) -> bool:
        """Whether there are options besides the candidates."""
        return bool(self._options)

    def digits(self, cell: Cell) -> list[int]:
        """The digits that the cell may have."""
        return digits_of(self.candidates[cell])

    def primary(self, *name: Hashable, times: tuple[int, int] = (1, 1)) -> Hashable:
        """Adds a primary item, named by the label of the rule and `name`, and returns it.

        It is covered at least and at most that often.
        """
        item = (*self.label, *name)
        self._primary.append(item)
        if times != (1, 1):
            self._times[item] = times
        return item

    def secondary(self, *name: Hashable) -> Hashable:
        """Adds a secondary item, named by the label of the rule and `name`, and returns it."""
        item = (*self.label, *name)
        self._secondary.append(item)
        return item

    def attach(self, cell: Cell, digit: int, item: Hashable) -> None:
        """Adds an item, which may be `dlx.colored`, to the option of a candidate."""
        check_time()
        self._attached.setdefault((*cell, digit), []).append(item)

    def option(self, items: Iterable[Hashable], *name: Hashable) -> None:
        """Adds an option, named by the label of the rule and `name`."""
        check_time()
        self._options.append((list(items), (*self.label, *name)))

    def value(self, cell: Cell, digit: int) -> Hashable:
        """The colored item that makes an option require a digit in a cell.

        The item is secondary and belongs to the cell; each candidate has it in the color of its
        digit. An option with the same color is compatible with that candidate only.

        >>> from sudoku import Layout
        >>> model = Model(Layout(1, 1), {(1, 1): 0b10})
        >>> model.value((1, 1), 1)
        colored(('digit', 1, 1), 1)
        """
        item = self._values.get(cell)
        if item is None:
            item = self._values[cell] = ("digit", *cell)
            self._secondary.append(item)
            for each in self.digits(cell):
                self.attach(cell, each, dlx.colored(item, each))
        return dlx.colored(item, digit)

    def absent(self, cell: Cell, digit: int) -> Hashable:
        """The colored item that makes an option exclude a digit from a cell.

        The item is secondary and belongs to the candidate, which has it in another color.

        >>> from sudoku import Layout
        >>> model = Model(Layout(1, 1), {(1, 1): 0b10})
        >>> model.absent((1, 1), 1)
        colored(('absent', 1, 1, 1), 1)
        """
        name = (*cell, digit)
        item = self._absent.get(name)
        if item is None:
            item = self._absent[name] = ("absent", *name)
            self._secondary.append(item)
            self.attach(cell, digit, dlx.colored(item, 0))
        return dlx.colored(item, 1)

    def never_together(self, candidates: Iterable[tuple[Cell, int]], *name: Hashable) -> None:
        """Allows at most one of these candidates; pairs that are not candidates are ignored."""
        left = [(cell, digit) for cell, digit in candidates if self.candidates[cell] >> digit & 1]
        if len(left) > 1:
            item = self.secondary(*name)
            for cell, digit in left:
                self.attach(cell, digit, item)

    def exclude(
        self, some: list[tuple[Cell, int]], others: list[tuple[Cell, int]], *name: Hashable
    ) -> None:
        """Forbids every pair of a candidate of `some` and a candidate of `others`.

        One secondary item does it: `some` have it in one color, `others` in another.
        """
        if some and others:
            item = self.secondary(*name)
            for color, candidates in enumerate((some, others)):
                for cell, digit in candidates:
                    self.attach(cell, digit, dlx.colored(item, color))

    def fillings(
        self, cells: Sequence[Cell], fillings: Iterable[Sequence[int]], *name: Hashable
    ) -> None:
        """Requires one of these fillings of the cells: a primary item with an option for each."""
        item = self.primary(*name)
        for filling in fillings:
            tied = [self.value(c, digit) for c, digit in zip(cells, filling, strict=True)]
            self.option([item, *tied], *name, *filling)

    def digit_sets(
        self,
        cells: Iterable[Cell],
        sets: Iterable[int],
        *name: Hashable,
        tied: Callable[[int], Hashable] | None = None,
    ) -> None:
        """Requires that the digits of the cells, all different, are one of these sets, as bits.

        `sudoku.rules.encoding.digit_sets` describes the items, named by the label and `name`. The
        option of a set also has the item that `tied` returns for it. Without cells, nothing is
        added if there is a set.
        """
        where, found = mask_of(self.layout, cells), tuple(sets)
        more = {digits: (tied(digits),) for digits in found} if tied else {}
        known = self._groups.get(where)
        if known is not None:
            found = tuple(digits for digits in known.sets if digits in found)
            more = {s: (*known.tied.get(s, ()), *more.get(s, ())) for s in found}
        elif not where and found:
            return
        label = known.label if known else (*self.label, *name)
        self._groups[where] = Group(label, where, found, more)

    def sums(self, cells: Sequence[Cell]) -> dict[int, Hashable]:
        """The colored items by which an option requires a sum of cells that all see each other.

        The color of a cell alone is its digit; that of more cells is the sum of their set.
        """
        if len(cells) == 1:
            return {digit: self.value(cells[0], digit) for digit in self.digits(cells[0])}
        where = mask_of(self.layout, cells)
        found = self._sums.get(where)
        if found is None:
            item = self.secondary("sum", *cells)
            masks = [self.candidates[cell] for cell in cells]
            sets = [
                digits
                for digits in sets_of_size(len(cells), self.layout.side)
                if all(map(digits.__and__, masks))
            ]
            self.digit_sets(
                cells, sets, *cells, tied=lambda s: dlx.colored(item, sum(digits_of(s)))
            )
            totals = {sum(digits_of(digits)) for digits in self._groups[where].sets}
            found = self._sums[where] = {t: dlx.colored(item, t) for t in sorted(totals)}
        return found

    def problem(self) -> dlx.Problem:
        """The finished problem, frozen."""
        contribute_groups(self, list(self._groups.values()))
        self._groups.clear()
        layout = self.layout
        numbers = range(1, layout.side + 1)
        of_houses: list[Hashable] = [
            (house.kind, house.number, digit) for house in layout.houses for digit in numbers
        ]
        of_cells = [("cell", *cell) for cell in layout.positions]
        around: list[list[tuple[str, int]]] = [[] for _ in layout.positions]
        for house in layout.houses:
            for number in house.cells:
                around[number].append((house.kind, house.number))
        options: dict[Hashable, Sequence[Hashable]] = {}
        for cell, houses in zip(layout.positions, around, strict=True):
            check_time()
            for digit in self.digits(cell):
                name = (*cell, digit)
                covered = [("cell", *cell), *((*house, digit) for house in houses)]
                options[name] = [*covered, *self._attached.get(name, ())]
        primary = [*of_cells, *of_houses, *self._primary]
        problem = dlx.Problem.from_options(
            options,
            primary=primary,
            secondary=self._secondary,
            multiplicities=self._times or None,
        )
        for items, label in self._options:
            check_time()
            problem.add_option(items, name=label)
        return problem.freeze()
