"""`distinct="rotations"`, against groups of mappings made by hand and against brute force."""

from __future__ import annotations

import asyncio
import json
import pickle
import random
from collections.abc import Callable, Hashable
from contextlib import suppress
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import pytest
from commands import Run
from symmetry_oracle import classes_of_solutions

import dlx
from dlx import models

Cell = tuple[int, ...]


def quarter_turns(dimensions: int) -> list[Callable[[Cell], Cell]]:
    """Rotations of which all others are products."""
    if dimensions == 2:
        return [lambda cell: (cell[1], -cell[0])]
    return [
        lambda cell: (cell[0], cell[2], -cell[1]),
        lambda cell: (cell[1], -cell[0], cell[2]),
    ]


def all_rotations(cells: set[Cell]) -> list[dict[Cell, Cell]]:
    """The rotations that map these cells to themselves, by products of quarter turns."""
    turns = quarter_turns(len(next(iter(cells))))
    known = {tuple(sorted((cell, cell) for cell in cells))}
    waiting = [*known]
    for images in waiting:  # grows
        for turn in turns:
            turned = [(cell, turn(image)) for cell, image in images]
            low = [min(image[axis] for _, image in turned) for axis in range(len(turned[0][0]))]
            first = [min(cell[axis] for cell in cells) for axis in range(len(low))]
            moved = tuple(
                (cell, tuple(a - b + c for a, b, c in zip(image, low, first, strict=True)))
                for cell, image in turned
            )
            if moved not in known:
                known.add(moved)
                waiting.append(moved)
    return [dict(images) for images in known if {image for _, image in images} == cells]


def rotations_by_hand(problem: dlx.Problem, cells: set[Cell]) -> dlx.Symmetries:
    """Those of a model of `polyominoes`: each is tried as a mapping of its options' names."""
    generators: list[Any] = []
    for turn in all_rotations(cells):
        images = {
            (piece, place): (piece, tuple(sorted(turn[cell] for cell in place)))
            for piece, place in problem.names
        }
        with suppress(dlx.InvalidArgument, dlx.UnknownOption):
            problem.symmetries(generators=[images])
            generators.append(images)
    return problem.symmetries(generators=generators)


def found_by(search: Any) -> list[tuple[tuple[Any, ...], int]]:
    return [(solution, search.orbit_size) for solution in search]


def random_region(rng: random.Random) -> list[Cell]:
    """A few cells, mostly mapped to themselves by some rotations."""
    sides = rng.choice([(3, 3), (2, 3), (1, 4), (2, 2, 2), (1, 2, 3), (1, 3, 3)])
    cells = models.box(*sides, at=[rng.randint(-1, 3) if axis else 1 for axis in range(len(sides))])
    if rng.random() < 0.6:
        turns = [*all_rotations({*cells})]
        holes = rng.sample(cells, 1)
        if rng.random() < 0.8:
            holes = [turn[holes[0]] for turn in rng.sample(turns, rng.randint(1, len(turns)))]
        cells = [cell for cell in cells if cell not in holes]
    return cells


NAMES: dict[str, Callable[[Cell], Hashable]] = {
    "3,4": lambda cell: ",".join(map(str, cell)),
    "(3, 4)": lambda cell: cell,
    "('cell', 3, 4)": lambda cell: ("cell", *cell),
    "r3c4": lambda cell: f"r{cell[0] + 1}c{cell[1] + 1}",
}


def renamed(problem: dlx.Problem, name: Callable[[Cell], Hashable]) -> dlx.Problem:
    """The same problem with other names of cells."""

    def item_of(item: Any) -> Hashable:
        return name(tuple(map(int, item.split(",")))) if "," in item else item

    return dlx.Problem.from_options(
        {key: map(item_of, row) for key, row in zip(problem.names, problem.options, strict=True)},
        primary=map(item_of, problem.primary),
        multiplicities={item_of(item): value for item, value in problem.multiplicities.items()},
    )


@pytest.mark.parametrize("seed", range(40))
def test_random_regions_against_mappings_made_by_hand(seed: int) -> None:
    rng = random.Random(f"rotations {seed}")
    cells = random_region(rng)
    if not cells:
        return
    pieces: dict[str, Any] = {
        "I1": [(0, 0)],
        "I2": [(0, 0), (0, 1)],
        "V3": [(0, 0), (0, 1), (1, 0)],
    }
    counts = dict.fromkeys(pieces, (0, len(cells)))
    problem = models.polyominoes(pieces, cells, counts=counts)
    chosen: dict[str, Any] = {}
    for keyword in ("given", "forbid"):
        if rng.random() < 0.3:
            chosen[keyword] = rng.sample(problem.names, 1)
    if chosen.get("given") == chosen.get("forbid"):
        chosen.pop("forbid", None)
    group = rotations_by_hand(problem, {*cells})
    kept: list[Any] = []
    for one in group:
        with suppress(dlx.InvalidArgument):
            problem.symmetries(generators=[one], **chosen)
            kept.append(one)
    group = problem.symmetries(generators=kept, **chosen)
    expected = found_by(problem.solutions(distinct=group, **chosen))
    solutions = list(problem.solutions(**chosen))
    assert expected == classes_of_solutions(solutions, [one.options for one in kept])
    fitting = [*NAMES] if len(cells[0]) == 2 and min(map(min, cells)) >= 0 else ["3,4", "(3, 4)"]
    problem = renamed(problem, NAMES[rng.choice(fitting)])
    assert problem.symmetries(generators="rotations", **chosen).order == group.order
    assert found_by(problem.solutions(distinct="rotations", **chosen)) == expected
    assert problem.count(distinct="rotations", **chosen) == len(expected)


