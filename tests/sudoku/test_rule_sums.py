"""Fillings of cages and of innies and outies, against all fillings; ratings up to a band."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kinds_strategies import CELLS, killers
from rule_puzzles import rule_puzzle
from rules_oracle import BOXED, squares

import sudoku
from sudoku import Grid, Layout, layouts
from sudoku.board.peers import peers
from sudoku.hinting.geometry import bits, geometry
from sudoku.hinting.rating import band_within
from sudoku.hinting.registry import BANDS
from sudoku.hinting.rule_techniques.fillings import RuleCells
from sudoku.hinting.rule_techniques.innies_and_outies import MOST_NET_CELLS, net_rules
from sudoku.hinting.rule_techniques.sums import distinct_sum, weighted_sum
from sudoku.rules import Cage, LittleKiller
from sudoku.rules.cover import cover_with_rules
from sudoku.rules.implied import MANY, implied_rules
from sudoku.solving import solve as solving
from sudoku.solving.deadline import Deadline
from sudoku.solving.solve import filled

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


@st.composite
def sums_anywhere(draw: st.DrawFn) -> tuple[Layout, list[Any]]:
    """Sums of a full grid, whose cells may see each other and may be in several sums."""
    values = draw(st.sampled_from(BOXED))
    cells = st.lists(st.sampled_from(CELLS), min_size=1, max_size=5, unique=True)
    lines = [[(r, c) for c in range(1, 5)] for r in range(1, 5)]
    lines += [[(r, c) for r in range(1, 5)] for c in range(1, 5)]
    seen = st.sampled_from([part for line in lines for part in (line[:2], line[:3], line[2:])])
    chosen = draw(st.lists(cells | seen, min_size=1, max_size=6))
    specs: list[Any] = [("total", sum(values[cell] for cell in part), part) for part in chosen]
    base = draw(killers([values]))[0] if draw(st.booleans()) else Layout(2, 2)
    cages = [("cage", rule.total, rule.cells) for rule in base.rules if isinstance(rule, Cage)]
    added = [LittleKiller(total, part) for _, total, part in specs]
    return base.with_rules(*added), [("boxes", 2, 2), *specs, *cages]


@given(sums_anywhere())
def test_all_solutions_with_few_and_with_many_implied_sums(kind: tuple[Layout, list[Any]]) -> None:
    layout, specs = kind
    expected = sorted("".join(str(values[cell]) for cell in CELLS) for values in squares(specs))
    for problem in (sudoku.cover(layout), cover_with_rules(layout, MANY)):
        found = [filled(Grid("." * 16, layout=layout), each).line for each in problem.solutions()]
        assert sorted(found) == expected


def frame(text: str, kind: type[LittleKiller]) -> Layout:
    """The sums of the first three cells that each side of the grid sees, as the only clues."""
    full = Grid(text)
    lines = [[(row, column) for column in range(1, 10)] for row in range(1, 10)]
    lines += [[(row, column) for row in range(1, 10)] for column in range(1, 10)]
    seen = [part for line in lines for part in (line[:3], line[-3:])]
    return Layout(3, 3).with_rules(*[kind(sum(full[cell] for cell in part), part) for part in seen])


def test_cells_that_see_each_other_are_a_cage() -> None:
    """A little killer has the items of a cage, and the rule of 45 what is left of its house."""
    text = "813572649925864317746391825389645172462917538157238496271456983634789251598123764"
    little, cages = frame(text, LittleKiller), frame(text, Cage)
    rest = Cage(14, "r1c4 r1c5 r1c6")
    assert rest in implied_rules(little)
    assert implied_rules(little) == implied_rules(cages)
    assert len(sudoku.cover(little)) == len(sudoku.cover(cages))
    assert sudoku.solve("." * 81, layout=little).line == text
    assert sudoku.is_unique("." * 81, layout=little)


def test_a_search_that_takes_long_begins_again_with_more_sums(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Layout] = []

    def recorded(layout: Layout, free: int) -> Any:
        asked.append(layout)
        return cover_with_rules(layout, free)

    monkeypatch.setattr(solving, "NODES", 1)
    monkeypatch.setattr(solving, "DECISIONS", 1)
    monkeypatch.setattr(solving, "cover_with_rules", recorded)
    text = "934865127256714983187239465843651279519427638762398541475182396398546712621973854"
    every = frame(text, Cage)
    some = Layout(3, 3).with_rules(*every.rules[::3])
    for digits, count in (("." * 81, 2), (text[:72] + "." * 9, 1)):
        puzzle = Grid(digits, layout=some)
        assert sudoku.count(puzzle, limit=2, engine="links") == count
        assert sudoku.count(puzzle, limit=2) == sudoku.count(puzzle, limit=2) == count
    assert sudoku.solve("." * 81, layout=some).is_solved
    assert asked == [some]
