"""The console sessions of README.md and docs/*.md, run as written, and what the pages claim."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from folders import EXAMPLES, PAGES, ROOT

import dlx
import sudoku
from dlx.models import queen_domination
from sudoku import Layout, LayoutError, layouts


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
    """The name of the distribution belongs to another project on the package index."""
    pages = [*PAGES, *ROOT.glob("*.md"), *(ROOT / "dlx").rglob("*.py")]
    pages += [*(ROOT / "sudoku").rglob("*.py"), *EXAMPLES.iterdir()]
    named = re.compile(r"pip install [^\n`]*exactcover")
    assert [
        page for page in pages if page.is_file() and named.search(page.read_text("utf-8"))
    ] == []


def test_what_the_readme_says_is_refused_for_multiplicities() -> None:
    row = next(line for line in PAGES[0].read_text("utf-8").splitlines() if "| refused for" in line)
    names = re.findall(r"`(\w+)`", row)
    problem = queen_domination(4, 2)
    assert names == ["minimum", "maximum", "diagram", "sample", "estimate", "explain"]
    for name in names:
        arguments = [1] if name == "sample" else []
        with pytest.raises(dlx.InvalidArgument, match="multiplicities"):
            getattr(problem, name)(*arguments)
    with pytest.raises(dlx.InvalidArgument, match="multiplicities"):
        problem.solve(engine="bits")
    for ask in (problem.solve, problem.count, problem.reduced, problem.is_unique):
        ask()


def test_which_kinds_have_no_hints() -> None:
    for layout in (
        layouts.killer([(3, "r1c1 r1c2")]),
        layouts.thermometers(["r1c1 r1c2"]),
        layouts.named("samurai"),
        Layout(5, 5),
    ):
        with pytest.raises(LayoutError, match="no hints or ratings"):
            sudoku.rate("." * layout.size, layout=layout)


@pytest.mark.parametrize("page", ["README.md", "docs/limits.md", "docs/parallel.md"])
def test_pickles_are_for_trusted_sources(page: str) -> None:
    text = " ".join((ROOT / page).read_text("utf-8").split()).lower()
    assert "unpickle only what" in text
    assert "trust" in text
