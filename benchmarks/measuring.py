"""What the comparisons share: runs of workers, environments, problems in plain numbers, tables."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections import deque
from pathlib import Path
from typing import Any

from dlx import Colored, Problem, Stats

__all__ = ["make_environment", "outcome_of", "place_of", "plain", "put_into", "stats_of"]

HERE = Path(__file__).parent


def make_environment(folder: Path, requirements: str = "peers-requirements.txt") -> Path:
    """The Python of an environment with these packages, which is made if it is missing."""
    python = folder / "bin" / "python"
    wanted = (HERE / requirements).read_text(encoding="utf-8")
    stamp = folder / "installed-requirements.txt"
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != wanted:
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        install: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--requirement"]
        subprocess.run([*install, HERE / requirements], check=True)
        stamp.write_text(wanted, encoding="utf-8")
    return python


def outcome_of(limit: int, python: str | Path, worker: str, *arguments: str | Path) -> Any:
    """What a worker prints in a process of its own, or `{"cannot": why}`.

    One thread for packages that would use more. `limit` is the CPU seconds that the worker allows.
    """
    threads = dict.fromkeys(("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    try:
        done = subprocess.run(
            [python, HERE / worker, *arguments],
            capture_output=True,
            text=True,
            env={**os.environ, **threads},
            timeout=3 * limit + 60,  # of the clock, should a process sleep
        )
    except subprocess.TimeoutExpired:
        return {"cannot": f"over {limit} s"}
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return {"cannot": f"over {limit} s"}
    if done.returncode:
        last = (done.stderr.strip().split("\n") or [""])[-1]
        return {"cannot": f"crashed ({done.returncode}): {last[:60]}".rstrip(": ")}
    return json.loads(done.stdout.strip().split("\n")[-1])


def place_of(mark: str) -> re.Pattern[str]:
    """What stands on a page between the two comments with this mark, and the comments."""
    return re.compile(f"<!-- {mark}: begin -->.*<!-- {mark}: end -->", re.DOTALL)


def put_into(page: Path, mark: str, text: str) -> None:
    """Puts a text between the two comments of a page that have this mark."""
    new = f"<!-- {mark}: begin -->\n{text.rstrip()}\n<!-- {mark}: end -->"
    old = page.read_text(encoding="utf-8")
    page.write_text(place_of(mark).sub(lambda _: new, old), encoding="utf-8")


def stats_of(problem: Problem, **search: Any) -> Stats:
    """The work of a whole search, done once for its statistics."""
    solutions = problem.solutions(**search)
    deque(solutions, maxlen=0)
    return solutions.stats


def plain(problem: Problem) -> dict[str, Any]:
    """Numbers of primary and secondary items, and options and colors as lists of numbers.

    Items and colors are numbered, these from 1; `colors` is None where there are none.
    """
    items = [*problem.primary, *problem.secondary]
    number_of = {item: number for number, item in enumerate(items)}
    tints: dict[Any, int] = {}
    options, colors = [], []
    for option in problem.options:
        bare = [entry.item if isinstance(entry, Colored) else entry for entry in option]
        options.append([number_of[item] for item in bare])
        colors.append(
            [
                tints.setdefault(entry.color, len(tints) + 1) if isinstance(entry, Colored) else 0
                for entry in option
            ]
        )
    return {
        "primary": len(problem.primary),
        "secondary": len(problem.secondary),
        "options": options,
        "colors": colors if tints else None,
    }
