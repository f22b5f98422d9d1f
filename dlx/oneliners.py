"""One call from options to answers, for when a `Problem` of one's own is not needed."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from dlx.problem import Problem
from dlx.search import Search, Solution

if TYPE_CHECKING:
    from dlx.multiplicity import Multiplicity

__all__ = ["count", "solutions", "solve"]

Options = Iterable[Iterable[Hashable]] | Mapping[Any, Iterable[Hashable]]


def solve(
    options: Options,
    *,
    primary: Iterable[Hashable] | None = None,
    secondary: Iterable[Hashable] = (),
    multiplicities: Mapping[Any, Multiplicity] | None = None,
    **search: Any,
) -> Solution | None:
    """The first solution, or None: `Problem.from_options(...).solve(...)`.

    >>> import dlx
    >>> dlx.solve([["a", "c"], ["b"], ["a", "b"]])
    (0, 1)
    """
    return _problem(options, primary, secondary, multiplicities).solve(**search)


def solutions(
    options: Options,
    *,
    primary: Iterable[Hashable] | None = None,
    secondary: Iterable[Hashable] = (),
    multiplicities: Mapping[Any, Multiplicity] | None = None,
    **search: Any,
) -> Search:
    """All solutions, lazily: `Problem.from_options(...).solutions(...)`.

    >>> import dlx
    >>> list(dlx.solutions({"left": ["a"], "right": ["a"]}))
    [('left',), ('right',)]
    """
    return _problem(options, primary, secondary, multiplicities).solutions(**search)


def count(
    options: Options,
    *,
    primary: Iterable[Hashable] | None = None,
    secondary: Iterable[Hashable] = (),
    multiplicities: Mapping[Any, Multiplicity] | None = None,
    **search: Any,
) -> int:
    """The number of solutions: `Problem.from_options(...).count(...)`.

    >>> import dlx
    >>> dlx.count([["a"], ["a"], ["b"]])
    2
    >>> dlx.count([["a"], ["a"], ["b"]], multiplicities={"a": 2})
    1
    """
    return _problem(options, primary, secondary, multiplicities).count(**search)


def _problem(
    options: Options,
    primary: Iterable[Hashable] | None,
    secondary: Iterable[Hashable],
    multiplicities: Mapping[Any, Multiplicity] | None,
) -> Problem:
    return Problem.from_options(
        options, primary=primary, secondary=secondary, multiplicities=multiplicities
    )
