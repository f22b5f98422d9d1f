"""What `dlx symmetries` and `dlx info` print of a group."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from commands import Run
from hypothesis import given
from hypothesis import strategies as st

import dlx
from dlx import models
from dlx.analysis.symmetry.texts import orbits_text


def test_dlx_info_says_the_orbits(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "problem.dlx"
    models.queens(8).dump(file)
    assert "options in 4 orbits of 4 and 6 of 8; items in 1 orbit of 2 and" in (
        run("info", str(file)).out
    )
    dlx.Problem.from_options([["a"], ["a", "b"]]).dump(file)
    assert "symmetries: 1, the identity alone\n" in run("info", str(file)).out


def test_dlx_symmetries_prints_the_first_of_many(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "pentominoes.dlx"
    models.pentominoes(6, 10).dump(file)
    short = run("symmetries", str(file)).out
    assert "items: 12 orbits of 1 and 15 of 4\n" in short
    assert "  ... 5 more orbits; --full prints all\n" in short
    assert "  ... 504 more orbits; --full prints all\n" in short
    assert "... 20 more cycles\n" in short
    assert max(map(len, short.splitlines())) < 200
    full = run("symmetries", "--full", str(file)).out
    assert "more" not in full
    assert full.count("orbit of 4 options: ") == 514
    assert full.endswith("(2023 2048)\n")


@given(sizes=st.lists(st.integers(1, 9), min_size=1))
def test_the_text_of_orbits_has_all_sizes(sizes: list[int]) -> None:
    text = orbits_text([["x"] * size for size in sizes])
    if len(set(sizes)) <= 4:
        found = re.findall(r"(\d+) (?:orbits? )?of (\d+)", text)
        assert {int(size): int(number) for number, size in found} == dict(Counter(sizes))
    else:
        assert text == f"{len(sizes)} orbits of {min(sizes)} to {max(sizes)}"
