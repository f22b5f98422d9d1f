"""Building a problem, looking at it, copying it; and every way to build a wrong one."""

from __future__ import annotations

import copy
import pickle
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import pytest
from bruteforce import Case
from example_problems import Unhashable
from hypothesis import given
from hypothesis import strategies as st
from strategies import cases, large_cases

import dlx

x = dlx.colored("x", "red")


# -- looking at it -------------------------------------------------------------------------------


@given(case=cases())
def test_a_problem_shows_what_it_was_built_from(case: Case) -> None:
    problem = case.problem()
    assert problem.primary == case.primary
    assert problem.secondary == case.secondary
    assert problem.items == case.primary + case.secondary
    assert problem.options == case.options
    assert list(problem.options) == list(case.options)
    assert problem.names == tuple(range(len(case.options)))
    assert len(problem) == len(problem.options) == len(case.options)
    assert problem.entry_count == sum(map(len, case.options))
    assert [problem.index_of(name) for name in problem.names] == list(problem.names)


@given(case=cases())
def test_all_ways_of_building_agree(case: Case) -> None:
    one = dlx.Problem(case.primary, case.secondary)
    for number, option in enumerate(case.options):
        assert one.add_option(iter(option)) == number
    two = dlx.Problem()
    for item in case.primary:
        two.add_item(item)
    for item in case.secondary:
        two.add_item(item, secondary=True)
    for option in case.options:
        two.add_option(list(option))
    three = dlx.Problem.from_options(
        dict(enumerate(case.options)), primary=case.primary, secondary=case.secondary
    )
    assert one == two == three == case.problem()
    assert (one != two) is False


def test_open_items_come_in_order_of_appearance() -> None:
    problem = dlx.Problem(secondary=["s"])
    problem.add_option(["b", "s"])
    problem.add_item("z")
    problem.add_option(["a", "b"])
    assert problem.items == ("s", "b", "z", "a")
    assert problem.primary == ("b", "z", "a")
    assert problem.secondary == ("s",)


@pytest.mark.parametrize(
    ("build", "shown"),
    [
        (dlx.Problem, "<dlx.Problem: 0 primary items, 0 secondary items, 0 options>"),
        (
            lambda: dlx.Problem.from_options([["a", "s"]], secondary=["s"]),
            "<dlx.Problem: 1 primary item, 1 secondary item, 1 option>",
        ),
    ],
)
def test_repr(build: Callable[[], dlx.Problem], shown: str) -> None:
    assert repr(build()) == shown
    assert build()  # true, even without options


def test_options_are_a_sequence() -> None:
    options = dlx.Problem.from_options([["a", x], ["b"], ["a"]], secondary=["x"]).options
    assert options[0] == ("a", x)
    assert options[-1] == ("a",)
    assert options[1:] == (("b",), ("a",))
    assert options[::-2] == (("a",), ("a", x))
    assert ("b",) in options
    assert options.index(("b",)) == 1
    assert options.count(("c",)) == 0
    assert next(reversed(options)) == ("a",)
    assert options == [("a", x), ("b",), ("a",)]
    assert options != [("a", x), ("b",)]
    assert options != "ab"
    assert repr(options) == "<dlx options: 3>"
    for index in (3, -4):
        with pytest.raises(IndexError):
            options[index]
    with pytest.raises(TypeError):
        hash(options)


def test_options_follow_the_problem() -> None:
    problem = dlx.Problem()
    options = problem.options
    problem.add_option(["a", "b"])
    assert len(options) == 1
    assert options[0] == ("a", "b")


def test_equality_sees_every_difference() -> None:
    base = dlx.Problem.from_options([["a", x], ["b"]], primary=["a", "b"], secondary=["x"])
    others = [
        dlx.Problem.from_options([["a", x], ["b"]], primary=["b", "a"], secondary=["x"]),
        dlx.Problem.from_options([["b"], ["a", x]], primary=["a", "b"], secondary=["x"]),
        dlx.Problem.from_options([["a", "x"], ["b"]], primary=["a", "b"], secondary=["x"]),
        dlx.Problem.from_options(
            [["a", dlx.colored("x", 1)], ["b"]], primary=["a", "b"], secondary=["x"]
        ),
        dlx.Problem.from_options([["a", x]], primary=["a", "b"], secondary=["x"]),
        dlx.Problem.from_options([["a", x], ["b"]], primary=["a", "b"], secondary=["x", "y"]),
        dlx.Problem.from_options({"0": ["a", x], "1": ["b"]}, primary=["a", "b"], secondary=["x"]),
    ]
    assert base == pickle.loads(pickle.dumps(base))
    for other in others:
        assert base != other
    assert base != "a problem"
    with pytest.raises(TypeError):
        hash(base)


