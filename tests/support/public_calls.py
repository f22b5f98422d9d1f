"""Every public function, constructor and method, with a valid value for each of its parameters."""

from __future__ import annotations

import asyncio
import inspect
import io
import itertools
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from types import ModuleType
from typing import Any, NamedTuple

from example_problems import TWO_PUZZLES

import dlx
import dlx.sage
import sudoku
from dlx import models
from sudoku import formats, layouts, rules

MODULES: list[ModuleType] = [dlx, models, dlx.sage, sudoku, layouts, rules, formats]

RESULTS = {
    *(dlx.Answers, dlx.ChunkIterator, dlx.Diagram, dlx.Ranking, dlx.Search, dlx.Symmetries),
    *(dlx.Symmetry, dlx.Picture, sudoku.Answers, sudoku.Generated, sudoku.Solutions),
    *(formats.Record, formats.Format, rules.Rule, rules.Candidates),
}
"""Classes, besides the named tuples, that the packages make and the caller does not."""
INTERNAL = {
    "dlx.Search": {"drop_left_over", "parts_left", "release", "seconds_left", "skip_all"},
    "dlx.Symmetries": {"check_problem", "is_of", "narrowed", "on_options"},
    "dlx.Code": {"belongs_to"},
    "sudoku.Grid": {"from_cells", "from_line"},
}
"""Methods that the packages call."""

LAYOUT = sudoku.Layout(2, 2)
PUZZLE = "1... .2.. ..3. 4..."


def problem() -> dlx.Problem:
    """Two items with two options each, a secondary item; four solutions."""
    found = dlx.Problem(primary=["0,0", "0,1"], secondary=["1,1"])
    found.add_option(["0,0"], name="x", cost=1)
    found.add_option(["0,0"], name="y", cost=2)
    found.add_option(["0,1", dlx.colored("1,1", 1)], name="z")
    found.add_option(["0,1", "1,1"], name="w")
    return found


def journal() -> dlx.Journal:
    """Of a count that has ended, in the working directory."""
    problem().count(checkpoint="journal.db")
    return dlx.Journal("journal.db")


def interrupted() -> dlx.SearchInterrupted:
    """An exception that can be resumed."""
    try:
        models.queens(6).count(node_limit=2)
    except dlx.SearchInterrupted as error:
        return error
    raise AssertionError


MADE: dict[type, Callable[[], Any]] = {
    dlx.Problem: problem,
    dlx.Diagram: lambda: problem().diagram(),
    dlx.Search: lambda: problem().solutions(),
    dlx.Answers: lambda: problem().count_many([[]]),
    dlx.Symmetries: lambda: problem().symmetries(),
    dlx.Code: lambda: dlx.Code(problem(), [{"x": "x", "y": "y"}, {"z": "z", "w": "w"}]),
    dlx.Journal: journal,
    dlx.sage.RowSolver: lambda: dlx.sage.dlx_solver([[0, 1], [2], [0, 2], [1]]),
    dlx.SearchInterrupted: interrupted,
    sudoku.Grid: lambda: sudoku.Grid(PUZZLE),
    sudoku.Layout: lambda: LAYOUT,
}
"""An object of each class whose methods are tried."""


def _constant(value: Any) -> Callable[[], Any]:
    return lambda: value


