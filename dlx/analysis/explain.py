"""Explanations of why a problem has no solution: see `Problem.explain`.

Finds an irreducible set of items and givens of the problem that has no solution either.

Items and givens are called *parts* here. A set of parts is *refuted* if there is no solution when
all other parts are dropped; then every larger set is refuted as well. A refuted set is
*irreducible* if it is no longer refuted when any one part is removed.

1.  The kernel's `Refuter` searches for a solution among a set of parts. If there is none, it
    returns the parts that its proof has used (`dlx/cpp/explain/refutation.hpp`). These are
    often few: 10 to 30 of a thousand items.
2.  Then parts are deleted. If the set without a part is refuted, the parts that the proof has used
    are the next set. If it has a solution, the part is needed: in this set and in all its subsets.
    The number of parts deleted at once is doubled after a success and reduced after a failure.
3.  Some refutations are too hard for a search: dominoes cover as many black cells as white ones,
    nine pigeons do not fit into eight holes, Langford pairs of 5 have the wrong parity.
    Certificates by weights of items (`dlx/cpp/explain/modular_certificate.hpp`, and
    `dlx/cpp/explain/farkas_certificate.hpp`) prove these. They are tried before a long search.
4.  If a search of that kind takes too long, the fastest engine searches the subproblem
    (`is_possible`). It is good at finding solutions, but gives no reasons.
5.  Where the sizes of options show that there is no solution (`dlx.analysis.sizes`), such as pieces
    that cover 60 of 64 cells, a person needs no irreducible set to see it. It would take packings
    of all pieces to find one, so without limits the search for it is left out.
6.  There may be several irreducible sets, and the first is not always the smallest. So each part of
    the set is removed from the whole problem in turn; what refutes the rest may be a smaller set.

All limits are numbers of nodes in the first place, so the result is reproducible unless a timeout
interrupts it.

Sources: J. Marques-Silva, "Minimal unsatisfiability: models, algorithms and applications" (2010),
for deletion with refinement; M. Liffiton and A. Malik, "Enumerating infeasibility" (2013).
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Container, Hashable, Iterable, Sequence
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from dlx.analysis.sizes import size_conflict
from dlx.analysis.solutions import open_search
from dlx.core import kernel
from dlx.core.arguments import check_limit, is_list_like
from dlx.core.budget import Budget
from dlx.core.givens import clash_between
from dlx.core.kernel import check_cancelled
from dlx.core.multiplicity import ONCE
from dlx.core.numbering import kernel_bounds
from dlx.core.stats import Stats
from dlx.engines.certificates import CERTIFICATES
from dlx.errors import SearchInterrupted, UnknownItem, quote
from dlx.proofs.search import core_proof, prove_core
from dlx.search.options import SearchOptions

if TYPE_CHECKING:
    from dlx.core.numbering import NumberedProblem, SearchInput
    from dlx.core.table import Table

__all__ = ["Explanation", "explain", "is_possible"]


class Explanation(NamedTuple):
    """Items and given options that have no solution together; `str` is a sentence about them.

    It is always proved that they have no solution, also if `irreducible` is False.
    """

    items: tuple[Hashable, ...]
    """The primary and secondary items, in the order of declaration."""
    givens: tuple[Hashable, ...]
    """The names of the given options, in the order given."""
    irreducible: bool
    """True if it is proved that each of them is needed: without it, the others have a solution."""
    stopped_by: str | None
    """The limit that prevented this proof: "timeout" or "node_limit". None if it is proved, or was
    given up because `reason` compares sizes, and shows all by itself."""
    reason: str = ""
    """The contradiction in numbers, such as "'mon' and 'tue' need 8 in all; the options left can
    give 7"; empty if there is none that counts each item once."""
    fixed: bool = False
    """True if items that are not named here may stay as well: those that the arguments `among` and
    `givens_only` do not let drop."""

    def __str__(self) -> str:
        if not self.irreducible and self.stopped_by is None:
            return self.reason
        return f"{self._sentence()}{self.reason and ': '}{self.reason}"

    def _repr_html_(self) -> str:
        """HTML for notebooks: the items, the given options and the contradiction as a table."""
        from dlx.core.html import facts_table

        stopped = "" if self.stopped_by is None else f", stopped by {self.stopped_by}"
        proved = "yes" if self.irreducible else f"not proved{stopped}"
        facts = (
            ("items", ", ".join(map(quote, self.items))),
            ("given options", ", ".join(map(quote, self.givens))),
            ("contradiction", self.reason),
            ("all are needed", proved),
        )
        return facts_table("No solution with all of these", [fact for fact in facts if fact[1]])

    def _sentence(self) -> str:
        needed = " (all are needed)" if self.irreducible else " (perhaps not all are needed)"
        givens = f"the given option{'s'[: len(self.givens) != 1]} {_listed(self.givens)}"
        if not self.items and not self.givens:
            return "there is no solution, whatever is given or dropped"
        if not self.items:
            leave = "leaves" if len(self.givens) == 1 else "leave"
            return f"{givens} already {leave} no solution{needed[: 99 * (len(self.givens) > 1)]}"
        if len(self.items) == 1 and not self.givens and not self.fixed:
            if self.reason:
                return f"item {quote(self.items[0])} cannot be covered often enough"
            return f"no option contains item {quote(self.items[0])}"
        items = f"item{'s'[: len(self.items) != 1]} {_listed(self.items)}"
        both = f"{items} and {givens}" if self.givens else items
        rest = " with the items that stay" if self.fixed else ""
        return f"{both} cannot be satisfied together{rest}{needed}"


