"""One solver on one instance, in a process of its own: started by `peers.py`.

    python peer_worker.py PEER INSTANCE.json CPU_SECONDS

Prints a JSON object: `answer` (the number of solutions, up to the limit) and `seconds` (CPU time of
building and solving, without starting Python, importing, and compiling on a small problem first);
or `cannot`, with the reason. Past CPU_SECONDS the kernel of the system ends the process.

Every peer starts from the same lists of integers: options as lists of item numbers, primary items
first, and parallel lists of colors (0 for none). Peers without secondary items get one more option
for each, which covers it alone: that changes no count as long as there are no colors.

This file imports nothing but the peer, since it runs in the peers' environment.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module, metadata
from itertools import islice
from typing import Any, NamedTuple

__all__ = ["PEERS", "Cannot", "Task"]

DENSE_LIMIT = 2 * 10**9  # cells of a matrix, a byte each
SHORT = 0.05  # shorter runs are repeated until this many seconds have passed


class Task(NamedTuple):
    """An instance in plain numbers."""

    primary: int
    secondary: int
    options: list[list[int]]
    colors: list[list[int]] | None
    limit: int | None
    single: bool  # asks for a proof that there is no solution, at most one, or for the first

    def slack_options(self) -> list[list[int]]:
        """The options, with one more for each secondary item: for peers without such items."""
        self.refuse_colors()
        items = range(self.primary, self.primary + self.secondary)
        return [*self.options, *([item] for item in items)] if self.secondary else self.options

    def dense(self) -> Any:
        """The matrix of `slack_options`."""
        numpy = import_module("numpy")
        options = self.slack_options()
        columns = self.primary + self.secondary
        if len(options) * columns > DENSE_LIMIT:
            size = len(options) * columns / 1e9
            raise Cannot(f"dense matrix of {size:.0f} GB")
        matrix = numpy.zeros((len(options), columns), dtype=bool)
        for number, option in enumerate(options):
            matrix[number, option] = True
        return matrix

    def refuse_colors(self) -> None:
        """For peers that do not know them."""
        if self.colors is not None:
            raise Cannot("no colors")

    def refuse_counting(self) -> None:
        """For peers that find a solution, but are no way to find all of many."""
        if not self.single:
            raise Cannot("single solutions only")


class Cannot(Exception):
    """Why a peer cannot do an instance."""


def drain(solutions: Iterator[Any], limit: int | None) -> int:
    """How many there are, up to the limit."""
    return sum(1 for _ in islice(solutions, limit))


# -- the peers -----------------------------------------------------------------------------------


def ours(engine: str, listing: bool = False) -> Callable[[Task], int]:
    """`dlx`, from lists of items as its users write them; it counts or lists the solutions."""

    def answer(task: Task) -> int:
        dlx = import_module("dlx")
        items = range(task.primary + task.secondary)
        options: Any = task.options
        if task.colors is not None:
            colored = dlx.colored
            options = [
                [colored(item, color) if color else item for item, color in zip(*both, strict=True)]
                for both in zip(task.options, task.colors, strict=True)
            ]
        problem = dlx.Problem.from_options(
            options, primary=items[: task.primary], secondary=items[task.primary :]
        )
        if listing:
            return drain(problem.solutions(limit=task.limit, engine=engine), None)
        return int(problem.count(limit=task.limit, engine=engine))

    return answer


def sage(task: Task) -> int:
    """Sage's dancing links."""
    solver = import_module("sage.combinat.matrices.dancing_links").dlx_solver(task.slack_options())
    if task.limit is None:
        return int(solver.number_of_solutions(ncpus=1))
    found = 0
    while found < task.limit and solver.search():
        found += 1
    return found


def xcover(task: Task) -> int:
    """Dancing cells with colors. (`use_memo_cache`, which counts wrongly, is not used.)"""
    covers = import_module("xcover").covers
    if task.colors is None:
        items = range(task.primary + task.secondary)
        solutions = covers(
            task.options, primary=items[: task.primary], secondary=items[task.primary :]
        )
        return drain(solutions, task.limit)
    names = list(map(str, range(task.primary + task.secondary)))
    options = [
        [f"{item}:{color}" if color else names[item] for item, color in zip(*both, strict=True)]
        for both in zip(task.options, task.colors, strict=True)
    ]
    primary, secondary = names[: task.primary], names[task.primary :]
    solutions = covers(options, primary=primary, secondary=secondary, colored=True)
    return drain(solutions, task.limit)


