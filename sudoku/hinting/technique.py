"""`Technique`, and the decorators that register techniques where they are defined.

    @technique("X-wing", "0300", "hard", 140, size=2)
    def basic_fish(position: Position, size: int) -> Iterator[Deduction]: ...

`sudoku.hinting.registry` has their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Literal, NamedTuple, TypeVar

from sudoku.hinting.deduction import Deduction, changes_of
from sudoku.hinting.position import Changes, Position

__all__ = ["BANDS", "Technique", "registered", "technique", "together"]

Band = Literal["gentle", "easy", "medium", "hard", "expert", "extreme"]
Find = TypeVar("Find", bound=Callable[..., Iterator[Deduction]])
All = TypeVar("All", bound=Callable[..., Changes])

BANDS: tuple[Band, ...] = ("gentle", "easy", "medium", "hard", "expert", "extreme")
"""The difficulties, from the easiest; that of a puzzle is the band of its hardest technique."""


class Technique(NamedTuple):
    """A solving technique: its name, its difficulty, and the functions that find it."""

    name: str
    """As in `Step.technique`."""
    code: str
    """Its code in HoDoKu; `""` if HoDoKu does not have it."""
    band: str
    """One of `BANDS`."""
    score: int
    """The score of one step: one digit placed, or one round of removals."""
    find: Callable[[Position], Iterator[Deduction]]
    """Yields all its deductions in a position."""
    all: Callable[[Position], Changes] | None = None
    """Returns the changes of all its deductions together; None if that is not faster."""
    use: str = "usual"
    """`"usual"`: for hints and ratings. `"proof"`: for hints; ratings take the next technique.
    `"rating"`: for ratings; for hints it belongs to the next technique.
    `"rare"`: for hints with `every=True`, since it is slow or little known. `"variant"`: never
    tried, since other techniques find the same."""
    rules: bool = False
    """Whether it finds something only in layouts with rules besides marks."""

    def deduce(self, position: Position) -> Changes:
        """The changes of all its deductions in a position, together."""
        if self.all is not None:
            return self.all(position)
        return changes_of(position, self.find(position))


_FOUND: dict[str, Technique] = {}
_TOGETHER: dict[str, Callable[[Position], Changes]] = {}


def technique(
    name: str,
    code: str,
    band: Band,
    score: int,
    /,
    *,
    use: Literal["usual", "proof", "rating", "rare", "variant"] = "usual",
    rules: bool = False,
    named: bool = False,
    **arguments: Any,
) -> Callable[[Find], Find]:
    """Registers a function as `Technique.find` of a technique of that name.

    The function is called with a position and these arguments; with `named`, also with `name`.
    """

    def register(find: Find) -> Find:
        more = {**arguments, "name": name} if named else arguments
        _FOUND[name] = Technique(name, code, band, score, _with(find, more), None, use, rules)
        return find

    return register


def together(name: str, /, **arguments: Any) -> Callable[[All], All]:
    """Registers a function as `Technique.all` of the technique of that name."""

    def register(every: All) -> All:
        _TOGETHER[name] = _with(every, arguments)
        return every

    return register


def _with(function: Callable[..., Any], arguments: dict[str, Any]) -> Callable[..., Any]:
    return partial(function, **arguments) if arguments else function


def registered() -> dict[str, Technique]:
    """The techniques of all modules that have been imported, by name."""
    return {name: found._replace(all=_TOGETHER.get(name)) for name, found in _FOUND.items()}
