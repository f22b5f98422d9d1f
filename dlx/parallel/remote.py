"""What happens in a worker process, near or far: slices of parts of problems that it has been sent.

A task names its question by a fingerprint, the SHA-256 of what was pickled. A process that does not
have it says so, and gets the task again together with the question, which it then keeps, with the
last few others. So a large problem does not travel with every task.
"""

from __future__ import annotations

import os
import pickle
import time
from importlib.metadata import version
from typing import TYPE_CHECKING, Final, NamedTuple

from dlx.errors import WorkersLost
from dlx.parallel.worker import PartWorker

if TYPE_CHECKING:
    from dlx.core.part import Part
    from dlx.parallel.payload import EngineSpec
    from dlx.parallel.results import WorkBudget, WorkResult

__all__ = ["Missing", "Payload", "TaskResult", "do_slice", "pack_question"]

MOST_QUESTIONS: Final = 4  # that a process keeps
MOST_RUNNERS: Final = 64  # that it keeps ready, of each


class Payload(NamedTuple):
    """A question on its way."""

    fingerprint: str
    version: str
    pickled: bytes


class Missing(NamedTuple):
    """The answer of a process that does not have the question."""

    worker: str


class TaskResult(NamedTuple):
    """The answer of a process that has done a slice."""

    worker: str
    piece: WorkResult


class _Known:
    """A question that this process has, and runners that nobody uses at the moment."""

    def __init__(self, question: EngineSpec) -> None:
        self.question = question
        self.runners: list[PartWorker] = []
        self.used = time.monotonic()


_known: dict[str, _Known] = {}
"""By fingerprint."""


def pack_question(question: EngineSpec) -> Payload:
    """Makes a question ready to be sent. Raises what pickling it raises."""
    from hashlib import sha256

    pickled = pickle.dumps(question, protocol=5)
    return Payload(sha256(pickled).hexdigest(), version("exactcover"), pickled)


def do_slice(
    fingerprint: str, parcel: Payload | None, part: Part, budget: WorkBudget, task: str = ""
) -> Missing | TaskResult:
    """Does a slice of a part of the question of that fingerprint. Runs in a worker.

    `task` is a name that no other task has: equal calls have results of their own, even if the
    executor takes calls with equal arguments for one, as Dask's does.
    """
    worker = name_of_worker()
    known = _recall(fingerprint, parcel)
    if known is None:
        return Missing(worker)
    try:
        runner = known.runners.pop()
    except IndexError:  # all of them are at work in other threads
        runner = PartWorker(known.question.open)
    piece = runner.run(part, budget)
    if len(known.runners) < MOST_RUNNERS:
        known.runners.append(runner)
    return TaskResult(worker, piece)


def _recall(fingerprint: str, parcel: Payload | None) -> _Known | None:
    """What this process has, or gets now. Several threads may ask, each step being one of C: a lock
    might be held in another thread when this process is forked.
    """
    known = _known.get(fingerprint)
    if known is None:
        if parcel is None:
            return None
        known = _known.setdefault(fingerprint, _Known(_unpack(parcel)))
    known.used = time.monotonic()
    while len(_known) > MOST_QUESTIONS:
        oldest = min(list(_known.items()), key=lambda pair: pair[1].used)[0]
        _known.pop(oldest, None)
    return known


def name_of_worker() -> str:
    """The name of this process, unlike that of any other anywhere."""
    return f"{os.uname().nodename}:{os.getpid()}"


def _unpack(parcel: Payload) -> EngineSpec:
    own = version("exactcover")
    if own != parcel.version:
        raise WorkersLost(
            f"the worker {name_of_worker()} has exactcover {own}, and the search comes from "
            f"{parcel.version}; install the same version everywhere"
        )
    question: EngineSpec = pickle.loads(parcel.pickled)
    return question
