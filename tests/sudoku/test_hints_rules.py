"""Hints and ratings for layouts with rules, overlapping grids, and squares without lines."""

from __future__ import annotations

import os
import random
from collections.abc import Mapping
from functools import cache, reduce
from itertools import combinations, permutations, product
from operator import and_

import pytest
from folders import DOCS
from hint_verifier import Board, Clashes, clashes, plain_clashes
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rule_examples import RuleExample, load_examples
from rule_examples import row as row_of
from rule_puzzles import KINDS, rule_puzzle, thinned
from verify_hints import SLOW, Tally, verify_puzzle

import sudoku
from sudoku import Grid, Layout, Step, layouts, rules
from sudoku.hinting.deduction import changes_of
from sudoku.hinting.geometry import bits, geometry
from sudoku.hinting.position import Position
from sudoku.hinting.registry import HINT_TECHNIQUES, TECHNIQUES
from sudoku.hinting.rule_techniques import fillings
from sudoku.hinting.rule_techniques.house_combinations import HouseCells, house_cells
from sudoku.hinting.rule_techniques.sums import DistinctSum, distinct_sum, family_of
from sudoku.hinting.technique import registered

Cell = tuple[int, int]
EXAMPLES = load_examples()
OTHERS = [technique for technique in TECHNIQUES if not technique.name.startswith(SLOW)]
TWINS = layouts.overlapping([(1, 1), (3, 3)], base=Layout(2, 2), name="twins")
TRIPLETS = layouts.overlapping([(1, 3), (3, 1), (3, 5)], base=Layout(2, 3), name="triplets")
GLOBAL = {
    "knight": Layout(2, 3).with_rules(rules.Apart([(1, 2), (2, 1), (1, -2), (2, -1)])),
    "king": Layout(2, 3).with_rules(rules.Apart([(1, 1), (1, -1)])),
    "non-consecutive": layouts.latin(6).with_rules(rules.NonConsecutive()),
    "distant": layouts.latin(6).with_rules(rules.Distant(2, [(1, 1)])),
    "entropy": layouts.latin(6).with_rules(rules.GlobalEntropy(2)),
    "modular": layouts.latin(6).with_rules(rules.GlobalModular()),
    "taxicab": layouts.latin(6).with_rules(rules.AntiTaxicab()),
    "corners": Layout(2, 3).with_rules(rules.DiagonalNonConsecutive()),
    "table": layouts.latin(5).with_rules(
        rules.GridTable([[1, 2, 3], [3, 4, 5], [1, 4, 5], [2, 3], [1, 2]], [(1, 1)], "a table")
    ),
    "no sums": Layout(2, 3).with_rules(rules.NoMorePairs("sum", [7], [((1, 1), (1, 2))])),
}


every_example = pytest.mark.parametrize(
    "example",
    [
        pytest.param(one, marks=[pytest.mark.lengthy] * (one.technique == "combination net"))
        for one in EXAMPLES
    ],
    ids=[one.technique for one in EXAMPLES],
)


def without_row() -> Layout:
    """A square of which one row is no house."""
    cells = Layout(2, 2).positions
    houses = [("row", cells[at : at + 4]) for at in (0, 4, 8)]
    return Layout.of(4, cells, [*houses, *(("column", cells[at::4]) for at in range(4))])


