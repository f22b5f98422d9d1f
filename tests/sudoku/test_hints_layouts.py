"""Hints and ratings for square layouts with other houses, or more of them, than boxes."""

from __future__ import annotations

import gc
import random
import re
import weakref
from collections.abc import Callable
from itertools import combinations
from typing import NoReturn

import pytest
from example_puzzles import JIGSAW
from hint_positions import random_puzzle
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds_strategies import REGIONS
from verify_hints import SLOW, Tally, verify_puzzle

import sudoku
from sudoku import Grid, Layout, layouts
from sudoku.board.layout import cell_name
from sudoku.hinting.geometry import geometry
from sudoku.hinting.position import Position
from sudoku.hinting.registry import TECHNIQUES
from sudoku.hinting.techniques.uniqueness import rectangles
from sudoku.rules import Allowed

SIX = "111122 311422 333442 344452 366655 666555"
FIVE = "11112 31222 34255 34455 33445"
IRREGULAR = Layout.of(
    4,
    Layout(2, 2).positions,
    [
        ("box", [(1, 1), (1, 2), (1, 3), (2, 1)]),
        *(("row", [(row, column) for column in range(1, 5)]) for row in range(1, 5)),
        ("box", [(1, 4), (2, 2), (2, 3), (2, 4)]),
        *(("pillar", [(row, column) for row in range(1, 5)]) for column in range(1, 5)),
        ("box", [(3, 1), (3, 2), (3, 3), (4, 1)]),
        ("box", [(3, 4), (4, 2), (4, 3), (4, 4)]),
    ],
    name="irregular",
)
SMALL = [
    layouts.jigsaw(SIX),
    layouts.diagonal(layouts.jigsaw(FIVE)),
    layouts.diagonal(Layout(2, 3)),
    layouts.disjoint_groups(Layout(2, 3)),
    layouts.hyper(Layout(2, 2)),
    layouts.latin(5),
    layouts.diagonal(layouts.latin(5)),
    IRREGULAR,
]
LARGE = [
    layouts.jigsaw(JIGSAW),
    layouts.diagonal(layouts.jigsaw(JIGSAW)),
    *map(layouts.named, ("diagonal", "hyper", "diagonal+hyper", "disjoint-groups")),
    *map(layouts.named, ("center-dot", "asterisk", "girandola")),
]
OTHERS = [technique for technique in TECHNIQUES if not technique.name.startswith(SLOW)]


def name(layout: Layout) -> str:
    return f"{layout.name} {layout.side}"


@pytest.mark.parametrize("layout", SMALL, ids=name)
def test_every_technique_is_right(layout: Layout) -> None:
    """What each of them sees, all the way to the solution, held to first principles."""
    tally = Tally()
    for seed in range(4):
        assert verify_puzzle(random_puzzle(seed, layout), tally, OTHERS, 2, every=True)
    assert not tally.refused


@pytest.mark.parametrize("layout", LARGE, ids=name)
@pytest.mark.lengthy
def test_hints_lead_to_the_solution(layout: Layout) -> None:
    tally = Tally()
    puzzle = random_puzzle(3, layout)
    assert verify_puzzle(puzzle, tally, every=False)
    assert tally.steps.total() >= layout.size - puzzle.filled


def marked(seed: int, base: Layout) -> Grid:
    """A puzzle of marks: wrong ones go, one after another, until there is one solution."""
    chance = random.Random(seed)
    solution = sudoku.solve("." * base.size, layout=base, seed=seed).cells
    marks = dict.fromkeys(base.positions, tuple(range(1, base.side + 1)))
    wrong = [
        (cell, digit)
        for cell, right in zip(base.positions, solution, strict=True)
        for digit in marks[cell]
        if digit != right
    ]
    blank = (0,) * base.size
    layout = base.with_rules(Allowed(marks))
    for cell, digit in chance.sample(wrong, len(wrong)):
        if sudoku.is_unique(Grid.from_cells(blank, layout)):
            break
        marks[cell] = tuple(other for other in marks[cell] if other != digit)
        layout = base.with_rules(Allowed(marks))
    return Grid.from_cells(blank, layout)


def parities(seed: int, base: Layout) -> Grid:
    """A puzzle in which half of the cells are marked as even or odd."""
    chance = random.Random(seed)
    solution = sudoku.solve("." * base.size, layout=base, seed=seed).cells
    values = dict(zip(base.positions, solution, strict=True))
    even, odd = (
        [cell for cell in base.positions if values[cell] % 2 == rest and chance.random() < 0.5]
        for rest in (0, 1)
    )
    layout = layouts.even_odd(even, odd, base=base)
    cells = list(solution)
    for cell in chance.sample(range(base.size), base.size):
        kept, cells[cell] = cells[cell], 0
        if not sudoku.is_unique(Grid.from_cells(tuple(cells), layout)):
            cells[cell] = kept
    return Grid.from_cells(tuple(cells), layout)


