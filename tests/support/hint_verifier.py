"""Checks every step of a hint from first principles, without a line of `sudoku.hinting`.

A `Board` has digits and candidates as plain sets and dictionaries. Of rules it knows only
`Rule.broken`: it asks about every two digits in every two cells of a rule, and fills the cells of a
rule in every way. `Board.verify` takes a step and
shows that it is right *for the reason it gives*: it looks only at the cells, houses and links that
the step names, and finds by brute force (or by following the links one by one) that what the step
removes is impossible there. Then it makes sure that no digit of the solution is lost.

`python tests/support/verify_hints.py FILE...` does it for whole lists of puzzles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, product

from sudoku import Grid, Layout, Step, solve
from sudoku.rules import Allowed, Cage, LittleKiller, Rule

MOST = 20_000  # fillings of a rule; for more of them the exact cover engine is asked
MOST_TOGETHER = 1_000  # of several rules
MOST_LINKED = 6  # cells of several rules of which a step follows one after another

Cell = tuple[int, int]
Candidate = tuple[int, int, int]
Node = frozenset[Candidate]
Left = dict[Cell, set[int]]

BY_CELLS = {
    *("naked pair", "naked triple", "naked quad", "locked pair", "locked triple"),
    *("XY-wing", "XYZ-wing", "remote pairs", "sue de coq"),
    *("ALS-XZ", "ALS-XY-wing", "death blossom"),
}
"""What follows from the candidates of the step's cells alone."""
ONE_DIGIT = ("fish", "X-wing", "locked candidates", "skyscraper", "kite", "empty rectangle")
PAIRS = ("skyscraper", "two-string", "turbot")
COLORS = ("simple colors", "multi-colors")
CHAINS = ("X-chain", "XY-chain", "W-wing", "AIC", "inference chain", "nice loop", "with ALS")


RULES = {
    *("inequality", "kropki dot", "XV pair", "cage combinations", "thermometer", "arrow", "rule"),
    *("line", "little killer", "outside clue", "single combination"),
}
"""What follows from the fillings of the cells of one rule."""

Clashes = dict[Candidate, set[Candidate]]
OUTSIDE = ("sandwich", "X-sum", "skyscraper", "numbered room", "sum line", "automaton line")
"""Clues outside the grid, and the like: few players see which two digits they exclude."""


def clashes(layout: Layout) -> Clashes:
    """For each candidate the candidates in other cells that break a rule together with it."""
    plain, subtle = (_clashes(layout, outside) for outside in (False, True))
    return {one: plain.get(one, set()) | subtle.get(one, set()) for one in {**plain, **subtle}}


def plain_clashes(layout: Layout) -> Clashes:
    """The same, without clues outside the grid."""
    return _clashes(layout, outside=False)


@lru_cache(maxsize=4)
def _clashes(layout: Layout, outside: bool) -> Clashes:
    """The clashes of the clues outside the grid, or those of all other rules."""
    found: Clashes = {}
    digits = range(1, layout.side + 1)
    for rule in layout.rules:
        if isinstance(rule, Allowed) or outside != (rule.kind in OUTSIDE):
            continue
        for one, two in combinations(rule.cells or layout.positions, 2):
            for a, b in product(digits, repeat=2):
                if rule.broken({one: a, two: b}):
                    found.setdefault((*one, a), set()).add((*two, b))
                    found.setdefault((*two, b), set()).add((*one, a))
    return found


class Sum:
    """The sum of some cells, some of them subtracted, that houses and cages give."""

    def __init__(self, weights: dict[Cell, int], total: int) -> None:
        self.weights, self.total = weights, total
        self.cells = tuple(weights)

    def broken(self, values: dict[Cell, int]) -> bool:
        if any(cell not in values for cell in self.cells):
            return False
        return self.total != sum(self.weights[cell] * values[cell] for cell in self.cells)


class Together:
    """Several rules at once, and the sums of innies, which are rules without subtraction."""

    def __init__(self, rules: Iterable[Rule | Sum], cells: Iterable[Cell]) -> None:
        inside = set(cells)
        self.cells = tuple(sorted(inside))
        self.rules: list[Rule] = []
        for rule in rules:
            if not rule.cells or not inside.issuperset(rule.cells) or isinstance(rule, Allowed):
                continue
            if isinstance(rule, Rule):
                self.rules.append(rule)
            elif len(signs := set(rule.weights.values())) == 1:
                self.rules.append(LittleKiller(rule.total * signs.pop(), rule.cells))

    def broken(self, values: dict[Cell, int]) -> bool:
        return any(rule.broken(values) for rule in self.rules)