def _few(names: Sequence[Hashable]) -> str:
    """The names, or if there are many the first ones and their number."""
    if len(names) <= 4:
        return _listed(names)
    return f"{', '.join(map(quote, names[:3]))}, ... ({len(names)} items)"


def _listed(names: Sequence[Hashable]) -> str:
    if not names:
        return ""
    *most, last = map(quote, names)
    return f"{', '.join(most)} and {last}" if most else last


FIRST_NODES = 20_480  # node limit of the last of the short searches at the beginning
ENGINE_FACTOR = 20  # the fastest engine may take this many times the nodes of a refuter
TEST_NODES = 1_000  # node limit of a search without a part; multiplied by 4 in each round
UNLIMITED_NODES = 2**62
SIZES_NODES = 640  # of the last search before sizes count as the refutation
QUICK_ENTRIES = 10**6  # up to these, sizes are compared within a timeout too; it takes 0.1 s
KINDS = tuple(CERTIFICATES.values())  # of certificates, by the kernel's numbers
MAX_ALTERNATIVES = 12  # how many other explanations are searched for ...
ALTERNATIVE_NODES = 20_000  # ... and the node limit of all these searches together

Parts = frozenset[int]
"""Items by rank; the given at place p is the number of items plus p."""


def explain(
    search_input: SearchInput, options: SearchOptions, *, among: Iterable[Hashable] | None
) -> Explanation | None:
    """What `Problem.explain` returns. The givens may clash.

    Only items in `among` may be dropped; None: all may.
    """
    table, prepared, chosen = search_input
    if options.proof is not None:
        core_proof(options)  # before the work
    timeout = options.timeout
    limit = check_limit(options.node_limit, "node_limit", 1)
    node_limit = UNLIMITED_NODES if limit is None else min(limit, UNLIMITED_NODES)
    seen: set[int] = set()
    for index in chosen:
        if index in seen:
            raise clash_between(table, prepared, index, index, 0)
        seen.add(index)
    items = len(table.items)
    limits = _SharedLimits(timeout, node_limit)
    refuter = _Refuter(table, prepared, chosen, limits, _fixed_items(table, among))
    conflict = None
    if timeout is None or len(table.entry_item) <= QUICK_ENTRIES:
        conflict = size_conflict(table)
    if conflict is not None:
        refuter.known = frozenset(map(prepared.rank.__getitem__, conflict.items)) & refuter.all
    first = _refute_quickly(refuter)
    if first.verdict == "stopped":
        first = _refute_slowly(refuter, search_input)
    if first.verdict == "solution":
        return None
    stopped_by, reason = None, ""
    unlimited = timeout is None and node_limit == UNLIMITED_NODES
    if conflict is not None and conflict.large and first.parts is refuter.known and unlimited:
        best, reason = _RefutedSet(first.parts, first.parts), conflict.sentence
    else:
        best = _irreducible(refuter, first.parts)
        if best.undecided:
            stopped_by = limits.stopped_by
        else:
            best = _smaller(refuter, best)
    by_rank = prepared.items_by_rank()
    found = sorted(best.parts)
    if options.proof is not None:
        core = search_input._replace(
            given=[chosen[part - items] for part in found if part >= items]
        )
        named = {by_rank[part] for part in found if part < items}
        named |= _fixed_items(table, among)
        if not prove_core(core, options, named, limits.seconds_left()):
            stopped_by = "timeout"
    if not reason:
        reason = _contradiction(refuter, best.parts, [table.items[number] for number in by_rank])
    if not reason and conflict is not None and best.parts.issuperset(refuter.known or ()):
        reason = conflict.sentence
    return Explanation(
        items=tuple(
            table.items[number]
            for number in sorted(by_rank[part] for part in found if part < items)
        ),
        givens=tuple(table.name_of(chosen[part - items]) for part in found if part >= items),
        irreducible=not best.undecided,
        stopped_by=stopped_by,
        reason=reason,
        fixed=among is not None,
    )