@pytest.mark.parametrize(
    ("problem", "order", "number"),
    [
        (models.queens(8), 4, 24),
        (models.pentominoes(6, 10), 2, 2 * 2339),
        (models.pentominoes(8, 8, without=models.box(2, 2, at=(3, 3))), 4, 2 * 65),
        (models.soma(), 24, 2 * 240),
    ],
    ids=str,
)
def test_known_numbers(problem: dlx.Problem, order: int, number: int) -> None:
    """Where no solution is a mirror image of itself, twice the known number of classes."""
    assert problem.symmetries(generators="rotations").order == order
    assert problem.count(distinct="rotations") == number


def test_dominoes_by_burnside() -> None:
    """Half turns and quarter turns of a board of 4 x 4, by all 36 solutions."""
    problem = models.dominoes(4, 4)
    (turn,) = (turn for turn in all_rotations({*models.box(4, 4)}) if turn[0, 0] == (0, 3))
    images = [
        {tuple(sorted(turn[cell] for cell in place)) for place in solution}
        for solution in problem.solutions()
    ]
    tilings: list[Any] = [set(solution) for solution in problem.solutions()]
    assert all(image in tilings for image in images)
    classes: list[Any] = []
    for tiling, image in zip(tilings, images, strict=True):
        if not any(tiling in one for one in classes):
            one = [tiling]
            while image not in one:
                one.append(image)
                image = images[tilings.index(image)]
            classes.append(one)
    assert problem.count(distinct="rotations") == len(classes) == 12


def test_rows_columns_and_digits_follow() -> None:
    """Latin squares: only the cells are named as such, rows and columns of digits are not."""
    squares = models.latin_square(3)
    turn = {
        (row, column, digit): (column, 2 - row, digit)
        for row in range(3)
        for column in range(3)
        for digit in range(1, 4)
    }
    group = squares.symmetries(generators=[turn])
    assert group.order == 4
    assert squares.symmetries(generators="rotations").order == 4
    expected = found_by(squares.solutions(distinct=group))
    assert found_by(squares.solutions(distinct="rotations")) == expected


def test_unnamed_options_with_a_row_and_a_column() -> None:
    rows = [[f"r{a}", f"c{b}", ("s", a + b), ("d", a - b)] for a in range(6) for b in range(6)]
    primary = [f"{letter}{number}" for letter in "rc" for number in range(6)]
    secondary = [("s", number) for number in range(11)] + [("d", number) for number in range(-5, 6)]
    problem = dlx.Problem.from_options(rows, primary=primary, secondary=secondary)
    assert problem.count(distinct="rotations") == models.queens(6).count(distinct="rotations") == 2
    assert problem.symmetries(generators="rotations").order == 4


def test_options_with_equal_items_go_where_their_names_go() -> None:
    """The directed paths over all four cells of a square: eight, in two classes of four."""
    cells = models.box(2, 2)
    paths = [
        path
        for path in permutations(cells)
        if all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in pairwise(path))
    ]
    problem = dlx.Problem.from_options({path: path for path in paths})
    assert problem.count() == 8
    sizes = [size for _, size in found_by(problem.solutions(distinct="rotations"))]
    assert sizes == [4, 4]
    assert problem.count(distinct=True) == 1  # equal items, whatever the names


def test_rotations_that_are_no_symmetries_are_left_out() -> None:
    """A given in a corner, and a region without a symmetry."""
    queens = models.queens(6)
    corner = queens.solve()[:1]
    assert queens.symmetries(generators="rotations", given=corner).order == 1
    odd = models.polyominoes(["L4", "I1"], [*models.box(1, 4), (1, 0)])
    assert odd.symmetries(generators="rotations").order == 1
    assert odd.count(distinct="rotations") == odd.count()


def test_mirror_images_count_apart() -> None:
    """Of the 36 tilings of 4 x 4 by dominoes, and of the bars that fill a cube: 9, in 2 classes."""
    assert models.dominoes(4, 4).count(distinct=True) == 9
    assert models.dominoes(4, 4).count(distinct="rotations") == 12
    cube = models.polyominoes({"bar": [(0, 0), (0, 1)]}, models.box(2, 2, 2), counts={"bar": 4})
    assert cube.count() == 9
    assert cube.count(distinct="rotations") == cube.count(distinct=True) == 2


