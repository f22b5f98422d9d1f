"""Places: byte strings that say in which order the pieces of a search belong.

A part of a search has a *prefix* and a counter, and its place is the two together. When a slice of
it is done, the slice has its place, and what is left of it goes on with the next number; where
several parts are left, all but the last begin a prefix of their own::

    part        p.0
    slice       p.0   left: p.1                   the first slice was cut off
    slice       p.1   left: p.2.0  p.3.0  p.4     the rest was split into three
    slice                   p.2.0                 the first of these is done

Places compare as bytes do, and nothing is ever renumbered. That the last part keeps the prefix is
what keeps them short: a place grows with the depth at which a tree is split, not with the number of
slices or splits.
"""

from __future__ import annotations

__all__ = ["place"]

LARGEST_BYTE = 247


def place(prefix: bytes, number: int) -> bytes:
    r"""A prefix with a number after it: in the order of the numbers, whatever follows.

    >>> numbers = [0, 247, 248, 255, 256, 70_000]
    >>> places = [place(b"p", number) for number in numbers]
    >>> places == sorted(places), places[1]
    (True, b'p\xf7')
    """
    if number <= LARGEST_BYTE:
        return prefix + bytes([number])
    length = (number.bit_length() + 7) // 8
    return prefix + bytes([LARGEST_BYTE + length]) + number.to_bytes(length, "big")