def _fixed_items(table: Table, among: Iterable[Hashable] | None) -> frozenset[int]:
    """The numbers of the items that are not in `among`. Raises `UnknownItem`."""
    if among is None:
        return frozenset()
    if not is_list_like(among):
        raise UnknownItem(f"among is {quote(among)}; give a list of items")
    return frozenset(range(len(table.items))).difference(map(table.number_of, among))


def _contradiction(refuter: _Refuter, parts: Parts, items: Sequence[Hashable]) -> str:
    """The contradiction of refuted parts in numbers, or "".

    Each item that needs something counts once, or each that allows it. `items` are in the order of
    their ranks.
    """
    prices, demand, supply, beside = refuter.prices(parts)
    values = [price for _, price in prices]
    if not prices or (max(values) > 1 and min(values) < -1):
        return ""
    if beside and max(map(abs, values)) > 1:
        return ""
    needing = [items[rank] for rank, price in prices if price > 0]
    limiting = [items[rank] for rank, price in prices if price < 0]
    if not limiting and not beside:
        return ""  # no option contains these items
    need = (
        f"{_few(needing)} needs {demand}"
        if len(needing) == 1
        else (f"{_few(needing)} need {demand} in all")
    )
    if not limiting:
        return f"{need}; the options left can give {beside}"
    if beside:
        through = f"through {_few(limiting)} the options left can give {supply}"
        return f"{need}; {through}, and {beside} otherwise"
    allow = "allows" if len(limiting) == 1 else "allow"
    return f"{need}; every option for that uses {_few(limiting)}, which {allow} {supply}"


class _SharedLimits:
    """The timeout and node limit of all searches together, and the nodes searched so far."""

    def __init__(self, timeout: float | None, node_limit: int) -> None:
        self.started = time.monotonic()
        self.timeout = timeout
        self.node_limit = node_limit
        self.nodes = 0

    def seconds_left(self) -> float:
        """The seconds left until the timeout; infinity if there is none.

        Called between the searches, it also ends a call that another thread has cancelled.
        """
        check_cancelled()
        if self.timeout is None:
            return inf
        return max(0.0, self.started + self.timeout - time.monotonic())

    def left(self, nodes: int) -> tuple[float, int]:
        """The seconds left, and these nodes or as many as are left."""
        return self.seconds_left(), min(nodes, self.node_limit - self.nodes)

    @property
    def stopped_by(self) -> str | None:
        """The limit that is reached: "node_limit", "timeout" or None."""
        if self.nodes >= self.node_limit:
            return "node_limit"
        return "timeout" if self.seconds_left() == 0 else None

    def error(self) -> SearchInterrupted:
        """The exception for a limit reached before any set is refuted."""
        seconds = time.monotonic() - self.started
        reason = self.stopped_by or "timeout"
        return SearchInterrupted(
            reason, count=0, stats=Stats(self.nodes, self.nodes, 0, (self.nodes,), seconds)
        )


