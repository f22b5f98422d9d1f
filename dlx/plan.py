"""Decides by which methods a question is answered: the only module that knows the engine "auto".

    ask    a `SearchInput` and checked `SearchOptions`
    plan   `make_plan`: a `Plan`, a value that says which methods run, from when on, and why
    run    the runner of the plan, which is an engine, or wraps engines and other methods

Every way to ask takes the same plan: methods of a `Problem`, their async forms, commands, workers,
clusters, batches and journals. `Problem.plan` and `dlx info --plan` show it.
"""

from __future__ import annotations

import os
import sys
from functools import cache, partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from dlx.core.logs import log
from dlx.core.part import Part
from dlx.engines.certificates import CERTIFICATE_INTERVAL, MIN_NODES, Certificates
from dlx.errors import InvalidArgument, quote
from dlx.named_tuple import NamedTuple

if TYPE_CHECKING:
    from dlx.core.numbering import SearchInput
    from dlx.core.table import Table
    from dlx.search.options import SearchOptions

__all__ = [
    "EXTRAS",
    "METHODS",
    "Plan",
    "QUESTIONS",
    "Step",
    "Thresholds",
    "answers_at_once",
    "is_installed",
    "make_plan",
    "nodes_alone",
    "nodes_of_try",
    "plan_of",
    "propagation_allowance",
    "ranking_plan",
    "restarts_allowance",
    "sat_allowance",
]

QUESTIONS = (
    *("solve", "is_unique", "solutions", "count", "minimum", "maximum"),
    *("solve_many", "count_many"),
)
"""The questions that have a plan, by the name of the method of `Problem`."""

METHODS = {
    "in order": "the search in the promised order",
    "certificates": "proofs without a search that there is no solution",
    "propagation": "a search that deletes colors without support, and options with them",
    "restarts": "searches in random orders, each given up after some nodes",
    "weighted": "a second search, whose heuristic learns which items fail",
    "symmetric": "a search that leaves out subtrees symmetric to earlier ones",
    "sat": "a SAT solver",
    "parts": "searches of the independent parts of the problem",
    "workers": "the search in order, by several workers",
    "journal": "the search in order, recorded in a journal",
    "classes": "only the first solution of each class of symmetric ones",
    "orbits": "the mean, over the symmetries, of the number of solutions that each keeps",
    "enumeration": "solutions visited one by one",
    "certificate": "a diagram of residual problems, written for a checker",
    "layers": "states that many partial solutions share, counted item by item",
    "subproblems": "isomorphic subproblems, each counted once",
    "branch and bound": "branch and bound, with bounds from prices of items",
    "relaxation": "branch and bound over the linear relaxation, with cuts",
    "diagram": "a decision diagram of all solutions, and its cheapest sets",
    "highs": "HiGHS, on an integer program, in floating point",
    "cp-sat": "CP-SAT, on an integer program",
}
"""The methods of a plan, each with what it is."""

EXTRAS = {"sat": "pysat", "highs": "highspy", "cp-sat": "ortools"}
"""The packages that methods need."""


