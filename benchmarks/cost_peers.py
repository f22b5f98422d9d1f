"""The cheapest solutions: `Problem.minimum` against CP-SAT and against seeing all solutions.

    python benchmarks/cost_peers.py [INSTANCE ...] [--k 1] [--rounds 3] [--limit 30]
                                    [--environment .venv-peers] [--output build/costs]

As `peers.py`: every run is a process of its own (`cost_worker.py`), solvers alternate, a ratio
compares neighbours in time, CP-SAT has one worker and the environment of the peers. Answers (lists
of costs) are compared with each other. Prints a table and writes it to `table.md`; the exit status
is 1 if two solvers disagree.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from cost_instances import COST_INSTANCES
from cost_worker import SOLVERS
from measuring import make_environment, outcome_of, plain
from peers import machine, show_digits, show_time

from dlx import Problem

__all__ = ["main"]

HERE = Path(__file__).parent
OURS = "dlx minimum"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, and prints what came out."""
    options = _parse(arguments)
    python = make_environment(options.environment)
    versions: dict[str, str] = {}
    rows = []
    agreed = True
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "instance.json")
        for name in options.instances or COST_INSTANCES:
            print(name, end="", file=sys.stderr, flush=True)
            problem = COST_INSTANCES[name]()
            task = {**plain(problem), "costs": problem.costs}
            path.write_text(json.dumps(task), encoding="utf-8")
            for k in options.k:
                outcomes = _measure(path, k, options, python, versions)
                row, same = _row(name, problem, k, outcomes)
                agreed = agreed and same
                rows.append(row)
            print(file=sys.stderr)
    header = ["instance", "items", "options", "k", "least", *_columns()]
    table = "\n".join(
        [
            f"CPU time, building included, median of {options.rounds} rounds of at most "
            f"{options.limit} s each; in brackets the median ratio to `{OURS}` in the same round. "
            f"{machine()}, Python {platform.python_version()}; "
            + ", ".join(f"{name} {versions.get(name, '?')}" for name in SOLVERS)
            + ".",
            "",
            f"| {' | '.join(header)} |",
            f"|---|{'---:|' * (len(header) - 1)}",
            *(f"| {' | '.join(row)} |" for row in rows),
            "",
        ]
    )
    options.output.mkdir(parents=True, exist_ok=True)
    Path(options.output, "table.md").write_text(table, encoding="utf-8")
    print(table)
    return 0 if agreed else 1


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("instances", nargs="*", metavar="INSTANCE", help="(default: all)")
    parser.add_argument(
        "--k", type=lambda text: [int(k) for k in text.split(",")], default=[1], metavar="K[,K...]"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=int, default=30, help="CPU seconds of a run")
    parser.add_argument("--environment", type=Path, default=HERE.parent / ".venv-peers")
    parser.add_argument("--output", type=Path, default=HERE.parent / "build" / "costs")
    options = parser.parse_args(arguments)
    for name in options.instances:
        if name not in COST_INSTANCES:
            parser.error(f"there is no instance {name!r}; there are {', '.join(COST_INSTANCES)}")
    return options


def _measure(
    path: Path, k: int, options: argparse.Namespace, python: Path, versions: dict[str, str]
) -> dict[str, list[dict[str, Any]]]:
    """All solvers in turn, round after round; a failure is not repeated."""
    outcomes: dict[str, list[dict[str, Any]]] = {name: [] for name in SOLVERS}
    for _ in range(options.rounds):
        for name in SOLVERS:
            if outcomes[name] and "cannot" in outcomes[name][-1]:
                continue
            print(".", end="", file=sys.stderr, flush=True)
            executable = sys.executable if name.startswith("dlx ") else python
            arguments = (name, path, str(options.limit), str(k))
            outcome = outcome_of(options.limit, executable, "cost_worker.py", *arguments)
            versions.setdefault(name, outcome.get("version", "?"))
            outcomes[name].append(outcome)
    return outcomes


def _columns() -> list[str]:
    columns = []
    for name in SOLVERS:
        columns += [name, "nodes"] if name.startswith("dlx ") else [name]
    return columns


def _row(
    name: str, problem: Problem, k: int, outcomes: dict[str, list[dict[str, Any]]]
) -> tuple[list[str], bool]:
    """A line of the table; and do all who have an answer have the same?"""
    answers = [
        outcome["answer"] for runs in outcomes.values() for outcome in runs if "answer" in outcome
    ]
    same = all(answer == answers[0] for answer in answers)
    least = "?" if not answers else str(answers[0][0]) if answers[0] else "none"
    row = [name, f"{len(problem.items):,}", f"{len(problem):,}", str(k), least if same else "**!**"]
    ours = [outcome.get("seconds") for outcome in outcomes[OURS]]
    for solver, runs in outcomes.items():
        if "cannot" in runs[-1]:
            cells = [runs[-1]["cannot"], ""]
        else:
            ratios = [
                outcome["seconds"] / mine for outcome, mine in zip(runs, ours, strict=False) if mine
            ]
            ratio = f" ({show_digits(median(ratios))}x)" if ratios and solver != OURS else ""
            cells = [
                f"{show_time(median(outcome['seconds'] for outcome in runs))}{ratio}",
                f"{runs[-1]['nodes']:,}" if runs[-1]["nodes"] is not None else "",
            ]
        row += cells if solver.startswith("dlx ") else cells[:1]
    return row, same


if __name__ == "__main__":
    sys.exit(main())
