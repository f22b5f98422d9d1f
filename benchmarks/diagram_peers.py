"""Diagrams of ours against xcover's `covers_zdd`, in one run.

    python benchmarks/diagram_peers.py [INSTANCE ...] [--rounds 3] [--limit 60]
                                       [--environment .venv-peers]

Run it with a Python that has `dlxkit`. xcover is in the environment of the peers, which is made
when it is missing. Each run is a process of its own with a limit of CPU time and of memory, and in
each round all alternate on an instance. Prints a table of median CPU seconds, from lists of
numbers to the finished diagram, of its nodes, and of the number of solutions where that is wrong.

xcover remembers subproblems by a 32-bit hash of their state alone ("memo"), so that it takes
different ones for the same; without ("plain") it shares nothing. The exit status is 1 if an answer
of ours was wrong.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

__all__ = ["main"]

HERE = Path(__file__).parent
MEMORY = 6 << 30
NAMES = [
    "dominoes-6x8",
    "dominoes-8x8",
    "dominoes-10x10",
    "matchings-8",
    "latin-5",
    "langford-8",
    "langford-11",
    "langford-12",
    "queens-8",
    "queens-10",
    "queens-12",
    "coloring-petersen-6",
    "pentominoes-3x20",
    "pentominoes-8x8-hole",
    "pentominoes-6x10",
    "soma",
    "quasigroup-22-many",
    "random-3-uniform",
    "random-secondary",
]

Nodes = tuple[int, Callable[[], int]]
"""The number of nodes, and what counts the solutions."""


# -- in a process of its own ---------------------------------------------------------------------


def ours(order: str) -> Callable[[dict[str, Any]], Nodes]:
    """`dlx` with one of its orders."""

    def build(task: dict[str, Any]) -> Nodes:
        dlx = import_module("dlx")
        items = range(task["primary"] + task["secondary"])
        problem = dlx.Problem.from_options(
            task["options"], primary=items[: task["primary"]], secondary=items[task["primary"] :]
        )
        diagram = problem.diagram(order=order, memory_limit=MEMORY)
        return diagram.nodes, diagram.count

    return build


def xcover(memo: bool) -> Callable[[dict[str, Any]], Nodes]:
    """xcover, remembering or not."""

    def build(task: dict[str, Any]) -> Nodes:
        items = range(task["primary"] + task["secondary"])
        diagram = list(
            import_module("xcover").covers_zdd(
                task["options"],
                primary=list(items[: task["primary"]]),
                secondary=list(items[task["primary"] :]),
                use_memo_cache=memo,
            )
        )

        def count() -> int:
            counts = {0: 0, 1: 1}
            last = 0
            for node, _, low, high in diagram:
                counts[int(node)] = counts[int(low)] + counts[int(high)]
                last = int(node)
            return counts[last]

        return len(diagram), count

    return build


BUILDERS: dict[str, Callable[[dict[str, Any]], Nodes]] = {
    "dlx search": ours("search"),
    "dlx narrow": ours("narrow"),
    "xcover memo": xcover(memo=True),
    "xcover plain": xcover(memo=False),
}


def work(name: str, path: str, limit: int) -> None:
    """One run: prints the seconds, the nodes and the count as JSON."""
    small = {"primary": 2, "secondary": 1, "options": [[0, 2], [1], [0, 1]]}
    BUILDERS[name](small)  # imports and compiles
    used = int(time.process_time()) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (used + limit, used + limit + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with open(path, encoding="utf-8") as file:
        task = json.load(file)
    started = time.process_time()
    nodes, count = BUILDERS[name](task)
    seconds, runs = time.process_time() - started, 1
    while seconds < 0.1:
        BUILDERS[name](task)
        seconds, runs = time.process_time() - started, runs + 1
    print(json.dumps({"seconds": seconds / runs, "nodes": nodes, "count": count()}))


# -- the run -------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, and prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("instances", nargs="*", metavar="INSTANCE")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=int, default=60, help="CPU seconds of a run")
    parser.add_argument("--environment", type=Path, default=HERE.parent / ".venv-peers")
    options = parser.parse_args(arguments)
    from measuring import make_environment

    python = make_environment(options.environment)
    print(f"| instance | solutions | {' | '.join(BUILDERS)} |")
    print("|---|---:|" + "---:|" * len(BUILDERS))
    right = True
    for name in options.instances or NAMES:
        task, count = _task(name)
        cells = {}
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(task, file)
            file.flush()
            for builder in BUILDERS:
                executable = sys.executable if builder.startswith("dlx") else str(python)
                runs = _runs(executable, builder, file.name, options)
                right = right and not (builder.startswith("dlx") and runs[0].get("count") != count)
                cells[builder] = _cell(runs, count)
        print(f"| {name} | {count:,} | {' | '.join(cells.values())} |", flush=True)
    return 0 if right else 1


def _task(name: str) -> tuple[dict[str, Any], int]:
    """An instance in plain numbers, and how many solutions it has."""
    from instances import BY_NAME
    from measuring import plain

    from dlx import models

    more: dict[str, tuple[Any, int]] = {
        "dominoes-10x10": (lambda: models.dominoes(10, 10), 258584046368),
        "langford-8": (lambda: models.langford(8), 300),
        "langford-11": (lambda: models.langford(11), 35584),
        "queens-8": (lambda: models.queens(8), 92),
        "queens-10": (lambda: models.queens(10), 724),
    }
    if name in more:
        build, count = more[name]
    else:
        build, count = BY_NAME[name].build, BY_NAME[name].expected
    return plain(build()), count


def _runs(
    python: str, builder: str, path: str, options: argparse.Namespace
) -> list[dict[str, Any]]:
    """All rounds of one builder; a failure is not repeated."""
    runs: list[dict[str, Any]] = []
    for _ in range(options.rounds):
        command = [python, "-W", "ignore", __file__, "--work", builder, path, str(options.limit)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            runs.append(json.loads(done.stdout.strip().split("\n")[-1]))
            continue
        out_of_memory = "MemoryError" in done.stderr or "allocate" in done.stderr
        return [{"why_not": "over 6 GB" if out_of_memory else f"over {options.limit} s"}]
    return runs


def _cell(runs: Sequence[dict[str, Any]], count: int) -> str:
    if "why_not" in runs[0]:
        return str(runs[0]["why_not"])
    wrong = "" if runs[0]["count"] == count else f", **counts {runs[0]['count']:,}**"
    seconds = median(run["seconds"] for run in runs)
    shown = f"{seconds:.3g} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"
    return f"{shown}, {runs[0]['nodes']:,} nodes{wrong}"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        sys.exit(main())