PAIR = [("r1c1", "r1c2")]
EXAMPLES: dict[str, Callable[[], Any]] = {
    key: _constant(value)
    for key, value in {
        "at_least": 1,
        "at_most": 1,
        "accepted": [1],
        "apart": PAIR,
        "arguments": ["4"],
        "attempts": 30,
        "base": LAYOUT,
        "board": [["1", ".", ".", "."], [".", "2", ".", "."], [*"..3."], [*"...4"]],
        "black": PAIR,
        "box": (2, 2),
        "box_columns": 2,
        "box_rows": 2,
        "cages": [(3, "r1c1 r1c2")],
        "cells": "r1c1 r1c2 r1c3",
        "circle": "r2c2",
        "clues": {"row 1": 5},
        "color": "white",
        "colors": 2,
        "columns": 2,
        "corners": ["r1c1", "r3c3"],
        "cost": 1,
        "costs": [1, 2, 3, 4],
        "count": 2,
        "counts": {(1, 2): 2},
        "differences": [(2, "r1c1", "r1c2")],
        "digits": [1],
        "except_pairs": PAIR,
        "edges": [(0, 1), (1, 2), (2, 3)],
        "first": "r1c1",
        "format": "lines",
        "given": ["x"],
        "givens": [["x"], ["y", "z"]],
        "graph": None,
        "groups": [["r1c1 r1c2", "r2c3 r2c4"]],
        "head": b"1..",
        "holes": 3,
        "house": "r1c1 r1c2 r1c3 r1c4",
        "index": "r1c1",
        "indices": [0, 1, 0, 1],
        "indptr": [0, 1, 2, 3, 4],
        "item": "new",
        "items": 4,
        "joined": PAIR,
        "kind": None,
        "larger": "r1c1",
        "layout": LAYOUT,
        "least": 2,
        "limit": 5,
        "line": "xz",
        "lines": ["r1c1 r1c2 r1c3"],
        "low": 1,
        "marked": "r1c1",
        "marks": {"r1c1": [1, 2]},
        "M": [[1, 0], [0, 1], [1, 1]],
        "matrix": [[1, 0], [0, 1], [1, 1], [1, 0]],
        "memory_limit": 2**21,
        "multiplicities": {},
        "multiplicity": 1,
        "iterations": 1,
        "most": 1,
        "n": 4,
        "name": "name",
        "node_limit": 100,
        "number": 1,
        "offsets": [(1, 2)],
        "one": PUZZLE,
        "options": {"x": ["a"], "y": ["b"], "z": ["a", "b"], "w": ["b"]},
        "other": PUZZLE,
        "pairs": PAIR,
        "partners": [[2], [1], [4], [3]],
        "parts": 2,
        "path": "r1c1 r1c2",
        "pieces": ["V3"],
        "places": [{"x": "x"}],
        "puzzle": PUZZLE,
        "puzzles": [PUZZLE],
        "ratios": [(2, "r1c1", "r1c2")],
        "queens": 2,
        "region": models.box(1, 3),
        "regions": ["r1c1 r1c2", "r2c1 r2c2"],
        "relation": "sum",
        "rows": 3,
        "rules": rules.Cage(3, "r1c1 r1c2"),
        "says": [(1, 2)],
        "second": "r1c2",
        "seed": 1,
        "shapes": [],
        "side": 4,
        "sides": 2,
        "size": 2,
        "smaller": "r1c2",
        "solution": ["x", "z"],
        "solutions": [["x", "z"]],
        "source": ["." * 16],
        "steps": [[1, 1, 1, 1]],
        "symmetry": {"x": "x", "y": "y", "z": "z", "w": "w"},
        "total": 5,
        "totals": [3, 4],
        "value": 2,
        "values": [5],
        "vertices": [0, 1],
        "white": PAIR,
        "without": [(0, 0)],
        "optional": [(0, 0)],
        "shape": [(0, 0), (0, 1)],
        "weight": None,
        "words": ["ab", "cd", "ac", "bd", "abc"],
        "workers": 2,
    }.items()
}
"""By the name of the parameter, or of the call and the parameter."""
SMALL = {"layout", "number", "seed"}
"""Parameters that get their examples although they have defaults: for small, equal answers."""
EXAMPLES |= {
    "records": lambda: [formats.Record(sudoku.Grid(PUZZLE))],
    "form": lambda: formats.named("lines"),
    "out": io.StringIO,
    "lost": lambda: lambda *_: None,
    "price": lambda: lambda prices: None,
    "progress": lambda: lambda _: None,
    "into": list,
    "target": lambda: "out.json",
    "dlx.Problem.load.source": lambda: io.StringIO("| A test\na b\na\nb\n"),
    "dlx.Problem.read_model.source": lambda: io.StringIO("s SATISFIABLE\nv 1 -2 3 -4 0\n"),
    "dlx.Problem.add_option.items": lambda: ["0,0"],
    "dlx.Problem.from_frame.frame": lambda: {"a": [1, 0], "b": [1, 1]},
    "dlx.Problem.index_of.name": lambda: "x",
    "dlx.Problem.option.name": lambda: "x",
    "dlx.Problem.multiplicity_of.item": lambda: "0,0",
    "dlx.Problem.is_isomorphic.other": problem,
    "dlx.Code.problem": problem,
    "dlx.column_generation.problem": lambda: dlx.Problem.from_options([["a"]]),
    "dlx.Journal.path": lambda: journal().path,
    "dlx.Diagram.load.path": lambda: saved_diagram(),
    "dlx.Diagram.save.path": lambda: "diagram.bin",
    "dlx.models.incidence_graph.problem": problem,
    "dlx.models.from_incidence_graph.graph": lambda: models.incidence_graph(problem()),
    "dlx.Problem.from_options.multiplicities": lambda: {"a": 1, "b": (0, 1)},
    "sudoku.Grid.layout": lambda: None,
    "sudoku.Layout.of.box": lambda: (0, 0),
    "dlx.models.box.at": lambda: (1, 2),
    "dlx.models.latin_square.given": lambda: [[1, 0, 0, 0]] + 3 * [[0] * 4],
    "dlx.models.polyominoes.counts": lambda: {"V3": (0, 1)},
    "sudoku.generate.clues": lambda: 5,
    "sudoku.generate_many.clues": lambda: 5,
    "dlx.models.drawing.text": lambda: "##",
    "dlx.models.make.name": lambda: "soma",
    "dlx.models.read_puzzles.source": lambda: io.StringIO(TWO_PUZZLES),
    "dlx.models.random_exact_cover.options": lambda: 3,
    "dlx.sage.DLXCPP.rows": lambda: [[0, 1], [2], [0, 2], [1]],
    "dlx.sage.RowSolver.rows": lambda: [[0, 1], [2], [0, 2], [1]],
    "dlx.sage.dlx_solver.rows": lambda: [[0, 1], [2], [0, 2], [1]],
    "sudoku.Layout.of.houses": list,
    "sudoku.Layout.with_houses.kind": lambda: "diagonal",
    "sudoku.Layout.with_houses.houses": lambda: "r1c1 r2c2 r3c3 r4c4",
    "sudoku.layouts.arrows.lines": lambda: [("r1c1", "r1c2 r1c3")],
    "sudoku.layouts.little_killer.clues": lambda: [(3, "r1c1 r2c2")],
    "sudoku.layouts.quadruples.clues": lambda: [([1], "r1c1 r1c2 r2c1 r2c2")],
    "sudoku.layouts.named.name": lambda: "diagonal",
    "sudoku.layouts.sukaku.marks": lambda: "123456789" * 81,
    "sudoku.layouts.look_and_say.clues": lambda: [("12", "r1c1 r1c2")],
    "sudoku.layouts.multi_sum_cages.cages": lambda: [([3, 4], "r1c1 r1c2")],
    "sudoku.rules.EqualAreas.parts": lambda: ["r1c1 r1c2", "r2c3 r2c4"],
    "sudoku.rules.EqualSums.parts": lambda: ["r1c1 r1c2", "r2c3"],
    **dict.fromkeys(
        (f"sudoku.rules.{name}.words" for name in ("AutomatonLine", "GridTable", "PairTable")),
        lambda: "these digits",
    ),
    "sudoku.formats.named.name": lambda: "lines",
    "sudoku.formats.load.source": lambda: io.BytesIO(b"." * 16),
}


