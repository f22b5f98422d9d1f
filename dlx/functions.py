"""`solve`, `solutions` and `count`: a problem from options, and the answer, in one call.

Their keywords are `primary`, `secondary` and `multiplicities`, as `dlx.Problem` has them, and those
of its method of the same name.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, overload

from dlx.problem import Problem

if TYPE_CHECKING:
    from typing import Unpack

    from dlx.core.multiplicity import Multiplicity
    from dlx.core.name_types import MaybeNone, OtherName, Solution
    from dlx.keywords import (
        CountKeywords,
        SolutionsFunctionKeywords,
        SolutionsKeywords,
        SolveFunctionKeywords,
        SolveKeywords,
    )
    from dlx.problem import OptionsLike
    from dlx.search.search import Search

__all__ = ["count", "solutions", "solve"]


@overload
def solve(
    options: Mapping[OtherName, Iterable[Hashable]],
    **keywords: Unpack[SolveFunctionKeywords[OtherName]],
) -> Solution[OtherName] | MaybeNone: ...
@overload
def solve(
    options: Iterable[Iterable[Hashable]], **keywords: Unpack[SolveFunctionKeywords[int]]
) -> Solution[int] | MaybeNone: ...
def solve(
    options: OptionsLike,
    *,
    primary: Iterable[Hashable] | None = None,
    secondary: Iterable[Hashable] = (),
    multiplicities: Mapping[Any, Multiplicity] | None = None,
    **search: Unpack[SolveKeywords[Any]],
) -> Solution[Any] | None:
    """The first solution, or None: `Problem.from_options(...).solve(...)`.

    >>> import dlx
    >>> dlx.solve([["a", "c"], ["b"], ["a", "b"]])
    (0, 1)
    """
    return _problem(options, primary, secondary, multiplicities).solve(**search)


@overload
def solutions(
    options: Mapping[OtherName, Iterable[Hashable]],
    **keywords: Unpack[SolutionsFunctionKeywords[OtherName]],
) -> Search[OtherName]: ...
@overload
def solutions(
    options: Iterable[Iterable[Hashable]], **keywords: Unpack[SolutionsFunctionKeywords[int]]
) -> Search[int]: ...
def solutions(
    options: OptionsLike,
    *,
    primary: Iterable[Hashable] | None = None,
    secondary: Iterable[Hashable] = (),
    multiplicities: Mapping[Any, Multiplicity] | None = None,
    **search: Unpack[SolutionsKeywords[Any]],
) -> Search[Any]:
    """A lazy iterator over all solutions: `Problem.from_options(...).solutions(...)`.

    >>> import dlx
    >>> list(dlx.solutions({"left": ["a"], "right": ["a"]}))
    [('left',), ('right',)]
    """
    return _problem(options, primary, secondary, multiplicities).solutions(**search)


def count(
    options: OptionsLike,
    *,
    primary: Iterable[Hashable] | None = None,
    secondary: Iterable[Hashable] = (),
    multiplicities: Mapping[Any, Multiplicity] | None = None,
    **search: Unpack[CountKeywords[Any]],
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
    options: OptionsLike,
    primary: Iterable[Hashable] | None,
    secondary: Iterable[Hashable],
    multiplicities: Mapping[Any, Multiplicity] | None,
) -> Problem[Any]:
    return Problem.from_options(
        options, primary=primary, secondary=secondary, multiplicities=multiplicities
    )
