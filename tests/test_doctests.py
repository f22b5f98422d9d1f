"""Every example in a docstring, in the README and in docs/ runs as written."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest
from folders import EXAMPLES, PAGES

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
MUST_HAVE_EXAMPLES = {
    "dlx",
    "dlx.core.entries",
    "dlx.links.matrix",
    "dlx.problem",
    "dlx.search.search",
}


def modules() -> list[str]:
    names = []
    for package in ("dlx", "sudoku"):
        root = importlib.import_module(package)
        names.append(package)
        for info in pkgutil.walk_packages(root.__path__, f"{package}."):
            if info.name.rpartition(".")[2] != "__main__":
                names.append(info.name)
    return names


@pytest.mark.parametrize("name", modules())
def test_docstrings(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert result.failed == 0
    assert result.attempted > 0 or name not in MUST_HAVE_EXAMPLES


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder of their own, with the project's examples beside it as in a clone."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(EXAMPLES)
    result = doctest.testfile(str(page), module_relative=False, optionflags=FLAGS, encoding="utf-8")
    assert result.failed == 0
    if page.name == "README.md":
        assert result.attempted > 0
