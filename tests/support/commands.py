"""The `dlx` command in this process, as the fixture `run` has it, and code in another one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple


class Printed(NamedTuple):
    """What a command wrote to standard output and to standard error."""

    out: str
    err: str


Run = Callable[..., Printed]
"""Takes words and, by keyword, the exit status that is expected (0)."""


def run_python(code: str, *arguments: str | Path, **more: Any) -> subprocess.CompletedProcess[str]:
    """Runs code in a process of its own, by an interpreter that does not see the source tree."""
    command = [sys.executable, "-P", "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, **more)
