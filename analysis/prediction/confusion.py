"""Measures of labels from tables of confusion [..., predicted, true]."""

from __future__ import annotations

import numpy as np

from analysis.campaign import FloatArray


def _cells(table: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return tp, fp, fn, tn of each class; rows of a table are predicted, columns are true."""
    right = np.diagonal(table, axis1=-2, axis2=-1)
    false_alarms, missed = table.sum(axis=-1) - right, table.sum(axis=-2) - right
    total = table.sum(axis=(-2, -1))[..., None]
    return right, false_alarms, missed, total - right - false_alarms - missed


def f1(table: FloatArray) -> FloatArray:
    """Return F1 of each class; nan where the class is neither predicted nor true.

    >>> f1(np.array([[4172, 1482, 193], [1819, 1333, 214], [198, 133, 69.]])).round(4).tolist()
    [0.6933, 0.4222, 0.1575]
    """
    tp, fp, fn, _ = _cells(table)
    return _ratio(2 * tp, 2 * tp + fp + fn)


def matthews(table: FloatArray) -> FloatArray:
    """Return the Matthews correlation of each class; 0 where all or no words have the class."""
    tp, fp, fn, tn = _cells(table)
    scale = np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    return np.divide(tp * tn - fp * fn, scale, out=np.zeros_like(scale), where=scale > 0)


def weighted(values: FloatArray, table: FloatArray, classes: np.ndarray) -> FloatArray:
    """Return the mean over some classes, weighted by the words that truly have each one."""
    weights = table.sum(axis=-2) * classes
    return _ratio((np.nan_to_num(values) * weights).sum(axis=-1), weights.sum(axis=-1))


def accuracy(table: FloatArray) -> FloatArray:
    """Return the share of words whose label is right."""
    return _ratio(np.trace(table, axis1=-2, axis2=-1), table.sum(axis=(-2, -1)))


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    part, whole = np.asarray(part, float), np.asarray(whole, float)
    return np.divide(part, whole, out=np.full(whole.shape, np.nan), where=whole > 0)