class _Outcome(NamedTuple):
    """The result of a search among some parts."""

    verdict: str  # "refuted", "solution" or "stopped"
    parts: Parts  # if refuted: the parts that the proof has used


class _RefutedSet(NamedTuple):
    """A refuted set of parts, and those of which it is not known whether they are needed."""

    parts: Parts
    undecided: Parts


class _Refuter:
    """The kernel's `Refuter`, with sets of parts as arguments."""

    def __init__(
        self,
        table: Table,
        prepared: NumberedProblem,
        given: list[int],
        limits: _SharedLimits,
        fixed: frozenset[int],
    ) -> None:
        """`fixed` are the numbers of the items that always stay, and are not parts."""
        items = len(table.items)
        self.limits = limits
        self._table = table
        self._rank = prepared.rank
        self._refuter = prepared.problem.refuter()
        self._given = given
        self._items = items
        self._fixed = frozenset(prepared.rank[number] for number in fixed)
        self.all: Parts = frozenset(range(items + len(given))) - self._fixed
        self.known: Parts | None = None  # refuted by the sizes of options

    def refute(self, parts: Parts, nodes: int) -> _Outcome:
        """Searches among these parts only, up to `nodes` nodes."""
        seconds, nodes = self.limits.left(nodes)
        if seconds == 0 or nodes <= 0:
            return _Outcome("stopped", parts)
        kept, places, given = self._flags(parts)
        verdict, needed, givens, spent = self._refuter.refute(kept, given, nodes, seconds)
        self.limits.nodes += spent
        if verdict != "refuted":
            return _Outcome(verdict, parts)
        return self._refuted(needed, [places[place] for place in givens])

    def certify(self, parts: Parts, kinds: Sequence[int] = KINDS) -> _Outcome | None:
        """A refutation by a certificate of one of these kinds, or None."""
        kept, places, given = self._flags(parts)
        for kind in kinds:
            seconds = self.limits.seconds_left()
            if seconds == 0:
                return None
            verdict, needed, givens, _ = self._refuter.weigh(kept, given, kind, seconds)
            if verdict == "refuted":
                return self._refuted(needed, [places[place] for place in givens])
        return None

    def prices(self, parts: Parts) -> tuple[list[tuple[int, int]], int, int, int]:
        """The prices of a Farkas certificate by rank, and its sums; empty if there is none."""
        kept, _, given = self._flags(parts)
        return self._refuter.prices(kept, given, self.limits.seconds_left())

    def search(self, parts: Parts, nodes: int) -> _Outcome:
        """Searches with the fastest engine; a refutation then has all of the parts."""
        seconds, nodes = self.limits.left(nodes)
        if seconds == 0 or nodes <= 0:
            return _Outcome("stopped", parts)
        flags, _, given = self._flags(parts)
        kept = {number for number, rank in enumerate(self._rank) if flags[rank]}
        possible, spent = is_possible(self._table, kept, given, nodes, seconds)
        self.limits.nodes += spent
        if possible is None:
            return _Outcome("stopped", parts)
        return _Outcome("solution" if possible else "refuted", parts)

    def certificates_for(self, parts: Parts) -> list[int]:
        """The kinds of certificates that refute these parts; only they can refute a subset."""
        kinds = [kind for kind in KINDS if self.certify(parts, [kind])]
        return [kind for kind in kinds if kind == 2 or kind == kinds[0]]

    def _flags(self, parts: Parts) -> tuple[bytearray, list[int], list[int]]:
        """A flag for each item, and the givens by place and by index."""
        items = self._items
        kept = bytearray(items)
        for rank in self._fixed:
            kept[rank] = 1
        places = []
        for part in parts:
            if part < items:
                kept[part] = 1
            else:
                places.append(part - items)
        places.sort()
        return kept, places, [self._given[place] for place in places]

    def _refuted(self, items: list[int], places: list[int]) -> _Outcome:
        parts = [*items, *(self._items + place for place in places)]
        return _Outcome("refuted", frozenset(parts) - self._fixed)


