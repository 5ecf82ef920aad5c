"""Automatic metrics beside people: which of them order systems and outputs as people do."""

from analysis.metrics.beside_people import MetricsBoard, PeoplesScores, beside_people
from analysis.metrics.metric import Metric
from analysis.metrics.reading import MetricFile, read_metrics

REFERENCES = ("kocmi-etal-2021-ship", "thompson-etal-2024-soft", "deutsch-etal-2023-ties")
"""The papers behind the measures."""

__all__ = [
    "REFERENCES",
    "Metric",
    "MetricFile",
    "MetricsBoard",
    "PeoplesScores",
    "beside_people",
    "read_metrics",
]
