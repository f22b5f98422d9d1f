"""What some questions cannot be asked of, said in one way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dlx.errors import InvalidArgument

if TYPE_CHECKING:
    from dlx.table import Table

__all__ = ["refuse_multiplicities"]


def refuse_multiplicities(table: Table, question: str) -> None:
    """Raises `InvalidArgument` if items are to be covered another number of times than once.

    Random descents, refutations and branch and bound know plain items only.
    """
    if table.has_multiplicities:
        raise InvalidArgument(
            f"{question} does not know multiplicities: all primary items must be covered exactly "
            "once"
        )
