"""`solve` and `solutions` with a proof: a search that writes down why there are no other solutions.

The kernel's proof search (dlx/cpp/proofs/proof_search.hpp) visits the tree as the engines do, and
writes a clause for each branch that it has exhausted. Where any solution will do, other methods go
beside it, as in a search without a proof:

* certificates by counting (dlx/engines/certificates.py), each a line or two of cutting planes, for
  pseudo-Boolean proofs: seventeen pigeons, parities;
* the SAT solver, for DRAT, which writes a proof of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

from dlx.core.arguments import UNLIMITED
from dlx.core.budget import Budget
from dlx.core.numbering import NumberedProblem, SearchInput
from dlx.core.stats import Stats
from dlx.engines.certificates import CERTIFICATES, Certificates
from dlx.engines.protocols import LearningEngine
from dlx.engines.sat import SatEngine
from dlx.engines.stepping import WORKED, Kind, Step, SteppedEngine
from dlx.errors import InvalidArgument, quote
from dlx.plan import Thresholds, make_plan, sat_allowance
from dlx.proofs.files import ProofFile, check_replaceable, kind_of
from dlx.proofs.formula import literals, preserved, write_formula

if TYPE_CHECKING:
    from dlx.plan import Plan
    from dlx.search.options import SearchOptions

__all__ = ["HEADS", "ProofEngine", "added", "core_proof", "open_proof", "prove_core"]

HEADS = {
    # drat-trim takes a file for a binary one if its first characters are letters.
    "drat": "c ----------\nc dlx proof: complete if it ends with the empty clause, a line 0\n",
    "pbp": "pseudo-Boolean proof version 3.0\n% dlx proof: complete if it ends with a conclusion\n",
}
"""The first lines of a proof of each kind."""

TEXT = 2**18  # bytes of text at most that the kernel writes at a time
SLICE = 0.02  # seconds of the kernel between two looks at limits
SECONDS = 5.0  # for a certificate

FOUND = Step("solution")


def open_proof(search_input: SearchInput, options: SearchOptions, plan: Plan) -> ProofEngine:
    """The engine of a plan with a proof. Writes the formula, and begins the file of the proof.

    Raises `InvalidArgument` if the question has no proof of this kind, or for keywords that do not
    go with one.
    """
    one = plan.question == "solve" or options.limit == 1
    kinds = ("drat", "pbp") if one else ("pbp",)
    path, kind = kind_of(options.proof, kinds, f"{plan.question} with a proof")
    others = {
        "engine": options.engine not in ("python", "sat" if kind == "pbp" else ""),
        "heuristic": options.heuristic == "mrv",
        "workers": options.workers is None,
        "checkpoint": options.checkpoint is None,
        "part": options.part is None,
        "distinct": options.distinct is False,
    }
    for keyword, fits in others.items():
        if not fits:
            value = getattr(options, keyword)
            value = value.workers if keyword == "workers" else value
            raise InvalidArgument(
                f"{keyword} is {quote(value)}; a proof is written by one search of the kernel in "
                f"the order of 'mrv'{', or for .drat by the SAT solver' * (kind == 'pbp')}: leave "
                f"out {keyword}"
            )
    return ProofEngine(search_input, options.engine, plan.methods, path, kind, one=one)


def core_proof(options: SearchOptions) -> tuple[str, str]:
    """The path of the proof of an explanation, and its kind. Raises as `open_proof`."""
    path, kind = kind_of(options.proof, ("drat", "pbp"), "explain with a proof")
    check_replaceable(path)
    return path, kind


def prove_core(
    search_input: SearchInput, options: SearchOptions, items: Collection[int], seconds: float
) -> bool:
    """Writes a proof that these items and the givens have no solution; False if time is up."""
    path, kind = core_proof(options)
    methods = make_plan("solve", search_input, options).methods
    engine = ProofEngine(search_input, "auto", methods, path, kind, one=True, items=items)
    reason = engine.run(Budget.of(1, seconds), [])
    engine.close()
    return reason == "finished"


class ProofEngine(LearningEngine, SteppedEngine):
    """A search that writes a proof; see `dlx.engines.protocols.Engine`.

    When it is closed before its end, the proof says how many solutions it has, and concludes no
    more. The solutions of `solutions` come in the order of all engines.
    """

    def __init__(
        self,
        search_input: SearchInput,
        engine: str,
        methods: tuple[str, ...],
        path: str,
        kind: str,
        *,
        one: bool,
        items: Collection[int] | None = None,
    ) -> None:
        """`one`: is any solution wanted, or all? `items`: those of the proof; None: all."""
        table, numbered, given = search_input
        self._input = search_input
        self._any = one
        self._methods = methods
        self._in_order = not (self._any and engine in ("auto", "sat"))
        check_replaceable(path)
        head = () if self._any else preserved(table)
        self._formula = write_formula(path, table, given, head, items)
        self._kept = bytearray([items is None]) * len(numbered.rank)
        for item in items or ():
            self._kept[numbered.rank[item]] = 1
        self._path, self._kind = path, kind
        loose = bytearray(0 if self._any else len(table))
        for variable in () if self._any else self._formula.relations.loose():
            loose[variable - 1] = 1
        self._last = constraints = self._formula.constraints
        self._found = 0
        self._chosen: list[int] = []
        self._sat: SatEngine | None = None
        self._helpers: tuple[str, ...] = ()
        flags = bytes(loose) if any(loose) else b""
        drat, kept = kind == "drat", bytes(self._kept)
        self._kernel = numbered.problem.proof(
            given, drat, self._in_order, not one, constraints, flags, kept
        )
        super().__init__(self._search())

    out_of_order = True  # whether or not: no other engine can go on where this one has stopped

    @property
    def stats(self) -> Stats:
        """The work of the kernel, and what has helped."""
        nodes, updates, _ = self._kernel.work
        conflicts = None if self._sat is None else self._sat.stats.conflicts
        return Stats(nodes, updates, self._found, (), self._seconds, conflicts, self._helpers)

    def _nodes(self) -> int:
        return self._kernel.work[0]

    def _solution(self) -> tuple[Any, ...]:
        names = self._input.table.names
        return tuple(self._chosen if names is None else [names[one] for one in self._chosen])

    def _search(self) -> Generator[Kind, None, None]:
        """The steps of the search; the file is complete when it is."""
        with ProofFile(self._path, HEADS[self._kind]) as self._file:
            if self._kind == "pbp":
                self._write(f"f {self._formula.constraints} ;\n".encode())
            try:
                for step in self._steps_of_plan():
                    if step is FOUND and self._any:
                        break  # the caller may not ask for more, which would leave the file open
                    yield step
            except GeneratorExit:  # closed before its end
                self._file.close(self._ending(complete=False))
                raise
            self._file.close(self._ending(complete=True))
        if self._any and self._found:
            yield FOUND
            raise InvalidArgument(
                "a proof of one solution ends with it, so the search cannot be continued; ask for "
                "all solutions"
            )

    def _ending(self, *, complete: bool) -> str:
        if self._kind == "drat":
            if complete and not self._found:
                return ""
            options = "".join(f"{one + 1} " for one in self._chosen)
            return f"c there is a solution: {options}0\n" if self._found else "c stopped\n"
        if self._any:
            solution = literals(self._formula.relations, self._chosen)
            conclusion = f"SAT : {solution}" if self._found else f"UNSAT : {self._last}"
            conclusion = conclusion if complete or self._found else "NONE"
        else:
            conclusion = f"ENUMERATION_PARTIAL {self._found}"
            if complete:
                conclusion = f"ENUMERATION_COMPLETE {self._found} : {self._last}"
        return f"output NONE ;\nconclusion {conclusion} ;\nend pseudo-Boolean proof ;\n"

    def _steps_of_plan(self) -> Generator[Kind, None, None]:
        """The methods of the plan, one after another or by turns."""
        if "in order" not in self._methods:
            yield from self._by_sat(inf)
            return
        if "certificates" in self._methods and self._kind == "pbp":
            certificates = Certificates(self._input)
            attempt = certificates.due
            for name in CERTIFICATES if certificates.pending else ():
                yield from self._by_kernel(attempt)
                if self._is_decided() or (yield from self._certified(name)):
                    return
                attempt *= 2
        learns = "sat" in self._methods and self._kind == "drat" and all(self._kept)
        due = Thresholds.sat if learns else UNLIMITED
        while True:
            yield from self._by_kernel(due)
            if self._is_decided():
                return
            if learns:
                yield from self._by_sat(sat_allowance(due))
                if self._sat is not None and self._sat.finished:
                    return
            due *= 2

    def _is_decided(self) -> bool:
        return self._kernel.exhausted or (self._any and self._found > 0)

    def _by_kernel(self, nodes: int) -> Generator[Kind, None, None]:
        """The kernel's search, up to a number of nodes in all, or if any will do to a solution."""
        while self._kernel.work[0] < nodes and not self._is_decided():
            text, chosen = self._kernel.run(nodes, TEXT, SLICE)
            self._write(text)
            if chosen is not None:
                self._chosen = chosen
                self._found += 1
                yield FOUND
            yield WORKED
        self._last = self._kernel.work[2]

    def _by_sat(self, allowance: float) -> Generator[Kind, None, None]:
        """The SAT solver, whose proof is known at its end."""
        if self._sat is None:
            table, _, given = self._input
            plain = SearchInput(table, NumberedProblem.of(table, None), given)
            self._sat = SatEngine(plain, len(table), proof=True)
            self._helpers = ("sat",)
        sat, found = self._sat, list[tuple[Any, ...]]()
        sat.allowance = None if allowance == inf else int(allowance)
        while not sat.finished and not found and sat.stats.updates < allowance:
            sat.run(Budget.of(1, SLICE), found)
            yield WORKED
        if found:
            self._chosen = sat.chosen
            self._found += 1
            yield FOUND
        elif sat.finished:
            self._write("".join(f"{step}\n" for step in sat.proof or ["0"]).encode())

    def _certified(self, name: str) -> Generator[Kind, None, bool]:
        """Whether there is a certificate of this kind; then it is written.

        Looking for it may take seconds: another thread does it, so that limits and signals act.
        """
        _, numbered, given = self._input
        refuter, modulus = numbered.problem.refuter(), CERTIFICATES[name]

        def look() -> Sequence[tuple[int, int]]:
            if modulus:
                return refuter.weights(self._kept, given, modulus, SECONDS)
            return refuter.prices(self._kept, given, SECONDS)[0]

        executor = ThreadPoolExecutor(1)
        try:
            looking = executor.submit(look)
            while not looking.done():
                wait([looking], SLICE)
                yield WORKED
        finally:
            executor.shutdown(wait=False)
        found = looking.result()
        if not found:
            return False
        items = numbered.items_by_rank()
        weights = {items[rank]: weight for rank, weight in found}
        add = self._add_by_prices if not modulus else partial(self._add_by_weights, modulus)
        add(weights)
        self._add("rup >= 1 ;")
        self._helpers = (name,)
        return True

    def _write(self, text: bytes) -> None:
        self._file.write(text)

    def _add(self, line: str) -> int:
        """Writes a line that adds a constraint; its number."""
        self._write(f"{line}\n".encode())
        self._last += 1
        return self._last

    def _add_by_prices(self, prices: dict[int, int]) -> None:
        """The sums of the items, times their prices, contradict each other."""
        rows = self._formula.rows
        parts = [f"{rows[item][one < 0]} {abs(one)} *" for item, one in prices.items()]
        self._add(f"pol {added(parts)} ;")

    def _add_by_weights(self, modulus: int, weights: dict[int, int]) -> None:
        """The sums, times their weights, count options by multiples of `modulus`, their total not.

        So both bounds of it, divided and rounded, contradict each other. Options of which givens
        have decided are taken out of the sums before.
        """
        table, _, given = self._input
        rows = self._formula.rows
        at_least = [f"{rows[item][0]} {weight} *" for item, weight in weights.items()]
        at_most = [f"{rows[item][1]} {weight} *" for item, weight in weights.items()]
        first_unit = self._formula.constraints - len(given) + 1
        times = table.entry_weight or bytes([1]) * len(table.entry_item)
        for option in range(len(table)) if given else ():
            entries = range(table.start[option], table.start[option + 1])
            total = sum(weights.get(table.entry_item[one], 0) * times[one] for one in entries)
            if total % modulus and option in given:
                at_least.append(f"~x{option + 1} {total} *")
                at_most.append(f"{first_unit + given.index(option)} {total} *")
            elif total % modulus:
                at_least.append(f"{self._add(f'rup 1 ~x{option + 1} >= 1 ;')} {total} *")
                at_most.append(f"x{option + 1} {total} *")
        self._add(f"pol {added(at_least)} {modulus} d {added(at_most)} {modulus} d + ;")


def added(parts: Sequence[str]) -> str:
    """Their sum, in reverse Polish notation."""
    return " ".join(f"{part} +" if place else part for place, part in enumerate(parts))
