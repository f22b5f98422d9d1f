"""Pages with pictures: commands and examples make them, and all pictures there are are shown."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from folders import DOCS, EXAMPLES

FOLDER = DOCS / "pictures"
PAGE = "".join((DOCS / name).read_text("utf-8") for name in ("pictures.md", "symmetry.md"))
EXAMPLE_PAGES = ("modelling.md", "algorithm-x.md")
EXAMPLE_TEXT = "".join((DOCS / name).read_text("utf-8") for name in EXAMPLE_PAGES)
BLOCKS = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.lengthy
def test_the_commands_make_the_pictures(block: str, tmp_path: Path) -> None:
    if "--pdf" in block:
        pytest.importorskip("cairosvg")
    (tmp_path / "examples").symlink_to(EXAMPLES)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    made = subprocess.run(
        ["sh", "-eu", "-c", block],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    names = re.findall(r"--(?:svg|html|pdf) (\S+)", block)
    assert names
    for name in names:
        content = (tmp_path / name).read_bytes()
        assert content
        if name.endswith(".svg"):
            assert content == (FOLDER / name).read_bytes(), name


@pytest.mark.parametrize("page", EXAMPLE_PAGES)
def test_the_examples_make_the_pictures(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    doctest.testfile(str(DOCS / page), module_relative=False, optionflags=flags, encoding="utf-8")
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert made
    for name, content in made.items():
        assert f"](pictures/{name})" in (DOCS / page).read_text("utf-8")
        assert content == (FOLDER / name).read_bytes(), name


def test_every_picture_is_shown_and_every_one_shown_is_there() -> None:
    shown = set(re.findall(r"\]\(pictures/([^)]+)\)", PAGE + EXAMPLE_TEXT))
    assert shown == {path.name for path in FOLDER.iterdir() if path.is_file()}
    by_commands = set(re.findall(r"--svg (\S+)", PAGE))
    by_commands |= set(re.findall(r"save\(\"([^\"]+)", EXAMPLE_TEXT))
    by_browser = (EXAMPLES / "screenshots.py").read_text("utf-8")
    assert all(name in by_commands or f'"{name}"' in by_browser for name in shown)
