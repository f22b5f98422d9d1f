"""`check`: the flaws of a puzzle that need no search."""

from __future__ import annotations

import sudoku_strategies as some
from hypothesis import given
from hypothesis import strategies as st

from sudoku import Flaw, Grid, Layout, check, parse
from sudoku.analysis.oracle import bitmask


def flaws(text: str, layout: Layout | None = None) -> list[str]:
    return [str(flaw) for flaw in check(text, layout=layout)]


def board(**cells: str) -> str:
    """A 9x9 puzzle from r4c2="5"."""
    text = ["."] * 81
    for name, digit in cells.items():
        text[(int(name[1]) - 1) * 9 + int(name[3]) - 1] = digit
    return "".join(text)


def test_the_sentences_of_the_issue() -> None:
    assert "r4c2 and r4c7 are both 5 (row 4)" in flaws(board(r4c2="5", r4c7="5"))
    row = {f"r1c{n}": str(n) for n in range(1, 5)} | {f"r1c{n}": str(n) for n in range(6, 9)}
    found = flaws(board(**row, r5c5="5", r3c9="9", r7c5="9"))
    assert "r1c5 has no candidate left" in found
    assert "no place for 9 in row 1" in found
    assert "no place for 8 in box 3" in flaws(
        board(r1c1="8", r2c4="8", r4c7="8", r5c8="8", r6c9="8")
    )
    assert "no place for 8 in box 3" in flaws(
        board(r1c1="8", r2c4="8", r3c7="1", r3c8="2", r3c9="3")
    )


def test_groups_of_duplicates() -> None:
    assert flaws(board(r4c2="5", r4c7="5", r4c9="5"))[0] == "r4c2, r4c7 and r4c9 are all 5 (row 4)"
    found = flaws(board(r1c1="7", r1c2="7", r9c9="3", r8c9="3"))
    assert found[:4] == [
        "r1c1 and r1c2 are both 7 (row 1)",
        "r8c9 and r9c9 are both 3 (column 9)",
        "r1c1 and r1c2 are both 7 (box 1)",
        "r8c9 and r9c9 are both 3 (box 9)",
    ]


def test_flaws_are_tuples() -> None:
    assert check("11" + "." * 14)[0] == Flaw("duplicate", ((1, 1), (1, 2)), 1, "row 1")
    found = check("12.3" + "..4." + "." * 8)
    assert found == [
        Flaw("no candidate", ((1, 3),), None, None),
        Flaw("no place", (), 4, "row 1"),
        Flaw("no place", (), 4, "box 1"),
    ]


def test_letters() -> None:
    assert flaws("G.G" + "." * 253)[0] == "r1c1 and r1c3 are both G (row 1)"
    assert flaws("." * 1294 + "00")[0] == "r36c35 and r36c36 are both 0 (row 36)"


def test_nothing_wrong() -> None:
    assert check("." * 81) == []
    assert check("." * 36, layout=Layout(3, 2)) == []


@given(some.puzzles())
def test_a_puzzle_with_a_solution_has_no_flaws(grid: Grid) -> None:
    assert check(grid) == []


@given(some.any_puzzles(some.SMALL))
def test_a_puzzle_with_flaws_has_no_solution(grid: Grid) -> None:
    if check(grid):
        layout = grid.layout
        assert not bitmask(grid.cells, layout.box_rows, layout.box_columns).solutions


@given(some.full_grids([Layout(2, 3), Layout(3, 3)]), st.data())
def test_planted_duplicates_are_found(grid: Grid, data: st.DataObject) -> None:
    house = data.draw(st.sampled_from(grid.layout.houses))
    one, two = sorted(data.draw(st.permutations(house.cells))[:2])
    cells = list(grid.cells)
    cells[two] = cells[one]
    where = tuple(grid.layout.positions[cell] for cell in (one, two))
    found = check(Grid.from_cells(tuple(cells), grid.layout))
    assert Flaw("duplicate", where, cells[one], house.name) in found


@given(some.any_puzzles([Layout(2, 2), Layout(2, 3)]))
def test_against_the_rules(grid: Grid) -> None:
    """Slow and obvious: the same flaws, cell by cell and house by house."""
    layout, side = grid.layout, grid.layout.side

    def may_hold(cell: int, digit: int) -> bool:
        if grid.cells[cell]:
            return grid.cells[cell] == digit
        return not any(
            cell in house.cells and digit in [grid.cells[c] for c in house.cells]
            for house in layout.houses
        )

    digits = range(1, side + 1)
    expected = {
        ("no candidate", (layout.positions[cell],), None, None)
        for cell in range(side * side)
        if not any(may_hold(cell, digit) for digit in digits)
    } | {
        ("no place", (), digit, house.name)
        for house in layout.houses
        for digit in digits
        if not any(may_hold(cell, digit) for cell in house.cells)
    }
    assert {tuple(flaw) for flaw in check(parse(grid)) if flaw.kind != "duplicate"} == expected
