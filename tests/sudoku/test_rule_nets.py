"""Rule nets and combination nets: what they keep between steps, and proofs that are short."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rule_examples import load_examples

import sudoku
from sudoku import Grid
from sudoku.hinting.deduction import changes_of
from sudoku.hinting.hints import first_deduction
from sudoku.hinting.position import Position
from sudoku.hinting.rule_techniques.net_proofs import RuleNetBuilder
from sudoku.hinting.rule_techniques.rule_nets import all_rule_nets
from sudoku.hinting.rule_techniques.sums import family_of, joined, split
from sudoku.hinting.techniques import forcing

PUZZLE = next(each.puzzle for each in load_examples() if each.technique == "rule net")
SETS = st.lists(st.integers(0, 31).map(lambda digits: digits << 1), max_size=6)


@given(SETS, SETS, SETS)
def test_families(one: list[int], other: list[int], third: list[int]) -> None:
    """Unions of sets without a common digit, and the sets that they come from; by brute force."""
    unions = {(a, b): a | b for a in one for b in other if not a & b}
    whole = family_of([*{*unions.values()}])
    families = [family_of([*{*sets}]) for sets in (one, other)]
    assert joined(families[0], families[1], 5) == whole
    good = family_of([*{*third}])
    made = [pair for pair, union in unions.items() if union in third]
    assert split(good, families[0], families[1], 5) == (
        family_of([*{a for a, _ in made}]),
        family_of([*{b for _, b in made}]),
    )


def positions(puzzle: Grid) -> Iterator[Position]:
    """The positions on the way to the solution."""
    position = Position.of(puzzle)
    while not position.is_solved:
        yield position
        position = position.after(changes_of(position, [first_deduction(position)]))


def fresh(position: Position) -> Position:
    """The same position without what nets have found before."""
    return Position(
        position.tables, position.values, position.planes, position.given, position.unsolved
    )


def test_what_nets_keep() -> None:
    """Where nothing easier helps, they refute the same candidates as without the steps before."""
    compared = 0
    for position in positions(PUZZLE):
        known = "rule net" in position.consequences
        if first_deduction(position).technique == "rule net":
            kept, new = all_rule_nets(position), all_rule_nets(fresh(position))
            assert kept.removed == new.removed
            compared += known
    assert compared


def test_a_position_keeps_the_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nets look at wrong candidates only; hints have the solution already."""
    steps = sudoku.hints(PUZZLE)
    monkeypatch.setattr(forcing, "solve", None)
    assert "rule net" in {step.technique for step in steps}


def test_a_proof_omits_what_it_does_not_need(monkeypatch: pytest.MonkeyPatch) -> None:
    """No rule of a net excludes anything because of more conclusions than it needs."""

    def lengths() -> list[int]:
        nets = (s for s in sudoku.hints(PUZZLE) if s.technique == "rule net")
        return [len(step.pattern.marks) for step in nets]

    fewer = lengths()
    monkeypatch.setattr(RuleNetBuilder, "_fewest", lambda self, rule, because, gone: because)
    more = lengths()
    assert all(a <= b for a, b in zip(fewer, more, strict=True))
    assert sum(fewer) < sum(more)
