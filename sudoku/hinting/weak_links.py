"""Weak links that rules add to the houses: pairs of candidates that cannot both be true.

The digits of two cells may break a rule on their own: consecutive digits beside each other, or two
cells of a cage whose sum is already too large. Such pairs are found once for each layout, with
`Rule.broken` of two digits, and every technique that follows weak links uses them.
"""

from __future__ import annotations

from sudoku.board.layout import Layout

__all__ = ["crossed_links"]


def crossed_links(layout: Layout, peers: list[int]) -> dict[int, int]:
    """For each candidate the candidates in other cells that a rule excludes if it is true.

    Candidates are numbered (digit - 1) * cells + cell. Links between equal digits of peers are left
    out, and candidates without links have no entry. O(digits^2) for each pair of `Rule.linked`.
    """
    size, index = layout.size, layout.index
    digits = range(1, layout.side + 1)
    found: dict[int, int] = {}
    for rule in layout.rules:
        for one, two in rule.linked(layout):
            first, second = index[one], index[two]
            for a in digits:
                for b in digits:
                    if a == b and peers[first] >> second & 1:
                        continue
                    if rule.broken({one: a, two: b}):
                        left, right = (a - 1) * size + first, (b - 1) * size + second
                        found[left] = found.get(left, 0) | 1 << right
                        found[right] = found.get(right, 0) | 1 << left
    return found
