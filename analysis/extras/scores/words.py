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
from analysis.prediction.confusion import accuracy, f1, matthews, weighted

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
