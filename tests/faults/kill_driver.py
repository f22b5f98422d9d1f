"""Kills a search with a journal again and again, at random moments, and checks the answer.

    python tests/faults/kill_driver.py [--kills 50] [--workers 2] [--seed 0] [--signal KILL]

Each run is `dlx solve --all` and then `dlx count` in a process of its own, with the journal of the
run before; it is killed at a moment that is drawn at random from the time that a run needs. After
all the kills one more run ends in peace. Every solution must be there once, in the order of an
undisturbed search, and the count must be right. Prints what was done, and what was lost: the work
that had to be done again.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import dlx
from dlx.models import queens

STARTING = 0.25  # seconds that Python needs before there is anything to kill


def command(*words: str) -> list[str]:
    return [sys.executable, "-P", "-m", "dlx", *words]


def status(journal: Path) -> dict[str, Any]:
    """What the journal has; nothing, if it is not there yet."""
    if not journal.exists() or not journal.stat().st_size:
        return {"nodes": 0, "parts_done": 0, "solutions": 0, "finished": False}
    done = subprocess.run(
        command("status", "--json", str(journal)), capture_output=True, text=True, check=True
    )
    facts: dict[str, Any] = json.loads(done.stdout)
    return facts


def kill_often(
    words: list[str], journal: Path, kills: int, seconds: float, rng: random.Random, number: int
) -> tuple[str, int, int]:
    """The output of the last run, how many runs were killed, and how many of these began anew."""
    killed = 0
    for _ in range(kills):
        run = subprocess.Popen(command(*words), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            run.wait(timeout=rng.uniform(0.0, STARTING + seconds))
        except subprocess.TimeoutExpired:
            run.send_signal(number)
            killed += 1
        assert run.stderr is not None
        with run:
            said = run.stderr.read()
        assert b"Traceback" not in said, said.decode()
        found = status(journal)
        if found["finished"]:
            break
    last = subprocess.run(command(*words), capture_output=True, text=True, check=True)
    assert status(journal)["finished"]
    return last.stdout, killed, status(journal)["runs"]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--size", type=int, default=11, help="of the chessboard")
    parser.add_argument("--engine", default="python", help="'python' is slow enough to be hit")
    parser.add_argument("--signal", default="KILL", choices=["KILL", "TERM", "INT"])
    chosen = parser.parse_args()
    rng = random.Random(chosen.seed)
    number = signal.Signals[f"SIG{chosen.signal}"]
    problem = queens(chosen.size)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "problem.dlx"
        problem.dump(file)
        problem = dlx.Problem.load(file)
        expected = list(problem.solutions())
        for words in (["solve", "--all", "--json"], ["count"]):
            journal = Path(folder) / f"{words[0]}.db"
            options = ["--engine", chosen.engine, "--workers", str(chosen.workers), "--quiet"]
            run = [*words, str(file), "--checkpoint", str(journal), *options]
            began = time.monotonic()
            output, killed, runs = kill_often(run, journal, chosen.kills, 0.5, rng, number)
            if words[0] == "count":
                right = int(output) == len(expected)
            else:
                *found, end = map(json.loads, output.splitlines())
                right = [tuple(one["options"]) for one in found] == expected
                right = right and end["exhausted"] is True
            print(
                f"dlx {words[0]}: killed {killed} times by SIG{chosen.signal} within "
                f"{time.monotonic() - began:.0f} s, gone on with by {runs} runs: "
                f"{'the answer is right' if right else 'THE ANSWER IS WRONG'}"
            )
            assert right


if __name__ == "__main__":
    main()
