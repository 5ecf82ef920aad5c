"""What commands gain: ``--cluster``, the workers of a Dask cluster."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator
from concurrent.futures import Executor

from analysis.extras.dask.cluster import cluster


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare ``--dask``."""
    parser.add_argument(
        "--dask", metavar="ADDRESS", help="use the workers of the Dask scheduler at this address"
    )
    parser.add_argument("--cluster", dest="dask", default=argparse.SUPPRESS, help=argparse.SUPPRESS)


@contextlib.contextmanager
def executor(options: argparse.Namespace) -> Iterator[Executor | None]:
    """Give the executor of the cluster that the user names; None where none is named."""
    if options.dask is None:
        yield None
        return
    with cluster(options.dask) as workers:
        yield workers
