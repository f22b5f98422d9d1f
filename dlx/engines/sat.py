"""The engine "sat": CaDiCaL, through PySAT (the extra `sat`), on the clauses of a problem.

The solver learns a clause from every conflict (dead end), so it may prove with a thousand conflicts
what takes a backtracking search millions of nodes. It does not keep the order of solutions. Each
solution that it finds is excluded by one more clause.

PySAT holds the GIL while CaDiCaL runs, and CaDiCaL cannot be interrupted there. So it runs in *time
slices* of a few conflicts, between which signals are handled, limits are checked and other threads
run. The number of conflicts in a slice depends on the propagations of the last slice, never on
seconds, so a run can be repeated exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from dlx.core.stats import Stats
from dlx.engines.protocols import LearningEngine
from dlx.engines.stepping import WORKED, Step, SteppedEngine
from dlx.errors import InvalidArgument
from dlx.formats.clauses import clauses_of
from dlx.formats.relations import Relations, relate

if TYPE_CHECKING:
    from dlx.core.numbering import SearchInput

__all__ = ["SatEngine", "load_solver", "solver_is_installed"]

PAUSE = 2000  # clauses added to the solver between two checks of signals and limits
FIRST_SLICE = 20  # conflicts
LONGEST_SLICE = 2000
SHORT, LONG = 20_000, 100_000  # propagations: slices with fewer are lengthened, with more shortened

SETTINGS = {
    "lucky": 0,  # or CaDiCaL repeats its attempts at trivial assignments in every slice
    "phase": 0,  # first guess "false", since few options are chosen: 2 to 10 times as fast
}

INSTALL = "pip install 'python-sat>=1.8.dev25'"


FOUND, PAUSED = Step("solution"), Step("pause")


def load_solver() -> Callable[..., Any]:
    """The class of the solver CaDiCaL. Raises `InvalidArgument` if PySAT cannot be imported."""
    try:
        from pysat.solvers import Cadical195  # type: ignore[import-untyped]
    except ImportError as error:
        if isinstance(error, ModuleNotFoundError) and error.name in ("pysat", "pysat.solvers"):
            raise InvalidArgument(
                f"engine='sat' needs the package python-sat, which is not installed: {INSTALL}"
                f" ({error})"
            ) from None
        raise InvalidArgument(
            f"engine='sat' needs the package python-sat, which is installed but cannot be "
            f"imported: {error}"
        ) from error
    solver: Callable[..., Any] = Cadical195
    return solver


def solver_is_installed() -> bool:
    """Whether the engine "sat" can be used in this environment."""
    try:
        load_solver()
    except InvalidArgument:
        return False
    return True


class SatEngine(LearningEngine, SteppedEngine):
    """A search for solutions by CaDiCaL on the clauses of a problem.

    A solution begins with the givens; its other options follow in the order of the search.
    `without` are solutions, as indices, to be excluded. `stats` has the solver's decisions as
    nodes, its propagations as updates, and no profile.
    """

    def __init__(
        self,
        search_input: SearchInput,
        options: int,
        without: Sequence[Sequence[int]] = (),
        *,
        proof: bool = False,
    ) -> None:
        """A search with the first `options` options of the problem; with a proof, if wanted."""
        table, numbered, given = search_input
        self._conflicts = 0
        self.allowance: int | None = None  # pause at this number of propagations; None: never
        self._decisions = self._propagations = self._found = 0
        self._names = table.names
        self._given = list(given)
        self._order = range(options) if numbered.order is None else numbered.order
        self.chosen: list[int] = []
        """The options of the last solution, by index."""
        work = relate(table, options, numbered.rank, numbered.order)
        self.proof: list[str] | None = None
        """The steps of the solver's proof, in DRAT, if it was wanted and there is no solution."""
        solver = load_solver()
        make = partial(solver, with_proof=True) if proof else solver
        super().__init__(self._search(make, work, list(without)))

    out_of_order = True

    @property
    def stats(self) -> Stats:
        """Decisions (and the root) as nodes, propagations as updates; no profile."""
        nodes, updates, found = 1 + self._decisions, self._propagations, self._found
        return Stats(nodes, updates, found, (), self._seconds, self._conflicts, ("sat",))

    def _nodes(self) -> int:
        return 1 + self._decisions

    def _solution(self) -> tuple[Any, ...]:
        names = self._names
        return tuple(self.chosen if names is None else [names[i] for i in self.chosen])

    def _search(
        self,
        make_solver: Callable[[], Any],
        work: Generator[None, None, Relations],
        without: list[Sequence[int]],
    ) -> Generator[Step, None, None]:
        relations = yield from _stepped(work)
        loose = relations.loose()
        options = relations.options
        wanted = set(chain(self._given, *without))
        variable_of = {
            option: place for place, option in enumerate(self._order, start=1) if option in wanted
        }
        solver = make_solver()
        try:
            solver.configure(SETTINGS)
            for number, clause in enumerate(clauses_of(relations), start=1):
                if not clause:
                    return  # the empty clause: no solution
                solver.add_clause(clause)
                if number % PAUSE == 0:
                    yield WORKED
            del relations  # most of the memory: the solver has the clauses
            for option in self._given:
                solver.add_clause([variable_of[option]])
            for known in without:
                if not self._exclude(solver, loose, [variable_of[option] for option in known]):
                    return
            while (yield from self._run(solver)):
                true = [v for v in solver.get_model()[:options] if v > 0]
                self.chosen = self._ordered(true)
                self._found += 1
                yield FOUND
                yield WORKED  # another solution may come at once
                if not self._exclude(solver, loose, true):
                    return
            self.proof = solver.get_proof()
        finally:
            solver.delete()

    def _run(self, solver: Any) -> Generator[Step, None, bool]:
        """Runs the solver in slices until it decides whether there is a (further) solution."""
        conflicts = FIRST_SLICE
        while True:
            solver.conf_budget(conflicts)
            verdict: bool | None = solver.solve_limited()
            before = self._propagations
            self._note_work(solver.accum_stats())
            if verdict is not None:
                return verdict
            if self.allowance is not None and self._propagations >= self.allowance:
                yield PAUSED
            else:
                yield WORKED
            taken = self._propagations - before
            if taken < SHORT:
                conflicts = min(2 * conflicts, LONGEST_SLICE)
            elif taken > LONG:
                conflicts = max(conflicts // 2, 1)

    def _note_work(self, stats: dict[str, int]) -> None:
        self._decisions = stats["decisions"]
        self._propagations = stats["propagations"]
        self._conflicts = stats["conflicts"]

    def _ordered(self, variables: list[int]) -> list[int]:
        given = set(self._given)
        chosen = (self._order[variable - 1] for variable in variables)
        return self._given + [option for option in chosen if option not in given]

    def _exclude(self, solver: Any, loose: set[int], chosen: list[int]) -> bool:
        """Adds the clause that excludes a solution; False if no other solution is possible.

        `loose` are the options that another solution may have in addition (`Relations.loose`).
        """
        clause = [-variable for variable in chosen]
        clause += sorted(loose.difference(chosen))
        if clause:
            solver.add_clause(clause)
        return bool(clause)


def _stepped(work: Generator[None, None, Relations]) -> Generator[Step, None, Relations]:
    """Runs a generator and returns its result; each of its pauses is a step of the search."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: Relations = end.value
            return result
        yield WORKED
