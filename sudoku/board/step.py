"""`Step`: one step of a solution by human techniques, with its reason and what to highlight."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Candidate", "Link", "Mark", "Pattern", "Step"]

Candidate = tuple[int, int, int]
"""A digit that a cell may hold: (row, column, digit), all from 1."""


class Mark(NamedTuple):
    """A candidate that belongs to the pattern of a step."""

    row: int
    """From 1."""
    column: int
    """From 1."""
    digit: int
    """From 1."""
    role: str
    """Its part in the pattern: `"base"` (the pattern itself), `"fin"`, `"on"` and `"off"` (the two
    states along a chain, the two colors of a coloring), `"a"`, `"b"`, ... (almost locked sets)."""


class Link(NamedTuple):
    """One link of a chain: from a set of candidates of one digit to another."""

    source: tuple[Candidate, ...]
    """One candidate, or a group of them."""
    target: tuple[Candidate, ...]
    """One candidate, or a group of them."""
    strong: bool
    """Strong: if the source is false, the target is true. Weak: if it is true, that is false."""


class Pattern(NamedTuple):
    """What to highlight in a picture of a step."""

    houses: tuple[str, ...] = ()
    """The names of the houses of the pattern, such as `"row 4"`."""
    marks: tuple[Mark, ...] = ()
    """The candidates of the pattern."""
    links: tuple[Link, ...] = ()
    """The links between them, if they form a chain."""


class Step(NamedTuple):
    """One step of a solution by human techniques. Immutable.

    >>> import sudoku
    >>> step = next(sudoku.hints("1... .2.. ..3. 4..."))
    >>> step.technique, step.placements, step.eliminations
    ('hidden single', ((1, 2, 4),), ())
    >>> print(step)
    r1c2 is the only place for 4 in box 1
    """

    technique: str
    """The name of the technique, one of `sudoku.hinting.registry.TECHNIQUES`."""
    cells: tuple[tuple[int, int], ...]
    """The (row, column) of the cells that show it."""
    placements: tuple[Candidate, ...]
    """The digits it places."""
    eliminations: tuple[Candidate, ...]
    """The candidates it removes."""
    sentence: str
    """The pattern and what follows from it, in one English sentence."""
    pattern: Pattern = Pattern()
    """What to highlight in a picture."""

    def __str__(self) -> str:
        return self.sentence
