"""First solutions: `solve` beside CaDiCaL and CP-SAT on problems drawn by a seed.

    python benchmarks/first_solutions.py [--seed 1] [--each 5] [--seconds 20] [--into FILE]
        [--family NAME ...] [--solver NAME ...]
    python benchmarks/first_solutions.py --untuned 100 [--seed 1] [--seconds 10] [--into FILE]

Families: boards of queens, quasigroups with holes, Langford pairs, exact covers of random options
of 3 and of 5 items, colorings of random graphs, nonograms of 18 x 18, and crosswords: symmetric
grids of 13 x 13 and of 15 x 15 with 58 and with 74 words, out of 73 100 that a Markov chain makes
of the words in docs/. A seed draws other problems. Each is put to `auto`, to `auto` without
restarts and propagation, to CaDiCaL (`engine="sat"`) and to CP-SAT (each primary item in exactly
one option, each secondary one in one color), if it is installed. CPU time of one thread, with
building the solver's model (and for `auto`, which is first, tables that the others share), up to
`--seconds` each by the clock; the medians count those that were stopped as the time that they had.
"Found by" says which method of `auto` had the answer, in how many problems.

`--untuned` draws that many problems of twenty other families (`drawn.py`), for none of which
anything was chosen, and puts them to `auto` alone. A row for each method that had an answer first,
a solution or that there is none: how many, and the CPU time, of which they have `--seconds`.
"""

from __future__ import annotations

import argparse
import random
import signal
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from drawn import Drawn, crossword, draw_many, nonogram, random_cover, random_graph
from measuring import put_into
from peers import machine, show_time

from dlx import Colored, Problem, SearchInterrupted, models
from dlx.plan import Thresholds


def draw(seed: int, each: int, families: Sequence[str]) -> Iterator[Drawn]:
    """`each` problems of every family; crosswords only of those that are named, if any are."""
    for number in range(each):
        for size, words, black in ((13, 58, 30), (15, 74, 40)):
            family = f"crossword {size}"
            if not families or family in families:
                rng = random.Random(f"{family} {seed} {number}")
                yield Drawn(
                    family, f"{family}, {words} words", crossword(rng, size, words, black, seed)
                )
        rng = random.Random(f"nonogram {seed} {number}")
        picture = nonogram(rng, 18, 18, rng.uniform(0.45, 0.5))
        yield Drawn("nonogram 18", f"{len(picture)} patterns", picture)
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


def by_auto(problem: Problem[Any], seconds: float | None = None) -> str | None:
    """The method that had the answer; None if there was none in time."""
    search = problem.solutions(limit=1, timeout=seconds)
    solution = next(search, None)
    if solution is not None:
        problem.verify(solution)
    elif not search.exhausted:
        return None
    helpers = getattr(search._engine, "_helpers", [])
    for one in helpers:
        if one.engine.stats.solutions or one.finished:
            return str(one.name)
    certificates = set(search.stats.helpers).difference(one.name for one in helpers)
    return "certificates" if certificates else "in order"


def without_restarts(problem: Problem[Any], seconds: float) -> str | None:
    """The same, with the other methods than restarts and propagation only."""
    before = Thresholds.restarts, Thresholds.propagation
    Thresholds.restarts = Thresholds.propagation = 10**18
    try:
        return by_auto(problem, seconds)
    finally:
        Thresholds.restarts, Thresholds.propagation = before


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
    has: dict[Colored, Any] = {}  # does the item have the color?
    for variable, option in zip(chosen, options, strict=True):
        for item in option:
            if not isinstance(item, Colored):
                covering[item].append(variable)
                continue
            if item not in has:
                has[item] = model.new_bool_var("")
                covering[item.item].append(has[item])
            model.add_implication(variable, has[item])
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
    "without both": without_restarts,
    "CaDiCaL": by_sat,
    "CP-SAT": by_cp_sat,
}


def measure(
    problems: Iterable[Drawn], seconds: float, solvers: Sequence[str]
) -> tuple[list[str], dict[str, list[tuple[float, str | None]]]]:
    """For each solver and problem, CPU seconds and who had the answer; solvers alternate.

    The first result has the families of the problems.
    """
    families = []
    results: dict[str, list[tuple[float, str | None]]] = {name: [] for name in solvers}
    for drawn in problems:
        families.append(drawn.family)
        drawn.problem.plan("solve")  # numbers it, for all
        for name in solvers:
            began = time.process_time()
            try:
                answer = SOLVERS[name](drawn.problem, seconds)
            except ImportError:
                continue
            results[name].append((time.process_time() - began, answer))
        last = (f"{name} {times[-1][0]:.4f}" for name, times in results.items() if times)
        print(drawn.name, *last, sep=", ", file=sys.stderr)
    return families, results