def without_lines() -> Layout:
    """Cells of which none is in a row or column that is a house."""
    cells = [(row, column) for row in range(1, 5) for column in range(1, 5)]
    boxes = [
        ("box", [cell for cell in cells if ((cell[0] - 1) // 2, (cell[1] - 1) // 2) == place])
        for place in ((0, 0), (0, 1), (1, 0), (1, 1))
    ]
    return Layout.of(4, cells, boxes).with_rules(
        *(rules.Cage(10, [(row, column) for column in range(1, 5)]) for row in (1, 3)),
        rules.Apart([(1, 0), (2, 0), (3, 0)]),
    )


def puzzle_of(layout: Layout, seed: int) -> Grid:
    """A random minimal puzzle."""
    full = sudoku.solve(Grid.from_cells((0,) * layout.size, layout), seed=seed)
    return thinned(random.Random(seed), layout, list(full.cells), layout.size)


def verified(puzzle: Grid, each: int = 0) -> Tally:
    """All hints, held to first principles, to the solution."""
    tally = Tally()
    assert verify_puzzle(puzzle, tally, OTHERS, each, every=False), tally.refused
    assert not tally.refused
    return tally


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_hints_with_rules(kind: str, seed: int) -> None:
    large = seed == 0 and kind not in ("outside", "little-killer", "arrow")
    verified(rule_puzzle(seed + 100, kind, Layout(2, 3) if large else Layout(2, 2)))


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(sorted(KINDS)), st.integers(0, 10**6), st.integers(0, 8))
@example(kind="outside", seed=1892, most=0)  # a net excludes the digit of a solved cell
def test_any_rules(kind: str, seed: int, most: int) -> None:
    """Small grids with few givens or with many."""
    verified(rule_puzzle(seed, kind, Layout(2, 2), most), each=1)


@pytest.mark.parametrize("kind", GLOBAL)
@pytest.mark.parametrize("seed", range(3))
def test_rules_of_all_cells(kind: str, seed: int) -> None:
    verified(puzzle_of(GLOBAL[kind], seed), each=1)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("layout", [TWINS, TRIPLETS, without_row(), without_lines()], ids=str)
def test_grids_that_are_not_one_square(layout: Layout, seed: int) -> None:
    verified(puzzle_of(layout, seed), each=2)


@pytest.mark.lengthy
@pytest.mark.parametrize("kind", [*KINDS, "anti-knight"])
def test_larger_grids(kind: str) -> None:
    verified(rule_puzzle(5, kind, Layout(3, 3)))


@pytest.mark.fuzz
@pytest.mark.lengthy
@pytest.mark.parametrize("kind", KINDS)
def test_many_of_each(kind: str) -> None:
    """10 puzzles; with `make fuzz` 2000, which takes twenty minutes for all kinds."""
    for seed in range(int(os.environ.get("DLX_FUZZ", "100")) // 10):
        verified(rule_puzzle(seed, kind, Layout(2, 2) if seed % 2 else Layout(2, 3)))


@cache
def before(example: RuleExample) -> tuple[Board, Step]:
    """The board before the step of an example, and the step."""
    board = Board(example.puzzle)
    for step in sudoku.hints(example.puzzle):
        if (step.technique, step.sentence) == (example.technique, example.sentence):
            return board, step
        board.apply(step)
    raise AssertionError("the hints do not have it")


@every_example
def test_an_example_of_each_technique(example: RuleExample) -> None:
    """The page has it, and the hints say it."""
    board, step = before(example)
    board.verify(step)
    page = (DOCS / "hints.md").read_text("utf-8")
    assert row_of(example.technique, example.sentence) in page.splitlines()


def test_every_technique_with_rules_has_an_example() -> None:
    assert [e.technique for e in EXAMPLES] == [t.name for t in TECHNIQUES if t.rules]


@every_example
def test_the_verifier_refuses_more_than_follows(example: RuleExample) -> None:
    """A step that removes a wrong digit that its rule says nothing about."""
    board, step = before(example)
    others = (
        (*cell, digit)
        for cell, digits in board.candidates.items()
        for digit in digits - {board.solution[cell]}
        if (*cell, digit) not in step.eliminations
    )
    assert any(is_refused(board, step._replace(eliminations=(one,))) for one in others)


def is_refused(board: Board, step: Step) -> bool:
    try:
        board.verify(step)
    except AssertionError:
        return True
    return False


def naked_clashes(layout: Layout, clashes: Clashes) -> dict[int, int]:
    """What `Geometry.crossed` should be, by asking about every two digits of a rule."""
    tables = geometry(layout)
    found: dict[int, int] = {}
    for (row, column, digit), others in clashes.items():
        one = (digit - 1) * layout.size + layout.index[row, column]
        for down, right, other in others:
            cell = layout.index[down, right]
            if digit != other or not tables.peers[one % layout.size] >> cell & 1:
                found[one] = found.get(one, 0) | 1 << (other - 1) * layout.size + cell
    return found


@pytest.mark.parametrize("kind", GLOBAL)
def test_no_weak_link_of_a_rule_is_missed(kind: str) -> None:
    layout = GLOBAL[kind]
    assert geometry(layout).crossed == naked_clashes(layout, clashes(layout))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "mixed"])
def test_no_weak_link_of_a_rule_with_cells_is_missed(kind: str) -> None:
    layout = rule_puzzle(1, kind, Layout(2, 2)).layout
    assert geometry(layout).crossed == naked_clashes(layout, plain_clashes(layout))


@pytest.mark.parametrize("base", [Layout(2, 2), Layout(2, 3)], ids=str)
def test_no_weak_link_of_a_clue_outside_is_missed(base: Layout) -> None:
    """They are links of chains, but no digit goes before a step says so."""
    layout = rule_puzzle(1, "outside", base).layout
    tables, found = geometry(layout), naked_clashes(layout, clashes(layout))
    assert found != naked_clashes(layout, plain_clashes(layout))
    for node in range(layout.size * layout.side):
        assert tables.weak[node] & ~tables.seen[node] == found.get(node, 0) & ~tables.seen[node]
        assert tables.weak[node] == tables.seen[node] | found.get(node, 0)


@pytest.mark.parametrize("kind", [rules.Sandwich, rules.XSum, rules.Skyscraper])
def test_what_a_clue_outside_excludes(
    kind: type[rules.Sandwich | rules.XSum | rules.Skyscraper],
) -> None:
    """Every pair that no line with that number has, and no other."""
    layout = layouts.latin(5)
    cells = [(1, column) for column in range(1, 6)]
    for total in range(kind.least, kind(kind.least, cells).most + 1):
        clue = kind(total, cells)
        left = {
            (cell, a, other, b)
            for cell, other in combinations(cells, 2)
            for a, b in permutations(range(1, 6), 2)
        }
        for line in permutations(range(1, 6)):
            values = dict(zip(cells, line, strict=True))
            if not clue.broken(values):
                left -= {(c, values[c], o, values[o]) for c, o in combinations(cells, 2)}
        assert set(clue.excluded(layout)) == left


class Even(rules.Rule):
    """The sum of the cells is even: a rule that overrides `broken` only."""

    __slots__ = fields = ("cells",)
    kind = "even sum"

    def __init__(self, cells: tuple[tuple[int, int], ...]) -> None:
        self._fill(cells=cells)

    def broken(self, values: Mapping[tuple[int, int], int]) -> tuple[tuple[int, int], ...]:
        full = all(cell in values for cell in self.cells)
        return self.cells if full and sum(values[cell] for cell in self.cells) % 2 else ()


def test_a_rule_of_ones_own_needs_no_more_than_broken() -> None:
    layout = Layout(2, 2).with_rules(Even(((1, 1), (1, 2), (1, 3))))
    position = Position.of(sudoku.parse("1..." + "." * 12, layout))
    position.planes[2] &= ~0b110
    (found,) = registered()["rule"].find(Position.of(sudoku.parse("12.." + "." * 12, layout)))
    assert str(found.step(position)) == "the even sum r1c1 r1c2 r1c3 leaves 3 in r1c3"


def test_swaps_are_no_reason_where_there_are_rules() -> None:
    """Rectangles and BUG+1 are techniques of grids without rules."""
    for kind in KINDS:
        layout = rule_puzzle(2, kind, Layout(2, 2)).layout
        if layout.rules:
            tables = geometry(layout)
            assert not tables.is_plain
            assert not tables.corners
    assert geometry(Layout(2, 2)).corners


def test_fish_of_overlapping_grids_lie_within_one() -> None:
    assert len(geometry(TWINS).squares) == 2
    assert len(geometry(layouts.samurai()).squares) == 5
    assert len(geometry(layouts.named("butterfly")).squares) == 4
    assert geometry(without_row()).squares == []
    for square in geometry(layouts.samurai()).squares:
        tables = geometry(layouts.samurai())
        rows = sum(tables.houses[row] for row in square.rows)
        assert rows == sum(tables.houses[column] for column in square.columns)
        assert len(list(bits(rows))) == 81


def test_trial_is_the_last_resort(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the search for the fillings of a rule would take too long, it says nothing."""
    monkeypatch.setattr(fillings, "MOST_NODES", 0)
    monkeypatch.setattr(fillings, "MOST_OPEN_OF_SUM", -1)
    monkeypatch.setattr(fillings.RuleCells, "_cage", lambda self, masks: DistinctSum(masks, 0))
    monkeypatch.setattr(fillings.RuleCells, "narrowed", lambda self, masks: masks)
    monkeypatch.setattr(HouseCells, "narrowed", lambda self, masks: masks)
    tally = verified(rule_puzzle(3, "killer", Layout(2, 3)))
    assert not tally.steps["cage combinations"]
    assert tally.steps["trial"]


@given(st.data())
def test_the_fillings_of_a_cage_that_is_partly_in_a_house(data: st.DataObject) -> None:
    masks = data.draw(st.lists(st.integers(1, 31).map(lambda m: m << 1), min_size=1, max_size=4))
    first, total = data.draw(st.integers(0, len(masks))), data.draw(st.integers(1, 14))
    allowed = data.draw(st.none() | st.sets(st.integers(0, 31).map(lambda m: m << 1), max_size=9))
    if not first:
        allowed = None
    good = [
        digits
        for digits in product(*(list(bits(mask)) for mask in masks))
        if len(set(digits)) == len(digits)
        and sum(digits) == total
        and (allowed is None or sum(1 << digit for digit in digits[:first]) in allowed)
    ]
    family = None if allowed is None else family_of(list(allowed))
    found = distinct_sum(tuple(masks), total, first, family)
    if not good:
        assert found is None
        return
    assert found is not None
    assert found.left == tuple(sum(1 << d for d in set(each)) for each in zip(*good, strict=True))
    sets = [sum(1 << digit for digit in digits) for digits in good]
    assert found.common == reduce(and_, sets)
    first_sets = {sum(1 << digit for digit in digits[:first]) for digits in good}
    assert found.first == family_of(list(first_sets))


@settings(max_examples=40)
@given(st.integers(0, 300), st.randoms(use_true_random=False))
def test_what_the_cages_of_a_house_leave(seed: int, chance: random.Random) -> None:
    """All of a house and the cages partly in it, against every filling."""
    puzzle = rule_puzzle(seed, "killer", Layout(2, 2))
    layout, solution = puzzle.layout, sudoku.solve(puzzle)
    gone = [
        (cell, digit)
        for cell, right in enumerate(solution.cells)
        for digit in range(1, 5)
        if digit != right and chance.random() < 0.4
    ]
    position = Position.of(Grid.from_cells((0,) * 16, layout), removed=gone)
    for one in house_cells(layout):
        cells = [layout.positions[cell] for cell in one.cells]
        used = [part.rule.rule for part in one.parts if part.rule is not None]
        inside = [cell for cell in cells if layout.index[cell] in one.inside]
        left = [0] * len(cells)
        for digits in product(*(list(bits(mask)) for mask in one.masks(position))):
            values = dict(zip(cells, digits, strict=True))
            if len({values[cell] for cell in inside}) == 4 and not any(
                rule.broken(values) for rule in used
            ):
                left = [mask | 1 << digit for mask, digit in zip(left, digits, strict=True)]
        assert one.narrowed(one.masks(position)) == tuple(left)


@pytest.mark.lengthy
@pytest.mark.parametrize("seed", [11, 15])
def test_a_hard_killer(seed: int) -> None:
    """Killer subsets, conflicting combinations, combination nets: every step verified."""
    tally = verified(sudoku.generate(kind="killer", seed=seed))
    assert tally.steps["killer subset"]
    assert tally.steps["conflicting combinations"]
    assert not tally.steps["trial"]


@pytest.mark.parametrize("kind", ["killer", "thermometer", "kropki", "mixed"])
def test_a_rating_with_rules(kind: str) -> None:
    puzzle = rule_puzzle(1, kind, Layout(2, 3))
    rating = sudoku.rate(puzzle)
    named = dict(rating.techniques)
    assert rating.score == sum(registered()[name].score * steps for name, steps in named.items())
    assert rating.band == registered()[rating.hardest].band


@pytest.mark.parametrize(
    ("layout", "band"),
    [(GLOBAL["knight"], "medium"), (GLOBAL["non-consecutive"], "medium"), (TWINS, "easy")],
    ids=str,
)
def test_a_difficulty_with_rules(layout: Layout, band: str) -> None:
    puzzle = sudoku.generate(layout, difficulty=band, seed=1)
    assert sudoku.rate(puzzle).band == band
    assert sudoku.is_unique(puzzle)


def test_crossed_out_candidates_of_overlapping_grids() -> None:
    """A cell is found by its row and column, not by counting."""
    puzzle = puzzle_of(TRIPLETS, 1)
    solution = sudoku.solve(puzzle)
    row, column = next(
        place for place, value in zip(TRIPLETS.positions, puzzle.cells, strict=True) if not value
    )
    digit = solution.values[row, column]
    (step,) = sudoku.hints(puzzle, removed=[(row, column, digit)])
    assert step.technique == "mistake"
    assert step.eliminations == () or step.placements == ()


def said(rule: rules.Rule, removed: Mapping[Cell, list[int]], name: str = "") -> list[str]:
    """The sentences of the rule's technique on an empty 4x4 grid without these candidates."""
    layout = Layout(2, 2).with_rules(rule)
    gone = [(layout.index[cell], digit) for cell, digits in removed.items() for digit in digits]
    position = Position.of(Grid.from_cells((0,) * 16, layout), removed=gone)
    return [
        str(each.step(position)) for each in registered()[name or rule.technique].find(position)
    ]


@pytest.mark.parametrize(
    ("rule", "removed", "says"),
    [
        (
            rules.Dot("white", "r1c1", "r2c1"),
            {(1, 1): [1, 3]},
            "white dot between r1c1 and r2c1 leaves 1 or 3 in r2c1 with 2 or 4 in r1c1, so r2c1",
        ),
        (
            rules.Palindrome("r1c1 r2c3 r3c2"),
            {(1, 1): [1]},
            "palindrome from r1c1 to r3c2 makes r1c1 = r3c2, so r3c2 cannot be 1",
        ),
        (
            rules.Cage(7, "r1c1 r1c2 r2c1"),
            {},
            "cage of 7 at r1c1 has only the combination 1+2+4, so r1c1, r1c2 and r2c1 cannot be 3",
        ),
        (rules.Cage(3, "r1c1"), {}, "cage of 3 at r1c1 is one cell, so r1c1 is 3"),
        (
            rules.Sandwich(0, "r2c1 r2c2 r2c3 r2c4"),
            {(2, 1): [1, 4], (2, 4): [2]},
            "sandwich 0 of row 2 has 1 and 4 in r2c2 and r2c3 or r2c3 and r2c4, so r2c3 cannot",
        ),
        (
            rules.XSum(6, "r4c3 r3c3 r2c3 r1c3"),
            {},
            "X-sum 6 below column 3 reaches 6 only with 2 or 3 digits, so ",
        ),
        (
            rules.Skyscraper(1, "r4c4 r4c3 r4c2 r4c1"),
            {},
            "skyscraper 1 right of row 4 has its greatest digit first, so r4c4 is 4",
        ),
        (
            rules.Thermometer("r1c1 r2c2 r3c3"),
            {},
            "thermometer from r1c1 to r3c3 is at least 1-2-3 and at most 2-3-4, so ",
        ),
        (
            rules.Arrow("r1c1", "r2c3 r2c4"),
            {},
            "arrow from r1c1 to r2c4 has a sum of 3 or 4, so r1c1 cannot be 1 or 2",
        ),
        (
            rules.BetweenLine("r1c1 r2c3 r3c2"),
            {(1, 1): [3, 4], (3, 2): [1, 2]},
            "between line from r1c1 to r3c2 has at least 1 and at most 4 at its ends, so r2c3",
        ),
    ],
    ids=str,
)
def test_a_sentence_names_the_rule_by_its_place_and_says_why(
    rule: rules.Rule, removed: dict[Cell, list[int]], says: str
) -> None:
    found = said(rule, removed)
    assert [one for one in found if one.startswith(f"the {says}")], found


def test_what_no_rule_of_a_kind_has_is_one_step() -> None:
    """No 5, 7 or 9 on any black dot; then dots that meet are one step."""
    base = Layout(3, 3)
    pairs = [("r1c1", "r1c2"), ("r1c2", "r1c3"), ("r5c5", "r5c6"), ("r9c8", "r9c9")]
    layout = base.with_rules(*(rules.Dot("black", *pair) for pair in pairs))
    position = Position.of(Grid.from_cells((0,) * 81, layout))
    fact, *_ = registered()["kropki dot"].find(position)
    assert said(rules.PairSum(4, "r1c1", "r1c2"), {})[0].startswith("a sum of 4 has no 2 or 4, so ")
    step = fact.step(position)
    assert str(step) == "a black dot has no 5, 7 or 9, so none of these 7 cells can be 5, 7 or 9"
    assert len(step.eliminations) == 21
    position = position.after(changes_of(position, [fact]))
    for digit in (1, 2, 4, 6):
        position.planes[digit] &= ~1
    along = [str(one.step(position)) for one in registered()["kropki dot"].find(position)]
    assert any(", then the black dot between " in one for one in along), along


def test_a_loop() -> None:
    """A line that ends in its first cell has this cell once."""
    loop = rules.Whisper(2, "r1c2 r1c3 r2c3 r2c2 r1c2")
    layout = Layout(2, 2).with_rules(loop)
    solution = sudoku.solve("." * 16, layout=layout, seed=1)
    verified(thinned(random.Random(1), layout, list(solution.cells), 16))
    (found,) = registered()["line"].find(
        Position.of(Grid.from_cells((0,) * 16, layout), removed=[(1, 1), (1, 2)])
    )
    assert found.removed


def test_a_common_conflict_names_its_rules() -> None:
    """The places for a digit, or the digits of a cell, and the rules that exclude the same."""
    layout = Layout(2, 2).with_rules(rules.Dot("black", "r1c1", "r2c1"), rules.NonConsecutive())
    position = Position.of(Grid.from_cells((0,) * 16, layout), removed=[(0, 1), (0, 3)])
    found = [str(each.step(position)) for each in registered()["common conflict"].find(position)]
    says = " the same candidates by the black dot between r1c1 and r2c1 and"
    assert any(says in each for each in found), found


def test_first_comes_what_leaves_a_single() -> None:
    """Of two thermometers the one after which 1 has only one place in row 3."""
    lines = [rules.Thermometer("r1c1 r1c2"), rules.Thermometer("r3c3 r3c4")]
    grid = Grid.from_cells((0,) * 16, Layout(2, 2).with_rules(*lines))
    position = Position.of(grid, removed=[(8, 1), (9, 1)])
    first, second = (one.step(position) for one in registered()["thermometer"].find(position))
    assert (first.cells, second.cells) == (((3, 3), (3, 4)), ((1, 1), (1, 2)))


def test_killers_begin_with_what_a_person_sees() -> None:
    """A cage with one combination, and the rule of 45 with its arithmetic and a placement."""
    cages = [
        rules.Cage(3, "r1c1 r1c2"),
        rules.Cage(8, "r2c1 r2c2 r3c2"),
        rules.Cage(8, "r1c3 r1c4 r3c3"),
    ]
    layout = Layout(2, 2).with_rules(*cages)
    position = Position.of(Grid.from_cells((0,) * 16, layout))

    def sentences(name: str) -> list[str]:
        return [str(one.step(position)) for one in registered()[name].find(position)]

    single = [one.partition(", so ")[0] for one in sentences("single combination")]
    assert "the cage of 3 at r1c1 has only the combination 1+2" in single
    placed, _ = sentences("rule of 45")
    assert placed == "the cages of box 1 add up to 11 = 10 + r3c2, so r3c2 is 1"
    says = "the cages in box 1 add up to 3 = 10 - r2c1 - r2c2: r2c1 + r2c2 = 7, which has only the "
    assert any(one.startswith(says) for one in sentences("innies and outies"))
    order = [technique.name for technique in HINT_TECHNIQUES]
    assert order.index("rule of 45") < order.index("locked pair") < order.index("cage combinations")


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        (rules.Apart([(1, 2), (1, -2), (2, 1), (2, -1)]), "a knight's move from"),
        (rules.Cage(None, "r1c1 r2c3"), "in the cage at r1c1 with"),
    ],
    ids=str,
)
def test_peers_that_are_in_no_house_together_are_named(rule: rules.Rule, says: str) -> None:
    """But a digit in the same row, column or box is a better reason."""
    layout = Layout(2, 2).with_rules(rule)

    def single(line: str) -> Step:
        position = Position.of(sudoku.parse(line, layout))
        steps = (one.step(position) for one in registered()["hidden single"].find(position))
        return next(one for one in steps if one.placements == ((2, 4, 1),))

    step = single("1" + "." * 15)
    assert says in str(step)
    assert [mark[:3] for mark in step.pattern.marks if mark.role == "peer"] == [(1, 1, 1)]
    assert str(single("1.........1.....")) == "r2c4 is the only place for 1 in box 2"


def test_locked_candidates_by_a_knights_move_say_so() -> None:
    layout = Layout(2, 2).with_rules(rules.Apart([(1, 2), (1, -2), (2, 1), (2, -1)]))
    position = Position.of(Grid.from_cells((0,) * 16, layout), removed=[(1, 1), (4, 1)])
    found = registered()["locked candidates (pointing)"].find(position)
    says = "r1c4, r2c3, r3c2 and r4c1 see all places for 1 in box 1 (r2c2 is a knight's move from "
    assert any(str(one.step(position)).startswith(f"{says}r1c4), so ") for one in found)
