"""How far a search is, as commands show it: a bar on a terminal, lines elsewhere, or nothing."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from terminals import Terminal

from dlx.cli import display as cli_display
from dlx.cli.display import Display
from dlx.cli.solve import WorkConfig, run_count, run_solve
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


def show(*told: SearchProgress) -> None:
    with Display() as display:
        for progress in told:
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
