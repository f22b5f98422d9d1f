"""Forcing nets within forcing nets: what an assumption leads to, and what cannot be then.

An assumption is followed by singles. If they do not end in a contradiction, each candidate that is
left is assumed in turn; one that leads to a contradiction cannot be, and its removal may make more
singles. Nearly all puzzles that are known are solved like that; the proofs are long.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sudoku.hinting.deduction import Find
from sudoku.hinting.forcing import solution_cells
from sudoku.hinting.geometry import bits
from sudoku.hinting.nets import Spread, cells_of, tell
from sudoku.hinting.position import Position
from sudoku.hinting.propagation import Propagation, propagation

__all__ = ["nested"]

SPLITS = 250  # inner assumptions to find a short proof with; then a long one is taken
FEW = 3  # the most candidates of a cell, or places in a house, of a short proof

State = tuple[int, int]
"""What is left, and what is true in it, as in `Propagation`."""


def nested(position: Position) -> Iterator[Find]:
    """Candidates that nets within a net refute; first those whose proofs are short."""
    engine = propagation(position.tables.layout)
    assumed = _assumed(engine, position)
    told: set[int] = set()
    for candidate, choice in _short(engine, assumed):
        told.add(candidate)
        yield _find(position, candidate, choice)
    for candidate, state in assumed:
        if candidate not in told:
            denied = _long(engine, state)
            if denied is not None:
                yield _find(position, candidate, _shortened(engine, state, denied))


def _assumed(engine: Propagation, position: Position) -> list[tuple[int, State]]:
    """What wrong candidates lead to; first those that lead far.

    Only wrong ones can be refuted, so it saves time to know the solution.
    """
    size = position.tables.size
    solution = solution_cells(position)
    state, true = engine.start(position)
    found: list[tuple[int, State]] = []
    for candidate in bits(position.flat):
        if solution[candidate % size] != candidate // size + 1:
            left, reached, possible = engine.assume(state, true, candidate)
            if possible:
                found.append((candidate, (left, reached)))
    return sorted(found, key=lambda entry: (entry[1][0].bit_count(), entry[0]))


def _short(
    engine: Propagation, assumed: list[tuple[int, State]]
) -> Iterator[tuple[int, list[int]]]:
    """Candidates that leave a cell or a house with a few choices, none of which can be."""
    tries = SPLITS
    for candidate, (left, true) in assumed:
        refuted = fine = 0
        groups = {left & group for group in engine.members}
        choices = [group for group in groups if 1 < group.bit_count() <= FEW]
        for choice in sorted(choices, key=lambda group: (group.bit_count(), group)):
            for one in bits(choice & ~refuted):
                if fine >> one & 1:
                    break
                _, reached, possible = engine.assume(left, true, one)
                tries -= 1
                if possible:
                    fine |= reached & ~true
                    break
                refuted |= 1 << one
            else:
                yield candidate, list(bits(choice))
                break
            if tries <= 0:
                return


def _long(engine: Propagation, state: State) -> list[int] | None:
    """What cannot be, one after another, up to a contradiction; None if there is none."""
    left, true = state
    denied: list[int] = []
    fine, before = true, -1
    while len(denied) != before:
        before = len(denied)
        for one in bits(left & ~true):
            if not left >> one & 1 or fine >> one & 1:
                continue
            _, reached, possible = engine.assume(left, true, one)
            if possible:
                fine |= reached
                continue
            denied.append(one)
            left, true, possible = engine.deny(left, true, one)
            if not possible:
                return denied
            fine = true
    return None


def _shortened(engine: Propagation, state: State, denied: list[int]) -> list[int]:
    """Without those that the contradiction can do without; from the last to the first."""
    before = [state]  # each, what is left then
    for one in denied[:-1]:
        left, true = before[-1]
        before.append(engine.deny(left, true, one)[:2] if left >> one & 1 else (left, true))
    kept: list[int] = []
    for one, here in zip(reversed(denied), reversed(before), strict=True):
        if not _fails(engine, here, kept):
            kept.insert(0, one)
    return kept


def _fails(engine: Propagation, state: State, denied: list[int]) -> bool:
    """Whether each can be denied, in that order, and then there is a contradiction."""
    left, true = state
    for one in denied:
        if left >> one & 1:
            if engine.assume(left, true, one)[2]:
                return False
            left, true, possible = engine.deny(left, true, one)
            if not possible:
                return True
    return False


def _find(position: Position, candidate: int, denied: list[int]) -> Find:
    tables = position.tables
    cell, digit = candidate % tables.size, candidate // tables.size + 1
    spread = Spread(position, cell, digit)
    empty = spread.run()
    for one in denied:
        if empty is None and spread.deny(one % tables.size, one // tables.size + 1):
            empty = spread.run()
    if empty is None:
        raise AssertionError("nets that end in no contradiction")
    net = spread.net(empty)
    return Find(
        "nested forcing net", cells_of(net), (), ((digit, 1 << cell),), partial(tell, tables, net)
    )
