"""Contradictions between sizes: twelve pieces of five cells cover 60 of the 64 cells of a board.

Let every option have exactly one of some items, the *pieces*, once. If no option with a piece
covers more than s of the other items that must be covered, the *cells*, and the piece may be
covered n times, its options cover cells at most n*s times. If all pieces together cover them less
often than they must be covered, there is no solution; nor if the pieces need more than the cells
allow. That takes one pass through the entries, and no search.

The pieces are found by propagation in a sample of the options. The first option has one of them. An
item in one option with a piece is not a piece, and where only one item is left it is the piece.
What the sample does not show is found in the options that do not fit.
"""

from __future__ import annotations

from array import array
from collections import Counter
from itertools import compress, islice
from typing import TYPE_CHECKING, Final, NamedTuple

from dlx.core import kernel
from dlx.errors import counted, quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from dlx.core.table import Table

__all__ = ["SizeConflict", "size_conflict"]

SAMPLE = 1_000  # options in which pieces are searched for at first, and added after a failure
ATTEMPTS = 4  # with larger and larger samples
MOST_ENTRIES = 50_000  # of a sample, so that the propagation ends within some 0.1 seconds
PLACES: Final = (0, -1, None)  # of the piece: the first, the last, the item in most options


class SizeConflict(NamedTuple):
    """Items, by number, that have no solution, as the sizes of options show; and a sentence."""

    items: Sequence[int]
    sentence: str
    large: bool
    """Does an option of a piece cover several cells?"""


def size_conflict(table: Table) -> SizeConflict | None:
    """A contradiction between the sizes of options and the items that they cover, or None.

    Not every one is found. O(items + entries).

    >>> import dlx.models
    >>> print(size_conflict(dlx.models.pentominoes(8, 8)._table).sentence)
    the 12 items 'F', 'I', 'L', ... cover 60 of the 64 items (0, 0), (0, 1), (0, 2), ...
    """
    if not len(table):
        return None
    colored = set(compress(table.entry_item, table.entry_color))
    unfit = colored.union(table.extra_weights)
    for place in PLACES:
        piece_of = _pieces(table, place, unfit)
        if piece_of is not None and (found := _compare(table, piece_of, colored)) is not None:
            return found
    return None


