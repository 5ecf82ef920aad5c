"""A scheduler on the loopback, and workers that are started and killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def start(*words: str, folder: Path = ROOT) -> subprocess.Popen[bytes]:
    """Start a part of the cluster as its user does, in Podium's folder."""
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + words[0], *words[1:], "--no-dashboard"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "PYTHONWARNINGS": ""},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


class OwnCluster:
    """A scheduler on the loopback, and workers that a test starts and kills."""

    def __init__(self) -> None:
        port = free_port()
        self.address = f"tcp://127.0.0.1:{port}"
        self._scheduler = start("dask_scheduler", "--host", "127.0.0.1", "--port", str(port))
        self.workers: list[subprocess.Popen[bytes]] = []
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)

    def add_worker(self, folder: Path = ROOT) -> None:
        words = ("dask_worker", self.address, "--host", "127.0.0.1", "--nthreads", "1")
        self.workers.append(start(*words, folder=folder))

    def kill_worker(self) -> None:
        """End a worker and its nanny as a machine does that loses its power."""
        killed = self.workers.pop(0)
        os.killpg(killed.pid, signal.SIGKILL)
        killed.wait()

    def processor_seconds(self) -> float:
        """Return what the workers and their nannies have used."""
        groups = {worker.pid for worker in self.workers}
        ticks = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                fields = stat.read_text().rpartition(")")[2].split()
                ticks += sum(map(int, fields[11:13])) if int(fields[2]) in groups else 0
        return ticks / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        for process in (*self.workers, self._scheduler):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def own_cluster(workers: int) -> Iterator[OwnCluster]:
    found = OwnCluster()
    try:
        for _ in range(workers):
            found.add_worker()
        yield found
    finally:
        found.stop()
