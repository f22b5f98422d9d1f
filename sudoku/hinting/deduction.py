"""`Deduction`: what a technique finds in a position; `Deduction.step` makes a `Step` of it.

A rating takes thousands of deductions that are never shown. So the sentence and the pattern of a
deduction, its `Evidence`, are made only when `Deduction.step` needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from sudoku.board.cells import cell_name, symbol
from sudoku.board.pattern import Candidate, Link, Mark, Pattern
from sudoku.board.rule import Rule
from sudoku.board.step import Step
from sudoku.errors import listed
from sudoku.hinting.geometry import Geometry, bits
from sudoku.hinting.position import Changes, Position
from sudoku.rules import Cage, LittleKiller, PairSum, Quadruple, Sandwich
from sudoku.rules.clues.outside import OutsideClue

__all__ = ["Deduction", "Evidence", "changes_of", "names", "rule_kind", "rule_words", "symbols"]

Removed = tuple[tuple[int, int], ...]


class Evidence(NamedTuple):
    """The reason for a deduction: half a sentence, and the pattern as cells and houses."""

    text: str
    """The first half of the sentence; `Deduction.step` adds what follows from it."""
    houses: tuple[int, ...] = ()
    """The indices of the houses."""
    marks: tuple[tuple[int, int, str], ...] = ()
    """(digit, cells, role)."""
    links: tuple[tuple[tuple[int, int], tuple[int, int], bool], ...] = ()
    """((digit, cells), (digit, cells), strong)."""
    details: tuple[tuple[str, int], ...] = ()
    """For nets: `Step.details`, each with the number of marks that it is about."""
    follows: str | None = None
    """The second half of the sentence, if it is not the list of what is removed."""
    sets: tuple[int, ...] = ()
    """The cells of the almost locked set of each link, 0 for none; empty if there is none."""


class Deduction(NamedTuple):
    """One application of a technique: digits to place or candidates to remove."""

    technique: str
    cells: int
    """The cells of the pattern."""
    placed: tuple[tuple[int, int], ...]
    """The (cell, digit) to place."""
    removed: Removed
    """The (digit, cells) to remove: each digit once, no empty sets."""
    evidence: Callable[[], Evidence]
    """Makes the evidence."""

    def step(self, position: Position) -> Step:
        """The deduction as a step, with rows, columns, names and a sentence."""
        tables = position.tables
        places = tables.layout.positions
        evidence = self.evidence()
        removed = sorted(
            (*places[cell], digit) for digit, cells in self.removed for cell in bits(cells)
        )
        links = tuple(
            Link(
                _candidates(tables, source),
                _candidates(tables, target),
                strong,
                tuple(places[cell] for cell in bits(cells)),
            )
            for (source, target, strong), cells in zip(
                evidence.links, evidence.sets or (0,) * len(evidence.links), strict=True
            )
        )
        pattern = Pattern(
            tuple(tables.house_names[house] for house in evidence.houses),
            tuple(
                Mark(*places[cell], digit, role)
                for digit, cells, role in evidence.marks
                for cell in bits(cells)
            ),
            links,
            tuple(tables.house_words[house] for house in evidence.houses),
            tuple(count for _, count in evidence.details),
        )
        follows = self._follows(tables) if evidence.follows is None else evidence.follows
        return Step(
            self.technique,
            tuple(places[cell] for cell in bits(self.cells)),
            tuple((*places[cell], digit) for cell, digit in self.placed),
            tuple(removed),
            evidence.text + follows,
            pattern,
            tuple(words for words, _ in evidence.details),
        )

    def _follows(self, tables: Geometry) -> str:
        """The second half of the sentence: the candidates removed.

        Empty if a digit is placed: then the first half names it.
        """
        if not self.removed:
            return ""
        by_digits: dict[int, int] = {}
        for digit, cells in self.removed:
            for cell in bits(cells):
                by_digits[cell] = by_digits.get(cell, 0) | 1 << digit
        together: dict[int, int] = {}
        for cell, digits in by_digits.items():
            together[digits] = together.get(digits, 0) | 1 << cell
        parts = [
            f"{names(tables, cells, 'and')} cannot be {symbols(digits, 'or')}"
            for digits, cells in sorted(together.items())
        ]
        return f", so {listed(parts, 'and')}"


def _candidates(tables: Geometry, node: tuple[int, int]) -> tuple[Candidate, ...]:
    digit, cells = node
    return tuple((*tables.layout.positions[cell], digit) for cell in bits(cells))


def changes_of(position: Position, deductions: Iterable[Deduction]) -> Changes:
    """The digits that these deductions place and the candidates that they remove, together."""
    whole = Changes(position.tables.side)
    for deduction in deductions:
        whole.placed.update(deduction.placed)
        for digit, cells in deduction.removed:
            whole.removed[digit] |= cells
    return whole


def names(tables: Geometry, cells: int, last: str = "and") -> str:
    """The names of a set of cells, as a list in words."""
    return listed([tables.names[cell] for cell in bits(cells)], last)


def symbols(digits: int, last: str = "and") -> str:
    """The symbols of a set of digits, as a list in words.

    >>> symbols(0b10110)
    '1, 2 and 4'
    """
    return listed([symbol(digit) for digit in bits(digits)], last)


ALONG = {"line", "thermometer", "arrow", "little killer"}
"""Techniques of rules whose cells are named by their ends."""

XV = {5: "V", 10: "X"}


def rule_words(rule: Rule) -> str:
    """The name of a rule in sentences: by its place, as players name it.

    >>> from sudoku.rules import Dot, Renban, XSum
    >>> rule_words(Cage(12, "r1c5 r2c5")), rule_words(Dot("black", "r1c2", "r1c3"))
    ('the cage of 12 at r1c5', 'the black dot between r1c2 and r1c3')
    >>> rule_words(Renban("r2c2 r3c1 r3c2")), rule_words(XSum(6, "r2c4 r2c3 r2c2 r2c1"))
    ('the renban line from r2c2 to r3c2', 'the X-sum 6 right of row 2')
    """
    first = cell_name(*rule.cells[0]) if rule.cells else ""
    last = cell_name(*rule.cells[-1]) if rule.cells else ""
    ends = f"from {first} to {last}" if first != last else f"through {first}"
    if isinstance(rule, Cage):
        return f"the cage{'' if rule.total is None else f' of {rule.total}'} at {first}"
    if isinstance(rule, OutsideClue):
        return f"the {rule.kind} {rule.total} {_beside(rule) or ends}"
    if isinstance(rule, LittleKiller):
        return f"the {rule.kind} {rule.total} {ends}"
    if isinstance(rule, Quadruple):
        return f"the {rule.kind} {' '.join(map(symbol, rule.digits))} at {first}"
    plain = f"the {rule}"
    if isinstance(rule, PairSum):
        return f"the {XV.get(rule.value, plain[4:7] + f' {rule.value}')} between {first} and {last}"
    shown = Rule.__str__(rule).removeprefix(rule.kind)
    if rule.technique in ALONG:
        return plain.replace(shown, f" {ends}")
    if rule.technique == "inequality":
        return plain.replace(shown, f" {first} < {last}")
    if len(rule.cells) == 2:
        return plain.replace(shown, f" between {first} and {last}")
    return plain if rule.cells else f"the rule '{rule}'"


def rule_kind(rule: Rule) -> str:
    """What a rule is, in sentences about all rules of the kind.

    >>> from sudoku.rules import Dot, Whisper
    >>> rule_kind(Dot("black", "r1c2", "r1c3")), rule_kind(Whisper(5, "r1c1 r2c2 r2c3"))
    ('a black dot', 'a whisper line of difference 5')
    """
    if isinstance(rule, PairSum) and rule.value in XV:
        return f"{'an' if rule.value == 10 else 'a'} {XV[rule.value]}"
    kind = str(rule).replace(Rule.__str__(rule).removeprefix(rule.kind), "")
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _beside(clue: OutsideClue) -> str:
    """Where a clue outside the grid stands; empty if its cells are neither a row nor a column."""
    rows, columns = ({cell[part] for cell in clue.cells} for part in (0, 1))
    if len(rows) > 1 < len(columns):
        return ""
    line = f"row {min(rows)}" if len(rows) == 1 else f"column {min(columns)}"
    if isinstance(clue, Sandwich):
        return f"of {line}"
    is_forward = clue.cells[0] < clue.cells[-1]
    if len(rows) == 1:
        return f"{'left' if is_forward else 'right'} of {line}"
    return f"{'above' if is_forward else 'below'} {line}"