def show(times: list[tuple[float, str | None]]) -> str:
    """The median and the longest of the times, and how many had no answer."""
    if not times:
        return "not installed"
    seconds = [one for one, _ in times]
    late = sum(answer is None for _, answer in times)
    text = f"{show_time(statistics.median(seconds))}, {show_time(max(seconds))}"
    return f"{text}, {late} undecided" if late else text


def table(families: list[str], results: dict[str, list[tuple[float, str | None]]]) -> str:
    """A row for each family."""
    lines = [f"| family | problems | {' | '.join(results)} | found by |"]
    lines.append("|---|---:" + "|---" * (len(results) + 1) + "|")
    for family in dict.fromkeys(families):
        chosen = [place for place, other in enumerate(families) if other == family]
        rows = [[times[place] for place in chosen] if times else [] for times in results.values()]
        winners = Counter(answer for _, answer in rows[0])
        found = ", ".join(f"{name or 'none'} {count}" for name, count in winners.most_common())
        lines.append(f"| {family} | {len(chosen)} | {' | '.join(map(show, rows))} | {found} |")
    return "\n".join(lines)


def _late(*_: object) -> None:
    raise TimeoutError


def untuned(problems: Iterable[Drawn], seconds: float) -> str:
    """A row for each method that had answers of `auto`, and one for all problems."""
    told: dict[str | None, list[tuple[float, str]]] = {}
    signal.signal(signal.SIGPROF, _late)
    for drawn in problems:
        drawn.problem.plan("solve")
        began = time.process_time()
        try:
            signal.setitimer(signal.ITIMER_PROF, seconds)
            answer = by_auto(drawn.problem)
        except TimeoutError:
            answer = None
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        spent = time.process_time() - began
        told.setdefault(answer, []).append((spent, drawn.family))
        print(f"{drawn.name}, {answer}, {spent:.4f}", file=sys.stderr)
    lines = ["| first answer by | problems | share | median | 90 % within | longest | families |"]
    lines.append("|---|---:|---:|---:|---:|---:|---|")
    every = [one for some in told.values() for one in some]
    rows = sorted(told.items(), key=lambda row: (row[0] is None, -len(row[1])))
    for name, some in [*rows, ("all", every)]:
        times = sorted(spent for spent, _ in some)
        within = times[-(-9 * len(times) // 10) - 1]
        families = Counter(family for _, family in some).most_common()
        text = ", ".join(f"{family} {count}" for family, count in families)
        cells = [name or f"undecided in {seconds:g} s", str(len(some))]
        cells += [f"{100 * len(some) / len(every):.0f} %", show_time(statistics.median(times))]
        cells += [show_time(within), show_time(times[-1]), "" if name == "all" else text]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Measures, and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=5, help="problems of each family")
    parser.add_argument("--seconds", type=float, help="(default: 20; 10 with --untuned)")
    parser.add_argument("--into", type=Path, help="a page; the table goes between two marks")
    parser.add_argument("--family", action="append", default=[], help="only this one")
    parser.add_argument("--solver", action="append", choices=SOLVERS, help="only this one")
    parser.add_argument("--untuned", type=int, metavar="N", help="N problems of many families")
    options = parser.parse_args()
    if options.untuned:
        problems = draw_many(options.seed, options.untuned)
        rows = untuned(problems, options.seconds or 10)
        note = "CPU time of one answer, without building the problem"
    else:
        chosen = options.family
        drawn = draw(options.seed, options.each, chosen)
        problems = (one for one in drawn if not chosen or one.family in chosen)
        measured = measure(problems, options.seconds or 20, options.solver or [*SOLVERS])
        rows = table(*measured)
        note = "Median and longest CPU time of one first solution"
    text = f"{note}; {machine()}\n\n{rows}"
    print(text)
    if options.into is not None:
        put_into(options.into, "untuned" if options.untuned else "first", text)


if __name__ == "__main__":
    main()
