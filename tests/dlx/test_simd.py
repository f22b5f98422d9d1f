"""The instruction sets of the `bits` engine, `DLX_SIMD`, and what `kernel_info` tells.

The choice is made once in a process, so that each of these has one of its own. The whole suite runs
on one level with `DLX_SIMD=plain pytest`, and parts of it on all of them with `make test-simd`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from folders import SUPPORT

import dlx
from dlx.engines.registry import ENGINES

LEVELS = dlx.kernel_info().simd_levels
KNOWN = ("v4", "v3", "plain")
LACKING = [level for level in KNOWN if level not in LEVELS]
NO_LEVELS = ["v1", "v2", "v5", "V3", "avx2", "plain ", "v4,v3", "0", "\u00fc"]

HASH = """
import hashlib, random, sys
sys.path.insert(0, sys.argv[1])
import dlx
from dlx import models
from kernel_searches import LAYOUTS, kernel_search, tell

def noise(items, options, longest, seed):
    rng = random.Random(seed)
    rows = [rng.sample(range(items), rng.randint(1, longest)) for _ in range(options)]
    rows += [[item] for item in range(items)]
    return dlx.Problem.from_options(rows, primary=range(items))

problems = [
    models.queens(7), models.langford(7), models.dominoes(4, 5), models.latin_square(4),
    models.pentominoes(3, 20), models.graceful_labeling(models.wheel_graph(4)),
    noise(20, 100, 3, 1), noise(100, 300, 4, 2), noise(300, 900, 3, 3), noise(5, 3000, 2, 4),
    noise(600, 4500, 5, 5),
]
digest = hashlib.sha256()
for problem in problems:
    for heuristic in ("mrv", "weighted"):
        for engine in ("bits", "auto", *(f"bits/{layout}" for layout in LAYOUTS)):
            reported = tell(kernel_search(problem, engine, heuristic=heuristic), 500)
            digest.update(repr((engine, heuristic, reported)).encode())
print(dlx.kernel_info().simd, digest.hexdigest())
"""


def run(level: str | None, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ)
    environment.pop("DLX_SIMD", None)
    if level is not None:
        environment["DLX_SIMD"] = level
    command = [sys.executable, "-P", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def answer(level: str | None, code: str) -> str:
    done = run(level, "-c", code, str(SUPPORT))
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


@pytest.mark.lengthy
def test_each_level_finds_the_same() -> None:
    answers = [answer(level, HASH).split() for level in LEVELS]
    assert [level for level, _ in answers] == list(LEVELS)
    assert len({digest for _, digest in answers}) == 1


ROUNDS = """
import random
import dlx, sudoku
from dlx import models

def work(problem, sets):
    with problem.count_many(sets, limit=30, engine="bits", errors="return") as answers:
        counts = list(answers)
        return counts, answers.stats.nodes, list(answers.stats.profile)

rng = random.Random(7)
squares = [[(r, c, (r + c) % n + 1) for r in range(n) for c in range(n)] for n in (8, 9, 10, 11)]
reported = [
    work(models.latin_square(8 + k), [rng.sample(square, len(square) // m) for m in (2, 3, 4, 9)])
    for k, square in enumerate(squares)
]
for layout in (sudoku.Layout(3, 3), sudoku.Layout(4, 4)):
    rows = sudoku.random_grid(layout, seed=3).rows
    cells = [(r, c, d) for r, row in enumerate(rows, 1) for c, d in enumerate(row, 1)]
    sets = [rng.sample(cells, len(cells) * many // 100) for many in range(15, 60, 5)]
    reported.append(work(sudoku.cover(layout), sets))
for items in (250, 257, 385, 500, 513, 700, 769, 1030, 4000):
    pairs = [(f"i{k}", f"i{(k + step) % items}") for k in range(items) for step in (1, 7)]
    problem = dlx.Problem.from_options([*pairs, *((f"i{k}",) for k in range(items))])
    sets = [rng.sample(range(0, 2 * items, 40), 3) for _ in range(3)]
    reported.append(work(problem, sets))
print(reported)
"""


def test_batches_are_the_same_on_each_level() -> None:
    """Counts and nodes, and so whether a list is counted in rounds at all."""
    reported = {answer(level, ROUNDS) for level in LEVELS}
    assert len(reported) == 1


@pytest.mark.parametrize("level", [None, ""])
def test_the_best_level_is_the_default(level: str | None) -> None:
    assert answer(level, "import dlx; print(dlx.kernel_info().simd)") == LEVELS[0]


NO_SUCH_LEVEL = """
import dlx
problem = dlx.Problem.from_options([["a"]])
questions = [
    dlx.kernel_info,
    *(lambda engine=engine, name=name: getattr(problem, name)(engine=engine)
      for engine in ("auto", "bits", "links") for name in ("solutions", "solve", "count")),
    lambda: list(problem.solve_many([[]])),
]
for question in questions * 2:
    try:
        question()
    except dlx.InvalidArgument as error:
        print(error)
    else:
        print("no error")
assert problem.count(engine="python") == 1
"""


@pytest.mark.parametrize("level", [*NO_LEVELS, *LACKING])
def test_a_level_that_is_not_to_be_had(level: str) -> None:
    """Every question says so, not only the first."""
    messages = answer(level, NO_SUCH_LEVEL).splitlines()
    assert len(messages) == 22
    expected = f"DLX_SIMD is '{level}'; this processor and this build have {', '.join(LEVELS)}"
    assert set(messages) == {expected}


@pytest.mark.parametrize("level", ["v9", *LACKING])
@pytest.mark.parametrize("command", ["solve", "count"])
def test_the_command_says_so_in_one_line(tmp_path: Path, level: str, command: str) -> None:
    path = tmp_path / "choices.dlx"
    path.write_text("a b\na\nb\n")
    done = run(level, "-m", "dlx", command, str(path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"dlx: DLX_SIMD is '{level}'; ")
    assert done.stderr.count("\n") == 1


def test_kernel_info() -> None:
    info = dlx.kernel_info()
    assert info == (info.compiler, info.engines, info.simd, info.simd_levels, info.missing)
    assert not info.missing
    name, version = info.compiler.rsplit(" ", 1)
    assert name
    assert version[0].isdigit()
    assert info.engines == ENGINES
    assert info.simd == (os.environ.get("DLX_SIMD") or info.simd_levels[0])


def test_plain_is_always_to_be_had_and_comes_last() -> None:
    assert LEVELS[-1] == "plain"
    assert list(LEVELS) == [level for level in KNOWN if level in LEVELS]


@pytest.mark.skipif(not Path("/proc/cpuinfo").exists(), reason="not Linux")
def test_levels_are_those_of_the_processor() -> None:
    """As far as one flag each tells: one that the kernel has and Linux lacks would be a crash."""
    flags = set(Path("/proc/cpuinfo").read_text().split())
    flag_of = {"v3": "avx2", "v4": "avx512_vpopcntdq"}
    assert {level for level, flag in flag_of.items() if flag in flags} == set(LEVELS) - {"plain"}