def xcover_zdd(task: Task) -> int:
    """A diagram of all solutions, and the number of its paths: the peer of counting."""
    covers_zdd = import_module("xcover").covers_zdd
    if task.limit is not None:
        raise Cannot("all solutions only")
    options: list[list[Any]] = task.options
    items: list[Any] = list(range(task.primary + task.secondary))
    if task.colors is not None:
        items = list(map(str, items))
        options = [
            [f"{item}:{color}" if color else str(item) for item, color in zip(*both, strict=True)]
            for both in zip(task.options, task.colors, strict=True)
        ]
    paths, found = {0: 0, 1: 1}, 0
    nodes = covers_zdd(
        options,
        primary=items[: task.primary],
        secondary=items[task.primary :],
        colored=task.colors is not None,
    )
    for index, _, low, high in nodes:  # the root comes last
        paths[index] = found = paths[low] + paths[high]
    return found


def exact_cover(task: Task) -> int:
    """Dancing links in C over a NumPy matrix."""
    module, matrix = import_module("exact_cover"), task.dense()
    if task.limit is None:
        return int(module.get_solution_count(matrix))
    if task.limit > 1:
        raise Cannot("one solution, or all")
    no_solution = import_module("exact_cover.error").NoSolution
    try:
        module.get_exact_cover(matrix)
    except no_solution:
        return 0
    return 1


def exact_cover_py(task: Task) -> int:
    """Dancing links by numba over a NumPy matrix."""
    options = task.slack_options()
    links = task.primary + task.secondary + sum(map(len, options)) + len(options) + 2
    if links >= 2**15:
        raise Cannot(f"{links} nodes in 16-bit links")
    return drain(import_module("exact_cover_py").exact_covers(task.dense()), task.limit)


def clauses(task: Task) -> tuple[list[list[int]], list[list[int]], list[list[int]], int]:
    """The task for SAT solvers: exactly-one groups, at-most-one groups, implications, variables.

    Variable o + 1 says that option o is taken. A secondary item with colors gets a variable for
    each color, at most one of which is true, and one for each option that wants it colorless.
    """
    by_item: list[list[int]] = [[] for _ in range(task.primary + task.secondary)]
    tints: dict[tuple[int, int], int] = {}
    tints_of: dict[int, list[int]] = {}
    implied: list[list[int]] = []
    top = len(task.options)
    for number, option in enumerate(task.options):
        colors = task.colors[number] if task.colors is not None else [0] * len(option)
        for item, color in zip(option, colors, strict=True):
            if not color:
                by_item[item].append(number + 1)
                continue
            if (item, color) not in tints:
                top += 1
                tints[item, color] = top
                tints_of.setdefault(item, []).append(top)
            implied.append([-(number + 1), tints[item, color]])
    exactly = by_item[: task.primary]
    at_most = [
        group + tints_of.get(item, [])
        for item, group in enumerate(by_item[task.primary :], start=task.primary)
    ]
    return exactly, [group for group in at_most if len(group) > 1], implied, top


def enumerate_models(task: Task, solve: Callable[[], list[int] | None], block: Any) -> int:
    """Asks for solutions until there is no other, or the limit is reached."""
    found = 0
    while task.limit is None or found < task.limit:
        chosen = solve()
        if chosen is None:
            break
        found += 1
        block(chosen)
    return found


def python_sat(task: Task) -> int:
    """CaDiCaL, with sequential counters for at-most-one."""
    task.refuse_counting()
    card, solvers = import_module("pysat.card"), import_module("pysat.solvers")
    exactly, at_most, implied, top = clauses(task)
    options = len(task.options)
    with solvers.Solver(name="cadical195") as solver:
        for group in exactly:
            solver.add_clause(group)
        for clause in implied:
            solver.add_clause(clause)
        for group in (*exactly, *at_most):
            if len(group) > 1:
                encoding = card.EncType.pairwise if len(group) < 6 else card.EncType.seqcounter
                bound = card.CardEnc.atmost(group, bound=1, top_id=top, encoding=encoding)
                top = max(top, bound.nv)
                for clause in bound.clauses:
                    solver.add_clause(clause)

        def solve() -> list[int] | None:
            if not solver.solve():
                return None
            return [literal for literal in solver.get_model()[:options] if literal > 0]

        return enumerate_models(
            task, solve, lambda chosen: solver.add_clause([-literal for literal in chosen])
        )