def _refute_quickly(refuter: _Refuter) -> _Outcome:
    """The outcome of a few short searches of the whole problem; enough for easy problems.

    Each search starts again, but knows from earlier ones which items fail most often. A single long
    search could stay in a bad subtree that it chose at the beginning.
    """
    nodes = FIRST_NODES // 256
    while True:
        outcome = refuter.refute(refuter.all, nodes)
        enough = nodes >= SIZES_NODES or refuter.limits.stopped_by
        if outcome.verdict == "stopped" and enough and refuter.known is not None:
            return _Outcome("refuted", refuter.known)
        if outcome.verdict == "stopped" and nodes == FIRST_NODES // 32:
            outcome = refuter.certify(refuter.all) or outcome
        if outcome.verdict != "stopped" or nodes >= FIRST_NODES or refuter.limits.stopped_by:
            return outcome
        nodes *= 2


def _refute_slowly(refuter: _Refuter, search_input: SearchInput) -> _Outcome:
    """The outcome of long searches of the whole problem; for problems that are not easy.

    Unless there is a node limit, the fastest engine first decides whether there is a solution, but
    gives no reasons. If there is none, the refuter may search without a limit.
    """
    if refuter.limits.stopped_by:
        raise refuter.limits.error()
    limits = refuter.limits
    refuted = False
    if limits.node_limit == UNLIMITED_NODES:
        seconds = limits.seconds_left()
        options = SearchOptions(timeout=None if seconds == inf else seconds)
        with open_search(search_input, options, "solutions") as search:
            for _ in search:
                return _Outcome("solution", frozenset())
            limits.nodes += search.stats.nodes
            refuted = search.exhausted
            if not refuted:
                raise limits.error()
    nodes = FIRST_NODES
    while not limits.stopped_by:
        nodes *= 4
        outcome = refuter.refute(refuter.all, nodes)
        if outcome.verdict != "stopped":
            return outcome
    if not refuted:
        raise limits.error()
    return _Outcome("refuted", refuter.all)


def _irreducible(refuter: _Refuter, parts: Parts) -> _RefutedSet:
    """An irreducible subset of refuted parts, or the smallest subset found within the limits."""
    needed: Parts = frozenset()
    parts = _repeat_proof(refuter, parts)
    nodes = TEST_NODES
    while needed != parts and not refuter.limits.stopped_by:
        parts, needed = _delete(refuter, parts, needed, nodes)
        nodes *= 4
    return _RefutedSet(parts, parts - needed)


def _repeat_proof(refuter: _Refuter, parts: Parts) -> Parts:
    """The parts used by a second proof, a third, and so on, while their number decreases."""
    while True:
        outcome = refuter.refute(parts, FIRST_NODES)
        if outcome.verdict != "refuted" or len(outcome.parts) == len(parts):
            return parts
        parts = outcome.parts


