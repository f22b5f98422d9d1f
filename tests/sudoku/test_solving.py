"""`solve`, `solutions`, `count` and `is_unique`, against the oracle."""

from __future__ import annotations

import itertools
import pickle
import re

import pytest
import sudoku_strategies as some
from example_puzzles import CLASH, SOLVED, WIKIPEDIA
from folders import EXAMPLES
from hypothesis import assume, given, settings

import dlx
import sudoku
from sudoku import Grid, Layout, NoSolution, layouts
from sudoku.analysis.oracle import bitmask, fewest_first
from sudoku.board.layout import cell_name, symbol
from sudoku.rules.check import duplicates
from sudoku.solving.no_solution import conflict_of

every_engine = pytest.mark.parametrize("engine", ["auto", "links", "python"])


@given(some.any_puzzles([*some.SMALL, Layout(3, 3)]))
def test_the_same_as_the_oracle(grid: Grid) -> None:
    layout = grid.layout
    expected = bitmask(
        grid.cells, layout.box_rows, layout.box_columns, limit=300, node_limit=30_000
    )
    with sudoku.solutions(grid, limit=300) as search:
        found = [solution.cells for solution in search]
    assert len(set(found)) == len(found)
    if expected.exhausted:
        assert sorted(found) == sorted(expected.solutions)
        assert search.exhausted
        assert sudoku.count(grid) == len(found)
        assert sudoku.is_unique(grid) == (len(found) == 1)
        if found:
            assert sudoku.solve(grid).cells == found[0]
        else:
            with pytest.raises(NoSolution):
                sudoku.solve(grid)
    elif expected.stopped_by == "limit":
        assert len(found) == 300


@given(some.puzzles())
def test_solutions_of_every_layout_keep_the_givens(grid: Grid) -> None:
    solution = sudoku.solve(grid)
    assert solution.is_solved
    assert solution.layout is grid.layout
    assert all(new == old for new, old in zip(solution.cells, grid.cells, strict=True) if old)


@every_engine
def test_engines_agree(engine: str) -> None:
    assert sudoku.solve(WIKIPEDIA, engine=engine).line == SOLVED
    assert sudoku.count("." * 16, engine=engine) == 288
    assert sudoku.is_unique(WIKIPEDIA, engine=engine)
    expected = [grid.line for grid in sudoku.solutions("." * 36, limit=20)]
    assert [grid.line for grid in sudoku.solutions("." * 36, limit=20, engine=engine)] == expected


def test_forms_of_a_puzzle() -> None:
    grid = Grid(WIKIPEDIA)
    for puzzle in (grid, WIKIPEDIA, str(grid), grid.rows, [list(row) for row in grid.rows]):
        assert sudoku.solve(puzzle).line == SOLVED
        assert sudoku.count(puzzle) == 1
        assert [found.line for found in sudoku.solutions(puzzle)] == [SOLVED]
    assert sudoku.solve(SOLVED).line == SOLVED
    assert sudoku.count("." * 36, layout=Layout(3, 2), limit=10) == 10
    with pytest.raises(sudoku.PuzzleError):
        sudoku.solve("." * 80)


def test_contradictions_are_no_solutions_and_no_errors() -> None:
    assert sudoku.count(CLASH) == 0
    assert not sudoku.is_unique(CLASH)
    with sudoku.solutions(CLASH) as search:
        assert list(search) == []
        assert search.exhausted
        assert search.stats.solutions == 0
        assert search.stopped_by is None
    with pytest.raises(NoSolution, match=r"r1c1 and r1c2 are both 5 \(row 1\); r1c1 and r1c2 "):
        sudoku.solve(CLASH)


def test_no_solution_that_only_a_search_finds() -> None:
    hopeless = next(
        grid
        for cells in itertools.product(range(5), repeat=5)
        if not sudoku.check(grid := Grid.from_cells((*cells, *(0,) * 9, 1, 2), Layout(2, 2)))
        and not bitmask(grid.cells, 2, 2).solutions
    )
    with pytest.raises(NoSolution, match="already leave no solution"):
        sudoku.solve(hopeless)


def test_many_flaws_make_no_endless_text() -> None:
    with pytest.raises(NoSolution) as caught:
        sudoku.solve("5" * 81)
    assert "more flaws" in str(caught.value)
    assert len(str(caught.value)) < 800


