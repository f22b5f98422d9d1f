"""The reference pages of docs/ have every public name."""

from __future__ import annotations

import importlib
import re

import pytest
from folders import DOCS


@pytest.mark.parametrize(
    ("page", "names"), [("dlx", "dlx"), ("models", "dlx.models"), ("sudoku", "sudoku")]
)
def test_the_reference_has_every_public_name(page: str, names: str) -> None:
    """Classes and functions come from `automodule`; a constant needs a line of its own."""
    text = (DOCS / "reference" / f"{page}.md").read_text("utf-8")
    assert f".. automodule:: {names}\n" in text
    module = importlib.import_module(names)
    constants = {name for name in module.__all__ if not callable(getattr(module, name))}
    assert constants == set(re.findall(r"^\.\. autodata:: \S+\.(\w+)$", text, re.M))
