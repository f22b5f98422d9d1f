"""SIGHUP: a terminal that is closed, or a connection that is lost, while a command works."""

from __future__ import annotations

import os
import pty
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest
from folders import ROOT, SUPPORT

from dlx.models import dominoes, queens

BEGIN = """
import fcntl, sys, termios
if len(sys.argv) > 1 and sys.argv[1] == "terminal":
    del sys.argv[1]
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # closing it sends SIGHUP
from dlx.cli import display as cli_display
cli_display.DELAY = cli_display.REDRAWN = 0.0
"""
DLX = f"{BEGIN}from dlx.cli.main import main\nsys.exit(main())"
SUDOKU = f"{BEGIN}from sudoku.cli.main import main\nsys.exit(main())"
IGNORE = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
LONG = 120  # seconds, for a machine of any load


@pytest.fixture(scope="module")
def endless(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("hangup") / "dominoes.dlx"
    dominoes(50, 50).dump(path)
    return str(path)


@contextmanager
def on_a_terminal(
    code: str, *words: str, out: int | IO[bytes] | None = None, err: IO[bytes] | None = None
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The process, of a session of its own, and the other end of its terminal."""
    lead, follow = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-P", "-c", code, "terminal", *words],
        stdin=follow,
        stdout=follow if out is None else out,
        stderr=follow if err is None else err,
        start_new_session=True,
        env=os.environ | {"TERM": "xterm-256color"},
    ) as process:
        os.close(follow)
        yield process, lead


def wait_for(lead: int, what: bytes) -> None:
    shown = b""
    while what not in shown:
        shown += os.read(lead, 10_000)


COMMANDS = [
    (DLX, ["solve", "--all"], b"solution"),
    (DLX, ["count", "--engine", "links"], b"nodes/s"),
    (DLX, ["count", "--engine", "links", "--workers", "2"], b"nodes/s"),
    (SUDOKU, ["count", "." * 16, "." * 81], b"288"),  # and now it counts the grids of side 9
    (SUDOKU, ["generate", "-n", "1000000", "--box", "2x2"], b"\n"),
]


@pytest.mark.parametrize(
    ("before", "code", "words", "shown"),
    [
        *(("", *command) for command in COMMANDS),
        *((IGNORE, *command) for command in COMMANDS[:3] + COMMANDS[4:]),
    ],
)
def test_the_terminal_is_closed(
    before: str, code: str, words: list[str], shown: bytes, endless: str
) -> None:
    """Where SIGHUP is ignored, as of nohup, the command ends when it cannot print any more."""
    words = [*words, endless] if code == DLX else words
    with on_a_terminal(f"{before}{code}", *words) as (process, lead):
        wait_for(lead, shown)
        os.close(lead)
        assert process.wait(LONG) == 129


@pytest.mark.parametrize(("code", "words", "shown"), COMMANDS[:1] + COMMANDS[3:])
def test_what_is_said_when_the_terminal_is_closed(
    code: str, words: list[str], shown: bytes, endless: str, tmp_path: Path
) -> None:
    """Standard error is a file, standard output the terminal."""
    words = [*words, endless] if code == DLX else words
    name = "dlx" if code == DLX else "sudoku"
    with (
        open(tmp_path / "err", "wb") as err,
        on_a_terminal(code, *words, err=err) as (process, lead),
    ):
        wait_for(lead, shown)
        os.close(lead)
        assert process.wait(LONG) == 129
    (line,) = (tmp_path / "err").read_text().splitlines()
    assert line.startswith(f"{name}: hung up")


def test_a_journal_is_kept_when_the_terminal_is_closed(endless: str, tmp_path: Path) -> None:
    journal = str(tmp_path / "run.db")
    with (
        open(tmp_path / "err", "wb") as err,
        on_a_terminal(DLX, "solve", "--all", endless, "--checkpoint", journal, err=err) as (
            process,
            lead,
        ),
    ):
        wait_for(lead, b"solution")
        os.close(lead)
        assert process.wait(LONG) == 129
    said = f"dlx: hung up; progress is saved; to continue: dlx resume {journal}\n"
    assert (tmp_path / "err").read_text() == said
    assert not Path(f"{journal}-lock").exists()


def test_sighup_alone(endless: str) -> None:
    """As `kill -HUP` sends it: the streams are still there, what was printed is whole."""
    words = [sys.executable, "-P", "-c", DLX, "solve", "--all", "--json", endless]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b'{"solution": 1,')
        process.send_signal(signal.SIGHUP)
        out, err = process.communicate(timeout=LONG)
    assert (process.returncode, err) == (129, b"dlx: hung up\n")
    assert not out or out.endswith(b"\n")


def test_nohup(tmp_path: Path) -> None:
    """SIGHUP stays ignored if it was."""
    queens(8).dump(tmp_path / "queens.dlx")
    code = f"{IGNORE}{BEGIN}" + (
        "import os\nfrom dlx.cli.main import main\n"
        "class Out:\n"
        "    def __getattr__(self, name): return getattr(stdout, name)\n"
        "    def write(self, text):\n"
        "        os.kill(os.getpid(), signal.SIGHUP)\n"
        "        return stdout.write(text)\n"
        "stdout, sys.stdout = sys.stdout, Out()\n"
        "sys.exit(main())\n"
    )
    words = [sys.executable, "-P", "-c", code, "count", str(tmp_path / "queens.dlx")]
    done = subprocess.run(words, capture_output=True, check=False, timeout=LONG)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"92\n", b"")


@pytest.mark.lengthy
def test_the_worker_of_a_server_that_is_gone_ends_quietly() -> None:
    """Its answer has no reader."""
    words = [sys.executable, "-P", "-m", "sudoku.web.worker"]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(b'{"question": "nothing"}\n')
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(LONG) == 0


# -- the tests themselves ------------------------------------------------------------------------

STARTS_AND_WAITS = """
import subprocess, sys
import orphans
orphans.watch()
child = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); print(1, flush=True); "
words = [sys.executable, "-P", "-c", child + "signal.pause()"]
subprocess.run(words, start_new_session=True)
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="the means of Linux")
def test_what_tests_have_started_ends_with_them() -> None:
    """Even if they are killed."""
    with subprocess.Popen(
        [sys.executable, "-P", "-c", STARTS_AND_WAITS],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(SUPPORT)},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"1\n"
        process.kill()
        assert process.stdout.read() == b""  # to the end: the child has it open


LIMITED = """
import signal, subprocess, sys

def test_that_never_ends():
    assert signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN
    subprocess.run([sys.executable, "-P", "-c", "import signal; signal.pause()"])
"""


@pytest.mark.lengthy
def test_a_test_that_never_ends_is_shown_under_nohup(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(LIMITED)
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    words = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT), "-p", "no:cacheprovider"]
    code = f"{IGNORE}import pytest, sys; sys.exit(pytest.main())"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, *words, "-o", "faulthandler_timeout=1", str(tmp_path)],
        capture_output=True,
        timeout=LONG,
        check=False,
    )
    assert done.returncode == 1
    assert b"Timeout (0:00:01)!" in done.stderr
    assert b"in test_that_never_ends" in done.stderr
