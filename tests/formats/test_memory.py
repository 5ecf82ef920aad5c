"""Reading takes at most six times a file's unpacked size, told by a limit on the process."""

from __future__ import annotations

import gzip
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.formats.large_files import MAKERS, five_way

ROOT = Path(__file__).parents[2]
TIMES = 6
BYTES_A_ROW = 360
"""What a row may take where it is shorter than 60 bytes: a score with its codes, or an order."""

MEGABYTES = 4

_READ = """
import os, resource, sys
from pathlib import Path
import pyarrow
from analysis.formats import read_path

pyarrow.set_cpu_count(2)

def held():
    fields = dict(line.split(":", 1) for line in open("/proc/self/status"))
    return int(fields["VmSize"].split()[0]) * 1024

def read(path):
    size = int(path.with_suffix(".size").read_text())
    resource.setrlimit(resource.RLIMIT_AS, (held() + int(sys.argv[1]) * size,) * 2)
    campaign, _ = read_path(path)
    assert campaign.n_tasks > 1000

# Once, so that loading code counts for no file.
for path in map(Path, sys.argv[2:]):
    read_path(path.with_suffix(".small"))
for path in map(Path, sys.argv[2:]):
    for attempt in range(2):  # how far two threads read ahead of each other is a matter of luck
        child = os.fork()
        if not child:
            code = 1
            try:
                read(path)
                code = 0
            finally:
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if not code:
            break
    print(path.stem, "read" if code == 0 else f"ended with {code}", flush=True)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_reading_takes_at_most_six_times_the_unpacked_file(tmp_path: Path) -> None:
    paths = []
    for name, (make, bytes_a_row) in MAKERS.items():
        n = MEGABYTES * 2**20 // bytes_a_row
        data = make(n)
        size = n * bytes_a_row if name == "arena-parquet" else len(data)
        size = max(size, n * BYTES_A_ROW // TIMES if bytes_a_row < BYTES_A_ROW // TIMES else 0)
        paths.append(_lay_down(tmp_path / f"{name}.whole", data, make(200), size))
    packed = five_way(MEGABYTES * 2**20 // 95)
    path = tmp_path / "packed.whole"
    paths.append(_lay_down(path, gzip.compress(packed, 1), five_way(200), len(packed)))
    ends = _read_within(TIMES, paths)
    assert ends == dict.fromkeys((path.stem for path in paths), "read")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_the_limit_is_one(tmp_path: Path) -> None:
    data = five_way(MEGABYTES * 2**20 // 95)
    path = _lay_down(tmp_path / "wmt-5way.whole", data, five_way(200), len(data))
    assert "read" not in _read_within(1, [path]).values()


def _lay_down(path: Path, data: bytes, small: bytes, size: int) -> Path:
    path.write_bytes(data)
    path.with_suffix(".small").write_bytes(small)
    path.with_suffix(".size").write_text(str(size))
    return path


def _small_stacks() -> None:
    """Let threads reserve a megabyte each: it is not used, and would count."""
    resource.setrlimit(resource.RLIMIT_STACK, (2**20, 2**20))


def _read_within(times: int, paths: list[Path]) -> dict[str, str]:
    """Read files in a process that may grow so many times; return how each ended."""
    done = subprocess.run(
        [sys.executable, "-c", _READ, str(times), *map(str, paths)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        # Pools that reserve a gigabyte in advance would hide what is used.
        env={**os.environ, "MALLOC_ARENA_MAX": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"},
        preexec_fn=_small_stacks,
    )
    assert done.returncode == 0, done.stderr
    found = (line.split(" ", 1) for line in done.stdout.splitlines())
    return dict(found)
