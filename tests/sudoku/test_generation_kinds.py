"""Puzzles whose layouts are drawn at random: `generate(kind=...)`."""

from __future__ import annotations

import io
import json
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import pytest
import rules_oracle
from hypothesis import given, settings
from hypothesis import strategies as st
from rules_oracle import BOXED
from sudoku_commands import run

import dlx
import sudoku
from sudoku import Grid, Layout, LayoutError, formats, layouts
from sudoku.generation import cages
from sudoku.generation.kinds import KINDS, draw, layout_and_kind
from sudoku.generation.random import SeededRandom
from sudoku.generation.shapes import connected, regions_of
from sudoku.generation.symmetries import SYMMETRIES, images
from sudoku.generation.uniqueness import CheckOptions, _count_within
from sudoku.rules import (
    Arrow,
    Cage,
    Dot,
    NoMoreDots,
    NoMorePairs,
    PairSum,
    Renban,
    Sandwich,
    Thermometer,
    Whisper,
)
from sudoku.solving.deadline import Deadline

QUICK = [kind for kind in KINDS if kind != "arrow"]
seeds = st.integers(0, 10**6)
few = settings(max_examples=5, deadline=None)


def solved(puzzle: Grid) -> dict[tuple[int, int], int]:
    """The only solution."""
    found = list(sudoku.solutions(puzzle, limit=2, engine="links"))
    assert len(found) == 1
    return dict(zip(puzzle.layout.positions, found[0].cells, strict=True))


@few
@given(seeds)
def test_killers(seed: int) -> None:
    puzzle = sudoku.generate(kind="killer", seed=seed)
    assert puzzle.filled == 0
    values = solved(puzzle)
    cages = puzzle.layout.rules
    cells = [cell for cage in cages for cell in cage.cells]
    assert sorted(cells) == list(puzzle.layout.positions)
    for cage in cages:
        assert isinstance(cage, Cage)
        assert 2 <= len(cage.cells) <= 5
        assert connected(cage.cells)
        assert rules_oracle.cage(values, cage.total, list(cage.cells))


@few
@given(seeds)
def test_killers_of_4x4_get_givens_where_cages_do_not_suffice(seed: int) -> None:
    """The search for cages used to go on for ever: changes that undo each other."""
    puzzle = sudoku.generate(Layout(2, 2), kind="killer", seed=seed, timeout=100)
    assert sum(kept(values, puzzle) for values in BOXED) == 1


def test_killers_without_enough_cages_get_givens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cages, "MAX_CHANGES", 0)
    puzzle = sudoku.generate(Layout(2, 2), kind="killer", seed=1)
    assert puzzle.filled > 0
    assert sum(kept(values, puzzle) for values in BOXED) == 1


@few
@given(seeds)
def test_jigsaws_are_symmetric_and_connected(seed: int) -> None:
    puzzle = sudoku.generate(kind="jigsaw", seed=seed)
    solved(puzzle)
    regions = [
        {puzzle.layout.positions[cell] for cell in house.cells}
        for house in puzzle.layout.houses
        if house.kind == "region"
    ]
    assert all(map(connected, regions))
    for region in regions:
        assert {(10 - row, 10 - column) for row, column in region} in regions
    boxes = [{Layout(3, 3).positions[cell] for cell in h.cells} for h in Layout(3, 3).houses]
    assert not all(region in boxes for region in regions)


@given(st.sampled_from([Layout(2, 2), Layout(2, 3), Layout(3, 3), Layout(2, 4)]), seeds)
def test_regions_keep_their_sizes(layout: Layout, seed: int) -> None:
    boxes = [
        [layout.positions[cell] for cell in house.cells]
        for house in layout.houses
        if house.kind == "box"
    ]
    regions = regions_of(boxes, SeededRandom("regions", seed))
    assert sorted(cell for region in regions for cell in region) == list(layout.positions)
    assert all(len(region) == layout.side and connected(region) for region in regions)


def test_lines_of_all_lengths() -> None:
    lengths: dict[str, set[int]] = {}
    for kind in ("arrow", "renban", "thermometer", "whispers"):
        for seed in range(12):
            drawn = draw(kind, Layout(3, 3), SeededRandom("lines", seed), Deadline(None))
            for rule in drawn.layout.rules:
                lengths.setdefault(kind, set()).add(len(rule.cells))
                steps = pairwise((*rule.circle, *rule.path) if kind == "arrow" else rule.cells)
                assert all(abs(a - c) <= 1 and abs(b - d) <= 1 for (a, b), (c, d) in steps)
    assert lengths == {
        "arrow": {3, 4, 5, 6},  # with the circle
        "renban": {3, 4, 5, 6},
        "thermometer": {3, 4, 5, 6, 7, 8},
        "whispers": {3, 4, 5, 6, 7},
    }


