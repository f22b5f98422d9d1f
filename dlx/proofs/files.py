"""Files that hold a proof: written as it grows, and complete only with its last line.

A process that is killed leaves the beginning of a proof, whose first lines say that it is worth
nothing without the last one. A file that exists is replaced only if it is a proof that this module
has written.
"""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from types import TracebackType
from typing import IO, Self

from dlx.core.arguments import check_path
from dlx.core.encoding import GZIP
from dlx.errors import InvalidArgument, quote

__all__ = ["ProofFile", "check_replaceable", "kind_of"]

SUFFIXES = {".drat": "drat", ".pbp": "pbp", ".count": "count"}
MARK = b"dlx proof"  # in the first lines of every file
MARKED_WITHIN = 400  # bytes


def kind_of(path: object, kinds: tuple[str, ...], question: str) -> tuple[str, str]:
    """A path, and the kind of proof that its suffix (before ".gz") asks for.

    Raises `InvalidArgument` if that is not one of these kinds.
    """
    path = check_path("proof", path)
    name = path[:-3] if path.lower().endswith(".gz") else path
    suffix = os.path.splitext(name)[1].lower()
    kind = SUFFIXES.get(suffix)
    if kind in kinds:
        return path, kind
    wanted = " or ".join(suffix for suffix, kind in SUFFIXES.items() if kind in kinds)
    raise InvalidArgument(
        f"proof is {quote(path)}; {question} takes a file with the suffix {wanted}, or that and .gz"
    )


def check_replaceable(path: str) -> None:
    """Raises `InvalidArgument` if the file exists and holds something else than a proof."""
    if not os.path.isfile(path) or not os.path.getsize(path):
        return
    with open(path, "rb") as file:
        begin = file.read(MARKED_WITHIN)
    if begin.startswith(GZIP):
        with suppress(zlib.error):
            begin = zlib.decompressobj(wbits=31).decompress(begin, MARKED_WITHIN)
    if MARK not in begin:
        raise InvalidArgument(
            f"{path} exists, and is not a proof that dlx has written; choose another file"
        )


class ProofFile:
    """A proof that is being written.

    `head` and the text of `close` are its first and last lines. As a context manager it closes the
    file after an error, without the last line; after an error of the disk the file is removed.
    """

    def __init__(self, path: str, head: str) -> None:
        check_replaceable(path)
        self.path = path
        self.size = 0
        """Bytes written so far, before compression."""
        self._packer = zlib.compressobj(1, wbits=31) if path.lower().endswith(".gz") else None
        self._file: IO[bytes] | None = open(path, "wb")  # noqa: SIM115  # closed in `close`
        with self:
            self.write(head.encode())
            self._file.flush()

    def write(self, data: bytes) -> None:
        """Appends a part of the proof."""
        assert self._file is not None
        self.size += len(data)
        self._file.write(data if self._packer is None else self._packer.compress(data))

    def close(self, ending: str) -> None:
        """Appends the last lines, and closes the file."""
        with self:
            self.write(ending.encode())
            assert self._file is not None
            if self._packer is not None:
                self._file.write(self._packer.flush())
            self._file.flush()
        self._file.close()
        self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None or self._file is None:
            return
        with suppress(OSError):
            self._file.close()
        self._file = None
        if isinstance(error, OSError):
            error.filename = error.filename or self.path
            with suppress(OSError):
                os.unlink(self.path)
