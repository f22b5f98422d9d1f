"""Writing files so that no failure can leave half of one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable

__all__ = ["replace_file"]


def replace_file(path: str, parts: Iterable[str]) -> None:
    """Writes the parts of a text beside the old file first; it takes its place when complete."""
    if os.path.exists(path) and not os.path.isfile(path):  # a device or a pipe
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(parts)
        return
    path = os.path.realpath(path)  # a symbolic link stays one
    beside = f"{path}.{os.getpid()}.tmp"
    try:
        with open(beside, "x", encoding="utf-8") as file:
            file.writelines(parts)
        if os.path.exists(path):
            shutil.copymode(path, beside)
        os.replace(beside, path)
    except BaseException:
        if os.path.exists(beside):
            os.unlink(beside)
        raise
