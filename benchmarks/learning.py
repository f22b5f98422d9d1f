"""When to search and when to learn: plain search, weighted search and the SAT solver, side by side.

    python benchmarks/learning.py                        the table of docs/searching-or-learning.md
    python benchmarks/learning.py NAME ...               some of its rows
    python benchmarks/learning.py --hexadoku FILE        how many puzzles of 16x16 each decides

Each question - one solution, or whether there is just one - is put to `auto` as it searches without
the SAT solver, to the same with `heuristic="weighted"`, to `engine="sat"`, and to `auto` as it is;
tables and clauses are part of the time, which is that of the processor. `--seconds` is the limit
for each, by the clock.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from instances import BY_NAME, mycielski_graph

import dlx
import sudoku
from dlx import Problem, models
from dlx.analysis.solutions import open_engine
from dlx.core.budget import Budget
from dlx.plan import make_plan
from dlx.search.options import SearchOptions


class Row(NamedTuple):
    """A question: the first solution (`limit` 1), or whether there are two."""

    name: str
    build: Callable[[], Problem]
    limit: int


def _of_set(name: str, limit: int = 1) -> Row:
    return Row(name, BY_NAME[name].build, limit)


def pigeons(holes: int) -> Problem:
    """One pigeon more than holes."""
    return Problem.from_options(
        [[("pigeon", i), ("hole", j)] for i in range(holes + 1) for j in range(holes)],
        secondary=[("hole", j) for j in range(holes)],
    )


def behind_coins(holes: int, coins: int) -> Problem:
    """The same, after `coins` independent choices between two options."""
    tosses = [[("coin", i)] for i in range(coins) for _ in range(2)]
    return Problem.from_options(
        [*tosses, *pigeons(holes).options], secondary=[("hole", j) for j in range(holes)]
    )


def mutilated(side: int) -> Problem:
    """Dominoes on a board without two opposite corners."""
    squares = {(r, c) for r in range(side) for c in range(side)} - {(0, 0), (side - 1, side - 1)}
    across = [[(r, c), (r, c + 1)] for r, c in sorted(squares) if (r, c + 1) in squares]
    down = [[(r, c), (r + 1, c)] for r, c in sorted(squares) if (r + 1, c) in squares]
    return Problem.from_options(across + down)


ROWS = [
    # one solution among few: quasigroups with holes, near where they are hardest
    _of_set("quasigroup-22"),
    _of_set("quasigroup-30-first"),
    *(
        Row(
            f"quasigroup-{side} with {holes} holes, seed {seed}",
            partial(models.quasigroup, side, holes, seed=seed),
            1,
        )
        for side, holes, seed in [(30, 380, 1), (33, 420, 1), (33, 440, 2), (36, 520, 1)]
    ),
    _of_set("random-dense-60", 2),
    _of_set("random-4-uniform"),
    # one of many
    _of_set("pentominoes-6x10"),
    _of_set("soma"),
    _of_set("words-4x5"),
    _of_set("graceful-wheel-8"),
    Row("queens-30", lambda: models.queens(30), 1),
    Row("queens-60", lambda: models.queens(60), 1),
    Row("langford-24", lambda: models.langford(24), 1),
    _of_set("intervals-first"),
    _of_set("forced-100k", 2),
    # none at all
    Row("langford-10, none", lambda: models.langford(10), 1),
    _of_set("langford-13"),
    _of_set("coloring-mycielski-4"),
    Row("mycielski-6 in 5 colors", lambda: models.graph_coloring(mycielski_graph(6), 5), 1),
    Row("pigeons 9 in 8 holes", lambda: pigeons(8), 1),
    Row("pigeons 11 in 10 holes", lambda: pigeons(10), 1),
    Row("pigeons 6 in 5 holes behind 40 coins", lambda: behind_coins(5, 40), 1),
    Row("dominoes 8x8, mutilated", lambda: mutilated(8), 1),
    _of_set("random-unsatisfiable"),
]


class Told(NamedTuple):
    """How long an answer took, how many nodes; and the answer, None if there was no time."""

    seconds: float
    stats: dlx.Stats
    solutions: int | None


def ask(problem: Problem, limit: int, seconds: float, **search: Any) -> Told:
    """Looks for up to `limit` solutions."""
    turning = search.pop("turning", False)
    began = time.process_time()
    options = SearchOptions(**search)
    asked = problem._input(options)
    plan = make_plan("solve" if turning else "solutions", asked, options)
    engine, _ = open_engine(asked, options, plan)
    solutions = engine.skip(Budget.of(limit, seconds))
    taken = time.process_time() - began
    late = solutions < limit and not engine.finished
    stats = engine.stats
    engine.close()
    return Told(taken, stats, None if late else solutions)


HOW: dict[str, dict[str, Any]] = {
    "search": {"engine": "auto"},
    "weighted": {"engine": "auto", "heuristic": "weighted"},
    "sat": {"engine": "sat"},
    "auto": {"engine": "auto", "turning": True},
}


def table(rows: Sequence[Row], seconds: float) -> None:
    """Prints a line of Markdown for each row."""
    print("| question | answer | search | nodes | weighted | nodes | sat | conflicts | auto |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|")
    for row in rows:
        told = {name: ask(row.build(), row.limit, seconds, **how) for name, how in HOW.items()}
        answers = {one.solutions for one in told.values() if one.solutions is not None}
        if len(answers) > 1:
            sys.exit(f"{row.name}: the answers differ: {answers}")
        answer = _answer(row.limit, answers.pop() if answers else None)
        pure = [one for name, one in told.items() if name != "auto"]
        best = min((one.seconds for one in pure if one.solutions is not None), default=0.0)
        cells = []
        for name, one in told.items():
            work = one.stats.conflicts if name == "sat" else one.stats.nodes
            time_ = ("over " if one.solutions is None else "") + _time(one.seconds)
            bold = "**" if one.seconds == best else ""
            cells += [f"{bold}{time_}{bold}", f"{work:,}"][: 1 if name == "auto" else 2]
        print(f"| {row.name} | {answer} | {' | '.join(cells)} |", flush=True)


def _answer(limit: int, solutions: int | None) -> str:
    if solutions is None:
        return "?"
    if limit == 1:
        return ("none", "one")[solutions]
    return ("none", "unique", "several")[solutions]


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


def hexadoku(path: Path, seconds: float) -> None:
    """How many puzzles are solved, and proved to be unique, by each within the limit."""
    lines = path.read_text().splitlines()
    grids = [sudoku.parse(line.split()[0]) for line in lines if line and line[0] != "#"]
    print("| | solved | median | slowest | nodes, median | unique | median |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name, how in HOW.items():
        cells = [name]
        for limit in (1, 2):
            told = [_ask_grid(grid, limit, seconds, how) for grid in grids]
            done = sorted(one.seconds for one in told if one.solutions is not None)
            median = sorted(one.seconds for one in told)[len(told) // 2]
            cells += [f"{len(done)} of {len(told)}", _time(median)]
            if limit == 1:
                nodes = sorted(one.stats.nodes for one in told)
                cells += [_time(done[-1]), f"{nodes[len(nodes) // 2]:,}"]
        print(f"| {' | '.join(cells)} |", flush=True)


def _ask_grid(grid: sudoku.Grid, limit: int, seconds: float, how: dict[str, Any]) -> Told:
    problem = sudoku.cover(grid.layout)
    side = grid.layout.side
    given = [
        (place // side + 1, place % side + 1, digit)
        for place, digit in enumerate(grid.cells)
        if digit
    ]
    return ask(problem, limit, seconds, given=given, **how)


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--hexadoku", type=Path, metavar="FILE")
    parser.add_argument("--seconds", type=float, default=10)
    words = parser.parse_args()
    if words.hexadoku is not None:
        hexadoku(words.hexadoku, words.seconds)
    else:
        table([row for row in ROWS if not words.names or row.name in words.names], words.seconds)


if __name__ == "__main__":
    main()
