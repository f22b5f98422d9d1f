"""The executors of other libraries: Ray and MPI as docs/parallel.md describes them, and loky.

The page's own doctests run joblib; Dask has tests/dlx/test_cluster.py.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from folders import PAGES

import dlx
from dlx import models


def example(beginning: str) -> str:
    """The example of docs/parallel.md that begins with this line."""
    page = next(page for page in PAGES if page.name == "parallel.md").read_text("utf-8")
    found: list[str] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (code,) = [code for code in found if code.startswith(beginning)]
    return code


@pytest.fixture(scope="module")
def ray_executor() -> Iterator[Any]:
    """The executor in the page, for two workers."""
    os.environ.setdefault("RAY_AUTH_MODE", "disabled")  # or it writes a token to the home folder
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    names: dict[str, Any] = {}
    exec(example("import ray\n"), names)
    yield names["RayExecutor"]()
    ray.shutdown()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Ray's
def test_ray(hole: dlx.Problem, ray_executor: Any) -> None:
    search = hole.solutions(executor=ray_executor)
    assert list(search) == list(hole.solutions())
    assert hole.count(executor=ray_executor, engine="bits") == 520
    assert models.langford(11).count(executor=ray_executor, engine="links") == 2 * 17792


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("mpiexec") is None, reason="needs MPI")
def test_mpi(tmp_path: Path) -> None:
    pytest.importorskip("mpi4py")
    path = tmp_path / "program.py"
    path.write_text(example("from mpi4py.futures").replace("langford(12)", "langford(11)"))
    command = ["mpiexec", "-n", "3", sys.executable, "-m", "mpi4py.futures", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert done.stdout == "35584\n", done.stderr


@pytest.mark.slow
def test_the_reusable_executor_of_loky(hole: dlx.Problem) -> None:
    loky = pytest.importorskip("loky")
    executor = loky.get_reusable_executor(max_workers=2)
    try:
        assert list(hole.solutions(executor=executor)) == list(hole.solutions())
        assert hole.count(executor=executor) == 520
    finally:
        executor.shutdown(kill_workers=True)