class Thresholds:
    """From when on a method runs beside others; docs/searching-or-learning.md has measurements.

    certificate
        Nodes of the search before the first certificate; most searches are finished then.
    propagation, large
        Nodes of the search before one by propagation starts, if there are colors. In a problem of
        more than `large` entries it is inversely fewer, since nodes take longer there.
    first, words, per_word, vast
        Words of bits that this may visit: `first` for each entry, which take as long as building
        its tables; and for each node of the kernel `words`, and one for each `per_word` entries,
        times the multiple of `vast` entries in a problem that has as many.
    restarts, try_nodes, per_node
        Nodes of the search before searches in random orders start, and of the shortest of these, or
        one for `per_node` entries if that is more: shuffling a large problem takes long.
    patience
        Nodes of the search after which searches in random orders get twice as much of the time.
    weighted, sat, entries
        The kernel first searches `weighted` nodes without the search "weighted" and that by
        symmetries, and `sat` nodes without the SAT engine, or `entries` nodes for each entry of the
        problem if that is more: building the data of a large problem takes long.
    share
        Propagations of the SAT solver for each node of the kernel.
    parts, options
        Nodes of the undivided search before independent parts are searched by themselves, or
        `options` for each option if that is more: a search without wrong choices may take them.
    relaxation, diagram, highs
        Seconds of branch and bound before that over the linear relaxation starts, before a diagram
        is built, and before HiGHS starts.
    relaxation_entries
        The search over the relaxation takes no part in larger problems: beginning it takes long.
    highs_far, highs_near
        The same for HiGHS where the search over the relaxation, which is like it, takes part: if
        the gap is large by then, and if it is small.
    """

    certificate = MIN_NODES
    propagation = MIN_NODES
    large = 100_000
    first = 8
    words = 4
    per_word = 2000
    vast = 300_000
    restarts = MIN_NODES
    try_nodes = 4000
    per_node = 40
    patience = 2_000_000
    weighted = 100_000
    sat = 500_000
    entries = 5
    share = 0.25
    parts = 20_000
    options = 1
    relaxation = 0.05
    relaxation_entries = 2_000_000
    diagram = 0.2
    highs = 1.0
    highs_far = 3.0
    highs_near = 30.0


class Step(NamedTuple):
    """A method of a plan.

    method
        Its name, a key of `METHODS`.
    after, unit
        It starts after that number of "nodes" of the search in order, or "seconds"; 0: at once.
    condition
        What else must hold, in words, or "".
    """

    method: str
    after: float = 0
    unit: str = "nodes"
    condition: str = ""

    def __str__(self) -> str:
        """A line for people."""
        when = f", after {self.after:,} {self.unit}" if self.after else ""
        condition = f", {self.condition}" if self.condition else ""
        return f"{self.method}: {METHODS[self.method]}{when}{condition}"


class Plan(NamedTuple):
    """By which methods a question is answered, and why: the result of `Problem.plan`.

    question
        The name of the method of `Problem`.
    engine
        The engine that searches: "auto", "bits", "links", "python", "sat", "highs" or "cp-sat".
    runner
        What runs the methods: "engine" (one engine alone), "portfolio" (alternately, each with
        doubled allowances), "parts", "workers", "journal", "counter", "ranking", "batch" or
        "proof".
    steps
        The methods, in the order in which they start.
    why
        The reason for the choice.

    >>> import dlx
    >>> plan = dlx.models.queens(8).plan("solve", engine="bits")
    >>> plan.methods
    ('in order', 'parts')
    >>> print(plan)
    solve with engine 'bits': any solution will do
      in order: the search in the promised order
      parts: searches of the independent parts of the problem, after 20,000 nodes
    """

    question: str
    engine: str
    runner: str
    steps: tuple[Step, ...]
    why: str

    @property
    def methods(self) -> tuple[str, ...]:
        """The names of the methods, in the order in which they start."""
        return tuple(step.method for step in self.steps)

    def step(self, method: str) -> Step | None:
        """The step of a method; None if it takes no part."""
        return next((step for step in self.steps if step.method == method), None)

    def __str__(self) -> str:
        """A line for the whole, and one for each method."""
        lines = [f"{self.question} with engine {self.engine!r}: {self.why}"]
        return "\n".join([*lines, *(f"  {step}" for step in self.steps)])


_made = partial(tuple.__new__, Plan)  # in half the time that the constructor takes

IN_ORDER: tuple[Step, ...] = (Step("in order"),)
REFUTATIONS = Step("certificates", CERTIFICATE_INTERVAL, "seconds", "while no solution is known")


def is_installed(method: str) -> bool:
    """Whether the package that a method needs can be found; it is not imported."""
    package = EXTRAS[method]
    if package in sys.modules:
        return sys.modules[package] is not None
    return _is_found(package)


@cache
def _is_found(package: str) -> bool:
    return find_spec(package) is not None


