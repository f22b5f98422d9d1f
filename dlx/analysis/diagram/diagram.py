"""All solutions of a problem as one zero-suppressed decision diagram."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Generic, Self, cast

from dlx.core.arguments import check_number, check_path, check_seed, integer, is_list_like
from dlx.core.name_types import Name
from dlx.errors import InvalidArgument, UnknownOption, counted, quote

if TYPE_CHECKING:
    import os

    from dlx.analysis.diagram.nodes import Columns
    from dlx.core.name_types import Solution
    from dlx.core.picture import Picture

__all__ = ["Diagram"]

MOST_SHOWN: Final = 60
"""The most nodes of a diagram that notebooks draw without a call of `picture`."""


class Diagram(Generic[Name]):
    """The set of all solutions of a problem, compiled: made by `Problem.diagram`.

    A zero-suppressed decision diagram (ZDD): each node branches on whether an option is taken, and
    equal parts of the set share their nodes. So 10^12 solutions may take a few thousand nodes, and
    queries about all of them take one pass over the nodes. A diagram is immutable, and independent
    of its problem. It lists its solutions in a fixed order, each with the options from the root
    downwards: see `Problem.diagram`.

    >>> import dlx
    >>> diagram = dlx.models.dominoes(8, 8).diagram()
    >>> diagram
    <dlx.Diagram: 12988816 solutions in 2316 nodes>
    >>> len(diagram), len(next(iter(diagram)))
    (12988816, 32)

    Sources: S. Minato, "Zero-suppressed BDDs for set manipulation in combinatorial problems" (DAC
    1993); TAOCP 7.1.4; M. Nishino et al., "Dancing with decision diagrams" (AAAI 2017).
    """

    __slots__ = ("_columns", "_counts", "_names", "_numbers", "_options", "_variables")

    def __init__(
        self,
        columns: Columns,
        options: int,
        variables: Sequence[int] | None,
        names: list[Any] | None,
    ) -> None:
        """For internal use: `Problem.diagram`, `restrict` and `load` make diagrams."""
        self._columns = columns
        self._options = options
        self._variables = variables
        self._names = names
        self._counts: list[int] | None = None
        self._numbers: dict[Any, int] | None = None

    # -- counting ----------------------------------------------------------------------------------

    def count(self) -> int:
        """The number of solutions, exactly. O(nodes) additions the first time, then O(1).

        >>> import dlx
        >>> dlx.models.dominoes(8, 12).diagram(order="narrow").count()
        82741005829
        """
        return self._found()[self._columns.root]

    def __len__(self) -> int:
        """The `count`; raises `OverflowError` beyond `sys.maxsize`."""
        return self.count()

    def __bool__(self) -> bool:
        """True if there is a solution. O(1)."""
        return self._columns.root != 0

    @property
    def nodes(self) -> int:
        """The number of nodes, without the two terminals."""
        return len(self._columns.option) - 2

    def option_counts(self) -> dict[Name, int]:
        """The number of solutions that contain each option, by name. O(nodes).

        >>> import dlx
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> problem.diagram().option_counts()
        {0: 2, 1: 1, 2: 1, 3: 1}
        """
        from dlx.analysis.diagram.nodes import count_options

        found = count_options(self._columns, self._found(), self._options)
        return dict(zip(self._all_names(), found, strict=True))

    # -- solutions ---------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Solution[Name]]:
        """The solutions, one after another, in the order of the diagram.

        >>> import dlx
        >>> list(dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]]).diagram())
        [(0, 1), (0, 3), (2,)]
        """
        from dlx.analysis.diagram.nodes import walk

        return map(self._named, walk(self._columns))

    def contains(self, solution: Iterable[Name]) -> bool:
        """True if these options, in any order, are one of the solutions.

        O(length of a path through the diagram). The same as `solution in diagram`.

        >>> import dlx
        >>> diagram = dlx.Problem.from_options([["a"], ["b"], ["a", "b"]]).diagram()
        >>> diagram.contains([1, 0]), (0, 2) in diagram
        (True, False)
        """
        from dlx.analysis.diagram.nodes import contains

        if not is_list_like(solution):
            return False
        try:
            options = list(map(self._number_of, solution))
        except UnknownOption:
            return False
        wanted = frozenset(options)
        return len(wanted) == len(options) and contains(self._columns, wanted)

    def __contains__(self, solution: object) -> bool:
        """The same as `contains`."""
        return self.contains(cast("Iterable[Name]", solution))

    def sample(self, n: int = 1, seed: int | None = None) -> list[Solution[Name]]:
        """`n` solutions drawn at random, each as likely as any other, independently.

        The same `seed` draws the same solutions from the same diagram; None draws others each time.
        Raises `InvalidArgument` if there is no solution. O(nodes) the first time, then O(length of
        a path through the diagram) per solution: draws a number below the `count`, by rejection
        sampling, so that all are exactly equally likely, and looks up the solution at that place.

        >>> import dlx
        >>> dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]]).diagram().sample(3, seed=1)
        [(0, 1), (2,), (0, 1)]
        """
        from random import Random

        from dlx.analysis.diagram.nodes import nth

        number = check_number("n", n, 0, sys.maxsize)
        draw = Random(check_seed(seed)).getrandbits
        if not self and number:
            raise InvalidArgument("there is no solution, so none can be drawn")
        found, total = self._found(), self.count()
        bits = max(total - 1, 0).bit_length()
        drawn: list[Solution[Name]] = []
        while len(drawn) < number:
            place = draw(bits) if bits else 0
            if place < total:
                drawn.append(self._named(nth(self._columns, found, place)))
        return drawn

    def minimum(
        self, costs: Mapping[Name, int] | Sequence[int], k: int = 1
    ) -> list[tuple[int, Solution[Name]]]:
        """The `k` cheapest solutions, or all if there are fewer: pairs of cost and solution.

        costs
            The cost of each option, an integer of any sign: in a mapping or a pandas Series by
            name, or in a sequence in order.

        In order of cost; solutions of equal cost in the order of the diagram. O(nodes), and little
        more for each solution. Raises `UnknownOption`, and `InvalidArgument` for an invalid cost
        and for an option without a cost.

        >>> import dlx
        >>> diagram = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]]).diagram()
        >>> diagram.minimum([3, 2, 4, 1], k=2)
        [(4, (0, 3)), (4, (2,))]
        >>> diagram.minimum({0: 0, 1: 0, 2: -7, 3: 0})
        [(-7, (2,))]
        """
        return self._cheapest(self._costs(costs), check_number("k", k, 0))

    def maximum(
        self, costs: Mapping[Name, int] | Sequence[int], k: int = 1
    ) -> list[tuple[int, Solution[Name]]]:
        """The `k` most expensive solutions, the most expensive first; otherwise as `minimum`.

        >>> import dlx
        >>> diagram = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]]).diagram()
        >>> diagram.maximum([3, 2, 4, 1])
        [(5, (0, 1))]
        """
        negative = [-cost for cost in self._costs(costs)]
        return [
            (-cost, solution)
            for cost, solution in self._cheapest(negative, check_number("k", k, 0))
        ]

    def restrict(self, given: Iterable[Name] = (), *, forbid: Iterable[Name] = ()) -> Diagram[Name]:
        """The diagram of the solutions with all of these options, and none of those in `forbid`.

        In the same order. O(nodes) for each given option, and for all forbidden ones together. The
        diagram is empty if the options clash. Raises `UnknownOption`.

        >>> import dlx
        >>> diagram = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]]).diagram()
        >>> list(diagram.restrict([0]))
        [(0, 1), (0, 3)]
        >>> list(diagram.restrict(forbid=[0, 3]))
        [(2,)]
        """
        from dlx.analysis.diagram.nodes import columns_from, sets_without
        from dlx.core import kernel

        for keyword, names in (("given", given), ("forbid", forbid)):
            if not is_list_like(names):
                raise UnknownOption(f"{keyword} is {quote(names)}; give a list of option names")
        columns = self._columns
        for option in map(self._number_of, given):
            columns = columns_from(*kernel.keep_sets_with(*columns, option))
        forbidden = frozenset(map(self._number_of, forbid))
        if forbidden:
            columns = sets_without(columns, forbidden)
        return Diagram(columns, self._options, self._variables, self._names)

    # -- files and text formats --------------------------------------------------------------------

    @property
    def variables(self) -> tuple[Name, ...] | None:
        """The options in the order in which every path through the diagram has them, or None.

        Only diagrams made with `order="narrow"` have such an order. A set of solutions and an order
        determine the diagram.
        """
        if self._variables is None:
            return None
        return self._named(self._variables)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the diagram to a file, in the format of `dlx.analysis.diagram.files`.

        An existing file is replaced only when the new one is complete. Raises `FormatError` if
        options have names other than texts, integers, and tuples of these.
        """
        from dlx.analysis.diagram.files import Contents, write

        contents = Contents(self._columns, self._options, self._variables, self._names)
        write(check_path("path", path), contents)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """A diagram from a file that `save` has written.

        Raises `FormatError` if the file is not a diagram, has another version of the format, is
        truncated or was changed.
        """
        from dlx.analysis.diagram.files import read

        return cls(*read(check_path("path", path)))

    def picture(self) -> Picture:
        """The diagram as an SVG picture, from the root down; of at most 200 nodes.

        A node is an option. Solid lines lead to the solutions with it, dashed ones to those without
        it; the green node is the end of a solution. Lines to the empty set are left out.

        Raises `InvalidArgument` for a larger diagram.

        >>> import dlx
        >>> dlx.Problem.from_options({"x": ["a"], "y": ["a"]}).diagram().picture()
        <dlx.Picture: SVG, ... bytes>
        """
        from dlx.analysis.diagram.drawing import picture_of_diagram

        return picture_of_diagram(self._columns, self._name_of)

    def to_dot(self) -> str:
        """The diagram in the language of Graphviz: `dot -Tsvg` draws it.

        Solid arrows lead to the solutions with the option of a node, dashed ones to those without;
        the box is the end of a solution. Dashed arrows to the empty set are left out.

        >>> import dlx
        >>> print(dlx.Problem.from_options({"x": ["a"], "y": ["a"]}).diagram().to_dot())
        digraph diagram {
          node [shape=circle];
          1 [shape=box, label="1"];
          3 [label="x"];
          3 -> 1;
          3 -> 2 [style=dashed];
          2 [label="y"];
          2 -> 1;
        }
        <BLANKLINE>
        """
        from dlx.analysis.diagram.drawing import dot

        return dot(self._columns, self._name_of)

    def to_graphillion(self) -> str:
        """An ordered diagram in the text format that Graphillion reads.

        Each line is a node: its number, the place of its option in `variables`, from 1, and the
        numbers of the nodes without and with the option, or B (empty) and T (the end). ::

            setset.set_universe(diagram.variables)
            solutions = setset(setset.loads(diagram.to_graphillion()))

        Raises `InvalidArgument` for a diagram that is not made with `order="narrow"`.

        >>> import dlx
        >>> problem = dlx.Problem.from_options({"x": ["a"], "y": ["a"]})
        >>> print(problem.diagram(order="narrow").to_graphillion())
        2 2 B T
        3 1 2 T
        .
        <BLANKLINE>
        """
        from dlx.analysis.diagram.drawing import graphillion

        if self._variables is None:
            raise InvalidArgument(
                "Graphillion needs the options in one order along all paths through the diagram; "
                "make the diagram with order='narrow'"
            )
        return graphillion(self._columns, self._variables)

    def __reduce__(self) -> tuple[Any, ...]:
        option, low, high, root = self._columns
        columns = (bytes(option), bytes(low), bytes(high), root)
        return _revive, (columns, self._options, self._variables, self._names)

    def __repr__(self) -> str:
        found, nodes = counted(self.count(), "solution"), counted(self.nodes, "node")
        return f"<dlx.Diagram: {found} in {nodes}>"

    def _repr_html_(self) -> str:
        """HTML for notebooks: the numbers of solutions, nodes and options; small ones are drawn."""
        from dlx.analysis.estimate import number_text
        from dlx.core.html import facts_table

        found = self.count()
        facts = [
            ("solutions", f"{found:,}" if found < 10**21 else number_text(found)),
            ("nodes", f"{self.nodes:,}"),
            ("options", f"{self._options:,}"),
        ]
        table = facts_table("Diagram of all solutions", facts)
        return table + self.picture()._repr_html_() if self.nodes <= MOST_SHOWN else table

    # -- names and numbers of options --------------------------------------------------------------

    def _found(self) -> list[int]:
        """The number of sets that each node represents."""
        if self._counts is None:
            from dlx.analysis.diagram.nodes import counts

            self._counts = counts(self._columns)
        return self._counts

    def _all_names(self) -> Iterable[Any]:
        return range(self._options) if self._names is None else self._names

    def _name_of(self, option: int) -> Any:
        return option if self._names is None else self._names[option]

    def _named(self, options: Sequence[int]) -> Solution[Name]:
        if self._names is None:
            indices: Sequence[Any] = options
            return tuple(indices)
        return tuple(map(self._names.__getitem__, options))

    def _number_of(self, name: Hashable) -> int:
        """The index of the option of this name."""
        if self._numbers is None:
            self._numbers = {name: index for index, name in enumerate(self._all_names())}
        try:
            return self._numbers[name]
        except (KeyError, TypeError):
            raise UnknownOption(f"there is no option named {quote(name)}") from None

    def _cheapest(self, costs: Sequence[int], k: int) -> list[tuple[int, Solution[Name]]]:
        from dlx.analysis.diagram.cheapest import cheapest

        return [(cost, self._named(path)) for cost, path in cheapest(self._columns, costs, k)]

    def _costs(self, costs: Mapping[Name, int] | Sequence[int]) -> list[int]:
        """The costs of all options, in order."""
        from dlx.core.named_values import values_in_order

        listed = values_in_order(
            costs, "costs", self._name_of, self._options, self._number_of, InvalidArgument
        )
        return list(map(_check_cost, self._all_names(), listed))


def _revive(
    columns: tuple[bytes, bytes, bytes, int],
    options: int,
    variables: Sequence[int] | None,
    names: list[Any] | None,
) -> Diagram:
    from dlx.analysis.diagram.nodes import columns_from

    return Diagram(columns_from(*columns), options, variables, names)


def _check_cost(name: Hashable, cost: object) -> int:
    number = integer(cost)
    if number is None:
        raise InvalidArgument(
            f"option {quote(name)} has the cost {quote(cost)}; costs are integers"
        )
    return number
