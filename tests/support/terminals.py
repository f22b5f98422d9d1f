"""Commands of this distribution run with some of their streams on a pseudo-terminal."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, NamedTuple

LONG = 120  # seconds, for a machine of any load


class Terminal(io.StringIO):
    """A standard output of this process that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class Shown(NamedTuple):
    """How a command ended, and what it wrote."""

    status: int
    out: bytes
    """What went to standard output, a file or a pipe."""
    err: str
    """What went to the terminal that was standard error, without its control sequences."""


def read_terminal(lead: int) -> bytes:
    """All that is written to a terminal until no process has it open; closes it."""
    output = b""
    with contextlib.suppress(OSError):  # EIO is the end, on Linux
        while piece := os.read(lead, 10_000):
            output += piece
    os.close(lead)
    return output


def run_on_terminal(
    code: str,
    *arguments: str,
    out: Path | None = None,
    stdin: IO[bytes] | None = None,
) -> Shown:
    """Runs Python code with stderr on a terminal, and stdout in the file `out`, or in a pipe."""
    lead, follow = pty.openpty()
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "100"}
    with (
        contextlib.nullcontext(subprocess.PIPE) if out is None else open(out, "wb") as target,
        subprocess.Popen(
            [sys.executable, "-P", "-c", code, *arguments],
            stdin=follow if stdin is None else stdin,
            stdout=target,
            stderr=follow,
            env=environment,
        ) as process,
        ThreadPoolExecutor(1) as thread,
    ):
        os.close(follow)
        shown = thread.submit(read_terminal, lead)
        content = b"" if process.stdout is None else process.stdout.read()
        status = process.wait(LONG)
        text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.result().decode())
    content = content if out is None else out.read_bytes()
    return Shown(status, content, text.replace("\r\n", "\n"))
