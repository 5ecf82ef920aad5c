"""Word-level quality estimation: predicted labels against people's.

Bojar et al. 2014, section 4.3. For each class c, one against all the others, with tp, fp, fn and
tn words:

    F1_c = 2 tp / (2 tp + fp + fn),
    MCC_c = (tp·tn − fp·fn) / √((tp+fp)(tp+fn)(tn+fp)(tn+fn)).

F1 of all classes and MCC are means weighted by how many words people gave each class; F1 of errors
leaves the good class out, and is what WMT14 ranked by. All of it comes from a table of how many
words have a predicted and a true label.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from analysis.campaign import FloatArray
from analysis.scores.scoreboard import Measure, Values

F1_ERRORS = Measure("f1_err", "F1 of errors", "mean F1 of all classes but the good one, weighted")
F1_ALL = Measure("f1_all", "F1 of all classes", "mean F1 of all classes, weighted")
MCC = Measure("mcc", "Matthews correlation", "mean over the classes, weighted; 0 is chance")
ACCURACY = Measure("accuracy", "Accuracy", "share of words with the right label")


def measures(tables: FloatArray, classes: Sequence[str], good: str) -> list[tuple[Measure, Values]]:
    """Return the measures of ``tables[S, n, C, C]``: of each system and unit, [predicted, true].

    ``good`` is the class of words without an error.
    """
    errors = np.array([name != good for name in classes])
    every = np.ones(len(classes), dtype=bool)
    of_class = [
        (
            Measure(f"f1_{name}", f"F1 of {name}", f"F1 of the label {name} against all others"),
            partial(_of_tables, tables, partial(_f1_of, k)),
        )
        for k, name in enumerate(classes)
    ]
    return [
        (F1_ERRORS, partial(_of_tables, tables, lambda t: weighted(f1(t), t, errors))),
        (F1_ALL, partial(_of_tables, tables, lambda t: weighted(f1(t), t, every))),
        (MCC, partial(_of_tables, tables, lambda t: weighted(matthews(t), t, every))),
        (ACCURACY, partial(_of_tables, tables, accuracy)),
        *of_class,
    ]


def _of_tables(tables: FloatArray, of: object, counts: FloatArray) -> FloatArray:
    assert callable(of)
    return np.asarray(of(np.einsum("rn,snpt->rspt", counts, tables, optimize=True)))


def _f1_of(k: int, table: FloatArray) -> FloatArray:
    return f1(table)[..., k]


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
