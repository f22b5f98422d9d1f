"""Objectives beyond the total cost: penalties, bottlenecks, and solutions that differ.

Each is one search of `dlx.analysis.minimum`, or several, of a problem with further items and
options, which are left out of the solutions.

Penalties
    An item that may be covered too rarely gets an option for every number of times that it can
    lack. Where an item may be covered too often, every option pays the penalty for each time that
    it covers it, as if all were too often; a constant pays that back for the times that are
    allowed, and the options for the missing times pay for those of them that are not used. If
    several solutions are wanted, each set of the caller's options is part of one at most.
Bottleneck
    The least greatest cost is found by bisection over the costs: is there a solution without the
    more expensive options? (Any one will do, but a search for a cheap one finds it sooner.) Then
    the cheapest solutions of that greatest cost are found, then the next greatest cost, until there
    are k.
Solutions that differ
    One search for each. An item for each solution found before is covered by its options, and may
    be covered by all but d of them.
Several costs
    In lexicographic order they are one cost (`dlx.core.costs`), whose digits they are. If these
    have more than 64 bits together, the first of them are minimized, and all solutions that are
    equal in these are compared in the others: there are few, since such costs have many digits.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable, Generator, Hashable, Iterator, Sequence
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, Protocol, cast

from dlx.analysis.minimum import Progress, Ranking, RankingArguments, limit_of_time, rank
from dlx.core.arguments import check_number
from dlx.core.costs import ScaledCosts, bounded_sums, combined, scaled_columns, scaled_costs
from dlx.core.entries import times
from dlx.core.givens import check_forbidden, indices_of
from dlx.core.locks import exclusive, new_guard
from dlx.core.multiplicity import ONCE
from dlx.core.named_values import labelled_pairs, values_in_order
from dlx.core.numbering import NumberedProblem, SearchInput
from dlx.core.rows import Row, with_rows
from dlx.core.stats import NO_STATS
from dlx.errors import InvalidArgument, InvalidCost, MinimumInterrupted, quote
from dlx.named_tuple import NamedTuple
from dlx.search.options import check_flag

if TYPE_CHECKING:
    from dlx.core.stats import Stats
    from dlx.core.table import Table
    from dlx.search.options import SearchOptions
    from dlx.search.search import Solution

__all__ = ["rank_by", "rank_by_costs"]

InputOf = Callable[["Table", "SearchOptions"], SearchInput]
"""The problem of a table in search order, without the options that the call forbids."""

Pairs = Sequence[tuple[Any, Any]]
"""Costs and solutions; None for one that is not at hand."""

MOST_LEVELS = 10_000  # numbers of times that one item may lack


class Stage(NamedTuple):
    """The arguments of one search."""

    search_input: SearchInput
    options: SearchOptions
    arguments: RankingArguments


class Extended(NamedTuple):
    """A problem whose last `hidden` options are not the caller's, and the costs of all options.

    `price`: see `RankingArguments`.
    """

    table: Table
    costs: ScaledCosts
    hidden: int
    price: Callable[[Solution], int] | None = None

    def stage(
        self, input_of: InputOf, options: SearchOptions, arguments: RankingArguments
    ) -> Stage:
        """The search of this problem, without the options that the call forbids."""
        search_input, costs = input_of(self.table, options), self.costs
        narrowed = search_input.table.narrowed_from
        if narrowed is not None:
            costs = costs.of_options(narrowed.kept)
        arguments = arguments._replace(costs=costs, hidden=self.hidden, price=self.price)
        return Stage(search_input, options, arguments)


def rank_by(
    table: Table, input_of: InputOf, options: SearchOptions, arguments: RankingArguments
) -> Ranking[Any, Any]:
    """What `Problem.minimum` and `maximum` return if more than the total cost counts."""
    penalties = arguments.penalties
    least = check_number("min_difference", arguments.min_difference, 1)
    arguments = arguments._replace(k=check_number("k", arguments.k, 1))
    table = table.copy()  # it must not change between two searches
    given = indices_of(table, options.given)
    forbid = check_forbidden(table, given, options.forbid)
    names = [[table.name_of(option) for option in chosen] for chosen in (given, forbid)]
    options = options._replace(given=names[0], forbid=names[1])  # an iterator is read only once
    stages: _Stages
    if check_flag(arguments.bottleneck, "bottleneck"):
        _refuse("penalties", penalties is not None, "bottleneck=True")
        _refuse("min_difference", least > 1, "bottleneck=True")
        _refuse_one_search(options, arguments, "bottleneck=True")
        stages = _Bottleneck(Stage(input_of(table, options), options, arguments))
    else:
        costs = table.every_cost() if arguments.costs is None else arguments.costs
        if penalties is None:
            problem = Extended(table, scaled_costs(table, costs), 0)
        else:
            several = arguments.k > 1 and least == 1
            problem = soften(table, penalties, costs, arguments.sign, exact=several)
        arguments = arguments._replace(any_order=True)
        if least == 1:
            return rank_by_costs(*problem.stage(input_of, options, arguments))
        _refuse_one_search(options, arguments, "min_difference")
        stages = _Different(problem, input_of, options, arguments, least)
    return Staged(stages, arguments).resume(options.timeout, None)


def _refuse(keyword: str, given: bool, other: str) -> None:
    if given:
        raise InvalidArgument(f"{keyword} cannot be combined with {other}; leave one of them out")


def _refuse_one_search(options: SearchOptions, arguments: RankingArguments, other: str) -> None:
    """Raises `InvalidArgument` for what only one search can have."""
    _refuse("checkpoint", options.checkpoint is not None, other)
    _refuse("gap", arguments.gap != 0, other)
    _refuse("target", arguments.target is not None, other)


def _add_hidden(table: Table, entries: Sequence[Hashable], name: str) -> None:
    """Adds an option that is not the caller's; "'" is added to a name that another option has."""
    while name in table.names_given:
        name += "'"
    table.add_option(entries, name)


