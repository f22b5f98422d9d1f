"""Writing files so that no failure can leave half of one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable

__all__ = ["replace_file"]


def replace_file(path: str, parts: Iterable[bytes]) -> None:
    """Writes the parts beside the old file first; the new one takes its place when complete."""
    if os.path.exists(path) and not os.path.isfile(path):  # a device or a pipe
        with open(path, "wb") as file:
            file.writelines(parts)
        return
    path = os.path.realpath(path)  # a symbolic link stays one
    beside = f"{path}.{os.getpid()}.tmp"
    try:
        with open(beside, "xb") as file:
            file.writelines(parts)
        if os.path.exists(path):
            shutil.copymode(path, beside)
        os.replace(beside, path)
    except BaseException:
        if os.path.exists(beside):
            os.unlink(beside)
        raise
