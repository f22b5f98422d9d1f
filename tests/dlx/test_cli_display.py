"""How far a search is, as commands show it: a bar on a terminal, lines elsewhere, or nothing."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from terminals import Terminal

import dlx
from dlx.cli import display as cli_display
from dlx.cli.display import Display
from dlx.cli.solve import WorkConfig, run_count, run_solve
from dlx.drawing import progress_bar
from dlx.drawing.progress_bar import BAR
from dlx.models import pentominoes, queens
from dlx.search.progress import SearchProgress

BEGIN = SearchProgress(1_000, 0, 0.1, 0.1, None)
LATER = SearchProgress(251_000, 17, 0.2, 0.25, 0.6)
UNKNOWN = SearchProgress(251_000, 1, 0.2, None, None)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DELAY", "REDRAWN", "LOGGED"):
        monkeypatch.setattr(cli_display, name, 0.0)


def terminal_for(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Called by a test itself: before and after it, standard error is pytest's."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    return terminal


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """On which the first look is after two seconds, and others two and a half after another."""
    seconds = iter([100.0, 102.0, 104.5, 107.0, 109.5])
    monkeypatch.setattr(cli_display, "time", SimpleNamespace(monotonic=lambda: next(seconds)))


def show(*reported: SearchProgress) -> None:
    with Display() as display:
        for progress in reported:
            display(progress)


@pytest.mark.usefixtures("clock")
def test_lines(capsys: pytest.CaptureFixture[str]) -> None:
    show(BEGIN, LATER, UNKNOWN)
    assert capsys.readouterr() == (
        "",
        "dlx: 2 seconds, 10.0%, 0 solutions\n"
        "dlx: 4.5 seconds, 25.0%, 100,000 nodes/s, 17 solutions, about 12.5 seconds left\n"
        "dlx: 7 seconds, 50,000 nodes/s, 1 solution\n",
    )


@pytest.mark.usefixtures("clock")
def test_time_goes_on_while_solutions_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with Display() as display:
        display(BEGIN)
        display.echo("one")
        display.echo("two")
    assert capsys.readouterr() == (
        "one\ntwo\n",
        "dlx: 2 seconds, 10.0%, 0 solutions\n"
        "dlx: 4.5 seconds, 10.0%, 0 nodes/s, 0 solutions\n"
        "dlx: 7 seconds, 10.0%, 0 nodes/s, 0 solutions\n",
    )


def test_not_so_soon_nor_so_often(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli_display, "LOGGED", 1e9)
    show(BEGIN, LATER, LATER)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("progress", "percent"),
    [(LATER, "25.0%"), (UNKNOWN, "?"), (LATER._replace(fraction=0.99999), "99.9%")],
)
@pytest.mark.usefixtures("clock")
def test_a_bar(progress: SearchProgress, percent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_for(monkeypatch)
    show(BEGIN, progress)
    drawn = terminal.getvalue()
    assert percent in drawn
    assert "100,000 nodes/s" in drawn
    assert "0:00:04" in drawn
    assert (" left" in drawn) == (progress.fraction is not None)
    assert drawn.rstrip().endswith("\x1b[2K")  # the line is cleared in the end


def test_a_bar_is_cleared_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_for(monkeypatch)

    def interrupted() -> None:
        with Display() as display:
            display(LATER)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert terminal.getvalue().rstrip().endswith("\x1b[2K")


def test_solutions_above_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_for(monkeypatch)
    monkeypatch.setattr(sys, "stdout", terminal)
    with Display() as display:
        display(LATER)
        display.echo("solution 1: [bold]" + 200 * "x")
    assert "solution 1: [bold]" + 200 * "x" in terminal.getvalue()


@pytest.mark.parametrize("work", [WorkConfig(), WorkConfig(workers=2)])
@pytest.mark.lengthy
def test_a_count_shows_how_far_it_is(work: WorkConfig, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_for(monkeypatch)
    assert run_count(pentominoes(6, 10), work, as_json=False, limit=None, engine="bits") == 0
    assert "%\x1b" in terminal.getvalue()
    assert " left" in terminal.getvalue()


@pytest.mark.lengthy
def test_so_does_one_that_may_remember_and_one_with_a_journal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    terminal = terminal_for(monkeypatch)
    for work in (WorkConfig(), WorkConfig(checkpoint=f"{tmp_path}/run.db")):
        terminal.truncate(0)
        assert run_count(pentominoes(6, 10), work, as_json=False, limit=None) == 0
        assert "%\x1b" in terminal.getvalue()


def test_solving_shows_it_as_well_unless_told_to_be_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_for(monkeypatch)
    assert run_solve(queens(6), WorkConfig(quiet=True), as_json=True, limit=None) == 0
    assert "%" not in terminal.getvalue()
    assert run_solve(queens(6), WorkConfig(), as_json=True, limit=None) == 0
    assert "%" in terminal.getvalue()


# -- `dlx.ProgressBar`: what a running search shows in terminals, files and notebooks ------------


HALF = SearchProgress(251_000, 17, 0.2, 0.5, 0.2)
END = SearchProgress(500_000, 40, 0.4, 1.0, 0.0)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("COLUMNS", "60")
    return Terminal()


def test_a_terminal_has_one_line_that_is_replaced(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", terminal)
        bar = dlx.ProgressBar("text")
        for progress in (HALF, UNKNOWN, END):
            bar(progress)
    before, *lines = terminal.getvalue().split("\r")
    assert before == ""
    assert all(len(line.rstrip("\n")) < 60 for line in lines)
    assert lines[0].startswith(f"[{'#' * (BAR // 2)}{'.' * (BAR // 2)}] 50.0%, 251,000 nodes")
    assert lines[1].rstrip() == "251,000 nodes, 1 solution, 200 ms"
    assert len(lines[1]) == len(lines[0])  # nothing of the longer line is left
    assert lines[2].startswith(f"[{'#' * BAR}] 100.0%")
    assert lines[2].endswith("\n")
    assert terminal.getvalue().count("\n") == 1


def test_a_search_that_is_stopped_ends_its_line(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", terminal)
        with dlx.ProgressBar("text") as bar, pytest.raises(dlx.SearchInterrupted):
            queens(8).count(node_limit=100, engine="links", progress=bar)
        assert terminal.getvalue().endswith("\n")
        queens(8).minimum(progress=dlx.ProgressBar("text"))  # its bar is deleted with the call
    assert terminal.getvalue().endswith("\n")
    assert "best 0" in terminal.getvalue()


def test_a_file_has_lines(capsys: pytest.CaptureFixture[str]) -> None:
    bar = dlx.ProgressBar("text")
    assert queens(8).count(engine="links", progress=bar) == 92
    assert queens(6).count(engine="links", progress=bar) == 4
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("100.0%, 1,049 nodes, 92 solutions, ")
    assert second.startswith("100.0%, 93 nodes, 4 solutions, ")


@pytest.mark.parametrize("keywords", [{}, {"workers": 2}, {"engine": "python"}])
def test_the_end_is_shown_once(
    keywords: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert queens(8).count(progress=dlx.ProgressBar("text"), **keywords) == 92
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("100.0%, 1,049 nodes, 92 solutions, ")


def test_a_file_has_a_line_every_ten_seconds(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(progress_bar, "time", SimpleNamespace(monotonic=lambda: clock.now))
    bar = dlx.ProgressBar("text")
    for second in range(25):
        clock.now = float(second)
        bar(HALF)
    assert len(capsys.readouterr().err.splitlines()) == 2
    bar.close()
    bar.close()
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_tqdm(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    bar = dlx.ProgressBar("tqdm")
    for progress in (HALF, UNKNOWN):
        bar(progress)
    assert queens(8).count(engine="links", progress=bar) == 92
    lines = capsys.readouterr().err.replace("\r", "\n").split("\n")
    assert any(line.startswith(" 50.0%|") and "| 251,000 nodes, 17" in line for line in lines)
    assert any(line.rstrip() == "251,000 nodes, 1 solution, 200 ms" for line in lines)
    assert any(line.startswith("100.0%|") and "| 1,049 nodes, 92 sol" in line for line in lines)


def test_widgets(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ipywidgets")
    display = pytest.importorskip("IPython.display")
    shown: list[Any] = []
    monkeypatch.setattr(display, "display", shown.append)
    bar = dlx.ProgressBar("widgets")
    bar(UNKNOWN)
    [box] = shown
    drawn, label = box.children
    assert (drawn.layout.display, label.value) == ("none", "251,000 nodes, 1 solution, 200 ms")
    bar(HALF)
    assert (drawn.value, drawn.layout.display) == (0.5, "")
    assert label.value.startswith("50.0%, 251,000 nodes")
    bar(END)
    assert (drawn.value, drawn.bar_style, len(shown)) == (1.0, "success", 1)
    bar(HALF)
    assert len(shown) == 2


def test_text_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    display = pytest.importorskip("IPython.display")
    shown: list[str] = []
    handle = SimpleNamespace(update=lambda value: shown.append(value.data))
    monkeypatch.setattr(display, "display", lambda value, display_id: handle)
    monkeypatch.setattr(progress_bar, "_in_notebook", lambda: True)
    bar = dlx.ProgressBar("text")
    bar(HALF)
    bar(END)
    assert [text.split(",")[0] for text in shown] == [
        f"[{'#' * 15}{'.' * 15}] 50.0%",
        f"[{'#' * 30}] 100.0%",
    ]


@pytest.mark.parametrize(
    ("notebook", "installed", "kind"),
    [
        (True, {"ipywidgets", "tqdm"}, "widgets"),
        (True, {"tqdm"}, "tqdm"),
        (True, set(), "text"),
        (False, {"ipywidgets", "tqdm"}, "tqdm"),
        (False, {"ipywidgets"}, "text"),
    ],
)
def test_what_is_installed_decides(
    notebook: bool, installed: set[str], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_bar, "_in_notebook", lambda: notebook)
    monkeypatch.setattr(progress_bar, "_is_installed", installed.__contains__)
    chosen: list[str] = []
    monkeypatch.setattr(progress_bar, "_opener", chosen.append)
    dlx.ProgressBar()
    assert chosen == [kind]


def test_this_is_no_notebook() -> None:
    assert not progress_bar._in_notebook()


def test_another_kind_is_refused() -> None:
    with pytest.raises(dlx.InvalidArgument, match="kind is 'gtk'; it must be one of widgets, tq"):
        dlx.ProgressBar("gtk")  # type: ignore[arg-type]


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_an_unknown_keyword_is_refused_once() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'file'"):
        dlx.ProgressBar(file=None)  # type: ignore[call-arg]