@given(st.sampled_from(SYMMETRIES[1:]), seeds)
@settings(max_examples=6, deadline=None)
def test_killers_with_symmetric_cages(symmetry: str, seed: int) -> None:
    puzzle = sudoku.generate(kind="killer", symmetry=symmetry, seed=seed)
    solved(puzzle)
    positions = puzzle.layout.positions
    shapes = {frozenset(rule.cells) for rule in puzzle.layout.rules}
    assert sum(map(len, shapes)) == 81
    for image in images(puzzle.layout, symmetry):
        for shape in shapes:
            cells = {positions[image[positions.index(cell)]] for cell in shape}
            assert cells in shapes
        assert all(bool(puzzle.cells[a]) == bool(puzzle.cells[b]) for a, b in enumerate(image))


@pytest.mark.parametrize("kind", ["killer", "thermometer"])
def test_rules_are_something_to_start_from(kind: str) -> None:
    """Gentle puzzles have no given that they do not need: a classic one has 38 or more."""
    for puzzle in sudoku.generate_many(4, kind=kind, difficulty="gentle", seed=1):
        assert sudoku.rate(puzzle).band == "gentle"
        assert puzzle.filled <= 25
        assert sudoku.is_unique(puzzle)


def kept(values: dict[tuple[int, int], int], puzzle: Grid) -> bool:
    """Whether a grid of 4x4 is a solution, by the rules as they are written."""
    for cell, digit in zip(puzzle.layout.positions, puzzle.cells, strict=True):
        if digit and values[cell] != digit:
            return False
    for rule in puzzle.layout.rules:
        cells = list(rule.cells)
        match rule:
            case Cage():
                good = rules_oracle.cage(values, rule.total, cells)
            case Thermometer():
                good = rules_oracle.thermometer(values, cells)
            case Arrow():
                good = rules_oracle.arrow(values, list(rule.circle), list(rule.path))
            case Renban():
                good = rules_oracle.renban(values, cells)
            case Whisper():
                good = rules_oracle.whisper(values, rule.least, cells)
            case Sandwich():
                good = rules_oracle.sandwich(values, rule.total, cells)
            case PairSum():
                good = rules_oracle.pair_sum(values, rule.value, rule.first, rule.second)
            case NoMorePairs():
                pairs = [each.cells for each in puzzle.layout.rules if isinstance(each, PairSum)]
                good = rules_oracle.no_more_pairs(values, "sum", [5, 10], pairs)
            case Dot():
                a, b = cells
                good = getattr(rules_oracle, rule.color)(values, a, b)
            case _:
                dots = [each.cells for each in puzzle.layout.rules if isinstance(each, Dot)]
                good = rules_oracle.no_more_dots(values, dots)
        if not good:
            return False
    return True


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("jigsaw", "killer")])
@few
@given(seed=seeds)
def test_one_solution_and_no_given_too_many_by_brute_force(kind: str, seed: int) -> None:
    puzzle = sudoku.generate(Layout(2, 2), kind=kind, seed=seed)
    assert sum(kept(values, puzzle) for values in BOXED) == 1
    negative = any(isinstance(rule, NoMoreDots | NoMorePairs) for rule in puzzle.layout.rules)
    assert negative == (kind in ("kropki", "xv"))  # all marks are there
    for cell, digit in enumerate(puzzle.cells):
        if digit:
            fewer = Grid.from_cells(
                (*puzzle.cells[:cell], 0, *puzzle.cells[cell + 1 :]), puzzle.layout
            )
            assert sum(kept(values, fewer) for values in BOXED) > 1


@pytest.mark.parametrize("kind", QUICK)
def test_the_seed_gives_the_puzzle(kind: str) -> None:
    first = sudoku.generate(kind=kind, seed=7)
    assert first == sudoku.generate(kind=kind, seed=7, engine="links")
    made = list(sudoku.generate_many(2, kind=kind, seed=7))
    assert made[0] == first
    assert made[1].layout is not first.layout
    with ThreadPoolExecutor(2) as pool:
        assert list(sudoku.generate_many(2, kind=kind, seed=7, executor=pool)) == made


def test_jigsaws_with_symmetry_and_difficulty() -> None:
    puzzle = sudoku.generate(kind="jigsaw", symmetry="rotation-2", difficulty="easy", seed=1)
    assert sudoku.rate(puzzle).band == "easy"
    assert [bool(cell) for cell in puzzle.cells] == [bool(cell) for cell in puzzle.cells[::-1]]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("band", ["gentle", "medium"])
def test_difficulty_of_drawn_kinds(kind: str, band: str) -> None:
    puzzle = sudoku.generate(Layout(2, 3), kind=kind, difficulty=band, seed=1)
    assert sudoku.rate(puzzle).band == band
    solved(puzzle)
    assert puzzle == sudoku.generate(Layout(2, 3), kind=kind, difficulty=band, seed=1)
    if (kind, band) == ("killer", "medium"):
        assert puzzle.filled == 0


