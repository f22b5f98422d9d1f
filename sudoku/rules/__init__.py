"""The rules of layouts besides houses, and `Rule`, the base class for others.

>>> import sudoku
>>> layout = sudoku.layouts.classic(2, 2).with_rules(Greater("r1c1", "r1c2"))
>>> sudoku.count("." * 16, layout=layout)
144
"""

from sudoku.board.rule import Candidates, Rule
from sudoku.rules.allowed import Allowed
from sudoku.rules.apart import Apart
from sudoku.rules.arrow import Arrow
from sudoku.rules.dot import Dot, NoMoreDots
from sudoku.rules.nonconsecutive import NonConsecutive
from sudoku.rules.sums import Cage, LittleKiller
from sudoku.rules.thermometer import Greater, Thermometer
from sudoku.rules.unique import Unique

__all__ = [
    "Allowed",
    "Apart",
    "Arrow",
    "Cage",
    "Candidates",
    "Dot",
    "Greater",
    "LittleKiller",
    "NoMoreDots",
    "NonConsecutive",
    "Rule",
    "Thermometer",
    "Unique",
]
