"""What the page may ask for at most: seconds, bytes, connections."""

from __future__ import annotations

from typing import Final

__all__ = ["GRACE", "LARGEST", "MEMORY", "MOST_CONNECTIONS", "PATIENCE", "SECONDS"]

SECONDS: Final = 8.0
"""How long a search may take."""

GRACE: Final = 3.0
"""Seconds that the worker has besides those of its searches, before it is killed."""

MEMORY: Final = 2 << 30
"""Bytes of address space that the worker may take."""

PATIENCE: Final = 10.0
"""Seconds in which a whole request must have come, and in which an answer must be fetched."""

LARGEST: Final = 1 << 20
"""The largest question, in bytes."""

MOST_CONNECTIONS: Final = 32
"""As many are open at once."""
