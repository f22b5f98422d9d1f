"""Parts of a search: how they are represented, split, and checked against a problem.

A search tries options in order, so its path from the root determines what is left to do. Here it
has taken b of item 0 and d of item 3, and has finished e of item 5::

                        root
            item 0:   a  [b]  c               path ((0, b), (3, d), (5, e))
                    done  |   later
            item 3:      [d]  g               left: f, then g, then c, with all below them
                          |   later
            item 5:      [e]  f
                        done  later

Left is what comes after the path in visiting order and shares the first `floor` decisions with the
path. With floor 0 that is f, g and c; with floor 1, which requires (0, b), it is f and g. So
raising the floor splits a part into two, without searching either. All of the first comes before
the second::

    path ((0, b), (3, d), (5, e)), floor 0  =  the same path, floor 1     f and g
                                            +  path ((0, b),), floor 0    c

A path no longer than its floor means a whole subtree: its root, which is the last decision, and all
nodes below. An empty path means the whole search.

A path contains the items that were chosen, so parts fit together whatever heuristic chose them.
Its numbers are valid for one problem, one seed and one set of givens.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

from dlx.errors import InvalidPart, counted, quote
from dlx.named_tuple import NamedTuple

if TYPE_CHECKING:
    from dlx.core.numbering import NumberedProblem
    from dlx.core.table import Table

__all__ = ["Decision", "NO_MORE", "Part", "check_part", "parts_at", "split_at_floor"]

Decision = tuple[int, int]
"""An item, by its number in search order, and an option of it, by its index.

Two numbers are not options. -1: the item was chosen, but none of its options has been tried.
-2: no further option of an item that may be covered several times.
"""

NONE_YET, NO_MORE = -1, -2  # see Decision
LARGEST = 2**31


class Part(NamedTuple):
    """A part of the search for all solutions of a problem: a small tuple, easy to send.

    `Problem.split` makes parts; `Problem.solutions(part=...)` and `Problem.count(part=...)` search
    them, here or on another machine that builds the same problem in the same way.

    path
        Decisions from the root of the search down: pairs of an item and an option, without givens.
    floor
        The part is everything that shares the first `floor` decisions of the path and comes after
        the path in visiting order. If the path has no more than `floor` decisions, the part is
        everything that shares them.

    `Part()` is the whole search.

    >>> import dlx
    >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
    >>> list(problem.solutions(part=dlx.Part()))
    [(0, 1), (0, 3), (2,)]
    >>> list(problem.solutions(part=dlx.Part(path=((0, 0),), floor=1)))
    [(0, 1), (0, 3)]
    >>> list(problem.solutions(part=dlx.Part(path=((0, 0),), floor=0)))
    [(2,)]
    """

    path: tuple[Decision, ...] = ()
    floor: int = 0

    @property
    def is_subtree(self) -> bool:
        """Whether it is a whole subtree, with its root."""
        return len(self.path) == self.floor


def parts_at(position: tuple[Sequence[Decision], int] | None) -> tuple[Part, ...]:
    """What is left at the `position` of an engine: one part, or none."""
    return () if position is None else (Part(tuple(position[0]), position[1]),)


def split_at_floor(part: Part) -> list[Part]:
    """A part split into two, in visiting order; or the part itself if its floor cannot be raised.

    The first part shares one more decision with the path, and may be split again. The second part
    is the rest, and cannot be split here. Either may be empty, unless the part is an engine's
    `position`. O(path).

    >>> split_at_floor(Part(((0, 4), (3, 1), (5, 7)), 0))
    [Part(path=((0, 4), (3, 1), (5, 7)), floor=1), Part(path=((0, 4),), floor=0)]
    >>> split_at_floor(Part(((0, 4), (3, 1)), 1))
    [Part(path=((0, 4), (3, 1)), floor=1)]
    """
    path, floor = part
    if len(path) <= floor + 1:
        return [part]
    return [Part(path, floor + 1), Part(path[: floor + 1], floor)]


def check_part(table: Table, numbered: NumberedProblem, given: Sequence[int], part: object) -> Part:
    """`part`, if it fits this problem and these givens (by index). Raises `InvalidPart` otherwise.

    Checks numbers and clashes. Whether a search can reach the path, only an engine finds out.
    O(items + entries of the path's options).
    """
    if not _is_part(part):
        raise InvalidPart(f"part is {quote(part)}; it must be a dlx.Part")
    path, floor = part
    if not 0 <= floor <= len(path):
        raise InvalidPart(f"the floor of a part is {floor}, and its path has length {len(path)}")
    options: list[int] = []
    for place, (rank, option) in enumerate(path):
        item = _item_of(table, numbered, rank, place)
        if option >= 0:
            _check_option(table, item, option, place)
            options.append(option)
        elif option != NO_MORE and (option != NONE_YET or place + 1 < len(path) or part.is_subtree):
            raise InvalidPart(f"decision {place} of a part has the invalid option {option}")
    clash = numbered.problem.clash([*given, *options])
    if clash is not None:
        names = [quote(table.name_of([*given, *options][place])) for place in clash[:2]]
        raise InvalidPart(
            f"the options {names[0]} and {names[1]}, in the path of a part or given, clash; was "
            "the part made with other givens?"
        )
    return part


def _is_part(part: object) -> TypeGuard[Part]:
    """Whether it is a `Part` of the right structure, all integers within 32 bits."""
    if not isinstance(part, Part):
        return False
    path: Any = part.path
    if not isinstance(path, tuple):
        return False
    if not all(isinstance(pair, tuple) and len(pair) == 2 for pair in path):
        return False
    numbers = [part.floor, *(number for pair in path for number in pair)]
    return all(type(number) is int and -LARGEST <= number < LARGEST for number in numbers)


def _item_of(table: Table, numbered: NumberedProblem, rank: int, place: int) -> int:
    """The item of a rank, by its number in the table."""
    if 0 <= rank < table.secondary.count(0):
        return numbered.rank.index(rank)
    raise InvalidPart(
        f"decision {place} of a part is about item {rank}, and the problem has "
        f"{counted(table.secondary.count(0), 'primary item')}"
    )


def _check_option(table: Table, item: int, option: int, place: int) -> None:
    if option >= len(table):
        raise InvalidPart(
            f"decision {place} of a part takes option {option}, and the problem has {len(table)}"
        )
    if item not in table.entry_item[table.start[option] : table.start[option + 1]]:
        raise InvalidPart(
            f"decision {place} of a part takes option {quote(table.name_of(option))} for item "
            f"{quote(table.items[item])}, which is not in it; was it made with another seed?"
        )