@lru_cache(maxsize=4)
def houses_with_cages(layout: Layout) -> list[Together]:
    """Each house with the cages that have cells in it, and with its innies of other houses."""
    places = layout.positions
    cages = [r for r in layout.rules if isinstance(r, Cage) and r.total is not None]
    rules = [*cages, *sums(layout, layout.side)]
    found = []
    for house in layout.houses if cages else ():
        inside = {places[cell] for cell in house.cells}
        cells = inside.union(*(cage.cells for cage in cages if inside & set(cage.cells)))
        found.append(Together(rules, cells))
    return found


@lru_cache(maxsize=8)
def sums(layout: Layout, most: int) -> list[Sum]:
    """The sums of at most that many cells: one to three houses, without the cages inside, and
    four of a kind.

    Of the cages that are partly outside, none is taken away, or all are, or those with fewer cells
    outside than inside.
    """
    places, taken = layout.positions, set()
    cages = []
    for rule in layout.rules:
        if isinstance(rule, Cage) and rule.total is not None and not taken & set(rule.cells):
            taken |= set(rule.cells)
            cages.append(rule)
    houses = [{places[cell] for cell in house.cells} for house in layout.houses]
    kinds = [house.kind for house in layout.houses]
    whole = layout.side * (layout.side + 1) // 2
    found: dict[tuple[tuple[Cell, int], ...], Sum] = {}
    for count in (1, 2, 3, 4) if cages else ():
        for chosen_houses in combinations(range(len(houses)), count):
            if count == 4 and len({kinds[house] for house in chosen_houses}) > 1:
                continue
            union = set().union(*(houses[house] for house in chosen_houses))
            if len(union) < count * layout.side:
                continue
            inside = [cage for cage in cages if set(cage.cells) <= union]
            across = [c for c in cages if 0 < len(set(c.cells) & union) < len(c.cells)]
            fewer = [c for c in across if 2 * len(set(c.cells) & union) > len(c.cells)]
            for chosen in ([], across, fewer):
                weights = Counter(union)
                for cage in inside + chosen:
                    weights.subtract(cage.cells)
                left = {cell: weight for cell, weight in weights.items() if weight}
                if 0 < len(left) <= most:
                    total = count * whole - sum(cage.total for cage in inside + chosen)
                    found[tuple(sorted(left.items()))] = Sum(left, total)
    return list(found.values())


