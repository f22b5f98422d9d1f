"""The engines of `minimum` on set partitioning and covering: branch and bound, HiGHS and CP-SAT.

    python benchmarks/cost_engines.py [INSTANCE ...] [--limit 30]

Each engine runs in a process of its own, one after the other, with one thread and a timeout. Prints
a table: CPU time with importing and building, and the costs that are proved: the optimum, or the
best solution and the bound.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys

from cost_instances import COST_INSTANCES, COVER_INSTANCES

import dlx
from dlx.keywords import RankingEngine

ENGINES = ("auto", "highs", "cp-sat")
INSTANCES = ("crew-60", "crew-80", "crew-100", "crew-120", *COVER_INSTANCES)
PROBLEMS = {**COST_INSTANCES, **COVER_INSTANCES}


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("instances", nargs="*", default=INSTANCES)
    parser.add_argument("--limit", type=float, default=30, help="seconds on the clock")
    parser.add_argument("--engine", choices=ENGINES, help="one engine, as JSON: for this script")
    options = parser.parse_args()
    if options.engine is not None:
        print(json.dumps(measured(options.instances[0], options.engine, options.limit)))
        return
    print("| instance | options |", " | ".join(f'`"{engine}"`' for engine in ENGINES), "|")
    print("|---|---:|" + "---|" * len(ENGINES))
    for name in options.instances:
        row = [name, f"{len(PROBLEMS[name]()):,}".replace(",", " ")]
        for engine in ENGINES:
            command = [sys.executable, __file__, name, "--engine", engine]
            command += ["--limit", str(options.limit)]
            ran = subprocess.run(command, capture_output=True, text=True, check=False)
            row.append(json.loads(ran.stdout) if ran.returncode == 0 else "failed")
        print("|", " | ".join(row), "|", flush=True)


def measured(name: str, engine: RankingEngine, limit: float) -> str:
    """What an engine reaches on an instance, as text."""
    problem = PROBLEMS[name]()
    try:
        cost = problem.minimum(engine=engine, timeout=limit)[0][0]
        reached = f"{cost}"
    except dlx.MinimumInterrupted as error:
        best = error.best[0][0] if error.best else "none"
        reached = f"{best}, bound {error.bound}"
    used = resource.getrusage(resource.RUSAGE_SELF)
    return f"{reached}: {used.ru_utime + used.ru_stime:.1f} s"


if __name__ == "__main__":
    main()