def test_color_numbers_are_not_compared() -> None:
    """Only inside do colors have numbers, and these depend on the order of their appearance."""
    one = dlx.Problem(["a"], ["x"])
    with pytest.raises(dlx.DuplicateItem):
        one.add_option(["a", dlx.colored("x", "blue"), "a"])
    two = dlx.Problem(["a"], ["x"])
    for problem in (one, two):
        problem.add_option(["a", x])
        problem.add_option(["a", dlx.colored("x", "blue")])
    assert one == two


# -- names ---------------------------------------------------------------------------------------


def test_names_default_to_indices() -> None:
    problem = dlx.Problem()
    problem.add_option(["a"])
    problem.add_option(["a"], name="named")
    problem.add_option(["a"])
    assert problem.names == (0, "named", 2)
    assert list(problem.solutions()) == [(0,), ("named",), (2,)]
    assert [problem.index_of(name) for name in problem.names] == [0, 1, 2]
    with pytest.raises(dlx.UnknownOption, match="1"):
        problem.index_of(1)


def test_an_integer_may_be_a_name() -> None:
    problem = dlx.Problem.from_options({7: ["a"], 5: ["a"], 2: ["a"]})
    assert problem.names == (7, 5, 2)
    assert [problem.index_of(name) for name in (7, 5, 2)] == [0, 1, 2]
    for name in (0, 1):
        with pytest.raises(dlx.UnknownOption):
            problem.index_of(name)
    assert list(problem.solutions(given=[5])) == [(5,)]


def test_a_name_used_twice() -> None:
    problem = dlx.Problem()
    problem.add_option(["a"], name="one")
    with pytest.raises(dlx.DuplicateName, match="options 0 and 1 are both named 'one'"):
        problem.add_option(["a"], name="one")
    problem.add_option(["a"])
    with pytest.raises(dlx.DuplicateName, match="options 1 and 2 are both named 1"):
        problem.add_option(["a"], name=1)
    problem.add_option(["a"], name=3)
    with pytest.raises(dlx.DuplicateName, match="both named 3, its index: give it another name"):
        problem.add_option(["a"])
    assert problem.names == ("one", 1, 3)


@pytest.mark.parametrize("name", [1.0, True, 1 + 0j])
def test_a_name_equal_to_an_index_is_that_index(name: Any) -> None:
    """1 == 1.0 == True: as names of two options they could not be told apart."""
    problem = dlx.Problem.from_options([["a"], ["b"]])
    with pytest.raises(dlx.DuplicateName):
        problem.add_option(["c"], name=name)


@pytest.mark.parametrize("name", [[], {}, Unhashable(), ([],)])
def test_a_name_that_is_not_hashable(name: Any) -> None:
    problem = dlx.Problem()
    with pytest.raises(dlx.InvalidEntry, match=r"option 0: its name .* is not hashable"):
        problem.add_option(["a"], name=name)
    assert problem == dlx.Problem()


# -- copies --------------------------------------------------------------------------------------


@given(case=cases() | large_cases(), protocol=st.integers(2, pickle.HIGHEST_PROTOCOL))
def test_pickle(case: Case, protocol: int) -> None:
    problem = case.problem()
    problem.count(limit=1)  # prepares it
    other = pickle.loads(pickle.dumps(problem, protocol))
    assert other == problem
    assert other.options == case.options
    assert list(other.solutions(limit=5)) == list(problem.solutions(limit=5))
    other.add_item(("new", 1))
    assert other != problem
    assert ("new", 1) not in problem.items


