"""One count in a process of its own: started by `counts.py`.

    python counts_worker.py ours FILE.json
    python counts_worker.py ganak FILE.cnf

Prints a JSON object: `answer`, and the CPU `seconds` of the count, tables or clauses included but
not reading the file. A short count is repeated, each time from the beginning, for a mean.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

SHORT = 0.05  # CPU seconds; shorter counts are repeated, with reading for up to `LONG`
LONG = 1.0


def ours(path: str) -> Callable[[], int]:
    """What counts by `count()`."""
    from dlx import Problem

    problem: Problem[Any] = Problem.load(path)
    return problem.count


def ganak(path: str) -> Callable[[], int]:
    """What counts by Ganak, projected on the variables of the options."""
    pyganak = import_module("pyganak")
    clauses: list[list[int]] = []
    shown: list[int] = []
    variables = 0
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("c p show"):
                shown = [int(word) for word in line.split()[3:-1]]
            elif line.startswith("p cnf"):
                variables = int(line.split()[2])
            elif not line.startswith("c"):
                clauses.append([int(word) for word in line.split()[:-1]])

    def count() -> int:
        counter = pyganak.Counter()
        counter.new_vars(variables)
        counter.add_clauses(clauses)
        counter.set_sampling_set(shown)
        found: int = counter.count()
        return found

    return count


def main(name: str, path: str) -> None:
    """Counts, and prints the outcome."""
    ready = {"ours": ours, "ganak": ganak}[name]
    answer, total, runs = 0, 0.0, 0
    while total < SHORT and (runs == 0 or time.process_time() < LONG):
        count = ready(path)
        began = time.process_time()
        answer = count()
        total += time.process_time() - began
        runs += 1
    print(json.dumps({"answer": answer, "seconds": total / runs}))


if __name__ == "__main__":
    main(*sys.argv[1:])
