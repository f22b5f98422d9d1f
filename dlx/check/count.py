"""Checks a certificate of the number of solutions of an exact cover problem.

    python count.py PROBLEM CERTIFICATE

The problem is in Knuth's format, with multiplicities as `2:3|p` and weights as `p*2`. Both files
may be packed by gzip. This program needs nothing but Python 3.11; copy it where you like.

The STATE of a partial solution is what is left of the problem: the live options, which may still be
taken, and how often each primary item is covered. A certificate is a diagram of states. Its root is
the problem, and each further line branches on a primary item that is not done:

    NODE ITEM BRANCH BRANCH ...

Branch k takes the k-th live option of the item, in the order of the problem, and excludes those
before. A last branch takes none of them, if the item needs no more. A branch is written as

    NODE      the state it leads to; if others have led to this node, it must be the same state
    NODE:O,O  a state that is the same if its live options are called like this
    0         a solution: no option is live, and no item needs more
    -ITEM     nothing: the live options do not cover this item often enough

A node's line comes after all branches to it. So the ways to it are known, and are added to those of
its own branches; then its name may be used again. The other lines, in this order, are

    dlx proof: count certificate 1 ...
    problem PRIMARY ITEMS OPTIONS        how many there are; items are numbered from 1
    forbid OPTION ...                    these are left out; the others are then numbered from 0
    given OPTION ...                     the solutions that are counted contain these
    generator OPTION ...                 any number of symmetries: the images of all options
    root BRANCH                          then the lines of nodes
    solutions NUMBER
    class SIZE OPTION ...                a solution, and how many the generators make of it
    classes NUMBER                       only after lines `class`, which are all of them
    end

A state is written in one way: options that exceed the bound of an item are not live, and an item
that needs no more, and that all live options cannot bring above its bound, counts as covered as
often as it must be.
"""

import gzip
import sys
import zlib
from collections.abc import Iterable, Iterator
from decimal import Decimal  # Python limits the digits of str
from functools import reduce
from itertools import count
from math import inf
from operator import add
from typing import NamedTuple

State = tuple[int, tuple[int, ...]]


class Refused(Exception):
    """The certificate is wrong, or about another problem; or the problem is not valid."""


def demand(condition: object, message: str) -> None:
    """Raises `Refused` unless the condition holds."""
    if not condition:
        raise Refused(message)


class Count(NamedTuple):
    """What a certificate proves; `classes` is None if it says nothing about symmetric solutions."""

    solutions: int
    classes: int | None
    given: list[int]
    forbidden: list[int]


