"""Type checkers know the names of options: mypy and pyright on `tests/typed/`, and wrong calls."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from folders import ROOT

TYPED = ROOT / "tests" / "typed" / "option_names.py"

WRONG = """\
import dlx
from dlx import models

towns = dlx.Problem.from_options({("hill", 1): ["a"]})
towns.solve(given=["hill"])  # error
towns.option(3)  # error
towns.minimum(forbid=[("hill", 1)])
for place, number in towns.solve():
    place.nope()  # error
plain = dlx.Problem.from_options([["a"]])
plain.index_of("x")  # error
typed = dlx.Problem[str](["a"])
typed.add_option(["a"], name=3)  # error
for one in models.queens(4).solutions():
    one[0].upper()  # error
plain.solve(engine="link")  # error
plain.count(heuristic="first")  # error
plain.minimum(engine="bits")  # error
plain.minimum()[0][0].upper()  # error
plain.solve_many([[]], limits=2)  # error
plain.plan("first")  # error
plain.plan("solve", engine="highs")  # error
plain.plan("minimum", distinct=True)  # error
towns.plan("count", given=["hill"])  # error
dlx.count([["a"]], timeout="x")  # error
dlx.solve([["a"]], limit=2)  # error
dlx.Problem.covering([["a"]], at_most=2)  # error


async def ask() -> None:
    await plain.acount(timeout="x")  # error
    await plain.asolve(limit=2)  # error
    await plain.aminimum(given=["x"])  # error
    await towns.aexplain(among=1)  # error
    plain.asolutions(part=3)  # error
"""


def marked() -> list[int]:
    """The lines of `WRONG` that have an error, from 1."""
    lines = enumerate(WRONG.splitlines(), start=1)
    return [number for number, line in lines if line.endswith("# error")]


def mypy(file: Path) -> list[str]:
    """The errors that mypy --strict finds in a file."""
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode in (0, 1), done.stderr
    return [line for line in done.stdout.splitlines() if ": error: " in line]


def test_the_types_are_those_of_the_values() -> None:
    subprocess.run([sys.executable, "-P", str(TYPED)], check=True)


@pytest.mark.lengthy
def test_mypy_knows_option_names() -> None:
    assert mypy(TYPED) == []


@pytest.mark.lengthy
def test_mypy_finds_wrong_names(tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(WRONG)
    found = [int(error.split(":")[1]) for error in mypy(file)]
    assert list(dict.fromkeys(found)) == marked()


@pytest.mark.lengthy
def test_pyright_knows_option_names(tmp_path: Path) -> None:
    program = shutil.which("pyright")
    if program is None:
        pytest.skip("pyright is not installed")
    wrong = tmp_path / "wrong.py"
    wrong.write_text(WRONG)
    for file, lines in ((TYPED, []), (wrong, marked())):
        command = [program, "--outputjson", "--pythonpath", sys.executable, str(file)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
        found = json.loads(done.stdout)["generalDiagnostics"]
        errors = [one for one in found if one["severity"] == "error"]
        found_in = dict.fromkeys(one["range"]["start"]["line"] + 1 for one in errors)
        assert list(found_in) == lines, errors