def test_pickle_keeps_names_and_openness() -> None:
    problem = dlx.Problem.from_options({"one": ["a", x]}, secondary=["x"])
    other = pickle.loads(pickle.dumps(problem))
    assert other.names == ("one",)
    assert other.add_option(["b", dlx.colored("x", "blue")], name="two") == 1
    closed = pickle.loads(pickle.dumps(dlx.Problem(["a"])))
    with pytest.raises(dlx.UnknownItem):
        closed.add_option(["b"])
    frozen = pickle.loads(pickle.dumps(dlx.Problem().freeze()))
    with pytest.raises(dlx.FrozenProblem):
        frozen.add_item("a")


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
def test_a_copy_is_independent(duplicate: Callable[[dlx.Problem], dlx.Problem]) -> None:
    problem = dlx.Problem.from_options([["a"]])
    other = duplicate(problem)
    assert other == problem
    other.add_option(["a"], name="new")
    assert len(problem) == 1
    assert problem.count() == 1
    assert other.count() == 2


def test_freeze() -> None:
    problem = dlx.Problem.from_options([["a"], ["a"]])
    assert problem.freeze() is problem
    changes: list[Callable[[], object]] = [
        lambda: problem.add_item("b"),
        lambda: problem.add_option(["a"]),
        lambda: problem.add_option([]),
    ]
    for change in changes:
        with pytest.raises(dlx.FrozenProblem, match="frozen"):
            change()
    assert problem.count() == 2
    assert problem.items == ("a",)


def test_a_subclass_stays_one() -> None:
    class Mine(dlx.Problem):
        pass

    for problem in (
        Mine.from_options([["a"]]),
        Mine.from_matrix([[1]]),
        Mine.from_arrays([0, 1], [0], items=1),
    ):
        assert type(problem) is Mine


# -- colored -------------------------------------------------------------------------------------


def test_colored() -> None:
    assert x == dlx.colored("x", "red") == dlx.Colored("x", "red")
    assert x != dlx.colored("x", "blue")
    assert x != dlx.colored("y", "red")
    assert x != ("x", "red")
    assert hash(x) == hash(dlx.colored("x", "red"))
    assert len({x, dlx.colored("x", "red"), "x"}) == 2
    assert repr(x) == "colored('x', 'red')"
    assert pickle.loads(pickle.dumps(x)) == x
    assert copy.copy(x) == x
    assert (x.item, x.color) == ("x", "red")


# -- wrong options -------------------------------------------------------------------------------

UNHASHABLE: Any = []
WRONG_OPTIONS: list[tuple[type[dlx.DLXError], Any, list[str]]] = [
    (dlx.EmptyOption, [], ["has no items"]),
    (dlx.EmptyOption, iter(()), ["has no items"]),
    (dlx.DuplicateItem, ["a", "b", "a"], ["'a'", "twice"]),
    (dlx.DuplicateItem, ["a", "s", "s"], ["'s'", "twice"]),
    (dlx.DuplicateItem, ["a", x, x], ["'x'", "twice"]),
    (dlx.DuplicateItem, ["a", "x", x], ["'x'", "twice"]),
    (dlx.DuplicateItem, ["a", x, dlx.colored("x", "blue")], ["'x'", "twice"]),
    (dlx.UnknownItem, ["a", "z"], ["'z'", "not declared"]),
    (dlx.UnknownItem, ["a", dlx.colored("z", 1)], ["'z'", "not declared"]),
    (dlx.UnknownItem, ["a", dlx.colored(x, 1)], ["colored('x', 'red')"]),
    (dlx.UnknownItem, ["a", None], ["None"]),
    (dlx.NoPrimaryItem, ["s"], ["no primary item"]),
    (dlx.NoPrimaryItem, [x, "s"], ["no primary item"]),
    (dlx.ColorOnPrimary, [dlx.colored("a", "red"), "b"], ["'a'", "color"]),
    (dlx.ColorOnPrimary, ["b", dlx.colored("a", 0)], ["'a'", "color"]),
    (dlx.InvalidEntry, "ab", ["'ab'", "text"]),
    (dlx.InvalidEntry, b"ab", ["b'ab'"]),
    (dlx.InvalidEntry, 5, ["is 5"]),
    (dlx.InvalidEntry, None, ["is None"]),
    (dlx.InvalidEntry, ["a", ["b"]], ["['b']", "not hashable"]),
    (dlx.InvalidEntry, ["a", Unhashable()], ["Unhashable()", "not hashable"]),
    (dlx.InvalidEntry, ["a", dlx.colored("x", UNHASHABLE)], ["colored('x', [])", "not hashable"]),
    (
        dlx.InvalidEntry,
        ["a", dlx.colored(UNHASHABLE, "red")],
        ["colored([], 'red')", "not hashable"],
    ),
]


