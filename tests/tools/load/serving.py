"""A dashboard of its own on a free port of this machine, and what memory it holds."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
START_PATIENCE = 300
"""Seconds that the server may take to answer."""


@dataclass(frozen=True)
class Server:
    """A running server: where it answers and which process it is."""

    address: str
    pid: int
    project: Path

    def memory(self) -> tuple[float, float]:
        """Return the memory that the server holds, and the most that it held, in MB."""
        status = Path(f"/proc/{self.pid}/status")
        if not status.exists():
            return float("nan"), float("nan")
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        resident, peak = (int(lines[key].split()[0]) / 1024 for key in ("VmRSS", "VmHWM"))
        return resident, peak

    def processor_seconds(self) -> float:
        """Return the processor time that the server has used, which no neighbor lengthens much."""
        stat = Path(f"/proc/{self.pid}/stat")
        if not stat.exists():
            return float("nan")
        used = stat.read_text().rpartition(")")[2].split()[11:13]
        return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")

    def settled_memory(self, seconds: float) -> float:
        """Return the memory after some seconds, in which closed sessions are forgotten."""
        time.sleep(seconds)
        return self.memory()[0]


@contextlib.contextmanager
def serve(
    project: Path,
    folder: Path,
    *,
    session_seconds: int = 120,
    through: Callable[[str], list[str]] = lambda line: [sys.executable, *shlex.split(line)],
) -> Iterator[Server]:
    """Serve a project's dashboard; its home and its log are in a folder; stop it in the end.

    ``session_seconds`` is how long Streamlit keeps a closed session for its browser to come back;
    ``through`` makes the command of what Python is to run.
    """
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    line = "-m streamlit run dashboard/app.py --server.address localhost --server.headless true"
    line += f" --server.port {port} --server.disconnectedSessionTTL {session_seconds}"
    address, log = f"http://localhost:{port}", folder / "server.log"
    with log.open("wb") as written:
        process = subprocess.Popen(
            through(line),
            cwd=project,
            env={**os.environ, "HOME": str(folder)},
            stdout=written,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        _wait_for_health(address, process, log)
        yield Server(address, process.pid, project)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def noise(log: str) -> list[str]:
    """Return the lines of a server's log that it has no reason for: all but its first words."""
    known = r"^$|You can now view|URL: http|server started|Stopping|for better performance"
    return [line for line in log.splitlines() if not re.search(known, line)]


def _wait_for_health(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(START_PATIENCE * 10):
        if process.poll() is not None:
            break
        with contextlib.suppress(urllib.error.URLError, TimeoutError, ConnectionError):
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
            return
        time.sleep(0.1)
    raise RuntimeError(f"the dashboard did not start:\n{log.read_text(errors='replace')[-3000:]}")
