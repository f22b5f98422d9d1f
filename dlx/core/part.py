"""A part of a search: what it is, how it is split, and which problem it may belong to.

A search that tries options in order needs no more than its path from the root to say what is left
to do. Here it has taken b of item 0 and d of item 3, and of item 5 it has tried e, to the end::

                        root
            item 0:   a  [b]  c               path ((0, b), (3, d), (5, e))
                    done  |   later
            item 3:      [d]  g               left: f, then g, then c, with all below them
                          |   later
            item 5:      [e]  f
                        done  later

Left is what comes after the path in visiting order, as far as it shares the first `floor` decisions
with it. With floor 0 that is f, g and c; with floor 1, which asks for (0, b), it is f and g. So a
part falls into two by raising its floor, one of which comes wholly before the other, and neither of
which needs to be looked at for that::

    path ((0, b), (3, d), (5, e)), floor 0  =  the same path, floor 1     f and g
                                            +  path ((0, b),), floor 0    c

A path no longer than its floor is a whole subtree: its root, which is the last decision, and all
below. Without decisions that is the whole search.

Since a part keeps the items that were chosen above it, parts fit together whatever chose them. But
they are in the numbers of one problem, searched with one seed and one set of givens.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from dlx.errors import InvalidPart, counted, quote

if TYPE_CHECKING:
    from dlx.core.numbering import NumberedProblem
    from dlx.core.table import Table

__all__ = ["Decision", "Part", "check_part", "split_at_floor"]

Decision = tuple[int, int]
"""An item, by its number in search order, and an option of it, by its index.

-1 in the place of an option: the item was chosen, but none of its options has been tried. -2: no
further option of an item that may be covered several times.
"""

NONE_YET, NO_MORE = -1, -2
LARGEST = 2**31


class Part(NamedTuple):
    """A part of the search for all solutions of a problem: small, and made to travel.

    Comes from `Problem.split`, and is searched by `Problem.solutions(part=...)` and
    `Problem.count(part=...)`, here or on another machine, where the same problem has been made in
    the same way.

    path
        Decisions from the root of the search on: pairs of an item and an option. (Givens are not
        among them.)
    floor
        The part is what comes after the path in visiting order among all that shares the first
        `floor` decisions with it; or, if there are no more than these, all that shares them.

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
        """Is it a whole subtree, with its root?"""
        return len(self.path) == self.floor


def split_at_floor(part: Part) -> list[Part]:
    """The parts that a part consists of, in visiting order: two, or one that cannot be split so.

    What shares one more decision with the path comes first; it may be split in its turn. The second
    is what is left below the floor itself, and cannot. Either may turn out to have nothing in it,
    unless the part is as an engine's `position` tells it. O(path).

    >>> split_at_floor(Part(((0, 4), (3, 1), (5, 7)), 0))
    [Part(path=((0, 4), (3, 1), (5, 7)), floor=1), Part(path=((0, 4),), floor=0)]
    >>> split_at_floor(Part(((0, 4), (3, 1)), 1))
    [Part(path=((0, 4), (3, 1)), floor=1)]
    """
    path, floor = part
    if len(path) <= floor + 1:
        return [part]
    return [Part(path, floor + 1), Part(path[: floor + 1], floor)]


def check_part(table: Table, prepared: NumberedProblem, given: Sequence[int], part: object) -> Part:
    """`part`, if a search of this problem with these givens (by index) may consist of it.

    That its path leads into no dead end only an engine finds out. Otherwise raises `InvalidPart`.
    O(items + entries of the path's options).
    """
    if not _is_part(part):
        raise InvalidPart(f"part is {quote(part)}; it must be a dlx.Part")
    path, floor = part
    if not 0 <= floor <= len(path):
        raise InvalidPart(f"the floor of a part is {floor}, and its path has length {len(path)}")
    options: list[int] = []
    for place, (rank, option) in enumerate(path):
        item = _item_of(table, prepared, rank, place)
        if option >= 0:
            _check_option(table, item, option, place)
            options.append(option)
        elif option != NO_MORE and (option != NONE_YET or place + 1 < len(path) or part.is_subtree):
            raise InvalidPart(f"decision {place} of a part has the option {option}, which is none")
    clash = prepared.problem.clash([*given, *options])
    if clash is not None:
        names = [quote(table.name_of([*given, *options][place])) for place in clash[:2]]
        raise InvalidPart(
            f"the options {names[0]} and {names[1]} in the path of a part, or given, clash; was it "
            "made with other givens?"
        )
    return part


def _is_part(part: object) -> TypeGuard[Part]:
    """Does it consist of integers of the kernel's size, in the right places?"""
    if not isinstance(part, Part):
        return False
    path: Any = part.path
    if not isinstance(path, tuple):
        return False
    if not all(isinstance(pair, tuple) and len(pair) == 2 for pair in path):
        return False
    numbers = [part.floor, *(number for pair in path for number in pair)]
    return all(type(number) is int and -LARGEST <= number < LARGEST for number in numbers)


def _item_of(table: Table, prepared: NumberedProblem, rank: int, place: int) -> int:
    """The item of a rank, by its number in the table."""
    if 0 <= rank < table.secondary.count(0):
        return prepared.rank.index(rank)
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
