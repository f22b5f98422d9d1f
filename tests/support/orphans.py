"""Kills what tests have started once the process that runs them has ended, however it ended.

Another process waits for that, where there are the means of Linux. It knows by a variable of their
environment which processes the tests have started, and those that these have started.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from contextlib import suppress
from pathlib import Path

VARIABLE = "DLX_STARTED_BY_TESTS"


def watch() -> None:
    """Starts the process that waits for the end of this one."""
    if not hasattr(os, "pidfd_open"):
        return
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    mark = os.environ[VARIABLE] = f"{os.getpid()}-{os.urandom(8).hex()}"
    os.posix_spawn(
        sys.executable,
        [sys.executable, "-S", "-P", __file__, str(os.getpid()), mark],
        environment,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in (0, 1, 2)
        ],
        setsid=True,
    )


def main(process: str, mark: str) -> None:
    with suppress(ProcessLookupError):
        select.select([os.pidfd_open(int(process))], [], [])
    line = f"{VARIABLE}={mark}".encode()
    found = True
    while found:
        found = False
        for environment in Path("/proc").glob("[0-9]*/environ"):
            with suppress(OSError):
                if line in environment.read_bytes().split(b"\0"):
                    os.kill(int(environment.parent.name), signal.SIGKILL)
                    found = True


if __name__ == "__main__":
    main(*sys.argv[1:])
