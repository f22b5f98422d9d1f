"""Why there is no solution: the question `Problem.explain`, and its answer.

From a problem without solutions to a few items and givens that have none either.

The parts of a problem are its items and its givens. Some parts are *refuted* if there is no
solution when all others are dropped; more parts are then refuted, too. An irreducible set is one
that is refuted, while no set with one part less is.

The kernel's `Refuter` searches for a solution among some of the parts, and where it finds none, it
says which of them its proof has used (`refuting.hpp`): mostly a few. That alone brings a thousand
items down to a dozen or two. The rest is deletion: leave out a part; if the others are refuted, go
on with those that the proof has used; if they have a solution, the part is needed for good, for it
is needed in all smaller sets, too. While parts fall, more of them are left out at once; when that
fails, fewer.

Some refutations no search can find: that dominoes cover as many black cells as white ones, that
nine pigeons do not fit into eight holes, or that Langford pairs of 5 have a parity that does not
come out. Where weights of items show such a thing (`balance.hpp`, `prices.hpp`), that is asked
before a long search.

Different parts may make up an explanation each, and the first is not the smallest. So when an
irreducible set is found, each of its parts is left out from the whole in turn: what explains the
rest is another explanation, and may be smaller.

All limits are numbers of nodes first, so that an answer repeats unless a timeout cuts it short.

Sources: J. Marques-Silva, "Minimal unsatisfiability: models, algorithms and applications" (2010),
for deletion with refinement; M. Liffiton and A. Malik, "Enumerating infeasibility" (2013).

A part of a problem, searched by the engines: some items, the others taken out of all options.

For questions that are hard in another way than explanations: that there *is* a solution. There the
fastest engine is the best.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Container, Hashable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from dlx.core import kernel
from dlx.core.givens import clash_between, indices_of
from dlx.core.multiplicity import refuse_multiplicities
from dlx.errors import InvalidArgument, SearchInterrupted, quote
from dlx.search.options import SearchOptions
from dlx.search.search import Stats

if TYPE_CHECKING:
    from dlx.core.numbering import NumberedProblem
    from dlx.core.table import Table
    from dlx.search.search import Search

__all__ = ["Explanation", "explain", "is_possible"]


class Explanation(NamedTuple):
    """Items and given options that have no solution together; `str` is a sentence that says so.

    That they have none is certain, whatever `irreducible` says.
    """

    items: tuple[Hashable, ...]
    """The items, as declared, primary and secondary ones."""
    givens: tuple[Hashable, ...]
    """The names of the given options, as given."""
    irreducible: bool
    """Is it proved that all of them are needed: that without any one of them (and without what is
    not among them) there is a solution?"""
    stopped_by: str | None
    """What kept that from being proved: "timeout" or "node_limit"; None if it is proved."""

    def __str__(self) -> str:
        needed = " (all are needed)" if self.irreducible else " (perhaps not all are needed)"
        givens = f"the given option{'s'[: len(self.givens) != 1]} {_listed(self.givens)}"
        if not self.items and not self.givens:
            return "there is no solution, whatever is given"
        if not self.items:
            leave = "leaves" if len(self.givens) == 1 else "leave"
            return f"{givens} already {leave} no solution{needed[: 99 * (len(self.givens) > 1)]}"
        if len(self.items) == 1 and not self.givens:
            return f"no option contains item {quote(self.items[0])}"
        items = f"item{'s'[: len(self.items) != 1]} {_listed(self.items)}"
        both = f"{items} and {givens}" if self.givens else items
        return f"{both} cannot be satisfied together{needed}"


def _listed(names: Sequence[Hashable]) -> str:
    if not names:
        return ""
    *most, last = map(quote, names)
    return f"{', '.join(most)} and {last}" if most else last


FIRST = 20_480  # nodes of the last of the first searches
FASTER = 20  # so many times as many nodes for the engines
TEST = 1_000  # nodes of a search without a part, to begin with; four times as many each round
ENDLESS = 2**62
WEIGHTS = (0, 2**31 - 1, 2)  # the kinds: prices, and modulo these primes
OTHERS = 12  # so many other explanations are looked for,
SPARE = 20_000  # within so many nodes

Parts = frozenset[int]
"""Items by rank, then the places of givens, counted on."""


def explain(
    table: Table,
    prepared: NumberedProblem,
    solutions: Callable[..., Search],
    options: SearchOptions,
    *,
    givens_only: bool,
) -> Explanation | None:
    """What `Problem.explain` returns; `solutions` is that method of the problem."""
    refuse_multiplicities(table, "explain")
    timeout = options.timeout
    budget = _check_node_limit(options.node_limit)
    chosen = indices_of(table, options.given)
    seen: set[int] = set()
    for index in chosen:
        if index in seen:
            raise clash_between(table, prepared, index, index, 0)
        seen.add(index)
    items = len(table.items)
    effort = _Effort(timeout, budget)
    refuter = _Refuter(table, prepared, chosen, effort, givens_only)
    first = _try(refuter)
    if first.verdict == "stopped":
        first = _insist(refuter, solutions, [table.name_of(index) for index in chosen])
    if first.verdict == "solution":
        return None
    best = _irreducible(refuter, first.parts)
    if best.open:
        stopped_by = effort.stopped_by
    else:
        best, stopped_by = _smaller(refuter, best), None
    by_rank = sorted(range(items), key=prepared.rank.__getitem__)
    found = sorted(best.parts)
    return Explanation(
        items=tuple(
            table.items[number]
            for number in sorted(by_rank[part] for part in found if part < items)
        ),
        givens=tuple(table.name_of(chosen[part - items]) for part in found if part >= items),
        irreducible=not best.open,
        stopped_by=stopped_by,
    )


def _check_node_limit(limit: object) -> int:
    if limit is None:
        return ENDLESS
    if isinstance(limit, int) and not isinstance(limit, bool) and limit >= 1:
        return min(limit, ENDLESS)
    raise InvalidArgument(f"node_limit is {quote(limit)}; it must be None or an integer from 1 up")


class _Effort:
    """What all searches together may take, and what they have taken."""

    def __init__(self, timeout: float | None, budget: int) -> None:
        self.started = time.monotonic()
        self.timeout = timeout
        self.budget = budget
        self.nodes = 0

    def seconds_left(self) -> float:
        """Negative if there is no limit."""
        if self.timeout is None:
            return -1.0
        return max(0.0, self.started + self.timeout - time.monotonic())

    @property
    def stopped_by(self) -> str | None:
        """The limit that is reached, if one is."""
        if self.nodes >= self.budget:
            return "node_limit"
        return "timeout" if self.seconds_left() == 0 else None

    def interrupted(self) -> SearchInterrupted:
        """What to raise if it is reached too early."""
        seconds = time.monotonic() - self.started
        reason = self.stopped_by or "timeout"
        return SearchInterrupted(
            reason, count=0, stats=Stats(self.nodes, self.nodes, 0, (self.nodes,), seconds)
        )


class _Answer(NamedTuple):
    verdict: str  # "refuted", "solution" or "stopped"
    parts: Parts  # those that the refutation needs


class _Set(NamedTuple):
    """Parts that are refuted, and those of them that it is not known to need."""

    parts: Parts
    open: Parts


class _Refuter:
    """The kernel's `Refuter`, asked about sets of parts."""

    def __init__(
        self,
        table: Table,
        prepared: NumberedProblem,
        given: list[int],
        effort: _Effort,
        givens_only: bool,
    ) -> None:
        items = len(table.items)
        self.effort = effort
        self._table = table
        self._rank = prepared.rank
        self._refuter = prepared.problem.refuter()
        self._given = given
        self._items = items
        self._fixed = givens_only
        self.all: Parts = frozenset(range(items if givens_only else 0, items + len(given)))

    def refute(self, parts: Parts, nodes: int) -> _Answer:
        """Searches among these parts only."""
        effort = self.effort
        seconds = effort.seconds_left()
        nodes = min(nodes, effort.budget - effort.nodes)
        if seconds == 0 or nodes <= 0:
            return _Answer("stopped", parts)
        kept, places, given = self._flags(parts)
        verdict, needed, givens, spent = self._refuter.refute(kept, given, nodes, seconds)
        effort.nodes += spent
        if verdict != "refuted":
            return _Answer(verdict, parts)
        return self._refuted(needed, [places[place] for place in givens])

    def weigh(self, parts: Parts, kinds: Sequence[int] = WEIGHTS) -> _Answer | None:
        """A refutation of these parts by weights, if there is one of these kinds."""
        kept, places, given = self._flags(parts)
        for kind in kinds:
            seconds = self.effort.seconds_left()
            if seconds == 0:
                return None
            verdict, needed, givens, _ = self._refuter.weigh(kept, given, kind, seconds)
            if verdict == "refuted":
                return self._refuted(needed, [places[place] for place in givens])
        return None

    def search(self, parts: Parts, nodes: int) -> _Answer:
        """Whether there is a solution, by the fastest engine: it knows no reasons."""
        effort = self.effort
        seconds = effort.seconds_left()
        nodes = min(nodes, effort.budget - effort.nodes)
        if seconds == 0 or nodes <= 0:
            return _Answer("stopped", parts)
        flags, _, given = self._flags(parts)
        kept = {number for number, rank in enumerate(self._rank) if flags[rank]}
        possible, spent = is_possible(self._table, kept, given, nodes, seconds)
        effort.nodes += spent
        if possible is None:
            return _Answer("stopped", parts)
        return _Answer("solution" if possible else "refuted", parts)

    def kinds_for(self, parts: Parts) -> list[int]:
        """The kinds of weights that refute these parts: no others refute fewer of them."""
        kinds = [kind for kind in WEIGHTS if self.weigh(parts, [kind])]
        return [kind for kind in kinds if kind == 2 or kind == kinds[0]]

    def _flags(self, parts: Parts) -> tuple[bytearray, list[int], list[int]]:
        """A flag for each item, and the givens by place and by index."""
        items = self._items
        kept = bytearray([1]) * items if self._fixed else bytearray(items)
        places = []
        for part in parts:
            if part < items:
                kept[part] = 1
            else:
                places.append(part - items)
        places.sort()
        return kept, places, [self._given[place] for place in places]

    def _refuted(self, items: list[int], places: list[int]) -> _Answer:
        found = () if self._fixed else items
        return _Answer("refuted", frozenset([*found, *(self._items + place for place in places)]))