# -- penalties -------------------------------------------------------------------------------------


class _Soft:
    """A soft item: its penalties, as places among all costs, and how often options cover it.

    need
        It has to be covered so often, by the caller's options and the hidden one that lacks the
        rest: the upper bound if the item may be covered too often, otherwise the lower one.
    """

    def __init__(self, table: Table, number: int, under: int | None, over: int | None) -> None:
        self.number = number
        self.low, self.high = table.bounds_of(number)
        self.under, self.over = under, None if self.high is None else over
        self.need = self.low if self.over is None else self.high or 0
        self.upper = self.high if self.over is None else None
        self.covers: dict[int, int] = {}
        self.first = 0  # the index of the first of its hidden options

    def missing(self) -> range:
        """The numbers of times that hidden options of this item can lack."""
        most = min(self.need - 1, sum(self.covers.values()))
        least = self.low if self.under is None else 0
        return range(self.need - most, self.need - least + 1)

    def penalty(self, numbers: Sequence[int], missing: int) -> int:
        """The cost of a hidden option, where these are all costs."""
        short = max(0, self.low - self.need + missing)
        under = 0 if self.under is None else numbers[self.under] * short
        return under + self.charge(numbers) * missing

    def charge(self, numbers: Sequence[int]) -> int:
        """What each time costs that an option covers the item."""
        return 0 if self.over is None else numbers[self.over]

    def option_for(self, chosen: Sequence[int]) -> int | None:
        """The hidden option that goes with these options of the caller; None if none does."""
        missing = self.need - sum(self.covers.get(option, 0) for option in chosen)
        return None if missing <= 0 else self.first + missing - self.missing().start

    def rows(self, *, exact: bool) -> list[tuple[Row, Callable[[int], int]]]:
        """New items, and how often a hidden option covers each, by its number of missing times.

        They let one hidden option be chosen at most, and, if `exact`, just the right one: with too
        many missing times, it does not fit beside the options that cover the item.
        """
        reach = sum(self.covers.values())
        found: list[tuple[Row, Callable[[int], int]]] = []
        if exact and self.missing() and reach and self.upper != self.need:
            row = Row("exact", (0, reach), self.covers)
            found.append((row, lambda missing: reach - self.need + missing))
        if len(self.missing()) > 1:
            found.append((Row("one", None, {}), lambda missing: 1))
        return found


