"""Rules of one's own as data, which files and links hold: tables of pairs, and automata.

`PairTable` says which digits may be neighbours on a line, `GridTable` which digits two cells at
some distance may have, and `AutomatonLine` reads a line, digit by digit. Each has the setter's
words, which players see.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Annotated, Final, Self

from sudoku.board.cells import MAX_SIDE, Cell, Digit, checked_list, integer
from sudoku.board.layout import Layout
from sudoku.board.rule import Rule, line_of_cells
from sudoku.errors import LayoutError, counted, shown
from sudoku.rules.apart import half
from sudoku.rules.encoding.automaton import Automaton, AutomatonRule
from sudoku.rules.encoding.relation import PairRule
from sudoku.rules.lines.whisper import crossing_line

__all__ = ["AutomatonLine", "GridTable", "PairTable"]

MOST_STATES: Final = 1000
LONGEST_WORDS: Final = 300  # characters

State = Annotated[int, range(MOST_STATES + 1)]
"""The number of a state, from 1; 0 for none."""


class WordsRule(Rule):
    """The base class of rules that mean what the setter says."""

    __slots__ = ()
    words: str

    def _fill_words(self, words: object) -> None:
        good = isinstance(words, str) and words.isprintable() and words.strip() == words
        if not good or not 0 < len(str(words)) <= LONGEST_WORDS:
            what = f"{self.kind} with the words {shown(words)}"
            raise LayoutError(f"{what}; say in up to {LONGEST_WORDS} characters what it means")
        self._fill(words=words)

    def _check_side(self, table: Sequence[object], layout: Layout) -> None:
        if len(table) != layout.side:
            have = counted(len(table), "digit")
            raise LayoutError(f"{self}: a table for {have} in a grid with {layout.side}")

    def said(self, who: str = "") -> str:
        """The words as a sentence; `who` is what the picture shows."""
        text = f"{who}: {self.words}" if who else self.words[0].upper() + self.words[1:]
        return text if text[-1] in ".!?" else f"{text}."


class TableRule(WordsRule, PairRule):
    """The base class of rules with a table of pairs."""

    __slots__ = ()
    partners: tuple[tuple[Digit, ...], ...]

    def _fill_partners(self, partners: Iterable[Iterable[int]]) -> None:
        rows = []
        for digit, row in enumerate(checked_list(partners, "rows of digits"), 1):
            found = {integer(each, most=MAX_SIDE) for each in checked_list(row, "digits")}
            if None in found:
                what = f"{self.kind} with {shown(row)} beside {digit}"
                raise LayoutError(f"{what}; they must be digits from 1 to {MAX_SIDE}")
            rows.append(tuple(sorted(each for each in found if each)))
        self._fill(partners=tuple(rows))

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` unless the table has a row for each digit, without others in it."""
        super().check(layout)
        self._check_side(self.partners, layout)
        if (most := max([0, *(row[-1] for row in self.partners if row)])) > layout.side:
            raise LayoutError(f"{self}: {most} is too large for a side of {layout.side}")

    def fits(self, a: int, b: int) -> bool:
        """Whether the table has the second digit in the row of the first."""
        return a <= len(self.partners) and b in self.partners[a - 1]


class PairTable(TableRule):
    """Requires that neighbours on a line are a pair of a table.

    `partners` has for each digit those that may follow it. The line may cross itself, and end where
    it began.

    >>> PairTable([[2], [1, 3], [2, 4], [3]], "r1c1 r2c2", "neighbours are consecutive")
    PairTable(((2,), (1, 3), (2, 4), (3,)), ((1, 1), (2, 2)), 'neighbours are consecutive')
    """

    __slots__ = ("cells", "partners", "words")
    fields = ("partners", "cells", "words")
    kind = "table line"
    technique = "line"
    picture = "olive line"

    def __init__(
        self, partners: Iterable[Iterable[int]], cells: Iterable[Cell | str] | str, words: str
    ) -> None:
        self._fill_partners(partners)
        self._fill(cells=crossing_line(self.kind, cells))
        self._fill_words(words)

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """The words of each rule."""
        return (rule.said("Olive line") for rule in rules)


