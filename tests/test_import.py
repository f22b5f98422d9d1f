"""What importing costs, and what it does where the kernel is missing."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

import pytest

import dlx
from dlx.cli.main import dlx as dlx_command
from sudoku.cli.main import commands as sudoku_command


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


HEAVY = """
import sys
before = set(sys.modules)  # of site, in which an environment may import anything
{code}
heavy = {{
    "argparse", "ast", "asyncio", "click", "dataclasses", "datetime", "decimal", "email",
    "fractions", "hashlib", "html", "http", "importlib.metadata", "inspect", "json", "logging",
    "numpy", "pathlib", "random", "rich", "scipy", "shutil", "socket", "subprocess", "tempfile",
    "unittest", "urllib", "xml",
}}
if sys.version_info >= (3, 14):
    heavy -= {{"ast"}}  # of typing
print(sorted(heavy & (set(sys.modules) - before)), file=sys.stderr)
"""


@pytest.mark.parametrize(
    "code",
    [
        "import dlx",
        "import sudoku",
        "import dlx; p = dlx.Problem.from_options([['a'], ['a']]); p.solve(); p.verify([0]); "
        "p.count(engine='python'); dlx.Problem.from_matrix([[1]])",
    ],
)
def test_an_import_loads_nothing_heavy(code: str) -> None:
    done = run(HEAVY.format(code=code))
    assert (done.stdout, done.stderr, done.returncode) == ("", "[]\n", 0)


def test_formats_do_without_the_web() -> None:
    """The standard library's writer of XML imports what fetches its documents."""
    code = (
        "import sys; before = set(sys.modules); import sudoku.formats; "
        "print({'http', 'email', 'urllib.request'} & (set(sys.modules) - before))"
    )
    done = run(code)
    assert (done.stdout, done.stderr) == ("set()\n", "")


@pytest.mark.parametrize(
    "call",
    [
        "problem.count()",
        "problem.solve()",
        "problem.is_unique()",
        "list(problem.solutions())",
        "sudoku.solve('1... .2.. ..3. 4...')",
        "sudoku.count('1... .2.. ..3. 4...')",
    ],
)
def test_the_first_search_of_a_process_imports_no_module(call: str) -> None:
    """Its time is that of the next one."""
    code = (
        "import sys, dlx, sudoku; problem = dlx.Problem.from_options([['a'], ['a']]); "
        f"before = set(sys.modules); {call}; print(sorted(set(sys.modules) - before))"
    )
    done = run(code)
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.parametrize("package", ["dlx", "sudoku"])
def test_the_version_is_printed_without_the_commands(package: str) -> None:
    """Each command is imported when it is called; the others of this command are not."""
    code = (
        f"import sys; from {package}.cli.main import main; main(['--version']); "
        f"print(*(name for name in sys.modules if name.startswith('{package}.cli.')), "
        "*({'dlx.cli.shared', 'rich', 'json', 'logging', 'importlib.metadata'} & {*sys.modules}))"
    )
    done = run(code)
    version, loaded = done.stdout.splitlines()
    assert version == f"{package}, version {dlx.__version__}"
    assert set(loaded.split()) <= {f"{package}.cli.main", "dlx.cli.commands"}


def test_commands_are_found_by_their_names() -> None:
    for group in (dlx_command, sudoku_command):
        assert [command.name for command in group.commands.values()] == sorted(group.commands)


@pytest.mark.parametrize(
    ("version", "found"), [(dlx.__version__, True), ("0.0.7", False), (None, False)]
)
def test_a_source_tree_uses_the_kernel_of_an_installation_of_its_version(
    version: str | None, found: bool, tmp_path: Path
) -> None:
    """As in a clone after `pip install .`: the folder of the sources comes first in sys.path."""
    source = Path(dlx.__file__).parent
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(source, tmp_path / "clone" / "dlx", ignore=ignored)
    (tmp_path / "clone" / "dlx" / "cpp").mkdir(exist_ok=True)  # an installation has none
    installed = tmp_path / "installed"
    if version is not None:
        shutil.copytree(source, installed / "dlx", ignore=shutil.ignore_patterns("__pycache__"))
        file = installed / "dlx" / "core" / "version.py"
        file.write_text(file.read_text().replace(dlx.__version__, version))
    code = (
        f"import sys; sys.path[:0] = {[str(tmp_path / 'clone'), str(installed)]!r}; import dlx;"
        "print(dlx.kernel_info().missing, dlx.models.queens(6).count(), dlx.__file__, sep='|')"
    )
    done = run(code, "-S", "-E")  # without site-packages
    missing, count, file_name = done.stdout.rstrip().split("|")
    assert (count, Path(file_name)) == ("4", tmp_path / "clone" / "dlx" / "__init__.py")
    assert done.returncode == 0
    if found:
        assert (missing, done.stderr) == ("", "")
    else:
        assert missing == "No module named 'dlx._kernel'"
        assert "KernelMissingWarning" in done.stderr


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