@pytest.mark.parametrize(("error", "items", "words"), WRONG_OPTIONS)
@pytest.mark.parametrize("name", [None, "mine"])
def test_a_wrong_option_leaves_the_problem_as_it_was(
    error: type[dlx.DLXError], items: Any, words: list[str], name: str | None
) -> None:
    items = list(items) if isinstance(items, Iterator) else items
    problem = dlx.Problem(["a", "b"], ["s", "x"])
    problem.add_option(["a", "s", x], name="first")
    before = pickle.loads(pickle.dumps(problem))
    with pytest.raises(error) as caught:
        problem.add_option(items, name=name)
    assert type(caught.value) is error
    assert isinstance(caught.value, dlx.ProblemError)
    for word in [*words, "option 1", name or "option"]:
        assert word in str(caught.value)
    assert problem == before
    assert problem.add_option(["b"], name="mine") == 1
    assert list(problem.solutions()) == [("first", "mine")]


@pytest.mark.parametrize(("error", "items", "words"), WRONG_OPTIONS)
@pytest.mark.parametrize("mapping", [False, True])
def test_a_wrong_option_among_many(
    error: type[dlx.DLXError], items: Any, words: list[str], mapping: bool
) -> None:
    items = list(items) if isinstance(items, Iterator) else items
    options: Any = [["a"], ["b", x], items, ["a", "b"]]
    if mapping:
        options = dict(zip(["i", "ii", "iii", "iv"], options, strict=True))
    with pytest.raises(error) as caught:
        dlx.Problem.from_options(options, primary=["a", "b"], secondary=["s", "x"])
    assert type(caught.value) is error
    for word in [*words, "option 2", "'iii'" if mapping else "option"]:
        assert word in str(caught.value)


def test_a_wrong_option_declares_no_items() -> None:
    problem = dlx.Problem()
    for items in (["a", "b", "a"], ["c", []], ["d", dlx.colored("d", 1)], ["e", x, x]):
        with pytest.raises(dlx.ProblemError):
            problem.add_option(items)
    with pytest.raises(dlx.InvalidEntry):
        problem.add_option(["f"], name=[])  # type: ignore[arg-type]
    assert problem == dlx.Problem()
    problem.add_option(["b"])
    assert problem.items == ("b",)


def test_an_exception_of_the_users_own_passes_through() -> None:
    def items() -> Iterator[str]:
        yield "a"
        raise RuntimeError("mine")

    problem = dlx.Problem()
    with pytest.raises(RuntimeError, match="mine"):
        problem.add_option(items())
    assert problem == dlx.Problem()
    with pytest.raises(RuntimeError, match="mine"):
        dlx.Problem.from_options([["a"], items()])


def test_a_color_for_an_open_item_is_wrong() -> None:
    """Undeclared items are primary, and those have no colors."""
    with pytest.raises(dlx.ColorOnPrimary, match=r"option 0 .*'x'"):
        dlx.solve([["a", x]])


def test_a_long_item_does_not_flood_the_message() -> None:
    with pytest.raises(dlx.UnknownItem) as caught:
        dlx.Problem(["a"]).add_option(["z" * 1_000_000])
    assert len(str(caught.value)) < 200
    assert "'zzz" in str(caught.value)


# -- wrong items and arguments -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("primary", "secondary"),
    [(["a", "a"], []), (["a"], ["a"]), ([], ["a", "a"]), (None, ["a", "a"])],
)
def test_an_item_declared_twice(primary: Iterable[str] | None, secondary: Iterable[str]) -> None:
    with pytest.raises(dlx.DuplicateItem, match="item 'a' is declared twice"):
        dlx.Problem(primary, secondary)


@pytest.mark.parametrize("secondary", [False, True])
def test_an_item_added_twice(secondary: bool) -> None:
    problem = dlx.Problem.from_options([["a"]])
    with pytest.raises(dlx.DuplicateItem, match="'a'"):
        problem.add_item("a", secondary=secondary)
    assert problem.items == ("a",)


