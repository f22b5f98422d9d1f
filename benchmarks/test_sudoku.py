"""Lists of Sudokus, one puzzle after another."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from dlx import Stats

sudoku = pytest.importorskip("sudoku")

EXAMPLES = Path(__file__).parent.parent / "examples" / "puzzles.txt"
# Other lists, apart by ":"; the first LIMIT puzzles of each.
LISTS = [EXAMPLES, *map(Path, filter(None, os.environ.get("SUDOKU_LISTS", "").split(os.pathsep)))]
LIMIT = 100


def puzzles_of(path: Path) -> list[str]:
    """The puzzles of a file with one a line, of 9 x 9."""
    if not path.is_file():
        pytest.skip(f"there is no {path}")
    words = [
        line.split()[0] for line in path.read_text(encoding="utf-8").splitlines() if line.strip()
    ]
    return [word for word in words if len(word) == 81 and not word.startswith("#")][:LIMIT]


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
