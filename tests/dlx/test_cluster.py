"""Searches by a real Dask cluster on this machine, whose processes are killed meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from commands import Run
from internals import pool_of

import dlx
from dlx import models
from dlx.cli.main import main
from dlx.errors import WorkersLost
from dlx.parallel.executors import ExecutorPool, workers_of
from dlx.parallel.schedule import Schedule

pytest.importorskip("distributed")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # its own are its own


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """One of two worker processes, each of which is started again when it dies."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


def executor_pool(search: dlx.Search) -> ExecutorPool:
    pool = pool_of(search)
    assert isinstance(pool, ExecutorPool)
    return pool


def test_a_client_or_its_executor(
    hole: dlx.Problem, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 99)  # of this machine: not what it is about
    executor = client.get_executor()
    assert workers_of(executor) == 2
    expected = list(hole.solutions())
    search = hole.solutions(executor=executor)
    assert list(search) == expected
    assert executor_pool(search).sent <= 4
    search = hole.solutions(executor=client)
    assert list(search) == expected
    assert repr(executor_pool(search)).startswith("2 workers of ")
    assert sorted(hole.solutions(executor=client, ordered=False)) == sorted(expected)
    assert hole.count(executor=client, engine="bits") == 520


def test_workers_that_are_killed_cost_nothing_but_time(hole: dlx.Problem, client: Any) -> None:
    """Both, one after the other, while they are at work."""
    workers = list(client.run(os.getpid).values())
    search = hole.solutions(executor=client, engine="links")
    found = [next(search)]
    for worker in workers:
        os.kill(worker, signal.SIGKILL)
        found += [next(search) for _ in range(100)]
    found += search
    alone = hole.solutions(engine="links")
    assert found == list(alone)
    assert search.stats.nodes == alone.stats.nodes
    assert len(set(client.run(os.getpid).values()) - set(workers)) > 0


def test_a_count_goes_on_when_a_worker_is_killed(
    hole: dlx.Problem, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As soon as the first slice is done, so that the most is left."""
    client.wait_for_workers(2)
    worker = next(iter(client.run(os.getpid).values()))
    done = Schedule.done
    left: list[int] = []

    def kill(schedule: Schedule, *result: Any, wanted: int) -> None:
        done(schedule, *result, wanted=wanted)
        if not left:
            os.kill(worker, signal.SIGKILL)
            left.append(len(schedule.parts))

    monkeypatch.setattr(Schedule, "done", kill)
    assert hole.count(executor=client, engine="links") == 520
    assert left[0] > 0


@pytest.mark.parametrize("killed", [1, 2])
def test_workers_that_are_killed_while_they_start(
    tmp_path: Path, killed: int, capfd: pytest.CaptureFixture[str]
) -> None:
    """One of them, or both; others are started."""
    import psutil

    models.queens(8).dump(tmp_path / "queens.dlx")
    this, victims = psutil.Process(), list[psutil.Process]()
    before = this.children()

    def kill() -> None:
        while len(victims) < killed:
            for child in this.children():
                with suppress(psutil.Error):
                    if child not in before + victims and "spawn_main" in str(child.cmdline()):
                        child.kill()
                        victims.append(child)
                        break

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    words = ["--scheduler", "local", "--workers", "2", "--quiet"]
    assert main(["count", str(tmp_path / "queens.dlx"), *words]) == 0
    thread.join()
    assert len(set(victims)) == killed
    assert capfd.readouterr() == ("92\n", "")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("local", "cannot start local workers: Nanny failed to start"),
        ("tls://127.0.0.1:1", "cannot connect to the scheduler at tls://127.0.0.1:1: TLS"),
        ("", "cannot connect to the scheduler at : missing port"),
    ],
)
def test_a_cluster_that_cannot_be_started_is_one_clear_error(
    tmp_path: Path,
    address: str,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    import distributed

    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("Nanny failed to start")

    monkeypatch.setattr(distributed, "LocalCluster", fail)
    models.queens(8).dump(tmp_path / "queens.dlx")
    assert main(["count", str(tmp_path / "queens.dlx"), "--scheduler", address]) == 2
    output = capfd.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"dlx: {message}")
    assert output.err.count("\n") == 1


def test_an_error_when_the_workers_are_closed_costs_no_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    import distributed

    class Failing(distributed.LocalCluster):  # type: ignore[misc]
        def close(self, timeout: float | None = None) -> None:
            super().close(timeout)
            raise TimeoutError

    monkeypatch.setattr(distributed, "LocalCluster", Failing)
    models.queens(8).dump(tmp_path / "queens.dlx")
    words = ["--scheduler", "local", "--workers", "1", "--quiet"]
    assert run("count", str(tmp_path / "queens.dlx"), *words) == ("92\n", "")


@pytest.fixture
def spawn(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Starts a program of Dask's, which is killed in the end."""
    programs: list[subprocess.Popen[bytes]] = []

    def start(name: str, *options: str) -> subprocess.Popen[bytes]:
        command = [
            sys.executable,
            "-P",
            "-m",
            f"distributed.cli.{name}",
            "--no-dashboard",
            *options,
        ]
        file = ["--scheduler-file", str(tmp_path / "scheduler.json")]
        programs.append(subprocess.Popen([*command, *file], stderr=subprocess.DEVNULL))
        return programs[-1]

    yield start
    for program in programs:
        program.kill()
        program.wait()


def test_a_scheduler_that_is_gone_is_one_clear_error(
    tmp_path: Path, spawn: Callable[..., subprocess.Popen[bytes]]
) -> None:
    import dask
    from distributed import Client

    scheduler = spawn("dask_scheduler", "--host", "127.0.0.1", "--port", "0")
    file = tmp_path / "scheduler.json"  # for which both the others wait
    spawn("dask_worker", "--no-nanny", "--death-timeout", "60")
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "1s"}),
        Client(scheduler_file=str(file)) as client,
    ):
        client.wait_for_workers(1)
        search = models.dominoes(10, 10).solutions(executor=client)
        for _ in range(20_000):
            next(search)
        scheduler.kill()
        with pytest.raises(WorkersLost, match=r"is lost: .* of the search (is|are) left"):
            for _ in search:
                pass
        assert not search.exhausted


def test_the_driver_never_waits_for_a_cluster_when_closed(client: Any) -> None:
    search = models.langford(21).solutions(executor=client, timeout=0.5)
    assert list(search) == []
    assert search.stopped_by == "timeout"
    crew = executor_pool(search)
    search.close()
    assert crew.join(60)
