"""Functions that add clues of today's setters to a layout, `base`; by default the classic 9x9."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from sudoku.board.cells import Cell, cell_name, checked_cells, checked_list, checked_pairs
from sudoku.board.layout import Layout, checked_layout
from sudoku.board.rule import Rule
from sudoku.errors import LayoutError, shorten, shown
from sudoku.rules.cages import MultiSumCage, RellikCage
from sudoku.rules.chaos import ChaosRegions
from sudoku.rules.clues.counts import CountingCircles, LookAndSay, Quadruple
from sudoku.rules.clues.extreme import Maximum, Minimum
from sudoku.rules.clues.indexer import Indexer
from sudoku.rules.clues.outside import NumberedRoom, OutsideClue, Sandwich, Skyscraper, XSum
from sudoku.rules.clues.pairs import Difference, Distant, NoMorePairs, PairSum, Ratio
from sudoku.rules.clues.rank import FullRank
from sudoku.rules.layouts.houses import latin
from sudoku.rules.unique import Unique

__all__ = [
    "chaos",
    "counting_circles",
    "extra_regions",
    "extremes",
    "far_apart",
    "full_ranks",
    "indexers",
    "look_and_say",
    "multi_sum_cages",
    "numbered_rooms",
    "pair_clues",
    "quadruples",
    "rellik_cages",
    "sandwiches",
    "skyscrapers",
    "x_sums",
    "xv",
]

Cells = Iterable[Cell | str] | str
Pairs = Iterable[tuple[Cell | str, Cell | str]]
Outside = Mapping[str, int] | Iterable[tuple[Cells, int]]

_LINE = re.compile(r"(row|column) (\d{1,4})( reversed)?")


def xv(
    x: Pairs = (), v: Pairs = (), *, negative: bool = False, base: Layout | None = None
) -> Layout:
    """Adds X between cells with the sum 10, and V between cells with the sum 5.

    With `negative`, neighbours without X or V have neither sum.

    >>> xv(x=[("r1c1", "r1c2")], negative=True)
    <Layout xv: side 9, 81 cells, 27 houses, 2 rules>
    """
    clues = [
        PairSum(total, *pair)
        for total, pairs in ((10, x), (5, v))
        for pair in checked_pairs(pairs, "pairs (two cells)")
    ]
    layout = checked_layout(base)
    rules: list[Rule] = [*clues]
    if negative:
        known = [rule for rule in layout.rules if isinstance(rule, PairSum)]
        rules.append(NoMorePairs("sum", (5, 10), [clue.cells for clue in (*known, *clues)]))
    return layout.with_rules(*rules, name="xv")


def pair_clues(
    differences: Iterable[tuple[int, Cell | str, Cell | str]] = (),
    ratios: Iterable[tuple[int, Cell | str, Cell | str]] = (),
    base: Layout | None = None,
) -> Layout:
    """Adds clues between two cells: a difference, or a ratio, and the cells.

    `sudoku.layouts.kropki` has the usual ones, difference 1 and ratio 2.

    >>> pair_clues(differences=[(4, "r1c1", "r1c2")], ratios=[(3, "r2c1", "r2c2")])
    <Layout pair-clues: side 9, 81 cells, 27 houses, 2 rules>
    """
    rules = [
        kind(*_three(clue))
        for kind, clues in ((Difference, differences), (Ratio, ratios))
        for clue in checked_list(clues, "clues (a number and two cells)")
    ]
    return checked_layout(base).with_rules(*rules, name="pair-clues")


def quadruples(clues: Iterable[tuple[Iterable[int], Cells]], base: Layout | None = None) -> Layout:
    """Adds quadruples, pairs of digits and cells: the cells have these digits.

    >>> quadruples([([1, 2], "r1c1 r1c2 r2c1 r2c2")])
    <Layout quadruples: side 9, 81 cells, 27 houses, 1 rule>
    """
    pairs = checked_pairs(clues, "quadruples (digits and cells)")
    rules = [Quadruple(digits, cells) for digits, cells in pairs]
    return checked_layout(base).with_rules(*rules, name="quadruples")


def look_and_say(clues: Iterable[tuple[str, Cells]], base: Layout | None = None) -> Layout:
    """Adds look-and-say cages, pairs of a clue and cells: "2114" means two 1s, one 4, and others.

    >>> look_and_say([("2114", "r1c1 r2c2 r2c4 r3c4")]).rules[0].says
    ((2, 1), (1, 4))
    """
    rules = []
    for clue, cells in checked_pairs(clues, "cages (a clue and cells)"):
        if not isinstance(clue, str) or not re.fullmatch(r"([1-9]{2})+", clue):
            what = f"{shown(clue)} is not the clue of a look-and-say cage"
            raise LayoutError(f"{what}; expected how often and which digit, as '2114'")
        pairs = zip(map(int, clue[::2]), map(int, clue[1::2]), strict=True)
        rules.append(LookAndSay(pairs, cells))
    return checked_layout(base).with_rules(*rules, name="look-and-say")


def multi_sum_cages(
    cages: Iterable[tuple[Iterable[int], Cells]], base: Layout | None = None
) -> Layout:
    """Adds cages, pairs of sums and cells: different digits that have one of the sums.

    >>> multi_sum_cages([([10, 12], "r1c1 r1c2")])
    <Layout multi-sum-cages: side 9, 81 cells, 27 houses, 1 rule>
    """
    rules = [MultiSumCage(*cage) for cage in checked_pairs(cages, "cages (sums and cells)")]
    return checked_layout(base).with_rules(*rules, name="multi-sum-cages")


def rellik_cages(cages: Iterable[tuple[int, Cells]], base: Layout | None = None) -> Layout:
    """Adds rellik cages, pairs of a number and cells: different digits, none or several of which
    have this sum.

    >>> rellik_cages([(10, "r1c1 r1c2 r2c2")])
    <Layout rellik-cages: side 9, 81 cells, 27 houses, 1 rule>
    """
    rules = [RellikCage(*cage) for cage in checked_pairs(cages, "cages (a number and cells)")]
    return checked_layout(base).with_rules(*rules, name="rellik-cages")


def counting_circles(cells: Cells, base: Layout | None = None) -> Layout:
    """Adds circles: a digit in one of them says how many circles have this digit.

    >>> counting_circles("r1c1 r1c2 r2c2")
    <Layout counting-circles: side 9, 81 cells, 27 houses, 1 rule>
    """
    return checked_layout(base).with_rules(CountingCircles(cells), name="counting-circles")


def extra_regions(regions: Iterable[Cells], base: Layout | None = None) -> Layout:
    """Adds regions in which no digit repeats: houses if they have as many cells as the side.

    >>> extra_regions(["r2c2 r2c3 r3c2"])
    <Layout extra-regions: side 9, 81 cells, 27 houses, 1 rule>
    """
    layout = checked_layout(base)
    for region in checked_list(regions, "regions"):
        cells = checked_cells(region)
        if len(cells) == layout.side:
            layout = layout.with_houses("extra region", cells, name="extra-regions")
        else:
            layout = layout.with_rules(Unique(cells), name="extra-regions")
    return layout


def extremes(minima: Cells = (), maxima: Cells = (), base: Layout | None = None) -> Layout:
    """Adds cells that are less, or greater, than all their neighbours.

    Two cells of the same kind are not compared.

    >>> extremes(minima="r1c1", maxima="r5c5 r5c6")
    <Layout extremes: side 9, 81 cells, 27 houses, 2 rules>
    """
    rules = [
        kind(found)
        for kind, cells in ((Minimum, minima), (Maximum, maxima))
        if (found := checked_cells(cells))
    ]
    return checked_layout(base).with_rules(*rules, name="extremes")


def sandwiches(clues: Outside, base: Layout | None = None) -> Layout:
    """Adds sandwich sums: of the digits between 1 and the largest digit of a row or column.

    >>> sandwiches({"row 1": 20, "column 3": 0})
    <Layout sandwich: side 9, 81 cells, 27 houses, 2 rules>
    """
    return _outside(base, clues, Sandwich, "sandwich")


def x_sums(clues: Outside, base: Layout | None = None) -> Layout:
    """Adds X-sums: of the first X cells of a row or column, where X is the first digit.

    >>> x_sums({"row 1": 20, "row 1 reversed": 17})
    <Layout x-sums: side 9, 81 cells, 27 houses, 2 rules>
    """
    return _outside(base, clues, XSum, "x-sums")


def numbered_rooms(clues: Outside, base: Layout | None = None) -> Layout:
    """Adds numbered rooms: the digit in the n-th cell of a line, where n is the first digit.

    >>> numbered_rooms({"row 1": 3, "column 2 reversed": 5})
    <Layout numbered-rooms: side 9, 81 cells, 27 houses, 2 rules>
    """
    return _outside(base, clues, NumberedRoom, "numbered-rooms")


def full_ranks(clues: Outside, base: Layout | None = None) -> Layout:
    """Adds ranks of rows and columns among all of them, read in both directions as numbers.

    >>> full_ranks({"row 1": 17, "column 2 reversed": 36})
    <Layout full-rank: side 9, 81 cells, 27 houses, 2 rules>
    """
    return _outside(base, clues, FullRank, "full-rank")


def skyscrapers(clues: Outside, base: Layout | None = None) -> Layout:
    """Adds skyscraper clues: how many digits are greater than all digits before them.

    >>> skyscrapers({"column 1": 3, "column 1 reversed": 4})
    <Layout skyscrapers: side 9, 81 cells, 27 houses, 2 rules>
    """
    return _outside(base, clues, Skyscraper, "skyscrapers")


def indexers(
    columns: Cells = (), rows: Cells = (), boxes: Cells = (), base: Layout | None = None
) -> Layout:
    """Adds indexers, cells whose digit says where in a house a digit is.

    With the digit d in row r, column c: a column indexer means that row r has c in column d; a row
    indexer means that column c has r in row d. A box indexer in the n-th cell of its box means that
    the d-th cell of the box has n.

    >>> indexers(columns=[(row, column) for row in range(1, 10) for column in (1, 5, 9)])
    <Layout indexers: side 9, 81 cells, 27 houses, 27 rules>
    """
    layout = checked_layout(base)
    rules = []
    for kinds, cells in ((("row",), columns), (("column",), rows), (("box", "region"), boxes)):
        for cell in checked_cells(cells):
            number = layout.index.get(cell)
            house = next((h for h in layout.houses if h.kind in kinds and number in h.cells), None)
            if house is None:
                raise LayoutError(f"indexer {cell_name(*cell)} is not in a {kinds[0]}")
            rules.append(Indexer(cell, [layout.positions[each] for each in house.cells]))
    return layout.with_rules(*rules, name="indexers")


def far_apart(least: int, offsets: Iterable[tuple[int, int]], base: Layout | None = None) -> Layout:
    """Adds the rule that digits at one of the offsets (rows, columns) differ by at least `least`.

    >>> far_apart(2, [(1, 1), (1, -1)])  # no consecutive digits at a corner
    <Layout far-apart: side 9, 81 cells, 27 houses, 1 rule>
    """
    return checked_layout(base).with_rules(Distant(least, offsets), name="far-apart")


def line_seen_from(name: object, layout: Layout) -> list[Cell]:
    """The cells of a row or column, in order: "row 3", or "row 3 reversed" from the other end.

    >>> line_seen_from("column 2 reversed", Layout(1, 3))
    [(3, 2), (2, 2), (1, 2)]

    Raises `LayoutError` for other names.
    """
    found = _LINE.fullmatch(name) if isinstance(name, str) else None
    if found:
        kind, number = found[1], int(found[2])
        for house in layout.houses:
            if (house.kind, house.number) == (kind, number):
                cells = [layout.positions[cell] for cell in house.cells]
                return cells[::-1] if found[3] else cells
    raise LayoutError(
        f"{shorten(str(name))} is not a line of {layout}; expected a name such as 'row 3' or "
        "'column 1 reversed'"
    )


def chaos(
    side: int = 6,
    apart: Iterable[tuple[Cell | str, Cell | str]] = (),
    joined: Iterable[tuple[Cell | str, Cell | str]] = (),
) -> Layout:
    """A layout without boxes, whose connected regions are unknown (chaos construction).

    `apart` are pairs of cells in different regions, `joined` pairs in the same region. A solution
    is a filling with a division into regions: see `sudoku.rules.ChaosRegions`.

    >>> import sudoku
    >>> four = chaos(4, apart=[("r1c1", "r1c2"), ("r2c1", "r2c2"), ("r3c1", "r4c1")])
    >>> solved = sudoku.solve("12.. .... .... ....", layout=four)
    >>> next(four.rules[0].divisions(solved.values))
    '1222123311334444'
    """
    return latin(side).with_rules(ChaosRegions(side, apart, joined), name="chaos")


def _outside(base: Layout | None, clues: Outside, kind: type[OutsideClue], name: str) -> Layout:
    layout = checked_layout(base)
    pairs = clues.items() if isinstance(clues, Mapping) else clues
    rules = []
    for cells, total in checked_pairs(pairs, "clues (a line and a number)"):
        named = isinstance(cells, str) and re.match("row|column", cells)
        rules.append(kind(total, line_seen_from(cells, layout) if named else cells))
    return layout.with_rules(*rules, name=name)


def _three(clue: object) -> tuple[int, Cell | str, Cell | str]:
    if isinstance(clue, tuple | list) and len(clue) == 3:
        return clue[0], clue[1], clue[2]
    raise LayoutError(f"{shown(clue)} is not a clue; expected a number and two cells")