class Board:
    """The digits and candidates of a grid."""

    def __init__(self, grid: Grid) -> None:
        self.layout: Layout = grid.layout
        places = grid.layout.positions
        self.side = grid.layout.side
        self.houses: dict[str, list[Cell]] = {
            house.name: [places[cell] for cell in house.cells] for house in grid.layout.houses
        }
        self.peers: dict[Cell, set[Cell]] = {cell: set() for cell in places}
        for cells in self.houses.values():
            for cell in cells:
                self.peers[cell] |= set(cells) - {cell}
        self.clashes = clashes(grid.layout)
        self.plain_clashes = plain_clashes(grid.layout)
        for one, two in combinations(places, 2):
            if all(
                (*two, digit) in self.plain_clashes.get((*one, digit), ())
                for digit in range(1, self.side + 1)
            ):
                self.peers[one].add(two)
                self.peers[two].add(one)
        self.marks = {cell: set(range(1, self.side + 1)) for cell in places}
        for rule in grid.layout.rules:
            for cell, digits in rule.marks if isinstance(rule, Allowed) else ():
                self.marks[cell] &= set(digits)
        self.values = dict(zip(places, grid.cells, strict=True))
        self.given = {cell for cell, value in self.values.items() if value}
        self.solution = dict(zip(places, solve(grid).cells, strict=True))
        self.candidates: dict[Cell, set[int]] = {
            cell: {
                digit
                for digit in self.marks[cell]
                if digit not in {self.values[peer] for peer in self.peers[cell]}
            }
            for cell, value in self.values.items()
            if not value
        }
        for cell, value in self.values.items():
            if value:
                self._drop_clashes(self.candidates, cell, value, self.plain_clashes)

    def _drop_clashes(self, left: Left, cell: Cell, digit: int, clashes: Clashes) -> list[Cell]:
        """Removes the candidates that break a rule together with this digit; their cells."""
        changed = []
        for row, column, other in clashes.get((*cell, digit), ()):
            if other in left.get((row, column), ()):
                left[row, column].discard(other)
                changed.append((row, column))
        return changed

    @classmethod
    def of(cls, grid: Grid, given: set[Cell], crossed_out: Iterable[Candidate]) -> Board:
        """A grid of which only some digits are given, and candidates are crossed out."""
        board = cls(grid)
        board.given = given
        for row, column, digit in crossed_out:
            board.candidates[row, column].discard(digit)
        return board

    @property
    def is_solved(self) -> bool:
        return not self.candidates

    def places(self, house: str, digit: int) -> set[Cell]:
        return {c for c in self.houses[house] if digit in self.candidates.get(c, ())}

    def apply(self, step: Step) -> None:
        for row, column, digit in step.placements:
            del self.candidates[row, column]
            self.values[row, column] = digit
            for peer in self.peers[row, column]:
                self.candidates.get(peer, set()).discard(digit)
            self._drop_clashes(self.candidates, (row, column), digit, self.plain_clashes)
        for row, column, digit in step.eliminations:
            self.candidates[row, column].discard(digit)

    def sees(self, one: Cell, two: Cell) -> bool:
        return two in self.peers[one]

    # ------------------------------------------------------------------ the whole step

    def verify(self, step: Step) -> None:
        """AssertionError if the step does nothing, is wrong, or does not follow as it says."""
        assert step.placements or step.eliminations, "a step that does nothing"
        for row, column, digit in step.eliminations:
            assert digit in self.candidates[row, column], "removes what is not there"
            assert self.solution[row, column] != digit, "removes a digit of the solution"
        for row, column, digit in step.placements:
            assert self.solution[row, column] == digit, "places a wrong digit"
            assert digit in self.candidates[row, column]
        assert step.sentence
        assert all(cell in self.values for cell in step.cells)
        for house in step.pattern.houses:
            assert house in self.houses
        self._justify(step)

    def _justify(self, step: Step) -> None:
        name = step.technique
        if name.startswith((*COLORS, "remote pairs")):
            self._tree(step)
        if name.startswith("ALS"):
            self._sets(step)
        if name == "death blossom":
            self._petals(step)
        if name in ("full house", "hidden single", "naked single"):
            self._single(step)
        elif name in BY_CELLS:
            for gone in step.eliminations:
                assert not any(self._fillings(step.cells, [gone])), "the cells can be filled"
        elif name in RULES:
            self._combinations(step)
        elif name.endswith("-house interaction"):
            self._interaction(step)
        elif name.startswith(("innies and outies", "rule of 45")):
            self._balance(step)
        elif name in ("killer subset", "conflicting combinations"):
            self._house_combinations(step)
        elif name == "common conflict":
            self._common_conflict(step)
        elif name.startswith("hidden ") and name != "hidden rectangle":
            self._hidden_subset(step)
        elif name.endswith(CHAINS):
            self._chain(step)
        elif name.startswith(COLORS):
            self._one_digit(step, self._houses_within(step))
        elif name.startswith("dual "):
            self._dual(step)
        elif any(part in name for part in ONE_DIGIT):
            houses = list(step.pattern.houses)
            if "rectangle" not in name and name.split()[0] not in PAIRS:
                # The base; the other half is the cover, unless what is removed sees all the base.
                houses = houses[: (len(houses) + 1) // 2]
            self._one_digit(step, houses)
        elif name.startswith(("unique rectangle", "hidden rectangle", "avoidable")):
            self._rectangle(step)
        elif name == "BUG+1":
            self._bug(step)
        elif name == "forcing net":
            for gone in step.eliminations:
                assert self._assume(self.candidates, gone) is None, "no contradiction"
        elif name == "rule net":
            self._rule_net(step, [])
        elif name == "combination net":
            self._rule_net(step, houses_with_cages(self.layout))
        elif name == "nested forcing net":
            self._nested(step)
        elif name == "trial":
            self._trial(step)
        elif name.startswith("template"):
            self._template(step)
        else:
            raise AssertionError(f"no check for {name}")

    # ------------------------------------------------------------------ families

    def _single(self, step: Step) -> None:
        ((row, column, digit),) = step.placements
        cell = (row, column)
        if step.technique == "naked single":
            assert self.candidates[cell] == {digit}
            return
        (house,) = step.pattern.houses
        assert cell in self.houses[house]
        if step.technique == "full house":
            assert [c for c in self.houses[house] if not self.values[c]] == [cell]
        else:
            assert self.places(house, digit) == {cell}

    def _fillings(
        self, cells: Iterable[Cell], assumed: Iterable[Candidate] = ()
    ) -> Iterator[dict[Cell, int]]:
        """All ways to fill the cells, peers different, if the assumed candidates are true."""
        domains = {
            cell: set(self.candidates[cell]) if cell in self.candidates else {self.values[cell]}
            for cell in cells
        }
        for row, column, digit in assumed:
            if (row, column) in domains:
                domains[row, column] &= {digit}
            for peer in self.peers[row, column]:
                domains.get(peer, set()).discard(digit)

        def fill(domains: dict[Cell, set[int]], done: dict[Cell, int]) -> Iterator[dict[Cell, int]]:
            if not domains:
                yield done
                return
            cell = min(domains, key=lambda c: len(domains[c]))
            for digit in domains[cell]:
                rest = {
                    other: digits - {digit} if self.sees(cell, other) else digits
                    for other, digits in domains.items()
                    if other != cell
                }
                if all(rest.values()):
                    yield from fill(rest, {**done, cell: digit})

        if all(domains.values()):
            yield from fill(domains, {})

    # ------------------------------------------------------------------ rules

    def _pieces(self) -> list[Rule]:
        return [piece for rule in self.layout.rules for piece in rule.pieces(self.layout)]

    def _combinations(self, step: Step) -> None:
        """No filling of the cells that satisfies the rule has what is removed.

        A rule has all the cells, or several that the step names have some of them.
        """
        named = set(step.cells)
        rules = [r for r in self._pieces() if r.cells and named.issuperset(r.cells)]
        assert named == {cell for rule in rules for cell in rule.cells}, "no rule has these cells"
        whole = [Together(rules, named)] if len(rules) > 1 and len(named) <= MOST_LINKED else []
        for gone in self._gone(step):
            assert gone[:2] in step.cells, "another cell"
            assert any(
                gone[:2] in rule.cells and not self._rule_fits(rule, gone)
                for rule in (*rules, *whole)
            ), "the rule can be filled"

    def _gone(self, step: Step) -> list[Candidate]:
        """What a step removes, and the other candidates of the cells in which it places digits."""
        others = [
            (row, column, other)
            for row, column, digit in step.placements
            for other in self.candidates[row, column] - {digit}
        ]
        return [*step.eliminations, *others]

    def _interaction(self, step: Step) -> None:
        """No filling of a rule's cells is left if what is removed were true."""
        rules = [r for r in self._pieces() if set(r.cells) > set(step.cells)]
        rules += [r for r in self._pieces() if set(r.cells) == set(step.cells)]
        ((_, wanted),) = {(0, mark.digit) for mark in step.pattern.marks}
        for row, column, digit in step.eliminations:
            assert digit == wanted, "another digit"
            assert all(self.sees((row, column), cell) for cell in step.cells)
            assert any(
                (row, column) not in rule.cells and not self._rule_fits(rule, (row, column, digit))
                for rule in rules
            ), "a rule can be filled"

    def _house_combinations(self, step: Step) -> None:
        """The named cells of the house and its cages cannot be filled if what goes were true."""
        (house,) = step.pattern.houses
        named = Together([*self.layout.rules, *sums(self.layout, self.side)], step.cells)
        assert named.rules, "no rule has these cells"
        for gone in step.eliminations:
            assert gone[:2] in {*step.cells, *self.houses[house]}, "another cell"
            inside = gone[:2] in step.cells
            assert inside == (step.technique == "conflicting combinations"), "another technique"
            assert not self._rule_fits(named, gone), "the cells can be filled"

    def _rule_net(self, step: Step, more: list[Together]) -> None:
        """Follow singles, and what the rules exclude of what the step names; in order."""
        rules: list[Rule | Sum | Together] = [*self._pieces()]
        rules += [*sums(self.layout, most=4 if more else 3), *more]
        for gone in step.eliminations:
            left = self._assume(self.candidates, gone)
            for mark in step.pattern.marks:
                if left is None or mark.role != "off":
                    continue
                cell = (mark.row, mark.column)
                if mark.digit in left[cell]:
                    assert any(
                        cell in rule.cells and not self._rule_fits(rule, (*cell, mark.digit), left)
                        for rule in rules
                    ), "no rule excludes it"
                    left[cell].discard(mark.digit)
                    left = self._settle(left)
            if left is not None:
                cells = {place for place in left if left[place]}
                assert any(
                    not any(self._rule_fits(rule, (*cell, digit), left) for digit in left[cell])
                    for rule in rules
                    for cell in sorted(cells.intersection(rule.cells))[:1]
                ), "no contradiction"

    def _rule_fits(
        self, rule: Rule | Sum | Together, gone: Candidate, left: Left | None = None
    ) -> bool:
        """Whether the cells of the rule can be filled if that candidate is true."""
        candidates = self.candidates if left is None else left
        domains = {
            cell: set(candidates[cell]) if cell in candidates else {self.values[cell]}
            for cell in rule.cells
        }
        if gone[:2] in domains:
            domains[gone[:2]] &= {gone[2]}
        for peer in self.peers[gone[:2]]:
            domains.get(peer, set()).discard(gone[2])
        tried, most = 0, MOST_TOGETHER if isinstance(rule, Together) else MOST

        def fill(domains: Left, values: dict[Cell, int]) -> bool | None:
            nonlocal tried
            if not domains:
                return True
            cell = min(domains, key=lambda one: len(domains[one]))
            for digit in domains[cell]:
                tried += 1
                if tried > most:
                    return None
                now = {**values, cell: digit}
                if rule.broken(now):
                    continue
                rest = {
                    other: digits - {digit} if self.sees(cell, other) else digits
                    for other, digits in domains.items()
                    if other != cell
                }
                if all(rest.values()) and (found := fill(rest, now)) is not False:
                    return found
            return False

        found = fill(domains, {}) if all(domains.values()) else False
        if found is None:
            assert not isinstance(rule, Sum)
            return self._engine_fits(rule, domains)
        return found

    def _engine_fits(self, rule: Rule | Together, domains: dict[Cell, set[int]]) -> bool:
        """The same, found by the engine: by the items and options of this rule alone."""
        from sudoku import count
        from sudoku.rules import Unique

        rules = rule.rules if isinstance(rule, Together) else [rule]
        pairs = [Unique(two) for two in combinations(sorted(domains), 2) if self.sees(*two)]
        layout = Layout.of(self.side, domains, [], [*rules, Allowed(domains), *pairs])
        return count(Grid.from_cells((0,) * layout.size, layout), limit=1) > 0

    def _balance(self, step: Step) -> None:
        """No filling of the innies and outies with what is removed has the sum they must have."""
        union = [cell for house in step.pattern.houses for cell in self.houses[house]]
        assert len(set(union)) == len(union), "houses with a common cell"
        total = len(step.pattern.houses) * self.side * (self.side + 1) // 2
        weights = Counter(union)
        named = set(step.cells)
        used: set[Cell] = set()
        for rule in self.layout.rules:
            if isinstance(rule, Cage) and rule.total is not None and not used & set(rule.cells):
                inside = [cell for cell in rule.cells if cell in weights]
                outside = {cell for cell in rule.cells if cell not in weights}
                if inside and not named & set(inside) and outside <= named:
                    used |= set(rule.cells)
                    total -= rule.total
                    weights.subtract(rule.cells)
        left = {cell: weight for cell, weight in weights.items() if weight}
        assert set(left) == named, "other innies and outies"
        for gone in self._gone(step):
            for filling in self._fillings(left, [gone]):
                found = sum(left[cell] * digit for cell, digit in filling.items())
                assert found != total, "a filling has this sum"

    def _common_conflict(self, step: Step) -> None:
        """All candidates of a cell, or all places of a digit in a house, clash with what goes."""
        marks = {(mark.row, mark.column, mark.digit) for mark in step.pattern.marks}
        if step.pattern.houses:
            (house,) = step.pattern.houses
            ((_, digit),) = {(0, digit) for _, _, digit in marks}
            assert self.places(house, digit) == {(row, column) for row, column, _ in marks}
        else:
            ((row, column),) = step.cells
            assert marks == {(row, column, digit) for digit in self.candidates[row, column]}
        for gone in step.eliminations:
            assert all(self._weak(frozenset([gone]), frozenset([mark])) for mark in marks)

    def _hidden_subset(self, step: Step) -> None:
        """Place the digits of the pattern in the house: impossible if a removed one is true."""
        (house,) = step.pattern.houses
        digits = {mark.digit for mark in step.pattern.marks}
        for row, column, digit in step.eliminations:
            assert (row, column) in self.houses[house], "another house"
            assert digit not in digits, "one of the digits themselves"
            options = [self.places(house, d) - {(row, column)} for d in digits]
            assert not any(len(set(choice)) == len(choice) for choice in product(*options)), (
                "the digits can be placed"
            )

    def _houses_within(self, step: Step) -> list[str]:
        """The houses all of whose places for the digit belong to the pattern."""
        digit = step.pattern.marks[0].digit
        cells = {(mark.row, mark.column) for mark in step.pattern.marks}
        return [house for house in self.houses if (p := self.places(house, digit)) and p <= cells]

    def _one_digit(self, step: Step, houses: list[str]) -> None:
        """The digit cannot be placed in all these houses if it is where it is removed."""
        (wanted,) = {mark.digit for mark in step.pattern.marks}
        for row, column, digit in step.eliminations:
            assert digit == wanted, "another digit"
            assert not self._digit_fits(houses, digit, (row, column)), "the digit can be placed"

    def _dual(self, step: Step) -> None:
        """Two patterns, each of half the houses: one of them excludes what is removed."""
        houses = step.pattern.houses
        halves = houses[: len(houses) // 2], houses[len(houses) // 2 :]
        digits = {mark.digit for mark in step.pattern.marks}
        for row, column, digit in step.eliminations:
            assert digit in digits, "another digit"
            assert not all(self._digit_fits(half, digit, (row, column)) for half in halves), (
                "the digit can be placed"
            )

    def _digit_fits(self, houses: Iterable[str], digit: int, cell: Cell) -> bool:
        """Whether each house can have the digit, all apart, if it is in that cell, too."""
        wanted = [self.places(house, digit) for house in houses]
        free = [places - self.peers[cell] for places in sorted(wanted, key=len)]

        def place(at: int, chosen: list[Cell]) -> bool:
            if at == len(free):
                return True
            return any(
                not any(self.sees(one, two) for two in chosen) and place(at + 1, [*chosen, one])
                for one in free[at]
            )

        return place(0, [cell])

    def _template(self, step: Step) -> None:
        """Take away what no placing of its digit in the whole grid has, again and again."""
        before = self.candidates
        self.candidates = {cell: set(digits) for cell, digits in before.items()}
        try:
            while any(self._without_template(digit) for digit in range(1, self.side + 1)):
                pass
            for row, column, digit in step.eliminations:
                assert digit not in self.candidates[row, column], "it is in some template"
            for row, column, digit in step.placements:
                assert self.places(f"row {row}", digit) == {(row, column)}, "not in every template"
        finally:
            self.candidates = before

    def _without_template(self, digit: int) -> bool:
        """Whether a place of the digit, or another candidate of its only place, went."""
        open_houses = [house for house in self.houses if self.places(house, digit)]
        gone = [
            (cell, digit)
            for cell, digits in self.candidates.items()
            if digit in digits and not self._digit_fits(open_houses, digit, cell)
        ]
        for cell, other in gone:
            self.candidates[cell].discard(other)
        for house in open_houses:
            if len(places := self.places(house, digit)) == 1:
                (cell,) = places
                gone += [(cell, other) for other in self.candidates[cell] - {digit}]
                self.candidates[cell] = {digit}
        return bool(gone)

    def _tree(self, step: Step) -> None:
        """Every link holds; one leads to each candidate of the pattern, from one in each part."""
        reached: set[Node] = set()
        for link in step.pattern.links:
            source, target = frozenset(link.source), frozenset(link.target)
            assert self._strong(source, target) if link.strong else self._weak(source, target)
            assert target not in reached, "two ways to a candidate"
            reached.add(target)
        marks = {frozenset([(mark.row, mark.column, mark.digit)]) for mark in step.pattern.marks}
        parts = 2 if step.technique.startswith("multi") else 1
        assert reached <= marks
        assert len(marks) - len(reached) == parts, "the links do not reach all candidates"

    def _sets(self, step: Step) -> None:
        """The links lead from set to set; a set lacks one of its digits at most."""
        members = self._members(step)
        before = None
        assert step.pattern.links, "no links"
        for at, link in enumerate(step.pattern.links):
            source, target = frozenset(link.source), frozenset(link.target)
            assert link.strong == (at % 2 == 0), "links must alternate"
            assert before in (None, source), "the chain is broken"
            before = target
            if not link.strong:
                assert self._weak(source, target)
                continue
            assert self._is_within(members[at // 2], source | target)

    def _petals(self, step: Step) -> None:
        """From each candidate of the stem two links lead through a set to what is removed."""
        stem = {(m.row, m.column, m.digit) for m in step.pattern.marks if m.role == "base"}
        ((row, column),) = {cell[:2] for cell in stem}
        assert stem == {(row, column, digit) for digit in self.candidates[row, column]}
        links = step.pattern.links
        assert sorted(stem) == sorted(one for link in links[::2] for one in link.source)
        members = self._members(step)[:-1]  # the last role is "base"
        assert len(members) > 1
        for weak, strong in zip(links[::2], links[1::2], strict=True):
            source, petal, target = map(frozenset, (weak.source, weak.target, strong.target))
            assert not weak.strong
            assert strong.strong
            assert strong.source == weak.target, "the links do not meet"
            assert self._weak(source, petal)
            assert any(self._is_within(cells, petal | target) for cells in members)
            assert all(
                self._weak(target, frozenset([gone]))
                for gone in step.eliminations
                if gone[2] == strong.target[0][2]
            )

    def _members(self, step: Step) -> list[set[Cell]]:
        """The cells of each almost locked set, in order; at the end a stem."""
        return [
            {(mark.row, mark.column) for mark in step.pattern.marks if mark.role == role}
            for role in sorted(
                {mark.role for mark in step.pattern.marks}, key=lambda r: (len(r), r)
            )
        ]

    def _is_within(self, cells: set[Cell], nodes: Node) -> bool:
        """Whether these are all places of two digits in an almost locked set."""
        digits = set().union(*(self.candidates[cell] for cell in cells))
        both = {digit for _, _, digit in nodes}
        places = {(*cell, d) for cell in cells for d in self.candidates[cell] & both}
        apart = all(self.sees(one, two) for one, two in combinations(cells, 2))
        return apart and len(digits) == len(cells) + 1 and len(both) == 2 and nodes == places

    def _chain(self, step: Step) -> None:
        nodes = [(frozenset(link.source), frozenset(link.target)) for link in step.pattern.links]
        for at, (link, (source, target)) in enumerate(zip(step.pattern.links, nodes, strict=True)):
            assert link.strong == (at % 2 == 0), "links must alternate"
            if link.cells:
                assert link.strong
                assert self._is_within(set(link.cells), source | target), "no such set"
            else:
                assert self._strong(source, target) if link.strong else self._weak(source, target)
            if at:
                assert nodes[at - 1][1] == source, "the chain is broken"
        first, last = nodes[0][0], nodes[-1][1]
        if len(nodes) % 2:
            pairs = [(first, last)]
        else:
            assert first == last, "the loop is open"
            pairs = [pair for at, pair in enumerate(nodes) if at % 2]
            for link in step.pattern.links:  # a set lacks one of the two digits, and no other
                for digit in range(1, self.side + 1):
                    if digit not in (link.source[0][2], link.target[0][2]):
                        held = [(*c, digit) for c in link.cells if digit in self.candidates[c]]
                        pairs += [(frozenset(held), frozenset(held))] if held else []
        for gone in step.eliminations:
            node = frozenset([gone])
            assert any(self._weak(node, one) and self._weak(node, two) for one, two in pairs)

    def _weak(self, one: Node, two: Node) -> bool:
        """Whether they cannot both be true."""
        return all(
            ((r, c) == (s, d) and e != f)
            or (e == f and self.sees((r, c), (s, d)))
            or (s, d, f) in self.clashes.get((r, c, e), ())
            for (r, c, e), (s, d, f) in product(one, two)
        )

    def _strong(self, one: Node, two: Node) -> bool:
        """Whether one must be true: all candidates of a cell, or all places in a house."""
        both = one | two
        digits, cells = {d for _, _, d in both}, {(r, c) for r, c, _ in both}
        if len(cells) == 1:
            return self.candidates[next(iter(cells))] == digits
        if len(digits) != 1:
            return False
        (digit,) = digits
        return any(
            (places := self.places(house, digit)) and places <= cells for house in self.houses
        )

    def _rectangle(self, step: Step) -> None:
        """If what is removed were true, every filling would have the deadly pattern."""
        corners, rest = self._corners(step)
        assert not set(corners) & self.given, "a given cell in the rectangle"
        for house, cells in self.houses.items():
            inside = [cell in cells for cell in corners]
            assert inside[::2].count(True) == inside[1::2].count(True) < 2, f"{house} differs"
        for gone in step.eliminations:
            for filling in self._fillings([*corners, *rest], [gone]):
                deadly = (
                    filling[corners[0]] == filling[corners[2]]
                    and filling[corners[1]] == filling[corners[3]]
                    and all({filling[c] for c in corners} <= self.marks[c] for c in corners)
                )
                assert deadly or not self._lines_allow(filling, corners, gone), "not deadly"

    def _corners(self, step: Step) -> tuple[list[Cell], list[Cell]]:
        """The rectangle, clockwise, and the other cells (type 3)."""
        base = {(m.row, m.column) for m in step.pattern.marks}
        for cells in (sorted(base | set(step.cells)), sorted(step.cells)):
            for four in combinations(cells, 4):
                rows, columns = sorted({r for r, _ in four}), sorted({c for _, c in four})
                if len(rows) == len(columns) == 2:
                    (a, b), (c, d) = rows, columns
                    corners = [(a, c), (a, d), (b, d), (b, c)]
                    if self._is_named(step, corners):
                        return corners, [cell for cell in step.cells if cell not in corners]
        raise AssertionError("no rectangle")

    def _is_named(self, step: Step, corners: list[Cell]) -> bool:
        """Whether the sentence is about these four cells."""
        names = [f"r{row}c{column}" for row, column in sorted(corners)]
        return step.sentence.startswith(f"{', '.join(names[:3])} and {names[3]}")

    def _lines_allow(self, filling: dict[Cell, int], corners: list[Cell], gone: Candidate) -> bool:
        """Whether the houses of the corners can still have the digits of the rectangle."""
        digits = set.intersection(
            *(self.candidates.get(c, {self.values[c]}) for c in corners[:1] + corners[2:3])
        ) | set.intersection(
            *(self.candidates.get(c, {self.values[c]}) for c in corners[1:2] + corners[3:])
        )
        filled = {**filling, gone[:2]: gone[2]}
        for house, cells in self.houses.items():
            if not set(corners) & set(cells):
                continue
            for digit in digits:
                places = self.places(house, digit)
                if places and not any(
                    filled.get(cell, digit) == digit
                    and not any(filled[f] == digit and self.sees(f, cell) for f in filled)
                    for cell in places
                ):
                    return False
        return True

    def _bug(self, step: Step) -> None:
        (cell,) = step.cells
        assert {(r, c) for r, c, _ in step.eliminations} == {cell}, "another cell"
        left_over = self.candidates[cell] - {d for _, _, d in step.eliminations}
        assert len(left_over) == 1
        (digit,) = left_over
        left = {c: set(ds) - ({digit} if c == cell else set()) for c, ds in self.candidates.items()}
        assert all(len(digits) == 2 for digits in left.values())
        for cells in self.houses.values():
            count = Counter(d for c in cells for d in left.get(c, ()))
            assert set(count.values()) <= {2}

    def _nested(self, step: Step) -> None:
        """Deny the candidates that the step says cannot be, each for a contradiction of its own."""
        for gone in step.eliminations:
            left = self._assume(self.candidates, gone)
            for mark in step.pattern.marks:
                if left is None or mark.role != "off":
                    continue
                row, column, digit = mark.row, mark.column, mark.digit
                assert self._assume(left, (row, column, digit)) is None, "it can be"
                left[row, column].discard(digit)
                left = self._settle(left)
            assert left is None, "no contradiction"

    def _assume(self, left: Left, assumed: Candidate) -> Left | None:
        """What singles, one after another, leave if that is true; None for a contradiction."""
        row, column, digit = assumed
        if digit not in left[row, column]:
            return None
        return self._settle({**left, (row, column): {digit}})

    def _settle(self, candidates: Left) -> Left | None:
        left = {cell: set(digits) for cell, digits in candidates.items()}
        queue = [cell for cell, digits in left.items() if len(digits) == 1]
        done: set[Cell] = set()
        while True:
            while queue:
                cell = queue.pop()
                if cell in done:
                    continue
                done.add(cell)
                if not left[cell]:
                    return None
                (value,) = left[cell]
                broken = self.clashes.get((*cell, value), ())
                if any(self.values[row, column] == digit for row, column, digit in broken):
                    return None
                for changed in self._drop_clashes(left, cell, value, self.clashes):
                    if not left[changed]:
                        return None
                    if len(left[changed]) == 1:
                        queue.append(changed)
                for peer in self.peers[cell]:
                    if peer in left and value in left[peer]:
                        left[peer].discard(value)
                        if not left[peer]:
                            return None
                        if len(left[peer]) == 1:
                            queue.append(peer)
            if not all(left.values()):
                return None
            for cells in self.houses.values():
                for d in range(1, self.side + 1):
                    if any(self.values[c] == d for c in cells):
                        continue
                    places = [c for c in cells if d in left.get(c, ())]
                    if not places:
                        return None
                    if len(places) == 1 and places[0] not in done:
                        left[places[0]] = {d}
                        queue.append(places[0])
            if not queue:
                return left

    def _trial(self, step: Step) -> None:
        ((row, column, digit),) = step.placements
        from sudoku import count

        values = [self.values[place] for place in self.layout.positions]
        at = self.layout.positions.index((row, column))
        for other in self.candidates[row, column] - {digit}:
            tried = Grid.from_cells((*values[:at], other, *values[at + 1 :]), self.layout)
            assert count(tried, limit=1) == 0
