"""The compiled kernel, or an ImportError that says how to get it."""

from __future__ import annotations


def _refuse_subinterpreters() -> None:
    """Raises ImportError in any interpreter of this process but the main one.

    There the compiled kernel would wait for ever: it takes the lock of the main interpreter.
    """
    try:
        import _interpreters as interpreters  # type: ignore[import-not-found]
    except ImportError:
        try:
            # of Python up to 3.12
            import _xxsubinterpreters as interpreters  # type: ignore[import-not-found]
        except ImportError:
            return  # this Python has none
    if interpreters.get_current() != interpreters.get_main():
        raise ImportError(
            "dlx cannot be imported in a subinterpreter: its compiled kernel works in the main "
            "interpreter only; use threads or processes instead (under mod_wsgi, set "
            "WSGIApplicationGroup %{GLOBAL})"
        )


_refuse_subinterpreters()

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
