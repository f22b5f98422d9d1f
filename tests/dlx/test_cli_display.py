"""How far a search is, as commands show it: a bar on a terminal, lines elsewhere, or nothing."""

from __future__ import annotations

import io
import sys
import threading

import pytest

from dlx import cli_display
from dlx.cli_display import Display, Seen

PARTS = Seen(250_000, 17, parts_done=3, parts=8)


class Look:
    """Sees nothing done at first and then always the same; tells when it was asked often enough."""

    def __init__(self, seen: Seen | None, times: int = 4) -> None:
        self.seen = seen
        self.times = times
        self.left = times
        self.enough = threading.Event()

    def __call__(self) -> Seen | None:
        self.left -= 1
        if self.left <= 0:
            self.enough.set()
        first = self.left == self.times - 1
        return Seen(0, 0) if first and self.seen is not None else self.seen


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DELAY", "REDRAWN", "LOGGED"):
        monkeypatch.setattr(cli_display, name, 0.001)


def shown(look: Look, total: float | None) -> None:
    with Display(look, lambda: total):
        assert look.enough.wait(30)


def test_lines(capsys: pytest.CaptureFixture[str]) -> None:
    shown(Look(PARTS), 1e6)
    out, err = capsys.readouterr()
    assert out == ""
    for line in err.splitlines():
        assert line.startswith("dlx: ")
        assert "25.0% of about 1,000,000 nodes, 3 of 8 parts, " in line
        assert ", 17 solutions" in line
    assert err


def test_lines_of_what_nobody_can_estimate(capsys: pytest.CaptureFixture[str]) -> None:
    shown(Look(Seen(10, 1)), None)
    err = capsys.readouterr().err
    assert " nodes/s, 1 solution\n" in err
    assert "%" not in err
    assert "parts" not in err


def test_nothing_is_seen_yet(capsys: pytest.CaptureFixture[str]) -> None:
    shown(Look(None), 5.0)
    assert capsys.readouterr().err == ""


def test_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    with Display(Look(PARTS), lambda: 1e6, quiet=True) as display:
        display.echo("a solution")
    assert capsys.readouterr() == ("a solution\n", "")


@pytest.mark.parametrize(("total", "percent"), [(1e6, "25.0%"), (None, "?"), (10.0, "99.9%")])
def test_a_bar(total: float | None, percent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    shown(Look(PARTS), total)
    drawn = terminal.getvalue()
    assert percent in drawn
    assert "3 of 8 parts" in drawn
    assert "17 solutions" in drawn
    assert ("left" in drawn) == (total is not None)
    assert drawn.rstrip().endswith("\x1b[2K")  # the line is cleared in the end


def test_solutions_above_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("TERM", "xterm")
    look = Look(PARTS)
    with Display(look, lambda: 1e6) as display:
        assert look.enough.wait(30)
        display.echo("solution 1: [bold]" + 200 * "x")
    assert "solution 1: [bold]" + 200 * "x" in terminal.getvalue()