@pytest.mark.parametrize("make", [marked, parities])
@pytest.mark.parametrize(
    "base", [Layout(2, 2), Layout(2, 3), layouts.diagonal(Layout(2, 3))], ids=name
)
def test_marks(make: Callable[[int, Layout], Grid], base: Layout) -> None:
    """Every technique is right where cells may have some of the digits only."""
    tally = Tally()
    for seed in range(3):
        assert verify_puzzle(make(seed, base), tally, OTHERS, 2, every=True)
    assert not tally.refused
    assert tally.steps.total() > 4 * base.side


def test_marks_keep_a_rectangle_from_being_deadly() -> None:
    """What could be swapped in a grid without marks cannot where one corner may not have both."""
    four = [(1, 1), (1, 2), (3, 1), (3, 2)]
    base = Layout(2, 2)
    cells = "..34 3412 ..43 4321".replace(" ", "")
    for digits, deadly in (((1, 2, 3, 4), True), ((1, 3, 4), False)):
        layout = base.with_rules(Allowed({(1, 1): digits}))
        tables = geometry(layout)
        whole = sum(1 << layout.index[cell] for cell in four)
        assert tables.can_swap(whole, 1 << 1 | 1 << 2) == deadly
        found = rectangles(Position.of(sudoku.parse(cells, layout)))
        assert bool(found) == deadly


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(REGIONS),
    st.sets(st.sampled_from(layouts.latin(4).positions), min_size=4, max_size=4),
    st.integers(0, 1000),
)
def test_any_further_house(regions: str, cells: set[tuple[int, int]], seed: int) -> None:
    """Four cells anywhere, if there is a grid in which they hold every digit."""
    layout = layouts.jigsaw(regions).with_houses("spread", cells)
    if sudoku.count("." * 16, layout=layout, limit=1):
        tally = Tally()
        assert verify_puzzle(random_puzzle(seed, layout), tally, OTHERS, 2, every=True)
        assert not tally.refused


@pytest.mark.parametrize("layout", [*SMALL, *LARGE, Layout(2, 3), Layout(1, 4)], ids=name)
def test_a_rectangle_is_deadly_if_a_swap_keeps_every_house(layout: Layout) -> None:
    houses = [set(house.cells) for house in layout.houses]
    deadly = set()
    for (a, one), (c, two) in combinations(enumerate(layout.positions), 2):
        b, d = layout.index[one[0], two[1]], layout.index[two[0], one[1]]
        if len({a, b, c, d}) == 4 and all(
            len(house & {a, c}) == len(house & {b, d}) < 2 for house in houses
        ):
            deadly.add(frozenset([a, b, c, d]))
    assert {frozenset(four) for four in geometry(layout).corners} == deadly


@pytest.mark.parametrize("layout", [*SMALL[:4], *LARGE], ids=name)
def test_groups_are_the_houses_of_the_digits(layout: Layout) -> None:
    """Counting them together misses none, and takes none twice."""
    tables = geometry(layout)
    counted = sorted(
        sorted(anchor + shift for shift in shifts)
        for anchors, shifts in tables.groups[1:]
        for anchor in range(tables.size * tables.side)
        if anchors >> anchor & 1
    )
    assert counted == sorted(
        [digit * tables.size + cell for cell in house.cells]
        for digit in range(tables.side)
        for house in layout.houses
    )


@pytest.mark.parametrize(
    ("layout", "words"),
    [
        ("diagonal", ["the diagonal from r1c1", "the diagonal from r1c9"]),
        ("hyper", [f"the window at {cell}" for cell in ("r2c2", "r2c6", "r6c2", "r6c6")]),
        ("disjoint-groups", ["the group of r1c1", "the group of r1c2"]),
        ("center-dot", ["the centers of the boxes"]),
        ("girandola", ["the girandola"]),
    ],
)
def test_houses_in_words(layout: str, words: list[str]) -> None:
    tables = geometry(layouts.named(layout))
    assert tables.house_words[27 : 27 + len(words)] == words
    assert tables.house_words[:27] == tables.house_names[:27]


