"""Forcing nets, nested forcing nets and trial.

A forcing net assumes a candidate, follows the singles, and ends in a contradiction: the candidate
is false.

In a nested forcing net the singles end in no contradiction. Then each candidate that is left is
assumed in turn, in an inner net. If the inner net ends in a contradiction, its candidate is
excluded from the outer net, which may make more singles there. Nearly all known puzzles can be
solved in this way, but the proofs are long.

Where neither finds anything, trial solves a cell: `sudoku.solve` finds no solution with any other
candidate of the cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from sudoku.board.grid import Grid
from sudoku.board.layout import symbol
from sudoku.hinting.deduction import Deduction, Evidence, symbols
from sudoku.hinting.geometry import bits
from sudoku.hinting.position import Changes, Position
from sudoku.hinting.rule_techniques.fillings import rule_cells
from sudoku.hinting.technique import technique, together
from sudoku.hinting.techniques.nets import NetBuilder, net_cells, net_evidence
from sudoku.hinting.techniques.propagation import Propagation, propagation
from sudoku.solving.solve import solve

__all__ = [
    "all_forcing_nets",
    "all_trials",
    "forcing_nets",
    "nested_forcing_nets",
    "solution_cells",
    "trials",
]

MAX_INNER = 250  # inner assumptions in the search for short proofs; after them come the long ones
MAX_CHOICES = 3  # candidates of a cell, or places in a house, that a short proof excludes

Branch = tuple[int, int]
"""The candidates left after an assumption, and those of them that are true: see `Propagation`."""


@together("forcing net")
def all_forcing_nets(position: Position) -> Changes:
    """The candidates that all forcing nets remove, found by `Propagation.refuted`."""
    found = Changes(position.tables.side)
    size = position.tables.size
    for candidate, _ in propagation(position.tables.layout).refuted(position):
        found.removed[candidate // size + 1] |= 1 << candidate % size
    return found


@technique("forcing net", "", "extreme", 500)
def forcing_nets(position: Position) -> Iterator[Deduction]:
    """Forcing nets, one by one; first those that need the fewest digits."""
    refuted = propagation(position.tables.layout).refuted(position)
    for candidate, _ in sorted(refuted, key=lambda found: (found[1], found[0])):
        yield _net_deduction(position, "forcing net", candidate)


def _net_deduction(
    position: Position, technique: str, candidate: int, excluded: Iterable[int] = ()
) -> Deduction:
    """The removal of a candidate, with the net that refutes it.

    `excluded` are the candidates that inner nets refute, in this order.
    """
    tables = position.tables
    cell, digit = candidate % tables.size, candidate // tables.size + 1
    builder = NetBuilder(position, cell, digit)
    contradiction = builder.run()
    for one in excluded:
        if contradiction is None and builder.refute(one % tables.size, one // tables.size + 1):
            contradiction = builder.run()
    if contradiction is None:
        raise AssertionError(f"the {technique} ends in no contradiction")
    net = builder.net(contradiction)
    evidence = partial(net_evidence, tables, net)
    return Deduction(technique, net_cells(net), (), ((digit, 1 << cell),), evidence)


@technique("nested forcing net", "", "extreme", 1000, use="proof")
def nested_forcing_nets(position: Position) -> Iterator[Deduction]:
    """Candidates that nested nets refute; first those with short proofs.

    None in layouts with rules that have combinations: their nets follow the rules (`rule_nets`).
    """
    if rule_cells(position.tables.layout):
        return
    engine = propagation(position.tables.layout)
    assumed = _assumed(engine, position)
    done: set[int] = set()
    for candidate, choice in _short(engine, assumed):
        done.add(candidate)
        yield _net_deduction(position, "nested forcing net", candidate, choice)
    for candidate, branch in assumed:
        if candidate not in done:
            excluded = _long(engine, branch)
            if excluded is not None:
                needed = _shortened(engine, branch, excluded)
                yield _net_deduction(position, "nested forcing net", candidate, needed)


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


def _fewest(position: Position) -> list[int]:
    """The cells with the fewest candidates, two or more."""
    counts = {cell: n for cell in bits(position.unsolved) if (n := position.counts[cell]) > 1}
    least = min(counts.values(), default=0)
    return [cell for cell, n in counts.items() if n == least]


def solution_cells(position: Position) -> tuple[int, ...]:
    """The digits of all cells in the solution."""
    if position.solution is None:
        grid = Grid.from_cells(tuple(position.values), position.tables.layout)
        position.solution = solve(grid).cells
    return position.solution


@together("trial")
def all_trials(position: Position) -> Changes:
    """The digits of the solution in all cells with the fewest candidates."""
    found = Changes(position.tables.side)
    solution = solution_cells(position)
    found.placed = {cell: solution[cell] for cell in _fewest(position)}
    return found


@technique("trial", "", "extreme", 1000)
def trials(position: Position) -> Iterator[Deduction]:
    """The digits of `all_trials`, one by one."""
    for cell, digit in all_trials(position).placed.items():

        def evidence(cell: int = cell, digit: int = digit) -> Evidence:
            others = position.candidates[cell] & ~(1 << digit)
            return Evidence(
                f"{position.tables.names[cell]} is {symbol(digit)}: by trial, {symbols(others)} "
                f"{'each leave' if others & (others - 1) else 'leaves'} no solution",
                (),
                ((digit, 1 << cell, "base"),),
            )

        yield Deduction("trial", 1 << cell, ((cell, digit),), (), evidence)