def _pieces(table: Table, place: int | None, unfit: AbstractSet[int]) -> list[int] | None:
    """The piece of each option; None if no items are found of which every option has one."""
    count, items = len(table), len(table.items)
    sample = list(range(0, count, -(-count // SAMPLE)))
    for _ in range(ATTEMPTS):
        if sum(table.start[at + 1] - table.start[at] for at in sample) > MOST_ENTRIES:
            return None
        options = [table.entry_item[table.start[at] : table.start[at + 1]] for at in sample]
        pieces = _Propagation(options, unfit).run(place)
        if pieces is None:
            return None
        # The value of a piece is above `items`, so it shows whether an option has exactly one.
        values = array("i", [0]) * items
        for piece in pieces:
            values[piece] = items + piece
        totals = kernel.option_totals(table.start, table.entry_item, None, values)
        if min(totals) >= items and max(totals) < 2 * items:
            return [total - items for total in totals]
        odd = (at for at, total in enumerate(totals) if not items <= total < 2 * items)
        sample += islice(odd, SAMPLE)
    return None


class _Propagation:
    """Items of which each of some options has exactly one, as far as these decide it."""

    def __init__(self, options: Sequence[Sequence[int]], unfit: AbstractSet[int]) -> None:
        self._options = options
        self._places: dict[int, list[int]] = {}  # of the options with an item
        for at, option in enumerate(options):
            for item in option:
                self._places.setdefault(item, []).append(at)
        self._undecided = list(map(len, options))  # items, as far as `_waiting` is done
        self._has_piece = bytearray(len(options))
        self._is_piece: dict[int, bool] = {}
        self._waiting: list[int] = []  # items that were decided
        for item in unfit & self._places.keys():
            self._decide(item, is_piece=False)

    def run(self, place: int | None) -> list[int] | None:
        """The items, or None after a contradiction.

        Where nothing is decided, it is the item at this place of the option; None: the one in most
        options.
        """
        for at, option in enumerate(self._options):
            if not self._spread():
                return None
            if not self._has_piece[at]:
                left = [item for item in option if item not in self._is_piece]
                most = max(left, key=lambda item: len(self._places[item]))
                self._decide(most if place is None else left[place], is_piece=True)
        return [item for item, flag in self._is_piece.items() if flag] if self._spread() else None

    def _decide(self, item: int, *, is_piece: bool) -> bool:
        """Notes that; False if the contrary is known."""
        if item not in self._is_piece:
            self._is_piece[item] = is_piece
            self._waiting.append(item)
        return self._is_piece[item] == is_piece

    def _spread(self) -> bool:
        """Draws the conclusions from what was decided; False after a contradiction."""
        while self._waiting:
            item = self._waiting.pop()
            for at in self._places[item]:
                if self._is_piece[item]:
                    others = (other for other in self._options[at] if other != item)
                    self._has_piece[at] = 1
                    if not all(self._decide(other, is_piece=False) for other in others):
                        return False
                elif not self._has_piece[at]:
                    self._undecided[at] -= 1
                    if self._undecided[at] <= 1 and not self._last(self._options[at]):
                        return False
        return True

    def _last(self, option: Sequence[int]) -> bool:
        """Makes the only item left a piece; False if none is left."""
        last = next((item for item in option if self._is_piece.get(item, True)), None)
        return last is not None and self._decide(last, is_piece=True)


def _compare(table: Table, piece_of: list[int], colored: AbstractSet[int]) -> SizeConflict | None:
    """The contradiction between these pieces, one an option, and the other items; or None."""
    bounds = {
        item: table.bounds_of(item) for item in sorted(set(table.entry_item).difference(colored))
    }
    options_of = Counter(piece_of)
    pieces = {item: pair for item, pair in bounds.items() if item in options_of}
    cells = {item: pair for item, pair in bounds.items() if item not in options_of}

    def conflict(verb: str, amount: str, these: Mapping[int, int], their_verb: str) -> SizeConflict:
        subject, ending = _named(table, list(pieces))
        there, their_ending = _named(table, list(these))
        if any(times != 1 for times in these.values()):
            total = counted(sum(these.values()), "time")
            there = f"the {total} that {there} {their_verb}{their_ending}"
        sentence = f"{subject} {verb}{ending} {amount} of {there}"
        large = any(max(of_piece) > 1 for of_piece in sizes.values())
        return SizeConflict([*pieces, *these], sentence, large)

    needs = {item: low for item, (low, _) in cells.items() if low}
    sizes = _sizes(table, piece_of, needs)
    most = 0
    for item, (_, high) in pieces.items():
        taken = options_of[item] if high is None else min(high, options_of[item])
        most += taken * max(sizes[item])
    if most < sum(needs.values()):
        exact = all(low == high and len(sizes[item]) == 1 for item, (low, high) in pieces.items())
        return conflict("cover", f"{'' if exact else 'at most '}{most}", needs, "need")
    allows = {item: high for item, (_, high) in cells.items() if high is not None}
    sizes = _sizes(table, piece_of, allows)
    least = sum(low * min(sizes[item]) for item, (low, _) in pieces.items())
    if least > sum(allows.values()):
        return conflict("need", f"{least}", allows, "allow")
    return None


def _sizes(table: Table, piece_of: list[int], cells: Iterable[int]) -> dict[int, list[int]]:
    """For each piece, how many of the cells its options cover: the different numbers."""
    values = array("i", [0]) * len(table.items)
    for cell in cells:
        values[cell] = 1
    weights = table.entry_weight or None
    totals = kernel.option_totals(table.start, table.entry_item, weights, values)
    sizes: dict[int, list[int]] = {}
    for piece, size in set(zip(piece_of, totals, strict=True)):
        sizes.setdefault(piece, []).append(size)
    return sizes


def _named(table: Table, numbers: Sequence[int]) -> tuple[str, str]:
    """A few of the items and their number, and the ending of their verb."""
    names = ", ".join(quote(table.items[number]) for number in numbers[:3])
    if len(numbers) == 1:
        return f"item {names}", "s"
    return f"the {len(numbers)} items {names}{', ...' if len(numbers) > 3 else ''}", ""
