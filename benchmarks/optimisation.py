"""`minimum(any_order=True)` beside HiGHS and CP-SAT, on files and on generated problems.

    python benchmarks/optimisation.py [INSTANCE | FILE ...] [--limit 20] [--plot FOLDER]
                                      [--environment FOLDER]

Instances are those of `cost_instances.OPTIMISATION`, by name or family ("cover"); default: all.
Each engine runs once, in a process of its own, one after the other, with one thread, until it has
used `--limit` seconds of CPU time. "no extra" is "auto" where HiGHS is not installed. OR-Tools may
be in an environment of its own, as that of `peers.py`. Prints a table: what is reached (the
optimum; or the best solution and the bound), and the CPU time of the search, with imports of
solvers. `--plot` draws incumbent and bound of "auto" over time, as SVG. The exit status is 1 if two
engines prove different optima.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

from cost_instances import OPTIMISATION

import dlx

ENGINES = ("auto", "no extra", "links", "highs", "cp-sat")


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("instances", nargs="*", metavar="INSTANCE")
    parser.add_argument("--limit", type=float, default=20, help="CPU seconds of a run")
    parser.add_argument("--environment", type=Path, help="a virtual environment with OR-Tools")
    parser.add_argument("--plot", type=Path, metavar="FOLDER")
    parser.add_argument("--engine", choices=ENGINES, help="one engine, as JSON: for this script")
    options = parser.parse_args()
    if options.engine is not None:
        print(json.dumps(measured(options.instances[0], options)))
        return 0
    print("| instance | items | options |", " | ".join(ENGINES), "|")
    print("|---|---:|---:|" + "---|" * len(ENGINES))
    agreed = True
    for name in chosen(options.instances):
        problem = load(name)
        row = [Path(name).name.partition(".")[0], f"{len(problem.items)}", f"{len(problem)}"]
        proved = set()
        for engine in ENGINES:
            python = sys.executable
            if engine == "cp-sat" and options.environment is not None:
                python = str(options.environment / "bin" / "python")
            command = [python, __file__, name, "--engine", engine]
            command += ["--limit", str(options.limit)]
            if options.plot is not None:
                command += ["--plot", str(options.plot)]
            ran = subprocess.run(command, capture_output=True, text=True, check=False)
            outcome = json.loads(ran.stdout) if ran.returncode == 0 else {"text": "failed"}
            proved |= {outcome["proved"]} if "proved" in outcome else set()
            row.append(outcome["text"])
        agreed = agreed and len(proved) < 2
        print("|", " | ".join(row), "|", "" if len(proved) < 2 else "**!**", flush=True)
    return 0 if agreed else 1


def chosen(names: list[str]) -> list[str]:
    """The names of instances, and of files, that the command line means."""
    if not names:
        return [*OPTIMISATION]
    found = []
    for name in names:
        known = [one for one in OPTIMISATION if name in (one, one.partition("-")[0])]
        found += known or [name]
    return found


def load(name: str) -> Any:
    """A generated problem, or that of a file."""
    return OPTIMISATION[name]() if name in OPTIMISATION else dlx.Problem.load(name)


def measured(name: str, options: argparse.Namespace) -> dict[str, Any]:
    """What an engine reaches on an instance."""
    engine = options.engine
    if engine == "no extra":
        engine, sys.modules["highspy"] = "auto", None  # type: ignore[assignment]
    problem, trajectory = load(name), dlx.Trajectory()
    before = cpu_seconds()

    def watch(progress: dlx.Progress) -> None:
        trajectory(progress)
        if cpu_seconds() - before > options.limit:
            raise TimeoutError

    outcome = {}
    try:
        cost = problem.minimum(engine=engine, any_order=True, progress=watch)[0][0]
        outcome["proved"] = text = str(cost)
    except TimeoutError:
        text = f"{trajectory.points[-1].best}, bound {trajectory.points[-1].bound}"
    if options.plot is not None and engine == "auto":
        options.plot.mkdir(parents=True, exist_ok=True)
        label = f"{Path(name).name.partition('.')[0]}-{options.engine.replace(' ', '-')}"
        trajectory.picture().save(options.plot / f"{label}.svg")
    return {**outcome, "text": f"{text}: {cpu_seconds() - before:.2f} s"}


def cpu_seconds() -> float:
    """The CPU time of this process so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
