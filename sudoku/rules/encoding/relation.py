"""Relations between the digits of two cells, and `PairRule`, the base class of rules of such pairs.

A relation says which digits of a first and of a second cell fit together. There are two encodings,
both without any option. In a *matching*, such as "equal", "sum 10" or "one odd, one even", the
digits of each cell fall into classes, and each class fits one class of the other cell: then one
secondary item has the class as its color. For all other relations, the digits of the first cell
that exclude the same digits of the second cell have a secondary item in common: they have it in
one color, and the digits that they exclude in another.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import pairwise

import dlx
from sudoku.board.cells import Cell
from sudoku.board.layout import Layout
from sudoku.board.rule import Candidates, CoverModel, Rule, digits_of
from sudoku.rules.apart import pairs_at

__all__ = ["Fits", "PairRule", "relate", "restrict_pair"]

Fits = Callable[[int, int], bool]
"""Whether a digit of the first cell and a digit of the second cell fit together."""


class PairRule(Rule):
    """The base class of rules that relate the digits of pairs of cells.

    >>> class Fives(PairRule):
    ...     "The two cells have a sum of 5."
    ...     __slots__ = fields = ("cells",)
    ...     def __init__(self, *cells):
    ...         self._fill(cells=cells)
    ...     def fits(self, a, b):
    ...         return a + b == 5
    >>> import sudoku
    >>> layout = sudoku.Layout(2, 2).with_rules(Fives((1, 1), (1, 2)), Fives((2, 3), (2, 4)))
    >>> sudoku.count("." * 16, layout=layout)
    96
    """

    __slots__ = ()

    offsets: Sequence[tuple[int, int]] = ()
    """The distances (rows, columns) of the cells that it relates, if it relates those of a grid."""

    def related(self, cells: Mapping[Cell, object]) -> Iterable[tuple[Cell, Cell]]:
        """The pairs that it relates: cells at one of the offsets, or neighbours in `cells`.

        The argument has all cells of the layout, or the filled ones.
        """
        return pairwise(self.cells) if self.cells else pairs_at(cells, self.offsets)

    def fits(self, a: int, b: int) -> bool:
        """Whether the first and the second cell of a pair may have these digits."""
        return True

    def crossed(self, layout: Layout) -> Iterable[tuple[Cell, int, Cell, int]]:
        """The digits of related cells that do not fit together."""
        digits = range(1, layout.side + 1)
        wrong = [(a, b) for a in digits for b in digits if not self.fits(a, b)]
        return ((one, a, two, b) for one, two in self.related(layout.index) for a, b in wrong)

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Removes the digits that fit no candidate of the other cell of a pair."""
        for a, b in self.related(candidates):
            restrict_pair(candidates, a, b, self.fits)

    def contribute(self, model: CoverModel) -> None:
        """Adds secondary items and colors for each pair."""
        for number, (a, b) in enumerate(self.related(model.candidates), 1):
            relate(model, a, b, self.fits, number)

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The cells of the pairs whose digits do not fit together."""
        wrong: set[Cell] = set()
        for a, b in self.related(values):
            if a in values and b in values and not self.fits(values[a], values[b]):
                wrong |= {a, b}
        return tuple(sorted(wrong))


def restrict_pair(candidates: Candidates, a: Cell, b: Cell, fits: Fits) -> None:
    """Removes the digits of two cells that fit no candidate of the other cell.

    O(digits^2).
    """
    left_a = left_b = 0
    second = digits_of(candidates[b])
    for digit in digits_of(candidates[a]):
        partners = sum(1 << other for other in second if fits(digit, other))
        if partners:
            left_a |= 1 << digit
            left_b |= partners
    candidates[a], candidates[b] = left_a, left_b


def relate(model: CoverModel, a: Cell, b: Cell, fits: Fits, *name: Hashable) -> None:
    """Adds items that forbid the digits of two cells that do not fit together.

    O(digits^2).
    """
    first, second = model.digits(a), model.digits(b)
    of_a = {d: frozenset(e for e in second if fits(d, e)) for d in first}
    of_b = {e: frozenset(d for d in first if fits(d, e)) for e in second}
    if all(len(partners) == len(second) for partners in of_a.values()):
        return
    classes = {partners: color for color, partners in enumerate(dict.fromkeys(of_a.values()), 1)}
    if sum(map(len, classes)) == len(frozenset[int]().union(*classes)):
        item = model.secondary(*name)
        for d, partners in of_a.items():
            model.attach(a, d, dlx.colored(item, classes[partners] if partners else "none"))
        for e, partners in of_b.items():
            color = classes[of_a[min(partners)]] if partners else 0
            model.attach(b, e, dlx.colored(item, color))
        return
    if len(set(of_b.values())) < len(classes):
        (a, of_a, second), b = (b, of_b, first), a
    for number, partners in enumerate(dict.fromkeys(of_a.values()), 1):
        some = [(a, digit) for digit, each in of_a.items() if each == partners]
        model.exclude(some, [(b, e) for e in second if e not in partners], *name, number)
