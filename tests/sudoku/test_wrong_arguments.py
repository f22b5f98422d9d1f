"""Values of the wrong kind within arguments, numbers too large to print: errors that quote them.

`tests/test_arguments.py` has the wrong values that are arguments themselves.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

import sudoku
from sudoku import Grid, Layout, LayoutError, SudokuError, formats, layouts, read, rules

HUGE = 10**5000
"""Python refuses to print it."""
DEEP: tuple[Any, ...] = ()
"""Python refuses to print it as well."""
for _ in range(20_000):
    DEEP = (DEEP,)
NINE = Layout(3, 3)
EMPTY = Grid("." * 81)

CALLS: list[Callable[[Any], object]] = [
    lambda value: Grid([[value] * 4] * 4),
    lambda value: Grid("." * 81, box=(value, 3)),
    lambda value: Layout.of(4, [(value, 1)], []),
    lambda value: NINE.with_houses("row", [value]),
    lambda value: NINE.with_houses([value]),
    lambda value: Layout.of(1, [(1, 1)], [(value, [(1, 1)])]),
    lambda value: layouts.jigsaw([["r1c1"], [value]]),
    lambda value: layouts.killer([(value, "r1c1")]),
    lambda value: layouts.killer([(5, value)]),
    lambda value: layouts.little_killer([(value, "r1c1")]),
    lambda value: layouts.arrows([("r1c1", value)]),
    lambda value: layouts.thermometers([value]),
    lambda value: layouts.inequalities([value]),
    lambda value: layouts.kropki([value]),
    lambda value: layouts.renban([value]),
    lambda value: layouts.region_sums([value]),
    lambda value: layouts.clones([("r1c1", value)]),
    lambda value: layouts.xv([value]),
    lambda value: layouts.pair_clues([(value, "r1c1", "r1c2")]),
    lambda value: layouts.quadruples([([value], "r1c1 r1c2")]),
    lambda value: layouts.quadruples([(value, "r1c1 r1c2")]),
    lambda value: layouts.extra_regions([value]),
    lambda value: layouts.sandwiches({"row 1": value}),
    lambda value: layouts.x_sums([(value, 5)]),
    lambda value: layouts.far_apart(2, [value]),
    lambda value: layouts.overlapping([value]),
    lambda value: NINE.with_rules(rules.Allowed({"r1c1": [value]})),
    lambda value: rules.Apart([(value, "x")]),
    lambda value: sudoku.Solutions(value),
    lambda value: list(read([value])),
    lambda value: list(formats.load(io.BytesIO(b"x"), on_error=value)),
    lambda value: formats.dump([value], io.StringIO(), "lines"),
    lambda value: list(formats.fitting(formats.LINES, [value], print)),
    lambda value: EMPTY.to_svg(candidates={(1, 1): value}),
]


@pytest.mark.parametrize("value", [HUGE, -HUGE, [HUGE], 1.5, object(), DEEP], ids=range(6))
@pytest.mark.parametrize("call", CALLS, ids=range(len(CALLS)))
def test_wrong_values(call: Callable[[Any], object], value: object) -> None:
    with pytest.raises(SudokuError) as caught:
        call(value)
    assert len(str(caught.value)) < 300


def test_a_number_too_large_to_print() -> None:
    with pytest.raises(LayoutError, match="box_rows is an int too large to print; it must be"):
        Layout(HUGE, 1)


def test_a_circle_of_more_cells_than_any_sum_has_digits() -> None:
    """Its least number was 11...1, too long to be made."""
    cells = [(row, column) for row in range(1, 101) for column in range(1, 101)]
    arrow = rules.Arrow(cells[1:], cells[:1])
    with pytest.raises(LayoutError, match="9999 cells in the circle, of 7 at most"):
        Layout.of(1, cells, [], [arrow])


def test_a_text_file_in_another_encoding() -> None:
    text = f"{'.' * 81}\n".encode() * 200 + b"caf\xe9\n"
    file = io.TextIOWrapper(io.BytesIO(text), encoding="utf-8")
    with pytest.raises(
        SudokuError, match=r"not utf-8 \(byte 0xe9\); open the file in its encoding"
    ):
        list(read(file))


def test_what_is_no_line() -> None:
    errors: list[SudokuError] = []
    found = list(read(["." * 81, 5, "." * 81], on_error=errors.append))  # type: ignore[list-item]
    assert [entry.line for entry in found] == [1, 3]
    assert [str(error) for error in errors] == ["line 2: 5 is not a line of text"]
