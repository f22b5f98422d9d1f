"""What the file formats share: encoding of arrays and names, reading lines, replacing a file.

* An array of integers is stored as little-endian bytes, the same on every machine.
* A name of an item or option is stored as JSON. In memory a name is any hashable value; in a file
  it is a text, an integer, True, False, None, or a tuple of names, which JSON writes as a list.
* Text is read line by line with line numbers, for error messages.
* A file is replaced as a whole: an error leaves the old content in place.
"""

from __future__ import annotations

import os
import sys
from array import array
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from stat import S_IMODE
from typing import Any, Final

from dlx.core.arguments import check_path, is_iterable
from dlx.errors import FormatError, InvalidArgument, quote

__all__ = [
    "CHUNK",
    "GZIP",
    "check_utf_8",
    "checked_text",
    "from_little_endian",
    "little_endian",
    "name_as_json",
    "name_from_json",
    "numbered_lines",
    "open_text",
    "replace_file",
    "text_lines",
    "undecodable",
    "unpacked",
]

CHUNK: Final = 2**16  # bytes that are read at a time
GZIP: Final = b"\x1f\x8b"  # the first bytes of a compressed file


def little_endian(column: array[int]) -> bytes:
    """The bytes of an array, least significant byte first."""
    if sys.byteorder == "big":
        column = column[:]
        column.byteswap()
    return column.tobytes()


def from_little_endian(typecode: str, data: bytes | memoryview) -> array[int]:
    """The array that `little_endian` encoded. Raises ValueError if a number is incomplete.

    >>> from_little_endian("i", little_endian(array("i", [3, -1])))
    array('i', [3, -1])
    """
    column: array[int] = array(typecode)
    column.frombytes(data)
    if sys.byteorder == "big":
        column.byteswap()
    return column


DEEPEST: Final = 100
"""The deepest nesting of tuples in a name in a file: Python cannot print or compare names that are
nested much deeper."""


def name_as_json(name: Hashable, depth: int = 0) -> Any:
    """The name as a value that `json.dumps` takes. Raises `FormatError` if there is none.

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
    """The name that `name_as_json` encoded. Raises `TypeError` if the value is not a name.

    >>> name_from_json(["row", 3])
    ('row', 3)
    """
    if name is None or isinstance(name, str | int):
        return name
    if isinstance(name, list) and depth < DEEPEST:
        return tuple(name_from_json(part, depth + 1) for part in name)
    raise TypeError(
        "a name is a text, an integer, true, false, null, or a list of names nested at most "
        f"{DEEPEST} deep"
    )


def numbered_lines(file: Iterable[str], source: str | None) -> Iterator[tuple[int, str]]:
    """The lines of an open text file with their numbers, from 1.

    Raises `FormatError` if the file is open in binary mode or cannot be decoded.
    """
    number = 0
    try:
        for number, line in enumerate(file, start=1):
            yield number, checked_text(line, source)
    except UnicodeDecodeError as error:
        raise undecodable(error, number + 1, source) from None


def text_lines(file: Iterable[str], source: str | None) -> Iterator[tuple[int, str]]:
    """As `numbered_lines`, for UTF-8 text that was opened with errors="surrogateescape".

    Raises `FormatError` for bytes that are not UTF-8, and for null characters.
    """
    for number, line in numbered_lines(file, source):
        check_utf_8(line, number, source)
        yield number, line


def undecodable(error: UnicodeDecodeError, number: int, source: str | None) -> FormatError:
    """The error for a line that its file cannot decode."""
    return FormatError(f"this is not text in {error.encoding}", line=number, source=source)


def checked_text(line: Any, source: str | None) -> str:
    """A line of a file. Raises `FormatError` if the file is open in binary mode."""
    if not isinstance(line, str):
        raise FormatError("the file has bytes; open it as text", source=source)
    return line


def check_utf_8(line: str, number: int, source: str | None) -> None:
    """Raises `FormatError` for a line of `text_lines` that is not text."""
    if not line.isascii() and any("\udc80" <= character <= "\udcff" for character in line):
        # Bytes that are not UTF-8 were decoded to "surrogate escapes".
        raise FormatError("this is not UTF-8 text", line=number, source=source)
    if "\0" in line:
        raise FormatError("a null character: this is not text", line=number, source=source)


def unpacked(chunks: Iterable[bytes], source: str | None) -> Iterator[bytes]:
    """The content of a file compressed by gzip, of one or more parts. Raises `FormatError`."""
    import zlib  # only here: few files are compressed

    unpacker = zlib.decompressobj(wbits=31)
    try:
        for data in chunks:
            while data:
                if unpacker.eof:
                    unpacker = zlib.decompressobj(wbits=31)
                yield unpacker.decompress(data)
                data = unpacker.unused_data
    except zlib.error:
        raise FormatError("the compressed file is damaged", source=source) from None
    if not unpacker.eof:
        raise FormatError("the compressed file is incomplete", source=source)


@contextmanager
def open_text(source: Any, *, errors: str) -> Iterator[tuple[Iterable[str], str | None]]:
    """The lines of a file, given by path or open in text mode, and its name for messages.

    `errors` says what becomes of bytes that are not UTF-8: see `open`. Raises `InvalidArgument`.
    """
    if isinstance(source, str | os.PathLike):
        path = check_path("source", source)
        with open(path, encoding="utf-8", errors=errors) as file:
            yield file, path
    elif is_iterable(source):
        name = getattr(source, "name", None)
        yield source, name if isinstance(name, str) else None
    else:
        raise InvalidArgument(f"source is {quote(source)}; it must be a path or an open text file")


def replace_file(path: str, parts: Iterable[bytes]) -> None:
    """Replaces a file atomically: writes a temporary file next to it, then renames that.

    A device or a pipe is written directly. After an error the old file is unchanged and the
    temporary file is removed.
    """
    if not path or (os.path.exists(path) and not os.path.isfile(path)):
        with open(path, "wb") as file:
            file.writelines(parts)
        return
    requested, path = path, os.path.realpath(path)  # keeps a symbolic link, replaces its target
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "xb") as file:
            file.writelines(parts)
        if os.path.exists(path):
            os.chmod(temporary, S_IMODE(os.stat(path).st_mode))
        os.replace(temporary, path)
    except BaseException as error:
        if os.path.exists(temporary):
            os.unlink(temporary)
        if isinstance(error, OSError) and error.filename == temporary:
            error.filename, error.filename2 = requested, None  # the name that the caller knows
        raise
