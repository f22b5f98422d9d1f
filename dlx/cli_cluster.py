"""What `--scheduler` means: a Dask cluster as an executor for the search."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from concurrent.futures import Executor

__all__ = ["cluster"]

LOCAL = "local"
PATIENCE = 10  # seconds to find the scheduler


@contextmanager
def cluster(address: str, workers: int | None) -> Iterator[Executor]:
    """The executor of the cluster at an address; 'local' starts one, with so many workers."""
    try:
        dask: Any = import_module("distributed")  # which has no types
    except ImportError:
        raise click.ClickException("--scheduler needs Dask: pip install distributed") from None
    for name in list(logging.root.manager.loggerDict):
        if name.startswith("distributed"):  # what matters we say ourselves, in one line
            logging.getLogger(name).setLevel(logging.CRITICAL)
    if address == LOCAL:
        with (
            dask.LocalCluster(
                n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
            ) as started,
            dask.Client(started) as client,
        ):
            yield client.get_executor(pure=False)
        return
    if workers is not None:
        raise click.UsageError("--workers is the number of local ones; a scheduler knows its own")
    try:
        client = dask.Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise click.ClickException(f"no scheduler answers at {address}: {error}") from None
    with client:
        yield client.get_executor(pure=False)