class GridTable(TableRule):
    """Requires that any two cells at one of the offsets are a pair of a table.

    An offset is (rows, columns) from the first cell to the second; `partners` has for each digit of
    the first cell those that the second may have.

    >>> GridTable([[2, 3, 4], [3, 4], [4], []], [(1, 0)], "digits rise downwards").offsets
    ((1, 0),)
    """

    __slots__ = ("offsets", "partners", "words")
    fields = ("partners", "offsets", "words")
    kind = "table"

    offsets: tuple[tuple[int, int], ...]

    def __init__(
        self, partners: Iterable[Iterable[int]], offsets: Iterable[tuple[int, int]], words: str
    ) -> None:
        self._fill_partners(partners)
        found = []
        for offset in checked_list(offsets, "offsets"):
            half(offset)  # refuses what is no offset
            found.append((int(offset[0]), int(offset[1])))
        self._fill(offsets=tuple(dict.fromkeys(found)))
        self._fill_words(words)

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """The words of each rule."""
        return (rule.said() for rule in rules)

    def __str__(self) -> str:
        return f"{self.kind} ({self.words})"


class AutomatonLine(WordsRule, AutomatonRule):
    """Requires that an automaton accepts the digits of a line.

    `steps` has a row for each state, numbered from 1, and in it the next state for each digit, or 0
    if the digit is not allowed there. It begins in state 1, and must end in an `accepted` state.

    >>> AutomatonLine([[1, 2], [2, 0]], [2], "r1c1 r1c2", "exactly one 2").steps
    ((1, 2), (2, 0))
    """

    __slots__ = ("accepted", "cells", "steps", "words")
    fields = ("steps", "accepted", "cells", "words")
    kind = "automaton line"
    technique = "line"
    picture = "brown line"

    steps: tuple[tuple[State, ...], ...]
    accepted: tuple[State, ...]

    def __init__(
        self,
        steps: Iterable[Iterable[int]],
        accepted: Iterable[int],
        cells: Iterable[Cell | str] | str,
        words: str,
    ) -> None:
        rows = [checked_list(row, "states") for row in checked_list(steps, "rows of states")]
        if not 0 < len(rows) <= MOST_STATES or len({*map(len, rows)}) != 1:
            what = f"{self.kind} of {counted(len(rows), 'state')}"
            raise LayoutError(f"{what}; it must be 1 to {MOST_STATES}, all for the same digits")
        ends = checked_list(accepted, "states")
        last = sorted({self._state(each, 1, len(rows)) for each in ends})
        table = (tuple(self._state(each, 0, len(rows)) for each in row) for row in rows)
        self._fill(steps=tuple(table), accepted=tuple(last))
        self._fill(cells=line_of_cells(self.kind, cells))
        self._fill_words(words)

    def _state(self, value: object, least: int, most: int) -> int:
        number = integer(value, least, most)
        if number is None:
            what = f"{self.kind} with the state {shown(value)}"
            raise LayoutError(f"{what}; states are numbers from {least} to {most}")
        return number

    @classmethod
    def of(
        cls,
        cells: Iterable[Cell | str] | str,
        side: int,
        start: Hashable,
        step: Callable[[Hashable, int], Hashable | None],
        accepted: Callable[[Hashable], bool],
        words: str,
    ) -> Self:
        """The rule of an automaton that is given by functions.

        `step` maps a state and a digit, up to `side`, to the next state, or to None; `accepted`
        says whether a state may be the last.

        >>> def step(total, digit):
        ...     return (total + digit) % 3
        >>> AutomatonLine.of("r1c1 r1c2", 4, 0, step, lambda total: total == 0, "the sum is 3n")
        AutomatonLine(((2, 3, 1, 2), (3, 1, 2, 3), (1, 2, 3, 1)), (1,), ((1, 1), (1, 2)), \
'the sum is 3n')
        """
        numbers: dict[Hashable, int] = {start: 1}
        rows: list[list[int]] = []
        for state in (every := [start]):
            nexts = [step(state, digit) for digit in range(1, side + 1)]
            for new in nexts:
                if new is not None and new not in numbers:
                    every.append(new)
                    numbers[new] = len(every)
            if len(every) > MOST_STATES:
                raise LayoutError(f"{cls.kind} of more than {MOST_STATES} states")
            rows.append([0 if new is None else numbers[new] for new in nexts])
        return cls(rows, [n for state, n in numbers.items() if accepted(state)], cells, words)

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` unless the rows have a state for each digit."""
        super().check(layout)
        self._check_side(self.steps[0], layout)

    def automaton(self) -> Automaton:
        """Its states are those of the table."""
        steps, accepted = self.steps, self.accepted

        def step(place: int, state: object, digit: int) -> object:
            assert isinstance(state, int)
            row = steps[state - 1]
            return row[digit - 1] or None if digit <= len(row) else None

        return Automaton(self.cells, 1, step, accepted.__contains__)

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """The words of each rule."""
        return (rule.said("Brown line") for rule in rules)
