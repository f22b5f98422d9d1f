"""Automata that read the digits of a line, cell by cell, for sums, skyscrapers and the like.

An automaton begins in a state; each digit leads to a state, or to none. The line is good if the
last state is accepted. If few fillings are good, they are the options of one primary item.
Otherwise there is an item for each cell, and its options are the steps from the state before the
cell to the state after it. The colors of secondary items between the cells keep the steps
consistent::

    items     step 1        step 2        step 3
    colors          after 1       after 2
    options   d -> s        s, d -> s'    s', d -> accepted

Several digits that lead from one state to another are one option, which excludes other digits.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import islice

import dlx
from dlx.named_tuple import NamedTuple
from sudoku.board.cells import Cell
from sudoku.board.peers import peers
from sudoku.board.rule import Candidates, CoverModel, digits_of
from sudoku.board.time_limit import check_time
from sudoku.rules.encoding.choice import tied_to

__all__ = ["Automaton", "accepts", "contribute_automaton", "restrict_automaton"]

MOST_FILLINGS = 150
"""The most fillings of a line of more than two cells that become options of one item."""

State = Hashable
Steps = dict[State, dict[int, State]]
"""For each state before a cell, and each digit of the cell, the state after it."""


class Automaton(NamedTuple):
    """A line of cells, and what it accepts."""

    cells: Sequence[Cell]
    start: State
    step: Callable[[int, State, int], State | None]
    """Maps a place on the line, a state and a digit to the next state, or to None."""
    accepted: Callable[[State], bool]
    """Whether a state may be the last one."""


def restrict_automaton(candidates: Candidates, automaton: Automaton) -> None:
    """Removes the digits that are in no accepted filling; equal digits are ignored.

    O(cells x states x digits).
    """
    for cell, steps in zip(automaton.cells, _steps(candidates, automaton), strict=True):
        candidates[cell] = 0
        for each in steps.values():
            for digit in each:
                candidates[cell] |= 1 << digit


def contribute_automaton(
    model: CoverModel,
    automaton: Automaton,
    *name: Hashable,
    result: Callable[[State], Hashable] | None = None,
) -> None:
    """Adds items and options to a model so that the automaton accepts the line.

    The option that reaches a last state also has the item that `result` returns for this state.
    """
    steps, cells = _steps(model.candidates, automaton), automaton.cells
    most = MOST_FILLINGS if len(cells) > 2 else model.layout.side ** len(cells)
    found = list(islice(_fillings(model, automaton, steps), most + 1))
    if len(found) <= most:
        item = model.primary(*name)
        for filling, state in found:
            tied = [model.value(c, digit) for c, digit in zip(cells, filling, strict=True)]
            model.option([item, *tied, *([result(state)] if result else [])], *name, *filling)
        return
    between = [model.secondary(*name, "after", place) for place in range(1, len(cells))]
    for place, cell in enumerate(cells):
        item = model.primary(*name, "step", place + 1)
        for number, (before, after, digits) in enumerate(_merged(steps[place]), 1):
            tied = [item, *tied_to(model, cell, digits)]
            if place:
                tied.append(dlx.colored(between[place - 1], before))
            if place < len(between):
                tied.append(dlx.colored(between[place], after))
            elif result:
                tied.append(result(after))
            model.option(tied, *name, "step", place + 1, number)


def accepts(automaton: Automaton, values: Mapping[Cell, int]) -> bool:
    """Whether the digits of a full line are accepted."""
    state: State | None = automaton.start
    for place, cell in enumerate(automaton.cells):
        if state is None:
            return False
        state = automaton.step(place, state, values[cell])
    return state is not None and automaton.accepted(state)


def _steps(candidates: Candidates, automaton: Automaton) -> list[Steps]:
    """For each cell the steps that are part of an accepted filling."""
    steps: list[Steps] = []
    states: dict[State, None] = {automaton.start: None}
    for place, cell in enumerate(automaton.cells):
        check_time()
        digits = digits_of(candidates[cell])
        found: Steps = {}
        for state in states:
            leads = ((digit, automaton.step(place, state, digit)) for digit in digits)
            found[state] = {digit: after for digit, after in leads if after is not None}
        steps.append(found)
        states = {after: None for each in found.values() for after in each.values()}
    good = {state for state in states if automaton.accepted(state)}
    for place in range(len(steps) - 1, -1, -1):
        left: Steps = {}
        for state, each in steps[place].items():
            kept = {digit: after for digit, after in each.items() if after in good}
            if kept:
                left[state] = kept
        steps[place], good = left, set(left)
    return steps


def _fillings(
    model: CoverModel, automaton: Automaton, steps: list[Steps]
) -> Iterator[tuple[tuple[int, ...], State]]:
    """Yields the accepted fillings, equal digits only in cells that do not see each other, and the
    last state of each.
    """
    numbers = [model.layout.index[cell] for cell in automaton.cells]
    around = peers(model.layout)
    seen = [
        [earlier for earlier in range(place) if around[number] >> numbers[earlier] & 1]
        for place, number in enumerate(numbers)
    ]
    filling: list[int] = []

    def extend(place: int, state: State) -> Iterator[tuple[tuple[int, ...], State]]:
        if place == len(numbers):
            yield tuple(filling), state
            return
        taken = [filling[earlier] for earlier in seen[place]]
        for digit, after in steps[place].get(state, {}).items():
            if digit not in taken:
                filling.append(digit)
                yield from extend(place + 1, after)
                filling.pop()

    yield from extend(0, automaton.start)


def _merged(steps: Steps) -> Iterator[tuple[State, State, int]]:
    """Yields the steps as a state before, a state after, and the digits between, as bits."""
    for before, each in steps.items():
        digits: dict[State, int] = {}
        for digit, after in each.items():
            digits[after] = digits.get(after, 0) | 1 << digit
        for after, bits in digits.items():
            yield before, after, bits
