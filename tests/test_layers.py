"""No module imports itself through others, and `sudoku` uses public names of `dlx`.

Every import statement counts: one within a function and one under TYPE_CHECKING, too. Which package
may import which is checked by import-linter (`make lint`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import dlx
import sudoku

SHARED = {"dlx", "dlx.cli.commands", "dlx.cli.display", "dlx.escapes", "dlx.named_tuple"}
"""The modules of `dlx` that `sudoku` may import: see docs/design.md."""
SOURCES = [Path(package.__file__ or "").parent for package in (dlx, sudoku)]


def files_by_name() -> dict[str, Path]:
    """The file of each module, by the module's full name."""
    named = {}
    for source in SOURCES:
        for path in source.rglob("*.py"):
            parts = path.relative_to(source.parent).with_suffix("").parts
            named[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return named


def package_of(name: str, files: dict[str, Path]) -> str:
    """The package whose folder has the module; for an `__init__.py` that is its own."""
    return name if files[name].stem == "__init__" else name.rpartition(".")[0]


def imported_by(name: str, files: dict[str, Path]) -> Iterator[str]:
    """The modules of `files` that a module imports anywhere in its text."""
    tree = ast.parse(files[name].read_text("utf-8"))
    package = package_of(name, files).split(".")
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in files)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*start, *([node.module] if node.module else [])])
            for alias in node.names:
                member = f"{origin}.{alias.name}"
                if member in files or origin in files:
                    yield member if member in files else origin


def import_graph(files: dict[str, Path]) -> dict[str, set[str]]:
    """For each module, those of `files` that it imports."""
    return {name: set(imported_by(name, files)) - {name} for name in sorted(files)}


def reachable(graph: dict[str, set[str]], start: str) -> set[str]:
    """The modules that `start` imports, directly or through others."""
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for name in graph[waiting.pop()] - seen:
            seen.add(name)
            waiting.append(name)
    return seen


def import_circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The sets of several modules each of which imports all others of its set, at last.

    They are the strongly connected components of more than one node. O(modules * imports).
    """
    below = {name: reachable(graph, name) for name in graph}
    circles = {
        tuple(sorted(other for other in below[name] if name in below[other]))
        for name in graph
        if name in below[name]
    }
    return sorted(map(list, circles))


def test_circles_are_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set(), "e": {"f"}, "f": {"e", "a"}}
    assert import_circles(graph) == [["b", "c"], ["e", "f"]]


def test_the_graph_has_every_kind_of_import(tmp_path: Path) -> None:
    text = """
import sub.one
from sub import two, value
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from sub.three import Name
def late():
    from . import four
    from .five import value
"""
    names = ("one", "two", "three", "four", "five")
    files = {"sub": tmp_path / "__init__.py"} | {f"sub.{n}": tmp_path / f"{n}.py" for n in names}
    (tmp_path / "user.py").write_text(text)
    files["sub.user"] = tmp_path / "user.py"
    assert set(imported_by("sub.user", files)) == {"sub", *(f"sub.{name}" for name in names)}


def test_no_import_circle_in_dlx_or_sudoku() -> None:
    assert import_circles(import_graph(files_by_name())) == []


def test_sudoku_uses_public_names_of_dlx() -> None:
    files = files_by_name()
    for name, path in files.items():
        if name.partition(".")[0] == "sudoku":
            modules = {each for each in imported_by(name, files) if each.startswith("dlx")}
            assert modules <= SHARED, name
            assert names_of_dlx(path.read_text("utf-8")) <= {*dlx.__all__, "__version__"}, name


def names_of_dlx(text: str) -> set[str]:
    """What a module takes from `dlx` itself: `from dlx import name`, `dlx.name`."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module == "dlx":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found |= {node.attr} if node.value.id == "dlx" else set()
    return found


def test_names_of_dlx_are_found() -> None:
    assert names_of_dlx("import dlx\nfrom dlx import a\ndlx.b.c\nx.d") == {"a", "b"}