def soften(table: Table, penalties: object, costs: object, sign: int, *, exact: bool) -> Extended:
    """The problem in which hidden options pay for what items lack or have too often.

    If `exact`, each set of the caller's options is part of at most one solution. Otherwise it may
    be part of others that cost more, which takes half the time. With `sign` -1 the penalties are
    subtracted. Raises `UnknownItem`, `InvalidArgument` and `InvalidCost`.
    """
    count = len(table)
    values = values_in_order(costs, "costs", table.name_of, count, table.index_of, InvalidCost)
    soft = _read_penalties(table, penalties, values)
    scaled = scaled_columns(values, partial(_title, table, soft, values))
    columns = [scaled] if isinstance(scaled, ScaledCosts) else scaled
    for place in range(count, len(values)):
        if any(column.numbers[place] < 0 for column in columns):
            raise InvalidCost(f"{_title(table, soft, values, place)}; give a number from 0 up")
    own = table.copy()
    for one in soft:
        own.secondary[one.number] &= one.over is None
        own.multiplicities.pop(one.number, None)
        if not own.secondary[one.number] and (one.need, one.upper) != ONCE:
            own.multiplicities[one.number] = (one.need, one.upper)
    rows = [one.rows(exact=exact) for one in soft]
    own = with_rows(own, [Row("constant", ONCE, {}), *(row for some in rows for row, _ in some)])
    added = iter(own.items[len(table.items) :])
    _add_hidden(own, [next(added)], "constant")
    for one, some in zip(soft, rows, strict=True):
        others = [(next(added), weight_of) for _, weight_of in some]
        item, one.first = table.items[one.number], len(own)
        for missing in one.missing():
            weights = [
                (item, missing),
                *((other, weight_of(missing)) for other, weight_of in others),
            ]
            entries = [times(other, weight) for other, weight in weights if weight > 0]
            _add_hidden(own, entries, f"{quote(item)} lacks {missing}")
    charged = [
        column._replace(numbers=_charged(column.numbers, soft, count, sign)) for column in columns
    ]
    costs_of_all = charged if isinstance(scaled, list) else charged[0]
    final = combined(own, costs_of_all, all_levels=True)

    def price(solution: Solution) -> int:
        chosen = indices_of(own, solution)
        paid = [count, *chosen, *filter(None, (one.option_for(chosen) for one in soft))]
        return sign * sum(final.numbers[option] for option in paid)

    return Extended(own, final, len(own) - count, None if exact else price)


def _read_penalties(table: Table, penalties: object, values: list[Any]) -> list[_Soft]:
    """The soft items. Appends their penalties to the costs of the options.

    If costs are tuples, a number counts as the first of them.
    """
    pairs = labelled_pairs(penalties)
    if pairs is None:
        raise InvalidArgument(
            f"penalties is {quote(penalties)}; give a mapping from items to numbers or to pairs "
            "(under, over)"
        )
    size = next((len(one) for one in values if isinstance(one, tuple)), 0)
    soft: dict[int, _Soft] = {}
    for item, given in pairs:
        number = table.number_of(item)
        both = tuple(given) if isinstance(given, tuple | list) else (given, given)
        if len(both) != 2 or number in soft:
            problem = "twice" if number in soft else f"with the penalty {quote(given)}"
            raise InvalidArgument(
                f"penalties has the item {quote(item)} {problem}; give a number, or a pair "
                "(under, over)"
            )
        places: list[int | None] = []
        for one in both:
            places.append(None if one is None else len(values))
            if one is not None:
                plain = size == 0 or isinstance(one, tuple)
                values.append(one if plain else (one, *[0] * (size - 1)))
        soft[number] = _Soft(table, number, *places)
    for option in range(len(table)):
        for number, color, weight in table.row(option):
            if number in soft:
                soft[number].covers[option] = weight
                if color:
                    raise InvalidArgument(
                        f"penalties has the item {quote(table.items[number])}, which has colors; "
                        "only items without colors can have a penalty"
                    )
    for one in soft.values():
        if len(one.missing()) > MOST_LEVELS:
            raise InvalidArgument(
                f"penalties has the item {quote(table.items[one.number])}, which can lack "
                f"{len(one.missing()):,} different numbers of times; the limit is {MOST_LEVELS:,}: "
                "divide its bounds and weights by a common factor"
            )
    return list(soft.values())


def _title(table: Table, soft: list[_Soft], values: list[Any], place: int) -> str:
    """Where a cost or a penalty is, and which it is, for messages."""
    shown = quote(values[place])
    if place < len(table):
        return f"{table.title(place, table.name_of(place))} has the cost {shown}"
    of = next(one.number for one in soft if place in (one.under, one.over))
    return f"item {quote(table.items[of])} has the penalty {shown}"


