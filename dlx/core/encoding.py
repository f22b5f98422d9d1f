"""Columns of numbers as bytes, the same on every machine: the least significant byte first.

Names of items and options as JSON, and back: what files can hold of "any hashable value".

A name is a text, an integer, True, False, None, or a tuple of such, which is a list in JSON.

Reading text files line by line, and writing files so that no failure can leave half of one.
"""

from __future__ import annotations

import os
import shutil
import sys
from array import array
from collections.abc import Hashable, Iterable, Iterator
from typing import Any, Final

from dlx.errors import FormatError, quote

__all__ = [
    "from_little_endian",
    "little_endian",
    "name_as_json",
    "name_from_json",
    "numbered_lines",
    "replace_file",
]


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


DEEPEST: Final = 100
"""How deep tuples in names may be nested, in files; deeper ones cannot be printed, nor compared."""


def name_as_json(name: Hashable, depth: int = 0) -> Any:
    """What `json.dumps` can write. Raises `FormatError` for a name that no file can hold.

    >>> name_as_json(("row", 3))
    ['row', 3]
    """
    if name is None or type(name) in (str, int, bool):
        return name
    if type(name) is tuple:
        if depth == DEEPEST:
            raise FormatError(
                f"a name has tuples nested more than {DEEPEST} deep, and cannot be saved"
            )
        return [name_as_json(part, depth + 1) for part in name]
    raise FormatError(
        f"the name {quote(name)} cannot be saved: names in files are texts, integers, "
        "True, False, None and tuples of such"
    )


def name_from_json(name: Any, depth: int = 0) -> Hashable:
    """The name that was written so. Raises `TypeError` if it is none.

    >>> name_from_json(["row", 3])
    ('row', 3)
    """
    if name is None or isinstance(name, str | int):
        return name
    if isinstance(name, list) and depth < DEEPEST:
        return tuple(name_from_json(part, depth + 1) for part in name)
    raise TypeError("a name is no text, integer, true, false, null, nor a short list of such")


def numbered_lines(file: Iterable[str], source: str | None) -> Iterator[tuple[int, str]]:
    """The lines of an open text file, from 1. Raises `FormatError` for bytes, as such or within."""
    number = 0
    try:
        for number, line in enumerate(file, start=1):
            if not isinstance(line, str):
                raise FormatError("the file has bytes; open it as text", source=source)
            yield number, line
    except UnicodeDecodeError as error:
        message = f"this is not text in {error.encoding}"
        raise FormatError(message, line=number + 1, source=source) from None


def replace_file(path: str, parts: Iterable[bytes]) -> None:
    """Writes the parts beside the old file first; the new one takes its place when complete."""
    if not path or (os.path.exists(path) and not os.path.isfile(path)):  # nothing; a device, a pipe
        with open(path, "wb") as file:
            file.writelines(parts)
        return
    wanted, path = path, os.path.realpath(path)  # a symbolic link stays one
    beside = f"{path}.{os.getpid()}.tmp"
    try:
        with open(beside, "xb") as file:
            file.writelines(parts)
        if os.path.exists(path):
            shutil.copymode(path, beside)
        os.replace(beside, path)
    except BaseException as error:
        if os.path.exists(beside):
            os.unlink(beside)
        if isinstance(error, OSError) and error.filename == beside:
            error.filename, error.filename2 = wanted, None  # the name that the caller knows
        raise
