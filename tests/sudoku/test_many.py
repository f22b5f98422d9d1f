"""`solve_many` and `count_many`: the answers of single calls, for any workers and engines."""

from __future__ import annotations

import itertools
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import sudoku_strategies as some
from example_problems import comparable
from example_puzzles import CLASH, HOPELESS, SOLVED, WIKIPEDIA
from folders import EXAMPLES
from hypothesis import given
from hypothesis import strategies as st

import dlx
import sudoku
from sudoku import Grid, Layout, NoSolution, PuzzleError


def solved_alone(puzzle: Any, **search: Any) -> Any:
    """The grid, or the type and text of what `solve` raises."""
    try:
        return sudoku.solve(puzzle, **search)
    except dlx.DLXError as error:
        return type(error), str(error)


SHAPES = [*some.SMALL, Layout(3, 3)]


@st.composite
def forms(draw: st.DrawFn) -> Any:
    """A puzzle in any form, or something that is not a puzzle."""
    grid = draw(some.any_puzzles(SHAPES))
    forms: list[Any] = [grid, "5" * 80, CLASH, HOPELESS, None, WIKIPEDIA.replace("5", "?")]
    if grid.layout.is_usual:
        line = grid.line
        forms += [line, line.replace(".", "0"), str(grid), [list(row) for row in grid.rows]]
        forms += [f" {line}\n", line.ljust(81), line] * 2
    return draw(st.sampled_from(forms))


@given(
    st.lists(st.one_of(forms(), some.any_puzzles([Layout(3, 3)]).map(lambda g: g.line))),
    st.integers(1, 3),
    st.sampled_from([None, 1]),
)
def test_as_one_by_one(puzzles: list[Any], workers: int, seed: int | None) -> None:
    expected = [solved_alone(puzzle, seed=seed) for puzzle in puzzles]
    answers = sudoku.solve_many(iter(puzzles), workers=workers, seed=seed, errors="return")
    assert comparable(answers) == expected


@given(st.lists(some.any_puzzles([Layout(2, 3), Layout(3, 2)])), st.sampled_from([1, 2, 100]))
def test_counts_as_one_by_one(puzzles: list[Grid], limit: int) -> None:
    expected = [sudoku.count(puzzle, limit=limit) for puzzle in puzzles]
    assert list(sudoku.count_many(puzzles, limit=limit, workers=2)) == expected


@pytest.mark.parametrize("engine", ["auto", "links", "python"])
def test_engines_and_layouts(engine: str) -> None:
    puzzles = ["." * 36, "1" + "." * 35, "2" + "." * 35]
    layout = Layout(3, 2)
    answers = list(sudoku.solve_many(puzzles, layout=layout, engine=engine))
    assert answers == [sudoku.solve(puzzle, layout=layout) for puzzle in puzzles]
    assert {grid.layout for grid in answers} == {layout}
    assert list(sudoku.count_many(["." * 16] * 2, engine=engine)) == [288, 288]


