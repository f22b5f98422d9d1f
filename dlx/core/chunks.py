"""`ChunkIterator`: a base class of iterators whose elements come in chunks.

`dlx.Answers` and `sudoku.Answers` are such iterators. The class is compiled, so that no Python code
runs between the elements of a chunk.
"""

from __future__ import annotations

from dlx.core.kernel import ChunkIterator

__all__ = ["ChunkIterator"]
