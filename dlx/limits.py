"""The limit that is none."""

from __future__ import annotations

from typing import Final

__all__ = ["UNLIMITED"]

UNLIMITED: Final = 2**63
"""More solutions, or nodes, than any search comes to; it fits into the kernel's 64 bits."""
