"""The options of a problem, to look at."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from dlx.table import Table

__all__ = ["Options"]


class Options(Sequence[tuple[Hashable, ...]]):
    """The options of a problem, made into tuples of items as they are looked at."""

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
        numbers = range(len(self._table))[index]
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
