"""Ours against published Sudoku packages: solving, and making puzzles, in one run.

    python benchmarks/sudoku_peers.py [PACKAGE ...] [--list FILE] [--rounds 3] [--seconds 5]
                                      [--environment .venv-sudoku-peers] [--into FILE]

Run it with a Python that has `dlxkit`. The packages get an environment of their own, made when
it is missing, from `sudoku-peers-requirements.txt`. Each run is a process of its own, and in each
round all take turns. The question is how many puzzles of 17 givens (`seventeen.txt`) each solves in
`--seconds` of CPU time, importing and a first puzzle left out, and how many puzzles it generates;
the table has medians. Solutions are checked, and generated puzzles are counted by ours: "unique"
says how many of them have exactly one solution, "minimal" how many of those have no needless given.
`--into` puts the table into a page, between two marks. The exit status is 1 if an answer of ours
was wrong.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module, metadata
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

__all__ = ["main"]

HERE = Path(__file__).parent
TIMEOUT = 300  # seconds of a process
BATCH = 1000  # puzzles of ours at once

Solver = Callable[[str], str]


# -- in a process of its own ---------------------------------------------------------------------


def _sudokutools() -> tuple[Solver, Callable[[], str]]:
    from_text = import_module("sudokutools.sudoku").Sudoku.decode
    dlx = import_module("sudokutools.solve").dlx
    generate = import_module("sudokutools.generate").generate

    def text_of(grid: Any) -> str:
        return str("".join(str(grid[row, column]) for row in range(9) for column in range(9)))

    return (
        lambda text: text_of(next(dlx(from_text(text.replace(".", "0"))))),
        lambda: text_of(generate()),
    )


def _puzzlekit() -> tuple[Solver, None]:
    solver = import_module("puzzlekit.solvers").get_solver_class("sudoku")

    def solve(text: str) -> str:
        cells = text.replace(".", "-")
        found = solver(9, 9, [list(cells[at : at + 9]) for at in range(0, 81, 9)]).solve()
        rows = found.solution_data["solution_grid"].matrix
        return "".join(str(cell) for row in rows for cell in row)

    return solve, None


def _pencilmark() -> tuple[Solver, Callable[[], str]]:
    package = import_module("pencilmark")
    generate = import_module("pencilmark.gen.api").generate
    seeds = iter(range(10**9))

    def make() -> str:
        made = generate({"seed": next(seeds)})["puzzle"]
        return str(package.to_string(made))

    return lambda text: "".join(map(str, package.solve(text))), make


def _dokusan() -> tuple[Solver, Callable[[], str]]:
    boards, solvers = import_module("dokusan.boards"), import_module("dokusan.solvers")
    generators = import_module("dokusan.generators")
    size = boards.BoxSize(3, 3)

    def solve(text: str) -> str:
        rows = [
            [int(cell) for cell in text[at : at + 9].replace(".", "0")] for at in range(0, 81, 9)
        ]
        return str(solvers.backtrack(boards.Sudoku.from_list(rows, box_size=size)))

    return solve, lambda: str(generators.random_sudoku())


def _py_sudoku() -> tuple[Solver, Callable[[], str]]:
    sudoku = import_module("sudoku").Sudoku
    seeds = iter(range(10**9))

    def text_of(board: Any) -> str:
        return "".join(str(cell or 0) for row in board for cell in row)

    def solve(text: str) -> str:
        cells = [int(cell) for cell in text.replace(".", "0")]
        board = [[cell or None for cell in cells[at : at + 9]] for at in range(0, 81, 9)]
        return text_of(sudoku(3, 3, board=board).solve().board)

    return solve, lambda: text_of(sudoku(3, seed=next(seeds)).difficulty(0.5).board)


def _dlxsudoku() -> tuple[Solver, None]:
    sudoku = import_module("dlxsudoku").Sudoku

    def solve(text: str) -> str:
        puzzle = sudoku(text.replace(".", "0"))
        puzzle.solve()
        return str(puzzle.to_oneliner())

    return solve, None


def _ours() -> tuple[Solver, Callable[[], str]]:
    ours = import_module("sudoku")
    seeds = iter(range(10**9))
    return lambda text: str(ours.solve(text).line), lambda: str(
        ours.generate(seed=next(seeds)).line
    )


def _ours_at_once() -> tuple[Iterator[str], Iterator[str]]:
    ours = import_module("sudoku")
    puzzles = cycle(_puzzles(Path(sys.argv[3])))
    return (
        (grid.line for grid in ours.solve_many(puzzles)),
        (puzzle.line for puzzle in ours.generate_many(seed=0)),
    )


PACKAGES: dict[str, Callable[[], tuple[Any, Any]]] = {
    "sudokutools": _sudokutools,
    "puzzlekit": _puzzlekit,
    "pencilmark": _pencilmark,
    "dokusan": _dokusan,
    "py-sudoku": _py_sudoku,
    "dlxsudoku": _dlxsudoku,
    "dlxkit": _ours,
    "dlxkit, many at once": _ours_at_once,
}


def work(name: str, question: str, path: str, seconds: float) -> None:
    """One run: prints the number of puzzles, the seconds, and what came out, as JSON."""
    solve, make = PACKAGES[name]()
    ask = solve if question == "solve" else make
    if ask is None:
        print(json.dumps({"cannot": f"{name} makes no puzzles"}))
        return
    if hasattr(ask, "__next__"):
        answers = ask
    elif question == "solve":
        answers = map(ask, cycle(_puzzles(Path(path))))
    else:
        answers = iter(ask, None)
    started = time.process_time()
    first = [next(answers)]  # after it, everything is imported and made ready
    found: list[str] = []
    if (used := time.process_time() - started) >= seconds:
        found, first = first, []  # that was enough
    else:
        started = time.process_time()
        while (used := time.process_time() - started) < seconds:
            found += [next(answers) for _ in range(BATCH if "many" in name else 1)]
    shown = first + found if question == "make" else (first + found)[:200]
    version = metadata.version(name.split(",")[0])
    print(json.dumps({"number": len(found), "seconds": used, "found": shown, "version": version}))


def _puzzles(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split()[0] for line in lines if line.strip() and not line.startswith("#")]


# -- the run -------------------------------------------------------------------------------------


class Runs(NamedTuple):
    """What a package did with a question, in all rounds."""

    rates: list[float]
    found: list[str]
    version: str
    why_not: str

    @property
    def rate(self) -> str:
        """Puzzles a second, as the table has it."""
        if self.why_not:
            return self.why_not
        rate = median(self.rates)
        return f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, and prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE")
    parser.add_argument("--list", type=Path, default=HERE / "seventeen.txt")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5, help="CPU seconds of a run")
    parser.add_argument("--environment", type=Path, default=HERE.parent / ".venv-sudoku-peers")
    parser.add_argument("--into", type=Path)
    options = parser.parse_args(arguments)
    from measuring import make_environment, put_into

    python = str(make_environment(options.environment, "sudoku-peers-requirements.txt"))
    names = options.packages or list(PACKAGES)
    results: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for _ in range(options.rounds):
        for question in ("solve", "make"):
            for name in names:
                runs = results.setdefault((name, question), [])
                if not runs or "cannot" not in runs[-1]:
                    executable = sys.executable if name.startswith("dlxkit") else python
                    runs.append(_run(executable, name, question, options))
    table, right = _table(names, results, _puzzles(options.list))
    print(table)
    if options.into:
        put_into(options.into, "sudoku-peers", table)
    return 0 if right else 1


def _run(python: str, name: str, question: str, options: argparse.Namespace) -> dict[str, Any]:
    what = [name, question, str(options.list), str(options.seconds)]
    command = [python, "-P", "-W", "ignore", __file__, *what]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return {"cannot": f"none in {TIMEOUT} s"}
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["failed"])[-1]
        print(f"{name}, {question}: {last}", file=sys.stderr)
        return {"cannot": "failed"}
    return dict(json.loads(done.stdout.splitlines()[-1]))


def _table(
    names: list[str], results: dict[tuple[str, str], list[dict[str, Any]]], puzzles: list[str]
) -> tuple[str, bool]:
    """The table, and whether all that is ours is right."""
    from sudoku import count_many, solve_many

    solutions = [grid.line for grid in solve_many(puzzles)]
    right = True
    lines = [
        "| package | 17-clue puzzles solved a second | puzzles made a second | made | unique "
        "| minimal |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name in names:
        solved, made = (_runs(results[name, question]) for question in ("solve", "make"))
        expected = [solutions[at % len(solutions)] for at in range(len(solved.found))]
        wrong = sum(a != b for a, b in zip(solved.found, expected, strict=True))
        cells = [f"{solved.rate}{f' (**{wrong} wrong**)' if wrong else ''}", made.rate]
        counts = list(count_many(made.found, limit=2))
        unique = [line for line, ways in zip(made.found, counts, strict=True) if ways == 1]
        minimal = sum(map(_is_minimal, unique[:500]))
        share = f"{minimal} of {len(unique[:500])}" if unique else ""
        if made.found:
            cells += [f"{len(made.found):,}", f"{len(unique):,}", share]
        else:
            cells += ["", "", ""]
        if name.startswith("dlxkit"):
            right = right and not wrong and len(unique) == len(made.found)
            right = right and minimal == len(unique[:500])
        version = solved.version or made.version
        lines.append(f"| {name} {version} | {' | '.join(cells)} |")
    return "\n".join(lines), right


def _runs(runs: list[dict[str, Any]]) -> Runs:
    if any("cannot" in run for run in runs):
        why = next(run["cannot"] for run in runs if "cannot" in run)
        return Runs([], [], "", "-" if "makes no" in why else why)
    first = runs[0]
    rates = [run["number"] / run["seconds"] for run in runs]
    return Runs(rates, list(first["found"]), first["version"], "")


def _is_minimal(line: str) -> bool:
    from sudoku import count_many

    line = line.replace("0", ".")
    without = [f"{line[:at]}.{line[at + 1 :]}" for at in range(81) if line[at] != "."]
    return min(count_many(without, limit=2)) == 2


if __name__ == "__main__":
    if len(sys.argv) == 5 and sys.argv[1] in PACKAGES:
        work(sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4]))
    else:
        sys.exit(main())