@pytest.mark.lengthy
def test_a_hint_names_the_house() -> None:
    """In the sentence with words, in the pattern by its name in the layout."""
    layout = layouts.named("diagonal")
    found = [
        step
        for seed in range(1, 3)
        for step in sudoku.hints(random_puzzle(seed, layout))
        if "the diagonal from " in step.sentence
    ]
    assert found
    for step in found:
        if step.technique == "hidden single":
            (number,) = re.findall(r"diagonal from r1c(\d)$", step.sentence)
            assert step.pattern.houses == (f"diagonal {1 if number == '1' else 2}",)


@pytest.mark.lengthy
def test_a_cell_sees_all_places_of_a_house() -> None:
    """Some through one house, some through another: the middle of the grid sees two corners."""
    layout = layouts.named("diagonal")
    puzzle = "........379............7..6..2....8..6....5.2..49.......5......1..7..2.....14...."
    steps = [s for s in sudoku.hints(puzzle, layout=layout) if "sees all places" in s.sentence]
    assert steps[0].sentence == (
        "r1c6 sees all places for 2 in the diagonal from r1c1, so r1c6 cannot be 2"
    )
    houses = [{layout.positions[cell] for cell in house.cells} for house in layout.houses]
    for step in steps:
        for row, column, _ in step.eliminations:
            around = set().union(*(house for house in houses if (row, column) in house))
            assert around.issuperset(step.cells)
            assert not any(house.issuperset({(row, column), *step.cells}) for house in houses)


def moved(grid: Grid, place: Callable[[int, int], tuple[int, int]]) -> dict[tuple[int, int], int]:
    """The digits of a grid, each where `place` takes its row and column."""
    return {
        place(*cell): value for cell, value in zip(grid.layout.positions, grid.cells, strict=True)
    }


def filled(digits: dict[tuple[int, int], int], layout: Layout) -> Grid:
    return Grid.from_cells(tuple(digits[cell] for cell in layout.positions), layout)


@pytest.mark.parametrize("layout", ["diagonal", "hyper", "diagonal+disjoint-groups"])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.lengthy
def test_a_turned_or_mirrored_puzzle_has_the_same_rating(layout: str, seed: int) -> None:
    """The layout is its own mirror image."""
    puzzle = random_puzzle(seed, layouts.named(layout))
    rating = sudoku.rate(puzzle)
    for turn in (lambda r, c: (c, r), lambda r, c: (r, 10 - c), lambda r, c: (c, 10 - r)):
        assert sudoku.rate(filled(moved(puzzle, turn), puzzle.layout)) == rating


@pytest.mark.parametrize("regions", [SIX, JIGSAW])
@pytest.mark.parametrize("seed", range(3))
def test_a_transposed_jigsaw_has_the_same_rating(regions: str, seed: int) -> None:
    layout = layouts.jigsaw(regions)
    puzzle = random_puzzle(seed, layout)
    across = [
        [(column, row) for row, column in (layout.positions[cell] for cell in house.cells)]
        for house in layout.houses
        if house.kind == "region"
    ]
    other = filled(moved(puzzle, lambda r, c: (c, r)), layouts.jigsaw(across))
    assert other.layout is not layout
    assert sudoku.rate(other) == sudoku.rate(puzzle)


REFUSED = [(Layout(5, 5), "a side of 25: at most 16")]


@pytest.mark.parametrize("ask", [sudoku.hints, sudoku.rate])
@pytest.mark.parametrize(("layout", "why"), REFUSED, ids=lambda it: getattr(it, "name", ""))
def test_layouts_that_hints_do_not_know(
    layout: Layout, why: str, ask: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are refused before anything is searched, which might take for ever."""

    def search(*_: object, **__: object) -> NoReturn:
        raise AssertionError("a search")

    monkeypatch.setattr("sudoku.hinting.player.first_two", search)
    with pytest.raises(sudoku.LayoutError, match=f"no hints or ratings for {why}"):
        ask(Grid.from_cells((0,) * layout.size, layout))


def test_a_difficulty_of_other_layouts() -> None:
    for layout in (layouts.diagonal(Layout(2, 3)), layouts.jigsaw(SIX)):
        puzzle = sudoku.generate(layout, difficulty="medium", seed=1)
        assert sudoku.rate(puzzle).band == "medium"


def test_the_tables_go_with_the_layout() -> None:
    """A list of jigsaws, each of other regions, does not fill the memory."""
    layout = layouts.jigsaw("1133 1234 1234 2244")
    assert list(sudoku.hints(random_puzzle(1, layout)))
    gone = weakref.ref(geometry(layout))
    del layout
    gc.collect()
    assert gone() is None


def test_cells_are_named_as_everywhere() -> None:
    layout = layouts.jigsaw(SIX)
    assert geometry(layout).names == [cell_name(*cell) for cell in layout.positions]
