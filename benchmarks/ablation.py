"""What each variant of the compiled engine brings: each against the best of the others, in one run.

    python benchmarks/ablation.py [PART ...] [--instances NAME ...] [--rounds 5] [--limit 5]
                                  [--into benchmarks/results.md]

Parts, each of which makes a table:

    layouts    the layout of a state that `bits` chooses, against each other one that is possible
    simd       `bits` with each instruction set (DLX_SIMD)
    diagram    a diagram's live options as bits, against cells
    subtrees   `auto` with and without tables of subtrees

Each run is a process of its own, which repeats a search for 0.1 s of CPU time and reports the
fastest; in each round all variants take turns on an instance. The tables have medians of CPU time,
tables included, building the problem excluded, and medians of the ratios in the same round. What a
variant brings is how much longer the best of its alternatives takes. All variants must visit the
same nodes and find the same number of solutions: the script stops with an error if they do not.
Prints the tables; `--into` puts them into a page as well, between two marks. (`make bench-ablation`
is the whole thing.)
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from array import array
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import inf
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from instances import BY_NAME, interval_cover
from large import BY_NAME as LARGE
from measuring import place_of, put_into
from peers import machine, show_digits, show_time

from dlx import Problem, kernel_info, models
from dlx._kernel import EngineChoice
from dlx.core.arguments import UNLIMITED
from dlx.core.budget import Budget
from dlx.core.kernel import Problem as KernelProblem
from dlx.core.kernel import Search as KernelSearch

__all__ = ["main"]

HERE = Path(__file__).parent
LAYOUTS = (
    *("lanes8", "lanes16", "lanes32", "lanes64"),
    *("slices", "segments", "crossings", "counters", "scattered"),
)
REPEATED = 0.1  # seconds of CPU time
WORTH = 1.05  # the ratio from which on a variant is worth its code
SUDOKUS = "sudoku-17"


class Work(NamedTuple):
    """What to do: search `build()` for `limit` solutions, or up to `nodes` nodes."""

    build: Callable[[], Problem]
    limit: int = 2**40
    nodes: int = 2**60


def sudoku_board() -> Problem:
    """Sudoku as exact cover; digit d in row r and column c is option 81 r + 9 c + d."""
    return Problem.from_options(
        [("cell", r, c), ("row", r, d), ("column", c, d), ("box", r // 3, c // 3, d)]
        for r in range(9)
        for c in range(9)
        for d in range(9)
    )


MORE = {
    SUDOKUS: Work(sudoku_board),
    "latin-9": Work(lambda: models.latin_square(9), 1_000_000),
    "latin-30": Work(lambda: models.latin_square(30), 200_000),
    "latin-60": Work(lambda: models.latin_square(60), 200_000),
    "queens-40": Work(lambda: models.queens(40), 20_000),
    "langford-67": Work(lambda: models.langford(67), nodes=300_000),
    "random-dense-250": Work(lambda: models.random_exact_cover(250, 4000, 20, seed=1)),
    "random-dense-300": Work(
        lambda: models.random_exact_cover(300, 1500, 10, seed=1), nodes=300_000
    ),
    "dominoes-16x16": Work(lambda: models.dominoes(16, 16), 1_000_000),
    "dominoes-40x40": Work(lambda: models.dominoes(40, 40), 1_000_000),
    "dominoes-60x60": Work(lambda: models.dominoes(60, 60), 1_000_000),
    "intervals-400": Work(lambda: interval_cover(400, 10, seed=1), 1_000_000),
    "matchings-60": Work(lambda: models.matchings(60), 1_000_000),
    "words-5x5-1000": Work(LARGE["words-5x5-1000"].build, nodes=1_000_000),
}
SEARCHES = [
    *("latin-5", "dominoes-6x8", "coloring-petersen-6"),
    *("queens-12", "queens-14", "matchings-8"),
    *("langford-12", "random-3-uniform", "random-secondary"),
    *("random-4-uniform", "queens-40", "one-of-each-4"),
    *(SUDOKUS, "latin-9", "quasigroup-22-many", "quasigroup-30-first"),
    *("pentominoes-8x8-hole", "soma", "words-3x4", "words-4x5", "graceful-wheel-7"),
    *("random-dense-24", "intervals-40", "words-5x5-1000"),
    *("random-dense-250", "random-dense-300", "langford-67"),
]
DIAGRAMS = [
    *("pentominoes-3x20", "pentominoes-8x8-hole", "soma", "langford-12", "latin-5"),
    *("matchings-8", "random-dense-24", "random-dense-60", "random-4-uniform", "queens-12"),
    *("words-3x4", "words-4x5", "graceful-wheel-7"),
]
SUBTREES = [
    *("latin-30", "latin-60", "matchings-60", "dominoes-16x16", "dominoes-40x40"),
    *("dominoes-60x60", "intervals-400", "pentominoes-8x8-hole", "queens-14"),
]


class Variant(NamedTuple):
    """One way to do the work of an instance."""

    name: str
    engine: str  # "auto", "auto/whole", "bits/LAYOUT", "diagram/bits" or "diagram/cells"
    simd: str = ""


class Run(NamedTuple):
    """What a run reports."""

    seconds: float
    nodes: int
    updates: int
    solutions: int
    finished: bool


class Row(NamedTuple):
    """The runs of all variants on an instance, one for each round."""

    instance: str
    runs: dict[str, list[Run]]

    def work(self, name: str) -> Run:
        """Nodes and updates of a variant, which are the same in each round."""
        return self.runs[name][0]

    def seconds(self, name: str) -> float:
        """The median over all rounds."""
        return median(run.seconds for run in self.runs[name])

    def ratio(self, name: str, base: str) -> float:
        """How many times as long one variant takes as another: the median over all rounds."""
        both = zip(self.runs[name], self.runs[base], strict=True)
        return median(run.seconds / other.seconds for run, other in both)

    def text(self, name: str, base: str) -> str:
        """A cell of the table."""
        if not self.work(name).finished:
            return f"over {self.seconds(name):.0f} s"
        ratio = "" if name == base else f" ({show_digits(self.ratio(name, base))}x)"
        return f"{show_time(self.seconds(name))}{ratio}"

    def effort(self, name: str) -> str:
        """Nodes and updates as cells of the table."""
        return f"{self.work(name).nodes:,} | {self.work(name).updates:,}"


class Gain(NamedTuple):
    """The most that a variant brings on any instance of its part."""

    variant: str
    ratio: float
    instance: str
    alternative: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, and writes the tables."""
    options = _parse(arguments)
    if options.run:
        instance, engine = options.run
        print(json.dumps(_work(instance, engine, options.limit)))
        return 0
    parts = {"layouts": _layouts, "simd": _levels, "diagram": _diagrams, "subtrees": _subtrees}
    gains: list[Gain] = []
    tables = [parts[name](gains, options) for name in options.parts or list(parts)]
    text = "\n".join([_introduction(options.rounds), _summary(gains), *tables])
    print(text)
    if options.into is not None:
        put_into(options.into, "ablation", text)
    return 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help="(default: all)")
    parser.add_argument("--instances", nargs="+", metavar="NAME", help="(default: all of a part)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--limit", type=float, default=5, help="seconds of a run")
    parser.add_argument("--into", type=Path, help="a page that gets the tables")
    parser.add_argument("--run", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    for part in options.parts:
        if part not in ("layouts", "simd", "diagram", "subtrees"):
            parser.error(f"there is no part {part!r}; there are layouts, simd, diagram, subtrees")
    place = place_of("ablation")
    if options.into is not None and place.search(options.into.read_text("utf-8")) is None:
        parser.error(f"{options.into} has no place for the tables: {place.pattern}")
    return options


# -- a run, in a process of its own --------------------------------------------------------------


def _kernel_problem(instance: str) -> tuple[KernelProblem, Work]:
    work = MORE.get(instance)
    if work is None:
        known = BY_NAME[instance]
        work = Work(known.build, known.limit or 2**40)
    return work.build()._prepare(None).problem, work


def _work(instance: str, engine: str, limit: float) -> Run:
    """Repeats the work for a while, each time on a problem of its own. Returns the fastest run."""
    begin = time.process_time()
    runs: list[Run] = []
    while not runs or time.process_time() - begin < REPEATED:
        problem, work = _kernel_problem(instance)
        if engine.startswith("diagram"):
            runs.append(_diagram(problem, engine, limit))
        elif instance == SUDOKUS:
            runs.append(_sudokus(problem, engine))
        else:
            runs.append(_search(problem, engine, limit, work))
    return min(runs)


def _choice(engine: str) -> EngineChoice:
    kind, _, detail = engine.partition("/")
    if detail == "whole":
        return EngineChoice(kind, subtrees=False)
    return EngineChoice(kind, layout=detail or None)


def _search(problem: KernelProblem, engine: str, limit: float, work: Work) -> Run:
    begin = time.process_time()
    search = KernelSearch(problem, [], None, _choice(engine), "mrv")
    found = search.skip(Budget.of(work.limit, limit, nodes=work.nodes))
    seconds = time.process_time() - begin
    nodes, updates, *_ = search.stats
    finished = search.finished or found >= work.limit or nodes >= work.nodes
    return Run(seconds, nodes, updates, found, finished)


def _sudokus(problem: KernelProblem, engine: str) -> Run:
    """All puzzles of the list, ten times, each with proof that there is no other solution."""
    lines = [line for line in (HERE / "seventeen.txt").read_text().split() if len(line) == 81]
    sets = [
        [9 * cell + int(digit) - 1 for cell, digit in enumerate(line) if digit != "."]
        for line in lines
    ]
    start, option = array("i", [0]), array("i")
    for given in 10 * sets:
        option.extend(given)
        start.append(len(option))
    answers: list[Any] = []
    begin = time.process_time()
    batch = problem.batch(None, None, 2, False, inf, 1, _choice(engine), "mrv", UNLIMITED)
    batch.submit(start, option, 10 * [*sets], array("i"), array("i"))
    while batch.pending:
        batch.collect(answers)
    seconds = time.process_time() - begin
    nodes, updates, solutions, *_ = batch.stats
    return Run(seconds, nodes, updates, solutions, finished=True)


def _diagram(problem: KernelProblem, engine: str, limit: float) -> Run:
    begin = time.process_time()
    work = problem.diagram([], array("i"), 2**30, engine == "diagram/bits")
    finished = work.run(limit) == "finished"
    seconds = time.process_time() - begin
    tried, updates, _, nodes, _ = work.stats
    return Run(seconds, tried, updates, nodes, finished)


# -- rounds --------------------------------------------------------------------------------------


def _measure(instance: str, variants: Sequence[Variant], options: argparse.Namespace) -> Row:
    """Lets all variants take turns, round after round. Exits if their results differ."""
    print(f"{instance}: {', '.join(variant.name for variant in variants)}", file=sys.stderr)
    row = Row(instance, {variant.name: [] for variant in variants})
    for _ in range(options.rounds):
        for variant in variants:
            earlier = row.runs[variant.name]
            if earlier and not earlier[0].finished:
                earlier.append(earlier[0])  # once over the limit is enough
                continue
            command = [sys.executable, __file__, "--limit", str(options.limit)]
            environment = {**os.environ, **({"DLX_SIMD": variant.simd} if variant.simd else {})}
            done = subprocess.run(
                [*command, "--run", instance, variant.engine],
                stdout=subprocess.PIPE,
                check=True,
                text=True,
                env=environment,
            )
            earlier.append(Run(*json.loads(done.stdout)))
    finished = [run for runs in row.runs.values() for run in runs if run.finished]
    # Where solutions are only counted, one at a time, an instruction set may search another tree.
    results = {(0 if instance == SUDOKUS else run.nodes, run.solutions) for run in finished}
    if len(results) > 1:
        sys.exit(f"{instance}: the variants' nodes and solutions differ: {results}")
    return row


def _gain(row: Row, variant: str, others: Sequence[str], name: str = "") -> Gain:
    """How much longer the best of the others takes."""
    best = min(others, key=row.seconds)
    return Gain(name or variant, row.ratio(best, variant), row.instance, best)


# -- the tables ----------------------------------------------------------------------------------


def _layouts(gains: list[Gain], options: argparse.Namespace) -> str:
    lines = [
        "\n### Layouts of `bits`\n",
        "| instance | nodes | updates | the layout chosen | the best other | other layouts |",
        "|---|---:|---:|---:|---:|---|",
    ]
    for instance in options.instances or SEARCHES:
        problem, _ = _kernel_problem(instance)
        chosen = problem.bits_layout("bits")
        possible = [
            name for name in LAYOUTS if problem.bits_layout(_choice(f"bits/{name}")) == name
        ]
        variants = [Variant(name, f"bits/{name}") for name in possible]
        row = _measure(instance, variants, options)
        others = sorted((name for name in possible if name != chosen), key=row.seconds)
        if not others:
            continue
        gains.append(_gain(row, chosen, others))
        cells = [f"{name} {row.text(name, chosen)}" for name in others]
        lines.append(
            f"| {instance} | {row.effort(chosen)} | {chosen} {row.text(chosen, chosen)} "
            f"| {cells[0]} | {', '.join(cells[1:])} |"
        )
    return "\n".join(lines) + "\n"


def _levels(gains: list[Gain], options: argparse.Namespace) -> str:
    levels = kernel_info().simd_levels
    base = levels[0]
    lines = [
        "\n### Instruction sets\n",
        f"| instance | layout | nodes | updates | {' | '.join(levels)} |",
        f"|---|---|---:|---:|{'---:|' * len(levels)}",
    ]
    for instance in options.instances or SEARCHES:
        problem, _ = _kernel_problem(instance)
        row = _measure(instance, [Variant(level, "bits", level) for level in levels], options)
        for level, slower in pairwise(levels):
            gains.append(_gain(row, level, [slower]))
        cells = [row.text(level, base) for level in levels]
        lines.append(
            f"| {instance} | {problem.bits_layout('bits')} | {row.effort(base)} "
            f"| {' | '.join(cells)} |"
        )
    return "\n".join(lines) + "\n"


def _diagrams(gains: list[Gain], options: argparse.Namespace) -> str:
    variants = Variant("bits", "diagram/bits"), Variant("cells", "diagram/cells")
    rows = [_measure(name, variants, options) for name in options.instances or DIAGRAMS]
    gains.extend(_gain(row, "bits", ["cells"], "diagram: bits") for row in rows)
    return _table_of_two("A diagram's live options", rows, "bits", "cells")


def _subtrees(gains: list[Gain], options: argparse.Namespace) -> str:
    variants = Variant("with", "auto"), Variant("without", "auto/whole")
    rows = [_measure(name, variants, options) for name in options.instances or SUBTREES]
    gains.extend(_gain(row, "with", ["without"], "tables of subtrees") for row in rows)
    return _table_of_two("Tables of subtrees", rows, "with", "without")


def _table_of_two(title: str, rows: Sequence[Row], one: str, other: str) -> str:
    """The table of a variant and its only alternative."""
    lines = [
        f"\n### {title}\n",
        f"| instance | nodes | updates, {one} | updates, {other} | {one} | {other} |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row.instance} | {row.effort(one)} | {row.work(other).updates:,} "
        f"| {row.text(one, one)} | {row.text(other, one)} |"
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def _introduction(rounds: int) -> str:
    return (
        f"Median CPU time of {rounds} rounds, tables included; in brackets the median ratio in the "
        "same round.\n"
        f"{machine()}, Python {platform.python_version()}, {kernel_info().compiler}.\n"
    )


def _summary(gains: Sequence[Gain]) -> str:
    """The best instance of each variant."""
    lines = [
        "| variant | brings at most | on | the best alternative | worth it |",
        "|---|---:|---|---|---|",
    ]
    for variant in dict.fromkeys(gain.variant for gain in gains):
        best = max((gain for gain in gains if gain.variant == variant), key=lambda it: it.ratio)
        worth = "yes" if best.ratio >= WORTH else "**no**"
        lines.append(
            f"| {variant} | {100 * (best.ratio - 1):.0f}% | {best.instance} | {best.alternative} "
            f"| {worth} |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