def _charged(numbers: Sequence[int], soft: list[_Soft], count: int, sign: int) -> list[int]:
    """The costs of the options, of the constant, and of the hidden options of each item."""
    charged = [*numbers[:count], 0]
    for one in soft:
        charge = sign * one.charge(numbers)
        if charge:
            charged[count] -= charge * one.need
            for option, weight in one.covers.items():
                charged[option] += charge * weight
        charged += [sign * one.penalty(numbers, missing) for missing in one.missing()]
    return charged


# -- several searches ------------------------------------------------------------------------------


class _Stages(Protocol):
    """Protocol of an objective that takes several searches."""

    found: list[tuple[Any, Solution]]
    """The best solutions so far, with what `minimum` returns as their costs."""

    def searches(self) -> Generator[Stage, Ranking, None]:
        """Yields searches, and is sent what each returned."""

    def best(self, pairs: Pairs) -> Pairs:
        """The other solutions that are known, where these are of the search at hand."""

    def bound(self, bound: Any) -> Any:
        """The bound of all solutions not known, by that of the search at hand."""


class Staged:
    """Several searches, one after another, which can go on after a timeout."""

    def __init__(self, stages: _Stages, arguments: RankingArguments) -> None:
        self._stages = stages
        self._method, self._k = arguments.method, arguments.k
        self._searches = stages.searches()
        self._progress = arguments.progress
        self._stage: Stage | None = next(self._searches)
        self._stopped: MinimumInterrupted | None = None
        self._stats = NO_STATS  # of the searches that have ended
        self._turn = new_guard()

    def resume(self, timeout: float | None, node_limit: int | None) -> Ranking[Any, Any]:
        """The best solutions; `MinimumInterrupted` after `timeout` seconds more."""
        timeout = limit_of_time(self._method, timeout, node_limit)
        end = None if timeout is None else time.monotonic() + timeout
        with exclusive(self._turn, f"a {self._method}"):
            while self._stage is not None:
                left = None if end is None else max(0.0, end - time.monotonic())
                try:
                    ranking = self._search(self._stage, left)
                except MinimumInterrupted as error:
                    self._stopped = error
                    raise self._interrupted(error) from None
                self._stopped = None
                if ranking.stopped_by == "timeout":
                    return self._best_so_far(ranking)
                self._stats = self._stats.plus(ranking.stats)
                try:
                    self._stage = self._searches.send(ranking)
                except StopIteration:
                    self._stage = None
        found = self._stages.found
        return Ranking(found, self._stats, found[-1][0] if found else None)

    def _search(self, stage: Stage, left: float | None) -> Ranking[Any, Any]:
        if self._stopped is not None:
            ranking: Ranking[Any, Any] = self._stopped.resume(timeout=left)
            return ranking
        progress = None if self._progress is None else self._report
        options = stage.options._replace(timeout=left)
        arguments = stage.arguments._replace(progress=progress)
        return rank_by_costs(stage.search_input, options, arguments)

    def _best_so_far(self, ranking: Ranking[Any, Any]) -> Ranking[Any, Any]:
        """What is known after a search that a timeout has stopped."""
        best = [*self._stages.found, *self._stages.best(ranking)]
        bound, stats = self._stages.bound(ranking.bound), self._stats.plus(ranking.stats)
        gap = inf if len(best) < self._k else 0.0 if best[-1][0] == bound else ranking.gap
        return Ranking(best, stats, bound, gap, ranking.stopped_by)

    def _interrupted(self, error: MinimumInterrupted) -> MinimumInterrupted:
        best = (*self._stages.found, *self._stages.best(error.best))
        bound, stats = self._stages.bound(error.bound), self._stats.plus(cast("Stats", error.stats))
        return MinimumInterrupted(
            error.reason, best=best, bound=bound, stats=stats, continuation=self
        )

    def _report(self, progress: Progress) -> None:
        pairs: Pairs = [] if progress.best is None else [(progress.best, None)]
        known = [*self._stages.found, *self._stages.best(pairs)]
        assert self._progress is not None
        self._progress(
            Progress(
                known[0][0] if known else None,
                self._stages.bound(progress.bound),
                self._stats.nodes + progress.nodes,
                self._stats.seconds + progress.seconds,
            )
        )


