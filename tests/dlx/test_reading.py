"""The kernel's reading of options, which must be `add_option`, one after another, only faster."""

from __future__ import annotations

import contextlib
import gc
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import islice, repeat
from types import MappingProxyType
from typing import Any

import pytest
from alarms import Alarm
from example_problems import Unhashable
from hypothesis import given
from hypothesis import strategies as st
from internals import table_of

import dlx
from dlx.core.entries import Colored, Times
from dlx.core.kernel import Reader
from dlx.core.table import Table

BLOCK = 4096  # options that the kernel keeps before it moves them into the arrays


class Tinted(Colored):
    """No plain `Colored`, but one all the same."""

    __slots__ = ()


class Heavy(Times):
    """No plain `Times`, but one all the same."""

    __slots__ = ()


class Oddity(list[Any]):
    """A list that has other items than it seems to have."""

    def __iter__(self) -> Iterator[Any]:
        return iter(["a", *super().__iter__()])


def state(problem: dlx.Problem) -> dict[str, Any]:
    """All there is in a table, with the kinds of items: 1, 1.0 and True are one item."""
    table = table_of(problem)
    shown = {slot: getattr(table, slot) for slot in table.columns}
    return shown | {
        "kinds": [*map(type, table.items)],
        "numbers": [*table.item_numbers.items()],
        "colors": [*table.color_numbers.items()],
    }


def outcome(build: Callable[[], dlx.Problem]) -> Any:
    """The state of what is built, or the error."""
    try:
        return state(build())
    except Exception as error:
        return type(error), str(error)


def one_by_one(
    options: Iterable[tuple[Any, Any]], primary: Any = None, secondary: Any = ()
) -> dlx.Problem:
    """What `from_options` is to do, in Python."""
    problem = dlx.Problem(primary, secondary)
    for name, items in options:
        problem.add_option(items, name=name)
    return problem


# -- the same as in Python -----------------------------------------------------------------------

HUGE = 2**70
PLAIN: list[Any] = [0, 1, 2, 63, 64, 500, "a", "b", ("t", 1), None, -1, HUGE, -HUGE, 10**6]
EQUALS: list[Any] = [True, False, 1.0, 0.0, 2.0, float(HUGE)]
ODD: list[Any] = [
    [],
    Unhashable(),
    ([],),
    dlx.colored("a", "red"),
    dlx.colored("s", []),
    dlx.colored([], "red"),
    Tinted("s", "red"),
    Tinted("a", 1),
    Heavy("a", 1),
    dlx.times([], 1),  # type: ignore[arg-type]
    dlx.times("s", 0),
    float("nan"),
]
COLORED: list[Any] = [
    dlx.colored(item, color) for item in ("s", 7, HUGE + 1) for color in ("red", 1, True, HUGE)
]
# A weight of 1 is within every bound. Others are checked when all options have been read.
WEIGHED: list[Any] = [dlx.times(item, 1) for item in (*PLAIN, "s")]
entries = st.one_of(
    st.sampled_from(PLAIN),
    st.sampled_from(PLAIN + EQUALS),
    st.sampled_from(COLORED),
    st.sampled_from(WEIGHED),
)
good = st.lists(
    entries, min_size=1, max_size=5, unique_by=lambda entry: getattr(entry, "item", entry)
)
shapes = st.sampled_from([list, tuple, iter, dict.fromkeys, lambda x: (entry for entry in x)])
odd_options = st.one_of(
    st.lists(entries | st.sampled_from(ODD), max_size=5),
    st.sampled_from(["ab", b"ab", 5, None, [], (), set(), frozenset([1]), {1}, range(3), "", 1.5]),
    st.builds(Oddity, st.lists(entries, max_size=2)),
)
drawn_options = st.lists(st.tuples(good, shapes), max_size=12)


@st.composite
def descriptions(draw: st.DrawFn) -> tuple[list[Callable[[], Any]], dict[str, Any]]:
    """Makers of options, some of them wrong or strange, and declarations of items."""
    makers: list[Callable[[], Any]] = []
    for items, shape in draw(drawn_options):
        makers.append(
            lambda i=items, s=shape: s(i)  # type: ignore[misc]
        )
    for option in draw(st.lists(odd_options, max_size=2)):
        makers.insert(draw(st.integers(0, len(makers))), lambda o=option: o)  # type: ignore[misc]
    declared: dict[str, Any] = {"secondary": ["s", 7, HUGE + 1]}
    if draw(st.booleans()):
        declared["primary"] = draw(st.permutations(PLAIN))[: draw(st.integers(8, len(PLAIN)))]
    elif draw(st.booleans()):
        declared["secondary"] = ["s", "b", 500]
    return makers, declared


