"""What packages export is what they say they export."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

import pytest

import dlx
import sudoku

PACKAGES = ["dlx", "sudoku"]
PROMISED = [
    "add_item",
    "add_option",
    "from_options",
    "from_matrix",
    "from_arrays",
    "load",
    "dump",
    "items",
    "options",
    "solutions",
    "solve",
    "count",
    "is_unique",
    "verify",
    "primary",
    "secondary",
    "names",
    "freeze",
    "reduced",
]


def modules_of(package: str) -> list[str]:
    """All modules of a package but the commands' `__main__`."""
    root = importlib.import_module(package)
    walk = pkgutil.walk_packages(root.__path__, f"{package}.")
    names = [info.name for info in walk if info.name.rpartition(".")[2] != "__main__"]
    return sorted({package, *names})


MODULES = [name for package in PACKAGES for name in modules_of(package)]


def public_names(module: ModuleType) -> set[str]:
    """What a module shows without underscore, other modules left out."""
    return {
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and not isinstance(value, ModuleType) and name != "annotations"
    }


@pytest.mark.parametrize("name", MODULES)
def test_all_is_sorted_and_exists(name: str) -> None:
    module = importlib.import_module(name)
    exported = getattr(module, "__all__", [])
    assert list(exported) == sorted(set(exported))
    for export in exported:
        assert hasattr(module, export), export


@pytest.mark.parametrize("package", [dlx, sudoku])
def test_a_package_exports_all_it_shows(package: ModuleType) -> None:
    for name in package.__all__:
        assert hasattr(package, name), name  # some are imported when they are first asked for
    assert set(package.__all__) == public_names(package)


@pytest.mark.parametrize("package", [dlx, sudoku])
def test_exports_are_exported_where_they_come_from(package: ModuleType) -> None:
    for name in package.__all__:
        value = getattr(package, name)
        home = getattr(value, "__module__", None)
        if home is not None and home.startswith(f"{package.__name__}."):
            assert name in importlib.import_module(home).__all__
        assert value.__doc__, name


def test_every_exception_is_exported() -> None:
    import dlx.errors
    import sudoku.errors

    assert set(dlx.errors.__all__) <= set(dlx.__all__)
    for module, package in ((dlx.errors, dlx), (sudoku.errors, sudoku)):
        classes = {
            name
            for name, value in vars(module).items()
            if isinstance(value, type)
            and issubclass(value, Exception)
            and value.__module__ == module.__name__
        }
        assert classes <= set(package.__all__)


def test_the_public_names_of_dlx() -> None:
    """The names fixed by the design; adding one means adding it here."""
    promised = {"Problem", "colored", "solve", "solutions", "count", "Search", "Stats", "DLXError"}
    assert promised <= set(dlx.__all__)
    for name in PROMISED:
        assert getattr(dlx.Problem, name).__doc__


def test_the_version_is_that_of_the_distribution() -> None:
    from importlib import metadata

    assert metadata.version("dlxkit") == dlx.__version__ == sudoku.__version__
    assert {"click", "rich"} >= {
        requirement.split(">")[0]
        for requirement in metadata.requires("dlxkit") or []
        if "extra ==" not in requirement
    }
