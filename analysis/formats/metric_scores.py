"""Scores that metrics gave to systems and segments, as trees of mt-metrics-eval hold them.

Metrics are no judges: their scores stand beside those of people, who rank the systems.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from analysis.campaign import FloatArray
from analysis.errors import ReadingError
from analysis.formats import archive, budgets
from analysis.formats.rankings import Findings, cleaned, number
from analysis.formats.unpacking import to_utf8, unpack

_PATH = re.compile(
    r"(?:.*/)?metric-scores/(?P<pair>[^/]+)/(?P<metric>[^/]+)\.(?P<level>sys|seg)\.score"
)
_REFERENCE = re.compile(r"(?P<name>.+)-(?P<reference>src|ref\w*|all|synthetic_ref)")


@dataclass(frozen=True, eq=False)
class MetricScores:
    """The metrics' scores of one language pair; what a metric did not score is nan.

    ``system`` holds a row a metric and a column a system, ``segment`` the segments in a third
    dimension (none where the tree has systems' scores only). Higher is better, as the trees
    promise. ``reference`` is what a metric compared outputs with (refA, src for none).
    """

    pair: str
    metrics: tuple[str, ...]
    reference: tuple[str, ...]
    systems: tuple[str, ...]
    system: FloatArray
    segment: FloatArray


def read_metric_scores(
    data: bytes, name: str = "", max_bytes: int | None = None
) -> tuple[MetricScores, ...]:
    """Read all metrics of a tree as zip or tar, also gzipped, a language pair after the other."""
    where = name or "This file"
    limit = budgets.max_bytes() if max_bytes is None else max_bytes
    data = unpack(data, where, limit, archives=True)
    files = archive.contents(data, where, (".sys.score", ".seg.score"), limit)
    found: dict[str, dict[tuple[str, str], dict[str, list[float]]]] = {}
    for path in sorted(files):
        match = _PATH.fullmatch(path)
        if match:
            text = to_utf8(files[path], f"{where}, {path}", Findings(file=where)).decode()
            scores = scores_by_system(text)
            found.setdefault(match["pair"], {})[match["metric"], match["level"]] = scores
    if not found:
        raise ReadingError(
            where,
            "the archive holds no metric-scores/PAIR/METRIC.sys.score",
            "Pack the folder of an mt-metrics-eval test set.",
        )
    return tuple(_in_columns(pair, tables) for pair, tables in found.items())


def scores_by_system(text: str) -> dict[str, list[float]]:
    """Return each system's scores in the order of its lines; None and the like are nan."""
    scores: dict[str, list[float]] = {}
    for line in text.split("\n"):
        fields = line.split("\t") if "\t" in line else line.split()
        if len(fields) >= 2 and fields[0].strip():
            scores.setdefault(cleaned(fields[0]), []).append(number(fields[1]))
    return scores


def _in_columns(
    pair: str, tables: Mapping[tuple[str, str], Mapping[str, list[float]]]
) -> MetricScores:
    metrics = sorted({metric for metric, _ in tables})
    systems = list(dict.fromkeys(name for scores in tables.values() for name in scores))
    budgets.check_systems(len(systems), pair, "metric-scores")
    n_segments = max(
        (len(s) for (_, level), t in tables.items() if level == "seg" for s in t.values()),
        default=0,
    )
    budgets.check_rows(len(metrics) * len(systems) * max(n_segments, 1), pair)
    system = np.full((len(metrics), len(systems)), np.nan)
    segment = np.full((len(metrics), len(systems), n_segments), np.nan)
    place = {name: k for k, name in enumerate(systems)}
    for (metric, level), scores in tables.items():
        row = metrics.index(metric)
        for name, values in scores.items():
            if level == "sys":
                system[row, place[name]] = values[-1]
            else:
                segment[row, place[name], : len(values)] = values
    named = [_REFERENCE.fullmatch(metric) for metric in metrics]
    return MetricScores(
        pair=pair,
        metrics=tuple(metrics),
        reference=tuple(match["reference"] if match else "" for match in named),
        systems=tuple(systems),
        system=system,
        segment=segment,
    )
