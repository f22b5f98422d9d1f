"""Limits of the page's requests: seconds, bytes, connections, processes."""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = [
    "ConnectionLimits",
    "GRACE",
    "LARGEST",
    "LONG_PLACES",
    "MEMORY",
    "SECONDS",
    "SHORT",
    "WAIT",
]

SECONDS: Final = 8.0
"""The time limit of a search, in seconds."""

GRACE: Final = 3.0
"""Seconds in addition to `SECONDS` after which a worker process is killed."""

SHORT: Final = 0.5
"""Seconds after which a request is long: if others wait, it is stopped and run again later."""

LONG_PLACES: Final = 2
"""The number of long requests that run at once, besides a short one."""

WAIT: Final = 30.0
"""Seconds after which a request that waits for a process is refused."""

MEMORY: Final = 2 << 30
"""Bytes of address space that a worker process may take."""

LARGEST: Final = 1 << 20
"""The largest request, in bytes."""


class ConnectionLimits(NamedTuple):
    """The limits of a server's connections."""

    seconds: float = 10.0
    """Seconds within which a client must send a whole request, and read an answer."""
    connections: int = 32
    """The number of connections that are answered at once; as many more are refused politely."""
