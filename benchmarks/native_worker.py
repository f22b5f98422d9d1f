"""Ours on one file, in a process of its own: started by `native.py`.

    python native_worker.py FAMILY FILE [LIMIT]

Prints a JSON object: `answer`; `process`, the CPU seconds from the start of Python to the answer;
and `search`, those of the call that answers, on a problem that has just been read. A short call is
repeated, each time on a problem of its own, for a mean without what is done only once.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dlx.keywords import EngineName

__all__ = ["QUESTIONS"]

SHORT = 0.05  # CPU seconds; shorter calls are repeated
ONE_BY_ONE = 2**60  # a limit of nodes, under which solutions are visited


def _listing(engine: EngineName) -> Callable[[str, int | None], Callable[[], int]]:
    def ready(path: str, limit: int | None) -> Callable[[], int]:
        from dlx import Problem

        problem = Problem.load(path)
        return lambda: problem.count(limit=limit, node_limit=ONE_BY_ONE, engine=engine)

    return ready


def _counting(path: str, limit: int | None) -> Callable[[], int]:
    from dlx import Problem

    problem = Problem.load(path)
    return lambda: problem.count(limit=limit)


def _least_cost(path: str, limit: int | None) -> Callable[[], int]:
    from dlx import Problem

    problem = Problem.load(path)
    return lambda: problem.minimum()[0][0]


def _sudokus(path: str, limit: int | None) -> Callable[[], int]:
    import sudoku

    with open(path, encoding="utf-8") as file:
        lines = file.read().split()
    return lambda: sum(sudoku.count_many(lines, limit=2))


QUESTIONS: dict[str, Callable[[str, int | None], Callable[[], int]]] = {
    "plain": _listing("auto"),
    "links": _listing("links"),
    "colors": _listing("auto"),
    "counting": _counting,
    "costs": _least_cost,
    "multiplicities": _listing("auto"),
    "sudoku": _sudokus,
}
"""For each family, what reads a file and returns the call to measure."""


def main(arguments: list[str]) -> int:
    """Runs what the command line says, and prints the outcome."""
    family, path, *rest = arguments
    limit = int(rest[0]) if rest else None
    ready = QUESTIONS[family]
    ask = ready(path, limit)
    began = time.process_time()
    answer = ask()
    ended = time.process_time()
    search = ended - began
    if search < SHORT:
        runs, total = 0, 0.0
        while total < SHORT:
            ask = ready(path, limit)
            began = time.process_time()
            ask()
            total += time.process_time() - began
            runs += 1
        search = total / runs
    print(json.dumps({"answer": answer, "process": ended, "search": search}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
