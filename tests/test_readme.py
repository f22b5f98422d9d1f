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
