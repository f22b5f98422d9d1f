"""The symmetries of a problem: see `Problem.symmetries` and docs/symmetry.md.

The kernel finds generators of the group and its order (`dlx/cpp/symmetry/search.hpp`). There,
equal options are one element, and so are equal items; here, transpositions of neighbors in each
class of equal elements are added to the generators. If the caller gives generators, the kernel
finds the order of the group that they generate (`dlx/cpp/symmetry/permutation_group.hpp`).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from dlx.analysis.symmetry.images import ImageFinder, Images
from dlx.analysis.symmetry.kinds import STRUCTURE, item_kinds, kernel_limits, option_kinds
from dlx.analysis.symmetry.rotations import rotations
from dlx.core.arguments import is_list_like
from dlx.core.givens import check_forbidden
from dlx.core.kernel import PermutationGroup
from dlx.core.numbering import NumberedProblem
from dlx.core.verify import check_solution
from dlx.errors import InvalidArgument, counted, quote

if TYPE_CHECKING:
    from dlx.core.numbering import SearchInput
    from dlx.core.table import Table
    from dlx.search.options import SearchOptions
    from dlx.search.search import Solution

__all__ = [
    "MOST_ELEMENTS",
    "OptionGroup",
    "Symmetries",
    "Symmetry",
    "SymmetryArguments",
    "find_symmetries",
    "order_text",
]

MOST_ELEMENTS: Final = 100_000
"""The largest order of a group of which iteration returns the elements."""

COMPARED: Final = ("items", *STRUCTURE, "names")
"""The columns of tables in which the problem of a group and that of a search must agree."""

MOST_IMAGES: Final = 2 * 10**8
"""The most images that the generators of a group of options have together: 4 bytes each, twice."""

Pairs = tuple[tuple[int, int], ...]
"""The elements that a permutation moves, each with its image."""

Moves = tuple[Pairs, Pairs]
"""A permutation of items and options, by number and by index."""


class OptionGroup(NamedTuple):
    """A group of permutations of options.

    generators
        The images of all options, by index.
    factors
        Numbers whose product is the order of the group.
    """

    generators: list[array[int]]
    factors: list[int]


class Symmetry:
    """A permutation of options and items that maps the problem to itself.

    `options` and `items` are read-only mappings of the names of those that it moves to their
    images. Made by `Symmetries`.
    """

    __slots__ = ("_group", "items", "options")

    options: Mapping[Hashable, Hashable]
    items: Mapping[Hashable, Hashable]
    _group: object  # the `Symmetries` that made it, and need not check it again

    def __init__(
        self,
        options: Mapping[Hashable, Hashable],
        items: Mapping[Hashable, Hashable],
        group: object = None,
    ) -> None:
        for slot, value in (
            ("options", MappingProxyType(dict(options))),
            ("items", MappingProxyType(dict(items))),
            ("_group", group),
        ):
            object.__setattr__(self, slot, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a symmetry cannot be changed: {name}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Symmetry):
            return NotImplemented
        return self.options == other.options and self.items == other.items

    def __hash__(self) -> int:
        return hash((frozenset(self.options.items()), frozenset(self.items.items())))

    def __reduce__(self) -> tuple[Any, ...]:
        return Symmetry, (dict(self.options), dict(self.items))

    def __repr__(self) -> str:
        return f"<dlx symmetry: options {dict(self.options)!r}, items {dict(self.items)!r}>"


class _Found(NamedTuple):
    """A group of permutations of items and options."""

    moves: list[Moves]  # generators
    factors: list[int]  # their product is the order
    option_factors: list[int] | None  # of the order on the options alone; None: not known
    complete: bool
    contains: Callable[[Images, bool], bool]
    """Is there an element with these images of items and options? True: of the options alone."""


class Symmetries:
    """The symmetries of a problem, a group; see `Problem.symmetries`.

    It describes the problem as it was then. `str` says the order and the numbers of orbits.
    """

    __slots__ = ("__weakref__", "_arguments", "_finder", "_found", "_table")

    def __init__(
        self,
        table: Table,
        given: Iterable[int],
        costs: bool,
        limits: tuple[int, int],
        moves: list[Moves] | None = None,
        forbid: Iterable[int] = (),
    ) -> None:
        """With `moves`, generators by number, the group that they generate."""
        self._arguments = table, tuple(given), costs, limits, moves, tuple(forbid)
        self._table = table
        self._finder: ImageFinder | None = None
        self._found = self._search() if moves is None else _generated(table, moves)

    def _search(self) -> _Found:
        """All symmetries, as far as the limits allow."""
        table, given, costs, limits, _, forbid = self._arguments
        numbered = NumberedProblem.of(table, None)
        by_rank = item_kinds(table, numbered)
        kinds = option_kinds(table, given, forbid, costs=costs)
        kernel = numbered.problem.symmetries(by_rank, kinds, *limits)
        number_at = numbered.items_by_rank()
        equal_items, equal_options = kernel.equal_elements()
        moves: list[Moves] = [
            (tuple((number_at[one], number_at[other]) for one, other in items), tuple(options))
            for items, options in kernel.generators()
        ]
        for members in equal_items:
            for one, other in pairwise(number_at[rank] for rank in members):
                moves.append((((one, other), (other, one)), ()))
        for members in equal_options:
            for one, other in pairwise(members):
                moves.append(((), ((one, other), (other, one))))

        def contains(images: Images, options_only: bool) -> bool:
            by_rank = [0] * len(numbered.rank)
            for number, image in enumerate(images[0]):
                by_rank[numbered.rank[number]] = numbered.rank[image]
            return kernel.contains(by_rank, images[1])

        option_factors = [*kernel.orbit_lengths, *_factorials(equal_options)]
        factors = [*option_factors, *_factorials(equal_items)]
        return _Found(moves, factors, option_factors, kernel.complete, contains)

    @property
    def order(self) -> int:
        """The number of symmetries: of those found, if not `complete`."""
        return prod(self._found.factors)

    @property
    def complete(self) -> bool:
        """True unless a limit was reached; then this is a subgroup."""
        return self._found.complete

    @property
    def generators(self) -> tuple[Symmetry, ...]:
        """Symmetries of which all others are products; none if there is only the identity."""
        return tuple(self._named(items, options) for items, options in self._found.moves)

    @property
    def option_orbits(self) -> tuple[tuple[Hashable, ...], ...]:
        """The options in classes: each maps to the others of its class. In the problem's order."""
        orbits = _orbits(len(self._table), (options for _, options in self._found.moves))
        return tuple(tuple(map(self._table.name_of, orbit)) for orbit in orbits)

    @property
    def item_orbits(self) -> tuple[tuple[Hashable, ...], ...]:
        """The items in classes, likewise."""
        items = self._table.items
        orbits = _orbits(len(items), (moved for moved, _ in self._found.moves))
        return tuple(tuple(items[number] for number in orbit) for orbit in orbits)

    def symmetry(
        self,
        options: Mapping[Any, Any] | None = None,
        items: Mapping[Any, Any] | None = None,
    ) -> Symmetry:
        """The symmetry with these images of options, of items, or of both, by name.

        What a mapping does not name stays. If only one mapping is given, the other follows: items
        go where their options go, or options where their items go, with the same colors. Raises
        `InvalidArgument` if it is no symmetry, naming an option or an item without image,
        `UnknownOption` and `UnknownItem`. O(entries log entries).

        >>> import dlx
        >>> triangle = {"x": ["a", "b"], "y": ["c", "b"], "z": ["a", "c"]}
        >>> group = dlx.Problem.from_options(triangle).symmetries()
        >>> group.symmetry(items={"a": "c", "c": "a"})
        <dlx symmetry: options {'x': 'y', 'y': 'x'}, items {'a': 'c', 'c': 'a'}>
        """
        of_items, of_options = self._images(options, items)
        return self._named(_moved(of_items), _moved(of_options))

    def contains(self, symmetry: Symmetry | Mapping[Any, Any]) -> bool:
        """Whether this symmetry, or mapping of option names, is in the group.

        If the group is not `complete` and has more than 100 000 elements, False may also mean that
        the symmetry is a product of generators which is not recognized. Raises `UnknownOption` and
        `UnknownItem`.

        >>> import dlx
        >>> triangle = {"x": ["a", "b"], "y": ["c", "b"], "z": ["a", "c"]}
        >>> group = dlx.Problem.from_options(triangle).symmetries()
        >>> group.contains({"x": "y", "y": "x"}), group.contains({"x": "y", "y": "z", "z": "x"})
        (True, True)
        """
        mappings = _mappings(symmetry)
        try:
            of_items, of_options = self._images(*mappings)
        except InvalidArgument:
            return False
        if self.complete and self._arguments[4] is None:
            return True
        if self._arguments[4] is None and self.order <= MOST_ELEMENTS:
            return self._named(_moved(of_items), _moved(of_options)) in self._elements()
        return self._found.contains((of_items, of_options), mappings[1] is None)

    def apply(
        self, symmetry: Symmetry | Mapping[Any, Any], solution: Iterable[Hashable]
    ) -> Solution:
        """The image of a solution, or of any options, in their order.

        A mapping of option names is checked first, as by `symmetry`; symmetries of this group are
        not checked again. Raises `InvalidArgument` if it is no symmetry, and `UnknownOption`.

        >>> import dlx.models
        >>> queens = dlx.models.queens(4)
        >>> group = queens.symmetries()
        >>> rotation = group.symmetry({(r, c): (c, 3 - r) for r in range(4) for c in range(4)})
        >>> sorted(group.apply(rotation, [(0, 1), (1, 3), (2, 0), (3, 2)]))
        [(0, 1), (1, 3), (2, 0), (3, 2)]
        """
        if not isinstance(symmetry, Symmetry) or symmetry._group is not self:
            symmetry = self.symmetry(*_mappings(symmetry))
        images = symmetry.options
        names = []
        for name in check_solution(solution):
            self._table.index_of(name)
            names.append(images.get(name, name))
        return tuple(names)

    def on_options(self) -> OptionGroup:
        """The permutations of the options, by index. Private: for searches.

        Raises `InvalidArgument` if they would take more than some gigabytes.

        >>> import dlx
        >>> dlx.Problem.from_options([["a"], ["b"]]).symmetries().on_options()
        OptionGroup(generators=[array('i', [1, 0])], factors=[2])
        """
        count = len(self._table)
        moving = [options for _, options in self._found.moves if options]
        if len(moving) * count > MOST_IMAGES:
            raise InvalidArgument(
                f"distinct solutions under {counted(len(moving), 'generator')} of symmetries of "
                f"{counted(count, 'option')} would take too much memory; use fewer generators "
                "(problem.symmetries(generators=...)), or a problem without equal options"
            )
        generators = [_all_images(count, options) for options in moving]
        factors = self._found.option_factors
        if factors is None:
            factors = PermutationGroup(count, generators).orbit_lengths
        return OptionGroup(generators, factors)

    def is_of(self, table: Table) -> bool:
        """Is this a group of this problem? Private: for searches."""
        own = self._table
        return all(getattr(own, column) == getattr(table, column) for column in COMPARED)

    def check_problem(self, table: Table, given: Sequence[int], forbid: Sequence[int] = ()) -> None:
        """Raises `InvalidArgument` unless this is a group of this problem that keeps the givens.

        It must keep the set of options in `forbid` as well. Private: for searches.
        """
        own = self._table
        if not self.is_of(table):
            raise InvalidArgument(
                f"these symmetries are of another problem, or it was changed since: they are of "
                f"{own.summary()}, and the problem has {table.summary()}; call symmetries() again"
            )
        self._check_kept("givens", "given", set(given))
        self._check_kept("forbidden options", "forbid", set(forbid))

    def _check_kept(self, what: str, keyword: str, chosen: set[int]) -> None:
        """Raises `InvalidArgument` if an element maps one of these options to another option."""
        name_of = self._table.name_of
        for _, options in self._found.moves:
            for one, image in options:
                if one in chosen and image not in chosen:
                    adjective = "given" if keyword == "given" else "forbidden"
                    raise InvalidArgument(
                        f"these symmetries do not keep the {what}: one maps the {adjective} option "
                        f"{quote(name_of(one))} to {quote(name_of(image))}; call "
                        f"symmetries({keyword}=...) with the same {what}"
                    )

    def narrowed(self, table: Table) -> Symmetries:
        """The same permutations of a problem without some options, a set that they keep.

        `table.narrowed_from` has the options that are left. Private: for searches.
        """
        assert table.narrowed_from is not None
        index_of = {index: place for place, index in enumerate(table.narrowed_from.kept)}
        moves: list[Moves] = []
        for items, options in self._found.moves:
            left = [(index_of[a], index_of[b]) for a, b in options if a in index_of]
            moves.append((items, tuple(left)))
        return Symmetries(table.copy(), (), False, kernel_limits(None), moves)

    def __iter__(self) -> Iterator[Symmetry]:
        """All symmetries, the identity first, if there are at most 100 000.

        Raises `InvalidArgument` if there are more. O(order * generators * elements moved).
        """
        if self.order > MOST_ELEMENTS:
            raise InvalidArgument(
                f"the group has {order_text(self.order)} elements; iteration returns at most "
                f"{MOST_ELEMENTS:,}. Use its generators"
            )
        return self._elements()

    def _elements(self) -> Iterator[Symmetry]:
        first_option = len(self._table.items)
        moves = [
            dict([*items, *((first_option + one, first_option + to) for one, to in options)])
            for items, options in self._found.moves
        ]
        points = sorted({point for move in moves for point in move})
        identity = tuple(points)
        known = {identity}
        waiting = [identity]
        for images in waiting:  # grows
            pairs = [(one, to) for one, to in zip(points, images, strict=True) if one != to]
            yield self._named(
                (pair for pair in pairs if pair[0] < first_option),
                (
                    (one - first_option, to - first_option)
                    for one, to in pairs
                    if one >= first_option
                ),
            )
            for move in moves:
                product = tuple([move.get(image, image) for image in images])
                if product not in known:
                    known.add(product)
                    waiting.append(product)

    def _images(self, options: Mapping[Any, Any] | None, items: Mapping[Any, Any] | None) -> Images:
        if self._finder is None:
            table, given, costs, _, _, forbid = self._arguments
            numbered = NumberedProblem.of(table, None)
            kinds = option_kinds(table, given, forbid, costs=costs)
            self._finder = ImageFinder(table, numbered, kinds)
        return self._finder.images(options, items)

    def _named(
        self, items: Iterable[tuple[int, int]], options: Iterable[tuple[int, int]]
    ) -> Symmetry:
        name_of, names = self._table.name_of, self._table.items
        return Symmetry(
            {name_of(index): name_of(image) for index, image in options},
            {names[number]: names[image] for number, image in items},
            self,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return Symmetries, self._arguments

    def __str__(self) -> str:
        table = self._table
        least = "" if self.complete else "at least "
        return (
            f"{least}{order_text(self.order)} "
            f"symmetr{'y' if self.order == 1 else 'ies'}; "
            f"{counted(len(table), 'option')} in {counted(len(self.option_orbits), 'orbit')}, "
            f"{counted(len(table.items), 'item')} in {counted(len(self.item_orbits), 'orbit')}"
        )

    def __repr__(self) -> str:
        return f"<dlx symmetries: {self}>"

    def _repr_html_(self) -> str:
        """HTML for notebooks: a table of the order, the orbits and the first generators."""
        from dlx.analysis.symmetry.texts import group_html

        order = order_text(self.order)
        shown = order if self.complete else f"at least {order} (stopped by a limit)"
        return group_html(shown, self.option_orbits, self.item_orbits, self.generators)


class SymmetryArguments(NamedTuple):
    """The arguments of `Problem.symmetries` that other questions lack.

    The options that `forbid` names are options of the problem; a symmetry maps them to each other.
    With `work`, the kernel reads at most as many edges.
    """

    forbid: Iterable[Hashable] = ()
    costs: bool = False
    generators: Iterable[object] | Literal["rotations"] | None = None
    item_generators: Iterable[object] | None = None
    work: int | None = None


def find_symmetries(
    search_input: SearchInput, options: SearchOptions, arguments: SymmetryArguments
) -> Symmetries:
    """What `Problem.symmetries` returns."""
    table, _, given = search_input
    forbid, costs, generators, item_generators, work = arguments
    nodes, most_work = kernel_limits(options.node_limit)
    forbidden = check_forbidden(table, given, forbid)
    if generators is None and item_generators is None:
        limits = (nodes, most_work if work is None else work)
        return Symmetries(table.copy(), given, bool(costs), limits, forbid=forbidden)
    if options.node_limit is not None:
        raise InvalidArgument("node_limit cannot be used with generators: nothing is searched")
    several = (() if one is None else one for one in (generators, item_generators))
    return _generated_symmetries(search_input, forbidden, several, costs=bool(costs))


def _generated_symmetries(
    search_input: SearchInput,
    forbidden: list[int],
    generators: Iterable[Iterable[object]],
    *,
    costs: bool,
) -> Symmetries:
    """The products of these generators, those of options and those of items."""
    table, numbered, chosen = search_input
    snapshot = table.copy()
    kinds = option_kinds(snapshot, chosen, forbidden, costs=costs)
    finder = ImageFinder(snapshot, numbered, kinds)
    moves: list[Moves] = []
    for keyword, several in zip(("generators", "item_generators"), generators, strict=True):
        if isinstance(several, str) and (keyword, several) == ("generators", "rotations"):
            turned = rotations(snapshot, finder)
            moves += [(_moved(of_items), _moved(of_options)) for of_items, of_options in turned]
            continue
        if isinstance(several, Mapping) or not is_list_like(several):
            word = ", or 'rotations'" if keyword == "generators" else ""
            raise InvalidArgument(f"{keyword} is {quote(several)}; give a list of mappings{word}")
        for number, one in enumerate(several):
            mappings = _mappings(one) if keyword == "generators" else (None, one)
            try:
                images = finder.images(*mappings)
            except InvalidArgument as error:
                raise InvalidArgument(f"{keyword}[{number}]: {error}") from None
            moves.append((_moved(images[0]), _moved(images[1])))
    limits = kernel_limits(None)
    return Symmetries(snapshot, chosen, costs, limits, moves, forbid=forbidden)


def _generated(table: Table, moves: list[Moves]) -> _Found:
    """The group that these permutations of items and options generate."""
    options, items = len(table), len(table.items)

    def joined(of_items: Iterable[tuple[int, int]], of_options: Pairs) -> array[int]:
        shifted = ((options + one, options + image) for one, image in of_items)
        return _all_images(options + items, [*of_options, *shifted])

    kernel = PermutationGroup(options + items, [joined(*one) for one in moves])

    def contains(images: Images, options_only: bool) -> bool:
        if options_only:
            on_options = PermutationGroup(options, [_all_images(options, one) for _, one in moves])
            return on_options.contains(array("i", images[1]))
        return kernel.contains(joined(enumerate(images[0]), tuple(enumerate(images[1]))))

    return _Found(moves, kernel.orbit_lengths, None, True, contains)


def _all_images(count: int, moved: Iterable[tuple[int, int]]) -> array[int]:
    """The images of all numbers below `count`; those not in `moved` stay."""
    images = array("i", range(count))
    for one, image in moved:
        images[one] = image
    return images


def _moved(images: Sequence[int]) -> Pairs:
    return tuple((one, image) for one, image in enumerate(images) if one != image)


def _factorials(classes: Iterable[Sequence[int]]) -> Iterator[int]:
    """Numbers whose product is the number of permutations within these classes."""
    for members in classes:
        yield from range(2, len(members) + 1)


def order_text(order: int) -> str:
    """The order of a group: with all digits below 10^21, then as a power of ten.

    >>> order_text(10368000), order_text(10**30)
    ('10,368,000', '1.00e30')
    """
    from dlx.analysis.estimate import number_text

    return f"{order:,}" if order < 10**21 else number_text(order)


def _mappings(
    symmetry: Any,
) -> tuple[Mapping[Any, Any], Mapping[Any, Any] | None]:
    """The mappings of options and of items; None if only options are given."""
    if isinstance(symmetry, Symmetry):
        return symmetry.options, symmetry.items
    return symmetry, None


def _orbits(count: int, moves: Iterable[Pairs]) -> list[list[int]]:
    """The classes of the numbers below `count` that moves connect, by their first elements."""
    parent = list(range(count))

    def first_of(one: int) -> int:
        while parent[one] != one:
            parent[one] = parent[parent[one]]
            one = parent[one]
        return one

    for pairs in moves:
        for one, other in pairs:
            low, high = sorted((first_of(one), first_of(other)))
            parent[high] = low
    orbits: dict[int, list[int]] = {}
    for one in range(count):
        orbits.setdefault(first_of(one), []).append(one)
    return list(orbits.values())
