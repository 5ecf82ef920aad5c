"""Scores of metrics from a table, or from the tree of files that mt-metrics-eval keeps.

| content | what it is |
|---|---|
| columns metric, system, score; optional segment | a row a score |
| a column system, optional segment, numbers in the others | a column a metric |
| ZIP or TAR with ``metric-scores/PAIR/NAME-REF.sys.score``, ``….seg.score`` | mt-metrics-eval |

In a tree a line holds a system and a score, and the n-th line of a system is segment n.
"""

from __future__ import annotations

import io
import lzma
import re
import struct
import tarfile
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.campaign import FloatArray
from analysis.errors import PodiumError, ReadingError
from analysis.formats import budgets
from analysis.formats.delimited import read_header, read_rows
from analysis.formats.guard import no_other_error
from analysis.formats.rankings import Column, Findings, number
from analysis.formats.unpacking import to_utf8, unpack
from analysis.languages import pair_key
from analysis.metrics.metric_scores import MetricScores
from analysis.wording import listed

MEANING = (
    "A table with a column of systems and a column for each metric, or columns metric, system and "
    "score; a column segment gives scores of segments. Or a tree of mt-metrics-eval as ZIP or TAR."
)
"""What the file may be."""

REMEDY = "Give a table (CSV or TSV, also gzipped) with a column system, or a tree as ZIP or TAR."

SYSTEM = ("system", "sys", "system_id", "system-name", "system_name")
SEGMENT = ("segment", "seg", "seg_id", "segment_id", "segid", "item", "id")
METRIC = ("metric", "metric_name", "scorer")
SCORE = ("score", "value", "metric_score")

_IN_TREE = re.compile(
    r"(?:^|/)metric-scores/(?P<pair>[^/]+)/(?P<name>[^/]+)\.(?P<level>sys|seg)\.score$"
)
MOST_MEMBERS = 5000
"""Files in a tree."""

_DAMAGED = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, struct.error),
    *(OSError, EOFError, ValueError, NotImplementedError, RuntimeError, OverflowError),
    *(IndexError, KeyError),
)
"""What Python's readers of archives raise at damaged ones."""


@dataclass(frozen=True)
class MetricFile:
    """The metrics of a file, and what is to be known of how they were read."""

    metrics: tuple[MetricScores, ...]
    notes: tuple[str, ...] = ()


def read_metrics(
    name: str, data: bytes, pair: str = "", low_is_good: Sequence[str] = ()
) -> MetricFile:
    """Read the scores of metrics; of a tree those of one language pair.

    ``low_is_good`` names metrics that count errors.
    """
    where = name or "This file"
    with no_other_error(where, REMEDY):
        found = _tree(where, data, pair) if _is_archive(data) else _table(where, data)
    unknown = set(low_is_good) - {metric.name for metric in found.metrics}
    if unknown:
        raise ReadingError(
            where,
            f"it has no metric {listed(sorted(unknown))}",
            f"It has {listed([metric.name for metric in found.metrics], most=12)}.",
        )
    turned = [_turned(metric) if metric.name in low_is_good else metric for metric in found.metrics]
    return replace(found, metrics=tuple(turned))


def _turned(metric: MetricScores) -> MetricScores:
    return replace(
        metric,
        by_system={system: -score for system, score in metric.by_system.items()},
        by_segment={
            system: {segment: -score for segment, score in scores.items()}
            for system, scores in metric.by_segment.items()
        },
    )


# --- tables -------------------------------------------------------------------------------------


def _table(where: str, data: bytes) -> MetricFile:
    findings = Findings(file=where)
    text = to_utf8(unpack(data, where, budgets.max_bytes()), where, findings)
    header = read_header(text, where)
    table = read_rows(text, header, header.keys, where, findings)
    keys = [key.strip().casefold() for key in table.header]
    system, segment, metric, score = (
        next((key for key in names if key in keys), "")
        for names in (SYSTEM, SEGMENT, METRIC, SCORE)
    )
    if not system:
        raise ReadingError(
            where, f"no column names the system; it has {listed(list(table.header))}", REMEDY
        )
    if metric and score:
        values = {"": _numbers(table[score])}
        metric_of_row = _texts(table[metric])
        names = list(dict.fromkeys(metric_of_row.tolist()))
    else:
        columns = {
            name.strip(): _numbers(table[key])
            for key, name in zip(keys, table.header, strict=True)
            if key and key not in (system, segment)
        }
        values = {name: column for name, column in columns.items() if not np.isnan(column).all()}
        names, metric_of_row = list(values), None
    budgets.check_systems(len(names), where, "the table", "one table of metrics")
    systems = _texts(table[system])
    segments = _texts(table[segment]) if segment else None
    metrics = []
    for name in names:
        column = values["" if metric_of_row is not None else name]
        used = ~np.isnan(column)
        if metric_of_row is not None:
            used &= metric_of_row == name
        metrics.append(_metric(str(name), systems, segments, column, used))
    metrics = [metric for metric in metrics if metric.by_system or metric.by_segment]
    if not metrics:
        raise ReadingError(where, "no column holds scores of a metric", REMEDY)
    return MetricFile(tuple(metrics), tuple(reason.sentence() for reason in findings.left_out))


