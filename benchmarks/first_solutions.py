"""First solutions: `solve` beside CaDiCaL and CP-SAT on problems drawn by a seed.

    python benchmarks/first_solutions.py [--seed 1] [--each 5] [--seconds 20] [--into FILE]

Families: boards of queens, quasigroups with holes, Langford pairs, exact covers of random options
of 3 and of 5 items, tilings by the pentominoes, and colorings of random graphs. A seed draws other
problems. Each is put to `auto`, to `auto` as it was without restarts, to CaDiCaL (`engine="sat"`)
and to CP-SAT (each primary item in exactly one option), if it is installed. CPU time of one thread,
building the solver's model included, up to `--seconds` each by the clock; the medians count those
that were stopped as the time that they had. "Found by" says which method of `auto` had the
solution, in how many problems.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from peers import machine

from dlx import Problem, SearchInterrupted, models
from dlx.plan import Thresholds

BEGIN, END = "<!-- first: begin -->", "<!-- first: end -->"


class Drawn(NamedTuple):
    """A problem of a family."""

    family: str
    name: str
    problem: Problem[Any]


def random_cover(rng: random.Random, items: int, size: int, options: int) -> Problem[Any]:
    """Random options of one size, among them a hidden solution."""
    order = rng.sample(range(items), items)
    hidden = [sorted(order[at : at + size]) for at in range(0, items, size)]
    drawn = [sorted(rng.sample(range(items), size)) for _ in range(options)]
    return Problem.from_options(rng.sample(hidden + drawn, len(hidden) + len(drawn)))


def random_graph(rng: random.Random, vertices: int, edges: int) -> list[tuple[int, int]]:
    """Distinct edges between vertices 0, 1, 2, ..."""
    pairs = [(u, v) for v in range(vertices) for u in range(v)]
    return rng.sample(pairs, edges)


def draw(seed: int, each: int) -> Iterator[Drawn]:
    """`each` problems of every family."""
    for number in range(each):
        rng = random.Random(f"first solutions {seed} {number}")
        n = rng.randint(40, 200)
        yield Drawn("queens", f"queens {n}", models.queens(n))
        n = rng.randint(30, 40)
        holes, drawn = round(n * n * rng.uniform(0.40, 0.44)), rng.randrange(10**6)
        yield Drawn(
            "quasigroups", f"quasigroup {n}, {holes} holes", models.quasigroup(n, holes, seed=drawn)
        )
        n = rng.choice([4 * k + r for k in range(5, 15) for r in (0, 3)])
        yield Drawn("Langford", f"Langford {n}", models.langford(n))
        yield Drawn("random, 3 items", "60 items, 300 options", random_cover(rng, 60, 3, 300))
        yield Drawn("random, 5 items", "70 items, 600 options", random_cover(rng, 70, 5, 600))
        vertices = rng.randint(60, 120)
        edges = round(vertices * rng.uniform(2.0, 2.2))
        graph = random_graph(rng, vertices, edges)
        yield Drawn("3-coloring", f"{vertices} vertices", models.graph_coloring(graph, 3))


def by_auto(problem: Problem[Any], seconds: float) -> str | None:
    """The method that had the answer; None if there was none in time."""
    search = problem.solutions(limit=1, timeout=seconds)
    for solution in search:
        problem.verify(solution)
        break
    else:
        if not search.exhausted:
            return None
    helpers = getattr(search._engine, "_helpers", [])
    return next((one.name for one in helpers if one.engine.stats.solutions), "in order")


def without_restarts(problem: Problem[Any], seconds: float) -> str | None:
    """The same, with the other methods only."""
    before, Thresholds.restarts = Thresholds.restarts, 10**18
    try:
        return by_auto(problem, seconds)
    finally:
        Thresholds.restarts = before


def by_sat(problem: Problem[Any], seconds: float) -> str | None:
    """Whether CaDiCaL decides it."""
    try:
        problem.solve(engine="sat", timeout=seconds)
    except SearchInterrupted:
        return None
    return "sat"


def by_cp_sat(problem: Problem[Any], seconds: float) -> str | None:
    """Whether CP-SAT decides it."""
    cp_model = import_module("ortools.sat.python.cp_model")
    model = cp_model.CpModel()
    options = list(problem.options)
    chosen = [model.new_bool_var("") for _ in options]
    covering: dict[Any, list[Any]] = {item: [] for item in (*problem.primary, *problem.secondary)}
    for variable, option in zip(chosen, options, strict=True):
        for item in option:
            covering[item].append(variable)
    for item in problem.primary:
        model.add_exactly_one(covering[item])
    for item in problem.secondary:
        model.add_at_most_one(covering[item])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = seconds
    return None if solver.solve(model) == cp_model.UNKNOWN else "cp-sat"


SOLVERS: dict[str, Callable[[Problem[Any], float], str | None]] = {
    "auto": by_auto,
    "without restarts": without_restarts,
    "CaDiCaL": by_sat,
    "CP-SAT": by_cp_sat,
}


def measure(problems: list[Drawn], seconds: float) -> dict[str, list[tuple[float, str | None]]]:
    """For each solver and problem, CPU seconds and who had the answer; solvers alternate."""
    results: dict[str, list[tuple[float, str | None]]] = {name: [] for name in SOLVERS}
    for drawn in problems:
        drawn.problem.plan("solve")  # numbers it, for all
        for name, solver in SOLVERS.items():
            began = time.process_time()
            try:
                answer = solver(drawn.problem, seconds)
            except ImportError:
                continue
            results[name].append((time.process_time() - began, answer))
        last = (f"{name} {times[-1][0]:.4f}" for name, times in results.items() if times)
        print(drawn.name, *last, sep=", ", file=sys.stderr)
    return results


def show(times: list[tuple[float, str | None]]) -> str:
    """The median and the longest of the times, and how many had no answer."""
    if not times:
        return "not installed"
    seconds = [one for one, _ in times]
    late = sum(answer is None for _, answer in times)
    text = f"{statistics.median(seconds) * 1e3:.3g} ms, {max(seconds):.3g} s"
    return f"{text}, {late} undecided" if late else text


def table(problems: list[Drawn], results: dict[str, list[tuple[float, str | None]]]) -> str:
    """A row for each family."""
    lines = [f"| family | problems | {' | '.join(results)} | found by |"]
    lines.append("|---|---:" + "|---" * (len(results) + 1) + "|")
    for family in dict.fromkeys(drawn.family for drawn in problems):
        chosen = [place for place, drawn in enumerate(problems) if drawn.family == family]
        rows = [[times[place] for place in chosen] if times else [] for times in results.values()]
        winners = Counter(answer for _, answer in rows[0])
        found = ", ".join(f"{name or 'none'} {count}" for name, count in winners.most_common())
        lines.append(f"| {family} | {len(chosen)} | {' | '.join(map(show, rows))} | {found} |")
    return "\n".join(lines)


def main() -> None:
    """Measures, and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=5, help="problems of each family")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--into", type=Path, help="a page; the table goes between two marks")
    options = parser.parse_args()
    problems = list(draw(options.seed, options.each))
    results = measure(problems, options.seconds)
    note = "Median and longest CPU time of one first solution; " + machine()
    text = f"{note}\n\n{table(problems, results)}"
    print(text)
    if options.into is not None:
        page = options.into.read_text(encoding="utf-8")
        head, rest = page.split(BEGIN)
        tail = rest.split(END)[1]
        options.into.write_text(f"{head}{BEGIN}\n{text}\n{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
