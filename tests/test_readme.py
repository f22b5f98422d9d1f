"""The console sessions of README.md and docs/*.md, run as written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def sessions() -> list[tuple[str, str, str]]:
    """(page, command, expected output) of every `$` line in a console block."""
    found = []
    for page in PAGES:
        for block in re.findall(r"^```console\n(.*?)^```", page.read_text("utf-8"), re.M | re.S):
            for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
                command, _, output = part.partition("\n")
                found.append((page.name, command, output))
    return found


@pytest.mark.parametrize(("page", "command", "expected"), sessions())
def test_session(page: str, command: str, expected: str, tmp_path: Path) -> None:
    """Standard output is as the page shows it; "..." on a line of its own ends the comparison."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "TMPDIR": str(tmp_path),
    }
    done = subprocess.run(
        ["sh", "-c", command], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    shown, cut, _ = expected.partition("...\n")
    output = done.stdout[: len(shown)] if cut else done.stdout
    assert output == shown, f"{page}: {command}\n{done.stderr}"
