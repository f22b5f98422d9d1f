"""One solver on one problem with costs, in a process of its own: started by `cost_peers.py`.

    python cost_worker.py SOLVER INSTANCE.json CPU_SECONDS K

Prints a JSON object: `answer` (the K least costs), `nodes` if the solver counts them, and `seconds`
(CPU time of building and solving); or `cannot`, with the reason. Past CPU_SECONDS the kernel of the
system ends the process. As `peer_worker.py`, it imports nothing but the solver.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import time
from collections.abc import Callable
from heapq import nsmallest
from importlib import import_module, metadata
from typing import Any, NamedTuple

__all__ = ["SOLVERS", "CostTask"]


class CostTask(NamedTuple):
    """An instance in plain numbers: see `peer_worker.Task`."""

    primary: int
    secondary: int
    options: list[list[int]]
    colors: list[list[int]] | None
    costs: list[int]


Answer = tuple[list[int], int | None]

SHORT = 0.1  # shorter runs are repeated until this many seconds have passed


def problem_of(task: CostTask) -> Any:
    """The problem as a user of `dlx` would write it."""
    dlx = import_module("dlx")
    options: Any = task.options
    if task.colors is not None:
        colored = dlx.colored
        options = [
            [colored(item, color) if color else item for item, color in zip(*both, strict=True)]
            for both in zip(task.options, task.colors, strict=True)
        ]
    items = range(task.primary + task.secondary)
    return dlx.Problem.from_options(
        options, primary=items[: task.primary], secondary=items[task.primary :], costs=task.costs
    )


def minimum(task: CostTask, k: int) -> Answer:
    """`Problem.minimum`."""
    ranking = problem_of(task).minimum(k)
    return [cost for cost, _ in ranking], ranking.stats.nodes


def enumeration(task: CostTask, k: int) -> Answer:
    """All solutions, one after another, of which the cheapest are kept."""
    problem = problem_of(task)
    costs = problem.costs
    search = problem.solutions()
    least = nsmallest(k, (sum(costs[name] for name in solution) for solution in search))
    return least, search.stats.nodes


def cp_sat(task: CostTask, k: int) -> Answer:
    """OR-tools' CP-SAT with one worker; further solutions by excluding those that were found."""
    cp_model = import_module("ortools.sat.python.cp_model")
    model = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in task.options]
    groups: list[list[Any]] = [[] for _ in range(task.primary + task.secondary)]
    tints: dict[tuple[int, int], Any] = {}
    for number, option in enumerate(task.options):
        colors = task.colors[number] if task.colors is not None else [0] * len(option)
        for item, color in zip(option, colors, strict=True):
            if not color:
                groups[item].append(chosen[number])
                continue
            if (item, color) not in tints:
                tints[item, color] = model.new_bool_var("")
                groups[item].append(tints[item, color])
            model.add_implication(chosen[number], tints[item, color])
    for group in groups[: task.primary]:
        model.add_exactly_one(group)
    for group in groups[task.primary :]:
        if len(group) > 1:
            model.add_at_most_one(group)
    model.minimize(cp_model.LinearExpr.weighted_sum(chosen, task.costs))
    found: list[int] = []
    while len(found) < k:
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        status = solver.solve(model)
        if status == cp_model.INFEASIBLE:
            break
        if status != cp_model.OPTIMAL:
            raise RuntimeError(solver.status_name(status))
        found.append(round(solver.objective_value))
        model.add_bool_or([~one for one in chosen if solver.value(one)])
    return found, None


SOLVERS: dict[str, tuple[str, Callable[[CostTask, int], Answer]]] = {
    "dlx minimum": ("dlxkit", minimum),
    "dlx solutions": ("dlxkit", enumeration),
    "CP-SAT": ("ortools", cp_sat),
}
"""Each solver's distribution, and the function that answers a task with it."""


def main(arguments: list[str]) -> int:
    """Runs what the command line says and prints the outcome."""
    name, path, allowed, k = arguments
    distribution, answer = SOLVERS[name]
    with open(path, encoding="utf-8") as file:
        task = CostTask(**json.load(file))
    answer(CostTask(2, 0, [[0], [1], [0, 1]], None, [1, 2, 4]), 1)  # imports
    spent = resource.getrusage(resource.RUSAGE_SELF)
    used = int(spent.ru_utime + spent.ru_stime) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (used + int(allowed), used + int(allowed) + 5))
    gc.collect()
    gc.disable()
    started = time.process_time()
    outcome: dict[str, Any]
    try:
        (costs, nodes), runs = answer(task, int(k)), 1
        while (seconds := time.process_time() - started) < SHORT:
            answer(task, int(k))
            runs += 1
        outcome = {"answer": costs, "nodes": nodes, "seconds": seconds / runs}
    except Exception as error:  # a solver's own trouble is a result, too
        outcome = {"cannot": f"{type(error).__name__}: {' '.join(str(error).split())[:60]}"}
    outcome["version"] = metadata.version(distribution)
    print(json.dumps(outcome))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
