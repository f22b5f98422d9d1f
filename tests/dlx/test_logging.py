"""The messages of long searches to the logger `dlx`; without logging there are none."""

from __future__ import annotations

import logging
import sys
from functools import partial
from pathlib import Path

import pytest
from commands import run_python

import dlx
from dlx.core import logs
from dlx.core.logs import EndLogger, LazyLogger
from dlx.models import dominoes, pentominoes, queens
from dlx.parallel.driver import Driver

UNHEARD = """
import logging, dlx
from dlx.core import logs
from dlx.models import queens
logs.LONG = 0.0
assert queens(8).count(engine="bits") == 92
print(logging.getLogger("dlx").handlers, logging.getLogger("dlx").level, logging.root.handlers)
"""


@pytest.fixture(autouse=True)
def listening(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="dlx")


def reported(caplog: pytest.LogCaptureFixture, level: int = logging.DEBUG) -> list[str]:
    """What was said since it was last asked for."""
    records = [record for record in caplog.records if record.levelno >= level]
    assert {record.name for record in records} <= {"dlx"}
    texts = [record.getMessage() for record in records]
    caplog.clear()
    return texts


def test_nothing_is_set_up_for_others() -> None:
    done = run_python(UNHEARD, check=True)
    assert (done.stdout, done.stderr) == ("[<NullHandler (NOTSET)>] 0 []\n", "")


def test_no_messages_without_logging(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "logging")
    logger = LazyLogger("never_imported")
    logger.info("anything %d", 1)
    assert not logger.is_enabled()
    assert "logging" not in sys.modules


@pytest.mark.parametrize("engine", ["auto", "bits", "links", "python"])
def test_a_search_begins_and_ends(engine: str, caplog: pytest.LogCaptureFixture) -> None:
    problem = queens(5)
    what = f"solutions of {problem!r} with engine {engine!r}"
    search = problem.solutions(engine=engine)
    assert len(list(search)) == 10
    first, last = reported(caplog)
    assert first == f"{what}: begins"
    assert last.startswith(f"{what}: exhausted; {search.stats.nodes} nodes, 10 solutions, ")
    search = problem.solutions(engine=engine, limit=3)
    assert list(search)
    assert ": limit; " in reported(caplog)[-1]
    list(search.resume(node_limit=2))
    assert ": node_limit; " in reported(caplog)[-1]
    search.resume()
    next(search)
    search.close()
    assert ": close; " in reported(caplog)[-1]
    search.close()
    assert reported(caplog) == []


def test_questions_end_once(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(Driver.__init__.__kwdefaults__, "alone", float("inf"))  # no worker joins in
    problem = queens(5)
    for ask, why in (
        (problem.solve, "answered"),
        (problem.is_unique, "limit"),
        (lambda: problem.count(engine="bits"), "exhausted"),
        (lambda: problem.count(engine="bits", workers=2), "exhausted"),
    ):
        ask()
        begun, ended = reported(caplog)
        assert begun.endswith(": begins")
        assert f": {why}; " in ended


def test_what_was_raised_is_said(caplog: pytest.LogCaptureFixture) -> None:
    def stop(progress: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        queens(5).count(engine="bits", progress=stop)
    assert ": KeyboardInterrupt; " in reported(caplog)[-1]


def test_what_takes_long_is_said_at_info(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.INFO, logger="dlx")
    assert queens(5).count(engine="bits") == queens(5).count() == 10
    assert reported(caplog) == []
    monkeypatch.setattr(logs, "LONG", 0.0)
    assert queens(5).count(engine="bits") == queens(5).count() == 10
    listed, remembered = reported(caplog, logging.INFO)
    assert ": exhausted; " in listed
    assert remembered.startswith("count that may use a cache: exhausted at part ")


@pytest.mark.parametrize("engine", ["auto", "bits"])
@pytest.mark.lengthy
def test_who_answers_in_slices_does_not_say_so_each_time(
    engine: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = pentominoes(5, 12)
    count = partial(problem.count, engine=engine, timeout=1e-6)
    monkeypatch.setattr(logs, "LONG", float("inf"))
    slices, found = 0, 0
    while not found:
        try:
            found = count()
        except dlx.SearchInterrupted as error:
            slices += 1
            count = partial(error.resume, timeout=1e-6 if slices < 50 else None)
    assert (found, slices) == (4040, 50)
    ends = [line for line in reported(caplog) if " nodes, " in line]
    assert [": timeout" in line for line in ends] == [True, False]
    assert ": exhausted" in ends[-1]


def test_once_a_second_is_not_too_often(caplog: pytest.LogCaptureFixture) -> None:
    ending = EndLogger()
    for tenths in range(31):
        ending.log("timeout", tenths / 10, "%d", tenths)
    ending.log("timeout", 3.1, "no")
    ending.log("exhausted", 3.2, "yes")
    assert reported(caplog) == ["0", "10", "20", "30", "yes"]


def test_a_count_of_many_digits(caplog: pytest.LogCaptureFixture) -> None:
    """Its number would be too long for a line, and for Python: it is not said."""
    assert dominoes(8, 8).count() == 12988816
    lines = reported(caplog)
    assert len(lines) == 2
    assert "12988816" not in lines[1]


def test_a_journal(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    problem, journal = pentominoes(6, 10), tmp_path / "run.db"
    with pytest.raises(dlx.SearchInterrupted) as stop:
        problem.count(checkpoint=journal, node_limit=100_000)
    lines = [line for line in reported(caplog) if line.startswith(f"journal {journal}: ")]
    assert lines[1].endswith(": run 1 begins, with 1 parts left and 0 solutions found")
    assert any(": committed, " in line for line in lines)
    assert lines[-1].endswith(f" parts left and {stop.value.count} solutions found")
    with problem.solutions(checkpoint=tmp_path / "other.db") as search:
        next(search)
    assert reported(caplog)[-1].startswith(f"journal {tmp_path / 'other.db'}: closed, with ")


@pytest.mark.lengthy
def test_workers(caplog: pytest.LogCaptureFixture) -> None:
    assert pentominoes(6, 10).count(engine="bits", workers=2) == 9356
    lines = "\n".join(reported(caplog, logging.INFO))
    assert "a search continues with 2 threads" in lines


def test_many_sets(caplog: pytest.LogCaptureFixture) -> None:
    problem = queens(5)
    answers = problem.solve_many([[], [], []])
    assert len(list(answers)) == 3
    assert next(answers, None) is None
    [line] = reported(caplog)
    assert line.startswith("sets of givens: exhausted after 3; ")
    with problem.count_many([[]] * 1000) as counts:
        next(counts)
    assert reported(caplog)[-1].startswith("sets of givens: close after ")
