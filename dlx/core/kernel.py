"""Loads the compiled kernel, `dlx._kernel`, or the stand-ins of `dlx.core.portable` without it.

The package may be installed without the kernel, where there was no C++ compiler. In a source tree
where the kernel is not built, importing raises an ImportError that says how to build it.
"""

from __future__ import annotations

import sys


def _refuse_subinterpreters() -> None:
    """Raises ImportError in every interpreter of this process except the main one.

    The kernel acquires the GIL of the main interpreter; in a subinterpreter it would deadlock.
    """
    try:
        import _interpreters as interpreters  # type: ignore[import-not-found]
    except ImportError:
        try:
            # its name up to Python 3.12
            import _xxsubinterpreters as interpreters  # type: ignore[import-not-found]
        except ImportError:
            return  # this Python has no subinterpreters
    if interpreters.get_current() != interpreters.get_main():
        raise ImportError(
            "dlx cannot be imported in a subinterpreter: its compiled kernel needs the main "
            "interpreter; use threads or processes instead (under mod_wsgi, set "
            "WSGIApplicationGroup %{GLOBAL})"
        )


_refuse_subinterpreters()

COMPILED = True
"""Is the compiled kernel there?"""

WHY_MISSING = ""
"""The message of the ImportError if it is not."""

try:
    from dlx._kernel import (
        Batch,
        Cancellation,
        ChunkIterator,
        Code,
        Count,
        Minimum,
        Pack,
        PermutationGroup,
        Probes,
        Problem,
        Reader,
        Reduction,
        Refusal,
        Refuter,
        Search,
        SharedIterator,
        SymmetryGroup,
        check_cancelled,
        find_flaw,
        info,
        keep_sets_with,
        listing_of,
    )
except ImportError as error:
    if sys.modules.get("dlx._kernel") is not None:
        # In a source tree `dlx/_kernel/` holds only C++ files; Python imports it as a package.
        raise ImportError(
            "the compiled kernel of dlx is not built; run 'pip install .' (or 'make demo') in the "
            f"source tree, then import dlx from another directory ({error})"
        ) from error
    COMPILED, WHY_MISSING = False, str(error)
    from dlx.core.portable import (  # type: ignore[assignment]
        Batch,
        Cancellation,
        ChunkIterator,
        Code,
        Count,
        Minimum,
        Pack,
        PermutationGroup,
        Probes,
        Problem,
        Reader,
        Reduction,
        Refusal,
        Refuter,
        Search,
        SharedIterator,
        SymmetryGroup,
        check_cancelled,
        find_flaw,
        info,
        keep_sets_with,
        listing_of,
    )

__all__ = [
    "Batch",
    "COMPILED",
    "Cancellation",
    "ChunkIterator",
    "Code",
    "Count",
    "Minimum",
    "Pack",
    "PermutationGroup",
    "Probes",
    "Problem",
    "Reader",
    "Reduction",
    "Refusal",
    "Refuter",
    "Search",
    "SharedIterator",
    "SymmetryGroup",
    "WHY_MISSING",
    "check_cancelled",
    "find_flaw",
    "info",
    "keep_sets_with",
    "listing_of",
]
