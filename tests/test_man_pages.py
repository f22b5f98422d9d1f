"""Man pages: each command has one, with all its options, that groff reads without a warning."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from folders import ROOT

from dlx.cli.main import dlx as dlx_command
from sudoku.cli.main import commands as sudoku_command

WRITER = ROOT / ".ci" / "man_pages.py"


def test_each_command_has_a_page(tmp_path: Path) -> None:
    subprocess.run([sys.executable, WRITER, tmp_path], check=True)
    expected = {"dlx.1", "sudoku.1"}
    for name, group in (("dlx", dlx_command), ("sudoku", sudoku_command)):
        for other, command in group.commands.items():
            path = tmp_path / f"{name}-{other}.1"
            expected.add(path.name)
            page = path.read_text().replace("\\-", "-")
            assert f".B {name} {other}\n" in page
            for parameter in command.params:
                if parameter.param_type_name == "option":
                    assert all(option in page for option in parameter.opts), path.name
            assert "-h, --help" in page
            assert f"\n\\fB{other.replace('-', chr(92) + '-')}\\fR\n" in (
                (tmp_path / f"{name}.1").read_text()
            )
    assert {path.name for path in tmp_path.iterdir()} == expected
    groff = shutil.which("groff")
    if groff is not None:
        for path in tmp_path.iterdir():
            read = subprocess.run(
                [groff, "-man", "-ww", "-z", path], capture_output=True, text=True
            )
            assert (read.returncode, read.stderr) == (0, ""), path.name
