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
from scipy.sparse import coo_array, csr_array

from analysis.campaign import FloatArray, IntArray
from analysis.extras.scores.scoreboard import Measure, Values

F1_ERRORS = Measure("f1_err", "F1 of errors", "mean F1 of all classes but the good one, weighted")
F1_ALL = Measure("f1_all", "F1 of all classes", "mean F1 of all classes, weighted")
MCC_ERRORS = Measure(
    "mcc_err", "Matthews correlation of errors", "mean over all classes but the good one, weighted"
)
MCC = Measure("mcc", "Matthews correlation", "mean over the classes, weighted; 0 is chance")
ACCURACY = Measure("accuracy", "Accuracy", "share of words with the right label")


class Tables:
    """How many words of each unit have a predicted and a true label, for each system.

    Most of ``[S, n, C, C]`` is empty where units are single words, so only cells with words are
    kept: ``cells[n, S·C·C]``, sparse.
    """

    def __init__(self, cells: csr_array, n_systems: int, n_classes: int) -> None:
        self._cells = cells
        self._shape = (n_systems, n_classes, n_classes)
        self._counts: FloatArray | None = None
        self._summed: FloatArray = np.zeros((0, *self._shape))

    @property
    def size(self) -> int:
        """How many numbers the tables of one resample are."""
        return int(np.prod(self._shape))

    def of(self, counts: FloatArray) -> FloatArray:
        """Return tables[R, S, C, C] in which unit n counts ``counts[r, n]`` times."""
        if counts is not self._counts:  # All measures ask for the same resamples in turn.
            self._summed = np.asarray(counts @ self._cells).reshape(-1, *self._shape)
            self._counts = counts
        return self._summed


def tabulated(labels: Sequence[IntArray], true: IntArray, unit: IntArray, n_classes: int) -> Tables:
    """Return the tables of systems' labels, a list a system, against the true ones."""
    n_words, n_units = len(true), int(unit.max(initial=-1)) + 1
    column = np.concatenate(
        [(s * n_classes + own) * n_classes + true for s, own in enumerate(labels)]
    )
    ones, rows = np.ones(len(labels) * n_words), np.tile(unit, len(labels))
    cells = coo_array((ones, (rows, column)), shape=(n_units, len(labels) * n_classes**2))
    return Tables(cells.tocsr(), len(labels), n_classes)


def measures(tables: Tables, classes: Sequence[str], good: str) -> list[tuple[Measure, Values]]:
    """Return the measures of how systems' labels meet the true ones.

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
        (MCC_ERRORS, partial(_of_tables, tables, lambda t: weighted(matthews(t), t, errors))),
        (MCC, partial(_of_tables, tables, lambda t: weighted(matthews(t), t, every))),
        (ACCURACY, partial(_of_tables, tables, accuracy)),
        *of_class,
    ]


def _of_tables(tables: Tables, of: object, counts: FloatArray) -> FloatArray:
    assert callable(of)
    return np.asarray(of(tables.of(counts)))


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
