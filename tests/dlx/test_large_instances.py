"""The large benchmark instances: their generators, and the table of engines."""

from __future__ import annotations

from itertools import product

import pytest
from large import (
    BY_NAME,
    LARGE,
    Large,
    free_pentominoes,
    pseudo_words,
    row,
    symmetric_squares,
    triple_system,
)

from dlx import models
from dlx.models.pieces import PENTOMINOES


@pytest.mark.parametrize(("points", "systems"), [(3, 1), (7, 30), (8, 0), (9, 840)])
def test_steiner_triple_systems(points: int, systems: int) -> None:
    """The numbers of labeled ones: OEIS A001201."""
    assert triple_system(points).count() == systems


def test_free_pentominoes_are_any_number_of_each() -> None:
    counts = dict.fromkeys(PENTOMINOES, (0, 4))
    board = models.polyominoes(list(PENTOMINOES), models.box(4, 5), counts=counts)
    assert free_pentominoes(4, 5).count() == board.count() > 0


def test_words_are_distinct_and_the_same_every_time() -> None:
    words = pseudo_words(200, 5, seed=1)
    assert len(set(words)) == 200
    assert {len(word) for word in words} == {5}
    assert words == pseudo_words(200, 5, seed=1) != pseudo_words(200, 5, seed=2)


def test_rows_of_symmetric_squares_are_columns() -> None:
    words = pseudo_words(40, 3, seed=1)
    squares = [
        lines
        for lines in product(words, repeat=3)
        if all(lines[row][at] == lines[at][row] for row in range(3) for at in range(row))
    ]
    assert symmetric_squares(words).count() == len(squares) > 0


def test_a_row_compares_engines_with_the_first() -> None:
    cells = row(Large("nine", lambda: triple_system(9)), ["links", "bits", "auto"], 1).split("|")
    assert [cell.strip() for cell in cells[1:4]] == ["nine", "36", "84"]
    assert cells[4].strip().endswith("ns")
    assert all("x)" in cell for cell in cells[5:7])


def test_names_are_unique() -> None:
    assert len(BY_NAME) == len(LARGE)