@pytest.mark.parametrize("shape", [(4, 4), (5, 5), (6, 6), (1, 7)])
def test_symbols_of_every_size(shape: tuple[int, int]) -> None:
    """Letters, large and small, and a 0 that is a digit."""
    layout = Layout(*shape)
    side, (tall, wide) = layout.side, shape
    cells = tuple(
        (wide * (r % tall) + r // tall + c) % side + 1 for r in range(side) for c in range(side)
    )
    grid = Grid.from_cells(cells, layout)
    first = Grid.from_cells((0, *cells[1:]), layout)
    texts = [first.line, first.line.lower(), grid.line]
    assert list(sudoku.solve_many(texts, layout=layout)) == [grid] * 3


def test_examples() -> None:
    for name in ("puzzles.txt", "puzzles-other-sizes.txt"):
        grids = [entry.grid for entry in sudoku.read(EXAMPLES / name)]
        expected = [sudoku.solve(grid) for grid in grids]
        assert list(sudoku.solve_many(grids, workers=2)) == expected
        assert set(sudoku.count_many(grids, limit=2)) == {1}


def test_errors_are_raised_in_their_turn() -> None:
    puzzles = [WIKIPEDIA, CLASH, HOPELESS, "?" * 81, PuzzleError("torn", line=7), WIKIPEDIA]
    answers = sudoku.solve_many(puzzles)
    assert next(answers).line == SOLVED
    for position, (kind, words) in enumerate(
        [
            (NoSolution, "puzzles[1]: r1c1 and r1c2 are both 5 (row 1); "),
            (NoSolution, "puzzles[2]: the givens r1c2=1, r1c3=2, r2c1=3, r4c3=1 and r4c4=2 "),
            (PuzzleError, "puzzles[3]: '?' (character 1) is neither a digit"),
            (PuzzleError, "line 7: puzzles[4]: torn"),
        ],
        start=1,
    ):
        with pytest.raises(kind) as caught:
            next(answers)
        assert str(caught.value).startswith(words)
        assert caught.value.position == position
    assert next(answers).line == SOLVED
    assert next(answers, None) is None
    counts = sudoku.count_many(puzzles, errors="return")
    assert [c for c in counts if isinstance(c, int)] == [1, 0, 0, 1]


def test_timeout() -> None:
    answers = sudoku.solve_many([SOLVED, "." * 81, SOLVED], timeout=0)
    assert next(answers).line == SOLVED  # found where the search began
    with pytest.raises(dlx.SearchInterrupted, match=r"puzzles\[1\]: the search was cut short"):
        next(answers)
    assert next(answers).line == SOLVED


def test_several_threads_may_draw() -> None:
    """Each answer goes to one of them, and with it what was wrong with its own puzzle."""
    puzzles = [PuzzleError(f"torn {n}") if n % 3 else HOPELESS for n in range(300)]
    expected = comparable(sudoku.solve_many(puzzles, errors="return"))
    answers = sudoku.solve_many(puzzles, errors="return")
    together = threading.Barrier(3)

    def draw(_: int) -> list[Any]:
        together.wait()
        return list(answers)

    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(3) as pool:
            found = [error for share in pool.map(draw, range(3)) for error in share]
    finally:
        sys.setswitchinterval(usual)
    assert comparable(iter(sorted(found, key=lambda error: error.position))) == expected


@pytest.mark.parametrize("workers", [1, 2])
def test_an_endless_list(workers: int) -> None:
    puzzles = itertools.cycle([WIKIPEDIA, Grid(WIKIPEDIA), "." * 16])
    with sudoku.solve_many(puzzles, workers=workers) as answers:
        found = [grid.line for grid in itertools.islice(answers, 300)]
    assert found == [SOLVED, SOLVED, "1234341221434321"] * 100
    assert next(answers, None) is None
    assert "300 so far" in repr(answers)


def test_wrong_arguments() -> None:
    for wrong in ({"workers": 0}, {"errors": "?"}, {"timeout": -1}, {"seed": "x"}, {"engine": "x"}):
        with pytest.raises(dlx.DLXError):
            sudoku.solve_many([WIKIPEDIA], **wrong)  # type: ignore[call-overload]
    for one in (WIKIPEDIA, Grid(WIKIPEDIA), 5):
        with pytest.raises(PuzzleError, match="expected a list or another iterable of puzzles"):
            sudoku.solve_many(one)  # type: ignore[call-overload]


def test_ctrl_c_while_reading_loses_nothing() -> None:
    """At whatever puzzle the interrupt comes: those read before are answered, in order."""

    class Puzzles:
        def __init__(self, stops: set[int]) -> None:
            self.numbers = itertools.count()
            self.stops = stops

        def __iter__(self) -> Puzzles:
            return self

        def __next__(self) -> Any:
            number = next(self.numbers)
            if number in self.stops:
                signal.raise_signal(signal.SIGINT)
            if number >= 40:
                raise StopIteration
            return "." * 16 if number % 7 == 0 else WIKIPEDIA

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        for stop in range(40):
            answers = sudoku.solve_many(Puzzles({stop}))
            found: list[str] = []
            interrupted = 0
            while True:
                try:
                    found.append(next(answers).line)
                except KeyboardInterrupt:
                    interrupted += 1
                except StopIteration:
                    break
            assert interrupted == 1
            kinds = [16 if n % 7 == 0 else 81 for n in range(40) if n != stop]
            assert list(map(len, found)) == kinds
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("stop", range(15))
def test_an_error_of_the_reader_comes_after_the_puzzles_before_it(stop: int) -> None:
    """Also where some of these are of another layout, and the iterator continues after it."""

    class Puzzles:
        def __init__(self) -> None:
            self.left = [WIKIPEDIA] * 9 + ["." * 16] * 2 + [Grid(WIKIPEDIA), WIKIPEDIA, " "]
            self.left.insert(stop, "stop")

        def __iter__(self) -> Puzzles:
            return self

        def __next__(self) -> Any:
            if not self.left:
                raise StopIteration
            puzzle = self.left.pop(0)
            if puzzle == "stop":
                raise RuntimeError(f"after {stop}")
            return puzzle

    answers = sudoku.count_many(Puzzles(), limit=2)
    found: list[Any] = []
    while True:
        try:
            found.append(next(answers))
        except RuntimeError as error:
            found.append(str(error))
        except PuzzleError as error:
            found.append(error.position)
        except StopIteration:
            break
    expected: list[Any] = [1] * 9 + [2, 2, 1, 1, 13]
    expected.insert(stop, f"after {stop}")
    assert found == expected


@given(
    st.lists(
        st.sampled_from([WIKIPEDIA, CLASH, HOPELESS, "?" * 81, "." * 16, SOLVED, " " + SOLVED])
    ),
    st.integers(1, 2),
)
def test_long_lists_with_errors_in_places(kinds: list[str], workers: int) -> None:
    """Most of the list are plain lines of 81 characters; each answer belongs to its puzzle."""
    puzzles = list(itertools.chain.from_iterable([WIKIPEDIA, kind, SOLVED] for kind in kinds))
    expected = {
        kind: comparable(sudoku.count_many([kind], limit=2, errors="return"))[0]
        for kind in {*puzzles}
    }
    answers = sudoku.count_many(puzzles, limit=2, errors="return", workers=workers)
    found = list(answers)
    errors = [n for n, one in enumerate(found) if isinstance(one, dlx.DLXError)]
    assert [found[n].position for n in errors] == errors
    assert comparable(found) == [expected[puzzle] for puzzle in puzzles]
    assert f"{len(puzzles)} so far" in repr(answers)
