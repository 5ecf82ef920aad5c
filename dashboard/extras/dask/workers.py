"""Chunks on the Dask cluster that the server's owner names; on this machine where none is named.

The name is a setting of the server, not of a page: judgments go to the cluster's machines, and that
is for the owner to decide.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from analysis.errors import PodiumError
from analysis.extras.dask.cluster import ClusterExecutor, connect

SETTING = "PODIUM_CLUSTER"
"""The environment variable that holds the scheduler's address."""


@dataclass(frozen=True)
class Cluster:
    """The cluster that was asked for, and why it is not used where it is not."""

    address: str
    workers: ClusterExecutor | None
    problem: str = ""

    @property
    def sentence(self) -> str:
        """Say where heavy work is done."""
        if self.workers is None:
            return f"{self.problem} This computer works alone until the server is restarted."
        return f"Long work is done by {self.workers.threads} workers of {self.address}."

    @property
    def threads(self) -> int:
        """How many workers there are."""
        return 0 if self.workers is None else self.workers.threads

    def done(self, function: Callable[..., Any], *args: Any) -> Any:
        """Return what a chunk makes on the cluster."""
        assert self.workers is not None
        return self.workers.submit(function, *args).result()


def connected() -> Cluster | None:
    """Return the cluster that the server's owner names; None if none is named."""
    address = os.environ.get(SETTING, "")
    if not address:
        return None
    try:
        return Cluster(address, ClusterExecutor(connect(address)))
    except PodiumError as error:
        return Cluster(address, None, str(error))
