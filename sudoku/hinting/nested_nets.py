"""Nested forcing nets: forcing nets inside the net of another assumption.

The outer net assumes a candidate and follows the singles. If they end in no contradiction, each
candidate that is left is assumed in turn, in an inner net. If the inner net ends in a contradiction
its candidate is excluded from the outer net, which may make more singles there. Nearly all known
puzzles can be solved like that, but the proofs are long.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sudoku.hinting.deduction import Deduction
from sudoku.hinting.forcing import solution_cells
from sudoku.hinting.geometry import bits
from sudoku.hinting.nets import NetBuilder, cells_of, net_evidence
from sudoku.hinting.position import Position
from sudoku.hinting.propagation import Propagation, propagation

__all__ = ["nested_forcing_nets"]

MAX_INNER = 250  # inner assumptions in the search for short proofs; after them come the long ones
MAX_CHOICES = 3  # candidates of a cell, or places in a house, that a short proof excludes

Branch = tuple[int, int]
"""The candidates left after an assumption, and those of them that are true: see `Propagation`."""


def nested_forcing_nets(position: Position) -> Iterator[Deduction]:
    """Candidates that nested nets refute; first those with short proofs."""
    engine = propagation(position.tables.layout)
    assumed = _assumed(engine, position)
    done: set[int] = set()
    for candidate, choice in _short(engine, assumed):
        done.add(candidate)
        yield _deduction(position, candidate, choice)
    for candidate, branch in assumed:
        if candidate not in done:
            excluded = _long(engine, branch)
            if excluded is not None:
                yield _deduction(position, candidate, _shortened(engine, branch, excluded))


def _assumed(engine: Propagation, position: Position) -> list[tuple[int, Branch]]:
    """Each wrong candidate with the branch where it is assumed; the smallest branch first.

    No net refutes a digit of the solution, so knowing the solution saves these attempts.
    """
    size = position.tables.size
    solution = solution_cells(position)
    state, true = engine.start(position)
    found: list[tuple[int, Branch]] = []
    for candidate in bits(position.flat):
        if solution[candidate % size] != candidate // size + 1:
            left, reached, possible = engine.assume(state, true, candidate)
            if possible:
                found.append((candidate, (left, reached)))
    return sorted(found, key=lambda entry: (entry[1][0].bit_count(), entry[0]))


def _short(
    engine: Propagation, assumed: list[tuple[int, Branch]]
) -> Iterator[tuple[int, list[int]]]:
    """Candidates with short proofs: all the few choices of one cell or house are refuted.

    Yields the assumed candidate and these choices.
    """
    tries = MAX_INNER
    for candidate, (left, true) in assumed:
        refuted = fine = 0
        groups = {left & group for group in engine.members}
        choices = [group for group in groups if 1 < group.bit_count() <= MAX_CHOICES]
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


def _long(engine: Propagation, branch: Branch) -> list[int] | None:
    """The candidates to exclude, in order, until a contradiction; None if there is none."""
    left, true = branch
    excluded: list[int] = []
    fine, before = true, -1
    while len(excluded) != before:
        before = len(excluded)
        for one in bits(left & ~true):
            if not left >> one & 1 or fine >> one & 1:
                continue
            _, reached, possible = engine.assume(left, true, one)
            if possible:
                fine |= reached
                continue
            excluded.append(one)
            left, true, possible = engine.exclude(left, true, one)
            if not possible:
                return excluded
            fine = true
    return None


def _shortened(engine: Propagation, branch: Branch, excluded: list[int]) -> list[int]:
    """The excluded candidates that the contradiction needs; tries to omit the last ones first."""
    before = [branch]  # for each candidate, the branch before its exclusion
    for one in excluded[:-1]:
        left, true = before[-1]
        before.append(engine.exclude(left, true, one)[:2] if left >> one & 1 else (left, true))
    needed: list[int] = []
    for one, here in zip(reversed(excluded), reversed(before), strict=True):
        if not _fails(engine, here, needed):
            needed.insert(0, one)
    return needed


def _fails(engine: Propagation, branch: Branch, excluded: list[int]) -> bool:
    """Whether excluding these, in order, is justified and ends in a contradiction."""
    left, true = branch
    for one in excluded:
        if left >> one & 1:
            if engine.assume(left, true, one)[2]:
                return False
            left, true, possible = engine.exclude(left, true, one)
            if not possible:
                return True
    return False


def _deduction(position: Position, candidate: int, excluded: list[int]) -> Deduction:
    tables = position.tables
    cell, digit = candidate % tables.size, candidate // tables.size + 1
    builder = NetBuilder(position, cell, digit)
    contradiction = builder.run()
    for one in excluded:
        if contradiction is None and builder.refute(one % tables.size, one // tables.size + 1):
            contradiction = builder.run()
    if contradiction is None:
        raise AssertionError("the nested nets end in no contradiction")
    net = builder.net(contradiction)
    return Deduction(
        "nested forcing net",
        cells_of(net),
        (),
        ((digit, 1 << cell),),
        partial(net_evidence, tables, net),
    )
