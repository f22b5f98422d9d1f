"""All rules: what `sudoku.rules` exports."""

from sudoku.board.rule import Candidates, Rule
from sudoku.rules.allowed import Allowed
from sudoku.rules.apart import Apart
from sudoku.rules.arrow import Arrow
from sudoku.rules.chaos import ChaosRegions
from sudoku.rules.clues.extreme import Maximum, Minimum
from sudoku.rules.clues.indexer import Indexer
from sudoku.rules.clues.outside import Sandwich, Skyscraper, XSum
from sudoku.rules.clues.pairs import Difference, Distant, NoMorePairs, PairSum, Ratio
from sudoku.rules.clues.quadruple import Quadruple
from sudoku.rules.dot import Dot, NoMoreDots
from sudoku.rules.drawings import Drawings, Shape
from sudoku.rules.lines.between import BetweenLine, LockoutLine
from sudoku.rules.lines.classes import EntropicLine, ModularLine, ParityLine
from sudoku.rules.lines.palindrome import Clone, Palindrome
from sudoku.rules.lines.sets import Nabner, Renban
from sudoku.rules.lines.sums import DoubleArrow, EqualSums, Zipper
from sudoku.rules.lines.whisper import Whisper
from sudoku.rules.nonconsecutive import NonConsecutive
from sudoku.rules.sums import Cage, LittleKiller
from sudoku.rules.thermometer import Greater, SlowThermometer, Thermometer
from sudoku.rules.unique import Unique

__all__ = [
    "Allowed",
    "Apart",
    "Arrow",
    "BetweenLine",
    "Cage",
    "Candidates",
    "ChaosRegions",
    "Clone",
    "Difference",
    "Distant",
    "Dot",
    "DoubleArrow",
    "Drawings",
    "EntropicLine",
    "EqualSums",
    "Greater",
    "Indexer",
    "LittleKiller",
    "LockoutLine",
    "Maximum",
    "Minimum",
    "ModularLine",
    "Nabner",
    "NoMoreDots",
    "NoMorePairs",
    "NonConsecutive",
    "PairSum",
    "Palindrome",
    "ParityLine",
    "Quadruple",
    "Ratio",
    "Renban",
    "Rule",
    "Sandwich",
    "Shape",
    "Skyscraper",
    "SlowThermometer",
    "Thermometer",
    "Unique",
    "Whisper",
    "XSum",
    "Zipper",
]
