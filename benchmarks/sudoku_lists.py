"""Runs lists of published puzzles of every kind, and prints a table.

    python benchmarks/sudoku_lists.py FOLDER            every list in it that is known
    python benchmarks/sudoku_lists.py killer.txt jigsaw.txt

A list is a file of any format that `sudoku` reads; one line is one puzzle, with its published
solution behind it. That is `lines`, `sukaku`, `jigsaw`, `killer`, `even-odd` or `overlaps`.

A puzzle is *solved* when a solution was found, *unique* when it is proved to be the only one, and
*agrees* when it is the published one. The time of a puzzle is CPU time, for all of it: reading and
making the layout, its exact cover problem where these differ from puzzle to puzzle (jigsaw, killer,
even/odd, sukaku), the solution and the proof. What is made once for a layout (samurai) is in the
time of the first puzzle.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import dlx
import sudoku
from sudoku import formats


class Result(NamedTuple):
    """How one puzzle went."""

    solved: bool
    unique: bool
    agreed: bool | None
    nodes: int
    seconds: float


def results_of(path: Path, engine: str, timeout: float) -> Iterator[Result]:
    """Reads and solves each puzzle, proves that there is no other solution, and compares."""
    started = time.process_time()
    for record in formats.load(path):
        with sudoku.solutions(record.grid, limit=2, timeout=timeout, engine=engine) as search:
            found = list(search)
        seconds = time.process_time() - started
        for solution in found:
            if not solution.is_solved:
                raise SystemExit(f"no solution, says the checker: {solution!r} of {record.grid!r}")
        proved = len(found) == 1 and search.exhausted
        agreed = None if record.solution is None else [g.line for g in found] == [record.solution]
        yield Result(bool(found), proved, agreed, search.stats.nodes, seconds)
        started = time.process_time()


def row(name: str, results: list[Result]) -> str:
    """The line of a list in the table."""
    times = [result.seconds for result in results]
    compared = [result.agreed for result in results if result.agreed is not None]
    agreed = f"{sum(compared)}/{len(compared)}" if compared else "-"
    middle, worst = statistics.median(times), max(times)
    cells = (
        name,
        str(len(results)),
        str(sum(result.solved for result in results)),
        str(sum(result.unique for result in results)),
        agreed,
        f"{sum(times):.2f}",
        f"{1000 * middle:.2f}",
        f"{1000 * worst:.1f}",
        f"{statistics.median(result.nodes for result in results):.0f}",
    )
    return "| " + " | ".join(cells) + " |"


HEAD = """\
| list | puzzles | solved | unique | agreed | total s | median ms | worst ms | median nodes |
|---|--:|--:|--:|--:|--:|--:|--:|--:|"""


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("paths", nargs="+", type=Path, help="lists, or folders of them")
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds a puzzle")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N puzzles")
    options = parser.parse_args()
    inside = (sorted(path.glob("*.txt")) if path.is_dir() else [path] for path in options.paths)
    print(HEAD)
    failed = False
    for path in chain.from_iterable(inside):
        results = list(islice(results_of(path, options.engine, options.timeout), options.limit))
        if results:
            print(row(path.stem, results), flush=True)
        failed |= any(result.agreed is False or not result.solved for result in results)
    print(f"\n{dlx.kernel_info().compiler}, {dlx.kernel_info().simd}; engine {options.engine}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
