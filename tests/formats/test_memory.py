"""Reading takes at most six times a file's unpacked size, told by a limit on the process."""

from __future__ import annotations

import gzip
import io
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

ROOT = Path(__file__).parents[2]
TIMES = 6
MEGABYTES = 6

_READ = """
import os, resource, sys
from pathlib import Path
import pyarrow
from analysis.formats import comparisons, read_path, usable, wmt_twoway

pyarrow.set_cpu_count(2)

def held():
    fields = dict(line.split(":", 1) for line in open("/proc/self/status"))
    return int(fields["VmSize"].split()[0]) * 1024

def read(path):
    size = int(path.with_suffix(".size").read_text())
    resource.setrlimit(resource.RLIMIT_AS, (held() + int(sys.argv[1]) * size,) * 2)
    campaign, _ = read_path(path)
    assert campaign.n_tasks > 1000

# Once, so that loading code counts for no file, compiled loops for large ones too.
modules = [usable, comparisons, wmt_twoway]
usual = usable.FEW
for few in (-1, usual):
    for module in modules:
        module.FEW = few
    for path in map(Path, sys.argv[2:]):
        read_path(path.with_suffix(".small"))
for path in map(Path, sys.argv[2:]):
    child = os.fork()
    if not child:
        code = 1
        try:
            read(path)
            code = 0
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(path.stem, "read" if code == 0 else f"ended with {code}", flush=True)
"""


def votes(n: int, text: int = 0) -> list[dict[str, object]]:
    """Return votes as an arena has them, with a text in each where one is asked for."""
    rng = np.random.default_rng(1)
    left = rng.integers(0, 20, n)
    right = (left + rng.integers(1, 20, n)) % 20
    winner = rng.choice(["model_a", "model_b", "tie", "tie (bothbad)"], n)
    return [
        {
            "model_a": f"a-model-{left[k]}",
            "model_b": f"a-model-{right[k]}",
            "winner": str(winner[k]),
            "judge": f"arena_user_{k % 999}",
            "question_id": f"{k:032x}",
            "turn": 1,
            "tstamp": 1682351621.25 + k,
            **({"conversation": [{"role": "user", "content": "x" * text}]} if text else {}),
        }
        for k in range(n)
    ]


def five_way(n: int) -> bytes:
    """Return rankings of five of fourteen systems, a row each."""
    rng = np.random.default_rng(2)
    header = "srclang,trglang,srcIndex,documentId,segmentId,judgeId,"
    header += ",".join(f"system{k}Number,system{k}Id" for k in range(1, 6)) + ","
    rows = [header + ",".join(f"system{k}rank" for k in range(1, 6))]
    shown, ranks = rng.permuted(np.tile(range(14), (n, 1)), axis=1), rng.integers(1, 6, (n, 5))
    for k in range(n):
        systems = ",".join(f"{s},system-{s:02}" for s in shown[k, :5])
        places = ",".join(map(str, ranks[k]))
        rows.append(f"fra,eng,{k % 3000},-1,{k % 3000},judge{k % 40},{systems},{places}")
    return "\n".join([*rows, ""]).encode()


def two_way(n: int) -> bytes:
    """Return the pairs of such rankings, a row each."""
    rng = np.random.default_rng(3)
    rows = ["srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,"]
    rows[0] += "system2rank,rankingID"
    for k in range(n // 10):
        shown, ranks = rng.permutation(14)[:5], rng.integers(1, 6, 5)
        for i in range(5):
            for j in range(i + 1, 5):
                pair = f"system-{shown[i]},{ranks[i]},system-{shown[j]},{ranks[j]}"
                rows.append(f"fra,eng,{k % 3000},{k % 3000},judge{k % 40},{pair},{k}")
    return "\n".join([*rows, ""]).encode()


def appraise(n: int) -> bytes:
    """Return such rankings as Appraise exports them."""
    rng = np.random.default_rng(4)
    hits = []
    for k in range(n):
        shown, ranks = rng.permutation(14)[:5], rng.integers(1, 6, 5)
        outputs = "".join(
            f'<translation rank="{rank}" system="system-{s}"/>'
            for s, rank in zip(shown, ranks, strict=True)
        )
        hits.append(
            f'<HIT block-id="{k}" source-language="fra" target-language="eng">'
            f'<ranking-task id="{k % 3000}"><ranking-result duration="00:00:12.5" '
            f'user="user{k % 30}">{outputs}</ranking-result></ranking-task></HIT>'
        )
    return f"<appraise-results>{''.join(hits)}</appraise-results>".encode()


def parquet(n: int) -> bytes:
    """Return votes as Parquet."""
    file = io.BytesIO()
    pd.DataFrame(votes(n)).to_parquet(file, index=False)
    return file.getvalue()


def mixed_lines(n: int) -> bytes:
    """Return votes a line, one of which names its judge by a number."""
    found = votes(n)
    found[n // 2]["judge"] = 7
    return "\n".join(map(json.dumps, found)).encode()


MAKERS: dict[str, tuple[Callable[[int], bytes], int]] = {
    "wmt-5way": (five_way, 95),
    "wmt-2way": (two_way, 53),
    "appraise": (appraise, 430),
    "arena-csv": (lambda n: pd.DataFrame(votes(n)).to_csv(index=False).encode(), 108),
    "arena-list": (lambda n: json.dumps(votes(n)).encode(), 190),
    "arena-indented": (lambda n: json.dumps(votes(n), indent=2).encode(), 230),
    "arena-columns": (lambda n: pd.DataFrame(votes(n)).to_json().encode(), 170),
    "arena-lines": (lambda n: "\n".join(map(json.dumps, votes(n))).encode(), 190),
    "arena-mixed-lines": (mixed_lines, 190),
    "arena-texts": (lambda n: "\n".join(map(json.dumps, votes(n, 1000))).encode(), 1220),
    "arena-parquet": (parquet, 108),
}
"""Makers of files, with the bytes that a row takes about; Parquet's those of the same as CSV."""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_reading_takes_at_most_six_times_the_unpacked_file(tmp_path: Path) -> None:
    paths = []
    for name, (make, bytes_a_row) in MAKERS.items():
        n = MEGABYTES * 2**20 // bytes_a_row
        data = make(n)
        size = n * bytes_a_row if name == "arena-parquet" else len(data)
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