def rank_by_costs(
    search_input: SearchInput, options: SearchOptions, arguments: RankingArguments
) -> Ranking[Any, Any]:
    """What `minimum` and `maximum` return if the total cost is all that counts.

    Of costs that need more than 64 bits together, the first ones are minimized first.
    """
    if options.proof is None:
        found = rank(search_input, options, arguments)
    else:
        from dlx.analysis.proved_minimum import prove

        found = rank(search_input, options, arguments, prove)
    if isinstance(found, Ranking):
        return found
    _refuse("checkpoint", options.checkpoint is not None, "costs of more than 64 bits")
    arguments = arguments._replace(costs=found)
    return Staged(_Digits(Stage(search_input, options, arguments)), arguments).resume(
        options.timeout, None
    )


class _Digits:
    """The k best solutions by their first costs, and among equal ones by the others."""

    def __init__(self, stage: Stage) -> None:
        self.found: list[tuple[Any, Solution]] = []
        self._stage = stage
        table, arguments = stage.search_input.table, stage.arguments
        assert isinstance(arguments.costs, ScaledCosts)
        self._table, self._k, self._sign = table, arguments.k, arguments.sign
        self._costs, self._rest = arguments.costs._replace(rest=()), arguments.costs.rest
        minimize = [[arguments.sign * number for number in one.numbers] for one in self._rest]
        least = [-bounded_sums(table, [-number for number in one]) for one in minimize]
        self._least = self._rest_of([arguments.sign * number for number in least])

    def searches(self) -> Generator[Stage, Ranking, None]:
        wanted = self._k
        while True:
            wanted *= 2
            arguments = self._stage.arguments._replace(k=wanted, costs=self._costs)
            ranking = yield self._stage._replace(arguments=arguments)
            solutions = [solution for _, solution in ranking]
            last = self._firsts(solutions[-1:])
            if len(ranking) < wanted or self._firsts(solutions[self._k - 1 : self._k]) < last:
                self.found = list(self.best(ranking))
                return

    def best(self, pairs: Pairs) -> Pairs:
        if len(pairs) == 1 and pairs[0][1] is None:
            return pairs
        keys = [(*self._firsts([one]), *self._others(one)) for _, one in pairs]
        order = sorted(range(len(pairs)), key=keys.__getitem__)[: self._k]  # stable
        others = [[self._sign * number for number in keys[place][1:]] for place in order]
        return [
            ((*pairs[place][0], *self._rest_of(more)), pairs[place][1])
            for place, more in zip(order, others, strict=True)
        ]

    def bound(self, bound: Any) -> Any:
        return None if bound is None else (*bound, *self._least)

    def _firsts(self, solutions: Sequence[Solution]) -> list[int]:
        """The first costs of solutions, to minimize."""
        return [self._total(self._costs, solution) for solution in solutions]

    def _others(self, solution: Solution) -> list[int]:
        return [self._total(one, solution) for one in self._rest]

    def _total(self, costs: ScaledCosts, solution: Solution) -> int:
        chosen = indices_of(self._table, solution)
        return self._sign * sum(costs.numbers[option] for option in chosen)

    def _rest_of(self, totals: Sequence[int]) -> tuple[Any, ...]:
        """Totals of the other costs as the caller's method returns them."""
        return tuple(one.total(total) for one, total in zip(self._rest, totals, strict=True))


class _Different:
    """The k cheapest solutions, each without some options of every one before."""

    def __init__(
        self,
        problem: Extended,
        input_of: InputOf,
        options: SearchOptions,
        arguments: RankingArguments,
        least: int,
    ) -> None:
        self.found: list[tuple[Any, Solution]] = []
        self._problem = problem
        self._input_of = input_of
        self._options = options
        self._arguments = arguments
        self._least = least

    def searches(self) -> Generator[Stage, Ranking, None]:
        arguments = self._arguments._replace(k=1)
        while len(self.found) < self._arguments.k:
            ranking = yield self._problem.stage(self._input_of, self._options, arguments)
            if not ranking:
                return
            self.found.append(ranking[0])
            if len(ranking[0][1]) < self._least:
                return
            self._problem = _without_similar(self._problem, ranking[0][1], self._least)

    def best(self, pairs: Pairs) -> Pairs:
        return pairs

    def bound(self, bound: Any) -> Any:
        return bound


