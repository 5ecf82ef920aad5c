"""Chunks on the Dask cluster that the server's owner names; on this machine where none is named.

The name is a setting of the server, not of a page: judgments go to the cluster's machines, and that
is for the owner to decide.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from analysis.cluster import ClusterExecutor, connect
from analysis.errors import PodiumError

SETTING = "PODIUM_CLUSTER"
"""The environment variable that holds the scheduler's address."""


@dataclass(frozen=True)
class Elsewhere:
    """The cluster that was asked for, and why it is not used where it is not."""

    address: str
    workers: ClusterExecutor | None
    problem: str = ""

    @property
    def sentence(self) -> str:
        """Say where heavy work is done."""
        if self.workers is None:
            return f"{self.problem} This machine computes alone until the server starts again."
        return f"Long work is done by {self.workers.threads} workers of {self.address}."


@cache
def elsewhere() -> Elsewhere | None:
    """Return the cluster, asked for once in the life of a server; None where none is named."""
    address = os.environ.get(SETTING, "")
    if not address:
        return None
    try:
        return Elsewhere(address, ClusterExecutor(connect(address)))
    except PodiumError as error:
        return Elsewhere(address, None, str(error))


def workers() -> ClusterExecutor | None:
    """Return the cluster's workers, if there are any."""
    place = elsewhere()
    return place.workers if place is not None else None


def done(function: Callable[..., Any], *args: Any) -> Any:
    """Return what a chunk makes, wherever that is done."""
    those = workers()
    return function(*args) if those is None else those.submit(function, *args).result()