@given(description=descriptions(), lazily=st.booleans())
def test_options_without_names(
    description: tuple[list[Callable[[], Any]], dict[str, Any]], lazily: bool
) -> None:
    makers, declared = description
    options: Any = (make() for make in makers)
    found = outcome(
        lambda: dlx.Problem.from_options(options if lazily else list(options), **declared)
    )
    assert found == outcome(lambda: one_by_one(((None, make()) for make in makers), **declared))


@given(
    description=descriptions(),
    names=st.lists(
        st.sampled_from(["x", "y", "z", None, *PLAIN, *range(12)]), min_size=14, max_size=14
    ),
    plain=st.booleans(),
)
def test_options_with_names(
    description: tuple[list[Callable[[], Any]], dict[str, Any]], names: list[Any], plain: bool
) -> None:
    makers, declared = description
    kind: Any = dict if plain else Repeating
    pairs = [*zip(names, makers, strict=False)]
    if plain:
        pairs = [*dict(pairs).items()]
    found = outcome(
        lambda: dlx.Problem.from_options(kind([(n, make()) for n, make in pairs]), **declared)
    )
    expected = outcome(lambda: one_by_one(((n, make()) for n, make in pairs), **declared))
    assert found == expected


class Repeating(Mapping[Any, Any]):
    """Not quite a mapping: names come more than once, and the pairs are lists."""

    def __init__(self, pairs: list[tuple[Any, Any]]) -> None:
        self.pairs = pairs

    def __getitem__(self, name: Any) -> Any:
        return dict(self.pairs)[name]

    def __iter__(self) -> Iterator[Any]:
        return (name for name, _ in self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def items(self) -> Any:
        return [[name, items] for name, items in self.pairs]


@pytest.mark.parametrize("place", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 5])
@pytest.mark.parametrize(
    "option",
    [
        [],
        [1, 2, 1],
        ["s"],
        ["new", dlx.colored("new", 1)],
        ["new", []],
        "text",
        None,
        [1, x := 2, x],
    ],
)
def test_the_place_of_a_wrong_option_among_many(place: int, option: Any) -> None:
    options: list[Any] = [[o % 700, o % 700 + 1] for o in range(2 * BLOCK + 9)]
    options[place] = option
    found = outcome(lambda: dlx.Problem.from_options(options, secondary=["s"]))
    assert f"option {place}" in found[1]
    pairs = [(None, option) for option in options]
    assert found == outcome(lambda: one_by_one(pairs, secondary=["s"]))


@pytest.mark.parametrize("length", [1, 40, 70_000])
@pytest.mark.parametrize("first", [0, 1, BLOCK])
def test_blocks(length: int, first: int) -> None:
    """Colors from some option on, options longer than a block, unusual ones between blocks."""
    count = 5 if length > 100 else BLOCK + 2
    options: list[Any] = [["a"]] * first
    for number in range(count):
        shape = (list, iter)[number % 1000 == 999]
        options.append(shape(["a", dlx.colored("s", number % 9), *range(length)]))
    shown = [list(option) for option in options[:first]]
    shown += [["a", dlx.colored("s", number % 9), *range(length)] for number in range(count)]
    problem = dlx.Problem.from_options(options, secondary=["s"])
    assert state(problem) == state(one_by_one(((None, o) for o in shown), secondary=["s"]))


def test_integers_far_apart() -> None:
    """What is small depends on the size of the problem, and so on when an item is seen."""
    options = [[value, 3 * value, value * value + 1] for value in range(2, 400)] * 2
    problem = dlx.Problem.from_options(options)
    assert problem == one_by_one((None, option) for option in options)


@pytest.mark.parametrize("weight", [2, 2**29, 2**29 + 1, 2**70, -1, 0, True, 1.0, None, "2"])
@pytest.mark.parametrize("item", ["a", "new", "s", dlx.colored("s", 1), dlx.times("a", 1), []])
def test_weights(weight: Any, item: Any) -> None:
    """One at a time, without a bound, so that the error is that of `add_option`."""
    options: list[list[Any]] = [["a", "b"], ["b", dlx.times(item, weight)], ["a"]]

    def added() -> dlx.Problem:
        problem = dlx.Problem(["a", "b", "new"], ["s"], multiplicities=bounds)
        for option in options:
            problem.add_option(option)
        return problem

    bounds = dict.fromkeys(["a", "new"], (0, None))
    assert outcome(added) == outcome(
        lambda: dlx.Problem.from_options(
            options, primary=["a", "b", "new"], secondary=["s"], multiplicities=bounds
        )
    )


