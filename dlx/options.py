"""The options of a problem, to look at."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, overload

from dlx.errors import quote

if TYPE_CHECKING:
    from dlx.table import Table

__all__ = ["Options"]


class Options(Sequence[tuple[Hashable, ...]]):
    """The options of a problem, made into tuples of items as they are looked at.

    A sequence: options are found by number. For those by name, `Problem.index_of` has the number.

    >>> import dlx
    >>> problem = dlx.Problem.from_options({"x": ["a"], "y": ["b", "c"]})
    >>> problem.options[1], problem.options[problem.index_of("y")]
    (('b', 'c'), ('b', 'c'))
    """

    __slots__ = ("_table",)

    def __init__(self, table: Table) -> None:
        self._table = table

    def __len__(self) -> int:
        return len(self._table)

    @overload
    def __getitem__(self, index: int) -> tuple[Hashable, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[tuple[Hashable, ...], ...]: ...
    def __getitem__(
        self, index: int | slice
    ) -> tuple[Hashable, ...] | tuple[tuple[Hashable, ...], ...]:
        try:
            numbers = range(len(self._table))[index]
        except TypeError:
            raise TypeError(
                f"options are numbered from 0, and {quote(index)} is neither a number nor a slice; "
                "for an option by its name, use options[problem.index_of(name)]"
            ) from None
        except IndexError:
            raise IndexError(
                f"there is no option {index}; the problem has {len(self)}, numbered from 0"
            ) from None
        if isinstance(numbers, range):
            return tuple(map(self._table.entries, numbers))
        return self._table.entries(numbers)

    def __iter__(self) -> Iterator[tuple[Hashable, ...]]:
        return map(self._table.entries, range(len(self._table)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str | bytes):
            return NotImplemented
        return len(self) == len(other) and all(
            mine == theirs for mine, theirs in zip(self, other, strict=True)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<dlx options: {len(self)}>"
