"""The console sessions of README.md and docs/*.md, run as written, and what the pages claim."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from folders import DOCS, EXAMPLES, PAGES, ROOT

import dlx
import sudoku
from dlx.cli.main import dlx as dlx_command
from dlx.models import queen_domination
from sudoku import Layout, LayoutError, layouts
from sudoku.cli.main import commands as sudoku_command


def sessions() -> list[tuple[str, str, str]]:
    """(page, command, expected output) of every `$` line in a console block."""
    found = []
    for page in PAGES:
        for block in re.findall(r"^```console\n(.*?)^```", page.read_text("utf-8"), re.M | re.S):
            for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
                command, _, output = part.partition("\n")
                found.append((page.name, command, output))
    return found


@pytest.mark.parametrize(("page", "command", "expected"), sessions())
def test_session(page: str, command: str, expected: str, tmp_path: Path) -> None:
    """Standard output is as the page shows it; "..." on a line of its own ends the comparison."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "TMPDIR": str(tmp_path),
    }
    done = subprocess.run(
        ["sh", "-c", command], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    shown, cut, _ = expected.partition("...\n")
    output = done.stdout[: len(shown)] if cut else done.stdout
    assert output == shown, f"{page}: {command}\n{done.stderr}"


def test_installing_is_from_a_clone() -> None:
    """The distribution is not on the package index yet."""
    pages = [*PAGES, *ROOT.glob("*.md"), *(ROOT / "dlx").rglob("*.py")]
    pages += [*(ROOT / "sudoku").rglob("*.py"), *EXAMPLES.iterdir()]
    named = re.compile(r"pip install [^\n`]*dlxkit")
    assert [
        page for page in pages if page.is_file() and named.search(page.read_text("utf-8"))
    ] == []


def test_every_question_takes_multiplicities_as_the_table_says() -> None:
    lines = (ROOT / "docs" / "methods.md").read_text("utf-8").splitlines()
    first = next(place for place, line in enumerate(lines) if "| with [multiplicities]" in line)
    rows = lines[first + 2 : lines.index("", first)]
    assert all(row.split(" | ")[2] == "yes" for row in rows)
    problem = queen_domination(4, 2)
    solutions = {frozenset(solution) for solution in problem.solutions(engine="links")}
    assert len(solutions) == problem.count() == problem.diagram().count() == 12
    for engine in ("bits", "python", "sat"):
        assert {frozenset(solution) for solution in problem.solutions(engine=engine)} == solutions
    assert not problem.is_unique()
    assert frozenset(problem.solve()) in solutions
    assert frozenset(next(iter(problem.solve_many([[]])))) in solutions
    assert {*map(frozenset, problem.sample(20, seed=1))} <= solutions
    assert frozenset(problem.minimum(1)[0][1]) in solutions
    assert problem.estimate(seed=1).solutions > 0
    assert problem.explain() is None
    assert {*map(frozenset, problem.reduced().problem.solutions())} == solutions
    assert queen_domination(5, 1).explain() is not None


def test_the_page_of_methods_has_every_method() -> None:
    page = (ROOT / "docs" / "methods.md").read_text("utf-8")
    named = set(re.findall(r"[.]([a-z_]+)", page))
    assert {name for name in dir(dlx.Problem) if not name.startswith("_")} <= named


def test_which_kinds_have_no_hints() -> None:
    with pytest.raises(LayoutError, match="no hints or ratings"):
        sudoku.rate("." * 625, layout=Layout(5, 5))
    for layout in (
        layouts.killer([(3, "r1c1 r1c2")]),
        layouts.thermometers(["r1c1 r1c2"]),
        layouts.named("samurai"),
    ):
        assert list(sudoku.hints(sudoku.solve("." * layout.size, layout=layout))) == []


@pytest.mark.parametrize("page", ["README.md", "docs/limits.md", "docs/parallel.md"])
def test_pickles_are_for_trusted_sources(page: str) -> None:
    text = " ".join((ROOT / page).read_text("utf-8").split()).lower()
    assert "unpickle only what" in text
    assert "trust" in text


# -- The reference pages of docs/ have every public name -----------------------------------------


@pytest.mark.parametrize(
    ("page", "names"), [("dlx", "dlx"), ("models", "dlx.models"), ("sudoku", "sudoku")]
)
def test_the_reference_has_every_public_name(page: str, names: str) -> None:
    """Classes and functions come from `automodule`; a constant needs a line of its own."""
    text = (DOCS / "reference" / f"{page}.md").read_text("utf-8")
    assert f".. automodule:: {names}\n" in text
    module = importlib.import_module(names)
    constants = {name for name in module.__all__ if not callable(getattr(module, name))}
    assert constants == set(re.findall(r"^\.\. autodata:: \S+\.(\w+)$", text, re.M))


# -- Man pages: each command has one, with all its options, that groff reads without a warning ---


WRITER = ROOT / ".ci" / "man_pages.py"


def test_each_command_has_a_page(tmp_path: Path) -> None:
    subprocess.run([sys.executable, WRITER, tmp_path], check=True)
    expected = {"dlx.1", "sudoku.1"}
    for name, group in (("dlx", dlx_command), ("sudoku", sudoku_command)):
        for other, command in group.commands.items():
            path = tmp_path / f"{name}-{other}.1"
            expected.add(path.name)
            page = path.read_text().replace("\\-", "-")
            assert f".B {name} {other}\n" in page
            for parameter in command.params:
                if parameter.param_type_name == "option":
                    assert all(option in page for option in parameter.opts), path.name
            assert "-h, --help" in page
            assert f"\n\\fB{other.replace('-', chr(92) + '-')}\\fR\n" in (
                (tmp_path / f"{name}.1").read_text()
            )
    assert {path.name for path in tmp_path.iterdir()} == expected
    groff = shutil.which("groff")
    if groff is not None:
        for path in tmp_path.iterdir():
            read = subprocess.run(
                [groff, "-man", "-ww", "-z", path], capture_output=True, text=True
            )
            assert (read.returncode, read.stderr) == (0, ""), path.name
