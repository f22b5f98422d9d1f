"""The type of a problem's option names, for type checkers: `Problem[Name]` is generic in it.

A problem made of a mapping has the type of its keys, one made of options without names has `int`:
their indices. Where nothing tells, as in `Problem()`, it is `Any`: a default that type variables
have since Python 3.13, and that type checkers know from typing_extensions.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    Name = TypeVar("Name", bound=Hashable, default=Any)
    OtherName = TypeVar("OtherName", bound=Hashable, default=int)
    """The names of a problem that a class method or a function makes."""
    Cost = TypeVar("Cost", default=int)
    """The costs of a ranking: integers, unless the call has others."""
else:
    from typing import TypeVar

    Name = TypeVar("Name", bound=Hashable)
    OtherName = TypeVar("OtherName", bound=Hashable)
    Cost = TypeVar("Cost")

Solution = tuple[Name, ...]
"""The names of the chosen options, in the order in which they were chosen."""

MaybeNone = Any
"""None, in the type of a result that callers usually know not to be None.

As in typeshed: `for piece, cells in problem.solve()` needs no test for None to pass a type checker,
and `piece` has its type.
"""

__all__ = ["Cost", "MaybeNone", "Name", "OtherName", "Solution"]