# -- all doors -------------------------------------------------------------------------------------


def test_workers_engines_parts_and_asyncio() -> None:
    problem = models.queens(7)
    group = rotations_of_queens(problem, 7)
    expected = found_by(problem.solutions(distinct=group))
    for keywords in ({"workers": 2}, {"engine": "python"}, {"engine": "links", "seed": None}):
        found = found_by(problem.solutions(distinct="rotations", **keywords))
        assert found == expected
        assert problem.count(distinct="rotations", **keywords) == len(expected)
    parts = problem.split(3)
    pieces = [found_by(problem.solutions(distinct="rotations", part=part)) for part in parts]
    assert [one for piece in pieces for one in piece] == expected
    assert asyncio.run(problem.acount(distinct="rotations")) == len(expected)

    async def listed() -> list[Any]:
        return [one async for one in problem.asolutions(distinct="rotations")]

    assert asyncio.run(listed()) == [one for one, _ in expected]
    search = problem.solutions(distinct="rotations", limit=3)
    first = found_by(search)
    again = pickle.loads(pickle.dumps(search)).resume(limit=None)
    assert first + found_by(again) == expected


def rotations_of_queens(problem: dlx.Problem, size: int) -> dlx.Symmetries:
    turn = {(row, column): (column, size - 1 - row) for row, column in problem.names}
    return problem.symmetries(generators=[turn])


def test_a_journal(tmp_path: Path, run: Run) -> None:
    problem = models.queens(7)
    expected = [*problem.solutions(distinct="rotations")]
    journal = tmp_path / "queens.journal"
    search = problem.solutions(distinct="rotations", checkpoint=journal)
    search.take(2)
    search.close()
    with pytest.raises(dlx.JournalError, match=r"distinct='rotations'\), not of solutions\(distin"):
        problem.solutions(distinct=True, checkpoint=journal)
    with pytest.raises(dlx.JournalError, match="distinct='rotations'"):
        problem.solutions(checkpoint=journal)
    assert len(run("resume", "--json", str(journal)).out.splitlines()) == len(expected) + 1
    assert [*problem.solutions(distinct="rotations", checkpoint=journal)] == expected
    counted = tmp_path / "count.journal"
    assert problem.count(distinct="rotations", checkpoint=counted) == len(expected)
    assert run("resume", str(counted)).out.split() == [str(len(expected))]


def test_commands(tmp_path: Path, run: Run) -> None:
    path = str(tmp_path / "queens.dlx")
    models.queens(8).dump(path)
    assert run("count", "--rotations", path).out.split() == ["24"]
    assert run("count", "--distinct", "--rotations", path).out.split() == ["24"]
    assert len(run("solve", "--rotations", "--json", path).out.splitlines()) == 25
    picture = tmp_path / "queens.svg"
    run("solve", "--rotations", "--svg", str(picture), path)
    assert picture.read_text().count("· 4\u00d7<") == 22  # and two of 2
    listed = run("symmetries", "--rotations", path).out
    assert listed.startswith("4 symmetries; 64 options in 16 orbits")
    assert json.loads(run("symmetries", "--rotations", "--json", path).out)["order"] == 4
    corner = run("symmetries", "--rotations", "--given", "0", path).out
    assert corner.startswith("1 symmetry")
    error = run("symmetries", "--rotations", "--node-limit", "9", path, status=2).err
    assert error == "dlx: --rotations and --node-limit cannot be used together\n"
    (tmp_path / "letters.dlx").write_text("a b\na\nb\n")
    for command in ("count", "symmetries"):
        error = run(command, "--rotations", str(tmp_path / "letters.dlx"), status=2).err
        assert error.startswith("dlx: rotations need cells: items such as '3,4'")


# -- errors ----------------------------------------------------------------------------------------


def test_a_problem_without_cells() -> None:
    letters = dlx.Problem.from_options([["a", "b"], ["a"], ["b"]])
    for question in (letters.count, letters.solutions):
        with pytest.raises(dlx.InvalidArgument, match="rotations need cells: items such as '3,4'"):
            question(distinct="rotations")
    with pytest.raises(dlx.InvalidArgument, match="rotations need cells"):
        letters.symmetries(generators="rotations")


@pytest.mark.parametrize("word", ["rotation", "all", "", b"rotations"])
def test_unknown_words(word: Any) -> None:
    problem = models.queens(4)
    with pytest.raises(dlx.InvalidArgument, match="False, 'rotations' or a dlx"):
        problem.count(distinct=word)
    with pytest.raises(dlx.InvalidArgument, match="give a list of mappings, or 'rotations'"):
        problem.symmetries(generators=word)
    with pytest.raises(dlx.InvalidArgument, match="give a list of mappings"):
        problem.symmetries(item_generators="rotations")  # type: ignore[arg-type]
