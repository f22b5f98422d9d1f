"""Functions that make layouts, and that add houses and rules to layouts.

>>> import sudoku
>>> layout = sudoku.layouts.diagonal(base=sudoku.layouts.hyper())
>>> layout
<Layout hyper + diagonal: side 9, 81 cells, 33 houses, 0 rules>
"""

from sudoku.rules.layouts import clues, houses, lines, names, overlaps, ruled
from sudoku.rules.layouts.clues import *  # noqa: F403
from sudoku.rules.layouts.houses import *  # noqa: F403
from sudoku.rules.layouts.lines import *  # noqa: F403
from sudoku.rules.layouts.names import *  # noqa: F403
from sudoku.rules.layouts.overlaps import *  # noqa: F403
from sudoku.rules.layouts.ruled import *  # noqa: F403

__all__: list[str] = sorted(
    name for part in (clues, houses, lines, names, overlaps, ruled) for name in part.__all__
)
