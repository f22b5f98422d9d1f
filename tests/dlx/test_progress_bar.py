"""`dlx.ProgressBar`: what a running search shows in terminals, files and notebooks."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest
from terminals import Terminal

import dlx
from dlx.drawing import progress_bar
from dlx.drawing.progress_bar import BAR
from dlx.models import queens
from dlx.search.progress import SearchProgress

HALF = SearchProgress(251_000, 17, 0.2, 0.5, 0.2)
UNKNOWN = SearchProgress(251_000, 1, 0.2, None, None)
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