def test_items_first_seen_with_weights() -> None:
    """They are declared in order, over several blocks; the sums are those of all options."""
    options = [
        [dlx.times(number % 700, 1 + number % 3), 700 + number % 11] for number in range(3 * BLOCK)
    ]
    bounds = dict.fromkeys(range(700), (0, None))
    problem = dlx.Problem.from_options(options, multiplicities=bounds)
    assert problem.items[:4] == (0, 700, 1, 701)
    slow = dlx.Problem(problem.items, multiplicities=bounds)
    for option in options:
        slow.add_option(option)
    assert table_of(slow).entry_weight == table_of(problem).entry_weight
    assert table_of(slow).extra_weights == table_of(problem).extra_weights


def test_small_integers_are_forgotten_with_a_wrong_option() -> None:
    table = Table(open_items=True)
    reader = Reader(table, iter([[1], [2, 3, 2], [3], [4, 2]]), Colored, Times, False)
    assert reader.read() == ([2, 3, 2], None)
    assert (table.items, len(table)) == ([1], 1)
    assert reader.read() is None
    assert table.items == [1, 3, 4, 2]
    assert [*table.entry_item] == [0, 1, 2, 3]
    assert [*table.start] == [0, 1, 2, 4]


def test_what_is_not_ordinary_is_left_to_python() -> None:
    """So it is the fast path that these tests compare with the other."""
    table = Table(open_items=True)
    table.add_item("s", secondary=True)
    options: list[Any] = [["a", "s"], ("b", dlx.colored("s", 1)), {"c"}, iter("d"), ["a", "s", "s"]]
    reader = Reader(table, iter(options), Colored, Times, False)
    assert reader.read() == (["a", "s", "s"], None)
    assert len(table) == 4
    assert reader.read() is None
    named = Reader(table, iter([("x", ["a"])]), Colored, Times, True)
    assert named.read() == (["a"], "x")  # the options before have no names
    assert named.read() is None


def test_what_the_reader_must_be_given() -> None:
    table: Any = Table(open_items=True)
    pairs: Any
    with pytest.raises(TypeError):
        Reader(table, [], Colored, Times, False)  # type: ignore[arg-type]
    for pairs in ([[1, 2]], [(1, 2, 3)], [5]):
        with pytest.raises(TypeError):
            Reader(table, iter(pairs), Colored, Times, True).read()
    with pytest.raises(AttributeError):
        Reader(5, iter(()), Colored, Times, False)  # type: ignore[arg-type]
    table.items = ()
    with pytest.raises(TypeError):
        Reader(table, iter(()), Colored, Times, False)


# -- items that do as they like ------------------------------------------------------------------


class Nasty:
    """An item whose look-up runs anything."""

    def __init__(self, act: Callable[[], object], code: int = 1) -> None:
        self.act = act
        self.code = code

    def __hash__(self) -> int:
        self.act()
        return self.code

    def __eq__(self, other: object) -> bool:
        self.act()
        return self is other


@pytest.mark.parametrize("shape", [list, tuple, iter])
@pytest.mark.parametrize("where", ["item", "colored", "color", "name"])
@pytest.mark.parametrize("error", [RuntimeError, KeyError, LookupError, KeyboardInterrupt])
def test_errors_of_items_pass_through(shape: Any, where: str, error: type[BaseException]) -> None:
    def fail() -> None:
        raise error("mine")

    nasty = Nasty(fail)
    entry: Any = {
        "item": nasty,
        "colored": dlx.colored(nasty, 1),
        "color": dlx.colored("s", nasty),
        "name": 1,
    }[where]
    options: Any = [["b"], shape(["a", entry]), ["c"]]
    if where == "name":
        options = Repeating([("x", ["b"]), (nasty, ["c"])])
    with pytest.raises(error, match="mine"):
        dlx.Problem.from_options(options, secondary=["s"])


def test_a_type_error_of_an_item_makes_it_unhashable() -> None:
    def fail() -> None:
        raise TypeError("mine")

    with pytest.raises(dlx.InvalidEntry, match=r"option 1: .* is not hashable"):
        dlx.Problem.from_options([["a"], ["b", Nasty(fail)]])


@pytest.mark.parametrize("shape", [list, tuple])
@pytest.mark.lengthy
def test_lists_that_change_while_they_are_read(shape: Any) -> None:
    options: list[Any] = []
    option: list[Any] = []

    def shrink() -> None:
        del options[2:], option[2:]
        gc.collect()

    option += ["a", Nasty(shrink), object(), object()]
    read = option if shape is list else tuple(option)
    options += [["b"], read, [object()], [object()]]
    problem = dlx.Problem.from_options(options)
    assert len(problem) == 2
    assert len(problem.options[1]) == (2 if shape is list else 4)


