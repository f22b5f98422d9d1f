"""Lists of Sudokus, one puzzle after another; making them, and their canonical forms."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from dlx import Stats

sudoku = pytest.importorskip("sudoku")

EXAMPLES = Path(__file__).parent.parent / "examples" / "puzzles.txt"
# Other lists, apart by ":"; the first LIMIT puzzles of each.
SEVENTEEN = Path(__file__).parent / "seventeen.txt"
LISTS = [
    EXAMPLES,
    SEVENTEEN,
    *map(Path, filter(None, os.environ.get("SUDOKU_LISTS", "").split(os.pathsep))),
]
LIMIT = 100
REPEATS = 10  # of a list that is solved at once


def puzzles_of(path: Path) -> list[str]:
    """The puzzles of a file with one a line, of 9 x 9."""
    if not path.is_file():
        pytest.skip(f"there is no {path}")
    return [entry.grid.line for entry in islice(sudoku.read(path), LIMIT)]


@pytest.mark.benchmark(group="sudoku", min_rounds=3, max_time=0.5)
@pytest.mark.parametrize("question", ["solve", "is_unique"])
@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.name)
def test_list(
    path: Path, question: str, benchmark: BenchmarkFixture, record: Callable[[Stats], None]
) -> None:
    """All puzzles of a list, reading included; `is_unique` proves that there is no other."""
    puzzles = puzzles_of(path)
    if not puzzles:
        pytest.skip(f"no puzzles of 9 x 9 in {path}")
    ask = getattr(sudoku, question)

    def run() -> list[object]:
        return [ask(puzzle) for puzzle in puzzles]

    answers = benchmark(run)
    assert len(answers) == len(puzzles)
    benchmark.extra_info["puzzles"] = len(puzzles)
    nodes = updates = found = 0
    for puzzle in puzzles:
        search = sudoku.solutions(puzzle, limit=1 if question == "solve" else 2)
        list(search)
        nodes += search.stats.nodes
        updates += search.stats.updates
        found += search.stats.solutions
    record(Stats(nodes, updates, found, profile=(), seconds=0.0))


@pytest.mark.benchmark(group="sudoku", min_rounds=3, max_time=0.5)
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("question", ["solve_many", "count_many"])
@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.name)
def test_list_at_once(
    path: Path,
    question: str,
    workers: int,
    benchmark: BenchmarkFixture,
    record: Callable[[Stats], None],
) -> None:
    """The same lists through one batch; `count_many` looks for two solutions of each."""
    puzzles = puzzles_of(path) * REPEATS
    if not puzzles:
        pytest.skip(f"no puzzles of 9 x 9 in {path}")
    limit = {"limit": 2} if question == "count_many" else {}
    ask = getattr(sudoku, question)
    answers = benchmark(lambda: list(ask(puzzles, workers=workers, **limit)))
    assert len(answers) == len(puzzles)
    benchmark.extra_info["puzzles"] = len(puzzles)
    code = sudoku.solving.many.code_of(sudoku.Layout(3, 3))
    with sudoku.cover().count_many(puzzles, limit=limit.get("limit", 1), code=code) as searches:
        assert sum(searches) >= len(puzzles)
        record(searches.stats)


@pytest.mark.benchmark(group="sudoku", min_rounds=1, warmup=False)
@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.name)
def test_two_workers_against_one(path: Path, benchmark: BenchmarkFixture) -> None:
    """The median of ratios of neighbouring runs: two threads on two cores should come near 2."""
    puzzles = puzzles_of(path) * REPEATS * 10
    if not puzzles:
        pytest.skip(f"no puzzles of 9 x 9 in {path}")

    def seconds(workers: int) -> float:
        started = time.perf_counter()
        for _ in sudoku.solve_many(puzzles, workers=workers):
            pass
        return time.perf_counter() - started

    ratios = [seconds(1) / seconds(2) for _ in range(7)]
    benchmark(seconds, 2)
    benchmark.extra_info["puzzles"] = len(puzzles)
    benchmark.extra_info["speedup"] = statistics.median(ratios)


# Kinds of layouts, and how many puzzles of each are made in a round.
MADE = {"3x3": 50, "2x3": 50, "diagonal": 20, "hyper": 20, "3x4": 5, "samurai": 1, "4x4": 1}


@pytest.mark.benchmark(group="sudoku making", min_rounds=3, max_time=0.5)
@pytest.mark.parametrize("kind", MADE)
def test_generate_many(kind: str, benchmark: BenchmarkFixture) -> None:
    """Unique minimal puzzles, many at once, on one thread."""
    layout, number = sudoku.layouts.named(kind), MADE[kind]
    made = benchmark(lambda: list(sudoku.generate_many(number, layout, seed=1)))
    assert sum(sudoku.count_many(made, limit=2)) == number
    benchmark.extra_info["puzzles"] = number


@pytest.mark.benchmark(group="sudoku making", min_rounds=3, max_time=0.5)
@pytest.mark.parametrize("symmetry", sudoku.SYMMETRIES)
def test_generate(symmetry: str, benchmark: BenchmarkFixture) -> None:
    """One call after another."""
    made = benchmark(lambda: [sudoku.generate(symmetry=symmetry, seed=seed) for seed in range(10)])
    assert sum(sudoku.count_many(made, limit=2)) == 10
    benchmark.extra_info["puzzles"] = 10


@pytest.mark.benchmark(group="sudoku canonical", min_rounds=3, max_time=0.5)
@pytest.mark.parametrize("what", ["puzzles", "17 givens", "solved grids"])
def test_canonical(what: str, benchmark: BenchmarkFixture) -> None:
    """Canonical forms of 9x9."""
    if what == "puzzles":
        puzzles = list(sudoku.generate_many(20, seed=1))
    elif what == "17 givens":
        puzzles = puzzles_of(SEVENTEEN)[:20]
    else:
        puzzles = [sudoku.random_grid(seed=seed) for seed in range(20)]
    forms = benchmark(lambda: [sudoku.canonical(puzzle) for puzzle in puzzles])
    assert [sudoku.canonical(form) for form in forms] == forms
    benchmark.extra_info["puzzles"] = len(puzzles)


@pytest.mark.benchmark(group="sudoku lint", min_rounds=1, max_time=0.5)
def test_lint(benchmark: BenchmarkFixture) -> None:
    """Everything that is wrong with 100 puzzles of 17 givens: nothing."""
    assert benchmark(lambda: list(sudoku.lint(SEVENTEEN))) == []
    benchmark.extra_info["puzzles"] = 100