def test_a_check_beyond_the_node_limit_keeps_the_given() -> None:
    options = CheckOptions(Layout(3, 3), "auto", Deadline(None), node_limit=20)
    assert _count_within("." * 81, options) == 2
    solution = sudoku.random_grid(seed=1).line
    assert _count_within(solution, options) == 1
    puzzle = sudoku.generate(seed=1).line
    assert _count_within(puzzle, options) == 2  # one solution, but that takes more nodes
    assert _count_within(puzzle, options._replace(node_limit=20_000)) == 1


def test_a_number_of_givens() -> None:
    puzzle = sudoku.generate(kind="thermometer", clues=25, minimal=False, seed=1)
    assert puzzle.filled == 25
    solved(puzzle)


def test_other_bases() -> None:
    small = sudoku.generate(Layout(2, 3), kind="killer", seed=1)
    assert (small.layout.side, small.filled) == (6, 0)
    solved(small)
    crossed = sudoku.generate(layouts.diagonal(), kind="thermometer", seed=1)
    assert [house.kind for house in crossed.layout.houses].count("diagonal") == 2


@pytest.mark.parametrize(
    ("error", "arguments", "message"),
    [
        (dlx.InvalidArgument, {"kind": "kilroy"}, "unknown kind 'kilroy': did you mean killer?"),
        (dlx.InvalidArgument, {"kind": 5}, "unknown kind 5"),
        (dlx.InvalidArgument, {"kind": "killer", "difficulty": "esay"}, "did you mean easy"),
        (
            sudoku.NoPuzzle,
            {"kind": "killer", "difficulty": "easy", "minimal": True, "attempts": 2},
            "no easy puzzle of the kind 'killer' in 2 attempts",
        ),
        (
            sudoku.NoPuzzle,
            {"kind": "killer", "difficulty": "expert"},
            "no expert puzzles of killer are generated: there are none, or a search for one takes "
            "too long; offered are gentle, easy, medium, hard and extreme, and attempts=N",
        ),
        (
            sudoku.NoPuzzle,
            {"kind": "killer", "layout": Layout(2, 2), "difficulty": "expert", "attempts": 2},
            "no expert puzzle of the kind 'killer' in 2 attempts",
        ),
        (dlx.InvalidArgument, {"kind": "killer", "clues": 5}, "clues cannot be combined"),
        (dlx.InvalidArgument, {"kind": "arrow", "clues": "five"}, "clues is 'five'"),
        (LayoutError, {"kind": "jigsaw", "layout": layouts.diagonal()}, "drawn from boxes"),
        (LayoutError, {"kind": "killer", "layout": layouts.samurai()}, "not square"),
        (sudoku.NoPuzzle, {"kind": "killer", "layout": Layout(1, 1)}, "no cages of 2 to 5 cells"),
    ],
)
def test_refused(error: type[Exception], arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(error) as caught:
        sudoku.generate(**arguments, seed=1)
    assert message in str(caught.value)


def test_names() -> None:
    assert layout_and_kind("killer") == (None, "killer")
    assert layout_and_kind("2x3 + arrows") == (Layout(2, 3), "arrow")
    assert layout_and_kind("diagonal") == (layouts.diagonal(), None)
    with pytest.raises(LayoutError, match="did you mean killer"):
        layout_and_kind("killr")
    with pytest.raises(LayoutError, match="2 kinds"):
        layout_and_kind("killer+jigsaw")


@pytest.mark.parametrize("kind", QUICK)
def test_the_command_prints_what_the_readers_read(kind: str) -> None:
    result = run("generate", "--layout", kind, "-n", "2", "--seed", "3", "--solutions")
    assert result.exit_code == 0
    records = list(formats.load(io.BytesIO(result.stdout.encode())))
    assert [record.grid for record in records] == list(sudoku.generate_many(2, kind=kind, seed=3))
    assert [record.solution for record in records] == [
        sudoku.solve(record.grid).line for record in records
    ]


def test_the_command_draws() -> None:
    picture = run("generate", "--layout", "killer", "--seed", "3", "--svg", "-").stdout
    assert picture == sudoku.generate(kind="killer", seed=3).to_svg()
    boxed = run("generate", "--layout", "killer", "--seed", "3", "--grid").stdout
    assert "cage r" in boxed
    refused = run("generate", "--layout", "killer", "--svg", "-", "--grid")
    assert (refused.exit_code, "--svg cannot be used with --grid" in refused.stderr) == (2, True)
    line = json.loads(run("generate", "--layout", "jigsaw", "--seed", "3", "--json").stdout)
    assert line["layout"]["name"] == "jigsaw"


def test_a_kind_is_no_layout_of_a_given_puzzle() -> None:
    said = run("hint", "--layout", "killer", "." * 81)
    assert said.exit_code == 2
    assert "leave out --layout and use a file that has the rules" in said.stderr
    assert "unknown layout 'killr'" in run("hint", "--layout", "killr", "." * 81).stderr