@pytest.mark.parametrize("item", [[], {}, Unhashable(), ([],), x])
def test_what_cannot_be_an_item(item: Any) -> None:
    builders: list[Callable[[], object]] = [
        lambda: dlx.Problem([item]),
        lambda: dlx.Problem([], [item]),
        lambda: dlx.Problem().add_item(item),
        lambda: dlx.Problem().add_item(item, secondary=True),
    ]
    for build in builders:
        with pytest.raises(dlx.InvalidEntry) as caught:
            build()
        assert repr(item) in str(caught.value)


@pytest.mark.parametrize("text", ["abc", "", b"abc"])
def test_items_and_options_as_a_text(text: Any) -> None:
    builders: list[Callable[[], object]] = [
        lambda: dlx.Problem(text),
        lambda: dlx.Problem(secondary=text),
        lambda: dlx.Problem.from_options(text),
        lambda: dlx.solve(text),
        lambda: dlx.solve([["a"]], primary=text),
        lambda: dlx.solve([["a"]], secondary=text),
    ]
    for build in builders:
        with pytest.raises(dlx.InvalidEntry) as caught:
            build()
        assert repr(text) in str(caught.value)


# -- one-liners, and other containers ------------------------------------------------------------


def test_one_liners() -> None:
    options = {"x": ["a", "c"], "y": ["b", "s"], "z": ["a", "b"], "w": ["a", "c", "s"]}
    assert dlx.solve(options, secondary=["s"]) == ("x", "y")
    assert list(dlx.solutions(options, secondary=["s"])) == [("x", "y")]
    assert dlx.count(options, secondary=["s"]) == 1
    assert dlx.count(options, primary=["a", "b", "c", "s"]) == 1
    assert dlx.solve(options, secondary=["s"], given=["z"]) is None
    assert dlx.count([["a"]] * 9, limit=4, timeout=100, seed=1, engine="python") == 4
    with pytest.raises(TypeError, match="nonsense"):
        dlx.count(options, nonsense=1)


@pytest.mark.parametrize(
    "options",
    [
        OrderedDict(x=["a"], y=["b"]),
        MappingProxyType({"x": ("a",), "y": frozenset("b")}),
        {"x": {"a": 1}, "y": iter(["b"])},
    ],
)
def test_containers_of_every_kind(options: Any) -> None:
    assert dlx.solve(options) == ("x", "y")
    assert dlx.Problem(dict.fromkeys("ab").keys(), {"s"}).items == ("a", "b", "s")


# -- the tree of errors --------------------------------------------------------------------------


def test_every_error_is_a_dlxerror_and_pickles() -> None:
    import dlx.errors

    for name in dlx.errors.__all__:
        error = getattr(dlx.errors, name)
        if issubclass(error, Warning):
            continue
        assert issubclass(error, dlx.DLXError)
        assert issubclass(error, ValueError)
        assert error.__doc__
        if not issubclass(error, dlx.SearchInterrupted | dlx.PartFailed):
            copied = pickle.loads(pickle.dumps(error("what is wrong")))
            assert type(copied) is error
            assert str(copied) == "what is wrong"


def test_failed_parts_travel() -> None:
    error = dlx.PartFailed([(dlx.Part(((0, 3),), 1), KeyError("gone")), (dlx.Part(), OSError())])
    copied = pickle.loads(pickle.dumps(error))
    assert str(copied) == str(error)
    assert "KeyError: 'gone'; and so did 1 more part; all other" in str(copied)
    assert copied.failures[0][0] == dlx.Part(((0, 3),), 1)


def test_the_docstring_shows_the_tree() -> None:
    import dlx.errors

    tree = [
        line for line in (dlx.errors.__doc__ or "").splitlines() if "|- " in line or "`- " in line
    ]
    assert {line.split("- ")[1].split()[0] for line in tree} == {*dlx.errors.__all__} - {
        "DLXError",
        "KernelMissingWarning",
        "ObjectiveWarning",
    }
    for line in tree:
        error = getattr(dlx.errors, line.split("- ")[1].split()[0])
        depth = sum(issubclass(base, dlx.DLXError) for base in error.__mro__) - 1
        assert line.index("- ") == 2 + 4 * depth, line