def _try(refuter: _Refuter) -> _Answer:
    """Is there a solution? For problems that are easy.

    Each search starts anew, but knows from those before which items make trouble: otherwise, one
    that went wrong in the beginning would stay there.
    """
    nodes = FIRST // 256
    while True:
        answer = refuter.refute(refuter.all, nodes)
        if answer.verdict == "stopped" and nodes == FIRST // 32:
            answer = refuter.weigh(refuter.all) or answer
        if answer.verdict != "stopped" or nodes >= FIRST or refuter.effort.stopped_by:
            return answer
        nodes *= 2


def _insist(refuter: _Refuter, solutions: Callable[..., Search], given: list[Hashable]) -> _Answer:
    """Is there a solution? For problems that are not easy.

    The fastest engine decides first, unless there is a node limit; it knows no reasons. Then it
    is worth while to search as long as it takes for these.
    """
    if refuter.effort.stopped_by:
        raise refuter.effort.interrupted()
    effort = refuter.effort
    refuted = False
    if effort.budget == ENDLESS:
        seconds = effort.seconds_left()
        with solutions(given=given, timeout=None if seconds < 0 else seconds) as search:
            for _ in search:
                return _Answer("solution", frozenset())
            effort.nodes += search.stats.nodes
            refuted = search.exhausted
            if not refuted:
                raise effort.interrupted()
    nodes = FIRST
    while not effort.stopped_by:
        nodes *= 4
        answer = refuter.refute(refuter.all, nodes)
        if answer.verdict != "stopped":
            return answer
    if not refuted:
        raise effort.interrupted()
    return _Answer("refuted", refuter.all)


