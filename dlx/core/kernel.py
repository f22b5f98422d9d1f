"""Loads the compiled kernel, `dlx._kernel`, or the stand-ins of `dlx.core.portable` without it.

The package may be installed without the kernel, where there was no C++ compiler. A source tree in
which the kernel is not built uses the kernel of an installed dlxkit of the same version, if there
is one, as when Python is started in a clone after `pip install .`.
"""

from __future__ import annotations

import sys
from os.path import abspath, dirname, isdir, join

from dlx.core.version import __version__

__all__ = ["COMPILED", "ChunkIterator", "WHY_MISSING"]  # noqa: F405  # and the stub's names


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


def _load_installed_kernel() -> None:
    """Imports `dlx._kernel` from an installation of this version, if this is a source tree without.

    A package that is no source tree, and a kernel that was imported or blocked before, stay as
    they are.
    """
    own = dirname(dirname(abspath(__file__)))
    if "dlx._kernel" in sys.modules or not isdir(join(own, "cpp")):
        return
    from importlib.machinery import PathFinder

    if PathFinder.find_spec("dlx._kernel", [own]) is not None:
        return
    packages = filter(_has_this_version, (join(abspath(folder), "dlx") for folder in sys.path))
    spec = PathFinder.find_spec("dlx._kernel", [*packages])
    if spec is not None and spec.loader is not None:
        from importlib.util import module_from_spec

        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules["dlx._kernel"] = module


def _has_this_version(package: str) -> bool:
    """Is the package in this folder of the version of these sources?"""
    try:
        with open(join(package, "core", "version.py"), encoding="utf-8") as file:
            return f'__version__ = "{__version__}"' in file.read()
    except OSError:
        return False


COMPILED = True
"""Is the compiled kernel there?"""

WHY_MISSING = ""
"""The message of the ImportError if it is not."""

try:
    _load_installed_kernel()
    from dlx._kernel import *  # noqa: F403  # its stub lists the names
except ImportError as error:
    COMPILED, WHY_MISSING = False, str(error)
    from dlx.core.portable import *  # type: ignore[assignment]  # noqa: F403
