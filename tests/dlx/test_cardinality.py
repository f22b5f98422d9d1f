"""Clauses for sums, against every assignment there is."""

from __future__ import annotations

from itertools import count, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlx.formats.clauses import PAIRWISE, Clause, clauses_of_sum


def satisfiable(clauses: list[Clause], true: frozenset[int]) -> bool:
    """Can the variables that are not in question be chosen so that all clauses hold?

    By unit propagation alone, which is enough: the counter's variables follow from the literals, or
    may be chosen at will (then all false, or all true, will do).
    """
    known = {literal: literal in true for literal in true} | {-x: False for x in true}
    while True:
        unit = None
        for clause in clauses:
            if any(known.get(x) for x in clause):
                continue
            free = [x for x in clause if x not in known]
            if not free:
                return False
            if len(free) == 1:
                unit = free[0]
        if unit is None:
            return True
        known[unit], known[-unit] = True, False


def assignments(literals: list[int]) -> list[frozenset[int]]:
    return [
        frozenset(x if value else -x for x, value in zip(literals, values, strict=True))
        for values in product([False, True], repeat=len(literals))
    ]


@pytest.mark.parametrize("size", range(7))
@pytest.mark.lengthy
def test_every_pair_of_bounds(size: int) -> None:
    for low, high in product(range(-1, size + 3), repeat=2):
        literals = list(range(1, size + 1))
        numbers = count(size + 1)
        clauses = list(clauses_of_sum(literals, low, high, numbers.__next__))
        for true in assignments(literals):
            wanted = low <= sum(x > 0 for x in true) <= high
            assert satisfiable(clauses, true) == wanted, (low, high, sorted(true))


@given(st.permutations(range(1, 6)), st.lists(st.booleans(), min_size=5, max_size=5), st.data())
def test_literals_of_either_sign_in_any_order(
    variables: list[int], signs: list[bool], data: st.DataObject
) -> None:
    literals = [x if sign else -x for x, sign in zip(variables, signs, strict=True)]
    low, high = data.draw(st.integers(0, 5)), data.draw(st.integers(0, 5))
    numbers = count(6)
    clauses = list(clauses_of_sum(literals, low, high, numbers.__next__))
    for true in assignments(literals):
        assert satisfiable(clauses, true) == (low <= sum(x in true for x in literals) <= high)


@pytest.mark.parametrize("size", [3, 5])
@pytest.mark.lengthy
def test_propagation_finds_what_follows(size: int) -> None:
    """Under every partial assignment: an open literal that must have a value gets it."""
    for low, high in [(1, 1), (0, 1), (2, 2), (0, 2), (2, 3), (3, size), (size - 1, size - 1)]:
        literals = list(range(1, size + 1))
        clauses = list(clauses_of_sum(literals, low, high, count(size + 1).__next__))
        for values in product([None, False, True], repeat=size):
            some = frozenset(
                x if value else -x
                for x, value in zip(literals, values, strict=False)
                if value is not None
            )
            true, open_ = sum(x > 0 for x in some), size - len(some)
            possible = true <= high and true + open_ >= low
            assert satisfiable(clauses, some) == possible
            if possible and open_:
                literal = next(x for x in literals if x not in some and -x not in some)
                assert satisfiable(clauses, some | {literal}) == (true < high)
                assert satisfiable(clauses, some | {-literal}) == (true + open_ > low)


@pytest.mark.parametrize(
    ("size", "low", "high", "most"),
    [(1000, 1, 1, 3000), (1000, 0, 2, 6000), (1000, 3, 1000, 6000), (PAIRWISE, 0, 1, 10)],
)
def test_as_many_clauses_as_promised(size: int, low: int, high: int, most: int) -> None:
    numbers = count(size + 1)
    clauses = list(clauses_of_sum(range(1, size + 1), low, high, numbers.__next__))
    assert len(clauses) <= most
    assert all(len(clause) <= 3 or clause == list(range(1, size + 1)) for clause in clauses)
