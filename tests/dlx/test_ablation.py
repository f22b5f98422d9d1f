"""The switches of the kernel that benchmarks/ablation.py measures with, and its tables."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from internals import kernel_problem
from kernel_searches import LAYOUTS, engine_choice, kernel_search, layout_of

import dlx
from dlx import models
from dlx.core.budget import Budget

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "ablation.py"


@pytest.mark.parametrize(
    "problem",
    [models.queens(8), models.latin_square(7), models.pentominoes(3, 20), models.latin_square(12)],
    ids=["lanes", "wide lanes", "counters", "slices"],
)
def test_bits_layout_is_the_layout(problem: dlx.Problem) -> None:
    """As far as the state at the root shows it."""
    prepared = kernel_problem(problem)
    for engine in ("bits", *(f"bits/{layout}" for layout in LAYOUTS)):
        layout = prepared.bits_layout(engine_choice(engine))
        shown = "set" if layout in ("counters", "scattered") else layout
        same = {"lanes64"} if layout == "segments" else set()  # with a word for each item
        assert layout_of(problem, engine) in {shown} | same


def test_bits_layout_of_counters() -> None:
    prepared = kernel_problem(models.pentominoes(3, 20))
    assert prepared.bits_layout("bits") == "counters"
    assert prepared.bits_layout(engine_choice("bits/scattered")) == "scattered"
    assert kernel_problem(models.queens(100)).bits_layout("bits") == "scattered"


def stats_of(problem: dlx.Problem, engine: str) -> tuple[int, int, int]:
    """The solutions, nodes and updates of a search for the first 50 000 solutions."""
    search = kernel_search(problem, engine)
    search.skip(Budget(50_000))
    nodes, updates, solutions, *_ = search.stats
    return solutions, nodes, updates


def test_auto_without_tables_of_subtrees() -> None:
    """On a problem that is too sparse as a whole, and whose subtrees are not."""
    problem = models.matchings(60)
    links, without, auto = (stats_of(problem, engine) for engine in ("links", "auto/whole", "auto"))
    assert links[:2] == without[:2] == auto[:2]
    # Until it is decided, `auto` searches fewer small subtrees on words of bits.
    assert links[2] <= without[2] < links[2] + 20_000
    assert auto[2] > links[2] + 100_000


def test_the_whole_is_handed_over_without_tables_of_subtrees() -> None:
    problem = models.queens(10)
    links, without = (stats_of(problem, engine) for engine in ("links", "auto/whole"))
    assert links[:2] == without[:2]
    assert without[2] < links[2]


@pytest.mark.lengthy
def test_the_tables(tmp_path: Path) -> None:
    """A part of the script, on one instance: a row of its table, the summary, and the page."""
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- ablation: begin -->\nold\n<!-- ablation: end -->\nafter\n")
    arguments = ["subtrees", "--rounds", "1", "--instances", "queens-12", "--into", str(page)]
    done = subprocess.run(
        [sys.executable, SCRIPT, *arguments], capture_output=True, text=True, check=True
    )
    row = r"\| queens-12 \| 211,716 \| [\d,]+ \| [\d,]+ \| [\d.]+ ms \| [\d.]+ ms \([\d.]+x\) \|"
    assert re.search(row, done.stdout)
    text = page.read_text()
    assert text.startswith("before\n<!-- ablation: begin -->\n")
    assert text.endswith("<!-- ablation: end -->\nafter\n")
    assert done.stdout.strip() in text
    assert "old" not in text


def test_a_page_without_a_place_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("no place\n")
    done = subprocess.run([sys.executable, SCRIPT, "--into", page], capture_output=True, text=True)
    assert done.returncode == 2
    assert "has no place for the tables" in done.stderr
