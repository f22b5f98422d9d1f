"""The private attributes of `dlx` that tests look at, each read in this one place.

Tests use public names wherever these show the same. These functions are for tests of the layers
below `Problem` and `Search`: the kernel, the engines, the workers and the journals.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import dlx
from dlx.checkpoint.engine import JournalEngine
from dlx.core.budget import Budget
from dlx.core.kernel import Problem as KernelProblem
from dlx.core.numbering import NumberedProblem, SearchInput
from dlx.core.table import Table
from dlx.parallel import remote
from dlx.parallel.driver import Driver
from dlx.parallel.pool import WorkerPool
from dlx.search.options import SearchOptions
from dlx.search.progress import ProgressMonitor


def table_of(problem: dlx.Problem) -> Table:
    """The items and options of the problem."""
    return problem._table


def problem_of(table: Table) -> dlx.Problem:
    """The problem with these items and options."""
    return dlx.Problem._of_table(table)


def numbered(problem: dlx.Problem, seed: int | None = None) -> NumberedProblem:
    """The problem with the numbers that a search with this seed gives to its items."""
    return problem._prepare(seed)


def kernel_problem(problem: dlx.Problem, seed: int | None = None) -> KernelProblem:
    """The problem as the kernel has it, for a search with this seed."""
    return numbered(problem, seed).problem


def search_input(problem: dlx.Problem, seed: int | None = None) -> SearchInput:
    """What an engine starts from: the problem, without givens."""
    return SearchInput(table_of(problem), numbered(problem, seed), [])


def input_of(problem: dlx.Problem, options: SearchOptions) -> SearchInput:
    """What an engine starts from, as `Problem` prepares it from the arguments of a call."""
    return problem._input(options)


def engine_of(search: dlx.Search) -> Any:
    """The engine that searches."""
    return search._engine


def batch_of(answers: Any) -> Any:
    """The kernel's batch from which the answers of `solve_many` come."""
    return answers._batch


def columns_of(diagram: dlx.Diagram) -> Any:
    """The columns of the diagram: for each node its option, `low` and `high`, and the root."""
    return diagram._columns


def variables_of(diagram: dlx.Diagram) -> list[int] | None:
    """The options in the order in which the diagram decides about them."""
    return diagram._variables


def replace_engine(search: dlx.Search, engine: Any) -> None:
    """Has another engine search, such as one that wraps `engine_of(search)`."""
    search._engine = engine


def monitor_of(search: dlx.Search) -> ProgressMonitor:
    """What calls the `progress` of a search."""
    assert search._monitor is not None
    return search._monitor


def replace_batch(answers: Any, batch: Any) -> None:
    """Has the answers of `solve_many` come from another batch."""
    answers._batch = batch


def source_of(answers: Any) -> Any:
    """What sends sets of givens to the batch."""
    return answers._source


def send_sets(answers: Any) -> None:
    """Sends sets of givens to the workers, as the first call of `next` does."""
    answers._feed()


def pool_of(search: Driver | dlx.Search) -> WorkerPool | None:
    """The workers of a search; None as long as the calling thread searches alone."""
    driver = search if isinstance(search, Driver) else engine_of(search)
    assert isinstance(driver, Driver)
    return driver._pool


def start_pool(driver: Driver) -> None:
    """Starts the workers, as soon as the calling thread has searched for a while."""
    driver._start_pool()


def is_paused(pool: WorkerPool) -> bool:
    """Have the workers been called back, because no caller wants solutions?"""
    return pool._paused


def idle_workers(pool: WorkerPool) -> int:
    """The number of workers that wait for work."""
    return len(pool._idle)


def number_of_cached_specs() -> int:
    """How many specifications of engines this process keeps, as a worker of an executor."""
    return len(remote._cache)


def search_in(engine: JournalEngine) -> Any:
    """What searches for the journal: a driver with its workers, or None."""
    return engine._driver


def search_one_slice(engine: JournalEngine) -> None:
    """Searches until the journal is written to."""
    engine._continue(Budget())


def slice_with_claim(engine: Any, claim: dict[str, str]) -> Any:
    """A slice of no steps of a search in Python; what runs or settles it first claims it there."""
    part = type(engine._slice)(iter(()), Budget(1), lambda: None, lambda: False)
    part._claim = claim
    return part


def visits_of(interrupted: dlx.MinimumInterrupted) -> Iterator[Any]:
    """The generator by which the search for a minimum in Python continues."""
    continuation: Any = interrupted._continuation
    visits: Iterator[Any] = continuation._minimizer._visits
    return visits