def _irreducible(refuter: _Refuter, parts: Parts) -> _Set:
    """An irreducible set among parts that are refuted, as far as the limits let it be found."""
    needed: Parts = frozenset()
    parts = _used_again(refuter, parts)
    nodes = TEST
    while needed != parts and not refuter.effort.stopped_by:
        parts, needed = _delete(refuter, parts, needed, nodes)
        nodes *= 4
    return _Set(parts, parts - needed)


def _used_again(refuter: _Refuter, parts: Parts) -> Parts:
    """The parts that a second proof needs, a third, and so on, while they become fewer."""
    while True:
        answer = refuter.refute(parts, FIRST)
        if answer.verdict != "refuted" or len(answer.parts) == len(parts):
            return parts
        parts = answer.parts


def _delete(refuter: _Refuter, parts: Parts, needed: Parts, nodes: int) -> tuple[Parts, Parts]:
    """Leaves parts out as long as the rest is refuted in so many nodes.

    Returns the parts that are left, and those of them that are known to be needed.
    """
    undecided: set[int] = set()
    size = 1
    kinds: list[int] | None = None  # of weights, once a search does not tell
    while pending := sorted(parts - needed - undecided, reverse=True):
        left_out = pending[:size]
        rest = parts.difference(left_out)
        answer = refuter.refute(rest, nodes)
        if answer.verdict == "stopped":
            kinds = refuter.kinds_for(parts) if kinds is None else kinds
            answer = refuter.weigh(rest, kinds) or refuter.search(rest, FASTER * nodes)
        if answer.verdict == "refuted":
            parts = answer.parts
            size *= 2
        elif len(left_out) > 1:
            size = max(1, len(left_out) // 4)
        elif answer.verdict == "solution":
            needed |= {*left_out}
        else:
            undecided.update(left_out)
    return parts, needed


def _smaller(refuter: _Refuter, best: _Set) -> _Set:
    """The smallest irreducible set that a little more searching finds."""
    effort = refuter.effort
    until = effort.nodes + SPARE
    avoided: set[int] = set()
    for _ in range(OTHERS):
        rest = sorted(best.parts - avoided)
        if not rest or len(best.parts) <= 2 or effort.nodes >= until:
            break
        avoided.add(rest[0])
        answer = refuter.refute(refuter.all - {rest[0]}, TEST)
        if answer.verdict == "refuted":
            other = _irreducible(refuter, answer.parts)
            if not other.open and len(other.parts) < len(best.parts):
                best = other
    return best


MOST_ENTRIES = 200_000  # more take too long to be read again and again
SLICE = 0.01  # seconds between looks at the nodes


def is_possible(
    table: Table, kept: Container[int], given: Sequence[int], nodes: int, seconds: float
) -> tuple[bool | None, int]:
    """Is there a solution of these items (by number) with these options given?

    Returns None if that is not known after so many nodes or `seconds` (negative: no such limit),
    and the number of nodes searched, but `nodes` if it is more: what is returned depends on nodes
    alone unless the time is up. The given options must not clash. O(entries), and the search.
    """
    if len(table.entry_item) > MOST_ENTRIES:
        return None, 0
    laid = _lay(table, kept, given)
    if laid is None:
        return None, 0
    problem, places = laid
    search = kernel.Search(problem, places, None, "auto", "mrv")
    while True:
        left = seconds - search.stats[4]
        found = search.skip(1, SLICE if seconds < 0 else max(0.0, min(SLICE, left)))
        spent = search.stats[0]
        if spent > nodes:
            return None, nodes
        if found or search.finished:
            return bool(found), spent
        if 0 <= seconds <= search.stats[4]:
            return None, spent


def _lay(
    table: Table, kept: Container[int], given: Sequence[int]
) -> tuple[kernel.Problem, list[int]] | None:
    """The part as a problem of its own, and where the given options are there.

    Options that have become equal are there once, those that nothing would choose are not. None if
    that is true of a given option: engines could not take it.
    """
    numbers = [number for number in range(len(table.items)) if number in kept]
    numbers.sort(key=table.secondary.__getitem__)
    rank = {number: place for place, number in enumerate(numbers)}
    primary = sum(not table.secondary[number] for number in numbers)
    start, item, color = array("i", [0]), array("i"), array("i")
    places: dict[tuple[tuple[int, int], ...], int] = {}
    forced: dict[int, int] = {}
    chosen = set(given)
    for index in range(len(table)):
        first, last = table.start[index], table.start[index + 1]
        colors = table.entry_color[first:last] or [0] * (last - first)
        entries = tuple(
            sorted(
                (rank[number], shade)
                for number, shade in zip(table.entry_item[first:last], colors, strict=True)
                if number in rank
            )
        )
        if not entries or entries[0][0] >= primary:
            if index in chosen:
                return None
            continue
        place = places.setdefault(entries, len(places))
        if index in chosen:
            forced[index] = place
        if place == len(start) - 1:
            item.extend(number for number, _ in entries)
            color.extend(shade for _, shade in entries)
            start.append(len(item))
    ranks = array("i", range(len(numbers)))
    problem = kernel.Problem(start, item, color if any(color) else None, ranks, None, primary)
    return problem, [forced[index] for index in given]
