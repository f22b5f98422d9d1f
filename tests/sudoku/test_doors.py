"""Everything that asks how many solutions there are gives the same answer: calls and commands.

Several of the puzzles take a search in order more nodes than it gets, so that these answers come
from `solve` and `count`, which have other methods.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from example_puzzles import CLASH, WIKIPEDIA
from format_examples import dumped
from sudoku_commands import run

import sudoku
from sudoku import Grid, Layout, formats, layouts, rules
from sudoku.solving import first_two
from sudoku.solving.solve import Solutions
from sudoku.web.answers import answer

# Generated with the seeds 6 and 2.
HARD = (
    ".8.....D.....1..7..C....21..9....5..7.8...39.F6.1..3..C...D65.E4.B2D.8...F1......C.G.5.."
    "B.A...1.3.9.G6.FE.7..5A.....1E....84......8......4.FB.....76.9E4DB.....3....5B.7.6G8...."
    "D..F..........98..C.F..G..4.ED7.9..A..6..2.B..F.GE..B..5.A.3.2.C...7.C.2......5."
)
GATTAI = (
    "......9..2...3...9.5..6.3.....4.2....4...9..5...92...5.85.7..2......5.2..615....85...4.1"
    "...6.........3.....47.....8....41......8.......6.2....4.......68.4..1..57...9..8.6..9..."
    ".........4..927........6............2.....3..........2......8.3.....4.....6.......9...8."
    "61...24....71.........57....5.......72.......9.8..............4...8..2............2.6.1."
    "......6....93.....2.......8......8...3...8....7..65.....8.5..3...5...8.3...........7..94"
    ".74......9..62....8.17....8..32.........1...94...28......42...6.......4.5....1..92.5.8.3"
    ".....9............7......45.3...26.8..3.9...31.."
)
FULL = sudoku.solve(WIKIPEDIA).rows


def frame_sums() -> Layout:
    """The sums of the first three cells that each side of the grid sees, as the only clues."""
    lines = [[(row, column) for column in range(1, 10)] for row in range(1, 10)]
    lines += [[(row, column) for row in range(1, 10)] for column in range(1, 10)]
    seen = [part for line in lines for part in (line[:3], line[-3:])]
    sums = [sum(FULL[row - 1][column - 1] for row, column in cells) for cells in seen]
    return Layout(3, 3).with_rules(*map(rules.Cage, sums, seen), name="frame sums")


PUZZLES: dict[str, tuple[Grid, int]] = {
    "9x9": (Grid(WIKIPEDIA), 1),
    "9x9 with a clash": (Grid(CLASH), 0),
    "9x9 with many": (Grid("." * 81), 2),
    "hard 16x16": (Grid(HARD), 1),
    "hard 16x16 with two": (Grid(HARD[:13] + "." + HARD[14:]), 2),
    "hard 16x16 with none": (Grid("2" + HARD[1:]), 0),
    "gattai-8": (Grid(GATTAI, layout=layouts.gattai8()), 1),
    "frame sums": (Grid("." * 81, layout=frame_sums()), 1),
}
SLOW = ("hard 16x16", "hard 16x16 with two", "hard 16x16 with none", "gattai-8")


def text_of(grid: Grid) -> str:
    """The puzzle with its layout, as JSON."""
    return dumped([formats.Record(grid)], "json")


def command(name: str, *options: str) -> Callable[[Grid], Any]:
    """A function that runs a command on a puzzle and returns its exit status and its output."""

    def ask(grid: Grid) -> Any:
        result = run(name, "--json", *options, "-", stdin=text_of(grid))
        return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]

    return ask


def refused(ask: Callable[[Grid], object]) -> Callable[[Grid], int]:
    """A function that returns the number of solutions that the exception tells."""

    def number(grid: Grid) -> int:
        try:
            ask(grid)
        except sudoku.NoSolution:
            return 0
        except (sudoku.NotUnique, sudoku.PuzzleError):
            return 2
        return 1

    return number


def page(grid: Grid) -> dict[str, Any]:
    """What the page gets when it asks for the solution."""
    return answer({"kind": "solve", "puzzle": text_of(grid), "filled": list(grid.cells)})


def of_lint(findings: Iterable[str]) -> int:
    """The number of solutions by the findings about one puzzle."""
    return KINDS[next(iter(findings), "unique")]


KINDS = {"unique": 1, "not unique": 2, "no solution": 0}
DOORS: dict[str, Callable[[Grid], object]] = {
    "count": lambda grid: sudoku.count(grid, limit=2),
    "count 3": lambda grid: min(sudoku.count(grid, limit=3), 2),
    "count_many": lambda grid: next(sudoku.count_many([grid], limit=2)),
    "first_two": lambda grid: len(first_two.first_two(grid).grids),
    "judge": lambda grid: KINDS[sudoku.judge(grid).kind],
    "lint": lambda grid: of_lint(
        one.kind for one in sudoku.lint([grid], minimal=False, equivalents=False)
    ),
    "hints": refused(lambda grid: next(sudoku.hints(grid))),
    "sudoku check": lambda grid: KINDS[command("check")(grid)[1][0]["kind"]],
    "sudoku count": lambda grid: command("count", "--limit", "2")(grid)[1][0]["solutions"],
    "sudoku lint": lambda grid: of_lint(
        one["kind"] for one in command("lint", "--no-minimal", "--no-equivalents")(grid)[1]
    ),
}
"""Return the number of solutions, 2 for more than one."""

HAS_ONE: dict[str, Callable[[Grid], bool]] = {
    "is_unique": sudoku.is_unique,
    "sudoku hint": lambda grid: command("hint")(grid)[0] == 0,
    "page": lambda grid: not page(grid).get("say", "no"),
}
HAS_SOME: dict[str, Callable[[Grid], bool]] = {
    "solve": lambda grid: refused(sudoku.solve)(grid) == 1,
    "solve_many": lambda grid: isinstance(next(sudoku.solve_many([grid], errors="return")), Grid),
    "sudoku solve": lambda grid: command("solve")(grid)[0] == 0,
    "sudoku solve, lines": lambda grid: run("solve", "-", stdin=text_of(grid)).exit_code == 0,
}


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_every_door_gives_the_same_answer(puzzle: str) -> None:
    grid, expected = PUZZLES[puzzle]
    assert {door: ask(grid) for door, ask in DOORS.items()} == dict.fromkeys(DOORS, expected)
    assert {door: ask(grid) for door, ask in HAS_ONE.items()} == dict.fromkeys(
        HAS_ONE, expected == 1
    )
    assert {door: ask(grid) for door, ask in HAS_SOME.items()} == dict.fromkeys(
        HAS_SOME, expected > 0
    )


@pytest.mark.parametrize("puzzle", [name for name in PUZZLES if name != "gattai-8"])
def test_minimize_gives_the_same_answer(puzzle: str) -> None:
    """It searches once for each given, which takes seconds for gattai-8."""
    grid, expected = PUZZLES[puzzle]
    assert refused(sudoku.minimize)(grid) == expected


@pytest.mark.parametrize("puzzle", SLOW)
def test_a_search_in_order_is_given_up(puzzle: str) -> None:
    grid, number = PUZZLES[puzzle]
    limit = first_two.NODES
    with Solutions(grid, limit=2, node_limit=limit) as search:
        assert len(list(search)) <= number
        assert search.stopped_by == "node_limit"
    found = first_two.first_two(grid).grids
    assert len(set(found)) == number
    assert all(one.is_solved for one in found)