def _metric(
    name: str,
    systems: np.ndarray,
    segments: np.ndarray | None,
    column: FloatArray,
    used: np.ndarray,
) -> MetricScores:
    """Put a column's rows together; of a cell that comes twice the last row counts."""
    if segments is None:
        by_system = dict(zip(systems[used], column[used].tolist(), strict=True))
        return MetricScores(name, by_system=by_system)
    by_segment: dict[str, dict[str, float]] = defaultdict(dict)
    for system, segment, score in zip(
        systems[used], segments[used], column[used].tolist(), strict=True
    ):
        by_segment[system][segment] = score
    return MetricScores(name, by_segment=dict(by_segment))


def _numbers(column: Column) -> FloatArray:
    of_name = np.array([number(name) for name in column.names] or [np.nan])
    return of_name[column.codes] if len(column) else np.zeros(0)


def _texts(column: Column) -> np.ndarray:
    return np.array([*column.names, ""], dtype=object)[column.codes]


# --- trees --------------------------------------------------------------------------------------


def _is_archive(data: bytes) -> bool:
    return zipfile.is_zipfile(io.BytesIO(data)) or _is_tar(data)


def _is_tar(data: bytes) -> bool:
    try:
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            return archive.next() is not None
    except _DAMAGED:
        return False


def _files(where: str, data: bytes) -> dict[str, bytes]:
    """Return the files of an archive that hold scores of metrics."""
    try:
        return dict(_members(where, data))
    except PodiumError:
        raise
    except _DAMAGED as error:
        told = (str(error).splitlines() or [""])[0][:80]
        raise ReadingError(
            where, f"the archive is damaged ({told})", "Download or pack it again."
        ) from None


def _members(where: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """Go through the files of an archive, as many bytes as a file may have at most."""
    limit, total = budgets.max_bytes(), 0
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for count, member in enumerate(archive.infolist()):
                _check_members(count, where)
                if _IN_TREE.search(member.filename):
                    total += member.file_size
                    budgets.check_bytes(total, limit, where, "unpacked it")
                    yield member.filename, archive.read(member)
        return
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for count, entry in enumerate(archive):
            _check_members(count, where)
            total += entry.size
            budgets.check_bytes(total, limit, where, "unpacked it")
            if entry.isfile() and _IN_TREE.search(entry.name):
                file = archive.extractfile(entry)
                yield entry.name, file.read() if file else b""


def _check_members(count: int, where: str) -> None:
    if count > MOST_MEMBERS:
        raise ReadingError(
            where, f"it holds more than {MOST_MEMBERS} files", "Pack one language pair alone."
        )


def _tree(where: str, data: bytes, pair: str) -> MetricFile:
    files = _files(where, data)
    found = {name: match for name in files if (match := _IN_TREE.search(name))}
    pairs = list(dict.fromkeys(match["pair"] for match in found.values()))
    if not pairs:
        raise ReadingError(where, "it holds no metric-scores/PAIR/NAME.sys.score", REMEDY)
    wanted = [name for name in pairs if pair and pair_key(name) == pair_key(pair)]
    if not wanted and (pair or len(pairs) > 1):
        raise ReadingError(
            where,
            f"it has no scores of {pair}" if pair else "it has several language pairs",
            f"Give one of {listed(pairs)}.",
        )
    chosen = (wanted or pairs)[0]
    metrics: dict[str, MetricScores] = {}
    for name in sorted(found):
        match = found[name]
        if match["pair"] != chosen:
            continue
        title, _, reference = match["name"].rpartition("-")
        before = metrics.get(
            match["name"], MetricScores(match["name"], reference=reference if title else "")
        )
        rows = list(_lines(files[name]))
        if match["level"] == "sys":
            metrics[match["name"]] = replace(before, by_system=dict(rows))
            continue
        by_segment: dict[str, dict[str, float]] = defaultdict(dict)
        seen: dict[str, int] = defaultdict(int)
        for system, score in rows:
            seen[system] += 1
            if not np.isnan(score):
                by_segment[system][str(seen[system])] = score
        metrics[match["name"]] = replace(before, by_segment=dict(by_segment))
    return MetricFile(tuple(metrics.values()))


def _lines(content: bytes) -> Iterator[tuple[str, float]]:
    """Read system and score of each line; a score that is no number, such as None, is nan."""
    for line in content.decode("utf-8", "replace").splitlines():
        system, _, score = line.strip().rpartition("\t")
        if system:
            yield system.strip(), number(score.strip())
