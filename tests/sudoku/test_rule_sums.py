"""Fillings of cages and of innies and outies, against all fillings; ratings up to a band."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rule_puzzles import rule_puzzle

import sudoku
from sudoku import Layout, layouts
from sudoku.board.peers import peers
from sudoku.hinting.geometry import bits, geometry
from sudoku.hinting.rating import band_within
from sudoku.hinting.registry import BANDS
from sudoku.hinting.rule_techniques.fillings import RuleCells
from sudoku.hinting.rule_techniques.innies_and_outies import MOST_NET_CELLS, net_rules
from sudoku.hinting.rule_techniques.sums import distinct_sum, weighted_sum
from sudoku.rules import Cage, LittleKiller
from sudoku.solving.deadline import Deadline

MASKS = st.lists(st.integers(1, 63).map(lambda mask: mask << 1), min_size=1, max_size=4).map(tuple)


def union(fillings: list[tuple[int, ...]]) -> tuple[int, ...] | None:
    """For each cell its digits in the fillings, as bits."""
    if not fillings:
        return None
    return tuple(sum({1 << digit for digit in column}) for column in zip(*fillings, strict=True))


@given(MASKS, st.integers(1, 24))
def test_cages(masks: tuple[int, ...], total: int) -> None:
    fillings = [
        filling
        for filling in product(*map(bits, masks))
        if sum(filling) == total and len(set(filling)) == len(filling)
    ]
    found = distinct_sum(masks, total)
    assert (found and found.left) == union(fillings)
    if found is not None:
        assert set(bits(found.common)) == set.intersection(*map(set, fillings))


@given(MASKS, st.integers(-12, 24), st.data())
def test_innies_and_outies(masks: tuple[int, ...], total: int, data: st.DataObject) -> None:
    count = len(masks)
    weights = data.draw(st.lists(st.sampled_from((1, -1)), min_size=count, max_size=count))
    pairs = [(a, b) for b in range(count) for a in range(b)]
    differ = data.draw(st.sets(st.sampled_from(pairs)) if pairs else st.just(set()))
    apart = [[b for b in range(count) if {(a, b), (b, a)} & differ] for a in range(count)]
    fillings = [
        filling
        for filling in product(*map(bits, masks))
        if sum(w * digit for w, digit in zip(weights, filling, strict=True)) == total
        and all(filling[a] != filling[b] for a, b in differ)
    ]
    assert weighted_sum(masks, weights, apart, total) == union(fillings)


@given(st.integers(3, 20), st.lists(st.integers(1, 15), min_size=3, max_size=3))
def test_digits_that_a_cage_needs(total: int, masks: list[int]) -> None:
    """As by a search that leaves the digit out; every digit if there is no filling."""
    cage = RuleCells(Cage(total, "r1c1 r1c2 r2c1"), Layout(2, 2))
    digits = [[digit for digit in range(1, 5) if mask >> digit - 1 & 1] for mask in masks]
    fillings = [f for f in product(*digits) if sum(f) == total and len(set(f)) == 3]
    for digit in range(1, 5):
        needed = all(digit in filling for filling in fillings)
        assert cage.needs(tuple(mask << 1 for mask in masks), digit) == needed


@pytest.mark.parametrize("total", range(3, 13))
@pytest.mark.parametrize("cells", ["r1c1 r2c2", "r1c1 r2c3 r3c2", "r1c1 r2c3 r3c2 r4c4"])
def test_links_of_sums(cells: str, total: int) -> None:
    """`linked` leaves out only pairs that no two digits break."""
    rule = LittleKiller(total, cells)
    layout = Layout(2, 2)
    try:
        layout = layout.with_rules(rule)
    except sudoku.LayoutError:
        return
    links = sum(
        bool(rule.broken({one: a, two: b}))
        for one, two in product(rule.cells, repeat=2)
        if one != two
        for a, b in product(range(1, 5), repeat=2)
        if a != b or not peers(layout)[layout.index[one]] >> layout.index[two] & 1
    )
    assert sum(mask.bit_count() for mask in geometry(layout).crossed.values()) == links


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["killer", "lines", "kropki"])
def test_a_band_without_harder_techniques(kind: str, seed: int) -> None:
    puzzle = rule_puzzle(seed, kind, Layout(2, 3))
    band = BANDS.index(sudoku.rate(puzzle).band)
    for most in range(len(BANDS)):
        found = band_within(puzzle, most, Deadline(None))
        assert found == (band if band <= most else None)


def test_rule_nets_follow_innies_and_outies() -> None:
    """Of few cells, and the hint says which."""
    puzzle = sudoku.generate(layouts.classic(3, 3), kind="killer", seed=1)
    said = [
        words
        for step in sudoku.hints(puzzle)
        if step.technique == "rule net"
        for words in step.details
        if " by the cages of " in words
    ]
    assert said
    sums = [rule for rule in net_rules(puzzle.layout) if rule.rule not in puzzle.layout.rules]
    assert sums
    assert all(len(rule.cells) <= MOST_NET_CELLS for rule in sums)
