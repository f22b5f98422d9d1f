"""Shells complete the commands: options, choices, models, and the names of files."""

from __future__ import annotations

from collections.abc import Callable

import click
import pytest

import dlx.cli.main
import sudoku.cli.main

MAINS: dict[str, Callable[[], int]] = {
    "dlx": dlx.cli.main.main,
    "sudoku": sudoku.cli.main.main,
}
GROUPS: dict[str, click.Group] = {"dlx": dlx.cli.main.dlx, "sudoku": sudoku.cli.main.commands}
FILES = {
    "file",
    "journal",
    "out",
    "puzzles",
    "inputs",
    "svg",
    "html",
    "checkpoint",
    "png",
    "pdf",
    "output",
}


def completed(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> list[str]:
    """What completes the last word of a line: "plain" words, or "file" for the names of files."""
    name, *_ = words = line.split(" ")
    monkeypatch.setenv(f"_{name.upper()}_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    assert MAINS[name]() == 0
    return capsys.readouterr().out.split()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("dlx sym", ["plain,symmetries"]),
        ("dlx make queen", ["plain,queen-domination", "plain,queens"]),
        ("dlx solve --engine b", ["plain,bits"]),
        ("dlx solve --dis", ["plain,--distinct"]),
        ("dlx solve some.d", ["file,some.d"]),
        ("dlx solve --all --svg pic", ["file,pic"]),
        ("dlx resume run", ["file,run"]),
        ("sudoku gen", ["plain,generate"]),
        ("sudoku show --png a", ["file,a"]),
        ("sudoku solve puz", ["file,puz"]),
    ],
)
def test_words_are_completed(
    line: str,
    expected: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert completed(line, monkeypatch, capsys) == expected


@pytest.mark.parametrize("name", ["dlx", "sudoku"])
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_each_shell(
    name: str, shell: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(f"_{name.upper()}_COMPLETE", f"{shell}_source")
    assert MAINS[name]() == 0
    assert f"_{name.upper()}_COMPLETE={shell}_complete" in capsys.readouterr().out


def test_arguments_given_by_a_program_are_a_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_DLX_COMPLETE", "bash_source")
    assert dlx.cli.main.main(["make"]) == 0
    assert "queens" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["dlx", "sudoku"])
def test_the_names_of_files_are_completed_everywhere(name: str) -> None:
    for command in GROUPS[name].commands.values():
        for parameter in command.params:
            if parameter.name in FILES:
                context = click.Context(command)
                [item] = parameter.shell_complete(context, "begin")
                assert (item.type, item.value) == ("file", "begin"), (command.name, parameter.name)
