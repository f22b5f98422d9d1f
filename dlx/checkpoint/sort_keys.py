"""Sort keys: byte strings that put the parts and slices of a search into visiting order.

A part of a search has a *prefix* and a number; together they make its sort key, which the database
has in the column `place`. When a worker has done a slice of a part, the slice gets the part's sort
key, and what is left of the part gets the next number. If several parts are left, all but the last
get prefixes of their own::

    part        p.0
    slice       p.0   left: p.1                   the first slice was cut off
    slice       p.1   left: p.2.0  p.3.0  p.4     the rest was split into three
    slice                   p.2.0                 the first of these is done

Sort keys compare as bytes do, and are never changed. They stay short because the last part keeps
its prefix: a key grows with the depth at which the tree is split, not with the number of slices or
splits.
"""

from __future__ import annotations

__all__ = ["sort_key"]

LARGEST_BYTE = 247


def sort_key(prefix: bytes, number: int) -> bytes:
    r"""A prefix followed by a number, so that keys sort by number, whatever follows.

    >>> numbers = [0, 247, 248, 255, 256, 70_000]
    >>> keys = [sort_key(b"p", number) for number in numbers]
    >>> keys == sorted(keys), keys[1]
    (True, b'p\xf7')
    """
    if number <= LARGEST_BYTE:
        return prefix + bytes([number])
    length = (number.bit_length() + 7) // 8
    return prefix + bytes([LARGEST_BYTE + length]) + number.to_bytes(length, "big")
