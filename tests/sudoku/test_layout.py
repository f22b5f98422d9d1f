"""`Layout`: shapes of boxes, interning, houses and peers."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import sudoku
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


DIAGONAL = [(1, 1), (2, 2), (3, 3), (4, 4)]
NAMES = "r1c1 r2c2 r3c3 r4c4"


@pytest.mark.parametrize(
    "arguments", [([DIAGONAL],), ([NAMES],), ([NAMES, DIAGONAL],), ("x", DIAGONAL), ("x", NAMES)]
)
def test_more_houses(arguments: tuple[Any, ...]) -> None:
    """A list of houses, as other functions take them, or their kind and the houses."""
    layout = Layout(2, 2).with_houses(*arguments)
    kind = arguments[0] if isinstance(arguments[0], str) else "house"
    assert [(h.name, h.cells) for h in layout.houses[12:]] == [(f"{kind} 1", (0, 5, 10, 15))]
    assert sudoku.count("." * 16, layout=layout) == 48


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "without a house; expected a list of houses, or a kind and houses"),
        (([],), "without a house"),
        (("diagonal",), "without a house"),
        ((NAMES,), "without a house"),
        ((DIAGONAL,), "1 is not a cell"),
        (([DIAGONAL], DIAGONAL), "is not the name of a kind; expected a str"),
        (([DIAGONAL[:3]],), "house 1 has 3 cells; it needs 4, one for each digit"),
        ((["r1c1 r2c2 r3c3 r5c5"],), "house 1 has r5c5, which is not in the grid"),
        ((5,), "5 is not a list of houses"),
    ],
)
def test_what_is_not_a_house(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(LayoutError, match=message):
        Layout(2, 2).with_houses(*arguments)
