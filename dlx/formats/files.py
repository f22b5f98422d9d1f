"""Reading text files line by line, and writing files so that no failure can leave half of one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator

from dlx.errors import FormatError

__all__ = ["numbered_lines", "replace_file"]


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
