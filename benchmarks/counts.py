"""Numbers of solutions: `count()` beside Ganak, the winner of the Model Counting Competition.

    python benchmarks/counts.py [NAME ...] [--rounds 3] [--seconds 30]
                                [--environment .venv-peers] [--into benchmarks/results.md]

Ganak counts assignments of the options' variables (its sampling set) that satisfy the clauses which
`problem.dump("problem.cnf")` writes. It is in the environment of the peers, which is made when it
is missing. Each run is a process of its own with a limit of CPU time, and in each round both take
turns on a problem; a run that is over the limit is not repeated. Times are those of the count,
tables and clauses included, reading left out. The exit status is 1 if the answers of a problem
differ.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from math import exp, log
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from drawn import (
    cubic_graph,
    edge_matching,
    kakuro,
    nonogram,
    one_factorizations,
    partitioning,
    random_cover,
    random_graph,
    random_tree,
    sudoku_with_holes,
)
from instances import BY_NAME, grid_graph, interval_cover
from measuring import make_environment, put_into
from multiplicity_instances import FAMILIES as WITH_MULTIPLICITIES
from multiplicity_instances import factors
from native import run_process
from peers import machine, show_count, show_digits, show_time

from dlx import Problem, models

__all__ = ["PROBLEMS", "main"]

HERE = Path(__file__).parent
SHORTEST = 1e-6  # seconds; where the processor is shared, its clock may stand still for a while


def _drawn(build: Callable[..., Problem[Any]], *sizes: float) -> Callable[[], Problem[Any]]:
    """The builder of a problem drawn by the seed 1."""
    return lambda: build(random.Random(1), *sizes)


def _packing(rng: random.Random) -> Problem[Any]:
    return Problem.packing([rng.sample(range(60), 4) for _ in range(60)])


def _covering(rng: random.Random) -> Problem[Any]:
    return Problem.covering([rng.sample(range(40), 6) for _ in range(30)])


def _of_graph(build: Callable[..., Problem[Any]], vertices: int) -> Callable[[], Problem[Any]]:
    return lambda: build(cubic_graph(random.Random(1), vertices))


PROBLEMS: dict[str, Callable[[], Problem[Any]]] = {
    "queens 8": lambda: models.queens(8),
    "queens 12": lambda: models.queens(12),
    "dominoes 8x8": lambda: models.dominoes(8, 8),
    "dominoes 12x12": lambda: models.dominoes(12, 12),
    "Langford 8": lambda: models.langford(8),
    "Langford 11": lambda: models.langford(11),
    "Latin squares of order 5": lambda: models.latin_square(5),
    "quasigroup of order 14, 90 holes": lambda: models.quasigroup(14, 90, seed=1),
    "quasigroup of order 20, 150 holes": lambda: models.quasigroup(20, 150, seed=1),
    "Sudoku, 53 open cells": _drawn(sudoku_with_holes, 3, 0.66),
    "Sudoku, 61 open cells": _drawn(sudoku_with_holes, 3, 0.75),
    "Sudoku 16x16, 128 open cells": _drawn(sudoku_with_holes, 4, 0.5),
    "pentominoes 3x20": lambda: models.pentominoes(3, 20),
    "packings of five tetrominoes in 5x5": lambda: models.polyominoes(
        list(models.TETROMINOES), models.box(5, 5), optional=models.box(5, 5)
    ),
    "one-factorizations of K8": lambda: one_factorizations(8),
    "perfect matchings, cubic, 60 vertices": _of_graph(models.perfect_matchings, 60),
    "perfect matchings, cubic, 100 vertices": _of_graph(models.perfect_matchings, 100),
    "kakuro 8x8": _drawn(kakuro, 8),
    "kakuro 10x10": _drawn(kakuro, 10),
    "words 3x4": BY_NAME["words-3x4"].build,
    "nonogram 15x15": _drawn(nonogram, 15, 15, 0.45),
    "edge matching 5x5": _drawn(edge_matching, 5, 4),
    "graceful wheel of 6": lambda: models.graceful_labeling(models.wheel_graph(6)),
    "6-colorings, Petersen": BY_NAME["coloring-petersen-6"].build,
    "3-colorings, 60 vertices, 110 edges": lambda: models.graph_coloring(
        random_graph(random.Random(1), 60, 110), 3
    ),
    "3-colorings, cubic, 60 vertices": lambda: models.graph_coloring(
        cubic_graph(random.Random(1), 60), 3
    ),
    "colored covers": lambda: models.random_exact_cover(45, 250, 3, 1, secondary=10, colors=3),
    "covers by 3 of 30 items": _drawn(random_cover, 30, 3, 200),
    "covers by 3 of 120 items": _drawn(random_cover, 120, 3, 200),
    "set partitioning, 40 items": _drawn(partitioning, 40, 300),
    "intervals, 40 items": lambda: interval_cover(40, 10, seed=1),
    "packings of 60 items": _drawn(_packing),
    "coverings of 40 items": _drawn(_covering),
    "two-factors of K8": lambda: factors(8, 2),
    "two-factors of K10": WITH_MULTIPLICITIES["two-factors-K10"].build,
    "0-1 matrices 6x6, sums 3": WITH_MULTIPLICITIES["matrices-6x6-3"].build,
    "0-1 matrices 4x5, bounds": WITH_MULTIPLICITIES["tables-4x5"].build,
    "queen domination 7, 4": WITH_MULTIPLICITIES["queen-domination-7-4"].build,
    "dominating sets, grid 8x8": lambda: models.dominating_sets(grid_graph(8, 8)),
    "dominating sets, cubic, 50 vertices": _of_graph(models.dominating_sets, 50),
    "vertex covers, tree, 1000 vertices": lambda: models.vertex_covers(
        random_tree(random.Random(1), 1000)
    ),
    "vertex covers, cubic, 60 vertices": _of_graph(models.vertex_covers, 60),
    "vertex covers, cubic, 100 vertices": _of_graph(models.vertex_covers, 100),
    "vertex covers, cubic, 140 vertices": _of_graph(models.vertex_covers, 140),
}
"""The problems by name; those that are drawn, by the seed 1."""


class Times(NamedTuple):
    """What a counter did on a problem: seconds of each round; the answer, or why there is none."""

    seconds: list[float]
    answer: int | None = None
    trouble: str | None = None

    def text(self) -> str:
        """The cell of the table."""
        return self.trouble or show_time(median(self.seconds))


def measure(problem: Problem[Any], python: Path, rounds: int, seconds: int) -> tuple[Times, Times]:
    """`count()` and Ganak, round by round."""
    with tempfile.TemporaryDirectory() as folder:
        files = {"ours": Path(folder, "problem.json"), "ganak": Path(folder, "problem.cnf")}
        for file in files.values():
            problem.dump(file)
        pythons = {"ours": sys.executable, "ganak": str(python)}
        told = {name: Times([]) for name in files}
        for _ in range(rounds):
            for name, file in files.items():
                if told[name].trouble is None:
                    command = [pythons[name], str(HERE / "counts_worker.py"), name, str(file)]
                    told[name] = _run(told[name], command, file, seconds)
    return told["ours"], told["ganak"]


def _run(before: Times, command: Sequence[str], file: Path, seconds: int) -> Times:
    """The times with those of one more run."""
    run = run_process(command, file, seconds)
    if run.trouble is not None:
        return Times([seconds] if run.is_over else [], None, run.trouble)
    outcome = json.loads(run.output.strip().split("\n")[-1])
    return Times([*before.seconds, outcome["seconds"]], outcome["answer"])


def row(name: str, problem: Problem[Any], ours: Times, ganak: Times) -> tuple[str, float | None]:
    """A line of the table, and Ganak's time over ours if both have an answer."""
    answer = next((one.answer for one in (ours, ganak) if one.answer is not None), None)
    both = ours.answer is not None and ganak.answer is not None
    ratio, text = None, ""
    if ours.seconds and ganak.seconds and answer is not None:
        ratio = median(ganak.seconds) / max(median(ours.seconds), SHORTEST)
        sign = "" if both else ">" if ganak.answer is None else "<"
        text = f"{sign}{show_digits(ratio)}x"
    if both and ours.answer != ganak.answer:
        text = f"**they differ: {ours.answer} and {ganak.answer}**"
    cells = [name, str(len(problem)), "?" if answer is None else show_count(answer)]
    return f"| {' | '.join([*cells, ours.text(), ganak.text(), text])} |", ratio if both else None


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, and prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="(default: all)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=30, help="CPU seconds of a run")
    parser.add_argument("--environment", type=Path, default=HERE.parent / ".venv-peers")
    parser.add_argument("--into", type=Path, help="a page; the table goes between two marks")
    options = parser.parse_args(arguments)
    for name in options.names:
        if name not in PROBLEMS:
            parser.error(f"there is no problem {name!r}; there are {', '.join(PROBLEMS)}")
    python = make_environment(options.environment)
    lines = ["| problem | options | solutions | `count()` | Ganak | Ganak / `count()` |"]
    lines.append("|---|---:|---:|---:|---:|---:|")
    ratios = []
    wrong = False
    for name in options.names or PROBLEMS:
        problem = PROBLEMS[name]()
        ours, ganak = measure(problem, python, options.rounds, options.seconds)
        line, ratio = row(name, problem, ours, ganak)
        print(line, file=sys.stderr, flush=True)
        lines.append(line)
        if ratio is not None:
            wrong |= ours.answer != ganak.answer
            ratios.append(log(ratio))
    if ratios:
        mean = f"{show_digits(exp(sum(ratios) / len(ratios)))}x of {len(ratios)}"
        lines.append(f"| **geometric mean where both have an answer** | | | | | {mean} |")
    note = (
        f"CPU time, median of {options.rounds} rounds of at most {options.seconds} s; {machine()}"
    )
    text = "\n".join([f"{note}.\n", *lines])
    print(text)
    if options.into is not None:
        put_into(options.into, "counts", text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
