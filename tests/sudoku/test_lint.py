"""`lint` and `sudoku lint`: faulty, redundant, repeated and equivalent puzzles."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
import sudoku_strategies as some
from example_puzzles import HOPELESS
from hypothesis import given, settings
from hypothesis import strategies as st

import sudoku
from sudoku import Flaw, Grid, Layout, PuzzleError, check, judge, lint, parse
from sudoku.analysis.lint import KINDS
from sudoku.analysis.oracle import bitmask
from sudoku.rules.layouts import named

GOOD = "1... .2.. ..3. 4..."
OTHERWISE = "2... .1.. ..3. 4..."
OPEN = "12.. .... .... ...1"
CLASH = "1..1 .... .... ...."
NEEDLESS = "14.. .2.. ..3. 4..."


def found(*arguments: object, **keywords: object) -> list[tuple[int, str]]:
    return [(finding.line, finding.kind) for finding in lint(*arguments, **keywords)]  # type: ignore[arg-type]


def test_all_kinds() -> None:
    puzzles = [GOOD, OPEN, "?", CLASH, GOOD, OTHERWISE, NEEDLESS, HOPELESS]
    findings = list(lint(puzzles))
    assert [(finding.line, finding.kind) for finding in findings] == [
        (2, "not unique"),
        (3, "unreadable"),
        (4, "no solution"),
        (5, "duplicate"),
        (6, "equivalent"),
        (7, "not minimal"),
        (8, "no solution"),
    ]
    texts = [str(finding) for finding in findings]
    assert texts[0].startswith("not unique: two solutions differ in 4 cells: r3c1 2/4, ")
    assert texts[2].startswith("no solution: r1c1 and r1c4 are both 1")
    assert texts[3] == "duplicate: the same as 1"
    assert texts[4] == "equivalent: a transformed copy of 1"
    assert texts[5] == "not minimal: any one of 2 of the 5 givens can be removed: r1c2=4 or r2c2=2"
    assert "already leave no solution" in texts[6]
    assert findings[3].other == ("", 1)
    assert findings[1].puzzle is None
    assert {finding.kind for finding in findings} <= set(KINDS)


def test_switches() -> None:
    puzzles = [GOOD, OTHERWISE, NEEDLESS]
    assert found(puzzles, equivalents=False) == [(3, "not minimal")]
    assert found(puzzles, minimal=False) == [(2, "equivalent")]
    assert found(puzzles, workers=2) == [(2, "equivalent"), (3, "not minimal")]
    assert found([]) == []
    assert found([sudoku.solve(GOOD)]) == []  # full, so not a puzzle


def test_files(tmp_path: Path) -> None:
    lines = [GOOD, "# a remark", "", "1234 bad", OTHERWISE, "5" * 15]
    text = "\n".join(line.replace(" ", "") if line[0:2] != "12" else line for line in lines)
    path = tmp_path / "list.txt"
    path.write_text(text)
    expected = [(4, "unreadable"), (5, "equivalent"), (6, "unreadable")]
    assert found(path) == expected
    assert found(str(path)) == expected
    assert found(io.BytesIO(text.encode())) == expected
    assert found(io.StringIO(text)) == expected
    [_, finding, _] = lint(path)
    assert finding.other == (str(path), 1)
    assert finding.source == str(path)
    assert str(finding) == f"equivalent: a transformed copy of {path}:1"
    with pytest.raises(OSError, match="nowhere"):
        list(lint(tmp_path / "nowhere"))
    with pytest.raises(PuzzleError, match="not a collection"):
        list(lint(5))  # type: ignore[arg-type]


def test_it_streams() -> None:
    """The first findings are there before the list has ended."""

    def endless():  # type: ignore[no-untyped-def]
        while True:
            yield GOOD

    findings = lint(endless())
    assert [next(findings).line for _ in range(300)] == list(range(2, 302))


def test_undecided() -> None:
    assert found(["." * 81], timeout=0) == [(1, "undecided")]


def test_other_layouts() -> None:
    layout = named("2x2+diagonal")
    puzzle = sudoku.generate(layout, seed=1)
    turned = Grid.from_cells(puzzle.cells[::-1], layout)
    assert found([puzzle, turned, puzzle]) == [(3, "duplicate")]
    assert found([puzzle.line, puzzle.line], layout) == [(2, "duplicate")]


def test_the_rules_are_part_of_a_puzzle() -> None:
    """Killers are all called killer, and have no givens as a rule."""
    one, other = (
        Grid("." * 16, layout=sudoku.layouts.killer([(total, "r1c1 r1c2")], base=Layout(2, 2)))
        for total in (3, 7)
    )
    latin = Grid("." * 16, layout=sudoku.layouts.jigsaw("1111 2222 3333 4444"))
    unlike = Grid("." * 16, layout=sudoku.layouts.jigsaw("1112 1222 3334 3444"))
    puzzles = [one, other, latin, unlike, one]
    kinds = [finding for finding in lint(puzzles) if finding.kind == "duplicate"]
    assert [(finding.line, finding.other) for finding in kinds] == [(5, ("", 1))]


def test_what_a_layout_is_called_is_not() -> None:
    latin = sudoku.layouts.latin(4)
    houses = [("line", [latin.positions[c] for c in h.cells]) for h in latin.houses[::-1]]
    again = Layout.of(4, latin.positions, houses, name="squares")
    findings = list(lint([Grid("." * 16, layout=layout) for layout in (latin, again)]))
    assert [(f.line, f.kind) for f in findings if f.kind != "not unique"] == [(2, "duplicate")]


@settings(max_examples=20, deadline=None)
@given(st.lists(some.any_puzzles([Layout(2, 2), Layout(2, 3)]), max_size=8), st.integers(1, 2))
def test_as_one_by_one(puzzles: list[Grid], workers: int) -> None:
    """Against the slow way, puzzle by puzzle."""
    expected = []
    for number, puzzle in enumerate(puzzles):
        ways = sudoku.count(puzzle, limit=2)
        if ways != 1:
            expected.append((number + 1, "not unique" if ways else "no solution"))
        elif 0 in puzzle.cells and sudoku.minimize(puzzle) != puzzle:
            expected.append((number + 1, "not minimal"))
        before = puzzles[:number]
        if puzzle in before:
            expected.append((number + 1, "duplicate"))
        elif not any(flaw.kind == "duplicate" for flaw in sudoku.check(puzzle)):
            clean = [
                other
                for other in before
                if not any(flaw.kind == "duplicate" for flaw in sudoku.check(other))
            ]
            if any(sudoku.is_equivalent(puzzle, other) for other in clean):
                expected.append((number + 1, "equivalent"))
    assert found(puzzles, workers=workers) == expected


# -- one puzzle --------------------------------------------------------------------------------


@given(some.any_puzzles([Layout(2, 2), Layout(2, 3)]))
def test_judge(puzzle: Grid) -> None:
    verdict = judge(puzzle)
    ways = sudoku.count(puzzle, limit=2)
    assert verdict.kind == ("no solution", "unique", "not unique")[ways]
    assert len(verdict.solutions) == ways
    for solution in verdict.solutions:
        assert solution.is_solved
        assert all(digit in (0, solution[place]) for place, digit in each(puzzle))
    if ways == 2:
        one, other = verdict.solutions
        assert verdict.differences
        for place, digit in each(one):
            assert (digit != other[place]) == (place in verdict.differences)
    if verdict.clash is not None:
        assert ways == 0
        assert set(verdict.clash.givens) <= set(puzzle.givens)
        assert sudoku.count(only(puzzle, verdict.clash.givens), limit=1) == 0
        for dropped in verdict.clash.givens if verdict.clash.irreducible else ():
            rest = [given for given in verdict.clash.givens if given != dropped]
            assert sudoku.count(only(puzzle, rest), limit=1) == 1


def each(grid: Grid) -> list[tuple[tuple[int, int], int]]:
    return list(zip(grid.layout.positions, grid.cells, strict=True))


def only(puzzle: Grid, givens: object) -> Grid:
    cells = [
        digit if (*place, digit) in givens else 0  # type: ignore[operator]
        for place, digit in each(puzzle)
    ]
    return Grid.from_cells(tuple(cells), puzzle.layout)


def test_sentences() -> None:
    assert str(judge(GOOD)) == "valid: exactly one solution"
    assert str(judge(CLASH)) == "no solution"
    assert str(judge("." * 81, timeout=0)) == "unknown: stopped by the timeout, 0 found"
    assert "two differ in 4 cells: r3c1 2/4" in str(judge(OPEN))
    many = str(judge("." * 9, layout=Layout(1, 3)))
    assert "two differ in 6 cells" in many
    assert judge(CLASH).clash is None


def test_a_digit_that_a_rule_excludes() -> None:
    layout = sudoku.layouts.killer([(3, "r1c1 r1c2")], base=Layout(2, 2))
    verdict = judge("4" + "." * 15, layout=layout)
    assert verdict.kind == "no solution"
    assert verdict.clash is not None
    rule = "the rule cage r1c1 r1c2 of sum 3"
    assert str(verdict.clash) == f"the given r1c1=4 and {rule} already leave no solution"


# -- `check`: the flaws of a puzzle that need no search ------------------------------------------


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
