"""Unit propagation of pseudo-Boolean inequalities, for checkers of proofs.

Inequalities that any of their literals satisfies, clauses, have two watched literals: as long as
neither is false, nothing follows from the clause. All others count. Assumptions that a question
shares with the one before are not propagated again, so the steps of a search that goes back one
choice at a time take little time.

Source: S. Gocht, "Certifying correctness for combinatorial algorithms by using pseudo-Boolean
reasoning" (2022), chapter 9; D. Knuth, TAOCP 4B, 7.2.2.2.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from math import inf
from typing import NamedTuple

__all__ = ["Clause", "Inequality", "Propagation", "Sum", "Terms", "saturated"]

Terms = dict[int, int]
"""Factors from 1 up, by literal: the number of a variable, or minus that."""


class Inequality(NamedTuple):
    """A sum of literals with factors that is at least `degree`."""

    terms: Terms
    degree: int

    def contradicts(self) -> bool:
        """Whether no assignment satisfies it."""
        return sum(self.terms.values()) < self.degree


def saturated(one: Inequality) -> Inequality:
    """The inequality with no factor above the degree."""
    if one.degree <= 0:
        return Inequality({}, one.degree)
    return Inequality({x: min(factor, one.degree) for x, factor in one.terms.items()}, one.degree)


Clause = list[int]
"""Literals, any of which satisfies an inequality; the first two are watched."""


class Sum:
    """An inequality whose factors are added up: `slack` is the sum of the factors of all literals
    that are not false, minus the degree. Below 0 it is violated, and it forces each free literal
    whose factor is above it.
    """

    __slots__ = ("biggest", "pairs", "slack")

    def __init__(self, one: Inequality) -> None:
        self.pairs = sorted(((a, x) for x, a in one.terms.items()), reverse=True)
        self.biggest: float = self.pairs[0][0]  # -inf once the inequality is deleted
        self.slack = sum(one.terms.values()) - one.degree


class Propagation:
    """Unit propagation over a stack of assumptions.

    A literal is an index of the lists, too: Python counts negative ones from the end. After each
    call, all that follows from the assumptions is on the trail.
    """

    def __init__(self, variables: int) -> None:
        self.value = [0] * (2 * variables + 1)  # place on the trail from 1, negative if false
        self.watches: list[list[Clause]] = [[] for _ in self.value]  # clauses to see if it is false
        self.sums: list[list[tuple[Sum, int]]] = [[] for _ in self.value]  # the same, and factors
        self.trail: list[int] = []  # the literals that are true, in order
        self.seen = 0  # how many of them have been propagated
        self.assumed: list[int] = []
        self.levels: list[int] = []  # the length of the trail before each assumption
        self.contradiction = False
        self._live = self._deleted = 0  # entries of `sums`

    def follows(self, one: Inequality) -> bool:
        """Whether propagation refutes the negation of the inequality."""
        if self.contradiction or one.degree <= 0:
            return True
        if all(factor >= one.degree for factor in one.terms.values()):
            return not self.assume([-literal for literal in one.terms])
        negation = Inequality(
            {-literal: factor for literal, factor in one.terms.items()},
            sum(one.terms.values()) - one.degree + 1,
        )
        self.back_to(0)
        if negation.degree <= 0:
            return False
        self.levels.append(len(self.trail))
        self.assumed.append(0)  # not a literal: a level that no other step shares
        added = self._add_sum(negation)
        refuted = not (self._force(added) and self._propagate())
        self.back_to(0)
        for literal in negation.terms:
            self.sums[literal].pop()
        self._live -= len(negation.terms)
        return refuted

    def assume(self, literals: Sequence[int]) -> bool:
        """Makes these the assumptions; returns False for a contradiction."""
        same = 0
        for literal, assumed in zip(literals, self.assumed, strict=False):
            if assumed != literal:
                break
            same += 1
        self.back_to(same)
        for literal in literals[same:]:
            if self.value[literal] < 0:
                return False
            self.levels.append(len(self.trail))
            self.assumed.append(literal)
            if not self.value[literal]:
                self._set(literal)
                if not self._propagate():
                    self.back_to(len(self.levels) - 1)
                    return False
        return not self.contradiction

    def back_to(self, level: int) -> None:
        """Takes back all assumptions but the first ones."""
        if level >= len(self.levels):
            return
        length = self.levels[level]
        for literal in self.trail[length : self.seen]:
            for one, factor in self.sums[-literal]:
                one.slack += factor
        for literal in self.trail[length:]:
            self.value[literal] = self.value[-literal] = 0
        del self.trail[length:], self.levels[level:], self.assumed[level:]
        self.seen = length

    def add(self, one: Inequality) -> Clause | Sum | None:
        """Adds an inequality, as if it had been there before the assumptions.

        Those from which on it forces a literal are taken back. Returns what `delete` takes.
        """
        terms, degree = saturated(one)
        slack, biggest = sum(terms.values()) - degree, max(terms.values(), default=0)
        if degree <= 0 or slack < 0 or self.contradiction:
            self.contradiction |= slack < 0 < degree
            return None
        place = 0 if slack < biggest else None  # on the trail, where it begins to force a literal
        if place is None:
            value = self.value
            for false, factor in sorted((-value[x], a) for x, a in terms.items() if value[x] < 0):
                slack -= factor
                if slack < biggest:
                    place = false
                    break
        if place is not None:
            self.back_to(bisect_left(self.levels, place))
        if min(terms.values()) == degree:
            return self._add_clause(list(terms), place is not None)
        added = self._add_sum(Inequality(terms, degree))
        if place is not None and not (self._force(added) and self._propagate()):
            self._conflict()
        return added

    def delete(self, added: Clause | Sum | None) -> None:
        """Takes an inequality out; what it has forced remains."""
        if isinstance(added, Sum):
            added.biggest = -inf
            self._deleted += len(added.pairs)
            if 2 * self._deleted > self._live:
                for entries in self.sums:
                    entries[:] = [entry for entry in entries if entry[0].biggest > 0]
                self._live -= self._deleted
                self._deleted = 0
        elif added is not None:
            added.clear()  # the lists of watches drop it

    def _add_clause(self, clause: Clause, forces: bool) -> Clause:
        value = self.value
        if forces and all(value[literal] < 0 for literal in clause):
            self._conflict()
            forces = False
        # Watched are the literals that backtracking makes free first.
        clause.sort(key=lambda literal: (value[literal] < 0, value[literal]))
        if len(clause) > 1:
            self.watches[clause[0]].append(clause)
            self.watches[clause[1]].append(clause)
        if forces and not value[clause[0]]:
            self._set(clause[0])
            if not self._propagate():
                self._conflict()
        return clause

    def _add_sum(self, one: Inequality) -> Sum:
        added = Sum(one)
        for literal, factor in one.terms.items():
            self.sums[literal].append((added, factor))
            if self.value[literal] < 0:
                added.slack -= factor
        self._live += len(one.terms)
        return added

    def _conflict(self) -> None:
        """The assumptions, or if there are none the inequalities, contradict each other."""
        if self.levels:
            self.back_to(len(self.levels) - 1)
        else:
            self.contradiction = True

    def _set(self, literal: int) -> None:
        self.trail.append(literal)
        self.value[literal] = len(self.trail)
        self.value[-literal] = -len(self.trail)

    def _force(self, one: Sum) -> bool:
        """Sets the literals that an inequality forces; returns whether it can be satisfied."""
        slack, value, trail = one.slack, self.value, self.trail
        if slack < 0:
            return False
        place = len(trail)
        for factor, literal in one.pairs:
            if factor <= slack:
                break
            if not value[literal]:  # as `_set`, which would take half of the time
                place += 1
                trail.append(literal)
                value[literal] = place
                value[-literal] = -place
        return True

    def _propagate(self) -> bool:
        """Sees to the new literals on the trail; returns False for a contradiction."""
        value, watches, sums, trail = self.value, self.watches, self.sums, self.trail
        while self.seen < len(trail):
            false = -trail[self.seen]
            self.seen += 1
            holds = True
            for one, factor in sums[false]:
                one.slack -= factor
                if one.slack < one.biggest and not self._force(one):
                    holds = False  # but all slacks must be right for `back_to`
            if not holds:
                return False
            watching = watches[false]
            if not watching:
                continue
            watches[false] = kept = []
            for place, clause in enumerate(watching):
                if not clause:
                    continue
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], false
                first = clause[0]
                if value[first] > 0:
                    kept.append(clause)
                    continue
                for index in range(2, len(clause)):
                    literal = clause[index]
                    if value[literal] >= 0:
                        clause[1], clause[index] = literal, false
                        watches[literal].append(clause)
                        break
                else:
                    kept.append(clause)
                    if value[first] < 0:
                        kept += watching[place + 1 :]
                        return False
                    trail.append(first)  # as `_set`
                    value[first] = len(trail)
                    value[-first] = -len(trail)
        return True
