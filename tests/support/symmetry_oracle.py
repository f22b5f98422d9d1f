"""Symmetries of problems, found slowly and obviously, or by nauty."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any

import dlx


def entries_of(option: Sequence[Any]) -> dict[Hashable, tuple[Hashable, int]]:
    """The color (or None) and the weight of each item of an option."""
    return {
        getattr(entry, "item", entry): (
            getattr(entry, "color", None),
            getattr(entry, "weight", 1),
        )
        for entry in option
    }


def kind_of(problem: dlx.Problem, item: Hashable) -> Hashable:
    """What a symmetry keeps of an item."""
    return problem.multiplicity_of(item) if item in problem.primary else "secondary"


def slow_symmetries(problem: dlx.Problem) -> Iterator[tuple[dict[Any, Any], dict[Any, Any]]]:
    """All symmetries, as mappings of options and of items: tries all pairs of permutations."""
    rows = [entries_of(option) for option in problem.options]
    kinds = {item: kind_of(problem, item) for item in problem.items}
    for images in permutations(problem.items):
        of = dict(zip(problem.items, images, strict=True))
        if any(kinds[item] != kinds[of[item]] for item in of):
            continue
        for order in permutations(range(len(rows))):
            if maps_rows(rows, of, order):
                names = [problem.names[index] for index in order]
                yield dict(zip(problem.names, names, strict=True)), of


def maps_rows(
    rows: list[dict[Any, tuple[Any, int]]], of: dict[Any, Any], order: Sequence[int]
) -> bool:
    """Are the items of each option mapped to those of its image, with renamed colors?"""
    pairs = set()
    for row, index in zip(rows, order, strict=True):
        image = rows[index]
        if {of[item] for item in row} != set(image):
            return False
        for item, (color, weight) in row.items():
            other, other_weight = image[of[item]]
            if weight != other_weight or (color is None) != (other is None):
                return False
            pairs.add((item, color, other))
    firsts = {(item, color) for item, color, _ in pairs}
    seconds = {(item, other) for item, _, other in pairs}
    return len(firsts) == len(pairs) == len(seconds)


def nauty_order(problem: dlx.Problem) -> int:
    """The order of the group by nauty, with one vertex for each item, option, color and weight."""
    import pynauty  # type: ignore[import-untyped,unused-ignore]

    vertices: dict[Hashable, list[int]] = {}  # by kind
    neighbors: dict[int, list[int]] = {}

    def vertex(kind: Hashable) -> int:
        number = len(neighbors)
        neighbors[number] = []
        vertices.setdefault(kind, []).append(number)
        return number

    items = {item: vertex(("item", kind_of(problem, item))) for item in problem.items}
    colors: dict[Hashable, int] = {}
    for option in problem.options:
        here = vertex("option")
        for item, (color, weight) in entries_of(option).items():
            end = items[item]
            if color is not None:
                if (item, color) not in colors:
                    colors[item, color] = vertex("color")
                    neighbors[colors[item, color]].append(end)
                end = colors[item, color]
            if weight > 1:
                between = vertex(("weight", weight))
                neighbors[between].append(end)
                end = between
            neighbors[here].append(end)
    graph = pynauty.Graph(
        len(neighbors),
        adjacency_dict=neighbors,
        vertex_coloring=[set(vertices[kind]) for kind in sorted(vertices, key=repr)],
    )
    _, mantissa, exponent, _, _ = pynauty.autgrp(graph)
    order: int = round(mantissa * 10**exponent)
    return order


def regular_problem(rng: random.Random) -> dlx.Problem:
    """A problem with many symmetries, or much regularity: shifts of a few options, and copies."""
    size = rng.randint(1, 9)
    copies = rng.randint(1, 3)
    kinds = rng.sample(["a", "b", "c"], rng.randint(1, 3))
    places = [(i, copy) for i in range(size) for copy in range(copies)]
    secondary = [(kind, *place) for kind in kinds[1:] for place in places]
    options = []
    for _ in range(rng.randint(1, 3)):
        base = {(rng.choice(kinds), rng.randrange(size)): rng.randrange(4) for _ in range(3)}
        base[kinds[0], rng.randrange(size)] = 0
        for copy in range(copies):
            for shift in range(size):
                option: list[Any] = []
                for (kind, place), color in base.items():
                    item: Any = (kind, (place + shift) % size, copy)
                    if kind != kinds[0] and color:
                        item = dlx.colored(item, (color * (shift + 1)) % 5)
                    elif kind == kinds[0] and color == 3:
                        item = dlx.times(item, 2)
                    option.append(item)
                if rng.random() < 0.98:
                    options.append(option)
    bounds = {(kinds[0], *place): (0, 2) for place in places}
    problem = dlx.Problem([*bounds], secondary, multiplicities=bounds)
    for option in options:
        problem.add_option(option)
    return problem


def symmetric_problem(rng: random.Random) -> dlx.Problem:
    """A problem with many symmetries and some solutions: most have one, and few have many."""
    size, copies = rng.randint(2, 6), rng.randint(1, 3)
    places = [(i, copy) for i in range(size) for copy in range(copies)]
    secondary = [("s", *place) for place in places]
    bounds: dict[Any, Any] = {}
    if rng.random() < 0.3:
        bounds = dict.fromkeys(places, rng.choice([(0, 1), (1, 2), (0, 2), 2]))
    problem = dlx.Problem(places, secondary, multiplicities=bounds)
    for _ in range(rng.randint(1, 4)):
        covered = rng.sample(range(size), min(size, rng.randint(1, 3)))
        touched = rng.sample(range(size), rng.choice([0, 0, 1, 2]) if size > 1 else 0)
        twice = any(bound not in ((0, 1), 1) for bound in bounds.values())
        weight = rng.choice([1, 1, 2]) if twice else 1
        across = rng.random() < 0.3
        for copy in range(copies):
            for shift in range(size):
                option: list[Any] = [
                    ((place + shift) % size, (copy + (across and place)) % copies)
                    for place in covered
                ]
                if weight > 1:
                    option[0] = dlx.times(option[0], weight)
                for place in touched:
                    item = ("s", (place + shift) % size, copy)
                    color = rng.choice([0, 1, 1 + shift % 2])
                    option.append(dlx.colored(item, color) if color else item)
                if rng.random() < 0.97:
                    problem.add_option(option)
    return problem


def classes_of_solutions(
    solutions: Sequence[tuple[Any, ...]], generators: Iterable[Mapping[Any, Any]]
) -> list[tuple[tuple[Any, ...], int]]:
    """The first solution of each class, and the sizes of the classes.

    `generators` are mappings of option names. Two solutions are in one class if generators lead
    from one to the other.
    """
    number_of = {frozenset(solution): number for number, solution in enumerate(solutions)}
    class_of = list(range(len(solutions)))
    for generator in generators:
        for number, solution in enumerate(solutions):
            image = number_of[frozenset(generator.get(name, name) for name in solution)]
            old, new = class_of[image], class_of[number]
            if old != new:
                class_of = [new if one == old else one for one in class_of]
    firsts: dict[int, int] = {}
    for number, one in enumerate(class_of):
        firsts.setdefault(one, number)
    return [(solutions[number], class_of.count(one)) for one, number in firsts.items()]


def shuffled(problem: dlx.Problem, rng: random.Random) -> dlx.Problem:
    """An isomorphic problem: items, options and colors renamed, and in another order."""
    items = rng.sample(problem.items, len(problem.items))
    name = {item: f"i{number}" for number, item in enumerate(items)}
    secondary = set(problem.secondary)
    result = dlx.Problem(
        [name[item] for item in items if item not in secondary],
        [name[item] for item in items if item in secondary],
        multiplicities={name[item]: bounds for item, bounds in problem.multiplicities.items()},
    )
    salt = {item: rng.randrange(100) for item in items}
    names = dict(zip(problem.names, problem.costs, strict=True))
    for index in rng.sample(range(len(problem)), len(problem)):
        option: list[Any] = []
        entries = entries_of(problem.options[index])
        for item in rng.sample([*entries], len(entries)):
            color, weight = entries[item]
            if color is not None:
                option.append(dlx.colored(name[item], (salt[item], color)))
            else:
                option.append(dlx.times(name[item], weight) if weight > 1 else name[item])
        cost = names[problem.names[index]]
        result.add_option(option, name=("o", index), cost=cost)
    return result
