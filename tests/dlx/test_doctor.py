"""`dlx doctor` finds what is wrong with an installation; the installations here are made up."""

from __future__ import annotations

import json
import os
import subprocess
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from commands import run_python

import dlx
from dlx.cli.doctor import examine

ROOT = Path(dlx.__file__).parent.parent


def install(folder: Path, name: str, version: str, *, record: str = "", metadata: str = "") -> None:
    """Makes the metadata of a distribution, as pip writes it."""
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{metadata}\n"
    )
    (info / "RECORD").write_text(record)


def doctor(
    *before: Path, code: str = "", words: str = "--json", **variables: str
) -> subprocess.CompletedProcess[str]:
    """Runs the command, with these folders before that of dlx on the path of Python."""
    path = os.pathsep.join(map(str, [*before, ROOT]))
    code += (
        f"import sys\nfrom dlx.cli.main import main\nsys.exit(main(['doctor', *{words.split()}]))"
    )
    return run_python(code, env={**os.environ, "PYTHONPATH": path, **variables})


def test_nothing_is_wrong_here(tmp_path: Path) -> None:
    facts = examine([str(tmp_path)])
    assert facts["problems"] == []
    assert (facts["version"], facts["folder"]) == (dlx.__version__, str(ROOT))
    assert {"auto", "bits", "links", "python"} <= set(facts["engines"])
    info = dlx.kernel_info()
    assert facts["kernel"] == {
        "state": "compiled",
        "compiler": info.compiler,
        "simd": info.simd,
        "simd_levels": info.simd_levels,
    }


@pytest.mark.parametrize(
    ("name", "record", "metadata"),
    [
        ("py-sudoku", "sudoku/__init__.py,,\nsudoku/sudoku.py,,\n", ""),
        ("dlx", "dlx.py,,\n", ""),
        ("exactcover", "sudoku/__init__.py,,\ndlx/__init__.py,,\n", ""),
    ],
)
def test_other_projects_with_our_names_are_found(
    tmp_path: Path, name: str, record: str, metadata: str
) -> None:
    install(tmp_path, name, "1.0.3", record=record, metadata=metadata)
    install(tmp_path, "harmless", "1.0", record="sudoku_tools/__init__.py,,\n")
    [problem] = examine([str(tmp_path)])["problems"]
    assert problem.startswith(f"{name} 1.0.3 installs ")
    assert f"pip uninstall {name}" in problem


def test_the_names_in_top_level_count(tmp_path: Path) -> None:
    install(tmp_path, "old-tool", "1")
    (tmp_path / "old_tool-1.dist-info" / "top_level.txt").write_text("other\nsudoku\n")
    [problem] = examine([str(tmp_path)])["problems"]
    assert problem.startswith("old-tool 1 installs sudoku, too")


def test_a_broken_distribution_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "broken-1.dist-info").mkdir()
    assert examine([str(tmp_path)])["problems"] == []


def test_extras_have_versions(tmp_path: Path) -> None:
    needs = 'Requires-Dist: python-sat>=1.8; extra == "sat"\nRequires-Dist: click>=8\n'
    needs += 'Requires-Dist: highspy; extra == "highs"\nRequires-Dist: numpy; extra == "highs"\n'
    needs += 'Requires-Dist: pytest>=8; extra == "test"\n'
    install(tmp_path, "dlxkit", dlx.__version__, metadata=needs)
    install(tmp_path, "python_sat", "1.9.1")
    facts = examine([str(tmp_path)])
    assert facts["problems"] == []
    assert facts["extras"] == {
        "highs": {"highspy": None, "numpy": None},
        "sat": {"python-sat": "1.9.1"},
    }


def test_changed_and_missing_files_are_found(tmp_path: Path) -> None:
    (tmp_path / "dlx").symlink_to(ROOT / "dlx")
    (tmp_path / "sudoku").mkdir()
    (tmp_path / "sudoku" / "__init__.py").write_text("")
    digest = urlsafe_b64encode(sha256((ROOT / "dlx" / "errors.py").read_bytes()).digest())
    right = digest.rstrip(b"=").decode()
    record = f"dlx/errors.py,sha256={right},1\nsudoku/__init__.py,sha256={right},1\n"
    record += f"sudoku/absent.py,sha256={right},1\nother.txt,sha256={right},1\ndlx/new.py,,\n"
    install(tmp_path, "dlxkit", dlx.__version__, record=record)
    [problem] = examine([str(tmp_path)])["problems"]
    assert ": sudoku/__init__.py, sudoku/absent.py; run" in problem


def test_another_version_is_found(tmp_path: Path) -> None:
    install(tmp_path, "dlxkit", "0.0.7")
    [problem] = examine([str(tmp_path)])["problems"]
    assert "but dlxkit 0.0.7 is installed in" in problem


def test_a_package_of_another_project_in_the_way_is_found(tmp_path: Path) -> None:
    (tmp_path / "sudoku").mkdir()
    (tmp_path / "sudoku" / "__init__.py").write_text("")
    done = doctor(tmp_path)
    assert done.returncode == 1
    problems = json.loads(done.stdout)["problems"]
    assert any(
        problem.startswith("'import sudoku' finds another project's package")
        and "sudoku" in problem
        for problem in problems
    )


def test_a_missing_kernel_is_a_problem() -> None:
    done = doctor(code="import sys; sys.modules['dlx._kernel'] = None\n")
    facts = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (1, "")
    assert facts["kernel"] == {"state": "missing"}
    assert facts["engines"][0] == "python"
    assert facts["problems"][0].startswith("there is no compiled kernel (")


def test_an_unknown_instruction_set_is_a_problem() -> None:
    done = doctor(DLX_SIMD="v0")
    assert done.returncode == 1
    assert json.loads(done.stdout)["problems"][0].startswith("DLX_SIMD is 'v0'")


def test_lines_for_people_have_the_same_facts() -> None:
    facts = json.loads(doctor().stdout)
    done = doctor(words="")
    lines = done.stdout.splitlines()
    assert f"kernel: compiled by {facts['kernel']['compiler']}" in lines
    assert f"Python: {facts['python']['implementation']} {facts['python']['version']}" in lines
    assert f"engines: {', '.join(facts['engines'])}" in lines
    assert len([line for line in lines if line.startswith("problem: ")]) == len(facts["problems"])
    assert done.returncode == bool(facts["problems"])


def test_an_engine_that_finds_something_else_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = dlx.Problem.solve

    def solve(self: dlx.Problem, *, engine: str = "auto") -> object:
        if engine == "bits":
            raise RuntimeError("broken")
        return None if engine == "links" else real(self, engine=engine)

    monkeypatch.setattr(dlx.Problem, "solve", solve)
    problems = examine([str(tmp_path)])["problems"]
    assert problems == [
        "engine='bits' fails with RuntimeError: broken; reinstall dlxkit",
        "engine='links' finds None, not ('x', 'y')",
    ]
