"""Characters that a terminal or a parser of XML would obey: escaped by every command."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from example_puzzles import ROWS, SOLVED, WIKIPEDIA
from terminals import Terminal

from sudoku import Grid
from sudoku.cli.main import commands, main

HOSTILE = ("\x1b[31m", "\x1b]0;title\x07", "\x9b2J", "\u202e", "\u2066", "\u200e", "\x7f", "\x85")
COMMANDS = [
    *sorted(set(commands.commands) - {"generate", "serve", "convert"}),
    "solve --json", "solve --grid", "show --json", "show --candidates", "show --solved",
    "hint --stages", "rate --techniques", "convert", "convert --to json", "convert --to csv",
]  # fmt: skip


def files(folder: Path, text: str) -> list[Path]:
    """Files with puzzles, and with errors, that have the text in all places where it can be."""
    contents = {
        "lines": f"{WIKIPEDIA} {SOLVED} a{text}b\n{WIKIPEDIA}\tc{text}d\n",
        "bad": f"{WIKIPEDIA[:80]} {text}\n{text}\n5{text}\n",
        "csv": f'puzzle,remark,"ti{text}tle"\n{WIKIPEDIA},"a{text}b",c{text}d\n',
        "sdk": f"#A a{text}b\n#D c{text}d\n" + "".join(f"{row}\n" for row in ROWS),
        f"name{text}": f"{WIKIPEDIA} easy\nx\n",
    }
    for name, content in contents.items():
        (folder / name).write_text(content)
    return [folder / name for name in contents] + [folder / f"none{text}"]


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_shows_escapes(
    command: str,
    terminal: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    for text in HOSTILE[:: 1 if command in ("solve", "show") else 3]:
        paths = list(map(str, files(tmp_path, text)))
        for path in paths:
            out = Terminal()
            with monkeypatch.context() as patch:
                if terminal:
                    patch.setattr(sys, "stdout", out)
                assert main([*command.split(), path]) in (0, 1, 2)
            captured = capsys.readouterr()
            printed = captured.err + out.getvalue()
            if terminal or not command.startswith("convert"):  # which writes files exactly
                printed += captured.out
            assert [c for c in printed if not (c.isprintable() or c in "\n\t")] == []


def test_a_tab_of_a_remark_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in").write_text(f"{WIKIPEDIA} 1\t2\x1b[0m\n")
    for command in ("solve", "minimize"):
        assert main([command, str(tmp_path / "in")]) == 0
        assert capsys.readouterr().out.endswith(" 1\t2\\x1b[0m\n")


@pytest.mark.parametrize("text", [*HOSTILE, "\0", "\ufffe", "\ud800", "a<b & c"])
def test_a_caption_leaves_the_picture_well_formed(text: str) -> None:
    picture = Grid(WIKIPEDIA).to_svg(caption=text)
    words = "".join(ElementTree.fromstring(picture).itertext())
    assert words.replace("\n", "").isprintable()