def answers_at_once(options: SearchOptions) -> bool:
    """Whether "auto" may begin in the calling thread without a plan or a report.

    Most searches for one or two solutions end within the nodes that "auto" searches in order alone,
    and a runner would take as long again. A count of more than two has one plan then.
    """
    return (
        options.engine == "auto"
        and options.node_limit is None
        and options.workers is None
        and options.checkpoint is None
        and options.part is None
        and options.distinct is False
        and options.progress is None
        and options.proof is None
        and not log.is_enabled()
    )


def nodes_alone(table: Table) -> int:
    """The nodes of the search in order before any other method is due."""
    entries = len(table.entry_item)
    learning = _due(min(Thresholds.weighted, Thresholds.sat), entries)
    others = min(Thresholds.certificate, learning, _due_restarts(entries))
    return min(others, _due_propagation(entries)) if _may_propagate(table) else others


def _may_propagate(table: Table) -> bool:
    """Whether a search by propagation takes part: it needs colors, and knows no multiplicities."""
    return bool(table.entry_color) and not table.has_multiplicities


def _due(nodes: int, entries: int) -> int:
    return max(nodes, Thresholds.entries * entries)


def _due_restarts(entries: int) -> int:
    return max(Thresholds.restarts, entries // Thresholds.per_node)


def nodes_of_try(entries: int) -> int:
    """The nodes after which the shortest of the searches in random orders is given up."""
    return max(Thresholds.try_nodes, entries // Thresholds.per_node)


def _due_propagation(entries: int) -> int:
    return Thresholds.propagation * Thresholds.large // max(entries, Thresholds.large)


def restarts_allowance(wanted: int, nodes: int) -> int:
    """The nodes of restarts that go with a number of nodes of the search in order.

    A quarter: they take three times as long as nodes of a search that is deep in its tree. Half of
    that where two solutions are `wanted`, since mostly there is one, and what takes time is to find
    out that there is no other. Twice as many once the search has gone on for long, so that another
    order is the more likely to help.
    """
    share = 1 if nodes < Thresholds.patience else 2
    return share * nodes // (4 * wanted)


def propagation_allowance(entries: int, nodes: int) -> int:
    """The words that propagation may visit, by the nodes of the search in order.

    They take about as long as building its tables, and for each of the nodes half as long as a
    node of a narrow problem.
    """
    large = entries // Thresholds.per_word * max(1, entries // Thresholds.vast)
    words = Thresholds.words + large
    return Thresholds.first * entries + words * nodes


def sat_allowance(nodes: int) -> int:
    """The propagations of the SAT solver that go with a number of nodes of the search in order."""
    return int(Thresholds.share * nodes)


def plan_of(
    question: str,
    search_input: SearchInput,
    options: SearchOptions,
    *,
    k: int = 1,
    any_order: bool = False,
) -> Plan:
    """The plan of a question by its name, one of `QUESTIONS`; `k` and `any_order` are of a ranking.

    Raises `InvalidArgument`.
    """
    if question in ("minimum", "maximum"):
        return ranking_plan(question, search_input.table, k, options, any_order=any_order)
    if question not in QUESTIONS:
        raise InvalidArgument(
            f"there is no plan for {quote(question)}; ask for one of "
            f"{', '.join(map(repr, QUESTIONS))}"
        )
    return make_plan(question, search_input, options)


def make_plan(question: str, search_input: SearchInput, options: SearchOptions) -> Plan:
    """The plan of a question that is no ranking, with these options.

    "solve", "is_unique" and other questions that one or two solutions answer take them in any
    order, but for engines that were named, which keep the order.
    """
    if options.proof is not None and question == "count":
        return Plan(question, "auto", "counter", (Step("certificate"),), "a proof is wanted")
    if options.proof is not None:
        return _plan_with_proof(question, search_input, options)
    if question == "solutions":
        few = options.limit == 1
    elif question in ("solve_many", "count_many"):
        return _plan_of_batch(question, search_input, options)
    else:
        few = question != "count" or (options.limit is not None and options.limit <= 2)
    if options.distinct is not False:
        return _plan_of_classes(question, options)
    alone = options.checkpoint is None and options.workers is None
    if options.engine == "sat" and alone:
        return Plan(question, "sat", "engine", (Step("sat"),), "the engine was named")
    why = _why_in_order(question, search_input, options, few=few)
    if not why:
        return _plan_of_count(question, options)
    if not alone:
        return _plan_of_workers(question, search_input, options, why, few=few)
    if few and options.part is None and options.engine == "auto":
        return Plan(
            question, "auto", "portfolio", (*IN_ORDER, *_helpers(search_input, options)), why
        )
    if few and options.part is None and options.engine != "python" and options.heuristic == "mrv":
        parts = Step("parts", max(Thresholds.parts, Thresholds.options * len(search_input.table)))
        return Plan(question, options.engine, "parts", (*IN_ORDER, parts), why)
    return _made((question, options.engine, "engine", IN_ORDER, why))


def _plan_with_proof(question: str, search_input: SearchInput, options: SearchOptions) -> Plan:
    """The plan of `solve` or `solutions` with a proof: one search, which writes it.

    What shows in another way that there is no solution takes part if its steps fit into the proof.
    """
    if options.engine == "sat":
        return Plan(question, "sat", "proof", (Step("sat"),), "the engine was named")
    steps = IN_ORDER
    if (question == "solve" or options.limit == 1) and options.engine == "auto":
        path = options.proof if isinstance(options.proof, str | os.PathLike) else ""
        if os.fsdecode(path).lower().removesuffix(".gz").endswith(".drat"):
            steps += (_extra("sat", Thresholds.sat),) if is_installed("sat") else ()
        else:
            steps += tuple(_certificates(search_input))
    return Plan(question, options.engine, "proof", steps, "a proof is wanted")


def _why_in_order(
    question: str, search_input: SearchInput, options: SearchOptions, *, few: bool
) -> str:
    """Why solutions are visited one by one; "" if a count may use a cache.

    With multiplicities a count enumerates every part: the branches of an item exclude options,
    which givens do not say.
    """
    part: object = options.part
    if few:
        one = question in ("solve", "solutions")
        return "any solution will do" if one else "two solutions answer it"
    if question != "count":
        return "solutions come in order"
    if options.engine != "auto":
        return "the engine was named"
    if options.checkpoint is not None:
        return "a journal records the solutions that were visited"
    if options.node_limit is not None:
        return "a node limit counts the nodes of the search in order"
    if part is not None and not (isinstance(part, Part) and part.is_subtree):
        return "the part is not a subtree"
    if part is not None and search_input.table.has_multiplicities:
        return "a part of a search with multiplicities excludes options"
    return ""


def _certificates(search_input: SearchInput) -> list[Step]:
    """The step of certificates; none if looking for one would take too long."""
    certificates = Certificates(search_input)
    return [Step("certificates", certificates.due)] if certificates.pending else []


def _helpers(search_input: SearchInput, options: SearchOptions) -> tuple[Step, ...]:
    """What takes part beside the search in order where any solution will do."""
    table = search_input.table
    entries = len(table.entry_item)
    due = _due(Thresholds.weighted, entries)
    steps = _certificates(search_input)
    if _may_propagate(table):
        steps.append(Step("propagation", _due_propagation(entries)))
    steps.append(Step("restarts", _due_restarts(entries)))
    if options.heuristic == "mrv":
        steps.append(Step("weighted", due))
    if not table.has_multiplicities:
        steps.append(Step("symmetric", due, condition="if there are enough symmetries"))
    steps.append(_extra("sat", _due(Thresholds.sat, entries)))
    return tuple(steps)


def _extra(method: str, after: float = 0, unit: str = "nodes") -> Step:
    """The step of a method that needs another package."""
    return Step(method, after, unit, "" if is_installed(method) else "if it were installed")


def _plan_of_workers(
    question: str, search_input: SearchInput, options: SearchOptions, why: str, *, few: bool
) -> Plan:
    runner = "workers" if options.checkpoint is None else "journal"
    steps: tuple[Step, ...] = (Step(runner),)
    if options.engine == "auto" and few and runner == "workers" and options.part is None:
        steps += (Step("in order", Thresholds.certificate), *_helpers(search_input, options))
    elif options.engine == "auto" and (few or question == "count"):
        steps += tuple(_certificates(search_input))
    return Plan(question, options.engine, runner, steps, why)


def _plan_of_batch(question: str, search_input: SearchInput, options: SearchOptions) -> Plan:
    """The plan of each set of givens.

    A set that one solution answers, or only their number, and whose search uses up the nodes that
    "auto" searches in order alone, is asked by itself, as `solve` and `count` are.
    """
    steps, few = IN_ORDER, options.limit is not None and options.limit <= 2
    why = "the engine was named"
    if options.engine == "auto" and question == "count_many" and not few:
        why = "only the numbers are wanted"
        steps += _counters(options.symmetry, workers=False, learns=_may_learn(options))
    elif options.engine == "auto" and few and (options.limit != 2 or question == "count_many"):
        why = "one or two solutions answer a set"
        steps += _helpers(search_input, options)
    elif options.engine == "auto":
        why = "solutions of a set come in order"
    return Plan(question, options.engine, "batch", steps, why)


def _plan_of_classes(question: str, options: SearchOptions) -> Plan:
    others = (options.limit, options.part, options.checkpoint, options.node_limit, options.workers)
    if question == "count" and options.engine == "auto" and all(one is None for one in others):
        why = "classes are counted without listing them, unless there are too many symmetries"
        return Plan(question, "auto", "counter", (Step("orbits"), Step("classes")), why)
    runner = "engine" if options.workers is None else "workers"
    if options.checkpoint is not None:
        runner = "journal"
    first = "in order" if runner == "engine" else runner
    first = "sat" if options.engine == "sat" else first
    why = "each class of symmetric solutions has one that comes first"
    return Plan(question, options.engine, runner, (Step(first), Step("classes")), why)


def _plan_of_count(question: str, options: SearchOptions) -> Plan:
    workers = options.workers is not None
    steps = _counters(options.symmetry, workers, not workers and _may_learn(options))
    return _made((question, "auto", "counter", steps, "only the number is wanted"))


def _may_learn(options: SearchOptions) -> bool:
    """Whether a count may enumerate by the heuristic that learns as well."""
    heuristic: object = options.heuristic  # of any type: it is checked when an engine is opened
    return isinstance(heuristic, str) and heuristic == "mrv"


@cache
def _counters(symmetry: bool, workers: bool, learns: bool) -> tuple[Step, ...]:
    less = "where that is expected to be less work"
    others = ("layers", *["subproblems"] * symmetry, *["weighted"] * learns)
    steps = (Step("enumeration", condition="by workers" if workers else ""),)
    return (*steps, *(Step(method, condition=less) for method in others), REFUTATIONS)


def ranking_plan(
    question: str, table: Table, k: int, options: SearchOptions, *, any_order: bool
) -> Plan:
    """The plan of "minimum" or "maximum".

    Ties come in visiting order, which HiGHS does not know: "auto" asks it for one solution, if any
    of equal cost will do, and costs are small enough for floating point (see
    `dlx.analysis.integer_program`). Not in a process with OR-Tools: some versions of the two crash
    together.
    """
    engine = options.engine
    if engine in ("highs", "cp-sat"):
        return Plan(question, engine, "ranking", (_extra(engine),), "the engine was named")
    steps = [Step("branch and bound")]
    why = "the engine was named"
    if engine == "auto":
        why = "ties come in visiting order"
        steps.append(REFUTATIONS)
        few = len(table.entry_item) <= Thresholds.relaxation_entries
        relaxes = few and not table.entry_color  # there are no rows for colors
        if relaxes:
            steps.append(Step("relaxation", Thresholds.relaxation, "seconds"))
        steps.append(Step("diagram", Thresholds.diagram, "seconds"))
        if any_order and k == 1 and options.checkpoint is None and "ortools" not in sys.modules:
            why = "any solution of least cost will do"
            highs = _extra("highs", Thresholds.highs, "seconds")
            if relaxes:
                later = f"{Thresholds.highs_near:g} where the gap is small"
                highs = highs._replace(
                    after=Thresholds.highs_far, condition=highs.condition or later
                )
            steps.append(highs)
    return Plan(question, engine, "ranking", tuple(steps), why)
