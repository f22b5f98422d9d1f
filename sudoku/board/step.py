"""`Step`: one step of a solution by human techniques, with its reason and what to highlight."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from sudoku.board.cells import cell_name, symbol
from sudoku.board.eureka import eureka, is_path
from sudoku.board.pattern import Candidate, Link, Pattern
from sudoku.errors import listed

__all__ = ["Step", "joined_houses"]


class Step(NamedTuple):
    """One step of a solution by human techniques. Immutable.

    >>> import sudoku
    >>> step = next(sudoku.hints("1... .2.. ..3. 4..."))
    >>> step.technique, step.placements, step.eliminations
    ('hidden single', ((1, 2, 4),), ())
    >>> print(step)
    r1c2 is the only place for 4 in box 1
    """

    technique: str
    """The name of the technique, one of `sudoku.hinting.registry.TECHNIQUES`. "mistake": the step
    corrects the player; "notes": it offers notes, which `pattern.marks` has. `""` for a stage that
    does not tell the technique yet."""
    cells: tuple[tuple[int, int], ...]
    """The (row, column) of the cells that show it."""
    placements: tuple[Candidate, ...]
    """The digits it places."""
    eliminations: tuple[Candidate, ...]
    """The candidates it removes."""
    sentence: str
    """The pattern and what follows from it, in one English sentence."""
    pattern: Pattern = Pattern()
    """What to highlight in a picture."""
    details: tuple[str, ...] = ()
    """For nets: what follows from the assumption, one implication after another, and at the end the
    contradiction. The sentence of a long net only counts them."""

    def __str__(self) -> str:
        return self.sentence

    @property
    def result(self) -> str:
        """What the step changes, in words.

        >>> Step("", (), (), ((1, 2, 4), (1, 3, 4), (1, 3, 7)), "").result
        'r1c2 cannot be 4 and r1c3 cannot be 4 or 7'
        """
        placed = [f"{cell_name(row, column)} is {symbol(d)}" for row, column, d in self.placements]
        return listed([*placed, *_removals(self.eliminations)] or ["nothing changes"], "and")

    @property
    def eureka(self) -> str:
        r"""The chain in Eureka notation; `""` for a step without one.

        >>> import sudoku
        >>> puzzle = "7...68..4.3.4........5.37.9..4..65...9.....4" \
        ...     "...63..2..4.18.2........4.7.2..73...8"
        >>> next(one for one in sudoku.hints(puzzle) if one.technique == "skyscraper").eureka
        '(9)r1c4=r1c3-r9c3=r9c6 => r2c6<>9'
        """
        return eureka(self.technique, self.pattern.links, self.placements, self.eliminations)

    def stages(self) -> tuple[Step, ...]:
        """The step in stages, for players that want to find the rest themselves.

        The first stage shows where to look: houses, or only cells if the technique has no houses.
        The second names the technique and shows its pattern, but not what it changes. The third is
        the step itself. Each stage is a step, so `Grid.to_svg` draws it. A mistake, and an offer of
        notes, has one stage.

        >>> import sudoku
        >>> for stage in next(sudoku.hints("1... .2.. ..3. 4...")).stages(): print(stage)
        look at box 1
        the technique is hidden single
        r1c2 is the only place for 4 in box 1
        """
        if self.technique in UNSTAGED:
            return (self,)
        return (self._where(), self._which(), self)

    def chain(self) -> tuple[Step, ...]:
        r"""The links of a chain, wing, coloring or net one by one, as steps; then what they show.

        The pattern of each has the marks and links up to there; the new links are the last ones. It
        is empty for techniques without links.

        >>> import sudoku
        >>> puzzle = "7...68..4.3.4........5.37.9..4..65...9.....4" \
        ...     "...63..2..4.18.2........4.7.2..73...8"
        >>> step = next(one for one in sudoku.hints(puzzle) if one.technique == "skyscraper")
        >>> for link in step.chain(): print(link)
        if r1c4 is not 9, then r1c3 is 9
        if r1c3 is 9, then r9c3 is not 9
        if r9c3 is not 9, then r9c6 is 9
        r1c4 is 9 or r9c6 is 9, so r2c6 cannot be 9
        """
        if self.details:
            return tuple(self._net())
        return tuple(self._links()) if self.pattern.links else ()

    def _where(self) -> Step:
        """The stage that shows only the houses; the cells if there are no houses."""
        houses = self.pattern.house_words or self.pattern.houses
        cells = self.cells
        if self.details:  # a net leads to most of the grid
            cells = tuple(dict.fromkeys((row, column) for row, column, _ in self.eliminations))
        elif houses:
            place = listed(joined_houses(houses), "and")
            pattern = Pattern(self.pattern.houses, house_words=self.pattern.house_words)
            return Step("", (), (), (), f"look at {place}", pattern)
        names = [cell_name(*cell) for cell in cells]
        return Step("", cells, (), (), f"look at {listed(names, 'and', FEW)}")

    def _which(self) -> Step:
        """The stage that names the technique and shows its pattern."""
        says = f"the technique is {self.technique}"
        if self.placements:  # the pattern is the cell with the digit
            return self._where()._replace(technique=self.technique, sentence=says)
        if self.details:
            mark = self.pattern.marks[0]
            where = f"{cell_name(mark.row, mark.column)} is {symbol(mark.digit)}"
            pattern = Pattern(marks=(mark,))
            says += f": assume that {where}"
            return Step(self.technique, ((mark.row, mark.column),), (), (), says, pattern)
        digits = sorted({mark.digit for mark in self.pattern.marks})
        if 0 < len(digits) <= FEW_DIGITS:
            says += f", with {listed(map(symbol, digits), 'and')}"
        return self._replace(placements=(), eliminations=(), sentence=says)

    def _links(self) -> list[Step]:
        """The links one by one, and the conclusion."""
        links = self.pattern.links
        found = [
            self._frame(_said(link), links[:number]) for number, link in enumerate(links, start=1)
        ]
        first, last = links[0].source, links[-1].target
        along = not self.technique.startswith(BRANCHING) and is_path(links)
        if along and first == last and not links[-1].strong:
            says = f"one of every two neighbours in the loop is true, so {self.result}"
        elif along and links[0].strong and links[-1].strong and first != last:
            says = f"{_true(first)} or {_true(last)}, so {self.result}"
        elif along:
            says = f"so {self.result}"
        else:
            says = self.sentence
        return [*found, self._replace(sentence=says)]

    def _frame(self, says: str, links: tuple[Link, ...]) -> Step:
        """A part of the chain: these links, with the marks at their ends."""
        ends = {one for link in links for one in (*link.source, *link.target)}
        marks = tuple(
            mark for mark in self.pattern.marks if (mark.row, mark.column, mark.digit) in ends
        )
        cells = tuple(cell for cell in self.cells if any(cell == one[:2] for one in ends))
        return Step(self.technique, cells, (), (), says, Pattern((), marks, links))

    def _net(self) -> list[Step]:
        """The implications one by one, from the assumption to the contradiction."""
        marks, links = self.pattern.marks, self.pattern.links
        *implied, contradiction = self.details
        first = marks[0]
        says = [f"assume that {cell_name(first.row, first.column)} is {symbol(first.digit)}"]
        number, found = 0, []
        for words, count in zip(says + implied, (1, *self.pattern.counts), strict=False):
            number += count
            known = {(mark.row, mark.column, mark.digit) for mark in marks[:number]}
            shown = tuple(link for link in links if known.issuperset(link.target))
            cells = tuple(cell for cell in self.cells if any(cell == one[:2] for one in known))
            pattern = Pattern((), marks[:number], shown)
            found.append(Step(self.technique, cells, (), (), words, pattern))
        return [*found, self._replace(sentence=f"{contradiction}, so {self.result}")]


UNSTAGED = frozenset({"mistake", "notes"})
"""Techniques of steps that have one stage."""

BRANCHING = ("simple colors", "multi-colors", "remote pairs", "ALS", "death blossom")
"""Techniques whose links branch, or have several ends: their sentence says what is removed."""

FEW = 6
"""Cells that a sentence about where to look names."""

FEW_DIGITS = 4
"""Digits that a sentence about the technique names; a pattern with more is not about them."""


def _removals(candidates: tuple[Candidate, ...]) -> list[str]:
    """Which cells cannot have which digits; cells with the same digits together."""
    digits: dict[tuple[int, int], list[int]] = {}
    for row, column, digit in candidates:
        digits.setdefault((row, column), []).append(digit)
    together: dict[tuple[int, ...], list[str]] = {}
    for cell, gone in digits.items():
        together.setdefault(tuple(sorted(gone)), []).append(cell_name(*cell))
    return [
        f"{listed(names, 'and')} cannot be {listed(map(symbol, gone), 'or')}"
        for gone, names in together.items()
    ]


def joined_houses(houses: Iterable[str]) -> list[str]:
    """The names of houses, those that differ only in their numbers together.

    >>> joined_houses(("row 2", "row 5", "box 4"))
    ['rows 2 and 5', 'box 4']
    """
    found = []
    for kind, names in groupby(dict.fromkeys(houses), lambda name: re.sub(r" \d+$", "", name)):
        here = list(names)
        numbers = [name.removeprefix(kind).strip() for name in here]
        plural = kind + ("es" if kind.endswith("x") else "s")
        found.append(f"{plural} {listed(numbers, 'and')}" if len(here) > 1 else here[0])
    return found


def _said(link: Link) -> str:
    """A link as a sentence."""
    if link.cells:
        where = listed([cell_name(*cell) for cell in link.cells], "and")
        says = f"then {where} hold all their digits but {symbol(link.source[0][2])}"
        says += f": {_true(link.target)}"
        return f"if {_false(link.source)}, {says}"
    if link.strong:
        others = tuple(one for one in link.target if one not in link.source)  # groups may overlap
        return f"if {_false(link.source)}, then {_true(others or link.target)}"
    return f"if {_true(link.source)}, then {_false(link.target)}"


def _true(node: tuple[Candidate, ...]) -> str:
    names = [cell_name(row, column) for row, column, _ in node]
    one = "one of " if len(names) > 1 else ""
    return f"{one}{listed(names, 'and')} is {symbol(node[0][2])}"


def _false(node: tuple[Candidate, ...]) -> str:
    names, digit = [cell_name(row, column) for row, column, _ in node], symbol(node[0][2])
    if len(names) == 1:
        return f"{names[0]} is not {digit}"
    none = "neither" if len(names) == 2 else "none of"
    return f"{none} {listed(names, 'nor' if len(names) == 2 else 'and')} is {digit}"
