"""The first calls of a new user, against whatever is installed: a smoke test of a package.

usage: python -P .ci/first_calls.py [--without-kernel]
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import dlx
import sudoku
from dlx import models
from dlx.cli.doctor import examine

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def main(without_kernel: bool) -> None:
    """Runs the calls; an AssertionError says which has another answer than expected."""
    info = dlx.kernel_info()
    assert bool(info.missing) == without_kernel, info
    if without_kernel:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            models.queens(4).solve()
            models.queens(4).solve()
        assert [one.category for one in caught] == [dlx.KernelMissingWarning], caught
    problem = dlx.Problem.from_options({"x": ["a", "c"], "y": ["b"], "z": ["a", "b"]})
    assert problem.solve() == ("x", "y")
    assert models.queens(6).count() == 4
    assert models.queen_domination(4, 2).count() == 12
    assert problem.minimum() == [(0, ("x", "y"))]
    assert sudoku.solve(PUZZLE).line == SOLVED
    assert sudoku.is_unique(sudoku.generate(seed=1))
    try:
        assert models.langford(5).explain().items
        assert not without_kernel
    except dlx.KernelMissing:
        assert without_kernel
    problems = examine()["problems"]
    assert bool(problems) == without_kernel, problems
    print(f"{Path(dlx.__file__).parent}: as expected, {info.compiler or 'without the kernel'}")


if __name__ == "__main__":
    main("--without-kernel" in sys.argv[1:])