def test_a_list_that_grows_while_it_is_read() -> None:
    option: list[Any] = ["a"]
    option.append(Nasty(lambda: len(option) < 500 and option.append(len(option))))
    problem = dlx.Problem.from_options([option, ["a"]])
    assert problem.entry_count == len(problem.items) + 1


def test_the_problem_cannot_be_changed_while_it_is_built() -> None:
    built: list[dlx.Problem] = []
    refused: list[str] = []

    class Known(dlx.Problem):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            built.append(self)

    def change() -> None:
        (problem,) = built
        for act in (lambda: problem.add_option(["z"]), lambda: problem.add_item("z")):
            with pytest.raises(dlx.FrozenProblem) as caught:
                act()
            refused.append(str(caught.value))
        seen = problem.count(), problem.options[:], problem.names, problem.primary
        assert len(seen[1]) <= 3

    def options() -> Iterator[Any]:
        yield ["a"]
        if built:
            with pytest.raises(dlx.FrozenProblem):
                built[0].add_option(["z"])
        yield ["b", nasty]
        yield ["a", nasty]

    nasty = Nasty(lambda: built and change())
    problem = Known.from_options(options())
    assert refused
    nasty.act = lambda: None
    assert problem is built[0]
    assert problem.items == ("a", "b", nasty)
    assert problem.count() == 1
    assert problem.add_option(["a"]) == 3  # no longer frozen
    assert problem.count() == 2


def test_a_class_of_frozen_problems() -> None:
    class SearchSnapshot(dlx.Problem):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self.freeze()

    problem = SearchSnapshot.from_options([["a"]])
    assert problem.count() == 1
    with pytest.raises(dlx.FrozenProblem):
        problem.add_option(["a"])


def test_hashes_that_change() -> None:
    """Such items are found once and not again. A caller can rely on a problem only."""
    numbers = iter(range(10**9))

    class Fickle:
        def __hash__(self) -> int:
            return next(numbers) % 5

        def __eq__(self, other: object) -> bool:
            return next(numbers) % 3 == 0

    items: list[Hashable] = [Fickle() for _ in range(4)]
    made = refused = 0
    for number in range(200):
        options = [[items[number % 4]], [items[number % 3], number], [items[1], items[2], []]]
        try:
            problem = dlx.Problem.from_options(options[: number % 2 + 2])
        except (dlx.ProblemError, KeyError):
            refused += 1
            continue
        made += 1
        # Whatever items were taken for the same: it is a problem, and solved as one.
        table = table_of(problem)
        columns = [table.entry_item[table.start[i] : table.start[i + 1]] for i in range(len(table))]
        assert [len(column) for column in columns] == [1, 2]
        assert set().union(*columns) == set(range(len(problem.items)))
        plain = dlx.Problem(range(len(problem.items)))
        for column in columns:
            plain.add_option(column)
        assert list(problem.solutions()) == list(plain.solutions())
    assert min(made, refused) > 50


def test_a_color_without_its_parts() -> None:
    for half in (Colored.__new__(Colored), Colored.__new__(Tinted)):
        with pytest.raises(AttributeError):
            dlx.Problem.from_options([["a"], ["a", half]], secondary=["s"])


def test_nothing_is_kept_or_lost() -> None:
    """Reference counts are as before, whichever way an option goes."""
    items: list[Any] = [object() for _ in range(4)]
    tint = dlx.colored(items[3], items[2])
    plain: list[Any] = [items[:2], tuple(items), {*items}, [items[0], tint]]
    before = [*map(sys.getrefcount, [*items, tint, *plain])]
    for wrong in (["new", *items, []], [items[0], *items], "text"):
        for options in ([*plain, iter(items[:3])], [*plain, wrong]):
            for description in (options, dict(zip("abcde", options, strict=True))):
                with contextlib.suppress(dlx.ProblemError):
                    dlx.Problem.from_options(description, secondary=[items[3]])
    del options, description, wrong
    gc.collect()
    assert [*map(sys.getrefcount, [*items, tint, *plain])] == before


def test_ctrl_c(alarm: Alarm) -> None:
    """Between two blocks: nothing here runs in Python."""
    rest = islice(repeat(["a", "b"]), 20_000_000)
    with alarm.expected():
        dlx.Problem.from_options(rest)
    assert next(rest, None) is not None


def test_mappings_of_other_kinds() -> None:
    options = {"x": ["a"], "y": ("b",), "z": iter(["a", "b"])}
    problem = dlx.Problem.from_options(MappingProxyType(options))
    assert problem.names == ("x", "y", "z")
    assert problem.count() == 2
