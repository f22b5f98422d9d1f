"""A count on a Dask cluster that survives the loss of a worker and of the counting program.

    make demo-cluster

Starts a Dask scheduler and two workers as processes on this machine and counts Langford pairs with
them. Kills one worker with SIGKILL when a quarter of the search is done, and the counting program
itself at half. Resumes from the journal, and compares the result with OEIS A014552.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

# OEIS A014552: arrangements of pairs of 1 to n. Unlike our count, it leaves out mirror images.
LANGFORD = {11: 17_792, 12: 108_144, 15: 39_809_640, 16: 326_721_800}


def say(text: str) -> None:
    """Prints a line with the time of day."""
    print(f"[{time.strftime('%H:%M:%S')}] {text}", flush=True)


def start(*words: str) -> subprocess.Popen[bytes]:
    """Starts a Python module as a program, without Dask's log messages."""
    silent = {**os.environ, "DASK_LOGGING__DISTRIBUTED": "critical"}
    return subprocess.Popen([sys.executable, "-P", "-m", *words], env=silent)


def dlx(*words: str) -> str:
    """Runs a `dlx` command and returns its output."""
    result = subprocess.run(
        [sys.executable, "-P", "-m", "dlx", *words], capture_output=True, text=True, check=True
    )
    return result.stdout


def wait_until(fraction: float, journal: Path, run: subprocess.Popen[bytes]) -> dict[str, Any]:
    """Waits until the journal has this fraction of the search; returns the status of the run."""
    status: dict[str, Any] = {}
    while run.poll() is None:
        time.sleep(0.5)
        if not journal.exists() or not journal.stat().st_size:
            continue
        status = json.loads(dlx("status", "--json", str(journal)))
        if status["finished"] or status["fraction"] >= fraction:
            return status
    raise SystemExit(f"the run ended before {fraction:.0%}, with exit status {run.returncode}")


def summary(status: dict[str, Any]) -> str:
    """The status of a run in one line."""
    return (
        f"about {status['fraction']:.0%} searched, {status['parts_done']} parts done, "
        f"{status['solutions']:,} solutions so far"
    )


def main() -> None:
    """Runs the demonstration in a temporary folder, and stops all processes at the end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=15, choices=sorted(LANGFORD))
    pairs = parser.parse_args().pairs
    running: list[subprocess.Popen[bytes]] = []
    with tempfile.TemporaryDirectory() as folder:
        problem, journal = Path(folder) / "langford.dlx", Path(folder) / "run.db"
        contact = Path(folder) / "scheduler.json"
        problem.write_text(dlx("make", "langford", str(pairs)))
        try:
            demonstrate(problem, journal, contact, running, 2 * LANGFORD[pairs])
        finally:
            for process in running:
                process.kill()
                process.wait()


def demonstrate(
    problem: Path,
    journal: Path,
    contact: Path,
    running: list[subprocess.Popen[bytes]],
    expected: int,
) -> None:
    """Runs the steps of the module's docstring; adds the processes it starts to `running`."""
    say("starting a scheduler and two workers")
    here = ["--scheduler-file", str(contact), "--host", "127.0.0.1", "--no-dashboard"]
    running.append(start("distributed.cli.dask_scheduler", "--port", "0", *here))
    one = ["--nthreads", "1", "--no-nanny", "--local-directory", str(journal.parent)]
    workers = [start("distributed.cli.dask_worker", *here, *one) for _ in range(2)]
    running.extend(workers)
    while not contact.exists() or not contact.stat().st_size:
        time.sleep(0.1)
    address = json.loads(contact.read_text())["address"]

    words = ["dlx", "count", str(problem), "--scheduler", address, "--checkpoint", str(journal)]
    say(f"$ {' '.join(words)}")
    run = start(*words)
    running.append(run)
    status = wait_until(0.25, journal, run)
    say(f"{summary(status)}; killing worker {workers[0].pid} with SIGKILL")
    workers[0].kill()
    workers[0].wait()
    status = wait_until(0.5, journal, run)
    say(f"{summary(status)}; killing the counting program {run.pid} with SIGKILL")
    run.kill()
    run.wait()

    say(f"$ dlx status {journal}")
    print(dlx("status", str(journal)), end="", flush=True)
    say(f"$ dlx resume {journal} --scheduler {address}")
    output = dlx("resume", str(journal), "--scheduler", address)
    print(output, end="")
    found = int(output)
    right = "right" if found == expected else "WRONG"
    say(f"{found:,} arrangements: {right}, OEIS A014552 has 2 * {expected // 2:,}")
    if found != expected:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
