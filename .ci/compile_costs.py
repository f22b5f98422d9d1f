#!/usr/bin/env python3
"""What each part of the kernel costs to compile, as a table; fails if the sum has grown by a fifth.

usage: python .ci/compile_costs.py [--log FILE] [--write]

Without `--log`, compiles the kernel in build/costs, which takes two minutes of CPU. Seconds depend
on the machine, so the sum is compared in units of the time for nanobind, which is compiled in the
same run, with the sum in docs/design.md.

As a launcher of the compiler (CMAKE_CXX_COMPILER_LAUNCHER), it runs a compilation and adds its
CPU time to the file in the environment variable DLX_COMPILE_LOG, if that is set.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve()
ROOT = HERE.parents[1]
DESIGN = ROOT / "docs" / "design.md"
BEGIN, END = "<!-- compile costs: begin -->", "<!-- compile costs: end -->"
REFERENCE = "nanobind"
GROWTH = 1.2
CACHED = 0.5  # of the expected sum: less than this is ccache's work, not the compiler's


def launch(command: list[str]) -> int:
    """Runs a compilation; appends its CPU seconds and what it has compiled to the log."""
    log = os.environ.get("DLX_COMPILE_LOG")
    if not log:
        os.execvp(command[0], command)
    status = subprocess.call(command)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    if "-c" in command:
        with open(log, "a", encoding="utf-8") as file:
            file.write(f"{used.ru_utime + used.ru_stime:.2f} {command[command.index('-c') + 1]}\n")
    return status


def unit(path: str) -> str:
    """How the table names a file: its folder, if the files of that are compiled as one."""
    if "nanobind" in path:
        return REFERENCE
    whole_folder = re.search(r"unity_(\w+)_cxx", path)
    return whole_folder[1] + "/" if whole_folder else path.rpartition("dlx/cpp/")[2]


def measure() -> Path:
    """Compiles the kernel for itself, without a cache, and returns the log."""
    folder = ROOT / "build" / "costs"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    log = folder / "log"
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder]
    settings = {"CMAKE_CXX_COMPILER_LAUNCHER": str(HERE), "DLX_COMPILE_LOG": str(log)}
    build_dir = f"--config-settings=build-dir={folder}/kernel"
    subprocess.run([*pip, build_dir, ROOT], check=True, env=os.environ | settings)
    return log


def costs(log: Path) -> dict[str, float]:
    """CPU seconds of each unit, the longest first; the last entry of a unit counts."""
    lines = (line.split(maxsplit=1) for line in log.read_text("utf-8").splitlines())
    ours = re.compile(r"dlx/cpp/|nanobind|unity_")  # and not CMake's questions to the compiler
    seconds = {unit(path): float(number) for number, path in lines if ours.search(path)}
    return dict(sorted(seconds.items(), key=lambda item: -item[1]))


def table(seconds: dict[str, float]) -> str:
    """The table of docs/design.md."""
    least = 1.0
    rows = [f"| {name} | {cost:.1f} |" for name, cost in seconds.items() if cost >= least]
    short = [cost for cost in seconds.values() if cost < least]
    rows.append(f"| {len(short)} others | {sum(short):.1f} |")
    total = sum(seconds.values())
    rows.append(f"| all: {total / seconds[REFERENCE]:.1f} times nanobind | {total:.0f} |")
    return "\n".join(["| compiled as one | CPU seconds |", "|---|---:|", *rows])


def main() -> int:
    """Prints the table; returns 1 if the sum has grown by a fifth."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--log", type=Path, help="of a build that has been done with this launcher")
    parser.add_argument("--write", action="store_true", help="write the table into docs/design.md")
    options = parser.parse_args()
    page = DESIGN.read_text("utf-8")
    known = re.search(r"all: ([\d.]+) times nanobind \| (\d+)", page)
    assert known is not None, "docs/design.md has no sum"
    expected = float(known[1])
    seconds = costs(options.log or measure())
    if options.log and sum(seconds.values()) < CACHED * float(known[2]):
        print("compiled by ccache in part: nothing to measure")
        return 0
    print(table(seconds))
    growth = sum(seconds.values()) / seconds[REFERENCE] / expected
    if options.log and growth > GROWTH:  # perhaps the machine was busy: once more, for itself
        seconds = costs(measure())
        growth = min(growth, sum(seconds.values()) / seconds[REFERENCE] / expected)
    print(f"{growth:.2f} times the sum in docs/design.md")
    if options.write:
        start, end = page.index(BEGIN) + len(BEGIN), page.index(END)
        DESIGN.write_text(f"{page[:start]}\n{table(seconds)}\n{page[end:]}", "utf-8")
        return 0
    return int(growth > GROWTH)


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("--"):
        sys.exit(launch(sys.argv[1:]))
    sys.exit(main())
