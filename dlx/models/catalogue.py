"""The models by name, and a parser of their arguments, for `dlx make MODEL ARGS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from dlx.core.cells import Cell
from dlx.errors import InvalidArgument, counted, did_you_mean, quote
from dlx.models import graphs
from dlx.models.checking import list_of, text_of
from dlx.models.chessboard import queen_domination, queens
from dlx.models.graph_problems import (
    dominating_sets,
    graceful_labeling,
    graph_coloring,
    matchings,
    vertex_covers,
)
from dlx.models.langford_pairs import langford
from dlx.models.latin_squares import latin_square, quasigroup
from dlx.models.pieces import STANDARD_PIECES
from dlx.models.polyforms import pentominoes, polyominoes, soma
from dlx.models.puzzle_files import drawing
from dlx.models.random_problems import random_exact_cover
from dlx.models.regions import box
from dlx.models.tilings import bricks, dominoes, partridge
from dlx.models.word_rectangles import word_rectangle
from dlx.problem import Problem

if TYPE_CHECKING:
    from dlx.core.multiplicity import Multiplicity

__all__ = ["USAGE", "make"]


class _UsageError(Exception):
    """An argument that does not match the usage; the message names it."""


class _NamedModel(NamedTuple):
    arguments: str
    summary: str
    build: Callable[[Sequence[str]], Problem]


def make(name: str, arguments: Sequence[str] = ()) -> Problem:
    """Builds the model of that name from command-line arguments.

    `USAGE` has the names and their arguments. Raises `InvalidArgument` for an unknown name, with
    the most similar one, and for wrong arguments, with the usage.

    >>> import dlx.models
    >>> dlx.models.make("pentominoes", ["6", "10"])
    <dlx.Problem: 72 primary items, 0 secondary items, 2056 options>
    >>> dlx.models.make("quens", ["8"])
    Traceback (most recent call last):
    ...
    dlx.errors.InvalidArgument: there is no model 'quens'; did you mean 'queens'?
    >>> dlx.models.make("queens", ["eight"])
    Traceback (most recent call last):
    ...
    dlx.errors.InvalidArgument: N is 'eight', which is not an integer; usage: queens N
    """
    model = _MODELS.get(text_of("name", name))
    if model is None:
        raise InvalidArgument(f"there is no model {quote(name)}{_advice(name)}")
    words = [text_of("an argument", each) for each in list_of("arguments", arguments, "texts")]
    try:
        return model.build(words)
    except _UsageError as error:
        usage = f"{name} {model.arguments}".strip()
        raise InvalidArgument(f"{error}; usage: {usage}") from None


def _advice(name: object) -> str:
    models = ", ".join(sorted(_MODELS))
    return did_you_mean(name, _MODELS) or f"; the models are {models}"


# -- reading arguments ---------------------------------------------------------------------------


def _integer(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise _UsageError(f"{name} is {quote(text)}, which is not an integer") from None


def _integers(names: str, arguments: Sequence[str]) -> list[int]:
    """The arguments as integers; there must be one for each of the names."""
    wanted = names.split()
    if len(arguments) != len(wanted):
        raise _UsageError(f"expected {counted(len(wanted), 'argument')}, got {len(arguments)}")
    return [_integer(name, text) for name, text in zip(wanted, arguments, strict=True)]


def _at_least(count: int, arguments: Sequence[str]) -> Sequence[str]:
    if len(arguments) < count:
        raise _UsageError(f"expected {count} or more arguments, got {len(arguments)}")
    return arguments


def _cell(text: str) -> Cell:
    return tuple(_integer("a cell's coordinate", number) for number in text.split(","))


def _edges(arguments: Sequence[str]) -> list[tuple[str, str]]:
    """The edges of arguments "a-b" ..., or of one graph by name and size, such as "wheel8"."""
    if len(arguments) == 1 and "-" not in arguments[0]:
        name = arguments[0].rstrip("0123456789")
        size = arguments[0][len(name) :]
        if name == "petersen" and not size:
            named = graphs.petersen_graph()
        elif name in _GRAPHS and size:
            named = _GRAPHS[name](_integer("the size of a graph", size))
        else:
            raise _UsageError(
                f"{quote(arguments[0])} is neither an edge 'a-b' nor the name of a graph"
            )
        return [(str(first), str(second)) for first, second in named]
    edges: list[tuple[str, str]] = []
    for text in arguments:
        first, _, second = text.partition("-")
        if not first or not second or "-" in second:
            raise _UsageError(
                f"{quote(text)} is not an edge; an edge is two names with '-' between"
            )
        edges.append((first, second))
    return edges


_GRAPHS: Mapping[str, Callable[[int], list[tuple[int, int]]]] = MappingProxyType(
    {
        "complete": graphs.complete_graph,
        "cycle": graphs.cycle_graph,
        "path": graphs.path_graph,
        "wheel": graphs.wheel_graph,
    }
)
_EDGES = "EDGE... (a-b each, or petersen, complete5, cycle5, path5, wheel5)"


# -- building ------------------------------------------------------------------------------------


def _pentominoes(arguments: Sequence[str]) -> Problem:
    rows, columns = _integers("ROWS COLUMNS", _at_least(2, arguments)[:2])
    return pentominoes(rows, columns, without=map(_cell, arguments[2:]))


def _sides(name: str, text: str) -> tuple[int, ...]:
    return tuple(_integer(name, side) for side in text.split("x"))


def _counted(text: str) -> tuple[str, Multiplicity]:
    """The name and the count in "I4", "I4=3" or "I4=0:3"."""
    name, equals, count = text.partition("=")
    if not equals:
        return name, 1
    low, colon, high = count.partition(":")
    least = _integer("a count", low)
    return name, (least, _integer("a count", high)) if colon else least


def _polyominoes(arguments: Sequence[str]) -> Problem:
    """A board by its sides, or drawn in a file; drawn pieces and standard ones."""
    board, *texts = _at_least(1, arguments)
    named = [_counted(text) for text in texts]
    if not board.translate(_NO_SIDES):
        _at_least(2, arguments)
        region = box(*_sides("a side", board))
        return polyominoes([name for name, _ in named], region, counts=dict(named))
    pieces: dict[str, Sequence[Cell]] = {**drawing(_text(board))}
    full, free = pieces.pop("#", ()), pieces.pop("+", ())
    for name, _ in named:
        if name not in pieces and name not in STANDARD_PIECES:
            raise _UsageError(f"the piece {quote(name)} is neither drawn nor a standard piece")
        pieces.setdefault(name, STANDARD_PIECES.get(name, ()))
    return polyominoes(pieces, [*full, *free], optional=free, counts=dict(named))


_NO_SIDES = dict.fromkeys(map(ord, "0123456789x-"))


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        try:
            return file.read()
        except UnicodeDecodeError:
            raise InvalidArgument(f"{path} is not UTF-8 text") from None


def _bricks(arguments: Sequence[str]) -> Problem:
    sides, *sizes = _at_least(2, arguments)
    counts: dict[tuple[int, ...], Multiplicity] = {}
    for text in sizes:
        name, count = _counted(text)
        size = _sides("a side of a brick", name)
        if size in counts:
            raise _UsageError(f"the brick {name} is given twice")
        counts[size] = count
    return bricks(counts, *_sides("a side", sides))


def _latin_square(arguments: Sequence[str]) -> Problem:
    n = _integer("N", _at_least(1, arguments)[0])
    rows = [[_integer("a number", text) for text in row.split(",")] for row in arguments[1:]]
    return latin_square(n, rows or None)


def _coloring(arguments: Sequence[str]) -> Problem:
    colors, *edges = _at_least(2, arguments)
    return graph_coloring(_edges(edges), _integer("COLORS", colors))


def _matchings(arguments: Sequence[str]) -> Problem:
    if len(_at_least(1, arguments)) == 1 and arguments[0].lstrip("-").isdecimal():
        return matchings(_integer("N", arguments[0]))
    return matchings(_edges(arguments))


def _word_rectangle(arguments: Sequence[str]) -> Problem:
    rows, columns = _integers("ROWS COLUMNS", _at_least(3, arguments)[:2])
    if len(arguments) > 3:
        raise _UsageError(f"expected 3 arguments, got {len(arguments)}")
    return word_rectangle(_text(arguments[2]).split(), rows, columns)


def _of_integers(names: str, summary: str, build: Callable[..., Problem]) -> _NamedModel:
    """A model whose arguments are integers of these names."""
    return _NamedModel(names, summary, lambda arguments: build(*_integers(names, arguments)))


def _of_edges(summary: str, build: Callable[..., Problem]) -> _NamedModel:
    """A model whose arguments are the edges of a graph."""
    return _NamedModel(_EDGES, summary, lambda arguments: build(_edges(_at_least(1, arguments))))


_MODELS: Mapping[str, _NamedModel] = MappingProxyType(
    {
        "bricks": _NamedModel(
            "SIDES SIZE[=COUNT]... (3x3x3 1x2x2=6 1x1x1=3; 1x1=0:3 for up to three)",
            "fill a box with given numbers of bricks of each size",
            _bricks,
        ),
        "coloring": _NamedModel(
            f"COLORS {_EDGES}", "color a graph so that neighbors differ", _coloring
        ),
        "dominating-sets": _of_edges(
            "choose vertices of a graph that have all others as neighbors", dominating_sets
        ),
        "dominoes": _of_integers("ROWS COLUMNS", "cover a board with dominoes", dominoes),
        "graceful": _of_edges(
            "label a graph so that its edges differ by 1, 2, ...", graceful_labeling
        ),
        "langford": _of_integers("N", "put k numbers between the two k's, for k up to N", langford),
        "latin-square": _NamedModel(
            "N [ROW...] (numbers with commas, 0 for an open cell)",
            "fill a square so that no line has a number twice",
            _latin_square,
        ),
        "matchings": _NamedModel(
            f"N, or {_EDGES}",
            "split 2N people, or the vertices of a graph, into pairs",
            _matchings,
        ),
        "partridge": _of_integers(
            "N", "pack k squares of side k, for k up to N, into a square", partridge
        ),
        "pentominoes": _NamedModel(
            "ROWS COLUMNS [R,C...] (cells to leave out)",
            "fill a board with the twelve pentominoes",
            _pentominoes,
        ),
        "polyominoes": _NamedModel(
            "BOARD [PIECE[=COUNT]]... (3x5, 2x2x3, or a file with a drawing: '#' cells to fill, "
            "'+' others, other characters pieces; I1 I2 V3 I4 ... F I L N ..., I4=2, I1=0:3)",
            "fill a board with pieces, each used once or as often as its count says",
            _polyominoes,
        ),
        "quasigroup": _of_integers(
            "N HOLES SEED", "complete a random Latin square with holes", quasigroup
        ),
        "queen-domination": _of_integers(
            "N QUEENS",
            "place queens so that every square is attacked or occupied",
            queen_domination,
        ),
        "queens": _of_integers("N", "place N queens so that none attacks another", queens),
        "random": _of_integers(
            "ITEMS OPTIONS SIZE SEED",
            "random options, a solution hidden among them",
            random_exact_cover,
        ),
        "soma": _of_integers("", "build the cube from Piet Hein's seven pieces", soma),
        "vertex-covers": _of_edges(
            "choose vertices of a graph that are on all edges", vertex_covers
        ),
        "words": _NamedModel(
            "ROWS COLUMNS FILE", "fill a rectangle with words of a file", _word_rectangle
        ),
    }
)

USAGE: Mapping[str, str] = MappingProxyType(
    {
        name: f"{f'{name} {model.arguments}'.strip()}: {model.summary}"
        for name, model in _MODELS.items()
    }
)
"""For each model of `make`, a line with its arguments and a description."""
