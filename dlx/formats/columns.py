"""Columns of numbers as bytes, the same on every machine: the least significant byte first."""

from __future__ import annotations

import sys
from array import array

__all__ = ["from_little_endian", "little_endian"]


def little_endian(column: array[int]) -> bytes:
    """The numbers of an array as bytes."""
    if sys.byteorder == "big":
        column = column[:]
        column.byteswap()
    return column.tobytes()


def from_little_endian(typecode: str, data: bytes | memoryview) -> array[int]:
    """The array whose bytes these are. Raises ValueError if they are no whole numbers.

    >>> from_little_endian("i", little_endian(array("i", [3, -1])))
    array('i', [3, -1])
    """
    column: array[int] = array(typecode)
    column.frombytes(data)
    if sys.byteorder == "big":
        column.byteswap()
    return column