def test_format_error_pickles_with_its_place() -> None:
    error = dlx.FormatError("wrong", line=3, source="file.dlx")
    assert str(error) == "file.dlx, line 3: wrong"
    copied = pickle.loads(pickle.dumps(error))
    assert str(copied) == str(error)
    assert (copied.line, copied.source) == (3, "file.dlx")


class Frame(Mapping[str, list[str]]):
    """A mapping that is no dict."""

    def __getitem__(self, name: str) -> list[str]:
        return NAMED[name]

    def __iter__(self) -> Iterator[str]:
        return iter(NAMED)

    def __len__(self) -> int:
        return len(NAMED)

    def __repr__(self) -> str:
        return "Frame()"


NAMED = {"x": ["a"], "y": ["a", "b"]}


@pytest.mark.parametrize("options", [NAMED, Frame(), {}])
def test_options_in_the_place_of_items(options: Any) -> None:
    with pytest.raises(dlx.InvalidEntry) as caught:
        dlx.Problem(options)
    assert str(caught.value) == (
        f"primary is the mapping {options!r}; for options by name, call Problem.from_options; for "
        "its keys as items, give list(...)"
    )
    with pytest.raises(dlx.InvalidEntry, match="primary is the mapping"):
        dlx.Problem.from_options(NAMED, primary=options)
    for ask in (
        lambda: dlx.Problem(["a"], options),
        lambda: dlx.Problem.from_options(NAMED, secondary=options),
    ):
        with pytest.raises(dlx.InvalidEntry, match=r"secondary is the mapping .* give list"):
            ask()
    assert dlx.Problem.from_options(NAMED).solve() == ("y",)


@pytest.mark.parametrize("names", [{0: "x", 1: "y"}, {"x", "y"}, 7])
def test_names_that_are_no_list(names: Any) -> None:
    with pytest.raises(
        dlx.InvalidEntry, match=r"names is .* must be a list, in the options' order"
    ):
        dlx.Problem.from_arrays([0, 1, 2], [0, 0], items=1, names=names)


def test_a_color_spelled_into_the_text_of_an_item() -> None:
    problem = dlx.Problem(["a"], ["x", "y:z"])
    hint = "; the secondary item 'x' in a color is dlx.colored('x', '1')"
    with pytest.raises(dlx.UnknownItem) as caught:
        problem.add_option(["a", "x:1"])
    assert str(caught.value) == f"option 0: item 'x:1' was not declared{hint}"
    with pytest.raises(dlx.UnknownItem) as caught:
        dlx.Problem.from_options({"one": ["a", "x:1"]}, primary=["a"], secondary=["x"])
    assert str(caught.value) == f"option 0 ('one'): item 'x:1' was not declared{hint}"
    with pytest.raises(dlx.UnknownItem, match=r"dlx\.colored\('y:z', '2'\)$"):
        problem.add_option(["a", "y:z:2"])
    for unknown in ("x:", ":x", "a:1", "q:1", ("x", 1), 3):
        with pytest.raises(
            dlx.UnknownItem, match=r"not declared; declare it in primary="
        ) as caught:
            problem.add_option(["a", unknown])
        assert "colored" not in str(caught.value)
    assert problem.add_option(["a", dlx.colored("x", "1")]) == 0


@pytest.mark.parametrize("wrong", ["ann", ("ann",), None, 1.0, slice("a", "b")])
def test_options_are_not_found_by_name(wrong: Any) -> None:
    problem = dlx.Problem.from_options({"ann": ["a"], "bob": ["a"]})
    with pytest.raises(TypeError) as caught:
        problem.options[wrong]
    assert str(caught.value) == (
        f"options are numbered from 0, and {wrong!r} is neither a number nor a slice; for an "
        "option by its name, use options[problem.index_of(name)]"
    )
    assert problem.options[problem.index_of("ann")] == ("a",)


@pytest.mark.parametrize("wrong", [2, -3, 10**30])
def test_options_that_are_not_there(wrong: int) -> None:
    with pytest.raises(
        IndexError, match=f"there is no option {wrong}; the problem has 2, numbered"
    ):
        dlx.Problem.from_options([["a"], ["a"]]).options[wrong]


