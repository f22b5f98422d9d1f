"""The compiled kernel, or an ImportError that says how to get it."""

from __future__ import annotations

try:
    from dlx._kernel import (
        Batch,
        Code,
        Count,
        Minimum,
        Pack,
        Probes,
        Problem,
        Reader,
        Reduction,
        Refusal,
        Refuter,
        Search,
        SharedIterator,
        find_flaw,
        info,
        keep_sets_with,
        listing_of,
    )
except ImportError as error:
    # In a source tree `dlx/_kernel/` holds only C++ files, and Python takes it for a package.
    raise ImportError(
        "the compiled kernel of dlx is not built here; run 'pip install .' (or 'make demo') in the "
        f"source tree, and do not import dlx from the tree itself ({error})"
    ) from error

__all__ = [
    "Batch",
    "Code",
    "Count",
    "Minimum",
    "Pack",
    "Probes",
    "Problem",
    "Reader",
    "Reduction",
    "Refusal",
    "Refuter",
    "Search",
    "SharedIterator",
    "find_flaw",
    "info",
    "keep_sets_with",
    "listing_of",
]