def _without_similar(problem: Extended, solution: Solution, least: int) -> Extended:
    """The problem of the solutions without `least` options of this one, which has as many.

    A new item may be covered by all others of its options, and once more by a hidden option, which
    must be chosen: an upper bound cannot be 0.
    """
    table, costs, hidden, _ = problem
    chosen = indices_of(table, solution)
    similar = Row("similar", (0, len(chosen) - least + 1), dict.fromkeys(chosen, 1))
    own = with_rows(table, [similar, Row("constant", ONCE, {})])
    _add_hidden(own, own.items[-2:], "constant")
    rest = tuple(one._replace(numbers=[*one.numbers, 0]) for one in costs.rest)
    own_costs = costs._replace(numbers=[*costs.numbers, 0], rest=rest)
    return problem._replace(table=own, costs=own_costs, hidden=hidden + 1)


class _Bottleneck:
    """The k solutions whose greatest costs are least, the cheapest of equal ones first.

    A *level* is the place of a cost among all different ones, in ascending order (in a `maximum`:
    in descending order, for the least cost of an option); -1 is that of a solution without options.
    """

    def __init__(self, stage: Stage) -> None:
        self.found: list[tuple[Any, Solution]] = []
        (self._table, _, self._given), self._options, self._arguments = stage
        costs, sign = stage.arguments.costs, stage.arguments.sign
        if costs is None:
            costs = ScaledCosts(self._table.every_cost())
        elif isinstance(costs, Iterator):
            costs = list(costs)
        self._costs = scaled_costs(self._table, costs)
        self._each = scaled_costs(self._table, costs, single=True)
        self._numbers = [sign * number for number in self._each.numbers]
        self._heights = sorted(set(self._numbers))
        self._low = max([-2, *(self._level_of(index) - 1 for index in self._given)])
        self._known: Pairs = []  # a solution whose level may not be the least
        self._cheapest = False  # whether the search at hand is for the cheapest ones of a level

    def searches(self) -> Generator[Stage, Ranking, None]:
        highest = len(self._heights) - 1
        while len(self.found) < self._arguments.k and self._low < highest:
            done, high = self._low, highest  # all solutions up to the level `done` are found
            ranking = yield self._stage(done, high)
            if not ranking:
                return
            high = self._remember(ranking)
            while self._low + 1 < high:
                middle = (self._low + high) // 2
                ranking = yield self._stage(done, middle)
                if ranking:
                    high = self._remember(ranking)
                else:
                    self._low = middle
            self._cheapest = True
            ranking = yield self._stage(done, high)
            self.found += self.best(ranking)
            self._cheapest, self._known, self._low = False, [], high

    def best(self, pairs: Pairs) -> Pairs:
        if not self._cheapest:
            return self._known
        return [(self._total(self._low + 1), solution) for _, solution in pairs] or self._known

    def bound(self, bound: Any) -> Any:
        return self._total(self._low + 1)

    def _stage(self, done: int, high: int) -> Stage:
        """The search for one solution, or the cheapest, with a level above `done`, up to `high`."""
        levels = list(map(self._level_of, range(len(self._table))))
        kept = [index for index, level in enumerate(levels) if level <= high]
        part = self._table.without([index for index, level in enumerate(levels) if level > high])
        if self.found:
            above = {place: 1 for place, index in enumerate(kept) if levels[index] > done}
            part = with_rows(part, [Row("greatest", (1, None), above)])
        given = [bisect_left(kept, index) for index in self._given]
        numbered = NumberedProblem.of(part, self._options.seed)
        signed = [self._arguments.sign * levels[index] for index in kept]
        arguments = self._arguments._replace(
            k=1, any_order=True, costs=ScaledCosts(signed), target=sum(signed)
        )
        if self._cheapest:
            costs = self._costs.of_options(kept)
            k = self._arguments.k - len(self.found)
            arguments = self._arguments._replace(k=k, costs=costs)
        return Stage(SearchInput(part, numbered, given), self._options, arguments)

    def _level_of(self, index: int) -> int:
        return bisect_left(self._heights, self._numbers[index])

    def _total(self, level: int) -> Any:
        """The cost of this level; None for that of a solution without options."""
        sign = self._arguments.sign
        return None if level < 0 else self._each.total(sign * self._heights[level])

    def _remember(self, ranking: Pairs) -> int:
        """Keeps the first of these solutions; returns its level."""
        solution = ranking[0][1]
        level = max(map(self._level_of, indices_of(self._table, solution)), default=-1)
        self._known = [(self._total(level), solution)]
        return level
