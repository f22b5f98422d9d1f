"""What `dlx symmetries` and `dlx info` print of a group."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dlx
from dlx import models
from dlx.analysis.symmetry.texts import orbits_text
from dlx.cli.main import main


def test_dlx_info_says_the_orbits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "problem.dlx"
    models.queens(8).dump(file)
    assert main(["info", str(file)]) == 0
    assert "options in 4 orbits of 4 and 6 of 8; items in 1 orbit of 2 and" in (
        capsys.readouterr().out
    )
    dlx.Problem.from_options([["a"], ["a", "b"]]).dump(file)
    assert main(["info", str(file)]) == 0
    assert "symmetries: 1, the identity alone\n" in capsys.readouterr().out


def test_dlx_symmetries_prints_the_first_of_many(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "pentominoes.dlx"
    models.pentominoes(6, 10).dump(file)
    assert main(["symmetries", str(file)]) == 0
    short = capsys.readouterr().out
    assert "items: 12 orbits of 1 and 15 of 4\n" in short
    assert "  ... 5 more orbits; --full prints all\n" in short
    assert "  ... 504 more orbits; --full prints all\n" in short
    assert "... 20 more cycles\n" in short
    assert max(map(len, short.splitlines())) < 200
    assert main(["symmetries", "--full", str(file)]) == 0
    full = capsys.readouterr().out
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
