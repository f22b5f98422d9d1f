"""What type checkers know of option names and answers; `tests/test_types.py` gives them this file.

It also runs: the types are those of the values.
"""

from __future__ import annotations

import asyncio
from typing import Any, assert_type

import dlx
from dlx import models

TOWNS = {("hill", 1): ["a", "b"], ("mill", 2): ["c"], ("mill", 3): ["a", "b", "c"]}

# -- a mapping: the names are its keys -----------------------------------------------------------
towns = dlx.Problem.from_options(TOWNS)
assert_type(towns, dlx.Problem[tuple[str, int]])
assert_type(towns.solve(), tuple[tuple[str, int], ...] | Any)
assert_type(towns.solutions(), dlx.Search[tuple[str, int]])
assert_type(towns.names, tuple[tuple[str, int], ...])
for solution in towns.solutions(given=[("hill", 1)], forbid=[("mill", 3)]):
    for place, number in solution:
        assert_type(place, str)
        assert_type(number, int)
for place, _ in towns.solve():  # None is possible, but need not be tested for
    assert_type(place, str | Any)
    place.upper()
assert_type(towns.without([("mill", 2)]), dlx.Problem[tuple[str, int]])
assert_type(towns.with_costs([1, 2, 3]), dlx.Problem[tuple[str, int]])
assert_type(towns.with_pairs(implied=[(("hill", 1), ("mill", 2))]), dlx.Problem[tuple[str, int]])
assert_type(towns.minimum(), dlx.Ranking[tuple[str, int]])
for _, best in towns.minimum(costs={("hill", 1): 2, ("mill", 2): 1, ("mill", 3): 4}):
    assert_type(best, tuple[tuple[str, int], ...])
assert_type(towns.diagram(), "dlx.Diagram[tuple[str, int]]")
assert_type(towns.diagram().option_counts(), dict[tuple[str, int], int])
assert_type(towns.sample(2, 1), list[tuple[tuple[str, int], ...]])
assert_type(towns.reduced().problem, dlx.Problem[tuple[str, int]])
assert_type(list(towns.solve_many([[], [("hill", 1)]])), list[tuple[tuple[str, int], ...] | None])
assert_type(towns.solve_many([[]], limit=None), "dlx.Answers[Any]")
assert_type(list(towns.count_many([[]], limit=2)), list[int])
assert_type(towns.count_many([[]], errors="return"), "dlx.Answers[int | dlx.DLXError]")
assert_type(dlx.solve({"x": ["a"]}), tuple[str, ...] | Any)
assert_type(dlx.count({"x": ["a"]}, limit=2, engine="links"), int)
assert_type(dlx.solutions({"x": ["a"]}), dlx.Search[str])
assert_type(dlx.Problem.covering({"x": ["a"]}), dlx.Problem[str])
assert_type(dlx.Problem.packing({"x": ["a"]}), dlx.Problem[str])

# -- costs: integers, unless the call has others -------------------------------------------------
assert_type(towns.minimum()[0][0], int)
assert_type(towns.maximum(2, any_order=True)[0][0], int)
assert_type(towns.minimum(gap=0.01, target=5, on_timeout="best").bound, int | None)
assert_type(towns.minimum(costs=[0.5, 1, 2])[0][0], Any)

# -- options without names: the names are indices ------------------------------------------------
plain = dlx.Problem.from_options([["a"], ["b"], ["a", "b"]])
assert_type(plain, dlx.Problem[int])
assert_type(plain.solve(), tuple[int, ...] | Any)
assert_type(dlx.solve([["a"]]), tuple[int, ...] | Any)
assert_type(dlx.Problem.covering([["a"]]), dlx.Problem[int])
assert_type(dlx.Problem.from_matrix([[1, 0], [0, 1]]), dlx.Problem[Any])  # or a frame's labels
assert_type(dlx.Problem.from_arrays([0, 1, 2], [0, 1], items=2), dlx.Problem[int])
assert_type(dlx.Problem.from_arrays([0, 1], [0], items=1, names=["x"]), dlx.Problem[str])
assert_type(plain.canonical(), dlx.Problem[int])

# -- built option by option ----------------------------------------------------------------------
built = dlx.Problem(["a", "b"])
assert_type(built, dlx.Problem[Any])
built.add_option(["a", "b"], name="both")
typed = dlx.Problem[str](["a", "b"])
typed.add_option(["a", "b"], name="both")
assert_type(typed.solve(), tuple[str, ...] | Any)


def first_name(problem: dlx.Problem) -> object:
    """A function that takes problems with any names."""
    return problem.names[0]


first_name(towns)
first_name(plain)
code = dlx.Code(typed, [{"x": "both"}])
typed.verify(typed.solve())


class Board(dlx.Problem[str]):
    """A class of one's own."""


assert_type(Board(["a"]).without(), Board)

# -- plans: the keywords of the question ---------------------------------------------------------
assert_type(towns.plan(), dlx.Plan)
assert_type(towns.plan("count", given=[("mill", 2)], memory_limit="8 MB", symmetry=False), dlx.Plan)
assert_type(towns.plan("solve_many", workers=2, forbids=[], errors="return"), dlx.Plan)
assert_type(towns.plan("maximum", k=3, engine="highs", any_order=True), dlx.Plan)

# -- models --------------------------------------------------------------------------------------
for queens in models.queens(6).solutions(distinct=True):
    for row, _ in queens:
        assert_type(row, int)
for tiling in models.pentominoes(3, 20).solutions(limit=1):
    for piece, cells in tiling:
        assert_type(piece, str)
        assert_type(cells, tuple[tuple[int, ...], ...])
for piece, cells in models.pentominoes(3, 20).solve():
    piece.lower()
    min(cells)
assert_type(models.matchings(2), dlx.Problem[tuple[int, int]])
assert_type(models.dominoes(2, 2), dlx.Problem[tuple[tuple[int, ...], tuple[int, ...]]])
for _, _, word in models.word_rectangle(["a"], 1, 1, distinct=False).solve():
    assert_type(word, str | Any)
assert_type(models.latin_square(3).solve(), tuple[tuple[int, int, int], ...] | Any)


async def ask() -> None:
    """The forms for asyncio."""
    assert_type(await towns.asolve(), tuple[tuple[str, int], ...] | Any)
    assert_type(await towns.acount(limit=2, memory_limit="8 MB"), int)
    assert_type(await towns.ais_unique(given=[("mill", 3)]), bool)
    assert_type(await towns.aminimum(), dlx.Ranking[tuple[str, int]])
    assert_type((await towns.amaximum(2))[0][0], int)
    assert_type((await towns.aminimum(costs=[0.5, 1, 2]))[0][0], Any)
    assert_type(await towns.adiagram(order="narrow"), "dlx.Diagram[tuple[str, int]]")
    assert_type(await towns.asample(2, 1), list[tuple[tuple[str, int], ...]])
    assert_type(await towns.aexplain(), "dlx.Explanation | None")
    async for found in towns.asolutions():
        assert_type(found, tuple[tuple[str, int], ...])


asyncio.run(ask())
