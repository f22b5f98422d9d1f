"""Makes a driver with its workers from the keywords `workers` and `executor`."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from dlx.core.part import Part
from dlx.engines.protocols import Start
from dlx.engines.spec import WHOLE, EngineSpec
from dlx.parallel.driver import Driver
from dlx.parallel.results import Recorder
from dlx.search.options import WorkerConfig

if TYPE_CHECKING:
    from dlx.parallel.pool import WorkerPool
    from dlx.parallel.schedule import Schedule

__all__ = ["open_driver"]


def open_driver(
    spec: EngineSpec,
    config: WorkerConfig,
    *,
    names: list[Hashable] | None,
    part: Part = WHOLE,
    start: Start | None = None,
    recorder: Recorder | None = None,
) -> Driver:
    """Begins a search by several workers: of the whole, of a part, or from a `start`.

    Without a `start`, the search begins in the calling thread.
    """

    def make_pool(schedule: Schedule) -> WorkerPool:
        if config.executor is not None:
            from dlx.parallel.executors import ExecutorPool

            return ExecutorPool(schedule, spec, config.executor, config.workers)
        from dlx.parallel.threads import ThreadPool

        return ThreadPool(schedule, spec.open, config.workers)

    begin = spec.open(part, names) if start is None else start
    return Driver(begin, make_pool, names=names, ordered=config.ordered, recorder=recorder)
