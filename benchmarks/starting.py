"""What starting costs: imports, `--version`, and the first call of a process, in one tree or more.

    python benchmarks/starting.py [--rounds 21] [TREE ...]

TREE is a folder with a built `dlx` and `sudoku`; without one, what this Python imports is measured.
Processes of the trees and of a bare interpreter alternate; a row is the median of user and system
time above the bare interpreter's, in milliseconds. Compiled files are in a folder of their own, and
the first process of each kind, which writes them, is not counted. The last rows are the fastest of
many calls in one process, in microseconds.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile

COMMAND = "import sys; sys.argv = {words!r}; from {package}.cli.main import main; sys.exit(main())"
STARTS = {
    "import dlx": "import dlx",
    "import sudoku": "import sudoku",
    "dlx --version": COMMAND.format(package="dlx", words=["dlx", "--version"]),
    "sudoku --version": COMMAND.format(package="sudoku", words=["sudoku", "--version"]),
    "dlx make": COMMAND.format(package="dlx", words=["dlx", "make", "queens", "4"]),
    "sudoku solve": COMMAND.format(package="sudoku", words=["sudoku", "solve", "1....2....3.4..."]),
    "first count": "import dlx; dlx.Problem.from_options([['a'], ['a']]).count()",
    "first sudoku.solve": "import sudoku; sudoku.solve('1... .2.. ..3. 4...')",
}
SETUP = """
import timeit, numpy, dlx
M = [[1, 0, 0, 1, 0], [0, 1, 1, 0, 0], [0, 0, 0, 0, 1], [1, 1, 0, 0, 1]]
A = numpy.array(M)
O = [['a', 'b'], ['c'], ['a'], ['b']]
p = dlx.Problem.from_options(O)
"""
CALLS = {
    "from_matrix, lists": "dlx.Problem.from_matrix(M)",
    "from_matrix, array": "dlx.Problem.from_matrix(A)",
    "from_options": "dlx.Problem.from_options(O)",
    "count of it": "p.count()",
    "from_options, count": "dlx.Problem.from_options(O).count()",
}
TIMED = "print(min(timeit.Timer({call!r}, globals=globals()).repeat(300, 300)) / 300)"


def spent(code: str, tree: str | None, compiled: str) -> tuple[float, str]:
    """User and system seconds of a process, and what it printed."""
    environment = os.environ | {"PYTHONPYCACHEPREFIX": compiled}
    environment |= {} if tree is None else {"PYTHONPATH": os.path.abspath(tree)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-P", "-c", code]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        printed, errors = process.stdout.read(), process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, errors
    return usage.ru_utime + usage.ru_stime, printed


def measure(trees: list[str | None], rounds: int, compiled: str) -> None:
    """Prints the table, a column for each tree."""
    for name, code in STARTS.items():
        runs: list[list[float]] = [[] for _ in trees]
        bare = []
        for _ in range(rounds + 1):
            bare.append(spent("", trees[0], compiled)[0])
            for seconds, tree in zip(runs, trees, strict=True):
                seconds.append(spent(code, tree, compiled)[0])
        middle = statistics.median(bare[1:])
        above = [1e3 * (statistics.median(run[1:]) - middle) for run in runs]
        print(f"{name:20}", *(f"{value:8.1f} ms" for value in above), flush=True)
    for name, call in CALLS.items():
        code = SETUP + TIMED.format(call=call)
        best = [min(float(spent(code, tree, compiled)[1]) for _ in range(3)) for tree in trees]
        print(f"{name:20}", *(f"{1e6 * value:8.2f} us" for value in best), flush=True)


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("trees", nargs="*", metavar="TREE")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as compiled:
        measure(chosen.trees or [None], chosen.rounds, compiled)


if __name__ == "__main__":
    main()
