"""First solutions: `solve` beside CaDiCaL and CP-SAT on problems drawn by a seed.

    python benchmarks/first_solutions.py [--seed 1] [--each 5] [--seconds 20] [--into FILE]
        [--family NAME ...] [--solver NAME ...]

Families: boards of queens, quasigroups with holes, Langford pairs, exact covers of random options
of 3 and of 5 items, colorings of random graphs, and crosswords: symmetric grids of 13 x 13 and of
15 x 15 with 58 and with 74 words, out of 73 100 that a Markov chain makes of the words in docs/. A
seed draws other problems. Each is put to `auto`, to `auto` without restarts and propagation, to
CaDiCaL (`engine="sat"`) and to CP-SAT (each primary item in exactly one option, each secondary one
in one color), if it is installed. CPU time of one thread, with building the solver's model (and for
`auto`, which is first, tables that the others share), up to `--seconds` each by the clock; the
medians count those that were stopped as the time that they had. "Found by" says which method of
`auto` had the solution, in how many problems.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from peers import machine, show_time

from dlx import Colored, Problem, SearchInterrupted, colored, models
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


OF_LENGTH = (900, 3000, 5500, 8500, 11000, 11500, 10500, 8500, 6000, 4000, 2200, 1000, 500)
WORDS = dict(enumerate(OF_LENGTH, start=3))
"""How many words of each length: about as in an English list of that size."""

Cell = tuple[int, int]


@cache
def drawn_words(seed: int) -> dict[int, list[str]]:
    """Distinct words by length, each letter drawn by the two before it."""
    rng = random.Random(f"words {seed}")
    after: dict[str, list[str]] = defaultdict(list)
    docs = Path(__file__).parents[1] / "docs"
    texts = [page.read_text(encoding="utf-8") for page in sorted(docs.glob("*.md"))]
    for word in sorted({word for text in texts for word in re.findall("[a-z]{2,}", text)}):
        padded = f"^^{word}$"
        for at in range(len(word) + 1):
            after[padded[at : at + 2]].append(padded[at + 2])
    found: dict[int, dict[str, None]] = {length: {} for length in WORDS}
    while any(len(found[length]) < wanted for length, wanted in WORDS.items()):
        word = "^^"
        while len(word) < 18 and (letter := rng.choice(after[word[-2:]])) != "$":
            word += letter
        length = len(word) - 2
        if len(found.get(length, ())) < WORDS.get(length, 0):
            found[length][word[2:]] = None
    return {length: list(words) for length, words in found.items()}


def runs(white: set[Cell], size: int) -> list[list[Cell]]:
    """The maximal runs of white cells, across and then down."""
    found = []
    for down in (False, True):
        for line in range(size):
            cells = [(at, line) if down else (line, at) for at in range(size)]
            text = "".join(".#"[cell not in white] for cell in cells)
            found += [cells[run.start() : run.end()] for run in re.finditer(r"\.+", text)]
    return found


def is_connected(white: set[Cell]) -> bool:
    """Whether a path of white cells joins any two of them."""
    reached = {min(white)}
    waiting = [*reached]
    while waiting:
        row, column = waiting.pop()
        beside = {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)}
        new = beside & white - reached
        reached |= new
        waiting += new
    return reached == white


def crossword_grid(rng: random.Random, size: int, words: int, black: int) -> list[list[Cell]]:
    """The runs of a grid that a half turn keeps: `words` to `words` + 2, of 3 to 11 cells.

    At most `black` cells are black; most of them divide a run, or there would be too many.
    """
    while True:
        white = {(row, column) for row in range(size) for column in range(size)}
        found = runs(white, size)
        for _ in range(600):
            if len(found) >= words:
                break
            row, column = rng.choice(sorted(white))
            fewer = white - {(row, column), (size - 1 - row, size - 1 - column)}
            left = runs(fewer, size)
            divides = len(left) >= len(found) + 2
            if min(map(len, left)) >= 3 and (divides or rng.random() < 0.15):
                white, found = fewer, left
        fits = words <= len(found) <= words + 2 and max(map(len, found)) <= 11
        if fits and len(white) >= size * size - black and is_connected(white):
            return found


def crossword(rng: random.Random, size: int, words: int, black: int, seed: int) -> Problem[Any]:
    """A grid to be filled with distinct words."""
    grid, by_length = crossword_grid(rng, size, words, black), drawn_words(seed)
    cells = sorted({cell for run in grid for cell in run})
    listed = [word for some in by_length.values() for word in some]
    problem = Problem[Any](range(len(grid)), [*cells, *listed])
    for number, run in enumerate(grid):
        for word in by_length[len(run)]:
            problem.add_option([number, *map(colored, run, word), word])
    return problem


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


def main() -> None:
    """Measures, and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=5, help="problems of each family")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--into", type=Path, help="a page; the table goes between two marks")
    parser.add_argument("--family", action="append", default=[], help="only this one")
    parser.add_argument("--solver", action="append", choices=SOLVERS, help="only this one")
    options = parser.parse_args()
    problems = (
        one
        for one in draw(options.seed, options.each, options.family)
        if not options.family or one.family in options.family
    )
    families, results = measure(problems, options.seconds, options.solver or [*SOLVERS])
    note = "Median and longest CPU time of one first solution; " + machine()
    text = f"{note}\n\n{table(families, results)}"
    print(text)
    if options.into is not None:
        page = options.into.read_text(encoding="utf-8")
        head, rest = page.split(BEGIN)
        tail = rest.split(END)[1]
        options.into.write_text(f"{head}{BEGIN}\n{text}\n{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
