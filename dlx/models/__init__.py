"""The classic problems as functions that return a `dlx.Problem`.

A cell's item is the cell itself, (row, column) or (layer, row, column); other items are short
texts. Every model can be written in Knuth's format, where a cell is "1,2". The names of options
describe the solution. `make` builds a model from command-line arguments, as `dlx make` does.

>>> import dlx.models
>>> sorted(dlx.models.queens(4).solve())
[(0, 1), (1, 3), (2, 0), (3, 2)]
"""

from dlx.models.catalogue import USAGE, make
from dlx.models.chessboard import queen_domination, queens
from dlx.models.graph_problems import (
    dominating_sets,
    graceful_labeling,
    graph_coloring,
    matchings,
    perfect_matchings,
    vertex_covers,
)
from dlx.models.graphs import (
    complete_graph,
    cycle_graph,
    path_graph,
    petersen_graph,
    wheel_graph,
)
from dlx.models.incidence_graphs import from_incidence_graph, incidence_graph
from dlx.models.langford_pairs import langford
from dlx.models.latin_squares import latin_square, quasigroup, random_latin_square
from dlx.models.pieces import PENTOMINOES, SOMA, STANDARD_PIECES, TETROMINOES, TROMINOES
from dlx.models.polyforms import orientations, pentominoes, polyominoes, soma
from dlx.models.puzzle_files import drawing, read_puzzles
from dlx.models.random_problems import random_exact_cover
from dlx.models.regions import box
from dlx.models.tilings import bricks, dominoes, partridge
from dlx.models.word_rectangles import word_rectangle

__all__ = [
    "PENTOMINOES",
    "SOMA",
    "STANDARD_PIECES",
    "TETROMINOES",
    "TROMINOES",
    "USAGE",
    "box",
    "bricks",
    "complete_graph",
    "cycle_graph",
    "dominating_sets",
    "dominoes",
    "drawing",
    "from_incidence_graph",
    "graceful_labeling",
    "graph_coloring",
    "incidence_graph",
    "langford",
    "latin_square",
    "make",
    "matchings",
    "orientations",
    "partridge",
    "path_graph",
    "pentominoes",
    "perfect_matchings",
    "petersen_graph",
    "polyominoes",
    "quasigroup",
    "queen_domination",
    "queens",
    "random_exact_cover",
    "random_latin_square",
    "read_puzzles",
    "soma",
    "vertex_covers",
    "wheel_graph",
    "word_rectangle",
]
