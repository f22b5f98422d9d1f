"""Functions that make layouts, and that add houses and rules to layouts.

>>> import sudoku
>>> layout = sudoku.layouts.diagonal(base=sudoku.layouts.hyper())
>>> layout
<Layout hyper + diagonal: side 9, 81 cells, 33 houses, 0 rules>
"""

from sudoku.rules.layouts.houses import (
    asterisk,
    center_dot,
    classic,
    diagonal,
    disjoint_groups,
    girandola,
    hyper,
    jigsaw,
    latin,
)
from sudoku.rules.layouts.names import NAMES, named
from sudoku.rules.layouts.overlaps import (
    butterfly,
    gattai8,
    overlapping,
    samurai,
    shogun,
    sohei,
    windmill,
)
from sudoku.rules.layouts.ruled import (
    anti_king,
    anti_knight,
    arrows,
    even_odd,
    inequalities,
    killer,
    kropki,
    little_killer,
    non_consecutive,
    non_touching,
    sukaku,
    thermometers,
)

__all__ = [
    "NAMES",
    "anti_king",
    "anti_knight",
    "arrows",
    "asterisk",
    "butterfly",
    "center_dot",
    "classic",
    "diagonal",
    "disjoint_groups",
    "even_odd",
    "gattai8",
    "girandola",
    "hyper",
    "inequalities",
    "jigsaw",
    "killer",
    "kropki",
    "latin",
    "little_killer",
    "named",
    "non_consecutive",
    "non_touching",
    "overlapping",
    "samurai",
    "shogun",
    "sohei",
    "sukaku",
    "thermometers",
    "windmill",
]