def saved_diagram() -> str:
    """The path of a diagram's file."""
    problem().diagram().save("diagram.bin")
    return "diagram.bin"


class PublicCall(NamedTuple):
    """A public callable, by its name."""

    name: str
    make: Callable[[], Callable[..., Any]]
    """Returns the callable: of a method, one bound to a new object."""
    signature: inspect.Signature

    def call(self, **changed: Any) -> Any:
        """Calls it with these arguments, and with examples for all others that are required."""
        bound = self.signature.bind_partial()
        for name, parameter in self.signature.parameters.items():
            if parameter.kind == parameter.VAR_KEYWORD:
                continue
            if name in changed:
                value = changed[name]
            elif (
                parameter.default is parameter.empty
                or name in SMALL
                or f"{self.name}.{name}" in EXAMPLES
            ):
                value = self.example(name)
            else:
                continue
            bound.arguments[name] = (
                (value, value) if parameter.kind == parameter.VAR_POSITIONAL else value
            )
        return outcome(self.make()(*bound.args, **bound.kwargs))

    def example(self, name: str) -> Any:
        """A valid value of a parameter."""
        return (EXAMPLES.get(f"{self.name}.{name}") or EXAMPLES[name])()


def outcome(answer: Any) -> Any:
    """The answer; what it yields, if it is an iterator or awaitable."""
    if inspect.isawaitable(answer):
        return asyncio.run(_awaited(answer))
    return list(itertools.islice(answer, 3)) if isinstance(answer, Iterator) else answer


async def _awaited(answer: Awaitable[Any]) -> Any:
    return await answer


def public_calls() -> Iterator[PublicCall]:
    """All public functions, constructors and methods with parameters, of all packages."""
    for module in MODULES:
        package = module.__name__.replace("sudoku.rules.layouts", "sudoku.layouts")
        for name in module.__all__:
            value, where = getattr(module, name), f"{package}.{name}"
            if isinstance(value, type):
                yield from _calls_of_class(value, where)
            elif inspect.isfunction(value) and inspect.signature(value).parameters:
                yield PublicCall(where, _constant(value), inspect.signature(value))


def _calls_of_class(kind: type, where: str) -> Iterator[PublicCall]:
    made = issubclass(kind, tuple)
    if not made and kind not in RESULTS and not issubclass(kind, BaseException):
        yield PublicCall(where, _constant(kind), inspect.signature(kind))
    for name, value in inspect.getmembers(kind, callable) if kind in MADE else ():
        if name in INTERNAL.get(where, ()) or name.startswith("_"):
            continue
        if not inspect.isfunction(value) and not inspect.ismethod(value):
            continue  # a method of a built-in class
        signature = inspect.signature(value)
        if inspect.isfunction(value):  # without `self`
            signature = signature.replace(parameters=[*signature.parameters.values()][1:])
        if signature.parameters:
            yield PublicCall(f"{where}.{name}", partial(_bound, kind, name), signature)


def _bound(kind: type, name: str) -> Callable[..., Any]:
    method: Callable[..., Any] = getattr(MADE[kind](), name)
    return method
