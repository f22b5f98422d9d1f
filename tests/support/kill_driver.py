"""Kills searches with a journal again and again, at random moments, and checks their answers.

    python tests/support/kill_driver.py [--kills 50] [--workers 2] [--signal KILL] [--seed 0]

Each run is a `dlx solve --all` or a `dlx count` in a process of its own, with the journal that the
run before left behind. It is killed at a moment drawn at random from its first second. When a run
comes to its end before that, its output must be that of an undisturbed search: every solution once,
in the same order, or the right count. Then the next journal is begun, until there were as many
kills as asked for.
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

LONGEST = 1.0  # seconds that a run has; a quarter of them goes to starting Python
STARTED = 0.5  # after which it can be expected to catch a signal


def command(*words: str) -> list[str]:
    return [sys.executable, "-P", "-m", "dlx", *words]


def output_of(*words: str) -> str:
    return subprocess.run(command(*words), capture_output=True, text=True, check=True).stdout


def run_and_kill(words: list[str], seconds: float, number: signal.Signals) -> str | None:
    """The output of a run that was faster than the signal, or None."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as said:
        run = subprocess.Popen(command(*words), stdout=output, stderr=said)
        try:
            status = run.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            run.send_signal(number)
            status = run.wait()
        said.seek(0)
        complaint = said.read()
        assert "Traceback" not in complaint, complaint
        assert status in (0, -number, 128 + number), (status, complaint)
        output.seek(0)
        return output.read() if status == 0 else None


def without_times(output: str) -> list[Any]:
    """The output, but for what depends on the machine."""
    lines: list[Any] = [json.loads(line) for line in output.splitlines()]
    for line in lines:
        if isinstance(line, dict):
            for name in ("seconds", "updates"):
                line.pop(name, None)
    return lines


def torture(
    words: list[str], folder: Path, kills: int, number: signal.Signals, rng: random.Random
) -> str:
    """Kills runs of a command until it was done so often; returns a line that says what it did."""
    expected = without_times(output_of(*words))
    killed, answers, began = 0, 0, time.monotonic()
    most = 0
    while killed < kills:
        journal = folder / f"{answers}.db"
        checkpoint = [*words, "--checkpoint", str(journal)]
        in_a_row, output = 0, None
        while output is None:
            least = 0.0 if number == signal.SIGKILL else STARTED
            seconds = least + rng.uniform(0.0, LONGEST) if killed < kills else 1e6
            output = run_and_kill(checkpoint, seconds, number)
            if output is None:
                killed += 1
                in_a_row += 1
        assert without_times(output) == expected, f"wrong: {output[:1000]}"
        assert without_times(output_of(*checkpoint)) == expected  # at once, from what is there
        answers += 1
        most = max(most, in_a_row)
        journal.unlink()
    return (
        f"dlx {words[0]}: {killed} kills by {number.name}, up to {most} of one search, "
        f"{answers} answers, all right; {time.monotonic() - began:.0f} s"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--workers", default="2")
    parser.add_argument("--signal", default="KILL", choices=["KILL", "TERM", "INT"])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--board", nargs="+", default=["6", "10"], help="for pentominoes")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pentominoes.dlx"
        file.write_text(output_of("make", "pentominoes", *chosen.board))
        for words in (["solve", "--all", "--json"], ["count"]):
            options = ["--engine", "links", "--workers", chosen.workers, "--quiet"]
            number = signal.Signals[f"SIG{chosen.signal}"]
            rng = random.Random(chosen.seed)
            print(
                torture([*words, str(file), *options], Path(folder), chosen.kills, number, rng),
                flush=True,
            )


if __name__ == "__main__":
    main()