def test_solutions_is_lazy_limited_and_closes() -> None:
    search = sudoku.solutions("." * 81)
    assert next(search) != next(search)
    assert not search.exhausted
    assert search.puzzle.filled == 0
    assert "Solutions of" in repr(search)
    search.close()
    assert list(search) == []
    assert not search.exhausted
    limited = sudoku.solutions("." * 81, limit=3)
    assert len(list(limited)) == 3
    assert (limited.exhausted, limited.stopped_by) == (False, "limit")
    assert sudoku.count("." * 81, limit=1000) == 1000
    assert list(sudoku.solutions(WIKIPEDIA, limit=0)) == []


def test_known_counts() -> None:
    # OEIS A107739; Wikipedia, "Mathematics of Sudoku"; Latin squares, A002860.
    assert sudoku.count("." * 16) == 288
    assert sudoku.count("123456" + "." * 30) == 28_200_960 // 720
    assert sudoku.count("." * 25, layout=Layout(1, 5)) == 161_280


def test_two_searches_on_one_problem() -> None:
    one, two = sudoku.solutions("." * 16), sudoku.solutions("1" + "." * 15)
    pairs = list(zip(one, two, strict=False))
    assert len(pairs) == 72
    assert [grid.line for _, grid in pairs] == [
        grid.line for grid in sudoku.solutions("1" + "." * 15)
    ]


def test_a_timeout_is_no_answer() -> None:
    with pytest.raises(dlx.SearchInterrupted):
        sudoku.count("." * 81, timeout=0)
    search = sudoku.solutions("." * 81, timeout=0)
    list(search)
    assert (search.exhausted, search.stopped_by) == (False, "timeout")


def test_seed() -> None:
    empty = "." * 81
    assert sudoku.solve(empty, seed=1) == sudoku.solve(empty, seed=1)
    assert sudoku.solve(empty, seed=1) != sudoku.solve(empty, seed=2)
    assert sudoku.solve(WIKIPEDIA, seed=3).line == SOLVED


def test_wrong_arguments() -> None:
    for wrong in ({"limit": -1}, {"timeout": -1}, {"seed": "x"}, {"engine": "steam"}):
        for puzzle in (WIKIPEDIA, CLASH):
            with pytest.raises(dlx.DLXError):
                sudoku.solutions(puzzle, **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 3), (5, 5), (6, 6)])
def test_cover(shape: tuple[int, int]) -> None:
    layout = Layout(*shape)
    side = layout.side
    problem = sudoku.cover(layout)
    assert problem is sudoku.cover(layout)
    assert len(problem.items) == 4 * side**2
    assert len(problem) == side**3
    assert problem.items[0] == ("cell", 1, 1)
    assert [problem.items[n * side * side][0] for n in range(4)] == ["cell", "row", "column", "box"]
    assert problem.names[:2] == ((1, 1, 1), (1, 1, 2))
    assert problem.names[-1] == (side, side, side)
    assert not problem.secondary
    with pytest.raises(dlx.DLXError):
        problem.add_item("more")


def test_cover_of_a_puzzle_is_what_its_digits_leave() -> None:
    grid = Grid(WIKIPEDIA)
    rest = sudoku.cover(grid)
    assert (len(rest.items), rest.count()) == (4 * 81 - 4 * len(grid.givens), 1)
    assert {*(rest.solve() or ()), *grid.givens} == set(
        sudoku.cover().solve(given=grid.givens) or ()
    )
    with pytest.raises(sudoku.NoSolution, match="r1c1 and r1c2 are both 5"):
        sudoku.cover(Grid("55" + "." * 79))
    with pytest.raises(sudoku.LayoutError, match="is not a Layout"):
        sudoku.cover("53..")  # type: ignore[arg-type]
    killer = sudoku.generate(kind="killer", seed=1)
    assert sudoku.cover(killer).count() == 1
    with pytest.raises(sudoku.NoSolution):
        sudoku.cover(Grid("." * 80 + "1", layout=layouts.killer([(17, "r9c8 r9c9")])))


def test_cover_of_nothing_is_the_usual_one() -> None:
    assert sudoku.cover() is sudoku.cover(Layout(3, 3))
    problem = sudoku.cover()
    solution = problem.solve(given=Grid(WIKIPEDIA).givens)
    assert solution is not None
    problem.verify(solution)
    assert problem.options[(9 * 3 + 5) * 9 + 6] == (
        ("cell", 4, 6),
        ("row", 4, 7),
        ("column", 6, 7),
        ("box", 5, 7),
    )


