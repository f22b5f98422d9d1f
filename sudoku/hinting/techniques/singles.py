"""Full house, hidden single, naked single: the steps that place a digit.

Each technique has two functions. One yields its deductions one by one, for hints. The other, which
is faster, returns the changes of all of them together, for ratings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sudoku.board.layout import symbol
from sudoku.errors import listed
from sudoku.hinting.deduction import Deduction, Evidence, names, rule_words
from sudoku.hinting.geometry import Geometry, bits
from sudoku.hinting.position import Changes, Position
from sudoku.hinting.technique import technique, together
from sudoku.rules import Apart

__all__ = [
    "all_box_singles",
    "all_full_houses",
    "all_hidden_singles",
    "all_naked_singles",
    "box_singles",
    "full_houses",
    "hidden_singles",
    "naked_singles",
]


@technique("full house", "0000", "gentle", 4)
def full_houses(position: Position) -> Iterator[Deduction]:
    """Full houses: the last empty cells of houses."""
    tables = position.tables
    seen = 0
    for house in tables.easiest:
        rest = tables.houses[house] & position.unsolved
        if not rest or rest & (rest - 1) or rest & seen:
            continue
        for digit in tables.digits:
            if position.planes[digit] & rest:
                seen |= rest
                cell = rest.bit_length() - 1

                def evidence(house: int = house, cell: int = cell, digit: int = digit) -> Evidence:
                    return Evidence(
                        f"{tables.names[cell]} is the last empty cell of "
                        f"{tables.house_words[house]}: it is {symbol(digit)}",
                        (house,),
                        ((digit, 1 << cell, "base"),),
                    )

                yield Deduction("full house", rest, ((cell, digit),), (), evidence)
                break


@together("full house")
def all_full_houses(position: Position) -> Changes:
    """All full houses together."""
    found = Changes(position.tables.side)
    unsolved = position.unsolved
    for house in position.tables.houses:
        rest = house & unsolved
        if rest and not rest & (rest - 1):
            for digit in position.tables.digits:
                if position.planes[digit] & rest:
                    found.placed[rest.bit_length() - 1] = digit
                    break
    return found


@technique("hidden single", "0002", "easy", 10)
def hidden_singles(position: Position) -> Iterator[Deduction]:
    """Hidden singles: digits with only one place in a house."""
    return _hidden_singles(position, position.tables.easiest)


@technique("hidden single in a box", "0002", "gentle", 8, use="rating")
def box_singles(position: Position) -> Iterator[Deduction]:
    """Hidden singles in boxes and other houses that are neither rows nor columns."""
    return _hidden_singles(position, position.tables.areas)


def _hidden_singles(position: Position, houses: Iterable[int]) -> Iterator[Deduction]:
    """Digits with only one place in one of these houses."""
    tables = position.tables
    seen: set[tuple[int, int]] = set()
    for house in houses:
        mask = tables.houses[house]
        for digit in tables.digits:
            only = position.planes[digit] & mask
            if not only or only & (only - 1):
                continue
            cell = only.bit_length() - 1
            if (cell, digit) in seen:
                continue
            seen.add((cell, digit))

            def evidence(house: int = house, cell: int = cell, digit: int = digit) -> Evidence:
                others = tables.houses[house] & position.unsolved & ~(1 << cell)
                peers, why = blocking(position, [(other, digit) for other in bits(others)])
                return Evidence(
                    f"{tables.names[cell]} is the only place for {symbol(digit)} in "
                    f"{tables.house_words[house]}{why}",
                    (house,),
                    ((digit, 1 << cell, "base"), *peers),
                )

            yield Deduction("hidden single", only, ((cell, digit),), (), evidence)


@together("hidden single")
def all_hidden_singles(position: Position) -> Changes:
    """All hidden singles together."""
    return _all_hidden_singles(position, position.tables.groups[1:])


@together("hidden single in a box")
def all_box_singles(position: Position) -> Changes:
    """All hidden singles in houses that are neither rows nor columns, together."""
    return _all_hidden_singles(position, position.tables.area_groups)


def _all_hidden_singles(position: Position, groups: list[tuple[int, list[int]]]) -> Changes:
    """All hidden singles in houses of these forms.

    The houses of one form are counted at once (see `Geometry.groups`): `once` collects the houses
    with a place for a digit, `twice` those with two or more.
    """
    tables, flat = position.tables, position.flat
    alone = 0
    for first, shifts in groups:
        once = twice = 0
        for shift in shifts:
            here = flat >> shift
            twice |= once & here
            once |= here
        single = first & once & ~twice
        if single:
            for shift in shifts:
                alone |= single << shift
    found = Changes(tables.side)
    for node in bits(alone & flat):
        digit, cell = divmod(node, tables.size)
        found.placed[cell] = digit + 1
    return found


def _single_candidates(position: Position) -> int:
    """The cells with exactly one candidate."""
    once = twice = 0
    for plane in position.planes:
        twice |= once & plane
        once |= plane
    return once & ~twice


def blocking(
    position: Position, excluded: Iterable[tuple[int, int]]
) -> tuple[tuple[tuple[int, int, str], ...], str]:
    """The filled cells that exclude digits from cells, (cell, digit), as marks; and words.

    As few as possible. The words are those of `seen_by_rules`.
    """
    tables = position.tables
    chosen: dict[int, int] = {}
    words: list[str] = []
    for cell, digit in excluded:
        here = chosen.get(digit, 0)
        near = (c for c in bits(tables.peers[cell]) if position.values[c] == digit)
        found = sorted((not _share(tables, cell, c), not here >> c & 1, c) for c in near)
        for _, _, other in found[:1]:
            chosen[digit] = here | 1 << other
            words.append(seen_by_rules(tables, cell, 1 << other, f"{symbol(digit)}, "))
    marks = tuple((digit, cells, "peer") for digit, cells in chosen.items())
    return marks, "".join(dict.fromkeys(words))


def seen_by_rules(tables: Geometry, cell: int, others: int, digit: str = "") -> str:
    """In brackets why a cell sees those of the others that are in no house with it.

    A digit, with a comma, is said before the reason.
    """
    places, together = tables.layout.positions, dict[str, int]()
    for other in bits(others):
        if _share(tables, cell, other):
            continue
        both = {places[cell], places[other]}
        rule = next(
            rule
            for rule in tables.layout.rules
            if any(both <= set(group) for group in rule.different(tables.layout))
        )
        away = {abs(one - two) for one, two in zip(places[cell], places[other], strict=True)}
        move = {(1,): "king", (1, 2): "knight"}.get(tuple(sorted(away)))
        why = f"in {rule_words(rule)} with"
        if isinstance(rule, Apart):
            why = f"a {move}'s move from" if move else f"by the rule '{rule}' a peer of"
        together[why] = together.get(why, 0) | 1 << other
    words = [
        f"{names(tables, cells)} {'are' if cells & (cells - 1) else 'is'} {digit}{why} "
        f"{tables.names[cell]}"
        for why, cells in together.items()
    ]
    return f" ({listed(words, 'and')})" if words else ""


def _share(tables: Geometry, cell: int, other: int) -> bool:
    """Whether two cells are in a house together."""
    return next(tables.common_houses(1 << cell | 1 << other), None) is not None


def by_rules(position: Position, cell: int) -> str:
    """In brackets the rules that exclude a digit from a cell together with one digit placed.

    Empty if there are none, or if houses exclude the same digits.
    """
    tables, layout = position.tables, position.tables.layout
    if not tables.crossed:
        return ""
    place, size = layout.positions[cell], tables.size
    seen = {value for other, value in enumerate(position.values) if tables.peers[cell] >> other & 1}
    found: dict[str, None] = {}
    for other, value in enumerate(position.values):
        links = tables.crossed.get((value - 1) * size + other, 0) if value else 0
        for digit in tables.digits:
            if digit not in seen and links >> (digit - 1) * size + cell & 1:
                both = {place: digit, layout.positions[other]: value}
                found |= {rule_words(rule): None for rule in layout.rules if rule.broken(both)}
    return f" ({listed(list(found), 'and')})" if found else ""


@technique("naked single", "0003", "easy", 14)
def naked_singles(position: Position) -> Iterator[Deduction]:
    """Naked singles: cells with only one candidate."""
    tables = position.tables
    for cell in bits(_single_candidates(position)):
        digit = next(d for d in tables.digits if position.planes[d] >> cell & 1)

        def evidence(cell: int = cell, digit: int = digit) -> Evidence:
            others = [(cell, other) for other in tables.digits if other != digit]
            peers, why = blocking(position, others)
            why += by_rules(position, cell)
            return Evidence(
                f"{tables.names[cell]} can only be {symbol(digit)}{why}",
                (),
                ((digit, 1 << cell, "base"), *peers),
            )

        yield Deduction("naked single", 1 << cell, ((cell, digit),), (), evidence)


@together("naked single")
def all_naked_singles(position: Position) -> Changes:
    """All naked singles together."""
    found = Changes(position.tables.side)
    single = _single_candidates(position)
    if single:
        for digit, plane in enumerate(position.planes):
            for cell in bits(plane & single):
                found.placed[cell] = digit
    return found
