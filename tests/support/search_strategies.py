"""Hypothesis strategies for the arguments of a search."""

from __future__ import annotations

from hypothesis import strategies as st

SEEDS = st.none() | st.integers(-5, 2**70)
"""No seed, or one: small, negative, or of more than one machine word."""
