"""Proofs: the time to write them, their size, and the time of checkers; for docs/proofs.md.

    python benchmarks/proofs.py [NAME ...] [--checkers FOLDER] [--seconds 600] [--keep FOLDER]

Each question is answered without and with a proof, and the proof is checked by `dlx.check`, and by
drat-trim and VeriPB as far as these are in the folder or on the path. Each run is a process of its
own with a limit of CPU time. Times are CPU time: of the question without imports and without making
the problem, of a checker for the whole process. A VeriPB before 3.0 reads an older form of the
format, which is made for it (`older_proof`). The exit status is 1 if an answer differs from that
without a proof, or if a checker refuses a proof.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cost_instances import assignment, queens_by_distance, weighted_cover
from drawn import edge_matching, random_graph, sudoku_with_holes
from learning import mutilated, pigeons
from multiplicity_instances import factors
from native import run_process
from peers import show_digits, show_time

from dlx import Problem, models
from dlx.check.__main__ import lines_of

__all__ = ["PROBLEMS", "main", "older_formula", "older_proof"]

SHORT = 0.1  # CPU seconds; shorter answers are repeated, for a mean


class Row(NamedTuple):
    """A line of the table: how the problem is made, the question, and the suffix of the proof."""

    build: Callable[[], Problem[Any]]
    question: str  # the method of Problem
    suffix: str


def _drawn(build: Callable[..., Problem[Any]], *sizes: float) -> Callable[[], Problem[Any]]:
    """The builder of a problem drawn by the seed 1."""
    return lambda: build(random.Random(1), *sizes)


PROBLEMS: dict[str, Row] = {
    "Langford 10": Row(lambda: models.langford(10), "solve", ".drat"),
    "graceful cycle of 6": Row(
        lambda: models.graceful_labeling([(i, (i + 1) % 6) for i in range(6)]), "solve", ".drat"
    ),
    "3-colorings, 60 vertices, 140 edges": Row(
        lambda: models.graph_coloring(random_graph(random.Random(1), 60, 140), 3), "solve", ".drat"
    ),
    "chessboard 8x8 less two corners": Row(lambda: mutilated(8), "solve", ".drat"),
    "random covers": Row(
        lambda: models.random_exact_cover(60, 200, 4, 1, satisfiable=False), "solve", ".drat"
    ),
    "Langford 18": Row(lambda: models.langford(18), "solve", ".pbp"),
    "chessboard 12x12 less two corners": Row(lambda: mutilated(12), "solve", ".pbp"),
    "17 pigeons in 16 holes": Row(lambda: pigeons(16), "solve", ".pbp"),
    "queen domination 7, 3": Row(lambda: models.queen_domination(7, 3), "solve", ".pbp"),
    "queens 8": Row(lambda: models.queens(8), "solutions", ".pbp"),
    "Langford 8": Row(lambda: models.langford(8), "solutions", ".pbp"),
    "pentominoes 3x20": Row(lambda: models.pentominoes(3, 20), "solutions", ".pbp"),
    "Latin squares of order 4": Row(lambda: models.latin_square(4), "solutions", ".pbp"),
    "Sudoku, 53 open cells": Row(_drawn(sudoku_with_holes, 3, 0.66), "solutions", ".pbp"),
    "edge matching 5x5": Row(_drawn(edge_matching, 5, 4), "solutions", ".pbp"),
    "two-factors of K7": Row(lambda: factors(7, 2), "solutions", ".pbp"),
    "assignment 8, 3 kinds": Row(lambda: assignment(8, 3, 1), "minimum", ".pbp"),
    "queens by distance 8": Row(lambda: queens_by_distance(8), "minimum", ".pbp"),
    "weighted covers of 30": Row(lambda: weighted_cover(30, 60, 1), "minimum", ".pbp"),
    "dominoes 16x16": Row(lambda: models.dominoes(16, 16), "count", ".count"),
}


# -- VeriPB before 3.0 -----------------------------------------------------------------------------

OLDER = {"solx": "v", "soli": "o", "sol": "ov", "deld": "del id"}
"""Rules that had other names."""


def older_formula(lines: Iterable[str]) -> Iterator[str]:
    """An OPB file without the line that says in which variables solutions differ."""
    return (line for line in lines if not line.startswith("preserved:"))


def older_proof(lines: Iterable[str], objective: str = "") -> Iterator[str]:
    """A proof in version 1.1 of the format; `objective` is that of the formula, without "min:".

    Each rule is on a line of its own. Hints are left out, and conclusions become the checks that
    there were: "c", a contradiction; "i", an inequality that another one implies; "ov", a solution.
    """
    yield "pseudo-Boolean proof version 1.1\n"
    text = ""
    contradiction = False  # is the newest inequality one?
    for line in lines:
        *whole, text = (text + line.partition("%")[0]).replace(":", " : ").split(";")
        for words in map(str.split, whole):
            while words[:2] == ["pseudo-Boolean", "proof"]:  # the header has no ";"
                del words[:4]
            rule, *rest = words
            if rule == "conclusion":
                yield from _older_conclusion(rest, objective, contradiction)
            elif rule == "rup":
                shown = " ".join(rest).partition(" :")[0]
                contradiction = shown == ">= 1"
                yield f"rup {shown} ;\n"
            elif rule not in ("output", "end"):
                contradiction &= rule != "pol"
                yield " ".join([OLDER.get(rule, rule), *rest]).partition(" :")[0] + "\n"


def _older_conclusion(words: list[str], objective: str, contradiction: bool) -> Iterator[str]:
    form = re.fullmatch(
        r"(?P<kind>\w+)(?: (?P<low>[^ :]+))?(?: : (?P<number>-?\d+))?"
        r"(?: (?P<high>[^ :]+))?(?: : ?(?P<solution>.*))?",
        " ".join(words),
    )
    assert form is not None
    if form["number"] is not None and (form["kind"] != "BOUNDS" or contradiction):
        yield f"c {form['number']}\n"
    elif form["number"] is not None:
        yield f"i {form['number']} {objective} >= {form['low']} ;\n"
    if form["solution"]:
        yield f"ov {form['solution']}\n"


# -- measuring -------------------------------------------------------------------------------------


def answer(name: str, proof: str | None) -> dict[str, Any]:
    """The answer to a question, and the CPU seconds it took."""
    row = PROBLEMS[name]
    keywords = {} if proof is None else {"proof": proof}
    runs, seconds = 0, 0.0
    while seconds < SHORT:
        problem = row.build()  # all that a problem prepares counts
        start = time.process_time()
        found: Any = getattr(problem, row.question)(**keywords)
        if row.question == "solve":
            found = found is not None
        elif row.question == "solutions":
            found = sum(1 for _ in found)
        elif row.question == "minimum":
            found = found[0][0] if found else None
        runs, seconds = runs + 1, seconds + time.process_time() - start
    return {"answer": str(found), "seconds": seconds / runs}


class Checkers(NamedTuple):
    """The programs of others, as far as they are there."""

    drat_trim: str | None
    veripb: str | None

    @classmethod
    def found_in(cls, folder: Path | None) -> Checkers:
        """Those in a folder or on the path."""
        paths = [os.environ.get("PATH", "")]
        if folder is not None:
            paths = [str(path) for path in folder.rglob("*") if path.is_dir()] + paths
        where = os.pathsep.join(paths)
        return cls(shutil.which("drat-trim", path=where), shutil.which("veripb", path=where))

    def command(self, formula: Path, proof: Path) -> list[str] | None:
        """The call that checks a proof, if one of them can."""
        if proof.suffix == ".drat" and self.drat_trim is not None:
            return [self.drat_trim, str(formula), str(proof), "-t", "100000"]
        if proof.suffix != ".pbp" or self.veripb is None:
            return None
        text = formula.read_text("utf-8")
        objective = re.search(r"(?m)^min:(.*);", text)
        older = [path.with_name(f"older{path.suffix}") for path in (formula, proof)]
        older[0].write_text("".join(older_formula(text.splitlines(keepends=True))), "utf-8")
        with older[1].open("w", encoding="utf-8") as file:
            steps = older_proof(lines_of(str(proof)), objective[1].strip() if objective else "")
            file.writelines(steps)
        return [self.veripb, *map(str, older)]


def measure(
    name: str, folder: Path, checkers: Checkers, seconds: int
) -> tuple[list[str], list[str]]:
    """The cells of a line of the table, and what went wrong."""
    row = PROBLEMS[name]
    proof = folder / f"proof{row.suffix}"
    formula = proof.with_suffix({".drat": ".cnf", ".pbp": ".opb", ".count": ".dlx"}[row.suffix])
    if row.suffix == ".count":
        row.build().dump(formula)
    ask = [sys.executable, __file__, name, "--worker"]
    plain = run_process(ask, Path(os.devnull), seconds)
    with_proof = run_process([*ask, str(proof)], Path(os.devnull), seconds)
    cells, wrong = [name, f"`{row.question}`", row.suffix], []
    answers = []
    for run in (plain, with_proof):
        outcome = {} if run.trouble else json.loads(run.output.strip().split("\n")[-1])
        answers.append(outcome.get("answer"))
        cells.append(run.trouble or show_time(outcome["seconds"]))
    if answers[0] != answers[1] and not (plain.is_over or with_proof.is_over):
        wrong.append(f"{name}: {answers[0]} without a proof, {answers[1]} with one")
    if with_proof.trouble:
        return [*cells, "", "", "", ""], wrong
    cells.append(f"{show_digits(proof.stat().st_size / 1000)} kB")
    ours = [sys.executable, "-m", "dlx.check", str(formula), str(proof)]
    check = run_process(ours, Path(os.devnull), seconds)
    cells += [
        "" if check.trouble else check.output.strip(),
        check.trouble or show_time(check.seconds),
    ]
    if check.trouble and not check.is_over:
        wrong.append(f"{name}: dlx.check refuses the proof: {check.output.strip()[-200:]}")
    theirs = checkers.command(formula, proof)
    if theirs is None:
        return [*cells, ""], wrong
    check = run_process(theirs, Path(os.devnull), seconds)
    cells.append(check.trouble or show_time(check.seconds))
    if not (check.is_over or re.search("s VERIFIED|Verification succeeded", check.output)):
        wrong.append(f"{name}: {theirs[0]} refuses the proof: {check.output.strip()[-200:]}")
    return cells, wrong


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, and prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="(default: all)")
    parser.add_argument("--checkers", type=Path, metavar="FOLDER")
    parser.add_argument("--seconds", type=int, default=600, help="CPU seconds of a run")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="for formulas and proofs")
    parser.add_argument("--worker", nargs="?", const="", help="one question: for this script")
    options = parser.parse_args(arguments)
    for name in options.names:
        if name not in PROBLEMS:
            parser.error(f"there is no problem {name!r}; there are {', '.join(PROBLEMS)}")
    if options.worker is not None:
        print(json.dumps(answer(options.names[0], options.worker or None)))
        return 0
    checkers = Checkers.found_in(options.checkers)
    print(
        "| problem | question | proof | time without | with | size | it shows | `dlx.check` | ",
        end="",
    )
    print("drat-trim, VeriPB |\n|---|---|---|---:|---:|---:|---|---:|---:|")
    wrong = []
    for name in options.names or PROBLEMS:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            if options.keep is not None:
                folder = options.keep / re.sub(r"\W+", "-", name)
                folder.mkdir(parents=True, exist_ok=True)
            cells, trouble = measure(name, folder, checkers, options.seconds)
        print(f"| {' | '.join(cells)} |", flush=True)
        wrong += trouble
    for text in wrong:
        print(text, file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
