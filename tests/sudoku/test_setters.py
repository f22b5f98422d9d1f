"""What setters ask: candidates of solutions, contradictions, what makes a puzzle unique."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import sudoku_strategies as some
from example_puzzles import CLASH, WIKIPEDIA
from format_examples import dumped
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds_strategies import CELLS, Larger, jigsaw_killers, kinds, larger_kinds
from rules_oracle import BOXED, Values, cage, keeps, latin_squares, squares
from sudoku_commands import run

import dlx
import sudoku
from sudoku import Grid, Layout, candidates_of_solutions, formats, layouts
from sudoku.analysis import solution_candidates
from sudoku.rules import Cage, Drawings, Shape
from sudoku.solving.deadline import timed_out
from sudoku.solving.no_solution import Conflict, conflict_of

SQUARES = latin_squares(4)
CELLS3 = [(row, column) for row in (1, 2, 3) for column in (1, 2, 3)]


def counted(
    grids: Iterable[Values], layout: Layout, most: int | None
) -> dict[tuple[int, int], dict[int, int]]:
    """In how many of these grids each candidate is, up to a limit."""
    found = Counter((cell, values[cell]) for values in grids for cell in layout.positions)
    return {
        cell: {
            digit: min(found[cell, digit], most or found[cell, digit])
            for digit in range(1, layout.side + 1)
            if found[cell, digit]
        }
        for cell in layout.positions
    }


limits = st.none() | st.integers(1, 40)


@given(kinds(SQUARES), limits)
def test_candidates_of_any_kind(kind: tuple[Layout, list[Any]], limit: int | None) -> None:
    layout, specs = kind
    found = candidates_of_solutions("." * 16, layout=layout, limit=limit)
    assert found.counts == counted(squares(specs), layout, limit)
    assert not found.undecided


@given(larger_kinds() | jigsaw_killers(), limits)
@settings(max_examples=10)
def test_candidates_of_larger_kinds(kind: Larger, limit: int | None) -> None:
    layout, specs, grids, givens = kind
    expected = [values for values in grids if all(keeps(values, spec) for spec in specs)]
    puzzle = "".join(str(givens.get(cell, ".")) for cell in layout.positions)
    found = candidates_of_solutions(puzzle, layout=layout, limit=limit)
    assert found.counts == counted(expected, layout, limit)


@given(some.any_puzzles(some.SMALL), st.integers(1, 30), st.sampled_from(["auto", "links"]))
def test_candidates_of_a_classic(puzzle: Grid, limit: int, engine: str) -> None:
    """With none, one and many solutions, listed or counted for each candidate."""
    every = [grid.values for grid in sudoku.solutions(puzzle, limit=3000)]
    if len(every) < 3000:
        found = candidates_of_solutions(puzzle, limit=limit, engine=engine)
        assert found.counts == counted(every, puzzle.layout, limit)
        assert found.digits == {cell: tuple(counts) for cell, counts in found.counts.items()}


def test_few_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """One solution answers for many candidates; one refutation, by `reduced`, for many as well."""
    searches: list[object] = []
    solve = dlx.Problem.solve

    def counting(problem: dlx.Problem, **keywords: Any) -> Any:
        searches.append(keywords)
        return solve(problem, **keywords)

    monkeypatch.setattr(dlx.Problem, "solve", counting)
    assert set(map(len, candidates_of_solutions("." * 81).counts.values())) == {9}
    assert len(searches) < 60
    searches.clear()
    [*killer] = sudoku.generate(kind="killer", seed=1).layout.rules
    layout = Layout(3, 3).with_rules(*killer[:-3])
    found = candidates_of_solutions("." * 81, layout=layout)
    assert 81 < sum(map(len, found.counts.values())) < 200
    assert len(searches) < 60


def test_regions_to_be_found_count() -> None:
    """Two divisions of the only filling are two solutions."""
    layout = layouts.chaos(3)
    puzzle = "123 231 312"
    number = sudoku.count(puzzle, layout=layout)
    assert number > 1
    found = candidates_of_solutions(puzzle, layout=layout, limit=None)
    assert found.counts == {cell: {Grid(puzzle, layout=layout)[cell]: number} for cell in CELLS3}


def test_overlapping_grids() -> None:
    layout = layouts.butterfly()
    solved = sudoku.random_grid(layout, seed=1)
    cells = tuple(0 if number % 9 in (1, 4) else d for number, d in enumerate(solved.cells))
    puzzle = Grid.from_cells(cells, layout)
    every = [grid.values for grid in sudoku.solutions(puzzle)]
    assert candidates_of_solutions(puzzle, limit=None).counts == counted(every, layout, None)
    assert str(candidates_of_solutions(solved)).split() == list(solved.line)


@pytest.mark.parametrize("limit", [1, 5])
def test_a_timeout_leaves_candidates_undecided(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = candidates_of_solutions("." * 81, timeout=0, limit=limit)
    assert set(map(len, found.undecided.values())) == {9}
    assert not any(found.counts.values())
    assert str(found).count("1?2?3?" if limit == 1 else "1:0+,2:0+") == 81
    # After the first solution: what is in it is decided for a limit of 1 only.
    solve = dlx.Problem.solve

    def once(problem: dlx.Problem, **keywords: Any) -> Any:
        if keywords["seed"]:
            raise timed_out()
        return solve(problem, **keywords)

    monkeypatch.setattr(dlx.Problem, "solve", once)
    found = candidates_of_solutions("." * 81, limit=limit)
    assert set(map(len, found.undecided.values())) == {8 if limit == 1 else 9}
    assert set(map(len, found.counts.values())) == {1}
    assert set(map(len, found.digits.values())) == {9}


def test_wrong_arguments() -> None:
    for limit in (0, 1.5, "1"):
        with pytest.raises(dlx.InvalidArgument, match="limit is"):
            candidates_of_solutions("." * 16, limit=limit)  # type: ignore[arg-type]


def test_few_are_listed_more_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = candidates_of_solutions("." * 16, limit=None)
    assert expected.counts[1, 1] == {1: 72, 2: 72, 3: 72, 4: 72}
    monkeypatch.setattr(solution_candidates, "FEW", 100)
    assert candidates_of_solutions("." * 16, limit=None) == expected


def test_the_command() -> None:
    result = run("candidates", "1....2....3.....")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1] == "| 1   34  | 24  234 |"
    result = run("candidates", "1....2....3.....", "--limit", "3")
    assert result.stdout.splitlines()[1].endswith("| 2:3+,4:2    2:2,3:3+,4:1 |")
    result = run("candidates", CLASH, WIKIPEDIA)
    assert result.exit_code == 1
    assert result.stderr == "sudoku: argument 1: no solution\n"
    assert result.stdout.startswith("argument 2:\n+-------+")
    result = run("candidates", "." * 81, "--timeout", "0")
    assert (result.exit_code, result.stderr) == (3, "sudoku: stopped by the timeout\n")
    found = json.loads(run("candidates", "--json", "1....2....3.....").stdout)
    assert found["candidates"][1] == [1, 2, {"3": 1, "4": 1}]
    assert found["undecided"] == []


# -- Contradictions --------------------------------------------------------------------------------


def fits(values: Values, givens: Iterable[tuple[int, int, int]], cages: Iterable[Any]) -> bool:
    """Whether a grid has the givens and satisfies the cages."""
    return all(values[row, column] == digit for row, column, digit in givens) and all(
        cage(values, one.total, one.cells) for one in cages
    )


@st.composite
def killers_of_side_4(draw: st.DrawFn, solved: bool = False) -> Grid:
    """With cages and givens at random, mostly without solution; `solved`: those of a grid."""
    values = draw(st.sampled_from(BOXED)) if solved else None
    cages = []
    areas = st.lists(st.sampled_from(CELLS), min_size=1, max_size=4, unique=True)
    for cells in draw(st.lists(areas)):
        least = sum(range(1, len(cells) + 1))
        total = draw(st.integers(least, 5 * len(cells) - least) | st.none())
        if values is None:
            cages.append(Cage(total, cells))
        elif len({values[cell] for cell in cells}) == len(cells):
            cages.append(Cage(sum(values[cell] for cell in cells), cells))
    digits = draw(st.dictionaries(st.sampled_from(CELLS), st.integers(1, 4), max_size=4))
    if values is not None:
        digits = {cell: values[cell] for cell in digits}
    layout = Layout(2, 2).with_rules(*cages, name="killer")
    return Grid.from_cells(tuple(digits.get(cell, 0) for cell in CELLS), layout)


@given(killers_of_side_4())
@settings(max_examples=50)
def test_a_conflict_is_one_and_minimal(puzzle: Grid) -> None:
    found = conflict_of(puzzle)
    if any(fits(values, puzzle.givens, puzzle.layout.rules) for values in BOXED):
        assert found is None
        return
    assert found is not None
    assert found.irreducible
    assert set(found.givens) <= set(puzzle.givens)
    assert set(found.rules) <= set(puzzle.layout.rules)
    assert not any(fits(values, found.givens, found.rules) for values in BOXED)
    for one in found.givens:
        rest = [given for given in found.givens if given != one]
        assert any(fits(values, rest, found.rules) for values in BOXED)
    for rule in found.rules:
        others = [other for other in found.rules if other != rule]
        assert any(fits(values, found.givens, others) for values in BOXED)


ROW = [Cage(10, "r1c1 r1c2 r1c3"), Cage(33, "r1c4 r1c5 r1c6 r1c7 r1c8"), Cage(1, "r1c9")]


def test_contradicting_rules_are_named() -> None:
    """Three cages of a row that add up to 44; the other rules do not matter."""
    killer = sudoku.generate(kind="killer", seed=1).layout.rules
    others = [rule for rule in killer if all(row > 3 for row, _ in rule.cells)]
    assert len(others) > 5
    layout = layouts.anti_knight().with_rules(*others[::2], *ROW, *others[1::2], name="killer")
    verdict = sudoku.judge("." * 81, layout=layout)
    assert verdict.clash is not None
    assert set(verdict.clash.rules) == set(ROW)
    names = f"the rules {ROW[0]}, {ROW[1]} and {ROW[2]} already leave no solution"
    assert str(verdict.clash) == names
    text = dumped([formats.Record(Grid("." * 81, layout=layout))], "json")
    assert f": {names}\n" in run("check", "-", stdin=text).stdout
    assert names in run("lint", "-", stdin=text).stdout
    assert names in run("solve", "-", stdin=text).stderr
    found = json.loads(run("check", "--json", "-", stdin=text).stdout)
    assert found["clash"] == names


def test_a_conflict_of_givens_and_rules() -> None:
    layout = layouts.anti_knight().with_rules(*ROW[:2], name="killer")
    assert conflict_of(Grid("." * 81, layout=layout)) is None
    found = conflict_of(Grid(f"........3....2....{'.' * 63}", layout=layout))
    assert found is not None
    assert found.irreducible
    named = "cage r1c1 r1c2 r1c3 of sum 10 and cage r1c4 r1c5 r1c6 r1c7 r1c8 of sum 33"
    assert str(found) == f"the given r1c9=3 and the rules {named} already leave no solution"
    found = conflict_of(Grid(f"........2.......2.{'.' * 63}", layout=layout))
    assert found is not None
    assert str(found) == "the givens r1c9=2 and r2c8=2 already leave no solution"


def test_a_conflict_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    layout = Layout(3, 3).with_rules(*ROW, Cage(3, "r9c4 r9c5"), name="killer")
    assert conflict_of(Grid("." * 81, layout=layout), 0) is None

    def too_long(problem: object, **keywords: object) -> None:
        raise timed_out()

    monkeypatch.setattr(dlx.Problem, "explain", too_long)
    puzzle = Grid(f"........3{'.' * 72}", layout=layout)
    assert conflict_of(puzzle) == Conflict((), tuple(ROW), True)  # needs no givens
    cage_of_4 = Cage(4, "r1c1 r1c4")  # 1 and 3
    layout = Layout(3, 3).with_rules(cage_of_4, Cage(3, "r9c4 r9c5"))
    two = Grid(f"{'.' * 9}1{'.' * 20}1{'.' * 50}", layout=layout)  # r2c1 and r4c4
    found = conflict_of(two)
    assert found == Conflict(two.givens, (cage_of_4,), False)
    assert str(found).endswith("already leave no solution (perhaps not all are needed)")
    assert conflict_of(Grid(CLASH)) is None


# -- Rules that are not needed ---------------------------------------------------------------------


@given(killers_of_side_4(solved=True))
@settings(max_examples=50)
def test_implied_rules(puzzle: Grid) -> None:
    """Against the list of all grids of side 4."""

    def number(cages: Iterable[Any], grid: Grid = puzzle) -> int:
        return sum(fits(values, grid.givens, cages) for values in BOXED)

    every = puzzle.layout.rules
    if number(every) != 1:
        return
    implied = [str(rule) for rule in every if number(set(every) - {rule}) == 1]
    found = [one.text for one in sudoku.lint([puzzle], minimal=False, rules=True)]
    assert len(found) == bool(implied)
    named = [name for name in implied if name in (*found, "")[0]]
    assert len(named) == len(implied) or "more" in found[0]
    least = sudoku.minimize(puzzle, rules=True)
    left = least.layout.rules
    assert set(left) <= set(every)
    assert sudoku.is_unique(least)
    assert all(number(set(left) - {rule}, least) > 1 for rule in left)
    assert sudoku.minimize(puzzle).layout is puzzle.layout


def test_drawings_and_unknown_regions_stay() -> None:
    line = Shape("line", ((0.5, 0.5), (1.5, 1.5)))
    layout = layouts.chaos(3).with_rules(Drawings([line]), Cage(1, "r1c1"))
    puzzle = Grid("123 23. 31.", layout=layout)
    assert not sudoku.is_unique(puzzle) or sudoku.minimize(puzzle, rules=True).layout.rules
    drawn = Layout(2, 2).with_rules(Drawings([line]), Cage(1, "r1c1"))
    least = sudoku.minimize(Grid("1234 3412 21.. 43..", layout=drawn), rules=True)
    assert least.layout.rules == drawn.rules[:1]


def test_minimize_rules_on_the_command_line() -> None:
    cages = [Cage(3, "r1c1 r1c2"), Cage(6, "r3c1 r4c1")]
    layout = Layout(2, 2).with_rules(*cages, name="killer")
    text = dumped([formats.Record(Grid("..3.3....1.....2", layout=layout))], "json")
    result = run("minimize", "--rules", "-", stdin=text)
    assert result.exit_code == 0
    [record] = formats.load(io.BytesIO(result.stdout.encode()))
    [rule] = record.grid.layout.rules
    assert sudoku.is_unique(record.grid)
    cages.remove(rule)
    found = json.loads(run("minimize", "--rules", "--json", "-", stdin=text).stdout)
    assert found["removed"] == [str(cages[0])]
    assert run("minimize", "-", stdin=text).stdout == f"{found['minimal']}\n"
    assert run("minimize", "--rules", WIKIPEDIA).stdout == f"{sudoku.minimize(WIKIPEDIA).line}\n"
    result = run("lint", "--rules", "--no-minimal", "-", stdin=text)
    assert "not minimal: any one of 2 of the 2 rules can be removed: cage" in result.stdout


# -- Givens that make a puzzle unique --------------------------------------------------------------


@given(killers_of_side_4() | killers_of_side_4(solved=True))
@settings(max_examples=25)
def test_complete_any_killer(puzzle: Grid) -> None:
    """One given, if one is enough; a pair, if a pair is; never one that is not needed."""
    every = [v for v in BOXED if fits(v, puzzle.givens, puzzle.layout.rules)]
    if not every:
        with pytest.raises(sudoku.NoSolution):
            sudoku.complete(puzzle)
        return
    found = sudoku.complete(puzzle)
    assert set(puzzle.givens) <= set(found.givens)
    assert [fits(values, found.givens, found.layout.rules) for values in every].count(True) == 1
    added = set(found.givens) - set(puzzle.givens)
    for one in added:
        rest = set(found.givens) - {one}
        assert [fits(values, rest, found.layout.rules) for values in every].count(True) > 1
    having = Counter((*cell, values[cell]) for values in every for cell in CELLS)
    assert (len(added) == 0) == (len(every) == 1)
    assert (len(added) <= 1) == (len(every) == 1 or 1 in having.values())
    if len(added) > 2:
        for pair in combinations(having, 2):
            assert [fits(values, pair, []) for values in every].count(True) != 1


@pytest.mark.parametrize(
    "layout", [Layout(3, 3), layouts.anti_knight(Layout(2, 3)), layouts.butterfly()]
)
def test_complete_an_empty_grid(layout: Layout) -> None:
    found = sudoku.complete("." * layout.size, layout=layout)
    assert sudoku.is_unique(found)
    assert sudoku.minimize(found) == found


def test_regions_that_givens_do_not_tell() -> None:
    layout = layouts.chaos(3)
    with pytest.raises(sudoku.NotUnique, match="the same digits in other regions"):
        sudoku.complete("123 231 312", layout=layout)


def test_complete_on_the_command_line(tmp_path: Path) -> None:
    open_puzzle = "1....2....3....."
    result = run("complete", open_puzzle)
    assert (result.exit_code, result.stdout) == (0, "1..4.2....3.....\n")
    assert result.stderr == "1 given added: r1c4=4\n"
    found = json.loads(run("complete", "--json", open_puzzle).stdout)
    assert (found["completed"], found["added"]) == ("1..4.2....3.....", ["r1c4=4"])
    path = tmp_path / "list"
    path.write_text(f"{WIKIPEDIA} easy\n{CLASH}\n")
    result = run("complete", str(path))
    assert (result.exit_code, result.stdout) == (1, f"{WIKIPEDIA} easy\n")
    first, second = result.stderr.splitlines()
    assert first == f"{path}:1: 0 givens added"
    assert second.startswith(f"sudoku: {path}:2: r1c1 and r1c2 are both 5")
    result = run("complete", "--timeout", "0", "." * 81)
    assert (result.exit_code, result.stderr) == (3, "sudoku: stopped by the timeout\n")
    killer = Layout(2, 2).with_rules(Cage(3, "r1c1 r1c2"), name="killer")
    text = dumped([formats.Record(Grid("." * 16, layout=killer))], "json")
    [record] = formats.load(io.BytesIO(run("complete", "-", stdin=text).stdout.encode()))
    assert record.grid == sudoku.complete("." * 16, layout=killer)