@given(case=cases())
def test_warnings_name_what_is_odd(case: Case) -> None:
    problem = case.problem()
    sentences = problem.warnings()
    used = {getattr(entry, "item", entry) for option in case.options for entry in option}
    for item in case.primary:
        sentence = f"no option contains the primary item {item!r}: there is no solution"
        assert (sentence in sentences) == (item not in used)
    for item in case.secondary:
        assert (f"no option contains the secondary item {item!r}" in sentences) == (
            item not in used
        )
    sets = [frozenset(option) for option in case.options]
    repeated = [sentence for sentence in sentences if "have the same items" in sentence]
    assert len(repeated) == len(sets) - len(set(sets))


@pytest.mark.parametrize(
    "call",
    [
        lambda problem: problem.add_option(["monday", "bbob"]),
        lambda problem: dlx.Problem.from_options([["bbob"]], primary=["monday", "bob"]),
        lambda problem: problem.without(items=["bbob"]),
        lambda problem: problem.explain(among=["bbob"]),
        lambda problem: problem.multiplicity_of("bbob"),
        lambda problem: dlx.Problem(["monday", "bob"], multiplicities={"bbob": 2}),
    ],
)
def test_an_unknown_item_says_how_to_declare_it(call: Any) -> None:
    problem = dlx.Problem(["monday", "bob"])
    how = "declare it in primary= or secondary=, or with add_item"
    with pytest.raises(
        dlx.UnknownItem, match=f"'bbob' was not declared; {how}; did you mean 'bob'"
    ):
        call(problem)


TYPO = "item {!r} is in one option only; did you mean {!r}?"


@pytest.mark.parametrize(
    ("options", "sentences"),
    [
        ([["mon", "ann"], ["tue", "bob"], ["mon", "bbo"]], [TYPO.format("bbo", "bob")]),
        ([["mon", "ann"], ["tue", "ann"], ["Mon", "bob"]], [TYPO.format("Mon", "mon")]),
        ([["mon", 1], ["tue", 1], ["mon", "1"]], [TYPO.format("1", 1)]),
        ([["r1c1"], ["r1c2"], ["rlc2"]], [TYPO.format("rlc2", "r1c2")]),
        (
            [[("cell", 1, 2)], [("cell", 1, 2), 3], [("cel", 1, 2)]],
            [TYPO.format(("cel", 1, 2), ("cell", 1, 2))],
        ),
        (
            [[(row, column)] for row in range(3) for column in range(3)] * 3 + [["go"]],
            ["item 'go' is in one option only, every other item in at least 3; is it misspelled?"],
        ),
        ([["p1", "x"], ["p2", "x"], ["p3", "x"]], []),  # names by a scheme
        ([["shift a"], ["shift a"], ["shift b"], ["shift c"]], []),
        ([["a", "b"], ["b"], ["a", "c"]], []),
        ([["F", (0, 0)], ["I", (0, 0)], ["I", (0, 1)], ["I", (1, 1)]], []),  # F has one place
    ],
)
def test_an_undeclared_item_that_may_be_misspelled(
    options: list[list[Hashable]], sentences: list[str]
) -> None:
    """Only of items that no caller has declared."""
    problem = dlx.Problem.from_options(options)
    found = [one for one in problem.warnings() if "in one option only" in one]
    assert found == sentences
    declared = dlx.Problem.from_options(options, primary=problem.primary)
    assert not any("in one option only" in one for one in declared.warnings())


def test_warnings_of_bounds_weights_and_colors() -> None:
    problem = dlx.Problem(["a", "b"], ["x"], multiplicities={"a": 4, "b": (0, 2)})
    problem.add_option([dlx.times("a", 2), dlx.colored("x", 1)], name="p")
    problem.add_option(["a", dlx.colored("x", 1)], name="q")
    problem.add_option(["a", dlx.colored("x", 2)], name="r")
    problem.add_option(["a", dlx.colored("x", 2)], name="s")
    assert problem.warnings() == ("options 'r' and 's' have the same items",)
    assert problem.without(["p", "s"]).warnings() == (
        "all options together cover item 'a' 2 times, and it needs 4: there is no solution",
    )
