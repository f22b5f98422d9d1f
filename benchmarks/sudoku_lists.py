"""Runs lists of published puzzles of every kind, and prints a table.

    python benchmarks/sudoku_lists.py FOLDER            every list in it that is known
    python benchmarks/sudoku_lists.py killer.txt jigsaw.txt

What a list is, its name tells (`killer-hard.txt`, `samurai.txt`, ...). One line is one puzzle, and
lines that begin with `#` are comments; the fields are parted by spaces::

    royle17* magictour* hardest* sudoku16* sudoku25*   givens [solution]
    sukaku*                                            nine marks or blanks for each cell
    jigsaw*       size givens regions [solution]
    killer*       size [flags] cages solution          cages as 15:r1c1,r1c2;...; flag X: diagonals
    evenodd*      grid with E and O in cells, solution
    samurai* sohei* windmill* butterfly* gattai8* shogun*
                  rows columns grid [solution]         `#` where there is no cell

A puzzle is *solved* when a solution was found, *unique* when it is proved to be the only one, and
*agrees* when it is the published one. The time of a puzzle is CPU time, for all of it: making the
layout and its exact cover problem where these differ from puzzle to puzzle (jigsaw, killer,
even/odd, sukaku), reading, the solution and the proof. What is made once for a layout (samurai) is
in the time of the first puzzle.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import dlx
import sudoku
from sudoku import Layout, layouts


class Puzzle(NamedTuple):
    """A puzzle as a list has it."""

    layout: Callable[[], Layout]
    givens: str
    solution: str | None


class Result(NamedTuple):
    """How one puzzle went."""

    solved: bool
    unique: bool
    agreed: bool | None
    nodes: int
    seconds: float


def square(fields: list[str]) -> Puzzle:
    """A grid with the usual boxes."""
    layout = Layout.of_side(round(len(fields[0]) ** 0.5))
    return Puzzle(lambda: layout, fields[0], (*fields, None)[1])


def sukaku(fields: list[str]) -> Puzzle:
    """Pencil marks."""
    return Puzzle(lambda: layouts.sukaku(fields[0]), "." * 81, None)


def jigsaw(fields: list[str]) -> Puzzle:
    """Regions of any form."""
    _, givens, regions, *solution = fields
    return Puzzle(lambda: layouts.jigsaw(regions), givens, solution[0] if solution else None)


def killer(fields: list[str]) -> Puzzle:
    """Cages with sums, on diagonals perhaps."""
    side, *flags, written, solution = fields
    cages = [cage.split(":") for cage in written.split(";")]

    def layout() -> Layout:
        base = Layout.of_side(int(side))
        if flags == ["X"]:
            base = layouts.diagonal(base)
        return layouts.killer(((int(total), cells) for total, cells in cages), base=base)

    published = None if solution == "?" else solution
    return Puzzle(layout, "." * int(side) ** 2, published)


def even_odd(fields: list[str]) -> Puzzle:
    """Even and odd cells."""
    grid, solution = fields

    def layout() -> Layout:
        marked = {
            mark: [divmod(cell, 9) for cell, found in enumerate(grid) if found == mark]
            for mark in "EO"
        }
        even, odd = ([(row + 1, column + 1) for row, column in marked[mark]] for mark in "EO")
        return layouts.even_odd(even, odd)

    return Puzzle(layout, grid.replace("E", ".").replace("O", "."), solution)


def overlap(layout: Callable[[], Layout]) -> Callable[[list[str]], Puzzle]:
    """Grids that overlap: the same ones in the whole list."""
    made = layout()

    def read(fields: list[str]) -> Puzzle:
        grid, *solution = fields[2:]
        return Puzzle(lambda: made, grid, solution[0].replace("#", "") if solution else None)

    return read


READERS: dict[str, Callable[[], Callable[[list[str]], Puzzle]]] = {
    "royle17": lambda: square,
    "magictour": lambda: square,
    "hardest": lambda: square,
    "sudoku16": lambda: square,
    "sudoku25": lambda: square,
    "sukaku": lambda: sukaku,
    "jigsaw": lambda: jigsaw,
    "killer": lambda: killer,
    "evenodd": lambda: even_odd,
    "samurai": lambda: overlap(layouts.samurai),
    "sohei": lambda: overlap(layouts.sohei),
    "windmill": lambda: overlap(layouts.windmill),
    "butterfly": lambda: overlap(layouts.butterfly),
    "gattai8": lambda: overlap(layouts.gattai8),
    "shogun": lambda: overlap(layouts.shogun),
}


def reader_of(path: Path) -> Callable[[list[str]], Puzzle] | None:
    """How the lines of a list are read; None if the format is unknown."""
    for name, make in READERS.items():
        if path.name.startswith(name):
            return make()
    return None


def read(path: Path) -> Iterator[Puzzle]:
    """The puzzles of a list."""
    reader = reader_of(path)
    if reader is None:
        raise SystemExit(f"{path.name}: not a list of a known kind: {', '.join(READERS)}")
    for line in path.read_text("utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield reader(line.split())


def run(puzzle: Puzzle, engine: str, timeout: float) -> Result:
    """Solves a puzzle, proves that there is no other solution, and compares."""
    started = time.process_time()
    layout = puzzle.layout()
    grid = sudoku.parse(puzzle.givens, layout)
    with sudoku.solutions(grid, limit=2, timeout=timeout, engine=engine) as search:
        found = list(search)
        seconds = time.process_time() - started
    for solution in found:
        if not solution.is_solved:
            raise SystemExit(f"no solution, says the checker: {solution!r} of {grid!r}")
    proved = len(found) == 1 and search.exhausted
    agreed = None if puzzle.solution is None else [g.line for g in found] == [puzzle.solution]
    return Result(bool(found), proved, agreed, search.stats.nodes, seconds)


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
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth puzzle")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N puzzles")
    options = parser.parse_args()
    paths = []
    for path in options.paths:
        inside = sorted(path.glob("*.txt")) if path.is_dir() else [path]
        paths += [one for one in inside if reader_of(one) is not None or not path.is_dir()]
    print(HEAD)
    failed = False
    for path in paths:
        puzzles = list(read(path))[:: options.every][: options.limit]
        results = [run(puzzle, options.engine, options.timeout) for puzzle in puzzles]
        if results:
            print(row(path.stem, results), flush=True)
        failed |= any(result.agreed is False or not result.solved for result in results)
    print(f"\n{dlx.kernel_info().compiler}, {dlx.kernel_info().simd}; engine {options.engine}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
