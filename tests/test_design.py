"""The list of rooms in docs/design.md is the list of files there are."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "design.md").read_text("utf-8")
NAME = re.compile(r"(?<![\w/.])[a-z_][\w*]*(?:\.(?:py|hpp|cpp|\*)|/(?![\w*])|(?<=\*)(?![\w.*]))")


def rooms() -> dict[str, list[str]]:
    """The names in the list, by the folder that they are of."""
    listed = PAGE.split("## Rooms")[1].split("```")[1]
    found: dict[str, list[str]] = {}
    folder = inner = ""
    for line in listed.splitlines():
        names = NAME.findall(line)
        if names and line[:1].isalpha():
            folder = inner = names.pop(0)
        elif names[:1] == ["_kernel/"]:
            inner = folder + names.pop(0)
        elif line[:4].strip():
            inner = folder
        found.setdefault(inner, []).extend(names)
    return found


ROOMS = rooms()


def test_all_folders_are_there() -> None:
    assert list(ROOMS) == ["", "sudoku/", "dlx/", "dlx/_kernel/"]


@pytest.mark.parametrize("folder", ["sudoku/", "dlx/", "dlx/_kernel/"])
def test_what_is_named_exists(folder: str) -> None:
    files = [f"{path.name}/" if path.is_dir() else path.name for path in (ROOT / folder).iterdir()]
    missing = [name for name in ROOMS[folder] if not any(fnmatch(file, name) for file in files)]
    assert missing == []


@pytest.mark.parametrize("folder", ["sudoku/", "dlx/", "dlx/_kernel/"])
def test_what_exists_is_named_once(folder: str) -> None:
    """What only makes a package needs no room, and the kernel has one of its own."""
    files = [path for path in (ROOT / folder).iterdir() if path.name[:2] != "__"]
    names = [f"{path.name}/" for path in files if path.is_dir()]
    names += [path.name for path in files if path.suffix in (".py", ".hpp", ".cpp")]
    known = [*ROOMS[folder], "_kernel/"]
    assert sorted(n for n in names if not any(fnmatch(n, name) for name in known)) == []
    heads = re.findall(rf"^ +((?:{NAME.pattern} ?)+)", PAGE, re.MULTILINE)
    listed = [name for head in heads for name in head.split() if name in ROOMS[folder]]
    only = [name for name in listed if sum(name in names for names in ROOMS.values()) == 1]
    assert sorted(name for name in only if only.count(name) > 1) == []
