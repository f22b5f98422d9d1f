"""What the kinds of Sudoku ask for, straight from their rules: slow, obvious, and on its own.

Nothing of `sudoku` or `dlx` is used. A grid is a mapping from (row, column) to a digit; a rule is a
name and its arguments, such as `("cage", 7, [(1, 1), (1, 2)])`; `keeps` says whether a full grid
keeps it. `latin_squares` are all there are, to be filtered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations, islice, pairwise, permutations
from random import Random
from typing import Any

Cell = tuple[int, int]
Values = Mapping[Cell, int]
Spec = tuple[Any, ...]


@cache
def latin_squares(side: int) -> list[dict[Cell, int]]:
    """All Latin squares of that side: 576 of side 4."""

    def extend(rows: list[tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
        if len(rows) == side:
            yield rows
            return
        for row in permutations(range(1, side + 1)):
            if all(row[c] != above[c] for above in rows for c in range(side)):
                yield from extend([*rows, row])

    return [
        {(r, c): d for r, row in enumerate(rows, 1) for c, d in enumerate(row, 1)}
        for rows in extend([])
    ]


def fillings(regions: str, givens: Values) -> Iterator[dict[Cell, int]]:
    """All grids whose rows, columns and regions have each digit once, and that have the givens."""
    rows = regions.split()
    digits = set(range(1, len(rows) + 1))
    cells = [(r, c) for r in digits for c in digits]
    houses = {(r, c): (f"row {r}", f"column {c}", rows[r - 1][c - 1]) for r, c in cells}

    def extend(values: dict[Cell, int]) -> Iterator[dict[Cell, int]]:
        if len(values) == len(cells):
            yield values
            return
        used: dict[str, set[int]] = {house: set() for three in houses.values() for house in three}
        for cell, digit in values.items():
            for house in houses[cell]:
                used[house].add(digit)
        left = {
            cell: digits - used[row] - used[column] - used[region]
            for cell, (row, column, region) in houses.items()
            if cell not in values
        }
        cell = min(left, key=lambda cell: len(left[cell]))
        for digit in sorted(left[cell]):
            yield from extend({**values, cell: digit})

    yield from extend(dict(givens))


@cache
def some_grids_of_side_6(
    number: int, regions: str = "111222 111222 333444 333444 555666 555666"
) -> tuple[dict[Cell, int], list[dict[Cell, int]]]:
    """Givens of side 6, others for each number, and all grids that have them: some hundreds."""
    random = Random(number)
    row = dict(zip([(1, column) for column in range(1, 7)], random.sample(range(1, 7), 6),
                   strict=True))  # fmt: skip
    full = next(islice(fillings(regions, row), random.randrange(50), None))
    cells = random.sample(sorted(full), 36)
    for count in range(11, 36):
        givens = {cell: full[cell] for cell in cells[:count]}
        grids = list(islice(fillings(regions, givens), 1000))
        if len(grids) < 1000:
            break
    return givens, grids


def line_of(values: Values) -> str:
    return "".join(str(values[cell]) for cell in sorted(values))


def side_of(values: Values) -> int:
    return max(values.values())


def all_different(values: Values, cells: Iterable[Cell]) -> bool:
    digits = [values[cell] for cell in cells]
    return len(set(digits)) == len(digits)


def boxes(values: Values, tall: int, wide: int) -> bool:
    side = tall * wide
    return all(
        all_different(values, [(top + r, left + c) for r in range(tall) for c in range(wide)])
        for top in range(1, side + 1, tall)
        for left in range(1, side + 1, wide)
    )


def regions(values: Values, text: str) -> bool:
    side = side_of(values)
    names = "".join(text.split())
    return all(
        all_different(
            values,
            [(i // side + 1, i % side + 1) for i, name in enumerate(names) if name == region],
        )
        for region in set(names)
    )


def diagonal(values: Values) -> bool:
    side = side_of(values)
    return all_different(values, [(i, i) for i in range(1, side + 1)]) and all_different(
        values, [(i, side + 1 - i) for i in range(1, side + 1)]
    )


def hyper(values: Values) -> bool:
    if side_of(values) == 4:
        return all_different(values, [(2, 2), (2, 3), (3, 2), (3, 3)])
    return all(
        all_different(values, [(top + r, left + c) for r in range(3) for c in range(3)])
        for top in (2, 6)
        for left in (2, 6)
    )


def disjoint_groups(values: Values) -> bool:
    side = side_of(values)
    box = 2 if side == 4 else 3
    return all(
        all_different(values, [cell for cell in values if (cell[0] % box, cell[1] % box) == (r, c)])
        for r in range(box)
        for c in range(box)
    )


def center_dot(values: Values) -> bool:
    return all_different(values, [(r, c) for r in (2, 5, 8) for c in (2, 5, 8)])


def asterisk(values: Values) -> bool:
    picture = (
        "......... ....*.... ..*...*.. ......... .*..*..*. ......... ..*...*.. ....*.... ........."
    )
    return stars_differ(values, picture)


def girandola(values: Values) -> bool:
    picture = (
        "*.......* ....*.... ......... ......... .*..*..*. ......... ......... ....*.... *.......*"
    )
    return stars_differ(values, picture)


def stars_differ(values: Values, picture: str) -> bool:
    rows = picture.split()
    return all_different(values, [(r, c) for r, c in values if rows[r - 1][c - 1] == "*"])


def leaps(values: Values, leap: Callable[[int, int], bool]) -> Iterator[tuple[int, int]]:
    """The digits of all pairs of cells that are these numbers of rows and columns apart."""
    for (r1, c1), a in values.items():
        for (r2, c2), b in values.items():
            if (r1, c1) < (r2, c2) and leap(abs(r1 - r2), abs(c1 - c2)):
                yield a, b


def anti_knight(values: Values) -> bool:
    return all(a != b for a, b in leaps(values, lambda r, c: {r, c} == {1, 2}))


def anti_king(values: Values) -> bool:
    return all(a != b for a, b in leaps(values, lambda r, c: max(r, c) == 1))


def non_touching(values: Values) -> bool:
    return all(a != b for a, b in leaps(values, lambda r, c: r == c == 1))


def non_consecutive(values: Values) -> bool:
    return all(abs(a - b) != 1 for a, b in leaps(values, lambda r, c: r + c == 1))


def even(values: Values, cells: Iterable[Cell]) -> bool:
    return all(values[cell] % 2 == 0 for cell in cells)


def odd(values: Values, cells: Iterable[Cell]) -> bool:
    return all(values[cell] % 2 == 1 for cell in cells)


def marks(values: Values, allowed: Mapping[Cell, Iterable[int]]) -> bool:
    return all(values[cell] in digits for cell, digits in allowed.items())


def thermometer(values: Values, cells: list[Cell]) -> bool:
    digits = [values[cell] for cell in cells]
    return all(a < b for a, b in pairwise(digits))


def greater(values: Values, larger: Cell, smaller: Cell) -> bool:
    return values[larger] > values[smaller]


def white(values: Values, a: Cell, b: Cell) -> bool:
    return values[a] - values[b] in (1, -1)


def black(values: Values, a: Cell, b: Cell) -> bool:
    return values[a] == 2 * values[b] or values[b] == 2 * values[a]


def no_more_dots(values: Values, dotted: list[tuple[Cell, Cell]]) -> bool:
    pairs = {frozenset(pair) for pair in dotted}
    return not any(
        white(values, a, b) or black(values, a, b)
        for a in values
        for b in values
        if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 and frozenset((a, b)) not in pairs
    )


def arrow(values: Values, circle: list[Cell], path: list[Cell]) -> bool:
    number = int("".join(str(values[cell]) for cell in circle))
    return number == sum(values[cell] for cell in path)


def total(values: Values, amount: int, cells: Iterable[Cell]) -> bool:
    return sum(values[cell] for cell in cells) == amount


def cage(values: Values, amount: int | None, cells: list[Cell]) -> bool:
    return all_different(values, cells) and (amount is None or total(values, amount, cells))


def renban(values: Values, cells: list[Cell]) -> bool:
    digits = sorted(values[cell] for cell in cells)
    return all(b == a + 1 for a, b in pairwise(digits))


def nabner(values: Values, cells: list[Cell]) -> bool:
    digits = sorted(values[cell] for cell in cells)
    return all(b > a + 1 for a, b in pairwise(digits))


def whisper(values: Values, least: int, cells: list[Cell]) -> bool:
    digits = [values[cell] for cell in cells]
    return all(abs(a - b) >= least for a, b in pairwise(digits))


def palindrome(values: Values, cells: list[Cell]) -> bool:
    digits = [values[cell] for cell in cells]
    return digits == digits[::-1]


def clone(values: Values, cells: list[Cell], others: list[Cell]) -> bool:
    return [values[cell] for cell in cells] == [values[cell] for cell in others]


def parity_line(values: Values, cells: list[Cell]) -> bool:
    digits = [values[cell] for cell in cells]
    return all((a + b) % 2 for a, b in pairwise(digits))


def windows(values: Values, cells: list[Cell]) -> list[list[int]]:
    """The digits of any three neighbours on a line; of both cells of a line of two."""
    digits = [values[cell] for cell in cells]
    return [digits[at : at + 3] for at in range(max(1, len(digits) - 2))]


def modular_line(values: Values, cells: list[Cell]) -> bool:
    return all(len({d % 3 for d in three}) == len(three) for three in windows(values, cells))


def entropic_line(values: Values, low: int, cells: list[Cell]) -> bool:
    def level(digit: int) -> str:
        return "low" if digit <= low else "middle" if digit <= 2 * low else "high"

    return all(len({level(d) for d in three}) == len(three) for three in windows(values, cells))


def between_line(values: Values, cells: list[Cell]) -> bool:
    first, *inner, last = (values[cell] for cell in cells)
    return all(first < digit < last or last < digit < first for digit in inner)


def lockout_line(values: Values, least: int, cells: list[Cell]) -> bool:
    first, *inner, last = (values[cell] for cell in cells)
    low, high = min(first, last), max(first, last)
    return high - low >= least and not any(low <= digit <= high for digit in inner)


def equal_sums(values: Values, parts: list[list[Cell]]) -> bool:
    return len({sum(values[cell] for cell in part) for part in parts}) == 1


def zipper(values: Values, cells: list[Cell]) -> bool:
    digits = [values[cell] for cell in cells]
    sums = {a + b for a, b in zip(digits, digits[::-1], strict=True)}
    if len(digits) % 2:  # the cell in the middle was added to itself
        middle = digits[len(digits) // 2]
        ends = digits[: len(digits) // 2]
        return all(a + b == middle for a, b in zip(ends, digits[::-1], strict=False))
    return len(sums) == 1


def slow_thermometer(values: Values, cells: list[Cell]) -> bool:
    digits = [values[cell] for cell in cells]
    return all(a <= b for a, b in pairwise(digits))


def double_arrow(values: Values, cells: list[Cell]) -> bool:
    first, *inner, last = (values[cell] for cell in cells)
    return first + last == sum(inner)


def quadruple(values: Values, digits: list[int], cells: list[Cell]) -> bool:
    found = [values[cell] for cell in cells]
    for digit in digits:
        if digit not in found:
            return False
        found.remove(digit)
    return True


def sandwich(values: Values, amount: int, cells: list[Cell]) -> bool:
    digits = [values[cell] for cell in cells]
    start, end = sorted((digits.index(1), digits.index(len(digits))))
    return sum(digits[start + 1 : end]) == amount


def x_sum(values: Values, amount: int, cells: list[Cell]) -> bool:
    digits = [values[cell] for cell in cells]
    return sum(digits[: digits[0]]) == amount


def skyscraper(values: Values, amount: int, cells: list[Cell]) -> bool:
    digits = [values[cell] for cell in cells]
    return sum(digit == max(digits[: at + 1]) for at, digit in enumerate(digits)) == amount


def difference(values: Values, amount: int, a: Cell, b: Cell) -> bool:
    return values[a] - values[b] in (amount, -amount)


def ratio(values: Values, amount: int, a: Cell, b: Cell) -> bool:
    return values[a] == amount * values[b] or values[b] == amount * values[a]


def pair_sum(values: Values, amount: int, a: Cell, b: Cell) -> bool:
    return values[a] + values[b] == amount


def no_more_pairs(
    values: Values, relation: str, amounts: list[int], clues: list[tuple[Cell, Cell]]
) -> bool:
    test = {"difference": difference, "ratio": ratio, "sum": pair_sum}[relation]
    pairs = {frozenset(pair) for pair in clues}
    return not any(
        test(values, amount, a, b)
        for a in values
        for b in values
        for amount in amounts
        if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 and frozenset((a, b)) not in pairs
    )


def distant(values: Values, least: int, offsets: list[tuple[int, int]]) -> bool:
    return not any(
        (r + down, c + right) in values and abs(digit - values[r + down, c + right]) < least
        for (r, c), digit in values.items()
        for down, right in offsets
    )


def extreme(values: Values, cells: list[Cell], sign: int) -> bool:
    """Each cell times sign is less than its neighbours, but for those among the cells."""
    return not any(
        sign * values[r, c] >= sign * values[other]
        for r, c in cells
        for other in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1))
        if other in values and other not in cells
    )


def indexer(values: Values, index: Cell, house: list[Cell]) -> bool:
    return values[house[values[index] - 1]] == house.index(index) + 1


def diagonal_non_consecutive(values: Values) -> bool:
    return all(abs(a - b) != 1 for a, b in leaps(values, lambda r, c: r == c == 1))


def anti_taxicab(values: Values) -> bool:
    return not any(
        a == b == abs(r1 - r2) + abs(c1 - c2)
        for (r1, c1), a in values.items()
        for (r2, c2), b in values.items()
    )


def twos(values: Values) -> Iterator[list[int]]:
    """The digits of all squares of 2x2 cells."""
    for r, c in values:
        four = [(r, c), (r + 1, c), (r, c + 1), (r + 1, c + 1)]
        if all(cell in values for cell in four):
            yield [values[cell] for cell in four]


def global_modular(values: Values) -> bool:
    return all({d % 3 for d in four} == {0, 1, 2} for four in twos(values))


def global_entropy(values: Values, low: int) -> bool:
    return all(
        any(d <= low for d in four)
        and any(low < d <= 2 * low for d in four)
        and any(d > 2 * low for d in four)
        for four in twos(values)
    )


def sum_line(values: Values, amount: int, cells: list[Cell]) -> bool:
    if len(cells) > 1 and cells[0] == cells[-1]:  # a loop may be cut anywhere
        loop = cells[1:]
        return any(sum_line(values, amount, loop[at:] + loop[:at]) for at in range(len(loop)))
    digits = [values[cell] for cell in cells]
    reached = {sum(digits[:at]) for at in range(1, len(digits) + 1)}
    whole = sum(digits)
    return whole % amount == 0 and reached >= {*range(amount, whole + 1, amount)}


def numbered_room(values: Values, amount: int, cells: list[Cell]) -> bool:
    return values[cells[values[cells[0]] - 1]] == amount


def full_rank(values: Values, rank: int, cells: list[Cell]) -> bool:
    def number(line: Iterable[Cell]) -> int:
        return int("".join(f"{values[cell]:02}" for cell in line))

    side = range(1, side_of(values) + 1)
    lines = [[(r, c) for c in side] for r in side] + [[(r, c) for r in side] for c in side]
    numbers = sorted([number(line) for line in lines] + [number(line[::-1]) for line in lines])
    return [at for at, n in enumerate(numbers, 1) if n == number(cells)] == [rank]


def counting_circles(values: Values, cells: list[Cell]) -> bool:
    digits = [values[cell] for cell in cells]
    return all(digits.count(digit) == digit for digit in digits)


def look_and_say(values: Values, says: list[tuple[int, int]], cells: list[Cell]) -> bool:
    digits = [values[cell] for cell in cells]
    return all(digits.count(digit) == often for often, digit in says)


def multi_sum(values: Values, amounts: list[int], cells: list[Cell]) -> bool:
    return all_different(values, cells) and sum(values[cell] for cell in cells) in amounts


def rellik(values: Values, amount: int, cells: list[Cell]) -> bool:
    digits = [values[cell] for cell in cells]
    some = [sum(c) for n in range(1, len(digits) + 1) for c in combinations(digits, n)]
    return all_different(values, cells) and amount not in some


def pair_table(values: Values, pairs: set[tuple[int, int]], cells: list[Cell]) -> bool:
    return all(pair in pairs for pair in pairwise(values[cell] for cell in cells))


def grid_table(values: Values, pairs: set[tuple[int, int]], offsets: list[tuple[int, int]]) -> bool:
    return all(
        (digit, values[r + down, c + right]) in pairs
        for (r, c), digit in values.items()
        for down, right in offsets
        if (r + down, c + right) in values
    )


def automaton(values: Values, rows: list[list[int]], ends: list[int], cells: list[Cell]) -> bool:
    state = 1
    for cell in cells:
        state = rows[state - 1][values[cell] - 1] if state else 0
    return state in ends


RULES: dict[str, Callable[..., bool]] = {
    "diagonal non-consecutive": diagonal_non_consecutive,
    "anti-taxicab": anti_taxicab,
    "global entropy": global_entropy,
    "global modular": global_modular,
    "sum line": sum_line,
    "numbered room": numbered_room,
    "full rank": full_rank,
    "counting circles": counting_circles,
    "look and say": look_and_say,
    "multi-sum": multi_sum,
    "rellik": rellik,
    "pair table": pair_table,
    "grid table": grid_table,
    "automaton": automaton,
    "boxes": boxes,
    "regions": regions,
    "diagonal": diagonal,
    "hyper": hyper,
    "disjoint-groups": disjoint_groups,
    "center-dot": center_dot,
    "asterisk": asterisk,
    "girandola": girandola,
    "anti-knight": anti_knight,
    "anti-king": anti_king,
    "non-touching": non_touching,
    "non-consecutive": non_consecutive,
    "even": even,
    "odd": odd,
    "marks": marks,
    "thermometer": thermometer,
    "greater": greater,
    "white": white,
    "black": black,
    "no more dots": no_more_dots,
    "arrow": arrow,
    "total": total,
    "cage": cage,
    "unique": all_different,
    "renban": renban,
    "nabner": nabner,
    "whisper": whisper,
    "palindrome": palindrome,
    "clone": clone,
    "parity line": parity_line,
    "modular line": modular_line,
    "entropic line": entropic_line,
    "between line": between_line,
    "lockout line": lockout_line,
    "equal sums": equal_sums,
    "equal areas": equal_sums,
    "zipper": zipper,
    "slow thermometer": slow_thermometer,
    "double arrow": double_arrow,
    "quadruple": quadruple,
    "sandwich": sandwich,
    "x-sum": x_sum,
    "skyscraper": skyscraper,
    "difference": difference,
    "ratio": ratio,
    "sum": pair_sum,
    "no more pairs": no_more_pairs,
    "distant": distant,
    "extreme": extreme,
    "indexer": indexer,
}


def keeps(values: Values, spec: Spec) -> bool:
    """Whether a full grid keeps a rule."""
    name, *arguments = spec
    return RULES[name](values, *arguments)


def is_latin(values: Values) -> bool:
    """Whether a square is filled, and no row or column has a digit twice."""
    side = round(len(values) ** 0.5)
    numbers = range(1, side + 1)
    return (
        set(values) == {(r, c) for r in numbers for c in numbers}
        and set(values.values()) == set(numbers)
        and all(all_different(values, [(r, c) for c in numbers]) for r in numbers)
        and all(all_different(values, [(r, c) for r in numbers]) for c in numbers)
    )


def squares(specs: Iterable[Spec]) -> list[dict[Cell, int]]:
    """All Latin squares of side 4 that keep some rules."""
    wanted = list(specs)
    return [values for values in latin_squares(4) if all(keeps(values, spec) for spec in wanted)]


BOXED = squares([("boxes", 2, 2)])
"""All grids of side 4, with boxes."""
