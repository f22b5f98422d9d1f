"""Every pair of rules with a given in common: solutions, `check` and `judge`, by brute force."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement

import kinds_strategies as kinds
import pytest
import setter_rules as setters
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rules_oracle import keeps, latin_squares, line_of, some_grids_of_side_6
from setter_rules import Drawn, Values, ruled

import sudoku
from sudoku import Layout, layouts

ALL_CELLS = [name for name in kinds.EXTRA if name != "diagonal"]
"""Rules for all cells."""
NAMES = [*ALL_CELLS, *kinds.RULES, *setters.NAMES]
FEW = settings(max_examples=max(2, settings().max_examples // 30))


@st.composite
def some_rules(draw: st.DrawFn, layout: Layout, values: Values, name: str) -> list[Drawn]:
    if name in ALL_CELLS:
        return [(rule, (name,)) for rule in kinds.EXTRA[name](layout).rules]
    if name in kinds.RULES:
        return draw(kinds.some_rules(values, name))
    return [draw(setters.some_rule(values, name))]


def check_pair(
    data: st.DataObject, base: Layout, names: tuple[str, str], givens: Values, grids: list[Values]
) -> None:
    """Two rules that a grid has, and a given in both: each digit that some grid has there."""
    full = data.draw(st.sampled_from(grids))
    first = data.draw(some_rules(base, full, names[0]))
    cells = {cell for rule, _ in first for cell in rule.cells or base.index}
    for _ in range(10):
        second = data.draw(some_rules(base, full, names[1]))
        common = cells & {cell for rule, _ in second for cell in rule.cells or base.index}
        if common - givens.keys():
            break
    assume(common)
    layout = ruled(base, [*first, *second])
    expected = [v for v in grids if all(keeps(v, spec) for _, spec in [*first, *second])]
    found = sudoku.solutions("".join(str(givens.get(c, ".")) for c in base.index), layout=layout)
    assert sorted(grid.line for grid in found) == sorted(map(line_of, expected))
    cell = data.draw(st.sampled_from(sorted(common - givens.keys() or common)))
    judged = set()
    for digit in sorted({values[cell] for values in grids}):
        puzzle = "".join(str({**givens, cell: digit}.get(c, ".")) for c in base.index)
        number = sum(values[cell] == digit for values in expected)
        assert sudoku.count(puzzle, layout=layout) == number
        assert not (number and sudoku.check(puzzle, layout=layout))
        kind = ("no solution", "unique", "not unique")[min(number, 2)]
        if kind not in judged:  # once of each: most of the time is for reasons of no solution
            judged.add(kind)
            assert sudoku.judge(puzzle, layout=layout).kind == kind


FOUR_BY_FOUR = [
    Layout(2, 2),
    layouts.latin(4),
    layouts.diagonal(Layout(2, 2)),
    layouts.hyper(Layout(2, 2)),
    *map(layouts.jigsaw, kinds.REGIONS),
]


@cache
def squares_of(layout: Layout) -> list[Values]:
    """All grids that have each digit in each house."""
    return [
        values
        for values in latin_squares(4)
        if all(len({values[layout.positions[c]] for c in h.cells}) == 4 for h in layout.houses)
    ]


FOURS = [name for name in NAMES if name not in setters.THIRDS]


# The properties are made for each pair: Hypothesis nests the settings of a parametrized one more
# deeply with each parameter, until after 900 Python's stack overflows.
@pytest.mark.parametrize("names", [*combinations_with_replacement(FOURS, 2)], ids="+".join)
@pytest.mark.lengthy
def test_pairs_on_side_4(names: tuple[str, str]) -> None:
    @FEW
    @given(data=st.data())
    def check(data: st.DataObject) -> None:
        kind = data.draw(st.sampled_from(FOUR_BY_FOUR))
        check_pair(data, kind, names, {}, squares_of(kind))

    check()


@pytest.mark.parametrize("names", [*combinations_with_replacement(NAMES, 2)], ids="+".join)
@pytest.mark.slow
def test_pairs_on_side_6(names: tuple[str, str]) -> None:
    @FEW
    @given(data=st.data())
    def check(data: st.DataObject) -> None:
        regions, box = data.draw(st.sampled_from(sorted(kinds.SIXES.items(), key=str)))
        layout = Layout(*box) if box else layouts.jigsaw(regions)
        givens, grids = some_grids_of_side_6(data.draw(st.integers(0, 2)), regions)
        check_pair(data, layout, names, givens, grids)

    check()