def cp_sat(task: Task) -> int:
    """OR-tools' CP-SAT with one worker."""
    task.refuse_counting()
    cp_model = import_module("ortools.sat.python.cp_model")
    exactly, at_most, implied, top = clauses(task)
    model = cp_model.CpModel()
    literals = [None, *(model.new_bool_var("") for _ in range(top))]
    for group in exactly:
        model.add_exactly_one([literals[variable] for variable in group])
    for group in at_most:
        model.add_at_most_one([literals[variable] for variable in group])
    for negative, positive in implied:
        model.add_implication(literals[-negative], literals[positive])

    def solve() -> list[int] | None:
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        status = solver.solve(model)
        if status == cp_model.INFEASIBLE:
            return None
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            raise Cannot(f"status {solver.status_name(status)}")
        return [o + 1 for o in range(len(task.options)) if solver.value(literals[o + 1])]

    def block(chosen: list[int]) -> None:
        model.add_bool_or([~literals[variable] for variable in chosen])

    return enumerate_models(task, solve, block)


PEERS: dict[str, tuple[str, Callable[[Task], int]]] = {
    "dlx auto": ("dlxkit", ours("auto")),
    "dlx list": ("dlxkit", ours("auto", listing=True)),
    "dlx links": ("dlxkit", ours("links")),
    "Sage": ("passagemath-combinat", sage),
    "xcover": ("xcover", xcover),
    "xcover ZDD": ("xcover", xcover_zdd),
    "exact-cover": ("exact-cover", exact_cover),
    "exact-cover-py": ("exact-cover-py", exact_cover_py),
    "CP-SAT": ("ortools", cp_sat),
    "PySAT": ("python-sat", python_sat),
}
"""Each peer's distribution, and the function that answers a task with it."""


# -- one run -------------------------------------------------------------------------------------


def warm_up(answer: Callable[[Task], int], task: Task) -> None:
    """Imports and compiles: a small problem of the same kind, with one solution."""
    small = Task(2, 1, [[0, 2], [1], [0, 1, 2], [1, 2]], None, task.limit, single=True)
    if task.colors is not None:
        small = small._replace(colors=[[0, 1], [0], [0, 0, 2], [0, 1]])
    elif not task.secondary:
        small = small._replace(primary=3, secondary=0)
    answer(small)


def measure(answer: Callable[[Task], int], task: Task, allowed: int) -> dict[str, Any]:
    """The answer and its CPU time; short runs are repeated and averaged."""
    warm_up(answer, task)
    spent = resource.getrusage(resource.RUSAGE_SELF)
    used = int(spent.ru_utime + spent.ru_stime) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (used + allowed, used + allowed + 5))
    gc.collect()
    gc.disable()
    started = time.process_time()
    found, runs = answer(task), 1
    while (seconds := time.process_time() - started) < SHORT:
        answer(task)
        runs += 1
    return {"answer": found, "seconds": seconds / runs}


def main(arguments: list[str]) -> int:
    """Runs what the command line says and prints the outcome."""
    name, path, allowed = arguments
    distribution, answer = PEERS[name]
    with open(path, encoding="utf-8") as file:
        task = Task(**json.load(file))
    outcome: dict[str, Any]
    try:
        outcome = measure(answer, task, int(allowed))
    except Cannot as reason:
        outcome = {"cannot": str(reason)}
    except MemoryError:
        outcome = {"cannot": "out of memory"}
    except Exception as error:  # a peer's own trouble is a result, too
        outcome = {"cannot": f"{type(error).__name__}: {' '.join(str(error).split())[:60]}"}
    outcome["version"] = metadata.version(distribution)
    print(json.dumps(outcome))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
