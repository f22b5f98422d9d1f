"""The worker's side of an executor: runs tasks in a worker process, here or on another machine.

A task names its engine spec by a fingerprint, the SHA-256 of the pickled spec. A process that does
not have that spec answers `Missing` and gets a later task together with the spec. It caches the
last few specs. So a large problem does not travel with every task.
"""

from __future__ import annotations

import os
import pickle
import platform
import time
from typing import TYPE_CHECKING, Final, NamedTuple

from dlx.core.version import __version__
from dlx.errors import WorkersLost
from dlx.parallel.worker import PartWorker

if TYPE_CHECKING:
    from dlx.core.part import Part
    from dlx.engines.spec import EngineSpec
    from dlx.parallel.results import TaskLimits, WorkResult

__all__ = ["Missing", "Payload", "TaskResult", "pack_spec", "run_task"]

MOST_SPECS: Final = 4  # that a process caches
MOST_WORKERS: Final = 64  # that it keeps ready for each spec


class Payload(NamedTuple):
    """A pickled engine spec, with its fingerprint and the version of the program that made it."""

    fingerprint: str
    version: str
    pickled: bytes


class Missing(NamedTuple):
    """The answer of a process that does not have the engine spec."""

    worker: str


class TaskResult(NamedTuple):
    """The answer of a process that has done its task."""

    worker: str
    result: WorkResult


class _CachedSpec:
    """An engine spec that this process has, and workers that no thread uses at the moment."""

    def __init__(self, spec: EngineSpec) -> None:
        self.spec = spec
        self.workers: list[PartWorker] = []
        self.used = time.monotonic()


_cache: dict[str, _CachedSpec] = {}
"""By fingerprint."""


def pack_spec(spec: EngineSpec) -> Payload:
    """Pickles an engine spec. Raises what pickling it raises."""
    from hashlib import sha256

    pickled = pickle.dumps(spec, protocol=5)
    return Payload(sha256(pickled).hexdigest(), __version__, pickled)


def run_task(
    fingerprint: str, payload: Payload | None, part: Part, limits: TaskLimits, task: str = ""
) -> Missing | TaskResult:
    """Works on a part of the search whose engine spec has this fingerprint. Runs in a worker.

    `task` is a name that no other task has. It keeps apart calls with otherwise equal arguments,
    which some executors, such as Dask's, take for one call with one result.
    """
    name = name_of_worker()
    cached = _lookup(fingerprint, payload)
    if cached is None:
        return Missing(name)
    try:
        worker = cached.workers.pop()
    except IndexError:  # all of them are at work in other threads
        worker = PartWorker(cached.spec.open)
    result = worker.run(part, limits)
    if len(cached.workers) < MOST_WORKERS:
        cached.workers.append(worker)
    return TaskResult(name, result)


def _lookup(fingerprint: str, payload: Payload | None) -> _CachedSpec | None:
    """The spec that this process has cached, or caches now; None if it has neither.

    Several threads may call this. Each step is a single call of C and there is no lock, because
    another thread might hold the lock when this process is forked.
    """
    cached = _cache.get(fingerprint)
    if cached is None:
        if payload is None:
            return None
        cached = _cache.setdefault(fingerprint, _CachedSpec(_unpack(payload)))
    cached.used = time.monotonic()
    while len(_cache) > MOST_SPECS:
        oldest = min(list(_cache.items()), key=lambda pair: pair[1].used)[0]
        _cache.pop(oldest, None)
    return cached


def name_of_worker() -> str:
    """The host and process id: a name that no other process anywhere has."""
    return f"{platform.node()}:{os.getpid()}"


def _unpack(payload: Payload) -> EngineSpec:
    if payload.version != __version__:
        raise WorkersLost(
            f"the worker {name_of_worker()} has dlxkit {__version__}, and the search comes from "
            f"{payload.version}; install the same version everywhere"
        )
    spec: EngineSpec = pickle.loads(payload.pickled)
    return spec