class Problem:
    """An exact cover problem. A state of it is an integer and a tuple.

    The bits of the integer are the live options and, above them, the open items of those that must
    be covered once; the tuple says how often each of the others is covered.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        rows = [words for line in lines if (words := line.split()) and words[0][0] != "|"]
        head = [*rows[0], "|"]
        self.bounds: list[tuple[int, float]] = []  # of each primary item
        for word in head[: head.index("|")]:
            low, _, high = (word.rpartition("|")[0] or "1").partition(":")
            self.bounds.append((int(low), inf if high == "*" else int(high or low)))
        names = [word.rpartition("|")[2] for word in head if word != "|"]
        self.number = {name: item for item, name in enumerate(names)}
        demand(len(self.number) == len(names), "two items have the same name")
        self.options: list[dict[int, tuple[str, int]]] = []  # color and weight of each item
        for words in rows[1:]:
            pairs = [self._entry(word) for word in words if word[0] != "|"]  # without costs
            self.options.append(dict(pairs))
            demand(len(self.options[-1]) == len(pairs), f"an item is twice in {words}")
            demand(min(pairs)[0] < len(self.bounds), f"there is no primary item in {words}")

    def _entry(self, word: str) -> tuple[int, tuple[str, int]]:
        name, _, color = word.partition(":")
        name, _, weight = (name, "", "1") if name in self.number else name.rpartition("*")
        item = self.number.get(name, -1)
        valid = weight == "1" if item >= len(self.bounds) else int(weight) > 0 and not color
        demand(valid and item >= 0, f"{word} is wrong")
        return item, (color, int(weight))

    def prepare(self) -> None:
        """Makes the tables for states."""
        self.size = size = len(self.options)
        self.counted = [item for item, (low, high) in enumerate(self.bounds) if low * high != 1]
        # Of each item, the options that have it with the same color and weight, as bits.
        self.kinds: list[dict[tuple[str, int], int]] = [{} for _ in self.number]
        for option, entries in enumerate(self.options):
            for item, kind in entries.items():
                self.kinds[item][kind] = self.kinds[item].get(kind, 0) | 1 << option
        self.members = [sum(kinds.values()) for kinds in self.kinds]
        once = {*range(len(self.bounds))} - {*self.counted}
        self.keep = []  # of each option, what it leaves of a state
        for option, entries in enumerate(self.options):
            lost = 1 << option
            for item in entries.keys() - {*self.counted}:
                colored = entries[item][0] != ""
                lost |= self.members[item] & ~(self.kinds[item][entries[item]] if colored else 0)
                lost |= 1 << size + item if item in once else 0
            self.keep.append(~lost)
        bits = (1 << size) - 1 + sum(1 << size + item for item in once)
        for item in once:  # no option covers it twice
            bits &= ~(self.members[item] - self.kinds[item].get(("", 1), 0))
        self.root = self.settled(bits, [0] * len(self.counted))

    def settled(self, bits: int, times: Iterable[int]) -> State:
        """A state as it is written: see above."""
        if not self.counted:
            return bits, ()
        times = list(times)
        for place, item in enumerate(self.counted):
            room = self.bounds[item][1] - times[place]
            bits &= ~sum(members for (_, w), members in self.kinds[item].items() if w > room)
        for place, item in enumerate(self.counted):
            low, high = self.bounds[item]
            if low <= times[place] <= high - self.rest(bits, item):
                times[place] = low
        return bits, tuple(times)

    def rest(self, bits: int, item: int) -> int:
        """How often the live options cover an item."""
        return sum(w * (bits & some).bit_count() for (_, w), some in self.kinds[item].items())

    def left(self, state: State, item: int) -> tuple[int, float]:
        """How often a primary item must still be covered, and how often it may be."""
        demand(0 <= item < len(self.bounds), f"there is no primary item {item + 1}")
        if item in self.counted:
            times = state[1][self.counted.index(item)]
            return self.bounds[item][0] - times, self.bounds[item][1] - times
        return state[0] >> self.size + item & 1, state[0] >> self.size + item & 1

    def is_done(self, state: State) -> bool:
        """Does no item need more?"""
        return all(self.left(state, item)[0] <= 0 for item in range(len(self.bounds)))

    def take(self, state: State, option: int) -> State:
        """The state after an option."""
        demand(0 <= option < self.size and state[0] >> option & 1, "an option is not live")
        weights = [self.options[option].get(item, ("", 0))[1] for item in self.counted]
        return self.settled(state[0] & self.keep[option], map(add, state[1], weights))

    def branches(self, state: State, item: int) -> Iterator[State]:
        """The states to which the branches of a primary item lead."""
        bits, times = state
        done = self.left(state, item)[0] <= 0
        while left := bits & self.members[item]:
            yield self.take((bits, times), (left & -left).bit_length() - 1)
            bits ^= left & -left
        if done:
            yield self.settled(bits, times)

    def live(self, state: State) -> list[int]:
        """The live options."""
        return [at for at in range(self.size) if state[0] >> at & 1]

    def conditions(self, state: State, names: Iterable[int]) -> set[object]:
        """What solutions of a state must fulfil, with these names for its live options."""
        name = dict(zip(self.live(state), names, strict=True))
        found: set[object] = {len(name), frozenset(name.values())}
        groups: list[dict[object, set[tuple[int, int]]]] = [{} for _ in self.kinds]
        for option, own in name.items():
            for item, (color, weight) in self.options[option].items():
                groups[item].setdefault(color or own, set()).add((own, weight))
        for item, group in enumerate(groups):
            sets = frozenset(map(frozenset, group.values()))
            if item < len(self.bounds):  # they cover the item together
                found.add((sets, *self.left(state, item)))
            elif len(sets) > 1:  # they exclude each other
                found.add(sets)
        return found


def checked(problem: Problem, rows: Iterator[list[str]]) -> Count:
    """What a certificate proves, given the words of its lines."""

    def after(word: str) -> list[str]:
        first, *words = next(rows)
        demand(first == word, f"it should begin with {word!r}")
        return words

    demand(after("dlx")[:4] == ["proof:", "count", "certificate", "1"], "this version is unknown")
    size = f"{len(problem.bounds)} {len(problem.number)} {len(problem.options)}"
    demand(" ".join(after("problem")) == size, f"it is about another problem, not one of {size}")
    forbidden = [*map(int, after("forbid"))]
    problem.options = [one for at, one in enumerate(problem.options) if at not in {*forbidden}]
    problem.prepare()
    given = [*map(int, after("given"))]
    generators = []
    whole = problem.conditions(problem.root, problem.live(problem.root))
    while (words := next(rows))[0] == "generator":
        generators.append([*map(int, words[1:])])
        calls = (generators[-1][option] for option in problem.live(problem.root))
        demand(problem.conditions(problem.root, calls) == whole, "it is no symmetry of the problem")
    demand(words[0] == "root", "it should begin with 'root'")
    reached: dict[str, tuple[State, int]] = {}  # the nodes without a line so far: state, ways
    arrivals = iter([reduce(problem.take, given, problem.root)])
    names, ways, solutions = words[1:], 1, 0
    while True:
        for branch, state in zip(names, arrivals, strict=True):
            name, _, called = branch.partition(":")
            if name == "0":
                demand(problem.is_done(state) and not problem.live(state), "it is no solution")
                solutions += ways
            elif name[0] == "-":
                item = -int(name) - 1
                demand(problem.rest(state[0], item) < problem.left(state, item)[0], f"{name}: no")
            else:
                known, before = reached.get(name, (state, 0))
                if called:
                    own = problem.conditions(state, map(int, called.split(",")))
                    demand(own == problem.conditions(known, problem.live(known)), f"{name} differs")
                demand(called or known == state, f"{name} has had another state")
                reached[name] = known, before + ways
        node, *names = next(rows)
        if node == "solutions":
            break
        demand(node in reached, "no branch has led to this node")
        state, ways = reached.pop(node)
        arrivals = problem.branches(state, int(names.pop(0)) - 1)
    demand(not reached and names == [str(Decimal(solutions))], f"{len(reached)} nodes are left")
    sizes: dict[tuple[int, ...], int] = {}  # of each class, by its least solution
    while (words := next(rows))[0] == "class":
        found = tuple(sorted(map(int, words[2:])))
        state = reduce(problem.take, found, problem.root)
        demand(problem.is_done(state) and {*given} <= {*found}, "this is no solution")
        members, new = {found}, [found]
        for solution in new:
            for images in generators:
                image = tuple(sorted(images[option] for option in solution))
                if image not in members:
                    members.add(image)
                    new.append(image)
        demand(len(members) == int(words[1]), f"the class has {len(members)} solutions")
        sizes[min(members)] = len(members)
    classes = None
    if words[0] == "classes" or sizes:
        kept = all({images[one] for one in given} == {*given} for images in generators)
        demand(kept and sum(sizes.values()) == solutions, "not all solutions are in the classes")
        demand(words[1:] == [str(classes := len(sizes))], f"there are {classes} classes")
        words = next(rows)
    demand(words == ["end"] and next(rows, None) is None, "it should be 'end', and the last line")
    return Count(solutions, classes, given, forbidden)


def check(problem: Iterable[str], certificate: Iterable[str]) -> Count:
    """What the lines of a certificate prove about the lines of a problem; raises `Refused`."""
    read = count()
    rows = (line.split() for line, _ in zip(certificate, read, strict=False))
    try:
        return checked(Problem(problem), rows)
    except (ValueError, LookupError, StopIteration, Refused) as error:
        raise Refused(f"line {next(read)}: {str(error) or 'the end'}") from None


def lines_of(path: str) -> Iterator[str]:
    """The lines of a text file, which gzip may have packed."""
    with open(path, "rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    with (gzip.open if packed else open)(path, "rt", encoding="utf-8") as text:
        yield from text


def main(arguments: list[str]) -> None:
    """Checks the files; exits with a message and the status 1 if the certificate is refused."""
    try:
        number, *more = check(*map(lines_of, arguments))
    except (Refused, OSError, EOFError, TypeError, ValueError, zlib.error) as error:
        sys.exit(f"count.py PROBLEM CERTIFICATE: {error}")
    print("solutions: {}, classes: {}, given: {}, forbidden: {}".format(Decimal(number), *more))


if __name__ == "__main__":
    main(sys.argv[1:])
