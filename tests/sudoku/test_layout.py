"""`Layout`: shapes of boxes, interning, houses and peers."""

from __future__ import annotations

import copy
import pickle

import pytest

from sudoku import Layout, LayoutError


@pytest.mark.parametrize(
    ("side", "shape"),
    [
        *((4, (2, 2)), (6, (2, 3)), (8, (2, 4)), (9, (3, 3)), (10, (2, 5)), (12, (3, 4))),
        *((14, (2, 7)), (15, (3, 5)), (16, (4, 4)), (18, (3, 6)), (20, (4, 5)), (24, (4, 6))),
        *((25, (5, 5)), (30, (5, 6)), (35, (5, 7)), (36, (6, 6))),
    ],
)
def test_usual_shapes(side: int, shape: tuple[int, int]) -> None:
    layout = Layout.of_side(side)
    assert (layout.box_rows, layout.box_columns) == shape
    assert layout.is_usual


@pytest.mark.parametrize("side", [0, -3, 1, 2, 3, 5, 7, 11, 31, 37, 100, True, 9.0, "9"])
def test_no_usual_shape(side: int) -> None:
    with pytest.raises(LayoutError):
        Layout.of_side(side)


@pytest.mark.parametrize("shape", [(0, 3), (3, -1), (6, 7), (1, 37), (3.0, 3), ("3", "3")])
def test_impossible_boxes(shape: tuple[int, int]) -> None:
    with pytest.raises(LayoutError, match="box"):
        Layout(*shape)


def test_interned_immutable_and_hashable() -> None:
    layout = Layout(2, 3)
    assert layout is Layout(2, 3)
    assert pickle.loads(pickle.dumps(layout)) is layout
    assert copy.deepcopy(layout) is layout
    assert {layout: 1}[Layout(2, 3)] == 1
    assert layout != Layout(3, 2)
    assert eval(repr(layout)) is layout
    assert str(layout) == "2x3"
    with pytest.raises(AttributeError):
        layout.side = 4  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del layout.side
    assert not Layout(3, 2).is_usual


@pytest.mark.parametrize("shape", [(2, 3), (3, 3), (1, 5), (5, 1), (6, 6)])
def test_every_cell_is_in_three_houses_of_side_cells(shape: tuple[int, int]) -> None:
    layout = Layout(*shape)
    side = layout.side
    assert len(layout.houses) == 3 * side
    assert all(len(set(house.cells)) == side for house in layout.houses)
    for kind in ("row", "column", "box"):
        cells = [cell for house in layout.houses if house.kind == kind for cell in house.cells]
        assert sorted(cells) == list(range(side * side))


def test_box_numbers_go_row_by_row() -> None:
    layout = Layout(2, 3)
    named = {house.name: house.cells for house in layout.houses}
    assert named["box 2"] == (3, 4, 5, 9, 10, 11)
    assert named["box 3"] == (12, 13, 14, 18, 19, 20)
    assert named["row 4"] == (18, 19, 20, 21, 22, 23)
    assert named["column 2"] == (1, 7, 13, 19, 25, 31)


def test_symbols() -> None:
    assert Layout(3, 3).symbols == "123456789"
    assert Layout(4, 4).symbols[-1] == "G"
    assert Layout(6, 6).symbols[-1] == "0"
