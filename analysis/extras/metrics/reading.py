"""Scores of metrics from a table, or from the tree of files that mt-metrics-eval keeps.

| content | what it is |
|---|---|
| columns metric, system, score; optional segment | a row a score |
| a column system, optional segment, numbers in the others | a column a metric |
| ZIP or TAR with ``metric-scores/PAIR/NAME-REF.sys.score``, ``….seg.score`` | mt-metrics-eval |

In a tree a line holds a system and a score, and the n-th line of a system is segment n.

Scores that automatic metrics gave, by system and, where there are any, by segment.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from analysis.campaign import FloatArray
from analysis.errors import ReadingError
from analysis.formats import budgets, unpacking
from analysis.formats.delimited import read_rows
from analysis.formats.header import read_header
from analysis.formats.rankings import Column, Findings, cleaned, number
from analysis.formats.unpacking import no_other_error, to_utf8, unpack
from analysis.languages import pair_key
from analysis.wording import listed


@dataclass(frozen=True)
class Metric:
    """One metric: ``by_system`` and ``by_segment``, a high score for a good output.

    Where a metric comes by segment alone, a system's score is the mean of its segments'.
    ``reference`` is what the metric compared outputs with, which it cannot judge as a system; empty
    where that is not known or there is none.
    """

    name: str
    by_system: Mapping[str, float] = field(default_factory=dict)
    by_segment: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    reference: str = ""

    def system_score(self, system: str) -> float:
        """Return the metric's score of a system, nan where it has none."""
        if system in self.by_system:
            return self.by_system[system]
        segments = self.by_segment.get(system)
        return float(np.mean(list(segments.values()))) if segments else float("nan")

    def matrix(self, systems: Sequence[str], segments: Sequence[str]) -> FloatArray:
        """Return scores[S, K] in a given order; nan where the metric has none."""
        nothing: Mapping[str, float] = {}
        columns = [self.by_segment.get(system, nothing) for system in systems]
        return np.array(
            [[column.get(segment, np.nan) for column in columns] for segment in segments]
        ).reshape(len(segments), len(systems))


MEANING = (
    "A table with a column of systems and one column per metric, or with the columns metric, "
    "system and score; a column segment gives scores of segments. Or a tree of mt-metrics-eval "
    "as ZIP or TAR."
)
"""What the file may be."""

REMEDY = "Give a table (CSV or TSV, also gzipped) with a column system, or a tree as ZIP or TAR."

SYSTEM = ("system", "sys", "system_id", "system-name", "system_name")
SEGMENT = ("segment", "seg", "seg_id", "segment_id", "segid", "item", "id")
METRIC = ("metric", "metric_name", "scorer")
SCORE = ("score", "value", "metric_score")


_IN_TREE = re.compile(
    r"(?:.*/)?metric-scores/(?P<pair>[^/]+)/(?P<metric>[^/]+)\.(?P<level>sys|seg)\.score"
)
_REFERENCE = re.compile(r".+-(src|ref\w*|all|synthetic_ref)")


@dataclass(frozen=True)
class MetricFile:
    """The metrics of a file, and what is to be known of how they were read."""

    metrics: tuple[Metric, ...]
    notes: tuple[str, ...] = ()


def read_metrics(
    name: str, data: bytes, pair: str = "", low_is_good: Sequence[str] = ()
) -> MetricFile:
    """Read the scores of metrics; of a tree those of one language pair.

    ``low_is_good`` names metrics that count errors.
    """
    where = name or "This file"
    with no_other_error(where, REMEDY):
        found = _tree(where, data, pair) if _is_tree(where, data) else _table(where, data)
    unknown = set(low_is_good) - {metric.name for metric in found.metrics}
    if unknown:
        raise ReadingError(
            where,
            f"it has no metric {listed(sorted(unknown))}",
            f"It has {listed([metric.name for metric in found.metrics], most=12)}.",
        )
    turned = [_turned(metric) if metric.name in low_is_good else metric for metric in found.metrics]
    return replace(found, metrics=tuple(turned))


def _turned(metric: Metric) -> Metric:
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
        values = {"": table[score].numbers()}
        metric_of_row = _texts(table[metric])
        names = list(dict.fromkeys(metric_of_row.tolist()))
    else:
        columns = {
            name.strip(): table[key].numbers()
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
        raise ReadingError(where, "no column contains scores of a metric", REMEDY)
    return MetricFile(tuple(metrics), tuple(reason.sentence() for reason in findings.left_out))


def _metric(
    name: str,
    systems: np.ndarray,
    segments: np.ndarray | None,
    column: FloatArray,
    used: np.ndarray,
) -> Metric:
    """Put a column's rows together; of a cell that comes twice the last row counts."""
    if segments is None:
        by_system = dict(zip(systems[used], column[used].tolist(), strict=True))
        return Metric(name, by_system=by_system)
    by_segment: dict[str, dict[str, float]] = defaultdict(dict)
    for system, segment, score in zip(
        systems[used], segments[used], column[used].tolist(), strict=True
    ):
        by_segment[system][segment] = score
    return Metric(name, by_segment=dict(by_segment))


def _texts(column: Column) -> np.ndarray:
    return np.array([*column.names, ""], dtype=object)[column.codes]


# --- trees --------------------------------------------------------------------------------------


def _is_tree(where: str, data: bytes) -> bool:
    plain = unpack(data, where, budgets.max_bytes(), archives=True)
    return unpacking.is_zip(plain) or unpacking.is_tar(plain)


def _tree(where: str, data: bytes, pair: str) -> MetricFile:
    limit = budgets.max_bytes()
    plain = unpack(data, where, limit, archives=True)
    files = unpacking.contents(plain, where, (".sys.score", ".seg.score"), limit)
    found = {name: match for name in files if (match := _IN_TREE.fullmatch(name))}
    pairs = list(dict.fromkeys(match["pair"] for match in found.values()))
    if not pairs:
        raise ReadingError(where, "it contains no metric-scores/PAIR/NAME.sys.score", REMEDY)
    wanted = [name for name in pairs if pair and pair_key(name) == pair_key(pair)]
    if not wanted and (pair or len(pairs) > 1):
        raise ReadingError(
            where,
            f"it has no scores of {pair}" if pair else "it has several language pairs",
            f"Give one of {listed(pairs)}.",
        )
    chosen = (wanted or pairs)[0]
    metrics: dict[str, Metric] = {}
    for path in sorted(found):
        match = found[path]
        if match["pair"] != chosen:
            continue
        name = match["metric"]
        reference = _REFERENCE.fullmatch(name)
        metric = metrics.get(name, Metric(name, reference=reference[1] if reference else ""))
        text = to_utf8(files[path], f"{where}, {path}", Findings(file=where)).decode()
        scores = _by_system(text)
        if match["level"] == "sys":
            metrics[name] = replace(
                metric, by_system={s: next(iter(rows.values())) for s, rows in scores.items()}
            )
        else:
            metrics[name] = replace(metric, by_segment=scores)
    return MetricFile(tuple(metrics.values()))


def _by_system(text: str) -> dict[str, dict[str, float]]:
    """Return each system's scores by the number of its line; None and the like are left out."""
    n_lines: dict[str, int] = defaultdict(int)
    scores: dict[str, dict[str, float]] = defaultdict(dict)
    for line in text.splitlines():
        system, _, score = line.strip().rpartition("\t")
        if not system:
            continue
        n_lines[cleaned(system)] += 1
        if not np.isnan(value := number(score)):
            scores[cleaned(system)][str(n_lines[cleaned(system)])] = value
    return {system: rows for system, rows in scores.items() if rows}
