"""Proofs that no solution is cheaper: see `dlx.Problem.minimum`.

The formula is the problem in OPB (`dlx.formats.opb`), the proof one that VeriPB reads, version 3.0.
It begins with the cheapest solution, `soli`, after which a checker knows the inequality that all
others are to be refuted by: the cost is at most one unit less. A branch and bound then leaves a
line for each thing that it finds::

    pol 8 4 * 3 1048576 * + ... ;   prices: that inequality and those of items, times these numbers,
                                    give reduced costs, and an amount that they may have together
    rup 1 ~x5 1 ~x9 >= 1 ;          options 5 and 9 are in no cheaper solution: propagation shows it
    del id 17 12 ;                  lines that no other one needs

Prices need no trust: whatever they are, the sum is true. They come from linear programs, in
floating point, and are rounded. An option whose reduced cost is more than the amount is out: that
is unit propagation, too, so nothing has to be written for it. If prices prove that a part of the
tree has no solution at all, the inequality of the cost is not in the sum.

Source: B. Bogaerts, S. Gocht, C. McCreesh and J. Nordstrom, "Certified dominance and symmetry
breaking for combinatorial optimisation", JAIR 77 (2023), has the proof system; the bounds are those
of the linear programs of `dlx.analysis.relaxation`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import gcd, inf
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self

from dlx.core.arguments import UNLIMITED
from dlx.core.kernel import COMPILED, check_cancelled
from dlx.core.numbering import NumberedProblem
from dlx.errors import DLXError, SearchInterrupted
from dlx.formats.opb import objective
from dlx.formats.relations import color_users
from dlx.proofs.files import ProofFile, check_replaceable
from dlx.proofs.formula import literals, write_formula
from dlx.proofs.propagation import CHOSEN, LIVE, REMOVED, Budget, Propagation
from dlx.proofs.search import HEADS, added

if TYPE_CHECKING:
    from array import array
    from types import TracebackType

    from dlx.core.kernel import ProofWriter
    from dlx.core.table import Table

__all__ = ["MinimumProof", "Program", "Proved"]

NARROWER = 0.7  # of the options are left: the linear program is made anew
TEXT = 2**22  # bytes at most that the kernel writes below a node
LEAST = 0.0002  # seconds at least for the kernel's search below a node; in parts of the time of a
MOST = 4.0  # linear program, at most this, and
LESS, MORE = 0.8, 1.3  # times as much after each failure and success
NEARLY = 1e-6
CHECKS = 64  # nodes between two looks at the time


class Program(Protocol):
    """A linear program: see `dlx.analysis.relaxation.TableProgram`."""

    def fix(self, given: Iterable[int], forbidden: Iterable[int]) -> None:
        """Makes these options 1 and 0, and all others free."""

    def solve(self, until: float) -> bool:
        """Whether there is a solution. Raises `SearchInterrupted` at this time (monotonic)."""

    def values(self) -> array[float]:
        """The value of each option."""

    def integer_prices(self) -> tuple[list[int], int]:
        """The prices of all rows, and by how many binary digits their unit is that of the costs."""

    def reduced(self, prices: list[int], coarser: int) -> list[int]:
        """The reduced costs of the options, then of the colors, in units of such prices."""


OpenProgram = Callable[["Table", Sequence[int]], Program]
"""Makes the linear program of a table with these costs; with none, one that is always solvable."""


class Proved(NamedTuple):
    """What a proof says: the options and the cost of the best solution, and a bound.

    `cost` is None if no solution is known, `bound` if there is none.
    """

    options: list[int] | None
    cost: int | None
    bound: int | None
    nodes: int

    @property
    def complete(self) -> bool:
        """Whether no question is left open."""
        return self.cost == self.bound


class MinimumProof:
    """A proof of the least cost of a problem, in a file that is open until `prove` ends.

    Costs are integers, to be minimized. Options beyond the last cost nothing.
    """

    def __init__(self, path: str, table: Table, costs: Sequence[int], given: Sequence[int]) -> None:
        self._table, self.given = table, given
        self.costs = [*costs[: len(table)], *[0] * (len(table) - len(costs))]
        self.unit = gcd(*self.costs) or 1  # totals are multiples of it
        check_replaceable(path)
        formula = write_formula(path, table, given, objective(self.costs))
        self.relations, self.last = formula.relations, formula.constraints
        # Of each row of a linear program: "at least" and "at most".
        rows = [formula.rows.get(item, (0, 0)) for item in range(len(table.items))]
        number = 0
        for users in color_users(self.relations).values():  # an option less its color is at most 0
            rows += [(0, number + place) for place in range(1, len(users) + 1)]
            number += len(users) + 1
        self.rows = rows
        self._file = ProofFile(path, f"{HEADS['pbp']}f {self.last} ;\n")
        self.best: list[int] | None = None
        self.cost: int | None = None
        self.first: _First | None = None
        self.nodes = 0

    def __enter__(self) -> Self:
        self._file.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.__exit__(kind, error, trace)

    # -- lines -----------------------------------------------------------------------------------

    def add(self, line: str) -> int:
        """Writes a line that makes an inequality; returns its number."""
        self._file.write(line.encode())
        self.last += 1
        return self.last

    def write(self, text: bytes, last: int) -> None:
        """Writes lines after which the last inequality has this number."""
        self._file.write(text)
        self.last = last

    def delete(self, numbers: Sequence[int]) -> None:
        """Writes that no further line needs these inequalities."""
        if numbers:
            self._file.write(f"del id {' '.join(map(str, numbers))} ;\n".encode())

    def multiples(self, prices: Sequence[int]) -> Iterator[str]:
        """The inequalities of rows, times their prices: terms for `pol`."""
        for row, price in enumerate(prices):
            if price:
                yield f"{self.rows[row][price < 0]} {abs(price)} *"

    # -- the search ------------------------------------------------------------------------------

    def prove(
        self,
        best: Sequence[int] | None,
        open_program: OpenProgram,
        until: float = inf,
    ) -> Proved:
        """Writes the proof, which begins with a solution that is the best or not.

        At the time `until` (monotonic) it ends with the bounds that are proved so far.
        """
        search = _Search(self, self._table, self.costs, open_program, until)
        if best is not None:
            search.improve(sorted(best))
        return self._conclude(search.run())

    def _conclude(self, refuted: int | None) -> Proved:
        """Writes the last lines; `refuted` is the number of the contradiction, if there is one."""
        best, cost = self.best, self.cost
        upper = "INF" if best is None else f"{cost} : {literals(self.relations, best)}"
        if refuted is not None:
            bound = cost
            lower = f"{'INF' if best is None else cost} : {refuted}"
        else:
            bound, number = self._lower_bound()
            lower = f"{bound} : {number}"
        self._file.close(
            f"output NONE ;\nconclusion BOUNDS {lower} {upper} ;\nend pseudo-Boolean proof ;\n"
        )
        return Proved(best, cost, bound, self.nodes)

    def _lower_bound(self) -> tuple[int, int]:
        """The bound of the first prices, and the number of the inequality that says so."""
        low = sum(one for one in self.costs if one < 0)
        terms = " ".join(f"{cost} x{one}" for one, cost in enumerate(self.costs, 1) if cost)
        if self.first is None:
            return low, self.add(f"rup {terms} >= {low} ;\n")
        prices, reduced, constant, scale, states = self.first
        words = list(self.multiples(prices))
        for one, cost in enumerate(reduced):
            state = states[one] if one < len(states) else LIVE
            literal = f"{'' if cost > 0 else '~'}x{one + 1}"
            if state == (CHOSEN if cost > 0 else REMOVED):
                literal = str(self.add(f"rup 1 {literal} >= 1 ;\n"))
            constant += cost if state == CHOSEN or (cost < 0 and not state) else 0
            if cost:
                words.append(f"{literal} {abs(cost)} *")
        per = scale * self.unit
        bound = -(-constant // per) * self.unit
        if not words or bound <= low:
            return low, self.add(f"rup {terms} >= {low} ;\n")
        return bound, self.add(f"pol {added(words)} {per} d {self.unit} * ;\n")


class _First(NamedTuple):
    """The first prices of a search."""

    prices: list[int]
    reduced: list[int]
    constant: int  # what they prove to be the least cost, if no reduced cost is below 0
    scale: int
    states: bytes


class _Frame:
    """A node of the tree: a decision, and what was written below it."""

    def __init__(self, option: int, mark: tuple[int, list[int]]) -> None:
        self.option = option  # chosen; -1: none
        self.mark = mark
        self.written: list[int] = []  # the numbers of inequalities that end with this node
        self.values: array[float] | None = None  # of the linear program, if it is that of this node


class _Search:
    """The branch and bound.

    Options are numbered as in the table of the search, which is the whole one, or what the first
    prices have left of it.
    """

    def __init__(
        self,
        proof: MinimumProof,
        table: Table,
        costs: Sequence[int],
        open_program: OpenProgram,
        until: float,
    ) -> None:
        self._proof, self._open_program, self._until = proof, open_program, until
        self._variables = list(range(1, len(table) + 1))  # of the options
        self._cheapest: Budget | None = None  # of the best solution
        self._has_programs = True
        self._programs, self._seconds = 0, 0.0  # how many were solved, and how long that took
        self._share = 1.0  # of the time of one, for the kernel's search below a node
        self._load(table, costs)

    def _load(self, table: Table, costs: Sequence[int]) -> None:
        self._table, self._costs = table, costs
        self._state = Propagation(table)
        self._program: Program | None = None
        self._refuter: Program | None = None
        self._writer: ProofWriter | None = None

    # -- solutions -------------------------------------------------------------------------------

    def improve(self, options: Sequence[int]) -> None:
        """Writes a solution, by the indices of the whole table, that is better than all before."""
        proof = self._proof
        proof.best, proof.cost = list(options), sum(map(proof.costs.__getitem__, options))
        number = proof.add(f"soli {literals(proof.relations, options)} ;\n")
        if proof.unit > 1:
            number = proof.add(f"pol {number} {proof.unit} d ;\n")
        self._cheapest = Budget(number)

    def _most(self) -> int:
        """The greatest cost of a better solution, in units."""
        assert self._proof.cost is not None
        return self._proof.cost // self._proof.unit - 1

    def _hold(self) -> None:
        """Sees to it that the best solution is known to the propagation."""
        budget = self._cheapest
        if budget is not None and budget not in self._state.budgets:
            budget.costs = [one // self._proof.unit for one in self._costs]
            budget.amount = self._most()
            self._state.add(budget)

    # -- nodes -----------------------------------------------------------------------------------

    def run(self) -> int | None:
        """The number of the contradiction; None if the time is over."""
        state, proof = self._state, self._proof
        self._hold()
        frames = [_Frame(-1, state.mark)]
        consistent = state.start() and state.set(proof.given, CHOSEN)
        while True:
            frame, number = frames[-1], None
            if consistent:
                if proof.nodes % CHECKS == 0:
                    check_cancelled()
                    if time.monotonic() >= self._until:
                        return None
                best = proof.cost
                number = self._finish(frames)
                if proof.cost != best:
                    consistent = state.propagate()
                    continue
            if consistent and number is None:
                try:
                    consistent = self._bound(frame)
                except SearchInterrupted:
                    return None
            if consistent and number is None:
                if len(frames) == 1:
                    self._narrow()
                    state = self._state
                option = self._branch(frame)
                if option is None:
                    consistent = state.propagate()
                    continue
                proof.nodes += 1
                frames.append(_Frame(option, state.mark))
                consistent = state.set([option], CHOSEN)
                continue
            number = number or proof.add(f"rup{self._decisions(frames)} >= 1 ;\n")
            proof.delete(frame.written)
            frames.pop()
            if not frames:
                return number
            state.undo(frame.mark)
            self._hold()
            frames[-1].written.append(number)
            frames[-1].values = None
            consistent = state.set([frame.option], REMOVED)

    def _decisions(self, frames: Sequence[_Frame]) -> str:
        """The terms of a clause: not all of the options chosen down to a node."""
        return "".join(f" 1 ~x{self._variables[one.option]}" for one in frames[1:])

    def _finish(self, frames: Sequence[_Frame]) -> int | None:
        """Gives the branch of a node to the kernel's search, for as long as a linear program takes.

        The number of the clause that closes the branch, if it is exhausted.
        """
        state, proof = self._state, self._proof
        first = self._has_programs and self._programs == 0  # see `_narrow`
        # To a solution with multiplicities, options of negative cost might be added.
        added_to = self._table.has_multiplicities and min(self._costs, default=0) < 0
        if first or added_to or not COMPILED:
            return None
        if self._writer is None:
            problem = NumberedProblem.of(self._table, None).problem
            self._writer = problem.proof([], False, False, False, 0, b"", b"")
        budgets = [one for one in state.budgets if one is not self._cheapest] or state.budgets
        budget = budgets[-1] if budgets else Budget(0, [0] * len(self._table))
        shift = max(0, (sum(map(abs, budget.costs)) + abs(budget.left)).bit_length() - 62)
        self._writer.begin_below(
            [one for one, own in enumerate(state.state) if own == CHOSEN],
            [one for one, own in enumerate(state.state) if own == REMOVED],
            self._decisions(frames),
            proof.last,
            [cost >> shift for cost in budget.costs] if shift else budget.costs,
            budget.left >> shift,
            self._variables,
        )
        until = time.monotonic() + max(LEAST, self._share * self._seconds / max(1, self._programs))
        parts: list[bytes] = []
        while not self._writer.exhausted:
            text, found = self._writer.run(UNLIMITED, TEXT, max(0.0, until - time.monotonic()))
            parts.append(text)
            if found is not None:
                options = [self._variables[one] - 1 for one in found]
                cost = sum(map(proof.costs.__getitem__, options))
                if proof.cost is None or cost < proof.cost:
                    self.improve(options)
                    self._hold()
                    return None
            elif time.monotonic() >= until or sum(map(len, parts)) > TEXT:
                self._share *= LESS
                return None
        self._share = min(self._share * MORE, MOST)
        proof.write(b"".join(parts), self._writer.work[2])
        proof.nodes += self._writer.work[0]
        return proof.last

    def _narrow(self) -> None:
        """Leaves out the options that are removed for good, if they are many.

        Not if options have colors: the linear program then had other rows.
        """
        before = self._state
        removed = [one for one, own in enumerate(before.state) if own == REMOVED]
        count = len(self._table)
        if self._table.entry_color or count - len(removed) > NARROWER * count:
            return
        kept = [one for one, own in enumerate(before.state) if own != REMOVED]
        self._shorten(removed)
        self._variables = [self._variables[one] for one in kept]
        chosen = [place for place, one in enumerate(kept) if before.state[one] == CHOSEN]
        self._load(self._table.without(removed), [self._costs[one] for one in kept])
        self._state.start()
        for budget in before.budgets:
            budget.costs = [budget.costs[one] for one in kept]
            self._state.add(budget)
        self._state.set(chosen, CHOSEN)

    def _shorten(self, removed: Sequence[int]) -> None:
        """Writes rows without the options removed, where that is one step, for sums to be short."""
        proof, table = self._proof, self._table
        words: dict[int, list[str]] = {}  # by row, options to be weakened away
        for option in removed:
            for item, _, _ in table.row(option):
                words.setdefault(item, []).append(f"x{self._variables[option]} w")
        for item, taken in words.items():
            least, most = proof.rows[item]
            if most:
                most = proof.add(f"pol {most} {' '.join(taken)} ;\n")
            if least and table.bounds_of(item)[0] == 1 and not table.entry_weight:
                users = [one for one, _, _ in self._state.users[item]]
                left = [one for one in users if self._state.state[one] != REMOVED]
                terms = "".join(f"1 x{self._variables[one]} " for one in left)
                least = proof.add(f"rup {terms}>= 1 ;\n")
            proof.rows[item] = least, most
        paid = [one for one in removed if self._costs[one]]
        if self._cheapest is not None and all(self._costs[one] > 0 for one in paid):
            away = "".join(f"x{self._variables[one]} w " for one in paid)
            self._cheapest.number = proof.add(f"pol {self._cheapest.number} {away};\n")

    def _branch(self, frame: _Frame) -> int | None:
        """An option to choose; None if a solution is found and nothing is left to be chosen."""
        state = self._state
        item = self._item(frame)
        if item is not None:
            users = state.users[item]
            live = [one for one, color, _ in users if not color and not state.state[one]]
            return max(live, key=self._preference(frame))
        chosen = [one for one, own in enumerate(state.state) if own == CHOSEN]
        cost = sum(map(self._costs.__getitem__, chosen))
        if self._proof.cost is None or cost < self._proof.cost:
            self.improve([self._variables[one] - 1 for one in chosen])
            self._hold()
            return None
        live = [one for one, own in enumerate(state.state) if own == LIVE]
        return min(live, key=self._costs.__getitem__)

    def _item(self, frame: _Frame) -> int | None:
        """The item to branch on: one that must be covered, and by few options, in parts."""
        state, values = self._state, frame.values
        best, least = None, (inf, inf)
        for item, need in enumerate(state.need):
            if need > 0:
                parts = 0  # options that the linear program takes in part
                if values is not None:
                    live = (values[one] for one, _, _ in state.users[item] if not state.state[one])
                    parts = sum(NEARLY < value < 1 - NEARLY for value in live)
                measure = (parts or inf, state.spare[item])
                if best is None or measure < least:
                    best, least = item, measure
        return best

    def _preference(self, frame: _Frame) -> Callable[[int], float]:
        if frame.values is not None:
            return frame.values.__getitem__
        costs = self._state.budgets[-1].costs if self._state.budgets else self._costs
        return lambda option: -costs[option]

    # -- bounds ----------------------------------------------------------------------------------

    def _bound(self, frame: _Frame) -> bool:
        """Prices from a linear program. Returns whether the consequences are consistent."""
        if not self._has_programs:
            return True
        began = time.monotonic()
        chosen = [one for one, own in enumerate(self._state.state) if own == CHOSEN]
        removed = [one for one, own in enumerate(self._state.state) if own == REMOVED]
        self._programs += 1
        try:
            if self._program is None:
                self._program = self._open_program(self._table, self._costs)
            program, of_cost = self._program, True
            program.fix(chosen, removed)
            if program.solve(self._until):
                frame.values = program.values()
            else:
                if self._refuter is None:
                    self._refuter = self._open_program(self._table, ())
                program, of_cost = self._refuter, False
                program.fix(chosen, removed)
                program.solve(self._until)
        except SearchInterrupted:
            raise
        except DLXError:  # the solver fails, or there is none
            self._has_programs = False
            return True
        consistent = self._use(frame, program, of_cost=of_cost)
        self._seconds += time.monotonic() - began
        return consistent

    def _use(self, frame: _Frame, program: Program, *, of_cost: bool) -> bool:
        """Writes the bound that the prices of a program prove, if it has consequences."""
        proof, state, table = self._proof, self._state, self._table
        prices, coarser = program.integer_prices()
        prices = [
            price if numbers[price < 0] else 0
            for price, numbers in zip(prices, proof.rows, strict=True)
        ]
        reduced = program.reduced(prices, coarser)
        constant = 0  # the least cost if all reduced costs are 0
        for row, price in enumerate(prices):
            if price and row < len(table.items):
                low, high = table.bounds_of(row)
                constant += price * ((low if price > 0 else high) or 0)
        scale = 1 << coarser
        if of_cost and proof.first is None:
            proof.first = _First(prices, reduced, constant, scale, bytes(state.state))
        terms = list(proof.multiples(prices))
        if not terms:
            return True
        amount = -constant
        if of_cost:
            if self._cheapest is None:
                return True
            scale *= proof.unit
            amount += self._most() * scale
            terms.append(f"{self._cheapest.number} {scale} *")
        colors = reduced[len(table) :]
        amount -= sum(one for one in colors if one < 0)
        budget = Budget(0, reduced[: len(table)], amount)
        state.add(budget)
        if budget.left >= max(map(abs, map(reduced.__getitem__, budget.order[:1])), default=0):
            state.budgets.pop()  # without consequences
            return True
        budget.number = proof.add(f"pol {added(terms)} ;\n")
        frame.written.append(budget.number)
        return state.propagate()