def _delete(refuter: _Refuter, parts: Parts, needed: Parts, nodes: int) -> tuple[Parts, Parts]:
    """Removes parts while the rest can be refuted with up to `nodes` nodes.

    Returns the parts that are left, and those of them that are known to be needed.
    """
    undecided: set[int] = set()
    size = 1
    kinds: list[int] | None = None  # of certificates; computed when a search is stopped
    while pending := sorted(parts - needed - undecided, reverse=True):
        left_out = pending[:size]
        rest = parts.difference(left_out)
        outcome = refuter.refute(rest, nodes)
        if outcome.verdict == "stopped":
            kinds = refuter.certificates_for(parts) if kinds is None else kinds
            outcome = refuter.certify(rest, kinds) or refuter.search(rest, ENGINE_FACTOR * nodes)
        if outcome.verdict == "refuted":
            parts = outcome.parts
            size *= 2
        elif len(left_out) > 1:
            size = max(1, len(left_out) // 4)
        elif outcome.verdict == "solution":
            needed |= {*left_out}
        else:
            undecided.update(left_out)
    return parts, needed


def _smaller(refuter: _Refuter, best: _RefutedSet) -> _RefutedSet:
    """The smallest irreducible set found by a limited search for alternatives."""
    limits = refuter.limits
    until = limits.nodes + ALTERNATIVE_NODES
    avoided: set[int] = set()
    for _ in range(MAX_ALTERNATIVES):
        rest = sorted(best.parts - avoided)
        if not rest or len(best.parts) <= 2 or limits.nodes >= until:
            break
        avoided.add(rest[0])
        outcome = refuter.refute(refuter.all - {rest[0]}, TEST_NODES)
        if outcome.verdict == "refuted":
            other = _irreducible(refuter, outcome.parts)
            if not other.undecided and len(other.parts) < len(best.parts):
                best = other
    return best


MAX_ENTRIES = 200_000  # larger tables take too long to copy for each subproblem
SLICE = 0.01  # seconds between two checks of the node limit


def is_possible(
    table: Table, kept: Container[int], given: Sequence[int], nodes: int, seconds: float
) -> tuple[bool | None, int]:
    """Whether the subproblem of these items (by number) and givens has a solution; and the nodes.

    The fastest engine searches it. The first value is None if this is unknown after `nodes` nodes
    or `seconds`, or if the subproblem is too large. The second is the
    number of nodes searched, at most `nodes`: so the result depends on the node limit alone, unless
    the time is up. The given options must not clash. O(entries), and the search.
    """
    if len(table.entry_item) > MAX_ENTRIES:
        return None, 0
    subproblem = _subproblem(table, kept, given)
    if subproblem is None:
        return None, 0
    problem, places = subproblem
    search = kernel.Search(problem, places, None, "auto", "mrv")
    while True:
        left = seconds - search.stats.seconds
        found = search.skip(Budget.of(1, max(0.0, min(SLICE, left))))
        spent = search.stats.nodes
        if spent > nodes:
            return None, nodes
        if found or search.finished:
            return bool(found), spent
        if seconds <= search.stats.seconds:
            return None, spent


def _subproblem(
    table: Table, kept: Container[int], given: Sequence[int]
) -> tuple[kernel.Problem, list[int]] | None:
    """The problem with only these items, and the indices of the given options in it.

    Options that become equal are merged, unless a solution may contain both; options without
    primary items are omitted. None if a given option would be omitted: engines could not take it.
    """
    numbers = [number for number in range(len(table.items)) if number in kept]
    numbers.sort(key=table.secondary.__getitem__)
    rank = {number: place for place, number in enumerate(numbers)}
    primary = sum(not table.secondary[number] for number in numbers)
    start, item, color, weight = array("i", [0]), array("i"), array("i"), array("i")
    bounds = _bounds_of(table, numbers[:primary])
    plain = {place for place, high in enumerate(bounds[1]) if high == 1} if bounds else None
    places: dict[tuple[object, ...], int] = {}
    forced: dict[int, int] = {}
    chosen = set(given)
    for index in range(len(table)):
        row = table.row(index)
        entries = tuple(
            sorted((rank[one], shade, times) for one, shade, times in row if one in rank)
        )
        if not entries or entries[0][0] >= primary:
            if index in chosen:
                return None
            continue
        repeatable = plain is not None and plain.isdisjoint(entry[0] for entry in entries)
        place = places.setdefault((*entries, index) if repeatable else entries, len(places))
        if index in chosen:
            forced[index] = place
        if place == len(start) - 1:
            item.extend(number for number, _, _ in entries)
            color.extend(shade for _, shade, _ in entries)
            weight.extend(times for _, _, times in entries)
            start.append(len(item))
    ranks = array("i", range(len(numbers)))
    low, high = bounds or (None, None)
    shades = color if any(color) else None
    weights = weight if max(weight, default=1) > 1 else None
    problem = kernel.Problem(start, item, shades, ranks, None, primary, low, high, weights)
    return problem, [forced[index] for index in given]


def _bounds_of(table: Table, numbers: Sequence[int]) -> tuple[array[int], ...]:
    """The lower and upper bounds of these primary items; empty if all are covered exactly once."""
    if table.multiplicities.keys().isdisjoint(numbers):
        return ()
    bounds = kernel_bounds(table)
    pairs = [bounds.get(number, ONCE) for number in numbers]
    return array("i", [low for low, _ in pairs]), array("i", [high for _, high in pairs])