@pytest.mark.parametrize("side", [25, 36])
def test_large_grids(side: int) -> None:
    layout = Layout.of_side(side)
    root = layout.box_rows
    cells = [
        (root * (row % root) + row // root + column) % side + 1
        for row in range(side)
        for column in range(side)
    ]
    puzzle = Grid.from_cells(tuple(0 if n % 5 < 1 else d for n, d in enumerate(cells)), layout)
    assert sudoku.solve(puzzle).is_solved


@pytest.mark.parametrize("name", ["puzzles.txt", "puzzles-other-sizes.txt"])
def test_examples(name: str) -> None:
    entries = list(sudoku.read(EXAMPLES / name))
    assert len(entries) > 10
    for entry in entries:
        layout = entry.grid.layout
        (solution,) = sudoku.solutions(entry.grid)
        assert solution.is_solved
        if layout.side <= 9 and entry.rest:
            oracle = fewest_first if layout.side == 9 else bitmask
            result = oracle(entry.grid.cells, layout.box_rows, layout.box_columns)
            assert result.solutions == (solution.cells,)


# -- Why a puzzle has no solution: the givens that are named are enough, and all are needed ------


SMALL = [Layout(2, 2), Layout(2, 3), Layout(3, 2)]
HARD = "........7..4.2.6..8.....31......29...4..9..3...95.6....1......8..6.5.2..7...1..6."


def explained(grid: Grid) -> str | None:
    """The sentence that names the givens, or None."""
    found = conflict_of(grid)
    return None if found is None else str(found)


def has_solution(grid: Grid, cells: set[int]) -> bool:
    """Whether these cells of it alone have one, by the oracle."""
    layout = grid.layout
    values = tuple(value if cell in cells else 0 for cell, value in enumerate(grid.cells))
    if duplicates(Grid.from_cells(values, layout)):
        return False
    return bool(fewest_first(values, layout.box_rows, layout.box_columns, limit=1).solutions)


def named(grid: Grid, sentence: str) -> set[int]:
    """The cells that a sentence names, with the right digits."""
    side = grid.layout.side
    cells = set()
    for row, column, value in re.findall(r"r(\d+)c(\d+)=(\w)", sentence):
        cell = (int(row) - 1) * side + int(column) - 1
        assert symbol(grid.cells[cell]) == value
        assert cell_name(*grid.layout.positions[cell]) == f"r{row}c{column}"
        cells.add(cell)
    assert cells
    return cells


def check(grid: Grid, sentence: str) -> None:
    assert re.fullmatch(r"the givens r\d.*=\w and r\d+c\d+=\w already leave no solution", sentence)
    cells = named(grid, sentence)
    assert not has_solution(grid, cells)
    for cell in cells:
        assert has_solution(grid, cells - {cell})


@given(some.any_puzzles(SMALL))
def test_sentences_are_true_and_irreducible(grid: Grid) -> None:
    sentence = explained(grid)
    assert (sentence is None) == (sudoku.count(grid, limit=1) == 1)
    if sentence is not None:
        check(grid, sentence)


def test_a_puzzle_that_only_a_search_refutes() -> None:
    grid = sudoku.parse(HARD)
    assert not sudoku.check(grid)
    with pytest.raises(NoSolution) as caught:
        sudoku.solve(grid)
    check(grid, str(caught.value))
    assert str(caught.value) == str(pickle.loads(pickle.dumps(caught.value)))
    assert repr(caught.value) == f"NoSolution({str(caught.value)!r})"


def test_flaws_come_first() -> None:
    with pytest.raises(NoSolution) as caught:
        sudoku.solve("12.3 ..4. .... ....")
    *flaws, givens = str(caught.value).split("; ")
    assert flaws == [str(flaw) for flaw in sudoku.check("12.3 ..4. .... ....")]
    assert givens == "the givens r1c1=1, r1c2=2 and r2c3=4 already leave no solution"


@given(some.any_puzzles(SMALL))
@settings(max_examples=25)
@pytest.mark.lengthy
def test_equal_digits_explain_themselves(grid: Grid) -> None:
    assume(duplicates(grid))
    with pytest.raises(NoSolution) as caught:
        sudoku.solve(grid)
    assert "already" not in str(caught.value)


def test_it_repeats_and_is_quick_to_give_up(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = sudoku.parse(HARD)
    assert explained(grid) == explained(grid)
    monkeypatch.setattr("sudoku.solving.no_solution.NODES", 3)
    assert explained(grid) is None
    with pytest.raises(NoSolution) as caught:
        sudoku.solve(grid)
    assert str(caught.value).startswith("no solution: no flaw is visible")


def test_long_lists_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = sudoku.parse(HARD)
    whole = explained(grid)
    monkeypatch.setattr("sudoku.solving.no_solution._MOST_GIVENS", 4)
    short = explained(grid)
    assert whole is not None
    assert short is not None
    first = ", ".join(whole.split(", ")[:4])
    more = len(named(grid, whole)) - 4
    assert short == f"{first} and {more} more already leave no solution"
