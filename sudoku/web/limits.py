"""Limits of the page's questions: seconds, bytes, connections, processes."""

from __future__ import annotations

from typing import Final

__all__ = [
    "GRACE",
    "LARGEST",
    "LONG_PLACES",
    "MEMORY",
    "MOST_CONNECTIONS",
    "PATIENCE",
    "SECONDS",
    "SHORT",
]

SECONDS: Final = 8.0
"""How long a search may take."""

GRACE: Final = 3.0
"""Seconds that a worker process has besides those of its searches, before it is killed."""

SHORT: Final = 0.5
"""Seconds after which a question that others wait for is stopped, to run again among long ones."""

LONG_PLACES: Final = 2
"""How many long questions are worked on at once, besides a short one."""

MEMORY: Final = 2 << 30
"""Bytes of address space that a worker process may take."""

PATIENCE: Final = 10.0
"""Seconds in which a whole request must have come, and in which an answer must be fetched."""

LARGEST: Final = 1 << 20
"""The largest question, in bytes."""

MOST_CONNECTIONS: Final = 32
"""As many are open at once."""
