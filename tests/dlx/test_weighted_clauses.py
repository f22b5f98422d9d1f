"""Clauses of sums with weights: satisfied by the right assignments, and by no others."""

from __future__ import annotations

from itertools import count, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlx.formats.weighted_clauses import SPLIT, Clause, clauses_of_weighted_sum

weights = st.lists(st.integers(1, 9) | st.integers(1, 10**6), min_size=1, max_size=6)


def propagate(clauses: list[Clause], true: set[int]) -> set[int] | None:
    """What follows from these literals by unit propagation; None for a contradiction."""
    known = set(true)
    changed = True
    while changed:
        changed = False
        for clause in clauses:
            if known.intersection(clause):
                continue
            free = [x for x in clause if -x not in known]
            if not free:
                return None
            if len(free) == 1:
                known.add(free[0])
                changed = True
    return known


@given(weights, st.data())
def test_the_right_assignments(numbers: list[int], data: st.DataObject) -> None:
    """A whole assignment decides every variable of the diagram that matters."""
    total = sum(numbers)
    low, high = data.draw(st.integers(-1, total + 2)), data.draw(st.integers(-1, total + 2))
    signs = data.draw(st.tuples(*[st.sampled_from([1, -1])] * len(numbers)))
    literals = [sign * place for place, sign in enumerate(signs, start=1)]
    terms = list(zip(numbers, literals, strict=True))
    fresh = count(len(numbers) + 1)
    clauses = list(clauses_of_weighted_sum(terms, low, high, fresh.__next__))
    for values in product([1, -1], repeat=len(numbers)):
        true = {value * place for place, value in enumerate(values, start=1)}
        amount = sum(weight for weight, literal in terms if literal in true)
        assert (propagate(clauses, true) is not None) == (low <= amount <= high), sorted(true)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.data())
def test_propagation_finds_what_follows(numbers: list[int], data: st.DataObject) -> None:
    """If weights are not split, and for one bound: every literal that the sum implies."""
    total = sum(numbers)
    bound = data.draw(st.integers(0, total))
    upper = data.draw(st.booleans())
    terms = list(zip(numbers, range(1, len(numbers) + 1), strict=True))
    low, high = (0, bound) if upper else (bound, total)
    clauses = list(clauses_of_weighted_sum(terms, low, high, count(20).__next__))
    for values in product([1, 0, -1], repeat=len(numbers)):
        true = {value * place for place, value in enumerate(values, start=1) if value}
        least = sum(weight for weight, x in terms if x in true)
        most = sum(weight for weight, x in terms if -x not in true)
        if least > high or most < low:
            assert propagate(clauses, true) is None
            continue
        known = propagate(clauses, true)
        assert known is not None
        for weight, x in terms:
            if x not in true and -x not in true:
                assert (-x in known) == (upper and least + weight > high)
                assert (x in known) == (not upper and most - weight < low)


@pytest.mark.parametrize("size", [10, 40])
def test_large_weights_are_split(size: int) -> None:
    """The diagram stays small although no two subsets have the same sum."""
    terms = [(10**9 + 3**place, place + 1) for place in range(size)]
    bound = sum(weight for weight, _ in terms) // 2
    assert bound > SPLIT * size
    clauses = sum(1 for _ in clauses_of_weighted_sum(terms, 0, bound, count(size + 1).__next__))
    assert clauses < 4 * size * size * 64 + 1


def test_a_common_factor_is_taken_out() -> None:
    terms = [(6, 1), (9, 2), (3, 3)]
    fresh = count(4)
    small = list(clauses_of_weighted_sum([(2, 1), (3, 2), (1, 3)], 2, 3, count(4).__next__))
    assert list(clauses_of_weighted_sum(terms, 4, 11, fresh.__next__)) == small
    assert list(clauses_of_weighted_sum(terms, 4, 5, fresh.__next__)) == [[]]
