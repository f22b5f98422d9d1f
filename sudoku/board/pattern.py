"""`Pattern`: what a picture of a step highlights: candidates with roles, the links of a chain."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Candidate", "Link", "Mark", "Pattern"]

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
    states along a chain, the two colors of a coloring), `"a"`, `"b"`, ... (almost locked sets),
    `"peer"` (a filled cell with a digit that rules out other cells)."""


class Link(NamedTuple):
    """One link of a chain: from a set of candidates of one digit to another."""

    source: tuple[Candidate, ...]
    """One candidate, or a group of them."""
    target: tuple[Candidate, ...]
    """One candidate, or a group of them."""
    strong: bool
    """Strong: if the source is false, the target is true. Weak: if it is true, that is false."""
    cells: tuple[tuple[int, int], ...] = ()
    """The almost locked set that a strong link leads through: without one digit it holds all
    others."""


class Pattern(NamedTuple):
    """What to highlight in a picture of a step."""

    houses: tuple[str, ...] = ()
    """The names of the houses of the pattern, such as `"row 4"`."""
    marks: tuple[Mark, ...] = ()
    """The candidates of the pattern."""
    links: tuple[Link, ...] = ()
    """The links between them, if they form a chain."""
    house_words: tuple[str, ...] = ()
    """The houses as sentences name them, `"the diagonal from r1c9"`; empty: by their names."""
    counts: tuple[int, ...] = ()
    """For nets: the number of marks that each of `Step.details` is about, after the first mark."""
