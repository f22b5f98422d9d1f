"""What importing costs, and what it says when the kernel is missing."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

import pytest

import dlx


def run(code: str, *options: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", *options, "-c", code], capture_output=True, text=True, cwd=cwd
    )


@pytest.mark.skipif(not hasattr(sys, "_is_gil_enabled"), reason="before free threading")
@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="has a GIL")
def test_an_import_leaves_the_gil_off() -> None:
    """Python switches it on, and warns, for a module that does not declare itself safe."""
    code = "import sys, dlx, sudoku; dlx.models.queens(6).count(); print(sys._is_gil_enabled())"
    done = run(code)
    assert (done.stdout.strip(), done.stderr) == ("False", "")


@pytest.mark.parametrize("package", ["dlx", "sudoku"])
def test_an_import_loads_nothing_heavy(package: str) -> None:
    code = (
        f"import sys; before = set(sys.modules); import {package}; "
        "heavy = {'numpy', 'scipy', 'click', 'rich', 'dataclasses', 'inspect', 'json', 'ast',"
        " 'argparse', 'asyncio', 'random', 'logging', 'subprocess', 'unittest'}; "
        "heavy -= {'ast'} if sys.version_info >= (3, 14) else set(); "  # NamedTuple loads it
        "print(sorted(heavy & (set(sys.modules) - before)))"
    )
    done = run(code)
    assert (done.stdout.strip(), done.stderr, done.returncode) == ("[]", "", 0)


def test_searching_loads_nothing_heavy_either() -> None:
    code = (
        "import sys; before = set(sys.modules); import dlx; "
        "p = dlx.Problem.from_options([['a'], ['a']]); p.solve(); p.count(engine='python'); "
        "p.verify([0]); dlx.Problem.from_matrix([[1]]); "
        "heavy = {'numpy', 'scipy', 'click', 'rich', 'dataclasses', 'inspect'}; "
        "print(sorted(heavy & (set(sys.modules) - before)))"
    )
    done = run(code)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_a_source_tree_without_the_kernel_says_what_to_run(tmp_path: Path) -> None:
    """As in a fresh clone: C++ files where the compiled module should be."""
    source = Path(dlx.__file__).parent
    shutil.copytree(
        source, tmp_path / "dlx", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    )
    (tmp_path / "dlx" / "_kernel").mkdir(exist_ok=True)  # in an installed package there is none
    # -S: without site-packages, or an installed dlx would step in.
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import dlx"
    done = run(code, "-S", "-E", cwd=tmp_path)
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: ")
    assert "pip install ." in last
    assert "ModuleNotFoundError" not in last


SUBINTERPRETER = """
import _xxsubinterpreters as interpreters, sys
own = interpreters.create(isolated=sys.argv[1] == "isolated")
if sys.argv[2] == "after":
    import dlx
code = "import " + sys.argv[3]
try:
    interpreters.run_string(own, code)
except interpreters.RunFailedError as error:
    print(error)
interpreters.destroy(own)
import dlx
print(dlx.Problem.from_options([["a"], ["a"]]).count())
"""


@pytest.mark.skipif(not find_spec("_xxsubinterpreters"), reason="needs Python 3.11 or 3.12")
@pytest.mark.parametrize("package", ["dlx", "sudoku"])
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("isolated", ["isolated", "shared"])
def test_a_subinterpreter_is_refused(isolated: str, when: str, package: str) -> None:
    """Whether the main interpreter has imported it or not: it would hang."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", SUBINTERPRETER, isolated, when, package],
        capture_output=True,
        text=True,
        timeout=60,
    )
    message, count = done.stdout.splitlines()
    assert "ImportError" in message
    assert "dlx cannot be imported in a subinterpreter" in message
    assert (count, done.returncode) == ("2", 0)
