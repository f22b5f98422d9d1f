"""The private attributes of `dlx` that tests look at, each read in this one place.

Tests use public names wherever these show the same. These functions are for tests of the layers
below `Problem` and `Search`: the kernel, the engines, the workers and the journals.
"""

from __future__ import annotations

from typing import Any

import dlx
from dlx.core.kernel import Problem as KernelProblem
from dlx.core.numbering import NumberedProblem, SearchInput
from dlx.core.table import Table
from dlx.search.options import SearchOptions

__all__ = [
    "batch_of",
    "columns_of",
    "engine_of",
    "input_of",
    "kernel_problem",
    "numbered",
    "problem_of",
    "search_input",
    "table_of",
]


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
