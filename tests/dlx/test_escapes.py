"""Names that a terminal or a parser of XML would obey: escaped where shown, exact in files."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from terminals import Terminal

import dlx
from dlx.cli.main import main
from dlx.escapes import markup, visible
from sudoku import Grid, layouts, rules

HOSTILE = (
    "red\x1b[31m", "\x1b]0;title\x07", "\x9b2J", "\x00nul", "del\x7f", "\u202eltr", "\u2066\u2069",
    "a\u200eb", "bom\ufeff", "two\nsolution 9:", "cr\rline", "\u2028", "tab\tbar", "\ufffe",
)  # fmt: skip
WORDS = [name for name in HOSTILE if not (name.startswith("\0") or any(map(str.isspace, name)))]
"""Those that a file in Knuth's format can hold, too."""


Shown = Callable[..., tuple[int, str, str]]


@pytest.fixture(params=["pipe", "terminal"])
def shown(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Shown:
    """Runs a command: its status, its standard output and its standard error."""

    def run(*words: object) -> tuple[int, str, str]:
        out = Terminal()
        with monkeypatch.context() as patch:
            patch.setenv("NO_COLOR", "1")
            patch.setenv("TERM", "xterm")
            if request.param == "terminal":
                patch.setattr(sys, "stdout", out)
            status = main([*map(str, words)])
        captured = capsys.readouterr()
        printed = re.sub("\x1b\\[[01]m", "", out.getvalue())
        return status, printed or captured.out, captured.err

    return run


def problem_of(name: str) -> dlx.Problem:
    """Two solutions, a color and a symmetry; items, names and colors contain the name."""
    problem = dlx.Problem([name, "b", ("p", name)], ["x"])
    problem.add_option([name, "b", dlx.colored("x", name)], name=name)
    problem.add_option([name])
    problem.add_option(["b"], name=(name, 1))
    problem.add_option([("p", name), dlx.colored("x", name)])
    return problem


def infeasible(name: str) -> dlx.Problem:
    return dlx.Problem.from_options([[name, "b"], [name, "c"]])


def is_harmless(text: str) -> bool:
    """Whether text is of visible characters and line ends."""
    return all(line.isprintable() for line in text.split("\n"))


COMMANDS = [
    "solve --all FILE", "solve --json --all FILE", "solve --no-draw FILE", "count FILE",
    "count --json FILE", "min -k 2 FILE", "min --json FILE", "info FILE", "info --json FILE",
    "info BAD", "estimate --profile FILE", "estimate --json FILE", "explain BAD",
    "explain --json BAD", "explain --given 0 BAD", "explain --among b BAD", "symmetries FILE",
    "symmetries --full BAD", "symmetries --json FILE", "trace FILE", "trace BAD",
    "status JOURNAL", "status --json JOURNAL", "status --solutions JOURNAL",
    "status --solutions --json JOURNAL", "resume --quiet JOURNAL", "resume --json JOURNAL",
    "solve --given NAME FILE", "min --forbid NAME FILE", "solve NAME", "status NAME",
    "resume NAME", "solve DAMAGED", "convert DAMAGED -", "convert FILE - --to NAME",
    "make NAME", "make queens NAME", "NAME", "solve --engine NAME FILE", "solve --draw BAD",
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_no_command_prints_what_a_terminal_obeys(shown: Shown, tmp_path: Path, name: str) -> None:
    paths = {"FILE": "file.json", "BAD": "bad.json", "JOURNAL": "run.db", "DAMAGED": "damaged.dlx"}
    places = {word: str(tmp_path / path) for word, path in paths.items()}
    places["NAME"] = name.replace("\0", "")  # no argument of a process has that character
    problem_of(name).dump(places["FILE"])
    infeasible(name).dump(places["BAD"])
    Path(places["DAMAGED"]).write_text(f"a b\na {name}?\n", "utf-8")
    assert main(["solve", "--all", "--checkpoint", places["JOURNAL"], places["FILE"]]) == 0
    for command in COMMANDS:
        status, out, err = shown(*(places.get(word, word) for word in command.split()))
        assert is_harmless(out), command
        assert is_harmless(err), command
        assert "solution 9:" not in (out + err).split("\n"), command
        assert status != 2 or err.count("\n") == 1, command
        if "--json" in command:
            assert [json.loads(line) for line in out.splitlines()], command
        elif command.split()[0] in ("solve", "min", "trace") and status == 0:
            assert visible(name) in out, command


FORMS = ["knuth", "json", "cnf", "opb", "mps", "lp", "minizinc", "dzn", "xcsp3"]


@pytest.mark.parametrize("name", WORDS)
def test_a_terminal_sees_escapes_and_a_file_gets_names(
    shown: Shown,
    tmp_path: Path,
    name: str,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    terminal = request.node.callspec.params["shown"] == "terminal"
    problem = dlx.Problem([name, "b"], ["x"])
    for entries in ([name, "b", dlx.colored("x", name)], [name], ["b", dlx.colored("x", "A")]):
        problem.add_option(entries, name=(name, len(problem)))
    path = tmp_path / "file.json"
    problem.dump(path)
    commands = [("convert", str(path), "-", "--to", form) for form in FORMS]
    for command in [*commands, ("reduce", str(path))]:
        status, out, err = shown(*command)
        assert (status, is_harmless(err)) == (0, True)
        assert is_harmless(out) if terminal else out == exact(command, capsys), command
        if command[-1] in ("knuth", "json") or command[0] == "reduce":
            read = dlx.Problem.load(io.StringIO(exact(command, capsys)))
            assert list(read.names) == list(problem.names)
            if command[0] == "convert":
                assert (read.items, [*read.options]) == (problem.items, [*problem.options])
    assert is_harmless(path.read_text("utf-8"))


def exact(command: Sequence[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What a command writes into a pipe."""
    capsys.readouterr()
    assert main(list(command)) == 0
    return capsys.readouterr().out


# -- pictures and pages ----------------------------------------------------------------------------


def pictures_of(name: str) -> dict[str, str]:
    """What every maker of SVG draws with this name in each place that takes one."""
    cells = dlx.Problem.from_options({name: [name, "0,0", "0,1"], "y": ["1,0", "1,1"]})
    [tiling] = cells.solutions()
    letters = dlx.Problem(["p"], [(0, 0), (0, 1)])
    entries = [dlx.colored((0, 0), name), dlx.colored((0, 1), name * 9)]
    letters.add_option(["p", *entries])
    [words] = letters.solutions()
    problem = problem_of(name)
    grid = Grid("1" + "." * 80)
    drawn = layouts.classic(2, 2).with_rules(rules.Cage(3, [(1, 1), (1, 2)]))
    return {
        "picture": cells.picture(tiling),
        "letters": letters.picture(words),
        "sheet": cells.sheet([tiling, tiling], captions=[name, name * 9], title=name),
        "sheet of letters": letters.sheet([words]),
        "tree": problem.tree_picture(),
        "dead ends": infeasible(name).tree_picture(),
        "diagram": problem.diagram().picture(),
        "grid": grid.to_svg(caption=name),
        "grid with rules": Grid("." * 16, layout=drawn).to_svg(caption=f"a {name} {name * 20} b"),
    }


@pytest.mark.parametrize("name", [*HOSTILE, "half\ud800", '<&">]]>', "long" * 30 + "\0"])
def test_pictures_are_well_formed_xml(name: str) -> None:
    for maker, picture in pictures_of(name).items():
        root = ElementTree.fromstring(picture.encode())
        assert all(is_harmless(text) for text in root.itertext()), maker
    for value in [problem_of(name), *values_of(name)]:
        page = value._repr_html_()
        ElementTree.fromstring(f"<div>{page}</div>".replace("&nbsp;", " "))
        assert is_harmless(page)
    page = problem_of(name).trace_page(title=name)
    assert is_harmless(page)
    assert f"<title>{markup(name)}</title>" in page


def values_of(name: str) -> list[Any]:
    """Other values that notebooks show, with the name in them."""
    found = infeasible(name).explain()
    return [found, infeasible(name).symmetries(), problem_of(name).estimate(10)]


def test_traces_and_sentences_are_harmless() -> None:
    for name in HOSTILE:
        for problem in (problem_of(name), infeasible(name)):
            texts = [str(step) for step in problem.matrix().search()]
            texts += [*problem.warnings(), str(problem.explain()), problem.reduced().summary]
            texts += problem.diagram().to_dot().splitlines()
            assert all(text.isprintable() for text in texts)


def test_commands_print_by_the_functions_that_escape() -> None:
    folder = Path(dlx.__file__).parent / "cli"
    direct = {path.name for path in folder.glob("*.py") if "click.echo(" in path.read_text("utf-8")}
    assert direct == {"commands.py", "display.py"}


def test_ordinary_text_is_unchanged() -> None:
    for text in (
        "caf\xe9",
        "\ud55c\uad6d\uc5b4",
        "\u0645\u06cc\u200c\u062e",
        "a\xa0b\u3000c",
        "\\x1b",
        "",
    ):
        assert visible(text) == text
    assert (visible(("a", "\x1b")), visible(5)) == ("('a', '\\x1b')", "5")
